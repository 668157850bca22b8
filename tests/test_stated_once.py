"""A threshold stands in one place: who changes it there changes what is solved, judged, told and reckoned."""

from dataclasses import replace
from typing import Any

import pytest

import tabletop
from plots.marks.captions import caption
from tabletop.ruling.system import Case
from tabletop.scenario.reading import read_case
from tabletop.testing.answers import last_places

CASES = (
    pytest.param("t9a/failed-wheel", "range_bonus", 9, None, "t9a.range", id="roll: t9a"),
    pytest.param(
        "t9a/wheel-and-align", "wheel_limit_deg", None, 20, "t9a.declare.room", id="move: t9a"
    ),
    pytest.param(
        "conquest/the-longest-contact",
        "wheel_limit_deg",
        None,
        1,
        "conquest.facing.reach",
        id="move: conquest",
    ),
    pytest.param(
        "wh40k/across-a-barricade",
        "barricade_engagement",
        None,
        1.5,
        "wh40k.possible.engage-all",
        id="end: wh40k, engaged",
    ),
    pytest.param(
        "wh40k/chain-just-long-enough",
        "coherency_horizontal",
        None,
        1.5,
        "wh40k.possible.coherency",
        id="end: wh40k, coherent",
    ),
)
"""A scenario, a number of the book, values of it with which the charge succeeds and with which it does not (None: the
book's own), and the rule that then decides."""


def cases(name: str, field: str, *values: Any) -> list[Case]:
    """Read a scenario with one number of its book at different values."""
    return [
        read_case(name, overrides=() if value is None else (f"system.{field}={value}",))
        for value in values
    ]


@pytest.mark.parametrize(("name", "field", "enough", "too_little", "rule"), CASES)
def test_one_number_moves_solver_judge_caption_and_odds(
    name: str, field: str, enough: float, too_little: float, rule: str
) -> None:
    """With one value the charge succeeds and its end is right; with the other neither, by the same rule, and chances
    are fewer.
    """
    kind, strict = cases(name, field, enough, too_little)
    done = tabletop.resolve(kind)
    refused = tabletop.resolve(strict)
    assert (done.rulings[0].outcome, done.rulings[0].rule) == ("success", None)
    assert refused.rulings[0].outcome != "success"
    assert refused.rulings[0].rule == rule
    charger = kind.charges[0].charger
    claimed = {charger: last_places(kind, done)[charger]}
    assert tabletop.judge(replace(kind, proposal=claimed)).outcome == "success"
    judged = tabletop.judge(replace(strict, proposal=claimed))
    assert (judged.outcome, judged.rule) == ("not_allowed", rule)
    assert rule in caption(strict, refused, audience="judge")[1]
    assert caption(kind, done, audience="judge")[1] != caption(strict, refused, audience="judge")[1]
    assert tabletop.odds(kind).charges[0].outcomes.get("success", 0) > tabletop.odds(
        strict
    ).charges[0].outcomes.get("success", 0)


def test_a_length_that_is_kept_is_told_with_its_number() -> None:
    """Where the charge stops short of others by a number of the book, the place, the finding and the judge go by it."""
    near, far = cases("conquest/halted-by-a-corner", "halt_gap", None, 2)
    ends = []
    for case, needed in ((near, 1.0), (far, 2.0)):
        resolution = tabletop.resolve(case)
        told = next(
            one for one in resolution.rulings[0].findings if one.rule == "conquest.failed.halt"
        )
        assert told.measured == pytest.approx(needed, abs=1e-6)
        assert told.limit == needed
        ends.append(resolution.after.units["A"].pose)
    assert tabletop.judge(replace(near, proposal={"A": ends[0]})).outcome == "success"
    assert tabletop.judge(replace(far, proposal={"A": ends[0]})).outcome == "not_allowed"


def test_a_modifier_moves_roll_and_odds() -> None:
    """Of what is counted too: one more to hit is one more in the finding, and a lesser chance."""
    kind, strict = cases("battletech/straight-run", "run_to_hit", None, 3)
    numbers = [tabletop.resolve(case).rulings[0].metrics["tn"] for case in (kind, strict)]
    assert numbers[1] == numbers[0] + 1
    assert (
        tabletop.odds(kind).charges[0].outcomes["success"]
        > tabletop.odds(strict).charges[0].outcomes["success"]
    )
