"""Which tests reach which lines of the program, each test run on its own."""

import json
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest
from coverage import Coverage

from tests.mutants.children import in_child
from tests.mutants.faults import Fault

SLOWEST = 8.0
"""Seconds of CPU with lines recorded. A test that takes longer is not asked."""

Run = Callable[[pytest.Item], bool]
"""Run a test; tell whether it passes."""


@dataclass(frozen=True)
class Reach:
    """What a test reaches: per file the lines as the bits of a number. With the CPU seconds it takes; a negative time: do not ask it."""

    seconds: float
    lines: Mapping[str, int]


@dataclass(frozen=True)
class Reaches:
    """What all tests reach, by their names."""

    tests: Mapping[str, Reach]
    root: Path

    def asked(self, fault: Fault) -> tuple[str, ...]:
        """List the tests that can notice a fault: those of its own module first, then the quickest."""
        places = {fault.file: _bits(range(fault.first, fault.line + 1))}
        found = self._reaching(self._uses(fault) if fault.name else places)
        own = f"/test_{Path(fault.file).stem}.py"
        return tuple(sorted(found, key=lambda test: (own not in test and not test.startswith(fault.file), self.tests[test].seconds)))

    def _reaching(self, places: Mapping[str, int]) -> list[str]:
        asked = [(name, test.lines) for name, test in self.tests.items() if test.seconds >= 0.0]
        return [name for name, lines in asked if any(lines.get(file, 0) & bits for file, bits in places.items())]

    def _uses(self, fault: Fault) -> dict[str, int]:
        """Find where the name is used that the statement of a fault defines: what runs at import is reached by no test itself."""
        used = re.compile(rf"\b{fault.name}\b")
        return {file: _bits(n for n, line in enumerate(lines, 1) if used.search(line)) for file, lines in self._sources.items()}

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
    """Record what tests reach, or take it from the file where it is kept: what of the program and of a test file is as it was is kept."""
    program = " ".join(_git(root, "rev-parse", "HEAD:tabletop", "HEAD:systems").split())
    versions = {line.split("\t")[1]: line.split()[2] for line in _git(root, "ls-tree", "-r", "HEAD").splitlines()}
    old = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    found = {}
    for name, item in items.items():
        key = f"{program} {versions.get(name.partition('::')[0])} {name}"
        found[key] = old.get(key) or _record(item, run, root=root)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(found), "utf-8")
    tests = zip(items, found.values(), strict=True)
    return Reaches({name: Reach(seconds, {file: int(bits, 16) for file, bits in lines.items()}) for name, (seconds, lines) in tests}, root)


def _record(item: pytest.Item, run: Run, *, root: Path) -> tuple[float, dict[str, str]]:
    """Run one test in a child that writes down its lines."""

    def work() -> dict[str, str] | None:
        recorder = Coverage(data_file=None, config_file=False, include=[f"{root}/tabletop/*", f"{root}/systems/*"])
        recorder.start()
        is_passed = run(item)
        recorder.stop()
        data = recorder.get_data()
        bits = {Path(file).relative_to(root).as_posix(): hex(_bits(iter(data.lines(file) or ()))) for file in data.measured_files()}
        return bits if is_passed else None

    outcome = in_child(work, seconds=SLOWEST)
    return (-1.0, {}) if outcome.said is None else (outcome.seconds, outcome.said)


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True, text=True).stdout  # noqa: S607 - git of the path
