"""The table of a charge: units in hexes, the ground, declared charges, and their results.

A hex has a level, water, woods, buildings and smoke, and may be prohibited to some units. Facings count hexsides
clockwise from N.
"""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from systems.battletech.book import Book
from systems.battletech.words import AIRBORNE, SMOKES, Choices, Declarations, Profile
from tabletop.geometry.pose import Point, Pose
from tabletop.ruling.charge import Charge, Metric, OddsOutcome
from tabletop.ruling.evidence import Mark, Segment, Stage
from tabletop.ruling.odds import TotalOdds
from tabletop.ruling.system import Case
from tabletop.table.hexes import HexBoard, hex_board, number, side_at
from tabletop.table.state import Hex, HexTerrain, HexUnit, State, with_words

BuildingClass = Literal["light", "medium", "heavy", "hardened"]

Gait = Literal["walk", "run"]

UNIT_RADIUS = 0.32
"""Radius in hexes in which a unit is drawn, kept free of lines."""

LONGEST_STEM = 50
"""Number of characters of a building's name kept in the name of a hex split from it."""

PROHIBITED: Mapping[str, tuple[str, ...]] = {
    "light_woods": ("wheeled", "hover"),
    "heavy_woods": ("tracked", "wheeled", "hover"),
    "rough": ("wheeled",),
    "rubble": ("wheeled",),
}
"""Kinds of terrain and the vehicle motions to which they are prohibited, except water."""


