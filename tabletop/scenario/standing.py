"""What units must keep where they stand: all of them on the board, and no overlaps with others or with solid terrain."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import Any

from tabletop.errors import Fault
from tabletop.geometry.shape import Shape, are_boxes_apart, gap
from tabletop.table.squad import Squad
from tabletop.table.state import Regiment, State, Unit
from tabletop.units import CONTACT
from tabletop.words import key_path, shown

MOST_OVERLAPS = 10
"""Overlaps told of one file: the depth of each takes time among shapes of thousands of vertices."""

Names = frozenset[str]


def off_board(state: State[Any], *, slack: float = CONTACT) -> Iterator[Fault]:
    """List the units that reach more than `slack` inches beyond the board's edge."""
    for unit in state.units.values():
        beyond = max((reach_beyond(state, shape) for shape in _bodies(unit)), default=0.0)
        if beyond > slack:
            size = f"{state.board.width:g} x {state.board.depth:g} in"
            message = f"expected the whole unit on the board ({size}); it reaches {beyond:.6g} in beyond the edge"
            yield Fault(key_path(["units", unit.name, "at"]), message, between=(unit.name,))


def _bodies(unit: Unit) -> tuple[Shape, ...]:
    """Give what a unit keeps others out of: a regiment's boundary, the bases of loose models, of a unit in a hex nothing."""
    if isinstance(unit, Squad):
        return tuple(model.footprint for model in unit.models)
    return (unit.boundary,) if isinstance(unit, Regiment) else ()


def reach_beyond(state: State[Any], body: Shape) -> float:
    """Give how far a body reaches beyond the board's edge, in inches; negative if it is that far inside."""
    west, south, east, north = body.bounds
    return max(-west, -south, east - state.board.width, north - state.board.depth)


def overlaps(
    state: State[Any], solid: Sequence[str], *, slack: float = CONTACT, allowed: frozenset[Names] = frozenset()
) -> Iterator[Fault]:
    """List pairs of units, of models of one, and of units and `solid` kinds of terrain, that overlap by more than `slack` inches.

    Pairs of names in `allowed` may.
    """
    return first_of(_overlaps(state, solid, slack, allowed))


def first_of(found: Iterable[Fault]) -> Iterator[Fault]:
    """List the first overlaps that are found, and say whether there are more."""
    rest = iter(found)
    yield from islice(rest, MOST_OVERLAPS)
    if next(rest, None) is not None:
        yield Fault("units", f"there are more overlaps than these {MOST_OVERLAPS}; they are told once these are mended")


def _overlaps(state: State[Any], solid: Sequence[str], slack: float, allowed: frozenset[Names]) -> Iterator[Fault]:
    units = [(unit.name, shape) for unit in state.units.values() for shape in _bodies(unit)]
    walls = [(piece.name, piece.shape) for piece in state.terrain if piece.kind in solid]
    pairs = [*combinations(units, 2), *((unit, wall) for unit in units for wall in walls)]
    for (name, body), (other, obstacle) in pairs:
        depth = 0.0 if frozenset((name, other)) in allowed else _overlap(body, obstacle)
        if depth > slack:
            pair = f"models of {shown(name)}" if name == other else f"{shown(name)} and {shown(other)}"
            message = f"{pair} overlap by {depth:.6g} in; they may touch, not overlap"
            yield Fault(key_path(["units", name, "at"]), message, between=(name, other))


def _overlap(body: Shape, other: Shape) -> float:
    """Depth in inches by which two shapes overlap; boxes first, since most pairs are far apart."""
    return 0.0 if are_boxes_apart(body, other) else -gap(body, other)
