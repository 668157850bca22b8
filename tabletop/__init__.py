"""Settle charges in tabletop wargames by geometry.

>>> import tabletop
>>> sorted(tabletop.__all__)
['draw', 'explore', 'judge', 'odds', 'read_case', 'resolve']
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabletop.asking import judge, odds, resolve
    from tabletop.exploring.undertaking import explore
    from tabletop.scenario.reading import read_case
    from tabletop.show import draw

__all__ = ["draw", "explore", "judge", "odds", "read_case", "resolve"]

_HOMES = {
    "draw": "tabletop.show",
    "explore": "tabletop.exploring.undertaking",
    "judge": "tabletop.asking",
    "odds": "tabletop.asking",
    "read_case": "tabletop.scenario.reading",
    "resolve": "tabletop.asking",
}


def __getattr__(name: str) -> Any:
    """Load the public functions when they are first asked for: `import tabletop` stays light."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'tabletop' has no attribute {name!r}")
