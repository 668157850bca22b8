"""The state of a charge while it is resolved: the table, pending tasks, and results so far."""

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
"""What a charger ran into: a unit by name, a building or hill by hex; and the to-hit number, if rolled."""


@dataclass(frozen=True)
class Strike:
    """One collision of the charger with a unit (`target`), a building or a hill in the hex `place`.

    `roll` is the to-hit roll, None if none was needed; `damage` that of a hit, None for a miss.
    """

    kind: Literal["unit", "building", "hill"]
    target: str | None
    place: Hex
    roll: Check | None
    damage: Damage | None
    is_unintentional: bool = False

    @property
    def met(self) -> "StruckObject":
        """Key of what the charger ran into, which it meets at most once per charge: kind, name or hex, and the to-hit
        number.
        """
        return (
            self.kind,
            self.place if self.target is None else self.target,
            None if self.roll is None else self.roll.number,
        )

    @property
    def is_hit(self) -> bool:
        """Whether the collision was a hit."""
        return self.damage is not None


@dataclass(frozen=True)
class Skid:
    """A skid: its limit in hexes, the hexes passed with the start first, and the number that the failed roll before it
    needed.
    """

    limit: int
    hexes: tuple[Hex, ...]
    number: int

    @property
    def entered(self) -> int:
        """Number of hexes entered by skidding."""
        return len(self.hexes) - 1


Task = tuple[Callable[..., "ChargeState"], tuple[Any, ...]]
"""A function of the state and a roller, with its other arguments."""


@dataclass(frozen=True)
class ChargeState:
    """The state of a charge while it is resolved.

    Attributes
    ----------
    forward
        The hexside, clockwise from N, that the charger faced when it charged.
    keep
        Names of units whose details later charges need.
    agenda
        The tasks still to do, the next one first.
    wear
        Losses of construction factor (CF) of building hexes in this charge; the table's ground keeps the CF from before
        the charge.
    failed
        Failed piloting rolls of the Weapon Attack Phase, by name of the unit.
    fell
        Names of the units that fell, in order.
    hurt
        Points of damage that units took in this charge, as far as they make rolls harder.
    strikes
        The charger's collisions, in order.
    push
        What became of the push of a target: "moved", "blocked", or "none" if there was none.
    toppled
        Failed rolls of units in the line of a push: the name, and the number needed.
    skid
        The charger's skid; None if it does not skid.
    rule
        The rule that decided against success; without effect if the target is hit.
    options
        Hexes beside the target into which a charger that misses may go; None if it has not come to that.
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
        """The charger in its present state."""
        return self.table.units[self.declared.charger]

    @property
    def target(self) -> CombatUnit | None:
        """The unit charged in its present state; None if a building is charged."""
        return None if self.declared.target is None else self.table.units[self.declared.target]

    @property
    def dealt(self) -> Damage | None:
        """The damage of the hit on the declared target; None if it is not hit."""
        meant = (strike.damage for strike in self.strikes if self.is_meant(strike))
        return next((damage for damage in meant if damage is not None), None)

    @property
    def is_success(self) -> bool:
        """Whether the charge has hit its declared target."""
        return self.dealt is not None

    @property
    def is_missed(self) -> bool:
        """Whether the roll to hit the declared target failed; the rolls of a skid are no such roll."""
        return any(not strike.is_hit and not strike.is_unintentional for strike in self.strikes)

    @property
    def is_down(self) -> bool:
        """Whether the charger fell because of weapon fire."""
        return self.declared.charger in dict(self.failed)

    def is_meant(self, strike: Strike) -> bool:
        """Return whether a collision was with the declared target."""
        if self.declared.target is not None:
            return strike.target == self.declared.target
        return strike.kind == "building" and strike.place == self.declared.target_hex

    @property
    def struck(self) -> str | None:
        """Name of the unit that the charger ran into last (None for a building or hill); before any collision that of
        its target.
        """
        return self.strikes[-1].target if self.strikes else self.declared.target

    @property
    def front(self) -> Hex:
        """The hex ahead of the charger, in the direction of its charge."""
        return neighbour(self.charger.hex, self.forward)

    def but(self, **changes: Any) -> "ChargeState":
        """Return a copy of the state with other values.

        It does what `dataclasses.replace` does in a fifth of the time, which dominates the odds.
        """
        other = object.__new__(ChargeState)
        other.__dict__.update(self.__dict__, **changes)
        return other

    def cf(self, place: Hex) -> int:
        """Return the remaining construction factor (CF) of a hex, at least 0."""
        return max(
            self.table.at(place).cf - sum(points for worn, points in self.wear if worn == place), 0
        )

    def then(self, *tasks: Task) -> "ChargeState":
        """Return the state with more tasks to do, before all others."""
        return self.but(agenda=(*tasks, *self.agenda))

    def with_unit(self, unit: CombatUnit) -> "ChargeState":
        """Return the state with one unit replaced."""
        return self.but(table=self.table.with_unit(unit))

    def with_cf_loss(self, place: Hex, points: int) -> "ChargeState":
        """Return the state with the CF of a building hex reduced by `points`."""
        return self.but(wear=(*self.wear, (place, points)))

    def with_strike(self, strike: Strike) -> "ChargeState":
        """Return the state with one more collision."""
        return self.but(strikes=(*self.strikes, strike))

    def with_fall(self, name: str) -> "ChargeState":
        """Return the state with the unit of this name added to the fallen ones."""
        return self.but(fell=(*self.fell, name))

    def with_points(self, name: str, points: int) -> "ChargeState":
        """Return the state with `points` of damage added to a unit's."""
        return self.but(hurt=(*self.hurt, (name, points)))

    def points(self, name: str) -> int:
        """Return the points of damage that a unit took in this charge."""
        return sum(points for other, points in self.hurt if other == name)

    def stepped(self, roller: Roller) -> "ChargeState":
        """Return the state after carrying out the next task."""
        (task, given), *rest = self.agenda
        return task(self.but(agenda=tuple(rest)), roller, *given)

    @property
    def key(self) -> Hashable:
        """Hashable key of everything that may affect later steps or answers."""
        course = self.agenda, self.wear, self.failed, self.fell, self.hurt, self.toppled, self.skid
        ends = self.strikes, self.push, self.rule, self.options
        return course, ends, tuple(unit_key(unit) for unit in self.table.units.values())


