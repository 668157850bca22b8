"""The Typer application `tabletop`: all commands with their options. The code of a command is imported when it runs."""

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from tabletop.cli.errors import EXIT_CODES, Command, CommandGroup, ExitCode, guarded, shows_progress
from tabletop.cli.options import (
    AnswerOptions,
    CaseQuery,
    ExploredFile,
    ExploreOptions,
    Figures,
    File,
    Force,
    Json,
    Look,
    Out,
    OutputOptions,
    Query,
    Seed,
    SeveralFiles,
    SystemName,
    TimeLimit,
    Version,
    Words,
    grouped,
    systems,
)
from tabletop.errors import UsageError
from tabletop.language.speech import completions

LAST_PORT = 65_535
"""Greatest port number."""

app = typer.Typer(
    name="tabletop",
    cls=CommandGroup,
    help="Settle charges in tabletop wargames by geometry: verdicts with their reasons, and figures to scale.",
    no_args_is_help=True,
    epilog=EXIT_CODES,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

import_app = typer.Typer(cls=CommandGroup, no_args_is_help=True, rich_markup_mode=None)

page_app = typer.Typer(cls=CommandGroup, rich_markup_mode=None)
"""A Typer of its own only because groups are listed after all commands: it places `page` after `import` in the help."""

app.add_typer(import_app, name="import", help="Convert another program's file to a scenario.")
app.add_typer(page_app)


def _command(
    example: str, *, of: typer.Typer = app
) -> Callable[[Callable[..., ExitCode]], Callable[..., None]]:
    """Return a decorator that registers a function as a command of `of`; `example` is shown in its help.

    Dataclass parameters become options, exceptions become messages and exit codes, and the help lists the exit codes.
    """

    def add(run: Callable[..., ExitCode]) -> Callable[..., None]:
        """Register a function as a command, and return the function that Typer calls."""
        return of.command(cls=Command, epilog=f"Example: {example}\n\n{EXIT_CODES}")(
            guarded(grouped(run))
        )

    return add


@app.callback()
def _program(*, version: Version = False) -> None:
    del version  # its callback has printed it


@_command("tabletop resolve t9a/wheel-and-align --dice 4 --figure charge.svg")
def resolve(
    *,
    output: AnswerOptions,
    query: Query,
    figure: Figures = None,
    look: Look,
    all_paths: Annotated[
        bool, typer.Option("--all-paths", help="List all legal paths (in games that search paths).")
    ] = False,
    second_opinion: Annotated[
        bool,
        typer.Option("--second-opinion", help="Search each place again with SciPy and compare."),
    ] = False,
) -> ExitCode:
    """Resolve charges: print for each its outcome, the roll, the move, where it ends, and what decided.

    --all prints every step, finding and metric; so do --all-paths and --second-opinion. If the file has a [proposal],
    it is judged, too.
    """
    from tabletop.cli.resolving import resolve

    return resolve(
        query, output, figure or (), look, all_paths=all_paths, second_opinion=second_opinion
    )


@_command("tabletop judge t9a/judged-one-short --figure judged.svg")
def judge(*, output: AnswerOptions, query: Query, figure: Figures = None, look: Look) -> ExitCode:
    """Judge whether the [proposal] in a file is legal, and as good as the rules demand.

    The proposal gives coordinates, or places relative to other units such as flush_on = { unit = "B", offset = 0.5 }.
    The exit code is 1 if it is not what the rules demand, and 6 if that is undecided at the file's `accuracy`. --figure
    draws the table before the charge, the proposal with its faults marked, and what the rules demand if that differs.
    `draw --steps` shows its moves in order.
    """
    from tabletop.cli.resolving import judge

    return judge(query, output, figure or (), look)


@_command("tabletop check t9a/wheel-and-align charge.toml")
def check(files: SeveralFiles, *, json: Json = False, limit: TimeLimit) -> ExitCode:
    """Check that files give the answers in their [[expect]] tables.

    The exit code is 1 if any answer differs. An invalid file does not stop the check; the highest exit code is
    returned.
    """
    from tabletop.cli.comparing import check

    return check(files, as_json=json, max_seconds=limit.max_seconds)


@_command(
    "tabletop draw t9a/wheel-and-align -o charge.pdf --steps; "
    "tabletop draw t9a/wheel-and-align -o wheel.webp --panel 3 --bare; "
    "tabletop draw t9a/wheel-and-align -o sheets.pdf --sheet a4 --panel after"
)
@shows_progress
def draw(
    *,
    out: Annotated[
        Path,
        typer.Option(
            "-o",
            "--out",
            metavar="OUT",
            help="Figure to write: .svg, .pdf, .png, .webp, .pgf; animated: .gif, .mp4, .html.",
        ),
    ],
    steps: Annotated[
        bool, typer.Option("--steps", help="Draw one numbered panel per step.")
    ] = False,
    board: Annotated[bool, typer.Option("--board", help="Draw the set-up only.")] = False,
    look: Look,
    query: Query,
) -> ExitCode:
    """Draw charges to scale: before and after, step by step, or animated. The verdict drawn is printed as one line.

    .gif and .mp4 files are animations, three seconds for each panel of --steps; .mp4 needs ffmpeg. An .html file is a
    page that plays the moves step by step.
    """
    from tabletop.cli.resolving import draw

    return draw(query, out, steps=steps, board=board, look=look)


@_command("tabletop odds t9a/odds-maximised --figure odds.svg")
def odds(
    *,
    output: OutputOptions,
    asked: CaseQuery,
    figure: Figures = None,
    look: Annotated[Look, "scale panel sheet"],
    everything: Annotated[
        bool, typer.Option("--all", help="Print more about each total (in games that can).")
    ] = False,
) -> ExitCode:
    """Print the exact chance of each outcome over all dice.

    Dice given in the file are ignored. Text output has fractions and percentages; --json has reduced fractions. For
    every charge, "outcomes" has the chances of all three outcomes ("0" if impossible), "rules" the chance that each
    rule prevents success, "shortest_roll" the lowest total that can succeed (null if none), and "by_total" every total
    of the roll with its chance, its likeliest outcome, and the chances of total and outcome together. "joint" has the
    chances of all charges' outcomes together, in file order, under keys such as "success,failed".
    """
    from tabletop.cli.resolving import odds

    return odds(asked, output, figure or (), look, everything=everything)


@_command(
    "tabletop explore t9a/wheel-and-align --vary units.A.x=20:36:0.5 -o results.csv --figure map.svg"
)
@shows_progress
def explore(*, plan: ExploreOptions, json: Json = False, asked: ExploredFile) -> ExitCode:
    """Resolve many variants of one scenario.

    Vary keys of the file, its [rules] or the book's numbers with --vary, or ask a --question. "threat": the chance that
    the charger reaches a target, for each place where the target could stand. "safe": the greatest chance that an enemy
    reaches my unit, and which enemy, for each place where my unit could stand. "start": the chance of my charge, for
    each place where it could start. "jitter": how often the verdict holds if every unit stands slightly off. Results
    are saved to --out as they are found: a stopped run continues when it is started again, and a finished one does
    nothing.

    A random place is that of a unit's front or of its first loose model, with which its other models move; its facing
    stays. All random keys are drawn together and need the same N; any other key is varied for each of these tables.
    Impossible tables are discarded; another --seed draws other tables. Dice that the file leaves out are the same on
    every table. The results give each place in the columns units.B.x and units.B.y, or units.B.hex.

    tabletop explore t9a/wheel-and-align --vary units.A=random:200 --region 20,26,40,40 -o random.csv --figure
    random.svg
    """
    from tabletop.cli.explore import explore

    return explore(asked, plan, as_json=json)


@_command(
    "tabletop compare t9a/wheel-and-align t9a/failed-wheel --set system.wheel_limit_deg=30; tabletop compare t9a "
    "--set rules.tie=centre"
)
def compare(
    files: SeveralFiles,
    *,
    override: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Change rules.KEY, system.FIELD or edition; repeatable.",
        ),
    ] = None,
    json: Json = False,
    seed: Seed = 0,
    limit: TimeLimit,
) -> ExitCode:
    """List the scenarios whose verdict or placement changes with another reading or number, and what changes in each.

    Each charge, and each unit that ends elsewhere, has a sentence: "A charges B: success instead of failed (t9a.range);
    needs 7 instead of 9". --json has the values by key.
    """
    from tabletop.cli.comparing import compare

    return compare(
        files,
        overrides=tuple(override or ()),
        as_json=json,
        seed=seed,
        max_seconds=limit.max_seconds,
    )


