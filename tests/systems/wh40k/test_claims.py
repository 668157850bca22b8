"""Ends that somebody claims: legal ones prove that a charge is possible, and searches begin with them."""

import json
from pathlib import Path
from typing import Any

import pytest

import tabletop
from tabletop.api import decide
from tabletop.cli import main
from tabletop.cli.errors import ExitCode
from tabletop.errors import NoVerdictError
from tabletop.placement import search
from tabletop.placement.mandatory_contact import ContactDuty, MandatoryContact
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.scenario import read_case
from tests.oracles.wh40k.claims import ends, held, held_bound, rounded
from tests.oracles.wh40k.scenes import crowded_case
from tests.systems.wh40k.tables import placed, table, unit

AT = [[20.0, 16.0], [16.923, 14.924], [13.819, 13.926]]
CLAIM = [[24.5782, 20.7357], [25.0306, 17.5074], [21.819, 17.526]]
"""Three models that reach both of two targets, one each, and a link between them; typed with four decimals."""


def tables(claim: list[list[float]] | None = None, **charge: Any) -> dict[str, Any]:
    """Return the tables of a file with three chargers and two targets, and where the chargers are claimed to end."""
    units = {
        "A": {"side": "blue", "base": "32mm round", "at": AT},
        "T": {"side": "red", "base": "25mm round", "at": [[24.909, 16.392]]},
        "U": {"side": "red", "base": "28.5mm round", "at": [[24.799, 21.906]]},
    }
    asked: dict[str, Any] = {
        "system": "wh40k",
        "rules": {"spare_models": "stay"},
        "board": {"width": 60, "depth": 44},
        "units": units,
    }
    asked["charges"] = [{"charger": "A", "targets": ["T", "U"], "dice": [4, 5], **charge}]
    return asked if claim is None else {**asked, "proposal": {"units": {"A": {"at": claim}}}}


def asked(claim: list[list[float]] | None = None, **charge: Any) -> Case:
    """Return the case of these tables."""
    return read_case(tables(claim, **charge))


def ruled(case: Case) -> Ruling:
    """Rule on the only charge."""
    return tabletop.resolve(case).rulings[0]


def contact_text(ruling: Ruling) -> str:
    """Return what is said of the models in contact."""
    return next(one.text for one in ruling.findings if one.rule == "wh40k.move.contact")


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search find no plan by itself, and no proof that there is none."""
    monkeypatch.setattr(search, "packed_plans", lambda *_: ([], 3))
    monkeypatch.setattr(search, "_make_more", lambda *_: None)
    monkeypatch.setattr(search, "some_plan", lambda *_, **__: None)


def test_a_search_begins_with_a_legal_claim() -> None:
    """Two models touch as the claim says, its hundredths of thousandths aside, and the finding says where the search
    began.
    """
    ruling = ruled(asked(CLAIM))
    assert (ruling.outcome, ruling.metrics["models_in_base_contact"]) == ("success", 2)
    assert "proposed" in contact_text(ruling)
    judgement = tabletop.judge(asked(CLAIM))
    assert judgement.is_right


def test_as_many_are_found_without_a_claim() -> None:
    """Nobody claims anything: two models touch all the same, which is as many as can."""
    ruling = ruled(asked())
    assert (ruling.metrics["models_in_base_contact"], ruling.metrics["most_in_base_contact"]) == (
        2,
        2,
    )
    assert "most_in_base_contact_at_most" not in ruling.metrics


@pytest.mark.usefixtures("blind")
def test_a_legal_claim_proves_that_the_charge_is_possible() -> None:
    """Where the search finds nothing there is no verdict; with the claim there is one, in resolve, odds and judge, but
    not in explore.
    """
    with pytest.raises(NoVerdictError):
        tabletop.resolve(asked())
    assert ruled(asked(CLAIM)).outcome == "success"
    assert tabletop.judge(asked(CLAIM)).is_right
    with pytest.raises(NoVerdictError):
        decide(asked(CLAIM))


@pytest.mark.usefixtures("blind")
@pytest.mark.parametrize("spoiled", [[24.5782, 20.8], [24.5782, 24.2], [3.0, 3.0]])
def test_a_claim_that_is_not_legal_proves_nothing(spoiled: list[float]) -> None:
    """A model in another, beyond coherency, or out of reach makes the claim none."""
    with pytest.raises(NoVerdictError):
        tabletop.resolve(asked([spoiled, *CLAIM[1:]]))


@pytest.mark.parametrize("claim", [CLAIM[:2], [*CLAIM, [10.0, 10.0]]])
def test_a_claim_for_another_number_of_models_is_not_looked_at(claim: list[list[float]]) -> None:
    """Who claims too few or too many places is told so by the judge alone."""
    assert "proposed" not in contact_text(ruled(asked(claim)))


def test_a_proof_beside_a_legal_claim_is_a_bug(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A charge that fails for certain while a legal claim stands beside it is no verdict: one of the two is wrong."""
    monkeypatch.setattr(search, "is_too_short", lambda _: True)
    with pytest.raises(RuntimeError, match="claimed"):
        tabletop.resolve(asked(CLAIM))
    file = tmp_path / "claimed.json"
    file.write_text(json.dumps(tables(CLAIM)), "utf-8")
    assert main(["resolve", str(file)]) == ExitCode.BUG


