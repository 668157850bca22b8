"""How units stand to each other: the places that follow, by hand and on turned and mirrored tables, and what is
refused.
"""

import copy
import json
import math
import pickle
import random
from dataclasses import replace
from typing import Any

import pytest

import tabletop
from plots import draw
from tabletop.errors import ScenarioError
from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tabletop.scenario.cases import scenario_of
from tabletop.scenario.reading import case_from_tables, case_from_text, read_scenario
from tabletop.scenario.results import result
from tabletop.scenario.writing import content, to_json, to_toml
from tests.drill.files import REMOVED
from tests.messages import untold

Tables = dict[str, Any]
OTHER = {
    "side": "red",
    "at": [30.0, 20.0],
    "facing_deg": 90,
    "files": 6,
    "models": 11,
    "base": "25.4x50.8mm",
}
UNIT = {"side": "blue", "files": 4, "models": 12, "base": "25.4x25.4mm"}
TWICE = pytest.mark.parametrize(("relation", "at", "facing"), [
    ({"flush_on": {"unit": "B"}}, (30, 20), 270),
    ({"flush_on": {"unit": "B", "facing": "front", "offset": 0.5}}, (30.5, 20), 270),
    ({"flush_on": {"unit": "B", "facing": "rear", "offset": 0.5}}, (29.5, 16), 90),
    ({"flush_on": {"unit": "B", "facing": "left", "offset": 0.5}}, (27, 18.5), 0),
    ({"flush_on": {"unit": "B", "facing": "right", "offset": 0.5}}, (33, 17.5), 180),
    ({"flush_on": {"unit": "B", "facing": "front", "offset": -5.0}}, (25, 20), 270),
    ({"beside": {"unit": "B", "side": "left"}}, (25, 20), 90),
    ({"beside": {"unit": "B", "side": "right", "gap": 0.5, "shift": -1.5}}, (35.5, 18.5), 90),
    ({"ahead_of": {"unit": "B", "gap": 8.0}}, (30, 28), 270),
    ({"ahead_of": {"unit": "B", "gap": 8.0, "shift": 2.0, "facing": "same"}}, (32, 31), 90),
    ({"ahead_of": {"unit": "B", "gap": 0.0, "shift": 2.0, "facing": "towards"}}, (32, 20), 270),
])  # fmt: skip
"""Relations to a block of 6 in by 4 in, and where a block of 4 in by 3 in then stands."""


def fronts(relation: Tables, **other: Any) -> Tables:
    """Make the tables of a file with a unit A that stands by B."""
    units = {"A": {**UNIT, **relation}, "B": {**OTHER, **other}}
    return {"system": "t9a", "board": {"width": 72, "depth": 48}, "units": copy.deepcopy(units)}


def loose(*models: Tables, **changes: Any) -> Tables:
    """Make the tables of a file with models of W, and three discs of an inch that stand somewhere, one of them 2 in
    up.
    """
    units = {
        "W": {"side": "blue", "base": "25.4mm round", "models": list(models)},
        "B": {"side": "red", "base": "25.4mm round", "at": [[20, 20], [21.5, 20], [30, 20, 2]]},
    }
    floor = {
        "kind": "block",
        "rectangle": {"centre": [32, 20], "width": 12, "depth": 6},
        "height": 2.0,
    }
    return copy.deepcopy(
        {
            "system": "wh40k",
            "board": {"width": 44, "depth": 60},
            "units": units,
            "terrain": [floor],
            **changes,
        }
    )


def problems(tables: Tables) -> list[str]:
    """Say what is wrong with a file."""
    with pytest.raises(ScenarioError) as refused:
        case_from_tables(tables)
    return [str(problem) for problem in refused.value.problems]


@TWICE
def test_fronts_by_others(relation: Tables, at: tuple[float, float], facing: float) -> None:
    """Each relation in each of its forms, by hand."""
    pose = case_from_tables(fronts(relation)).state.units["A"].pose
    assert pose.at == pytest.approx(at, abs=1e-12)
    assert math.degrees(pose.heading) % 360 == pytest.approx(facing, abs=1e-9)