@_command("tabletop scenarios; tabletop scenarios wh40k ruin")
def scenarios(
    words: Words = None,
    *,
    show: Annotated[
        str | None,
        typer.Option("--show", metavar="NAME", help="Print this scenario's file instead."),
    ] = None,
    json: Json = False,
) -> ExitCode:
    """List the bundled scenarios; their names can be used as FILE.

    With WORD, only those whose name, title or note holds it, in capitals or not. The exit code is 1 if there is none.
    """
    from tabletop.cli import listing

    if show is not None and words:
        raise UsageError("--show and WORD exclude each other")
    return listing.scenarios(words or (), as_json=json) if show is None else listing.show(show)


@_command("tabletop new t9a -o charge.toml; tabletop new t9a --explain | less")
def new(
    system: SystemName,
    *,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Explain every key: those that are not used are comments."),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FILE", help="File to write instead of printing."),
    ] = None,
    force: Force = False,
) -> ExitCode:
    """Create a small scenario file that runs.

    With --explain it is a reference: all other keys of the game are there as comments, with their meanings, limits and
    defaults.
    """
    from tabletop.cli import listing

    return listing.new(system, out, force=force, is_explained=explain)


@_command("tabletop resolve $(tabletop link charge.toml)")
def link(file: File) -> ExitCode:
    """Print a scenario as a link of one line, which can be used as FILE."""
    from tabletop.cli import listing

    return listing.link(file)


