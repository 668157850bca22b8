"""Tables of the file that units of every kind share."""

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

    name: Name
    kind: str = Field(min_length=1)
