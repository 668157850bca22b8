"""One Conquest charge among eight other regiments: warm time, and dense sampling of wheels with plain Shapely / ours.

The time is the median over the first crowded tables on which the charge completes, so that every stage is run. The
sampling tries wheels every tenth of a milliradian about both corners and narrows the best window; it gives no findings,
steps or odds.
"""

import math
import random
import statistics
import sys
from functools import partial
from itertools import count, islice

import shapely

from benchmarks.protocol import Promise, among_others, interleaved, report
from tabletop.ruling.system import Case
from tests.oracles.conquest.answer import answer
from tests.oracles.conquest.referee import referee
from tests.oracles.conquest.scenes import outline
from tests.oracles.conquest.table import table_of
from tests.tables import Entry, case, charger, resolve, unit

OTHERS = 8
SCENES = 24
AGAINST_SAMPLING = 4
FINE = 1e-4
"""Radians between the wheels sampled: ten inches away, about as far as a charge leads, a thousandth of an inch."""
APART = 0.05
"""Inches that bodies are apart at the start, at least."""


def measure() -> tuple[Promise, ...]:
    """Time our resolution of all scenes, and the sampling beside it on the first."""
    cases = list(islice(filter(is_success, map(crowd, count())), SCENES))
    alone = statistics.median(interleaved(*(partial(resolve, item) for item in cases)))
    first = cases[:AGAINST_SAMPLING]
    theirs, ours = interleaved(
        lambda: [answer(table_of(item), step=FINE) for item in first],
        lambda: [resolve(item) for item in first],
    )
    beaten = sum(bool(referee(item).complaints) for item in first)
    gate = f"{beaten} of {len(first)} scenes bettered by wheels sampled, or ended elsewhere"
    times = (alone, theirs, ours)
    name = f"conquest: charge among {OTHERS} regiments"
    return among_others(
        name,
        "sampling with Shapely",
        times,
        gate=gate,
        beaten=beaten,
        scenes=SCENES,
        raced=len(first),
    )


def is_success(item: Case) -> bool:
    """Return whether the charge of a case completes."""
    return resolve(item).rulings[0].outcome == "success"


def crowd(seed: int) -> Case:
    """Make a table: B looks at a charger A that comes at an angle from 5 to 9 in away, eight others stand around
    them.
    """
    dice = random.Random(seed)  # noqa: S311 - scenes, not secrets
    bearing = math.radians(90.0 + dice.gauss(0.0, 25.0))
    away = dice.uniform(5.0, 9.0)
    units = {
        "B": unit(
            (36.0, 20.0), 90.0, dice.randint(2, 4), stands=dice.randint(4, 8), base="54x54mm"
        ),
        "A": charger(
            (36.0 + away * math.cos(bearing), 20.0 + away * math.sin(bearing)),
            math.degrees(bearing) + 180.0 + dice.gauss(0.0, 15.0),
            dice.randint(2, 4),
            base="54x54mm",
            march=7,
            size=5,
        ),
    }
    while len(units) < OTHERS + 2:
        other = _other(dice)
        if all(
            outline(other).distance(outline(entry)) >= APART for entry in units.values()
        ) and _is_on_board(other):
            units[f"N{len(units)}"] = other
    return case(dict(sorted(units.items())), dice=(6,))


def _other(dice: random.Random) -> Entry:
    """Make a regiment somewhere around the two."""
    at = (dice.uniform(22.0, 50.0), dice.uniform(14.0, 38.0))
    side = dice.choice(("red", "blue"))
    base = dice.choice(("54x54mm", "54x54mm", "54x108mm", "110x110mm"))
    return unit(at, dice.uniform(0.0, 360.0), dice.randint(1, 3), side=side, stands=3, base=base)


def _is_on_board(entry: Entry) -> bool:
    return bool(shapely.box(0.0, 0.0, 72.0, 48.0).covers(outline(entry)))


if __name__ == "__main__":
    sys.exit(report([measure]))
