"""Tables for the hard charges: a wide front in a narrow gap, three chargers of one target, loose models at two targets
beside a block.
"""

import math
import random
from collections.abc import Callable
from functools import partial

from benchmarks.crowds import APART
from tabletop.geometry.distance import gap
from tabletop.geometry.shape import Shape
from tabletop.ruling.system import Case
from tabletop.table.state import Regiment, State, Terrain
from tabletop.units import inches
from tests.scenes import box, case, charge, charger, piece, pillar, regiment, table, target
from tests.systems.wh40k import tables

OBSTACLES = 8
BESIDE_THREE = 2
BASES = ((20.0, 20.0), (25.0, 25.0), (25.0, 50.0))
Body = Regiment | Terrain


def narrow(seed: int) -> Case:
    """Make a table: T stands between two walls that leave A too little room to align, six other bodies around the
    way.
    """
    dice = random.Random(seed)  # noqa: S311 - scenes, not secrets
    files = dice.randint(1, 4)
    side = dice.choice((20.0, 25.0, 40.0))
    width = files * side
    tilt = math.radians(dice.uniform(-30.0, 30.0))
    back = dice.uniform(120.0, 240.0)
    at = (
        width / 2 - back * math.sin(tilt) + dice.gauss(0.0, 20.0),
        back * math.cos(tilt) + dice.uniform(10.0, 60.0),
    )
    attacker = charger(
        at, math.degrees(tilt) + 270.0, files=dice.randint(4, 8), base=(25.0, 25.0), charge_speed=10
    )
    right = width + dice.uniform(5.0, 60.0)
    left = -dice.uniform(5.0, 60.0)
    east = box((right, right + 200.0), (-60.0, dice.uniform(1.0, 40.0)), name="east")
    west = box((left - 200.0, left), (-60.0, dice.uniform(1.0, 40.0)), name="west")
    state = table(target(files, base=(side, side)), attacker, east, west)
    for number in range(OBSTACLES - 2):
        state = _with(state, partial(_body, dice, f"N{number}", middle=width / 2))
    return case(state, charge(dice=(6,)))


def three(seed: int) -> Case:
    """Make a table: A, B and C come at T from about its front, or from its corner, two other bodies among them."""
    dice = random.Random(seed)  # noqa: S311 - scenes, not secrets
    files = dice.randint(5, 10)
    middle = files * 10.0
    bearing = dice.choice((90.0, 90.0, 50.0, 130.0))
    state = table(target(files))
    for number, name in enumerate("ABC"):
        state = _with(
            state,
            partial(_attacker, dice, name, middle=middle, bearing=bearing + 35.0 * (number - 1)),
        )
    for number in range(BESIDE_THREE):
        state = _with(state, partial(_body, dice, f"N{number}", middle=middle))
    return case(state, *(charge(name, dice=(6,)) for name in "ABC"))


def many(count: int) -> Case:
    """Make a table: so many chargers of two or three files come at a target wide enough for all, each a little
    askew.
    """
    dice = random.Random(count)  # noqa: S311 - scenes, not secrets
    files = [dice.choice((2, 3)) for _ in range(count)]
    state = table(target(sum(files)))
    x = 0.0
    for number, own in enumerate(files):
        spot = (x + own * 10.0, dice.uniform(130.0, 170.0))
        heading = 270.0 + dice.gauss(0.0, 2.0)
        unit = regiment(
            f"C{number}",
            spot,
            side="blue",
            heading=heading,
            files=own - 1,
            base=(25.0, 25.0),
            charge_speed=10,
        )
        state = state.with_unit(unit)
        x = x + own * 20.0
    return case(state, *(charge(f"C{number}", dice=(6,)) for number in range(count)))


def beside_block(base: int) -> Case:
    """Make a table: three loose models on bases of so many mm come at two units, one on each side of a block that is in
    the way.
    """
    side = 1.1 * inches(base)
    attacker = tables.unit([(0.0, -side), (0.0, 0.0), (0.0, side)], base=f"{base}mm round")
    targets = {
        name: tables.unit([(7.0, way * 2.5), (7.2, way * 4.2)], base="32mm round")
        for name, way in (("T", 1.0), ("U", -1.0))
    }
    block = tables.piece("block", 3.0, -1.0, 5.0, 1.2, height=3.0)
    return tables.case(
        attacker, targets, targets=("T", "U"), terrain=(block,), rules={"spare_models": "engage"}
    )


def _attacker(dice: random.Random, name: str, *, middle: float, bearing: float) -> Regiment:
    """Make a charger that looks at T from about a bearing in degrees."""
    angle = math.radians(bearing + dice.gauss(0.0, 8.0))
    away = dice.uniform(130.0, 220.0)
    spot = (middle + away * math.cos(angle), away * math.sin(angle))
    heading = math.degrees(angle) + 180.0 + dice.gauss(0.0, 6.0)
    return regiment(
        name,
        spot,
        side="blue",
        heading=heading,
        files=dice.randint(2, 5),
        base=dice.choice(BASES),
        charge_speed=10,
    )


def _body(dice: random.Random, name: str, *, middle: float) -> Body:
    """Make a unit of either side, a pillar or a triangle around the way to the target, or behind it."""
    x = middle + dice.gauss(0.0, 150.0)
    y = dice.choice((dice.uniform(60.0, 260.0), dice.uniform(-160.0, -60.0)))
    kind = dice.choice(("unit", "pillar", "triangle"))
    if kind == "unit":
        side = dice.choice(("red", "blue"))
        heading = dice.uniform(0.0, 360.0)
        return regiment(
            name,
            (x, y),
            side=side,
            heading=heading,
            files=dice.randint(2, 4),
            base=dice.choice(BASES),
        )
    if kind == "pillar":
        return pillar((x, y), dice.uniform(5.0, 20.0), name=name)
    return piece([(x, y), (x + 40.0, y + 6.0), (x + 15.0, y + 35.0)], name=name)


def _with(state: State, make: Callable[[], Body]) -> State:
    """Put a body where it has room; made anew until it has."""
    while True:
        body = make()
        others: list[Body] = [*state.units.values(), *state.terrain]
        if all(gap(_shape(body), _shape(other)) >= APART for other in others):
            return (
                state.with_unit(body)
                if isinstance(body, Regiment)
                else State(state.board, state.units, (*state.terrain, body))
            )


def _shape(body: Body) -> Shape:
    return body.boundary if isinstance(body, Regiment) else body.shape
