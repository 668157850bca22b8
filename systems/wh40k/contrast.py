"""Contrasts of Warhammer 40,000: moves that a player would try and that a limit bars, and shorter ones that make fewer
base contacts.

Of a success they are the base contact that a model does not make, a straight or shorter move, and the shortest moves
that complete the charge; of a failure the moves that meet every requirement but the one that is not met.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import shapely

from systems.wh40k.conditions import END_LIMITS, Ends, coherency_of, engagement_of
from systems.wh40k.explain import move_step
from systems.wh40k.feasibility import (
    REQUIREMENTS,
    RULE_OF_REQUIREMENT,
    ChargeFeasibility,
    Requirement,
    RolledCharge,
    conditions_of,
    problem_of,
)
from systems.wh40k.judge import CONTACT_RULE, claimed_ends
from systems.wh40k.move import ChargeMove, charge_move
from systems.wh40k.points import middle, ring
from systems.wh40k.roll import declarations_of
from systems.wh40k.scene import Scene
from systems.wh40k.tempting import TemptingEnds, broken_by, touching_of
from tabletop.budget import Budget
from tabletop.geometry.distance import shortest_segment
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, disc
from tabletop.messages import counted, say
from tabletop.placement.candidates import Solver
from tabletop.placement.problem import Plan
from tabletop.placement.search import find, least_distance
from tabletop.ruling.contrast import Contrast, Term
from tabletop.ruling.evidence import TWO_DECIMALS_FROM, Mark, Segment
from tabletop.ruling.finding import Finding
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.table.models import Formation, Model, crowd

ENGAGED_RULE = "wh40k.move.most-engaged"

WORK_SHARE, LEAST_WORK = 0.15, 10_000
"""Work that alternatives of a charge may take: a share of that of its ruling, and in any case so many units."""

HEADINGS: dict[Requirement, str] = {
    "engaged": say("Between the targets"),
    "grounded": say("Part-way up"),
    "apart": say("Shortest moves"),
    "coherent": say("Within range of every target"),
}
"""Headings of the moves that meet all requirements before one that is not met."""


def contrasts(case: Case, ruling: Ruling, *, budget: Budget) -> Iterator[Contrast]:
    """Yield the contrasts of a ruling: moves that are barred, then shorter ones.

    There are none where the search for the ruling was left open, and where models are lost after the move, which the
    table then shows.
    """
    charge: RolledCharge = ruling.attempt
    if ruling.open or declarations_of(ruling.charge).overwatch.after:
        return
    if charge.unmet is not None:
        yield from _unmet(charge, _part(budget, charge.feasibility))
    move = charge.move
    if move is None or math.isinf(move.most_contacts):
        return
    budget = _part(budget, charge.moving)
    scene = move.scene
    claim: Formation | None = (case.proposal or {}).get(scene.charger.name)
    ends = claimed_ends(scene, claim or move.formation, distance=move.distance, hand=0.0)
    tempting = TemptingEnds(ends, is_claimed=claim is not None)
    found = [
        *tempting.barred(),
        *tempting.over_the_wall(),
        *_without_barricades(move, ends, budget),
    ]
    worse = _shortest(charge, move, budget) if claim is None else None
    found += [] if worse is None else [worse]
    yield from found or _to_the_circle(scene)


def _part(budget: Budget, feasibility: ChargeFeasibility) -> Budget:
    """Return the part of a budget for alternatives, according to the work that the ruling took."""
    share = int(WORK_SHARE * feasibility.solver.root.work.units)
    return replace(budget, work=min(budget.work, max(LEAST_WORK, share)))


def _unmet(charge: RolledCharge, budget: Budget) -> Iterator[Contrast]:
    """Yield the moves of a failed charge that meet every requirement but the one that is not met, barred by its
    rule.
    """
    feasibility = charge.feasibility
    scene = feasibility.scene
    requirement = charge.unmet
    distance = float(charge.distance)
    if requirement is None or requirement not in HEADINGS:
        return
    place = _stretched(scene, requirement, distance)
    if requirement == "grounded":
        yield from _climb(feasibility, budget)
    if place is None and requirement != "engaged":
        before = REQUIREMENTS[REQUIREMENTS.index(requirement) - 1]
        near = min(distance, feasibility.least(before).distance)
        plan = find(feasibility.solver.at(near, conditions_of(before)), budget=budget).plan
        place = None if plan is None else _formation(scene, plan)
    if place is None:
        return
    ends = claimed_ends(scene, place, distance=distance, hand=0.0)
    finding = broken_by(ends)
    if finding is None or finding.rule != RULE_OF_REQUIREMENT[requirement]:
        return
    if requirement == "grounded" or (
        finding.margin is not None and finding.margin < -TWO_DECIMALS_FROM
    ):
        yield TemptingEnds(ends).contrast(ends, finding, HEADINGS[requirement])


def _stretched(scene: Scene, requirement: Requirement, distance: float) -> Formation | None:
    """Return the unit in a line between the two targets that are too far apart for it, with equal gaps; None if it
    cannot get there.

    Where coherency is what is missing, the first and the last are just within range; a single model is half-way.
    """
    models = scene.charger.models
    rule = RULE_OF_REQUIREMENT[requirement]
    coherency = coherency_of(scene, len(models))
    reach = engagement_of(scene).horizontal
    is_alone = requirement == "engaged" and len(models) == 1
    is_chain = requirement == "coherent" and coherency.most_links == len(models) - 1
    if len(scene.targets) != 2 or not (is_alone or is_chain):  # noqa: PLR2004
        return None
    pairs = (
        shortest_segment(one.footprint, other.footprint)
        for one in scene.targets[0].models
        for other in scene.targets[1].models
    )
    nearest = min(
        (pair for pair in pairs if pair is not None),
        key=lambda pair: math.dist(*pair),
        default=None,
    )
    if nearest is None:  # one above the other
        return None
    start, end = (np.array(point) for point in nearest)
    apart = float(np.hypot(*(end - start)))
    widths = 2.0 * crowd(models).radii
    spare = apart - float(widths.sum()) - (0.0 if is_alone else 2.0 * reach)
    if spare <= 0.0:
        return None
    ahead = (end - start) / apart
    turns = sorted(range(len(models)), key=lambda row: float(np.dot(models[row].pose.at, ahead)))
    offset = spare / 2.0 if is_alone else reach
    poses = dict[int, Pose]()
    for row in turns:
        x, y = (start + (offset + widths[row] / 2.0) * ahead).tolist()
        poses[row] = replace(models[row].pose, x=x, y=y)
        offset += float(widths[row]) + spare / max(len(models) - 1, 1)
    place = Formation(
        tuple(poses[row] for row in range(len(models))), tuple(model.z for model in models)
    )
    broken = broken_by(claimed_ends(scene, place, distance=distance, hand=0.0))
    return place if broken is not None and broken.rule == rule else None


def _to_the_circle(scene: Scene) -> Iterator[Contrast]:
    """Yield the distance to the circle about the nearest target's oval base, which is shorter than that to the base."""
    standing = Ends(scene, scene.charger.models)
    pairs = [
        (float(standing.to(unit).apart[row, column]), own, foe)
        for unit in scene.targets
        for row, own in enumerate(standing.models)
        for column, foe in enumerate(unit.models)
    ]
    apart, own, foe = min(pairs, key=lambda pair: round(pair[0], 6))
    circle = disc(foe.pose.at, float(crowd([foe]).radii[0]))
    line = shortest_segment(own.footprint, circle)
    if (
        foe.footprint.ellipse is None
        or line is None
        or own.z != foe.z
        or apart - math.dist(*line) <= TWO_DECIMALS_FROM
    ):
        return
    told = {"near": math.dist(*line), "apart": apart, "target": scene.targets[0].name}
    text = say(
        "The circle about {target}'s base is {near:.2f} in away; the base itself, which counts, is "
        "{apart:.2f} in away.",
        **told,
    )
    words = say("{near:.2f} in to the circle ({apart:.2f} in to the base)", **told)
    beyond = shapely.get_parts(
        shapely.difference(
            shapely.Polygon(circle.outline()), shapely.Polygon(foe.footprint.outline())
        )
    )
    mark = Mark(words, middle(line), lines=(line,), areas=tuple(map(Shape, beyond)), stage="after")
    found = Finding("wh40k.measure.base-or-hull", ok=False, text=text, mark=mark)
    units = {scene.charger.name: scene.charger.place}
    yield Contrast("other", found, say("To the circle"), units)


