"""What is said of paths that are listed: where not all of them are, that is told."""

from dataclasses import replace

import pytest

from systems.battletech import conditions, move
from tests.systems.battletech.tables import charge, charger, finding, ruling, table, unit
from tests.systems.said import numbers


@pytest.mark.parametrize(("most", "is_cut"), [(10_000, False), (5, False), (3, True)])
@pytest.mark.parametrize("is_listed", [False, True])
def test_a_list_that_is_cut_says_so(
    monkeypatch: pytest.MonkeyPatch, most: int, *, is_cut: bool, is_listed: bool
) -> None:
    """Of five paths three are listed and that is said; nothing is said where all are listed, nor where no list is asked
    for.
    """
    for module in (conditions, move):
        monkeypatch.setattr(module, "MOST_LISTED", most)
    case = table({"A": charger("0507", walk=4), "B": unit("0505", "S")}, charge())
    found = ruling(replace(case, detail=is_listed))
    text = finding(found, "battletech.path.best").text
    assert "5" in numbers(text)
    assert ("3" in numbers(text)) == (is_listed and is_cut)
    assert len(found.metrics.get("all_paths", ())) == (min(most, 5) if is_listed else 0)
