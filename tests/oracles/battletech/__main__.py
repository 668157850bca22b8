"""Hold the program against the second implementation on random tables.

`python -m tests.oracles.battletech [COUNT [FIRST]]` plays them;
`python -m tests.oracles.battletech judged [COUNT [FIRST]]` has the judge rule on ends that were spoilt.
"""

import sys

from tests.oracles.battletech import spoiled
from tests.oracles.battletech.referee import compare
from tests.oracles.battletech.scenes import random_scene
from tests.oracles.running import Held, run


def held(number: int) -> Held:
    """Hold one scene against the second implementation."""
    expected, differences = compare(random_scene(number), number)
    return Held(f"{expected.outcome} {expected.rule or ''}".strip(), differences)


def judged(number: int) -> Held:
    """Hold the judge to refuse what is spoilt of one scene."""
    report = spoiled.misjudged(random_scene(number), number)
    return Held("judged", report.complaints, {"spoilt ends": report.spoilt})


if __name__ == "__main__":
    arguments = sys.argv[1:]
    is_judged = arguments[:1] == ["judged"]
    sys.exit(run(arguments[is_judged:], judged if is_judged else held, count=1000))
