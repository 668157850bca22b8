"""A claim is a witness: what `resolve` prints for loose models, its own judge accepts, and rounded to sixteenths it is
refused nowhere.

`python -m tests.oracles.wh40k.claims THEME [COUNT [FIRST]]` asks it of tables of a theme (`THEMES`);
`python -m tests.oracles.wh40k.claims rounded THEME [COUNT [FIRST]]` asks it of the plans rounded to sixteenths of an
inch; `python -m tests.oracles.wh40k.claims bound THEME [COUNT [FIRST]]` asks of each model in contact in a plan whether
the bounds on contact allow what the plan does, whoever else has moved before it, and of the
others whether what they forbid is found by a plain search.
"""

import math
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from systems.wh40k.feasibility import problem_of
from tabletop.api import answer, resolve
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.geometry.arrays import FloatArray
from tabletop.placement.branch_and_bound import Following
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


def bundled_case(number: int) -> Case:
    """Read the bundled scenario of a number."""
    return read_case(OWN[number])


TABLES: Mapping[str, Callable[[int], Case]] = {
    "bundled": bundled_case,
    "random": partial(random_case, themes=QUICK_THEMES),
    "long": partial(random_case, themes=("long",)),
    "small": small_case,
    "crowded": crowded_case,
    "flights": flying_case,
}
"""Random tables by their number, or bundled ones, by the name of the theme."""

SIXTEENTHS = 16
SUBSETS, MOVED = 3, 0.7
"""How often it is asked of a model in contact, and which share of the others has moved before it."""
ANGLES = 720
"""Places about each foe that a plain search looks at."""


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
    """Ask of one table whether the bounds on contact forbid what its plan does, or what a plain search finds."""
    case = tables(number)
    dice = np.random.default_rng(number)
    try:
        resolution = resolve(case, contrast=False)
    except NoVerdictError:
        return Held("no ruling", ())
    found = list[str]()
    asked: Counter[str] = Counter()
    for ruling in resolution.rulings:
        if ruling.outcome != "success" or ruling.attempt.move is None:
            continue
        ends = ruling.attempt.move.ends
        whole = Solver(problem_of(ends.scene), ends.distance)
        for place, touches in enumerate(ends.touching.tolist()):
            others = [model for row, model in enumerate(ends.models) if row != place]
            owing = MandatoryContact(whole, (*others, ends.models[place]))
            rest, row = owing.order[:-1], int(owing.order[-1])
            if not touches and whole.legality.is_round:
                duty = owing.contact(len(others), budget=Budget())
                asked["last models"] += 1
                if duty.end is None and duty.proof == "exact" and is_found(owing.solver, row):
                    found.append(f"{ruling.charge.charger}: model {row} may be in contact")
            for _ in range(SUBSETS if touches else 0):
                moved = rest[dice.random(len(rest)) < MOVED]
                following = Following(ModelTurn(owing.solver, moved, row).solver, row)
                asked["models in contact"] += 1
                if following.applies and not following.may_complete:
                    found.append(f"{ruling.charge.charger}: model {row} after {moved.tolist()}")
    return Held("forbidden" if found else "allowed", found, asked)


def is_found(solver: Solver, row: int) -> bool:
    """Return whether a disc touches a foe at one of many places that it reaches and at which the unit is whole, the
    others being placed.

    Heights are ignored.
    """
    problem = solver.problem
    radii = problem.models.radii
    foes = problem.target_models.models
    angles = math.tau / ANGLES * np.arange(ANGLES)
    rings = np.column_stack([np.cos(angles), np.sin(angles)])
    places = solver.start.candidates.at
    rest = np.arange(len(radii)) != row
    number = int(solver.legality.kind_numbers[row])
    for centre, radius, z in zip(foes.centres, foes.radii, foes.heights, strict=True):
        at = centre + (radius + radii[row]) * rings
        usable = solver.legality.are_legal(solver.legality.kinds[number], at, np.full(ANGLES, z))
        spots = solver.legality.measured(number, at[usable], np.full(int(usable.sum()), z))
        costs = solver.move_costs(row, spots)
        for spot in spots.at[np.isfinite(costs)]:
            ends = np.where(rest[:, None], places, spot)
            gaps = _gaps(ends, radii, foes.centres, foes.radii)
            near = np.asarray((gaps <= problem.engagement.horizontal).any(axis=0))
            own = _gaps(ends, radii, ends, radii)
            linked = (own <= problem.coherency.horizontal) & ~np.eye(len(ends), dtype=bool)
            joined = np.linalg.matrix_power(linked + np.eye(len(ends)), len(ends)) > 0
            if (
                all(near[problem.target_index == target].any() for target in problem.target_numbers)
                and (own[row, rest] >= 0.0).all()
                and (linked.sum(axis=1) >= problem.coherency.neighbours).all()
                and (joined.all() or not problem.coherency.single_group)
            ):
                return True
    return False


def _gaps(one: FloatArray, radii: FloatArray, two: FloatArray, others: FloatArray) -> FloatArray:
    apart = np.linalg.norm(one[:, None] - two[None], axis=2)
    return np.asarray(apart - radii[:, None] - others)


HELD = {"plans": held, "rounded": held_rounded, "bound": held_bound}

if __name__ == "__main__":
    arguments = sys.argv[1:]
    is_named = arguments[0] in HELD
    theme, *numbers = arguments[is_named:]
    hold = HELD[arguments[0] if is_named else "plans"]
    sys.exit(
        run(numbers, partial(hold, TABLES[theme]), count=len(OWN) if theme == "bundled" else 60)
    )