@TWICE
def test_turned_and_mirrored_tables_have_turned_and_mirrored_units(
    relation: Tables, at: tuple[float, float], facing: float
) -> None:
    """What stands by another moves with it; in a mirror left is right, and what was positive is negative."""
    plain = case_from_tables(fronts(relation)).state.units["A"].pose
    for degrees in (37.3, 180.0, -90.0, 271.7):
        there = Pose(30.0, 20.0, math.pi / 2).turned_about((36.0, 24.0), math.radians(degrees))
        turned = (
            case_from_tables(fronts(relation, at=list(there.at), facing_deg=90 + degrees))
            .state.units["A"]
            .pose
        )
        expected = plain.turned_about((36.0, 24.0), math.radians(degrees))
        assert turned.at == pytest.approx(expected.at, abs=1e-9)
        assert math.remainder(turned.heading - expected.heading, math.tau) == pytest.approx(
            0.0, abs=1e-11
        )
    ((key, told),) = copy.deepcopy(relation).items()
    swapped = {"left": "right", "right": "left"}
    for name in ("side", "facing"):
        told[name] = swapped.get(told[name], told[name]) if name in told else REMOVED
    signed = ("offset", "shift") if key != "beside" else ()
    mirror = {
        name: -value if name in signed else value
        for name, value in told.items()
        if value is not REMOVED
    }
    pose = case_from_tables(fronts({key: mirror}, at=[42.0, 20.0])).state.units["A"].pose
    assert pose.at == pytest.approx((72.0 - at[0], at[1]), abs=1e-9)
    assert math.degrees(pose.heading) % 360 == pytest.approx((180 - facing) % 360, abs=1e-9)


def test_spaces_between_models_count() -> None:
    """A skirmishing front is as wide as it stands, with the spaces."""
    tables = fronts(
        {"beside": {"unit": "B", "side": "left", "gap": 1.0}, "profile": {"skirmish": True}}
    )
    case = case_from_tables(tables)
    first = case.state.units["A"]
    second = case.state.units["B"]
    assert first.width > 5.0
    assert gap(first.boundary, second.boundary) == pytest.approx(1.0, abs=1e-9)


def charge(system: str) -> Tables:
    """Make a charge in which charger, target and bystander stand by each other, and a claim that refers to them."""
    base = {
        "files": 4,
        "base": "50.8x50.8mm",
        **({"stands": 8} if system == "conquest" else {"models": 8}),
    }
    base["profile"] = {"march": 6} if system == "conquest" else {"charge_speed": 6}
    units = {
        "A": {"side": "blue", **base, "ahead_of": {"unit": "B", "gap": 6.0, "shift": 0.5}},
        "C": {
            "side": "red",
            **base,
            "beside": {"unit": "B", "side": "right", "gap": 2.0, "shift": -1.0},
        },
        "B": {"side": "red", **base, "at": [30.0, 15.0], "facing_deg": 83.7},
    }
    tables = {
        "system": system,
        "title": "By others",
        "board": {"width": 72, "depth": 48},
        "units": units,
    }
    return {**tables, "charges": [{"charger": "A", "targets": ["B"], "dice": [5]}]}


@pytest.mark.parametrize("system", ["t9a", "conquest"])
def test_the_same_comes_of_the_places_written_out(system: str) -> None:
    """A file with relations, and the one with the places that follow, are one table, one ruling and one text, again and
    again.
    """
    case = case_from_tables(charge(system))
    written = scenario_of(case)
    assert "beside" not in to_toml(written)
    tables = {**json.loads(to_json(written)), "charges": charge(system)["charges"]}
    plain = case_from_tables(tables)
    assert plain.state == case.state
    assert result(plain, tabletop.resolve(plain)) == result(case, tabletop.resolve(case))
    for write in (to_toml, to_json):
        assert content(scenario_of(case_from_text(write(written)))) == content(written)


