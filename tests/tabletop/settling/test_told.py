"""What judgements say in words and numbers: one verdict everywhere, the gap as measured, limits as the rules have
them.
"""

from typing import Any

import pytest

from plots.marks.captions import judgement_badge
from tabletop import judge, resolve
from tabletop.cli.report import judgement_text, unstyled
from tabletop.language.language import ENGLISH
from tabletop.ruling.finding import Finding
from tabletop.scenario import result
from tabletop.scenario.reading import case_from_tables
from tests.tabletop.settling.test_judging import claimed

Tables = dict[str, Any]


def short(off: float, *, whole: bool) -> Tables:
    """Claim that a model stopped so many inches short of its target, measured to a quarter: the claim alone or the
    whole table.
    """
    base = {"base": "25.4mm round"}
    tables = {
        "system": "wh40k",
        "board": {"width": 44, "depth": 30},
        "units": {
            "A": {"side": "blue", "at": [[20, 15]], **base},
            "T": {"side": "red", "at": [[24, 15]], **base},
        },
        "charges": [{"charger": "A", "targets": ["T"], "dice": [3, 4]}],
        "proposal": {
            "units": {"A": {"at": [[23 - off, 15]]}},
            **({} if whole else {"accuracy": 0.25}),
        },
    }
    return {**tables, "accuracy": 0.25} if whole else tables


def test_a_claim_that_is_taken_to_touch_says_so() -> None:
    """It was measured short of contact, by less than the accuracy; one that was measured in contact needs no such
    words.
    """
    for off, is_taken in ((0.2, True), (-0.1, True), (0.0, False)):
        judgement = judge(case_from_tables(short(off, whole=False)))
        assert judgement.outcome == "success"
        assert (
            judgement.summary.startswith("Taken to be in contact, which is within its accuracy, ")
            is is_taken
        )
    front = judge(claimed(30, 21.06))
    assert front.summary.startswith("Taken to be in contact, ")
    assert not judge(claimed(30, 21)).summary.startswith("Taken")


def test_contact_that_decides_is_to_be_checked_with_the_gap_as_measured() -> None:
    """Nobody measures a length of zero with a tape."""
    judgement = judge(case_from_tables(short(0.2, whole=True)))
    assert (judgement.outcome, judgement.rule) == ("undecided", "wh40k.move.contact")
    assert judgement.decides is not None
    assert judgement.decides.text.startswith("Check whether A and T touch")
    assert " 0.20 in apart" in judgement.decides.text
    assert judgement.decides.measured == pytest.approx(0.2)
    assert judgement.decides.border == 0.0


@pytest.mark.parametrize(
    "tables", [short(0.2, whole=True), short(0.2, whole=False), short(1.0, whole=False)]
)
def test_margins_of_a_measured_judgement_have_their_uncertainty(tables: Tables) -> None:
    """As those of rulings do, in text and in JSON; what is counted has none, and an exact claim neither."""
    case = case_from_tables(tables)
    judgement = judge(case)
    measured = [one for one in judgement.findings if isinstance(one.margin, float)]
    assert measured
    assert all(one.uncertainty is not None for one in measured)
    assert any(one.uncertainty for one in measured)
    entries = result(case, resolve(case), judgement)["judged"]["findings"]
    assert [one.get("uncertainty") for one in entries] == [
        one.uncertainty for one in judgement.findings
    ]
    assert [one.get("open", False) for one in entries] == [
        one.is_open for one in judgement.findings
    ]
    assert any(one["open"] for one in entries if "open" in one) is (
        judgement.outcome == "undecided"
    )
    assert unstyled(judgement_text(judgement, case)).count("±") == len(measured)
    claim = {"units": tables["proposal"]["units"]}
    exact = judge(
        case_from_tables(
            {
                **{key: value for key, value in tables.items() if key != "accuracy"},
                "proposal": claim,
            }
        )
    )
    assert all(one.uncertainty is None for one in exact.findings)


def test_a_verdict_is_one_word_everywhere() -> None:
    """What is right wherever it lies is best in the figure, too, though it was searched."""
    judgement = judge(claimed(30, 21))
    assert judgement.outcome == "success"
    assert judgement_badge(judgement).words == ENGLISH.words["badge.legal"]


def test_counts_are_never_marginal() -> None:
    """A model more or less is no hair."""
    judgement = judge(claimed(30, 21))
    counts = [
        one
        for one in judgement.findings
        if one.rule in ("t9a.align.target-models", "t9a.align.charger-models")
    ]
    assert [one.margin for one in counts] == [0, 0]
    assert not any(one.is_marginal for one in counts)


def test_limits_are_those_of_the_rules_and_the_hand_is_named_once() -> None:
    """2 in, not 2.001: what a hand may miss is told on a line of its own; the margin is the difference of the numbers
    beside it.
    """
    case = case_from_tables(
        {**short(0.0, whole=False), "proposal": {"units": {"A": {"at": [[23.0, 15.0]]}}}}
    )
    judgement = judge(case)
    limits = {one.rule: one.limit for one in judgement.findings if one.limit is not None}
    assert limits == {
        "wh40k.roll.limit": 7.0,
        "wh40k.move.end-clear": 0.0,
        "wh40k.possible.engage-all": 1.0,
    }
    for one in judgement.findings:
        if one.margin is not None and one.limit is not None and one.measured is not None:
            assert abs(one.margin) == pytest.approx(abs(one.limit - one.measured))
            assert one.ok is (one.slack >= -1e-6)
    text = unstyled(judgement_text(judgement, case))
    assert text.count("0.001") == 1
    by_hand = Finding(
        "x.y", ok=True, text="It holds.", measured=0.0, limit=0.0, margin=-0.0005, allowance=0.001
    )
    assert by_hand.slack == pytest.approx(0.0005)


def test_models_are_counted_from_one_in_the_order_of_their_moves() -> None:
    """The file counts them from 0, people from 1."""
    base = {"base": "25.4mm round"}
    tables = {
        "system": "wh40k",
        "board": {"width": 44, "depth": 30},
        "units": {
            "A": {"side": "blue", "at": [[20, 15], [21.5, 15]], **base},
            "T": {"side": "red", "at": [[25, 15]], **base},
        },
        "charges": [{"charger": "A", "targets": ["T"], "dice": [3, 4]}],
        "proposal": {
            "accuracy": 0.1,
            "units": {"A": {"at": [[22.9, 15], [24.0, 16.0]], "order": [1, 0]}},
        },
    }
    case = case_from_tables(tables)
    judgement = judge(case)
    assert "moved in the order 2, 1" in unstyled(judgement_text(judgement, case))
    assert result(case, resolve(case), judgement)["judged"]["meant"]["A"]["order"] == [1, 0]
