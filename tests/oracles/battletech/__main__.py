"""Hold the program against the second implementation on random tables: `python -m tests.oracles.battletech [COUNT [FIRST]]`."""

import sys

from tests.oracles.battletech.referee import compare
from tests.oracles.battletech.scenes import random_scene
from tests.oracles.running import Held, run


def held(number: int) -> Held:
    """Hold one scene against the second implementation."""
    expected, differences = compare(random_scene(number), number)
    return Held(f"{expected.outcome} {expected.rule or ''}".strip(), differences)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], held, count=1000))
