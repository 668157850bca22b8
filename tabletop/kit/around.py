"""What a unit keeps away from: the bodies of others and terrain, each with the gap that the rules of a game ask for."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tabletop.geometry.shape import Shape, gap
from tabletop.kit.bodies import body, swept
from tabletop.ruling.charge import Step
from tabletop.table.state import State

NOTHING: Mapping[str, float] = {}


@dataclass(frozen=True)
class Around:
    """A body of which a unit keeps clear, by so many inches at least: whose it is, or which piece of terrain."""

    name: str
    shape: Shape
    needed: float = 0.0


def surroundings(
    table: State[Any],
    unit: Any,
    *,
    friends: float = 0.0,
    enemies: float = 0.0,
    terrain: Mapping[str, float] = NOTHING,
    besides: Iterable[str] = (),
) -> tuple[Around, ...]:
    """Return what a unit keeps clear of, each with the gap that is needed.

    Parameters
    ----------
    table, unit
        The table, and who moves on it: it is not among its own surroundings.
    friends, enemies
        Inches to units of the same side, and to others.
    terrain
        Inches to terrain, by its kinds; a kind that is not named is in nobody's way.
    besides
        Names of units that are not looked at, such as the target of a charge.
    """
    left_out = {unit.name, *besides}
    units = [other for other in table.units.values() if other.name not in left_out]
    bodies = [Around(other.name, shape, friends if other.side == unit.side else enemies) for other in units for shape in body(other)]
    return (*bodies, *(Around(piece.name, piece.shape, terrain[piece.kind]) for piece in table.terrain if piece.kind in terrain))


def room_at(unit: Any, others: Iterable[Shape | Around]) -> float:
    """Return the gap in inches that a unit keeps where it stands, beyond what is needed; endless where nobody is there."""
    return _room(body(unit), tuple(others))


def room_on_way(steps: Iterable[Step], unit: Any, others: Iterable[Shape | Around]) -> float:
    """Return the gap in inches that a unit keeps on its way, beyond what is needed: less than 0 where it comes too near or goes into one.

    Endless where nobody is there. Of a bare shape no gap is needed.
    """
    bodies = tuple(others)
    return min((_room(place, bodies) for place in swept(steps, unit)), default=math.inf)


def _room(shapes: Iterable[Shape], others: tuple[Shape | Around, ...]) -> float:
    return min((gap(shape, other) - needed for shape in shapes for other, needed in _needed(others)), default=math.inf)


def _needed(others: Iterable[Shape | Around]) -> Iterator[tuple[Shape, float]]:
    return ((other.shape, other.needed) if isinstance(other, Around) else (other, 0.0) for other in others)
