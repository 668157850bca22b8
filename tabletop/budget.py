"""Limits on the work and the time of a search, and how far its answer is proved."""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal, Self

from tabletop.errors import NoVerdictError
from tabletop.messages import say

Proof = Literal["exact", "tolerance", "best_found"]

PROOFS: tuple[Proof, ...] = ("exact", "tolerance", "best_found")
"""Strengths of proof of an answer, the strongest first."""

CLOSING_SECONDS = 0.4
"""Seconds after the time limit in which a search may still return its incumbent; afterwards `check_deadline` raises."""


def now() -> float:
    """Return the time in seconds of the clock that limits use."""
    return time.monotonic()


@dataclass(frozen=True)
class Budget:
    """A limit in work units (search cells), equal on every machine, and optionally one in seconds from now.

    If `explains` is false, nothing is computed that does not affect the verdict: reasons why there is no place, further broken rules,
    evidence for figures.
    """

    work: int = 1_000_000
    seconds: float | None = None
    started: float = field(default_factory=now)
    explains: bool = True

    def is_spent(self, work: int) -> bool:
        """Return whether `work` units or the seconds allowed are used up."""
        return work > self.work or self.seconds_left < 0.0

    @property
    def seconds_left(self) -> float:
        """Seconds left; infinite without a limit."""
        return math.inf if self.seconds is None else self.seconds - (now() - self.started)

    @property
    def limit(self) -> str:
        """The limit that ends a search now, as part of a sentence: the seconds if they are used up, else the work."""
        return say("its limit of {seconds:g} s", seconds=self.seconds) if self.seconds_left < 0.0 else say("its limit of work")

    @contextmanager
    def running(self) -> Iterator[None]:
        """Make this the budget that `check_deadline`, `deadline_passed` and `explains` consult."""
        before = _RUNNING.set(self)
        try:
            yield
        finally:
            _RUNNING.reset(before)


@dataclass(frozen=True)
class Searched:
    """Base of search results: everything found is valid, and the result is complete unless a `limit` ended the search.

    Subclasses call their (possibly partial) results `proven`; code that concludes something from a missing result calls `whole` first.
    """

    limit: str = field(default="", kw_only=True)

    @property
    def is_complete(self) -> bool:
        """Whether the search finished, so that nothing else can be found."""
        return not self.limit

    def whole(self, otherwise: str) -> Self:
        """Return the result itself if it is complete.

        Raises
        ------
        NoVerdictError
            If it is incomplete, with the message `otherwise`.
        """
        if not self.is_complete:
            raise NoVerdictError(otherwise)
        return self


_RUNNING: ContextVar[Budget | None] = ContextVar("budget", default=None)


def check_deadline() -> None:
    """Raise if the running budget's seconds and `GRACE` are used up.

    For loops outside searches; searches check their own budget and return their incumbent in time.

    Searches ask their own budget, and end in time with the best they have.

    Raises
    ------
    NoVerdictError
        If the time is used up.
    """
    budget = _RUNNING.get()
    if budget is not None and budget.seconds_left < -CLOSING_SECONDS:
        raise NoVerdictError("no answer within the limit of {seconds:g} s", seconds=budget.seconds)


def limit_struck() -> str:
    """Return the limit of the running budget that ends the work, as part of a sentence."""
    budget = _RUNNING.get()
    return say("its limit of work") if budget is None else budget.limit


def explains() -> bool:
    """Return whether the running budget asks for explanations and for evidence that only figures show."""
    budget = _RUNNING.get()
    return budget is None or budget.explains


def deadline_passed() -> bool:
    """Return whether the running budget's seconds are used up, so that optional work should be skipped."""
    budget = _RUNNING.get()
    return budget is not None and budget.seconds_left < 0.0
