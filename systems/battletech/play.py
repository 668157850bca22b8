"""A charge while it is resolved: the table as it is, what is still to do, and what has come of it."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Literal

from systems.battletech.damage import Damage
from systems.battletech.roll import Check, Roller
from systems.battletech.scene import CombatUnit, Declared, Table
from tabletop.messages import say
from tabletop.table.hexes import neighbour
from tabletop.table.state import Hex

StruckObject = tuple[str, str | Hex, int | None]
"""What a charger met: a unit by its name, a building or a hill by its hex; and the number to hit it, if one is rolled for."""


@dataclass(frozen=True)
class Strike:
    """One time that the charger met a unit (its name is `target`), a building or a hill in a hex; `damage` if it was hit."""

    kind: Literal["unit", "building", "hill"]
    target: str | None
    place: Hex
    roll: Check | None
    damage: Damage | None
    is_unintentional: bool = False

    @property
    def met(self) -> "StruckObject":
        """What the charger met: a charge meets the same thing once at most."""
        return self.kind, self.place if self.target is None else self.target, None if self.roll is None else self.roll.number

    @property
    def is_hit(self) -> bool:
        """Whether it was hit."""
        return self.damage is not None


@dataclass(frozen=True)
class Skid:
    """A skid: how many hexes it may go, those it has gone through, the start first, and the number of the roll that began it."""

    limit: int
    hexes: tuple[Hex, ...]
    number: int

    @property
    def entered(self) -> int:
        """Hexes entered by skidding."""
        return len(self.hexes) - 1


Task = tuple[Callable[..., "ChargeState"], tuple[Any, ...]]
"""A function of the state and a roller, and what else it takes."""


@dataclass(frozen=True)
class ChargeState:
    """A charge while it is resolved.

    Attributes
    ----------
    forward
        The side of its hex that the charger faced when it charged.
    keep
        Units whose state later charges ask for.
    agenda
        What is still to do, next first.
    wear
        CF that building hexes lost in this charge; until it is over the ground has what it had before.
    failed
        Weapon-phase rolls that failed, by name.
    fell
        Who fell, in order.
    hurt
        Points that units took in this charge, as far as they make rolls harder.
    strikes
        What the charger met.
    push
        What became of the push of a target: moved or blocked; none if there was none.
    toppled
        Rolls that failed of those in the way of a push, by name, with their numbers.
    rule
        The rule that decided against success, as long as nothing was hit that counts.
    options
        Hexes beside the target for a charger that misses; None if it does not come to that.
    """

    declared: Declared
    table: Table
    forward: int
    keep: frozenset[str] = frozenset()
    agenda: tuple[Task, ...] = ()
    wear: tuple[tuple[Hex, int], ...] = ()
    failed: tuple[tuple[str, Check], ...] = ()
    fell: tuple[str, ...] = ()
    hurt: tuple[tuple[str, int], ...] = ()
    strikes: tuple[Strike, ...] = ()
    push: str = "none"
    toppled: tuple[tuple[str, int], ...] = ()
    skid: Skid | None = None
    rule: str | None = None
    options: tuple[Hex, ...] | None = None

    @property
    def charger(self) -> CombatUnit:
        """The charger as it stands."""
        return self.table.units[self.declared.charger]

    @property
    def target(self) -> CombatUnit | None:
        """The unit charged as it stands; None if a building is."""
        return None if self.declared.target is None else self.table.units[self.declared.target]

    @property
    def is_success(self) -> bool:
        """Whether a charge hit what was declared as its target."""
        return any(strike.is_hit and self.is_meant(strike) for strike in self.strikes)

    def is_meant(self, strike: Strike) -> bool:
        """Return whether the charger met what was declared as its target."""
        if self.declared.target is not None:
            return strike.target == self.declared.target
        return strike.kind == "building" and strike.place == self.declared.target_hex

    @property
    def struck(self) -> str | None:
        """The unit that the charger met last, else the one it means to."""
        return self.strikes[-1].target if self.strikes else self.declared.target

    @property
    def front(self) -> Hex:
        """The hex before the charger, the way it charged."""
        return neighbour(self.charger.hex, self.forward)

    def but(self, **changes: Any) -> "ChargeState":
        """Return the state with other values: as `dataclasses.replace`, at a fifth of its cost, on which the odds spend their time."""
        other = object.__new__(ChargeState)
        other.__dict__.update(self.__dict__, **changes)
        return other

    def cf(self, place: Hex) -> int:
        """Return the construction factor left in a hex."""
        return max(self.table.at(place).cf - sum(points for worn, points in self.wear if worn == place), 0)

    def then(self, *tasks: Task) -> "ChargeState":
        """Return the state with more to do, before all else."""
        return self.but(agenda=(*tasks, *self.agenda))

    def with_unit(self, unit: CombatUnit) -> "ChargeState":
        """Return the state with one unit replaced."""
        return self.but(table=self.table.with_unit(unit))

    def with_cf_loss(self, place: Hex, points: int) -> "ChargeState":
        """Return the state with CF taken off a building hex."""
        return self.but(wear=(*self.wear, (place, points)))

    def with_strike(self, strike: Strike) -> "ChargeState":
        """Return the state with one more thing that the charger met."""
        return self.but(strikes=(*self.strikes, strike))

    def with_fall(self, name: str) -> "ChargeState":
        """Return the state with one more unit that fell."""
        return self.but(fell=(*self.fell, name))

    def with_points(self, name: str, points: int) -> "ChargeState":
        """Return the state with points that a unit took."""
        return self.but(hurt=(*self.hurt, (name, points)))

    def points(self, name: str) -> int:
        """Return the points that a unit took."""
        return sum(points for other, points in self.hurt if other == name)

    def stepped(self, roller: Roller) -> "ChargeState":
        """Do the next thing on the agenda."""
        (task, given), *rest = self.agenda
        return task(self.but(agenda=tuple(rest)), roller, *given)

    @property
    def key(self) -> Hashable:
        """All that may matter to what comes next or to what is asked afterwards."""
        course = self.agenda, self.wear, self.failed, self.fell, self.hurt, self.toppled, self.skid
        ends = self.strikes, self.push, self.rule, self.options
        return course, ends, tuple(unit_key(unit) for unit in self.table.units.values())


def begin(declared: Declared, table: Table, *, keep: frozenset[str] = frozenset()) -> ChargeState:
    """Start on a charge; `keep` names units whose state later charges ask for."""
    return ChargeState(declared, table, table.units[declared.charger].facing, keep)


def unit_key(unit: CombatUnit) -> Hashable:
    """Return all of a unit that may change in a charge."""
    return unit.hex, unit.facing, unit.status, unit.profile.piloting, unit.profile.walk, unit.motive


def rolled(check: Check) -> str:
    """Return what a roll showed against its target number."""
    total, number = check.total, check.number
    if total is None and check.is_passed:
        return say("needs {number}, passed without a roll", number=number)
    if total is None:
        return say("needs {number}, failed without a roll", number=number)
    if check.is_passed:
        return say("rolls {total}, needs {number}: passed", total=total, number=number)
    return say("rolls {total}, needs {number}: failed", total=total, number=number)


def shown_roll(check: Check) -> str:
    """Return a short text of what a roll showed and needed."""
    if check.total is None:
        return say("needs {limit:g}", limit=check.number)
    return say("rolled {total:g}, needs {limit:g}", total=check.total, limit=check.number)


def shown_fall(check: Check) -> str:
    """Return a short text of the roll by which a unit fell to weapon fire, if it rolled."""
    return say("fell to weapon fire") if check.total is None else say("falls: {rolls}", rolls=shown_roll(check))


def in_hexes(count: int) -> str:
    """Return a number of hexes in words."""
    return say("1 hex") if count == 1 else say("{count} hexes", count=count)
