"""Settle charges in tabletop wargames by exact geometry.

`resolve` answers what each charge of a scenario comes to, `odds` how likely it is, `judge` whether claimed places are
right, `draw` makes a figure of it, and `explore` maps answers over varied set-ups.

>>> import tabletop
>>> [name for name in dir(tabletop) if name.islower() and not name.startswith("_")]
['case', 'draw', 'explore', 'judge', 'odds', 'read_case', 'resolve']
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tabletop.ruling.presented import Presenter

if TYPE_CHECKING:
    from tabletop.api import judge, odds, resolve
    from tabletop.errors import NoVerdictError, ScenarioError, TableError, TabletopError, UsageError
    from tabletop.exploring.explore import explore
    from tabletop.exploring.survey import Survey
    from tabletop.ruling.odds import Odds
    from tabletop.ruling.system import Case
    from tabletop.ruling.verdict import Resolution
    from tabletop.scenario.reading import case, read_case
    from tabletop.show import draw

    __version__: str

__all__ = [
    "Case",
    "NoVerdictError",
    "Odds",
    "Resolution",
    "ScenarioError",
    "Survey",
    "TableError",
    "TabletopError",
    "UsageError",
    "__version__",
    "case",
    "draw",
    "explore",
    "judge",
    "odds",
    "read_case",
    "resolve",
]

_HOMES = {
    **dict.fromkeys(
        ("NoVerdictError", "ScenarioError", "TableError", "TabletopError", "UsageError"),
        "tabletop.errors",
    ),
    **dict.fromkeys(("case", "read_case"), "tabletop.scenario.reading"),
    **dict.fromkeys(("judge", "odds", "resolve"), "tabletop.api"),
    "Case": "tabletop.ruling.system",
    "Odds": "tabletop.ruling.odds",
    "Resolution": "tabletop.ruling.verdict",
    "Survey": "tabletop.exploring.survey",
    "draw": "tabletop.show",
    "explore": "tabletop.exploring.explore",
}

Presenter.load = lambda: import_module("tabletop.show")


def __getattr__(name: str) -> Any:
    """Return a public name of the package, imported on first use, so that `import tabletop` stays light.

    Raises
    ------
    AttributeError
        If the package has no such name.
    UsageError
        If another package hides one of this project's.
    """
    if name in _HOMES:
        from tabletop.distribution import refuse_shadows

        refuse_shadows()
        return getattr(import_module(_HOMES[name]), name)
    if name == "__version__":
        from tabletop.distribution import version

        return version()
    raise AttributeError(f"module 'tabletop' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names of the package, sorted."""
    return sorted(__all__)
