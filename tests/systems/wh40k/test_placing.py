"""Placement of whole units: every plan keeps its conditions, no bound lies below a plan, no distance above one."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from systems.wh40k.book import Book
from systems.wh40k.conditions import Ends, body_gaps, can_stand
from systems.wh40k.feasibility import REQUIREMENTS, conditions_of, problem_of
from systems.wh40k.paths import Paths
from systems.wh40k.scene import Scene, scene_of
from systems.wh40k.words import Choices, Profile
from tabletop.budget import Budget
from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import disc, polygon
from tabletop.placement.bounds import CoherencyBound
from tabletop.placement.candidates import Solver
from tabletop.placement.contact_packing import CELL_LENGTHS, line_bound
from tabletop.placement.mandatory_contact import MandatoryContact
from tabletop.placement.problem import End, Plan
from tabletop.placement.search import best, find, least_distance
from tabletop.table.models import BaseShape, Hull, Model, OvalBase, RoundBase, Squad
from tabletop.table.state import Base, Board, State, Terrain
from tests.systems.wh40k.tables import SHIFT, case, placed, unit

INCH = RoundBase(1.0)
INFANTRY_BASE = RoundBase(32 / 25.4)
BUDGET = Budget()
Places = list[tuple[float, ...]]


def _unit(
    name: str, places: Places, *, base: BaseShape = INCH, facing: float = 0.0, **profile: Any
) -> Squad:
    models = [
        Model(number, Pose(20.0 + x, 20.0 + y, facing), base, sum(z))
        for number, (x, y, *z) in enumerate(places)
    ]
    return Squad(name, "blue" if name == "A" else "red", tuple(models), Profile(**profile))


def _scene(
    charger: Squad,
    targets: list[Squad],
    others: list[Squad] | None = None,
    *,
    terrain: Any = (),
    **choices: Any,
) -> Scene:
    units = {unit.name: unit for unit in (charger, *targets, *(others or []))}
    state = State(Board(60.0, 44.0), units, tuple(terrain))
    return scene_of(
        state, "A", [target.name for target in targets], choices=Choices(**choices), book=Book()
    )


def _piece(
    kind: str, west: float, south: float, east: float, north: float, height: float
) -> Terrain:
    corners = [(west, south), (east, south), (east, north), (west, north)]
    return Terrain(
        f"{kind} {west}", kind, polygon([(20.0 + x, 20.0 + y) for x, y in corners]), height
    )


def _block(chance: np.random.Generator, count: int, middle: tuple[float, float]) -> Places:
    """Scatter models of 32 mm about a place, each near another."""
    spread = INFANTRY_BASE.diameter * math.sqrt(count) * 0.8
    places: list[tuple[float, float]] = []
    while len(places) < count:
        x, y = (chance.uniform(-spread, spread, 2) + middle).tolist()
        apart = [math.dist((x, y), other) for other in places]
        if not apart or (
            min(apart) >= INFANTRY_BASE.diameter + 0.01
            and min(apart) <= INFANTRY_BASE.diameter + 1.5
        ):
            places.append((x, y))
    return list(places)


def _random(seed: int, count: int, foes: int) -> Scene:
    chance = np.random.default_rng(seed)
    away = 3.0 + INFANTRY_BASE.diameter * 0.8 * (math.sqrt(count) + math.sqrt(foes))
    a = _unit("A", _block(chance, count, (0.0, 0.0)), base=INFANTRY_BASE)
    t = _unit("T", _block(chance, foes, (away, float(chance.uniform(-2, 2)))), base=INFANTRY_BASE)
    n = _unit("N", _block(chance, 2, (away, 9.0)), base=INFANTRY_BASE)
    wall = _piece("wall", 3.2, -6.0, 3.5, 0.0, 4.0)
    return _scene(a, [t], [n], terrain=() if seed % 2 else (wall,))


def _broken(scene: Scene, plan: Plan, limit: float) -> Iterator[str]:
    """Measure a plan against every condition, on the models where they end."""
    ends = Ends(
        scene,
        tuple(
            model.at(plan.ends[model.number].pose, plan.ends[model.number].z)
            for model in scene.charger.models
        ),
    )
    ways = Paths(scene, reach=2.0 * limit)
    between = body_gaps(ends.array, ends.array)
    np.fill_diagonal(between, np.inf)
    if ends.coherency_margin < -1e-6:
        yield "coherency"
    if any(ends.to(target).margins.max() < -1e-6 for target in scene.targets):
        yield "engaged"
    if any(
        ends.to(unit).margins.max() > 1e-6 - scene.choices.clearance for unit in scene.non_targets
    ):
        yield "avoided"
    if min(between.min(), body_gaps(ends.array, scene.bodies).min()) < -1e-6 or not all(
        can_stand(scene, model) for model in ends.models
    ):
        yield "clear"
    moves = list(zip(scene.charger.models, ends.models, strict=True))
    is_all = scene.choices.closer_scope == "all"
    if any(
        (is_all or not end.stands_like(start)) and gain <= 1e-6
        for (start, end), gain in zip(moves, ends.gains, strict=True)
    ):
        yield "closer"
    lengths = {start.number: ways.length(start, end) for start, end in moves}
    if max(lengths.values()) > limit + 1e-6 or lengths != pytest.approx(
        dict(plan.lengths), abs=1e-6
    ):
        yield "lengths"
    if (ends.in_contact, ends.engaged) != (plan.contacts, plan.engaged):
        yield "counts"


@pytest.mark.parametrize("seed", range(6))
def test_plans_keep_every_condition(seed: int) -> None:
    """Of random scenes with a bystander and a wall, the best plan breaks nothing, and more distance is never worse."""
    count = 3 + seed
    scene = _random(seed, count, 4)
    solver = Solver(problem_of(scene))
    contacts = []
    for limit in (7.0, 8.0):
        answer = best(solver.at(limit), budget=BUDGET)
        if answer.plan is None:
            contacts.append(-1)
            continue
        assert not list(_broken(scene, answer.plan, limit))
        assert len(answer.plan.contacts) <= answer.plan.most_contacts
        contacts.append(len(answer.plan.contacts))
    assert contacts == sorted(contacts)


@pytest.mark.parametrize("seed", range(4))
def test_the_least_distance_is_where_plans_begin(seed: int) -> None:
    """There is a plan at the least distance, and none a little below the bound."""
    scene = _random(seed, 4, 3)
    solver = Solver(problem_of(scene))
    least = least_distance(solver.at(math.inf), budget=BUDGET)
    assert find(solver.at(least.distance), budget=BUDGET).plan is not None
    short = find(solver.at(least.bound - 0.01), budget=BUDGET)
    assert (short.plan, short.proof) == (None, "exact")


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_no_bound_lies_below_a_plan(seed: int) -> None:
    """Cells never promise less than a plan has."""
    task = Solver(problem_of(_random(seed, 8, 4))).at(8.0)
    plan = best(task, budget=BUDGET).plan
    assert plan is not None
    assert all(line_bound(task, length).most >= len(plan.contacts) for length in CELL_LENGTHS)


def test_the_least_distance_of_a_chain_is_proven_by_its_trees() -> None:
    """Four models whose links bridge just enough: the inner two need 6 - sqrt(1.75)."""
    a = _unit("A", [(0, 1.5), (0, 4.5), (0, 7.5), (0, 10.5)])
    least = least_distance(
        Solver(problem_of(_scene(a, [_unit("T", [(6, 0)]), _unit("U", [(6, 12)])]))).at(math.inf),
        budget=BUDGET,
    )
    assert least.distance == pytest.approx(6.0 - math.sqrt(1.75), abs=1e-4)
    assert least.proof == "tolerance"


def test_targets_too_far_apart_for_a_chain_are_ruled_out_for_sure() -> None:
    """Two hops bridge 6 of the 8 between the zones: engaged each, coherent never."""
    solver = Solver(
        problem_of(
            _scene(
                _unit("A", [(0, 3), (0, 6), (0, 9)]), [_unit("T", [(6, 0)]), _unit("U", [(6, 12)])]
            )
        )
    )
    distances = {
        level: least_distance(solver.at(math.inf, conditions_of(level)), budget=BUDGET)
        for level in REQUIREMENTS
    }
    assert distances["apart"].distance == pytest.approx(math.sqrt(45.0) - 2.0)
    assert (distances["coherent"].distance, distances["coherent"].proof) == (math.inf, "exact")


def test_a_model_that_engages_must_have_company() -> None:
    """Of seven the one in front goes 4 to (4, 0); its second neighbour must come within 3 of it, which takes hypot(4,
    5.8) - 3.
    """
    scene = _scene(
        _unit("A", [(0, 0), (0, 2.9), (0, 5.8), (-1.2, 5.8), (-1.2, 7), (0, 7), (0, 8.2)]),
        [_unit("T", [(6, 0)])],
    )
    solver = Solver(problem_of(scene))
    company = CoherencyBound(solver.at(5.0))
    assert math.hypot(4.0, 5.8) - 3.0 > 4.0
    assert (company.allows(4.0), company.allows(math.hypot(4.0, 5.8) - 3.0)) == (False, True)
    least = least_distance(solver.at(math.inf), budget=BUDGET)
    assert 4.0 < least.bound <= least.distance


@pytest.mark.parametrize(("away", "allowed"), [(1.9, True), (2.1, False)])
def test_company_of_models_that_do_not_move(away: float, allowed: bool) -> None:
    """Nothing needs to move where all stand near enough, and nothing else does without moving."""
    scene = _scene(_unit("A", [(0, 0), (-2.5, 0)]), [_unit("T", [(away, 0)])])
    assert CoherencyBound(Solver(problem_of(scene), 5.0)).allows(0.0) == allowed


@pytest.mark.parametrize("seed", range(3))
def test_company_is_never_missed_where_there_is_a_plan(seed: int) -> None:
    """At a distance for which a plan is found, what is asked of company holds."""
    scene = _random(seed, 8, 3)
    solver = Solver(problem_of(scene))
    least = least_distance(solver.at(math.inf), budget=BUDGET)
    assert CoherencyBound(solver.at(least.distance)).allows(least.distance)


def test_models_placed_stay_where_they_are() -> None:
    """With model 0 in front of the foe, the plan that is found around it has model 1 touch the foe from beside."""
    scene = _scene(_unit("A", [(0, 0), (0, 2)]), [_unit("T", [(6, 0)])])
    placed = {0: End(Pose(25.0, 20.0, 0.0))}
    plan = best(Solver(problem_of(scene), 7.0).with_fixed(placed), budget=BUDGET).plan
    assert plan is not None
    assert plan.ends[0] == placed[0]
    assert 1 in plan.contacts


def test_contact_is_owed_as_far_as_those_moved_before_leave_room() -> None:
    """With model 0 in front of the foe, model 1 can still touch it from beside; with models all around it the last one
    cannot.
    """
    few = _scene(_unit("A", [(0, 0), (0, 2)]), [_unit("T", [(6, 0)])])
    end = _claimed(few, 7.0, [(5, 0), (5, 1.9)]).contact(1, budget=BUDGET).end
    assert end is not None
    assert math.dist(end.pose.at, (26.0, 20.0)) == pytest.approx(1.0)
    around = [(6 + math.cos(turn), math.sin(turn)) for turn in np.arange(6) * math.tau / 6]
    crowded = _scene(
        _unit("A", [(0, 2.2 * number) for number in range(-3, 4)]), [_unit("T", [(6, 0)])]
    )
    debt = _claimed(crowded, 12.0, [*around, (6, 3)]).contact(6, budget=BUDGET)
    assert (debt.end, debt.proof) == (None, "exact")


def _claimed(scene: Scene, distance: float, places: Places) -> MandatoryContact:
    ends = tuple(
        model.at(Pose(20.0 + x, 20.0 + y, 0.0))
        for model, (x, y) in zip(scene.charger.models, places, strict=True)
    )
    return MandatoryContact(Solver(problem_of(scene), distance), ends)


def test_two_models_share_targets_whose_nearest_places_are_too_far_apart() -> None:
    """Each nearest to its own target the two would be no neighbours: their places are chosen together."""
    oval = OvalBase(75 / 25.4, 42 / 25.4)
    a = _unit("A", [(-0.58, 0.08), (1.67, 0.21)], base=RoundBase(40 / 25.4))
    t = _unit("T", [(5.45, -0.33)], base=Base(25 / 25.4, 50 / 25.4))
    u = _unit("U", [(8.05, 7.82), (3.96, 7.14)], base=oval)
    scene = _scene(a, [t, u])
    plan = find(Solver(problem_of(scene), 10.0), budget=BUDGET).plan
    assert plan is not None
    assert not list(_broken(scene, plan, 10.0))


def test_two_groups_in_contact_are_joined_by_a_bridge() -> None:
    """Two targets 5 apart: the models between them end where they hold the unit together."""
    a = _unit("A", [(0, 1.9 * number) for number in range(-3, 4)])
    t = _unit("T", [(6, -5), (6, -6.2)])
    u = _unit("U", [(6, 5), (6, 6.2)])
    scene = _scene(a, [t, u])
    plan = best(Solver(problem_of(scene), 10.0), budget=BUDGET).plan
    assert plan is not None
    assert not list(_broken(scene, plan, 10.0))
    assert len(plan.contacts) >= 4


def test_models_find_places_together_where_none_alone_does() -> None:
    """At 3 in no model gets into contact; all three can be engaged, but to let the third in range the other two must
    move as well.
    """
    charger = _unit("A", [(0.434, -3.893), (-0.79, -1.542), (-0.393, 0.002)], base=INFANTRY_BASE)
    others = [
        _unit("T", [(4.898, -1.422), (4.121, 0.147)], base=RoundBase(40 / 25.4)),
        _unit("M", [(3.807, -3.964)]),
    ]
    scene = _scene(charger, others[:1], others[1:])
    plan = best(Solver(problem_of(scene), 3.0), budget=BUDGET).plan
    assert plan is not None
    assert (plan.contacts, plan.engaged) == ((), (0, 1, 2))
    assert not list(_broken(scene, plan, 3.0))


def test_a_long_base_turns_its_end_to_the_foe() -> None:
    """A 75 x 42 mm oval that may turn freely needs half its length less than the distance of the middles; a vehicle
    pays 2 to turn.
    """
    oval = OvalBase(75 / 25.4, 42 / 25.4)
    away = math.hypot(6.0, 3.0) - 1.5
    rider = _scene(_unit("A", [(0, 0)], base=oval, keywords=("cavalry",)), [_unit("T", [(6, 3)])])
    assert least_distance(
        Solver(problem_of(rider), math.inf), budget=BUDGET
    ).distance == pytest.approx(away - 75 / 50.8, abs=1e-4)
    tank = _scene(_unit("A", [(0, 0)], base=oval, keywords=("vehicle",)), [_unit("T", [(6, 3)])])
    assert (
        away - 75 / 50.8
        < least_distance(Solver(problem_of(tank), math.inf), budget=BUDGET).distance
        < away - 42 / 50.8
    )


def test_part_way_up_counts_only_where_that_is_asked() -> None:
    """A foe 6 up is engaged from 1 up the side, which is no place to end; from the top it takes the whole climb."""
    block = _piece("block", 4, -2, 8, 2, 6.0)
    scene = _scene(_unit("A", [(0, 0)]), [_unit("T", [(5, 0, 6.0)])], terrain=(block,))
    solver = Solver(problem_of(scene))
    assert least_distance(
        solver.at(math.inf, conditions_of("engaged")), budget=BUDGET
    ).distance == pytest.approx(4.5)
    ground = least_distance(solver.at(math.inf, conditions_of("grounded")), budget=BUDGET).distance
    assert ground == pytest.approx(math.hypot(4.5, math.sqrt(0.75)) + 6.0, abs=1e-4)


def test_part_way_up_it_is_enough_to_be_just_clear_of_a_wall() -> None:
    """A wedge before the block keeps the nearest 0.5 from its side: where that meets the block is nearer than where its
    ends are passed.
    """
    block = _piece("block", 4, -2, 8, 2, 6.0)
    wedge = polygon([(20.0 + x, 20.0 + y) for x, y in ((3.0, 0.0), (3.9, -0.5), (3.9, 0.5))])
    scene = _scene(
        _unit("A", [(0, 0)]),
        [_unit("T", [(5, 0, 6.0)])],
        terrain=(block, Terrain("wedge", "wall", wedge, 10.0)),
    )
    aside = (0.5 * math.hypot(0.9, 0.5) + 0.25) / 0.9
    found = least_distance(
        Solver(problem_of(scene)).at(math.inf, conditions_of("engaged")), budget=BUDGET
    )
    assert found.distance == pytest.approx(math.hypot(3.5, aside) + 1.0, abs=1e-6)


def test_an_oval_part_way_up_is_just_in_range() -> None:
    """Beside a block an oval slides along the wall until a foe 6 up and aside is in range, then climbs 1: turning would
    cost it 2.
    """
    oval = OvalBase(75 / 25.4, 42 / 25.4)
    block = _piece("block", 4, -9, 8, 9, 6.0)
    scene = _scene(
        _unit("A", [(0, 0)], base=oval, keywords=("vehicle",)),
        [_unit("T", [(5, 1.5, 6.0)])],
        terrain=(block,),
    )
    beside = 4.0 - 75 / 50.8

    def too_far(aside: float) -> float:
        around = np.linspace(0.0, math.pi / 2, 200_001)
        reach = np.hypot(
            5.0 - beside - 75 / 50.8 * np.cos(around), 1.5 - aside - 42 / 50.8 * np.sin(around)
        )
        return float(reach.min()) - 1.5

    least = math.hypot(beside, brentq(too_far, 0.0, 1.5)) + 1.0
    solver = Solver(problem_of(scene), math.inf, conditions_of("engaged"))
    assert least_distance(solver, budget=BUDGET).distance == pytest.approx(least, abs=1e-4)


OVAL = OvalBase(75 / 25.4, 42 / 25.4)
HULL = Hull(((1.5, 0.8), (-1.5, 0.8), (-1.5, -0.8), (1.5, -0.8)))


@pytest.mark.parametrize(
    ("base", "long", "reach"),
    [
        (INCH, 1.0, 0.5),
        (OVAL, 75 / 25.4, 75 / 50.8),
        (Base(2.0, 3.0), 3.0, math.hypot(1.0, 1.5)),
        (HULL, 3.0, 1.7),
    ],
)
def test_the_last_of_a_row_keeps_up_at_the_limit_of_coherency(
    base: BaseShape, long: float, reach: float
) -> None:
    """With 3 between two in a row the second moves farther: all turn the points ahead that reach farthest, tips or
    corners.
    """
    scene = _scene(_unit("A", [(0, 0), (-long - 3.0, 0)], base=base), [_unit("T", [(6, 0)])])
    enough = 6.0 - 0.5 - 1.0 - reach + (long + 3.0) - (2.0 * reach + 2.0)
    solver = Solver(problem_of(scene))
    assert least_distance(solver.at(math.inf), budget=BUDGET).distance == pytest.approx(
        enough, abs=1e-4
    )
    plan = find(solver.at(enough + 1e-3), budget=BUDGET).plan
    assert plan is not None
    assert not list(_broken(scene, plan, enough + 1e-3))
    assert find(solver.at(enough - 2e-3), budget=BUDGET).proof == "exact"


@pytest.mark.parametrize("x", [6.0, 6.1, 6.2])
def test_a_hull_turns_a_corner_to_the_foe(x: float) -> None:
    """A corner reaches 0.2 farther than the front does, and that decides at 3 in."""
    scene = _scene(_unit("A", [(0, 0)], base=HULL), [_unit("T", [(x, 0)])])
    solver = Solver(problem_of(scene))
    least = least_distance(solver.at(math.inf), budget=BUDGET)
    assert least.distance == pytest.approx(x - 1.5 - 1.7)
    assert least.proof == "exact"
    assert (find(solver.at(3.0), budget=BUDGET).plan is not None) == (least.distance <= 3.0 + 1e-6)


@pytest.mark.parametrize(("count", "enough"), [(2, 5.352756), (3, 5.905512)])
def test_vehicles_in_a_row_turn_together_where_it_pays(count: int, enough: float) -> None:
    """Broadside each gap wastes what they would reach with their corners ahead, which costs 2 for each."""
    places: Places = [(-number * (75 / 25.4 + 3.0), 0) for number in range(count)]
    scene = _scene(
        _unit("A", places, base=HULL, facing=math.pi / 2, keywords=("vehicle",)),
        [_unit("T", [(6, 0)])],
    )
    assert 6.0 - 0.5 - 1.0 - 1.7 + (count - 1) * (
        75 / 25.4 + 3.0 - 2.0 - 2.0 * 1.7
    ) + 2.0 == pytest.approx(enough, abs=1e-6)
    solver = Solver(problem_of(scene))
    least = least_distance(solver.at(math.inf), budget=BUDGET).distance
    assert least == pytest.approx(enough, abs=1e-4)
    plan = find(solver.at(least + 1e-3), budget=BUDGET).plan
    assert plan is not None
    assert not list(_broken(scene, plan, least + 1e-3))


@pytest.mark.parametrize("base", [INCH, OVAL])
@pytest.mark.parametrize("facing", [0.0, 0.4, 0.8, 1.2, math.pi / 2])
def test_there_is_room_beside_a_model_in_contact_with_an_oval(
    base: BaseShape, facing: float
) -> None:
    """On both sides of the first model another touches the oval and all but touches it: neither overlaps the other."""
    scene = _scene(
        _unit("A", [(0, 0), (0, 4)], base=base), [_unit("T", [(6, 0)], base=OVAL, facing=facing)]
    )
    solver = Solver(problem_of(scene), 12.0)
    first = solver.contacts(0)
    picked = solver.cheapest_legal(0, first, np.ones(len(first.candidates), dtype=bool))
    assert picked is not None
    assignment = solver.start.with_model_at(0, first.candidates, *picked)
    found = solver.dependent_candidates(assignment, 1, what="contact").candidates
    beside = found.at[
        assignment.meets(found)[0] & found.touching & (assignment.gaps_from(found)[:, 0] <= 1e-4)
    ]
    side = np.sign((beside - assignment.candidates.at[0])[:, 1])
    assert {-1.0, 1.0} <= set(side.tolist())


@pytest.mark.parametrize("neighbour", ["F", "U"])
@pytest.mark.parametrize("turn", range(8))
def test_there_is_room_between_an_oval_and_a_disc(turn: int, neighbour: str) -> None:
    """A model finds both places in contact with an oval that are just clear of another's base, friend or foe, all but
    touching it.
    """
    direction = np.array([math.cos(turn * math.tau / 8), math.sin(turn * math.tau / 8)])
    oval = Model(0, Pose(26.0, 20.0, 0.3), OVAL)
    base = RoundBase(1.2)
    away = brentq(
        lambda far: gap(oval.footprint, disc(tuple(oval.pose.at + far * direction), 0.6)) - 0.2,
        0.0,
        5.0,
    )
    other = replace(
        _unit(neighbour, [(6.0 + away * direction[0], away * direction[1])], base=base),
        side="red" if neighbour == "U" else "blue",
    )
    target = _unit("T", [(6, 0)], base=OVAL, facing=0.3)
    scene = _scene(
        _unit("A", [(0, 0)]),
        [target, *([other] if neighbour == "U" else [])],
        [other] if neighbour == "F" else [],
    )
    found = Solver(problem_of(scene), 12.0).contacts(0).candidates.at
    beside = found[np.abs(np.hypot(*(found - other.models[0].pose.at).T) - 0.6 - 0.5) <= 1e-4]
    assert len(np.unique(beside.round(3), axis=0)) >= 2


def test_mirror_ends_of_a_single_model_are_counted() -> None:
    """On a block's top there is contact to the left and to the right of the straight way."""
    scene = _scene(
        _unit("A", [(0, 0)]),
        [_unit("T", [(5, 0, 3.0)])],
        terrain=(_piece("block", 4, -2, 8, 2, 3.0),),
    )
    plan = best(Solver(problem_of(scene), 8.0), budget=BUDGET).plan
    assert plan is not None
    assert plan.choices == 2


