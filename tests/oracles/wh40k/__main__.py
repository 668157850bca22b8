"""Hold plans and judgements against a second measurement on random tables.

`python -m tests.oracles.wh40k [COUNT [FIRST]]` looks for better plans and has spoilt ones judged as well;
`python -m tests.oracles.wh40k plans [COUNT [FIRST]]` only measures the plans of one or two models and has them judged;
`python -m tests.oracles.wh40k steps [COUNT [FIRST]]` does all on tables with terrain that is stepped onto freely;
`python -m tests.oracles.wh40k flights [COUNT [FIRST]]` does all on tables on which flyers begin on a block;
`python -m tests.oracles.wh40k small [COUNT [FIRST]]` does all on tables of two to four models, two targets, walls and
gaps.

Of up to four discs better plans are looked for by relaxation as well: shorter, with more models in contact, or as many
and more engaged.
"""

import sys
from collections.abc import Callable
from functools import partial

from tabletop.ruling.system import Case
from tests.oracles.running import Held, run
from tests.oracles.wh40k.referee import plans_only, referee
from tests.oracles.wh40k.scenes import (
    MIXED_HEIGHTS,
    QUICK_THEMES,
    THEMES,
    flying_case,
    random_case,
    small_case,
)

FEW = 2
"""Charging models on the tables of the quick part."""
SLOW_SHARE = 50
"""One in so many of its tables may have bases that are not round."""


def held(number: int, *, scene: Callable[[int], Case] = random_case) -> Held:
    """Hold one scene against the second measurement, the search, and spoilt plans."""
    report = referee(scene(number))
    return Held(report.outcome, report.complaints, {"changed plans judged": report.spoilt})


def measured(number: int) -> Held:
    """Hold one small scene against the second measurement."""
    report = plans_only(
        random_case(number, most=FEW, themes=QUICK_THEMES if number % SLOW_SHARE else THEMES)
    )
    return Held(report.outcome, report.complaints)


PARTS: dict[str, tuple[Callable[[int], Held], int]] = {
    "all": (held, 200),
    "plans": (measured, 10_000),
    "steps": (partial(held, scene=partial(random_case, heights=MIXED_HEIGHTS)), 200),
    "flights": (partial(held, scene=flying_case), 200),
    "small": (partial(held, scene=small_case), 200),
}
"""What is held and how many tables of it, by its name."""

if __name__ == "__main__":
    arguments = sys.argv[1:]
    is_named = arguments[:1] != [] and arguments[0] in PARTS
    hold, count = PARTS[arguments[0] if is_named else "all"]
    sys.exit(run(arguments[is_named:], hold, count=count))
