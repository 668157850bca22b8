"""The limits on where a charger's models may end: the margin of each, and its finding.

Solver, judge and findings read the same measures. A margin is signed, in inches, positive where the limit holds with room to spare. All
take the charger's models where they end, as arrays in the order of the models given: engagement of targets and of others, coherency,
contact, closer to a target, clear of other models, and where board and terrain let a model stand. A finding says the same in words, for
a plan that was solved and for one proposed.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from systems.wh40k.barricades import BarricadeRange
from systems.wh40k.scene import Scene, profile_of, top_of
from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.geometry.distance import depth_inside, gap
from tabletop.geometry.shape import Shape, disc
from tabletop.messages import counted, say
from tabletop.placement.problem import Coherency, Engagement, rises
from tabletop.ruling.evidence import Mark
from tabletop.ruling.finding import Finding
from tabletop.ruling.judge import too_near
from tabletop.table.models import Model, ModelArray, Squad, crowd, gap_matrix
from tabletop.table.state import Board, Terrain
from tabletop.units import CONTACT, STRICTLY_BEYOND

BEYOND = 1.0
"""Inches beyond the longest range up to which it is told how far models are outside of it."""

OVERLAP_RULES = {
    "block": "wh40k.terrain.through",
    "impassable": "wh40k.terrain.through",
    "wall": "wh40k.terrain.walls",
    "barricade": "wh40k.terrain.barricade",
}


def condition_findings(scene: Scene, ends: ModelArray, *, hand: float = 0.0) -> list[Finding]:
    """Say of the three conditions whether they hold: every target engaged, no other enemy unit engaged, the unit coherent.

    Of places put down by hand `hand` inches more are within a distance; nobody may come nearer to those who are not charged.
    """
    return [
        *(engaged_finding(scene, ends, target, hand=hand) for target in scene.targets),
        *(apart_finding(scene, ends, unit) for unit in scene.non_targets),
        coherency_finding(scene, ends, hand=hand),
    ]


def engaged_finding(scene: Scene, ends: ModelArray, target: Squad, *, hand: float = 0.0) -> Finding:
    """wh40k.possible.engage-all: a model is within engagement range of the target."""
    (number, enemy), measured, limit, margin = _engagement(scene, ends, target)
    is_engaged = margin + hand >= -CONTACT
    parts = {"number": number, "target": target.name, "enemy": enemy}
    text = say("Model {number} is not within engagement range of {target}'s model {enemy}.", **parts)
    if is_engaged:
        text = say("Model {number} is within engagement range of {target}'s model {enemy}.", **parts)
    mark = None if is_engaged else _between(ends, number, target, enemy)
    found = Finding("wh40k.possible.engage-all", is_engaged, text, measured, limit + hand, margin + hand, mark=mark)
    return found.using(*scene.heights_assumed(scene.charger, target))


def _engagement(scene: Scene, ends: ModelArray, unit: Squad) -> tuple[tuple[int, int], float, float, float]:
    """Measure the most engaged pair: its numbers, its gap across or up and down, whichever binds, the limit of that, and the margin."""
    across, up = _range_margins(scene, ends, unit)
    margins = np.minimum(across, up)
    row, column = first_least(-margins)
    numbers = (ends.models[row].number, unit.models[column].number)
    margin, limit = float(margins[row, column]), scene.book.engagement_vertical
    if across[row, column] <= up[row, column] + CONTACT:
        pair = float(gap_matrix(crowd([ends.models[row]]), crowd([unit.models[column]]))[0, 0])
        limit = min(engagement_of(scene).ranges, key=lambda reach: abs(reach - pair - margin))
    return numbers, limit - margin, limit, margin


def _between(ends: ModelArray, number: int, unit: Squad, enemy: int) -> Mark:
    """Show the gap between one of the charger's models and one of another unit."""
    own = next(model for model in ends.models if model.number == number)
    other = next(model for model in unit.models if model.number == enemy)
    return too_near(own.footprint, other.footprint)