@pytest.mark.parametrize("system", ["t9a", "conquest"])
def test_a_claim_that_refers_to_where_the_charges_leave_a_unit(system: str, tmp_path: Any) -> None:
    """The end that is resolved, told by its offset, is right; any other is not; the figure shows what was claimed."""
    tables = charge(system)
    tables["proposal"] = {"units": {"A": {"flush_on": {"unit": "B", "offset": 0.0}}}}
    case = case_from_tables(tables)
    resolution = tabletop.resolve(case)
    assert resolution.rulings[0].outcome == "success"
    end = resolution.after.units["A"].pose
    target = resolution.after.units["B"]
    offset = target.pose.local(end.at)[0]
    tables["proposal"]["units"]["A"]["flush_on"]["offset"] = offset
    case = pickle.loads(pickle.dumps(case_from_tables(tables)))  # noqa: S301 - our own
    claimed = (case.claimed(resolution) or {})["A"]
    assert claimed.at == pytest.approx(end.at, abs=1e-9)
    judgement = tabletop.judge(case)
    assert judgement.outcome == "success"
    draw(case, resolution, tmp_path / "claim.svg", judgement=judgement)
    assert "proposed" in (tmp_path / "claim.svg").read_text("utf-8")
    tables["proposal"]["units"]["A"]["flush_on"]["offset"] = offset + 3.0
    assert tabletop.judge(case_from_tables(tables)).outcome == "not_allowed"
    assert tabletop.judge(replace(case, proposal={"A": end})).outcome == "success"
    assert replace(case, proposal=None).claimed(resolution) is None


def test_a_claim_that_refers_to_another() -> None:
    """The place that the proposal has for a unit comes before the one where the charges leave it."""
    tables = charge("t9a")
    there = {"at": [50.0, 30.0], "facing_deg": 90}
    tables["proposal"] = {
        "units": {
            "A": {"beside": {"unit": "B", "side": "left"}},
            "B": there,
            "C": {"ahead_of": {"unit": "A", "gap": 1.0}},
        }
    }
    case = case_from_tables(tables)
    assert case.proposal == {}
    claimed = case.claimed(tabletop.resolve(case)) or {}
    assert claimed["B"].at == (50.0, 30.0)
    assert claimed["A"].at == pytest.approx((42.0, 30.0), abs=1e-9)
    assert claimed["C"].at == pytest.approx((42.0, 31.0), abs=1e-9)


def test_what_was_claimed_is_written_with_its_relation(tmp_path: Any) -> None:
    """A file read as it is written has places for its units; claims are left, for they hang on the charges."""
    tables = charge("t9a")
    tables["proposal"] = {"units": {"A": {"flush_on": {"unit": "B", "offset": 1.0}}}}
    file = tmp_path / "charge.json"
    file.write_text(json.dumps(tables), "utf-8")
    text = to_toml(read_scenario(file))
    assert 'flush_on = {unit = "B", offset = 1.0}' in text
    assert "beside" not in text
    again = case_from_text(text)
    assert tabletop.judge(again) == tabletop.judge(file)


def models(tables: Tables, unit: str = "W") -> Any:
    """Read the models of a unit, whatever else the game would say of the table."""
    return case_from_tables(tables).state.units[unit].models


def test_models_by_others() -> None:
    """Each relation of loose models, by hand; who stands by a model on a floor stands on it."""
    found = models(
        loose(
            {"touching": "B.0", "bearing_deg": 210},
            {"touching": ["B.0", "B.1"], "side": "left"},
            {"near": "W.0", "gap": 0.5, "bearing_deg": 270},
            {"touching": "B.2", "bearing_deg": 0, "base": "50.8mm round", "name": "Sergeant"},
            {"touching": "B.2", "bearing_deg": 90, "facing_deg": 30, "z": 2},
        )
    )
    root = math.sqrt(3) / 2
    places = [
        (20 - root, 19.5),
        (20.75, 20 + math.sqrt(1 - 0.75**2)),
        (20 - root, 18.0),
        (31.5, 20.0),
        (30.0, 21.0),
    ]
    for model, place in zip(found, places, strict=True):
        assert model.pose.at == pytest.approx(place, abs=1e-9)
    assert [model.z for model in found] == [0, 0, 0, 2, 2]
    assert found[3].name == "Sergeant"
    assert math.degrees(found[4].pose.heading) == pytest.approx(30)


