"""Where damage lands: the location tables by the side attacked, and motive damage."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from systems.battletech.roll import TOTALS, Draw
from systems.battletech.scene import Combatant
from systems.battletech.words import Choices, Motion

Side = Literal["front", "right", "rear", "left"]
TableName = Literal["mech", "kick", "vehicle"]
Motive = Literal["none", "minor", "moderate", "heavy", "immobile"]

MECH_SIDES: tuple[Side, ...] = ("front", "front", "right", "rear", "left", "front")
"""Side of a 'Mech by hexsides clockwise from its facing."""
OTHER_SIDES: tuple[Side, ...] = ("front", "right", "right", "rear", "left", "left")
FALL_SIDES: tuple[Side, ...] = ("front", "right", "right", "rear", "left", "left")
"""Side that a fall lands on, by the face of its die."""

MECH_COLUMNS: dict[Side, str] = {
    "front": "CTc RA RA RL RT CT LT LL LA LA HD",
    "rear": "CTc RA RA RL RT CT LT LL LA LA HD",
    "left": "LTc LL LA LA LL LT CT RT RA RL HD",
    "right": "RTc RL RA RA RL RT CT LT LA LL HD",
}
"""Locations by the total of two dice, from 2; c: a critical hit is called for."""
VEHICLE_COLUMNS: dict[Side, str] = {
    "front": "FRc FRm FRm RSm FR FR FR LSm TU TU TUc",
    "rear": "RRc RRm RRm LSm RR RR RR RSm TU TU TUc",
    "right": "RSc RSm RSm FRm RS RS RSc RRm TU TU TUc",
    "left": "LSc LSm LSm FRm LS LS LSc RRm TU TU TUc",
}
"""Locations of vehicles; m: a motive roll is called for."""
VEHICLE_SIDES: dict[Side, str] = {"front": "FR", "right": "RS", "rear": "RR", "left": "LS"}
KICK_COLUMNS: dict[Side, str] = {"front": "RL RL RL LL LL LL", "rear": "RL RL RL LL LL LL", "left": "LL", "right": "RL"}
"""Legs by the face of one die; a single one takes no die."""
FOUR_LEGGED_KICKS: dict[Side, str] = {
    "front": "FLL FLL FLL FRL FRL FRL",
    "rear": "RLL RLL RLL RRL RRL RRL",
    "left": "RLL RLL RLL FLL FLL FLL",
    "right": "RRL RRL RRL FRL FRL FRL",
}
FOUR_LEGS = {"LA": "FLL", "RA": "FRL", "LL": "RLL", "RL": "RRL"}
"""What stands in the place of arms and legs on a 'Mech of four legs."""

MOTIVE_SIDES: dict[Side, int] = {"front": 0, "rear": 1, "left": 2, "right": 2}
MOTIVE_MOTIONS: dict[Motion, int] = {"tracked": 0, "wheeled": 2, "hover": 3}
MOTIVE_RESULTS: tuple[tuple[int, Motive], ...] = ((12, "immobile"), (10, "heavy"), (8, "moderate"), (6, "minor"))
"""The least total of each result; below there is none."""
DRIVING: dict[Motive, int] = {"none": 0, "minor": 1, "moderate": 2, "heavy": 3, "immobile": 0}
"""By how much each kind makes driving worse, once."""


@dataclass(frozen=True)
class Hit:
    """Where a group of damage lands, and what it calls for besides."""

    code: str
    is_critical: bool = False
    is_motive: bool = False

    @property
    def text(self) -> str:
        """The location in short, with what it calls for."""
        marks = [word for word, is_meant in ((" (critical)", self.is_critical), (" (motive)", self.is_motive)) if is_meant]
        return self.code + "".join(marks)


def side_of(unit: Combatant, hexside: int) -> Side:
    """Give the side of a unit that is attacked from beyond one of its hex's sides, counted clockwise from N."""
    return (MECH_SIDES if unit.is_mech else OTHER_SIDES)[(hexside - unit.facing) % 6]


def table_of(unit: Combatant, *, is_kick: bool = False) -> TableName | None:
    """Give the table on which damage of a unit is located; None if it has no locations."""
    if unit.is_mech:
        return "kick" if is_kick else "mech"
    return "vehicle" if unit.is_vehicle else None


def column_of(unit: Combatant, table: TableName, *, side: Side, choices: Choices) -> Draw[Hit]:
    """Give the column of a table for one side of a unit."""
    if table == "vehicle":
        return _vehicle_column(side, unit.profile.turret, choices.vehicle_front_5)
    return (_kick_column if table == "kick" else _mech_column)(side, unit.profile.legs)


@lru_cache
def _mech_column(side: Side, legs: int) -> Draw[Hit]:
    hits = [_hit(word) for word in MECH_COLUMNS[side].split()]
    return _draw(hits if legs == 2 else [Hit(FOUR_LEGS.get(hit.code, hit.code), hit.is_critical) for hit in hits])  # noqa: PLR2004 - legs


@lru_cache
def _kick_column(side: Side, legs: int) -> Draw[Hit]:
    return _draw([_hit(word) for word in (KICK_COLUMNS if legs == 2 else FOUR_LEGGED_KICKS)[side].split()])  # noqa: PLR2004 - legs


@lru_cache
def _vehicle_column(side: Side, turret: bool, front_5: Literal["right", "left"]) -> Draw[Hit]:  # noqa: FBT001 - a key of the cache
    hits = [_hit(word) for word in VEHICLE_COLUMNS[side].split()]
    if side == "front":
        hits[5 - TOTALS[0]] = Hit(VEHICLE_SIDES[front_5], is_motive=True)
    if not turret:
        hits = [Hit(VEHICLE_SIDES[side], hit.is_critical) if hit.code == "TU" else hit for hit in hits]
    return _draw(hits)


def _hit(word: str) -> Hit:
    return Hit(word.rstrip("cm"), word.endswith("c"), word.endswith("m"))


def _draw(hits: Sequence[Hit]) -> Draw[Hit]:
    """Make a draw of which only the motive rolls matter to what comes next."""
    return Draw.of(tuple(hits), lambda hit: hit.is_motive)


@lru_cache
def motive_draw(side: Side, motion: Motion) -> Draw[Motive]:
    """Draw for motive damage of a vehicle hit on one side.

    Examples
    --------
    >>> [str(chance) for _, chance in motive_draw("front", "hover").ways]
    ['1/36', '5/36', '1/4', '11/36', '5/18']
    """
    modifier = MOTIVE_SIDES[side] + MOTIVE_MOTIONS[motion]
    return Draw.of(tuple(_motive(total + modifier) for total in TOTALS))


def _motive(total: int) -> Motive:
    return next((result for least, result in MOTIVE_RESULTS if total >= least), "none")
