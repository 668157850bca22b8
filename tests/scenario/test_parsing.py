"""Hostile and broken text is refused in bounded time, with the place; problems are told with the line on which their
key stands.
"""

import json
import time
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from tabletop import registry, resolve
from tabletop.errors import Fault, ScenarioError
from tabletop.messages import key_path
from tabletop.scenario import case_from_text, to_toml
from tabletop.scenario.limits import FILE_BYTES, NESTING
from tabletop.scenario.parsing import SourceLines, key_starts, parsed
from tabletop.scenario.reading import read_scenario
from tabletop.scenario.schema import schema_of
from tabletop.scenario.sources import bundled_names
from tabletop.scenario.template import template_of
from tests.drill.files import march
from tests.fuzzing.files import SEEDS, bent_bytes
from tests.messages import untold


def _refusal(text: str | bytes) -> str:
    with pytest.raises(ScenarioError) as raised:
        parsed(text if isinstance(text, bytes) else text.encode())
    return str(raised.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 1\nb = \n", "line 2 .. column 5 .. TOML .. Invalid value"),
        ("a = 1\na = 2\n", "line 2 .. column 6 .. TOML .. Cannot overwrite a value .. twice"),
        ("[a]\n[a]\n", "line 2 .. column 3 .. TOML .. twice"),
        ('{"a": 1,}', "line 1 .. column 9 .. JSON"),
        ('{"a": {"b": 1, "b": 2}}', "a.b: .. twice"),
        ('{"a": [1, {"b": NaN}]}', "a[1].b: .. finite .. nan"),
        ('{"a": 1e999}', "a: .. finite .. inf"),
        ("a = nan", "a: .. finite .. nan"),
        ("a = [1.0, -inf]", "a[1]: .. finite .. -inf"),
        (b"\na = '\xff'", "UTF-8 .. byte 6 .. 0xff .. line 2 .. UTF-8"),
        ("a = " + "9" * 5000, "line 1 .. TOML"),
        ('{"a": ' + "9" * 5000 + "}", "line 1 .. JSON"),
        ("a = '\0'", "line 1 .. column 6 .. TOML"),
    ],
)
def test_broken_text_is_refused_with_its_place(text: str | bytes, expected: str) -> None:
    """Syntax, keys given twice, numbers that are not finite, and bytes that are not UTF-8 are told with the place."""
    assert untold(_refusal(text), expected) == [], _refusal(text)


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ('b = 1\nside = "blue\n', "quote"),
        ('side = blue"\n', "quote"),
        ('{"side": "blue}', "quote"),
        ("side = blue # ours\n", "'blue'"),
        ('{"side": blue}', "'blue'"),
        ('status = ["tired", keen]\n', "'keen'"),
        ("side = \N{LEFT DOUBLE QUOTATION MARK}blue\N{RIGHT DOUBLE QUOTATION MARK}\n", '"'),
        ("reroll = True\n", "true"),
        ("hex = 0507\n", '"0507"'),
        ("width = 72,0\n", "10.5"),
        ("board = { width = 72,0 }\n", "10.5"),
        ('{"width": 72,0}', "10.5"),
        ('{"board": {"width": 72,5, "depth": 48}}', "10.5"),
        ("[charges]\na = 1\n[charges]\na = 2\n", "[[charges]]"),
        ("[units.A]\n[units.A]\n", "twice"),
        ("// ours\n", "#"),
        ("width = 72 // it's ours\n", "#"),
        ('side = "red" // ours\n', "#"),
        ("[units.Royal Guard]\n", 'units."Royal Guard"'),
        ("width = .5\n", ""),
        ('note = """\n', ""),
        ("a = 1 " + "," * 2000 + "\n", ""),
    ],
)
def test_frequent_slips_are_told_with_their_remedy(text: str, remedy: str) -> None:
    """Quotes left out, commas for points, single brackets for double ones: the message says what to write; else it says
    no more.
    """
    reason, _, found = _refusal(text).partition("; ")
    assert untold(reason, "JSON" if text.startswith("{") else "TOML") == [], reason
    assert untold(found, remedy) == [] if remedy else found == "", found


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
def test_other_encodings_are_told_with_their_remedy(encoding: str) -> None:
    """A file that an editor saved as UTF-16 is told from one that is damaged."""
    assert untold(_refusal("a = 1\n".encode(encoding)), "UTF-8 .. UTF-16 .. UTF-32 .. UTF-8") == []


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 100_000,
        "a = " + "{a=" * 100_000,
        '{"a":' * 100_000,
        "[" + "a." * 100_000 + "a]",
        "a" + ".a" * 100_000 + " = 1",
        'a = """' + '"' * 3 + "[" * 100_000,
        "# '''\n" + "[" * 100_000,
    ],
)
def test_deep_nesting_is_refused_before_parsing(text: str) -> None:
    """Nesting of 100,000 levels, by brackets or by dotted keys, is refused at once."""
    assert untold(_refusal(text), "nested .. 32") == []