def test_a_height_of_its_own() -> None:
    """Below a model on a floor another may stand by it on the table."""
    tables = loose({"touching": "B.2", "bearing_deg": 0, "z": 0}, {"at": [10, 10]}, terrain=[])
    tables["units"]["B"]["at"] = [[20, 20]]
    tables["units"]["B"]["models"] = [{"at": spot} for spot in tables["units"]["B"].pop("at")]
    tables["units"]["W"]["models"][0]["touching"] = "B.0"
    assert [model.z for model in models(tables)] == [0, 0]
    text = to_toml(scenario_of(case_from_tables(tables)))
    assert "touching" not in text


def test_squads_written_out_are_the_same() -> None:
    """Ovals, hulls and rectangles that touch in chains: one table with the places written out, and contact to 1e-9
    in.
    """
    rng = random.Random(3)  # noqa: S311 - sampling, not secrets
    bases = ["75x42mm oval", "25x50mm rectangle", "40mm round", "60x35mm oval"]
    rows = [
        {
            "touching": f"W.{number}",
            "bearing_deg": 15 * number,
            "base": rng.choice(bases),
            "facing_deg": rng.randrange(360),
        }
        for number in range(7)
    ]
    rows.insert(0, {"at": [30.0, 30.0], "base": "105x70mm oval", "facing_deg": 20})
    tables = loose(*rows, terrain=[])
    tables["units"]["B"]["at"] = [[5, 5]]
    del tables["units"]["W"]["base"]
    case = case_from_tables(tables)
    found = case.state.units["W"].models
    for one, other in zip(found[1:], found, strict=False):
        assert gap(one.footprint, other.footprint) == pytest.approx(0.0, abs=1e-9)
    assert case_from_tables(json.loads(to_json(scenario_of(case)))).state == case.state


def squad_charge(**declared: Any) -> Tables:
    """Make a charge of three models at three others, with what is declared of it."""
    tables = loose(
        {"at": [20, 14]},
        {"near": "W.0", "gap": 0.5, "bearing_deg": 180},
        {"near": "W.0", "gap": 0.5, "bearing_deg": 0},
        terrain=[],
    )
    tables["units"]["B"]["at"] = [[20, 20], [21.5, 20], [23, 20]]
    return {**tables, "charges": [{"charger": "W", "targets": ["B"], "dice": [6, 5], **declared}]}


def test_claims_of_loose_models() -> None:
    """Models are claimed to touch those they charge, and each other; what is written as places is judged alike."""
    tables = squad_charge()
    rows = [
        {"touching": "B.1", "bearing_deg": 270},
        {"touching": "B.0", "bearing_deg": 270},
        {"at": [23, 19], "facing_deg": 10},
    ]
    tables["proposal"] = {"units": {"W": {"models": rows, "order": [2, 0, 1]}}}
    case = case_from_tables(tables)
    judgement = tabletop.judge(case)
    places = (case.claimed(tabletop.resolve(case)) or {})["W"]
    assert [pose.at for pose in places.poses] == [
        pytest.approx(place, abs=1e-9) for place in ((21.5, 19), (20, 19), (23, 19))
    ]
    assert places.order == (2, 0, 1)
    assert [round(math.degrees(pose.heading)) for pose in places.poses] == [0, 0, 10]
    tables["proposal"] = {
        "units": {
            "W": {
                "at": [list(pose.at) for pose in places.poses],
                "order": [2, 0, 1],
                "facing_deg": [0, 0, 10],
            }
        }
    }
    assert tabletop.judge(case_from_tables(tables)) == judgement


def test_claims_by_models_that_are_claimed_as_places() -> None:
    """Beside a unit whose models stand by others another may be claimed in a row of places, and be referred to."""
    tables = squad_charge()
    rows = [{"touching": f"B.{number}", "bearing_deg": 270} for number in range(3)]
    tables["proposal"] = {
        "units": {"W": {"models": rows}, "B": {"at": [[20, 30], [21.5, 30], [23, 30]]}}
    }
    case = case_from_tables(tables)
    places = case.claimed(tabletop.resolve(case)) or {}
    assert [pose.at for pose in places["B"].poses] == [(20, 30), (21.5, 30), (23, 30)]
    assert places["W"].poses[2].at == pytest.approx((23, 29), abs=1e-9)


