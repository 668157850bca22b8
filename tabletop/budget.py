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
    """Return the present time in seconds by the clock `time.monotonic`, which all limits use."""
    return time.monotonic()


@dataclass(frozen=True)
class Budget:
    """Limits of a search: in work units (cells of a search), equal on every machine, and optionally in seconds.

    Attributes
    ----------
    work
        Largest number of work units.
    seconds
        Seconds allowed from `started` on; None: no limit of time.
    started
        When the seconds begin, by the clock `time.monotonic`; by default now.
    explains
        If False, nothing is computed that does not affect the verdict: reasons why there is no place, further broken
        rules, evidence for figures.
    """

    work: int = 1_000_000
    seconds: float | None = None
    started: float = field(default_factory=now)
    explains: bool = True

    def is_spent(self, work: int) -> bool:
        """Return whether a search that has done `work` units must end: it exceeds the limit of work, or the seconds are
        used up.
        """
        return work > self.work or self.seconds_left < 0.0

    @property
    def seconds_left(self) -> float:
        """Seconds left until the limit of time, negative after it; inf without such a limit."""
        return math.inf if self.seconds is None else self.seconds - (now() - self.started)

    @property
    def limit(self) -> str:
        """Words for the limit that ends a search now, as part of a sentence: the seconds if they are used up, else the
        work.
        """
        return (
            say("its limit of {seconds:g} s", seconds=self.seconds)
            if self.seconds_left < 0.0
            else say("its limit of work")
        )

    @contextmanager
    def running(self) -> Iterator[None]:
        """Make this the current budget in a `with` block: the one that `check_deadline`, `deadline_passed` and
        `explains` consult.
        """
        before = _RUNNING.set(self)
        try:
            yield
        finally:
            _RUNNING.reset(before)


@dataclass(frozen=True)
class Searched:
    """Base of search results that may be partial: whatever was found is valid, and nothing else exists unless a limit
    ended the search.

    `limit` names the limit that ended the search, in words; it is empty if the search finished. Subclasses call their
    results `proven`; code that concludes something from a missing result calls `whole` first.
    """

    limit: str = field(default="", kw_only=True)

    @property
    def is_complete(self) -> bool:
        """Whether the search finished, so that nothing else can be found."""
        return not self.limit

    def whole(self, otherwise: str) -> Self:
        """Return the result itself if the search finished.

        Raises
        ------
        NoVerdictError
            If a limit ended it, with the message `otherwise`.
        """
        if not self.is_complete:
            raise NoVerdictError(otherwise)
        return self


_RUNNING: ContextVar[Budget | None] = ContextVar("budget", default=None)


def check_deadline() -> None:
    """Raise if the seconds of the current budget were used up more than `CLOSING_SECONDS` ago.

    For loops outside searches; searches ask their own budget, and return the best that they have in time.

    Raises
    ------
    NoVerdictError
        If that time is used up.
    """
    budget = _RUNNING.get()
    if budget is not None and budget.seconds_left < -CLOSING_SECONDS:
        raise NoVerdictError("no answer within the limit of {seconds:g} s", seconds=budget.seconds)


def limit_struck() -> str:
    """Return words for the limit of the current budget that ends the work, as part of a sentence such as "the search
    ended at ...".
    """
    budget = _RUNNING.get()
    return say("its limit of work") if budget is None else budget.limit


def explains() -> bool:
    """Return whether explanations, and evidence that only figures show, are to be computed; True without a current
    budget.
    """
    budget = _RUNNING.get()
    return budget is None or budget.explains


def deadline_passed() -> bool:
    """Return whether the seconds of the current budget are used up, so that optional work should be skipped."""
    budget = _RUNNING.get()
    return budget is not None and budget.seconds_left < 0.0