def engagement_margins(scene: Scene, ends: ModelArray, unit: Squad) -> FloatArray:
    """Measure how far (n, m) each of the charger's models is within engagement range of each model of a unit; negative: outside.

    The margin is the lesser of those across and up and down; across a barricade the longer range counts. Of models far outside it may
    be any number that says so.
    """
    return np.minimum(*_range_margins(scene, ends, unit, beyond=max(engagement_of(scene).ranges) + BEYOND))


def _range_margins(scene: Scene, ends: ModelArray, unit: Squad, *, beyond: float = np.inf) -> tuple[FloatArray, FloatArray]:
    """Measure how far (n, m) models are within engagement range across, and up and down; exactly where gaps are at most `beyond` inches."""
    enemies = crowd(unit.models)

    def bodies(model: int, enemy: int) -> tuple[Shape, Shape]:
        return ends.models[model].footprint, enemies.models[enemy].footprint

    between = gap_matrix(ends, enemies, beyond=beyond)
    return engagement_of(scene).margins(between, vertical_gaps(scene, ends, unit), bodies, beyond=BEYOND)


def engagement_of(scene: Scene) -> Engagement:
    """Return who is engaged with whom: within a range that is longer across barricades."""
    book = scene.book
    return Engagement(book.engagement_horizontal, book.engagement_vertical, BarricadeRange(scene) if scene.barricades else None)


def vertical_gaps(scene: Scene, ends: ModelArray, unit: Squad) -> FloatArray:
    """Measure the vertical gaps (n, m) between the charger's models and those of a unit."""
    return rises(ends.heights, scene.body_height(scene.charger), crowd(unit.models).heights, scene.body_height(unit))


def engaged_models(scene: Scene, ends: ModelArray) -> tuple[int, ...]:
    """Give the numbers of the models that are engaged with a target."""
    margins = [engagement_margins(scene, ends, target).max(axis=1) for target in scene.targets]
    within = np.max(margins, axis=0) >= -CONTACT
    return tuple(model.number for model, is_engaged in zip(ends.models, within, strict=True) if is_engaged)


def apart_finding(scene: Scene, ends: ModelArray, unit: Squad) -> Finding:
    """wh40k.possible.avoid-others: no model is within engagement range of a unit that is no target."""
    (number, enemy), measured, limit, margin = _engagement(scene, ends, unit)
    is_apart = -margin >= STRICTLY_BEYOND - CONTACT
    parts = {"number": number, "enemy": enemy, "unit": unit.name}
    text = say("Model {number} ends within engagement range of model {enemy} of {unit}, which is no target.", **parts)
    if is_apart:
        text = say("Model {number} ends nearest to model {enemy} of {unit}, which is no target.", **parts)
    mark = None if is_apart else replace(_between(ends, number, unit, enemy), models={scene.charger.name: (number,)})
    margin = -margin - STRICTLY_BEYOND
    found = Finding("wh40k.possible.avoid-others", is_apart, text, measured, limit + STRICTLY_BEYOND, margin, mark=mark)
    return found.using(*scene.heights_assumed(scene.charger, unit))


def zone_gap(scene: Scene) -> float:
    """Give the gap in inches that solved ends and ways keep to non-targets."""
    return scene.book.engagement_horizontal + scene.choices.clearance


def coherency_finding(scene: Scene, ends: ModelArray, *, hand: float = 0.0) -> Finding:
    """wh40k.possible.coherency: every model has its neighbours, and all hang together."""
    count = len(ends.models)
    coherency = coherency_of(scene, count)
    if coherency.neighbours == 0:
        return Finding("wh40k.possible.coherency", ok=True, text=say("A single model is always in coherency."))
    margins = neighbour_margins(scene, ends)
    row, column = _weakest_link(margins, coherency)
    margin = float(margins[row, column]) + hand
    group = say(" and in one group") if scene.choices.single_group else ""
    is_kept = margin >= -CONTACT
    parts = {"count": count, "limit": coherency.horizontal, "others": counted(coherency.neighbours, "others"), "group": group}
    text = say("Not all {count} models are within {limit:g} in of {others} of the unit{group}.", **parts)
    if is_kept:
        text = say("All {count} models are within {limit:g} in of {others} of the unit{group}.", **parts)
    first, second = ends.models[row], ends.models[column]
    mark = None if is_kept else too_near(first.footprint, second.footprint)
    if not np.isfinite(margin):
        return Finding("wh40k.possible.coherency", is_kept, text, mark=mark)
    is_across = coherency.horizontal - gap(first.footprint, second.footprint) + hand <= margin + CONTACT
    limit = (coherency.horizontal if is_across else coherency.vertical) + hand
    return Finding("wh40k.possible.coherency", is_kept, text, limit - margin, limit, margin, mark=mark)


