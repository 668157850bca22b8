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
from tabletop.scenario.limits import (
    CHARGES,
    LENGTH,
    MAX_MODELS,
    MODELS_IN_CHARGE,
    NAME_LENGTH,
    TERRAIN_PIECES,
    VERTICES,
)
from tabletop.scenario.reading import case_from_tables, read_tables
from tabletop.table.hexes import hex_board
from tabletop.table.state import Board
from tests.drill.files import MARCH, REMOVED, march, march_json
from tests.messages import untold

LONG = "x" * (NAME_LENGTH + 1)
UNIT = {**MARCH["units"]["A"]}


def _problems(changes: dict[str, object]) -> list[str]:
    with pytest.raises(ScenarioError) as raised:
        case_from_text(march_json(changes), file="march.json")
    return str(raised.value).splitlines()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"system": "dril"}, "march.json: system: .. 'dril' .. 'drill' .. 'drill' .. 't9a'"),
        ({"system": REMOVED}, "march.json: system: .. missing .. 't9a' .. 'drill'"),
        ({"system": 3}, "march.json: system: .. 3 .. 't9a' .. 'drill'"),
        ({"system": ["drill"]}, "march.json: system: .. ['drill'] .. \"drill\" .. 't9a'"),
        ({"title": ["March"]}, "march.json: title: .. ['March'] .. \"March\""),
        ({"format": 2}, "march.json: format: .. 1 .. 2"),
        ({"edition": "3rd"}, "march.json: edition: .. '2nd' .. '1st' .. '3rd'"),
        ({"titel": ""}, "march.json: titel: .. 'title' .. 'title' .. 'format' .. 'system'"),
        ({"note": "a\x1b[31m"}, "march.json: note: .. printable .. 'a\\x1b[31m'"),
        ({"title": "a\x1b[31m"}, "march.json: title: .. printable .. line .. 'a\\x1b[31m'"),
        ({"board/width": 0}, "march.json: board.width: .. 0 .. 0"),
        ({"board/depth": "48in"}, "march.json: board.depth: .. '48in' .. inches"),
        ({"board/depth": "48,5"}, "march.json: board.depth: .. '48,5' .. 10.5"),
        ({"units/A/at": ["20,5", 3]}, "march.json: units.A.at[0]: .. '20,5' .. 10.5"),
        ({"accuracy": "0,1"}, "march.json: accuracy: .. '0,1' .. 10.5"),
        ({"board/hight": 1}, "march.json: board.hight: .. 'width' .. 'depth'"),
        ({"width": 48}, "march.json: width: .. board = { width = ... }"),
        ({"board": 3}, "march.json: board: .. width .. depth .. 3"),
        (
            {"rules/halt": "erly"},
            "march.json: rules.halt: .. 'early' .. 'late' .. 'erly' .. 'early'",
        ),
        ({"units/A/facing_deg": REMOVED}, "march.json: units.A.facing_deg: .. missing"),
        (
            {"units/A/facng_deg": 90},
            "march.json: units.A.facng_deg: .. 'facing_deg' .. 'facing_deg'",
        ),
        ({"units/A/at": [1]}, "march.json: units.A.at[1]: .. missing"),
        (
            {"units/A/at": [1, 2, 3]},
            "march.json: units.A.at: .. [20, 10.5] .. [1, 2, 3] .. 10.5",
        ),
        (
            {"units/A/at": [[1, 2], [3, 4]]},
            "march.json: units.A.at: .. [20, 10.5] .. [[1, 2], [3, 4]]",
        ),
        ({"units/A/at": [1.5, 2, 3]}, "march.json: units.A.at: .. [20, 10.5] .. [1.5, 2, 3]"),
        ({"units/A/side": REMOVED}, "march.json: units.A.side: .. missing"),
        ({"units/A/side": 3}, "march.json: units.A.side: .. 3"),
        ({"units/A/base": REMOVED}, 'march.json: units.A.base: .. missing .. "25x50mm"'),
        ({"units/A/models": REMOVED}, "march.json: units.A.models: .. missing"),
        ({"board": REMOVED}, "march.json: board: .. missing .. width .. depth"),
        ({"board": [{"width": 1, "depth": 1}]}, "march.json: board: .. [board]"),
        ({"units/A": [UNIT]}, "march.json: units.A: .. [units.A]"),
        (
            {"terrain/0/kind": REMOVED},
            "march.json: terrain[0].kind: .. missing .. 'wall' .. 'hedge'",
        ),
        (
            {"charges": MARCH["charges"][0]},
            "march.json: charges: .. [[charges]]",
        ),
        ({"charges/0/targets": REMOVED}, "march.json: charges[0].targets: .. missing"),
        ({"charges/0/targets": "B"}, "march.json: charges[0].targets: .. 'B' .. [\"B\"]"),
        ({"charges/0/charger": 3}, "march.json: charges[0].charger: .. 3"),
        ({"terrain/0/kind": "\ud800"}, "march.json: terrain[0].kind: .. UTF-8"),
        ({"charges/0/dice": [[1]]}, "march.json: charges[0].dice[0]: .. 1 .. 6 .. [1]"),
        ({"expect/0/metrics": 3}, "march.json: expect[0].metrics: .. 3"),
        ({"title": "x" * 201}, "march.json: title: .. 200 .. 201"),
        ({"units/A/at": "middle"}, "march.json: units.A.at: .. [20, 10.5] .. 'middle'"),
        ({"units/A/files": 2.5}, "march.json: units.A.files: .. integer .. 2.5"),
        ({"units/A/files": True}, "march.json: units.A.files: .. integer .. true"),
        ({"units/A/files": 13}, "march.json: units.A.models: .. 13 .. 12"),
        ({"units/A/base": "25x50in"}, "march.json: units.A.base: .. \"25x50mm\" .. '25x50in'"),
        ({"units/A/base": "0x50mm"}, "march.json: units.A.base: .. \"25x50mm\" .. '0x50mm'"),
        (
            {"units/A/base": "32mm round"},
            "march.json: units.A.base: .. \"25x50mm\" .. '32mm round'",
        ),
        (
            {"units/A/status": ["tird"]},
            "march.json: units.A.status[0]: .. 'tired' .. 'keen' .. 'tird' .. 'tired'",
        ),
        (
            {"units/A/profile/pase": 1},
            "march.json: units.A.profile.pase: .. 'pace' .. 'pace' .. 'mood'",
        ),
        ({"units/A/profile/pace": 11}, "march.json: units.A.profile.pace: .. 10 .. 11"),
        ({"units/The A": {**UNIT, "side": ""}}, "march.json: units.'The A'.side: .. 1 .. 60"),
        ({f"units/{LONG}": UNIT}, f"march.json: units.{LONG}: .. 1 .. 60"),
        ({"units/ A": UNIT}, "march.json: units.' A': .. 1 .. 60"),
        ({"units/A\n": UNIT}, "march.json: units.'A\\n': .. 1 .. 60"),
        (
            {"terrain/0/kind": "wal"},
            "march.json: terrain[0].kind: .. 'wall' .. 'hedge' .. 'wal' .. 'wall'",
        ),
        ({"terrain/0/name": "A"}, "march.json: terrain[0].name: .. 'A'"),
        ({"terrain/1/name": "Wall"}, "march.json: terrain[1].name: .. 'Wall'"),
        (
            {"terrain/0/polygon": REMOVED},
            "march.json: terrain[0]: .. polygon .. circle .. rectangle .. none",
        ),
        (
            {"terrain/1/polygon": [[0, 0], [1, 0], [1, 1]]},
            "march.json: terrain[1]: .. polygon .. circle .. rectangle .. polygon .. circle",
        ),
        (
            {"terrain/0/polygon": [[0, 0], [2, 2], [2, 0], [0, 2]]},
            "march.json: terrain[0].polygon: .. [1 1]",
        ),
        (
            {"terrain/0/polygon": [[0, 0], [2, 2], [1, 1]]},
            "march.json: terrain[0].polygon: .. [[0, 0], [2, 2], [1, 1]]",
        ),
        (
            {"terrain/0/polygon": [[0, 0], [1, 0], [0.5, 1e-9]]},
            "march.json: terrain[0].polygon: .. area",
        ),
        ({"terrain/0/polygon": [[0, 0], [2, 2]]}, "march.json: terrain[0].polygon: .. 3 .. 2"),
        (
            {"terrain/0/polygon": [[0, 0], [LENGTH * 2, 2], [1, 5]]},
            "march.json: terrain[0].polygon[1][0]: .. 10000 .. 20000.0",
        ),
        ({"terrain/1/circle/radius": 0}, "march.json: terrain[1].circle.radius: .. 0 .. 0"),
        (
            {"terrain/1/circle/raduis": 1},
            "march.json: terrain[1].circle.raduis: .. 'radius' .. 'radius'",
        ),
        ({"charges/0/charger": "a"}, "march.json: charges[0].charger: .. 'a' .. 'A' .. 'A' .. 'B'"),
        ({"charges/0/targets": ["C"]}, "march.json: charges[0].targets[0]: .. 'C' .. 'A' .. 'B'"),
        ({"charges/0/targets": []}, "march.json: charges[0].targets: .. 1 .. 0"),
        ({"charges/0/dice": [0]}, "march.json: charges[0].dice[0]: .. 1 .. 6 .. 0"),
        ({"charges/0/dice": [7]}, "march.json: charges[0].dice[0]: .. 1 .. 6 .. 7"),
        ({"charges/0/cri": "x"}, "march.json: charges[0].cri: .. 'cry' .. 'cry'"),
        ({"charges/0/cry": "HURRAH"}, "march.json: charges[0].cry: too loud"),
        (
            {"proposal": {"units": {"C": {"at": [1, 1], "facing_deg": 0}}}},
            "march.json: proposal.units.C: .. 'C' .. 'A' .. 'B'",
        ),
        ({"units/A/files": None}, "march.json: units.A.files: .. integer .. null"),
        ({"units/A/files": {"at": 3}}, "march.json: units.A.files: .. integer .. {'at': 3}"),
        ({"proposal": {"units": {}}}, "march.json: proposal.units: .. 1 .. 0"),
        ({"proposal": {}}, "march.json: proposal.units: .. missing"),
        (
            {"expect/0/rule": "drill.marsh"},
            "march.json: expect[0].rule: .. 'drill.marsh' .. 'drill.march'",
        ),
        (
            {"expect/0/judged": {"outcome": "success"}},
            "march.json: expect[0].judged: .. [[expect]] .. [proposal]",
        ),
        (
            {"expect/0/units/C": {"at": [1, 1]}},
            "march.json: expect[0].units.C: .. 'C' .. 'A' .. 'B'",
        ),
        ({"expect/0/units/A/at_": [1, 1]}, "march.json: expect[0].units.A.at_: .. 'at' .. 'at'"),
        (
            {"expect/0/outcome": "succes"},
            "march.json: expect[0].outcome: .. 'success' .. 'succes' .. 'success'",
        ),
    ],
)
def test_a_wrong_value_is_refused_with_its_key_and_what_was_expected(
    changes: dict[str, object], expected: str
) -> None:
    """Each mistake gives one line: file, key path, what was expected, and the nearest valid name."""
    (line,) = _problems(changes)
    assert untold(line, expected) == [], line


