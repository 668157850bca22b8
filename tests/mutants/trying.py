"""A pytest plugin that runs no tests of the program, but the program with faults against its tests."""

import gc
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.mutants.children import Outcome, in_child
from tests.mutants.faults import GROUPS, Fault, change_of, faults_in, files_of, sample
from tests.mutants.planting import Functions, Planted, import_anew, living_functions, swapped
from tests.mutants.reached import Reaches, recorded
from tests.mutants.report import looked_at, news

SLACK = 3.0
"""How many times as long as its tests take on the sound program a fault is tried."""

GRACE = 5.0
"""Seconds of CPU on top of that."""


@dataclass(frozen=True)
class Tried:
    """What became of a fault: killed, survived or late; by which test; how many were asked; CPU seconds."""

    group: str
    file: str
    line: int
    before: str
    after: str
    operator: str
    verdict: str
    by: str
    asked: int
    seconds: float


@dataclass(frozen=True)
class Sources:
    """A module as it is, and with a fault."""

    sound: str
    faulty: str


@dataclass(frozen=True)
class Bench:
    """What faults are tried on: the tests by name, what they reach, the living functions, and the seconds of tests
    spent on one fault.
    """

    root: Path
    items: dict[str, pytest.Item]
    reaches: Reaches
    functions: Functions
    seconds: float


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Record what the tests reach, then try the sample."""
    root = session.config.rootpath
    items = {item.nodeid: item for item in session.items}
    kept = Path(os.environ["MUTANTS_KEPT"])
    reaches = recorded(items, _passes, root=root, kept=kept / "reached.jsonl")
    bench = Bench(root, items, reaches, living_functions(), float(os.environ["MUTANTS_SECONDS"]))
    known = looked_at()
    gc.freeze()
    with (kept / "tried.jsonl").open("w", encoding="utf-8") as results:
        for group, fault in _sampled(
            root, int(os.environ["MUTANTS_COUNT"]), skipped=int(os.environ["MUTANTS_SKIPPED"])
        ):
            row = asdict(_tried(group, fault, bench))
            results.write(json.dumps(row) + "\n")
            results.flush()
            for survivor in news([row], known):
                print(survivor, flush=True)
    return True


def _sampled(root: Path, count: int, *, skipped: int) -> Iterator[tuple[str, Fault]]:
    """Draw a sample evenly over the groups, as are those skipped."""
    for number, group in enumerate(GROUPS):
        faults = (
            fault
            for file in files_of(root, group)
            for fault in faults_in(file, (root / file).read_text("utf-8"))
        )
        share, left_out = ((whole + number) // len(GROUPS) for whole in (count, skipped))
        yield from ((group, fault) for fault in sample(faults, share, skipped=left_out))


def _tried(group: str, fault: Fault, bench: Bench) -> Tried:
    """Try one fault: in the functions that live here, or else, and where no test noticed it, with the program imported
    anew.
    """
    source = (bench.root / fault.file).read_text("utf-8")
    change = change_of(fault, source)
    asked = _within(bench.reaches.asked(fault), bench)
    limit = SLACK * sum(bench.reaches.tests[test].seconds for test in asked) + GRACE
    verdict = "survived"
    by = ""
    seconds = 0.0
    for way in (_fails_here, _fails_anew) if asked else ():
        outcome = in_child(
            partial(way, fault, Sources(source, change.source), asked, bench), seconds=limit
        )
        verdict, by = _verdict(outcome, bench)
        seconds += outcome.seconds
        if verdict != "survived":
            break
    return Tried(
        group,
        fault.file,
        fault.line,
        change.before,
        change.after,
        fault.operator,
        verdict,
        by,
        len(asked),
        seconds,
    )


def _within(tests: Iterable[str], bench: Bench) -> Sequence[str]:
    """Take tests as long as their time is not used up; at least one."""
    taken: list[str] = []
    spent = 0.0
    for test in tests:
        spent += bench.reaches.tests[test].seconds
        if taken and spent > bench.seconds:
            break
        taken.append(test)
    return taken


def _verdict(outcome: Outcome, bench: Bench) -> tuple[str, str]:
    """Call a fault killed by a test that fails with it and, asked again at once, passes without it."""
    if outcome.is_late:
        return "late", ""
    if outcome.said is None:
        return "killed", "a crash"
    by = str(outcome.said["by"])
    if not by:
        return "survived", ""
    is_sound = (
        by not in bench.items
        or in_child(lambda: _fails([bench.items[by]]) or "none", seconds=60.0).said == "none"
    )
    return ("killed", by) if is_sound else ("doubtful", by)


def _fails_here(
    fault: Fault, sources: Sources, asked: Sequence[str], bench: Bench
) -> dict[str, str]:
    """In a child: run tests on the changed functions until one fails, and name that."""
    is_here = swapped(str(bench.root / fault.file), sources.sound, sources.faulty, bench.functions)
    return {"by": _fails([bench.items[test] for test in asked]) or "" if is_here else ""}


def _fails_anew(
    fault: Fault, sources: Sources, asked: Sequence[str], bench: Bench
) -> dict[str, str]:
    """In a child: import the program with the fault, collect the tests again and run them; what was made at import is
    faulty, too.
    """
    import_anew(
        Planted(
            fault.file.removesuffix(".py").replace("/", "."),
            str(bench.root / fault.file),
            sources.faulty,
        )
    )
    first = First()
    code = pytest.main(
        [*asked, "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"], plugins=[first]
    )
    return {"by": "" if code == pytest.ExitCode.OK else first.failed or "an import"}


def _fails(items: Sequence[pytest.Item]) -> str | None:
    """Run tests until one fails, and name that."""
    pairs = zip(items, [*items[1:], None], strict=True)
    return next((item.nodeid for item, following in pairs if not _passes(item, following)), None)


def _passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    before = item.session.testsfailed
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    return item.session.testsfailed == before


class First:
    """Remembers the first test that fails."""

    def __init__(self) -> None:
        self.failed = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Hear of a test."""
        if report.failed and not self.failed:
            self.failed = str(report.nodeid)
