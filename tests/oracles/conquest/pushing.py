"""The forced inch: which ways a regiment may be moved aside, tried for many end frames of the charger at once."""

import math
from dataclasses import dataclass

import numpy as np

from tests.oracles.conquest.bodies import (
    Edge,
    Flags,
    Floats,
    Frames,
    direction,
    frames_of,
    pair_gaps,
    to_right,
)
from tests.oracles.conquest.table import Table

APART = 1.0
"""Inches between the charger and what it pushed."""
SAME = 1e-6


@dataclass(frozen=True)
class Pushes:
    """The vectors (n, 2) by which regiments are moved, by name in file order, 0 where they stay; `has_room` (n,) if all
    found a place.
    """

    moves: dict[str, Floats]
    has_room: Flags


def pushes(table: Table, ends: Frames, offends: dict[str, Flags]) -> Pushes:
    """Move all who offend, (n,) by name in file order, the shortest way to an inch from the charger's end frames."""
    count = len(ends.heading)
    moves = {name: np.zeros((count, 2)) for name in offends}
    room = np.ones(count, dtype=bool)
    names = list(offends)
    for number, name in enumerate(names):
        pushing = np.flatnonzero(offends[name] & room)
        waiting = {other: offends[other][pushing] for other in names[number:]}
        gone = {other: moves[other][pushing] for other in names[:number]}
        found = _shortest(table, ends.take(pushing), name, gone, waiting)
        room[pushing] = np.isfinite(found[:, 0])
        moves[name][pushing] = np.where(np.isfinite(found), found, 0.0)
    return Pushes(moves, room)


def _shortest(
    table: Table, ends: Frames, name: str, gone: dict[str, Floats], waiting: dict[str, Flags]
) -> Floats:
    """Return the best move (n, 2) of one regiment, not a number where it finds no place."""
    enemy = frames_of(table.state.units[name])
    ahead = ends.ahead
    best = np.full((len(ends.heading), 2), np.nan)
    for move in candidates(ends, enemy):
        corners = enemy.corners + move[:, None, :]
        better = _comes_before(move, best, ahead) & _has_room(
            table, ends, name, corners, gone=gone, waiting=waiting
        )
        best = np.where(better[:, None], move, best)
    return best


def _comes_before(move: Floats, other: Floats, ahead: Floats) -> Flags:
    """Return a mask of the moves that are better: shorter, else nearer to the heading, else more to the left; any move
    beats none.
    """
    is_first = np.isnan(other[:, 0])
    known = np.where(is_first[:, None], 0.0, other)
    one = np.hypot(*move.T)
    two = np.hypot(*known.T)
    forward = (ahead * (_direction(move, one) - _direction(known, two))).sum(axis=1)
    left = (-to_right(ahead) * (move - known)).sum(axis=1)
    later = np.where(np.abs(forward) > SAME, forward > 0.0, left > 0.0)
    return np.asarray(is_first | np.where(np.abs(one - two) > SAME, one < two, later))


def _direction(moves: Floats, lengths: Floats) -> Floats:
    return moves / np.where(lengths > 0.0, lengths, 1.0)[:, None]


def candidates(ends: Frames, enemy: Frames) -> list[Floats]:
    """Return the moves (n, 2) that part an enemy by an inch along a normal of the charger's frame, or of its own; 0
    beyond that.
    """
    ours = ends.corners
    theirs = enemy.corners[0]
    moves = []
    for quarter in range(4):
        normal = direction(ends.heading + quarter * math.pi / 2)
        length = (
            np.einsum("nkj,nj->nk", ours, normal).max(axis=1)
            + APART
            - (normal @ theirs.T).min(axis=1)
        )
        moves.append(np.maximum(length, 0.0)[:, None] * normal)
        own = direction(enemy.heading[0] + quarter * math.pi / 2)
        length = float((theirs @ own).max()) + APART - (ours @ own).min(axis=1)
        moves.append(-np.maximum(length, 0.0)[:, None] * own)
    return moves


def _has_room(
    table: Table,
    ends: Frames,
    name: str,
    corners: Floats,
    *,
    gone: dict[str, Floats],
    waiting: dict[str, Flags],
) -> Flags:
    """Return a mask of positions (n, 4, 2) on the board that overlap nothing at that time; units still to be pushed are
    ignored.
    """
    least = -table.touch
    free = Edge(table.board.width, table.board.depth).gaps(corners) >= least
    for piece in table.solid:
        free &= piece.gaps(corners) >= least
    free &= pair_gaps(corners, ends.corners) >= least
    for other in table.state.units.values():
        if other.name not in (name, table.charge.charger):
            stands = (
                np.broadcast_to(frames_of(other).corners, corners.shape)
                + gone.get(other.name, np.zeros((1, 2)))[:, None, :]
            )
            free &= waiting.get(other.name, np.zeros(1, dtype=bool)) | (
                pair_gaps(corners, stands) >= least
            )
    return np.asarray(free)
