"""Random places and numbers: what is drawn, which tables are kept, and that a seed says all of it."""

import csv
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop.budget import Budget
from tabletop.cli import main
from tabletop.errors import NoVerdictError, ScenarioError, UsageError
from tabletop.exploring import sampling
from tabletop.exploring.explore import Sweep, explore, run_sweep, sweep_of
from tabletop.exploring.running import Execution
from tabletop.exploring.sampling import region_of, sampled_axis
from tabletop.exploring.store import ResultStore
from tests.drill.files import march, march_json

HEXES: dict[str, Any] = {
    "board": {"columns": 4, "rows": 3},
    "units": {"A": {"hex": "0101", "facing": "N"}},
}


def drawn(
    vary: Sequence[str], tables: Any = None, *, seed: int = 0, region: Any = None
) -> list[tuple[Any, ...]]:
    """Return the values of all tables, in order."""
    axis = sampled_axis(vary, march() if tables is None else tables, seed=seed, region=region)
    assert axis is not None
    return list(axis.values)


def test_places_lie_all_over_the_board() -> None:
    """Places fill the board evenly, the same for the same seed, whatever else is drawn, and others for another."""
    board = march()["board"]
    places = np.array(drawn(["units.A=random:2000"]))
    assert (places >= 0.0).all()
    assert (places <= [board["width"], board["depth"]]).all()
    assert places.mean(axis=0) == pytest.approx([board["width"] / 2, board["depth"] / 2], rel=0.05)
    assert places.tolist() == [list(row) for row in drawn(["units.A = random : 2_000"])]
    both = np.array(drawn(["units.B=random:2000", "units.A=random:2000"]))
    assert both[:, 2:].tolist() == places.tolist()
    assert len({*places.ravel().tolist(), *both[:, 0].tolist()}) == 3 * 2000
    assert places[0].tolist() != list(drawn(["units.A=random:2000"], seed=1)[0])


def test_places_of_a_region() -> None:
    """They lie in that part of the region that is on the board; a point is one, too."""
    places = np.array(drawn(["units.A=random:200"], region=(-5, 3, 10, 4)))
    assert places.min(axis=0) == pytest.approx([0.0, 3.0], abs=0.2)
    assert places.max(axis=0) == pytest.approx([10.0, 4.0], abs=0.2)
    assert drawn(["units.A=random:2"], region=(3, 4, 3, 4)) == [(3.0, 4.0), (3.0, 4.0)]


def test_places_of_hexes() -> None:
    """All hexes of the board, or of columns and rows of it, both ends among them."""
    assert {place for (place,) in drawn(["units.A=random:300"], HEXES)} == {
        f"0{column}0{row}" for column in "1234" for row in "123"
    }
    assert {place for (place,) in drawn(["units.A=random:100"], HEXES, region=(2, 1.5, 3, 99))} == {
        "0202",
        "0203",
        "0302",
        "0303",
    }


