"""One truth about a throw: what `resolve` comes to with every throw of all dice adds up to what `odds` tells.

`python -m tests.oracles.agreed GAME [COUNT [FIRST]]` asks it of random tables, and
`python -m tests.oracles.agreed bundled [COUNT [FIRST]]` of the bundled scenarios; of BattleTech some throws only.

Where a search ends before an outcome is known, the throw has no verdict and the odds leave it open: neither may know
what the other does not. Only where it is open whether dice are rolled again, odds may know what both ways come to.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from systems.wh40k.words import Declarations
from tabletop.api import decide, odds
from tabletop.errors import NoVerdictError
from tabletop.ruling.odds import Odds
from tabletop.ruling.system import Case
from tabletop.scenario import read_case
from tabletop.scenario.reading import case_from_tables
from tests.bundled import NAMES
from tests.oracles.battletech.scenes import random_scene as battletech_scene
from tests.oracles.conquest.scenes import random_case as conquest_case
from tests.oracles.groups import random_group
from tests.oracles.running import Held, run
from tests.oracles.scenes import random_case as t9a_case
from tests.oracles.wh40k.scenes import flying_case, random_case, small_case
from tests.throws import Thrown, each, own_total, tallied, with_faces

SEEDS = 24
"""Throws of BattleTech, whose dice have too many faces to try all."""

MODELS = 2
"""Charging models of Warhammer 40,000 at most: larger units take long."""
LASTING = frozenset(
    {
        "wh40k/three-that-never-charge",
        "wh40k/three-with-something-else-to-do",
    }
)
"""Bundled scenarios with too many throws to resolve each."""


def rolled_again(number: int) -> Case:
    """Make a random table of Warhammer 40,000 on which dice may be rolled again."""
    case = random_case(number, most=1)
    (charge,) = case.charges
    again = charge.declarations.model_copy(update={"reroll": "if_failed"})
    return replace(case, charges=(replace(charge, declarations=again),))


def followed(number: int) -> Case:
    """Make a random table of Warhammer 40,000 on which a friend, if there is one, charges after the charger."""
    case = random_case(number, most=1)
    (charge,) = case.charges
    after = replace(charge, charger="F", declarations=Declarations())
    return replace(case, charges=(charge, after)) if "F" in case.state.units else case


GAMES: Mapping[str, Callable[[int], Case]] = {
    "t9a": t9a_case,
    "t9a-combined": random_group,
    "conquest": conquest_case,
    "wh40k": partial(random_case, most=MODELS),
    "wh40k-flights": partial(flying_case, most=1),
    "wh40k-small": small_case,
    "wh40k-again": rolled_again,
    "wh40k-followed": followed,
    "battletech": lambda number: case_from_tables(battletech_scene(number)),
    "bundled": lambda number: read_case(NAMES[number]),
}
"""Tables by their number."""


def complaints(case: Case) -> Iterator[str]:
    """Yield what the odds of a case and the rulings on its throws say differently."""
    if case.system.name == "battletech":
        yield from _at_random(case)
        return
    throws = list(each(case))
    try:
        told = odds(case)
    except NoVerdictError as error:
        if len(case.charges) == 1 and any(throw.rulings for throw in throws):
            yield f"the odds have no verdict, throws have: {error}"
        return
    settled = (throw for throw in throws if throw.rulings)
    counted = tallied((tuple[str, ...](throw.outcomes), throw.chance) for throw in settled)
    known: dict[tuple[str, ...], Fraction] = {
        row: chance for row, chance in told.joint.items() if "undecided" not in row
    }
    for row in sorted({*known, *counted}):
        one, other = known.get(row, Fraction(0)), counted.get(row, Fraction(0))
        if one < other or (one > other and not may_be_rolled_again(case)):
            yield f"{', '.join(row)}: {one} in the odds, {other} by throws"
    if sum(known.values()) == sum(counted.values()) == 1:
        yield from _rules(told, throws)
    if len(case.charges) == 1:
        yield from _alone(case, told, throws)


def _at_random(case: Case) -> Iterator[str]:
    """Yield what comes of throws, where all are too many, though the odds exclude it."""
    try:
        told = odds(case)
    except NoVerdictError:
        return
    unthrown = with_faces(case, [None] * len(case.charges))
    for seed in range(SEEDS):
        rulings = decide(unthrown, seed=seed).rulings
        row = tuple(ruling.outcome for ruling in rulings)
        if not told.joint.get(row):
            yield f"seed {seed}: {', '.join(row)}, which the odds exclude"
        for ruling, one in zip(rulings, told.charges, strict=True):
            if ruling.rule is not None and not one.rules.get(ruling.rule):
                yield f"seed {seed}: {ruling.rule}, which the odds exclude"


def may_be_rolled_again(case: Case) -> bool:
    """Return whether it depends on the outcome of a throw whether dice are rolled again."""
    return case.system.name == "wh40k" and any(
        charge.declarations.reroll == "if_failed" for charge in case.charges
    )


def _rules(told: Odds, throws: list[Thrown]) -> Iterator[str]:
    """Yield the charges whose rules that decide against them differ."""
    for number, one in enumerate(told.charges):
        decided = ((throw.rulings[number].rule, throw.chance) for throw in throws)
        counted = tallied((rule, chance) for rule, chance in decided if rule is not None)
        if dict(one.rules) != counted:
            yield f"charge {number}: {dict(one.rules)} in the odds, {counted} by throws"


def _alone(case: Case, told: Odds, throws: list[Thrown]) -> Iterator[str]:
    """Yield the throws of a single charge that differ from what the odds tell of their total, or of the chance."""
    (one,) = told.charges
    low, high = one.chances
    outcomes = {
        (total.total, outcome)
        for total in one.by_total
        for outcome, chance in total.outcomes.items()
        if chance
    }
    for throw in throws:
        for ruling in throw.rulings:
            least, most = ruling.chances
            if least > high or most < low:
                yield f"{throw.faces}: a chance of {least} to {most}, {low} to {high} in the odds"
            if outcomes and (own_total(case, throw, 0), ruling.outcome) not in outcomes:
                yield f"{throw.faces}: {ruling.outcome}, which the odds exclude"


def held(game: str, number: int) -> Held:
    """Ask the law of one table."""
    found = list(complaints(GAMES[game](number)))
    return Held("contradicted" if found else "agreed", found)


if __name__ == "__main__":
    game, *arguments = sys.argv[1:]
    sys.exit(run(arguments, partial(held, game), count=len(NAMES) if game == "bundled" else 200))
