"""The table as an immutable value: a board, its terrain and the units on it.

Units stand in ranks and files or on a hex; `tabletop.table.models` has those of loose models. What a unit looks like from above is
said in words that belong to no game: systems say which, figures draw them.
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
    """A table of `width` by `depth` inches with its lower-left corner at the origin."""

    width: float
    depth: float

    def room(self, body: Shape) -> float:
        """Return how far a body is from the nearest edge, in inches; negative if it reaches beyond."""
        west, south, east, north = body.bounds
        return min(west, south, self.width - east, self.depth - north)


@dataclass(frozen=True)
class Base:
    """A rectangular base: `width` along the front and `depth`, in inches."""

    width: float
    depth: float


@dataclass(frozen=True)
class Terrain:
    """A piece of terrain; `kind` is a word of the game system, `height` what its page says, `data` the keys of its kind.

    A piece that was given no name is called by its kind and number, and is not `is_named`.
    """

    name: str
    kind: str
    shape: Shape
    height: float = 0.0
    data: Any = None
    is_named: bool = True


@dataclass(frozen=True)
class HexTerrain:
    """Terrain that fills hexes of a hex board; `data` holds the keys of its kind, `is_named` is as for other terrain."""

    name: str
    kind: str
    hexes: tuple[Hex, ...]
    data: Any = None
    is_named: bool = True


class Unit(Protocol):
    """A unit of any kind: what regiments, loose models and units on hexes have in common."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def side(self) -> str:
        """Whose it is."""
        ...

    @property
    def profile(self) -> Any:
        """Its statistics."""
        ...

    @property
    def status(self) -> tuple[str, ...]:
        """Status words that apply to the unit."""
        ...

    @property
    def place(self) -> Any:
        """Position of the unit on the table."""
        ...

    def at(self, place: Any) -> Self:
        """Return the same unit at another place."""
        ...

    def with_status(self, *words: str, without: tuple[str, ...] = ()) -> Self:
        """Return the same unit with status words added, each once, and others taken away."""
        ...


AnyUnit = TypeVar("AnyUnit", bound=Unit, default="Regiment")


@dataclass(frozen=True)
class Regiment:
    """A block of equal rectangular bases in ranks and files; `pose` is the middle of its front edge.

    `spacing` is the space between neighbouring bases in inches, sideways and in depth. `profile` holds the statistics of
    the game system, `status` its words for what has happened to the unit. With `halves_files` a rear rank in the centre
    stands exactly there, half a file off the others if an odd number of its places is empty.
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
        """The middle of the front edge, and where it looks."""
        return self.pose

    @property
    def ranks(self) -> int:
        """Number of ranks, the last one perhaps incomplete."""
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
        """The left front corner on the table, as the unit looks."""
        return self.pose.point(-self.width / 2, 0.0)

    @property
    def front_right(self) -> Point:
        """The right front corner on the table, as the unit looks."""
        return self.pose.point(self.width / 2, 0.0)

    @property
    def centre(self) -> Point:
        """The middle of the boundary."""
        return self.pose.point(0.0, -self.depth / 2)

    @cached_property
    def boundary(self) -> Shape:
        """The rectangle behind the front edge, empty places included."""
        return rectangle(self.pose, self.width, self.depth)

    def places(self) -> tuple[tuple[int, int], ...]:
        """Return (rank, file) of every model, front rank first, files counted from the left as the unit looks."""
        last = self.models - (self.ranks - 1) * self.files
        empty = self.files - last
        shift = {"left": 0, "right": empty, "centre": empty // 2}[self.rear_rank]
        full = [(rank, file) for rank in range(self.ranks - 1) for file in range(self.files)]
        return (*full, *((self.ranks - 1, shift + file) for file in range(last)))

    def model_pose(self, rank: int, file: int) -> Pose:
        """Return the pose of the middle of one model's front edge."""
        is_between = self.halves_files and rank == self.ranks - 1 and (self.ranks * self.files - self.models) % 2
        right = (file + (0.5 if is_between else 0.0)) * (self.base.width + self.spacing) + self.base.width / 2 - self.width / 2
        x, y = self.pose.point(right, -rank * (self.base.depth + self.spacing))
        return Pose(x, y, self.pose.heading)

    def at(self, place: Pose) -> "Regiment":
        """Return the same regiment at another pose."""
        return replace(self, pose=place)

    def with_status(self, *words: str, without: tuple[str, ...] = ()) -> "Regiment":
        """Return the same regiment with status words added, each once, and others taken away."""
        return replace(self, status=with_words(self.status, *words, without=without))


@dataclass(frozen=True)
class HexUnit:
    """One model in the middle of a hex, looking at one of its sides."""

    name: str
    side: str
    pose: Pose
    profile: Any = None
    status: tuple[str, ...] = ()

    @property
    def place(self) -> Pose:
        """The middle of its hex, and where it looks."""
        return self.pose

    def at(self, place: Pose) -> "HexUnit":
        """Return the same unit in another hex."""
        return replace(self, pose=place)

    def with_status(self, *words: str, without: tuple[str, ...] = ()) -> "HexUnit":
        """Return the same unit with status words added, each once, and others taken away."""
        return replace(self, status=with_words(self.status, *words, without=without))


def with_words(status: tuple[str, ...], *added: str, without: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return status words with some added, each once, and others removed."""
    return tuple(dict.fromkeys(word for word in (*status, *added) if word not in without))


@dataclass(frozen=True)
class State(Generic[AnyUnit]):
    """Everything on the table. Units are kept in the order of the file."""

    board: Board
    units: Mapping[str, AnyUnit] = field(default_factory=dict)
    terrain: tuple[Terrain, ...] = ()
    hex_terrain: tuple[HexTerrain, ...] = ()

    def with_unit(self, unit: AnyUnit) -> "State[AnyUnit]":
        """Return the table with one unit replaced by the unit of the same name."""
        return replace(self, units={**self.units, unit.name: unit})

    def without_unit(self, name: str) -> "State[AnyUnit]":
        """Return the table with one unit taken away."""
        return replace(self, units={other: unit for other, unit in self.units.items() if other != name})


def silhouette_of(unit: Any) -> Silhouette | None:
    """Return the silhouette of a unit from its statistics, or None."""
    said = getattr(unit.profile, "silhouette", None)
    return said if said in SILHOUETTES else None
