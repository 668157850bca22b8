"""What rulings are made from: it is handed on to judge and contrasts, and made again where it was lost."""

import pickle
from dataclasses import replace

import pytest

import tabletop
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.table.dice import DiceSource
from tabletop.testing.answers import judged, resolved
from tests.bundled import FOUR_A_GAME, NAMES, each_of

CLAIMED = tuple(name for name in NAMES if "judged" in name or "claim" in name)


def without_attempts(resolution: Resolution) -> Resolution:
    """Return a resolution as a pickle or another process would give it."""
    copy = pickle.loads(pickle.dumps(resolution))  # noqa: S301
    assert isinstance(copy, Resolution)
    return copy


def said(judgement: Judgement) -> tuple[object, ...]:
    """Return what a judgement says: claims guide a search made again, whose places may differ in the last digits."""
    findings = [(finding.rule, finding.ok, finding.text) for finding in judgement.findings]
    return judgement.outcome, judgement.rule, judgement.summary, judgement.proof, findings


@each_of(CLAIMED, quick=FOUR_A_GAME)
def test_a_pickled_resolution_judges_the_same(name: str) -> None:
    """The judge makes again what pickles do not hold."""
    case, resolution = resolved(name)
    copy = without_attempts(resolution)
    assert all(ruling.attempt is None for ruling in copy.rulings)
    assert tabletop.judge(case, copy) == judged(name)


@each_of(CLAIMED, quick=FOUR_A_GAME)
def test_places_as_resolved_are_judged_the_same(name: str) -> None:
    """Places as resolved, claimed in turn, are judged the same with attempts and without."""
    case, resolution = resolved(name)
    if case.proposal is None or case.measured is not None:
        pytest.skip("places as resolved are claimed of exact tables")
    claims = {
        charger: resolution.after.units[charger].place
        for charger in {ruling.charge.charger for ruling in resolution.rulings}
        if charger in resolution.after.units
    }
    as_resolved = replace(case, proposal=claims)
    copy = without_attempts(resolution)
    assert said(tabletop.judge(as_resolved, resolution)) == said(tabletop.judge(as_resolved, copy))


def test_dice_are_dealt_again() -> None:
    """Every charge gets the faces that it took, from a flat list or from the seed."""
    source = DiceSource(flat=(3, 4, 5))
    assert source.stream(0, None).take(2, "") == (3, 4)
    assert source.stream(1, None).take(1, "") == (5,)
    again = source.again()
    assert again.stream(1, (1,)).take(1, "") == (5,)
    assert again.stream(0, None).take(2, "") == (3, 4)
    thrown = DiceSource(seed=7)
    first = thrown.stream(0, None).take(4, "")
    assert thrown.again().stream(0, None).take(4, "") == first