def test_claims_after_losses() -> None:
    """Models keep their numbers: if W.0 is lost, W.1 and W.2 are claimed; who is lost before or after the move is no
    longer there.
    """
    rows = [{"touching": "B.0", "bearing_deg": 270}, {"touching": "W.1", "bearing_deg": 0}]
    tables = squad_charge(overwatch={"before": [0]})
    tables["proposal"] = {"units": {"W": {"models": rows}}}
    case = case_from_tables(tables)
    resolution = tabletop.resolve(case)
    assert sorted(model.number for model in resolution.after.units["W"].models) == [1, 2]
    places = (case.claimed(resolution) or {})["W"]
    assert [pose.at for pose in places.poses] == [
        pytest.approx(place, abs=1e-9) for place in ((20, 19), (21, 19))
    ]
    assert tabletop.judge(case, resolution).outcome in ("success", "not_allowed")
    rows[1]["touching"] = "W.0"
    assert (
        untold(claim(tables, W={"models": rows}), "proposal.units.W.models[1].touching: .. 'W.0'")
        == []
    )
    tables["charges"][0]["overwatch"] = {"after": [0]}
    assert untold(claim(tables, W={"models": rows}), "proposal.units.W.models: .. 3 .. 2") == []
    rows.insert(0, {"at": [20.0, 18.0]})
    tables["proposal"] = {"units": {"W": {"models": rows}}}
    places = (case_from_tables(tables).claimed(tabletop.resolve(case_from_tables(tables))) or {})[
        "W"
    ]
    assert [pose.at for pose in places.poses] == [
        pytest.approx(place, abs=1e-9) for place in ((20, 18), (20, 19), (21, 18))
    ]


def claim(tables: Tables, **units: Any) -> str:
    """Say what is wrong with a claim."""
    case = case_from_tables({**tables, "proposal": {"units": units}})
    with pytest.raises(ScenarioError) as refused:
        tabletop.judge(case)
    return str(refused.value)


def test_claims_that_lead_nowhere() -> None:
    """Circles, misses and counts are told when the claim is judged, with the keys."""
    tables = charge("t9a")
    circle = claim(
        tables, A={"beside": {"unit": "C", "side": "left"}}, C={"ahead_of": {"unit": "A", "gap": 1}}
    )
    assert (
        untold(circle, "proposal.units.A.beside: .. circle .. 'A' .. 'C' .. 'C' .. 'A' .. at") == []
    )
    missed = claim(tables, A={"flush_on": {"unit": "B", "facing": "left", "offset": 6.5}})
    assert untold(missed, "proposal.units.A.flush_on.offset: .. left .. 'B' .. 6 .. 6.5") == []
    few = claim(squad_charge(), W={"models": [{"touching": "B.0", "bearing_deg": 0}]})
    assert untold(few, "proposal.units.W.models: .. 3 .. 1") == []
    some = claim(
        squad_charge(),
        W={"models": [{"touching": "B.0", "bearing_deg": 0}] * 3},
        B={"at": [[1, 1]]},
    )
    assert untold(some, "proposal.units.B.at: .. 3 .. 1") == []


def test_a_claim_by_whom_the_charges_remove() -> None:
    """Who is gone when the charges are over cannot be stood by."""
    tables = squad_charge()
    tables["proposal"] = {"units": {"W": {"models": [{"touching": "B.0", "bearing_deg": 180}] * 3}}}
    case = case_from_tables(tables)
    resolution = tabletop.resolve(case)
    nobody = replace(resolution, after=resolution.after.without_unit("B"))
    with pytest.raises(ScenarioError, match=r"W\.models\[0\]\.touching: 'B\.0' "):
        case.claimed(nobody)
    tables["proposal"] = {"units": {"B": {"models": [{"touching": "W.0", "bearing_deg": 180}]}}}
    with pytest.raises(ScenarioError, match=r"units\.B\.models: .*\b0\b.*\b1\b"):
        case_from_tables(tables).claimed(nobody)


