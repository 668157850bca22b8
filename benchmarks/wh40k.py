"""Warhammer 40,000 charges of many models: resolving, judging and odds in seconds, and how good the plans are.

A plan is measured a second time before its time counts. Beside it stands what public programs do: the unit is moved as one
block, here to every place where one of its models touches a target at one of many angles.
"""

import math
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import count, islice

import numpy as np
from numpy.typing import NDArray

from benchmarks.hordes import horde
from benchmarks.protocol import Promise, interleaved, report
from tabletop.asking import judge, odds, resolve
from tabletop.ruling import Case, Resolution
from tabletop.squads import Formation
from tests.oracles.wh40k.bodies import Floats
from tests.oracles.wh40k.limits import contacts, margins
from tests.oracles.wh40k.plans import planned
from tests.oracles.wh40k.referee import plan_complaints
from tests.oracles.wh40k.table import Table, ends_of, table_of

SCENES = 20
PROVEN_SECONDS, QUICK_SECONDS = 10.0, 0.05
SIZES = {5: 12, 10: 12, 20: 8}
"""How many scenes of each number of models are to be proven."""
SHORT = 0.05
"""Inches that a model is left short of the contact that it owes."""
DIRECTIONS, SLACK = 24, 2e-6
ANGLES = 120
"""Angles at which a block of models is brought to touch each enemy."""


@dataclass(frozen=True, eq=False)
class Played:
    """A charge that succeeds, as it was resolved and in how many seconds."""

    case: Case
    resolution: Resolution
    seconds: float

    @property
    def contacts(self) -> int:
        """Number of models in base contact."""
        return int(self.resolution.rulings[0].metrics.get("models_in_base_contact", 0))

    @property
    def is_proven(self) -> bool:
        """Whether no plan has more."""
        return self.resolution.rulings[0].proof != "best_found"

    @property
    def place(self) -> Formation:
        """Where the plan has the models end."""
        return planned(self.case, self.resolution).place

    def complaints(self) -> list[str]:
        """Measure the plan again, and ask the judge about it."""
        wrong = list(plan_complaints(planned(self.case, self.resolution)))
        accepted = judge(replace(self.case, proposal={"A": self.place}), self.resolution)
        return wrong if accepted.outcome == "success" else [*wrong, f"refused by {accepted.rule}"]


def measure() -> tuple[Promise, ...]:
    """Take all measures; the time of the slow ones is that of one warm run a scene."""
    played(table(5, 0))
    return (*_times(), *_judging(), _odds(), _proven(), *(_quick(size) for size in SIZES), _blocks())


def table(size: int, seed: int) -> Case:
    """Make the table of a seed: `size` models against as many, but twenty against two tens behind six walls."""
    return horde(seed, size=size, sizes=(10, 10) if size == 20 else (size,), walls=6 if size == 20 else 1)


def played(case: Case, *, max_seconds: float | None = None) -> Played:
    """Resolve a case and note how long it took."""
    started = time.perf_counter()
    resolution = resolve(case, max_seconds=max_seconds)
    return Played(case, resolution, time.perf_counter() - started)


@cache
def games(size: int, number: int) -> tuple[Played, ...]:
    """Resolve tables until so many charges succeed."""
    found = (played(table(size, seed)) for seed in count())
    return tuple(islice((one for one in found if one.resolution.rulings[0].outcome == "success"), number))


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


def _judging() -> tuple[Promise, ...]:
    """Time verdicts on plans known to have most contacts, on plans where that is open, and on plans that owe a contact."""
    scenes = games(10, SCENES)
    right = [(one, replace(one.case, proposal={"A": one.place})) for one in scenes]
    short = [(one, without_contact(one)) for one in scenes]
    proven = [(case, one.resolution) for one, case in right if one.is_proven]
    doubtful = [(case, one.resolution) for one, case in right if not one.is_proven]
    owing = [(replace(one.case, proposal={"A": place}), one.resolution) for one, place in short if place is not None]
    return (
        _judged("judge 10 v 10, most contacts proven", proven, 0.010, demanded=None),
        _judged("judge 10 v 10, more to be ruled out", doubtful, 1.0, demanded=None),
        _judged("judge 10 v 10, a contact owed", owing, 1.0, demanded="wh40k.move.contact"),
    )


def _judged(name: str, scenes: Sequence[tuple[Case, Resolution]], limit: float, *, demanded: str | None) -> Promise:
    """Time the judge, who must name the rule demanded as broken, or none."""
    wrong = sum(judge(case, resolution).rule != demanded for case, resolution in scenes)
    seconds = interleaved(*(partial(judge, case, resolution) for case, resolution in scenes)) or (0.0,)
    return Promise(
        name=f"wh40k: {name}, median",
        value=statistics.median(seconds) * 1e3,
        sense="at most",
        limit=limit * 1e3,
        unit=" ms",
        gate=f"{wrong} of {len(scenes)} verdicts wrong",
        is_gate_passed=wrong == 0 and bool(scenes),
        detail=f"{min(seconds) * 1e3:.1f} to {max(seconds) * 1e3:.1f} ms, each the best of several rounds",
    )