def test_nesting_may_be_as_deep_as_the_limit() -> None:
    """Tables and lists inside each other are counted with the file itself: 32 are read, 33 are not."""
    lists = NESTING - 1
    assert parsed(("a = " + "[" * lists + "]" * lists).encode())
    assert parsed(('{"a": ' + "[" * lists + "]" * lists + "}").encode())
    assert "nested" in _refusal("a = " + "[" * NESTING + "]" * NESTING)
    assert "nested" in _refusal('{"a": ' + "[" * NESTING + "]" * NESTING + "}")
    assert "nested" in _refusal("[" + ".".join("a" * 20) + "]\n" + ".".join("b" * 20) + " = 1")


@pytest.mark.parametrize(
    "text",
    [
        'a = "' + "[" * 99 + '"',
        "a = '" + "{" * 99 + "'",
        'a = """\n' + "[\n" * 99 + '"""',
        "# " + "[" * 99,
    ],
)
def test_brackets_in_strings_and_comments_do_not_nest(text: str) -> None:
    """Only brackets that build something count."""
    assert isinstance(parsed(text.encode()), dict)


def test_a_file_may_be_as_large_as_the_limit() -> None:
    """A file of exactly 1 MiB is read, one byte more is not."""
    exact = b"# " + b"x" * (FILE_BYTES - 2)
    assert parsed(exact) == {}
    assert "1,048,576" in _refusal(exact + b"x")


