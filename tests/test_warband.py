"""Regiments and single models on one table: a game of tests has both, and everything that games have works with
both.
"""

import json
import pickle
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tabletop
from tabletop.cli import main
from tabletop.errors import NoVerdictError, ScenarioError
from tabletop.registry import BUILT_IN, find
from tabletop.scenario.cases import place_entry, scenario_of
from tabletop.scenario.embedded import link_of
from tabletop.scenario.schema import schema_of
from tabletop.scenario.template import template_of
from tabletop.scenario.writing import content
from tabletop.table.models import Squad
from tabletop.table.state import Regiment
from tabletop.testing import answers, contracts, invariances
from tests.warband import SYSTEM

NAMES = ("hero-charges-regiment", "regiment-charges-skirmishers", "out-of-sight")


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(BUILT_IN, "warband", "tests.warband:SYSTEM")
    yield
    for kept in (answers.answered, answers.chances, invariances.roomy):
        kept.cache_clear()


def table(**more: Any) -> dict[str, Any]:
    """Lay a hero before a regiment."""
    guard = {
        "side": "red",
        "at": [10, 12],
        "facing_deg": 270,
        "files": 4,
        "models": 8,
        "base": "20x20mm",
    }
    units = {"Hero": {"side": "blue", "at": [[10, 4]], "base": "40mm round"}, "Guard": guard}
    return {"system": "warband", "board": {"width": 20, "depth": 20}, "units": units, **more}


@pytest.mark.parametrize("name", NAMES)
def test_contracts_are_kept(name: str) -> None:
    """All of them, by regiments that charge models and models that charge regiments."""
    asked = [
        contract for contract in contracts("warband") if contract.scenario == f"warband/{name}"
    ]
    assert len(asked) > 20
    for contract in asked:
        contract()


def test_units_are_read_and_written_each_in_its_way() -> None:
    """What a unit has of keys says how it stands; the table is written as it was read."""
    tables = table()
    case = tabletop.case(tables)
    assert isinstance(case.state.units["Hero"], Squad)
    assert isinstance(case.state.units["Guard"], Regiment)
    written = content(scenario_of(case))
    assert {
        name: {key: written["units"][name][key] for key in unit}
        for name, unit in tables["units"].items()
    } == tables["units"]
    assert tabletop.case(template_of(find("warband"), schema_of(find("warband")))).state.units


def test_claims_are_read_and_written_each_in_its_way() -> None:
    """A claim says of a front where it stands and looks, of models where each stands, and is written so."""
    claimed: dict[str, dict[str, Any]] = {
        "Hero": {"at": [[10, 11]]},
        "Guard": {"at": [10, 12.5], "facing_deg": 270},
    }
    case = tabletop.case(
        table(charges=[{"charger": "Hero", "targets": ["Guard"]}], proposal={"units": claimed})
    )
    assert case.proposal is not None
    written = {name: place_entry(place, case) for name, place in case.proposal.items()}
    assert {
        name: {key: written[name][key] for key in unit} for name, unit in claimed.items()
    } == claimed


def test_claims_and_expectations_are_of_the_unit_they_name() -> None:
    """A front has one place, loose models a list: whoever mistakes them is told which unit is which."""
    claimed = {"units": {"Hero": {"at": [10, 11], "facing_deg": 90}, "Guard": {"at": [[10, 12]]}}}
    expected = [{"units": {"Guard": {"at": [[1, 1]]}, "Hero": {"at": [1, 1]}}}]
    charge = {"charger": "Hero", "targets": ["Guard"]}
    with pytest.raises(ScenarioError) as refused:
        tabletop.case(table(charges=[charge], proposal=claimed, expect=expected))
    keys = [fault.key for fault in refused.value.problems]
    assert keys == [
        "proposal.units.Hero",
        "proposal.units.Guard",
        "expect[0].units.Guard",
        "expect[0].units.Hero",
    ]
    assert re.search(r"units\.Hero: 'Hero' .*\bat = \[\[", str(refused.value))
    assert re.search(r"units\.Guard: 'Guard' .*\bat = \[\d.*\bfacing_deg\b", str(refused.value))


