"""Files to begin with, and every key explained: the template, the schema and the reference say the same, from one
source.
"""

import json
import re
import runpy
import sys
import tomllib
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tabletop
from tabletop import registry
from tabletop.cli import main
from tabletop.scenario.results import result
from tabletop.scenario.schema import bare, json_schema, reference, schema_of, tables_in, written
from tabletop.scenario.template import example_of, template_of
from tabletop.scenario.vocabulary import Entry, descriptions_of
from tests.messages import untold

ROOT = Path(__file__).resolve().parents[2]
EACH = pytest.mark.parametrize(
    "system", [registry.find(name) for name in registry.BUILT_IN], ids=lambda one: one.name
)


def keys_of(
    schema: Mapping[str, Any], node: Mapping[str, Any], path: str = ""
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Go through all keys of a schema, those of tables in tables too."""
    for key, part in node.get("properties", {}).items():
        yield f"{path}{key}", part
        if (inner := tables_in(schema, part)) is not None:
            yield from keys_of(schema, inner[1], f"{path}{key}.")


@EACH
def test_a_template_is_a_file_that_is_resolved(system: Any, tmp_path: Path) -> None:
    """What `new` writes runs as it stands."""
    file = tmp_path / "new.toml"
    file.write_text(template_of(system, schema_of(system)), "utf-8")
    assert tabletop.resolve(file).rulings[0].outcome == "success"


@EACH
def test_a_small_file_begins_with_its_first_unit(
    system: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What `new` writes fits a screen, its first unit the first 24 lines, and it is resolved and checked as it
    stands.
    """
    file = tmp_path / "new.toml"
    assert main(["new", system.name, "-o", str(file)]) == 0
    lines = file.read_text("utf-8").splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    assert "" in lines[lines.index("[units.A]") : 24]  # the unit has ended
    assert main(["resolve", str(file), "--brief"]) == 0
    brief = capsys.readouterr().out
    assert "success" in brief
    with file.open("a", encoding="utf-8") as more:
        more.write('\n[[expect]]\noutcome = "success"\n')
    assert main(["check", str(file)]) == 0
    assert main(["new", system.name, "--explain", "-o", str(file), "--force"]) == 0
    capsys.readouterr()
    assert main(["resolve", str(file), "--brief"]) == 0
    assert capsys.readouterr().out == brief
    assert len(file.read_text("utf-8").splitlines()) > 200


@EACH
@pytest.mark.parametrize("language", ["german", "french"])
def test_both_files_are_explained_in_a_language(
    system: Any, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Comments are translated, limits and defaults too; keys and values are those of the English file."""
    for more in ([], ["--explain"]):
        assert main(["new", system.name, *more]) == 0
        english = capsys.readouterr().out
        assert main(["new", system.name, *more, "--language", language]) == 0
        other = capsys.readouterr().out
        assert tomllib.loads(other) == tomllib.loads(english)
        assert [
            word
            for word in (
                "needed)",
                "default ",
                "Every key",
                "Whose unit",
                " to 10",
                "more than",
                "one of",
            )
            if word in other
        ] == []


def test_names_that_toml_quotes_are_quoted() -> None:
    """Of a game whose example has units of two words; the meaning of a key ends at a clause outside of brackets."""
    t9a: Any = copy(registry.find("t9a"))
    units = {
        "The Guard" if name == "A" else name: unit
        for name, unit in t9a.vocabulary.example["units"].items()
    }
    charge = {**t9a.vocabulary.example["charges"][0], "charger": "The Guard"}
    t9a.vocabulary = replace(
        t9a.vocabulary, example={**t9a.vocabulary.example, "units": units, "charges": [charge]}
    )
    for make in (example_of, template_of):
        assert tomllib.loads(make(t9a, schema_of(t9a)))["units"].keys() == {"The Guard", "B"}
    assert "at = [38.0, 32.0]  # Middle of the unit's front edge\n" in example_of(
        t9a, schema_of(t9a)
    )


@EACH
def test_a_template_names_every_key(system: Any) -> None:
    """No key of the schema is missing, in use or as a comment."""
    schema = schema_of(system)
    text = template_of(system, schema_of(system))
    for path, part in keys_of(schema, schema):
        key = path.rpartition(".")[2]
        pattern = (
            rf"^#? ?{key} = " if tables_in(schema, part) is None else rf"^#? ?\[\[?[\w.]*\b{key}\b"
        )
        assert re.search(pattern, text, re.MULTILINE), path


@EACH
def test_choices_can_be_taken_as_they_are_shown(system: Any, tmp_path: Path) -> None:
    """With the # taken away from all readings of rules nothing changes: they are the defaults."""
    text = template_of(system, schema_of(system))
    head, _, rest = text.partition("\n[rules]\n")
    readings, mark, tail = rest.partition("\n\n")
    used = re.sub(r"^# (\w+ = )", r"\1", readings, flags=re.MULTILINE)
    book = {
        line.partition(" = ")[0]
        for line in used.splitlines()
        if hasattr(system.book, line.partition(" = ")[0])
    }
    kept = "\n".join(line for line in used.splitlines() if line.partition(" = ")[0] not in book)
    file = tmp_path / "used.toml"
    plain = tmp_path / "plain.toml"
    file.write_text(f"{head}\n[rules]\n{kept}{mark}{tail}", "utf-8")
    plain.write_text(text, "utf-8")
    assert len(tomllib.loads(file.read_text("utf-8"))["rules"]) > 3
    answers = [
        result(case, tabletop.resolve(case)) for case in map(tabletop.read_case, (file, plain))
    ]
    assert answers[0]["rulings"] == answers[1]["rulings"]


@EACH
def test_every_key_is_described(system: Any) -> None:
    """The schema says of each key what it means: a sentence, no more than a few lines."""
    schema = schema_of(system)
    for path, part in keys_of(schema, schema):
        text = str(part.get("description", ""))
        assert text.endswith("."), path
        assert 10 < len(text) < 500, path


@EACH
def test_words_are_told(system: Any) -> None:
    """Of a key with words to choose from each word is named, in what it means or in what it may be."""
    schema = schema_of(system)
    page = reference([system])
    for path, part in keys_of(schema, schema):
        for word in bare(schema, part).get("enum", ()):
            assert written(word) in page, path


def test_the_reference_is_what_the_schema_says() -> None:
    """The page in docs is the one that is written today."""
    own = ("t9a", "conquest", "wh40k", "battletech")
    assert (ROOT / "docs" / "keys.md").read_text("utf-8") == reference(map(registry.find, own))


def test_one_schema_describes_what_all_do() -> None:
    """The schema of all systems holds the descriptions too."""
    whole = json_schema(map(registry.find, registry.BUILT_IN))
    described = [
        part
        for node in whole["$defs"].values()
        for part in node.get("properties", {}).values()
        if part.get("description")
    ]
    assert len(described) > 250


def test_new_writes_no_file_over_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is there is left alone, unless one says so."""
    file = tmp_path / "charge.toml"
    assert main(["new", "t9a", "-o", str(file)]) == 0
    written = file.read_text("utf-8")
    file.write_text("mine", "utf-8")
    assert main(["new", "t9a", "-o", str(file)]) == 2
    assert untold(capsys.readouterr().err, f"error: {file}: .. --force") == []
    assert file.read_text("utf-8") == "mine"
    assert main(["new", "t9a", "-o", str(file), "--force"]) == 0
    assert file.read_text("utf-8") == written
    assert main(["new", "t9a"]) == 0
    assert capsys.readouterr().out == written
    assert main(["new", "chess"]) == 2


def test_new_writes_files_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Folders, links, devices and names in folders that are not there are refused, forced or not."""
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    for name in (tmp_path, tmp_path / "link", Path("/dev/null"), tmp_path / "missing" / "new.toml"):
        for force in ([], ["--force"]):
            assert main(["new", "t9a", "-o", str(name), *force]) == 2
            assert f"error: {name}: " in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["link"]
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize(
    ("failing", "error"),
    [
        ("pathlib.Path.write_text", OSError(28, "No space left on device")),
        ("tempfile.mkstemp", OSError(30, "Read-only file system", "/small/.charge.toml.x.new")),
    ],
)
def test_new_names_the_file_that_cannot_be_written(
    failing: str,
    error: OSError,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a disk that is full or only read it is the file that was asked for, and none that is beside it; nothing is
    left.
    """

    def refused(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(failing, refused)
    assert main(["new", "t9a", "-o", str(tmp_path / "charge.toml")]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert untold(told, f"error: {tmp_path / 'charge.toml'}: .. {error.strerror}") == [], told
    assert not list(tmp_path.iterdir())


def test_new_writes_to_standard_output_and_no_toml_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bare - means what it means for FILE; a file that would be read as JSON is not begun in TOML."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", "t9a"]) == 0
    printed = capsys.readouterr().out
    assert main(["new", "t9a", "-o", "-"]) == 0
    assert capsys.readouterr().out == printed
    assert main(["new", "t9a", "-o", "charge.json"]) == 2
    assert "charge.toml" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_bundled_file_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever wants to begin from one of them sees it as it is; a wrong name is told the nearest."""
    assert main(["scenarios", "--show", "t9a/free-choice"]) == 0
    assert capsys.readouterr().out == (ROOT / "systems/t9a/scenarios/free-choice.toml").read_text(
        "utf-8"
    )
    assert main(["scenarios", "--show", "t9a/free-choise"]) == 2
    assert untold(capsys.readouterr().err, "'t9a/free-choise' .. 't9a/free-choice'") == []
    assert main(["scenarios", "--show", "t9a"]) == 2
    assert untold(capsys.readouterr().err, "'t9a' .. tabletop scenarios") == []


def test_one_systems_schema_names_its_keys(capsys: pytest.CaptureFixture[str]) -> None:
    """An editor that checks a file of one game against it marks the key that is wrong."""
    assert main(["schema", "conquest"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["properties"]["system"]["const"] == "conquest"
    assert "march" in json.dumps(schema)
    assert main(["schema", "chess"]) == 2


def test_the_reference_is_printed_by_its_module(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever changes a key writes the page anew with one command."""
    monkeypatch.setattr(registry, "BUILT_IN", {"t9a": registry.BUILT_IN["t9a"]})
    monkeypatch.delitem(sys.modules, "tabletop.scenario.schema")
    runpy.run_module("tabletop.scenario.schema", run_name="__main__")
    assert capsys.readouterr().out.count("\n## ") == 1


class Odd(Entry):
    """Keys whose descriptions are none."""

    plain: int = 0
    dotted: int = 0
    told: int = 0
    """Told."""


def test_only_strings_below_keys_describe_them() -> None:
    """What else may stand below a key says nothing of it."""
    assert descriptions_of(Odd) == {"told": "Told."}
    assert descriptions_of(Entry) == {}


def test_a_template_without_an_example_is_a_bundled_scenario() -> None:
    """A game that gives no example of its own is shown by the first that comes with it."""
    t9a: Any = copy(registry.find("t9a"))
    t9a.vocabulary = replace(t9a.vocabulary, example={})
    (name, file), *_ = registry.scenarios("t9a")
    assert (
        tomllib.loads(template_of(t9a, schema_of(t9a)))["units"].keys()
        == tomllib.loads(file.read_text("utf-8"))["units"].keys()
    )
    assert tabletop.case(template_of(t9a, schema_of(t9a))).title == tabletop.case(name).title


def test_a_template_of_a_game_without_scenarios(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to show but the keys."""
    t9a: Any = copy(registry.find("t9a"))
    t9a.vocabulary = replace(t9a.vocabulary, example={})
    monkeypatch.setattr(registry, "scenarios", lambda _: ())
    assert tomllib.loads(template_of(t9a, schema_of(t9a))).keys() <= {"system", "edition", "rules"}
