"""Errors that hold every problem, and are also the built-in ones a caller would catch."""

import pytest

from tabletop.errors import Fault, NoVerdictError, ScenarioError, TabletopError, UsageError

TWO = (Fault("board.width", "must be above 0"), Fault("", "no units"))


def test_a_scenario_error_says_all_that_is_wrong() -> None:
    """One line for each problem, with its key path if it has one."""
    assert str(ScenarioError(TWO)) == "board.width: must be above 0\nno units"
    assert ScenarioError(iter(TWO)).problems == TWO


def test_a_single_problem_needs_no_list() -> None:
    """It is held as the only one."""
    assert ScenarioError(TWO[0]).problems == TWO[:1]


def test_the_file_is_named_on_every_line() -> None:
    """The error made for a file holds the same problems; the first one is unchanged."""
    bare = ScenarioError(TWO)
    named = bare.in_file("duel.toml")
    assert str(named) == "duel.toml: board.width: must be above 0\nduel.toml: no units"
    assert (named.problems, named.file, bare.file) == (TWO, "duel.toml", "")


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (ScenarioError(TWO), ValueError),
        (UsageError(), ValueError),
        (NoVerdictError(), RuntimeError),
    ],
)
def test_every_error_is_the_fitting_built_in_too(
    error: Exception, builtin: type[Exception]
) -> None:
    """Whoever knows nothing of this program can still catch them."""
    assert isinstance(error, TabletopError)
    assert isinstance(error, builtin)
