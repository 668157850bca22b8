"""Every number of the page at its value, one less and one more, as is, turned by a hexside and moved, and in the mirror."""

import pytest

from tests.systems.battletech.thresholds import declaring
from tests.thresholds import Trial, check, trials

ROWS = declaring.ROWS


@pytest.mark.parametrize("trial", trials(ROWS), ids=str)
def test_threshold(trial: Trial) -> None:
    """The rule's verdict turns at the number, whichever way the table lies."""
    check(trial)
