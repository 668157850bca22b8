"""Keys and values that are misread are refused at once; what means something to its key stays legal."""

import json
import re
from pathlib import Path

import pytest

from tabletop.cli import main
from tabletop.errors import ScenarioError, UsageError
from tabletop.exploring.explore import explore, sweep_of
from tabletop.scenario.reading import read_tables
from tests.drill.files import march_json

MISREAD = {
    "units.A=rndom:100": "'rndom:100' .*units.B=board.*START:STOP:STEP",
    "units.A=1:3:1": ": 1 .*units.B.at.0",
    "units.A.at=3": ": 3 .*units.B.at.0",
    "board=3": ": 3 .*units.B.at.0",
    "at.0=1:2": "'at' .*'units'",
    "units.A.at.0=1:2": "'1:2'.*START:STOP:STEP",
    "units.A.at.0=1:2:1:2": "'1:2:1:2'.*START:STOP:STEP",
    "units.A.at.0=1:x:1": "=1:x:1: .*START:STOP:STEP",
    "units.A.x=20,west": "START:STOP:STEP.*'west'",
    "units.A.profile.pace=3,fast": "'fast'",
    "units.A.files=3:4:0.5": r"\b3\.0\b.* 3\b",
    "units.A.base=25,large": "\"25x50mm\".*'large'",
    "units.A.base=25x25mm,32mm round": r'"25x50mm" .*\'32mm round\'',
    "units.B.status.0=keen,tierd": "'tired' .*'keen'.*'tierd'.*did you mean 'tired'",
    "rules.halt=early,lte": "'early' .*'late'.*'lte'.*did you mean 'late'",
    "rules.halt=1:3:1": r"'early' .*'late'.* 1\b",
    "edition=2nd,3rd": "'2nd' .*'1st'.*'3rd'",
    "system.bonus=1,much": "system.bonus: .*'much'",
    "system.bnous=1": "did you mean 'bonus'",
    "charges.0.charger=A,Zed": "'Zed' .*'A', 'B'",
    "charges.0.targets.0=B,Zed": "'Zed' .*'A', 'B'",
    "charges.0.dice.0=1,two": r"\b1 .*\b6\b.*'two'",
    "units.A.profile.pase=1": "did you mean 'pace'",
}
UNDERSTOOD = (
    *(
        "rules.halt=early,late",
        "rules.halt=late",
        "edition=1st,2nd",
        "units.B.status.0=keen,tired",
        "units.A.base=25x25mm,20x20mm",
        "units.A.base=20,25",
    ),
    *(
        "title=a:b",
        "charges.0.charger=A,B",
        "charges.0.cry=hurrah:hurrah",
        "system.bonus=0:2:0.5",
        "units.A.side='blue:1','1:2:3'",
    ),
    *(
        "units.A.profile.pace=0:20:1",
        "units.A.profile.mood=0,4,10",
        "units.A.x=-5:60:5",
        "units.B=board",
        "charges.0.dice.0=0:7:1",
    ),
    *("units.A.models=1:20:1", "units.A.files=1:20:1"),
)


@pytest.mark.parametrize(("vary", "message"), MISREAD.items())
def test_what_is_misread_is_a_slip(vary: str, message: str, file: Path) -> None:
    """Each is refused before anything is resolved, with the key, the value, and what was expected."""
    with pytest.raises(UsageError, match=message) as told:
        sweep_of(file, [vary])
    assert str(told.value).startswith(f"--vary {vary.partition('=')[0]}")


@pytest.mark.parametrize("vary", UNDERSTOOD)
def test_what_is_understood_stays(vary: str, file: Path) -> None:
    """Words of the key, and numbers of its kind even beyond its limits, are taken."""
    assert len(sweep_of(file, [vary]).grid)


