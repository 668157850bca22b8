"""The options and arguments that commands share: how they are declared and completed, and the checked values they become.

An option of one command alone is declared there, in `tabletop.cli.app`. Loading this module loads no library but Typer.
"""

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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


File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        autocompletion=questions,
        help="A scenario file, or an .svg, .png or .webp figure of one, - for standard input, a link, or a bundled scenario's name.",
    ),
]

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]

SeveralFiles = Annotated[
    list[str], typer.Argument(metavar="FILE...", autocompletion=questions, help="Scenario files, -, or bundled scenarios' names.")
]

SecondOpinion = Annotated[
    bool, typer.Option("--second-opinion", help="Let SciPy, which knows nothing of how, look for each place as well.")
]

Brief = Annotated[bool, typer.Option("--brief", help="Print a line for each answer: the verdict, the rule that decided, its margin.")]

Seed = Annotated[int, typer.Option("--seed", help="Seed of the dice that the file leaves out.")]

Dice = Annotated[str | None, typer.Option("--dice", metavar="4,2", help="Natural faces for all charges that roll, in file order.")]

Set = Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Replace rules.KEY or system.FIELD; repeatable.")]

Seconds = Annotated[
    float | None,
    typer.Option("--max-seconds", metavar="S", help="Stop searching after so many seconds, counted from the end of reading each file."),
]

SystemName = Annotated[str, typer.Argument(metavar="SYSTEM", autocompletion=systems, help="The name of a game system, such as t9a.")]

Out = Annotated[Path | None, typer.Option("-o", "--out", metavar="OUT", help="Write it here instead of printing it.")]

Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]

Figures = Annotated[
    list[Path] | None, typer.Option("--figure", metavar="OUT", help="Draw it: .svg, .pdf, .png, .webp or .pgf; repeatable.")
]

Theme = Annotated[str | None, typer.Option("--theme", metavar="NAME", help="Look of figures: screen, print (black and grey) or dark.")]

Size = Annotated[
    str | None,
    typer.Option("--size", metavar="SIZE", help="Page of figures: single-column, double-column, slide, or as 120x90mm or 6x4in."),
]

Scale = Annotated[str | None, typer.Option("--scale", metavar="1:N", help="Scale of figures; 1:1 is the true size on the table.")]

Language = Annotated[
    str | None, typer.Option("--language", metavar="NAME", help="Words of figures and of what is printed: english, german, or a TOML file.")
]

For = Annotated[
    str | None,
    typer.Option(
        "--for", metavar="WHOM", help="Words of figures: reader, in plain sentences (so if left out), or judge, with rules and margins."
    ),
]

Panel = Annotated[
    str | None,
    typer.Option("--panel", metavar="NAME", help="One panel of figures alone: before, after, proposed, demanded, or the number of a step."),
]

Bare = Annotated[bool, typer.Option("--bare", help="Figures without title, outcome, caption, ruler, key and footer.")]

Text = Annotated[
    str | None,
    typer.Option("--text", metavar="KIND", help="Words of an SVG: text, with its font in the file (so if left out), or outlines."),
]

Dpi = Annotated[int | None, typer.Option("--dpi", metavar="N", help="Dots an inch of .png and .webp; 200 if left out.")]

Sheet = Annotated[
    str | None,
    typer.Option("--sheet", metavar="PAPER", help="Print the first panel, or --panel, at 1:1 or --scale on sheets of a4 or letter: .pdf."),
]


def _print_version(asked: bool) -> None:  # noqa: FBT001 - typer hands the option over by position
    if asked:
        from tabletop.cli.output import print_text
        from tabletop.distribution import version

        print_text(version())
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)]


@dataclass(frozen=True)
class AskedFile:
    """A file and the options that change what is asked of it."""

    file: str
    seed: int = 0
    dice: str | None = None
    overrides: tuple[str, ...] = ()
    max_seconds: float | None = None
    detail: bool = False
    second_opinion: bool = False

    def case(self) -> "Case":
        """Read the case that is asked of."""
        from tabletop.scenario.reading import read_case

        return replace(read_case(self.file, overrides=self.overrides), detail=self.detail)


@dataclass(frozen=True)
class FigureWords:
    """The words of --theme, --size, --scale, --language and so on; None where one is left out."""

    theme: str | None = None
    size: str | None = None
    scale: str | None = None
    language: str | None = None
    panel: str | None = None
    bare: bool = False
    text: str | None = None
    dpi: int | None = None
    sheet: str | None = None
    audience: str | None = None

    def checked(self) -> None:
        """Refuse words that mean nothing before anything is resolved; without any, figures need not be loaded yet."""
        if self != PLAIN_WORDS:
            self.setting()

    def setting(self) -> "Setting":
        """Give the setting that the words name.

        Raises
        ------
        UsageError
            If one of them names none.
        """
        import plots

        return plots.setting(**asdict(self))


PLAIN_WORDS = FigureWords()


def refuse_both(*, as_json: bool, is_brief: bool) -> None:
    """Refuse to print one answer in two ways."""
    if as_json and is_brief:
        raise UsageError("--brief and --json exclude each other")


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


def faces(text: str | None) -> tuple[int, ...] | None:
    """Read faces with commas between them."""
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and part.isascii() and int(part[:9]) for part in parts):
        raise UsageError("--dice {text}: expected natural faces, whole numbers from 1, with commas between them", text=text)
    return tuple(int(part[:9]) for part in parts)


def refuse_faces(text: str | None, given: Sequence[int], sides: int) -> None:
    """Refuse faces that no die of a game has."""
    if any(face > sides for face in given):
        raise UsageError("--dice {text}: expected faces from 1 to {sides} with commas between them", text=text, sides=sides)


def seconds_allowed(seconds: float | None) -> float | None:
    """Refuse a time that is no time."""
    if seconds is not None and not 0 < seconds < float("inf"):
        raise UsageError("--max-seconds {seconds}: expected a number greater than 0", seconds=str(seconds))
    return seconds
