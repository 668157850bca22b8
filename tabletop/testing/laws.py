"""Laws of any game on a free table, checked on its answers.

Each public function is a contract: it takes the name of a bundled scenario and raises AssertionError if the law does
not hold.
"""

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from tabletop.api import judge
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import Shape
from tabletop.kit.bodies import bodies, body, gap_between, swept
from tabletop.ruling.judge import distance_off
from tabletop.ruling.odds import ChargeOdds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.dice import DiceSource
from tabletop.table.models import Squad
from tabletop.testing.answers import chances, last_places, resolved
from tabletop.testing.motions import carried_place, turned_point
from tabletop.units import CONTACT, MEANT

SPOILED, TURNED = 0.01, math.radians(0.1)
"""Inches and radians by which a place is spoiled: more than a hand's tolerance."""

WORKS = (1, 3, 10, 30, 100, 300, 1000)
"""Work limits under which a search ends with little, and with much of what it would find."""

RIGHT = ("success", "legal")
"""Outcomes of a claim that is not refused."""

PRINTED, BEYOND, WAYS = 0.7e-4, 1.3e-3, 4
"""Inches by which claims are shifted: as much as four decimals leave out, and more than a hand; and number of
directions."""

SIDEWAYS_CLAIM = 1.5
"""Inches by which a charger is claimed beside where it was resolved to end."""


def declared_contact_is_real(name: str) -> None:
    """Check that each model reported in contact touches another unit or charged terrain; for regiments, that the
    boundaries touch.
    """
    case, resolution = resolved(name)
    for ruling in _successes(resolution):
        met = {
            unit: numbers
            for unit, numbers in ruling.evidence.models_in_contact.items()
            if unit in resolution.after.units
        }
        terrain = [
            piece.shape for piece in case.state.terrain if piece.name in ruling.charge.targets
        ]
        touching = {
            unit: _touching(resolution.after.units[unit], numbers) for unit, numbers in met.items()
        }
        for unit, shapes in touching.items():
            others = [
                *terrain,
                *(shape for other, theirs in touching.items() if other != unit for shape in theirs),
            ]
            assert all(
                min((abs(gap(one, other)) for other in others), default=math.inf) <= CONTACT
                for one in shapes
            ), unit


def _touching(unit: Any, numbers: tuple[int, ...]) -> list[Shape]:
    """Return the bodies of a unit that should touch others: the loose models with these numbers, or a regiment's
    boundary.
    """
    return (
        [shape for number, shape in bodies(unit).items() if number in numbers]
        if isinstance(unit, Squad)
        else list(body(unit))
    )


def no_step_goes_through_what_is_solid(name: str) -> None:
    """Check that no unit sweeps through terrain of a solid kind, deeper than 0.01 in."""
    case, resolution = resolved(name)
    solid = [
        piece.shape for piece in case.state.terrain if piece.kind in case.system.vocabulary.solid
    ]
    if not solid:
        return
    for ruling in resolution.rulings:
        for unit in resolution.before.units.values():
            for place in swept(ruling.steps, unit):
                assert gap_between(place, solid) >= -SPOILED, unit.name


def nonsense_is_refused(name: str) -> None:
    """Check that a charger claimed in the middle of its target, or at its start although it moved, is judged wrong."""
    case, resolution = resolved(name)
    for ruling in _successes(resolution):
        charger, target = (
            resolution.after.units.get(one)
            for one in (ruling.charge.charger, ruling.charge.targets[0])
        )
        if (
            charger is None
            or target is None
            or not body(charger)
            or resolution.before.units[charger.name].place == charger.place
        ):
            continue
        there = _middle(target)
        here = _middle(charger)
        for place in (
            _moved(charger.place, (there[0] - here[0], there[1] - here[1])),
            resolution.before.units[charger.name].place,
        ):
            assert _judged(case, resolution, charger.name, place) not in RIGHT, charger.name


def a_success_spoiled_by_a_hundredth_is_refused(name: str) -> None:
    """Check that a charger shifted by 0.01 in, or turned by 0.1 degrees, out of contact or into its target is judged
    wrong.
    """
    case, resolution = resolved(name)
    for ruling in _successes(resolution):
        for place in _spoiled(resolution, ruling):
            assert _judged(case, resolution, ruling.charge.charger, place) not in RIGHT, (
                ruling.charge.charger
            )


