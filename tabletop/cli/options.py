"""The options and arguments that commands share: each declared once, those that go together as dataclasses that check their values.

An option of one command alone is declared there, in `tabletop.cli.app`. Loading this module loads no library but Typer.
"""

import functools
import inspect
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, asdict, dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin

import typer

from tabletop.errors import UsageError

if TYPE_CHECKING:
    from plots import Setting
    from tabletop.ruling.system import Case

SCENARIOS = (".toml", ".json", ".svg", ".png", ".webp")
"""Endings of files that may hold a scenario."""

FIGURE_SUFFIXES = (".svg", ".pdf", ".png", ".webp", ".pgf")
"""Endings of still figures that can be written."""


def questions(incomplete: str) -> list[str]:
    """Complete what may be asked: bundled scenarios by name, then files and folders of this machine."""
    from tabletop.registry import names, scenarios

    meant = [system for system in names() if f"{system}/".startswith(incomplete) or incomplete.startswith(f"{system}/")]
    bundled = [scenario for system in meant for scenario, _ in scenarios(system)]
    return [*(name for name in bundled if name.startswith(incomplete)), *_files(incomplete)]


def systems(incomplete: str) -> list[str]:
    """Complete the names of systems."""
    from tabletop.registry import names

    return [name for name in names() if name.startswith(incomplete)]


def _files(incomplete: str) -> list[str]:
    folder, _, begun = incomplete.rpartition("/")
    inside = f"{folder}/" if "/" in incomplete else ""
    try:
        with os.scandir(inside or ".") as entries:
            found = sorted((entry.name, entry.is_dir()) for entry in entries if entry.name.startswith(begun))
    except (OSError, ValueError):
        return []
    seen = [(name, is_folder) for name, is_folder in found if begun or not name.startswith(".")]
    return [f"{inside}{name}{'/' * is_folder}" for name, is_folder in seen if is_folder or name.endswith(SCENARIOS)]


SystemName = Annotated[str, typer.Argument(metavar="SYSTEM", autocompletion=systems, help="The name of a game system, such as t9a.")]

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        autocompletion=questions,
        help="A scenario file, or an .svg, .png or .webp figure of one, - for standard input, a link, or a bundled scenario's name.",
    ),
]

SeveralFiles = Annotated[
    list[str], typer.Argument(metavar="FILE...", autocompletion=questions, help="Scenario files, -, or bundled scenarios' names.")
]

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]

Seed = Annotated[int, typer.Option("--seed", help="Seed of the dice that the file leaves out.")]

Figures = Annotated[
    list[Path] | None, typer.Option("--figure", metavar="OUT", help="Draw it: .svg, .pdf, .png, .webp or .pgf; repeatable.")
]

Out = Annotated[Path | None, typer.Option("-o", "--out", metavar="OUT", help="Write it here instead of printing it.")]

Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]


def _print_version(asked: bool) -> None:  # noqa: FBT001 - typer hands the option over by position
    if asked:
        from tabletop.cli.output import print_text
        from tabletop.distribution import version

        print_text(version())
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)]


@dataclass(frozen=True)
class TimeLimit:
    """How long a search may take."""

    max_seconds: Annotated[
        float | None,
        typer.Option("--max-seconds", metavar="S", help="Stop searching after so many seconds, counted from the end of reading each file."),
    ] = None

    def __post_init__(self) -> None:
        if self.max_seconds is not None and not 0 < self.max_seconds < float("inf"):
            raise UsageError("--max-seconds {seconds}: expected a number greater than 0", seconds=str(self.max_seconds))


@dataclass(frozen=True)
class Throws:
    """The dice of the charges of a file."""

    seed: Seed = 0
    dice: Annotated[str | None, typer.Option("--dice", metavar="4,2", help="Natural faces for all charges that roll, in file order.")] = (
        None
    )

    def faces(self, sides: int | None = None) -> tuple[int, ...] | None:
        """Read the faces, which stand with commas between them, of dice with so many `sides` if that is known."""
        parts = [] if self.dice is None else [part.strip() for part in self.dice.split(",")]
        if not all(part.isdecimal() and part.isascii() and int(part[:9]) for part in parts):
            message = "--dice {text}: expected natural faces, whole numbers from 1, with commas between them"
            raise UsageError(message, text=self.dice)
        given = tuple(int(part[:9]) for part in parts)
        if sides is not None and any(face > sides for face in given):
            raise UsageError("--dice {text}: expected faces from 1 to {sides} with commas between them", text=self.dice, sides=sides)
        return given or None


