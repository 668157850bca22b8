"""What this program is installed as: the name of its distribution, its version, its extras, and files that stand in its way.

Another package has the name `tabletop` on the public index; what is imported and typed is called so all the same.
"""

from importlib.util import find_spec
from pathlib import Path

from tabletop.errors import UsageError
from tabletop.messages import say

NAME = "tabletop-charges"

HOME = Path(__file__).resolve().parents[1]
"""Where the packages of this project lie side by side."""


def version() -> str:
    """Return the version that is installed."""
    from importlib import metadata

    return metadata.version(NAME)


def install_line(extra: str) -> str:
    """Return the command that installs an extra.

    Examples
    --------
    >>> install_line("explore")
    "pip install 'tabletop-charges[explore]'"
    """
    return f"pip install '{NAME}[{extra}]'"


def refuse_shadows() -> None:
    """Refuse to work where another file would be imported as `systems` or `plots`.

    Raises
    ------
    UsageError
        Naming the file.
    """
    for name in ("systems", "plots"):
        found = find_spec(name)
        place = None if found is None or found.origin is None else Path(found.origin).resolve()
        if place is None or place.parent != HOME / name:
            message = "{place} stands in the way of tabletop's own package {name}: rename it, or work elsewhere"
            raise UsageError(message, place=place or say("something"), name=repr(name))
