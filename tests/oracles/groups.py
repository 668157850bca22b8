"""Random tables for combined charges, the same for the same number: two or three chargers of T, some of them short of
range.
"""

import math
import random

from tabletop.geometry.pose import Point, Pose
from tabletop.ruling.system import Case
from tabletop.table.state import Board, Regiment, State
from tests.oracles.plane import body, outlines
from tests.oracles.scenes import fits, with_random_body
from tests.scenes import MIDDLE, case, charge, regiment, table

BASES = ((20.0, 20.0), (20.0, 20.0), (25.0, 25.0), (25.0, 50.0), (40.0, 40.0))
SPREAD = 30.0
"""Degrees by which the chargers' bearings from the target differ, about."""


def random_group(number: int) -> Case:
    """Make the scene of a number: A, B and perhaps C charge T, among up to three other bodies."""
    dice = random.Random(number)  # noqa: S311 - scenes, not secrets
    chargers = "AB" if number % 3 else "ABC"
    is_square = number % 2 == 0
    state = _meeting(dice, chargers, is_square=is_square)
    for index in range(dice.choice((0, 0, 1, 2, 3))):
        state = with_random_body(dice, state, f"N{index}", is_square=is_square)
    charges = [charge(name, dice=(dice.choice((1, 6, 6, 6)),)) for name in chargers]
    goal = dice.choice(("target-first", "target-first", "sum"))
    return case(state, *charges, friend_touch=dice.random() < 0.85, combined_goal=goal)


def _meeting(dice: random.Random, chargers: str, *, is_square: bool) -> State:
    """Place the target in the middle and the chargers around one of its sides."""
    heading = dice.choice((0.0, 90.0, 180.0)) if is_square else dice.uniform(0, 360)
    target = _block(dice, "T", "red", heading)
    target = target.at(Pose(*MIDDLE, math.radians(heading)))
    state = table(target, board=Board(72.0, 48.0))
    bearing = math.radians(dice.choice((0.0, 0.0, 90.0, 180.0, 45.0, -45.0))) + target.pose.heading
    for name in chargers:
        while True:
            attacker = _attacker(
                dice,
                name,
                target.centre,
                bearing + math.radians(dice.gauss(0, SPREAD)),
                is_square=is_square,
            )
            if fits(state, outlines(body(attacker, attacker.pose))[()]):
                break
        state = state.with_unit(attacker)
    return state


def _attacker(
    dice: random.Random, name: str, centre: Point, bearing: float, *, is_square: bool
) -> Regiment:
    away = dice.uniform(3.5, 9.0)
    at = (centre[0] + away * math.cos(bearing), centre[1] + away * math.sin(bearing))
    towards = math.degrees(bearing) + 180 + dice.gauss(0, 10)
    heading = 90.0 * round(towards / 90) if is_square and dice.random() < 0.7 else towards
    return _block(dice, name, "blue", heading).at(Pose(*at, math.radians(heading)))


def _block(dice: random.Random, name: str, side: str, heading: float) -> Regiment:
    files = dice.randint(2, 7)
    return regiment(
        name,
        (0.0, 0.0),
        side=side,
        heading=heading,
        files=files,
        models=files * dice.randint(1, 2) + dice.randint(0, files),
        base=dice.choice(BASES),
        charge_speed=dice.choice((0, 3, 6, 9)),
        height=dice.choice((0, 0, 3)),
        rear_rank=dice.choice(("left", "right", "centre")),
        skirmish=dice.random() < 0.1,
        fly=dice.random() < 0.1,
    )
