"""What a table of many cases leaves out decides nothing."""

import pytest

from tabletop.api import resolve
from tabletop.exploring import varied
from tabletop.exploring.explore import sweep_of


@pytest.mark.parametrize(
    ("scenario", "vary", "outcomes"),
    [
        pytest.param(
            "t9a/wheel-and-align",
            ("units.A.x=5:67:12", "units.A.y=5:43:9"),
            {"not_allowed"},
            id="far",
        ),
        pytest.param(
            "t9a/wheel-and-align",
            ("units.A.x=28:36:4", "units.A.y=28:37:3"),
            {"not_allowed", "success"},
            id="without room",
        ),
        pytest.param(
            "conquest/through-a-friend",
            ("units.A.x=4:44:8", "units.A.y=4:32:4"),
            {"not_allowed", "failed", "success"},
            id="conquest",
        ),
    ],
)
def test_rows_are_those_of_resolving(
    scenario: str, vary: tuple[str, ...], outcomes: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All columns are the same as where every case is resolved with its reasons and what figures show."""
    what = sweep_of(scenario, vary)
    told = [varied.rows_of(what.base, what.grid[number]) for number in range(len(what.grid))]
    monkeypatch.setattr(varied, "decide", resolve)
    assert told == [
        varied.rows_of(what.base, what.grid[number]) for number in range(len(what.grid))
    ]
    assert outcomes <= {row["outcome"] for some in told for row in some}