def test_a_limit_in_seconds_is_honoured_and_named() -> None:
    """Out of time there is still a plan, and a sentence where a doubt is left."""
    scene = _random(1, 9, 6)
    answer = best(Solver(problem_of(scene), 9.0), budget=Budget(seconds=0.0))
    assert answer.plan is not None
    assert not list(_broken(scene, answer.plan, 9.0))
    assert bool(answer.text) == (answer.proof == "best_found")


@pytest.mark.parametrize("seconds", [0.001, 0.02, 0.1, 0.5])
@pytest.mark.parametrize("seed", range(3))
def test_within_any_time_nothing_is_ruled_out_that_can_be_done(seed: int, seconds: float) -> None:
    """With little time the least distance may be open, but what is known of it holds, and no plan is denied where there
    is one.
    """
    scene = _random(seed, 6, 4)
    solver = Solver(problem_of(scene))
    sure = least_distance(solver.at(math.inf), budget=BUDGET)
    quick = least_distance(solver.at(math.inf), budget=Budget(seconds=seconds))
    assert quick.bound <= sure.distance + 1e-6
    assert quick.distance >= sure.bound - 1e-6
    for limit in (sure.distance + 0.01, sure.distance + 2.0):
        found = find(solver.at(limit), budget=Budget(seconds=seconds))
        assert found.plan is not None or found.proof == "best_found"


