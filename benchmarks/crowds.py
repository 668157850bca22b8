"""Crowded tables for the benchmarks, the same for the same seed: a charge among six other units and four pieces of
terrain.
"""

import math
import random

from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import Shape
from tabletop.ruling.system import Case
from tabletop.table.state import Regiment, State, Terrain
from tests.scenes import case, charge, charger, piece, pillar, regiment, table, target

OTHERS = 6
PIECES = 4
APART = 0.05
"""Inches that bodies are apart at the start, at least."""


def crowd(seed: int) -> Case:
    """Make a table: T looks at a charger A that comes at an angle from 6 to 9 in away, everything else stands around
    them.
    """
    dice = random.Random(seed)  # noqa: S311 - scenes, not secrets
    files = dice.randint(4, 8)
    away = dice.uniform(150.0, 230.0)
    bearing = math.radians(90.0 + dice.gauss(0.0, 25.0))
    spot = (files * 10.0 + away * math.cos(bearing), away * math.sin(bearing))
    heading = math.degrees(bearing) + 180.0 + dice.gauss(0.0, 12.0)
    attacker = charger(
        spot,
        heading,
        files=dice.randint(3, 6),
        base=dice.choice(((20.0, 20.0), (25.0, 25.0))),
        charge_speed=10,
    )
    state = table(target(files), attacker)
    for number in range(OTHERS):
        state = _with_unit(dice, state, f"U{number}")
    for number in range(PIECES):
        state = _with_terrain(dice, state, f"P{number}")
    return case(state, charge(dice=(6,)))


def _with_unit(dice: random.Random, state: State, name: str) -> State:
    while True:
        side = dice.choice(("red", "blue"))
        base = dice.choice(((20.0, 20.0), (25.0, 25.0), (25.0, 50.0)))
        unit = regiment(
            name,
            _spot(dice),
            side=side,
            heading=dice.uniform(0.0, 360.0),
            files=dice.randint(2, 5),
            base=base,
        )
        if _has_room(state, unit.boundary):
            return state.with_unit(unit)


def _with_terrain(dice: random.Random, state: State, name: str) -> State:
    while True:
        x, y = _spot(dice)
        size = dice.uniform(20.0, 70.0)
        angle = dice.uniform(0.0, math.tau)
        corners = [
            (x + size * math.cos(angle + part), y + size * math.sin(angle + part))
            for part in (0.0, 1.9, 3.6, 4.9)
        ]
        made = (
            pillar((x, y), size / 2, name=name)
            if dice.random() < 0.5
            else piece(corners, name=name)
        )
        if _has_room(state, made.shape):
            return State(state.board, state.units, (*state.terrain, made))


def _spot(dice: random.Random) -> Point:
    """Pick a place in mm beside the way between the two, or around it."""
    return (dice.uniform(-300.0, 400.0), dice.uniform(-150.0, 400.0))


def _has_room(state: State, shape: Shape) -> bool:
    bodies: list[Regiment | Terrain] = [*state.units.values(), *state.terrain]
    return all(
        gap(shape, body.boundary if isinstance(body, Regiment) else body.shape) >= APART
        for body in bodies
    )
