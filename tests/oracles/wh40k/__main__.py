"""Hold plans and judgements against a second measurement on random tables.

`python -m tests.oracles.wh40k [COUNT [FIRST]]` looks for better plans and has spoilt ones judged as well;
`python -m tests.oracles.wh40k plans [COUNT [FIRST]]` only measures the plans of one or two models and has them judged.
"""

import sys

from tests.oracles.running import Held, run
from tests.oracles.wh40k.referee import plans_only, referee
from tests.oracles.wh40k.scenes import QUICK_THEMES, THEMES, random_case

FEW = 2
"""Charging models on the tables of the quick part."""
SLOW_SHARE = 50
"""One in so many of its tables may have bases that are not round."""


def held(number: int) -> Held:
    """Hold one scene against the second measurement, the search, and spoilt plans."""
    report = referee(random_case(number))
    return Held(report.outcome, report.complaints, {"changed plans judged": report.spoilt})


def measured(number: int) -> Held:
    """Hold one small scene against the second measurement."""
    report = plans_only(random_case(number, most=FEW, themes=QUICK_THEMES if number % SLOW_SHARE else THEMES))
    return Held(report.outcome, report.complaints)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    is_quick = arguments[:1] == ["plans"]
    sys.exit(run(arguments[is_quick:], measured if is_quick else held, count=10_000 if is_quick else 200))