@pytest.mark.parametrize(
    "huge",
    [10**5_000, 1e300, "x" * 100, [10**5_000], ["x" * 100], [[[[1]]]], True, [1e999]],
    ids=range(8),
)
@pytest.mark.parametrize(
    "key",
    [
        "title",
        "units/A/files",
        "units/A/facing_deg",
        "charges/0/dice",
        "units/A/status",
        "board",
        "accuracy",
        "rules/halt",
    ],
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
        ({"charges/0/dice": 4}, "charges[0].dice: .. 4 .. [4]"),
        ({"charges/0/dice": "4"}, "charges[0].dice: .. '4' .. [4]"),
        ({"charges/0/dice": "2d6"}, "charges[0].dice: .. '2d6' .. [4, 2]"),
        ({"charges/0/dice": ["4"]}, "charges[0].dice[0]: .. 1 .. 6 .. '4' .. 4"),
        ({"charges/0/dice": [4.0]}, "charges[0].dice[0]: .. 1 .. 6 .. 4.0 .. 4"),
        ({"charges/0/targets": "B"}, "charges[0].targets: .. 'B' .. [\"B\"]"),
        ({"charges/0/targets": [["B"]]}, "charges[0].targets[0]: .. ['B'] .. \"B\""),
        ({"charges/0/charger": ["A"]}, "charges[0].charger: .. ['A'] .. \"A\""),
        ({"units/A/status": "tired"}, "units.A.status: .. 'tired' .. [\"tired\"]"),
        (
            {"units/A/facing_deg": "south"},
            "units.A.facing_deg: .. 'south' .. 0 .. 90 .. 180 .. 270",
        ),
        ({"units/A/facing": 270}, "units.A.facing: .. 'facing_deg' .. 'facing_deg'"),
        ({"units/A/facing_deg": [270]}, "units.A.facing_deg: .. [270] .. 270"),
        ({"units/A/files": "5"}, "units.A.files: .. '5' .. 5"),
        ({"units/A/files": 5.0}, "units.A.files: .. 5.0 .. 5"),
        ({"units/A/profile/pace": "5"}, "units.A.profile.pace: .. '5' .. 5"),
        ({"units/A/profile": 5}, "units.A.profile: .. 5 .. profile = { pace = ... }"),
        ({"board/width": "6ft"}, "board.width: .. '6ft' .. inches"),
        (
            {"board": [48, 30]},
            "board: .. [48, 30] .. board = { width = ..., depth = ... }",
        ),
        ({"accuracy": "0.1"}, "accuracy: .. '0.1' .. 0.1 .. 0.1 .. 0.1"),
        ({"format": "1"}, "format: .. 1 .. '1' .. 1"),
        ({"title": 4}, 'title: .. 4 .. "4"'),
        ({"rules/halt": ["early"]}, "rules.halt: .. 'early' .. 'late' .. ['early'] .. \"early\""),
    ],
)
def test_slips_have_a_remedy(changes: dict[str, object], remedy: str) -> None:
    """A scalar for a list, a list for a scalar, quotation marks, units: it is said how the value stands."""
    assert any(not untold(line, remedy) for line in _problems(changes)), _problems(changes)


