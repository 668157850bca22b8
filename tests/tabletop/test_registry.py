"""Systems are found by name, those of installed packages too."""

import json
import re
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tabletop import registry
from tabletop.cli import main
from tabletop.errors import UsageError
from tabletop.scenario.vocabulary import Vocabulary
from tests.drill import SYSTEM, Drill


@pytest.fixture
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        EntryPoint("drill", "tests.drill:SYSTEM", registry.GROUP),
        EntryPoint("broken", "tests.no_such_module:SYSTEM", registry.GROUP),
        EntryPoint("t9a", "tests.drill:SYSTEM", registry.GROUP),
    ]
    monkeypatch.setattr(
        registry, "entry_points", lambda group: [entry for entry in found if entry.group == group]
    )


@pytest.mark.usefixtures("_installed")
def test_installed_systems_stand_beside_the_projects_own() -> None:
    """An entry point adds a system with its scenarios; it cannot replace a built-in one."""
    assert registry.names() == (*registry.BUILT_IN, "broken", "drill")
    assert registry.find("drill") is SYSTEM
    assert [name for name, _ in registry.scenarios("drill")] == ["drill/march"]
    assert registry.find("t9a").name == "t9a"
    assert [registry.is_known(name) for name in ("drill", "t9a", "t9")] == [True, True, False]


@pytest.mark.usefixtures("_installed")
def test_a_system_that_cannot_be_loaded_is_told() -> None:
    """A broken package is named with the reason."""
    with pytest.raises(
        UsageError, match=r"'broken' \(tests\.no_such_module:SYSTEM\).*'tests\.no_such_module'"
    ):
        registry.find("broken")


NO_WORDS: Any = "words"


class _Partless:
    name = "broken"


class _Renamed(Drill):
    pass


class _Bookless(Drill):
    name: ClassVar[str] = "broken"
    book: ClassVar[Any] = {"bonus": 1.0}


class _Editionless(Drill):
    name: ClassVar[str] = "broken"
    editions: ClassVar[tuple[str, ...]] = ()


class _Speechless(Drill):
    name: ClassVar[str] = "broken"
    vocabulary: ClassVar[Any] = {"status": ()}


class _Garbled(Drill):
    name: ClassVar[str] = "broken"
    vocabulary: ClassVar[Vocabulary] = replace(Drill.vocabulary, status=NO_WORDS, profile=object)  # type: ignore[arg-type]


BROKEN = {
    "tests.tabletop.test_registry:NOTHING": "has no attribute 'NOTHING'",
    "tests.tabletop.test_registry:LEAVING.now": "SystemExit",
    "tests.tabletop.test_registry:PARTLESS": "title",
    "tests.tabletop.test_registry:RENAMED": "'drill'",
    "tests.tabletop.test_registry:BOOKLESS": "dataclass",
    "tests.tabletop.test_registry:EDITIONLESS": "edition",
    "tests.tabletop.test_registry:SPEECHLESS": "Vocabulary",
    "tests.tabletop.test_registry:GARBLED": "model_fields",
    "tests.tabletop.test_registry:SILENT": "no contrasts, missing: derive it from tabletop.kit.StatedSystem",
    "not a reference": "",
    "tests.no.such:SYSTEM": "No module named 'tests.no'",
}


class _Silent:
    """A system that derives from nothing and cannot say what tells against alternatives."""

    name = "broken"
    title = "Broken"
    editions = ("1",)
    rules = ()
    vocabulary = Drill.vocabulary
    book = Drill.book
    resolve = judge = odds = None


class _Leaving:
    @property
    def now(self) -> None:
        raise SystemExit


LEAVING = _Leaving()
PARTLESS = _Partless()
RENAMED = _Renamed()
BOOKLESS = _Bookless()
EDITIONLESS = _Editionless()
SPEECHLESS = _Speechless()
GARBLED = _Garbled()
SILENT = _Silent()


