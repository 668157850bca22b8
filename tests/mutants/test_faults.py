"""Where faults are planted. It needs a library that only `make mutants` installs."""

import textwrap
from pathlib import Path

import pytest

pytest.importorskip("cosmic_ray")

from tests.mutants.faults import GROUPS, Fault, change_of, faults_in, files_of, sample

ROOT = Path(__file__).resolve().parents[2]
SOURCE = textwrap.dedent("""
    from dataclasses import dataclass

    LIMIT: int | None = 3

    @dataclass(frozen=True)
    class Line:
        ends: list[int | str]

        def is_short(self, *, most: int = 4) -> bool | None:
            if len(self.ends) < most:
                return all(one != two for one, two in zip(
                    self.ends, self.ends[1:], strict=True))
            return None
    """)


def _changes() -> list[tuple[Fault, str]]:
    return [(fault, change_of(fault, SOURCE).after) for fault in faults_in("line.py", SOURCE)]


def test_what_decides_nothing_is_left_as_it_is() -> None:
    """Declared types, decorators, marks among parameters and checks of equal length get no faults; numbers, comparisons
    and words do.
    """
    assert sorted({after for _, after in _changes()}) == [
        "LIMIT: int | None = 2",
        "LIMIT: int | None = 4",
        "def is_short(self, *, most: int = 3) -> bool | None:",
        "def is_short(self, *, most: int = 5) -> bool | None:",
        "if len(self.ends) <= most:",
        "if len(self.ends) >= most:",
        "if not len(self.ends) < most:",
        "return all(one == two for one, two in zip(",
        "self.ends, self.ends[ 0:], strict=True))",
        "self.ends, self.ends[ 2:], strict=True))",
    ]


def test_a_tolerance_keeps_its_edge() -> None:
    """Whether a tolerance itself is within is left open; its side and its sign are not, nor is the edge of any other
    number.
    """
    swaps = [
        fault.operator.partition("_")[2]
        for fault in faults_in("gap.py", "near = gap <= CONTACT\nfew = count <= 3\n")
    ]
    assert sorted(swap for swap in swaps if swap) == ["LtE_Gt", "LtE_Gt", "LtE_Lt"]


def test_what_runs_at_import_is_known_by_its_name() -> None:
    """Constants and defaults are reached by no test themselves: who uses their name is asked."""
    assert {fault.name for fault, after in _changes() if "LIMIT" in after} == {"LIMIT"}
    assert {fault.name for fault, after in _changes() if "def " in after} == {"is_short"}
    assert {fault.name for fault, after in _changes() if "return" in after} == {""}


def test_a_change_within_a_statement_is_reached_by_the_whole_statement() -> None:
    """The lines of a statement over two lines are taken together; a compound one is reached by its head."""
    lines = {after: (fault.first, fault.line) for fault, after in _changes()}
    assert lines["self.ends, self.ends[ 2:], strict=True))"] == (12, 13)
    assert lines["if len(self.ends) <= most:"] == (11, 11)


def test_the_sample_stays_when_other_places_change() -> None:
    """A fault is drawn by what its line says, not by where it stands."""
    faults = list(faults_in("line.py", SOURCE))
    moved = list(faults_in("line.py", SOURCE.replace("LIMIT: int | None = 3\n", "\n\n")))
    drawn = {fault.key for fault in sample(faults, 4)} - {
        fault.key for fault in faults if "LIMIT" in fault.key
    }
    assert drawn <= {fault.key for fault in sample(moved, 4)}
    assert len(sample(faults, 4)) == 4


def test_a_second_sample_begins_where_the_first_ends() -> None:
    """Faults that are skipped are those of the sample of that size, and no fault is in both."""
    faults = list(faults_in("line.py", SOURCE))
    assert sorted([*sample(faults, 4), *sample(faults, 3, skipped=4)]) == sample(faults, 7)


@pytest.mark.parametrize("group", GROUPS)
def test_every_group_has_files(group: str) -> None:
    """Each pattern of a group names files of the project."""
    assert all(list(ROOT.glob(pattern)) for pattern in GROUPS[group])
    assert files_of(ROOT, group)
