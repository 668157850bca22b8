"""The key `accuracy` in files: what it may be, whose it is, and how it is refused and written."""

import json
import math
from typing import Any

import pytest

from tabletop.errors import ScenarioError
from tabletop.registry import BUILT_IN, find
from tabletop.scenario.document import scenario_model
from tabletop.scenario.reading import case_from_tables, case_from_text, read_scenario
from tabletop.scenario.schema import schema_of
from tabletop.scenario.writing import to_toml
from tabletop.settling.bodies import bodies_of
from tabletop.table.accuracy import Accuracy, Measured
from tests.messages import untold

FIVE = {"files": 5, "models": 10, "base": "25x25mm"}


def tables(**more: Any) -> dict[str, Any]:
    """Make the tables of two friends side by side, so many inches too near."""
    return {
        "system": "t9a",
        "board": {"width": 72, "depth": 48},
        "units": {
            "A": {"side": "blue", "at": [30, 30], "facing_deg": 270, **FIVE},
            "B": {"side": "blue", "at": [34.9, 30], "facing_deg": 270, **FIVE},
        },
        **more,
    }


@pytest.mark.parametrize(
    ("told", "read"),
    [
        (0.1, Accuracy(0.1)),
        (1, Accuracy(1)),
        ("1/16", Accuracy(0.0625)),
        ({"at": 0.1}, Accuracy(0.1)),
        ({"at": "1/8", "facing_deg": 2}, Accuracy(0.125, math.radians(2))),
        (2, Accuracy(2)),
    ],
)
def test_accuracies_are_read(told: Any, read: Accuracy) -> None:
    """Inches, fractions of an inch, and tables with a facing, of the whole file and so of claims."""
    found = case_from_tables(tables(accuracy=told)).measured
    assert found == Measured(read, {}, read)


@pytest.mark.parametrize(
    ("told", "remedy"),
    [
        *(
            (told, '0 .. 2 .. "1/16" .. facing_deg')
            for told in (-0.001, 2.001, "1/0", "0.1", "a", True, [0.1], {"at": "1/0"})
        ),
        ({"at": 0.1, "facing_deg": 46}, "45 .. 46"),
        ({"facing_deg": 1}, "missing"),
    ],
)
def test_what_is_no_accuracy_is_refused_by_its_key(told: Any, remedy: str) -> None:
    """One error names the key and what would do."""
    with pytest.raises(ScenarioError) as refused:
        case_from_tables(tables(accuracy=told))
    (problem,) = refused.value.problems
    assert problem.key.partition(".")[0] == "accuracy"
    assert untold(problem.message, remedy) == [], problem.message


def test_own_accuracies_go_before_the_files() -> None:
    """Units, pieces of terrain (also those without a name) and claims may each have their own; 0 is exact."""
    units = {
        name: {**unit, "accuracy": 0.0} if name == "A" else unit
        for name, unit in tables()["units"].items()
    }
    terrain = [{"kind": "open", "circle": {"centre": [10, 10], "radius": 2}, "accuracy": 0.5}]
    proposal = {"accuracy": "1/4", "units": {"B": {"at": [40, 30], "facing_deg": 270}}}
    measured = case_from_tables(
        tables(accuracy=0.2, units=units, terrain=terrain, proposal=proposal)
    ).measured
    assert measured == Measured(
        Accuracy(0.2), {"A": Accuracy(), "open 1": Accuracy(0.5)}, Accuracy(0.25)
    )
    assert measured.of("A").is_exact
    assert not measured.of("B").is_exact


def test_without_any_nothing_is_measured() -> None:
    """A file that says none is read as ever: its overlap is refused."""
    with pytest.raises(ScenarioError, match="overlap"):
        case_from_tables(tables())


def test_a_claim_alone_may_be_measured() -> None:
    """The table stays as it is written, to the bit."""
    units = tables()["units"] | {"B": {**tables()["units"]["B"], "at": [40, 30]}}
    proposal = {"accuracy": 0.1, "units": {"B": {"at": [40, 30], "facing_deg": 270}}}
    case = case_from_tables(tables(units=units, proposal=proposal))
    assert case.measured == Measured(proposal=Accuracy(0.1))
    assert case.settled is not None
    assert case.settled.shifts == ()


