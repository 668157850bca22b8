"""Options of the page's endpoints, as pydantic models."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from tabletop.figure_options import FigureOptions
from tabletop.messages import say
from tabletop.page.figure_data import WITHIN
from tabletop.scenario.validation import Expected
from tabletop.scenario.vocabulary import Entry, ListOf

MOST_SECONDS = 60.0
"""Greatest and default time limit of a search, in seconds."""

Whole = Annotated[int, Expected(say("a whole number"))]

Texts = Annotated[ListOf[str], Field(max_length=50)]


def _parted(faces: Any) -> Any:
    """Return text split at commas into faces; other values unchanged. The faces are checked later."""
    if not isinstance(faces, str):
        return faces
    return [
        int(part) if part.strip().isdecimal() and part.isascii() else part
        for part in faces[:500].split(",")
    ]


Faces = Annotated[
    ListOf[Any],
    BeforeValidator(_parted),
    Expected(say("a list of natural faces")),
]

Seconds = Annotated[float, Field(gt=0), AfterValidator(lambda seconds: min(seconds, MOST_SECONDS))]


class Posted(Entry):
    """The body of a request: scenario and options."""

    scenario: dict[str, Any] = Field(default_factory=dict)
    options: dict[str, Any] = Field(default_factory=dict)


class NoOptions(Entry):
    """Options of an endpoint that has none."""


class CaseOptions(Entry):
    """Options that change the scenario before it is used."""

    set: Texts = ()
    """Choices and numbers of the book to change, as `rules.KEY=VALUE` and `system.FIELD=VALUE`."""


class SearchOptions(CaseOptions):
    """Options of a search: changes to the scenario, and a time limit in seconds."""

    max_seconds: Seconds = MOST_SECONDS
    """Time limit of the search in seconds, at most 60."""


class TableOptions(CaseOptions):
    """Options of `/api/table`: units whose gaps to others are returned, and whether places and marks are."""

    near: Texts = ()
    """Units whose gaps are returned, at most 20."""
    within: Annotated[float, Field(ge=0, le=100)] = WITHIN
    """Radius in inches within which gaps are returned."""
    bodies: bool = True
    """Return the places and marks of units and terrain, too."""


class DiceOptions(SearchOptions):
    """Options for the dice of the charges: natural faces, or the seed that draws them."""

    dice: Faces | None = None
    """Natural faces that replace those of the file: a list, or text with commas."""
    seed: Whole = 0
    """Seed of dice that are not given."""


class JudgeOptions(TableOptions, DiceOptions):
    """Options of `/api/judge`: dice, limits, and what its reply contains."""

    figure: bool = True
    """Return the figure with its texts, places and gaps."""
    second_opinion: bool = False
    """Search each placement again with SciPy."""
    fill: bool = False
    """Accept too few or too many faces."""
    contrast: bool = True
    """Return the alternatives that are not taken."""


class ResolveOptions(JudgeOptions):
    """Options of `/api/resolve`: those of `/api/judge`, and the number of the only charge to show."""

    ruling: Annotated[int, Field(ge=0)] | None = None
    """Number of the only charge to show."""


class OddsOptions(SearchOptions):
    """Options of `/api/odds`."""

    all: bool = False
    """Return long lists in full."""


class PlainOptions(Entry):
    """Options of `/api/plain`: the unit to place by coordinates."""

    unit: str = ""
    """Name of the unit."""


class FigureSettings(Entry, FigureOptions):
    """Settings of a figure: the options of `tabletop draw` that concern its look."""

    dpi: Whole | None = None


class DrawOptions(FigureSettings, DiceOptions):
    """Options of `/api/draw`: format, view, settings and dice of a figure as a file."""

    format: Literal["svg", "pdf", "png", "webp", "gif", "html"] = "svg"
    """File format."""
    steps: bool = False
    """Draw a panel for each step."""
    board: bool = False
    """Draw the set-up only."""


class MapOptions(Entry):
    """Options of `/api/explore`: the question that a map answers, the unit moved, and how finely."""

    question: Literal["threat", "safe", "start"] = "threat"
    """What the map shows."""
    unit: str | None = None
    """Unit that is moved over the board."""
    step: Annotated[float, Field(ge=0.1, le=100)] = 1.0
    """Inches between two places."""
    facings: Annotated[int, Field(ge=1, le=36)] = 1
    """Facings tried at each place."""
    seed: Whole = 0
    """Seed for everything random."""
    max_seconds: Annotated[float, Field(ge=0.1, le=600)] = 600.0
    """Time limit in seconds."""
