"""Files become cases, or are refused with every problem named."""

import io
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tabletop import registry
from tabletop.errors import ScenarioError, UsageError
from tabletop.scenario import case_from_text, read_case, read_scenario
from tabletop.scenario.limits import CHARGES, LENGTH, MAX_MODELS, MODELS_IN_CHARGE, NAME_LENGTH, TERRAIN_PIECES, VERTICES
from tabletop.scenario.reading import case_from_tables, read_tables
from tabletop.table.hexes import hex_board
from tabletop.table.state import Board
from tests.drill.files import MARCH, REMOVED, march, march_json

LONG = "x" * (NAME_LENGTH + 1)
UNIT = {**MARCH["units"]["A"]}


def _problems(changes: dict[str, object]) -> list[str]:
    with pytest.raises(ScenarioError) as raised:
        case_from_text(march_json(changes), file="march.json")
    return str(raised.value).splitlines()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"system": "dril"}, "march.json: system: no system is called 'dril'; did you mean 'drill'?"),
        ({"system": REMOVED}, "march.json: system: is missing (known systems: 't9a', "),
        ({"system": 3}, "march.json: system: no system is called 3 "),
        ({"system": ["drill"]}, "march.json: system: no system is called ['drill']; write it without brackets: \"drill\" (known systems"),
        ({"title": ["March"]}, "march.json: title: expected text, given ['March']; write it without brackets: \"March\""),
        ({"format": 2}, "march.json: format: expected 1, given 2"),
        ({"edition": "3rd"}, "march.json: edition: expected '2nd' or '1st', given '3rd'"),
        ({"titel": ""}, "march.json: titel: unknown key; did you mean 'title'? (known here: 'format', 'system'"),
        ({"note": "a\x1b[31m"}, "march.json: note: expected printable text, given 'a\\x1b[31m'"),
        ({"title": "a\x1b[31m"}, "march.json: title: expected printable text on one line, given 'a\\x1b[31m'"),
        ({"board/width": 0}, "march.json: board.width: expected greater than 0, given 0"),
        ({"board/depth": "48in"}, "march.json: board.depth: expected a valid number, given '48in'"),
        ({"board/depth": "48,5"}, "board.depth: expected a valid number, given '48,5'; decimals have a point, not a comma: 10.5"),
        ({"units/A/at": ["20,5", 3]}, "units.A.at[0]: expected a valid number, given '20,5'; decimals have a point, not a comma: 10.5"),
        ({"units/A/base": "20,5x40mm"}, "given '20,5x40mm'; decimals have a point, not a comma: 10.5"),
        ({"accuracy": "0,1"}, "given '0,1'; decimals have a point, not a comma: 10.5"),
        ({"board/hight": 1}, "march.json: board.hight: unknown key (known here: 'width', 'depth')"),
        ({"width": 48}, "march.json: width: unknown key; it belongs in board = { width = ... } (known here: "),
        ({"board": 3}, "march.json: board: expected a table with width and depth, given 3"),
        ({"rules/halt": "erly"}, "march.json: rules.halt: expected 'early' or 'late', given 'erly'; did you mean 'early'?"),
        ({"units/A/facing_deg": REMOVED}, "march.json: units.A.facing_deg: is missing; expected a number"),
        ({"units/A/facng_deg": 90}, "march.json: units.A.facng_deg: unknown key; did you mean 'facing_deg'? "),
        ({"units/A/at": [1]}, "march.json: units.A.at[1]: is missing; expected a number"),
        (
            {"units/A/at": [1, 2, 3]},
            "units.A.at: expected a place such as [20, 10.5], given [1, 2, 3]; decimals have a point, not a comma: 10.5",
        ),
        ({"units/A/at": [[1, 2], [3, 4]]}, "march.json: units.A.at: expected a place such as [20, 10.5], given [[1, 2], [3, 4]]"),
        ({"units/A/at": [1.5, 2, 3]}, "march.json: units.A.at: expected a place such as [20, 10.5], given [1.5, 2, 3]"),
        ({"units/A/side": REMOVED}, "march.json: units.A.side: is missing; expected a name in quotes"),
        ({"units/A/side": 3}, "march.json: units.A.side: expected a name in quotes, given 3"),
        ({"units/A/base": REMOVED}, 'march.json: units.A.base: is missing; expected a base such as "25x50mm"'),
        ({"units/A/models": REMOVED}, "march.json: units.A.models: is missing; expected a whole number"),
        ({"board": REMOVED}, "march.json: board: is missing; expected a table with width and depth"),
        ({"board": [{"width": 1, "depth": 1}]}, "in TOML it begins with [board], in single brackets"),
        ({"units/A": [UNIT]}, "in TOML it begins with [units.A], in single brackets"),
        ({"terrain/0/kind": REMOVED}, "march.json: terrain[0].kind: is missing; expected 'wall' or 'hedge'"),
        (
            {"charges": MARCH["charges"][0]},
            "charges: expected a list of tables, given one table; in TOML each begins with [[charges]], in double",
        ),
        ({"charges/0/targets": REMOVED}, "march.json: charges[0].targets: is missing; expected a list"),
        ({"charges/0/targets": "B"}, "march.json: charges[0].targets: expected a list, given 'B'"),
        ({"charges/0/charger": 3}, "march.json: charges[0].charger: expected text, given 3"),
        ({"terrain/0/kind": "\ud800"}, "march.json: terrain[0].kind: expected text that UTF-8 can hold"),
        ({"charges/0/dice": [[1]]}, "march.json: charges[0].dice[0]: expected a face from 1 to 6, given [1]"),
        ({"expect/0/metrics": 3}, "march.json: expect[0].metrics: expected a table, given 3"),
        ({"title": "x" * 201}, "march.json: title: expected at most 200 characters, given 201"),
        ({"units/A/at": "middle"}, "march.json: units.A.at: expected a place such as [20, 10.5], given 'middle'"),
        ({"units/A/files": 2.5}, "march.json: units.A.files: expected a valid integer, given 2.5"),
        ({"units/A/files": True}, "march.json: units.A.files: expected a valid integer, given true"),
        ({"units/A/files": 13}, "march.json: units.A.models: models must be at least as large as files (13), given 12"),
        ({"units/A/base": "25x50"}, "march.json: units.A.base: expected a rectangular base in mm such as"),
        ({"units/A/base": "0x50mm"}, "march.json: units.A.base: expected a rectangular base in mm such as"),
        ({"units/A/base": "32mm round"}, "march.json: units.A.base: expected a rectangular base in mm such as"),
        ({"units/A/status": ["tird"]}, "march.json: units.A.status[0]: expected 'tired' or 'keen', given 'tird'; did you mean 'tired'?"),
        ({"units/A/profile/pase": 1}, "march.json: units.A.profile.pase: unknown key; did you mean 'pace'? (known here: 'pace', 'mood')"),
        ({"units/A/profile/pace": 11}, "march.json: units.A.profile.pace: expected less than or equal to 10, given 11"),
        ({"units/The A": {**UNIT, "side": ""}}, "march.json: units.'The A'.side: expected a name of 1 to 60 printable characters"),
        ({f"units/{LONG}": UNIT}, "expected a name of 1 to 60 printable characters"),
        ({"units/ A": UNIT}, "march.json: units.' A': expected a name of 1 to 60 printable characters"),
        ({"units/A\n": UNIT}, "march.json: units.'A\\n': expected a name of 1 to 60 printable characters"),
        ({"terrain/0/kind": "wal"}, "march.json: terrain[0].kind: expected 'wall' or 'hedge', given 'wal'; did you mean 'wall'?"),
        ({"terrain/0/name": "A"}, "march.json: terrain[0].name: 'A' is already the name of a unit or piece of terrain"),
        ({"terrain/1/name": "Wall"}, "march.json: terrain[1].name: 'Wall' is already the name of a unit or piece of terrain"),
        ({"terrain/0/polygon": REMOVED}, "march.json: terrain[0]: expected exactly one of polygon, circle, rectangle; given none"),
        ({"terrain/1/polygon": [[0, 0], [1, 0], [1, 1]]}, "expected exactly one of polygon, circle, rectangle; given polygon and circle"),
        ({"terrain/0/polygon": [[0, 0], [2, 2], [2, 0], [0, 2]]}, "terrain[0].polygon: expected a polygon that does not cross"),
        ({"terrain/0/polygon": [[0, 0], [2, 2], [1, 1]]}, "terrain[0].polygon: expected a polygon"),
        ({"terrain/0/polygon": [[0, 0], [1, 0], [0.5, 1e-9]]}, "terrain[0].polygon: expected a polygon with an area"),
        ({"terrain/0/polygon": [[0, 0], [2, 2]]}, "terrain[0].polygon: expected at least 3 entries, given 2"),
        ({"terrain/0/polygon": [[0, 0], [LENGTH * 2, 2], [1, 5]]}, "terrain[0].polygon[1][0]: expected less than or equal to 10000"),
        ({"terrain/1/circle/radius": 0}, "march.json: terrain[1].circle.radius: expected greater than 0, given 0"),
        ({"terrain/1/circle/raduis": 1}, "terrain[1].circle.raduis: unknown key; did you mean 'radius'?"),
        ({"charges/0/charger": "a"}, "march.json: charges[0].charger: no unit is called 'a'; did you mean 'A'? (units: 'A', 'B')"),
        ({"charges/0/targets": ["C"]}, "march.json: charges[0].targets[0]: no unit is called 'C' (units: 'A', 'B')"),
        ({"charges/0/targets": []}, "march.json: charges[0].targets: expected at least 1 entry, given 0"),
        ({"charges/0/dice": [0]}, "march.json: charges[0].dice[0]: expected a face from 1 to 6, given 0"),
        ({"charges/0/dice": [7]}, "march.json: charges[0].dice[0]: expected a face from 1 to 6, given 7"),
        ({"charges/0/cri": "x"}, "march.json: charges[0].cri: unknown key; did you mean 'cry'?"),
        ({"charges/0/cry": "HURRAH"}, "march.json: charges[0].cry: too loud"),
        ({"proposal": {"units": {"C": {"at": [1, 1], "facing_deg": 0}}}}, "march.json: proposal.units.C: no unit is called 'C'"),
        ({"units/A/files": None}, "march.json: units.A.files: expected a valid integer, given null"),
        ({"units/A/files": {"at": 3}}, "march.json: units.A.files: expected a valid integer, given {'at': 3}"),
        ({"proposal": {"units": {}}}, "march.json: proposal.units: expected at least 1 entry, given 0"),
        ({"proposal": {}}, "march.json: proposal.units: is missing; expected a table"),
        (
            {"expect/0/rule": "drill.marsh"},
            "march.json: expect[0].rule: no rule of drill is called 'drill.marsh'; did you mean 'drill.march'?",
        ),
        ({"expect/0/judged": {"outcome": "success"}}, "expect[0].judged: belongs in the last [[expect]] of a file with a [proposal]"),
        ({"expect/0/units/C": {"at": [1, 1]}}, "march.json: expect[0].units.C: no unit is called 'C'"),
        ({"expect/0/units/A/at_": [1, 1]}, "march.json: expect[0].units.A.at_: unknown key; did you mean 'at'?"),
        ({"expect/0/outcome": "succes"}, "given 'succes'; did you mean 'success'?"),
    ],
)
def test_a_wrong_value_is_refused_with_its_key_and_what_was_expected(changes: dict[str, object], expected: str) -> None:
    """Each mistake gives one line: file, key path, what was expected, and the nearest valid name."""
    (line,) = _problems(changes)
    assert expected in line


