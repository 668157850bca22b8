"""What a ruling is made from, and keeps as `Ruling.attempt`, whatever the game.

Judge, contrasts and second opinions of a game read its own type of attempt, so that none of them works out again from
the words and numbers of a ruling what was known when it was made.
"""

from typing import Any, Protocol, Self

from tabletop.budget import Budget
from tabletop.table.state import State


class Attempt(Protocol):
    """A charge as it was tried on the table of its turn.

    Its `table` is the `State` of that turn: of charges that are resolved together, the one before the first of them.
    """

    @property
    def table(self) -> State[Any]:
        """The table before the turn of the charge."""

    def on(self, table: State[Any], budget: Budget) -> Self:
        """Return the same charge with the same roll on another table, searched within a budget.

        On an equal table it is this attempt, with all that is worked out.
        """
