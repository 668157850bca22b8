"""Wheels at which something begins to be in the way, between one that is free and one that is not: guesses, to be held against it."""

from collections.abc import Callable, Iterator

import numpy as np

from systems.conquest.bodies import SeenBodies
from systems.conquest.corner import MOST_PASSED, Corner
from systems.conquest.fan import Fan
from systems.conquest.settling import Settling
from tabletop.geometry.motion import GAP_ROUNDING
from tabletop.geometry.pose import FloatArray
from tabletop.optimise.window import crossing

NO_LIMIT = 1e6
"""Inches that stand for any distance beyond the table."""


def stopping_angles(corner: Corner, inside: float, outside: float) -> Iterator[float]:
    """Give wheels (radians) between two at which the room for the advance, or for the charger's turn, is used up."""
    around = corner.units_around.joined(corner.solid_around)
    for room, bodies in ((_to_turn, around), (_to_end, around), (_to_advance, corner.ahead)):
        if len(bodies.numbers) <= MOST_PASSED:
            before, beyond = room(Fan(corner, np.array([inside, outside]), GAP_ROUNDING), bodies)
            stopping = bodies.part(np.flatnonzero((before >= 0.0) & (before < NO_LIMIT / 2.0) & (beyond < 0.0)))
            if len(stopping.numbers):
                yield crossing(_least(room, corner, stopping), inside, outside)


def _least(room: Callable[[Fan, SeenBodies], FloatArray], corner: Corner, bodies: SeenBodies) -> Callable[[FloatArray], FloatArray]:
    """Give how to measure the least room that is left by some bodies."""
    return lambda angles: np.minimum(room(Fan(corner, angles, GAP_ROUNDING), bodies).min(axis=1), NO_LIMIT)


def _to_turn(fan: Fan, bodies: SeenBodies) -> FloatArray:
    return Settling(fan).turning.room(bodies)


def _to_end(fan: Fan, bodies: SeenBodies) -> FloatArray:
    return Settling(fan).turning.at_end.room(bodies)


def _to_advance(fan: Fan, bodies: SeenBodies) -> FloatArray:
    """Give how much farther than the target bodies are met (k, m), in inches."""
    wheels, numbers = np.indices((len(fan.angles), len(bodies.numbers))).reshape(2, -1)
    advancing = fan.of(wheels)
    met = np.minimum(advancing.stretches(bodies.part(numbers)).low, NO_LIMIT)
    farther: FloatArray = met - np.minimum(advancing.ways, NO_LIMIT)
    return farther.reshape(len(fan.angles), -1)
