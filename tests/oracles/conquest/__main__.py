"""Hold the solver against the brute force on many random tables: `python -m tests.oracles.conquest [COUNT [FIRST]]`."""

import sys

from tests.oracles.conquest.referee import referee
from tests.oracles.conquest.scenes import random_case
from tests.oracles.running import Held, run


def held(number: int) -> Held:
    """Hold one scene against the brute force."""
    report = referee(random_case(number))
    return Held(report.outcome, report.complaints, {"left out for a narrow window": int(report.is_narrow)})


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], held, count=500))