@pytest.mark.parametrize("huge", [10**5_000, 1e300, "x" * 100, [10**5_000], ["x" * 100], [[[[1]]]], True, [1e999]], ids=range(8))
@pytest.mark.parametrize(
    "key", ["title", "units/A/files", "units/A/facing_deg", "charges/0/dice", "units/A/status", "board", "accuracy", "rules/halt"]
)
def test_what_cannot_be_written_again_has_no_remedy(key: str, huge: object) -> None:
    """Values of any length and kind are refused in a line each, never otherwise."""
    *path, last = key.split("/")
    tables = march()
    inner: Any = tables
    for part in path:
        inner = inner[int(part)] if part.isdecimal() else inner.setdefault(part, {})
    inner[last] = huge
    with suppress(ScenarioError):
        case_from_tables(tables)


@pytest.mark.parametrize(
    ("changes", "remedy"),
    [
        ({"charges/0/dice": 4}, "charges[0].dice: expected a list, given 4; write a list in brackets: [4]"),
        ({"charges/0/dice": "4"}, "charges[0].dice: expected a list, given '4'; write a list in brackets: [4]"),
        ({"charges/0/dice": "2d6"}, "; write a list in brackets: [4, 2]"),
        ({"charges/0/dice": ["4"]}, "charges[0].dice[0]: expected a face from 1 to 6, given '4'; write it without quotes: 4"),
        ({"charges/0/dice": [4.0]}, "expected a face from 1 to 6, given 4.0; a whole number has no point: 4"),
        ({"charges/0/targets": "B"}, """expected a list, given 'B'; write a list in brackets: ["B"]"""),
        ({"charges/0/targets": [["B"]]}, """charges[0].targets[0]: expected text, given ['B']; write it without brackets: "B\""""),
        ({"charges/0/charger": ["A"]}, """charges[0].charger: expected text, given ['A']; write it without brackets: "A\""""),
        ({"units/A/status": "tired"}, """units.A.status: expected a list, given 'tired'; write a list in brackets: ["tired"]"""),
        ({"units/A/facing_deg": "south"}, "given 'south'; 0 looks to the right, 90 up the board, 180 to the left, 270 down"),
        ({"units/A/facing": 270}, "units.A.facing: unknown key; did you mean 'facing_deg'?"),
        ({"units/A/facing_deg": [270]}, "expected a valid number, given [270]; write it without brackets: 270"),
        ({"units/A/files": "5"}, "units.A.files: expected a valid integer, given '5'; write it without quotes: 5"),
        ({"units/A/files": 5.0}, "units.A.files: expected a valid integer, given 5.0; a whole number has no point: 5"),
        ({"units/A/profile/pace": "5"}, "units.A.profile.pace: expected a valid number, given '5'; write it without quotes: 5"),
        ({"units/A/profile": 5}, "units.A.profile: expected a table, given 5; in TOML: profile = { pace = ... }"),
        ({"board/width": "6ft"}, "given '6ft'; write numbers without quotes and units: lengths are in inches, angles in degrees"),
        (
            {"board": [48, 30]},
            "board: expected a table with width and depth, given [48, 30]; in TOML: board = { width = ..., depth = ... }",
        ),
        ({"accuracy": "0.1"}, "given '0.1'; write it without quotes: 0.1"),
        ({"format": "1"}, "format: expected 1, given '1'; write it without quotes: 1"),
        ({"title": 4}, """title: expected text, given 4; write text in quotes: "4\""""),
        ({"rules/halt": ["early"]}, """rules.halt: expected 'early' or 'late', given ['early']; write it without brackets: "early\""""),
    ],
)
def test_slips_have_a_remedy(changes: dict[str, object], remedy: str) -> None:
    """A scalar for a list, a list for a scalar, quotation marks, units: it is said how the value stands."""
    assert any(remedy in line for line in _problems(changes)), _problems(changes)


