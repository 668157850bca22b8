"""Compare the solver with the brute force over many random scenes:
`python -m tests.oracles.run COUNT [FIRST] [single|combined|judged]`.
"""

import sys

from tests.oracles.combined_referee import referee_combined
from tests.oracles.groups import random_group
from tests.oracles.referee import referee
from tests.oracles.running import Held, run
from tests.oracles.scenes import random_case
from tests.oracles.spoiled import misjudged


def single(number: int) -> Held:
    """Hold a single charge against the brute force."""
    report = referee(random_case(number))
    return Held(report.outcome, report.complaints)


def combined(number: int) -> Held:
    """Hold a combined charge against the brute force."""
    report = referee_combined(random_group(number))
    return Held(report.outcome, report.complaints)


def judged(number: int) -> Held:
    """Hold the judge to refuse what is spoiled, and to accept what is as good."""
    return Held("judged", tuple(misjudged(random_case(number), number)))


KINDS = {"single": single, "combined": combined, "judged": judged}

if __name__ == "__main__":
    arguments = sys.argv[1:]
    sys.exit(run(arguments[:2], KINDS[(arguments[2:] or ["single"])[0]], count=1000))
