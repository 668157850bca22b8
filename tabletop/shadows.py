"""Files of a user that bear the names of this project's packages, and would be imported in their place."""

from importlib.util import find_spec
from pathlib import Path

from tabletop.errors import UsageError

HOME = Path(__file__).resolve().parents[1]
"""Where the packages of this project lie side by side."""


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
            raise UsageError(f"{place or 'something'} stands in the way of tabletop's own package {name!r}: rename it, or work elsewhere")
