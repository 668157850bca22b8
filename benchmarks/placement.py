"""Warhammer 40,000 charges of many models: how good and how sure the plans are, beside what else places models.

The same candidates are handed to HiGHS and to OR-Tools CP-SAT, and the unit is moved as one block as public programs
do.
"""

import math
import statistics
import sys
from collections.abc import Sequence
from functools import cache

from benchmarks.games import Played, games, played
from benchmarks.peers import Found, as_block, offered, with_cp_sat, with_highs
from benchmarks.protocol import Promise, report
from tests.oracles.wh40k.table import table_of

PROVEN_SECONDS = 10.0
QUICK_SECONDS = 0.05
SIZES = {5: 12, 10: 12, 20: 8}
"""How many scenes of each number of models are to be proven."""
COMPARED = {5: 6, 10: 4}
"""How many scenes of each number of models are handed to other solvers."""

FASTER = {5: 1.0, 10: 0.6}
"""The share of the other's time that HiGHS may take: at 5 models no more than all of it, at 10 what is promised."""


def measure() -> tuple[Promise, ...]:
    """Take all measures."""
    return (
        _proven(),
        *(_quick(size) for size in SIZES),
        *(_solvers(size) for size in COMPARED),
        *(_blocks(size) for size in SIZES),
    )


@cache
def _long() -> dict[int, tuple[Played, ...]]:
    """Resolve the scenes of all sizes, ten seconds each at most."""
    return {
        size: tuple(played(one.case, max_seconds=PROVEN_SECONDS) for one in games(size, number))
        for size, number in SIZES.items()
    }


def _proven() -> Promise:
    scenes = [one for group in _long().values() for one in group]
    proven = sum(one.is_proven and one.seconds <= PROVEN_SECONDS for one in scenes)
    refused = sum(bool(one.complaints()) for one in scenes)
    each = ", ".join(
        f"{sum(one.is_proven for one in group)} of {len(group)} at {size} models"
        for size, group in _long().items()
    )
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
    shares = [
        ours.contacts / max(1, best.contacts) for ours, best in zip(quick, proven, strict=True)
    ]
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


def _solvers(size: int) -> Promise:
    """Hand the same candidates to HiGHS and to CP-SAT."""
    scenes = _long()[size][: COMPARED[size]]
    given = [offered(one.case, one.distance) for one in scenes]
    highs = [with_highs(one) for one in given]
    cp_sat = [with_cp_sat(one) for one in given]
    beaten = sum(
        (one.contacts or 0) > ours.contacts
        for pair in (highs, cp_sat)
        for one, ours in zip(pair, scenes, strict=True)
    )
    differing = sum(
        one.is_proven and other.is_proven and one.contacts != other.contacts
        for one, other in zip(highs, cp_sat, strict=True)
    )
    ours = (
        f"ours {sum(one.contacts for one in scenes)} in contact, median "
        f"{statistics.median(one.seconds for one in scenes):.2f} s"
    )
    return Promise(
        name=f"wh40k: {size} models, same candidates: HiGHS / CP-SAT",
        value=sum(one.seconds for one in highs) / sum(one.seconds for one in cp_sat),
        sense="at most",
        limit=FASTER[size],
        unit=" x",
        gate=f"{beaten} plans of {2 * len(scenes)} better than ours, {differing} proofs that differ",
        is_gate_passed=beaten == 0 and differing == 0,
        detail=f"{ours}; {_told('HiGHS', highs)}; {_told('CP-SAT', cp_sat)}",
    )


def _told(name: str, found: Sequence[Found]) -> str:
    proven = sum(one.is_proven for one in found)
    took = statistics.median(one.seconds for one in found)
    return f"{name} {sum(one.contacts or 0 for one in found)}, {took:.2f} s, {proven} of {len(found)} proven"


def _blocks(size: int) -> Promise:
    """Hold the contacts of plans against those of a unit that is moved as one block."""
    scenes = _long()[size]
    blocks = [as_block(table_of(one.case, one.distance)) for one in scenes]
    beaten = sum(
        (block.contacts or 0) > one.contacts for block, one in zip(blocks, scenes, strict=True)
    )
    ours = sum(one.contacts for one in scenes)
    theirs = sum(block.contacts or 0 for block in blocks)
    failed = sum(block.contacts is None for block in blocks)
    took = statistics.median(block.seconds for block in blocks)
    return Promise(
        name=f"wh40k: {size} models, contacts, ours / as one block",
        value=ours / max(1, theirs),
        sense="at least",
        limit=1.0,
        unit=" x",
        gate=f"{beaten} of {len(scenes)} plans with fewer contacts than the block",
        is_gate_passed=beaten == 0,
        detail=f"{ours} / {theirs} models; the block fails in {failed} scenes and takes {took:.2f} s",
    )


if __name__ == "__main__":
    sys.exit(report([measure]))