@pytest.mark.parametrize(
    "text",
    [
        '"""\\' * 300_000,
        "a = '''" + "'" * 1_000_000,
        "[[a]]\n" * 150_000,
        '{"a":0,' + '"b":0,' * 150_000 + '"c":0}',
        '{"a":0,"a":0,' + ",".join(f'"{number}":0' for number in range(80_000)) + "}",
        "a = [" + "nan," * 250_000 + "]",
    ],
)
def test_a_megabyte_of_malice_takes_linear_time(text: str) -> None:
    """Nothing in a file makes reading four times as much of it take much more than four times as long."""
    whole = text.encode()[:FILE_BYTES]
    best = min(_cost(whole), _cost(whole))  # whatever else the machine does costs one of them
    assert best <= 10 * _cost(whole[: len(whole) // 4]) + 0.1


def _cost(text: bytes) -> float:
    began = time.process_time()
    with suppress(ScenarioError):
        parsed(text)
    return time.process_time() - began


@pytest.mark.parametrize(
    ("text", "form"),
    [('system = "t9a"\nx = {}', "TOML"), ('{{"system": "t9a",\n"x": {}}}', "JSON")],
)
def test_a_number_without_end_is_told_with_its_line(text: str, form: str) -> None:
    """In words of the file, not of the machine that reads it."""
    with pytest.raises(ScenarioError) as refused:
        parsed(text.format("9" * 5000).encode())
    assert untold(str(refused.value), f"line 2: .. {form} .. digits") == []


def test_json_and_toml_are_told_apart() -> None:
    """A file that starts with a brace is JSON, whatever its name; a name can demand JSON."""
    assert parsed(b'  {"a": 1}') == parsed(b"a = 1") == {"a": 1}
    assert parsed(json.dumps({"a": "ä"}).encode("utf-8-sig")) == {"a": "ä"}
    with pytest.raises(ScenarioError, match="JSON"):
        parsed(b"[]", is_json=True)


AWKWARD = Path(__file__).with_name("awkward.toml").read_text("utf-8")


class Everything:
    """Wants all keys."""

    def __contains__(self, key: object) -> bool:
        """Want a key."""
        return True


def _paths(value: object, here: tuple[str | int, ...] = ()) -> Iterator[str]:
    entries = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in entries:
        yield key_path([*here, key])
        yield from _paths(item, (*here, key))


def _found(text: str, *, is_json: bool = False) -> set[str]:
    return {key for key, _ in key_starts(text, is_json=is_json, wanted=Everything())}


def _line(text: str, key: str) -> int | None:
    (problem,) = (
        SourceLines(text, text.lstrip().startswith("{"))
        .with_lines(ScenarioError(Fault(key, "is wrong")))
        .problems
    )
    return problem.line


@pytest.mark.parametrize("text", [AWKWARD, *(seed.decode() for seed in SEEDS[::7])])
def test_every_key_of_a_file_is_found(text: str) -> None:
    """Of TOML and of JSON exactly those keys and entries are found that the parsers find."""
    tables = tomllib.loads(text)
    assert _found(text) == set(_paths(tables))
    for indent in (None, 1):
        assert _found(json.dumps(tables, indent=indent, default=str), is_json=True) == set(
            _paths(tables)
        )


def test_every_key_of_a_bent_file_is_found() -> None:
    """So it is of whatever else is valid TOML."""
    read = 0
    for number in range(900):
        data = bent_bytes(Random(number).randrange)  # noqa: S311 - nothing is kept secret by it
        try:
            tables = parsed(data)
        except ScenarioError:
            continue
        read += 1
        assert _found(data.decode("utf-8-sig")) == set(_paths(tables))
    assert read > 30


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("'a b'.c.x", 2),
        ("'a b'.c.y[1].z", 2),
        ("dates[1]", 4),
        ("lists", 6),
        ("lists.of.tables[0].text", 7),
        ("lists.of.tables[1]", 9),
        ("lists.of.tables[1].literal", 10),
        ("lists.of.tables[2]", 13),
        ("lists.of.tables[2].inner.deep.er[0][1]", 16),
        ("lists.of.tables[2].inner.deep.er[1].a.b[1]", 18),
        ("lists.of.tables[2].inner.more[0]", 20),
        ("lists.last.missing[3].key", 21),
        ("nowhere.at.all", None),
        ("", None),
    ],
)
def test_the_line_of_a_key_is_where_it_or_what_is_around_it_begins(
    key: str, line: int | None
) -> None:
    """Keys in headers, dotted keys, entries of lists, text of several lines; for what is not there, the table it
    belongs in.
    """
    assert _line(AWKWARD, key) == line


def test_a_problem_is_told_with_file_line_and_key() -> None:
    """Wrong values, missing keys, unknown names, keys given twice: each has its line, in TOML and in JSON."""
    text = (
        to_toml(read_scenario("drill/march"))
        .replace("files = 5", "files = 5.5")
        .replace("dice = [3]", "dice = [\n3,\n9,\n]")
    )
    with pytest.raises(ScenarioError) as raised:
        case_from_text(text, file="march.toml")
    lines = text.splitlines()
    for message in str(raised.value).splitlines():
        file, line, key, _ = message.split(": ", 3)
        assert (file, lines[int(line.removeprefix("line ")) - 1].split(" =")[0].strip(" ,")) in {
            ("march.toml", "files"),
            ("march.toml", "9"),
        }
        assert key in {"units.A.files", "charges[0].dice[1]"}
    with pytest.raises(ScenarioError, match=r"line \d+: units.A.files: "):
        case_from_text(json.dumps(march({"units/A/files": 5.5}), indent=1))
    with pytest.raises(ScenarioError, match=r"^line 3: a\.b: .*twice"):
        parsed(b'{"a":\n {\n"b": 1, "b": 2}}')