def test_all_problems_are_told_at_once() -> None:
    """Several mistakes give several lines; unknown keys do not hide unknown units."""
    lines = _problems({"units/A/fils": 3, "charges/0/charger": "C", "terrain/0/name": "B"})
    assert [line.split(": ")[1] for line in lines] == ["units.A.fils", "terrain[0].name", "charges[0].charger"]


def test_the_number_of_problems_told_is_bounded() -> None:
    """A file of thousands of mistakes is refused quickly, with the first of them."""
    lines = _problems({f"x{number}": 0 for number in range(20_000)})
    assert len(lines) == 51
    assert lines[-1] == "march.json: ... and more problems"


@pytest.mark.parametrize(
    ("at_limit", "beyond", "expected"),
    [
        (
            {"units/C": {**UNIT, "files": 50, "models": MAX_MODELS - 16}},
            {"units/C": {**UNIT, "models": MAX_MODELS - 15}},
            "at most 500 models in one file",
        ),
        ({"units/A/models": MODELS_IN_CHARGE}, {"units/A/models": MODELS_IN_CHARGE + 1}, "at most 100 models in one charge; 'A' has 101"),
        (
            {"charges": [MARCH["charges"][0]] * CHARGES},
            {"charges": [MARCH["charges"][0]] * (CHARGES + 1)},
            "charges: expected at most 20 entries",
        ),
    ],
)
def test_limits_hold_at_the_value_and_not_beyond(at_limit: dict[str, object], beyond: dict[str, object], expected: str) -> None:
    """Models in a file, models in a charge and charges are accepted up to their limits."""
    assert case_from_text(march_json(at_limit))
    assert any(expected in line for line in _problems(beyond))