def test_a_plan_of_a_shorter_charge_is_not_called_best_of_a_longer_one() -> None:
    """Within 5 in one of two models comes into contact, within 8 both could: of the longer charge the bound is told,
    and no proof.
    """
    scene = _scene(_unit("A", [(2.0, 0.5), (0.0, -0.5)]), [_unit("T", [(8.0, 0.0)])])
    solver = Solver(problem_of(scene))
    short = best(solver.at(5.5), budget=BUDGET).plan
    assert short is not None
    assert (len(short.contacts), short.most_contacts, short.proof) == (1, 1, "exact")
    taken = find(solver.at(8.0), budget=BUDGET).plan
    assert taken is not None
    assert taken.ends == short.ends
    assert (len(taken.contacts), taken.most_contacts, taken.proof) == (1, 2, "best_found")


def test_a_base_stands_close_to_a_corner_that_turns_inward() -> None:
    """On a block like an L a base turns around the inner corner at its radius: mitres would keep it a fifth of an inch
    off.
    """
    bend = 1.4
    radius = 0.5
    corners = [(0.0, 0.0), (4.0, 0.0), (4.0, bend), (bend, bend), (bend, 4.0), (0.0, 4.0)]
    block = {"name": "L", "kind": "block", "height": 3.0, "polygon": placed([*corners])}
    one = case(unit([(-3, 0)]), {"T": unit([(3, 3)])}, terrain=(block,), rules={"support": "full"})
    solver = Solver(
        problem_of(scene_of(one.state, "A", ["T"], choices=one.choices, book=Book()))
    ).at(12.0)
    top = next(loci for loci in solver.loci[0] if loci.surface.shape is not None)
    nearest = SHIFT + bend - radius / math.sqrt(2.0)
    (circle,) = np.flatnonzero(top.bounds.radii == radius)
    assert top.bounds.centres[circle].tolist() == [SHIFT + bend, SHIFT + bend]
    assert (
        min(math.dist((nearest, nearest), place) for place in top.special(np.zeros((1, 2)))) < 0.01
    )
