"""The reasons that rulings and judgements give are true: where a move leads, and why a model is not in base contact."""

import pytest

from tabletop.api import judge
from tabletop.messages import says
from tabletop.ruling.verdict import Judgement
from tabletop.scenario.reading import case_from_tables, read_case
from tests.systems.wh40k.tables import unit, verdict

THREAT = {"T": unit([(6, 0)])}


def told_of(judgement: Judgement, number: int) -> str:
    """Return what the steps of A say of the move of a model, without the reason after it."""
    (text,) = [str(step.text) for step in judgement.steps["A"] if step.model == number]
    return text.rstrip(".").partition(";")[0]


def test_a_model_moved_round_its_target_ends_no_closer() -> None:
    """wh40k.move.closer: it ends as far from the target as it began, neither closer nor farther."""
    tables = {
        "system": "wh40k",
        "board": {"width": 44, "depth": 30},
        "units": {
            "A": {"side": "blue", "base": "32mm round", "at": [[17.5, 15], [17.2, 17.2]]},
            "T": {"side": "red", "base": "32mm round", "at": [[20, 15]]},
        },
        "charges": [{"charger": "A", "targets": ["T"], "dice": [1, 1]}],
        "proposal": {"units": {"A": {"at": [[18.740158, 15], [17.2672500, 17.2829975]]}}},
    }
    judgement = judge(case_from_tables(tables))
    assert judgement.broken is not None
    assert judgement.broken.rule == "wh40k.move.closer"
    assert says(judgement.broken.text, "{charger}'s model {number} ends no closer to any target than it began; it must end closer to one.")


@pytest.mark.parametrize(
    ("end", "where"),
    [((2.7, 2.0), "Closer to a target"), ((-1.0, 2.2), "No closer to any target"), ((0.0, 2.2), "Stays in place")],
)
def test_a_move_is_told_to_lead_where_it_leads(end: tuple[float, float], where: str) -> None:
    """wh40k.move.closer: also where another rule decides, where the model goes the other way, and where it stays."""
    judgement = verdict([(5, 0), end], unit([(3, 0), (0, 2.2)]), THREAT, total=3, rules={"closer_scope": "moved"})
    assert told_of(judgement, 0).startswith("Into base contact")
    assert told_of(judgement, 1) == where


def test_a_model_over_the_edge_ends_no_closer() -> None:
    """Model 3 of the bundled claim goes away from the target, over the board's edge; model 2, too far past it, ends closer."""
    judgement = judge(read_case("wh40k/judged-too-far-and-over-the-edge"))
    assert told_of(judgement, 2) == "No closer to any target"
