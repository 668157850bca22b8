"""A second opinion on every placement: SciPy may find less than the program, but nothing better where the answer is
proved.

`python -m tests.oracles.second bundled` asks it of the bundled scenarios,
`python -m tests.oracles.second GAME [COUNT [FIRST]]` of random tables. The summary counts how they agree, and by which
goal they differ.
"""

import sys
from collections.abc import Callable, Mapping
from functools import partial

from tabletop.api import resolve
from tabletop.errors import NoVerdictError
from tabletop.registry import names, scenarios
from tabletop.ruling.system import Case
from tabletop.scenario.reading import read_case
from tests.oracles.conquest.scenes import random_case as conquest_case
from tests.oracles.groups import random_group
from tests.oracles.running import Held, run
from tests.oracles.scenes import random_case as t9a_case
from tests.oracles.unaligned import random_case as unaligned_case
from tests.oracles.wh40k.scenes import random_case as wh40k_case

MODELS = 5
"""Charging models of Warhammer 40,000 at most: larger units take long."""

BUNDLED = tuple(
    name for system in names() if system != "battletech" for name, _ in scenarios(system)
)
GAMES: Mapping[str, Callable[[int], Case]] = {
    "bundled": lambda number: read_case(BUNDLED[number]),
    "t9a": t9a_case,
    "t9a-unaligned": unaligned_case,
    "t9a-combined": random_group,
    "conquest": conquest_case,
    "wh40k": lambda number: wh40k_case(number, most=MODELS),
}
"""Tables by their number."""


def held(game: str, number: int) -> Held:
    """Return the second opinion on one table, charge by charge."""
    try:
        resolution = resolve(GAMES[game](number), second_opinion=True)
    except NoVerdictError:
        return Held("no verdict", ())
    opinions = [
        (ruling.charge.charger, one)
        for ruling in resolution.rulings
        if (one := ruling.second_opinion) is not None
    ]
    faults = [
        f"{name}: SciPy serves {one.goal} better: {one.goals}"
        for name, one in opinions
        if one.is_fault
    ]
    words = [f"{one.verdict}{'' if one.goal is None else f' by {one.goal}'}" for _, one in opinions]
    return Held(
        "asked" if opinions else "nobody placed alone",
        faults,
        {word: words.count(word) for word in words},
    )


if __name__ == "__main__":
    game, *arguments = sys.argv[1:]
    sys.exit(run(arguments, partial(held, game), count=len(BUNDLED) if game == "bundled" else 200))
