"""A charge of round-based models read into bare arrays: who moves, who is charged, who is to be kept away from, what stands about."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from tabletop.ruling import Charge
from tabletop.squads import Formation, Model, RoundBase, Squad
from tabletop.state import State

Floats = NDArray[np.float64]
FREE_HEIGHT = 2.0
LEVEL = 1e-6
"""Inches: models whose heights differ by no more stand equally high."""


@dataclass(frozen=True, eq=False)
class Discs:
    """Round-based models: centres (n, 2), heights (n,) and radii (n,), in inches."""

    centres: Floats
    heights: Floats
    radii: Floats

    def __len__(self) -> int:
        return len(self.radii)

    def gaps(self, other: "Discs") -> Floats:
        """Measure the gaps (n, m) in plan."""
        apart: Floats = np.hypot(*(self.centres[:, None] - other.centres[None]).transpose(2, 0, 1))
        return apart - self.radii[:, None] - other.radii[None]

    def rises(self, other: "Discs") -> Floats:
        """Measure the vertical gaps (n, m)."""
        rises: Floats = np.abs(self.heights[:, None] - other.heights[None])
        return rises

    def distances(self, other: "Discs") -> Floats:
        """Measure the least distance (n,) of each model to the others."""
        least: Floats = np.hypot(np.maximum(self.gaps(other), 0.0), self.rises(other)).min(axis=1, initial=np.inf)
        return least

    def at(self, centres: Floats, heights: Floats) -> "Discs":
        """Give the same models elsewhere."""
        return Discs(centres, heights, self.radii)


@dataclass(frozen=True)
class Solid:
    """A piece of terrain that stands in the way: `is_climbed` if a model may go over it, `height` in inches."""

    area: shapely.Polygon
    height: float
    is_climbed: bool
    holds: bool
    """Whether models may end on its top."""


@dataclass(frozen=True, eq=False)
class Table:
    """A charge move of `distance` inches: its models at the start, the targets, the other enemies, the friends and the terrain.

    `blocking` is what hinders on the way, `solids` what nobody ends in.
    """

    size: tuple[float, float]
    charger: Discs
    targets: tuple[Discs, ...]
    others: Discs
    friends: Discs
    solids: tuple[Solid, ...]
    blocking: tuple[Solid, ...]
    distance: float

    @property
    def enemies(self) -> Discs:
        """All models of the other side."""
        return joined([*self.targets, self.others])


def table_of(state: State[Squad], charge: Charge, distance: float) -> Table:
    """Read a table as a charge finds it."""
    charger = state.units[charge.charger]
    units = [unit for unit in state.units.values() if unit.name != charger.name]
    enemies = [unit for unit in units if unit.side != charger.side]
    keywords = set(charger.profile.keywords)
    solids = tuple(
        Solid(piece.shape.core, piece.height, piece.kind != "impassable", piece.kind == "block")
        for piece in state.terrain
        if piece.kind == "impassable" or (piece.kind in ("block", "wall") and piece.height > FREE_HEIGHT)
    )
    passes_walls = bool(keywords & {"infantry", "beasts"})
    blocking = tuple(solid for solid in solids if not (passes_walls and solid.is_climbed and not solid.holds))
    return Table(
        size=(state.board.width, state.board.depth),
        charger=discs(charger.models),
        targets=tuple(discs(state.units[name].models) for name in charge.targets),
        others=joined([discs(unit.models) for unit in enemies if unit.name not in charge.targets]),
        friends=joined([discs(unit.models) for unit in units if unit.side == charger.side]),
        solids=solids,
        blocking=blocking,
        distance=distance,
    )


def discs(models: Iterable[Model]) -> Discs:
    """Read models on round bases; raises TypeError for other bases."""
    rows = [(model.pose.x, model.pose.y, model.z, _radius(model)) for model in models]
    values = np.array(rows, dtype=np.float64).reshape(-1, 4)
    return Discs(values[:, :2], values[:, 2], values[:, 3])


def _radius(model: Model) -> float:
    if not isinstance(model.base, RoundBase):
        raise TypeError(f"model {model.number} has no round base")
    return model.base.diameter / 2


def joined(parts: Iterable[Discs]) -> Discs:
    """Put models of several units together."""
    rows = [np.column_stack([part.centres, part.heights, part.radii]) for part in parts]
    values = np.vstack([np.empty((0, 4)), *rows])
    return Discs(values[:, :2], values[:, 2], values[:, 3])


def ends_of(table: Table, place: Formation) -> Discs:
    """Give the charger's models where a formation has them."""
    return table.charger.at(np.array([pose.at for pose in place.poses]), np.array(place.heights))
