"""Exact chances over all dice: the odds table, kept dice, charges that depend on each other, refusals, limits."""

import time
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from systems.t9a import resolve as resolving
from systems.t9a.declare import Declaration, declare
from systems.t9a.scene import Scene
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.registry import scenarios
from tabletop.ruling.odds import Odds
from tabletop.ruling.system import Case
from tabletop.scenario import read_case
from tests.oracles.extreme.holding import by_processor_time
from tests.scenes import box, case, charge, charger, regiment, resolve, table, target

NAMES = tuple(name for name, _ in scenarios("t9a"))
SIXTH = Fraction(1, 6)
TABLE = {0: (36, 30, 24, 18, 12, 6), 1: (36, 35, 32, 27, 20, 11), -1: (36, 25, 16, 9, 4, 1)}
"""Throws of 36 that reach, by sources of maximised (or, below 0, minimised) and for natural faces needed from 1
to 6."""


def odds(question: Case, *, budget: Budget | None = None) -> Odds:
    """Return the odds of a case."""
    return question.system.odds(question, budget=budget or Budget())


def straight(needed: int, *, dice: tuple[int, ...] | None = None, **profile: Any) -> Case:
    """Return A's charge straight ahead at T, over the distance for which this natural face is needed."""
    state = table(target(), charger((50, 25.4 * (3.5 + needed)), **{"charge_speed": 0, **profile}))
    return case(state, charge(dice=dice))


def duels(count: int, *, needed: int) -> Case:
    """Set up so many charges beside each other that have nothing to do with each other, all needing the same face."""
    pairs = [(f"A{number}", f"T{number}", 130.0 * number - 800) for number in range(count)]
    units = [
        regiment(
            name,
            (x, (25.4 * (3.5 + needed)) if name == attacker else 0.0),
            side=side,
            heading=heading,
            files=2,
            charge_speed=0,
        )
        for attacker, defender, x in pairs
        for name, side, heading in ((attacker, "blue", 270.0), (defender, "red", 90.0))
    ]
    return case(table(*units), *(charge(attacker, defender) for attacker, defender, _ in pairs))


def throws(dice: int, *, highest: bool) -> dict[int, Fraction]:
    """Count by hand how often each face counts of so many dice."""
    kept = [max(faces) if highest else min(faces) for faces in product(range(1, 7), repeat=dice)]
    return {face: Fraction(kept.count(face), len(kept)) for face in range(1, 7)}


@pytest.mark.parametrize(
    ("sources", "needed"), [(sources, needed) for sources in TABLE for needed in range(1, 7)]
)
def test_odds_of_the_common_charges(sources: int, needed: int) -> None:
    """t9a.odds: the table of chances to the fraction, plain, maximised (t9a.range.maximised) and minimised."""
    reach = Fraction(TABLE[sources][needed - 1], 36)
    found = odds(straight(needed, maximised=max(sources, 0), minimised=max(-sources, 0)))
    (one,) = found.charges
    assert one.outcomes == {"success": reach, "failed": 1 - reach, "not_allowed": 0}
    assert one.rules == ({"t9a.range": 1 - reach} if reach < 1 else {})
    assert one.shortest_roll == needed
    assert found.joint == {(outcome,): chance for outcome, chance in one.outcomes.items() if chance}


@pytest.mark.parametrize(
    ("profile", "dice", "highest"),
    [
        ({}, 1, True),
        ({"swiftstride": True}, 2, True),
        ({"swiftstride": True, "maximised": 3}, 5, True),
        ({"minimised": 1}, 2, False),
        ({"minimised": 4}, 5, False),
        ({"swiftstride": True, "minimised": 1}, 1, True),
    ],
)
def test_odds_by_total_are_those_of_the_die_that_counts(
    profile: dict[str, Any], dice: int, highest: bool
) -> None:
    """Each natural face has the chance that it is the one kept, and its outcome follows from it alone."""
    (one,) = odds(straight(4, **profile)).charges
    assert {total.total: total.chance for total in one.by_total} == throws(dice, highest=highest)
    assert [total.outcome for total in one.by_total] == ["failed"] * 3 + ["success"] * 3
    assert all(total.outcomes[total.outcome] == total.chance for total in one.by_total)