def test_a_key_whose_header_is_still_a_comment_says_so() -> None:
    """As in the template, where one line is taken into use and the one above it forgotten."""
    text = (
        template_of(registry.find("t9a"), schema_of(registry.find("t9a")))
        .replace("# accuracy", "accuracy", 1)
        .replace("# centre = ", "centre = ", 1)
    )
    with pytest.raises(ScenarioError, match=r"board\.centre: .*\[terrain\.circle\].*#"):
        case_from_text(text)
    with pytest.raises(ScenarioError, match=r"board\.centre: [^#]*$"):
        case_from_text(text.replace("# [terrain.circle]", "").replace("# [[terrain]]", ""))


def test_a_header_that_is_unknown_is_meant_for_no_table_above_it() -> None:
    """A misspelt header begins a table of its own, whatever stands commented out above it; so does one with spaces
    before it.
    """
    text = template_of(registry.find("t9a"), schema_of(registry.find("t9a")))
    for header in ("[unit.A]", "  [unit.A]", "[[unit.A]]"):
        with pytest.raises(ScenarioError, match=r"line \d+: unit: [^#]*$"):
            case_from_text(text.replace("[units.A]", header, 1))


def test_a_file_of_one_line_needs_no_lines() -> None:
    """Where everything stands on one line it is not told."""
    with pytest.raises(ScenarioError, match=r"^units\.A\.files: "):
        case_from_text(json.dumps(march({"units/A/files": 5.5})) + "\n")


def test_a_file_read_as_it_is_written_has_lines_too(tmp_path: Path) -> None:
    """Whichever way a file is read."""
    file = tmp_path / "march.toml"
    file.write_text(
        to_toml(read_scenario("drill/march")).replace("files = 5", "files = 5.5"), "utf-8"
    )
    with pytest.raises(ScenarioError, match=r"march\.toml: line \d+: units\.A\.files: "):
        read_scenario(file)


def test_what_only_resolving_brings_to_light_has_its_line() -> None:
    """Faces that are left over are told with the line of the dice."""
    text = next(
        seed.decode()
        for seed, name in zip(SEEDS, bundled_names(), strict=True)
        if name == "t9a/wheel-and-align"
    )
    number = next(
        number for number, line in enumerate(text.splitlines(), start=1) if line.startswith("dice")
    )
    changed = "\n".join(
        "dice = [1, 2, 3]" if line.startswith("dice") else line for line in text.splitlines()
    )
    case = case_from_text(changed)
    with pytest.raises(ScenarioError, match=rf"^line {number}: charges\[0\]\.dice: "):
        resolve(case)


@pytest.mark.parametrize(
    ("head", "repeated", "tail", "count"),
    [
        ("a = [\n", "1,\n", "]", 340_000),
        ("", "[[a]]\n", "", 170_000),
        ("a = [\n", '{"b" = [1,\n2]},\n', "]", 60_000),
    ],
)
def test_a_megabyte_of_malice_is_located_in_linear_time(
    head: str, repeated: str, tail: str, count: int
) -> None:
    """Four times as many lines take not much more than four times as long."""
    assert len(repeated) * count <= FILE_BYTES
    assert (
        _cost_of_lines(head + repeated * count + tail)
        <= 10 * _cost_of_lines(head + repeated * (count // 4) + tail) + 0.1
    )


def _cost_of_lines(text: str) -> float:
    began = time.process_time()
    SourceLines(text, is_json=False).with_lines(
        ScenarioError([Fault(key, "") for key in ("a[9].b", "a[50000]", "c")])
    )
    return time.process_time() - began