@_command("tabletop rules t9a; tabletop rules t9a wheel; tabletop rules t9a --fields")
def rules(
    system: SystemName,
    words: Words = None,
    *,
    fields: Annotated[
        bool,
        typer.Option(
            "--fields", help="List the numbers of the rule book instead, for --set system.FIELD=V."
        ),
    ] = False,
    json: Json = False,
) -> ExitCode:
    """List the rules of a game: name, nature, demand and source.

    With WORD, only those whose name or demand holds it, in capitals or not. The exit code is 1 if there is none. In a
    checkout the tests of each rule are listed, too.
    """
    from tabletop.cli import listing

    return (listing.fields if fields else listing.rules)(system, words or (), as_json=json)


@_command("tabletop schema t9a > t9a.schema.json")
def schema(
    system: Annotated[
        str | None,
        typer.Argument(
            metavar="[SYSTEM]", autocompletion=systems, help="Game, such as t9a; by default all."
        ),
    ] = None,
) -> ExitCode:
    """Print the JSON Schema of scenario files: all keys, their meanings and their values."""
    from tabletop.cli import listing

    return listing.schema(system)


@_command("tabletop import megamek rivervalley.board -o valley.toml", of=import_app)
def megamek(
    board: Annotated[
        str, typer.Argument(metavar="BOARD", help="Board file of MegaMek, or - for standard input.")
    ],
    *,
    out: Out = None,
    force: Force = False,
) -> ExitCode:
    """Convert a board of MegaMek: levels, woods, water, roads, buildings.

    The scenario has no units and no charges yet. Parts of the board that are left out are listed on standard error and
    in comments.
    """
    from tabletop.cli.listing import write_imported
    from tabletop.importing.megamek import import_board

    return write_imported(board, import_board, out, force=force)