@pytest.mark.parametrize(
    ("name", "vary"),
    [
        ("conquest/a-friend-that-is-held", "units.{}.facing_deg=east"),
        ("wh40k/one-contact-of-two", "units.{}.models.0.at.0=1:2"),
        ("wh40k/one-contact-of-two", "units.{}.base=32mm oval,32mm round"),
        ("battletech/a-wall-comes-down", "units.{}.hex=0505,5x05"),
        ("battletech/a-wall-comes-down", "units.{}.facing=N,North"),
    ],
)
def test_every_kind_of_unit(name: str, vary: str) -> None:
    """Regiments, stands, loose models and hexes alike."""
    with pytest.raises(UsageError, match="--vary units"):
        sweep_of(name, [vary.format(next(iter(read_tables(name)["units"])))])


def test_places_of_a_board_of_hexes_are_not_looked_at_one_by_one() -> None:
    """They come from the board itself."""
    tables = read_tables("battletech/a-wall-comes-down")
    what = sweep_of("battletech/a-wall-comes-down", [f"units.{next(iter(tables['units']))}=board"])
    assert what.grid.axes[0].are_sure


@pytest.mark.parametrize("vary", ["units.A.profile.pace=-5:-1:1", "units.A.profile.mood=10,11"])
def test_a_table_of_nothing_but_invalid_cases(
    vary: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says nothing: the command ends with 3 and the first reason; Python gives the arrays, in which it stands."""
    assert main(["explore", str(file), "--vary", vary, "--workers", "1"]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    key, first = re.split("[=:,]", vary)[:2]
    assert re.fullmatch(
        rf"error: {re.escape(f'{file}: {key}: ')}.* {first}\b.*\bcase.*\n", captured.err
    )
    assert set(explore(file, [vary], workers=1).column("outcome").tolist()) == {"invalid"}


def test_faces_that_do_not_fit_anywhere(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What only resolving brings to light is a reason too."""
    assert (
        main(["explore", str(file), "--vary", "rules.halt=late", "--dice", "3,4", "--workers", "1"])
        == 3
    )
    assert re.search(r"march\.json: --dice: .*\b1 .*\b2\b.*\bcase", capsys.readouterr().err)


def test_one_case_that_can_be_is_enough(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Invalid cases are counted beside it, and cases without a verdict are none."""
    assert (
        main(
            [
                "explore",
                str(file),
                "--vary",
                "units.A.profile.mood=10,0",
                "--workers",
                "1",
                "--json",
            ]
        )
        == 0
    )
    assert json.loads(capsys.readouterr().out)["outcomes"] == {"invalid": 1, "success": 1}
    assert (
        main(["explore", str(file), "--vary", "units.A.profile.mood=4", "--workers", "1", "--json"])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["outcomes"] == {"no_verdict": 1}


def test_a_number_that_does_not_go_with_another(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Fewer models than files make some cases invalid, not the whole question."""
    assert (
        main(["explore", str(file), "--vary", "units.A.models=1:20:1", "--workers", "1", "--json"])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["outcomes"]["invalid"] == 4


def test_a_map_without_a_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A map of chances of which no place can be is refused with the reason, too."""
    given = {"profile": {"charge_speed": 0}}
    table = {
        "system": "t9a",
        "board": {"width": 30.0, "depth": 30.0},
        "units": {
            "A": {
                "side": "blue",
                "at": [15.0, 15.5],
                "facing_deg": 90.0,
                "files": 2,
                "models": 2,
                "base": "25x25mm",
                **given,
            },
            "B": {
                "side": "red",
                "at": [15.0, 28.0],
                "facing_deg": 270.0,
                "files": 5,
                "models": 5,
                "base": "25x25mm",
            },
        },
        "charges": [{"charger": "A", "targets": ["B"]}],
    }
    file = tmp_path / "t.json"
    file.write_text(json.dumps(table), encoding="utf-8")
    assert (
        main(["explore", str(file), "--question", "threat", "--step", "30", "--workers", "1"]) == 3
    )
    assert re.match(
        r"error: .*t\.json: units\.A\.at: 'A' .*'B' overlap .*\b0\.5 in\b.*\bcase",
        capsys.readouterr().err,
    )


def test_a_file_of_an_unknown_game(tmp_path: Path) -> None:
    """What is wrong with the file itself is told as such."""
    file = tmp_path / "t.json"
    file.write_text(march_json({"system": "chess"}), encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"t\.json: system: .*'chess'"):
        explore(file, ["rules.halt=late"], workers=1)