def test_terrain_is_limited_in_pieces_and_vertices() -> None:
    """200 pieces of 2,000 vertices are accepted, one more of either is not."""
    pieces = [{"name": f"W{number}", "kind": "wall", "circle": {"centre": [1, 1], "radius": 1}} for number in range(TERRAIN_PIECES + 1)]
    comb = [[number, 10 + number % 2] for number in range(VERTICES)] + [[VERTICES, -5]]
    assert case_from_text(
        march_json({"terrain": pieces[:TERRAIN_PIECES], "terrain/0/circle": REMOVED, "terrain/0/polygon": [*comb[:-2], comb[-1]]})
    )
    assert "terrain: expected at most 200 entries" in _problems({"terrain": pieces})[0]
    assert "polygon: expected at most 2000 entries" in _problems({"terrain/0/polygon": comb})[0]


def test_a_crossing_polygon_is_refused_with_the_place() -> None:
    """The message says where the polygon crosses itself."""
    assert "[1 1]" in _problems({"terrain/0/polygon": [[0, 0], [2, 2], [2, 0], [0, 2]]})[0]


def test_a_case_holds_what_the_file_says() -> None:
    """Inches and degrees become inches and radians, millimetres inches, and the system completes its units."""
    case = read_case("drill/march")
    unit = case.state.units["A"]
    assert (case.edition, case.title, case.note) == ("2nd", "A march that arrives", "Six inches to go.")
    assert (unit.pose.at, round(unit.pose.heading, 12)) == ((20.0, 10.0), 1.570796326795)
    assert (unit.base.width * 25.4, unit.base.depth * 25.4, unit.spacing) == (25.0, 50.0, 0.5)
    assert (unit.profile.pace, case.choices.halt, case.book.bonus) == (2.0, "early", 1.0)
    assert (case.charges[0].dice, case.charges[0].declarations.cry) == ((3,), "hurrah")
    assert case.state.terrain[1].shape.radius == 2.5