def without_contact(one: Played) -> Formation | None:
    """Leave a model a little short of the contact that it owes, which the plan shows, with everything else as it must be."""
    plan = planned(one.case, one.resolution)
    for row in contacts(plan.table, plan.ends, slack=SLACK):
        for angle in np.linspace(0.0, math.tau, DIRECTIONS, endpoint=False):
            pose = plan.place.poses[row]
            moved = replace(pose, x=pose.x + SHORT * math.cos(angle), y=pose.y + SHORT * math.sin(angle))
            place = replace(plan.place, poses=(*plan.place.poses[:row], moved, *plan.place.poses[row + 1 :]))
            ends = ends_of(plan.table, place)
            if min(margins(plan.table, ends).values()) >= -SLACK and row not in contacts(plan.table, ends, slack=SHORT / 5):
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


@cache
def _long() -> dict[int, tuple[Played, ...]]:
    """Resolve the scenes of all sizes, ten seconds each at most."""
    return {size: tuple(played(one.case, max_seconds=PROVEN_SECONDS) for one in games(size, number)) for size, number in SIZES.items()}


def _proven() -> Promise:
    scenes = [one for group in _long().values() for one in group]
    proven = sum(one.is_proven and one.seconds <= PROVEN_SECONDS for one in scenes)
    refused = sum(bool(one.complaints()) for one in scenes)
    each = ", ".join(f"{sum(one.is_proven for one in group)} of {len(group)} at {size} models" for size, group in _long().items())
    return Promise(
        name=f"wh40k: most contacts proven within {PROVEN_SECONDS:g} s",
        value=proven / len(scenes),
        sense="at least",
        limit=0.9,
        unit="",
        gate=f"{refused} of {len(scenes)} plans refused by the judge or by a second measurement",
        is_gate_passed=refused == 0,
        detail=each,
    )


def _quick(size: int) -> Promise:
    """Ask for an answer in a twentieth of a second where the most contacts are proven."""
    proven = [one for one in _long()[size] if one.is_proven]
    quick = [played(one.case, max_seconds=QUICK_SECONDS) for one in proven]
    lost = sum(one.resolution.rulings[0].outcome != "success" for one in quick)
    shares = [ours.contacts / max(1, best.contacts) for ours, best in zip(quick, proven, strict=True)]
    took = statistics.median(one.seconds for one in quick) if quick else math.nan
    return Promise(
        name=f"wh40k: {size} models, contacts at {QUICK_SECONDS * 1e3:g} ms / proven",
        value=statistics.mean(shares) if shares else math.nan,
        sense="at least",
        limit=0.95,
        unit="",
        gate=f"{lost} of {len(quick)} called impossible",
        is_gate_passed=lost == 0 and bool(quick),
        detail=f"least {min(shares, default=math.nan):.2f}; an answer takes {took * 1e3:.0f} ms",
    )


def _blocks() -> Promise:
    """Hold the contacts of plans against those of a unit that is moved as one block."""
    scenes = games(10, SCENES)
    started = time.perf_counter()
    blocks = [block_contacts(table_of(one.case, _distance(one))) for one in scenes]
    took = (time.perf_counter() - started) / len(scenes)
    beaten = sum((block or 0) > one.contacts for block, one in zip(blocks, scenes, strict=True))
    ours, theirs = sum(one.contacts for one in scenes), sum(block or 0 for block in blocks)
    return Promise(
        name="wh40k: contacts, our plans / moved as one block",
        value=ours / max(1, theirs),
        sense="at least",
        limit=1.0,
        unit=" x",
        gate=f"{beaten} of {len(scenes)} plans with fewer contacts than the block",
        is_gate_passed=beaten == 0,
        detail=f"{ours} / {theirs} models; the block fails in {blocks.count(None)} scenes and takes {took:.2f} s",
    )


def _distance(one: Played) -> float:
    return float(one.resolution.rulings[0].metrics["charge_distance"])


def block_contacts(scene: Table) -> int | None:
    """Give the most models that touch a target when all move alike, None where no such move completes the charge."""
    best: int | None = None
    for shift in _shifts(scene):
        ends = scene.charger.at(scene.charger.centres + shift, scene.charger.heights)
        if min(margins(scene, ends).values()) >= -1e-9:
            best = max(best or 0, len(contacts(scene, ends)))
    return best


def _shifts(scene: Table) -> Floats:
    """Give moves (k, 2), short enough, that bring some model into contact with some target and no body into another."""
    turns = np.linspace(0.0, math.tau, ANGLES, endpoint=False)
    ring = np.column_stack([np.cos(turns), np.sin(turns)])
    found = []
    for target in scene.targets:
        sums = scene.charger.radii[:, None] + target.radii[None]
        apart = target.centres[None] - scene.charger.centres[:, None]
        found.append((apart[:, :, None] + sums[:, :, None, None] * ring).reshape(-1, 2))
    shifts = np.concatenate(found)
    shifts = shifts[np.hypot(*shifts.T) <= scene.distance]
    clear: Floats = shifts[_is_clear(scene, shifts)]
    return clear


def _is_clear(scene: Table, shifts: Floats) -> NDArray[np.bool_]:
    places = scene.charger.centres + shifts[:, None]
    apart = np.linalg.norm(places[:, :, None] - scene.enemies.centres, axis=-1)
    clear: NDArray[np.bool_] = np.all(apart - scene.charger.radii[:, None] - scene.enemies.radii >= -1e-9, axis=(1, 2))
    return clear


if __name__ == "__main__":
    sys.exit(report([measure]))