def test_all_problems_are_told_at_once() -> None:
    """Several mistakes give several lines; unknown keys do not hide unknown units."""
    lines = _problems({"units/A/fils": 3, "charges/0/charger": "C", "terrain/0/name": "B"})
    assert [line.split(": ")[1] for line in lines] == [
        "units.A.fils",
        "terrain[0].name",
        "charges[0].charger",
    ]


def test_the_number_of_problems_told_is_bounded() -> None:
    """A file of thousands of mistakes is refused quickly, with the first of them."""
    lines = _problems({f"x{number}": 0 for number in range(20_000)})
    assert len(lines) == 51
    assert lines[-1].startswith("march.json: ...")


@pytest.mark.parametrize(
    ("at_limit", "beyond", "expected"),
    [
        (
            {"units/C": {**UNIT, "files": 50, "models": MAX_MODELS - 16}},
            {"units/C": {**UNIT, "models": MAX_MODELS - 15}},
            "units: .. 500 .. 501",
        ),
        (
            {"units/A/models": MODELS_IN_CHARGE},
            {"units/A/models": MODELS_IN_CHARGE + 1},
            "100 .. 'A' .. 101",
        ),
        (
            {"charges": [MARCH["charges"][0]] * CHARGES},
            {"charges": [MARCH["charges"][0]] * (CHARGES + 1)},
            "charges: .. 20 .. 21",
        ),
    ],
)
def test_limits_hold_at_the_value_and_not_beyond(
    at_limit: dict[str, object], beyond: dict[str, object], expected: str
) -> None:
    """Models in a file, models in a charge and charges are accepted up to their limits."""
    assert case_from_text(march_json(at_limit))
    assert any(not untold(line, expected) for line in _problems(beyond)), _problems(beyond)