def test_a_rectangle_stands_where_its_keys_say() -> None:
    """`width` runs along `angle_deg`, `depth` square to it, both about the centre."""
    changes = {"terrain/0/polygon": REMOVED, "terrain/0/rectangle": {"centre": [10, 10], "width": 6, "depth": 2, "angle_deg": 90}}
    west, south, east, north = case_from_text(march_json(changes)).state.terrain[0].shape.bounds
    assert (round(west, 9), round(south, 9), round(east, 9), round(north, 9)) == (9, 7, 11, 13)


def test_overrides_replace_choices_and_numbers() -> None:
    """`rules.KEY` and `system.FIELD` replace what file and book say."""
    case = read_case("drill/march", overrides=["rules.halt=late", "system.bonus=2.5", "system.ranks=3"])
    assert (case.choices.halt, case.book.bonus, case.book.ranks) == ("late", 2.5, 3)


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("halt=late", "expected rules.KEY=VALUE or system.FIELD=VALUE"),
        ("rules.halt", "expected rules.KEY=VALUE or system.FIELD=VALUE"),
        ("rules.halt=lat", "--set rules.halt: expected 'early' or 'late', given 'lat'; did you mean 'late'?"),
        ("rules.hlt=late", "--set rules.hlt: unknown key; did you mean 'halt'?"),
        ("system.bonsu=1", "--set system.bonsu: the book has no such number; did you mean 'bonus'? (it has: 'bonus', 'ranks')"),
        ("system.bonus=much", "--set system.bonus: expected a valid number, given 'much'"),
        ("system.bonus=nan", "--set system.bonus: expected a finite number, given nan"),
        ("system.ranks=1.5", "--set system.ranks: expected a valid integer, given 1.5"),
        ("system.ranks=1\nx=2", "--set system.ranks: expected a valid integer"),
    ],
)
def test_an_override_that_cannot_be_used_is_a_usage_error(override: str, expected: str) -> None:
    """Wrong forms, unknown keys and wrong values of --set are told as such."""
    with pytest.raises(UsageError) as raised:
        read_case("drill/march", overrides=[override])
    assert expected in str(raised.value)


