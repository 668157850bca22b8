"""Compares a resolved charge with the brute force and says what is wrong, if anything."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.state import Regiment
from tests.oracles.conquest.answer import Answer, answer
from tests.oracles.conquest.bodies import Frames, frames_of
from tests.oracles.conquest.choosing import best_of
from tests.oracles.conquest.numbers import measured
from tests.oracles.conquest.reach import Wheels
from tests.oracles.conquest.table import Table, table_of
from tests.oracles.conquest.trial import Trier
from tests.tables import resolve

NEAR = 1e-3
NEAR_DEGREES = 1e-2
TOLERANCES = (1e-6, 1e-9, 3e-6)
"""Inches: an answer that holds for one of these is right to the tolerance of the rules page."""
NUDGES = (0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
AREAS = 1e-4
FLAT = 2e-6


@dataclass(frozen=True)
class Report:
    """What came of a scene in a word, what the brute force has against it, and whether a window too narrow to demand
    decided.
    """

    outcome: str
    complaints: tuple[str, ...]
    is_narrow: bool = False


def referee(case: Case) -> Report:
    """Resolve a case of one charge and check the ruling."""
    resolution = resolve(case)
    ruling = resolution.rulings[0]
    complaints: tuple[str, ...] = ()
    for touch in TOLERANCES:
        table = replace(table_of(case), touch=touch)
        found = answer(table)
        wrong = tuple(differences(table, found, resolution))
        if not wrong:
            return Report(_word(ruling), ())
        complaints = complaints or wrong
        if is_narrow(table, found, ruling):
            return Report(_word(ruling), (), is_narrow=True)
    return Report(_word(ruling), complaints)


def _word(ruling: Ruling) -> str:
    return ruling.rule or kind_of(ruling) or ruling.outcome


def kind_of(ruling: Ruling) -> str | None:
    """Return the class of the wheel that a ruling takes, if it takes one."""
    if ruling.outcome == "failed":
        return "mired" if "stands_reaching" in ruling.metrics else None
    if ruling.outcome != "success":
        return None
    if "target_wheel_deg" in ruling.metrics:
        return "turned"
    if ruling.metrics.get("pushed"):
        return "push"
    return "own" if "align_deg" in ruling.metrics else "touch"


def differences(table: Table, found: Answer, resolution: Resolution) -> Iterator[str]:
    """Yield the differences between a resolution of one charge and the brute force."""
    ruling = resolution.rulings[0]
    if ruling.outcome != found.outcome or (found.rules and ruling.rule not in found.rules):
        yield f"{ruling.outcome} by {ruling.rule}, brute force {found.outcome} by {found.rules} {_told(found)}"
        return
    ours = (kind_of(ruling), ruling.metrics.get("stands_reaching"))
    theirs = _chosen(found)
    if ours != theirs:
        yield f"takes {ours}, brute force {theirs} {_told(found)}"
        return
    wrong = [
        *_misplaced(found, resolution),
        *_mismeasured(table, found, ruling),
        *_miscounted(found, ruling),
    ]
    if wrong and not _is_flat(table, found, ruling):
        yield from wrong


def _chosen(found: Answer) -> tuple[str | None, int | None]:
    return (None, None) if found.choice is None else (found.choice.kind, found.choice.stands)


def _told(found: Answer) -> str:
    choice = found.choice
    return (
        ""
        if choice is None
        else f"({choice.kind}, N {choice.stands}, {math.degrees(choice.side * choice.angle):.6f} degrees)"
    )


def _misplaced(found: Answer, resolution: Resolution) -> Iterator[str]:
    """Compare every unit's place; those that the brute force does not move must stand where they stood."""
    ends = dict(found.ends)
    for name, unit in resolution.after.units.items():
        expected = ends.get(name) or frames_of(resolution.before.units[name])
        if _apart(unit, expected) > NEAR or _askew(unit, expected) > NEAR_DEGREES:
            where = (*expected.front[0], math.degrees(expected.heading[0]))
            told = ", ".join(f"{number:.5f}" for number in where)
            yield (
                f"{name} ends at {unit.pose.x:.5f}, {unit.pose.y:.5f}, {math.degrees(unit.pose.heading):.5f}, "
                f"brute force {told}"
            )


