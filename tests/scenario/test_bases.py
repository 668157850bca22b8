"""Bases as people write them, in files of every game."""

import json
import math
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tabletop import registry
from tabletop.api import odds, resolve
from tabletop.cli import main
from tabletop.errors import ScenarioError
from tabletop.ruling.system import Case
from tabletop.scenario.bases import PATTERN
from tabletop.scenario.cases import scenario_of
from tabletop.scenario.reading import case_from_tables, case_from_text, read_case
from tabletop.scenario.writing import content, to_toml
from tabletop.table.models import OvalBase, RoundBase
from tabletop.table.state import Base

MM = 25.4

USUAL = {
    "32mm": RoundBase(32 / MM),
    "32 mm": RoundBase(32 / MM),
    " 32MM Round ": RoundBase(32 / MM),
    "28.5mm": RoundBase(28.5 / MM),
    "28,5 mm": RoundBase(28.5 / MM),
    "60mm Flying Base": RoundBase(60 / MM),
    "32": RoundBase(32 / MM),
    32: RoundBase(32 / MM),
    28.5: RoundBase(28.5 / MM),
    "75x42mm": OvalBase(75 / MM, 42 / MM),
    "75 x 42mm": OvalBase(75 / MM, 42 / MM),
    "75\u00d742 mm": OvalBase(75 / MM, 42 / MM),
    "90 x 52.5mm Oval": OvalBase(90 / MM, 52.5 / MM),
    "170mm x 109mm oval": OvalBase(170 / MM, 109 / MM),
    "25x50mm rectangle": Base(25 / MM, 50 / MM),
    "25mm Square": Base(25 / MM, 25 / MM),
}
"""Bases of loose models."""

IN_RANKS = {
    "25x50": (25, 50),
    "25 X 50mm": (25, 50),
    "25\u00d750 mm": (25, 50),
    "12,5x20mm Rectangle": (12.5, 20),
    "20mm": (20, 20),
    "20mm square base": (20, 20),
    "50.8mm x 50.8mm": (50.8, 50.8),
    20: (20, 20),
}

HOSTILE = [
    "",
    "0mm",
    0,
    -5,
    "-5mm",
    math.nan,
    math.inf,
    1e300,
    10**5000,
    1e-12,
    "1" * 50,
    "1001mm",
    "1x2x3mm",
    "32mm round oval",
    "nanmm",
]
HOSTILE += [
    "32x20mm round",
    "32mm oval",
    "25x50mm square",
    "Small Flying Base",
    "2in",
    "\u0663\u0662mm",
    "32" + " " * 100 + "mm",
    True,
    [75, 42],
]


def _case(system: str, base: Any) -> Case:
    if system == "wh40k":
        units: dict[str, Any] = {"A": {"side": "blue", "at": [[20, 20]], "base": base}}
    else:
        units = {
            "A": {
                "side": "blue",
                "at": [20, 20],
                "facing_deg": 90,
                "files": 2,
                "models": 4,
                "base": base,
            }
        }
    if system == "conquest":
        units["A"]["stands"] = units["A"].pop("models")
        units["A"]["profile"] = {"march": 5}
    return case_from_tables({"system": system, "board": {"width": 60, "depth": 44}, "units": units})


@pytest.mark.parametrize(("written", "base"), USUAL.items())
def test_bases_of_loose_models(written: Any, base: Any) -> None:
    """One length is a disc and two are an oval, unless a word says otherwise; read again they are the same."""
    case = _case("wh40k", written)
    assert case.state.units["A"].models[0].base == base
    text = to_toml(scenario_of(case))
    assert re.search(r'base = "[0-9.x]+mm (round|oval|rectangle)"', text)
    assert case_from_text(text).state.units["A"].models[0].base == base


@pytest.mark.parametrize("system", ["t9a", "conquest"])
@pytest.mark.parametrize(("written", "sides"), IN_RANKS.items())
def test_bases_in_ranks_and_files(system: str, written: Any, sides: tuple[float, float]) -> None:
    """Two lengths are width and depth, and one is the side of a square."""
    case = _case(system, written)
    width, depth = sides
    assert case.state.units["A"].base == Base(width / MM, depth / MM)
    assert content(scenario_of(case))["units"]["A"]["base"] == f"{width:g}x{depth:g}mm"


