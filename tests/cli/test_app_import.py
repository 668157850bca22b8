"""Scenarios from other programs' files: what they come to, what is said to be left out, and what is refused."""

import json
import math
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import tabletop
from tabletop import registry
from tabletop.cli import main
from tabletop.errors import ScenarioError
from tabletop.importing.imported import FOREIGN_BYTES, KINDS, Imported, Remarks, scenario_text
from tabletop.importing.megamek import import_board
from tabletop.registry import find
from tabletop.scenario.reading import read_tables
from tests.messages import lines_with, untold

UNITS = """
[units.A]
side = "blue"
hex = "0104"
facing = "N"
profile = { type = "mech", tons = 65, walk = 8 }
[units.B]
side = "red"
hex = "0101"
facing = "S"
profile = { type = "mech", tons = 55 }
[[charges]]
charger = "A"
targets = ["B"]
"""
BOARD = """# of our own
size 6 4
option exit_roads_to_pavement false
hex 0101 0 "woods:1;foliage_elev:2" ""
hex 0102 1 "rough:1" ""\r
hex 0103 0 "" ""
hex 0104 -1 "pavement:1" ""
HEX 0201 -1 "water:2" "snow"
hex 0301 0 "building:2:8;bldg_cf:40;bldg_elev:2;bldg_basement_type:1" ""
hex 0302 0 "building:2:1;bldg_cf:40;bldg_elev:2;bldg_basement_type:1;road:1:9" ""
hex 0303 0 "building:2:0;bldg_cf:40" ""
hex 0401 0 "road:1:9" ""
hex 0402 0 "road:1:9;woods:2;swamp:1" ""
hex 0403 25 "woods:3" ""
hex 0404 0 "building:1" ""
hex 0501 0 "impassable:1;smoke:2" ""
hex 0501 0 "impassable:1;smoke:2" ""
hex 0502 0 "building:1;bldg_cf:900" ""
hex 0503 0 "building:5;bldg_cf:20;water:40" ""
hex 0504 0 "woods;rubble:3;pavement:1" ""
hex 0505 0 "woods:1" ""
hex 06 x "woods:1" ""
hex 0103 0 "rough:1;rough:1" ""
what is this
"""