def test_a_table_that_cannot_be_settled_is_refused_with_what_would_do() -> None:
    """The error names both, the key, and the accuracy that would do; the line is told as for every other."""
    text = json.dumps(tables(accuracy=0.005), indent=1)
    with pytest.raises(ScenarioError) as refused:
        case_from_text(text, file="here.json")
    assert untold(str(refused.value.problems[0]), "units.A.at: .. 'A' .. 'B' .. 0.011") == [], (
        refused.value
    )
    assert refused.value.problems[0].between == ("A", "B")
    assert refused.value.problems[0].line is not None
    loose = {"side": "blue", "at": [[10, 10], [10.5, 10]], "base": "25.4mm round"}
    with pytest.raises(ScenarioError, match=r"'W\.0' .*'W\.1'.* 0\.25 in "):
        case_from_tables(
            {
                "system": "wh40k",
                "accuracy": 0.1,
                "board": {"width": 40, "depth": 40},
                "units": {"W": loose},
            }
        )
    with pytest.raises(ScenarioError, match=r"units\.A\.at: .*'A' .*board.*\b2 in "):
        case_from_tables(
            tables(accuracy=0.05, units={"A": {**tables()["units"]["A"], "at": [-2.0, 30]}})
        )


def test_an_accuracy_that_would_do_is_found_however_fine_the_one_given() -> None:
    """Up to the two inches that there may be, which is less than a hundred times most and more than that of some."""
    with pytest.raises(ScenarioError, match=r"units\.A\.at: .*'B'.* 0\.01\d* in "):
        case_from_tables(tables(accuracy=1e-5))


def test_what_stands_by_others_has_the_accuracy_of_its_numbers() -> None:
    """The numbers of a relation are measured, too, with the accuracy of the unit that they place; 0 makes them
    exact.
    """
    by_b = {"side": "blue", "beside": {"unit": "B", "side": "left", "gap": 1.0}, **FIVE}
    for own, scale in ((0.2, (0.2, 0.2, 0.0)), (0, (0.0, 0.0, 0.0))):
        case = case_from_tables(
            tables(accuracy=0.1, units={**tables()["units"], "A": {**by_b, "accuracy": own}})
        )
        assert case.measured is not None
        assert bodies_of(case.state, case.measured)[0].scale == scale


def test_what_cannot_be_settled_is_told_by_the_key_that_the_file_has() -> None:
    """A unit that stands by another has no `at`, nor has a model that has a table of its own; floors hold models, they
    do not clash.
    """
    by_b = {"side": "blue", "beside": {"unit": "B", "side": "left"}, **FIVE}
    units = {
        "B": tables()["units"]["B"],
        "A": by_b,
        "C": {**tables()["units"]["B"], "at": [42, 29.5]},
    }
    with pytest.raises(ScenarioError) as refused:
        case_from_tables(tables(accuracy=0.01, units=units))
    assert {problem.key for problem in refused.value.problems} == {"units.A.beside"}
    board = {"system": "wh40k", "accuracy": 0.1, "board": {"width": 40, "depth": 40}}
    models = [
        {"at": [10, 10]},
        {"near": "W.0", "gap": 0, "bearing_deg": 0},
        {"near": "W.0", "gap": 0, "bearing_deg": 10},
    ]
    for rows, key in (
        (models, "units.W.models[1].near"),
        ([{"at": [10, 10]}, {"at": [10.5, 10]}], "units.W.models[0].at"),
    ):
        unit = {"side": "blue", "base": "25mm round", "models": rows}
        with pytest.raises(ScenarioError) as refused:
            case_from_tables({**board, "units": {"W": unit}})
        assert refused.value.problems[0].key == key
    floor = [
        {"kind": "floor", "rectangle": {"centre": [20, 20], "width": 4, "depth": 4}, "height": 3}
    ]
    beyond = {"W": {"side": "blue", "base": "25mm round", "at": [[22.5, 20, 3]]}}
    with pytest.raises(ScenarioError, match=r"'W\.0' .*'floor 1'.* 0\.25 in "):
        case_from_tables({**board, "terrain": floor, "units": beyond})


