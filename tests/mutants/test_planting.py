"""A changed module is run in place of the sound one, and a child leaves the sound program as it is."""

import time
from functools import partial
from pathlib import Path

import pytest

from tabletop import units
from tabletop.table import hexes
from tests.mutants.children import in_child
from tests.mutants.planting import Planted, import_anew, living_functions, swapped

FILE = str(units.__file__)
HEXES = str(hexes.__file__)


def _with_fault(before: str, after: str) -> tuple[str, str]:
    sound = Path(FILE).read_text("utf-8")
    assert before in sound
    return sound, sound.replace(before, after)


def test_functions_are_given_their_changed_code() -> None:
    """A fault in the body of a function acts wherever that function is already known, and only in the child."""
    sound, faulty = _with_fault("millimetres / MM_PER_INCH", "millimetres * MM_PER_INCH")

    def work() -> tuple[bool, float]:
        return swapped(FILE, sound, faulty, living_functions()), units.inches(10.0)

    assert in_child(work, seconds=5).said == [True, 254.0]
    assert units.inches(25.4) == 1.0


def test_what_runs_at_import_is_not_given_to_functions() -> None:
    """A fault in a constant is told from one in a function: the module must be imported anew."""
    sound, faulty = _with_fault("MM_PER_INCH = 25.4", "MM_PER_INCH = 26.4")
    assert not swapped(FILE, sound, faulty, living_functions())
    assert units.inches(25.4) == 1.0


def test_examples_of_a_module_are_those_of_the_changed_one() -> None:
    """A fault in a constant acts also where pytest collects the module itself, and finds it by its path."""
    sound = Path(HEXES).read_text("utf-8")

    def examples(source: str) -> int:
        import_anew(Planted("tabletop.table.hexes", HEXES, source))
        return int(
            pytest.main([HEXES, "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov"])
        )

    faulty = sound.replace("_AXIAL = ((0, -1)", "_AXIAL = ((0, -2)")
    said = [in_child(partial(examples, source), seconds=20).said for source in (sound, faulty)]
    assert said == [pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED]


def test_a_child_that_takes_too_long_is_late() -> None:
    """A child without an end is stopped when its CPU time is used up, and says nothing."""

    def work() -> None:
        while True:
            time.process_time()

    outcome = in_child(work, seconds=0.1)
    assert outcome.is_late
    assert outcome.said is None


@pytest.mark.parametrize("wrong", [ValueError, SystemExit, KeyboardInterrupt])
def test_a_child_that_breaks_says_nothing(wrong: type[BaseException]) -> None:
    """An exception ends a child; its time was not up."""

    def work() -> None:
        raise wrong

    outcome = in_child(work, seconds=5)
    assert outcome.said is None
    assert not outcome.is_late