def _apart(unit: Regiment, expected: Frames) -> float:
    return float(np.hypot(*(np.array(unit.pose.at) - expected.front[0])))


def _askew(unit: Regiment, expected: Frames) -> float:
    return abs(
        math.degrees(math.remainder(unit.pose.heading - float(expected.heading[0]), math.tau))
    )


def _mismeasured(table: Table, found: Answer, ruling: Ruling) -> Iterator[str]:
    """Compare the metrics, numbers to the tolerance of places; a `touch` has no contact to measure."""
    for key, value in measured(table, found).items():
        said = ruling.metrics.get(key)
        if said is None or not (
            said == value if isinstance(value, str) else _alike(key, float(said), float(value))
        ):
            yield f"{key} {said}, brute force {value}"


def _alike(key: str, said: float, value: float) -> bool:
    if key == "charged_normal_deg":
        return abs(math.remainder(said - value, 360.0)) < 1e-6
    if key in ("align_deg", "target_wheel_deg", "wheel_deg"):
        return abs(said - value) <= NEAR_DEGREES
    exact = ("distance", "chance_roll", "roll", "charge_distance", "roll_needed")
    return abs(said - value) <= (
        1e-9 if key in exact else AREAS if key.startswith("area_") else NEAR
    )


def _miscounted(found: Answer, ruling: Ruling) -> Iterator[str]:
    if (
        found.outcome == "success"
        and found.choice is not None
        and ruling.choices != found.choice.choices
    ):
        yield f"{ruling.choices} choices, brute force {found.choice.choices}"


def _is_flat(table: Table, found: Answer, ruling: Ruling) -> bool:
    """Return whether the contact is as long all the way between the two wheels, to the tolerance of lengths."""
    if found.choice is None or found.goal is None or table.choices.wheel_policy != "most-contact":
        return False
    wheel = math.radians(ruling.metrics["wheel_deg"])
    ours = Wheels(
        np.full(33, found.choice.side),
        np.linspace(found.choice.side * wheel, found.choice.angle, 33),
    )
    if found.choice.side * wheel < 0.0:
        return False
    lengths = Trier(table, found.goal).tried(ours).reached.contact
    return bool(np.ptp(lengths) <= FLAT)


def is_narrow(table: Table, found: Answer, ruling: Ruling) -> bool:
    """Return whether the two differ only by a window so narrow that either may miss it."""
    if found.choice is not None and found.choice.is_narrow:
        return True
    kind = kind_of(ruling)
    count = ruling.metrics.get("stands_reaching")
    if (
        kind is None
        or found.goal is None
        or (found.choice is not None and not _is_better((kind, count), _chosen(found)))
    ):
        return False
    wheel = math.radians(ruling.metrics["wheel_deg"])
    signs = (1.0, -1.0) if wheel == 0.0 else (math.copysign(1.0, wheel),)
    trier = Trier(table, found.goal)
    nudged = [
        (sign, abs(wheel) + way * nudge)
        for sign in signs
        for nudge in NUDGES
        for way in (1, -1)
        if abs(wheel) + way * nudge >= 0.0
    ]
    return any(
        best_of(trier.tried(Wheels(np.array([sign]), np.array([angle])))) == (kind, count)
        for sign, angle in nudged
    )


ORDER = {"own": 0, "turned": 0, "push": 1, "touch": 2, "mired": 3}


def _is_better(ours: tuple[str | None, int | None], theirs: tuple[str | None, int | None]) -> bool:
    """Return whether our class and N come before the brute force's."""
    rank = [
        (ORDER[kind], -(count or 0), kind == "turned")
        for kind, count in (ours, theirs)
        if kind is not None
    ]
    return rank[0] < rank[1]
