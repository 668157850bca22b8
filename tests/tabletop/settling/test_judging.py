"""Measured places: right wherever they may lie, wrong wherever they may lie, or not to be told."""

import re
from dataclasses import replace

import pytest

from plots.marks.captions import judgement_badge
from tabletop import judge, resolve
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.scenario import result
from tabletop.scenario.reading import case_from_tables
from tabletop.settling.judging import judged_measured
from tests.oracles.measured import complaints
from tests.systems.wh40k.tables import placed
from tests.systems.wh40k.tables import table as loose_table
from tests.systems.wh40k.tables import unit as loose_unit
from tests.tables import scenario, unit
from tests.tabletop.settling.test_uncertainty import fronts, hexes

NUMBER = re.compile(r"\d+")


def claimed(
    x: float,
    y: float,
    *,
    facing: float = 270.0,
    accuracy: object = 0.1,
    distance: float = 9.0,
    table: object = None,
) -> Case:
    """Claim that A, which is to end at (30, 30 - distance), ended at a place that was measured."""
    proposal = {"accuracy": accuracy, "units": {"A": {"at": [x, y], "facing_deg": facing}}}
    return fronts(distance, accuracy=table, face=6, proposal=proposal)


@pytest.mark.parametrize(
    ("x", "y", "facing"), [(30, 21, 270), (30.05, 21.06, 270.4), (29.95, 20.95, 269.5)]
)
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
    case = fronts(
        9.95, accuracy=0.1, face=1, proposal={"units": {"A": {"at": [30, 20.0], "facing_deg": 270}}}
    )
    judgement = judge(case)
    assert (judgement.outcome, judgement.rule) == ("undecided", "t9a.range")
    assert judgement.decides is not None
    assert judgement.decides.between == ("A", "B")


def test_a_model_in_contact_by_a_tape_is_in_contact() -> None:
    """A model typed to a tenth that owes a contact has it, and is right; one that is half an inch off is not."""
    a = loose_unit([(0.0, 0.0)])
    b = {"T": loose_unit([(5.0, 0.0)])}
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


def told(judgement: Judgement) -> list[tuple[str, bool, float | None]]:
    """List what was counted of a claim that breaks another rule."""
    return [
        (one.rule, one.ok, one.measured)
        for one in judgement.findings
        if one.text.startswith(("Also measured: ", "Told all the same: "))
    ]


@pytest.mark.parametrize(
    ("x", "y", "counts"),
    [
        (30, 21.3, [("t9a.align.target-models", True, 5), ("t9a.align.charger-models", True, 5)]),
        (32.5, 21.4, [("t9a.align.target-models", False, 3)]),
    ],
)
def test_counts_of_a_measured_front_are_told_where_a_limit_is_broken(
    x: float, y: float, counts: object
) -> None:
    """Players argue about models in contact; an exact claim is told its first broken limit alone, and one that looks
    away too.
    """
    judgement = judge(claimed(x, y))
    assert judgement.rule == "t9a.align.flush"
    assert told(judgement) == counts
    assert told(judge(claimed(x, y, facing=90))) == []
    exact = {"units": {"A": {"at": [x, y], "facing_deg": 270}}}
    assert told(judge(fronts(9.0, accuracy=None, face=6, proposal=exact))) == []


@pytest.mark.parametrize("accuracy", [0.1, None])
def test_totals_of_a_measured_combined_charge_are_told_where_a_limit_is_broken(
    accuracy: float | None,
) -> None:
    """t9a.combined.totals: of a front half an inch off as of one that stands."""
    two = {"files": 2, "models": 2, "base": "25x25mm"}
    tables = {
        "system": "t9a",
        "board": {"width": 72, "depth": 48},
        "units": {
            **{
                name: {
                    "side": "blue",
                    "at": [x, 30],
                    "facing_deg": 270,
                    **two,
                    "profile": {"charge_speed": 5},
                }
                for name, x in (("A", 28.5), ("C", 31.5))
            },
            "B": {"side": "red", "at": [30, 22], "facing_deg": 90, **two, "files": 6, "models": 6},
        },
        "charges": [{"charger": name, "targets": ["B"], "dice": [6]} for name in ("A", "C")],
    }
    end = resolve(case_from_tables(tables)).after.units["A"].pose
    claim = {"at": [end.x, end.y + 0.5], "facing_deg": 270}
    judgement = judge(
        case_from_tables(
            {
                **tables,
                "proposal": {
                    "units": {"A": claim},
                    **({} if accuracy is None else {"accuracy": accuracy}),
                },
            }
        )
    )
    assert judgement.rule == "t9a.align.flush"
    assert told(judgement) == ([] if accuracy is None else [("t9a.combined.totals", True, 4)])