@dataclass(frozen=True, kw_only=True)
class CaseQuery(TimeLimit):
    """A file, what is replaced in it, and how long may be searched."""

    file: File
    override: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Replace rules.KEY or system.FIELD; repeatable.")
    ] = None

    @property
    def overrides(self) -> tuple[str, ...]:
        """What is replaced, each as KEY=VALUE."""
        return tuple(self.override or ())

    def case(self, *, detail: bool = False) -> "Case":
        """Read the case that is asked of; with `detail` more is told of it."""
        from tabletop.scenario.reading import read_case

        return replace(read_case(self.file, overrides=self.overrides), detail=detail)


@dataclass(frozen=True, kw_only=True)
class Query(CaseQuery, Throws):
    """A file whose charges are resolved."""


@dataclass(frozen=True)
class OutputOptions:
    """How an answer is printed."""

    json: Json = False
    brief: Annotated[
        bool, typer.Option("--brief", help="Print a line for each answer: the verdict, the rule that decided, its margin.")
    ] = False

    def __post_init__(self) -> None:
        if self.json and self.brief:
            raise UsageError("--brief and --json exclude each other")


@dataclass(frozen=True)
class FigureOptions:
    """How figures look, in words, as `plots.setting` takes them."""

    theme: Annotated[
        str | None, typer.Option("--theme", metavar="NAME", help="Look of figures: screen, print (black and grey) or dark.")
    ] = None
    size: Annotated[
        str | None,
        typer.Option("--size", metavar="SIZE", help="Page of figures: single-column, double-column, slide, or as 120x90mm or 6x4in."),
    ] = None
    scale: Annotated[str | None, typer.Option("--scale", metavar="1:N", help="Scale of figures; 1:1 is the true size on the table.")] = None
    language: Annotated[
        str | None,
        typer.Option("--language", metavar="NAME", help="Words of figures and of what is printed: english, german, or a TOML file."),
    ] = None
    panel: Annotated[
        str | None,
        typer.Option(
            "--panel", metavar="NAME", help="One panel of figures alone: before, after, proposed, demanded, or the number of a step."
        ),
    ] = None
    bare: Annotated[bool, typer.Option("--bare", help="Figures without title, outcome, caption, ruler, key and footer.")] = False
    text: Annotated[
        str | None,
        typer.Option("--text", metavar="KIND", help="Words of an SVG: text, with its font in the file (so if left out), or outlines."),
    ] = None
    dpi: Annotated[int | None, typer.Option("--dpi", metavar="N", help="Dots an inch of .png and .webp; 200 if left out.")] = None
    sheet: Annotated[
        str | None,
        typer.Option(
            "--sheet", metavar="PAPER", help="Print the first panel, or --panel, at 1:1 or --scale on sheets of a4 or letter: .pdf."
        ),
    ] = None
    audience: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="WHOM",
            help="Words of figures: reader, in plain sentences (so if left out), or judge, with rules and margins.",
        ),
    ] = None

    def __post_init__(self) -> None:
        """Refuse words that mean nothing before anything is resolved; without any, figures need not be loaded yet."""
        if any(vars(self).values()):
            self.setting()

    def setting(self) -> "Setting":
        """Return the setting that the words name.

        Raises
        ------
        UsageError
            If one of them names none.
        """
        import plots

        return plots.setting(**asdict(self))