def test_numbers() -> None:
    """Numbers lie between their ends; where a key takes whole ones, as its model or the book says, only such are drawn,
    the ends too.
    """
    facings = np.array(drawn(["units.A.facing_deg=random:500:-90:90"])).ravel()
    assert -90 <= facings.min() < -80 < 80 < facings.max() <= 90
    assert {value for (value,) in drawn(["units.A.models=random:200:4.5:7.5"])} == {5, 6, 7}
    assert {
        type(value)
        for (value,) in drawn(["charges.0.dice.0=random:20:1:6"], march({"charges/0/dice": [3]}))
    } == {int}
    assert {value for (value,) in drawn(["system.bonus=random:9:0:1"])} - {0.0, 1.0}
    assert drawn(["units.A.facing_deg=random:1:5:5"]) == [(5.0,)]


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        (["units.A=random"], "--vary units.A=random: .*units.NAME=random:N"),
        (["units.A=random:"], "--vary units.A=random:: .*units.NAME=random:N"),
        (["units.A=random:ten"], "--vary units.A=random:ten: .*units.NAME=random:N"),
        (["units.A=random:-1"], "--vary units.A=random:-1: .*units.NAME=random:N"),
        (["units.A=random:1.5"], "--vary units.A=random:1.5: .*units.NAME=random:N"),
        (["units.A=random:_"], "--vary units.A=random:_: .*units.NAME=random:N"),
        (["units.A=random:0"], r"--vary units.A=random:0: .*\b1 .*\b1,000,000,000\b"),
        (
            ["units.A=random:99999999999"],
            r"--vary units.A=random:99999999999: .*\b1 .*\b1,000,000,000\b",
        ),
        (["units.A=random:10:1:2"], "--vary units.A=random:10:1:2: .*--region X0,Y0,X1,Y1"),
        (["units.A=random:10:1"], "--vary units.A=random:10:1: .*units.NAME=random:N"),
        (["units.Q=random:10"], "--vary units.Q: .*'Q' .*'A', 'B'"),
        (["=random:10"], "--vary =random:10: .*units.NAME=random:N"),
        (
            ["units.A.facing_deg=random:10"],
            "--vary units.A.facing_deg=random:10: .*=random:10:LOW:HIGH",
        ),
        (
            ["units.A.facing_deg=random:10:a:b"],
            "--vary units.A.facing_deg=random:10:a:b: .*LOW:HIGH",
        ),
        (["units.A.facing_deg=random:10:2:1"], "=random:10:2:1: .*HIGH .*LOW"),
        (["units.A.facing_deg=random:10:0:nan"], "=random:10:0:nan: .*HIGH .*LOW"),
        (["units.A.facing_deg=random:10:0:inf"], "=random:10:0:inf: .*HIGH .*LOW"),
        (["units.A.models=random:10:5.2:5.8"], r": units.A.models .*\b5\.2 .*\b5\.8\b"),
        (
            ["units.A.facng_deg=random:10:1:2"],
            "--vary units.A.facng_deg: .*did you mean 'facing_deg'",
        ),
        (["units.Q.at.0=random:10:1:2"], "--vary units.Q.at.0: .*'Q' .*'A', 'B'"),
        (["rules.halt=random:10:1:2"], "--vary rules.halt: .*'early' .*'late'"),
        (["units.A.status=random:10:1:2"], "--vary units.A.status: .*list"),
        (
            ["units.A=random:10", "units.B=random:11"],
            r"--vary.*units.A.x .*\b10\b.*units.B.x .*\b11\b",
        ),
        (["units.A=random:10", "units.A.x=1:2:1"], "--vary units.A.x: .*twice"),
        (["units.A=random:10", "units.A=random:10"], "--vary units.A.x: .*twice"),
    ],
)
def test_slips(vary: list[str], message: str, file: Path) -> None:
    """Each is told before anything is drawn."""
    with pytest.raises(UsageError, match=message):
        sweep_of(file, vary)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,2,3", "--region 1,2,3: .*X0,Y0,X1,Y1"),
        ("a,b,c,d", "--region a,b,c,d: .*X0,Y0,X1,Y1"),
        ("5,0,4,1", "--region 5,0,4,1: .*corner"),
        ("0,0,nan,1", "--region 0,0,nan,1: .*corner"),
        ("500,0,600,1", r"--region 500,0,600,1: .*\b48 .*\b48\b"),
    ],
)
def test_regions_that_are_none(text: str, message: str) -> None:
    """A region has two corners and some of the board."""
    with pytest.raises(UsageError, match=message):
        drawn(["units.A=random:5"], region=region_of(text))
    with pytest.raises(UsageError, match=r"--region 1\.2,1,1\.8,2: .*\b1 .*\b4\b.*\b1 .*\b3\b"):
        drawn(["units.A=random:5"], HEXES, region=(1.2, 1, 1.8, 2))


def test_only_places_have_a_region(file: Path) -> None:
    """Beside numbers, a grid or a question it is a slip, and so is --all-tables without anything random."""
    for vary in ([], ["units.A.x=1:2:1"], ["units.A.facing_deg=random:5:0:90"]):
        with pytest.raises(UsageError, match=r"^--region .*--vary units\.NAME=random:N"):
            sweep_of(file, vary, region=(0, 0, 1, 1))
    assert main(["explore", str(file), "--vary", "units.A.x=1:2:1", "--all-tables"]) == 2
    assert main(["explore", str(file), "--question", "jitter", "--region", "0,0,1,1"]) == 2


def illegal(what: Sweep) -> list[int]:
    """Return the numbers of the cases that cannot be."""
    found = []
    for number, values in enumerate(what.grid):
        try:
            what.base.case(values)
        except ScenarioError:
            found.append(number)
    return found


