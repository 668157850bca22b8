"""Charges one after another: every table that the earlier ones may leave to the later ones, as far as these can tell them apart.

A game says what a charge may come to on one table, and what of a table can matter to charges; tables alike in that are one.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Generic, TypeVar

from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.messages import counted, say
from tabletop.ruling.charge import Charge, OddsOutcome
from tabletop.ruling.odds import Ending, likeliest_first

Table = TypeVar("Table")

Endings = TypeVar("Endings")


@dataclass(frozen=True)
class World(Generic[Table]):
    """A table that the charges so far may leave, all of it that matters to those to come, their outcomes, and the chance of it."""

    table: Table
    seen: Hashable
    outcomes: tuple[OddsOutcome, ...] = ()
    chance: Fraction = Fraction(1)

    def left(self, outcome: OddsOutcome, chance: Fraction, table: Table, *, seen: Hashable) -> "World[Table]":
        """Return what one way of the next charge leaves of it; `chance` is that of the way, `table` the one afterwards."""
        return World(table, seen, (*self.outcomes, outcome), self.chance * chance)


@dataclass(frozen=True)
class ChargeTurn(Generic[Endings]):
    """The turn of one charge: all it may come to on each of the tables that it can tell apart, with that table's chance.

    `worlds` is the number of tables that it may find, by whatever matters to it or to later charges. With a chance of `undecided` it is
    not known what an earlier charge comes to, and so nothing of this one.
    """

    charge: Charge
    on_tables: tuple[tuple[Endings, Fraction], ...]
    worlds: int
    undecided: Fraction = Fraction(0)

    @property
    def left_open(self) -> tuple[Ending, ...]:
        """What comes of it on tables that an undecided charge leaves, if there are any."""
        return (Ending("undecided", None, self.undecided),) if self.undecided else ()


class Branching(ABC, Generic[Table, Endings]):
    """How the charges of a file depend on each other.

    Attributes
    ----------
    charges
        The charges, in the order of their turns.
    budget
        What ends it early.
    most_worlds
        Tables, told apart also by the outcomes so far, that one charge may find.
    most_tables
        Tables that all charges together are put on.
    """

    charges: Sequence[Charge]
    budget: Budget
    most_worlds: int = 20_000
    most_tables: int = 20_000

    @abstractmethod
    def ways(self, number: int, table: Table) -> Endings:
        """Return all that the charge of a number may come to on a table."""

    @abstractmethod
    def left(self, number: int, ways: Endings, world: World[Table]) -> Iterable[World[Table]]:
        """Return the worlds that a charge leaves of one; its ways are those on a table that it cannot tell from this one."""

    @abstractmethod
    def seen(self, number: int, table: Table) -> Hashable:
        """Return all of a table that may matter to the charges from a number on."""

    def seen_now(self, number: int, world: World[Table]) -> Hashable:
        """Return all of a world that its ways depend on; unless a game says less, what matters to the later charges too."""
        del number
        return world.seen

    def turns(self, table: Table) -> tuple[tuple[ChargeTurn[Endings], ...], Mapping[tuple[OddsOutcome, ...], Fraction]]:
        """Return the turns of all charges, and the chances of whole rows of outcomes, likeliest first.

        Raises
        ------
        NoVerdictError
            If the tables are too many, the time is used up, or a charge has no verdict on one of the tables.
        """
        worlds, turns = [World(table, self.seen(0, table))], list[ChargeTurn[Endings]]()
        for number in range(len(self.charges)):
            turn, worlds = self._turn(number, worlds, before=sum(len(turn.on_tables) for turn in turns))
            turns.append(turn)
        return tuple(turns), likeliest_first((world.outcomes, world.chance) for world in worlds)

    def _turn(self, number: int, worlds: Sequence[World[Table]], *, before: int) -> tuple[ChargeTurn[Endings], list[World[Table]]]:
        """Let one charge have its turn in every world, on tables that it cannot tell apart once; `before` were gone through before."""
        alike: dict[Hashable, list[World[Table]]] = {}
        closed = [world for world in worlds if "undecided" not in world.outcomes]
        for world in closed:
            alike.setdefault(self.seen_now(number, world), []).append(world)
        self._refuse_more(number, len(worlds), self.most_worlds)
        self._refuse_more(number, before + len(alike), self.most_tables)
        on_tables, found = list[tuple[Endings, Fraction]](), dict[Hashable, World[Table]]()
        for group in alike.values():
            self._refuse_late(number, before + len(on_tables), len(alike))
            ways = self.ways(number, group[0].table)
            on_tables.append((ways, sum((world.chance for world in group), Fraction(0))))
            for world in group:
                self._refuse_late(number, 0, len(alike))
                _merge(found, self.left(number, ways, world))
        unknown = [world for world in worlds if "undecided" in world.outcomes]
        _merge(found, (world.left("undecided", Fraction(1), world.table, seen=None) for world in unknown))
        undecided = sum((world.chance for world in unknown), Fraction(0))
        return ChargeTurn(self.charges[number], tuple(on_tables), len(worlds), undecided), list(found.values())

    def _refuse_late(self, number: int, work: int, count: int) -> None:
        if self.budget.is_spent(work):
            unsettled = self._on_tables(number, count)
            raise NoVerdictError("the time was used up before every throw of the dice was settled: {unsettled}", unsettled=unsettled)

    def _refuse_more(self, number: int, count: int, most: int) -> None:
        if count > most:
            message = "{charge} after the charges before it; at most {most} are gone through"
            raise NoVerdictError(message, charge=self._on_tables(number, count), most=most)

    def _on_tables(self, number: int, count: int) -> str:
        charge, tables = self.charges[number], counted(count, "tables")
        told = {"number": number, "charger": charge.charger, "targets": ", ".join(charge.targets), "count": tables}
        return say("charges[{number}] ({charger} charges {targets}) may find {count}", **told)


def _merge(found: dict[Hashable, World[Table]], more: Iterable[World[Table]]) -> None:
    """Add worlds to those found; of those that nothing tells apart the chances are added up."""
    for world in more:
        key = world.outcomes, world.seen
        found[key] = replace(world, chance=world.chance + found[key].chance) if key in found else world