@dataclass(frozen=True)
class HexGround:
    """The ground of one hex: level, cover, water depth, building, smoke, and the units it is prohibited to.

    `cf` is what is left of the building's construction factor (CF); a building without any has collapsed. `is_barred`
    says whether `prohibited` terrain was laid on it, and `barred` names the kinds of units it is meant for (empty:
    all).
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
        """Whether a building stands in the hex."""
        return self.cover == "building" and self.cf > 0

    @property
    def is_paved(self) -> bool:
        """Whether the hex is paved, so that a unit that falls here may skid."""
        return self.cover == "pavement"

    def building_class(self, book: Book) -> BuildingClass:
        """Return the class of the building ("light" to "hardened") by its remaining construction factor."""
        greatest: tuple[tuple[BuildingClass, int], ...] = (
            ("light", book.light_building_cf),
            ("medium", book.medium_building_cf),
            ("heavy", book.heavy_building_cf),
        )
        return next((name for name, most in greatest if self.cf <= most), "hardened")


OPEN = HexGround()


@dataclass(frozen=True)
class Ground:
    """The ground of a whole board; hexes without an entry are clear and at level 0."""

    hexes: Mapping[Hex, HexGround] = field(default_factory=dict)

    @classmethod
    def of(cls, pieces: Iterable[HexTerrain]) -> "Ground":
        """Return the ground on which pieces of terrain are laid, in this order."""
        hexes: dict[Hex, HexGround] = {}
        for piece in pieces:
            for place in piece.hexes:
                hexes[place] = laid(hexes.get(place, OPEN), piece)
        return cls(hexes)

    def at(self, place: Hex) -> HexGround:
        """Return the ground of a hex."""
        return self.hexes.get(place, OPEN)

    def with_cf(self, place: Hex, cf: int) -> "Ground":
        """Return the ground with another construction factor (CF) in a hex, at least 0."""
        return Ground({**self.hexes, place: replace(self.at(place), cf=max(cf, 0))})

    def pieces(
        self, before: Sequence[HexTerrain], *, taken: Iterable[str] = ()
    ) -> tuple[HexTerrain, ...]:
        """Return the ground as pieces of terrain for a file, given the original pieces and other names that are
        `taken`.

        Buildings have the construction factor that is left; hexes that were damaged become pieces of their own,
        collapsed ones vanish.
        """
        names = {*taken, *(piece.name for piece in before)}
        return tuple(part for piece in before for part in self._left(piece, names))

    def _left(self, piece: HexTerrain, names: set[str]) -> tuple[HexTerrain, ...]:
        if piece.kind != "building":
            return (piece,)
        whole = tuple(place for place in piece.hexes if self.at(place).cf == piece.data.cf)
        hurt = [
            place
            for place in dict.fromkeys(piece.hexes)
            if place not in whole and self.at(place).is_building
        ]
        kept = (replace(piece, hexes=whole),) if whole else ()
        return (*kept, *(self._damaged(piece, place, names) for place in hurt))

    def _damaged(self, piece: HexTerrain, place: Hex, names: set[str]) -> HexTerrain:
        """Return one damaged hex as a piece split from its building, under a new name; a single-hex building keeps its
        name.
        """
        data = piece.data.model_copy(update={"cf": self.at(place).cf})
        if len(set(piece.hexes)) == 1:
            return replace(piece, hexes=(place,), data=data)
        name = f"{piece.name[:LONGEST_STEM].rstrip()} {number(place)}"
        free = next(
            other
            for other in itertools.chain(
                [name], (f"{name} {count}" for count in itertools.count(2))
            )
            if other not in names
        )
        names.add(free)
        return HexTerrain(free, piece.kind, (place,), data)


def laid(ground: HexGround, piece: HexTerrain) -> HexGround:
    """Return the ground of a hex after laying one more piece of terrain on it."""
    data = piece.data
    if piece.kind == "level":
        return replace(ground, level=data.level)
    if piece.kind in SMOKES:
        return replace(ground, smoke=piece.kind)
    if piece.kind == "prohibited":
        is_for_all = not data.prohibited_to or (ground.is_barred and not ground.barred)
        return replace(
            ground,
            is_barred=True,
            barred=() if is_for_all else (*ground.barred, *data.prohibited_to),
        )
    building = piece.name if piece.kind == "building" else None
    return replace(
        ground, cover=piece.kind, depth=data.depth or 0, cf=data.cf or 0, building=building
    )


@dataclass(frozen=True)
class CombatUnit:
    """A unit in a hex; `facing` is that of its feet, in hexsides clockwise from N.

    `motive` are the kinds of motive damage that made its driving worse; each does so only once.
    """

    name: str
    side: str
    hex: Hex
    facing: int
    profile: Profile
    status: tuple[str, ...] = ()
    motive: tuple[str, ...] = ()

    @property
    def is_mech(self) -> bool:
        """Whether the unit is a 'Mech, which makes piloting rolls."""
        return self.profile.type == "mech"

    @property
    def is_vehicle(self) -> bool:
        """Whether the unit is a ground vehicle, or a landed unit that is charged as one."""
        return self.profile.type == "vehicle" or self.is_landed

    @property
    def is_landed(self) -> bool:
        """Whether the unit is a flying unit that has landed."""
        return self.profile.type in AIRBORNE and "landed" in self.status

    @property
    def is_infantry(self) -> bool:
        """Whether the unit is infantry, which is ignored for stacking and obstruction."""
        return self.profile.type == "infantry"

    @property
    def is_hover(self) -> bool:
        """Whether the unit stays on the surface of water, as a hovercraft."""
        return self.is_vehicle and self.profile.motion == "hover"

    @property
    def is_prone(self) -> bool:
        """Whether the unit is a prone 'Mech."""
        return self.is_mech and "prone" in self.status

    @property
    def is_immobile(self) -> bool:
        """Whether the unit cannot move at all."""
        return "immobile" in self.status

    @property
    def mobilities(self) -> tuple[str, ...]:
        """The words by which terrain can be prohibited to the unit: "mech", or "vehicle" and its motion type; else
        none.
        """
        if self.is_vehicle:
            return ("vehicle", self.profile.motion)
        return ("mech",) if self.is_mech else ()

    def at(self, place: Hex, facing: int | None = None) -> "CombatUnit":
        """Return the same unit in another hex, with its present facing or another."""
        return replace(self, hex=place, facing=self.facing if facing is None else facing % 6)

    def with_status(self, *words: str, without: tuple[str, ...] = ()) -> "CombatUnit":
        """Return the same unit with status words added, each at most once, and those in `without` removed."""
        return replace(self, status=with_words(self.status, *words, without=without))


