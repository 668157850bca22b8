"""A claim is a witness: what `resolve` prints for loose models, its own judge accepts, and rounded to sixteenths it is
refused nowhere.

`python -m tests.oracles.wh40k.claims THEME [COUNT [FIRST]]` asks it of tables of a theme (`THEMES`);
`python -m tests.oracles.wh40k.claims rounded THEME [COUNT [FIRST]]` asks it of the plans rounded to sixteenths of an
inch; `python -m tests.oracles.wh40k.claims bound THEME [COUNT [FIRST]]` asks of each model in contact in a plan whether
the bound on contact allows what the plan does, whoever else has moved before it.
"""

import random
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from systems.wh40k.feasibility import problem_of
from tabletop.api import answer, resolve
from tabletop.errors import NoVerdictError
from tabletop.placement.candidates import Solver
from tabletop.placement.mandatory_contact import MandatoryContact, ModelTurn
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution
from tabletop.scenario import read_case
from tabletop.scenario.cases import place_entry
from tabletop.scenario.reading import case_from_tables
from tabletop.scenario.writing import tidy
from tests.bundled import NAMES
from tests.oracles.running import Held, run
from tests.oracles.wh40k.scenes import (
    QUICK_THEMES,
    crowded_case,
    flying_case,
    random_case,
    small_case,
)

OWN = tuple(name for name in NAMES if name.startswith("wh40k/"))

TABLES: Mapping[str, Callable[[int], Case]] = {
    "bundled": lambda number: read_case(OWN[number]),
    "random": partial(random_case, themes=QUICK_THEMES),
    "long": partial(random_case, themes=("long",)),
    "small": small_case,
    "crowded": crowded_case,
    "flights": flying_case,
}
"""Random tables by their number, or bundled ones, by the name of the theme."""

SIXTEENTHS = 16
SUBSETS, MOVED = 4, 0.7
"""How often it is asked of a model in contact, and which share of the others has then moved before it."""


def ends(case: Case, resolution: Resolution) -> dict[str, dict[str, Any]]:
    """Return where all chargers that complete their charge end, as tables of a file; empty if none does."""
    return {
        ruling.charge.charger: tidy(place_entry(ruling.attempt.move.formation, case))
        for ruling in resolution.rulings
        if ruling.outcome == "success" and ruling.attempt.move is not None
    }


def claiming(case: Case, places: Mapping[str, Any], **more: Any) -> Case:
    """Return the case whose file claims these places, with more keys of a file."""
    tables = {key: value for key, value in (case.tables or {}).items() if key != "expect"}
    return case_from_tables({**tables, **more, "proposal": {"units": dict(places)}})


def rounded(places: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return places with the centres of models in sixteenths of an inch."""
    return {
        name: {
            **place,
            "at": [
                [round(number * SIXTEENTHS) / SIXTEENTHS for number in spot] for spot in place["at"]
            ],
        }
        for name, place in places.items()
    }


def held(tables: Callable[[int], Case], number: int) -> Held:
    """Ask of one table whether its printed plan is accepted."""
    case = tables(number)
    try:
        resolution = resolve(case, contrast=False)
    except NoVerdictError:
        return Held("no ruling", ())
    places = ends(case, resolution)
    if not places:
        return Held("no plan", ())
    try:
        judgement = answer(claiming(case, places), contrast=False).judgement
    except NoVerdictError as error:
        return Held("no verdict", (str(error),))
    if judgement is None or judgement.outcome != "success":
        return Held("refused", (str(judgement and judgement.summary),))
    return Held("accepted", ())


def held_rounded(tables: Callable[[int], Case], number: int) -> Held:
    """Ask of one table whether its printed plan, rounded, is refused or without a verdict at that accuracy."""
    case = tables(number)
    try:
        places = ends(case, resolve(case, contrast=False))
    except NoVerdictError:
        return Held("no ruling", ())
    if not places:
        return Held("no plan", ())
    claimed = claiming(case, rounded(places), accuracy=f"1/{SIXTEENTHS}")
    try:
        judgement = answer(claimed, contrast=False).judgement
    except NoVerdictError as error:
        return Held("no verdict", (str(error),))
    outcome = "none" if judgement is None else judgement.outcome
    return Held(
        outcome, (str(judgement and judgement.summary),) if outcome == "not_allowed" else ()
    )


def held_bound(tables: Callable[[int], Case], number: int) -> Held:
    """Ask of one table whether the bound on contact forbids what its plan does."""
    case = tables(number)
    dice = random.Random(number)  # noqa: S311 - subsets, not secrets
    try:
        resolution = resolve(case, contrast=False)
    except NoVerdictError:
        return Held("no ruling", ())
    found = list[str]()
    asked = 0
    for ruling in resolution.rulings:
        if ruling.outcome != "success" or ruling.attempt.move is None:
            continue
        ends = ruling.attempt.move.ends
        solver = Solver(problem_of(ends.scene), ends.distance)
        owing = MandatoryContact(solver, ends.models)
        touching = owing.order[ends.touching]
        for row in [row for row in touching.tolist() for _ in range(SUBSETS)]:
            others = np.setdiff1d(owing.order, [row])
            moved = others[[dice.random() < MOVED for _ in others]]
            asked += 1
            if ModelTurn(owing.solver, moved, row).bound != (True, True):
                found.append(f"{ruling.charge.charger}: model {row} after {moved.tolist()}")
    return Held("forbidden" if found else "allowed", found, {"models asked": asked})


HELD = {"plans": held, "rounded": held_rounded, "bound": held_bound}

if __name__ == "__main__":
    arguments = sys.argv[1:]
    is_named = arguments[0] in HELD
    theme, *numbers = arguments[is_named:]
    hold = HELD[arguments[0] if is_named else "plans"]
    sys.exit(
        run(numbers, partial(hold, TABLES[theme]), count=len(OWN) if theme == "bundled" else 60)
    )