def _converted(
    capsys: pytest.CaptureFixture[str], arguments: Sequence[str], out: Path
) -> tuple[dict[str, Any], str]:
    """Run a command with -o, and give the tables it wrote and what it said."""
    assert main(["import", *arguments, "-o", str(out), "--force"]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    comments = " ".join(
        line.removeprefix("#").strip()
        for line in out.read_text("utf-8").splitlines()
        if line.startswith("#")
    )
    for line in said.err.splitlines():
        assert line.removeprefix("note: ") in comments
    return read_tables(out), said.err


def test_a_board_of_megamek(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every hex is what the board says, what cannot be told is named, and a charge on it is resolved."""
    source = tmp_path / "own.board"
    out = tmp_path / "own.toml"
    source.write_bytes(BOARD.encode())
    tables, said = _converted(capsys, ["megamek", str(source)], out)
    assert (tables["system"], tables["title"], tables["board"]) == (
        "battletech",
        "own",
        {"columns": 6, "rows": 4},
    )
    assert "charges" not in tables
    found = {
        (
            piece["kind"],
            *(piece[key] for key in ("level", "depth", "cf") if key in piece),
            *piece["hexes"],
        )
        for piece in tables["terrain"]
    }
    assert found == {
        ("level", 1, "0102"),
        ("level", -1, "0104", "0201"),
        ("level", 20, "0403"),
        ("light_woods", "0101"),
        ("heavy_woods", "0402", "0403"),
        ("rough", "0102", "0103"),
        ("rubble", "0504"),
        ("pavement", "0104", "0401"),
        ("water", 2, "0201"),
        ("water", 20, "0503"),
        ("building", 40, "0301", "0302"),
        ("building", 40, "0303"),
        ("building", 15, "0404"),
        ("prohibited", "0403", "0501", "0502", "0503"),
        ("heavy_smoke", "0501"),
    }
    for parts in (
        "option .. line 3",
        "theme 'snow'",
        "bldg_elev .. 0301 .. 0302",
        "1 .. road .. building .. 0302",
        "1 .. roads .. pavement .. 0401",
        "1 .. road .. woods .. 0402",
        "1 .. pavement .. rubble .. 0504",
        "1 .. swamp:1 .. rough .. 0402",
        "1 .. swamp:1 .. woods .. 0402",
        "1 .. woods:3 .. heavy_woods .. 0403",
        "1 .. 25 .. -20 .. 20 .. prohibited .. 0403",
        "1 .. building:1 .. bldg_cf .. 15 .. 0404",
        "twice .. 0501 .. 0103",
        "1 .. building .. 900 .. 1 .. 150 .. prohibited .. 0502",
        "1 .. wall .. prohibited .. 0503",
        "1 .. water:40 .. water .. 0503",
        "1 .. 'woods' .. 0504",
        "board .. 0505",
        "line 22 .. line 24",
        "8 .. clear .. 0 .. 0601 .. 0202 .. 0602 .. 0203 .. 0603 .. 0204 .. 0304 .. 0604",
        "1 .. rough .. twice .. 0103",
        "file .. line .. end",
    ):
        assert len(lines_with(said, f"note: .. {parts}")) == 1, parts
    assert not untold(said.splitlines()[-1], "theme 'snow'")
    assert main(["draw", "--board", str(out), "-o", str(tmp_path / "board.svg")]) == 0
    out.write_text(out.read_text("utf-8") + UNITS, "utf-8")
    assert tabletop.resolve(out).rulings[0].outcome in ("success", "failed")


@pytest.mark.parametrize(
    ("terrain", "kinds", "remark"),
    [
        ("impassable:0", {"prohibited"}, ""),
        ("impassable:3", {"prohibited"}, ""),
        ("pavement:2", {"pavement"}, ""),
        ("road:0:9", {"pavement"}, "roads .. pavement .. 0101"),
        ("road:4:9", {"pavement"}, "roads .. pavement .. 0101"),
        ("building:4;bldg_cf:150", {"building"}, ""),
        (
            "building:4;bldg_cf:151",
            {"prohibited"},
            "building .. 151 .. 1 .. 150 .. prohibited .. 0101",
        ),
        ("building:1;bldg_cf:0", {"prohibited"}, "building .. 0 .. 1 .. 150 .. prohibited .. 0101"),
        ("building:5:9;bldg_cf:90", {"prohibited"}, "wall .. prohibited .. 0101"),
        ("building:7;bldg_cf:90", {"prohibited"}, "building:7 .. prohibited .. 0101"),
        (
            "fuel_tank:1:0;fuel_tank_cf:15;fuel_tank_elev:2;fuel_tank_magn:50",
            {"building"},
            "fuel_tank .. building .. 0101",
        ),
        ("fuel_tank:3", {"building"}, "fuel_tank:3 .. fuel_tank_cf .. 90 .. 0101"),
        ("jungle:1", {"heavy_woods"}, "jungle:1 .. heavy_woods .. 0101"),
        ("jungle:3;foliage_elev:3", {"heavy_woods"}, "jungle:3 .. heavy_woods .. 0101"),
        ("woods:3", {"heavy_woods"}, "woods:3 .. heavy_woods .. 0101"),
        ("woods:0", {"light_woods"}, "woods:0 .. light_woods .. 0101"),
        ("swamp:1", {"rough"}, "swamp:1 .. rough .. 0101"),
        ("swamp:3", {"prohibited"}, "swamp:3 .. prohibited .. 0101"),
        ("mud:1", {"rough"}, "mud:1 .. rough .. 0101"),
        ("rough:2", {"rough"}, "rough:2 .. rough .. 0101"),
        ("rubble:6", {"rubble"}, "rubble:6 .. rubble .. 0101"),
        ("magma:1", {"rough"}, "magma:1 .. rough .. 0101"),
        ("magma:2", {"prohibited"}, "magma:2 .. prohibited .. 0101"),
        ("water:2;rapids:1", {"water"}, "rapids:1 .. water .. 0101"),
        ("rapids:2", {"prohibited"}, "rapids:2 .. prohibited .. 0101"),
        ("water:-1", {"prohibited"}, "water:-1 .. prohibited .. 0101"),
        ("space:1", {"prohibited"}, "space:1 .. prohibited .. 0101"),
        ("snow:1", set(), "snow:1 .. 0101"),
        ("snow:2", {"rough"}, "snow:2 .. rough .. 0101"),
        ("water:1;bridge:1:9;bridge_cf:40;bridge_elev:1", {"water"}, "bridge .. 0101"),
        ("smoke:3", {"light_smoke"}, "smoke:3 .. light_smoke .. 0101"),
        ("rubble:1;rough:2;impassable:1", {"rubble", "prohibited"}, "rough:2 .. rubble .. 0101"),
        ("ground_fluff:3:2", set(), "ground_fluff"),
    ],
)
def test_no_hindrance_of_a_board_is_lost(terrain: str, kinds: set[str], remark: str) -> None:
    """Terrain is its own kind, the nearest that there is, or prohibited; what is not its own kind is said."""
    imported = import_board(f'size 1 1\nhex 0101 0 "{terrain}" ""\nend\n'.encode(), "own.board")
    assert {piece["kind"] for piece in imported.tables.get("terrain", [])} == kinds
    assert (
        any(not untold(told, remark) for told in imported.remarks)
        if remark
        else not imported.remarks
    )
    scenario_text(imported)


def test_remarks_on_a_board_begin_with_what_changes_verdicts() -> None:
    """Walls are counted first, then other ground, then the rest; all that is there for looks is one line at the end."""
    row = [
        f'hex {n:02d}01 0 "{("building:5;bldg_cf:90", "road:1:9;ground_fluff:1")[n > 20]}" "grass"'
        for n in range(1, 31)
    ]
    board = ["size 30 1", "option exit_roads_to_pavement false", *row, "end"]
    walls, roads, option, looks = import_board("\n".join(board).encode(), "own.board").remarks
    assert untold(walls, "20 .. wall .. prohibited .. 0101 .. 0201") == []
    assert untold(roads, "10 .. roads .. pavement .. 2101") == []
    assert untold(option, "option .. line 2") == []
    assert untold(looks, "theme 'grass' .. ground_fluff") == []


def test_fuel_tanks_are_buildings_of_their_own() -> None:
    """A tank of two hexes is one building, and none with the building beside it of the same factor."""
    rows = [
        "size 1 3",
        *(f'hex 010{n} 0 "fuel_tank:1:9;fuel_tank_cf:15" ""' for n in (1, 2)),
        'hex 0103 0 "building:1:9;bldg_cf:15" ""',
        "end",
    ]
    terrain = import_board("\n".join(rows).encode(), "own.board").tables["terrain"]
    assert [(piece["kind"], piece["cf"], piece["hexes"]) for piece in terrain] == [
        ("building", 15, ["0101", "0102"]),
        ("building", 15, ["0103"]),
    ]


def test_a_board_without_oddities_has_no_remarks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is said of what is understood; without -o the file is printed, and read from standard output as it
    stands.
    """
    source = tmp_path / "plain.board"
    source.write_text('size 2 1\nhex 0101 0 "" ""\nhex 0201 2 "woods:2" ""\nend\nnot read', "utf-8")
    assert main(["import", "megamek", str(source)]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    again = tabletop.scenario.reading.case_from_text(said.out)
    assert [piece.kind for piece in again.state.hex_terrain] == ["level", "heavy_woods"]


def test_a_city_has_more_buildings_than_pieces_of_terrain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are read hex by hex, and the result can be used."""
    rows = [
        f'hex {column:02d}{row:02d} {column % 5} "building:1:{(0, 8, 1)[row % 3]};bldg_cf:{10 + column % 2}" ""'
        for row in range(1, 41)
        for column in range(1, 41)
    ]
    (tmp_path / "city.board").write_text("\n".join(["size 40 40", *rows, "end"]), "utf-8")
    tables, said = _converted(
        capsys, ["megamek", str(tmp_path / "city.board")], tmp_path / "city.toml"
    )
    assert lines_with(said, "note: .. buildings")
    assert sum(piece["kind"] == "building" for piece in tables["terrain"]) == 40 * 40


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "MegaMek .. size 16 17 .. hex 0101 0"),
        (b"hello\nsize 16 17\n", "MegaMek .. size 16 17 .. hex 0101 0"),
        (b"size 16 17\nend\n", "MegaMek .. size 16 17 .. hex 0101 0"),
        (b"size 120 17\n", "line 1: .. 120 .. 17 .. 99 .. 99"),
        (b"size 0 17\n", "line 1: .. 1 1 .. 99 99 .. '0 17'"),
        (b"size 9\n", "line 1: .. 1 1 .. 99 99 .. '9'"),
        ("size ² 3".encode(), "line 1: .. 1 1 .. 99 99 .. '² 3'"),
        (b"\xff\xfe", "UTF-8 .. UTF-16"),
        (b"size 2 2\nhex 0101 0 \xe4", "UTF-8 .. byte 20 .. 0xe4 .. line 2"),
        (b'size 2 2\nhex 0101 99999999999 "" ""\n', "MegaMek .. size 16 17 .. hex 0101 0"),
        (b"\0" * 100, "UTF-8 .. UTF-16"),
        (b"#" * (FOREIGN_BYTES + 1), "33,554,432"),
    ],
)
def test_what_is_no_board(
    text: bytes, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 3 with one clear error that names the file."""
    file = tmp_path / "no.board"
    file.write_bytes(text)
    assert main(["import", "megamek", str(file)]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert untold(said.err, f"error: {file}: .. {words}") == [], said.err


def test_files_are_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An existing OUT: exit 2, unless --force; a file that is not there: exit 3."""
    (tmp_path / "a.board").write_text('size 1 1\nhex 0101 0 "" ""\nend\n', "utf-8")
    out = tmp_path / "out.toml"
    out.write_text("mine", "utf-8")
    assert main(["import", "megamek", str(tmp_path / "a.board"), "-o", str(out)]) == 2
    assert untold(capsys.readouterr().err, f"error: {out}: .. --force") == []
    assert out.read_text("utf-8") == "mine"
    assert main(["import", "megamek", str(tmp_path / "a.board"), "-o", str(out), "--force"]) == 0
    assert main(["import", "megamek", str(tmp_path / "none.board")]) == 3
    assert main(["import", "megamek", str(tmp_path)]) == 3


def thing(
    name: str, x: Any, z: Any, turn: float = 0.0, words: str = "", **more: Any
) -> dict[str, Any]:
    """Return an object of a save of our own."""
    place = {
        "posX": x,
        "posY": 1.0,
        "posZ": z,
        "rotX": 0.0,
        "rotY": turn,
        "rotZ": 0.0,
        "scaleX": 1.0,
        "scaleY": 1.0,
        "scaleZ": 1.0,
    }
    return {
        "Name": "Custom_Model",
        "Transform": place,
        "Nickname": name,
        "Description": words,
        "GMNotes": "",
        **more,
    }


def _save(path: Path, things: Any) -> str:
    path.write_text(json.dumps({"SaveName": "ours", "ObjectStates": things}), "utf-8")
    return str(path)


def _block(
    name: str, files: int, count: int, size: float, turn: float, words: str
) -> list[dict[str, Any]]:
    """Return models in ranks and files, the middle of the front edge at (10, 5) of a save, looking as `turn` says, the
    last rank left.
    """
    ahead = math.sin(math.radians(turn)), math.cos(math.radians(turn))
    placed = []
    for number in range(count):
        right = (number % files - (files - 1) / 2) * size
        back = (number // files + 0.5) * size
        x = 10 + right * ahead[1] - back * ahead[0]
        y = 5 - right * ahead[0] - back * ahead[1]
        placed.append(thing(name, x, y, turn, words))
    return placed


def test_loose_models_of_a_save(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bases, places, turns, sides and profiles are those of the objects; all else is named."""
    fallen = thing("Fallen", 5, 5, 0, "32mm round")
    fallen["Transform"]["rotX"] = 90.0
    high = thing("Guard", 4, 4, 0, "32mm round\nside: blue")
    high["Transform"]["posY"] = 4.0
    nowhere = thing("Nowhere", 1, 1)
    nowhere["Transform"].pop("posX")
    things = [
        thing("Mat", 2, 1, 90.0, "table 44x60in"),
        *(
            thing(
                "[00ff00]2/2[-] Guard",
                2 + 1.5 * n,
                -10,
                0.0,
                "32mm round\nside: blue\nmovement: 5\nmovement: 6",
            )
            for n in range(3)
        ),
        high,
        thing("Boss", 2, -12, 30.0, "42x75mm oval\nunit: Guard\nside: blue"),
        *(thing("Horde", n, 8, 180.0, "28.5mm base\nkeywords: [fast]") for n in range(0, 6, 2)),
        thing("Horde", 1, 12, 180.0, "28.5mm base\nside: red\nmovement: 4"),
        thing("Horde", 3, 12, 180.0, "28.5mm base\nside: red\nmovement: 5"),
        thing("Two", 1, 12, 180.0, "28.5mm base 32mm round"),
        thing("", 1, 13, 180.0, "32mm round"),
        thing("Gun, 120mm", 1, 13),
        thing("Block 6x4in height 3", 15, 0, 45.0),
        thing("Wall 4x1in", -15, 0),
        thing("Barricade", -15, 0),
        thing("Area 3x3in 4x4in", -15, 0),
        thing("Impassable 3in round", -15, 5),
        thing("Ruin", 10, 10, 90.0, "terrain: area", Bounds={"size": {"x": 4, "y": 3, "z": 6}}),
        thing(
            "Wood",
            -10,
            10,
            30.0,
            "terrain: area",
            BoundsNormalized={"size": {"x": 4, "y": 3, "z": 6}},
        ),
        thing("Hut", -10, 15, 30.0, "terrain: block", Bounds={"size": {"x": 4, "y": 3, "z": 6}}),
        thing("Off", 50, 50, 0, "32mm round"),
        thing("Bag", 0, 0, ContainedObjects=[thing("Horde", 0, 0, 0, "32mm round")] * 7),
        fallen,
        nowhere,
        "no object",
    ]
    tables, said = _converted(
        capsys,
        ["tts", _save(tmp_path / "game.json", things), "--system", "wh40k"],
        tmp_path / "game.toml",
    )
    assert tables["board"] == {"width": 60, "depth": 44}
    units = tables["units"]
    assert set(units) == {"Guard", "Horde", "Horde 2"}
    assert units["Guard"]["models"][0] == {
        "at": [30.0, 11.0],
        "facing_deg": 90.0,
        "base": "32mm round",
    }
    assert units["Guard"]["models"][-1] == {
        "at": [30.0, 9.0],
        "facing_deg": 60.0,
        "base": "75x42mm oval",
    }
    assert units["Guard"]["profile"] == {"movement": 5.0}
    horde = {
        "side": "unknown",
        "at": [[28.0, 29.0], [30.0, 29.0], [32.0, 29.0]],
        "facing_deg": 270.0,
        "base": "28.5mm round",
    }
    assert units["Horde"] == horde
    assert units["Horde 2"]["side"] == "red"
    shapes = [piece.get("rectangle") or piece["circle"] for piece in tables["terrain"]]
    assert shapes[0] == {"centre": [43.0, 21.0], "width": 6.0, "depth": 4.0, "angle_deg": 315.0}
    assert shapes[1] == {"centre": [13.0, 26.0], "radius": 1.5}
    assert shapes[2] == {"centre": [38.0, 31.0], "width": 6.0, "depth": 4.0, "angle_deg": 270.0}
    assert shapes[3] == {"centre": [18.0, 31.0], "width": 4.0, "depth": 6.0, "angle_deg": 330.0}
    assert len(shapes) == 4
    for parts in (
        "object 26 .. object 27",
        "7 .. bags",
        "base .. terrain .. 'Gun, 120mm' .. 'Bag'",
        "wall .. height 4 .. 'Wall 4x1in'",
        "size .. 'Area 3x3in 4x4in'",
        "box .. 'Ruin' .. 'Wood'",
        "'Hut'",
        "'Off'",
        "upright .. 'Fallen'",
        "height .. 'Guard'",
        "base .. 'Two'",
        "name .. object 13",
        "\"unknown\" .. side: NAME .. 'Horde'",
        "profile.keywords: ",
        "profile.movement .. 'Horde 2'",
    ):
        assert lines_with(said, f"note: .. {parts}"), parts
    text = (tmp_path / "game.toml").read_text("utf-8")
    assert "\naccuracy = 0.05\n" in text
    assert (
        main(["draw", "--board", str(tmp_path / "game.toml"), "-o", str(tmp_path / "game.svg")])
        == 0
    )


@pytest.mark.parametrize("turn", [0.0, 37.0, 180.0, -90.0])
@pytest.mark.parametrize(("files", "count"), [(5, 5), (5, 13), (1, 4), (6, 1)])
def test_regiments_of_a_save(
    files: int, count: int, turn: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Models in ranks and files are one regiment, its place that of its front edge."""
    words = "20x20mm\ncharge_speed: 5\nside: blue"
    things = [
        thing("Gaming table 6x4ft", 0, 0),
        *_block("Spears", files, count, 20 / 25.4, turn, words),
    ]
    tables, said = _converted(
        capsys,
        ["tts", _save(tmp_path / "game.json", things), "--system", "t9a"],
        tmp_path / "game.toml",
    )
    spears = tables["units"]["Spears"]
    assert spears["at"] == pytest.approx((46.0, 29.0) if files <= count else spears["at"], abs=1e-3)
    assert (spears["files"], spears["models"], spears["base"]) == (
        min(files, count),
        count,
        "20x20mm",
    )
    assert spears["facing_deg"] == pytest.approx((90.0 - turn) % 360.0)
    assert spears["profile"] == {"charge_speed": 5.0}
    assert said == ""
    case = tabletop.read_case(tmp_path / "game.toml")
    regiment = case.state.units["Spears"]
    assert regiment.models == count


def test_regiments_and_loose_models_of_a_save(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a game has both, what is in ranks and files is a regiment, and everybody else stands loose."""
    monkeypatch.setitem(registry.BUILT_IN, "warband", "tests.warband:SYSTEM")
    spears = _block("Spears", 5, 13, 20 / 25.4, 0.0, "20x20mm\nside: blue")
    words = "25x25mm\nside: red"
    things = [
        *spears,
        thing("Hero", 0, 0, 0, "40mm round\nside: red"),
        thing("Pair", -4, 4, 0, words),
        thing("Pair", -8, 5, 50.0, words),
    ]
    tables, said = _converted(
        capsys,
        ["tts", _save(tmp_path / "game.json", things), "--system", "warband", "--board", "48x48"],
        tmp_path / "game.toml",
    )
    assert (tables["units"]["Spears"]["files"], tables["units"]["Spears"]["models"]) == (5, 13)
    assert tables["units"]["Hero"]["at"] == [[24.0, 24.0]]
    assert tables["units"]["Pair"]["at"] == [[20.0, 28.0], [16.0, 29.0]]
    assert (
        not lines_with(said, "'Spears'") + lines_with(said, "'Hero'") + lines_with(said, "'Pair'")
    )
    assert set(tabletop.read_case(tmp_path / "game.toml").state.units) == {"Spears", "Hero", "Pair"}


def test_blocks_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Stands, a rear rank elsewhere, models out of line, round bases, looking askew: read as what they are, or
    named.
    """
    size = 2.0
    stands = _block("Stands", 3, 5, size, 0.0, "50.8x50.8mm\nside: a")
    for stand in stands[3:]:
        stand["Transform"]["posX"] += size / 2
    crooked = _block("Crooked", 3, 6, size, 0.0, "50.8x50.8mm")
    crooked[4]["Transform"]["posZ"] += 0.3
    askew = _block("Askew", 3, 6, size, 0.0, "50.8x50.8mm")
    askew[2]["Transform"]["rotY"] = 20.0
    gap = _block("Gap", 3, 6, size, 0.0, "50.8x50.8mm")
    for one in gap[3:]:
        one["Transform"]["posZ"] -= size
    things = [
        *stands,
        *crooked,
        *askew,
        *gap,
        thing("Round", 0, 0, 0, "32mm round"),
        thing("Mixed", 0, 0, 0, "25x25mm"),
    ]
    things.append(thing("Mixed", 1, 0, 0, "20x20mm"))
    tables, said = _converted(
        capsys,
        ["tts", _save(tmp_path / "game.json", things), "--system", "conquest"],
        tmp_path / "game.toml",
    )
    assert set(tables["units"]) == {"Stands"}
    assert tables["units"]["Stands"]["stands"] == 5
    assert tables["board"] == {"width": 48, "depth": 36}
    for parts in (
        "0.1 in .. 'Crooked' .. 'Askew' .. 'Gap'",
        "25x50mm .. 'Round' .. 'Mixed'",
        "profile.march .. 5.0 .. 'Stands'",
        "48 .. 36 .. --board",
    ):
        assert lines_with(said, f"note: .. {parts}"), parts
    right = _block("Right", 3, 5, size, 0.0, "50.8x50.8mm\nside: a")
    for one in right[3:]:
        one["Transform"]["posX"] += size
    _, said = _converted(
        capsys,
        ["tts", _save(tmp_path / "game.json", right), "--system", "t9a", "--board", "72x48"],
        tmp_path / "game.toml",
    )
    assert lines_with(said, "note: .. right .. 'Right'")
    assert lines_with(said, "note: .. 72 .. 48 .. --board")


def _left_out(text: str) -> tuple[str, list[str]]:
    """Split a scenario at the first unit that is a comment, and give what comes before and the lines from there on
    without the #.
    """
    head, mark, rest = text.partition("\n# [units.")
    return head, [line.removeprefix("# ") for line in (mark + rest).splitlines()]


FIGURES = [thing("Guard", 1.5 * n, -10, 0.0) for n in range(3)]


@pytest.mark.parametrize(
    "save",
    [
        {"ObjectStates": FIGURES},
        FIGURES,
        {"ObjectStates": [thing("Box", 0, -10, Name="Bag", ContainedObjects=FIGURES)]},
        {
            "ObjectStates": [
                thing(
                    "Box",
                    0,
                    -10,
                    Name="Bag",
                    ContainedObjects=[thing("Tray", 0, 0, Name="Bag", ContainedObjects=FIGURES)],
                )
            ]
        },
        thing("Box", 0, -10, Name="Bag", ContainedObjects=FIGURES),
    ],
    ids=["save", "list", "bag", "bag in a bag", "object"],
)
def test_what_is_left_out_is_a_unit_to_complete(
    save: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Figures without a base stand as a comment with their places; uncommented, with a base, they are a unit."""
    (tmp_path / "game.json").write_text(json.dumps(save), "utf-8")
    arguments = [
        "import",
        "tts",
        str(tmp_path / "game.json"),
        "--system",
        "wh40k",
        "--board",
        "60x44",
    ]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    head, lines = _left_out(out)
    assert "[units" not in head
    guard = tomllib.loads("\n".join(lines))["units"]["Guard"]
    assert guard["base"] == "?"
    inside = "Box" in json.dumps(save)
    assert guard["at"] == [[30.0 if inside else 30.0 + 1.5 * n, 12.0] for n in range(3)]
    if not inside:
        again = tabletop.scenario.reading.case_from_text(
            head + "\n".join(lines).replace('"?"', '"32mm round"')
        )
        assert set(again.state.units) == {"Guard"}


def test_what_is_left_out_has_a_name_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where some models of a name tell their base and some do not, the others are a unit beside theirs."""
    rock = thing("impassable", 12, 5, 0, "3in round height 2")
    things = [
        thing("Guard", 0, 5, 0, "32mm round"),
        rock,
        thing("impassable 1", 99, 5, 0, "32mm round"),
        *FIGURES,
    ]
    assert main(["import", "tts", _save(tmp_path / "game.json", things), "--system", "wh40k"]) == 0
    head, lines = _left_out(capsys.readouterr().out)
    case = tabletop.scenario.reading.case_from_text(
        head + "\n".join(lines).replace('"?"', '"32mm round"').replace("129.0", "50.0")
    )
    assert {name: len(unit.models) for name, unit in case.state.units.items()} == {
        "Guard": 1,
        "Guard 2": 3,
        "impassable 1 2": 1,
    }


def test_bases_by_patterns_of_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first pattern that fits a name gives the base where the object tells none; words go first."""
    bases = tmp_path / "bases.toml"
    bases.write_text('"*GUARD*" = "32mm round"\n"*" = "25mm round"\n', "utf-8")
    things = [*FIGURES, thing("Orc", 5, 5), thing("Old Guard", 9, 9, 0.0, "40mm round")]
    arguments = [
        "tts",
        _save(tmp_path / "game.json", things),
        "--system",
        "wh40k",
        "--bases",
        str(bases),
    ]
    tables, said = _converted(capsys, arguments, tmp_path / "game.toml")
    assert {name: unit["base"] for name, unit in tables["units"].items()} == {
        "Guard": "32mm round",
        "Orc": "25mm round",
        "Old Guard": "40mm round",
    }
    board, sides = said.splitlines()
    assert untold(board, "60 .. 44") == []
    assert untold(sides, "side: NAME .. 'Guard' .. 'Orc' .. 'Old Guard'") == []
    bases.write_text('"*" = ', "utf-8")
    assert main(["import", *arguments]) == 3
    assert "bases.toml" in capsys.readouterr().err


def test_a_bad_row_of_bases_costs_that_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is named with what it should be; all other rows count, a plain number among them."""
    bases = tmp_path / "bases.toml"
    rows = [
        '"*Orc*" = "large"',
        '"Troll" = 0',
        '"Boss" = "32mm x 25mm x 3mm"',
        '"Rider" = "75 x 42mm"',
        '"Old Guard" = 40',
        "Boy.b = 1",
    ]
    bases.write_text("\n".join(rows), "utf-8")
    names = ("Orc", "Troll", "Boss", "Rider", "Old Guard", "Boy")
    things = [thing(name, 4 * number, 5) for number, name in enumerate(names)]
    arguments = [
        "tts",
        _save(tmp_path / "game.json", things),
        "--system",
        "wh40k",
        "--bases",
        str(bases),
    ]
    tables, said = _converted(capsys, arguments, tmp_path / "game.toml")
    assert {name: unit["base"] for name, unit in tables["units"].items()} == {
        "Rider": "75x42mm oval",
        "Old Guard": "40mm round",
    }
    for pattern, given in (
        ("*Orc*", "'large'"),
        ("Troll", "0"),
        ("Boss", "'32mm x 25mm x 3mm'"),
        ("Boy", "b"),
    ):
        assert lines_with(
            said, f"note: .. --bases '{pattern}': .. \"32mm round\" .. {given} .. row"
        ), pattern
    head, lines = _left_out((tmp_path / "game.toml").read_text("utf-8"))
    assert {line for line in lines if line.startswith("[units")} == {
        "[units.Orc]",
        "[units.Troll]",
        "[units.Boss]",
        "[units.Boy]",
    }
    assert "--bases 'Troll'" in head


def test_models_with_a_hull_are_left_out_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A row that says "hull" tells that there is no base: neither another row nor a box is taken for one."""
    bases = tmp_path / "bases.toml"
    bases.write_text('"Tank*" = "Hull"\n"*" = "32mm"\n', "utf-8")
    tank = thing("Tank 1", 0, 9, BoundsNormalized={"size": {"x": 3, "y": 2, "z": 4}})
    arguments = [
        "tts",
        _save(tmp_path / "game.json", [tank, *FIGURES]),
        "--system",
        "wh40k",
        "--bases",
        str(bases),
    ]
    tables, said = _converted(capsys, arguments, tmp_path / "game.toml")
    assert {name: unit["base"] for name, unit in tables["units"].items()} == {"Guard": "32mm round"}
    assert lines_with(said, "note: .. hull .. 'Tank 1'")
    assert "\n# [units.'Tank 1']\n" in (tmp_path / "game.toml").read_text("utf-8").replace('"', "'")


@pytest.mark.parametrize(
    ("words", "base"),
    [
        ("75 x 42mm", "75x42mm oval"),
        ("42 x 75 mm", "75x42mm oval"),
        ("60mm Flying Base", "60mm round"),
        ("170mm x 109mm Oval", "170x109mm oval"),
        ("28,5mm base", "28.5mm round"),
        ("A hero of 120mm guns\n28.5 mm", "28.5mm round"),
        ("side: blue\nBase: 32mm\nunit: Guard", "32mm round"),
        ("25x50mm rectangle", "25x50mm rectangle"),
        ("32mm square base", "32x32mm rectangle"),
    ],
)
def test_bases_in_texts_are_read_as_in_files(
    words: str, base: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a word two lengths are an oval's, whichever comes first."""
    arguments = [
        "tts",
        _save(tmp_path / "game.json", [thing("Guard", 0, 5, 0, words)]),
        "--system",
        "wh40k",
    ]
    tables, _ = _converted(capsys, arguments, tmp_path / "game.toml")
    assert tables["units"]["Guard"]["base"] == base


def test_a_single_length_is_a_square_in_ranks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A base of 20mm is as wide as deep; walls keep their rectangles in every game."""
    spears = _block("Spears", 5, 10, 20 / 25.4, 0.0, "20mm base\ncharge_speed: 5\nside: blue")
    tables, _ = _converted(
        capsys, ["tts", _save(tmp_path / "a.json", spears), "--system", "t9a"], tmp_path / "a.toml"
    )
    assert (tables["units"]["Spears"]["files"], tables["units"]["Spears"]["base"]) == (5, "20x20mm")
    wall = thing("Ruin", 5, 5, 0, "terrain: block\n254x50.8mm height 3")
    tables, _ = _converted(
        capsys,
        ["tts", _save(tmp_path / "b.json", [wall, *spears]), "--system", "wh40k"],
        tmp_path / "b.toml",
    )
    assert tables["terrain"][0]["rectangle"] == {
        "centre": [35.0, 27.0],
        "width": 10.0,
        "depth": 2.0,
        "angle_deg": 0.0,
    }


def test_bases_are_guessed_from_boxes_and_said_to_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A box of the size of a base is taken for it, unless the object is no figure; larger ones are not."""

    def boxed(name: str, x: float, width: float, depth: float, **more: Any) -> dict[str, Any]:
        return thing(
            name, x, 0, BoundsNormalized={"size": {"x": width, "y": 2, "z": depth}}, **more
        )

    things = [
        boxed("Guard", 0, 1.26, 1.25),
        boxed("Rider", 5, 1.65, 2.95),
        boxed("Hill", 15, 9, 9),
        boxed("Dice", 20, 1, 1, Name="Die_6"),
    ]
    tables, said = _converted(
        capsys,
        ["tts", _save(tmp_path / "game.json", things), "--system", "wh40k"],
        tmp_path / "game.toml",
    )
    assert {name: unit["base"] for name, unit in tables["units"].items()} == {
        "Guard": "32mm round",
        "Rider": "74.9x41.9mm oval",
    }
    assert lines_with(said, "note: .. 32mm round .. box .. 'Guard'")
    assert lines_with(said, "note: .. 'Hill' .. 'Dice'")
    text = (tmp_path / "game.toml").read_text("utf-8")
    assert "\n# [units.Hill]\n" in text
    assert "units.Dice" not in text
    assert [
        line
        for line in lines_with(text, "[units.Guard] .. # .. 32mm round .. box")
        if line.startswith("[")
    ]
    told = [*things, thing("Orc", 9, 3, 0, "32mm round"), boxed("Guard", 12, 1.26, 1.25)]
    _converted(
        capsys,
        ["tts", _save(tmp_path / "told.json", told), "--system", "t9a"],
        tmp_path / "told.toml",
    )
    text = (tmp_path / "told.toml").read_text("utf-8")
    assert [
        line
        for line in lines_with(text, "[units.Rider] .. # .. 41.9x74.9mm .. box")
        if line.startswith("[")
    ]
    assert lines_with(text, "# [units.Guard] .. # .. 32x31.8mm .. box")
    assert "\n# [units.Orc]\n" in text


def test_a_table_that_is_refused_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Models that overlap are read as they lie, and that the table cannot be so is one more remark."""
    things = [
        thing("A", 0, 0, 0, "32mm round\nside: a"),
        thing("B", 0.5, 0, 0, "32mm round\nside: b"),
    ]
    _, said = _converted(
        capsys,
        ["tts", _save(tmp_path / "game.json", things), "--system", "wh40k"],
        tmp_path / "game.toml",
    )
    assert lines_with(said, "note: .. units.A.at[0]: .. 'B' .. 0.759843")


@pytest.mark.parametrize(
    "things",
    [
        [],
        [
            None,
            1,
            [],
            {"Transform": []},
            {"Transform": {"posX": True, "posY": 0, "posZ": 0}},
            {"Nickname": 5},
        ],
        [thing("A", float("nan"), 0, 0, "32mm round")],
        [thing("A", float("inf"), 0, 0, "32mm round")],
        [thing("A", 1e300, 0, 0, "32mm round")],
        [thing("A", 10**400, 0, 0, "32mm round")],
        [thing("A", "1", 0, 0, "32mm round")],
        [thing("A", 0, 0, 1e8, "32mm round\nside: a")],
        [thing("\ud800\x1b[31m\n# x = 1\n[board]", 0, 0, 0, "32mm round\nside: \x00a\ud800")],
        [thing("x" * 5000, 0, 0, 0, "32mm round\nside: " + "y" * 500)],
        [thing("A", 0, 0, 0, "0mm round 5000mm round 0x0mm 1e9mm round")],
        [thing("A", 0, 0, 0, "32mm round\nmovement: " + "[" * 3000)],
        [thing("A", 0, 0, 0, "32mm round\nkeywords: {a.b.c = 1}\npivot: nan")],
        [
            thing("Area 0x0in", 0, 0),
            thing("Area 9999x9999in", 0, 0),
            thing("Block 1x1in height 9999", 0, 0),
        ],
        [
            thing("Area", 0, 0, 0, "", Bounds={"size": {"x": -1, "y": 0, "z": float("nan")}}),
            thing("Area", 0, 0, 0, "", Bounds=[]),
        ],
        [
            thing("table 0x0in", 0, 0),
            thing("table 9999x9999ft", 0, 0),
            thing("mat 3x3ft", 0, 0),
            thing("mat 4x4ft", 0, 0),
        ],
        [thing(f"Area {n}", 0, 0) for n in range(10_000)],
        [thing(f"Token {n}", 0, 0, 0, f"table {n}x{n}in 3mm") for n in range(3_000)],
        [thing("area 1", 0, 0, 0, "32mm round\nside: a"), thing("Area 1x1in", 5, 5)],
        [
            thing("A", 0, 0, 0, "32" + " " * 2_000_000 + "x" + "\n" * 2_000_000 + "25mm"),
            thing("1" + "\t \n" * 500_000 + "x", 0, 0),
        ],
        [
            thing("A", 0, 0, 0, "terrain: " * 1_000_000),
            thing("A", 0, 0, 0, "terrain: \n" * 1_000_000),
        ],
        [thing("A", 0, 0, 0, "32mm " * 20_000 + "x" * 20_000 + "1" * 20_000 + " side" * 20_000)],
    ],
    ids=range(22),
)
def test_hostile_saves_are_read_or_named(
    things: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever stands in an object, the result can be read again and nothing fails, in seconds."""
    since = time.monotonic()
    if main(["import", "tts", _save(tmp_path / "game.json", things), "--system", "wh40k"]) == 3:
        assert lines_with(capsys.readouterr().err, f"error: {tmp_path / 'game.json'}: .. objects")
        return
    capsys.readouterr()
    _converted(
        capsys,
        ["tts", _save(tmp_path / "game.json", things), "--system", "wh40k"],
        tmp_path / "game.toml",
    )
    assert main(
        ["draw", "--board", str(tmp_path / "game.toml"), "-o", str(tmp_path / "game.svg")]
    ) in (0, 3)
    assert time.monotonic() - since < 20


def test_a_hostile_board_takes_no_time(tmp_path: Path) -> None:
    """Very many kinds of terrain, quotes that are not closed, the same hex over and over: ten times as many take a fair
    time.
    """
    times = []
    for scale in (1, 10):
        kinds = ";".join(
            f"k{'abcdefghij'[n % 10]}{'_' * (n % 37)}:{n % 999_999}" for n in range(30_000 * scale)
        )
        again = 'hex 0101 0 "x:1;y:2" "theme"\n' * (5_000 * scale)
        (tmp_path / "a.board").write_text(
            f'size 2 2\nhex 0101 0 "{kinds}" ""\n{again}{chr(34) * 10_001 * scale}\nend\n', "utf-8"
        )
        since = time.process_time()
        assert (
            main(
                [
                    "import",
                    "megamek",
                    str(tmp_path / "a.board"),
                    "-o",
                    str(tmp_path / f"{scale}.toml"),
                ]
            )
            == 0
        )
        times.append(time.process_time() - since)
    # a search through all that was found before would take a hundred times as long
    assert times[1] < 40 * times[0] + 1.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "JSON .. line 1 column 1"),
        (b"{}", 'JSON .. "ObjectStates"'),
        (b"[]", 'JSON .. "ObjectStates"'),
        (b'{"ObjectStates": 5}', 'JSON .. "ObjectStates"'),
        (b'{"ObjectStates": ' + b"[" * 200_000, "JSON .. nested"),
        (b'{"ObjectStates": [' + b"9" * 10_000 + b"]}", "JSON .. digits"),
        (b'{"ObjectStates": [' + b"{}," * 100_000 + b"{}]}", "objects .. 100,001 .. 100,000"),
        (b"\xff", "UTF-8 .. byte 0 .. 0xff .. line 1"),
        (b" " * (FOREIGN_BYTES + 1), "33,554,432"),
        (
            json.dumps(
                {"ObjectStates": [thing(f"A{n}", 0, 0, 0, "32mm round") for n in range(501)]}
            ).encode(),
            "models .. 501 .. 500",
        ),
        (
            json.dumps({"ObjectStates": [thing("Area 1x1in", 0, 0) for n in range(201)]}).encode(),
            "terrain .. 201 .. 200",
        ),
    ],
)
def test_what_is_no_save(
    text: bytes, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 3 with one clear error that names the file."""
    file = tmp_path / "no.json"
    file.write_bytes(text)
    assert main(["import", "tts", str(file), "--system", "wh40k"]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert untold(said.err, f"error: {file}: .. {words}") == [], said.err


def test_what_cannot_be_asked_of_a_save(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hexes, games that nobody knows, and sizes that are none: exit 2."""
    save = _save(tmp_path / "game.json", [])
    assert main(["import", "tts", save, "--system", "battletech"]) == 2
    assert untold(capsys.readouterr().err, "--system .. battletech .. hexes") == []
    assert main(["import", "tts", save, "--system", "chess"]) == 2
    for size in ("60", "0x44", "60x", "axb", "99999x1", "6x-4"):
        assert main(["import", "tts", save, "--system", "wh40k", "--board", size]) == 2
        assert untold(capsys.readouterr().err, f"--board .. {size} .. 60x44") == []


def test_what_no_scenario_can_hold_is_refused_in_the_end() -> None:
    """Tables that break the format, and more than a file may hold, are not written."""
    system = find("t9a")
    tables = {"system": "t9a", "edition": "3rd", "board": {"width": 72.0, "depth": 48.0}}
    with pytest.raises(ScenarioError, match=r"^title: "):
        scenario_text(Imported(system, {**tables, "title": 5}, (), ()))
    with pytest.raises(ScenarioError, match="1,048,576"):
        scenario_text(Imported(system, tables, ("word " * 300_000,), ()))
    remarks = Remarks()
    for number in range(KINDS + 5):
        remarks.add(f"kind {number}")
    assert untold(remarks.lines()[-1], "... .. 5") == []


@pytest.mark.parametrize("command", ["megamek", "tts"])
def test_help_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each of the commands shows itself being used."""
    assert main(["import", command, "--help"]) == 0
    # the usage and the example
    assert " ".join(capsys.readouterr().out.split()).count(f"tabletop import {command} ") == 2


@pytest.mark.parametrize(
    ("words", "height"),
    [("height 4", 4.0), ("height: 12.7 cm", 5.0), ("height 127mm", 5.0), ("height 0.5'", 6.0)],
)
def test_heights_in_other_units_are_converted(
    words: str, height: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was written in centimetres is not read as inches."""
    save = _save(
        tmp_path / "game.json",
        [thing("Block 6x4in", 5, 5, 0, words), thing("Block 10cm x 6in", -15, 5, 0, "height 3")],
    )
    tables, said = _converted(capsys, ["tts", save, "--system", "wh40k"], tmp_path / "game.toml")
    assert [piece["height"] for piece in tables["terrain"]] == [height]
    assert lines_with(said, "note: .. 'Block 10cm x 6in'")
