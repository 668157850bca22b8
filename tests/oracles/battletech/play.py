"""A game that is being played: a changing table, faces as they come, and a log of what the rulings would tell."""

from collections.abc import Iterator
from typing import Any

from tests.oracles.battletech.board import Hex, Piece, Table, Tables, printed, strength
from tests.oracles.battletech.charts import (
    FALLS,
    KICKS,
    MOTION_MODIFIER,
    RESULTS,
    SIDE_MODIFIER,
    WORSE,
    location,
)

HEAVY = 20
COLLISION = [
    "tn",
    "damage_target",
    "damage_charger",
    "groups_target",
    "side_target",
    "table_target",
    "locations_target",
    "locations_charger",
    "criticals_target",
    "criticals_charger",
    "absorbed",
    "damage_through",
]
OF_ONE_TARGET = ("psr_target", "fall_damage_target", "pilot_hits_target")


class Play:
    """One charge in play: `taken` are its faces, `points` what each unit has taken in it."""

    def __init__(self, table: Table, charge: Tables, faces: Iterator[int]) -> None:
        self.table = table
        self.charge = charge
        self.faces = faces
        self.taken: list[int] = []
        self.log: Tables = {"fell": [], "chain": [], "domino_psr": [], "displacement": "none"}
        self.points: dict[str, int] = {}
        self.charger = table.units[charge["charger"]]
        self.met: str = charge["targets"][0]
        self.has_met = False
        self.hexes = 0
        self.gait = "run"

    def die(self) -> int:
        """Throw one die."""
        face = next(self.faces)
        self.taken.append(face)
        return face

    def two(self) -> int:
        """Throw two dice."""
        return self.die() + self.die()

    def passes(self, number: int) -> bool:
        """Roll at a number, if there is anything to roll for."""
        return number <= 2 or (number <= 12 and self.two() >= number)

    def rule(self, name: str, default: str) -> str:
        """Return a reading."""
        return self.table.rule(name, default)

    def role(self, unit: Piece) -> str | None:
        """Return the role under which a unit's metrics are logged; None if it has none."""
        if unit is self.charger:
            return "charger"
        return "target" if unit.name == self.met else None

    def meet(self, unit: Piece) -> None:
        """Record a unit met, dropping the metrics of one met before."""
        for key in () if unit.name == self.met else OF_ONE_TARGET:
            self.log.pop(key, None)
        self.met = unit.name
        self.has_met = True

    def meet_ground(self) -> None:
        """Record meeting a building or hill, dropping the metrics of a unit met before."""
        for key in OF_ONE_TARGET if self.has_met else ():
            self.log.pop(key, None)

    def add(self, name: str, unit: Piece, value: Any) -> None:
        """Add to a metric of charger or target."""
        role = self.role(unit)
        if role is not None:
            key = f"{name}_{role}"
            self.log[key] = value if key not in self.log else self.log[key] + value

    def forget(self) -> None:
        """Drop the metrics of earlier collisions."""
        for key in COLLISION:
            self.log.pop(key, None)

    def hurt(
        self, unit: Piece, points: int, side: str, *, is_kick: bool = False, shakes: bool = True
    ) -> list[str]:
        """Deal points in fives; give the codes hit.

        A location `shakes` a vehicle where it calls for a motive roll of its own.
        """
        groups = [5] * (points // 5) + ([points % 5] if points % 5 else [])
        return self.locate(unit, groups, side, is_kick=is_kick, shakes=shakes)

    def locate(
        self,
        unit: Piece,
        groups: list[int],
        side: str,
        *,
        is_kick: bool = False,
        shakes: bool = True,
    ) -> list[str]:
        """Roll where groups hit; give the codes, with a "c" after those that are critical."""
        self.points[unit.name] = self.points.get(unit.name, 0) + sum(groups)
        if unit.kind == "dropship":
            return []
        return [
            self._kick(unit, side) if is_kick else self._location(unit, side, shakes=shakes)
            for _ in groups
        ]

    def _kick(self, unit: Piece, side: str) -> str:
        legs = KICKS[unit.legs, side].split()
        return legs[0] if len(legs) == 1 else legs[self.die() > 3]

    def _location(self, unit: Piece, side: str, *, shakes: bool) -> str:
        is_left = self.rule("vehicle_front_5", "right") == "left"
        code, mark = location(unit, side, self.two(), left_at_five=is_left)
        if mark == "m" and shakes:
            self.motive(unit, side)
        return code + ("c" if mark == "c" else "")

    def motive(self, unit: Piece, side: str) -> str:
        """Roll motive damage and let it work at once."""
        total = self.two() + SIDE_MODIFIER[side] + MOTION_MODIFIER[unit.motion]
        result = next(name for least, name in RESULTS if total >= least)
        self.add("motive", unit, [result])
        if result not in unit.faults:
            unit.profile["piloting"] += WORSE[result]
        unit.faults.add(result)
        if "walk" in unit.profile:
            walk = unit.profile["walk"]
            unit.profile["walk"] = (
                max(0, walk - 1)
                if result == "moderate"
                else -(-walk // 2)
                if result == "heavy"
                else walk
            )
        if result == "immobile":
            unit.status.add("immobile")
        return result

    def enter_building(self, place: Hex, added: int, hexes: int, cf: int) -> tuple[int, bool]:
        """Roll for entering a building hex whose CF counts as given; give the number and whether it failed."""
        unit = self.charger
        ground = self.table.at(place)
        speed = (
            next(
                value
                for least, value in ((10, 4), (7, 3), (5, 2), (3, 1), (0, 0))
                if hexes >= least
            )
            if self.rule("building_speed_row", "off") == "on"
            else 0
        )
        number = unit.skill + added + (0, 1, 2, 5)[strength(cf)] + speed
        has_failed = not self.passes(number)
        if has_failed:
            self.hurt(unit, -(-cf // 10), "front", shakes=False)
            if unit.kind == "vehicle":
                self.motive(unit, "front")
        ground.cf = max(0, ground.cf - unit.tenths)
        return number, has_failed

    def fall(self, unit: Piece, number: int | None, levels: int) -> None:
        """Fall at a number that was failed, or without a roll; vehicles only drop."""
        turned, side = FALLS[self.die()]
        points = unit.tenths * (levels + 1)
        self.add("fall_damage", unit, points)
        before = self.points.get(unit.name, 0)
        self.hurt(unit, points, side)
        self.points[unit.name] = before
        self.log["fell"] += [unit.name] if unit.name not in self.log["fell"] else []
        if unit.kind != "mech":
            return
        unit.facing = (unit.facing + turned) % 6
        unit.status.add("prone")
        harder = levels if self.rule("pilot_levels", "levels") == "levels" else max(0, levels - 1)
        holds = self.passes((unit.skill if number is None else number) + harder)
        self.add("pilot_hits", unit, int(not holds))

    def keep_feet(self, unit: Piece) -> None:
        """Roll after a hit, and fall where it fails."""
        if not unit.is_up:
            return
        numbers = self._numbers(unit)
        self.add("psr", unit, numbers)
        for number in numbers:
            if not self.passes(number):
                self.fall(unit, number, 0)
                return

    def _numbers(self, unit: Piece) -> list[int]:
        reading = self.rule("heavy_damage_psr", "shared")
        if self.points.get(unit.name, 0) < HEAVY or reading == "off":
            return [unit.skill + 2]
        return [unit.skill + 3] * 2 if reading == "shared" else [unit.skill + 2, unit.skill + 1]

    def after(self) -> dict[str, tuple[str, int, frozenset[str]]]:
        """Return hex, facing and what lies or cannot move, of every unit."""
        return {
            unit.name: (
                printed(unit.hex),
                unit.facing,
                frozenset(unit.status & {"prone", "immobile"}),
            )
            for unit in self.table.units.values()
        }