CROWDED = (28, 20, 45, 32)
"""A region of `t9a/wheel-and-align` in which most places of A are taken."""


def test_legal_tables_are_chosen() -> None:
    """As many as were asked for, the first of those drawn that can be with all that is varied beside them; or all as
    they come.
    """
    vary = ["units.A=random:30", "units.A.facing_deg=random:30:0:360", "units.A.files=3,4"]
    what = sweep_of("t9a/wheel-and-align", vary, region=CROWDED)
    legal = what.with_legal_tables(Execution(1))
    assert len(legal.grid) == len(what.grid) == 60
    assert illegal(legal) == []
    assert illegal(what) != []
    axis = legal.grid.axes[0]
    drawn = what.grid.axes[0].values.attempt  # type: ignore[attr-defined]
    kept = axis.values.attempts  # type: ignore[attr-defined]
    assert sorted(map(drawn, kept)) == sorted(axis.values)
    assert (np.diff(kept) > 0).all()
    assert [legal.grid[number] for number in range(60)] == list(legal.grid)


def test_workers_choose_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many look, and whoever is quicker."""
    monkeypatch.setattr(sampling, "TRIES_WORTH_WORKERS", 4)
    monkeypatch.setattr(sampling, "TRIES_AT_ONCE", 3)
    what = sweep_of("t9a/wheel-and-align", ["units.A=random:30"], region=CROWDED)
    one, two = (list(what.with_legal_tables(Execution(workers)).grid) for workers in (1, 2))
    assert one == two


def test_none_that_can_be(capsys: pytest.CaptureFixture[str]) -> None:
    """After a hundred tries for each the first reason is told, with the remedy, and the command ends with 3."""
    arguments = [
        "explore",
        "t9a/wheel-and-align",
        "--vary",
        "units.A=random:2",
        "--region",
        "35,23,36,24",
    ]
    assert main(arguments) == 3
    told = capsys.readouterr().err
    assert re.match(r"error: t9a/wheel-and-align: units\.A\.at: 'A' .*'B' overlap ", told)
    assert re.search(r"\b1 .*\b200\b.*\b2\b.*\b0\b.*--all-tables\b", told)
    with pytest.raises(
        ScenarioError, match=r"^drill/march: units\.A\.profile\.mood: .*\b1 .*\b100\b"
    ):
        explore("drill/march", ["units.A=random:1", "units.A.profile.mood=0,10"])
    assert main([*arguments, "--all-tables", "--workers", "1"]) == 3
    assert re.match(
        r"error: t9a/wheel-and-align: units\.A\.at: 'A' .*'B' overlap .*\bcase",
        capsys.readouterr().err,
    )


@pytest.mark.parametrize(("workers", "seconds"), [(1, 1e-9), (2, 1e-9), (2, 0.3)])
def test_time_is_over(workers: int, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes too long to find is given up, by whoever looks for it."""
    monkeypatch.setattr(sampling, "TRIES_WORTH_WORKERS", 4)
    what = sweep_of("t9a/wheel-and-align", ["units.A=random:5000"], region=(35, 23, 36, 24))
    with pytest.raises(NoVerdictError, match=rf"\b{seconds:g} s\b"):
        what.with_legal_tables(Execution(workers, limit=Budget(seconds=seconds)))


def test_the_table_tells_where(file: Path, tmp_path: Path) -> None:
    """Places stand in their columns, in the table and in the arrays; a table that was stopped, sorted or finished is
    continued.
    """
    vary = ["units.A=random:12", "rules.halt=early,late"]
    out = tmp_path / "t.csv"
    survey = explore(file, vary, out=out, seed=3, workers=1)
    assert (list(survey.axes), survey.shape, survey.drawn) == (
        ["random", "rules.halt"],
        (12, 2),
        ("units.A.x", "units.A.y"),
    )
    assert survey.column("units.A.x").shape == survey.column("chance").shape == (12, 2)
    rows = list(csv.DictReader(out.read_text("utf-8").splitlines()))
    assert list(rows[0])[:4] == ["key", "units.A.x", "units.A.y", "rules.halt"]
    assert [float(row["units.A.x"]) for row in rows] == survey.column("units.A.x").ravel().tolist()
    before = out.read_bytes()
    again = explore(file, vary, out=out, seed=3, workers=1)
    np.testing.assert_array_equal(again.column("chance"), survey.column("chance"))
    for other in (
        {"seed": 4},
        {"seed": 3, "region": (20, 10, 24, 14)},
        {"seed": 3, "vary": ["units.B=random:12"]},
    ):
        with pytest.raises(UsageError, match=r"t\.csv .*scenario.*\bline 2\b"):
            explore(file, **{"vary": vary, "out": out, "workers": 1, **other})  # type: ignore[arg-type]
    assert out.read_bytes() == before


