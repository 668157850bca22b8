"""The table as an immutable value: a board, its terrain and the units on it.

Units are regiments in ranks and files or single models on hexes; `tabletop.table.models` has units of loose models.
Silhouettes are words of no particular game for what a unit looks like: systems name one, figures draw it.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, Literal, Protocol, Self, get_args

from typing_extensions import TypeVar

from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import Shape, rectangle

RearRank = Literal["left", "right", "centre"]

Hex = tuple[int, int]
"""Column and row of a hex board, from 1."""

Silhouette = Literal[
    "walker",
    "four_legs",
    "light_walker",
    "tracked",
    "wheeled",
    "hover",
    "foot",
    "mounted",
    "beast",
    "monster",
    "rotor",
    "ground_effect",
    "airship",
    "aeroplane",
    "ship",
]

SILHOUETTES: tuple[Silhouette, ...] = get_args(Silhouette)


@dataclass(frozen=True)
class Board:
    """A table of `width` by `depth` inches with its lower-left corner at the origin; x runs right, y up."""

    width: float
    depth: float

    def room(self, body: Shape) -> float:
        """Return the smallest distance in inches of a shape from an edge of the board; negative if it reaches
        beyond.
        """
        west, south, east, north = body.bounds
        return min(west, south, self.width - east, self.depth - north)


@dataclass(frozen=True)
class Base:
    """A rectangular base: `width` along the front and `depth`, in inches."""

    width: float
    depth: float


@dataclass(frozen=True)
class Terrain:
    """A piece of terrain on a free table.

    Attributes
    ----------
    name, kind
        Its name, and a word of the game system for what it is. A piece without a name in the file is called by its kind
        and number, such as "hill 2", and is not `is_named`.
    shape
        The area that it covers.
    height
        Inches from the table to its top.
    data
        Values of the keys that the game system defines for terrain.
    """

    name: str
    kind: str
    shape: Shape
    height: float = 0.0
    data: Any = None
    is_named: bool = True


@dataclass(frozen=True)
class HexTerrain:
    """A piece of terrain that fills hexes of a hex board; `data` and `is_named` are as for `Terrain`."""

    name: str
    kind: str
    hexes: tuple[Hex, ...]
    data: Any = None
    is_named: bool = True


class Unit(Protocol):
    """Protocol of a unit of any kind: what regiments, loose models and units on hexes have in common."""

    @property
    def name(self) -> str:
        """Name of the unit."""
        ...

    @property
    def side(self) -> str:
        """Name of the side that it belongs to; units of other sides are enemies."""
        ...

    @property
    def profile(self) -> Any:
        """Statistics of the unit: a model of the game system."""
        ...

    @property
    def status(self) -> tuple[str, ...]:
        """Status words: what has happened to the unit, in words of the game system."""
        ...

    @property
    def place(self) -> Any:
        """Place of the unit: a pose, or a formation of loose models."""
        ...

    def at(self, place: Any) -> Self:
        """Return the same unit at another place."""
        ...

    def with_status(self, *words: str, without: tuple[str, ...] = ()) -> Self:
        """Return the same unit with status words added, each once, and others removed."""
        ...


AnyUnit = TypeVar("AnyUnit", bound=Unit, default="Regiment")


@dataclass(frozen=True)
class Regiment:
    """A block of equal rectangular bases in ranks and files.

    Attributes
    ----------
    name, side
        Its name, and the side that it belongs to.
    pose
        The middle of its front edge, and its heading.
    files, models
        Number of models side by side in a full rank, and in all.
    base, spacing
        The base of each model, and the space in inches between neighbouring bases, sideways and in depth.
    rear_rank
        Where the models of an incomplete rear rank are placed, as the unit looks.
    profile, status
        Statistics of the game system, and its words for what has happened to the unit.
    halves_files
        Whether a rear rank in the centre is placed exactly there, half a file off the others if an odd number of its
        places is empty.
    """

    name: str
    side: str
    pose: Pose
    files: int
    models: int
    base: Base
    spacing: float = 0.0
    rear_rank: RearRank = "left"
    profile: Any = None
    status: tuple[str, ...] = ()
    halves_files: bool = False

    @property
    def place(self) -> Pose:
        """The pose of the middle of its front edge."""
        return self.pose

    @property
    def ranks(self) -> int:
        """Number of ranks, an incomplete rear rank included."""
        return math.ceil(self.models / self.files)

    @property
    def width(self) -> float:
        """Width of the boundary in inches, spaces between the files included."""
        return self.files * self.base.width + (self.files - 1) * self.spacing

    @property
    def depth(self) -> float:
        """Depth of the boundary in inches, empty places of the rear rank included."""
        return self.ranks * self.base.depth + (self.ranks - 1) * self.spacing

    @property
    def front_left(self) -> Point:
        """Table point of the front corner on the left as the unit looks, in inches."""
        return self.pose.point(-self.width / 2, 0.0)

    @property
    def front_right(self) -> Point:
        """Table point of the front corner on the right as the unit looks, in inches."""
        return self.pose.point(self.width / 2, 0.0)

    @property
    def centre(self) -> Point:
        """Table point of the middle of the boundary, in inches."""
        return self.pose.point(0.0, -self.depth / 2)

    @cached_property
    def boundary(self) -> Shape:
        """The rectangle that the regiment covers, empty places of the rear rank included."""
        return rectangle(self.pose, self.width, self.depth)

    def places(self) -> tuple[tuple[int, int], ...]:
        """Return (rank, file) of every model, from 0: front rank first, files from the left as the unit looks."""
        last = self.models - (self.ranks - 1) * self.files
        empty = self.files - last
        shift = {"left": 0, "right": empty, "centre": empty // 2}[self.rear_rank]
        full = [(rank, file) for rank in range(self.ranks - 1) for file in range(self.files)]
        return (*full, *((self.ranks - 1, shift + file) for file in range(last)))

    def model_pose(self, rank: int, file: int) -> Pose:
        """Return the pose of the middle of the front edge of the model at (rank, file), from 0."""
        is_between = (
            self.halves_files
            and rank == self.ranks - 1
            and (self.ranks * self.files - self.models) % 2
        )
        right = (
            (file + (0.5 if is_between else 0.0)) * (self.base.width + self.spacing)
            + self.base.width / 2
            - self.width / 2
        )
        x, y = self.pose.point(right, -rank * (self.base.depth + self.spacing))
        return Pose(x, y, self.pose.heading)

    def at(self, place: Pose) -> "Regiment":
        """Return the same regiment with the middle of its front edge at another pose."""
        return replace(self, pose=place)

    def with_status(self, *words: str, without: tuple[str, ...] = ()) -> "Regiment":
        """Return the same regiment with status words added, each once, and others removed."""
        return replace(self, status=with_words(self.status, *words, without=without))


@dataclass(frozen=True)
class HexUnit:
    """A unit of one model in the middle of a hex, facing one of its sides."""

    name: str
    side: str
    pose: Pose
    profile: Any = None
    status: tuple[str, ...] = ()

    @property
    def place(self) -> Pose:
        """The pose of the middle of its hex, with the heading of the side that it faces."""
        return self.pose

    def at(self, place: Pose) -> "HexUnit":
        """Return the same unit at another pose: the middle of a hex, facing one of its sides."""
        return replace(self, pose=place)

    def with_status(self, *words: str, without: tuple[str, ...] = ()) -> "HexUnit":
        """Return the same unit with status words added, each once, and others removed."""
        return replace(self, status=with_words(self.status, *words, without=without))


def with_words(
    status: tuple[str, ...], *added: str, without: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return status words with some added, each once, and others removed."""
    return tuple(dict.fromkeys(word for word in (*status, *added) if word not in without))


@dataclass(frozen=True)
class State(Generic[AnyUnit]):
    """Everything on the table: the board, the units by name in file order, and the terrain."""

    board: Board
    units: Mapping[str, AnyUnit] = field(default_factory=dict)
    terrain: tuple[Terrain, ...] = ()
    hex_terrain: tuple[HexTerrain, ...] = ()

    def with_unit(self, unit: AnyUnit) -> "State[AnyUnit]":
        """Return the table with the unit of the same name replaced, or with the unit added if there is none."""
        return replace(self, units={**self.units, unit.name: unit})

    def without_unit(self, name: str) -> "State[AnyUnit]":
        """Return the table without the named unit."""
        return replace(
            self, units={other: unit for other, unit in self.units.items() if other != name}
        )


def silhouette_of(unit: Any) -> Silhouette | None:
    """Return the word for what a unit looks like, from its profile's `silhouette`; None if that is missing or
    unknown.
    """
    said = getattr(unit.profile, "silhouette", None)
    return said if said in SILHOUETTES else None
