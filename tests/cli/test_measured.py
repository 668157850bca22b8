"""Measured tables on the command line: what is printed, the exit codes, and a refused table's figure."""

import json
from pathlib import Path

import pytest

from tabletop.cli import main
from tests.messages import lines_with, untold

FILE = """
system = "t9a"
accuracy = {accuracy}
board = {{ width = 72, depth = 48 }}

[units.A]
side = "blue"
at = [30.0, 30.0]
facing_deg = 270
files = 5
models = 10
base = "25x25mm"
profile = {{ charge_speed = 5 }}

[units.B]
side = "red"
at = [30.0, {y}]
facing_deg = 90
files = 5
models = 10
base = "25x25mm"

[[charges]]
charger = "A"
targets = ["B"]
dice = [1]

[proposal.units.A]
at = [30.0, {y}]
facing_deg = 270
"""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Run a command; give its exit code and what it prints."""
    code = main(list(arguments))
    return code, capsys.readouterr().out


def written(folder: Path, *, accuracy: str = "0.1", y: float = 20.05) -> str:
    """Write a file in which A is to charge over about 10 inches with a range of 10."""
    path = folder / "measured.toml"
    path.write_text(FILE.format(accuracy=accuracy, y=y), encoding="utf-8")
    return str(path)


def test_what_cannot_be_told_ends_with_code_6(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """People read what to measure, programs read the same, and the exit code is 6."""
    file = written(tmp_path)
    code, out = run(capsys, "judge", file, "--all")
    assert code == 6
    assert lines_with(out, "undecided .. (t9a.range)")
    assert lines_with(out, "t9a.range .. A .. B .. 9.95 in .. 10.00 in")
    assert untold(out.splitlines()[-1], "A .. (30, 20.05) .. 270 .. 0 in") == []
    code, out = run(capsys, "judge", file, "--json")
    assert code == 6
    judged = json.loads(out)["judged"]
    assert (judged["outcome"], judged["rule"], judged["open"][0]) == (
        "undecided",
        "t9a.range",
        "t9a.range",
    )
    assert judged["decides"]["between"] == ["A", "B"]
    assert judged["decides"]["border"] == 10.0


def test_what_is_certain_ends_as_ever(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """0 where it is right wherever it lies, 1 where it is wrong."""
    assert run(capsys, "judge", written(tmp_path, y=21.0))[0] == 0
    assert run(capsys, "judge", written(tmp_path, y=19.0))[0] == 1


def test_odds_and_resolve_tell_the_range_of_rolls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both say between which totals the shortest roll lies."""
    file = written(tmp_path)
    code, out = run(capsys, "odds", file)
    assert (code, len(lines_with(out, "roll .. accuracy .. 1 .. 2"))) == (0, 1)
    code, out = run(capsys, "resolve", file, "--all")
    assert (code, len(lines_with(out, "roll .. accuracy .. 1 .. 2"))) == (0, 1)
    assert any(line.endswith(" t9a.range") for line in lines_with(out, "accuracy: .. t9a.range"))
    code, out = run(capsys, "odds", file, "--json")
    assert json.loads(out)["odds"][0]["shortest_roll_range"] == [1, 2]


def test_exploring_asks_of_the_settled_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each case of `explore` is the settled one."""
    code, out = run(
        capsys,
        "explore",
        written(tmp_path),
        "--vary",
        "units.B.at.1=19:21:1",
        "-o",
        str(tmp_path / "cases.csv"),
    )
    assert code == 0, out
    assert (tmp_path / "cases.csv").read_text(encoding="utf-8").count("\n") == 4


SIX = """
system = "t9a"
accuracy = 0.1
board = { width = 72, depth = 48 }
terrain = [
  { kind = "impassable", rectangle = { centre = [24, 24], width = 4, depth = 3 } },
  { kind = "opaque", circle = { centre = [50, 20], radius = 4 } },
  { kind = "open", rectangle = { centre = [40, 40], width = 8, depth = 5, angle_deg = 20 } },
]
[units]
Orcs = { side = "red", at = [36, 20], facing_deg = 90, files = 6, models = 24, base = "25x25mm" }
Goblins = { side = "red", beside = { unit = "Orcs", side = "right", gap = 0.5 }, files = 6, models = 18, base = "20x20mm" }
Trolls = { side = "red", beside = { unit = "Orcs", side = "left", gap = 1.0, shift = -2.0 }, files = 3, models = 6, base = "40x40mm" }
Knights = { side = "blue", at = [37, 29.95], facing_deg = 270, files = 5, models = 10, base = "25x50mm", profile = { charge_speed = 5 } }
Guard = { side = "blue", beside = { unit = "Knights", side = "left", gap = 1.0 }, files = 5, models = 20, base = "20x20mm" }
Archers = { side = "blue", at = [26, 34], facing_deg = 270, files = 8, models = 16, base = "20x20mm" }
[[charges]]
charger = "Knights"
targets = ["Orcs"]
dice = [1]
[proposal.units]
Knights = { flush_on = { unit = "Orcs", facing = "front", offset = 0.25 } }
"""  # noqa: E501
"""Six units, three pieces of terrain and a disputed place, as a person would tell them."""


def test_six_units_and_a_disputed_place_take_thirty_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is told by relations is ruled on, and how sure that is: the range hangs on a tape, the order of the units
    does not.
    """
    file = tmp_path / "six.toml"
    file.write_text(SIX, encoding="utf-8")
    assert len(SIX.strip().splitlines()) <= 30
    code, out = run(capsys, "judge", str(file), "--json")
    answer = json.loads(out)
    assert (code, answer["judged"]["outcome"], answer["judged"]["rule"]) == (
        6,
        "undecided",
        "t9a.range",
    )
    (ruling,) = answer["rulings"]
    assert ruling["open"] == ["t9a.range"]
    units = answer["after"]["units"]
    assert units["Goblins"]["at"][0] - units["Orcs"]["at"][0] == pytest.approx(
        (6 * 25 + 6 * 20) / 50.8 + 0.5
    )
    assert answer["judged"]["moved"] == {"Knights": 0.0}
