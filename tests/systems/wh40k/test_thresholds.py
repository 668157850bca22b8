"""Every number of the page at its value, a hair within the tolerance and a hair beyond, in three orientations."""

import pytest

from tests.systems.wh40k.thresholds import declaring, ending, standing
from tests.thresholds import Trial, check, trials

ROWS = (*declaring.ROWS, *ending.ROWS, *standing.ROWS)


@pytest.mark.parametrize("trial", trials(ROWS), ids=str)
def test_threshold(trial: Trial) -> None:
    """The rule's verdict turns at the number, whichever way the table lies."""
    check(trial)
