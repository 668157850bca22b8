"""Files that say how units stand to each other, through the commands."""

import json
from pathlib import Path
from typing import Any

import pytest

from tabletop.cli import main
from tests.messages import lines_with, untold

FILE = """
system = "t9a"
title  = "By others"

[board]
width = 72.0
depth = 48.0

[units.A]
side = "blue"
ahead_of = { unit = "B", gap = 7.0, shift = 1.0 }
files = 5
models = 15
base = "20x20mm"
profile = { charge_speed = 5 }

[units.B]
side = "red"
at = [36.0, 24.0]
facing_deg = 80
files = 7
models = 14
base = "20x20mm"

[units.C]
side = "red"
beside = { unit = "B", side = "left", gap = 0.5 }
files = 5
models = 15
base = "20x20mm"

[[charges]]
charger = "A"
targets = ["B"]
dice = [4]

[proposal.units.A]
flush_on = { unit = "B", offset = 0.0 }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Write a charge whose units stand by each other."""
    path = tmp_path / "charge.toml"
    path.write_text(FILE, "utf-8")
    return path


def changed(file: Path, old: str, new: str) -> Path:
    """Write the file with one place changed."""
    assert old in FILE
    file.write_text(FILE.replace(old, new), "utf-8")
    return file


def test_a_claim_is_judged_and_drawn(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is right is found right, what is not is not; and both can be seen."""
    assert main(["judge", str(file), "--all"]) == 0
    assert lines_with(capsys.readouterr().out, "Proposal .. success")
    figure = file.with_name("claim.svg")
    assert main(["draw", str(file), "-o", str(figure)]) == 0
    assert "proposed" in figure.read_text("utf-8")
    assert main(["judge", str(changed(file, "offset = 0.0", "offset = 1.5"))]) == 1
    assert "t9a.align.target-models" in capsys.readouterr().out


def test_what_is_printed_has_places(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table afterwards and links hold places, which read again as the same table."""
    assert main(["resolve", str(file), "--json"]) == 0
    units: dict[str, Any] = json.loads(capsys.readouterr().out)["after"]["units"]
    assert all({"at", "facing_deg"} <= set(unit) for unit in units.values())
    assert not any({"flush_on", "beside", "ahead_of"} & set(unit) for unit in units.values())
    assert units["A"]["at"] == [36.0, 24.0]
    assert main(["link", str(file)]) == 0
    link = capsys.readouterr().out.strip()
    assert main(["judge", link]) == 0
    assert main(["judge", str(file)]) == 0
    told = capsys.readouterr().out
    assert told[: len(told) // 2] == told[len(told) // 2 :]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('unit = "B", gap', 'unit = "C", gap', "success"),
        ('unit = "B", side', 'unit = "A", side', "success"),
        (
            'flush_on = { unit = "B"',
            'flush_on = { unit = "A"',
            "line 38: proposal.units.A.flush_on.unit: .. 'A' .. itself",
        ),
        ("gap = 7.0", "gap = -7.0", "line 11: units.A.ahead_of.gap: .. 0 .. -7.0"),
        (
            "gap = 7.0, shift",
            "gap = 27.0, shift",
            "line 11: units.A.ahead_of: .. 72 x 48 in .. 5.08431",
        ),
        (
            "facing_deg = 80",
            'beside = { unit = "C", side = "left" }',
            "line 19: units.B.at: .. beside .. [36.0, 24.0]",
        ),
        (
            "at = [36.0, 24.0]\nfacing_deg = 80",
            'beside = { unit = "C", side = "left" }',
            "line 19: units.B.beside: .. circle .. 'B' .. 'C' .. 'C' .. 'B' .. at",
        ),
    ],
)
def test_what_leads_nowhere_is_refused_with_its_line(
    file: Path, old: str, new: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 3, the file, the line, the key, and what to do; chains are no circle."""
    code = main(["judge", str(changed(file, old, new))])
    printed = capsys.readouterr()
    if said == "success":
        assert code in (0, 1)
    else:
        assert code == 3
        assert untold(printed.err, f"error: {file}: .. {said}") == [], printed.err


def test_gaps_are_varied(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A number of a relation is a key like any other; a place that is none cannot be."""
    table = file.with_name("table.csv")
    assert (
        main(["explore", str(file), "--vary", "units.C.beside.gap=0:1:0.5", "-o", str(table)]) == 0
    )
    assert lines_with(capsys.readouterr().out, "3 .. units.C.beside.gap (3)")
    assert (
        main(
            [
                "explore",
                str(file),
                "--vary",
                "units.B.at.0=30,31",
                "-o",
                str(file.with_name("others.csv")),
            ]
        )
        == 0
    )
    assert main(["explore", str(file), "--vary", "units.C.x=0:1:0.5", "-o", str(table)]) == 2
    assert untold(capsys.readouterr().err, "--vary units.C.x: .. units.C.beside") == []
    assert (
        main(
            [
                "explore",
                str(file),
                "--question",
                "threat",
                "--step",
                "16",
                "-o",
                str(file.with_name("threat.csv")),
            ]
        )
        == 0
    )


def test_an_impossible_table_is_drawn_with_its_relation_named(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong with a place that followed is told by the key that led there."""
    figure = file.with_name("board.svg")
    assert (
        main(["draw", str(changed(file, "gap = 0.5", "gap = 40")), "--board", "-o", str(figure)])
        == 3
    )
    assert lines_with(capsys.readouterr().err, "error: .. units.C.beside: .. 72 x 48 in .. 10.3937")
    assert "units.C.beside" in figure.read_text("utf-8")
