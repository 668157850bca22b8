"""Options and arguments shared by commands, each declared once; related ones form dataclasses that check their values.

An option of a single command is declared in `tabletop.cli.app`. This module imports no library but Typer.
"""

import functools
import inspect
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin

import typer

from tabletop.errors import UsageError
from tabletop.figure_options import FigureOption, FigureOptions
from tabletop.language.speech import completions

if TYPE_CHECKING:
    from plots import Setting
    from tabletop.ruling.system import Case

SCENARIOS = (".toml", ".json", ".svg", ".png", ".webp")
"""Suffixes of files that may hold a scenario."""

FIGURE_SUFFIXES = (".svg", ".pdf", ".png", ".webp", ".pgf")
"""Suffixes of still figures that can be written."""


LARGE_PAGE = 40.0
"""Inches. A page larger than this was probably given in millimetres, unless it says "in"."""


def questions(incomplete: str) -> list[str]:
    """Return the completions of an incomplete FILE argument: bundled scenarios, then local files and folders."""
    from tabletop.registry import names, scenarios

    meant = [
        system
        for system in names()
        if f"{system}/".startswith(incomplete) or incomplete.startswith(f"{system}/")
    ]
    bundled = [scenario for system in meant for scenario, _ in scenarios(system)]
    return [*(name for name in bundled if name.startswith(incomplete)), *_files(incomplete)]


def systems(incomplete: str) -> list[str]:
    """Return the completions of an incomplete SYSTEM argument."""
    from tabletop.registry import names

    return [name for name in names() if name.startswith(incomplete)]


def _files(incomplete: str) -> list[str]:
    folder, _, begun = incomplete.rpartition("/")
    inside = f"{folder}/" if "/" in incomplete else ""
    try:
        with os.scandir(inside or ".") as entries:
            found = sorted(
                (entry.name, entry.is_dir()) for entry in entries if entry.name.startswith(begun)
            )
    except (OSError, ValueError):
        return []
    seen = [(name, is_folder) for name, is_folder in found if begun or not name.startswith(".")]
    return [
        f"{inside}{name}{'/' * is_folder}"
        for name, is_folder in seen
        if is_folder or name.endswith(SCENARIOS)
    ]


SystemName = Annotated[
    str,
    typer.Argument(
        metavar="SYSTEM",
        autocompletion=systems,
        help="Name of a game: t9a, conquest, wh40k, battletech, or one that is installed.",
    ),
]

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        autocompletion=questions,
        help=(
            "Scenario file, its .svg, .png or .webp figure, a link, a bundled scenario's name, or - "
            "for standard input."
        ),
    ),
]

SeveralFiles = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...",
        autocompletion=questions,
        help="Scenario files, bundled scenarios' names, a game's name for all of its bundled scenarios, or -.",
    ),
]

Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="WORD", help="List only what holds this word; of several words, what holds all."
    ),
]

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]

Seed = Annotated[int, typer.Option("--seed", help="Seed for dice that the file leaves out.")]

Figures = Annotated[
    list[Path] | None,
    typer.Option(
        "--figure",
        metavar="OUT",
        help="Figure to write: .svg, .pdf, .png, .webp or .pgf; repeatable.",
    ),
]

Out = Annotated[
    Path | None,
    typer.Option("-o", "--out", metavar="OUT", help="File to write instead of printing."),
]

Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]


def _print_version(asked: bool) -> None:  # noqa: FBT001 - typer hands the option over by position
    if asked:
        from tabletop.cli.output import print_text
        from tabletop.distribution import version

        print_text(version())
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version),
]


@dataclass(frozen=True)
class TimeLimit:
    """Option with the limit of search time, in seconds after a file has been read."""

    max_seconds: Annotated[
        float | None,
        typer.Option(
            "--max-seconds",
            metavar="S",
            help="Stop searching S seconds after a file has been read.",
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.max_seconds is not None and not 0 < self.max_seconds < float("inf"):
            raise UsageError(
                "--max-seconds {seconds}: expected a number greater than 0",
                seconds=str(self.max_seconds),
            )


@dataclass(frozen=True)
class Throws:
    """Options with the dice of a file's charges."""

    seed: Seed = 0
    dice: Annotated[
        str | None,
        typer.Option(
            "--dice",
            metavar="4,2",
            help="Natural faces of the dice of all charges that roll, in file order.",
        ),
    ] = None

    def faces(self, sides: int | None = None) -> tuple[int, ...] | None:
        """Return the faces of `--dice` as integers, none above `sides` if that is given; None if there are none.

        Raises UsageError for anything else than whole numbers from 1.
        """
        parts = [] if self.dice is None else [part.strip() for part in self.dice.split(",")]
        if not all(part.isdecimal() and part.isascii() and int(part[:9]) for part in parts):
            message = "--dice {text}: expected natural faces, whole numbers from 1, with commas between them"
            raise UsageError(message, text=self.dice)
        given = tuple(int(part[:9]) for part in parts)
        if sides is not None and any(face > sides for face in given):
            raise UsageError(
                "--dice {text}: expected faces from 1 to {sides} with commas between them",
                text=self.dice,
                sides=sides,
            )
        return given or None


@dataclass(frozen=True, kw_only=True)
class CaseQuery(TimeLimit):
    """File argument with the changes to its scenario and the limit of search time."""

    file: File
    override: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Replace rules.KEY or system.FIELD; repeatable."
        ),
    ] = None

    @property
    def overrides(self) -> tuple[str, ...]:
        """Changes of `--set`, each as KEY=VALUE."""
        return tuple(self.override or ())

    def case(self, *, detail: bool = False) -> "Case":
        """Return the case read from the file with the changes; `detail` asks the system for longer lists."""
        from tabletop.scenario.reading import read_case

        return replace(read_case(self.file, overrides=self.overrides), detail=detail)


