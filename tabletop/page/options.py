"""What questions of the page may ask for beside a scenario: the options of each kind of question, as tables of a file are declared."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, Strict

from tabletop.messages import say
from tabletop.page.figure_data import WITHIN
from tabletop.scenario.validation import Expected
from tabletop.scenario.vocabulary import Entry

MOST_SECONDS = 60.0
"""Seconds of search that a question may ask for, and that are taken where it asks for none."""

Whole = Annotated[int, Expected(say("a whole number"))]

Texts = Annotated[tuple[str, ...], Strict(strict=False), Field(max_length=50)]


def _parted(faces: Any) -> Any:
    """Part a text at its commas; what faces may be is asked where they are dealt."""
    if not isinstance(faces, str):
        return faces
    return [int(part) if part.strip().isdecimal() and part.isascii() else part for part in faces[:500].split(",")]


Faces = Annotated[tuple[Any, ...], Strict(strict=False), BeforeValidator(_parted), Expected(say("a list of natural faces"))]

Seconds = Annotated[float, Field(gt=0), AfterValidator(lambda seconds: min(seconds, MOST_SECONDS))]


class Posted(Entry):
    """What is posted: what is asked about, and how."""

    scenario: dict[str, Any] = Field(default_factory=dict)
    options: dict[str, Any] = Field(default_factory=dict)


class NoOptions(Entry):
    """Nothing more is asked."""


class CaseOptions(Entry):
    """How the scenario is read."""

    set: Texts = ()
    """Choices and numbers of the book that are replaced, as `rules.KEY=VALUE` and `system.FIELD=VALUE`."""


class SearchOptions(CaseOptions):
    """How long is searched."""

    max_seconds: Seconds = MOST_SECONDS
    """Seconds of search; more than 60 are not taken."""


class TableOptions(CaseOptions):
    """What is told of a table."""

    near: Texts = ()
    """Units about which gaps are told, of at most 20."""
    within: Annotated[float, Field(ge=0, le=100)] = WITHIN
    """Inches within which gaps are told."""
    bodies: bool = True
    """Whether is told what stands where: whoever drags it knows."""


class DiceOptions(SearchOptions):
    """How charges are rolled."""

    dice: Faces | None = None
    """Natural faces in place of those of the file: a list, or a text with commas."""
    seed: Whole = 0
    """Of faces that nobody gives."""


class JudgeOptions(TableOptions, DiceOptions):
    """What is told of an answer."""

    figure: bool = True
    """Whether the figure is told, its words, places and gaps."""
    second_opinion: bool = False
    """Whether places are searched once more by SciPy."""
    fill: bool = False
    """Whether faces may be too few or too many."""


class ResolveOptions(JudgeOptions):
    """What is told of a ruling."""

    ruling: Annotated[int, Field(ge=0)] | None = None
    """Number of the only charge whose ruling is shown."""


class OddsOptions(SearchOptions):
    """What is told of chances."""

    all: bool = False
    """Whether long lists are told whole."""


class PlainOptions(Entry):
    """Which unit is placed."""

    unit: str = ""
    """Its name."""


class FigureOptions(Entry):
    """How a figure is set: the options of `tabletop draw`."""

    theme: str | None = None
    size: str | None = None
    scale: str | None = None
    panel: str | None = None
    text: str | None = None
    sheet: str | None = None
    audience: str | None = None
    language: str | None = None
    bare: bool = False
    dpi: Whole | None = None


class DrawOptions(FigureOptions, DiceOptions):
    """A figure as a file."""

    format: Literal["svg", "pdf", "png", "webp", "gif", "html"] = "svg"
    """Kind of the file."""
    steps: bool = False
    """Whether each step has a picture of its own."""
    board: bool = False
    """Whether the whole table is shown as it stands."""


class ExploreOptions(Entry):
    """A map."""

    question: Literal["threat", "safe", "start"] = "threat"
    """What it shows."""
    unit: str | None = None
    """The unit that is moved over the board."""
    step: Annotated[float, Field(ge=0.1, le=100)] = 1.0
    """Inches between two of its places."""
    facings: Annotated[int, Field(ge=1, le=36)] = 1
    """Facings at each place."""
    seed: Whole = 0
    """Of what is drawn at random."""
    max_seconds: Annotated[float, Field(ge=0.1, le=600)] = 600.0
    """Seconds after which it is given up."""