def a_claim_is_forgiven_one_hand(name: str) -> None:
    """Check that places rounded as printed are accepted, and that accepted claims have exact places within 0.001 in.

    The exact places are reported where they differ from the claims; they must be judged right themselves, and nobody
    may overlap more there than where all were resolved to end.
    """
    case, resolution = resolved(name)
    whole = last_places(case, resolution)
    for turn in range(2):
        off = {
            unit: _aside(place, PRINTED, number + turn)
            for number, (unit, place) in enumerate(whole.items())
        }
        assert _outcome(case, resolution, off) in (*RIGHT, "no verdict"), off
    chargers = [
        ruling.charge.charger for ruling in _successes(resolution) if ruling.charge.charger in whole
    ]
    for charger, way in product(chargers, range(WAYS)):
        claimed = {**whole, charger: _aside(whole[charger], BEYOND, way)}
        with suppress(NoVerdictError):
            judgement = judge(replace(case, proposal=claimed, measured=None), resolution)
            if judgement.is_right:
                exact = {**claimed, **judgement.meant}
                units = resolution.after.units
                assert all(
                    distance_off(units[one], claimed[one], exact[one]) <= MEANT + CONTACT
                    for one in claimed
                )
                assert _outcome(case, resolution, exact) in RIGHT
                assert (
                    _room(resolution.after, exact, charger)
                    >= min(_room(resolution.after, {}, charger), 0.0) - CONTACT
                )


def _aside(place: Any, length: float, way: int) -> Any:
    """Return a place shifted by `length` inches in the direction numbered `way`, one of `WAYS`."""
    return _moved(place, _way(length, math.tau * (way + 0.5) / WAYS))


def _way(length: float, angle: float) -> Point:
    return (length * math.cos(angle), length * math.sin(angle))


def _room(state: Any, places: Mapping[str, Any], name: str) -> float:
    """Return the smallest signed gap in inches between the named unit and any other, with units moved to the given
    places.
    """
    units = {
        one: unit.at(places[one]) if one in places else unit for one, unit in state.units.items()
    }
    return gap_between(
        body(units.pop(name)), [shape for unit in units.values() for shape in body(unit)]
    )


def whom_no_claim_names_stands_as_resolved(name: str) -> None:
    """Check that claiming the place of one of several chargers gives the same verdict as claiming all, the others as
    resolved.
    """
    case, resolution = resolved(name)
    if len(case.charges) == 1:
        return
    whole = last_places(case, resolution)
    for charger in (
        ruling.charge.charger for ruling in _successes(resolution) if ruling.charge.charger in whole
    ):
        for number in range(8):
            way = _way(SIDEWAYS_CLAIM, math.tau * number / 8)
            place = _moved(whole[charger], way)
            alone = _outcome(case, resolution, {charger: place})
            assert alone == _judged(case, resolution, charger, place), (charger, way)


def a_limit_of_work_changes_no_answer(name: str) -> None:
    """Check that under a work limit every answer is the same as without one, less certain, or missing.

    A right claim may be judged no more than "legal" if the search for a better one was ended. A chance that is not
    proved is a range that contains the proved one.
    """
    case, whole = resolved(name)
    claims = [
        claim
        for claim in (case.proposal and case.claimed(whole), last_places(case, whole))
        if claim
    ]
    for claim, known in [
        (claim, _limited_judgement(case, whole, claim, Budget())) for claim in claims
    ]:
        for budget in _little_work():
            assert _limited_judgement(case, whole, claim, budget) in (
                known,
                "legal",
                "no verdict",
            ), budget.work
    for budget in _little_work():
        with budget.running(), suppress(NoVerdictError):
            limited = case.system.resolve(
                case, throws=DiceSource(sides=case.system.vocabulary.sides), budget=budget
            )
            for one, ruling in zip(limited.rulings, whole.rulings, strict=True):
                assert (one.outcome, one.rule) == (ruling.outcome, ruling.rule), budget.work
                _assert_within(one, ruling, work=budget.work)
    for budget in _little_work():
        with budget.running(), suppress(NoVerdictError):
            found = case.system.odds(replace(case, measured=None), budget=budget)
            for few, many in zip(found.charges, chances(name).charges, strict=True):
                _assert_within(few, many, work=budget.work)
            is_whole = all(one.is_proved for one in found.charges)
            assert found.joint == chances(name).joint or not is_whole, budget.work
            assert sum(found.joint.values()) == 1, budget.work