def test_odds_add_up() -> None:
    """Outcomes, totals and rows of outcomes each add up to one, and the totals to the outcomes."""
    found = odds(read_case("t9a/odds-in-the-way"))
    assert sum(found.joint.values()) == 1
    for one in found.charges:
        assert sum(one.outcomes.values()) == 1
        assert sum(total.chance for total in one.by_total) == 1
        for outcome, chance in one.outcomes.items():
            assert sum(total.outcomes[outcome] for total in one.by_total) == chance


@pytest.mark.parametrize("dice", [None, (1,), (6,), (1, 2, 3)])
def test_odds_set_given_faces_aside(dice: tuple[int, ...] | None) -> None:
    """Whatever faces the file gives, even too many, the chances are over all dice."""
    assert odds(straight(3, dice=dice)).charges[0].outcomes["success"] == Fraction(2, 3)


def test_odds_of_a_certain_charge() -> None:
    """A charge that every roll completes fails by no rule."""
    (one,) = odds(straight(0, swiftstride=True)).charges
    assert one.outcomes == {"success": 1, "failed": 0, "not_allowed": 0}
    assert one.rules == {}
    assert one.shortest_roll == 1


def test_odds_of_a_refused_charge() -> None:
    """A charge that may not be declared is refused for certain, by the rule that refuses it, and rolls nothing."""
    found = odds(case(table(target(), charger((50, 150), status=["shaken"]))))
    (one,) = found.charges
    assert one.outcomes == {"success": 0, "failed": 0, "not_allowed": 1}
    assert one.rules == {"t9a.declare.not-shaken": 1}
    assert one.by_total == ()
    assert one.shortest_roll is None
    assert found.joint == {("not_allowed",): 1}


def test_odds_beside_a_refused_charge() -> None:
    """A refused charge changes nothing in the odds of another."""
    question = duels(2, needed=5)
    shaken = question.state.units["A0"].with_status("shaken")
    found = odds(case(question.state.with_unit(shaken), *question.charges))
    assert found.joint == {
        ("not_allowed", "failed"): Fraction(2, 3),
        ("not_allowed", "success"): Fraction(1, 3),
    }


def test_odds_of_charges_apart_multiply() -> None:
    """Charges that have nothing to do with each other are independent."""
    found = odds(duels(3, needed=3))
    chances = {"success": Fraction(2, 3), "failed": Fraction(1, 3)}
    assert len(found.joint) == 8
    assert all(
        chance == chances[row[0]] * chances[row[1]] * chances[row[2]]
        for row, chance in found.joint.items()
    )


def test_odds_of_a_charge_in_the_way_of_another() -> None:
    """A needs a three, but C bars its way unless C completes too: t9a.move.room takes its share of A's chances."""
    found = odds(read_case("t9a/odds-in-the-way"))
    assert found.joint == {
        ("success", "success"): Fraction(4, 9),
        ("failed", "failed"): Fraction(1, 3),
        ("success", "failed"): Fraction(2, 9),
    }
    barred = found.charges[1]
    assert barred.rules == {"t9a.range": Fraction(1, 3), "t9a.move.room": Fraction(2, 9)}
    assert barred.shortest_roll == 3
    assert barred.by_total[1].outcomes == {"success": 0, "failed": SIXTH, "not_allowed": 0}
    assert barred.by_total[5].outcomes == {
        "success": Fraction(1, 9),
        "failed": Fraction(1, 18),
        "not_allowed": 0,
    }


def test_odds_of_a_charge_that_is_always_barred() -> None:
    """A charge that reaches and never has room has no roll that succeeds."""
    barred = odds(read_case("t9a/room-taken")).charges[1]
    assert barred.outcomes["success"] == 0
    assert barred.shortest_roll is None


def niche() -> Case:
    """Return a combined charge of two flyers at a target in a niche that holds only one of them."""
    walls = (box((-60, -6), (-60, 20), name="west"), box((106, 160), (-60, 20), name="east"))
    chargers = [
        regiment(name, (x, 180), side="blue", heading=270, fly=True, charge_speed=speed)
        for name, x, speed in (("A", 0, 1), ("B", 101, 0))
    ]
    return case(table(target(), *chargers, *walls), charge("A"), charge("B"))