def test_terrain_is_limited_in_pieces_and_vertices() -> None:
    """200 pieces of 2,000 vertices are accepted, one more of either is not."""
    pieces = [
        {"name": f"W{number}", "kind": "wall", "circle": {"centre": [1, 1], "radius": 1}}
        for number in range(TERRAIN_PIECES + 1)
    ]
    comb = [[number, 10 + number % 2] for number in range(VERTICES)] + [[VERTICES, -5]]
    assert case_from_text(
        march_json(
            {
                "terrain": pieces[:TERRAIN_PIECES],
                "terrain/0/circle": REMOVED,
                "terrain/0/polygon": [*comb[:-2], comb[-1]],
            }
        )
    )
    assert untold(_problems({"terrain": pieces})[0], "march.json: terrain: .. 200 .. 201") == []
    assert (
        untold(
            _problems({"terrain/0/polygon": comb})[0],
            "march.json: terrain[0].polygon: .. 2000 .. 2001",
        )
        == []
    )


def test_a_crossing_polygon_is_refused_with_the_place() -> None:
    """The message says where the polygon crosses itself."""
    assert "[1 1]" in _problems({"terrain/0/polygon": [[0, 0], [2, 2], [2, 0], [0, 2]]})[0]


def test_a_case_holds_what_the_file_says() -> None:
    """Inches and degrees become inches and radians, millimetres inches, and the system completes its units."""
    case = read_case("drill/march")
    unit = case.state.units["A"]
    assert (case.edition, case.title, case.note) == (
        "2nd",
        "A march that arrives",
        "Six inches to go.",
    )
    assert (unit.pose.at, round(unit.pose.heading, 12)) == ((20.0, 10.0), 1.570796326795)
    assert (unit.base.width * 25.4, unit.base.depth * 25.4, unit.spacing) == (25.0, 50.0, 0.5)
    assert (unit.profile.pace, case.choices.halt, case.book.bonus) == (2.0, "early", 1.0)
    assert (case.charges[0].dice, case.charges[0].declarations.cry) == ((3,), "hurrah")
    assert case.state.terrain[1].shape.radius == 2.5


