"""The installed distribution: its name, version and extras, and packages that shadow its own.

The name `tabletop` belongs to another package on the public index; the import name and the command are `tabletop`
nevertheless.
"""

from importlib.util import find_spec
from pathlib import Path

from tabletop.errors import UsageError
from tabletop.messages import say

NAME = "tabletop-charges"

HOME = Path(__file__).resolve().parents[1]
"""Folder that holds the packages of this project."""


def version() -> str:
    """Return the version of the installed distribution, such as "1.2.0"."""
    from importlib import metadata

    return metadata.version(NAME)


def install_line(extra: str) -> str:
    """Return the command that installs an optional extra of the distribution.

    Examples
    --------
    >>> install_line("explore")
    "pip install 'tabletop-charges[explore]'"
    """
    return f"pip install '{NAME}[{extra}]'"


def refuse_shadows() -> None:
    """Raise if Python would import a file that is not this project's as `systems` or `plots`.

    Raises
    ------
    UsageError
        With the path of that file.
    """
    for name in ("systems", "plots"):
        found = find_spec(name)
        place = None if found is None or found.origin is None else Path(found.origin).resolve()
        if place is None or place.parent != HOME / name:
            message = "{place} hides tabletop's own package {name}: rename it, or run tabletop in another folder"
            raise UsageError(message, place=place or say("something"), name=repr(name))