def _climb(feasibility: ChargeFeasibility, budget: Budget) -> Iterator[Contrast]:
    """Yield the sum of the longest move that the shortest completed charge needs, if it climbs."""
    scene = feasibility.scene
    least = feasibility.least()
    plan = (
        None
        if least.proof == "best_found"
        else find(feasibility.solver.at(least.distance), budget=budget).plan
    )
    if plan is None:
        return
    move = charge_move(scene, least.distance, plan)
    longest = max(move.moves, key=lambda one: round(one.way.length, 6))
    up = longest.climbed(scene.lowest_climb)
    length = longest.way.length
    if up <= TWO_DECIMALS_FROM:
        return
    told = {"across": length - up, "up": up, "length": length}
    text = say("To the top it is {across:.2f} in across and {up:g} in up, {length:.2f} in.", **told)
    terms = tuple(
        Term(label, round(value, 2), "in")
        for label, value in (
            (say("across"), length - up),
            (say("climbing up"), up),
            (say("in all"), length),
        )
    )
    found = Finding("wh40k.terrain.climb", ok=True, text=text)
    yield Contrast("mechanism", found, terms=terms)


def _without_barricades(move: ChargeMove, ends: Ends, budget: Budget) -> Iterator[Contrast]:
    """Yield what the charge would need without barricades, if only across one it reaches a target."""
    scene = move.scene
    if not scene.barricades or move.ends.in_contact:
        return
    bare = replace(
        scene,
        state=replace(
            scene.state,
            terrain=tuple(piece for piece in scene.state.terrain if piece.kind != "barricade"),
        ),
    )
    least = least_distance(Solver(problem_of(bare)), budget=budget)
    distance = ends.distance
    if least.proof == "best_found" or not distance + TWO_DECIMALS_FROM < least.distance < math.inf:
        return
    told = {"needed": least.distance, "distance": distance, "charger": scene.charger.name}
    text = say(
        "Without the barricade {charger} would need {needed:.2f} in to end within engagement range; it has "
        "{distance:g} in.",
        **told,
    )
    own, foe, line, reach = _engaged_pair(ends)
    words = say("{apart:.2f} in apart, at most {limit:g} in", apart=math.dist(*line), limit=reach)
    moved = (move_step(one, move.ends) for one in move.moves if one.end.number == own.number)
    range_of = ring(foe.footprint, reach)
    mark = Mark(words, middle(line), lines=(line,), limits=range_of, stage="after")
    found = Finding(
        "wh40k.terrain.barricade",
        ok=False,
        text=text,
        measured=distance,
        limit=least.distance,
        margin=distance - least.distance,
        mark=mark,
    )
    yield Contrast(
        "other",
        found,
        say("Without the barricade"),
        {scene.charger.name: ends.formation()},
        steps=tuple(moved),
        without=tuple(piece.name for piece in scene.barricades),
    )


