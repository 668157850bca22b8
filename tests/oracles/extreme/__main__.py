"""Hold scenes at the limits of the format: `python -m tests.oracles.extreme SYSTEM [COUNT [FIRST]]`."""

import sys
from functools import partial

from tests.oracles.extreme.holding import held
from tests.oracles.extreme.scenes import SCENES
from tests.oracles.running import run

if __name__ == "__main__":
    system, *arguments = sys.argv[1:]
    sys.exit(run(arguments, partial(held, SCENES[system]), count=2000))