@dataclass(frozen=True, kw_only=True)
class Query(CaseQuery, Throws):
    """File argument with changes, dice and time limit, for commands that resolve charges."""

    no_contrast: Annotated[
        bool, typer.Option("--no-contrast", help="Leave out the alternatives that are not taken.")
    ] = False


@dataclass(frozen=True)
class OutputOptions:
    """Options for the form in which an answer is printed."""

    json: Json = False
    brief: Annotated[
        bool,
        typer.Option("--brief", help="Print one line per answer: verdict, deciding rule, margin."),
    ] = False

    def __post_init__(self) -> None:
        if self.json and self.brief:
            raise UsageError("--brief and --json exclude each other")


@dataclass(frozen=True)
class AnswerOptions(OutputOptions):
    """Options for the form in which an answer with much to tell is printed."""

    all: Annotated[
        bool, typer.Option("--all", help="Print all findings, steps with their rules, and metrics.")
    ] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.all and self.brief:
            raise UsageError("--brief and --all exclude each other")


@dataclass(frozen=True)
class Look(FigureOptions):
    """Options for the look of figures, checked before anything is resolved."""

    def __post_init__(self) -> None:
        """Check the values; `plots` is imported only if there are any."""
        if any(vars(self).values()):
            page = self.setting().size
            if (
                self.size is not None
                and self.size[-1].isdigit()
                and max(page.width, page.height or 0.0) > LARGE_PAGE
            ):
                from tabletop.cli.output import warn
                from tabletop.messages import say

                warn(say("--size {size} is in inches; did you mean {size}mm?", size=self.size))

    def setting(self) -> "Setting":
        """Return the figure settings for the values of the options.

        Raises
        ------
        UsageError
            If a value is unknown.
        """
        import plots

        return plots.setting(self)


@dataclass(frozen=True, kw_only=True)
class ExploreOptions:
    """Options of `explore`: what to vary or which question to ask, how to run, and where the results go."""

    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="KEY=VALUES",
            help=(
                "Vary a key: units.B.at.0=10:20:0.25, rules.tie=centre,least-slide, units.B=board (every place), "
                "units.B=random:500 (random places), units.B.facing_deg=random:500:0:360 (random numbers); repeatable."
            ),
        ),
    ] = None
    question: Annotated[
        str | None,
        typer.Option(
            "--question",
            metavar="NAME",
            help="Question to ask: threat, safe or start (maps of the board), or jitter (how steady the answer is).",
        ),
    ] = None
    unit: Annotated[
        str | None,
        typer.Option(
            "--unit", help="Unit that the question moves; by default that of the first charge."
        ),
    ] = None
    step: Annotated[
        float | None,
        typer.Option("--step", help="Inches between places on the board; 1 by default."),
    ] = None
    facings: Annotated[
        int | None, typer.Option("--facings", help="Facings tried at each place; 1 by default.")
    ] = None
    within: Annotated[
        str | None,
        typer.Option(
            "--within",
            metavar="INCHES,DEGREES",
            help="How far jitter moves and turns units; 0.1,1 by default.",
        ),
    ] = None
    accuracy: Annotated[
        str | None,
        typer.Option(
            "--accuracy",
            metavar="INCHES",
            help=(
                "Instead of --within: accuracy of all places and terrain, such as 0.1 or 1/16; values in the file "
                "take precedence."
            ),
        ),
    ] = None
    samples: Annotated[
        int | None,
        typer.Option("--samples", help="Number of tables that jitter tries; 200 by default."),
    ] = None
    region: Annotated[
        str | None,
        typer.Option(
            "--region",
            metavar="X0,Y0,X1,Y1",
            help="Region of random places: two corners, in inches or as columns and rows; by default the whole board.",
        ),
    ] = None
    all_tables: Annotated[
        bool,
        typer.Option("--all-tables", help="Keep impossible random tables, too (outcome: invalid)."),
    ] = False
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="OUT",
            help="Table of results: .csv or .parquet; a stopped run is continued.",
        ),
    ] = None
    figure: Annotated[
        Path | None,
        typer.Option(
            "--figure", metavar="OUT", help="Map to write: .svg, .pdf, .png, .webp or .pgf."
        ),
    ] = None
    show: Annotated[
        str | None,
        typer.Option(
            "--show",
            metavar="COLUMN",
            help="Column that the map shows: chance, shortest_roll or metrics.NAME; for random places also outcome.",
        ),
    ] = None
    look: Annotated[Look, "sheet"]
    workers: Annotated[
        int | None,
        typer.Option("--workers", help="Number of processes; by default one per core.", min=1),
    ] = None
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler",
            metavar="ADDRESS",
            help="Address of a Dask scheduler whose workers do the work.",
        ),
    ] = None
    full: Annotated[
        bool,
        typer.Option(
            "--full",
            help="With --question threat or safe: resolve every place in full, with metrics.",
        ),
    ] = False
    yes: Annotated[bool, typer.Option("--yes", help="Allow more than a million cases.")] = False

    @property
    def wants_chances(self) -> bool:
        """Whether only chances or shortest rolls are asked for, which some systems compute for many places at once."""
        return not self.full and self.show in (None, "chance", "shortest_roll")


