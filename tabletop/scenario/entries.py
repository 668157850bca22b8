"""Tables of the file that units of every kind share."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from pydantic import Field, Strict

from tabletop.scenario.fields import Degrees, Name, Place, Size
from tabletop.scenario.vocabulary import Entry


class BoardEntry(Entry):
    """A board in inches, its lower-left corner at the origin."""

    width: Size
    depth: Size


class PlaceEntry(Entry):
    """Where a regiment stands: the middle of its front edge, and its facing."""

    at: Place
    facing_deg: Degrees


class UnitEntry(Entry):
    """What every unit has; `profile` and `status` are narrowed to the system's."""

    side: Name
    status: tuple[str, ...] = ()
    profile: Any = None


class ExpectedUnit(Entry):
    """What is expected of a unit at the end: its status, and any part of its place."""

    status: Annotated[tuple[str, ...], Strict(strict=False)] | None = None


class CircleEntry(Entry):
    """A round piece of terrain."""

    centre: Place
    radius: Size


class RectangleEntry(Entry):
    """A rectangular piece of terrain: `width` along the direction `angle_deg`, `depth` square to it."""

    centre: Place
    width: Size
    depth: Size
    angle_deg: Degrees = 0.0


class PieceEntry(Entry):
    """What every piece of terrain has; `kind` is narrowed to the system's words."""

    name: Name | None = None
    kind: str = Field(min_length=1)


def implied_names(kinds: Iterable[str]) -> tuple[str, ...]:
    """Return what pieces of terrain are called where they have no names: kind, and number among all pieces of that kind.

    Examples
    --------
    >>> implied_names(["hill", "light_woods", "hill"])
    ('hill 1', 'light woods 1', 'hill 2')
    """
    counts: Counter[str] = Counter()
    names: list[str] = []
    for kind in kinds:
        counts[kind] += 1
        names.append(f"{kind.replace('_', ' ')} {counts[kind]}")
    return tuple(names)


def names_of(pieces: Sequence[PieceEntry]) -> tuple[str, ...]:
    """Return what pieces of terrain are called, by their own names or by those implied."""
    return tuple(piece.name or name for piece, name in zip(pieces, implied_names(piece.kind for piece in pieces), strict=True))
