"""Problems are told with the line on which their key stands."""

import json
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tabletop import registry, resolve
from tabletop.errors import Fault, ScenarioError
from tabletop.scenario import case_from_text, to_toml
from tabletop.scenario.limits import FILE_BYTES
from tabletop.scenario.parsing import Lines, key_starts, parsed
from tabletop.scenario.reading import read_scenario
from tabletop.scenario.sources import bundled_names
from tabletop.scenario.template import template_of
from tabletop.words import key_path
from tests.drill.files import march
from tests.fuzzing.files import SEEDS, bent_bytes

AWKWARD = Path(__file__).with_name("awkward.toml").read_text("utf-8")


class Everything:
    """Wants all keys."""

    def __contains__(self, key: object) -> bool:
        """Want a key."""
        return True


def _paths(value: object, here: tuple[str | int, ...] = ()) -> Iterator[str]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in entries:
        yield key_path([*here, key])
        yield from _paths(item, (*here, key))


def _found(text: str, *, is_json: bool = False) -> set[str]:
    return {key for key, _ in key_starts(text, is_json=is_json, wanted=Everything())}


def _line(text: str, key: str) -> int | None:
    (problem,) = Lines(text, text.lstrip().startswith("{")).told(ScenarioError(Fault(key, "is wrong"))).problems
    return problem.line


@pytest.mark.parametrize("text", [AWKWARD, *(seed.decode() for seed in SEEDS[::7])])
def test_every_key_of_a_file_is_found(text: str) -> None:
    """Of TOML and of JSON exactly those keys and entries are found that the parsers find."""
    tables = tomllib.loads(text)
    assert _found(text) == set(_paths(tables))
    for indent in (None, 1):
        assert _found(json.dumps(tables, indent=indent, default=str), is_json=True) == set(_paths(tables))


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
def test_the_line_of_a_key_is_where_it_or_what_is_around_it_begins(key: str, line: int | None) -> None:
    """Keys in headers, dotted keys, entries of lists, text of several lines; for what is not there, the table it belongs in."""
    assert _line(AWKWARD, key) == line


def test_a_problem_is_told_with_file_line_and_key() -> None:
    """Wrong values, missing keys, unknown names, keys given twice: each has its line, in TOML and in JSON."""
    text = to_toml(read_scenario("drill/march")).replace("files = 5", "files = 5.5").replace("dice = [3]", "dice = [\n3,\n9,\n]")
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
    with pytest.raises(ScenarioError, match=r"^line 3: a\.b: given twice"):
        parsed(b'{"a":\n {\n"b": 1, "b": 2}}')


def test_a_key_whose_header_is_still_a_comment_says_so() -> None:
    """As in the template, where one line is taken into use and the one above it forgotten."""
    text = template_of(registry.find("t9a")).replace("# accuracy", "accuracy", 1).replace("# centre = ", "centre = ", 1)
    with pytest.raises(ScenarioError, match=r"board\.centre: unknown key .*; \[terrain\.circle\] above it is a comment: take its # away$"):
        case_from_text(text)
    with pytest.raises(ScenarioError, match=r"board\.centre: unknown key[^;]*$"):
        case_from_text(text.replace("# [terrain.circle]", "").replace("# [[terrain]]", ""))


def test_a_header_that_is_unknown_is_meant_for_no_table_above_it() -> None:
    """A misspelt header begins a table of its own, whatever stands commented out above it; so does one with spaces before it."""
    text = template_of(registry.find("t9a"))
    for header in ("[unit.A]", "  [unit.A]", "[[unit.A]]"):
        with pytest.raises(ScenarioError, match=r"line \d+: unit: unknown key[^;]*(; did you mean[^;]*)?$"):
            case_from_text(text.replace("[units.A]", header, 1))


def test_a_file_of_one_line_needs_no_lines() -> None:
    """Where everything stands on one line it is not told."""
    with pytest.raises(ScenarioError, match=r"^units\.A\.files: "):
        case_from_text(json.dumps(march({"units/A/files": 5.5})) + "\n")


def test_a_file_read_as_it_is_written_has_lines_too(tmp_path: Path) -> None:
    """Whichever way a file is read."""
    file = tmp_path / "march.toml"
    file.write_text(to_toml(read_scenario("drill/march")).replace("files = 5", "files = 5.5"), "utf-8")
    with pytest.raises(ScenarioError, match=r"march\.toml: line \d+: units\.A\.files: "):
        read_scenario(file)


def test_what_only_resolving_brings_to_light_has_its_line() -> None:
    """Faces that are left over are told with the line of the dice."""
    text = next(seed.decode() for seed, name in zip(SEEDS, bundled_names(), strict=True) if name == "t9a/wheel-and-align")
    number = next(number for number, line in enumerate(text.splitlines(), start=1) if line.startswith("dice"))
    changed = "\n".join("dice = [1, 2, 3]" if line.startswith("dice") else line for line in text.splitlines())
    case = case_from_text(changed)
    with pytest.raises(ScenarioError, match=rf"^line {number}: charges\[0\]\.dice: "):
        resolve(case)


@pytest.mark.parametrize(
    ("head", "repeated", "tail", "count"),
    [("a = [\n", "1,\n", "]", 340_000), ("", "[[a]]\n", "", 170_000), ("a = [\n", '{"b" = [1,\n2]},\n', "]", 60_000)],
)
def test_a_megabyte_of_malice_is_located_in_linear_time(head: str, repeated: str, tail: str, count: int) -> None:
    """Four times as many lines take not much more than four times as long."""
    assert len(repeated) * count <= FILE_BYTES
    assert _cost(head + repeated * count + tail) <= 10 * _cost(head + repeated * (count // 4) + tail) + 0.1


def _cost(text: str) -> float:
    began = time.process_time()
    Lines(text, is_json=False).told(ScenarioError([Fault(key, "") for key in ("a[9].b", "a[50000]", "c")]))
    return time.process_time() - began
