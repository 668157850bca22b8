"""The reasons that rulings and judgements give are true: where a move leads, and why a model is not in base contact."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from systems.wh40k.conditions import body_gaps, can_stand, condition_findings
from systems.wh40k.feasibility import problem_of
from systems.wh40k.judge import NONE_IN_REACH, claimed_ends
from systems.wh40k.paths import ANY_HINDRANCE, Paths
from systems.wh40k.scene import scene_of
from systems.wh40k.spared import APART, COHERENCY, ENGAGE, NO_ROOM, NO_WAY, SparedModels
from systems.wh40k.statement import beside
from tabletop.api import judge, resolve
from tabletop.messages import says
from tabletop.placement.candidates import Solver
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Ruling
from tabletop.scenario.reading import case_from_tables, read_case
from tabletop.table.models import Model, crowd
from tabletop.units import CONTACT
from tests.oracles.wh40k.scenes import random_case
from tests.systems.said import numbers
from tests.systems.wh40k.tables import Spots, piece, table, unit, verdict

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
    assert says(
        judgement.broken.text,
        "{charger}'s model {number} ends no closer to any target than it began; it must end closer to one.",
    )


@pytest.mark.parametrize(
    ("end", "where"),
    [
        ((2.7, 2.0), "Closer to a target"),
        ((-1.0, 2.2), "No closer to any target"),
        ((0.0, 2.2), "Stays in place"),
    ],
)
def test_a_move_is_told_to_lead_where_it_leads(end: tuple[float, float], where: str) -> None:
    """wh40k.move.closer: also where another rule decides, where the model goes the other way, and where it stays."""
    judgement = verdict(
        [(5, 0), end], unit([(3, 0), (0, 2.2)]), THREAT, total=3, rules={"closer_scope": "moved"}
    )
    assert told_of(judgement, 0).startswith("Into base contact")
    assert told_of(judgement, 1) == where


def test_a_model_over_the_edge_ends_no_closer() -> None:
    """Model 3 of the bundled claim goes away from the target, over the board's edge; model 2, too far past it, ends
    closer.
    """
    judgement = judge(read_case("wh40k/judged-too-far-and-over-the-edge"))
    assert told_of(judgement, 2) == "No closer to any target"


def spared(case: Case, ruling: Ruling) -> SparedModels:
    """Return the models that a completed charge leaves without base contact."""
    scene = scene_of(
        case.state,
        ruling.charge.charger,
        ruling.charge.targets,
        choices=case.choices,
        book=case.book,
    )
    ends = claimed_ends(
        scene,
        ruling.attempt.move.formation,
        distance=float(ruling.metrics["charge_distance"]),
        hand=0.0,
    )
    inorder = tuple(sorted(ends.models, key=lambda model: model.number))
    return SparedModels(Solver(problem_of(scene)), replace(ends, models=inorder))


def contacts_around(found: SparedModels, row: int) -> Iterator[tuple[Model, float]]:
    """Yield places of a model in contact, evenly spaced about each enemy of its targets, with the length of the way
    there.
    """
    scene = found.ends.scene
    start = found.ends.starts.models[row]
    foes = [foe for target in scene.targets for foe in target.models]
    turns = np.linspace(0.0, math.tau, 360, endpoint=False).tolist()
    places = [start.at(beside(start, foe, turn, 0.0), foe.z) for foe in foes for turn in turns]
    places = [one for one in places if can_stand(scene, one)]
    clear = body_gaps(crowd(places), scene.bodies).min(axis=1, initial=math.inf) >= -CONTACT
    spots = np.array([[*one.pose.at, one.z] for one in places]).reshape(-1, 3)
    lengths = Paths(scene, reach=24.0, hindrances=ANY_HINDRANCE - {"zones"}).lengths(start, spots)
    yield from (
        (one, length)
        for one, length, is_clear in zip(places, lengths.tolist(), clear.tolist(), strict=True)
        if is_clear
    )


RULES_BROKEN = {
    ENGAGE: "wh40k.possible.engage-all",
    APART: "wh40k.possible.avoid-others",
    COHERENCY: "wh40k.possible.coherency",
}


@pytest.mark.parametrize("seed", [1, 5, 6, 8, 10, 15, 16, 18, 23, 28, 29, 41, 42, 54, 56])
def test_what_is_said_to_keep_a_model_from_contact_does(seed: int) -> None:
    """wh40k.move.override: on random tables, all places about the enemies tried one by one bear out what is said of
    each model.
    """
    case = random_case(seed, themes=("plain", "fly"))
    (ruling,) = resolve(case).rulings
    assert ruling.outcome == "success"
    found = spared(case, ruling)
    strict = Paths(found.ends.scene, reach=found.ends.distance)
    for row in np.flatnonzero(~found.ends.touching).tolist():
        tried = list(contacts_around(found, row))
        distance = found.ends.distance
        if (needed := found.needed(row)) is not None:
            shortest = min((length for _, length in tried), default=math.inf)
            assert needed[0] > distance
            assert needed[0] - 1e-6 <= shortest
            assert not needed[1] or shortest <= needed[0] + 0.05
            continue
        what = found.kept_from(row)
        reached = [place for place, length in tried if length <= distance]
        mates = crowd([model for number, model in enumerate(found.ends.models) if number != row])
        free = [
            place
            for place in reached
            if body_gaps(crowd([place]), mates).min(initial=math.inf) >= -CONTACT
        ]
        assert what != NO_WAY or not reached
        assert what != NO_ROOM or not free
        named = {rule for words, rule in RULES_BROKEN.items() if what is not None and words in what}
        for place in free if named else ():
            models = list(found.ends.models)
            models[row] = place
            broken = {
                one.rule
                for one in condition_findings(replace(found.ends, models=tuple(models)))
                if not one.ok
            }
            is_reached = strict.length(found.ends.starts.models[row], place) <= distance
            assert broken & named or (not is_reached and APART in str(what))


def told_of_spared(tables: dict[str, Any]) -> tuple[SparedModels, str]:
    """Resolve a charge; return the models that it leaves without contact, and what is said of them."""
    case = case_from_tables(tables)
    (ruling,) = resolve(case).rulings
    return spared(case, ruling), next(
        one.text for one in ruling.findings if one.rule == "wh40k.move.override"
    )


def test_a_model_out_of_reach_of_contact_needs_more_than_was_rolled() -> None:
    """wh40k.move.override: 4 in are enough for engagement range, contact needs 5."""
    found, text = told_of_spared(table(unit([(0, 0)]), THREAT, total=4))
    needed = found.needed(0)
    assert needed is not None
    assert needed[1]
    assert needed[0] == pytest.approx(5.0)
    assert numbers(text)[1:] == ["4", "1", "5"]


def test_a_detour_is_counted_and_a_dead_end_told() -> None:
    """wh40k.move.override: the way round a wall is too long; no way leads into a pen."""
    wall = piece("impassable", 2.0, -2.0, 2.4, 2.0)
    found, _ = told_of_spared(
        table(unit([(0, 0), (0, 3)]), {"T": unit([(5, 0.5)])}, total=5, terrain=(wall,))
    )
    needed = found.needed(0)
    assert needed is not None
    assert needed[1]
    assert needed[0] > 5.0 > math.hypot(5.0, 0.5) - 1.0


def test_no_room_is_left_round_a_monster() -> None:
    """wh40k.move.override: eight of ten bases are in contact, the last two have no room."""
    ring: Spots = [(x, y) for y in (-4.0, -5.4) for x in (-3.0, -1.6, -0.2, 1.2, 2.6)]
    monster = {"T": unit([(0, 0)], base="60mm round", keywords=["monster"])}
    found, text = told_of_spared(table(unit(ring, base="32mm round"), monster, total=12))
    rest = np.flatnonzero(~found.ends.touching).tolist()
    assert len(rest) == 2
    assert [found.kept_from(row) for row in rest] == [NO_ROOM] * 2
    assert numbers(text)[1:] == [str(row + 1) for row in rest]


@pytest.mark.parametrize(
    ("a", "others", "what"),
    [
        ([(0, 0)], {"T": unit([(5, 1.8)]), "U": unit([(5, -1.8)])}, ENGAGE),
        ([(0, 0)], {"T": unit([(5, 0)]), "N": unit([(4.6, 1.6), (4.6, -1.6)])}, APART),
        ([(0, 0), (0, 2.5), (0, 5.0)], {"T": unit([(5, 0)]), "U": unit([(5, 8.0)])}, COHERENCY),
    ],
)
def test_the_condition_that_contact_would_break_is_named(
    a: Spots, others: dict[str, Any], what: str
) -> None:
    """wh40k.move.override: a target out of range, another enemy unit in range, or the unit torn apart."""
    targets = tuple(name for name in others if name != "N")
    found, text = told_of_spared(table(unit(a), others, total=9, targets=targets))
    kept = [
        found.kept_from(row)
        for row in np.flatnonzero(~found.ends.touching).tolist()
        if found.needed(row) is None
    ]
    assert any(what in one for one in kept)
    assert what in text


def test_a_model_without_a_place_in_contact_is_said_to_have_none() -> None:
    """wh40k.move.contact: model 2 moves first, and its way round a rock is too long; nothing is said of what its
    contact would do.
    """
    rock = piece("impassable", 2.6, 0.9, 7.5, 6.0)
    judgement = verdict(
        [(5, 0), (3.3, 0)], unit([(0, 0), (2, 4)]), THREAT, total=6, terrain=(rock,), order=[1, 0]
    )
    (text,) = [step.text for step in judgement.steps["A"] if step.model == 1]
    assert judgement.outcome == "success"
    assert str(text).endswith(NONE_IN_REACH)