def _engaged_pair(ends: Ends) -> tuple[Model, Model, Segment, float]:
    """Return the two models that are engaged across a barricade with the smallest gap, the segment between them, and
    the usual range.
    """
    pairs = [
        (own, foe, line)
        for own in ends.models
        for unit in ends.scene.targets
        for foe in unit.models
        if (line := shortest_segment(own.footprint, foe.footprint)) is not None
    ]
    own, foe, line = min(pairs, key=lambda pair: round(math.dist(*pair[2]), 6))
    return own, foe, line, engagement_of(ends.scene).horizontal


def _shortest(charge: RolledCharge, best: ChargeMove, budget: Budget) -> Contrast | None:
    """Return the shortest moves that complete the charge, if they make fewer base contacts than the best ones."""
    feasibility = charge.moving
    scene = best.scene
    contacts = len(best.ends.in_contact)
    least = feasibility.least()
    if not contacts or math.isinf(least.distance):
        return None
    shortest = min(least.distance, best.distance)
    plan = find(feasibility.solver.at(shortest), budget=budget).plan
    if plan is None or len(plan.contacts) >= contacts:
        return None
    move = charge_move(scene, best.distance, plan)
    if not all(finding.ok for limit in END_LIMITS for finding in limit.findings(move.ends)):
        return None
    # whoever moves first owes its contact, since all could still end where the best move has them
    owing = (number for number in best.formation.order or () if number not in plan.contacts)
    order = dict.fromkeys((next(owing), *(best.formation.order or ())))
    place = move.ends.formation(order)
    there = len(plan.contacts)
    fewer = (
        say("{models} would be in base contact", models=counted(there, "models"))
        if there
        else say("no model would be in base contact")
    )
    text = say(
        "The charge could be completed with moves of at most {longest:.2f} in, but then {fewer}; {most} can "
        "be, and so must.",
        longest=max(plan.lengths.values()),
        fewer=fewer,
        most=contacts,
    )
    words = say("only {count} in base contact", count=there) if there else say("no base contact")
    goals = {CONTACT_RULE: (float(contacts), float(there))}
    if scene.choices.spare_models == "engage":
        goals[ENGAGED_RULE] = float(len(best.ends.engaged)), float(len(move.ends.engaged))
    nearest = min(
        move.moves, key=lambda one: (one.end.number not in move.ends.engaged, one.end.number)
    )
    mark = Mark(words, nearest.end.pose.at, stage="after")
    return Contrast(
        "worse",
        Finding(CONTACT_RULE, ok=False, text=text, mark=mark),
        say("Shortest moves"),
        {scene.charger.name: place},
        goals=goals,
        steps=tuple(move_step(one, move.ends) for one in move.moves),
        models_in_contact=touching_of(move.ends),
    )


def _formation(scene: Scene, plan: Plan) -> Formation:
    """Return the ends of a plan as a formation."""
    ends = [plan.ends[model.number] for model in scene.charger.models]
    return Formation(tuple(end.pose for end in ends), tuple(end.z for end in ends))
