"""The options that commands share: what is asked, how figures look, what of them is shown, and how they are written."""

from pathlib import Path
from typing import Annotated

import typer

from tabletop.cli.completing import questions, systems

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
    str | None, typer.Option("--language", metavar="NAME", help="Words of figures: english, german, or a TOML file of words.")
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
        from tabletop.cli.output import say
        from tabletop.distribution import version

        say(version())
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)]