def begin(declared: Declared, table: Table, *, keep: frozenset[str] = frozenset()) -> ChargeState:
    """Return the state of a charge before its first task; `keep` names units whose details later charges need."""
    return ChargeState(declared, table, table.units[declared.charger].facing, keep)


def unit_key(unit: CombatUnit) -> Hashable:
    """Return as a key everything of a unit that a charge may change."""
    return unit.hex, unit.facing, unit.status, unit.profile.piloting, unit.profile.walk, unit.motive


def rolled(check: Check) -> str:
    """Return a clause on what a roll showed, what it needed, and whether it was passed."""
    total = check.total
    number = check.number
    if total is None and check.is_passed:
        return say("needs {number}, passed without a roll", number=number)
    if total is None:
        return say("needs {number}, failed without a roll", number=number)
    if check.is_passed:
        return say("rolls {total}, needs {number}: passed", total=total, number=number)
    return say("rolls {total}, needs {number}: failed", total=total, number=number)


def shown_roll(check: Check) -> str:
    """Return a label with what a roll showed and needed, for figures."""
    if check.total is None:
        return say("needs {limit:g}", limit=check.number)
    return say("rolled {total:g}, needs {limit:g}", total=check.total, limit=check.number)


def shown_fall(check: Check) -> str:
    """Return a label for figures with the roll by which a unit fell to weapon fire, if it rolled."""
    return (
        say("fell because of weapon fire")
        if check.total is None
        else say("falls: {rolls}", rolls=shown_roll(check))
    )


def in_hexes(count: int) -> str:
    """Return a number of hexes in words, such as "2 hexes"."""
    return say("1 hex") if count == 1 else say("{count} hexes", count=count)