def test_what_is_settled_is_checked_as_ever() -> None:
    """Settling mends places only: what else is wrong is told, and of what is wrong before nothing is settled."""
    charges = [{"charger": "A", "targets": ["B"]}]
    with pytest.raises(ScenarioError, match=r"charges\[0\]\.targets\[0\]: 'B' .*'A'.*'blue'"):
        case_from_tables(tables(accuracy=0.1, charges=charges))
    with pytest.raises(ScenarioError, match=r"charges\[0\]\.charger: .*'Z'"):
        case_from_tables(tables(accuracy=0.1, charges=[{"charger": "Z", "targets": ["B"]}]))


@pytest.mark.parametrize("system", BUILT_IN)
def test_every_game_knows_the_key(system: str) -> None:
    """The schema of every game has it in the four places, described."""
    schema = schema_of(find(system))
    assert "description" in schema["properties"]["accuracy"]
    holders = [one for one in schema["$defs"].values() if "accuracy" in one.get("properties", {})]
    assert len(holders) >= 3


def test_an_accuracy_of_nothing_changes_nothing() -> None:
    """What lies as it is written has no table to settle, and nothing is open or searched."""
    apart = {**tables()["units"], "A": {**tables()["units"]["A"], "at": [10.0, 30.0]}}
    units = {name: {**unit, "accuracy": 0} for name, unit in apart.items()}
    for changes in ({"accuracy": 0}, {"accuracy": {"at": 0.0, "facing_deg": 0}}, {"units": units}):
        assert case_from_tables(tables(**{"units": apart, **changes})).measured is None


def test_an_accuracy_is_written_as_it_was_given() -> None:
    """Inches alone as a number, with a facing as a table."""
    model = scenario_model(find("t9a"))
    assert "\naccuracy = 0.0625\n" in to_toml(model.model_validate(tables(accuracy="1/16")))
    assert "facing_deg = 2" in to_toml(
        model.model_validate(tables(accuracy={"at": 0.1, "facing_deg": 2}))
    )
    assert read_scenario("t9a/wheel-and-align").accuracy is None


def test_who_stands_by_another_was_not_measured_itself() -> None:
    """Units that stand by others go with them when the table is settled: level, and as far off as the file says."""
    units = tables()["units"]
    del units["B"]["at"], units["B"]["facing_deg"]
    units["B"]["beside"] = {"unit": "A", "side": "left", "gap": 0.25}
    units["C"] = {"side": "blue", "at": [24.9, 30.02], "facing_deg": 270.4, **FIVE}
    case = case_from_tables(tables(accuracy=0.2, units=units))
    assert case.measured is not None
    assert case.measured.carried == {"B": "A"}
    a, b = (case.state.units[name] for name in "AB")
    assert b.pose.at == pytest.approx(a.pose.point(-a.width - 0.25, 0.0), abs=1e-9)
    assert b.pose.heading == a.pose.heading


def test_models_that_touch_two_hold_them_together() -> None:
    """A model that touches two goes with the first, and so does the second."""
    models = [{"at": [20, 20]}, {"at": [21.1, 20]}, {"touching": ["W.0", "W.1"], "side": "left"}]
    unit = {"side": "blue", "base": "25.4mm round", "models": models}
    other = {
        "side": "red",
        "base": "25.4mm round",
        "models": [{"at": [20.55, 21.6]}, {"near": "V.0", "gap": 0.5, "bearing_deg": 90}],
    }
    case = case_from_tables(
        {
            "system": "wh40k",
            "accuracy": 0.2,
            "board": {"width": 40, "depth": 40},
            "units": {"W": unit, "V": other},
        }
    )
    assert case.measured is not None
    assert case.measured.carried == {"W.1": "W.0", "W.2": "W.0", "V.1": "V.0"}
    spots = [model.pose.at for model in case.state.units["W"].models]
    assert [math.dist(spots[2], spot) for spot in spots[:2]] == pytest.approx([1.0, 1.0], abs=1e-9)