PLACE = {"at": [1, 1], "facing_deg": 0}
REFUSED_FRONTS = [
    ({}, "units.A.at: .. missing .. [20, 10.5]"),
    (
        {"at": [1, 1], "beside": {"unit": "B", "side": "left"}},
        "units.A.at: .. beside .. [1, 1]",
    ),
    (
        {"facing_deg": 9, "beside": {"unit": "B", "side": "left"}},
        "units.A.facing_deg: .. beside .. 9",
    ),
    (
        {"flush_on": {"unit": "B"}, "ahead_of": {"unit": "B", "gap": 1}},
        "units.A.ahead_of: .. flush_on",
    ),
    (
        {"flush_on": {"unit": "B"}, "beside": {"unit": "B", "side": "left"}},
        "units.A.beside: .. flush_on",
    ),
    ({"flush_on": {"unit": "Bee"}}, "units.A.flush_on.unit: .. 'Bee' .. 'A' .. 'B'"),
    ({"flush_on": {"unit": "A"}}, "units.A.flush_on.unit: .. 'A' .. itself"),
    (
        {"flush_on": {"unit": "B", "facing": "side"}},
        "units.A.flush_on.facing: .. 'front' .. 'left' .. 'right' .. 'rear' .. 'side'",
    ),
    ({"flush_on": {"facing": "rear"}}, "units.A.flush_on.unit: .. missing"),
    ({"flush_on": "B"}, "units.A.flush_on: .. unit .. 'B'"),
    ({"flush_on": {"unit": "B", "ofset": 1}}, "units.A.flush_on.ofset: .. 'offset' .. 'offset'"),
    ({"flush_on": {"unit": "B", "offset": "1/16"}}, "units.A.flush_on.offset: .. number .. '1/16'"),
    ({"flush_on": {"unit": "B", "offset": 5.01}}, "units.A.flush_on.offset: .. 'B' .. 5 .. 5.01"),
    ({"beside": {"unit": "B"}}, "units.A.beside.side: .. missing .. 'left' .. 'right'"),
    ({"beside": {"unit": "B", "side": "left", "gap": -1}}, "units.A.beside.gap: .. 0 .. -1"),
    (
        {"beside": {"unit": "B", "side": "left", "gap": 1e5}},
        "units.A.beside.gap: .. 10000 .. 100000.0",
    ),
    ({"ahead_of": {"unit": "B"}}, "units.A.ahead_of.gap: .. missing"),
    ({"ahead_of": {"unit": "B", "gap": 60}}, "units.A.ahead_of: .. 72 .. 48 .. 35"),
    (
        {"beside": {"unit": "B", "side": "left"}, "touching": "B.0"},
        "units.A.touching: .. 'flush_on' .. 'beside' .. 'ahead_of'",
    ),
]


@pytest.mark.parametrize(("relation", "message"), REFUSED_FRONTS)
def test_fronts_that_stand_nowhere(relation: Tables, message: str) -> None:
    """Key, what is wrong and what to do."""
    told = problems(fronts(relation))[0]
    assert untold(told, message) == [], told