@dataclass(frozen=True, kw_only=True)
class ExploreOptions:
    """What is varied of a file, or which question is asked of it, and where what comes out goes."""

    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="KEY=VALUES",
            help="Vary a key: units.B.at.0=10:20:0.25, rules.tie=centre,least-slide, units.B=board (every place), units.B=random:500 "
            "(random places), units.B.facing_deg=random:500:0:360 (random numbers); repeatable.",
        ),
    ] = None
    question: Annotated[
        str | None,
        typer.Option("--question", metavar="NAME", help="threat, safe, start (maps of the board) or jitter (how steady is the answer)."),
    ] = None
    unit: Annotated[str | None, typer.Option("--unit", help="The unit that a question moves, if not that of the first charge.")] = None
    step: Annotated[float | None, typer.Option("--step", help="Inches between places of the board; 1 if left out.")] = None
    facings: Annotated[int | None, typer.Option("--facings", help="Facings tried at each place of a question; 1 if left out.")] = None
    within: Annotated[
        str | None, typer.Option("--within", metavar="INCHES,DEGREES", help="How far jitter moves and turns units; 0.1,1 if left out.")
    ] = None
    accuracy: Annotated[
        str | None,
        typer.Option(
            "--accuracy",
            metavar="INCHES",
            help="Instead, how well jitter takes all to be measured, terrain too: 0.1 or 1/16; what says its own accuracy keeps it.",
        ),
    ] = None
    samples: Annotated[int | None, typer.Option("--samples", help="How many tables jitter tries; 200 if left out.")] = None
    region: Annotated[
        str | None,
        typer.Option(
            "--region",
            metavar="X0,Y0,X1,Y1",
            help="Where random places lie: two corners, in inches or as columns and rows; left out: all the board.",
        ),
    ] = None
    all_tables: Annotated[
        bool, typer.Option("--all-tables", help="Take random tables as they come, also those that cannot be (outcome invalid).")
    ] = False
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="OUT", help="The table: .csv or .parquet; continued if it was stopped.")
    ] = None
    figure: Annotated[Path | None, typer.Option("--figure", metavar="OUT", help="The map: .svg, .pdf, .png, .webp or .pgf.")] = None
    show: Annotated[
        str | None,
        typer.Option(
            "--show", metavar="COLUMN", help="What the map shows: chance, shortest_roll, metrics.NAME; of random places also outcome."
        ),
    ] = None
    look: Annotated[FigureOptions, "theme size scale language audience panel bare text dpi"]
    workers: Annotated[int | None, typer.Option("--workers", help="Processes; one for each core if left out.", min=1)] = None
    scheduler: Annotated[str | None, typer.Option("--scheduler", metavar="ADDRESS", help="A Dask scheduler whose workers resolve.")] = None
    full: Annotated[bool, typer.Option("--full", help="With --question threat or safe: resolve every place, metrics too.")] = False
    yes: Annotated[bool, typer.Option("--yes", help="Resolve also more than a million cases.")] = False

    @property
    def wants_chances(self) -> bool:
        """Whether chances alone are asked for: some systems tell them at many places at once."""
        return not self.full and self.show in (None, "chance", "shortest_roll")


@dataclass(frozen=True, kw_only=True)
class ExploredFile(Query):
    """A file of which many cases are resolved."""

    seed: Annotated[int, typer.Option("--seed", help="Seed of what is drawn at random, and of the dice that the file leaves out.")] = 0


def grouped(command: Callable[..., Any]) -> Callable[..., Any]:
    """Replace parameters that are dataclasses by one option per field, or per field that `Annotated[..., "NAMES"]` lists.

    Groups may have groups as fields. The limit of time comes last.
    """
    groups = {name: one.annotation for name, one in inspect.signature(command).parameters.items()}
    flat = [option for one in inspect.signature(command).parameters.values() for option in _options(one)]
    flat.sort(key=lambda option: option.name == "max_seconds")

    @functools.wraps(command)
    def run(**given: Any) -> Any:
        return command(**{name: _value(name, kind, given) for name, kind in groups.items()})

    run.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in flat}
    return run


def _options(one: inspect.Parameter) -> Iterator[inspect.Parameter]:
    """Yield a parameter, or in its place those of the fields of a group."""
    options = _group(one.annotation)[1]
    if not options:
        yield one.replace(kind=inspect.Parameter.KEYWORD_ONLY)
    for option in options:
        yield from _options(option)


def _value(name: str, kind: Any, given: Mapping[str, Any]) -> Any:
    """Return what is given of a parameter, in a group if it is one."""
    make, options = _group(kind)
    return make(**{option.name: _value(option.name, option.annotation, given) for option in options}) if options else given[name]


@functools.cache
def _group(kind: Any) -> tuple[Any, tuple[inspect.Parameter, ...]]:
    """Return the dataclass that is annotated, if it is one, and its fields as parameters."""
    made, *names = get_args(kind) if get_origin(kind) is Annotated else (kind,)
    if not is_dataclass(made):
        return made, ()
    known = {field.name: field for field in fields(made)}
    chosen = [known[name] for name in (names[0].split() if names else known)]
    return made, tuple(_parameter(field) for field in chosen)


def _parameter(field: Field[Any]) -> inspect.Parameter:
    default = inspect.Parameter.empty if field.default is MISSING else field.default
    return inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=field.type)


def load_plots() -> Any:
    """Return the package of figures, loaded as a command needs it."""
    from plots.layout.backend import load_without_help

    load_without_help()
    import plots

    return plots


def refuse_unwritable(path: Path, endings: Sequence[str] = FIGURE_SUFFIXES) -> None:
    """Refuse a figure that cannot be written, before anything is: its name ends as no format, or it has no folder, or not such a one."""
    if path.suffix.lower() not in endings:
        raise UsageError("{path}: a figure's name must end in {endings}", path=path, endings=", ".join(endings))
    if path.is_dir():
        raise UsageError("{path}: cannot be written: it is a folder", path=path)
    if not path.parent.is_dir():
        raise UsageError("{path}: cannot be written: there is no folder {folder}", path=path, folder=path.parent)
    if not os.access(path.parent, os.W_OK):
        raise UsageError("{path}: cannot be written: nothing may be written into the folder {folder}", path=path, folder=path.parent)
