"""What regiments must keep where they stand: the whole unit on the board, and no overlaps with others or with solid terrain."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice

from tabletop.errors import Fault
from tabletop.geometry.shape import Shape, are_boxes_apart, gap
from tabletop.table.state import State
from tabletop.units import CONTACT
from tabletop.words import key_path, shown

MOST_OVERLAPS = 10
"""Overlaps told of one file: the depth of each takes time among shapes of thousands of vertices."""

Names = frozenset[str]


def off_board(state: State, *, slack: float = CONTACT) -> Iterator[Fault]:
    """List the units that reach more than `slack` inches beyond the board's edge."""
    for unit in state.units.values():
        beyond = reach_beyond(state, unit.boundary)
        if beyond > slack:
            size = f"{state.board.width:g} x {state.board.depth:g} in"
            message = f"expected the whole unit on the board ({size}); it reaches {beyond:.6g} in beyond the edge"
            yield Fault(key_path(["units", unit.name, "at"]), message, between=(unit.name,))


def reach_beyond(state: State, body: Shape) -> float:
    """Give how far a body reaches beyond the board's edge, in inches; negative if it is that far inside."""
    west, south, east, north = body.bounds
    return max(-west, -south, east - state.board.width, north - state.board.depth)


def overlaps(state: State, solid: Sequence[str], *, slack: float = CONTACT, allowed: frozenset[Names] = frozenset()) -> Iterator[Fault]:
    """List pairs of units, and of units and terrain of `solid` kinds, that overlap by more than `slack` inches; `allowed` pairs may."""
    return first_of(_overlaps(state, solid, slack, allowed))


def first_of(found: Iterable[Fault]) -> Iterator[Fault]:
    """List the first overlaps that are found, and say whether there are more."""
    rest = iter(found)
    yield from islice(rest, MOST_OVERLAPS)
    if next(rest, None) is not None:
        yield Fault("units", f"there are more overlaps than these {MOST_OVERLAPS}; they are told once these are mended")


def _overlaps(state: State, solid: Sequence[str], slack: float, allowed: frozenset[Names]) -> Iterator[Fault]:
    units = [(unit.name, unit.boundary) for unit in state.units.values()]
    walls = [(piece.name, piece.shape) for piece in state.terrain if piece.kind in solid]
    pairs = [*combinations(units, 2), *((unit, wall) for unit in units for wall in walls)]
    for (name, body), (other, obstacle) in pairs:
        depth = 0.0 if frozenset((name, other)) in allowed else _overlap(body, obstacle)
        if depth > slack:
            message = f"{shown(name)} and {shown(other)} overlap by {depth:.6g} in; they may touch, not overlap"
            yield Fault(key_path(["units", name, "at"]), message, between=(name, other))


def _overlap(body: Shape, other: Shape) -> float:
    """Depth in inches by which two shapes overlap; boxes first, since most pairs are far apart."""
    return 0.0 if are_boxes_apart(body, other) else -gap(body, other)
