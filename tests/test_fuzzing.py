"""Files from anybody: an answer or a clear refusal, whatever stands in them. `make fuzz` asks a million times."""

from collections.abc import Callable
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzzing.files import bent_bytes, bent_tables, read, settle

QUIET = settings(suppress_health_check=list(HealthCheck))
SECONDS = 0.2
NUMBERS = st.integers(0, 2**32)


def choices(number: int) -> Callable[[int], int]:
    """Choose by a number."""
    return Random(number).randrange  # noqa: S311 - nothing is kept secret by it


@settings(QUIET, max_examples=1000)
@given(NUMBERS)
def test_bent_bytes_are_read_or_refused(number: int) -> None:
    """Bytes that look like a scenario are one, or are refused with a message."""
    read(bent_bytes(choices(number)))


@settings(QUIET, max_examples=1000)
@given(NUMBERS)
def test_bent_tables_are_read_or_refused(number: int) -> None:
    """Tables that look like a scenario are one, or are refused with a message."""
    read(bent_tables(choices(number)))


@settings(QUIET, max_examples=200)
@given(NUMBERS)
def test_bent_tables_are_settled_or_refused(number: int) -> None:
    """Whatever can be read gets an answer, or no verdict with a reason."""
    case = read(bent_tables(choices(number)))
    if case is not None:
        settle(case, seconds=SECONDS)
