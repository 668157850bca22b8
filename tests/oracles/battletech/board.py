"""The table as plain, changing values: hexes by their printed neighbours, what lies in them, and who stands there."""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from typing import Any

Hex = tuple[int, int]
Tables = dict[str, Any]

FACINGS = ("N", "NE", "SE", "S", "SW", "NW")
ODD = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
EVEN = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
"""Steps to the six neighbours, from N clockwise, of odd and of even columns."""
COVER_MP = {"light_woods": 1, "heavy_woods": 2, "rough": 1, "rubble": 1, "pavement": 0}
WOODED = {
    "light_woods": {"wheeled", "hover"},
    "heavy_woods": {"vehicle"},
    "rough": {"wheeled"},
    "rubble": {"wheeled"},
}
DEFAULTS: Tables = {
    "piloting": 5,
    "psr_modifier": 0,
    "motion": "tracked",
    "turret": True,
    "legs": 2,
    "hexes_moved": 0,
    "unspent_mp": 0,
}


def step(place: Hex, direction: int) -> Hex:
    """Return the neighbour in a direction."""
    column, row = (ODD if place[0] % 2 else EVEN)[direction % 6]
    return place[0] + column, place[1] + row


def towards(place: Hex, other: Hex) -> int | None:
    """Return the direction of a neighbour; of what is none nothing."""
    return next((direction for direction in range(6) if step(place, direction) == other), None)


def apart(place: Hex, other: Hex) -> int:
    """Count the hexes between two, by columns crossed and the rows that are left after that."""
    columns = abs(other[0] - place[0])
    low = (columns + (place[0] % 2)) // 2
    high = (columns + 1 - (place[0] % 2)) // 2
    rows = other[1] - place[1]
    return columns + max(0, -rows - low, rows - high)


def turning(facing: int, other: int) -> int:
    """Count hexsides between two facings."""
    return min((facing - other) % 6, (other - facing) % 6)


def read_hex(text: str) -> Hex:
    """Read a printed number."""
    return int(text[:2]), int(text[2:])


def printed(place: Hex) -> str:
    """Print a number."""
    return f"{place[0]:02d}{place[1]:02d}"


@dataclass
class Ground:
    """What lies in one hex."""

    level: int = 0
    cover: str = ""
    depth: int = 0
    cf: int = 0
    smoke: int = 0
    barred: set[str] = field(default_factory=set)