def test_half_a_table_is_continued(file: Path, tmp_path: Path) -> None:
    """The same seed draws the same tables: what is done stays, and the rest is the same as in one go."""
    what = sweep_of(file, ["units.A=random:20"]).with_legal_tables(Execution(1))
    out = tmp_path / "t.csv"
    run_sweep(what, out, Execution(1))
    whole = out.read_bytes()
    out.unlink()
    for path in (out, tmp_path / "u.csv"):
        with ResultStore(path, what.base, what.grid) as store:
            store.add(range(5), [[{"charge": 0, "outcome": "no_verdict"}]] * 5)
    run_sweep(
        sweep_of(file, ["units.A=random:20"]).with_legal_tables(Execution(1)), out, Execution(1)
    )
    rows, first = (
        list(csv.DictReader(text.splitlines())) for text in (out.read_text("utf-8"), whole.decode())
    )
    assert [row["outcome"] for row in rows[:5]] == ["no_verdict"] * 5
    assert rows[5:] == first[5:]
    with pytest.raises(UsageError, match=r"u\.csv\.part .*scenario"):
        explore(file, ["units.A=random:20"], out=tmp_path / "u.csv", seed=1, workers=1)


def test_loose_models_keep_their_order() -> None:
    """The first model stands at the place that is drawn, and the others about it as in the file; facings stay."""
    what = sweep_of("wh40k/one-contact-of-two", ["units.A=random:5"]).with_legal_tables(
        Execution(1)
    )
    cases = [what.base.case(values) for values in what.grid]
    for (x, y), case in zip(what.grid, cases, strict=True):
        centres = case.state.units["A"].centres
        assert centres[0].tolist() == pytest.approx([x, y])
        np.testing.assert_allclose(
            centres - centres[0],
            cases[0].state.units["A"].centres - cases[0].state.units["A"].centres[0],
            atol=1e-9,
        )
    assert (
        len({model.pose.heading for case in cases for model in case.state.units["A"].models[:1]})
        == 1
    )


def test_hexes_through_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The column is the unit's hex."""
    out = tmp_path / "t.csv"
    assert (
        main(
            [
                "explore",
                "battletech/a-wall-comes-down",
                "--vary",
                "units.A=random:4",
                "-o",
                str(out),
                "--json",
                "--workers",
                "1",
            ]
        )
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    rows = list(csv.DictReader(out.read_text("utf-8").splitlines()))
    assert told["axes"] == {"random": 4}
    assert told["greatest"]["at"]["units.A.hex"] in [row["units.A.hex"] for row in rows]


def test_names_that_are_quoted(tmp_path: Path) -> None:
    """A unit's name may have spaces, quotes and dots."""
    name = 'The Guard\'s "1."'
    tables = march()
    tables["units"][name] = tables["units"].pop("A")
    tables["charges"][0] |= {"charger": name, "dice": [3]}
    del tables["expect"]
    file = tmp_path / "t.json"
    file.write_text(json.dumps(tables), encoding="utf-8")
    survey = explore(file, [f"units.{json.dumps(name)}=random:3"], workers=1)
    assert survey.column(f"units.{json.dumps(name)}.x").shape == (3,)
    assert (
        explore(file, [f"units.{json.dumps(name)}=board"], step=20.0, workers=1)
        .column("outcome")
        .size
    )
    assert explore(file, question="start", step=20.0, workers=1).column("chance").size


@pytest.mark.parametrize(
    "board",
    [
        7,
        {"width": 3},
        {"width": "a", "depth": 2},
        {"columns": 3},
        {"width": -1, "depth": True},
        None,
    ],
)
def test_a_file_without_a_board(
    board: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is the file that is wrong."""
    file = tmp_path / "t.json"
    file.write_text(march_json({"board": board}), encoding="utf-8")
    for what in ("random:5", "board"):
        assert main(["explore", str(file), "--vary", f"units.A={what}"]) == 3
        assert f"{file}: board" in capsys.readouterr().err