REFUSED_MODELS = [
    ({}, "units.W.models[0].at: .. missing .. [20, 10.5]"),
    ({"touching": "B.0"}, "units.W.models[0].bearing_deg: .. missing"),
    ({"touching": ["B.0", "B.1"]}, "units.W.models[0].side: .. missing .. 'left' .. 'right'"),
    ({"near": "B.0", "bearing_deg": 3}, "units.W.models[0].gap: .. missing"),
    ({"near": "B.0", "gap": 3}, "units.W.models[0].bearing_deg: .. missing"),
    ({"near": "B.0", "gap": -3, "bearing_deg": 3}, "units.W.models[0].gap: .. 0 .. -3"),
    (
        {"touching": "B.0", "bearing_deg": 3, "at": [1, 1]},
        "units.W.models[0].at: .. touching .. [1, 1]",
    ),
    (
        {"touching": "B.0", "bearing_deg": 3, "near": "B.1"},
        "units.W.models[0].near: .. touching .. 'B.1'",
    ),
    (
        {"touching": ["B.0", "B.1"], "side": "left", "at": [1, 1]},
        "units.W.models[0].at: .. touching .. [1, 1]",
    ),
    (
        {"touching": "B.0", "bearing_deg": 3, "side": "left"},
        "units.W.models[0].side: .. touching .. 'left'",
    ),
    (
        {"touching": ["B.0", "B.1"], "side": "left", "bearing_deg": 3},
        "units.W.models[0].bearing_deg: .. touching .. near .. 3",
    ),
    ({"touching": "B.0", "bearing_deg": 3, "gap": 3}, "units.W.models[0].gap: .. near .. 3"),
    ({"at": [1, 1], "bearing_deg": 3}, "units.W.models[0].bearing_deg: .. touching .. near .. 3"),
    ({"at": [1, 1], "z": 3}, "units.W.models[0].z: .. touching .. near .. at .. 3"),
    ({"touching": 3}, 'units.W.models[0].touching: .. "B.0" .. ["B.0", "B.1"] .. 3'),
    ({"touching": ["B.0"]}, "units.W.models[0].touching[1]: .. missing"),
    (
        {"touching": ["B.0", "B.1", "B.2"]},
        "units.W.models[0].touching: .. \"B.0\" .. ['B.0', 'B.1', 'B.2']",
    ),
    ({"near": 3}, "units.W.models[0].near: .. 3"),
    ({"near": "B", "gap": 1, "bearing_deg": 0}, "units.W.models[0].near: .. 'B.0' .. 'B'"),
    ({"near": "C", "gap": 1, "bearing_deg": 0}, "units.W.models[0].near: .. 'W.0' .. 'C'"),
    ({"near": "B.00", "gap": 1, "bearing_deg": 0}, "units.W.models[0].near: .. 'W.0' .. 'B.00'"),
    (
        {"near": "B." + "9" * 5000, "gap": 1, "bearing_deg": 0},
        "units.W.models[0].near: .. 'W.0' .. 'B.",
    ),
    ({"near": "B.-1", "gap": 1, "bearing_deg": 0}, "units.W.models[0].near: .. 'W.0' .. 'B.-1'"),
    ({"near": "C.0", "gap": 1, "bearing_deg": 0}, "units.W.models[0].near: .. 'C' .. 'W' .. 'B'"),
    (
        {"near": "B.3", "gap": 1, "bearing_deg": 0},
        "units.W.models[0].near: .. 'B.3' .. 'B' .. 3 .. 0 .. 2",
    ),
    (
        {"touching": ["B.0", "C.7"], "side": "left"},
        "units.W.models[0].touching[1]: .. 'C' .. 'W' .. 'B'",
    ),
    ({"touching": "W.0", "bearing_deg": 0}, "units.W.models[0].touching: .. 'W.0' .. itself"),
    (
        {"touching": ["B.0", "W.0"], "side": "left"},
        "units.W.models[0].touching[1]: .. 'W.0' .. itself",
    ),
    (
        {"touching": ["B.0", "B.0"], "side": "left"},
        "units.W.models[0].touching[1]: .. 'B.0' .. bearing_deg",
    ),
    (
        {"touching": ["B.0", "B.2"], "side": "left"},
        "units.W.models[0].z: .. missing .. 'B.0' .. 'B.2'",
    ),
    (
        {"touching": ["B.0", "B.2"], "side": "left", "z": 0},
        "units.W.models[0].touching: .. 'B.0' .. 'B.2' .. 9 .. bearing_deg",
    ),
    ({"touching": "B.0", "bearing_deg": 0}, "units.W.models[0].touching: .. 'B'[1] .. 0.5"),
    ({"near": "B.0", "gap": 25, "bearing_deg": 180}, "units.W.models[0].near: .. 44 .. 60 .. 6.5"),
]


@pytest.mark.parametrize(("model", "message"), REFUSED_MODELS)
def test_models_that_stand_nowhere(model: Tables, message: str) -> None:
    """Key, what is wrong and what to do."""
    told = problems(loose(model))[0]
    assert untold(told, message) == [], told


def test_places_that_models_cannot_have() -> None:
    """Two others in one place have no line between them; a hull off its position is passed by; a comb is too rough."""
    tables = loose({"touching": ["B.0", "B.1"], "side": "left"}, terrain=[])
    tables["units"]["B"]["at"] = [[20, 20], [20, 20]]
    assert (
        untold(problems(tables)[0], "units.W.models[0].touching: .. 'B.0' .. 'B.1' .. same") == []
    )
    tables = loose({"touching": "B.0", "bearing_deg": 180}, terrain=[])
    tables["units"]["B"] = {"side": "red", "hull": [[5, 0], [6, 0], [6, 1]], "at": [[20, 20]]}
    (told,) = problems(tables)
    assert untold(told, "units.W.models[0].bearing_deg: .. 180 .. 'B.0'") == []
    comb = [[x / 10, 1 + x % 2] for x in range(300)]
    tables["units"]["B"]["hull"] = [*comb, [29.9, 0], [0, 0]]
    tables["units"]["W"]["hull"] = tables["units"]["B"]["hull"]
    del tables["units"]["W"]["base"]
    assert untold(problems(tables)[0], "units.W.models[0].touching: .. corners") == []


