"""Registry of game systems: the built-in ones, and those that installed packages register as entry points."""

import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import is_dataclass
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from traceback import walk_tb
from typing import Any

from tabletop.errors import UsageError
from tabletop.messages import nearest, quoted, say
from tabletop.ruling.system import System

GROUP = "tabletop.systems"

BUILT_IN = {
    "t9a": "systems.t9a:SYSTEM",
    "conquest": "systems.conquest:SYSTEM",
    "wh40k": "systems.wh40k:SYSTEM",
    "battletech": "systems.battletech:SYSTEM",
}

SYSTEM_PARTS = (
    "name",
    "title",
    "editions",
    "rules",
    "vocabulary",
    "book",
    "resolve",
    "judge",
    "odds",
    "contrasts",
    "missing",
)
"""Attributes that every system must have."""


def names() -> tuple[str, ...]:
    """Return the names of all registered game systems, the built-in ones first."""
    return (*BUILT_IN, *_registered())


def is_known(name: str) -> bool:
    """Return whether a game system of this name is registered, built in or by an installed package.

    Installed packages are searched only if the name is not built in.
    """
    return name in BUILT_IN or name in _registered()


def named(tables: Mapping[str, Any]) -> System | None:
    """Return the game system that the tables of a scenario name under "system"; None if they name none that is
    registered.

    Raises as `find` does.
    """
    name = tables.get("system")
    return find(name) if isinstance(name, str) and is_known(name) else None


def usable_names(told: Callable[[str], object]) -> tuple[str, ...]:
    """Return the names of all game systems that can be loaded.

    For each that cannot, `told` is called with the reason.
    """
    return tuple(name for name in names() if name in BUILT_IN or _is_whole(name, told))


def _is_whole(name: str, told: Callable[[str], object]) -> bool:
    try:
        find(name)
    except UsageError as error:
        told(str(error))
        return False
    return True


def find(name: str) -> System:
    """Return the game system of this name, loaded from its package.

    Raises
    ------
    UsageError
        If no system has this name (the message suggests a similar one), or its package cannot be loaded.
    """
    if name in BUILT_IN:
        own: System = EntryPoint(name, BUILT_IN[name], GROUP).load()
        return own
    entry = _entry(name)
    try:
        with redirect_stdout(sys.stderr):  # output printed at import must not mix with the answer
            return _checked(entry.load(), name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a third-party package may raise anything at import
        owner = say(" of the package {package}", package=entry.dist.name) if entry.dist else ""
        why = str(error) or type(error).__name__
        message = "the system {name}{owner} ({place}) cannot be loaded: {why}"
        raise UsageError(
            message, name=repr(name), owner=owner, place=entry.value, why=why
        ) from error


def _checked(found: Any, name: str) -> System:
    """Return an object loaded for the name of a game system if it is one.

    Raises
    ------
    TypeError
        If it lacks an attribute, has another name, or its vocabulary, book or editions are unusable.
    """
    from tabletop.scenario.document import scenario_model
    from tabletop.scenario.vocabulary import Vocabulary

    lacking = [part for part in SYSTEM_PARTS if not hasattr(found, part)]
    if lacking:
        raise TypeError(
            f"it is not a system: it has no {', '.join(lacking)}: derive it from tabletop.kit.StatedSystem, and "
            "define what is left"
        )
    if found.name != name:
        raise TypeError(f"it is the system {found.name!r}")
    if (
        not isinstance(found.vocabulary, Vocabulary)
        or not is_dataclass(found.book)
        or not found.editions
    ):
        raise TypeError(
            "it is not a system: expected `vocabulary` (a Vocabulary), `book` (a dataclass) and at least one "
            "entry in `editions`"
        )
    scenario_model(found)
    system: System = found
    return system


def package_at_fault(error: Exception) -> tuple[str, str] | None:
    """Return the name of the third-party system in whose code an exception arose, and the line and file; None if it
    arose elsewhere.
    """
    raised = {
        frame.f_globals.get("__name__", "").partition(".")[0]: (frame, line)
        for frame, line in walk_tb(error.__traceback__)
    }
    for name, entry in _registered().items():
        home = entry.value.partition(":")[0]
        if home in sys.modules and home.partition(".")[0] in raised:
            frame, line = raised[home.partition(".")[0]]
            return name, f"line {line} of {frame.f_code.co_filename}"
    return None


def scenarios(name: str) -> tuple[tuple[str, Path], ...]:
    """Return (name, file) of each scenario bundled with a game system, sorted by file, without loading the system.

    The name is that of the system and the file, as in "t9a/wheel-and-align". The result is empty if the system's
    package is missing or broken.

    Raises
    ------
    UsageError
        If no system has this name.
    """
    reference = BUILT_IN[name] if name in BUILT_IN else _entry(name).value
    try:
        with redirect_stdout(sys.stderr):
            package = find_spec(reference.partition(":")[0])
    except (Exception, SystemExit):  # noqa: BLE001 - raised by a parent package
        package = None
    places = (package.submodule_search_locations if package else None) or ()
    files = sorted(file for place in places for file in Path(place, "scenarios").glob("*.toml"))
    return tuple((f"{name}/{file.stem}", file) for file in files)


def _entry(name: str) -> EntryPoint:
    registered = _registered()
    if name not in registered:
        known = names()
        message = "no system is called {name}{hint} (known: {known})"
        raise UsageError(message, name=repr(name), hint=nearest(name, known), known=quoted(known))
    return registered[name]


def _registered() -> dict[str, EntryPoint]:
    """Return the entry points of installed packages by the name of their game system, sorted, without names that are
    built in.
    """
    found = {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in BUILT_IN}
    return {name: found[name] for name in sorted(found)}
