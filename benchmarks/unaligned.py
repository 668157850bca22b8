"""An unaligned charge among eight obstacles: warm time, and brute force and differential evolution on the same tables.

The time is the median over the first tables on which only an unaligned place exists. The rivals answer less than ours:
the least angle on a facing that they are told, without sight, the target's turn or findings; the evolution is also told
where the front can make contact, and takes the nearest such point.
"""

import math
import statistics
import sys
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import count, islice

import numpy as np

from benchmarks.evolve import BREAK, WEIGHT, Race, evolved, raced, shortfall
from benchmarks.hard import OBSTACLES, narrow
from benchmarks.protocol import Promise, interleaved, report
from benchmarks.resolve import ruling
from tabletop.errors import NoVerdictError
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tests.oracles.moves import reachable
from tests.oracles.plane import Floats, Line, Scene, line, outlines
from tests.oracles.referee import scene_of
from tests.oracles.unaligned import least_angle, stands, tilted

SCENES = 16
ROUNDS = 3
AS_GOOD, BEATEN = 0.01, 1e-3
"""Degrees: how near the least angle counts as found, and by how much a rival may win by what it allows gaps to fall
short of."""


@dataclass(frozen=True)
class Wedge:
    """One table with our ruling on it."""

    case: Case
    ruling: Ruling

    @cached_property
    def scene(self) -> Scene:
        """The table as the rivals see it."""
        return scene_of(self.case)

    @cached_property
    def edge(self) -> Line:
        """The facing that is charged."""
        return line(self.scene.target, self.ruling.metrics["target_facing"])

    @cached_property
    def contacts(self) -> Floats:
        """Points u of the facing that some move on a grid touches first, in order."""
        return np.unique(reachable(self.scene, self.edge)[:, :2])

    @property
    def ours(self) -> float:
        """Our least angle in degrees."""
        return float(self.ruling.metrics["unaligned_angle_deg"])

    def by_brute_force(self) -> float:
        """Return the least angle in degrees that trying all contacts on a grid, corners and angles finds."""
        least = least_angle(self.scene, self.ruling.metrics["target_facing"])
        return math.inf if least is None else math.degrees(least.angle)

    def by_evolution(self) -> float:
        """Return the least angle in degrees that differential evolution finds with either corner."""
        return min(self._evolved(sign) for sign in (1, -1))

    def _evolved(self, sign: int) -> float:
        u, angle = evolved(
            partial(self._cost, sign), [(0.0, self.edge.length), (0.0, math.pi / 2)]
        )[:, None]
        is_legal = stands(self.scene, self.edge, self._touched(u), sign, angle)[0]
        return math.degrees(float(angle[0])) if is_legal else math.inf

    def _cost(self, sign: int, places: Floats) -> Floats:
        u, angle = places
        bodies = outlines(tilted(self.scene, self.edge, self._touched(u), sign, angle))
        return np.asarray(angle + WEIGHT * shortfall(self.scene.obstacles, bodies))

    def _touched(self, u: Floats) -> Floats:
        """Return the nearest contact of each place."""
        contacts = self.contacts
        after = np.clip(np.searchsorted(contacts, u), 0, len(contacts) - 1)
        before = np.maximum(after - 1, 0)
        return np.where(
            u - contacts[before] < contacts[after] - u, contacts[before], contacts[after]
        )


def measure() -> tuple[Promise, ...]:
    """Time our resolution of all tables, and both rivals once on each."""
    wedges = list(islice(filter(None, map(wedge, count())), SCENES))
    times = interleaved(*(partial(ruling, item.case) for item in wedges), rounds=ROUNDS)
    brute = raced("brute force", [item.by_brute_force for item in wedges])
    # found before the evolution is timed: it is told them
    contacts = [len(item.contacts) for item in wedges]
    evolution = raced("differential evolution", [item.by_evolution for item in wedges])
    ours = [item.ours for item in wedges]
    worst = max(
        mine - theirs
        for race in (brute, evolution)
        for mine, theirs in zip(ours, race.found, strict=True)
    )
    beside = [
        race.told(times, shares=f"least angle in {_share(ours, race):.0%}")
        for race in (brute, evolution)
    ]
    spread = (
        f"{SCENES} scenes, {min(times) * 1e3:.0f} to {max(times) * 1e3:.0f} ms; {min(contacts)} to "
        f"{max(contacts)} contacts tried"
    )
    return (
        Promise(
            name=f"unaligned charge among {OBSTACLES} obstacles, median",
            value=statistics.median(times) * 1e3,
            sense="at most",
            limit=100.0,
            unit=" ms",
            gate=f"beaten by {max(worst, 0.0):.1e} degrees at most",
            is_gate_passed=worst <= BEATEN,
            detail=BREAK.join((spread, *beside)),
        ),
    )


def wedge(seed: int) -> Wedge | None:
    """Make the table of a seed; None unless an unaligned charge succeeds on it."""
    case = narrow(seed)
    try:
        answer = ruling(case)
    except NoVerdictError:
        return None
    is_unaligned = answer.outcome == "success" and "unaligned_angle_deg" in answer.metrics
    return Wedge(case, answer) if is_unaligned else None


def _share(ours: list[float], race: Race[float]) -> float:
    return sum(
        theirs <= mine + AS_GOOD for mine, theirs in zip(ours, race.found, strict=True)
    ) / len(ours)


if __name__ == "__main__":
    sys.exit(report([measure]))