@pytest.mark.parametrize(
    ("x", "facing", "choice", "stands"),
    [
        (20.0, 90.0, "counts", [3]),
        (22.0, 90.0, "counts", [3]),
        (22.0, 90.0, "ignored", [2]),
        (20.0, 270.0, "counts", []),
    ],
)
def test_stands_of_a_measured_front_are_told_where_it_is_not_flush(
    x: float, facing: float, choice: str, stands: list[float]
) -> None:
    """conquest.wheel.most-stands: those before the charged facing, a corner among them by choice, of a front that looks
    at it.
    """
    claim = {"accuracy": 0.1, "units": {"A": {"at": [x, 17.5], "facing_deg": facing}}}
    tables = {**scenario({"B": unit((20, 18), 270)}, corner_contact=choice), "proposal": claim}
    judgement = judge(case_from_tables(tables))
    assert judgement.rule == "conquest.align.flush"
    assert told(judgement) == [
        ("conquest.wheel.most-stands", number == 3, number) for number in stands
    ]


def test_contacts_of_measured_models_are_told_where_another_rule_is_broken() -> None:
    """wh40k.move.contact: of two models one is in contact, the other would have to move too far."""
    a = loose_unit([(0.0, 0.0), (0.0, 1.5)])
    b = {"T": loose_unit([(5.0, 0.0), (5.0, 1.5)])}
    tables = loose_table(a, b, total=6, proposal={"at": placed([(4.0, 0.0), (4.0, 9.0)])})
    tables["proposal"]["accuracy"] = 0.1
    judgement = judge(case_from_tables(tables))
    assert judgement.rule == "wh40k.roll.limit"
    assert told(judgement) == [("wh40k.move.contact", False, 1.0)]


def test_what_is_merely_legal_at_one_place_is_no_more_than_legal() -> None:
    """A verdict on all places within the accuracy is as sure as the least sure of them."""
    case = claimed(30, 21)
    resolution = resolve(case)
    count = iter(range(1_000))

    def one(asked: Case, answer: Resolution) -> Judgement:
        found = asked.system.judge(asked, answer, budget=Budget())
        return replace(found, outcome="legal", proof="best_found") if next(count) == 1 else found

    judgement = judged_measured(replace(case, proposal=case.claimed(resolution)), resolution, one)
    assert judgement.outcome == "legal"
    assert "accuracy" in judgement.summary


@pytest.mark.parametrize(
    "case",
    [claimed(30 + 25 / 25.4, 21), claimed(30, 21), claimed(32.5, 21)],
    ids=["open", "right", "wrong"],
)
def test_a_limit_among_the_places_within_the_accuracy_leaves_the_answer_open(case: Case) -> None:
    """Whichever place the search ends at: what was not looked at may be otherwise, unless both answers are known
    already.
    """
    resolution = resolve(case)
    claim = replace(case, proposal=case.claimed(resolution))
    counts = dict[str, int]()

    def judged_first(most: int) -> str:
        left = iter(range(most))

        def one(asked: Case, answer: Resolution) -> Judgement:
            if next(left, None) is None:
                raise NoVerdictError("out of work")
            return asked.system.judge(asked, answer, budget=Budget())

        try:
            return judged_measured(claim, resolution, one).outcome
        except NoVerdictError as error:
            return str(error).rpartition(": ")[2]

    for most in range(60):
        told = judged_first(most)
        counts[told] = counts.get(told, 0) + 1
    assert set(counts) == {"out of work", judge(case).outcome}
    assert counts["out of work"] > 1