def broken_link(scene: Scene, ends: ModelArray) -> tuple[Model, Model, bool] | None:
    """Give two models between which the unit falls apart, and whether it is a neighbour that the first lacks; None if it is coherent.

    Of two that lack each other the first is the later one in the file.
    """
    coherency, margins = coherency_of(scene, len(ends.models)), neighbour_margins(scene, ends)
    if coherency.neighbours == 0 or coherency_margin(scene, ends) >= -CONTACT:
        return None
    row, column = _weakest_link(margins, coherency)
    own = np.sort(margins, axis=1)[:, -coherency.neighbours]
    if row < column and own[column] <= margins[row, column] + CONTACT:
        row, column = column, row
    return ends.models[row], ends.models[column], bool(own[row] < -CONTACT)


def coherency_of(scene: Scene, count: int) -> Coherency:
    """Return what keeps `count` models together: from some number on each has two neighbours, of fewer one."""
    book = scene.book
    neighbours = 0 if count < 2 else 2 if count >= book.coherency_large else 1  # noqa: PLR2004
    return Coherency(count, neighbours, book.coherency_horizontal, book.coherency_vertical, scene.choices.single_group)


def target_span(scene: Scene) -> tuple[float, float, tuple[str, str]] | None:
    """Give the gap in inches between the two targets that are hardest to span, how much the unit spans at most, and which targets they are.

    It spans its bases, a link between each two, and engagement range at both ends; None where that is without limit, or of one target.
    """
    models = crowd(scene.charger.models)
    reach = max(scene.book.engagement_horizontal, scene.book.barricade_engagement if scene.barricades else 0.0)
    most = coherency_of(scene, len(models.models)).span(2.0 * models.radii) + 2.0 * reach
    pairs = [
        (float(gap_matrix(crowd(first.models), crowd(second.models), beyond=np.inf).min()), most, (first.name, second.name))
        for first, second in combinations(scene.targets, 2)
    ]
    return max(pairs, default=None) if np.isfinite(most) else None


def coherency_margin(scene: Scene, ends: ModelArray) -> float:
    """Measure by how much the weakest link of the unit holds; infinite for a single model."""
    coherency = coherency_of(scene, len(ends.models))
    if coherency.neighbours == 0:
        return np.inf
    margins = neighbour_margins(scene, ends)
    return float(margins[_weakest_link(margins, coherency)])


def neighbour_margins(scene: Scene, ends: ModelArray) -> FloatArray:
    """Measure how far (n, n) each two of the charger's models are within the coherency distances of each other."""
    height = scene.body_height(scene.charger)
    vertical = rises(ends.heights, height, ends.heights, height)
    margins = coherency_of(scene, len(ends.models)).margins(gap_matrix(ends, ends, beyond=np.inf), vertical)
    np.fill_diagonal(margins, -np.inf)
    return margins


def _weakest_link(margins: FloatArray, coherency: Coherency) -> tuple[int, int]:
    """Give the pair, by its places, whose margin (n, n) is that of the unit: a model and the last neighbour it needs, or two groups."""
    asked = coherency.neighbours
    ranked = np.argsort(-margins, axis=1, kind="stable")
    row = int(np.take_along_axis(margins, ranked, axis=1)[:, asked - 1].argmin())
    pairs = [(row, int(ranked[row, asked - 1])), *([_bottleneck(margins)] if coherency.single_group else [])]
    return min(pairs, key=lambda pair: float(margins[pair]))


