"""The commands `explore` and `compare`."""

import html
import io
import json
import re
import tomllib
from pathlib import Path

import pytest

from tabletop.cli import main
from tabletop.registry import scenarios
from tabletop.scenario.sources import bundled_text
from tests.drill.files import march_json
from tests.messages import lines_with, untold

OF_PLACES = "--question .. threat .. safe .. start"
VARY = ("--vary", "units.A.profile.pace=0:4:2", "--vary", "rules.halt=early,late", "--dice", "3")


def test_explore_counts_outcomes_and_finds_extremes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The summary says in how many cases there is a chance and where the table is, then how many came out how, and the
    extremes.
    """
    table = tmp_path / "results.csv"
    assert main(["explore", "drill/march", *VARY, "-o", str(table), "--workers", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    wanted = (
        "6 .. 6 .. 50%",
        str(table),
        "6 .. units.A.profile.pace (3) .. rules.halt (2)",
        "success .. 4",
        "failed .. 2",
        "greatest .. 0.5000 .. units.A.profile.pace 0 .. rules.halt early",
        "least .. 0.5000 .. units.A.profile.pace 0 .. rules.halt early",
    )
    for line, parts in zip(lines, wanted, strict=True):
        assert untold(line, parts) == [], line
    assert len(table.read_text(encoding="utf-8").splitlines()) == 7


@pytest.mark.parametrize(
    ("out", "kept"),
    [
        ([], "-o"),
        (["-o", "t.csv"], "t.csv .. again"),
    ],
)
def test_explore_says_what_is_left_when_it_is_stopped(
    out: list[str], kept: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever stops a long run is told whether he loses what was done."""

    def stopping(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tabletop.cli.explore.run_sweep", stopping)
    assert main(["explore", "drill/march", *VARY, *out]) == 130
    (error,) = capsys.readouterr().err.splitlines()
    assert untold(error, f"error: .. interrupted .. {kept}") == [], error


@pytest.mark.parametrize(
    ("asked", "show"),
    [
        (["--question", "threat", "--step", "6"], None),
        (["--question", "safe", "--step", "6"], None),
        (["--question", "start", "--step", "8"], None),
        (["--question", "jitter", "--samples", "8"], None),
        (["--vary", "units.A.x=20:36:4"], None),
        (["--vary", "units.A=random:6"], None),
        (["--vary", "units.A.x=20:36:4"], "metrics.target_models_in_contact"),
    ],
)
@pytest.mark.parametrize("language", ["english", "german"])
def test_explore_begins_with_the_answer_of_its_figure(
    asked: list[str],
    show: str | None,
    language: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """Of every question, of varied keys and of another column: what the title of the figure says is the first line."""
    figure = tmp_path / "map.svg"
    more = [] if show is None else ["--show", show]
    arguments = [
        "explore",
        "t9a/wheel-and-align",
        *asked,
        *more,
        "--workers",
        "1",
        "--language",
        language,
    ]
    assert main([*arguments, "--figure", str(figure)]) == 0
    answer = capsys.readouterr().out.splitlines()[0]
    title = html.unescape(
        re.findall(r"<title[^>]*>([^<]*)</title>", figure.read_text(encoding="utf-8"))[0]
    )
    assert title.partition(": ")[2] == (answer if show is None else answer.partition(": ")[2])
    assert show is None or answer.startswith("target models in contact: ")


def test_explore_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Programs get the same numbers as JSON."""
    assert main(["explore", "drill/march", *VARY, "--workers", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["cases"], told["outcomes"]) == (6, {"success": 4, "failed": 2})
    assert told["greatest"] == {
        "chance": 0.5,
        "at": {"units.A.profile.pace": 0, "rules.halt": "early"},
    }


def test_explore_threat_tells_chances_alone_unless_in_full(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A map of threat counts places with and without a chance; in full, or to show a metric, it counts outcomes."""
    arguments = [
        "explore",
        "t9a/wheel-and-align",
        "--question",
        "threat",
        "--step",
        "8",
        "--workers",
        "1",
        "--json",
    ]
    told = []
    for more in ([], ["--full"]):
        assert main([*arguments, *more]) == 0
        told.append(json.loads(capsys.readouterr().out))
    mapped, full = told
    assert set(mapped["outcomes"]) == {"some_chance", "no_chance", "invalid"}
    assert mapped["outcomes"]["invalid"] == full["outcomes"]["invalid"]
    assert mapped["outcomes"]["no_chance"] == full["outcomes"]["not_allowed"]
    assert mapped["greatest"] == full["greatest"]


def test_explore_random_places(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Places stand in the table, the best and the worst in the summary, all of them in the figure; the same command
    does nothing more.
    """
    table = tmp_path / "random.csv"
    figure = tmp_path / "random.svg"
    random = ["--vary", "units.A=random:8", "--region", "20,26,40,40", "--seed", "2"]
    arguments = [
        "explore",
        "t9a/wheel-and-align",
        *random,
        "-o",
        str(table),
        "--figure",
        str(figure),
        "--workers",
        "1",
    ]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    rows = table.read_text(encoding="utf-8")
    assert untold(said, "8 .. random (8) .. random .. random") == []
    assert rows.startswith("key,units.A.x,units.A.y,charge,")
    assert any(
        not untold(text, "8 .. random .. A")
        for text in re.findall(r">([^<]*)<", figure.read_text(encoding="utf-8"))
    )
    assert main([*arguments, "--show", "chance"]) == 0
    answer, *others = capsys.readouterr().out.splitlines()
    assert untold(answer, "8 .. A .. 8") == []  # of chances, as the figure shows them now
    assert (others, table.read_text(encoding="utf-8")) == (said.splitlines()[1:], rows)
    assert main([*arguments, "--seed", "3"]) == 2
    assert untold(capsys.readouterr().err, f"error: .. {table}") == []


def test_explore_random_tables_as_they_come(capsys: pytest.CaptureFixture[str]) -> None:
    """With --all-tables those that cannot be are counted; too many are asked about before any is drawn."""
    random = ["--vary", "units.A=random:40", "--region", "28,20,45,32", "--workers", "1", "--json"]
    assert main(["explore", "t9a/wheel-and-align", *random]) == 0
    assert "invalid" not in json.loads(capsys.readouterr().out)["outcomes"]
    assert main(["explore", "t9a/wheel-and-align", *random, "--all-tables"]) == 0
    assert json.loads(capsys.readouterr().out)["outcomes"]["invalid"] > 0
    assert main(["explore", "t9a/wheel-and-align", "--vary", "units.A=random:2_000_000"]) == 2
    assert untold(capsys.readouterr().err, "2,000,000 .. --yes") == []


def test_explore_jitter(capsys: pytest.CaptureFixture[str]) -> None:
    """How steady an answer is, in one line, then the share of each verdict and what breaks first."""
    arguments = [
        "explore",
        "drill/march",
        "--question",
        "jitter",
        "--samples",
        "40",
        "--within",
        "0.5,0",
        "--dice",
        "3",
        "--workers",
        "1",
    ]
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert untold(lines[0], "success .. % .. 40") == []
    assert untold(lines[1], "41 .. jitter (41)") == []
    assert lines_with("\n".join(lines[2:]), "success .. %")
    assert untold(lines[-1], "drill.march") == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--vary .. --question"),
        (
            ["--vary", "units.A.at.0=0:100:0.01", "--vary", "units.A.at.1=0:100:0.1"],
            "10,011,001 .. 10,001 .. 1,001 .. --yes",
        ),
        (
            ["--vary", "units.A.facng_deg=1"],
            "--vary units.A.facng_deg: .. 'facing_deg' .. 'facing_deg'",
        ),
        (["--vary", "rules.halt=late", "-o", "out.xlsx"], "out.xlsx: .. .csv .. .parquet"),
        (["--vary", "rules.halt=late", "--figure", "out.gif"], "out.gif: .. .svg .. .png"),
        (["--question", "thread"], "--question .. thread .. 'threat' .. 'threat' .. 'jitter'"),
        (["--question", "jitter", "--within", "1"], "--within 1: .. inches .. degrees .. 0.1,1"),
        (["--question", "jitter", "--samples", "0"], "--within .. --samples .. 1"),
        (["--question", "start", "--vary", "rules.halt=late"], "--question .. --vary"),
        (["--vary", "rules.halt=late", "--dice", "7"], "dice: .. 1 .. 6 .. 7"),
    ],
)
def test_explore_refuses(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Each slip ends with code 2 and one clear line, and nothing is written."""
    assert main(["explore", "drill/march", *arguments]) == 2
    assert untold(capsys.readouterr().err, f"error: .. {message}") == []
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--vary", "rules.halt=late", "--samples", "3"], "--samples 3: .. --question jitter"),
        (["--question", "threat", "--samples", "200"], "--samples 200: .. --question jitter"),
        (["--question", "start", "--within", "1,1"], "--within 1,1: .. --question jitter"),
        (["--vary", "rules.halt=late", "--unit", "A"], f"--unit A: .. {OF_PLACES}"),
        (["--question", "jitter", "--unit", "A"], f"--unit A: .. {OF_PLACES}"),
        (["--vary", "rules.halt=late", "--facings", "1"], f"--facings 1: .. {OF_PLACES}"),
        (["--question", "start", "--full"], "--full: .. --question .. threat .. safe"),
        (["--vary", "rules.halt=late", "--full"], "--full: .. --question .. threat .. safe"),
        (
            ["--question", "jitter", "--step", "0"],
            f"--step 0.0: .. {OF_PLACES} .. --vary units.NAME=board",
        ),
        (
            ["--vary", "units.A.x=1", "--step", "1"],
            f"--step 1.0: .. {OF_PLACES} .. --vary units.NAME=board",
        ),
    ],
)
def test_explore_refuses_what_has_no_effect(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An option that belongs to another question is refused: who gives it expects something of it."""
    assert main(["explore", "drill/march", *arguments]) == 2
    (error,) = capsys.readouterr().err.splitlines()
    assert untold(error, f"error: .. {message}") == [], error


@pytest.mark.parametrize(
    "arguments",
    [
        ["--vary", "units.A=board", "--step", "20"],
        ["--vary", "units.A = board", "--step", "20", "--show", "metrics.reach"],
        ["--question", "start", "--step", "20", "--unit", "A", "--facings", "2"],
        ["--question", "safe", "--step", "20", "--full"],
    ],
)
def test_explore_takes_what_has_an_effect(arguments: list[str]) -> None:
    """The same options where they belong, and a column of the table."""
    assert main(["explore", "drill/march", "--workers", "1", *arguments]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--vary", "rules.halt=early,late", "--set", "rules.halt=late"],
            "--vary rules.halt: .. --set",
        ),
        (
            ["--vary", "system.bonus=0,1", "--set", "system.bonus=1"],
            "--vary system.bonus: .. --set",
        ),
        (["--vary", "charges.0.dice.0=1,2", "--dice", "3"], "--vary charges.0.dice.0: .. --dice"),
    ],
)
def test_explore_refuses_to_vary_what_is_set(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rows would tell of values that no case has; another key may be set beside it."""
    assert main(["explore", "drill/march", *arguments]) == 2
    (error,) = capsys.readouterr().err.splitlines()
    assert untold(error, f"error: .. {message}") == [], error
    assert (
        main(
            [
                "explore",
                "drill/march",
                "--vary",
                "rules.halt=late",
                "--set",
                "system.bonus=1",
                "--dice",
                "3",
                "--workers",
                "1",
            ]
        )
        == 0
    )


def test_explore_refuses_a_column_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    """Also where nothing is drawn: the map that comes next would be refused."""
    assert main(["explore", "drill/march", *VARY, "--workers", "1", "--show", "metrics.reech"]) == 2
    assert (
        untold(
            capsys.readouterr().err,
            "error: .. 'metrics.reech' .. 'metrics.reach' .. 'metrics.reach'",
        )
        == []
    )


def test_explore_draws_what_came_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Standard input is read once, for the table and for the map."""
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(march_json({"charges/0/dice": [3]}).encode()))
    )
    map_of = [
        "--vary",
        "units.A.x=20:21:1",
        "--vary",
        "units.A.y=10:11:1",
        "--figure",
        str(tmp_path / "map.svg"),
    ]
    assert main(["explore", "-", *map_of, "--workers", "1"]) == 0
    assert (tmp_path / "map.svg").exists()


def test_a_map_does_not_take_the_place_of_its_scenario(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A figure that carries the only copy of its scenario stays, also under another name; a map carries none."""
    figure = tmp_path / "q3.svg"
    assert main(["draw", "drill/march", "-o", str(figure)]) == 0
    linked = tmp_path / "linked.svg"
    linked.symlink_to(figure)
    before = figure.read_bytes()
    for out in (figure, linked):
        assert main(["explore", str(figure), *VARY, "--figure", str(out)]) == 2
        (error,) = capsys.readouterr().err.splitlines()
        assert untold(error, f"error: .. {out} .. scenario") == [], error
    assert figure.read_bytes() == before


def test_compare_lists_what_changes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Scenarios whose verdict or placement another number changes are listed with both; others are only counted."""
    far = tmp_path / "far.json"
    near = tmp_path / "near.json"
    far.write_text(march_json({"charges/0/dice": [3]}), encoding="utf-8")
    near.write_text(march_json({"charges/0/dice": [6]}), encoding="utf-8")
    assert main(["compare", str(far), str(near), "--set", "system.bonus=0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:-1] == [
        str(far),
        "  A charges B: outcome failed (drill.march) instead of success; needs 4 instead of 3",
        "  A: ends up to 1 in from its place without the change",
    ]
    assert untold(lines[-1], "1 .. 2") == []
    assert main(["compare", str(far), "--set", "edition=1st", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


COMPARED = {
    "t9a/dividing-line": (
        "system.wheel_limit_deg=30",
        [
            "A charges B: t9a.align.target-models: 6 models of B in contact instead of 7 models of B in contact",
            "A: ends up to 0.7874 in from its place without the change",
        ],
    ),
    "t9a/long-shot-failed": (
        "system.wheel_limit_deg=30",
        ["A: ends up to 0.5442 in from its place without the change; faces 240° instead of 223.9°"],
    ),
    "wh40k/between-two-zones": (
        "system.engagement_horizontal=2",
        [
            (
                "A charges T, U: needs 3 instead of 5; chance 35/36 instead of 5/6; "
                "wh40k.move.contact: in base contact instead of engaged, no base contact"
            ),
            "A: ends up to 1.1208 in from its place without the change",
        ],
    ),
    "wh40k/held-back-by-coherency": (
        "system.coherency_horizontal=1",
        ["A: ends up to 1 in from its place without the change"],
    ),
    "wh40k/killed-on-arrival": (
        "system.declare_range=1",
        [
            "A charges T: outcome not allowed (wh40k.eligible.near) instead of success; chance 0 instead of 11/12",
            "A: models 2 instead of 1; has status none instead of selected, fights first",
        ],
    ),
    "battletech/backwards-and-past-the-target": (
        "rules.backward=counted",
        [
            (
                "A charges B: outcome success instead of not allowed (battletech.path.forward-only); chance "
                "13/18 instead of 0"
            ),
            "A: hex 0505 instead of 0507",
            "B: hex 0504 instead of 0505; faces NW instead of S; has status prone instead of none",
        ],
    ),
    "conquest/longer-than-the-roll": (
        "rules.reach=roll-decides",
        [
            (
                "A charges B: outcome success instead of failed (conquest.move.charge-distance); needs 1 instead of "
                "3; chance 1 instead of 2/3"
            ),
            (
                "A: ends up to 10.1594 in from its place without the change; faces 45° instead of 90°; "
                "has status charged, inspired instead of done"
            ),
        ],
    ),
    "conquest/push-of-two": (
        "system.push_gap=2",
        [
            "A charges B: conquest.push: pushed L 2 in, R 2 in: the least instead of pushed L 1 in, R 1 in: the least",
            "L: ends up to 1 in from its place without the change",
            "R: ends up to 1 in from its place without the change",
        ],
    ),
}


@pytest.mark.parametrize("file", COMPARED)
def test_compare_speaks_sentences(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One for each charge and each unit that a change in the tables of JSON names, without key paths, in every game."""
    change, sentences = COMPARED[file]
    assert main(["compare", file, "--set", change]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert lines == [file, *(f"  {sentence}" for sentence in sentences)]
    assert untold(last, "1 .. 1") == []
    assert main(["compare", file, "--set", change, "--json"]) == 0
    keys = [one["key"] for one in json.loads(capsys.readouterr().out)]
    assert {key.split(".")[1] for key in keys if key.startswith("units.")} <= {
        line.split(":")[0] for line in sentences
    }
    assert all(
        one in " ".join(sentences)
        for one in ("charges",)
        if any(key.startswith("rulings") for key in keys)
    )


def test_compare_tells_of_a_unit_that_is_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A charger that Overwatch kills stands on the table where the change forbids its charge."""
    tables = tomllib.loads(bundled_text("wh40k/killed-on-arrival"))
    tables["charges"][0]["overwatch"] = {"before": [0, 1]}
    del tables["expect"]
    file = tmp_path / "killed.json"
    file.write_text(json.dumps(tables), encoding="utf-8")
    assert main(["compare", str(file), "--set", "system.declare_range=1"]) == 0
    assert lines_with(capsys.readouterr().out, "A: on the table only with the change")
    tables["rules"]["declare_range"] = 1
    file.write_text(json.dumps(tables), encoding="utf-8")
    assert main(["compare", str(file), "--set", "rules.declare_range=12"]) == 0
    assert lines_with(capsys.readouterr().out, "A: on the table only without the change")


def test_compare_names_the_change_with_which_dice_are_too_few(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The file is right as it is: it is the change that asks for another roll."""
    assert main(["compare", "battletech/four-legs", "--set", "system.tons_per_point=8"]) == 3
    printed = capsys.readouterr()
    assert (
        untold(
            printed.err, "error: battletech/four-legs (system.tons_per_point=8): charges[0].dice: "
        )
        == []
    )
    assert printed.out == ""  # nothing was compared


@pytest.mark.parametrize("command", [["check"], ["compare", "--set", "system.bonus=0"]])
def test_the_name_of_a_game_stands_for_its_bundled_scenarios(
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Unless a file is called so."""
    assert main([*command, "drill"]) == 0
    whole = capsys.readouterr()
    assert main([*command, *(name for name, _ in scenarios("drill"))]) == 0
    assert capsys.readouterr() == whole
    (tmp_path / "drill").write_text("board = 1", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main([*command, "drill"]) == 3


def test_compare_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a change there is nothing to compare; a bad file is told and the others still compared."""
    bad = tmp_path / "bad.toml"
    bad.write_text("system = 'drill'", encoding="utf-8")
    assert main(["compare", "drill/march"]) == 2
    assert (
        untold(
            capsys.readouterr().err, "--set rules.KEY=V .. --set system.FIELD=V .. --set edition=X"
        )
        == []
    )
    assert main(["compare", str(bad), "drill/march", "--set", "system.bonus=0"]) == 3
    captured = capsys.readouterr()
    assert untold(captured.err, f"error: {bad}: .. board: .. missing") == []
    assert untold(captured.out.splitlines()[-1], "1 .. 2") == []


def test_compare_names_the_file_of_another_game(capsys: pytest.CaptureFixture[str]) -> None:
    """A number that the book of one file's game does not have is told with that file, and the others are still
    compared.
    """
    assert main(["compare", "drill/march", "t9a/wheel-and-align", "--set", "system.bonus=0"]) == 2
    captured = capsys.readouterr()
    assert (
        untold(captured.err, "error: t9a/wheel-and-align: --set system.bonus: .. 'range_bonus'")
        == []
    )
    assert untold(captured.out.splitlines()[-1], "1 .. 2") == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("edition=4th", "t9a/wheel-and-align: --set edition: .. '3rd' .. '4th'"),
        ("foo.bar=1", "--set foo.bar=1: .. rules.KEY=VALUE .. system.FIELD=VALUE .. edition=X"),
        ("edition", "--set edition: .. rules.KEY=VALUE .. system.FIELD=VALUE .. edition=X"),
    ],
)
def test_compare_blames_what_was_typed(
    change: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An edition that the game does not have, or what is no change at all, is no fault of the file."""
    assert main(["compare", "t9a/wheel-and-align", "--set", change]) == 2
    (error,) = capsys.readouterr().err.splitlines()
    assert untold(error, f"error: .. {message}") == [], error


def test_compare_leaves_an_edition_of_the_file_to_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that stands in it is told as everywhere else."""
    file = tmp_path / "march.json"
    file.write_text(march_json({"edition": "9th"}), encoding="utf-8")
    assert main(["compare", str(file), "--set", "edition=1st"]) == 3
    assert untold(capsys.readouterr().err, f"error: {file}: edition: .. '9th'") == []
