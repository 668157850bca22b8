"""Numbers that profiles leave out are warned of on standard error, once a unit; what is printed and the exit code
stay.
"""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tabletop.cli import main
from tabletop.registry import find
from tests.messages import lines_with, untold

CHARGE: dict[str, Any] = {
    "system": "battletech",
    "board": {"columns": 15, "rows": 17},
    "units": {
        "A": {
            "side": "blue",
            "hex": "0508",
            "facing": "N",
            "profile": {"type": "mech", "tons": 10, "piloting": 5},
        },
        "B": {"side": "red", "hex": "0507", "facing": "S", "profile": {"type": "mech", "tons": 10}},
    },
    "charges": [
        {"charger": "A", "targets": ["B"], "hexes_moved": 1, "movement": "walk", "dice": [1, 1]}
    ],
    "expect": [{"outcome": "failed"}],
}
WARNING = "B: .. piloting .. 5 .. hexes_moved .. 0"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Write a charge whose target's numbers are not given."""
    path = tmp_path / "charge.json"
    path.write_text(json.dumps(CHARGE), "utf-8")
    return path


@pytest.mark.parametrize("more", [["--all"], ["--json"]])
def test_resolve_warns_of_numbers_left_out(
    file: Path, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """One line a unit on standard error, however many findings used its numbers; the answer is on standard output as
    ever.
    """
    assert main(["resolve", str(file), *more]) == 0
    captured = capsys.readouterr()
    (warning,) = captured.err.splitlines()
    assert untold(warning, f"warning: {file}: .. {WARNING}") == [], warning
    assert lines_with(captured.out, WARNING)
    assert more == ["--all"] or json.loads(captured.out)["rulings"][0]["outcome"] == "failed"


@pytest.mark.parametrize(("outcome", "code"), [("failed", 0), ("success", 1)])
def test_check_warns_of_numbers_left_out(
    file: Path, outcome: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every file is named; the exit code is that of the comparison."""
    file.write_text(json.dumps({**CHARGE, "expect": [{"outcome": outcome}]}), "utf-8")
    assert main(["check", str(file), str(file)]) == code
    warnings = capsys.readouterr().err
    assert (
        len(lines_with(warnings, f"warning: {file}: .. {WARNING}"))
        == len(warnings.splitlines())
        == 2
    )


def test_standard_input_is_warned_of(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that comes through a pipe is called by that."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(CHARGE).encode())))
    assert main(["resolve", "-"]) == 0
    (warning,) = capsys.readouterr().err.splitlines()
    assert untold(warning, f"warning: standard input: .. {WARNING}") == [], warning


def test_nothing_is_warned_of_where_all_is_given(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Numbers written down are nobody's guess."""
    text = file.read_text("utf-8").replace(
        '{"type": "mech", "tons": 10}',
        '{"type": "mech", "tons": 10, "piloting": 5, "hexes_moved": 0}',
    )
    file.write_text(text, "utf-8")
    assert main(["resolve", str(file)]) == 0
    assert main(["check", str(file)]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("scale", "is_warned"), [(25.4, True), (1.0, False)])
def test_a_board_in_millimetres_is_warned_of(
    scale: float, is_warned: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where all that is inches was written in millimetres nothing is beyond an edge: the board itself is too large for
    a room.
    """
    file = tmp_path / "large.json"
    unit = {"files": 5, "models": 10, "base": "20x20mm"}
    units = {
        "A": {
            **unit,
            "side": "blue",
            "at": [20 * scale, 20 * scale],
            "facing_deg": 90,
            "profile": {"charge_speed": 5},
        },
        "B": {**unit, "side": "red", "at": [20 * scale, 26 * scale], "facing_deg": 270},
    }
    charges = [{"charger": "A", "targets": ["B"], "dice": [4]}]
    file.write_text(
        json.dumps(
            {
                "system": "t9a",
                "board": {"width": 72 * scale, "depth": 48 * scale},
                "units": units,
                "charges": charges,
            }
        )
    )
    assert main(["resolve", str(file)]) == 0
    assert ("millimetres" in capsys.readouterr().err) == is_warned


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ([(20, 20), (32.5, 20)], "model 2 .. 11.5 in"),
        ([(20, 20), (21.5, 20), (20, 21.5), (40, 20)], "model 4 .. 17.5 in"),
        ([(20, 20), (21.5, 20), (30, 20), (31.5, 20)], "models .. 2 .. 3 .. 7.5 in"),
        (
            [(20 + 1.5 * x, 20 + 1.5 * y) for x in range(3) for y in range(2)] + [(25.7, 20)],
            "model 7 .. 2.089 in",
        ),
        ([(20, 20), (23, 20)], None),
    ],
)
@pytest.mark.parametrize("command", ["resolve", "check"])
def test_a_unit_that_begins_out_of_coherency_is_warned_of(
    at: list[tuple[float, float]],
    words: str | None,
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A 40k unit that nobody may set up so was likely mistyped: model, inches and the key of the unit are named,
    nothing else changes.
    """
    path = tmp_path / "charge.json"
    others = {"T": {"side": "red", "at": [[20, 25]], "base": "25.4mm round"}}
    units = {
        "A": {"side": "blue", "at": [[*spot] for spot in at], "base": "25.4mm round"},
        **others,
    }
    more = {
        "board": {"width": 60, "depth": 44},
        "charges": [{"charger": "A", "targets": ["T"], "dice": [1, 1]}],
        "expect": [{}],
    }
    path.write_text(json.dumps({"system": "wh40k", "units": units, **more}), "utf-8")
    assert main([command, str(path)]) == 0
    warnings = capsys.readouterr().err.splitlines()
    assert [
        untold(warning, f"warning: {path}: units.A: .. {words} .. `at`") for warning in warnings
    ] == ([] if words is None else [[]])


@pytest.mark.parametrize(
    ("legs", "modifier", "is_warned"), [(4, -2, True), (4, -1, False), (2, -2, False)]
)
def test_the_modifier_of_four_legs_is_warned_of_beside_them(
    legs: int, modifier: int, is_warned: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Four legs give -2 by themselves; a file of before holds it besides."""
    path = tmp_path / "charge.json"
    mech = {"type": "mech", "tons": 50, "piloting": 5, "hexes_moved": 0}
    units = {
        "A": {"side": "blue", "hex": "0507", "facing": "N", "profile": {**mech, "walk": 5}},
        "B": {
            "side": "red",
            "hex": "0506",
            "facing": "N",
            "profile": {**mech, "legs": legs, "psr_modifier": modifier},
        },
    }
    charges = [
        {"charger": "A", "targets": ["B"], "hexes_moved": 1, "movement": "run", "dice": [1, 1]}
    ]
    board = {"columns": 15, "rows": 17}
    path.write_text(
        json.dumps({"system": "battletech", "board": board, "units": units, "charges": charges}),
        "utf-8",
    )
    assert main(["resolve", str(path)]) == 0
    warned = lines_with(
        capsys.readouterr().err, f"warning: {path}: units.B.profile.psr_modifier: .. legs = 4 .. -2"
    )
    assert bool(warned) == is_warned


REGIMENTS: dict[str, Any] = {
    "system": "t9a",
    "board": {"width": 72, "depth": 48},
    "point": "t9a.combined.totals",
    "units": {
        "A": {
            "side": "blue",
            "at": [38, 32],
            "facing_deg": 270,
            "files": 5,
            "models": 15,
            "base": "20x20mm",
            "profile": {},
        },
        "B": {
            "side": "Blue",
            "at": [38, 24],
            "facing_deg": 90,
            "files": 7,
            "models": 14,
            "base": "20x20mm",
            "accuracy": 0.1,
        },
    },
    "charges": [{"charger": "A", "targets": ["B"], "dice": [6]}],
    "proposal": {"units": {"A": {"at": [38, 24], "facing_deg": 270}}},
    "expect": [{}],
}
LOOSE: dict[str, Any] = {
    "system": "wh40k",
    "board": {"width": 2000, "depth": 1000},
    "rules": {"vertical": "body"},
    "units": {
        "A": {"side": "blue", "at": [[20, 20], [21.5, 20], [50, 20]], "base": "1mm"},
        "B": {"side": "red", "at": [[20, 26]], "base": "32mm", "profile": {"height": 2}},
    },
    "charges": [{"charger": "A", "targets": ["B"], "dice": [6, 6]}],
    "proposal": {"units": {"A": {"at": [[20, 20], [21.5, 20], [50, 20]]}}},
    "expect": [{}],
}
COMMANDS = {
    "resolve": (),
    "check": (),
    "judge": (),
    "odds": (),
    "draw": ("-o", "OUT"),
    "explore": ("--vary", "units.B.x=38,39", "--workers", "1"),
    "compare": ("--set", "edition=EDITION"),
}


def _warned(
    command: str,
    tables: dict[str, Any],
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    *more: str,
) -> list[str]:
    """Run a command on a file and return what it warns of, without the mark and the name of the file."""
    file = folder / "table.json"
    file.write_text(json.dumps(tables), "utf-8")
    filled = {
        "OUT": str(folder / "out.svg"),
        "edition=EDITION": f"edition={find(tables['system']).editions[0]}",
    }
    assert main(
        [command, str(file), *(filled.get(word, word) for word in more or COMMANDS[command])]
    ) in (0, 1, 6)
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("warning: ")]
    assert all(line.startswith(f"warning: {file}: ") for line in lines)
    return [line.removeprefix(f"warning: {file}: ") for line in lines]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_warns_of_regiments(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A speed left out, a point that nothing turns on, sides that differ in capitals: each once, with every command."""
    speed, point, sides = _warned(command, REGIMENTS, tmp_path, capsys)
    assert untold(speed, "A: charge_speed .. 0") == []
    assert untold(point, "point: .. t9a.combined.totals") == []
    assert untold(sides, "'blue' .. 'Blue' .. capitals") == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_warns_of_loose_models(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A place that was mistyped, a height left out, a board in millimetres, and a base in inches."""
    at, height, board, base = _warned(command, LOOSE, tmp_path, capsys)
    assert untold(at, "units.A: model 3 .. `at`") == []
    assert untold(height, "A: height .. 0") == []
    assert untold(board, "2000 .. 1000 .. millimetres") == []
    assert untold(base, "A: .. 1 mm .. inches") == []


def test_the_board_alone_is_warned_of_as_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without rulings nothing is said of numbers left out and of the point."""
    out = str(tmp_path / "board.svg")
    (sides,) = _warned("draw", REGIMENTS, tmp_path, capsys, "--board", "-o", out)
    assert "capitals" in sides


def test_what_is_varied_is_not_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A number that `explore` varies is given."""
    tables = {**REGIMENTS, "point": ""}
    (sides,) = _warned(
        "explore",
        tables,
        tmp_path,
        capsys,
        "--vary",
        "units.A.profile.charge_speed=4,5",
        "--workers",
        "1",
    )
    assert "capitals" in sides


def test_odds_on_a_table_without_its_profile_warn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The example of the README succeeds with every roll; without the charge speed it does not, and that is told."""
    text = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    example = re.search(r"```toml\n(system.*?)```", text, re.DOTALL)
    assert example is not None
    file = tmp_path / "example.toml"
    file.write_text(re.sub(r"^profile = .*$", "", example[1], flags=re.MULTILINE), "utf-8")
    assert main(["odds", str(file)]) == 0
    assert lines_with(capsys.readouterr().err, f"warning: {file}: .. charge_speed .. 0")


@pytest.mark.parametrize(
    ("size", "is_asked"),
    [("120x80", True), ("120x80mm", False), ("50x45in", False), ("6x4", False), ("slide", False)],
)
def test_a_page_in_inches_is_asked_about(
    size: str, is_asked: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody prints ten feet: 120x80 was meant in millimetres, unless it says in."""
    out = tmp_path / "out.svg"
    assert main(["draw", "t9a/wheel-and-align", "--board", "--size", size, "-o", str(out)]) == 0
    asked = lines_with(capsys.readouterr().err, f"warning: --size {size} .. {size}mm")
    assert bool(asked) == is_asked
    assert out.exists()