def _bottleneck(margins: FloatArray) -> tuple[int, int]:
    """Give the weakest link of the strongest tree that joins all models."""
    tail = np.zeros(len(margins), dtype=np.intp)
    is_out = np.arange(len(margins)) > 0
    tree = []
    while is_out.any():
        best = margins[tail, np.arange(len(margins))]
        head = int(np.argmax(np.where(is_out, best, -np.inf)))
        tree.append((int(tail[head]), head))
        is_out[head] = False
        tail = np.where(margins[head] > best, head, tail)
    return min(tree, key=lambda pair: float(margins[pair]))


def links(scene: Scene, ends: ModelArray) -> tuple[tuple[int, int], ...]:
    """Give the pairs of places in the list of models that are neighbours."""
    rows, columns = np.nonzero(np.triu(neighbour_margins(scene, ends) >= -CONTACT))
    return tuple(zip(rows.tolist(), columns.tolist(), strict=True))


def contacts(ends: ModelArray, unit: Squad, *, slack: float = CONTACT) -> BoolArray:
    """Tell (n, m) which of the charger's models are in base contact with which of a unit's; `slack` in inches."""
    enemies = crowd(unit.models)
    level = np.abs(ends.heights[:, None] - enemies.heights[None, :]) <= slack
    touching: BoolArray = (np.abs(gap_matrix(ends, enemies, beyond=slack)) <= slack) & level
    return touching


def models_in_contact(scene: Scene, ends: ModelArray, *, slack: float = CONTACT) -> tuple[int, ...]:
    """Give the numbers of the charger's models that are in base contact with a model of a target."""
    touching = np.any([contacts(ends, target, slack=slack).any(axis=1) for target in scene.targets], axis=0)
    return tuple(model.number for model, is_touching in zip(ends.models, touching, strict=True) if is_touching)


def closer_findings(scene: Scene, ends: ModelArray, numbers: tuple[int, ...]) -> Iterator[Finding]:
    """Say of those of the models `numbers` that owe it whether they end closer to a target, one finding per model."""
    for model, gain in zip(ends.models, gains(scene, ends).tolist(), strict=True):
        if model.number in numbers and owes_closer(scene, model):
            is_closer = gain >= STRICTLY_BEYOND - CONTACT
            text = say("Model {number} ends {gain:.4f} in closer to a target than it began.", number=model.number, gain=gain)
            if has_stayed(scene, model):
                text = say("Model {number} ends where it began.", number=model.number)
            mark = None if is_closer else Mark(models={scene.charger.name: (model.number,)})
            yield Finding("wh40k.move.closer", is_closer, text, gain, STRICTLY_BEYOND, gain - STRICTLY_BEYOND, mark=mark)


def gains(scene: Scene, ends: ModelArray) -> FloatArray:
    """Measure how much closer (n,) each model is at its end than at its start to the target to which it gains most.

    The models are taken to be the charger's, by number.
    """
    starts = crowd([start_of(scene, model) for model in ends.models])
    nearer = [distances(scene, starts, target) - distances(scene, ends, target) for target in scene.targets]
    gained: FloatArray = np.max(nearer, axis=0)
    return gained


def distances(scene: Scene, ends: ModelArray, unit: Squad) -> FloatArray:
    """Measure the distance (n,) in inches from each of the charger's models to a unit."""
    across = np.maximum(gap_matrix(ends, crowd(unit.models)), 0.0)
    apart: FloatArray = np.hypot(across, vertical_gaps(scene, ends, unit)).min(axis=1)
    return apart


def start_of(scene: Scene, model: Model) -> Model:
    """Give one of the charger's models where the move begins."""
    return next(start for start in scene.charger.models if start.number == model.number)


def owes_closer(scene: Scene, model: Model) -> bool:
    """Tell whether a model must end closer to a target than it began."""
    return scene.choices.closer_scope == "all" or not has_stayed(scene, model)


def has_stayed(scene: Scene, model: Model) -> bool:
    """Tell whether a model ends where it began."""
    return model.stands_like(start_of(scene, model))


