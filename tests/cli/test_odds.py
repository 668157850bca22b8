"""The command `odds`: text, JSON, figure and exit codes."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from tabletop.cli import main
from tabletop.cli.report import ROWS_PRINTED, odds_text, percent
from tabletop.ruling.charge import OUTCOMES
from tabletop.ruling.odds import ChargeOdds, Odds
from tabletop.scenario import odds_result, read_case
from tests.drill.files import march_json
from tests.messages import untold


def test_odds_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """Outcomes, rules and rolls stand in columns with fractions and percentages."""
    assert main(["odds", "t9a/odds-maximised"]) == 0
    heading, *lines, shortest = capsys.readouterr().out.splitlines()[3:]
    assert untold(heading, "A .. B") == []
    assert [line for line in lines if line.startswith("    ")] == [
        "    success  3/4  75.00%",
        "    failed   1/4  25.00%",
        "    t9a.range  1/4  25.00%",
        "    1   1/36   2.78%  failed",
        "    2   1/12   8.33%  failed",
        "    3   5/36  13.89%  failed",
        "    4   7/36  19.44%  success",
        "    5    1/4  25.00%  success",
        "    6  11/36  30.56%  success",
    ]
    assert [lines.index(line) for line in lines if not line.startswith("    ")] == [0, 3, 5]
    assert untold(shortest, "roll .. 4") == []


def test_odds_of_several_charges_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """A roll with which both may happen names both chances, and the joint chances follow the charges."""
    assert main(["odds", "t9a/odds-in-the-way"]) == 0
    out = capsys.readouterr().out
    assert "    4  1/6  16.67%  success 1/9, failed 1/18\n" in out
    assert untold(out.splitlines()[-4], "C .. A") == []
    assert out.splitlines()[-3:] == [
        "    success, success  4/9  44.44%",
        "    failed, failed    1/3  33.33%",
        "    success, failed   2/9  22.22%",
    ]


def test_odds_of_a_refused_charge_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """A refused charge has its rule and no rolls."""
    assert main(["odds", "t9a/out-of-sight"]) == 0
    out = capsys.readouterr().out
    assert "    not allowed  1  100.00%\n" in out
    assert "    t9a.declare.line-of-sight  1  100.00%\n" in out
    assert "1/6" not in out
    assert "1/36" not in out


def test_odds_that_never_succeed_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """A charge that is always barred says that no roll succeeds."""
    assert main(["odds", "t9a/room-taken"]) == 0
    _, first, second, _ = capsys.readouterr().out.split("\n\n")
    assert untold(first.splitlines()[-1], "roll .. 1") == []
    assert untold(second.splitlines()[-1], "roll .. 1") == ["1"]


def test_odds_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """JSON has the keys of the format, reduced fractions, and rows of outcomes joined by commas; twice the same
    bytes.
    """
    outputs = []
    for _ in range(2):
        assert main(["odds", "t9a/odds-in-the-way", "--json"]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    found = json.loads(outputs[0])
    assert list(found) == ["odds", "joint"]
    assert found["joint"] == {
        "success,success": "4/9",
        "failed,failed": "1/3",
        "success,failed": "2/9",
    }
    first, second = found["odds"]
    assert list(first) == ["charger", "targets", "outcomes", "rules", "shortest_roll", "by_total"]
    assert (first["charger"], first["targets"], first["shortest_roll"]) == ("C", ["D"], 3)
    assert second["outcomes"] == {"success": "4/9", "failed": "5/9", "not_allowed": "0"}
    assert second["rules"] == {"t9a.range": "1/3", "t9a.move.room": "2/9"}
    assert second["by_total"][2] == {
        "total": 3,
        "chance": pytest.approx(1 / 6),
        "chance_fraction": "1/6",
        "outcome": "success",
        "outcomes": {"success": "1/9", "failed": "1/18"},
    }


def test_odds_follow_overrides(capsys: pytest.CaptureFixture[str]) -> None:
    """`--set` changes a number of the book, and the chances with it."""
    assert main(["odds", "t9a/odds-maximised", "--set", "system.range_bonus=5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["odds"][0]["outcomes"]["success"] == "8/9"


@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_odds_as_figures(tmp_path: Path, ending: str) -> None:
    """`--figure` writes the picture, the same bytes each time."""
    files = [tmp_path / f"{name}.{ending}" for name in ("first", "second")]
    assert (
        main(["odds", "t9a/odds-maximised", "--figure", str(files[0]), "--figure", str(files[1])])
        == 0
    )
    assert files[0].read_bytes() == files[1].read_bytes()


def test_odds_refuse_what_cannot_be_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An ending that is no picture, and a folder that is not there, are mistakes of use; nothing is printed."""
    assert main(["odds", "t9a/odds-maximised", "--figure", str(tmp_path / "odds.gif")]) == 2
    assert (
        main(["odds", "t9a/odds-maximised", "--figure", str(tmp_path / "nowhere" / "odds.svg")])
        == 2
    )
    assert capsys.readouterr().out == ""


def test_odds_without_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A case that is not modelled, and a time that is used up, end with 4; a time that is none with 2."""
    file = tmp_path / "march.json"
    file.write_text(march_json({"units/A/profile/mood": 4}), "utf-8")
    assert main(["odds", str(file)]) == 4
    assert "not modelled" in capsys.readouterr().err
    assert main(["odds", "t9a/odds-maximised", "--max-seconds", "1e-9"]) == 4
    assert main(["odds", "t9a/odds-maximised", "--max-seconds", "-1"]) == 2


def test_odds_of_another_system(capsys: pytest.CaptureFixture[str]) -> None:
    """Every system's own odds are told."""
    assert main(["odds", "drill/march", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["odds"][0]["outcomes"] == {
        "success": "2/3",
        "failed": "1/3",
        "not_allowed": "0",
    }


def test_odds_of_no_charges(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file without charges has no odds, in words and in JSON."""
    text = (
        Path(__file__)
        .parents[2]
        .joinpath("systems/t9a/scenarios/odds-maximised.toml")
        .read_text("utf-8")
    )
    file = tmp_path / "quiet.toml"
    file.write_text(text.partition("[[charges]]")[0], "utf-8")
    assert main(["odds", str(file)]) == 0
    out = capsys.readouterr().out
    assert untold(out.splitlines()[-1], "charges") == []
    assert "%" not in out
    assert main(["odds", str(file), "--json", "--figure", str(tmp_path / "quiet.svg")]) == 0
    assert json.loads(capsys.readouterr().out) == {"odds": [], "joint": {}}


def test_odds_text_stops_at_many_rows() -> None:
    """Of very many joint rows the likeliest are printed, and how many more there are; JSON has all."""
    case = read_case("t9a/odds-maximised")
    certain = ChargeOdds(case.charges[0], {"success": Fraction(1)})
    many = Odds((certain,) * 4, dict.fromkeys(product(OUTCOMES, repeat=4), Fraction(1, 81)))
    assert (
        untold(odds_text(case, many).splitlines()[-1], f"... .. {81 - ROWS_PRINTED} .. --json")
        == []
    )
    assert len(odds_result(many)["joint"]) == 81


@pytest.mark.parametrize(
    ("chance", "written"),
    [
        (Fraction(0), "0.00%"),
        (Fraction(1, 30000), "<0.01%"),
        (Fraction(29999, 30000), ">99.99%"),
        (Fraction(1), "100.00%"),
    ],
)
def test_percentages_keep_certainty_for_the_certain(chance: Fraction, written: str) -> None:
    """Nothing unlikely reads as impossible, nothing likely as certain."""
    assert percent(chance) == written
