"""Charges under a limit of time: the answer is that without a limit, or says that it may not be the best, or is none at
all.
"""

import time

import pytest

from benchmarks.hordes import horde
from tabletop.api import odds, resolve
from tabletop.errors import NoVerdictError
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tests.oracles.wh40k.scenes import random_case
from tests.systems.said import numbers
from tests.systems.wh40k.tables import Spots, case, unit

SECONDS = (0.001, 0.05, 0.3)
OVERRUN = 1.0
"""Seconds of work beyond the limit, and a fifth of it, in which an answer must be given; half of it on a machine that
is not busy."""
RANK: Spots = [(0.0, -1.95), (0.04, 0.0), (0.0, 1.93)]
CASES = {
    "ovals": case(
        unit(RANK, base="75x42mm oval", keywords=["cavalry"]),
        {"T": unit([(9.0 - x, y) for x, y in RANK], base="75x42mm oval", facing_deg=160)},
        total=9,
    ),
    **{f"{size} models": horde(2, size=size, sizes=(size,)) for size in (5, 10)},
    "two targets": horde(3, size=12, sizes=(5, 5), walls=4),
    **{f"scene {number}": random_case(number, most=3) for number in (0, 2, 5, 8, 9)},
    "too far": case(unit([(0, 0), (0, 1.5)]), {"T": unit([(9, 0)])}, total=4),
    "too far apart": case(
        unit([(0, 3), (0, 6), (0, 9)]),
        {"T": unit([(6, 0)]), "U": unit([(6, 12)])},
        total=9,
        targets=("T", "U"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_an_answer_in_little_time_is_right_or_says_that_it_is_open(name: str) -> None:
    """What is proven in little time is what is found in any; nothing is called impossible that is possible, nor the
    other way round.
    """
    whole = resolve(CASES[name]).rulings[0]
    for seconds in SECONDS:
        quick = _within(CASES[name], seconds)
        if quick is None:
            continue
        assert quick.outcome == whole.outcome
        if quick.proof != "best_found":
            assert quick.rule == whole.rule
            assert _counts(quick) == _counts(whole)
        assert (
            quick.metrics.get("needed", 25) >= whole.metrics.get("needed", 25)
            or whole.proof == "best_found"
        )


def _within(one: Case, seconds: float) -> Ruling | None:
    """Resolve within a limit, and see that it is kept."""
    started = time.process_time()
    try:
        ruling = resolve(one, max_seconds=seconds).rulings[0]
    except NoVerdictError as error:
        assert f"{seconds:g} s" in str(error)  # noqa: PT017 - no verdict is one of the answers allowed
        ruling = None
    assert time.process_time() - started <= 1.2 * seconds + OVERRUN
    return ruling


def _counts(ruling: Ruling) -> tuple[object, ...]:
    return tuple(
        ruling.metrics.get(name)
        for name in ("models_in_base_contact", "most_in_base_contact", "needed")
    )


def test_a_count_that_is_not_proven_comes_with_its_bound() -> None:
    """Out of time, a plan that may not be the best says how many could be in contact at most, in its metrics and its
    finding.
    """
    quick = resolve(horde(0, size=10), max_seconds=0.001).rulings[0]
    most = int(quick.metrics["most_in_base_contact"])
    bound = int(quick.metrics["most_in_base_contact_at_most"])
    assert (quick.proof, most < bound) == ("best_found", True)
    (finding,) = (finding for finding in quick.findings if finding.rule == "wh40k.move.contact")
    assert str(bound) in numbers(finding.text)
    assert "0.001 s" in finding.text


def test_a_proven_count_needs_no_bound() -> None:
    """All in contact that can be: nothing is left open, of the contacts nor of the models engaged."""
    whole = resolve(horde(2, size=10)).rulings[0]
    assert "most_in_base_contact_at_most" not in whole.metrics
    (finding,) = (
        finding for finding in whole.findings if finding.rule == "wh40k.move.most-engaged"
    )
    assert "legal" in finding.text


def test_odds_are_not_told_where_time_is_up() -> None:
    """Chances are exact or not told."""
    with pytest.raises(NoVerdictError):
        odds(horde(0, size=10), max_seconds=0.0)
