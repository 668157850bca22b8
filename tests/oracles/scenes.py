"""Random tables for the oracle, the same for the same number: open, crowded, square to the board, and near its edge."""

import math
import random
from collections.abc import Callable

import shapely

from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import disc, polygon
from tabletop.ruling.system import Case
from tabletop.table.state import Board, Regiment, State, Terrain
from tests.scenes import MIDDLE, case, charge, place, regiment, table

BASES = ((20.0, 20.0), (20.0, 20.0), (25.0, 25.0), (25.0, 50.0), (40.0, 40.0), (30.0, 60.0))
APART = 0.02
"""Inches between bodies at the start, at least."""


def random_case(number: int) -> Case:
    """Make the scene of a number: one charge of T by A among other bodies, always long enough."""
    dice = random.Random(number)  # noqa: S311 - scenes, not secrets
    board = Board(72.0, 48.0) if number % 4 else Board(30.0, 30.0)
    middle = MIDDLE if number % 4 else (15.0, 6.0)
    is_square = number % 3 == 0
    state = _duel(dice, board, middle, is_square=is_square)
    for index in range(dice.randint(0, 9)):
        state = with_random_body(dice, state, f"N{index}", is_square=is_square)
    return case(
        state,
        charge(dice=(dice.randint(1, 6),)),
        friend_touch=dice.random() < 0.8,
        impassable_touch=dice.random() < 0.2,
    )


def _duel(dice: random.Random, board: Board, middle: Point, *, is_square: bool) -> State:
    """Place target and charger so that they do not touch and the charger looks about the right way."""
    while True:
        heading = dice.choice((0.0, 90.0, 180.0, 270.0)) if is_square else dice.uniform(0, 360)
        defender = _block(dice, "T", "red", heading).at(Pose(*middle, math.radians(heading)))
        bearing = (
            math.radians(dice.choice((0.0, 90.0, 180.0, 270.0)) + dice.gauss(0, 25))
            + defender.pose.heading
        )
        away = dice.uniform(3.0, 9.0)
        at = (
            defender.centre[0] + away * math.cos(bearing),
            defender.centre[1] + away * math.sin(bearing),
        )
        towards = math.degrees(bearing) + 180 + dice.gauss(0, 18)
        turned = 90.0 * round(towards / 90) if is_square else towards
        attacker = _block(dice, "A", "blue", turned).at(
            Pose(*(_millimetre(at) if is_square else at), math.radians(turned))
        )
        state = table(attacker, board=board)
        if fits(state, defender.boundary.core) and fits(table(board=board), attacker.boundary.core):
            return state.with_unit(defender)


def _millimetre(point: Point) -> Point:
    """Move a table point to whole millimetres from the middle of the board."""
    return place(round((point[0] - MIDDLE[0]) * 25.4), round((point[1] - MIDDLE[1]) * 25.4))


def _block(dice: random.Random, name: str, side: str, heading: float) -> Regiment:
    files = dice.randint(1, 8)
    return regiment(
        name,
        (0.0, 0.0),
        side=side,
        heading=heading,
        files=files,
        models=files * dice.randint(1, 3) + dice.randint(0, files),
        base=dice.choice(BASES),
        charge_speed=dice.choice((0, 3, 20, 20)),
        height=dice.randint(0, 3),
        rear_rank=dice.choice(("left", "right", "centre")),
        skirmish=dice.random() < 0.1,
        fly=dice.random() < 0.1,
    )


def with_random_body(dice: random.Random, state: State, name: str, *, is_square: bool) -> State:
    """Add a unit or a piece of terrain between charger and target or beside them, if it finds room."""
    makers = (
        (_unit, _unit, _wall, _wall, _beside)
        if is_square
        else (_unit, _unit, _wall, _pillar, _beside)
    )
    return _with_body(dice, state, dice.choice(makers), name)


def _with_body(
    dice: random.Random, state: State, maker: Callable[..., Regiment | Terrain], name: str
) -> State:
    """Add a body where there is room for it; after thirty attempts without."""
    for _ in range(30):
        body = maker(dice, state, name)
        core = (
            body.boundary.core
            if isinstance(body, Regiment)
            else body.shape.core.buffer(body.shape.radius)
        )
        if fits(state, core):
            return (
                state.with_unit(body)
                if isinstance(body, Regiment)
                else State(state.board, state.units, (*state.terrain, body))
            )
    return state


def fits(state: State, core: shapely.Geometry) -> bool:
    """Return whether a body lies on the board and apart from all others."""
    bodies = [unit.boundary.core for unit in state.units.values()] + [
        piece.shape.core.buffer(piece.shape.radius) for piece in state.terrain
    ]
    on_board = shapely.box(0, 0, state.board.width, state.board.depth).covers(core)
    return bool(on_board) and all(core.distance(body) >= APART for body in bodies)


def _near(dice: random.Random, state: State) -> Point:
    """Pick a point between charger and target or beside them."""
    a = state.units["A"].pose
    t = state.units["T"].centre
    share = dice.uniform(-0.2, 1.2)
    return (
        a.x + share * (t[0] - a.x) + dice.gauss(0, 3.5),
        a.y + share * (t[1] - a.y) + dice.gauss(0, 3.5),
    )


def _unit(dice: random.Random, state: State, name: str) -> Regiment:
    heading = dice.choice((0.0, 90.0)) if dice.random() < 0.3 else dice.uniform(0, 360)
    block = _block(dice, name, dice.choice(("red", "blue")), heading)
    return block.at(Pose(*_near(dice, state), math.radians(heading)))


def _wall(dice: random.Random, state: State, name: str) -> Terrain:
    """Make a triangle, a box or an L."""
    x, y = _near(dice, state)
    angle = dice.uniform(0, math.tau)
    size = dice.uniform(0.5, 3.0)
    flat = dice.choice(
        (
            [(0, 0), (2, 0), (0, 1)],
            [(0, 0), (1, 0), (1, 1), (0, 1)],
            [(0, 0), (2, 0), (2, 0.5), (0.5, 0.5), (0.5, 2), (0, 2)],
        )
    )
    cos = size * math.cos(angle)
    sin = size * math.sin(angle)
    corners = [(x + cos * p - sin * q, y + sin * p + cos * q) for p, q in flat]
    return Terrain(
        name, dice.choice(("impassable", "impassable", "opaque", "open")), polygon(corners)
    )


def _pillar(dice: random.Random, state: State, name: str) -> Terrain:
    return Terrain(name, "impassable", disc(_near(dice, state), dice.uniform(0.2, 2.0)))


def _beside(dice: random.Random, state: State, name: str) -> Terrain:
    """Make a wall square to the target beside one of its facings, at a multiple of 5 mm, or short of it by the
    clearance.
    """
    goal = state.units["T"]
    right = goal.width / 2 + (5 * dice.randint(-6, 12) + dice.choice((0.0, 0.0254, -0.0254))) / 25.4
    ahead = (5 * dice.randint(-4, 20)) / 25.4
    long = dice.uniform(0.5, 4)
    deep = dice.uniform(0.5, 4)
    sign = dice.choice((-1, 1))
    corners = [
        goal.pose.point(sign * (right + p), ahead + q)
        for p, q in ((0.0, 0.0), (long, 0.0), (long, deep), (0.0, deep))
    ]
    return Terrain(name, "impassable", polygon(corners))