def test_files_that_are_not_there_are_told(tmp_path: Path) -> None:
    """A missing file, a directory and a misspelt bundled name each have their message."""
    sources: list[tuple[str | Path, str]] = [
        (tmp_path / "none.toml", "there is no such file"),
        (tmp_path, "expected a file, this is a directory"),
        ("drill/marhc", "there is no such file, nor a bundled scenario of that name; did you mean 'drill/march'?"),
        ("a\0b", "cannot be read"),
    ]
    for source, expected in sources:
        with pytest.raises(ScenarioError) as raised:
            read_case(source)
        assert str(raised.value).startswith(f"{source}: {expected}")


def test_a_file_without_a_name_is_told() -> None:
    """As a script gives it whose variable is not set: there is no name to be told, and it is no folder either."""
    with pytest.raises(ScenarioError, match=r"^the name of the file is empty$"):
        read_case("")


def test_a_file_of_fifty_megabytes_is_refused(tmp_path: Path) -> None:
    """No more is read than shows that the file is too large."""
    large = tmp_path / "large.toml"
    with large.open("wb") as file:
        file.truncate(50_000_000)
    with pytest.raises(ScenarioError, match="larger than 1,048,576 bytes"):
        read_case(large)


def test_standard_input_and_json_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash is standard input; JSON is read from a .json file and wherever a brace comes first."""
    file = tmp_path / "march.json"
    file.write_text(march_json(), "utf-8")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(march_json().encode())))
    assert read_case("-").title == read_case(file).title == read_case("drill/march").title
    file.write_text("a = 1", "utf-8")
    with pytest.raises(ScenarioError, match="not valid JSON"):
        read_case(file)


def test_a_file_can_be_read_as_it_is_written(tmp_path: Path) -> None:
    """`read_scenario` gives the models of the file, and refuses as `read_case` does."""
    assert read_scenario("drill/march").units["B"].model_dump()["base"] == "12.5x20mm"
    file = tmp_path / "march.toml"
    file.write_text(json.dumps(march({"titel": ""})), "utf-8")
    with pytest.raises(ScenarioError, match="titel: unknown key"):
        read_scenario(file)


def test_what_an_unknown_key_hides_is_told_too() -> None:
    """A misspelt key is named, and also that the one it stands for is missing where the table as a whole demands it."""
    models = {"side": "red", "at": [[26, 28.8]], "bas": "32mm"}
    with pytest.raises(ScenarioError) as raised:
        case_from_text(json.dumps({"system": "wh40k", "board": {"width": 60, "depth": 44}, "units": {"U": models}}))
    unknown, neither = str(raised.value).splitlines()
    assert unknown.startswith("units.U.bas: unknown key; did you mean 'base'?")
    assert neither.startswith("units.U: expected either base or hull; neither is given")


@pytest.mark.parametrize("reference", ["tests.nowhere:SYSTEM", "nowhere.at.all:SYSTEM"])
def test_a_missing_file_is_told_beside_a_system_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: str) -> None:
    """A registered system whose package is not there has no scenarios, and is in nobody's way."""
    monkeypatch.setattr(registry, "BUILT_IN", {"broken": reference})
    with pytest.raises(ScenarioError, match=r"there is no such file, nor a bundled scenario of that name$"):
        read_case(tmp_path / "none.toml")


def test_a_file_is_read_as_plain_tables(tmp_path: Path) -> None:
    """JSON by its ending, and TOML; slips of syntax name the file."""
    for name, text in (("a.json", '{"x": 1}'), ("a.toml", "x = 1")):
        (tmp_path / name).write_text(text, "utf-8")
        assert read_tables(tmp_path / name) == {"x": 1}
    (tmp_path / "bad.toml").write_text("x = ", "utf-8")
    with pytest.raises(ScenarioError, match=r"bad\.toml"):
        read_tables(tmp_path / "bad.toml")


def test_a_free_table_has_no_hexes() -> None:
    """Hexes are asked of hex boards only."""
    with pytest.raises(TypeError, match="a board without hexes"):
        hex_board(Board(72.0, 48.0))
