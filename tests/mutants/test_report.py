"""The table of what became of the faults."""

from tests.mutants.report import looked_at, told

ROW = {
    "group": "geometry",
    "file": "a.py",
    "line": 3,
    "before": "x < y",
    "after": "x <= y",
    "asked": 4,
    "seconds": 1.0,
}


def _rows(**verdicts: int) -> list[dict[str, object]]:
    return [
        {**ROW, "verdict": verdict} for verdict, count in verdicts.items() for _ in range(count)
    ]


def test_what_is_out_of_time_counts_for_neither_side() -> None:
    """The share is of those killed and survived."""
    table = told(_rows(killed=3, survived=1, late=7), {})
    assert "11 faults: 3 killed, 1 survived (0 of them change nothing), 7 out of time" in table
    assert "killed 75.0%" in table


def test_what_changes_nothing_is_left_out_of_the_second_share() -> None:
    """A survivor that was found to change nothing is told apart, and is no news."""
    table = told(_rows(killed=3, survived=1), {("a.py", "x < y", "x <= y"): "equivalent"})
    assert "killed 75.0%, of those that change something 100.0%" in table
    assert "new:" not in table


def test_new_survivors_are_listed() -> None:
    """A survivor that nobody looked at is shown with its place and its change."""
    assert told(_rows(survived=1), {}).endswith(
        "new: a.py:3 (4 tests asked)\n    x < y\n    x <= y"
    )


def test_kinds_of_survivors() -> None:
    """A survivor that was looked at changes nothing, or lacks a test."""
    assert set(looked_at().values()) <= {"equivalent", "open"}
