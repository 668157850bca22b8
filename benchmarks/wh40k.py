"""Warhammer 40,000 charges of many models: resolving, judging and odds in seconds.

A plan is measured a second time before its time counts.
"""

import math
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from benchmarks.games import Played, games, played, table
from benchmarks.hard import beside_block
from benchmarks.protocol import Promise, interleaved, report
from tabletop.api import judge, odds, resolve
from tabletop.errors import NoVerdictError
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.table.models import Formation
from tests.oracles.wh40k.limits import contacts, margins
from tests.oracles.wh40k.plans import planned
from tests.oracles.wh40k.scenes import crowded_case
from tests.oracles.wh40k.table import ends_of

SCENES = 20
SHORT = 0.05
"""Inches that a model is left short of the contact that it owes."""
DIRECTIONS = 24
SLACK = 2e-6

CROWDED = range(0, 500, 20)
SLOW_CROWDED = (16, 82, 163, 262, 263, 290, 294, 308, 341, 361, 383, 392)
"""The numbers of the crowded tables that are timed: a few of 500, and the slowest of these."""

BASES_BESIDE_BLOCK = (28, 32, 40)
"""Diameters in mm."""


def measure() -> tuple[Promise, ...]:
    """Take all measures; the time of the slow ones is that of one warm run a scene."""
    played(table(5, 0))
    return (*_times(), _crowded(), *_beside_block(), *_judging(), _odds())


def _times() -> tuple[Promise, ...]:
    return (
        _timed("resolve 10 v 10", games(10, SCENES), 1.0),
        _timed("resolve 20 v 10 + 10, 6 walls", games(20, SCENES), 8.0),
    )


def _timed(name: str, scenes: Sequence[Played], limit: float) -> Promise:
    wrong = sum(bool(one.complaints()) for one in scenes)
    seconds = [one.seconds for one in scenes]
    return Promise(
        name=f"wh40k: {name}, median",
        value=statistics.median(seconds),
        sense="at most",
        limit=limit,
        unit=" s",
        gate=f"{wrong} of {len(scenes)} plans refused by the judge or by a second measurement",
        is_gate_passed=wrong == 0,
        detail=f"{min(seconds):.2f} to {max(seconds):.2f} s",
    )


def _crowded() -> Promise:
    """Time the slowest of many random tables of one to ten models."""
    numbers = sorted({*CROWDED, *SLOW_CROWDED})
    seconds = {number: _seconds(crowded_case(number)) for number in numbers}
    slowest = sorted(seconds, key=seconds.__getitem__, reverse=True)
    return Promise(
        name=f"wh40k: resolve, worst of {len(numbers)} crowded tables",
        value=seconds[slowest[0]],
        sense="at most",
        limit=2.0,
        unit=" s",
        gate=f"{sum(math.isinf(one) for one in seconds.values())} without a verdict",
        is_gate_passed=all(map(math.isfinite, seconds.values())),
        detail=(
            f"median {statistics.median(seconds.values()):.2f} s; "
            f"{', '.join(f'{one}: {seconds[one]:.2f} s' for one in slowest[:5])}"
        ),
    )


def _beside_block() -> Iterator[Promise]:
    """Time three models at two targets, one on each side of a block."""
    for base in BASES_BESIDE_BLOCK:
        seconds = _seconds(beside_block(base))
        yield Promise(
            name=f"wh40k: resolve 3 of {base} mm beside a block",
            value=seconds,
            sense="at most",
            limit=2.0,
            unit=" s",
            gate="a verdict",
            is_gate_passed=math.isfinite(seconds),
        )


def _seconds(case: Case) -> float:
    """Time how long a case takes to be resolved; infinite without a verdict."""
    started = time.perf_counter()
    try:
        resolve(case)
    except NoVerdictError:
        return math.inf
    return time.perf_counter() - started


