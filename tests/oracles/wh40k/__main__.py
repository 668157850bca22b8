"""Hold plans and judgements against a second measurement on random tables: `python -m tests.oracles.wh40k [COUNT [FIRST]]`."""

import sys

from tests.oracles.running import Held, run
from tests.oracles.wh40k.referee import referee
from tests.oracles.wh40k.scenes import random_case


def held(number: int) -> Held:
    """Hold one scene against the second measurement."""
    report = referee(random_case(number))
    return Held(report.outcome, report.complaints, {"changed plans judged": report.spoilt})


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], held, count=200))
