"""Systems are found by name, those of installed packages too."""

from importlib.metadata import EntryPoint

import pytest

from tabletop import registry
from tabletop.errors import UsageError
from tests.drill import SYSTEM


@pytest.fixture
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        EntryPoint("drill", "tests.drill:SYSTEM", registry.GROUP),
        EntryPoint("broken", "tests.no_such_module:SYSTEM", registry.GROUP),
        EntryPoint("t9a", "tests.drill:SYSTEM", registry.GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry for entry in found if entry.group == group])


@pytest.mark.usefixtures("_installed")
def test_installed_systems_stand_beside_the_projects_own() -> None:
    """An entry point adds a system with its scenarios; it cannot replace a built-in one."""
    assert registry.names() == (*registry.BUILT_IN, "broken", "drill")
    assert registry.find("drill") is SYSTEM
    assert [name for name, _ in registry.scenarios("drill")] == ["drill/march"]
    assert registry.find("t9a").name == "t9a"
    assert [registry.knows(name) for name in ("drill", "t9a", "t9")] == [True, True, False]


@pytest.mark.usefixtures("_installed")
def test_a_system_that_cannot_be_loaded_is_told() -> None:
    """A broken package is named with the reason."""
    with pytest.raises(UsageError, match=r"'broken' \(tests.no_such_module:SYSTEM\) cannot be loaded: No module named"):
        registry.find("broken")


def test_own_systems_are_known_without_a_look_at_installed_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """What every file asks is answered at once."""
    monkeypatch.setattr(registry, "entry_points", None)
    assert registry.knows("t9a")
    assert registry.find("t9a").name == "t9a"


def test_an_unknown_name_is_told_with_the_nearest() -> None:
    """The message suggests a system."""
    with pytest.raises(UsageError, match="no system is called 't9'; did you mean 't9a'"):
        registry.find("t9")


def test_every_bundled_scenario_has_a_file() -> None:
    """Names are the system's and the file's."""
    assert all(file.is_file() and name == f"t9a/{file.stem}" for name, file in registry.scenarios("t9a"))