@pytest.mark.parametrize("written", ["32mm round", "75x42mm oval"])
def test_ranks_and_files_have_rectangles_only(written: str) -> None:
    """A disc is refused."""
    with pytest.raises(ScenarioError, match=r'units\.A\.base: .*rectangular.*"25x50mm"'):
        _case("t9a", written)


@pytest.mark.parametrize("system", ["t9a", "wh40k"])
@pytest.mark.parametrize(
    "written",
    HOSTILE,
    ids=lambda one: repr(one)[:20] if not isinstance(one, int) or one < 9 else "large",
)
def test_what_is_no_base_is_refused_once(system: str, written: Any) -> None:
    """With file, key, and what was expected."""
    if system == "t9a" and written == "25x50mm square":
        written = "25x50mm square round"
    with pytest.raises(ScenarioError) as told:
        _case(system, written)
    (problem,) = told.value.problems
    assert problem.key == "units.A.base"
    assert '"25x50mm' in problem.message or "finite" in problem.message


def test_an_oval_by_its_usual_name(tmp_path: Path) -> None:
    """The public lists write 75x42mm for an oval, which is farther away than the rectangle about it."""
    file = Path(__file__).parent / "oval-by-its-usual-name.toml"
    case = read_case(file)
    (ruling,) = resolve(case).rulings
    assert ruling.metrics["distance"] == pytest.approx(6.199, abs=5e-4)
    assert (ruling.outcome, ruling.shortest_roll) == ("failed", 6)
    assert odds(case).charges[0].shortest_roll == 6
    shaped = tmp_path / "rectangle.toml"
    shaped.write_text(file.read_text("utf-8").replace("75x42mm", "75x42mm rectangle"), "utf-8")
    assert resolve(read_case(shaped)).rulings[0].outcome == "success"


def test_check_warns_of_what_was_a_rectangle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only where two lengths have no word, and only of loose models."""
    file = Path(__file__).parent / "oval-by-its-usual-name.toml"
    tables = tomllib.loads(file.read_text("utf-8"))
    tables["units"]["S"] = {
        "side": "red",
        "models": [{"at": [40, 40], "base": "90 x 52"}, {"at": [44, 40], "base": 32}],
    }
    tables["expect"] = [{"outcome": "failed"}]
    written = tmp_path / "a.json"
    written.write_text(json.dumps(tables), "utf-8")
    assert main(["check", str(written)]) == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if "rectangle" in line]
    keys = [re.search(r"units\.\w.*?base", line)[0] for line in lines]  # type: ignore[index]
    assert keys == ["units.T.base", "units.S.models[0].base"]
    tables["units"]["T"]["base"] = "75x42mm Oval"
    del tables["units"]["S"]
    written.write_text(json.dumps(tables), "utf-8")
    assert main(["check", str(written)]) == 0
    assert capsys.readouterr().err == ""


def test_the_schema_takes_what_is_read() -> None:
    """Editors accept every way of writing a base."""
    assert all(
        re.search(f"^{PATTERN}$", written)
        for written in (*USUAL, *IN_RANKS)
        if isinstance(written, str)
    )
    assert not any(re.search(f"^{PATTERN}$", written) for written in ("1x2x3mm", "-5mm", "2in", ""))


def test_games_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """How a unit is placed tells its bases: in ranks and files rectangles, loose models round ones."""
    monkeypatch.setitem(registry.BUILT_IN, "warband", "tests.warband:SYSTEM")
    spears = {
        "side": "red",
        "at": [20, 20],
        "facing_deg": 90,
        "files": 2,
        "models": 4,
        "base": "20mm",
    }
    hero = {"side": "blue", "at": [[20, 30]], "base": "40 mm"}
    flyer = {"side": "blue", "at": [[30, 30]], "base": "60mm Round"}
    tables = {
        "system": "warband",
        "board": {"width": 48, "depth": 48},
        "units": {"S": spears, "H": hero, "F": flyer},
    }
    case = case_from_tables(tables)
    assert case.state.units["S"].base == Base(20 / MM, 20 / MM)
    assert [case.state.units[name].models[0].base for name in "HF"] == [
        RoundBase(40 / MM),
        RoundBase(60 / MM),
    ]
    assert case_from_text(to_toml(scenario_of(case))).state == case.state
