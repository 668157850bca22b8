"""The charge phase: charges resolved one after another, and for odds on every table that earlier charges may leave.

A game says what a turn comes to, what a charge may come to on one table, and what of a table can matter to charges; tables alike in that
are one.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, TypeVar

from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.messages import counted, say
from tabletop.ruling.charge import AskedCase, Charge, OddsOutcome
from tabletop.ruling.odds import ChargeOdds, Ending, Odds, by_total, charge_odds, likeliest_first
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.dice import DiceSource
from tabletop.table.state import State

Table = TypeVar("Table")

Reached = TypeVar("Reached", bound="Ways[Any]")


class ChargePhase(ABC, Generic[Table]):
    """The charges of a case, resolved in turn, each on the table that the turns before it left.

    Attributes
    ----------
    case
        What is asked.
    charges
        The charges in the order of the file.
    budget
        What ends a search early.
    start
        The table of the first turn.
    """

    def __init__(self, case: AskedCase, budget: Budget, start: Table) -> None:
        self.case, self.charges, self.budget, self.start = case, case.charges, budget, start

    @property
    def turns(self) -> Sequence[Sequence[int]]:
        """The numbers of the charges that take each turn together; by default each alone, in file order."""
        return [[number] for number in range(len(self.charges))]

    @abstractmethod
    def rule(
        self, turn: Sequence[int], table: Table, dice: DiceSource, earlier: Mapping[int, Ruling]
    ) -> tuple[Mapping[int, Ruling], Table]:
        """Return the rulings of a turn by charge number, in the order of moves, and the table afterwards."""

    @abstractmethod
    def odds(self) -> Odds:
        """Return the exact chances of all charges over all dice."""

    def state_of(self, table: Table) -> State[Any]:
        """Return the table in the form that rulings and files use; by default unchanged."""
        return table  # type: ignore[return-value]

    def resolve(self, throws: DiceSource) -> Resolution:
        """Resolve all charges in turn.

        Raises
        ------
        NoVerdictError
            If a limit ends a search before anything is known.
        ScenarioError
            If the dice given are not as many as are rolled.
        """
        table = self.start
        rulings, tables = dict[int, Ruling](), dict[int, tuple[State[Any], State[Any]]]()
        for turn in self.turns:
            found, left = self.rule(turn, table, throws, rulings)
            rulings |= found
            tables |= dict.fromkeys(turn, (self.state_of(table), self.state_of(left)))
            table = left
        throws.close()
        in_file = sorted(rulings)
        told = tuple(rulings[number] for number in in_file)
        order, after = tuple(rulings), self.state_of(table)
        return Resolution(self.case.state, told, after, order, tables=tuple(tables[number] for number in in_file))


# Every table that may be.


@dataclass(frozen=True, eq=False)
class Ways(Generic[Table]):
    """All possible endings of a charge on one table, with the table that each leaves."""

    endings: Sequence[Ending]
    tables: Sequence[Table] = ()


@dataclass(frozen=True)
class JointState(Generic[Table]):
    """A table that the charges so far may leave: what matters to later charges, the outcomes so far, and its chance."""

    table: Table
    key: Hashable
    outcomes: tuple[OddsOutcome, ...] = ()
    chance: Fraction = Fraction(1)

    def left(self, outcome: OddsOutcome, chance: Fraction, table: Table, *, key: Hashable) -> "JointState[Table]":
        """Return the joint state after one ending of the next charge; `chance` is that of the ending, `table` the one afterwards."""
        return JointState(table, key, (*self.outcomes, outcome), self.chance * chance)


@dataclass(frozen=True)
class ChargeTurn(Generic[Reached]):
    """The turn of one charge: its endings on each of the distinguishable tables, with that table's chance.

    `worlds` is the number of tables that it may find, by whatever matters to it or to later charges. With a chance of `undecided` it is
    not known what an earlier charge comes to, and so nothing of this one.
    """

    charge: Charge
    on_tables: tuple[tuple[Reached, Fraction], ...]
    worlds: int
    undecided: Fraction = Fraction(0)

    @property
    def left_open(self) -> tuple[Ending, ...]:
        """The outcome on tables that an undecided charge leaves, if there are any."""
        return (Ending("undecided", None, self.undecided),) if self.undecided else ()


class BranchingPhase(ChargePhase[Table], Generic[Table, Reached]):
    """A phase whose charges take turns in file order, each with its own dice.

    Attributes
    ----------
    most_worlds
        Tables, told apart also by the outcomes so far, that one charge may find.
    most_tables
        Tables that all charges together are put on.
    """

    most_worlds: int = 20_000
    most_tables: int = 20_000

    @abstractmethod
    def ways(self, number: int, table: Table) -> Reached:
        """Return all endings of a charge on a table."""

    def left(self, number: int, ways: Reached, world: JointState[Table]) -> Iterable[JointState[Table]]:
        """Yield the joint states after a charge; its endings are those on an equivalent table."""
        for ending, table in zip(ways.endings, ways.tables, strict=True):
            yield world.left(ending.outcome, ending.chance, table, key=self.key(number + 1, table))

    def key(self, number: int, table: Table) -> Hashable:
        """Return everything of a table that may matter to a charge and those after it; by default places and status of all units."""
        if number == len(self.charges):
            return None
        return tuple((unit.name, unit.place, unit.status) for unit in self.state_of(table).units.values())

    def key_now(self, number: int, world: JointState[Table]) -> Hashable:
        """Return everything of a joint state that the endings depend on; by default what matters to later charges too."""
        del number
        return world.key

    def totals(self, charge: Charge) -> Mapping[int, Fraction]:
        """Return the chances of the totals of one roll for a charge; by default nothing is rolled."""
        del charge
        return {}

    def chances(self, number: int, turn: ChargeTurn[Reached]) -> ChargeOdds:
        """Return the chances of a charge, from all endings of its turn."""
        del number
        verdicts = [*(ending.times(chance) for ways, chance in turn.on_tables for ending in ways.endings), *turn.left_open]
        return charge_odds(turn.charge, verdicts, by_total(verdicts, self.totals(turn.charge)))

    def odds(self) -> Odds:
        """Return the exact chances of all charges.

        Raises
        ------
        NoVerdictError
            If the tables are too many, the time is used up, or a charge has no verdict on one of the tables.
        """
        turns, joint = self.on_all_tables()
        return Odds(tuple(self.chances(number, turn) for number, turn in enumerate(turns)), joint)

    def on_all_tables(self) -> tuple[tuple[ChargeTurn[Reached], ...], Mapping[tuple[OddsOutcome, ...], Fraction]]:
        """Return the turns of all charges, and the chances of joint outcomes, likeliest first."""
        worlds, turns = [JointState(self.start, self.key(0, self.start))], list[ChargeTurn[Reached]]()
        for number in range(len(self.charges)):
            turn, worlds = self._turn(number, worlds, before=sum(len(turn.on_tables) for turn in turns))
            turns.append(turn)
        return tuple(turns), likeliest_first((world.outcomes, world.chance) for world in worlds)

    def _turn(
        self, number: int, worlds: Sequence[JointState[Table]], *, before: int
    ) -> tuple[ChargeTurn[Reached], list[JointState[Table]]]:
        """Resolve one charge in every joint state, once for tables that it cannot distinguish; `before` were resolved earlier."""
        alike: dict[Hashable, list[JointState[Table]]] = {}
        closed = [world for world in worlds if "undecided" not in world.outcomes]
        for world in closed:
            alike.setdefault(self.key_now(number, world), []).append(world)
        self._refuse_more(number, len(worlds), self.most_worlds)
        self._refuse_more(number, before + len(alike), self.most_tables)
        on_tables, found = list[tuple[Reached, Fraction]](), dict[Hashable, JointState[Table]]()
        for group in alike.values():
            self._refuse_late(number, before + len(on_tables), len(alike))
            ways = self.ways(number, group[0].table)
            on_tables.append((ways, sum((world.chance for world in group), Fraction(0))))
            for world in group:
                self._refuse_late(number, 0, len(alike))
                _merge(found, self.left(number, ways, world))
        unknown = [world for world in worlds if "undecided" in world.outcomes]
        _merge(found, (world.left("undecided", Fraction(1), world.table, key=None) for world in unknown))
        undecided = sum((world.chance for world in unknown), Fraction(0))
        return ChargeTurn(self.charges[number], tuple(on_tables), len(worlds), undecided), list(found.values())

    def _refuse_late(self, number: int, work: int, count: int) -> None:
        if self.budget.is_spent(work):
            unsettled = self._on_tables(number, count)
            raise NoVerdictError("the time was used up before every throw of the dice was settled: {unsettled}", unsettled=unsettled)

    def _refuse_more(self, number: int, count: int, most: int) -> None:
        if count > most:
            message = "{charge} after the charges before it; at most {most} are tried"
            raise NoVerdictError(message, charge=self._on_tables(number, count), most=most)

    def _on_tables(self, number: int, count: int) -> str:
        charge, tables = self.charges[number], counted(count, "tables")
        told = {"number": number, "charger": charge.charger, "targets": ", ".join(charge.targets), "count": tables}
        return say("charges[{number}] ({charger} charges {targets}) may find {count}", **told)


def _merge(found: dict[Hashable, JointState[Table]], more: Iterable[JointState[Table]]) -> None:
    """Add joint states to those found; the chances of indistinguishable ones are added."""
    for world in more:
        key = world.outcomes, world.key
        found[key] = replace(world, chance=world.chance + found[key].chance) if key in found else world