@pytest.mark.parametrize(("aside", "is_told"), [(0.0, False), (0.1, False), (1.9, True)])
def test_whom_no_claim_names_stands_as_resolved(aside: float, *, is_told: bool) -> None:
    """A claim of the first of two chargers that leaves the second one no room is told of both."""
    tables = table(
        charges=[
            {"charger": name, "targets": ["Guard"], "dice": [3, 3]} for name in ("Hero", "Other")
        ]
    )
    hero = tables["units"]["Hero"]
    tables["units"] |= {"Hero": {**hero, "at": [[8.6, 4]]}, "Other": {**hero, "at": [[12.4, 4]]}}
    tables["units"]["Guard"] |= {"files": 6, "models": 12}
    resolution = tabletop.resolve(case := tabletop.case(tables))
    place = resolution.after.units["Hero"].place
    claim = replace(place, poses=(replace(place.poses[0], x=place.poses[0].x + aside),))
    judgement = tabletop.judge(replace(case, proposal={"Hero": claim}), resolution)
    told = [
        found.rule
        for found in judgement.findings
        if not found.ok and found.text.startswith("Other ")
    ]
    assert told == ["warband.way"] * is_told


@pytest.mark.parametrize(
    ("unit", "changes", "said"),
    [
        ("Guard", {"files": 9}, r"^units\.Guard\.models: .*\bfiles\b.*\b9\b.*\b8\b"),
        ("Guard", {"width": 3}, r"^units\.Guard\.width: .*'files', 'models', 'base'"),
        ("Hero", {"at": [[10, "4"]]}, r"^units\.Hero\.at\[0\]\[1\]: .*'4'"),
        (
            "Hero",
            {"order": [0]},
            r"^units\.Hero\.order: .*'side', 'status', 'accuracy', 'profile', 'at', ",
        ),
        ("Hero", {"side": 3}, r"^units\.Hero\.side: .*\b3\b"),
    ],
)
def test_what_is_wrong_is_told_in_the_words_of_the_kind(
    unit: str, changes: dict[str, Any], said: str
) -> None:
    """A fault of a loose model is not told as one of a regiment, nor the other way round."""
    tables = table()
    tables["units"][unit] |= changes
    with pytest.raises(ScenarioError) as refused:
        tabletop.case(tables)
    assert re.search(said, str(refused.value))


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"statuss": []}, r"^expect\[0\]\.units\.Hero\.statuss: .*did you mean 'status'\?"),
        ({"at": [[10, "4"]]}, r"^expect\[0\]\.units\.Hero\.at\[0\]\[1\]: .*'4'"),
        ({"at": [10, 4], "files": "x"}, r"^expect\[0\]\.units\.Hero\.files: .*'x'"),
    ],
)
def test_what_is_expected_is_of_the_kind_that_its_keys_mean(
    keys: dict[str, Any], said: str
) -> None:
    """Where a unit's kind shows by its keys alone, what is expected of it does so too."""
    with pytest.raises(ScenarioError) as refused:
        tabletop.case({**table(), "expect": [{"units": {"Hero": keys}}]})
    assert re.search(said, str(refused.value))


def test_relations_name_what_stands_so() -> None:
    """A front stands by a front, and a model by a model; each kind is told apart, and stands by its like."""
    tables = table()
    side = {"side": "red", "base": "25mm round"}
    tables["units"] |= {
        "Line": {
            **tables["units"]["Guard"],
            "beside": {"unit": "Guard", "side": "left", "gap": 1.0},
        },
        "Friend": {**side, "models": [{"touching": "Hero.0", "bearing_deg": 0}]},
    }
    for key in ("at", "facing_deg"):
        del tables["units"]["Line"][key]
    state = tabletop.case(tables).state
    assert state.units["Line"].pose.x == pytest.approx(10 + 4 * 20 / 25.4 + 1)
    assert state.units["Friend"].models[0].pose.x == pytest.approx(10 + 32.5 / 25.4)
    tables["units"]["Line"]["beside"]["unit"] = "Hero"
    tables["units"]["Friend"]["models"][0]["touching"] = "Guard.0"
    with pytest.raises(ScenarioError) as refused:
        tabletop.case(tables)
    assert "units.Line.beside.unit: 'Hero' " in str(refused.value)
    assert "units.Friend.models[0].touching: 'Guard' " in str(refused.value)


def test_commands_take_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Odds, a map of a single model's place and a random one of a regiment, a link there and back, a figure."""
    file = tmp_path / "both.json"
    file.write_text(json.dumps(table(charges=[{"charger": "Hero", "targets": ["Guard"]}])), "utf-8")
    assert main(["odds", str(file)]) == 0
    assert (
        main(
            [
                "explore",
                str(file),
                "--vary",
                "units.Hero.at.0.1=4:6:2",
                "--vary",
                "units.Guard=random:2",
                "--workers",
                "1",
            ]
        )
        == 0
    )
    assert "4 cases" in capsys.readouterr().out
    case = tabletop.case(str(file))
    assert tabletop.case(link_of(file.read_text("utf-8"))).state == case.state
    tabletop.draw(case, tmp_path / "both.svg")
    assert all(
        f">{name}<" in (tmp_path / "both.svg").read_text("utf-8") for name in ("Hero", "Guard")
    )