def test_all_that_is_wrong_is_told_at_once() -> None:
    """Each relation that leads nowhere, beside what else is wrong; what only hangs on such is not."""
    tables = charge("t9a")
    tables["units"]["A"] = {**UNIT, "flush_on": {"unit": "C", "offset": 99}}
    tables["units"]["C"] = {**UNIT, "flush_on": {"unit": "B", "offset": 99}}
    tables["units"]["D"] = {**UNIT, "flush_on": {"unit": "B", "offset": -99}}
    tables["charges"][0]["targets"] = ["Z"]
    told = problems(tables)
    assert [line.partition(":")[0] for line in told] == [
        "charges[0].targets[0]",
        "units.C.flush_on.offset",
        "units.D.flush_on.offset",
    ]


def test_circles_and_chains_of_any_length() -> None:
    """Hundreds of units may stand in a row, each by the one before; in a circle none can."""
    units: Tables = {
        "U0": {
            **UNIT,
            "files": 1,
            "models": 1,
            "base": "2x2mm",
            "side": "blue",
            "at": [70, 20],
            "facing_deg": 90,
        }
    }
    for number in range(1, 500):
        units[f"U{number}"] = {
            **units["U0"],
            "beside": {"unit": f"U{number - 1}", "side": "left", "gap": 0.01},
        }
        del units[f"U{number}"]["at"], units[f"U{number}"]["facing_deg"]
    tables = {
        "system": "t9a",
        "board": {"width": 72, "depth": 48},
        "units": dict(reversed(units.items())),
    }
    case: Case = case_from_tables(tables)
    assert case.state.units["U499"].pose.x == pytest.approx(70 - 499 * (2 / 25.4 + 0.01), abs=1e-9)
    units["U0"] = {**units["U1"], "beside": {"unit": "U499", "side": "left"}}
    (told,) = problems({**tables, "units": units})
    assert (
        untold(
            told, "units.U0.beside: .. circle .. 'U0' .. 'U499' .. 'U499' .. 'U498' .. ... .. at"
        )
        == []
    )


def test_names_in_claims_are_asked_when_the_file_is_read() -> None:
    """A slip in a claim does not wait for somebody to judge it."""
    tables = charge("t9a")
    tables["proposal"] = {"units": {"A": {"flush_on": {"unit": "Bee"}}}}
    (told,) = problems(tables)
    assert untold(told, "proposal.units.A.flush_on.unit: .. 'Bee' .. 'A' .. 'C' .. 'B'") == []
    tables = squad_charge()
    tables["proposal"] = {
        "units": {"W": {"models": [{"at": [1, 1]}, {"touching": "B.9", "bearing_deg": 0}]}}
    }
    assert untold(problems(tables)[0], "proposal.units.W.models[1].touching: .. 'B.9'") == []
    for claimed, message in (
        ({}, "proposal.units.W: .. at .. models"),
        (
            {"models": [{"at": [1, 1]}], "facing_deg": 3},
            "proposal.units.W: .. facing_deg .. models",
        ),
        (
            {"models": [{"at": [1, 1], "base": "32mm round"}]},
            "proposal.units.W.models[0].base: .. 'at'",
        ),
    ):
        tables["proposal"] = {"units": {"W": claimed}}
        assert untold(problems(tables)[0], message) == [], problems(tables)


def test_hexes_know_no_relations() -> None:
    """On hexes a unit stands in one."""
    unit = {
        "side": "red",
        "beside": {"unit": "A", "side": "left"},
        "hex": "0101",
        "facing": "N",
        "profile": {"type": "mech", "tons": 50},
    }
    tables = {"system": "battletech", "board": {"columns": 15, "rows": 17}, "units": {"A": unit}}
    assert problems(tables)[0].startswith("units.A.beside: ")
