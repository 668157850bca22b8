"""The charge phase: charges resolved one after another, and for odds on every table that earlier charges may leave.

A game defines how a turn ends, how a charge may end on one table, and what of a table can matter to later charges;
tables that are equal in that are resolved once.
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
    """Base of the charge phase of a game: the charges of a case, resolved in turn, each on the table that the turns
    before it left.

    Attributes
    ----------
    case
        The case that is asked.
    charges
        The charges in file order.
    budget
        Limits that end a search early.
    start
        The table of the first turn, in the form that the game resolves charges on.
    """

    def __init__(self, case: AskedCase, budget: Budget, start: Table) -> None:
        self.case = case
        self.charges = case.charges
        self.budget = budget
        self.start = start

    @property
    def turns(self) -> Sequence[Sequence[int]]:
        """The numbers of the charges that are resolved together in each turn; by default each alone, in file order."""
        return [[number] for number in range(len(self.charges))]

    @abstractmethod
    def rule(
        self, turn: Sequence[int], table: Table, dice: DiceSource, earlier: Mapping[int, Ruling]
    ) -> tuple[Mapping[int, Ruling], Table]:
        """Return the rulings of a turn by charge number, in the order of moves, and the table afterwards.

        Parameters
        ----------
        turn
            Numbers of the charges that are resolved together.
        table
            The table before the turn.
        dice
            Source of the dice.
        earlier
            The rulings of the earlier turns, by charge number.
        """

    @abstractmethod
    def odds(self) -> Odds:
        """Return the exact chances of all charges over all dice."""

    def state_of(self, table: Table) -> State[Any]:
        """Return a table of the phase as the `State` that rulings and files use; by default it is one already."""
        return table  # type: ignore[return-value]

    def resolve(self, throws: DiceSource) -> Resolution:
        """Resolve all charges in turn and return their rulings in file order, with the tables before and after.

        Raises
        ------
        NoVerdictError
            If a limit ends a search before anything is known.
        ScenarioError
            If there are fewer or more faces of dice than are rolled.
        """
        table = self.start
        rulings = dict[int, Ruling]()
        tables = dict[int, tuple[State[Any], State[Any]]]()
        for turn in self.turns:
            found, left = self.rule(turn, table, throws, rulings)
            rulings |= found
            tables |= dict.fromkeys(turn, (self.state_of(table), self.state_of(left)))
            table = left
        throws.close()
        in_file = sorted(rulings)
        told = tuple(rulings[number] for number in in_file)
        order = tuple(rulings)
        after = self.state_of(table)
        return Resolution(
            self.case.state, told, after, order, tables=tuple(tables[number] for number in in_file)
        )


# Every table that may be.


@dataclass(frozen=True, eq=False)
class Ways(Generic[Table]):
    """All possible endings of a charge on one table, and the table that each of them leaves, in the same order."""

    endings: Sequence[Ending]
    tables: Sequence[Table] = ()


@dataclass(frozen=True)
class JointState(Generic[Table]):
    """A table that the charges so far may leave, with their outcomes in file order and the chance of all that.

    `key` identifies whatever of the table matters to later charges; joint states with equal keys and outcomes are
    merged.
    """

    table: Table
    key: Hashable
    outcomes: tuple[OddsOutcome, ...] = ()
    chance: Fraction = Fraction(1)

    def left(
        self, outcome: OddsOutcome, chance: Fraction, table: Table, *, key: Hashable
    ) -> "JointState[Table]":
        """Return the joint state after one ending of the next charge.

        Parameters
        ----------
        outcome, chance
            The ending, and its chance on this table.
        table, key
            The table afterwards, and what of it matters to later charges.
        """
        return JointState(table, key, (*self.outcomes, outcome), self.chance * chance)


@dataclass(frozen=True)
class ChargeTurn(Generic[Reached]):
    """One charge on all tables that the earlier charges may leave.

    Attributes
    ----------
    charge
        The charge.
    on_tables
        Its possible endings on each distinguishable table, with the chance of that table.
    worlds
        Number of joint states in which it is resolved: tables and outcomes of earlier charges.
    undecided
        Chance that an earlier charge has no known outcome, so that nothing is known of this one.
    """

    charge: Charge
    on_tables: tuple[tuple[Reached, Fraction], ...]
    worlds: int
    undecided: Fraction = Fraction(0)

    @property
    def left_open(self) -> tuple[Ending, ...]:
        """The ending "undecided" for the tables of which nothing is known; empty if there are none."""
        return (Ending("undecided", None, self.undecided),) if self.undecided else ()


class BranchingPhase(ChargePhase[Table], Generic[Table, Reached]):
    """Base of a phase whose charges take turns in file order, each with its own dice.

    Attributes
    ----------
    most_worlds
        Largest number of joint states (tables and outcomes of earlier charges) in which one charge is resolved for
        odds.
    most_tables
        Largest number of tables on which all charges together are resolved.
    """

    most_worlds: int = 20_000
    most_tables: int = 20_000

    @abstractmethod
    def ways(self, number: int, table: Table) -> Reached:
        """Return all possible endings of a charge on a table, by its number in the file, with the table after each."""

    def left(
        self, number: int, ways: Reached, world: JointState[Table]
    ) -> Iterable[JointState[Table]]:
        """Yield the joint state after each ending of a charge; the endings may be those on an equivalent table."""
        for ending, table in zip(ways.endings, ways.tables, strict=True):
            yield world.left(ending.outcome, ending.chance, table, key=self.key(number + 1, table))

    def key(self, number: int, table: Table) -> Hashable:
        """Return everything of a table that may matter to a charge and those after it; by default name, place and
        status of all units.

        None after the last charge, since nothing matters then.
        """
        if number == len(self.charges):
            return None
        return tuple(
            (unit.name, unit.place, unit.status) for unit in self.state_of(table).units.values()
        )

    def key_now(self, number: int, world: JointState[Table]) -> Hashable:
        """Return everything of a joint state on which the endings of a charge depend; by default the key of the joint
        state.
        """
        del number
        return world.key

    def totals(self, charge: Charge) -> Mapping[int, Fraction]:
        """Return the chance of each total of one roll of a charge; by default empty: nothing is rolled."""
        del charge
        return {}

    def chances(self, number: int, turn: ChargeTurn[Reached]) -> ChargeOdds:
        """Return the odds of a charge from all its possible endings on all tables; `number` is its number in the
        file.
        """
        del number
        verdicts = [
            *(ending.times(chance) for ways, chance in turn.on_tables for ending in ways.endings),
            *turn.left_open,
        ]
        return charge_odds(turn.charge, verdicts, by_total(verdicts, self.totals(turn.charge)))

    def odds(self) -> Odds:
        """Return the exact chances of all charges over all dice, by going through all tables that the charges may
        leave.

        Raises
        ------
        NoVerdictError
            If the tables are too many, the time is used up, or a charge has no verdict on one of the tables.
        """
        turns, joint = self.on_all_tables()
        return Odds(tuple(self.chances(number, turn) for number, turn in enumerate(turns)), joint)

    def on_all_tables(
        self,
    ) -> tuple[tuple[ChargeTurn[Reached], ...], Mapping[tuple[OddsOutcome, ...], Fraction]]:
        """Return each charge with its endings on all tables, and the chances of joint outcomes, the likeliest first."""
        worlds = [JointState(self.start, self.key(0, self.start))]
        turns = list[ChargeTurn[Reached]]()
        for number in range(len(self.charges)):
            turn, worlds = self._turn(
                number, worlds, before=sum(len(turn.on_tables) for turn in turns)
            )
            turns.append(turn)
        return tuple(turns), likeliest_first((world.outcomes, world.chance) for world in worlds)

    def _turn(
        self, number: int, worlds: Sequence[JointState[Table]], *, before: int
    ) -> tuple[ChargeTurn[Reached], list[JointState[Table]]]:
        """Resolve one charge in every joint state, once for tables that it cannot distinguish.

        Parameters
        ----------
        number
            Number of the charge in the file.
        worlds
            Joint states that the earlier charges may leave.
        before
            Number of tables resolved for earlier charges.

        Returns
        -------
        tuple[ChargeTurn, list[JointState]]
            The endings on all tables, and the joint states afterwards.
        """
        alike: dict[Hashable, list[JointState[Table]]] = {}
        closed = [world for world in worlds if "undecided" not in world.outcomes]
        for world in closed:
            alike.setdefault(self.key_now(number, world), []).append(world)
        self._refuse_more(number, len(worlds), self.most_worlds)
        self._refuse_more(number, before + len(alike), self.most_tables)
        on_tables = list[tuple[Reached, Fraction]]()
        found = dict[Hashable, JointState[Table]]()
        for group in alike.values():
            self._refuse_late(number, before + len(on_tables), len(alike))
            ways = self.ways(number, group[0].table)
            on_tables.append((ways, sum((world.chance for world in group), Fraction(0))))
            for world in group:
                self._refuse_late(number, 0, len(alike))
                _merge(found, self.left(number, ways, world))
        unknown = [world for world in worlds if "undecided" in world.outcomes]
        _merge(
            found,
            (world.left("undecided", Fraction(1), world.table, key=None) for world in unknown),
        )
        undecided = sum((world.chance for world in unknown), Fraction(0))
        return ChargeTurn(self.charges[number], tuple(on_tables), len(worlds), undecided), list(
            found.values()
        )

    def _refuse_late(self, number: int, work: int, count: int) -> None:
        if self.budget.is_spent(work):
            unsettled = self._on_tables(number, count)
            raise NoVerdictError(
                "the time was used up before every throw of the dice was settled: {unsettled}",
                unsettled=unsettled,
            )

    def _refuse_more(self, number: int, count: int, most: int) -> None:
        if count > most:
            message = "{charge} after the charges before it; at most {most} are tried"
            raise NoVerdictError(message, charge=self._on_tables(number, count), most=most)

    def _on_tables(self, number: int, count: int) -> str:
        charge = self.charges[number]
        tables = counted(count, "tables")
        told = {
            "number": number,
            "charger": charge.charger,
            "targets": ", ".join(charge.targets),
            "count": tables,
        }
        return say("charges[{number}] ({charger} charges {targets}) may find {count}", **told)


def _merge(found: dict[Hashable, JointState[Table]], more: Iterable[JointState[Table]]) -> None:
    """Add joint states to those found so far; of states with equal outcomes and keys the chances are added."""
    for world in more:
        key = world.outcomes, world.key
        found[key] = (
            replace(world, chance=world.chance + found[key].chance) if key in found else world
        )
