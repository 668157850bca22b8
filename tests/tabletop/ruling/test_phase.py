"""Charges one after another on all tables that may be left: merged, counted, limited."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from tabletop.budget import Budget
from tabletop.errors import NoVerdictError, ScenarioError
from tabletop.ruling.charge import Charge, Outcome
from tabletop.ruling.odds import Ending
from tabletop.ruling.phase import BranchingPhase, JointState, Ways
from tabletop.ruling.verdict import Ruling
from tabletop.table.dice import DiceSource
from tabletop.table.state import Board, State
from tests.tables import read, scenario, unit

THIRD = Fraction(1, 3)
FLAT = read(scenario({"B": unit((20, 30), 270)}))
Coins = tuple[int, ...]


class Climbers(BranchingPhase[Coins, Ways[Coins]]):
    """A game in which each charge goes up by 0, 1 or 2 steps and succeeds if above the one before; later ones look back
    by `sight`.
    """

    def __init__(self, count: int, *, sight: int = 1, budget: Budget | None = None) -> None:
        charges = tuple(Charge(f"A{number}", ("T",)) for number in range(count))
        super().__init__(replace(FLAT, charges=charges), budget or Budget(), ())
        self.sight = sight
        self.asked: list[tuple[int, Coins]] = []

    def rule(
        self, turn: Sequence[int], table: Coins, dice: DiceSource, earlier: Mapping[int, Ruling]
    ) -> tuple[Mapping[int, Ruling], Coins]:
        """Go up by what is rolled."""
        (number,) = turn
        assert len(earlier) == number
        (height,) = dice.stream(number, None).take(1, "how far")
        return {number: Ruling(self.charges[number], outcome_of(table, height), "")}, (
            *table,
            height,
        )

    def state_of(self, table: Coins) -> State:
        """Return a board that is as wide as the highest climb."""
        return replace(self.case.state, board=Board(48.0 + max(table, default=0), 36.0))

    def ways(self, number: int, table: Coins) -> Ways[Coins]:
        """Return all heights."""
        self.asked.append((number, table))
        return Ways(
            [Ending(outcome_of(table, height), None, THIRD) for height in range(3)],
            [(height,) for height in range(3)],
        )

    def left(
        self, number: int, ways: Ways[Coins], world: JointState[Coins]
    ) -> Iterator[JointState[Coins]]:
        """Put the climber on the table."""
        for ending, (height,) in zip(ways.endings, ways.tables, strict=True):
            table = (*world.table, height)
            yield world.left(ending.outcome, THIRD, table, key=self.key(number + 1, table))

    def key(self, number: int, table: Coins) -> Hashable:
        """Return the heights that later ones look at."""
        return table[-self.sight :] if number < len(self.charges) else None


def outcome_of(table: Coins, height: int) -> Outcome:
    """Return what a height comes to above those before."""
    return "success" if height > (table[-1] if table else 0) else "failed"


class Ropes(Climbers):
    """The same with all charges on one rope: they have their turn together, the last first."""

    @property
    def turns(self) -> list[list[int]]:
        """The one turn."""
        return [list(range(len(self.charges)))]

    def rule(
        self, turn: Sequence[int], table: Coins, dice: DiceSource, earlier: Mapping[int, Ruling]
    ) -> tuple[Mapping[int, Ruling], Coins]:
        """Go up one after another, the last of the file first."""
        assert not earlier
        found: dict[int, Ruling] = {}
        for number in reversed(turn):
            (height,) = dice.stream(number, None).take(1, "how far")
            found[number], table = (
                Ruling(self.charges[number], outcome_of(table, height), ""),
                (*table, height),
            )
        return found, table


def test_turns_follow_each_other_on_the_table_that_is_left() -> None:
    """Rulings are in file order, with the tables before and after their turn."""
    found = Climbers(3).resolve(DiceSource(flat=(1, 3, 2)))
    assert [ruling.outcome for ruling in found.rulings] == ["success", "success", "failed"]
    assert found.turns == found.rulings
    assert found.order == (0, 1, 2)
    widths = [tuple(state.board.width for state in tables) for tables in found.tables]
    assert widths == [(48.0, 49.0), (49.0, 51.0), (51.0, 51.0)]
    assert found.after.board.width == 51.0


def test_charges_of_one_turn_may_move_in_another_order() -> None:
    """Who goes first is told; the table of the turn is that of all its charges."""
    found = Ropes(2).resolve(DiceSource(flat=(2, 1)))
    assert found.order == (1, 0)
    assert [ruling.charge.charger for ruling in found.turns] == ["A1", "A0"]
    assert [ruling.outcome for ruling in found.rulings] == ["failed", "success"]
    widths = {tuple(state.board.width for state in tables) for tables in found.tables}
    assert widths == {(48.0, 50.0)}


def test_dice_that_nobody_rolls_are_refused() -> None:
    """All that is given must be rolled."""
    with pytest.raises(ScenarioError, match=r"--dice: 1 .*\[2\]"):
        Climbers(1).resolve(DiceSource(flat=(1, 2)))


def test_rows_are_counted_over_all_branches() -> None:
    """Two climbers: nine ways, counted by hand."""
    _, joint = Climbers(2).on_all_tables()
    assert joint == {
        ("success", "failed"): Fraction(5, 9),
        ("failed", "success"): Fraction(2, 9),
        ("failed", "failed"): Fraction(1, 9),
        ("success", "success"): Fraction(1, 9),
    }
    assert next(iter(joint)) == ("success", "failed")


def test_tables_that_nobody_can_tell_apart_are_one() -> None:
    """Who looks at the last height only is put on three tables, not nine; they are told apart by the outcomes as
    well.
    """
    game = Climbers(3)
    turns, joint = game.on_all_tables()
    assert [len(turn.on_tables) for turn in turns] == [1, 3, 3]
    assert [turn.worlds for turn in turns] == [1, 3, 7]
    assert all(sum(chance for _, chance in turn.on_tables) == 1 for turn in turns)
    assert len(game.asked) == 7
    assert joint == Climbers(3, sight=3).on_all_tables()[1]


def test_no_charges_leave_one_row() -> None:
    """Without charges nothing happens, for certain."""
    turns, joint = Climbers(0).on_all_tables()
    assert turns == ()
    assert joint == {(): 1}


def test_too_many_tables_name_the_charge_and_their_count() -> None:
    """The limits on tables kept, and on tables gone through, say whose turn it was and how many there are."""
    game = Climbers(3, sight=3)
    game.most_worlds = 8
    with pytest.raises(NoVerdictError, match=r"charges\[2\] \(A2 .*T\) .*\b9 .* 8\b"):
        game.on_all_tables()
    game = Climbers(3, sight=3)
    game.most_tables = 12
    with pytest.raises(NoVerdictError, match=r"charges\[2\] \(A2 .*T\) .*\b13\b"):
        game.on_all_tables()


def test_time_is_looked_at_before_every_table() -> None:
    """Out of time there are no chances, and the charge that was not settled is named."""
    with pytest.raises(NoVerdictError, match=r"time .*charges\[0\] \(A0 .*T\) .*\b1\b"):
        Climbers(2, budget=Budget(seconds=-1.0)).on_all_tables()
    game = Climbers(2, budget=Budget(work=2))
    with pytest.raises(NoVerdictError, match=r"charges\[1\] \(A1 .*T\) .*\b3\b"):
        game.on_all_tables()
    assert len(game.asked) == 3