@pytest.mark.parametrize(("reference", "why"), BROKEN.items(), ids=BROKEN)
def test_a_broken_package_breaks_only_itself(
    reference: str, why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is wrong with a package is told with its name where all systems are asked; all others are there, and it
    has no files.
    """
    found = [
        EntryPoint("broken", reference, registry.GROUP),
        EntryPoint("drill", "tests.drill:SYSTEM", registry.GROUP),
    ]
    monkeypatch.setattr(
        registry, "entry_points", lambda group: [entry for entry in found if entry.group == group]
    )
    told: list[str] = []
    assert registry.usable_names(told.append) == (*registry.BUILT_IN, "drill")
    assert len(told) == 1
    named, said = told[0].split(f" ({reference}) ")
    assert "'broken'" in named
    assert why in said
    assert registry.scenarios("broken") == ()
    for command in (["schema"], ["scenarios"]):
        assert main(command) == 0
        captured = capsys.readouterr()
        assert "drill" in captured.out
        assert re.match("warning: .*'broken'", captured.err)
    assert main(["resolve", "drill/march", "--dice", "3"]) == 0
    assert "broken" not in capsys.readouterr().err
    assert main(["rules", "broken"]) == 2


def test_the_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What must be mended or removed is a package: its name as it was installed is told."""
    about = tmp_path / "acme_games-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: acme-games\nVersion: 1.0\n", encoding="utf-8"
    )
    (about / "entry_points.txt").write_text(
        "[tabletop.systems]\nacme = acme_games:SYSTEM\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(
        UsageError, match=r"'acme'.* acme-games \(acme_games:SYSTEM\).*'acme_games'"
    ):
        registry.find("acme")


@pytest.mark.usefixtures("_installed")
def test_a_bundled_file_that_cannot_be_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It stands in the list without a title, and what is wrong with it is told."""
    (tmp_path / "bad.toml").write_text("title = \n", encoding="utf-8")
    monkeypatch.setattr(
        registry, "scenarios", lambda name: ((f"{name}/bad", tmp_path / "bad.toml"),)
    )
    assert main(["scenarios"]) == 0
    assert f"warning: {tmp_path / 'bad.toml'}: Invalid value" in capsys.readouterr().err


def test_own_systems_are_known_without_a_look_at_installed_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What every file asks is answered at once."""
    monkeypatch.setattr(registry, "entry_points", None)
    assert registry.is_known("t9a")
    assert registry.find("t9a").name == "t9a"


def test_an_unknown_name_is_told_with_the_nearest() -> None:
    """The message suggests a system."""
    with pytest.raises(UsageError, match=r"'t9'.*'t9a'"):
        registry.find("t9")


def test_every_bundled_scenario_has_a_file() -> None:
    """Names are the system's and the file's."""
    assert all(
        file.is_file() and name == f"t9a/{file.stem}" for name, file in registry.scenarios("t9a")
    )


@pytest.mark.usefixtures("_installed")
def test_a_bug_is_laid_to_the_package_in_whose_code_it_arose(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The sentence names the system that somebody else's package brings; nothing of ours is to be reported then."""
    moody = tmp_path / "moody.toml"
    text = registry.scenarios("drill")[0][1].read_text("utf-8")
    moody.write_text(text.replace("{ pace = 2 }", "{ pace = 2, mood = 6 }", 1))
    assert main(["resolve", str(moody)]) == 5
    told = capsys.readouterr().err
    assert re.match(r"error: .*bug.*package.*'drill' \(.*\d+ .*drill.*\.py\)", told)
    assert registry.package_at_fault(ValueError()) is None


LOUD = """
print("hello from a package")
from tests.drill import SYSTEM as SYSTEM
"""


def test_what_a_package_prints_is_no_part_of_an_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The JSON of `schema` stays JSON; what is printed on import goes to standard error."""
    (tmp_path / "loud_drill.py").write_text(LOUD, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(
        registry, "entry_points", lambda group: [EntryPoint("drill", "loud_drill:SYSTEM", group)]
    )
    assert main(["schema", "drill"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["properties"]
    assert "hello from a package" in told.err
