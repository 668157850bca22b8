"""Charges one after another on all tables that may be left: merged, counted, limited."""

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction

import pytest

from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.ruling.charge import Charge, Outcome
from tabletop.ruling.phase import Branching, World

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
Coins = tuple[int, ...]


class Climbers(Branching[Coins, Sequence[int]]):
    """A game in which each charge goes up by 0, 1 or 2 steps and succeeds if above the one before; later ones look back by `sight`."""

    def __init__(self, count: int, *, sight: int = 1, budget: Budget | None = None) -> None:
        self.charges = [Charge(f"A{number}", ("T",)) for number in range(count)]
        self.budget, self.sight = budget or Budget(), sight
        self.asked: list[tuple[int, Coins]] = []

    def ways(self, number: int, table: Coins) -> Sequence[int]:
        """Return all heights."""
        self.asked.append((number, table))
        return (0, 1, 2)

    def left(self, number: int, ways: Sequence[int], world: World[Coins]) -> Iterator[World[Coins]]:
        """Put the climber on the table."""
        before = world.table[-1] if world.table else 0
        for height in ways:
            outcome: Outcome = "success" if height > before else "failed"
            table = (*world.table, height)
            yield world.left(outcome, THIRD, table, seen=self.seen(number + 1, table))

    def seen(self, number: int, table: Coins) -> Hashable:
        """Return the heights that later ones look at."""
        return table[-self.sight :] if number < len(self.charges) else None


def test_rows_are_counted_over_all_branches() -> None:
    """Two climbers: nine ways, counted by hand."""
    _, joint = Climbers(2).turns(())
    assert joint == {
        ("success", "failed"): Fraction(5, 9),
        ("failed", "success"): Fraction(2, 9),
        ("failed", "failed"): Fraction(1, 9),
        ("success", "success"): Fraction(1, 9),
    }
    assert next(iter(joint)) == ("success", "failed")


def test_tables_that_nobody_can_tell_apart_are_one() -> None:
    """Who looks at the last height only is put on three tables, not nine; they are told apart by the outcomes as well."""
    game = Climbers(3)
    turns, joint = game.turns(())
    assert [len(turn.on_tables) for turn in turns] == [1, 3, 3]
    assert [turn.worlds for turn in turns] == [1, 3, 7]
    assert all(sum(chance for _, chance in turn.on_tables) == 1 for turn in turns)
    assert len(game.asked) == 7
    assert joint == Climbers(3, sight=3).turns(())[1]


def test_no_charges_leave_one_row() -> None:
    """Without charges nothing happens, for certain."""
    turns, joint = Climbers(0).turns(())
    assert turns == ()
    assert joint == {(): 1}


def test_too_many_tables_name_the_charge_and_their_count() -> None:
    """The limits on tables kept, and on tables gone through, say whose turn it was and how many there are."""
    game = Climbers(3, sight=3)
    game.most_worlds = 8
    with pytest.raises(NoVerdictError, match=r"charges\[2\] \(A2 charges T\) may find 9 tables after the charges before it; at most 8"):
        game.turns(())
    game = Climbers(3, sight=3)
    game.most_tables = 12
    with pytest.raises(NoVerdictError, match=r"charges\[2\] \(A2 charges T\) may find 13 tables"):
        game.turns(())


def test_time_is_looked_at_before_every_table() -> None:
    """Out of time there are no chances, and the charge that was not settled is named."""
    with pytest.raises(NoVerdictError, match=r"the time was used up .*: charges\[0\] \(A0 charges T\) may find 1 table"):
        Climbers(2, budget=Budget(seconds=-1.0)).turns(())
    game = Climbers(2, budget=Budget(work=2))
    with pytest.raises(NoVerdictError, match=r"charges\[1\] \(A1 charges T\) may find 3 tables"):
        game.turns(())
    assert len(game.asked) == 3
