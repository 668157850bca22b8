"""Tables that are refused are drawn all the same, with what is wrong marked; they stay refused."""

import json
import re
from pathlib import Path

import pytest

from tabletop.cli import main
from tabletop.registry import find
from tabletop.scenario.schema import schema_of
from tabletop.scenario.template import template_of
from tests.messages import lines_with, untold


def changed(system: str, old: str, new: str, folder: Path) -> Path:
    """Write a system's template with one place changed."""
    text = template_of(find(system), schema_of(find(system)))
    assert old in text
    file = folder / "charge.toml"
    file.write_text(text.replace(old, new, 1), "utf-8")
    return file


PROPOSED = "[proposal.units.A]\nat = [-60.0, 20.0]\nfacing_deg = 90\n[[charges]]"

OVERLAPS = [
    (
        "t9a",
        "at = [38.0, 32.0]",
        "at = [36.0, 23.8]",
        "units.A.at: .. 'A' .. 'B' .. 0.541827",
        "overlap",
    ),
    (
        "conquest",
        "at = [18.0, 10.0]",
        "at = [20.0, 18.5]",
        "units.A.at: .. 'A' .. 'B' .. 1.01335",
        "overlap",
    ),
    (
        "wh40k",
        "at = [[20.0, 20.0], [21.5, 20.0]",
        "at = [[20.0, 20.0], [21.0, 20.0]",
        "units.A.at[0]: .. 'A'[1] .. 0.259843",
        "overlap",
    ),
    (
        "t9a",
        "at = [38.0, 32.0]",
        "at = [38.0, 47.0]",
        "units.A.at: .. 72 x 48 in .. 1.66814",
        "beyond",
    ),
    (
        "wh40k",
        "at = [[20.0, 20.0], [21.5",
        "at = [[0.1, 20.0], [21.5",
        "units.A.at[0]: .. 60 x 44 in .. 0.529921",
        "beyond",
    ),
]


@pytest.mark.parametrize(("system", "old", "new", "said", "mark"), OVERLAPS)
@pytest.mark.parametrize(
    "command", [["draw", "--board", "-o"], ["draw", "-o"], ["resolve", "--figure"]], ids=" ".join
)
def test_an_impossible_table_is_drawn(
    system: str,
    old: str,
    new: str,
    said: str,
    mark: str,
    command: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Exit 3 with the reason, and a figure whose fault is hatched, crossed out and told."""
    file = changed(system, old, new, tmp_path)
    figure = tmp_path / "figure.svg"
    assert main([command[0], str(file), *command[1:], str(figure)]) == 3
    printed = capsys.readouterr()
    note, error = printed.err.splitlines()
    assert untold(error, f"error: {file}: .. {said}") == [], error
    assert untold(note, f"note: .. {figure}") == [], note
    assert printed.out == ""
    drawn = figure.read_text("utf-8")
    assert f'id="{mark}"' in drawn
    (told,) = re.findall(r'<desc id="figure.description">(.*?)</desc>', drawn)
    assert untold(told.replace("&apos;", "'"), said) == [], told


def test_what_stands_too_far_off_is_named_in_the_figure(tmp_path: Path) -> None:
    """A unit a hundred inches away, and a claimed place off the board, are in no picture; the figure says so."""
    for old, new in (("at = [38.0, 32.0]", "at = [380.0, 32.0]"), ("[[charges]]", PROPOSED)):
        file = changed("t9a", old, new, tmp_path)
        figure = tmp_path / "figure.svg"
        main(["draw", str(file), "-o", str(figure)])
        words = re.findall(r"<text[^>]*>([^<]*)</text>", figure.read_text("utf-8"))
        assert any(not untold(text, "board .. A") for text in words)


def test_a_refused_table_does_not_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No film or page is written, and what would show the fault is named."""
    file = changed("t9a", "at = [38.0, 32.0]", "at = [36.0, 23.8]", tmp_path)
    for ending in ("gif", "html"):
        assert main(["draw", str(file), "-o", str(tmp_path / f"figure.{ending}")]) == 3
        assert lines_with(capsys.readouterr().err, f"note: .. {tmp_path / 'figure.svg'}")
    assert [one.name for one in tmp_path.iterdir()] == ["charge.toml"]


@pytest.mark.parametrize("system", ["t9a", "wh40k"])
def test_more_overlaps_than_are_told_are_said_to_be(
    system: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Ten are told; of exactly ten nothing more is said."""
    for count, more in ((5, 0), (6, 1)):
        place = {"at": [20, 20], "facing_deg": 90, "files": 1, "models": 1, "base": "20x20mm"}
        kind = {"base": "32mm round", "at": [[20, 20]]} if system == "wh40k" else place
        units = {f"U{number}": {"side": "blue", **kind} for number in range(count)}
        file = tmp_path / "heap.json"
        file.write_text(
            json.dumps({"system": system, "board": {"width": 40, "depth": 40}, "units": units}),
            "utf-8",
        )
        assert main(["resolve", str(file)]) == 3
        assert len(lines_with(capsys.readouterr().err, f"error: {file}: .. units: .. 10")) == more


def test_units_that_share_a_hex_are_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On hexes the board says where."""
    file = changed("battletech", 'hex = "0508"', 'hex = "0503"', tmp_path)
    figure = tmp_path / "figure.svg"
    assert main(["draw", str(file), "-o", str(figure)]) == 3
    assert figure.is_file()
    assert "0503" in capsys.readouterr().err


def test_what_cannot_be_drawn_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A value of another kind leaves no table; a figure of before stays as it was."""
    file = changed("t9a", "files = 5", 'files = "five"', tmp_path)
    figure = tmp_path / "figure.svg"
    figure.write_text("mine", "utf-8")
    assert main(["draw", str(file), "--board", "-o", str(figure)]) == 3
    assert figure.read_text("utf-8") == "mine"
    assert "note: " not in capsys.readouterr().err


def test_a_figure_that_does_not_fit_hides_no_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong with the table is said, whatever becomes of the figure."""
    file = changed("t9a", "at = [38.0, 32.0]", "at = [36.0, 23.8]", tmp_path)
    assert (
        main(
            [
                "draw",
                str(file),
                "--board",
                "--scale",
                "1:1",
                "--size",
                "60x60mm",
                "-o",
                str(tmp_path / "figure.svg"),
            ]
        )
        == 3
    )
    note, error = capsys.readouterr().err.splitlines()
    assert untold(note, "note: .. --size: .. 73.2 x 50.3 in") == [], note
    assert untold(error, f"error: {file}: .. units.A.at: .. 'A' .. 'B' .. 0.541827") == [], error
