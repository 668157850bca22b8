"""Finds game systems by name: those in this project, and those that installed packages register."""

from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from tabletop.errors import UsageError
from tabletop.ruling import System
from tabletop.words import listed, nearest

GROUP = "tabletop.systems"
BUILT_IN = {
    "t9a": "systems.t9a:SYSTEM",
    "conquest": "systems.conquest:SYSTEM",
    "wh40k": "systems.wh40k:SYSTEM",
    "battletech": "systems.battletech:SYSTEM",
}


def names() -> tuple[str, ...]:
    """List the names of all systems, the project's own first."""
    return tuple(_references())


def knows(name: str) -> bool:
    """Tell whether there is a system of that name; for the project's own the installed packages are not gone through, which takes long."""
    return name in BUILT_IN or name in _references()


def find(name: str) -> System:
    """Load a system by name.

    Raises
    ------
    UsageError
        If there is none of that name (the message names the nearest), or it cannot be loaded.
    """
    reference = _reference(name)
    try:
        system: System = EntryPoint(name, reference, GROUP).load()
    except (ImportError, AttributeError) as error:
        if name in BUILT_IN:
            raise
        raise UsageError(f"the system {name!r} ({reference}) cannot be loaded: {error}") from error
    return system


def scenarios(name: str) -> tuple[tuple[str, Path], ...]:
    """Give the scenarios bundled with a system, without loading it: their names, as in `t9a/align-corner`, and their files.

    A system whose package is not there has none.
    """
    try:
        package = find_spec(_reference(name).partition(":")[0])
    except ModuleNotFoundError:  # of what a system's package lies in
        package = None
    places = (package.submodule_search_locations if package else None) or ()
    files = sorted(file for place in places for file in Path(place, "scenarios").glob("*.toml"))
    return tuple((f"{name}/{file.stem}", file) for file in files)


def _reference(name: str) -> str:
    if name in BUILT_IN:
        return BUILT_IN[name]
    known = _references()
    if name not in known:
        raise UsageError(f"no system is called {name!r}{nearest(name, known)} (known: {listed(known)})")
    return known[name]


def _references() -> dict[str, str]:
    registered = {entry.name: entry.value for entry in entry_points(group=GROUP)}
    return {**BUILT_IN, **{name: registered[name] for name in sorted(registered) if name not in BUILT_IN}}
