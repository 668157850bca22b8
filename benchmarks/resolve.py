"""One charge among six other units and four pieces of terrain: warm time, and brute force with plain Shapely / ours.

The time is the median over the first crowded tables on which the charge succeeds, so that every stage is run. The brute
force answers less than ours: it gives the best counts, neither sight nor findings, and of the path only that there is
one.
"""

import statistics
import sys
from functools import partial
from itertools import count, islice

from benchmarks.brute import Search
from benchmarks.crowds import OTHERS, PIECES, crowd
from benchmarks.protocol import Promise, among_others, interleaved, report
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.table.dice import DiceSource
from tests.oracles.referee import scene_of
from tests.oracles.t9a import best_counts, search

SCENES = 24
AGAINST_BRUTE_FORCE = 4


def measure() -> tuple[Promise, ...]:
    """Time our resolution of all scenes, and the brute force beside it on the first."""
    cases = list(islice(filter(is_success, map(crowd, count())), SCENES))
    alone = statistics.median(interleaved(*(partial(ruling, case) for case in cases)))
    searches = [
        Search(case, ruling(case).metrics["target_facing"]) for case in cases[:AGAINST_BRUTE_FORCE]
    ]
    theirs, ours = interleaved(
        lambda: [item.best_counts() for item in searches],
        lambda: [ruling(item.case) for item in searches],
    )
    beaten = sum(is_beaten(case) for case in cases) + sum(
        (item.best_counts() or (0, 0)) > counts(item.case) for item in searches
    )
    gate = f"{beaten} of {SCENES} scenes bettered by a search at 0.05 in x 1 degree"
    times = (alone, theirs, ours)
    name = f"charge among {OTHERS} units and {PIECES} pieces of terrain"
    return among_others(
        name,
        "brute force with Shapely",
        times,
        gate=gate,
        beaten=beaten,
        scenes=SCENES,
        raced=len(searches),
    )


def ruling(case: Case) -> Ruling:
    """Resolve the one charge of a case."""
    return case.system.resolve(case, throws=DiceSource(), budget=Budget()).rulings[0]


def is_success(case: Case) -> bool:
    """Return whether the charge of a case succeeds."""
    try:
        return ruling(case).outcome == "success"
    except NoVerdictError:
        return False


def counts(case: Case) -> tuple[int, int]:
    """Return the models in contact that we found: of the target, of the charger."""
    metrics = ruling(case).metrics
    return metrics["target_models_in_contact"], metrics["charger_models_in_contact"]


def is_beaten(case: Case) -> bool:
    """Return whether the tests' search over the same grid, which also tries all edges against each other, finds
    more.
    """
    return (best_counts(search(scene_of(case))) or (0, 0)) > counts(case)


if __name__ == "__main__":
    sys.exit(report([measure]))