def closest_call(findings: list[Finding]) -> list[Finding]:
    """Keep of findings of one rule the broken ones, or, if there are none, the first of those with the least margin."""
    broken = [finding for finding in findings if not finding.ok]
    if broken or not findings:
        return broken
    margins = np.array([np.inf if finding.margin is None else finding.margin for finding in findings])
    return [findings[first_least(margins)[0]]]


def first_least(values: FloatArray) -> tuple[int, ...]:
    """Give the indices of the least of some values; of those that are as little, of the first, so that no rounding decides."""
    return tuple(np.argwhere(values <= values.min() + CONTACT)[0].tolist())


def clear_finding(scene: Scene, ends: ModelArray, *, hand: float = 0.0) -> Finding | None:
    """wh40k.move.end-clear, of flyers wh40k.fly.not-on-models: no model ends on another; None where nobody is near.

    Of places put down by hand models may overlap by `hand` inches.
    """
    everybody, rows = (*ends.models, *scene.bodies.models), _clearances(scene, ends, beyond=0.0)
    row, column = first_least(rows)
    if not np.isfinite(rows[row, column]):
        return None
    near = gap(ends.models[row].footprint, everybody[column].footprint)  # what looked nearest by its outer radius may not be
    rows = _clearances(scene, ends, beyond=max(near, 0.0))
    row, column = first_least(rows)
    least = float(rows[row, column])
    rule = "wh40k.fly.not-on-models" if scene.is_flyer else "wh40k.move.end-clear"
    number, limit = ends.models[row].number, 0.0 - hand
    if least >= limit - CONTACT:
        return Finding(rule, True, say("Model {number} ends clear of all others.", number=number), least, limit, least - limit)  # noqa: FBT003
    names = [scene.charger.name] * len(ends.models) + [unit.name for unit in scene.others for _ in unit.models]
    text = say("Model {number} overlaps model {other} of {unit}.", number=number, other=everybody[column].number, unit=names[column])
    mark = Mark(overlaps=((ends.models[row].footprint, everybody[column].footprint),))
    return Finding(rule, False, text, least, limit, least - limit, mark=mark)  # noqa: FBT003


def _clearances(scene: Scene, ends: ModelArray, *, beyond: float) -> FloatArray:
    """Measure gaps (n, n + m) from the charger's models to each other and to all bodies, where they count for overlap."""
    own = body_gaps(ends, ends, beyond=beyond)
    np.fill_diagonal(own, np.inf)
    return np.hstack([own, body_gaps(ends, scene.bodies, beyond=beyond)])


def body_gaps(first: ModelArray, second: ModelArray, *, beyond: float = 0.0) -> FloatArray:
    """Measure gaps (n, m) where they count for overlap: infinite between models at different heights; exactly up to `beyond` inches."""
    level = np.abs(first.heights[:, None] - second.heights[None, :]) <= CONTACT
    return np.where(level, gap_matrix(first, second, beyond=beyond), np.inf)


def is_large(unit: Squad) -> bool:
    """Tell whether a unit's models may not be passed by others of that size."""
    return bool({"monster", "vehicle"} & set(profile_of(unit).keywords))


def standing_faults(scene: Scene, model: Model, *, slack: float = CONTACT) -> list[Finding]:
    """List what forbids a model to end where it is; none where it may. `slack` in inches, with what every comparison allows."""
    beyond = beyond_board(scene.state.board, model)
    terrain = list(_terrain_faults(scene, model, slack))
    if beyond <= slack:
        return terrain
    text = say("Model {number} ends {beyond:.4f} in beyond the edge.", number=model.number, beyond=beyond)
    return [replace(_broken("wh40k.path.board", text, beyond, slack), mark=Mark(beyond=(model.footprint,))), *terrain]


def _terrain_faults(scene: Scene, model: Model, slack: float) -> Iterator[Finding]:
    """Find solid terrain that the model overlaps, and whether anything holds it at its height."""
    is_up = model.z > slack
    for piece in scene.solids:
        if top_of(piece) > model.z + slack and not is_apart(model, piece):
            depth = -gap(model.footprint, piece.shape)
            if depth > slack:
                text = say("Model {number} overlaps {piece} by {depth:.4f} in.", number=model.number, piece=piece.name, depth=depth)
                mark = Mark(overlaps=((model.footprint, piece.shape),))
                yield replace(_broken(OVERLAP_RULES[piece.kind], text, depth, slack), mark=mark)
    if is_up:
        yield from _unheld(scene, model, slack)