def test_a_rectangle_stands_where_its_keys_say() -> None:
    """`width` runs along `angle_deg`, `depth` square to it, both about the centre."""
    changes = {
        "terrain/0/polygon": REMOVED,
        "terrain/0/rectangle": {"centre": [10, 10], "width": 6, "depth": 2, "angle_deg": 90},
    }
    west, south, east, north = case_from_text(march_json(changes)).state.terrain[0].shape.bounds
    assert (round(west, 9), round(south, 9), round(east, 9), round(north, 9)) == (9, 7, 11, 13)


def test_overrides_replace_choices_and_numbers() -> None:
    """`rules.KEY` and `system.FIELD` replace what file and book say."""
    case = read_case(
        "drill/march", overrides=["rules.halt=late", "system.bonus=2.5", "system.ranks=3"]
    )
    assert (case.choices.halt, case.book.bonus, case.book.ranks) == ("late", 2.5, 3)


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("halt=late", "--set halt=late: .. rules.KEY=VALUE .. system.FIELD=VALUE"),
        ("rules.halt", "--set rules.halt: .. rules.KEY=VALUE .. system.FIELD=VALUE"),
        ("rules.halt=lat", "--set rules.halt: .. 'early' .. 'late' .. 'lat' .. 'late'"),
        ("rules.hlt=late", "--set rules.hlt: .. 'halt'"),
        ("system.bonsu=1", "--set system.bonsu: .. 'bonus' .. 'bonus' .. 'ranks'"),
        ("system.bonus=much", "--set system.bonus: .. number .. 'much'"),
        ("system.bonus=nan", "--set system.bonus: .. finite .. nan"),
        ("system.ranks=1.5", "--set system.ranks: .. integer .. 1.5"),
        ("system.ranks=1\nx=2", "--set system.ranks: .. integer .. '1\\nx=2'"),
    ],
)
def test_an_override_that_cannot_be_used_is_a_usage_error(override: str, expected: str) -> None:
    """Wrong forms, unknown keys and wrong values of --set are told as such."""
    with pytest.raises(UsageError) as raised:
        read_case("drill/march", overrides=[override])
    assert untold(str(raised.value), expected) == [], raised.value


