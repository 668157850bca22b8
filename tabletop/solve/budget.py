"""How much work a search may do before it must answer with the best it has."""

import math
import time
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Budget:
    """A limit in work units (search cells), the same on every machine, and optionally one in seconds from now."""

    work: int = 1_000_000
    seconds: float | None = None
    started: float = field(default_factory=time.monotonic)

    def is_spent(self, work: int) -> bool:
        """Tell whether `work` units, or the seconds allowed, are used up."""
        return work > self.work or self.seconds_left < 0.0

    @property
    def seconds_left(self) -> float:
        """Seconds left of those allowed; infinite if they are not limited."""
        return math.inf if self.seconds is None else self.seconds - (time.monotonic() - self.started)