@dataclass(frozen=True)
class Table:
    """All units in file order on their ground, with the choices of readings and the book's numbers in force."""

    board: HexBoard
    ground: Ground
    units: Mapping[str, CombatUnit]
    choices: Choices
    book: Book

    @classmethod
    def of(cls, case: Case) -> "Table":
        """Return the table of a case, before any charge."""
        return cls(
            hex_board(case.state.board),
            Ground.of(case.state.hex_terrain),
            combat_units(case.state),
            case.choices,
            case.book,
        )

    def state(self, before: State[HexUnit]) -> State[HexUnit]:
        """Return the table in the form that rulings and files use, based on the original one."""
        units = {
            name: HexUnit(
                name, before.units[name].side, self.pose(unit), unit.profile.writable(), unit.status
            )
            for name, unit in self.units.items()
        }
        return replace(
            before,
            units=units,
            hex_terrain=self.ground.pieces(before.hex_terrain, taken=before.units),
        )

    def pose(self, unit: CombatUnit) -> Pose:
        """Return a unit's pose on the table: x and y of its hex's centre in inches, and its heading in radians."""
        return self.board.pose(unit.hex, unit.facing)

    def mark(
        self,
        words: str,
        place: Hex,
        lines: tuple[Segment, ...] = (),
        limits: tuple[Segment, ...] = (),
        *,
        stage: Stage = "before",
    ) -> Mark:
        """Return a mark for figures at a hex: its words are at the middle of the first line, else at the hex's right
        corner.
        """
        x, y = self.board.centre(place)
        (start_x, start_y), (end_x, end_y) = (
            lines[0] if lines else ((x + self.board.hex_inches / math.sqrt(3.0), y),) * 2
        )
        return Mark(
            words, ((start_x + end_x) / 2, (start_y + end_y) / 2), lines, limits, stage=stage
        )

    def outline(self, *places: Hex) -> tuple[Segment, ...]:
        """Return the sides of hexes as segments in table coordinates; each hex counts once."""
        rings: list[list[Point]] = [
            [(x, y) for x, y in self.board.outline(place).tolist()]
            for place in dict.fromkeys(places)
        ]
        return tuple(side for ring in rings for side in pairwise((*ring, ring[0])))

    def hexside(self, start: Hex, end: Hex) -> Segment:
        """Return the side that two neighbouring hexes share, as a segment in table coordinates."""
        x, y = self.board.centre(start)
        to_x, to_y = self.board.centre(end)
        right = (to_y - y) / math.sqrt(12.0)
        up = (x - to_x) / math.sqrt(12.0)
        middle_x = (x + to_x) / 2
        middle_y = (y + to_y) / 2
        return (middle_x - right, middle_y - up), (middle_x + right, middle_y + up)

    def ways(self, steps: Iterable[tuple[Hex, Hex]]) -> tuple[Segment, ...]:
        """Return steps from hex to hex as segments between their centres, shortened where a unit stands."""
        return tuple(
            (self._towards(start, end), self._towards(end, start))
            for start, end in steps
            if start != end
        )

    def _towards(self, place: Hex, other: Hex) -> Point:
        """Return the centre of a hex or, if a unit stands there, a point outside that unit towards another hex."""
        x, y = self.board.centre(place)
        to_x, to_y = self.board.centre(other)
        is_taken = any(unit.hex == place for unit in self.units.values())
        share = (
            UNIT_RADIUS * self.board.hex_inches / math.dist((x, y), (to_x, to_y))
            if is_taken
            else 0.0
        )
        return x + share * (to_x - x), y + share * (to_y - y)

    def with_unit(self, unit: CombatUnit) -> "Table":
        """Return the table with one unit replaced by the unit of the same name."""
        return replace(self, units={**self.units, unit.name: unit})

    def with_cf(self, place: Hex, cf: int) -> "Table":
        """Return the table with another remaining construction factor (CF) in a hex."""
        return replace(self, ground=self.ground.with_cf(place, cf))

    def at(self, place: Hex) -> HexGround:
        """Return the ground of a hex of the board."""
        return self.ground.at(place)

    def units_in(self, place: Hex, *, without: Iterable[str] = ()) -> tuple[CombatUnit, ...]:
        """Return the units in a hex in file order, without infantry and without those named in `without`."""
        gone = tuple(without)
        return tuple(
            unit
            for unit in self.units.values()
            if unit.hex == place and not unit.is_infantry and unit.name not in gone
        )

    def crowding(
        self, place: Hex, unit: CombatUnit, *, without: Iterable[str] = ()
    ) -> CombatUnit | None:
        """Return the unit in a hex with which a unit that stops there would break stacking; None if it may stop there.

        It is the 'Mech if a 'Mech enters, else the first in the file. The unit itself, and units named in `without`,
        are taken to be elsewhere.
        """
        if unit.is_infantry:
            return None
        there = self.units_in(place, without=(unit.name, *without))
        if self.choices.stacking == "single" or not unit.is_mech:
            return (
                there[0] if len(there) >= (1 if self.choices.stacking == "single" else 2) else None
            )
        mech = next((other for other in there if other.is_mech), None)
        return mech if mech is not None else there[0] if len(there) > 1 else None

    def floor(self, place: Hex, unit: CombatUnit) -> int:
        """Return the level on which a unit stands in a hex: the bottom of water, but its surface for a hovercraft."""
        ground = self.at(place)
        return ground.level - (0 if unit.is_hover else ground.depth)

    def rise(self, start: Hex, end: Hex, unit: CombatUnit) -> int:
        """Return the level difference for a unit from one hex to another; negative downwards."""
        return self.floor(end, unit) - self.floor(start, unit)

    def climb(self, unit: CombatUnit) -> int:
        """Return the largest level change, up or down, of one step of a unit."""
        return self.book.mech_climb if unit.is_mech else self.book.vehicle_climb

    def is_prohibited(self, place: Hex, unit: CombatUnit) -> bool:
        """Return whether a unit may not enter a hex, by `prohibited` terrain or by its motion type."""
        ground = self.at(place)
        if ground.is_barred and (
            not ground.barred or any(word in ground.barred for word in unit.mobilities)
        ):
            return True
        if not unit.is_vehicle:
            return False
        motion = unit.profile.motion
        if ground.cover == "water":
            return motion != "hover" and ground.depth > 0
        return motion in PROHIBITED.get(ground.cover, ())


