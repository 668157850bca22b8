"""What a hex is: level, water, woods, buildings, smoke, and to whom it is prohibited."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from systems.battletech.book import Book
from tabletop.table.hexes import number
from tabletop.table.state import Hex, HexTerrain

COVERS = ("pavement", "light_woods", "heavy_woods", "rough", "rubble", "water", "building")
"""Kinds of which a hex holds at most one; without any it is clear."""
SMOKES = ("light_smoke", "heavy_smoke")
BuildingClass = Literal["light", "medium", "heavy", "hardened"]


@dataclass(frozen=True)
class HexGround:
    """One hex: its level, what covers it, the depth of its water, the building on it, its smoke, and whom it is prohibited to.

    `cf` is what is left of the building's construction factor; a building without any has collapsed. `is_barred` says
    whether `prohibited` terrain was laid on it, `barred` names those it is meant for (nobody named: everybody).
    """

    level: int = 0
    cover: str = "clear"
    depth: int = 0
    building: str | None = None
    cf: int = 0
    smoke: str | None = None
    is_barred: bool = False
    barred: tuple[str, ...] = ()

    @property
    def is_building(self) -> bool:
        """Whether a building stands here."""
        return self.cover == "building" and self.cf > 0

    @property
    def is_paved(self) -> bool:
        """Whether a unit that falls here may skid."""
        return self.cover == "pavement"

    def building_class(self, book: Book) -> BuildingClass:
        """Give the class of the building by its construction factor."""
        greatest: tuple[tuple[BuildingClass, int], ...] = (
            ("light", book.light_building_cf),
            ("medium", book.medium_building_cf),
            ("heavy", book.heavy_building_cf),
        )
        return next((name for name, most in greatest if self.cf <= most), "hardened")


LONGEST_STEM = 50
"""Characters of a building's name that the name of a hex parted from it keeps."""

OPEN = HexGround()


@dataclass(frozen=True)
class Ground:
    """The ground of a whole board; hexes that are not named are clear and level."""

    hexes: Mapping[Hex, HexGround] = field(default_factory=dict)

    @classmethod
    def of(cls, pieces: Iterable[HexTerrain]) -> "Ground":
        """Lay the pieces of terrain on the board."""
        hexes: dict[Hex, HexGround] = {}
        for piece in pieces:
            for place in piece.hexes:
                hexes[place] = laid(hexes.get(place, OPEN), piece)
        return cls(hexes)

    def at(self, place: Hex) -> HexGround:
        """Give what a hex is."""
        return self.hexes.get(place, OPEN)

    def with_cf(self, place: Hex, cf: int) -> "Ground":
        """Give the same ground with another construction factor left in a hex; below 0 there is none."""
        return Ground({**self.hexes, place: replace(self.at(place), cf=max(cf, 0))})

    def pieces(self, before: Sequence[HexTerrain], *, taken: Iterable[str] = ()) -> tuple[HexTerrain, ...]:
        """Write the ground as pieces of terrain, given those it was laid with and other names that are `taken`.

        Of buildings what is left is written; hexes with less left than the others become pieces of their own.
        """
        names = {*taken, *(piece.name for piece in before)}
        return tuple(part for piece in before for part in self._left(piece, names))

    def _left(self, piece: HexTerrain, names: set[str]) -> tuple[HexTerrain, ...]:
        if piece.kind != "building":
            return (piece,)
        whole = tuple(place for place in piece.hexes if self.at(place).cf == piece.data.cf)
        hurt = [place for place in dict.fromkeys(piece.hexes) if place not in whole and self.at(place).is_building]
        kept = (replace(piece, hexes=whole),) if whole else ()
        return (*kept, *(self._damaged(piece, place, names) for place in hurt))

    def _damaged(self, piece: HexTerrain, place: Hex, names: set[str]) -> HexTerrain:
        """Part one hex from its building, under a name that nothing has yet; the only hex of a building keeps the building's."""
        data = piece.data.model_copy(update={"cf": self.at(place).cf})
        if len(set(piece.hexes)) == 1:
            return replace(piece, hexes=(place,), data=data)
        name = f"{piece.name[:LONGEST_STEM].rstrip()} {number(place)}"
        free = next(other for other in itertools.chain([name], (f"{name} {count}" for count in itertools.count(2))) if other not in names)
        names.add(free)
        return HexTerrain(free, piece.kind, (place,), data)


def laid(ground: HexGround, piece: HexTerrain) -> HexGround:
    """Give a hex with one more piece of terrain on it."""
    data = piece.data
    if piece.kind == "level":
        return replace(ground, level=data.level)
    if piece.kind in SMOKES:
        return replace(ground, smoke=piece.kind)
    if piece.kind == "prohibited":
        is_for_all = not data.prohibited_to or (ground.is_barred and not ground.barred)
        return replace(ground, is_barred=True, barred=() if is_for_all else (*ground.barred, *data.prohibited_to))
    building = piece.name if piece.kind == "building" else None
    return replace(ground, cover=piece.kind, depth=data.depth or 0, cf=data.cf or 0, building=building)
