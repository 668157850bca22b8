"""One extreme scene held: whether it reads, answers within its time and memory, and stands by its own answers."""

import resource
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from tabletop.api import judge, odds, resolve
from tabletop.errors import NoVerdictError, ScenarioError
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution
from tabletop.scenario.cases import scenario_of
from tabletop.scenario.reading import case_from_tables, case_from_text
from tabletop.scenario.writing import content, to_json
from tabletop.testing.answers import last_places
from tests.oracles.running import Held

SECONDS = 1.0
"""Seconds that each search is given."""
OVERRUN = 1.0
"""Seconds by which it may take longer."""
READING = 1.0
"""Seconds in which a file is read."""
MOST_MEMORY = 1.5e9
"""Bytes that a process may take at most, with all that it has loaded."""
FENCE = 4_000_000_000
"""Bytes at which the scene is ended instead of the machine."""
KIB = 1024
ROUNDING = 1e-8
"""Inches, or degrees, that a place may change by being written and read."""


def held(scene: Callable[[int], dict[str, Any]], number: int) -> Held:
    """Read, resolve, judge and ask for odds."""
    tables = scene(number)
    resource.setrlimit(resource.RLIMIT_DATA, (FENCE, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    _forget_peak()
    with by_processor_time():
        return _held_by(tables)


@contextmanager
def by_processor_time() -> Iterator[None]:
    """Replace time limits by processor time, which other processes do not use up."""
    with patch("tabletop.budget.time", SimpleNamespace(monotonic=time.process_time)):
        yield


def _held_by(tables: dict[str, Any]) -> Held:
    complaints: list[str] = []
    try:
        case = _timed("reading", READING, lambda: case_from_tables(tables), complaints)
    except ScenarioError as error:
        return Held("refused", complaints, {str(error).splitlines()[0][:90]: 1})
    outcome, counted = _held(case, complaints)
    peak = _peak()
    if peak > MOST_MEMORY:
        complaints.append(f"took {peak / 1e9:.2f} GB")
    return Held(outcome, complaints, counted)


def _held(case: Case, complaints: list[str]) -> tuple[str, dict[str, int]]:
    """Run every question on a case; return its first outcome."""
    counted = {}
    with suppress(NoVerdictError):
        _timed("odds", SECONDS + OVERRUN, lambda: odds(case, max_seconds=SECONDS), complaints)
        counted["odds told"] = 1
    try:
        resolution = _timed(
            "resolve", SECONDS + OVERRUN, lambda: resolve(case, max_seconds=SECONDS), complaints
        )
    except NoVerdictError:
        return "no verdict", counted
    complaints += _again(case, resolution)
    complaints += _judged(case, resolution, complaints)
    ruling = next(iter(resolution.rulings), None)
    return ("no charge" if ruling is None else ruling.rule or ruling.outcome), counted


def _timed(what: str, limit: float, work: Callable[[], Any], complaints: list[str]) -> Any:
    """Do something, and complain if it takes more seconds of a processor than it may."""
    started = time.process_time()
    try:
        return work()
    finally:
        taken = time.process_time() - started
        if taken > limit:
            complaints.append(f"{what} took {taken:.2f} s of {limit:g}")


def _again(case: Case, resolution: Resolution) -> Iterator[str]:
    """Write the table afterwards, read it, and write it again."""
    written = scenario_of(case, state=resolution.after)
    try:
        again = case_from_text(to_json(written))
    except ScenarioError as error:
        yield f"`after` does not read: {error}"
        return
    if not _are_alike(content(scenario_of(again)), content(written)):
        yield "`after` is another table when it is written again"


def _are_alike(one: Any, other: Any) -> bool:
    """Return whether two tables of files are the same but for rounding."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_are_alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_are_alike, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= ROUNDING
    return bool(one == other)


def _judged(case: Case, resolution: Resolution, complaints: list[str]) -> Iterator[str]:
    """Propose what `resolve` did, in the order in which it moved, unless it says itself that there may be something
    better.
    """
    if any(ruling.proof == "best_found" for ruling in resolution.rulings):
        return
    places = last_places(case, resolution)
    moved = {
        name: places[name]
        for name, unit in resolution.after.units.items()
        if unit.place != case.state.units[name].place
    }
    if not moved or case.system.name == "battletech":
        return
    claimed = replace(case, proposal=moved)
    try:
        judged = _timed(
            "judge",
            SECONDS + OVERRUN,
            lambda: judge(claimed, resolution, max_seconds=SECONDS),
            complaints,
        )
    except NoVerdictError:
        return
    is_right = judged.outcome == "success" or all(
        ruling.outcome != "success" for ruling in resolution.rulings
    )
    if not is_right:
        broken = [finding.text for finding in judged.findings if not finding.ok]
        yield f"what was resolved is judged {judged.outcome} by {judged.rule}: {' '.join(broken[:2])}"


def _forget_peak() -> None:
    """Reset the system's peak memory count, where possible."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _peak() -> int:
    """Return the greatest memory of this process in bytes since it was forgotten, or ever."""
    with suppress(OSError, StopIteration):
        lines = Path("/proc/self/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) * KIB
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIB
