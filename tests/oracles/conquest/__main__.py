"""Hold the solver against the brute force on many random tables.

`python -m tests.oracles.conquest [COUNT [FIRST]]` resolves them;
`python -m tests.oracles.conquest judged [COUNT [FIRST]]` has the judge rule on answers that were spoilt.
"""

import sys

from tests.oracles.conquest import spoiled
from tests.oracles.conquest.referee import referee
from tests.oracles.conquest.scenes import random_case
from tests.oracles.running import Held, run


def held(number: int) -> Held:
    """Hold one scene against the brute force."""
    report = referee(random_case(number))
    return Held(
        report.outcome, report.complaints, {"left out for a narrow window": int(report.is_narrow)}
    )


def judged(number: int) -> Held:
    """Hold the judge to refuse what is spoilt of one scene."""
    report = spoiled.misjudged(random_case(number), number)
    return Held("judged", report.complaints, {"spoilt places": report.spoilt})


if __name__ == "__main__":
    arguments = sys.argv[1:]
    is_judged = arguments[:1] == ["judged"]
    sys.exit(run(arguments[is_judged:], judged if is_judged else held, count=500))