@dataclass(frozen=True, kw_only=True)
class ExploredFile(Query):
    """File argument of `explore`, whose seed also determines random tables."""

    seed: Annotated[
        int,
        typer.Option(
            "--seed", help="Seed for random tables and for dice that the file leaves out."
        ),
    ] = 0


def grouped(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command whose dataclass parameters are replaced by an option for each field.

    `Annotated[..., "NAMES"]` leaves out the fields named. Groups may contain groups. The time limit is listed
    last.
    """
    groups = {name: one.annotation for name, one in inspect.signature(command).parameters.items()}
    flat = [
        option for one in inspect.signature(command).parameters.values() for option in _options(one)
    ]
    flat.sort(key=lambda option: option.name == "max_seconds")

    @functools.wraps(command)
    def run(**given: Any) -> Any:
        """Call the command with its options collected into their dataclasses."""
        return command(**{name: _value(name, kind, given) for name, kind in groups.items()})

    run.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in flat}
    return run


def _options(one: inspect.Parameter) -> Iterator[inspect.Parameter]:
    """Yield a parameter itself or, if it is a dataclass, the parameters of its fields, recursively."""
    options = _group(one.annotation)[1]
    if not options:
        yield one.replace(kind=inspect.Parameter.KEYWORD_ONLY)
    for option in options:
        yield from _options(option)


def _value(name: str, kind: Any, given: Mapping[str, Any]) -> Any:
    """Return the value of a parameter from the options given by name; a dataclass is built from its fields."""
    make, options = _group(kind)
    return (
        make(**{option.name: _value(option.name, option.annotation, given) for option in options})
        if options
        else given[name]
    )


@functools.cache
def _group(kind: Any) -> tuple[Any, tuple[inspect.Parameter, ...]]:
    """Return the type that an annotation names and, if it is a dataclass, its chosen fields as parameters."""
    made, *names = get_args(kind) if get_origin(kind) is Annotated else (kind,)
    if not is_dataclass(made):
        return made, ()
    left_out = names[0].split() if names else ()
    return made, tuple(_parameter(field) for field in fields(made) if field.name not in left_out)


def _parameter(field: Field[Any]) -> inspect.Parameter:
    default = inspect.Parameter.empty if field.default is MISSING else field.default
    return inspect.Parameter(
        field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=_typed(field)
    )


def _typed(field: Field[Any]) -> Any:
    """Return the type of a field; one that is annotated with a `FigureOption` is annotated for Typer."""
    kind, option, *_ = *get_args(field.type), None
    if not isinstance(option, FigureOption):
        return field.type
    known = completions if field.name == "language" else None
    declared = typer.Option(
        option.flag, metavar=option.metavar, help=option.help, autocompletion=known
    )
    return Annotated[kind, declared]


def load_plots() -> Any:
    """Import the package `plots` and return it."""
    from plots.layout.backend import load_without_help

    load_without_help()
    import plots

    return plots


def refuse_unwritable(path: Path, endings: Sequence[str] = FIGURE_SUFFIXES) -> None:
    """Raise UsageError if the suffix is unknown, the path is a folder, or its parent is missing or not writable."""
    if path.suffix.lower() not in endings:
        raise UsageError(
            "{path}: a figure's name must end in {endings}", path=path, endings=", ".join(endings)
        )
    if path.is_dir():
        raise UsageError("{path}: cannot be written: it is a folder", path=path)
    if not path.parent.is_dir():
        raise UsageError(
            "{path}: cannot be written: there is no folder {folder}", path=path, folder=path.parent
        )
    if not os.access(path.parent, os.W_OK):
        raise UsageError(
            "{path}: cannot be written: no permission to write to the folder {folder}",
            path=path,
            folder=path.parent,
        )