def combat_units(state: State[HexUnit]) -> dict[str, CombatUnit]:
    """Return all units of a hex board by name, in the order of the file."""
    board = state.board
    if not isinstance(board, HexBoard):
        return {}
    return {
        name: CombatUnit(
            name,
            unit.side,
            board.hex_at(unit.pose.at),
            side_at(unit.pose.heading),
            unit.profile,
            unit.status,
        )
        for name, unit in state.units.items()
    }


@dataclass(frozen=True)
class Declared:
    """A legal charge; at its turn the charger is in the hex before the target and faces it.

    Attributes
    ----------
    number
        Number of the charge in the file.
    charge
        The charge as the file declares it.
    charger
        Name of the charger.
    target
        Name of the unit charged; None if a building hex is.
    target_hex
        The hex charged, where the target stood when the charge was declared.
    hexes_entered
        Number of hexes entered that count for damage, the target's left out.
    gait
        Movement mode of the charger, "walk" or "run".
    path
        The hexes entered before the target's, in order; empty where the file only gives their number.
    """

    number: int
    charge: Charge
    charger: str
    target: str | None
    target_hex: Hex
    hexes_entered: int
    gait: Gait
    path: tuple[Hex, ...] = ()

    @property
    def keys(self) -> Declarations:
        """What the file declares of the charge besides charger, target and dice."""
        declarations: Declarations = self.charge.declarations
        return declarations


@dataclass(frozen=True)
class Chances:
    """Exact chances of one declared charge over all dice, as returned by `odds.odds_of`.

    `metrics` are those that begin with `p_` (probabilities) and `expected_`, each also as a fraction; `by_total` goes
    over the totals of the to-hit roll.
    """

    success: Fraction
    outcomes: Mapping[OddsOutcome, Fraction]
    rules: Mapping[str, Fraction] = field(default_factory=dict)
    by_total: tuple[TotalOdds, ...] = ()
    shortest_roll: int | None = None
    metrics: Mapping[str, Metric] = field(default_factory=dict)
