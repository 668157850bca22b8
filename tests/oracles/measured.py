"""Places as hands measure them: rounded ones are never refused, spoiled ones always, and what can be decided is.

`python -m tests.oracles.measured GAME [COUNT [FIRST]]` asks it of random tables: the program's own place rounded to 3,
2 and 1 decimals and to sixteenths of an inch with whole degrees, and put off by five times the accuracy; a model that
was put off may owe nothing where the others, within the accuracy, leave it no place in contact.
"""

import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from tabletop.api import judge, resolve
from tabletop.errors import NoVerdictError
from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.scenario.cases import place_entry
from tabletop.scenario.placements import placement_format
from tabletop.table.accuracy import Accuracy, Measured
from tabletop.table.models import Formation, Squad
from tabletop.testing.answers import last_places
from tests.oracles.printed import GAMES
from tests.oracles.running import Held, run

SPOILED = Accuracy(0.1, math.radians(1.0))
TIMES = 5.0
DECIMALS = {f"{decimals} decimals": 10.0**-decimals for decimals in (3, 2, 1)}
ROUNDED: Mapping[str, tuple[float, float, Accuracy]] = {
    **{words: (step, step, Accuracy(step, math.radians(step))) for words, step in DECIMALS.items()},
    "sixteenths": (1 / 16, 1.0, Accuracy(1 / 16, math.radians(1.0))),
}
"""Steps in inches and in degrees to which places are rounded, and the accuracy that goes with them."""


def claims(case: Case, resolution: Resolution) -> dict[str, Any]:
    """Return the places of the chargers that completed their charges."""
    chargers = {one.charge.charger for one in resolution.rulings if one.outcome == "success"}
    return {
        name: place for name, place in last_places(case, resolution).items() if name in chargers
    }


def rounded(place: Any, case: Case, name: str, inches: float, degrees: float) -> Any:
    """Return a place as it is read off a tape."""

    def off(value: Any, key: str = "") -> Any:
        if isinstance(value, (list, tuple)):
            return tuple(off(inner, key) for inner in value)
        step = degrees if key == "facing_deg" else inches
        return round(value / step) * step if isinstance(value, float) else value

    way = placement_format(case.system.vocabulary)
    entry = way.place.model_validate(
        {key: off(value, key) for key, value in place_entry(place, case).items()}
    )
    return way.read_place(entry, case.state.units[name], case.state.board)


def spoiled(place: Any, resolution: Resolution, name: str) -> Any:
    """Move a front off its facing, or a model in contact straight away from it; None if there is neither."""
    by = TIMES * SPOILED.at
    if isinstance(place, Pose):
        return place.advanced(-by)
    formation: Formation = place
    squad: Squad = resolution.after.units[name]
    targets = next(one.charge.targets for one in resolution.rulings if one.charge.charger == name)
    foes = [model for target in targets for model in resolution.after.units[target].models]
    for number, model in enumerate(squad.models):
        for foe in foes:
            length = math.dist(model.pose.at, foe.pose.at)
            if (
                abs(gap(model.footprint, foe.footprint)) <= 1e-6
                and model.z == foe.z
                and length > 0.0
            ):
                x, y = (
                    (own - other) * by / length
                    for own, other in zip(model.pose.at, foe.pose.at, strict=True)
                )
                away = Pose(model.pose.x + x, model.pose.y + y, model.pose.heading)
                return replace(
                    formation,
                    poses=(*formation.poses[:number], away, *formation.poses[number + 1 :]),
                )
    return None


def judged(case: Case, places: Mapping[str, Any], accuracy: Accuracy) -> Judgement:
    """Judge places of which alone it is said how well they were measured."""
    asked = replace(case, proposal=places, measured=Measured(proposal=accuracy))
    return judge(asked, resolve(asked))


def complaints(game: str, number: int) -> list[str]:
    """Return what the judge gets wrong about measured positions on a random table."""
    case = GAMES[game](number)
    try:
        resolution = resolve(case)
        return list(_complaints(case, resolution))
    except NoVerdictError:
        return []


def _complaints(case: Case, resolution: Resolution) -> Iterator[str]:
    exact = claims(case, resolution)
    if not exact:
        return
    for words, (inches, degrees, accuracy) in ROUNDED.items():
        found = judged(
            case,
            {name: rounded(place, case, name, inches, degrees) for name, place in exact.items()},
            accuracy,
        )
        if found.outcome not in ("success", "undecided"):
            yield f"{words}: {found.outcome} by {found.rule}"
        if found.outcome == "undecided" and found.decides is None:
            yield f"{words}: undecided, and nothing says what to measure"
        if any(moved > accuracy.at * 1.001 + 1e-3 for moved in found.moved.values()):
            yield f"{words}: what is meant lies {found.moved} in off"
    for name, place in exact.items():
        off = spoiled(place, resolution, name)
        if (
            off is not None
            and (found := judged(case, {name: off}, SPOILED)).outcome != "not_allowed"
            and not _may_be(case, resolution, found)
        ):
            yield f"{name} spoiled: {found.outcome} by {found.rule}"


def _may_be(case: Case, resolution: Resolution, found: Judgement) -> bool:
    """Return whether a model set aside owes no contact where the others of its unit may stand: they leave it no place
    in contact.
    """
    is_loose = any(isinstance(place, Formation) for place in found.meant.values())
    return (
        is_loose
        and found.outcome == "undecided"
        and judge(replace(case, proposal=found.meant), resolution).outcome == "success"
    )


def held(game: str, number: int) -> Held:
    """Run the check on one table."""
    return Held("judged", complaints(game, number))


if __name__ == "__main__":
    sys.exit(run(sys.argv[2:], partial(held, sys.argv[1]), count=200))
