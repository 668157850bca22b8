"""What tasks ask at about the same time is answered by one call, and each gets its own answer."""

import threading
from collections.abc import Callable, Sequence

import pytest

from tabletop.batch import MOST_AT_ONCE, answered, gathered


class Squares:
    """Squares numbers, and notes how many at once."""

    def __init__(self) -> None:
        self.counts: list[int] = []

    def __call__(self, numbers: Sequence[int]) -> list[int]:
        """Square numbers, unless one is below 0."""
        self.counts.append(len(numbers))
        if min(numbers) < 0:
            raise ValueError("below 0")
        return [number**2 for number in numbers]


def asking(squares: Squares, *numbers: int) -> Callable[[], list[int]]:
    """Make a task that asks for the squares of numbers one after another."""
    return lambda: [answered(squares, number) for number in numbers]


def test_a_question_alone_is_answered_at_once() -> None:
    """Outside of any batch, and of a single task."""
    squares = Squares()
    assert answered(squares, 3) == 9
    assert gathered([asking(squares, 1, 2)]) == [[1, 4]]
    assert squares.counts == [1, 1, 1]


@pytest.mark.parametrize("count", [2, MOST_AT_ONCE, 2 * MOST_AT_ONCE + 3])
def test_questions_of_many_tasks_are_answered_together(count: int) -> None:
    """Tasks ask twice, some more often, some never; no more questions are answered at once than tasks are under way."""
    squares = Squares()
    numbers = [range(number % 5) for number in range(count)]
    assert gathered([asking(squares, *some) for some in numbers]) == [[number**2 for number in some] for some in numbers]
    assert sum(squares.counts) == sum(map(len, numbers))
    assert max(squares.counts) <= MOST_AT_ONCE
    assert len(squares.counts) < sum(squares.counts) / 2 or count == 2


def test_an_answer_that_fails_is_raised_by_those_who_asked() -> None:
    """One of them takes no notice; what the first of the others raises comes out when all have ended."""
    squares, ended = Squares(), list[int]()

    def careless() -> int:
        with pytest.raises(ValueError, match="below 0"):
            answered(squares, -1)
        ended.append(1)
        return 1

    with pytest.raises(ValueError, match="below 0"):
        gathered([careless, asking(squares, -2), careless])
    assert ended == [1, 1]


def test_a_task_that_waits_for_another_hinders_nobody() -> None:
    """It holds what the other needs while it asks: its question is answered after a while."""
    squares, lock = Squares(), threading.Lock()

    def locked(number: int) -> int:
        with lock:
            return answered(squares, number)

    assert gathered([lambda number=number: locked(number) for number in range(3)]) == [0, 1, 4]  # type: ignore[misc]


def test_who_is_interrupted_ends_all_tasks() -> None:
    """What waits then is answered no more, and no thread is left."""
    threads = threading.active_count()

    def interrupted(_: Sequence[int]) -> list[int]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gathered([lambda: answered(interrupted, 1), lambda: answered(interrupted, 2)])
    assert threading.active_count() == threads