@pytest.mark.parametrize("order", [("A", "T"), ("T", "A")])
def test_a_flank_that_a_hair_decides_is_undecided_in_any_order_of_the_file(
    order: tuple[str, str],
) -> None:
    """The middle of A's front was measured 0.01 in beside the line between front and flank: the claim on the flank
    cannot be refused.
    """
    alike = {"base": "20x20mm", "models": 8, "profile": {"charge_speed": 5}}
    units = {
        "A": {"side": "blue", "at": [41.496967, 27.542605], "facing_deg": 225, "files": 4, **alike},
        "T": {"side": "red", "at": [36, 24], "facing_deg": 90, "files": 5, **alike},
    }
    tables = {
        "system": "t9a",
        "board": {"width": 72, "depth": 48},
        "accuracy": 0.1,
        "units": {name: units[name] for name in order},
        "charges": [{"charger": "A", "targets": ["T"], "dice": [6]}],
        "proposal": {"units": {"A": {"at": [37.968503937, 23.212598425], "facing_deg": 180}}},
    }
    judgement = judge(case_from_tables(tables))
    assert (judgement.outcome, judgement.rule) == ("undecided", "t9a.arc.target-facing")
    assert judgement.decides is not None
    assert judgement.decides.measured == pytest.approx(0.01, abs=1e-4)
    assert judgement.decides.border == pytest.approx(0.0, abs=0.005)
    assert judgement.decides.text in judgement.summary
    assert judgement.meant["A"].at == pytest.approx((37.968503937, 23.212598425))


def test_the_rule_against_a_claim_is_one_that_every_place_breaks() -> None:
    """The nearest place lies a hair in a friend, others beside it; all of them have 3 models in contact, and a legal
    place has 5.
    """
    width = 25 / 25.4
    five = {"files": 5, "models": 10, "base": "25x25mm"}
    units = {
        "A": {
            "side": "blue",
            "at": [30, 30],
            "facing_deg": 270,
            **five,
            "profile": {"charge_speed": 5},
        },
        "B": {"side": "red", "at": [30, 21], "facing_deg": 90, **five},
        "F": {"side": "blue", "at": [32.5 + 5 * width - 0.03, 22.0], "facing_deg": 270, **five},
    }
    proposal = {"accuracy": 0.1, "units": {"A": {"at": [32.5, 21], "facing_deg": 270}}}
    judgement = judge(fronts(9.0, accuracy=None, face=6, proposal=proposal, units=units))
    assert (judgement.outcome, judgement.rule) == ("not_allowed", "t9a.align.target-models")
    told = judgement_badge(judgement)
    assert NUMBER.findall(str(told.why)) == ["3", "5"]
    assert f" {told.why}." in judgement.summary


def test_a_claim_that_no_place_within_the_accuracy_explains_is_refused_by_what_is_beyond_it() -> (
    None
):
    """It lies a hair in a friend, which the accuracy explains, and three tenths of an inch off the facing, which it
    does not.
    """
    width = 25 / 25.4
    five = {"files": 5, "models": 10, "base": "25x25mm"}
    units = {
        "A": {
            "side": "blue",
            "at": [30, 30],
            "facing_deg": 270,
            **five,
            "profile": {"charge_speed": 5},
        },
        "B": {"side": "red", "at": [30, 21], "facing_deg": 90, **five},
        "F": {"side": "blue", "at": [30 + 5 * width - 0.03, 23.0], "facing_deg": 270, **five},
    }
    proposal = {"accuracy": 0.1, "units": {"A": {"at": [30, 21.3], "facing_deg": 270}}}
    judgement = judge(fronts(9.0, accuracy=None, face=6, proposal=proposal, units=units))
    assert (judgement.outcome, judgement.rule) == ("not_allowed", "t9a.align.flush")
    assert judgement.broken is not None
    assert judgement_badge(judgement).why == judgement.broken.text.rstrip(".")