def test_a_duty_that_is_not_verified_leaves_a_claim_without_a_verdict(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whether a model owes base contact is neither found nor disproved: the rule and the model are named, and what
    holds all the same.
    """
    claim = [CLAIM[0], [25.0, 17.62], CLAIM[2]]
    case = asked(claim)
    resolution = tabletop.resolve(asked(claim))
    monkeypatch.setattr(
        MandatoryContact, "contact", lambda *_, **__: ContactDuty(None, "best_found")
    )
    with pytest.raises(NoVerdictError, match=r"wh40k\.move\.contact .*\bA: 2\b(?!,).* possible"):
        tabletop.judge(case, resolution)
    file = tmp_path / "claimed.json"
    file.write_text(json.dumps(tables(claim)), "utf-8")
    assert main(["judge", str(file)]) == ExitCode.NO_VERDICT


def test_what_is_broken_decides_whatever_duty_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim out of coherency is not allowed, though nobody knows what its models owe."""
    monkeypatch.setattr(
        MandatoryContact, "contact", lambda *_, **__: ContactDuty(None, "best_found")
    )
    judgement = tabletop.judge(asked([CLAIM[0], CLAIM[1], AT[2]]))
    assert (judgement.outcome, judgement.rule) == ("not_allowed", "wh40k.possible.coherency")


@pytest.mark.parametrize("number", [27, 81])
def test_the_own_plan_is_accepted_as_a_claim(number: int) -> None:
    """The last model would have to touch one target and engage another that is too far off, or would leave its mates
    there.
    """
    assert held(crowded_case, number).outcome == "accepted"


@pytest.mark.parametrize("number", [16, 27, 34])
def test_the_bound_on_contact_forbids_nothing_that_is_found(number: int) -> None:
    """Whoever else has moved before it, a model in contact in a plan may be in contact; where it may not, no place is
    found.
    """
    assert held_bound(crowded_case, number).complaints == []


NESTLED = [
    (7.0, 1.875),
    (6.125, 2.25),
    (5.1875, 1.875),
    (4.875, 0.9375),
    (5.25, 0.0625),
    (6.1875, -0.3125),
    (7.0625, 0.125),
    (7.4375, 1.0),
    (8.4375, 1.5),
]
"""Seven discs of 25 mm round one of 40 mm in sixteenths of an inch, an eighth that is 1.3 mm off, and a ninth."""


def test_which_models_touch_within_the_accuracy_is_open() -> None:
    """A tape does not tell which seven of eight touch: if it is the eighth, another could still at its turn, which is
    not allowed; else all is right.
    """
    a = unit([(0.0, 1.2 * number) for number in range(-4, 5)], base="25mm round")
    asked = table(a, {"T": unit([(6.1322, 0.9723)], base="40mm round")}, total=11)
    proposal = {"units": {"A": {"at": placed([*NESTLED])}}, "accuracy": "1/16"}
    judgement = tabletop.judge({**asked, "proposal": proposal})
    assert (judgement.outcome, judgement.open) == ("undecided", ("wh40k.move.contact",))


def test_those_shot_at_as_they_moved_are_in_contact_within_the_accuracy() -> None:
    """A unit that loses models before and after its move claims places for those that move: rounded, they touch all the
    same.
    """
    a = unit([(0.0, 0.0), (0.0, 1.5), (0.0, 3.0), (0.0, 4.5)])
    asked = table(a, {"T": unit([(6.0, 1.5)])}, total=8, overwatch={"before": [0], "after": [3]})
    at = rounded(ends(*_resolved(asked)))
    judgement = tabletop.judge({**asked, "proposal": {"units": at, "accuracy": "1/16"}})
    assert judgement.is_right, judgement.summary


def _resolved(asked: dict[str, Any]) -> tuple[Case, Resolution]:
    case = read_case(asked)
    return case, tabletop.resolve(case)
