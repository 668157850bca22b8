"""Whatever can be read can be written, and reads back equal."""

import json
import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.ruling.system import Case
from tabletop.scenario import (
    Scenario,
    case_from_text,
    case_of,
    read_scenario,
    scenario_model,
    scenario_of,
    to_json,
    to_toml,
)
from tabletop.scenario.writing import tidy
from tests.drill import SYSTEM

NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z")) | st.sampled_from(". '\"\\"),
    min_size=1,
    max_size=12,
).filter(lambda name: name == name.strip())
NUMBERS = st.floats(-1e4, 1e4, allow_subnormal=False)
SIZES = st.floats(1e-3, 1e4)
PLACES = st.tuples(NUMBERS, NUMBERS).map(list)
TEXTS = st.text(
    st.sampled_from(
        string.printable.replace("\r", "").replace("\x0b", "").replace("\x0c", "") + "äЖ界\"'\\"
    ),
    max_size=30,
)
ANGLES = st.floats(-3600, 3600)
FORMS = st.one_of(
    st.fixed_dictionaries({"circle": st.fixed_dictionaries({"centre": PLACES, "radius": SIZES})}),
    st.fixed_dictionaries(
        {
            "rectangle": st.fixed_dictionaries(
                {"centre": PLACES, "width": SIZES, "depth": SIZES}, optional={"angle_deg": ANGLES}
            )
        }
    ),
    st.just({"polygon": [[0, 0], [4.25, 0], [4, 1e-3]]}),
)


@st.composite
def _units(draw: st.DrawFn) -> dict[str, Any]:
    files = draw(st.integers(1, 20))
    return {
        "side": draw(NAMES),
        "at": draw(PLACES),
        "facing_deg": draw(ANGLES),
        "files": files,
        "models": draw(st.integers(files, 25)),
        "base": draw(st.sampled_from(["25x50mm", "12.5x20mm", "1000x0.125mm"])),
        **draw(
            st.fixed_dictionaries(
                {}, optional={"status": st.lists(st.sampled_from(["tired", "keen"]))}
            )
        ),
        **draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "profile": st.fixed_dictionaries({}, optional={"pace": st.floats(0, 10)})
                },
            )
        ),
    }


@st.composite
def _files(draw: st.DrawFn) -> dict[str, Any]:
    units = draw(st.dictionaries(NAMES, _units(), min_size=1, max_size=3))
    charge = st.fixed_dictionaries(
        {
            "charger": st.sampled_from(sorted(units)),
            "targets": st.lists(st.sampled_from(sorted(units)), min_size=1, max_size=2),
        },
        optional={"dice": st.lists(st.integers(1, 6), max_size=3), "cry": TEXTS},
    )
    piece = st.builds(
        lambda name, kind, form: {"name": name, "kind": kind, **form},
        NAMES,
        st.sampled_from(["wall", "hedge"]),
        FORMS,
    )
    metric = NUMBERS | st.integers(-(2**60), 2**60) | st.booleans() | TEXTS
    expect = st.fixed_dictionaries(
        {},
        optional={
            "metrics": st.dictionaries(NAMES, metric | st.lists(metric)),
            "tolerance": SIZES.filter(lambda x: x < 1),
        },
    )
    optional = {
        "format": st.just(1),
        "edition": st.sampled_from(["1st", "2nd"]),
        "title": TEXTS.filter(str.isprintable),
        "note": TEXTS,
        "rules": st.sampled_from([{}, {"halt": "late"}]),
        "terrain": st.lists(piece, max_size=3),
        "charges": st.lists(charge, max_size=2),
        "expect": st.lists(expect, max_size=2),
        "proposal": st.fixed_dictionaries(
            {
                "units": st.dictionaries(
                    NAMES,
                    st.fixed_dictionaries({"at": PLACES, "facing_deg": ANGLES}),
                    min_size=1,
                    max_size=2,
                )
            }
        ),
    }
    board = {"width": draw(SIZES), "depth": draw(SIZES)}
    return {
        "system": "drill",
        "board": board,
        "units": units,
        **draw(st.fixed_dictionaries({}, optional=optional)),
    }


@settings(max_examples=150)
@given(_files())
def test_a_scenario_written_and_read_again_is_equal(tables: dict[str, Any]) -> None:
    """TOML and JSON of any scenario read back as the same models."""
    import tomllib

    scenario = scenario_model(SYSTEM).model_validate(tables)
    assert scenario_model(SYSTEM).model_validate(tomllib.loads(to_toml(scenario))) == scenario
    assert scenario_model(SYSTEM).model_validate(json.loads(to_json(scenario))) == scenario


@pytest.mark.parametrize("write", [to_toml, to_json])
def test_the_bundled_march_survives_a_file(tmp_path: Path, write: Any) -> None:
    """A bundled scenario written to disk, in either form, reads back equal."""
    original = read_scenario("drill/march")
    file = tmp_path / "march"
    file.write_text(write(original), "utf-8")
    assert read_scenario(file) == original


def _table(case: Case) -> tuple[Any, ...]:
    units = {
        name: (unit.pose.at, round(unit.pose.heading, 9), unit.files, unit.models, unit.status)
        for name, unit in case.state.units.items()
    }
    bases = [
        (round(unit.base.width, 12), round(unit.base.depth, 12), unit.profile)
        for unit in case.state.units.values()
    ]
    pieces = [
        (piece.name, piece.kind, piece.height, piece.shape.radius, tuple(piece.shape.bounds))
        for piece in case.state.terrain
    ]
    return units, bases, pieces, case.choices, case.title, case.note, case.edition


def test_a_table_in_values_can_be_written_as_a_scenario() -> None:
    """`scenario_of` gives the table of a case: the same units, terrain, choices and texts, no charges or
    expectations.
    """
    case = case_of(read_scenario("drill/march"), SYSTEM)
    written: Scenario = scenario_of(case)
    again = case_from_text(to_toml(written))
    assert _table(again) == _table(case)
    assert (again.charges, again.expect, again.proposal) == ((), (), None)


def test_negative_zeros_are_not_written() -> None:
    """Minus nothing is nothing, at any depth."""
    assert (
        json.dumps(tidy({"a": (-0.0, [-0.0, 1.5, True, "x"])}))
        == '{"a": [0.0, [0.0, 1.5, true, "x"]]}'
    )