def _judging() -> tuple[Promise, ...]:
    """Time verdicts on plans known to have most contacts, on plans where that is open, and on plans that owe a
    contact.
    """
    scenes = games(10, SCENES)
    right = [(one, replace(one.case, proposal={"A": one.place})) for one in scenes]
    short = [(one, without_contact(one)) for one in scenes]
    proven = [(case, one.resolution) for one, case in right if one.is_proven]
    doubtful = [(case, one.resolution) for one, case in right if not one.is_proven]
    owing = [
        (replace(one.case, proposal={"A": place}), one.resolution)
        for one, place in short
        if place is not None
    ]
    shuffled = [
        (replace(one.case, proposal={"A": in_other_order(one.place, seed)}), one.resolution)
        for seed, one in enumerate(scenes)
    ]
    asked = (
        ("most contacts proven", proven, 0.010, _is_accepted),
        ("more to be ruled out", doubtful, 1.0, _is_accepted),
        ("a contact owed", owing, 1.0, _is_owed),
        ("moved in another order", shuffled, 1.0, _is_sure),
    )
    return tuple(
        _judged(f"judge 10 v 10, {what}", cases, limit, is_right=is_right)
        for what, cases, limit, is_right in asked
        if cases
    )


def in_other_order(place: Formation, seed: int) -> Formation:
    """Let the models move in another order."""
    order = list(place.order or ())
    random.Random(seed).shuffle(order)  # noqa: S311 - scenes, not secrets
    return replace(place, order=tuple(order))


def _is_accepted(verdict: Judgement) -> bool:
    return verdict.rule is None


def _is_owed(verdict: Judgement) -> bool:
    return verdict.rule == "wh40k.move.contact"


def _is_sure(verdict: Judgement) -> bool:
    """Return whether each contact was shown to be owed, or ruled out for sure."""
    return verdict.rule in {None, "wh40k.move.contact"} and not any(
        "limits of the search" in finding.text for finding in verdict.findings
    )


def _judged(
    name: str,
    scenes: Sequence[tuple[Case, Resolution]],
    limit: float,
    *,
    is_right: Callable[[Judgement], bool],
) -> Promise:
    """Time the judge, whose verdicts must be right."""
    wrong = sum(not is_right(judge(case, resolution)) for case, resolution in scenes)
    seconds = interleaved(*(partial(judge, case, resolution) for case, resolution in scenes))
    return Promise(
        name=f"wh40k: {name}, median",
        value=statistics.median(seconds) * 1e3,
        sense="at most",
        limit=limit * 1e3,
        unit=" ms",
        gate=f"{wrong} of {len(scenes)} verdicts wrong",
        is_gate_passed=wrong == 0,
        detail=f"{min(seconds) * 1e3:.1f} to {max(seconds) * 1e3:.1f} ms, each the best of several rounds",
    )


def without_contact(one: Played) -> Formation | None:
    """Leave a model a little short of the contact that it owes, which the plan shows, with everything else as it must
    be.
    """
    plan = planned(one.case, one.resolution)
    for row in contacts(plan.table, plan.ends, slack=SLACK):
        for angle in np.linspace(0.0, math.tau, DIRECTIONS, endpoint=False):
            pose = plan.place.poses[row]
            moved = replace(
                pose, x=pose.x + SHORT * math.cos(angle), y=pose.y + SHORT * math.sin(angle)
            )
            place = replace(
                plan.place, poses=(*plan.place.poses[:row], moved, *plan.place.poses[row + 1 :])
            )
            ends = ends_of(plan.table, place)
            if min(margins(plan.table, ends).values()) >= -SLACK and row not in contacts(
                plan.table, ends, slack=SHORT / 5
            ):
                return place
    return None


def _odds() -> Promise:
    scenes = games(10, SCENES)
    seconds: list[float] = []
    wrong = 0
    for one in scenes:
        started = time.perf_counter()
        found = odds(one.case).charges[0]
        seconds.append(time.perf_counter() - started)
        wrong += found.shortest_roll != one.resolution.rulings[0].shortest_roll
    return Promise(
        name="wh40k: odds 10 v 10, median",
        value=statistics.median(seconds),
        sense="at most",
        limit=2.0,
        unit=" s",
        gate=f"{wrong} of {len(scenes)} differ from the resolved charge in the least roll that does",
        is_gate_passed=wrong == 0,
        detail=f"{min(seconds):.2f} to {max(seconds):.2f} s",
    )


if __name__ == "__main__":
    sys.exit(report([measure]))
