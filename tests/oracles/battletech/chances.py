"""Chances by playing a charge again and again: a seeded simulation."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tests.oracles.battletech import charging
from tests.oracles.battletech.board import Table, Tables
from tests.oracles.battletech.play import Play
from tests.oracles.battletech.referee import thrown

WIDTH = 4.5
"""Standard deviations that a frequency may be off: once in 150,000 figures by chance."""


@dataclass(frozen=True)
class Tally:
    """Sums over many plays: how often, and points with their squares."""

    plays: int
    hits: int
    counts: Counter[str]
    sums: Counter[str]
    squares: Counter[str]

    def complaints(self, metrics: Tables) -> Iterator[str]:
        """Yield the odds that the plays belie."""
        for key, value in metrics.items():
            if key.endswith("_fraction") or not key.startswith(("p_", "expected_")):
                continue
            total = (
                self.hits if key.endswith("_if_hit") or key.startswith("p_motive") else self.plays
            )
            if total and key != "p_hit":
                mean, spread = self._estimate(key, total)
                if (
                    abs(mean - value)
                    > WIDTH * max(spread, math.sqrt(max(0.0, _variance(key, value)) / total))
                    + 3 / total
                ):
                    yield f"{key}: expected {mean:.5f} from {total} plays, found {value:.5f}"

    def _estimate(self, key: str, total: int) -> tuple[float, float]:
        if key.startswith("p_"):
            return self.counts[key] / total, 0.0
        mean = self.sums[key] / total
        return mean, math.sqrt(max(0.0, self.squares[key] / total - mean * mean) / total)


def _variance(key: str, value: float) -> float:
    return value * (1 - value) if key.startswith("p_") else 0.0


def simulate(tables: Tables, plays: int, seed: int) -> Tally:
    """Play a charge that stands before its target many times."""
    start = Table(tables)
    charge = tables["charges"][0]
    faces = thrown(seed)
    hits = 0
    counts = Counter[str]()
    sums = Counter[str]()
    squares = Counter[str]()
    for _ in range(plays):
        play = Play(start.copied(), charge, faces)
        play.hexes, play.gait = charge["hexes_moved"], charge["movement"]
        is_hit = charging.resolve(play, ())[0] == "success"
        hits += is_hit
        events, points = _told(play, is_hit=is_hit)
        counts.update(events)
        for key, value in points.items():
            sums[key] += value
            squares[key] += value * value
    return Tally(plays, hits, counts, sums, squares)


def _told(play: Play, *, is_hit: bool) -> tuple[set[str], dict[str, int]]:
    log = play.log
    fell = {
        "charger": play.charger.name in log["fell"],
        "target": play.charge["targets"][0] in log["fell"],
    }
    events = {f"p_{role}_falls" for role, is_down in fell.items() if is_down}
    events |= {"p_displaced"} if log["displacement"] == "moved" else set()
    points = {"expected_damage_charger": log.get("damage_charger", 0)}
    if not is_hit:
        return events, points
    points["expected_damage_target"] = log.get("damage_through", log["damage_target"])
    events |= {"p_success"} | {
        f"p_{role}_falls_if_hit" for role, is_down in fell.items() if is_down
    }
    codes = log.get("locations_target", [])
    events |= {"p_head_if_hit"} if "HD" in codes else set()
    events |= {"p_critical_if_hit"} if log.get("criticals_target") else set()
    events |= (
        {"p_one_leg_if_hit"}
        if log.get("table_target") == "kick" and len(set(codes)) == 1
        else set()
    )
    events |= {
        f"p_motive_{role}_{log[f'at_once_{role}']}"
        for role in ("charger", "target")
        if f"at_once_{role}" in log
    }
    for code, group in zip(codes, log.get("groups_target", []), strict=False):
        key = f"expected_target_{code.lower()}_if_hit"
        points[key] = points.get(key, 0) + group
    return events, points