def test_files_that_are_not_there_are_told(tmp_path: Path) -> None:
    """A missing file, a directory and a misspelt bundled name each have their message."""
    sources: list[tuple[str | Path, str]] = [
        (tmp_path / "none.toml", "file"),
        (tmp_path, "directory"),
        ("drill/marhc", "file .. 'drill/march'"),
        ("a\0b", "read"),
    ]
    for source, expected in sources:
        with pytest.raises(ScenarioError) as raised:
            read_case(source)
        assert str(raised.value).startswith(f"{source}: ")
        told = str(raised.value).removeprefix(f"{source}: ")
        assert untold(told, expected) == [], told
        assert ("directory" in told) == (expected == "directory")


def test_a_file_without_a_name_is_told() -> None:
    """As a script gives it whose variable is not set: there is no name to be told, and it is no folder either."""
    with pytest.raises(ScenarioError, match="empty"):
        read_case("")


def test_a_file_of_fifty_megabytes_is_refused(tmp_path: Path) -> None:
    """No more is read than shows that the file is too large."""
    large = tmp_path / "large.toml"
    with large.open("wb") as file:
        file.truncate(50_000_000)
    with pytest.raises(ScenarioError, match=r"large\.toml: .*1,048,576"):
        read_case(large)


def test_standard_input_and_json_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash is standard input; JSON is read from a .json file and wherever a brace comes first."""
    file = tmp_path / "march.json"
    file.write_text(march_json(), "utf-8")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(march_json().encode())))
    assert read_case("-").title == read_case(file).title == read_case("drill/march").title
    file.write_text("a = 1", "utf-8")
    with pytest.raises(ScenarioError, match=r"march\.json: .*JSON"):
        read_case(file)


def test_a_file_can_be_read_as_it_is_written(tmp_path: Path) -> None:
    """`read_scenario` gives the models of the file, and refuses as `read_case` does."""
    assert read_scenario("drill/march").units["B"].model_dump()["base"] == "12.5x20mm"
    file = tmp_path / "march.toml"
    file.write_text(json.dumps(march({"titel": ""})), "utf-8")
    with pytest.raises(ScenarioError, match=r"titel: .*'title'"):
        read_scenario(file)


def test_what_an_unknown_key_hides_is_told_too() -> None:
    """A misspelt key is named, and also that the one it stands for is missing where the table as a whole demands it."""
    models = {"side": "red", "at": [[26, 28.8]], "bas": "32mm"}
    with pytest.raises(ScenarioError) as raised:
        case_from_text(
            json.dumps(
                {"system": "wh40k", "board": {"width": 60, "depth": 44}, "units": {"U": models}}
            )
        )
    unknown, neither = str(raised.value).splitlines()
    assert untold(unknown, "units.U.bas: .. 'base' .. 'base'") == [], unknown
    assert untold(neither, "units.U: .. base .. hull .. neither") == [], neither


@pytest.mark.parametrize("reference", ["tests.nowhere:SYSTEM", "nowhere.at.all:SYSTEM"])
def test_a_missing_file_is_told_beside_a_system_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: str
) -> None:
    """A registered system whose package is not there has no scenarios, and is in nobody's way."""
    monkeypatch.setattr(registry, "BUILT_IN", {"broken": reference})
    with pytest.raises(ScenarioError, match=r"none\.toml: .*file"):
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
    with pytest.raises(TypeError, match="hexes"):
        hex_board(Board(72.0, 48.0))
