"""Sentences of findings say what was found, and not its opposite."""

import pytest

from tests.scenes import charger, finding, rule_on, target


@pytest.mark.parametrize(("status", "told"), [((), "A is not engaged."), (("engaged",), "A is engaged.")])
def test_whether_the_charger_is_engaged_is_told(status: tuple[str, ...], told: str) -> None:
    """Engaged units may not charge; the sentence agrees with the verdict."""
    found = finding(rule_on(target(files=7), charger((70, 150), status=status)), "t9a.declare.not-engaged")
    assert (found.ok, found.text) == (not status, told)
