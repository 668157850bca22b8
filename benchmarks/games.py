"""Charges of many loose models resolved once for all benchmarks that ask about them."""

import time
from dataclasses import dataclass, replace
from functools import cache
from itertools import count, islice

from benchmarks.hordes import horde
from tabletop.api import judge, resolve
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution
from tabletop.table.models import Formation
from tests.oracles.wh40k.plans import planned
from tests.oracles.wh40k.referee import plan_complaints


@dataclass(frozen=True, eq=False)
class Played:
    """A charge that succeeds, as it was resolved and in how many seconds."""

    case: Case
    resolution: Resolution
    seconds: float

    @property
    def contacts(self) -> int:
        """Number of models in base contact."""
        return int(self.resolution.rulings[0].metrics.get("models_in_base_contact", 0))

    @property
    def distance(self) -> float:
        """The charge distance in inches."""
        return float(self.resolution.rulings[0].metrics["charge_distance"])

    @property
    def is_proven(self) -> bool:
        """Whether no plan has more contacts; the total move may still be the best found."""
        metrics = self.resolution.rulings[0].metrics
        return "most_in_base_contact" in metrics and "most_in_base_contact_at_most" not in metrics

    @property
    def place(self) -> Formation:
        """Where the plan has the models end."""
        return planned(self.case, self.resolution).place

    def complaints(self) -> list[str]:
        """Measure the plan again, and ask the judge about it."""
        wrong = list(plan_complaints(planned(self.case, self.resolution)))
        accepted = judge(replace(self.case, proposal={"A": self.place}), self.resolution)
        return wrong if accepted.outcome == "success" else [*wrong, f"refused by {accepted.rule}"]


def table(size: int, seed: int) -> Case:
    """Make the table of a seed: `size` models against as many, but twenty against two tens behind six walls."""
    return horde(
        seed, size=size, sizes=(10, 10) if size == 20 else (size,), walls=6 if size == 20 else 1
    )


def played(case: Case, *, max_seconds: float | None = None) -> Played:
    """Resolve a case and note how long it took."""
    started = time.perf_counter()
    resolution = resolve(case, max_seconds=max_seconds)
    return Played(case, resolution, time.perf_counter() - started)


@cache
def games(size: int, number: int) -> tuple[Played, ...]:
    """Resolve tables until so many charges succeed."""
    found = (played(table(size, seed)) for seed in count())
    return tuple(
        islice((one for one in found if one.resolution.rulings[0].outcome == "success"), number)
    )