def test_where_nothing_is_found_the_nearest_place_says_why() -> None:
    """The rule that it breaks most, by how much; that there is no place is not claimed."""
    rock = {
        "kind": "rock",
        "name": "Rock",
        "rectangle": {"centre": [10, 8], "width": 14, "depth": 1},
    }
    blocked = table(
        charges=[{"charger": "Hero", "targets": ["Guard"], "dice": [6, 6]}], terrain=[rock]
    )
    with pytest.raises(NoVerdictError, match=r"\bHero\b.*\bwarband\.way\b.* 4\.5\b.*\bproved\b"):
        tabletop.resolve(blocked)


def test_who_may_not_charge_leaves_the_dice_that_are_given() -> None:
    """Faces of an entry that is refused are nobody's mistake; those beyond what is rolled are one."""
    refused = tabletop.resolve(
        table(charges=[{"charger": "Guard", "targets": ["Guard"], "dice": [1, 2]}])
    )
    assert refused.rulings[0].outcome == "not_allowed"
    with pytest.raises(ScenarioError, match=r"dice: .*\[3\]"):
        tabletop.resolve(
            table(charges=[{"charger": "Hero", "targets": ["Guard"], "dice": [1, 2, 3]}])
        )


@pytest.mark.parametrize("ways", [(), ("regiment", "hex"), ("heap",)])
def test_what_cannot_stand_together_is_refused(ways: Any) -> None:
    """Hexes are a board of their own."""
    with pytest.raises(ValueError, match=r"vocabulary\.placement"):
        replace(SYSTEM.vocabulary, placement=ways)


def test_a_schema_of_one_kind_stays_as_it_was() -> None:
    """Only a game of several kinds has models of each."""
    names = schema_of(find("warband"))["$defs"]
    assert {"WarbandRegimentUnit", "WarbandLooseUnit"} <= set(names)
    assert "WarbandUnit" not in names
    assert "T9aUnit" in schema_of(find("t9a"))["$defs"]


@pytest.mark.parametrize(
    ("along", "away", "is_right"),
    [(0.9e-3, 0.0, True), (0.6e-3, 0.6e-3, True), (0.9e-3, 0.6e-3, False)],
)
def test_a_claim_is_forgiven_one_hand(along: float, away: float, *, is_right: bool) -> None:
    """Beside a rock where two models of the guard meet there is one exact place, which a claim may miss by a thousandth
    of an inch.
    """
    radius = 20.0 / 25.4
    rock = {
        "name": "Rock",
        "kind": "rock",
        "polygon": [[10 + radius, 9], [14, 9], [14, 11.9], [10 + radius, 11.9]],
    }
    claimed = {"Hero": {"at": [[10.0 + along, 12.0 - radius - away]]}}
    charge = {"charger": "Hero", "targets": ["Guard"], "dice": [2, 2]}
    case = tabletop.case(table(charges=[charge], terrain=[rock], proposal={"units": claimed}))
    if is_right:
        judged = tabletop.judge(case)
        assert judged.is_right, judged.findings
        assert judged.meant["Hero"].poses[0].at == pytest.approx((10.0, 12.0 - radius), abs=2e-6)
    else:
        with pytest.raises(NoVerdictError, match=r"\b0\.001 in\b.*\bHero\b"):
            tabletop.judge(case)


def test_a_claim_is_held_against_the_place_that_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is searched again only where it was lost, and found to be the same."""
    case, resolution = answers.resolved("warband/hero-charges-regiment")
    claim = replace(case, proposal={"Hero": resolution.after.units["Hero"].place})
    copy = pickle.loads(pickle.dumps(resolution))  # noqa: S301
    searches = list[str]()
    searched = type(SYSTEM).ended

    def counted(*asked: Any, **limits: Any) -> Any:
        searches.append("ended")
        return searched(*asked, **limits)

    monkeypatch.setattr(type(SYSTEM), "ended", counted)
    judgement = tabletop.judge(claim, resolution)
    assert judgement.is_right
    assert searches == []
    assert tabletop.judge(claim, copy) == judgement
    assert searches
