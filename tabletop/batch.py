"""Questions that tasks ask at about the same time, answered by one call: over arrays of few rows many take hardly longer than one.

`gathered` runs tasks in threads. What they ask by `answered` waits until all of them ask, or have ended.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextvars import ContextVar
from threading import Condition
from typing import Any, TypeVar

Asked = TypeVar("Asked")

Found = TypeVar("Found")

MOST_AT_ONCE = 32
"""Tasks under way at a time: with more the threads cost what the arrays save."""

PATIENCE = 0.1
"""Seconds that questions wait for others, of tasks that take long or wait for each other."""


def gathered(tasks: Sequence[Callable[[], Found]]) -> list[Found]:
    """Run tasks, and answer together what they ask at the same time; raise what the first of them raises, once all have ended."""
    if len(tasks) == 1:
        return [tasks[0]()]
    batch = _Batch(len(tasks))
    with ThreadPoolExecutor(min(len(tasks), MOST_AT_ONCE)) as pool:
        futures = [pool.submit(batch.run, task) for task in tasks]
        try:
            batch.serve()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            batch.close()
            raise
    return [future.result() for future in futures]


def answered(answers: Callable[[Sequence[Asked]], Sequence[Found]], question: Asked) -> Found:
    """Return the answer to a question, by a function that answers many, each as if it were asked alone."""
    batch = _BATCH.get()
    return answers([question])[0] if batch is None else batch.ask(answers, question)


_Question = tuple[Callable[[Sequence[Any]], Sequence[Any]], Any, Future[Any]]


class _Batch:
    """Questions that wait, and how many tasks have not ended."""

    def __init__(self, tasks: int) -> None:
        self._changed, self._tasks, self._is_closed = Condition(), tasks, False
        self._waiting: list[_Question] = []
        self._served: list[_Question] = []

    @property
    def _is_ready(self) -> bool:
        return len(self._waiting) >= min(self._tasks, MOST_AT_ONCE)

    def run(self, task: Callable[[], Found]) -> Found:
        """Run a task of the batch, in a thread of its own."""
        _BATCH.set(self)
        try:
            return task()
        finally:
            with self._changed:
                self._tasks -= 1
                self._changed.notify()

    def ask(self, answers: Callable[[Sequence[Asked]], Sequence[Found]], question: Asked) -> Found:
        """Wait for the answer to a question."""
        future: Future[Found] = Future()
        with self._changed:
            if self._is_closed:
                raise CancelledError
            self._waiting.append((answers, question, future))
            if self._is_ready:
                self._changed.notify()
        return future.result()

    def serve(self) -> None:
        """Answer questions until all tasks have ended."""
        while self._tasks:
            with self._changed:
                self._changed.wait_for(lambda: self._is_ready, timeout=PATIENCE)
                self._served, self._waiting = self._waiting, []
            for kind in dict.fromkeys(answers for answers, _, _ in self._served):
                some = [(question, future) for answers, question, future in self._served if answers is kind]
                try:
                    found = kind([question for question, _ in some])
                except Exception as error:  # noqa: BLE001 - it is raised where it was asked
                    for _, future in some:
                        future.set_exception(error)
                else:
                    for (_, future), one in zip(some, found, strict=True):
                        future.set_result(one)

    def close(self) -> None:
        """End the tasks that wait, and those that will."""
        with self._changed:
            self._is_closed = True
            for _, _, future in (*self._served, *self._waiting):
                future.cancel()


_BATCH: ContextVar[_Batch | None] = ContextVar("batch", default=None)