@dataclass(frozen=True)
class _Watched(Budget):
    """A budget that records in `ended` whether it ended a search."""

    ended: list[bool] = field(default_factory=list, compare=False)

    def is_spent(self, work: int) -> bool:
        is_spent = super().is_spent(work)
        self.ended.extend([True] if is_spent else [])
        return is_spent


def _little_work() -> Iterator[Budget]:
    """Yield budgets of increasing work, up to and including the first that ends no search."""
    for work in WORKS:
        budget = _Watched(work=work)
        yield budget
        if not budget.ended:
            return


def _assert_within(few: Ruling | ChargeOdds, many: Ruling | ChargeOdds, *, work: int) -> None:
    """Assert that the chance and the smallest roll found with more work lie within the ranges found with little
    work.
    """
    assert few.chances[0] <= many.chances[0] <= many.chances[1] <= few.chances[1], work
    rolls, within = (
        [math.inf if roll is None else roll for roll in one.shortest_rolls] for one in (few, many)
    )
    assert rolls[0] <= within[0] <= within[1] <= rolls[1], work


def _limited_judgement(
    case: Case, resolution: Resolution, claim: Mapping[str, Any], budget: Budget
) -> str:
    """Return the outcome of the judgement on claimed places under a budget, or "no verdict"."""
    with budget.running():
        try:
            judgement = case.system.judge(
                replace(case, proposal=claim, measured=None), resolution, budget=budget
            )
        except NoVerdictError:
            return "no verdict"
    return judgement.outcome


def _spoiled(resolution: Resolution, ruling: Ruling) -> Iterator[Any]:
    """Yield places of a charger in contact, shifted by 0.01 in or turned by 0.1 degrees, at which it has lost contact
    or overlaps.
    """
    charger = resolution.after.units.get(ruling.charge.charger)
    met = [
        resolution.after.units[name]
        for name in ruling.charge.targets
        if name in resolution.after.units
    ]
    targets = [shape for unit in met for shape in body(unit)]
    if (
        charger is None
        or not targets
        or not body(charger)
        or abs(gap_between(body(charger), targets)) > CONTACT
    ):
        return
    for number in range(16):
        place = _moved(charger.place, _way(SPOILED, math.tau * number / 16))
        if abs(gap_between(body(charger.at(place)), targets)) > SPOILED / 2:
            yield place
    for turn in (TURNED, -TURNED):
        place = _turned_about(charger.place, _middle(charger), turn)
        if gap_between(body(charger.at(place)), targets) < -SPOILED / 4:
            yield place


def _judged(case: Case, resolution: Resolution, name: str, place: Any) -> str:
    """Return the outcome of the judgement on all resolved places with one unit elsewhere; "no verdict" for a unit that
    lost models.
    """
    whole = last_places(case, resolution)
    return _outcome(case, resolution, {**whole, name: place}) if name in whole else "no verdict"


def _outcome(case: Case, resolution: Resolution, claimed: Mapping[str, Any]) -> str:
    """Return the outcome of the judgement on claimed places, or "no verdict"."""
    try:
        return judge(replace(case, proposal=claimed, measured=None), resolution).outcome
    except NoVerdictError:
        return "no verdict"


def _successes(resolution: Resolution) -> list[Ruling]:
    return [ruling for ruling in resolution.rulings if ruling.outcome == "success"]


def _moved(place: Any, way: Point) -> Any:
    return carried_place(
        place, lambda point: (point[0] + way[0], point[1] + way[1]), lambda heading: heading
    )


def _turned_about(place: Any, about: Point, angle: float) -> Any:
    return carried_place(
        place, lambda point: turned_point(point, angle, about), lambda heading: heading + angle
    )


def _middle(unit: Any) -> Point:
    """Return the table point of the middle of a unit: the mean position of loose models, or the centre of a
    regiment.
    """
    points = (
        [model.pose.at for model in unit.models]
        if isinstance(unit, Squad)
        else [getattr(unit, "centre", unit.pose.at)]
    )
    return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