def is_apart(model: Model, piece: Terrain) -> bool:
    """Tell whether even the boxes around a model and a piece are apart: so are most."""
    (west, south, east, north), (left, low, right, high) = model.footprint.bounds, piece.shape.bounds
    return east < left or right < west or north < low or high < south


def _unheld(scene: Scene, model: Model, slack: float) -> Iterator[Finding]:
    """Find that no top of a block and no floor holds a model that is not on the ground."""
    level = [piece for piece in (*scene.blocks, *scene.upper_floors) if abs(piece.height - model.z) <= slack]
    level = [piece for piece in level if gap(model.footprint, piece.shape) <= slack]
    barred = [] if scene.uses_floors else [piece.name for piece in level if piece.kind == "floor"]
    level = [piece for piece in level if piece.name not in barred]
    depths = {piece.name: support_depth(scene, model, piece) for piece in level}
    if depths and max(depths.values()) >= -slack:
        return
    if depths:
        name = max(depths, key=lambda one: depths[one])
        kind = next(piece.kind for piece in level if piece.name == name)
        rule = "wh40k.terrain.floors" if kind == "floor" else "wh40k.terrain.support"
        yield _broken(rule, say("Model {number} sticks out of the top of {name}.", number=model.number, name=name), -depths[name], slack)
        return
    if barred:
        parts = {"number": model.number, "floor": barred[0]}
        text = say("Model {number} ends on {floor}, an upper floor: only infantry, beasts and flyers end there.", **parts)
        yield Finding("wh40k.terrain.floors", ok=False, text=text)
        return
    is_climbing = any(abs(gap(model.footprint, piece.shape)) <= slack and piece.height > model.z for piece in scene.climbed)
    rule = "wh40k.terrain.mid-climb" if is_climbing else "wh40k.terrain.support"
    yield Finding(rule, ok=False, text=say("Model {number} ends {z:g} in up, where nothing holds it.", number=model.number, z=model.z))


def support_depth(scene: Scene, model: Model, piece: Terrain) -> float:
    """Measure how far inside a block's top or a floor a model's base lies, or its centre where that is enough; in inches."""
    if stands_by_centre(scene, piece):
        return depth_inside(disc(model.pose.at, 0.0), piece.shape)
    return depth_inside(model.footprint, piece.shape)


def stands_by_centre(scene: Scene, piece: Terrain) -> bool:
    """Tell whether only the centre must be over a piece's top."""
    return piece.kind == "block" and scene.choices.support == "centre"


def beyond_board(board: Board, model: Model) -> float:
    """Measure how far a model reaches beyond the board, in inches; negative: how far inside it stands."""
    west, south, east, north = model.footprint.bounds
    return max(-west, -south, east - board.width, north - board.depth)


def _broken(rule: str, text: str, measured: float, slack: float) -> Finding:
    """Tell a broken rule: of the slack, what every comparison allows is no part of the limit."""
    limit = slack - CONTACT
    if not math.isfinite(measured):
        return Finding(rule, ok=False, text=text)
    return Finding(rule, ok=False, text=text, measured=measured, limit=limit, margin=limit - measured)


def can_stand(scene: Scene, model: Model, *, slack: float = CONTACT) -> bool:
    """Tell whether a model may end where it is, as far as board and terrain are asked; `slack` in inches."""
    return beyond_board(scene.state.board, model) <= slack and next(_terrain_faults(scene, model, slack), None) is None


def surfaces(scene: Scene, model: Model, *, slack: float = CONTACT) -> tuple[float, ...]:
    """Give the heights in inches at which a model may end at its place in plan, lowest first."""
    heights = sorted({0.0, *(piece.height for piece in (*scene.blocks, *scene.floors))})
    return tuple(z for z in heights if can_stand(scene, model.at(model.pose, z), slack=slack))
