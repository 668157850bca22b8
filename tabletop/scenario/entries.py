"""Tables of the file that units of every kind share."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from pydantic import Field, Strict

from tabletop.scenario.fields import Degrees, Measure, Name, Place, Size
from tabletop.scenario.vocabulary import Entry


class BoardEntry(Entry):
    """A board in inches, its lower-left corner at the origin."""

    width: Size
    """Inches from the left edge of the board to the right."""
    depth: Size
    """Inches from the lower edge of the board to the upper."""


class PlaceEntry(Entry):
    """Where a regiment stands: the middle of its front edge, and its facing."""

    at: Place
    """Middle of the unit's front edge: [x, y] in inches from the lower left corner of the board."""
    facing_deg: Degrees
    """Direction in which the unit looks, in degrees counter-clockwise from +x; 90 looks up the board."""


class UnitEntry(Entry):
    """What every unit has; `profile` and `status` are narrowed to the system's."""

    side: Name
    """Whose unit it is: units of one side are friends, all others are enemies."""
    status: tuple[str, ...] = ()
    """What has happened to the unit this turn, in words of the system."""
    accuracy: Measure | None = None
    """How well the unit's place was measured, in place of the file's `accuracy`; 0: it stands just as written."""
    profile: Any = None
    """The unit's statistics that matter to a charge."""


class ExpectedUnit(Entry):
    """What is expected of a unit at the end: its status, and any part of its place."""

    status: Annotated[tuple[str, ...], Strict(strict=False)] | None = None
    """All status words that the unit should have after the charges, in any order."""


class CircleEntry(Entry):
    """A round piece of terrain."""

    centre: Place
    """Middle of the circle: [x, y] in inches from the lower left corner of the board."""
    radius: Size
    """Inches from the middle of the circle to its edge."""


class RectangleEntry(Entry):
    """A rectangular piece of terrain: `width` along the direction `angle_deg`, `depth` square to it."""

    centre: Place
    """Middle of the rectangle: [x, y] in inches from the lower left corner of the board."""
    width: Size
    """Inches along the direction `angle_deg`."""
    depth: Size
    """Inches square to the direction `angle_deg`."""
    angle_deg: Degrees = 0.0
    """Direction in which `width` is measured, in degrees counter-clockwise from +x."""


class PieceEntry(Entry):
    """What every piece of terrain has; `kind` is narrowed to the system's words."""

    name: Name | None = None
    """Name of the piece, which no unit and no other piece has. Left out: its kind and its number among the pieces of that kind, such as
    "hill 2".
    """
    kind: str = Field(min_length=1)
    """What the piece is, in a word of the system: it decides whom the piece hinders, and how."""
    accuracy: Measure | None = None
    """How well the place of the piece was measured, in place of the file's `accuracy`; 0: it lies just as written."""


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