@_command("tabletop import tts TS_Save_1.json --system wh40k -o game.toml", of=import_app)
def tts(
    save: Annotated[
        str,
        typer.Argument(
            metavar="SAVE", help="Save file of Tabletop Simulator, or - for standard input."
        ),
    ],
    *,
    system: Annotated[
        str,
        typer.Option(
            "--system",
            metavar="SYSTEM",
            autocompletion=systems,
            help="Game that is played, such as wh40k.",
        ),
    ],
    board: Annotated[
        str | None,
        typer.Option(
            "--board",
            metavar="WIDTHxDEPTH",
            help="Size of the table in inches, such as 60x44, if no object gives it.",
        ),
    ] = None,
    bases: Annotated[
        str | None,
        typer.Option(
            "--bases",
            metavar="FILE",
            help='TOML file of bases by name pattern, such as "*Guard*" = "32mm"; "hull" for none.',
        ),
    ] = None,
    out: Out = None,
    force: Force = False,
) -> ExitCode:
    """Convert a save of Tabletop Simulator: bases and terrain, from the names, descriptions and notes of its objects.

    A model is an object that gives its base in millimetres: "32mm round", "75x42mm oval", "25x50mm". Models with the
    same name are one unit; "unit: NAME", "side: NAME" and keys of the profile ("charge_speed: 5") may each have a line.
    Terrain is an object whose name begins with its kind ("impassable") and that gives its size in inches: 6x4in, 3in
    round, height 2. A table, mat or board gives its own size: "table 72x48in". Whatever is not understood is listed on
    standard error and in comments.
    """
    from tabletop.cli.listing import write_imported
    from tabletop.importing.tts import import_save, read_bases, size_of
    from tabletop.scenario.sources import read_bytes

    size = None if board is None else size_of(board)
    by_name = {}
    if bases is not None:
        label, data = read_bytes(bases)
        by_name = read_bases(data, label)
    return write_imported(
        save, partial(import_save, system_name=system, board=size, bases=by_name), out, force=force
    )


@_command("tabletop page t9a/wheel-and-align", of=page_app)
@shows_progress
def page(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]",
            help="Initial table: a scenario file, its figure, a link, or a bundled scenario's name.",
        ),
    ] = None,
    *,
    port: Annotated[
        int, typer.Option("--port", metavar="N", help="Port to listen on; 0 takes any free port.")
    ] = 0,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="ADDRESS",
            help="Address to listen on: 127.0.0.1 (this machine only) or 0.0.0.0 (its whole network).",
        ),
    ] = "127.0.0.1",
    new: Annotated[
        str | None,
        typer.Option(
            "--new",
            metavar="SYSTEM",
            help="Begin with an empty table of a game system.",
            autocompletion=systems,
        ),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open the browser.")
    ] = False,
    language: Annotated[
        str | None,
        typer.Option(
            "--language",
            metavar="NAME",
            autocompletion=completions,
            help="Language of the page: english, french, german, or a TOML file; by default the browser's.",
        ),
    ] = None,
) -> ExitCode:
    """Open a table in the browser: drag units and watch the ruling change.

    The server runs on this machine and loads nothing from elsewhere. Its address is the first line of output. With a
    --host other than this machine, the address contains a token that every visitor needs. Ctrl-C stops the server.
    """
    from tabletop.distribution import install_line

    if not 0 <= port <= LAST_PORT:
        raise UsageError(
            "--port {port}: expected a number from 0 to {most}", port=port, most=LAST_PORT
        )
    if file is not None and new is not None:
        raise UsageError("FILE and --new exclude each other")
    if any(find_spec(name) is None for name in ("starlette", "uvicorn", "orjson")):
        raise UsageError("the page needs a server: {command}", command=install_line("page"))
    from tabletop.page.workers import early

    worker = early()  # loads what answers need while this process loads the server
    try:
        from tabletop.cli.output import print_text
        from tabletop.page.server import serve

        serve(
            file,
            host=host,
            port=port,
            has_browser=not no_browser,
            announce=print_text,
            new=new,
            worker=worker,
            language=language,
        )
    finally:
        worker.end()
    return ExitCode.DONE