@dataclass
class Piece:
    """A unit; `faults` are the kinds of motive damage that made its driving worse."""

    name: str
    side: str
    hex: Hex
    facing: int
    status: set[str]
    profile: Tables
    faults: set[str] = field(default_factory=set)

    def __getattr__(self, name: str) -> Any:
        """Return a statistic."""
        profile = self.__dict__.get("profile", {})
        if name in profile:
            return profile[name]
        raise AttributeError(name)

    @property
    def kind(self) -> str:
        """Its type; what has landed is a vehicle."""
        return "vehicle" if "landed" in self.status else str(self.profile["type"])

    @property
    def skill(self) -> int:
        """Piloting with all that makes it worse."""
        steady = 2 if self.kind == "mech" and self.legs == 4 else 0
        return int(self.profile["piloting"] + self.profile["psr_modifier"] - steady)

    @property
    def tenths(self) -> int:
        """A tenth of its tons, rounded up."""
        return int(-(-self.profile["tons"] // 10))

    @property
    def climb(self) -> int:
        """Levels up or down that it may cross in one step."""
        return 2 if self.kind == "mech" else 1

    @property
    def is_up(self) -> bool:
        """Whether it is a 'Mech on its feet."""
        return self.kind == "mech" and "prone" not in self.status

    @property
    def words(self) -> set[str]:
        """What terrain may be prohibited to it as."""
        return {"vehicle", self.profile["motion"]} if self.kind == "vehicle" else {self.kind}


class Table:
    """Everything on the table, and the readings chosen."""

    def __init__(self, tables: Tables) -> None:
        self.columns: int = tables["board"]["columns"]
        self.rows: int = tables["board"]["rows"]
        self.rules: Tables = tables.get("rules", {})
        self.ground: dict[Hex, Ground] = {}
        self.names: dict[str, list[Hex]] = {}
        for piece in tables.get("terrain", []):
            self.names[piece["name"]] = [read_hex(text) for text in piece["hexes"]]
            for place in self.names[piece["name"]]:
                lay(self.ground.setdefault(place, Ground()), piece)
        self.units = {name: _piece(name, entry) for name, entry in tables["units"].items()}

    def copied(self) -> "Table":
        """Return the same table to play on."""
        other = copy(self)
        other.ground = {place: copy(ground) for place, ground in self.ground.items()}
        other.units = {
            name: Piece(
                unit.name,
                unit.side,
                unit.hex,
                unit.facing,
                set(unit.status),
                dict(unit.profile),
                set(unit.faults),
            )
            for name, unit in self.units.items()
        }
        return other

    def rule(self, name: str, default: str) -> str:
        """Return a reading."""
        return str(self.rules.get(name, default))

    def at(self, place: Hex) -> Ground:
        """Return what lies in a hex; in an empty one nothing."""
        return self.ground.get(place) or Ground()

    def holds(self, place: Hex) -> bool:
        """Return whether a hex is on the board."""
        return 1 <= place[0] <= self.columns and 1 <= place[1] <= self.rows

    def floor(self, place: Hex, unit: Piece) -> int:
        """Return the level on which a unit stands."""
        ground = self.at(place)
        return (
            ground.level
            if unit.kind == "vehicle" and unit.motion == "hover"
            else ground.level - ground.depth
        )

    def rise(self, start: Hex, end: Hex, unit: Piece) -> int:
        """Return how many levels up it is from hex to hex."""
        return self.floor(end, unit) - self.floor(start, unit)

    def barred(self, place: Hex, unit: Piece) -> bool:
        """Return whether a hex is prohibited for a unit."""
        ground = self.at(place)
        wet = {"tracked", "wheeled"} if ground.depth else set()
        return bool(unit.words & (ground.barred | WOODED.get(ground.cover, set()) | wet))

    def cost(self, start: Hex, end: Hex, unit: Piece) -> int:
        """Return the MP of a step; the hexes are neighbours."""
        levels = abs(self.rise(start, end, unit)) * (2 if unit.kind == "vehicle" else 1)
        return 1 + levels + self._cover_mp(self.at(end), unit)

    def _cover_mp(self, ground: Ground, unit: Piece) -> int:
        if ground.cover == "building":
            return 1 + strength(ground.cf)
        if ground.cover == "water":
            return (
                0
                if unit.kind == "vehicle" and unit.motion == "hover"
                else (0, 1, 3)[min(ground.depth, 2)]
            )
        return COVER_MP.get(ground.cover, 0)

    def others(self, place: Hex, *but: str) -> Iterator[Piece]:
        """Return the units in a hex that count, in the order of the file."""
        return (
            unit
            for unit in self.units.values()
            if unit.hex == place and unit.name not in but and unit.kind != "infantry"
        )

    def crowding(self, place: Hex, unit: Piece, *but: str) -> Piece | None:
        """Return who would have to leave a hex so that a unit may be there."""
        others = list(self.others(place, unit.name, *but))
        mechs = [other for other in others if other.kind == "mech"]
        if self.rule("stacking", "total_warfare") == "single":
            return others[0] if others else None
        if unit.kind == "mech" and mechs:
            return mechs[0]
        return others[0] if len(others) > 1 else None


def strength(cf: int) -> int:
    """Return 0 for light to 3 for hardened."""
    return sum(cf > most for most in (15, 40, 90))


def lay(ground: Ground, piece: Tables) -> None:
    """Add a piece of terrain to a hex."""
    kind = piece["kind"]
    if kind == "level":
        ground.level = piece["level"]
    elif kind.endswith("smoke"):
        ground.smoke = 1 if kind.startswith("light") else 2
    elif kind == "prohibited":
        ground.barred = set(piece.get("for") or ("mech", "vehicle"))
    else:
        ground.cover, ground.depth, ground.cf = kind, piece.get("depth", 0), piece.get("cf", 0)


def _piece(name: str, entry: Tables) -> Piece:
    profile = {**DEFAULTS, **entry["profile"]}
    return Piece(
        name,
        entry["side"],
        read_hex(entry["hex"]),
        FACINGS.index(entry["facing"]),
        set(entry.get("status", [])),
        profile,
    )
