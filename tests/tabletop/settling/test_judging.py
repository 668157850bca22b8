"""Measured places: right wherever they may lie, wrong wherever they may lie, or not to be told."""

import pytest

from tabletop import judge, resolve
from tabletop.ruling.system import Case
from tabletop.scenario import result
from tabletop.scenario.reading import case_from_tables
from tests.oracles.measured import complaints
from tests.systems.wh40k.tables import placed
from tests.systems.wh40k.tables import table as loose_table
from tests.systems.wh40k.tables import unit as loose_unit
from tests.tabletop.settling.test_uncertain import fronts, hexes


def claimed(x: float, y: float, *, facing: float = 270.0, accuracy: object = 0.1, distance: float = 9.0, table: object = None) -> Case:
    """Claim that A, which is to end at (30, 30 - distance), ended at a place that was measured."""
    proposal = {"accuracy": accuracy, "units": {"A": {"at": [x, y], "facing_deg": facing}}}
    return fronts(distance, accuracy=table, face=6, proposal=proposal)


@pytest.mark.parametrize(("x", "y", "facing"), [(30, 21, 270), (30.05, 21.06, 270.4), (29.95, 20.95, 269.5)])
def test_what_is_right_wherever_it_lies_is_right(x: float, y: float, facing: float) -> None:
    """A front that may be flush anywhere within a tenth, where all places serve alike, is what the rules demand."""
    judgement = judge(claimed(x, y, facing=facing))
    assert judgement.outcome == "success"
    assert judgement.open == ()
    assert judgement.meant["A"].at == pytest.approx((x, 21.0))
    assert judgement.moved["A"] == pytest.approx(abs(y - 21.0))


def test_what_cannot_be_flush_is_not_allowed() -> None:
    """Beyond the accuracy no place is flush: the rule is that of the place as it is written, with its margin."""
    judgement = judge(claimed(30, 21.3))
    assert (judgement.outcome, judgement.rule) == ("not_allowed", "t9a.align.flush")
    assert judge(claimed(30, 21.05, facing=275)).outcome == "not_allowed"


def test_what_falls_short_of_the_goal_wherever_it_lies_is_not_allowed() -> None:
    """A front so far aside that fewer models meet at each place within the accuracy is refused by the goal."""
    judgement = judge(claimed(32.5, 21))
    assert (judgement.outcome, judgement.rule) == ("not_allowed", "t9a.align.target-models")


def test_what_may_fall_short_is_undecided_and_says_what_decides() -> None:
    """Where one place within the accuracy has as many models in contact and another fewer, nobody can tell."""
    width = 25 / 25.4
    case = claimed(30 + width, 21)
    judgement = judge(case)
    assert (judgement.outcome, judgement.rule) == ("undecided", "t9a.align.target-models")
    assert judgement.open == ("t9a.align.target-models",)
    assert judgement.decides is not None
    entry = result(case, resolve(case), judgement)["judged"]
    assert entry["outcome"] == "undecided"
    assert entry["open"] == ["t9a.align.target-models"]
    assert entry["decides"]["rule"] == "t9a.align.target-models"
    assert set(entry["meant"]["A"]) == {"at", "facing_deg"}
    assert entry["moved"]["A"] <= 0.1


def test_an_open_rule_of_the_charge_makes_the_judgement_undecided_by_it() -> None:
    """Whether the range suffices cannot be told, so neither can the end."""
    case = fronts(9.95, accuracy=0.1, face=1, proposal={"units": {"A": {"at": [30, 20.0], "facing_deg": 270}}})
    judgement = judge(case)
    assert (judgement.outcome, judgement.rule) == ("undecided", "t9a.range")
    assert judgement.decides is not None
    assert judgement.decides.between == ("A", "B")


def test_a_model_in_contact_by_a_tape_is_in_contact() -> None:
    """A model typed to a tenth that owes a contact has it, and is right; one that is half an inch off is not."""
    a, b = loose_unit([(0.0, 0.0)]), {"T": loose_unit([(5.0, 0.0)])}
    for x, outcome in ((4.07, "success"), (3.95, "success"), (3.4, "not_allowed")):
        tables = loose_table(a, b, total=8, proposal={"at": placed([(x, 0.0)])})
        tables["proposal"]["accuracy"] = 0.1
        judgement = judge(case_from_tables(tables))
        assert judgement.outcome == outcome, x


@pytest.mark.parametrize("game", ["t9a", "conquest", "wh40k"])
@pytest.mark.parametrize("number", range(3))
def test_rounded_places_are_never_refused_and_spoiled_ones_always(game: str, number: int) -> None:
    """As `make oracle` asks of 200 tables of each game."""
    assert complaints(game, number) == []


def test_a_measured_claim_on_hexes_is_judged_as_ever() -> None:
    """Another hex is refused, whatever accuracy is said."""
    tables = {**hexes(1.0), "proposal": {"units": {"A": {"hex": "0201", "facing": "S"}}}}
    assert judge(case_from_tables(tables)).outcome == "not_allowed"
