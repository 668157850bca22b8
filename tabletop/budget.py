"""How much work a search may do before it must answer with the best it has, and how sure it then is."""

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
"""What a search may have compared, the surest first."""

GRACE = 0.4
"""Seconds in which a search may end with the best it has, before whatever is still at work ends without a verdict."""


def now() -> float:
    """Return the time in seconds by the clock that limits go by."""
    return time.monotonic()


@dataclass(frozen=True)
class Budget:
    """A limit in work units (search cells), the same on every machine, and optionally one in seconds from now.

    With `explains` false nothing is looked for that decides nothing: why there is no place, what else forbids, what figures show.
    """

    work: int = 1_000_000
    seconds: float | None = None
    started: float = field(default_factory=now)
    explains: bool = True

    def is_spent(self, work: int) -> bool:
        """Return whether `work` units, or the seconds allowed, are used up."""
        return work > self.work or self.seconds_left < 0.0

    @property
    def seconds_left(self) -> float:
        """Seconds left of those allowed; infinite if they are not limited."""
        return math.inf if self.seconds is None else self.seconds - (now() - self.started)

    @property
    def limit(self) -> str:
        """What ends a search that goes by this budget now, for a sentence: the seconds if they are used up, else the work."""
        return say("its limit of {seconds:g} s", seconds=self.seconds) if self.seconds_left < 0.0 else say("its limit of work")

    @contextmanager
    def running(self) -> Iterator[None]:
        """Make `check_deadline` use this budget inside the context."""
        before = _RUNNING.set(self)
        try:
            yield
        finally:
            _RUNNING.reset(before)


@dataclass(frozen=True)
class Searched:
    """Base of what a search returns: what it found holds, but that there is nothing else only if no `limit` ended it.

    Subclasses call what was found `proven`, as it can be less than all; who concludes anything from what was not found asks `whole`.
    """

    limit: str = field(default="", kw_only=True)

    @property
    def is_complete(self) -> bool:
        """Whether nothing else is left to be found."""
        return not self.limit

    def whole(self, otherwise: str) -> Self:
        """Return the same if it is complete, so that what was not found is not there.

        Raises
        ------
        NoVerdictError
            If it is not: `otherwise` says what that leaves open.
        """
        if not self.is_complete:
            raise NoVerdictError(otherwise)
        return self


_RUNNING: ContextVar[Budget | None] = ContextVar("budget", default=None)


def check_deadline() -> None:
    """Stop where the running budget's seconds and the grace are used up: for loops that are far from any search.

    Searches ask their own budget, and end in time with the best they have.

    Raises
    ------
    NoVerdictError
        If they are: what was not looked at may decide.
    """
    budget = _RUNNING.get()
    if budget is not None and budget.seconds_left < -GRACE:
        raise NoVerdictError("the time was used up: the limit of {seconds:g} s struck before there was an answer", seconds=budget.seconds)


def limit_struck() -> str:
    """Name the limit of the running budget that ends what cannot go on, for a sentence."""
    budget = _RUNNING.get()
    return say("its limit of work") if budget is None else budget.limit


def explains() -> bool:
    """Return whether the running budget lets an answer be explained and shown: reasons that decide nothing, and what figures show."""
    budget = _RUNNING.get()
    return budget is None or budget.explains


def deadline_passed() -> bool:
    """Return whether the running budget's seconds are used up: for what an answer can do without."""
    budget = _RUNNING.get()
    return budget is not None and budget.seconds_left < 0.0