def test_odds_of_a_combined_charge() -> None:
    """Two charge one target and only one fits: when both reach, t9a.combined.room takes from the chances of the
    other.
    """
    found = odds(niche())
    assert found.joint == {
        ("success", "failed"): Fraction(2, 3),
        ("failed", "success"): Fraction(1, 6),
        ("failed", "failed"): Fraction(1, 6),
    }
    assert found.charges[0].rules == {"t9a.range": Fraction(1, 3)}
    assert found.charges[1].rules == {
        "t9a.range": Fraction(1, 2),
        "t9a.combined.room": Fraction(1, 3),
    }


@pytest.mark.parametrize(
    "question", [niche(), read_case("t9a/odds-in-the-way")], ids=["combined", "one by one"]
)
def test_odds_agree_with_every_throw(question: Case) -> None:
    """Resolving all 36 throws of two dice one by one counts to the same chances."""
    rows = [
        tuple(ruling.outcome for ruling in resolve(question, dice=faces).rulings)
        for faces in product(range(1, 7), repeat=2)
    ]
    assert odds(question).joint == {row: Fraction(rows.count(row), 36) for row in rows}


@pytest.mark.parametrize("name", NAMES)
def test_odds_agree_with_the_ruling(name: str) -> None:
    """A single charge's ruling states the chance and the shortest roll that the odds give."""
    question = read_case(name)
    if len(question.charges) == 1:
        (ruling,) = resolve(question).rulings
        (one,) = odds(question).charges
        assert (ruling.chance_success, ruling.shortest_roll) == (
            one.outcomes["success"],
            one.shortest_roll,
        )


def test_odds_of_too_many_charges() -> None:
    """Eleven charges that may go either way are beyond the limit; the first charge beyond it and the count of tables
    are named.
    """
    with pytest.raises(
        NoVerdictError, match=r"charges\[10\] \(A10 .*T10\) .*\b11 .* 2048 .* 1024\b"
    ):
        odds(duels(11, needed=2))


def test_odds_of_many_certain_charges() -> None:
    """Charges that every roll completes do not count against the limit."""
    assert odds(duels(11, needed=1)).joint == {("success",) * 11: 1}


def test_odds_within_a_time() -> None:
    """When the time is used up there is no verdict."""
    with pytest.raises(NoVerdictError, match="time"):
        odds(duels(3, needed=3), budget=Budget(seconds=1e-9))


def hurried(count: int, *, files: int) -> Case:
    """Make chargers side by side, each of whom needs a four, charge one target of some files."""
    width = 50.0
    left = files * 10.0 - width * (count - 1) / 2
    units = [
        regiment(
            f"C{n}", (left + width * n, 180), side="blue", heading=270, files=2, charge_speed=0
        )
        for n in range(count)
    ]
    return case(table(target(files), *units), *(charge(f"C{n}") for n in range(count)))


@pytest.mark.parametrize(
    ("count", "named"),
    [(8, r"charges\[7\] \(C7 .*T\) .*\b8\b"), (20, r"charges\[10\] \(C10 .*T\) .*\b18\b")],
    ids=["8", "20"],
)
def test_odds_of_many_chargers_of_one_target_end_by_themselves(count: int, named: str) -> None:
    """Where their tables are too many, or the search for room takes too much in all, the charge and the number of
    tables are named.
    """
    started = time.process_time()
    with pytest.raises(NoVerdictError, match=named + ".* tables"):
        odds(hurried(count, files=5 * count // 2))
    assert time.process_time() - started < 20.0


@pytest.mark.parametrize("count", [8, 20])
def test_odds_of_many_chargers_of_one_target_keep_their_time(count: int) -> None:
    """A limit in seconds is kept within a second, by the time of the processor."""
    asked = hurried(count, files=5)
    started = time.process_time()
    with by_processor_time(), pytest.raises(NoVerdictError, match=r"charges\[\d+\] \(C\d+ .*T\)"):
        odds(asked, budget=Budget(seconds=1.0))
    assert time.process_time() - started < 2.0


def test_odds_declare_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What may be declared does not hang on the dice: each charge is declared once, not once for every table."""
    declared: list[str] = []

    def noted(scene: Scene, **more: Any) -> Declaration:
        declared.append(scene.charger.name)
        return declare(scene, **more)

    monkeypatch.setattr(resolving, "declare", noted)
    odds(niche())
    assert declared == ["A", "B"]
