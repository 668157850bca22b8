"""Ranks and files found in single models: how many stand side by side, and where the middle of their front edge is."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tabletop.table.state import RearRank

MISPLACED = 0.1
"""Inches by which a model may stand off its place in rank and file."""
Place = tuple[float, float]


class Block(NamedTuple):
    """A block of models: files, the middle of its front edge in inches, and where an incomplete rear rank stands."""

    files: int
    at: Place
    rear: RearRank


def regiment_of(places: Sequence[Place], facing_deg: float, *, base: Place, halves_files: bool) -> Block | None:
    """Return the block that the middles of equal bases form, or None if they form none.

    `places` (n, 2) and `base`, its width along the front and its depth, are in inches; the block looks along `facing_deg`. All ranks but
    the last are full; the last stands side by side at the left or right end, or in the middle: half a file off with `halves_files`, else
    of an odd number of free places one more is on the right.

    Examples
    --------
    >>> regiment_of([(0.5, 3.0), (1.5, 3.0), (0.5, 2.0)], 90.0, base=(1.0, 1.0), halves_files=False)
    Block(files=2, at=(1.0, 3.5), rear='left')
    """
    width, depth = base
    ahead = math.cos(math.radians(facing_deg)), math.sin(math.radians(facing_deg))
    seen = [(x * ahead[1] - y * ahead[0], x * ahead[0] + y * ahead[1]) for x, y in places]
    foremost = max(forward for _, forward in seen)
    ranked = [(round((foremost - forward) / depth), right, forward) for right, forward in seen]
    ranks: dict[int, list[float]] = {}
    for rank, right, _ in ranked:
        ranks.setdefault(rank, []).append(right)
    files = len(ranks[0])
    if not _are_filled(ranks, files):
        return None
    front = math.fsum(forward + rank * depth for rank, _, forward in ranked) / len(ranked)
    full = [right for rights in ranks.values() if len(rights) == files for right in rights]
    middle = math.fsum(full) / len(full)
    ends = _ends((files - len(ranks[len(ranks) - 1])), width, halves_files=halves_files)
    rear = next((end for end, off in ends.items() if _are_in_line(ranks[len(ranks) - 1], middle + off, width)), None)
    are_level = all(abs(front - rank * depth - forward) <= MISPLACED for rank, _, forward in ranked)
    if rear is None or not are_level or not all(_are_in_line(ranks[rank], middle, width) for rank in range(len(ranks) - 1)):
        return None
    out = front + depth / 2
    return Block(files, (middle * ahead[1] + out * ahead[0], out * ahead[1] - middle * ahead[0]), rear)


def _are_filled(ranks: Mapping[int, Sequence[float]], files: int) -> bool:
    """Tell whether all ranks follow each other, each with as many models as the first, the last perhaps with fewer."""
    last = len(ranks) - 1
    return set(ranks) == set(range(last + 1)) and all(len(ranks[rank]) == files for rank in range(last)) and len(ranks[last]) <= files


def _ends(empty: int, width: float, *, halves_files: bool) -> dict[RearRank, float]:
    """Give how far to the right of the middle a rear rank with so many free places may stand; first as it does if nothing is said."""
    if halves_files:
        return {"centre": 0.0}
    return {"left": -empty * width / 2, "centre": -(empty % 2) * width / 2, "right": empty * width / 2}


def _are_in_line(rights: Sequence[float], middle: float, width: float) -> bool:
    first = middle - (len(rights) - 1) * width / 2
    return all(abs(first + place * width - right) <= MISPLACED for place, right in enumerate(sorted(rights)))
