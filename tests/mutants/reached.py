"""Which tests reach which lines of the program."""

import json
import re
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage

from tests.mutants.children import in_child
from tests.mutants.faults import Fault

SLOWEST = 4.0
"""Seconds of CPU with lines recorded. A test that takes longer is not asked."""

TOGETHER = 20
"""So many tests of a file are recorded in one child."""

Run = Callable[[pytest.Item, pytest.Item | None], bool]
"""Run a test that another follows; tell whether it passes."""


@dataclass(frozen=True)
class Reach:
    """What a test reaches: per file the lines as the bits of a number.

    With the CPU seconds it takes; a negative time: do not ask it.
    """

    seconds: float
    lines: Mapping[str, int]


@dataclass(frozen=True)
class Reaches:
    """What all tests reach, by their names."""

    tests: Mapping[str, Reach]
    root: Path

    def asked(self, fault: Fault) -> tuple[str, ...]:
        """List the tests that can notice a fault: those of its own module first, then the quickest of each file, then
        the next of each.
        """
        places = {fault.file: _bits(range(fault.first, fault.line + 1))}
        found = self._reaching(self._uses(fault) if fault.name else places)
        own = f"/test_{Path(fault.file).stem}.py"
        turns = Counter[str]()
        order = []
        for test in sorted(found, key=lambda test: self.tests[test].seconds):
            file = test.partition("::")[0]
            turns[file] += 1
            order.append(
                (
                    not file.endswith(own) and file != fault.file,
                    turns[file],
                    self.tests[test].seconds,
                    test,
                )
            )
        return tuple(test for *_, test in sorted(order))

    def _reaching(self, places: Mapping[str, int]) -> list[str]:
        asked = [(name, test.lines) for name, test in self.tests.items() if test.seconds >= 0.0]
        return [
            name
            for name, lines in asked
            if any(lines.get(file, 0) & bits for file, bits in places.items())
        ]

    def _uses(self, fault: Fault) -> dict[str, int]:
        """Find where the name is used that the statement of a fault defines: what runs at import is reached by no test
        itself.
        """
        used = re.compile(rf"\b{fault.name}\b")
        return {
            file: _bits(n for n, line in enumerate(lines, 1) if used.search(line))
            for file, lines in self._sources.items()
        }

    @cached_property
    def _sources(self) -> dict[str, list[str]]:
        files = {file for test in self.tests.values() for file in test.lines}
        return {file: (self.root / file).read_text("utf-8").splitlines() for file in files}


def _bits(lines: Iterator[int] | range) -> int:
    found = 0
    for line in lines:
        found |= 1 << line
    return found


def recorded(items: Mapping[str, pytest.Item], run: Run, *, root: Path, kept: Path) -> Reaches:
    """Record what tests reach, and keep it: what is kept of the same program and the same file of tests is not recorded
    again.
    """
    program = " ".join(_git(root, "rev-parse", "HEAD:tabletop", "HEAD:systems").split())
    versions = {
        line.split("\t")[1]: line.split()[2]
        for line in _git(root, "ls-tree", "-r", "HEAD").splitlines()
    }
    keys = {name: f"{program} {versions.get(name.partition('::')[0])} {name}" for name in items}
    lines = kept.read_text("utf-8").splitlines() if kept.exists() else []
    known: dict[str, list[Any]] = {
        key: row for key, row in map(json.loads, lines) if key in set(keys.values())
    }
    with kept.open("a", encoding="utf-8") as stream:
        for names in _together([name for name in items if keys[name] not in known]):
            for name, row in zip(
                names, _record([items[name] for name in names], run, root=root), strict=True
            ):
                known[keys[name]] = row
                stream.write(json.dumps([keys[name], row]) + "\n")
            stream.flush()
    rows = ((name, known[key]) for name, key in keys.items())
    return Reaches(
        {
            name: Reach(seconds, {file: int(bits, 16) for file, bits in lines.items()})
            for name, (seconds, lines) in rows
        },
        root,
    )


def _together(names: Sequence[str]) -> Iterator[Sequence[str]]:
    """Group tests of one file, up to some: they are run in one child, as the whole costs less than its parts."""
    for _, found in groupby(names, key=lambda name: name.partition("::")[0]):
        of_file = list(found)
        yield from (of_file[start : start + TOGETHER] for start in range(0, len(of_file), TOGETHER))


def _record(items: Sequence[pytest.Item], run: Run, *, root: Path) -> list[list[Any]]:
    """Run tests in a child that writes down their lines; a test that takes too long even alone is not asked."""

    def work() -> list[list[Any]]:
        return [
            _recorded(item, following, run, root)
            for item, following in zip(items, [*items[1:], None], strict=True)
        ]

    outcome = in_child(work, seconds=SLOWEST * (1 + len(items)))
    if outcome.said is None and len(items) > 1:
        half = len(items) // 2
        return [*_record(items[:half], run, root=root), *_record(items[half:], run, root=root)]
    return [[-1.0, {}]] if outcome.said is None else list(outcome.said)


def _recorded(item: pytest.Item, following: pytest.Item | None, run: Run, root: Path) -> list[Any]:
    recorder = Coverage(
        data_file=None, config_file=False, include=[f"{root}/tabletop/*", f"{root}/systems/*"]
    )
    started = time.process_time()
    recorder.start()
    is_passed = run(item, following)
    recorder.stop()
    seconds = time.process_time() - started
    data = recorder.get_data()
    bits = {
        Path(file).relative_to(root).as_posix(): hex(_bits(iter(data.lines(file) or ())))
        for file in data.measured_files()
    }
    return [seconds, bits] if is_passed and seconds < SLOWEST else [-1.0, {}]


def _git(root: Path, *words: str) -> str:
    return subprocess.run(
        ["git", "-C", str(root), *words],  # noqa: S607 - git of the path
        check=True,
        capture_output=True,
        text=True,
    ).stdout
