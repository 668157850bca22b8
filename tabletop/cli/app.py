"""The application `tabletop`: its commands with their options. What a command does is imported when it runs."""

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from tabletop.cli.errors import EXIT_CODES, Command, ExitCode, Group, guarded, shows_progress
from tabletop.cli.options import (
    CaseQuery,
    ExploredFile,
    ExploreOptions,
    FigureOptions,
    Figures,
    File,
    Force,
    Json,
    Out,
    OutputOptions,
    Query,
    Seed,
    SeveralFiles,
    SystemName,
    TimeLimit,
    Version,
    grouped,
    systems,
)
from tabletop.errors import UsageError

LAST_PORT = 65_535
"""The greatest number that a port may have."""

app = typer.Typer(
    name="tabletop",
    cls=Group,
    help="Settle charges in tabletop wargames by geometry: verdicts with their reasons, and figures to scale.",
    no_args_is_help=True,
    epilog=EXIT_CODES,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

import_app = typer.Typer(cls=Group, no_args_is_help=True, rich_markup_mode=None)

page_app = typer.Typer(cls=Group, rich_markup_mode=None)
"""Only so that the help lists `page` after `import`: of one Typer, groups come after all commands."""

app.add_typer(import_app, name="import", help="Begin a scenario from another program's file.")
app.add_typer(page_app)


def _command(example: str, *, of: typer.Typer = app) -> Callable[[Callable[..., ExitCode]], Callable[..., None]]:
    """Return a decorator that adds a command, its options grouped and guarded; its help ends with an example and the exit codes."""

    def add(run: Callable[..., ExitCode]) -> Callable[..., None]:
        return of.command(cls=Command, epilog=f"Example: {example}\n\n{EXIT_CODES}")(guarded(grouped(run)))

    return add


@app.callback()
def _program(*, version: Version = False) -> None:
    del version  # its callback has printed it


@_command("tabletop resolve t9a/wheel-and-align --dice 4 --figure charge.svg")
def resolve(
    *,
    output: OutputOptions,
    query: Query,
    figure: Figures = None,
    look: FigureOptions,
    all_paths: Annotated[bool, typer.Option("--all-paths", help="List all legal paths, where a system searches them.")] = False,
    second_opinion: Annotated[
        bool, typer.Option("--second-opinion", help="Let SciPy, which knows nothing of how, look for each place as well.")
    ] = False,
) -> ExitCode:
    """Resolve charges: every step, finding and metric."""
    from tabletop.cli.resolving import resolve

    return resolve(query, output, figure or (), look, all_paths=all_paths, second_opinion=second_opinion)


@_command("tabletop judge t9a/judged-one-short --figure judged.svg")
def judge(*, output: OutputOptions, query: Query, figure: Figures = None, look: FigureOptions) -> ExitCode:
    """Rule on a [proposal], told by coordinates or by what it stands by, as in flush_on = { unit = "B", offset = 0.5 }.

    Exit code 1 if it is not what the rules demand, 6 if that cannot be told at the file's `accuracy`. --figure draws the table before,
    the proposal with what is wrong marked, and what the rules demand if that is another; `draw --steps` its moves in their order.
    """
    from tabletop.cli.resolving import judge

    return judge(query, output, figure or (), look)


@_command("tabletop check t9a/wheel-and-align charge.toml")
def check(files: SeveralFiles, *, json: Json = False, limit: TimeLimit) -> ExitCode:
    """Compare files with their [[expect]].

    Exit code 1 on any difference; goes on after a bad file and ends with the highest code.
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
        Path, typer.Option("-o", "--out", metavar="OUT", help="The figure: .svg, .pdf, .png, .webp, .pgf; moving: .gif, .mp4, .html.")
    ],
    steps: Annotated[bool, typer.Option("--steps", help="One numbered panel per step.")] = False,
    board: Annotated[bool, typer.Option("--board", help="The set-up alone.")] = False,
    look: FigureOptions,
    query: Query,
) -> ExitCode:
    """Draw charges to scale, before and after, or as they happen.

    A file that ends in .gif or .mp4 (which needs ffmpeg) shows the moves, three seconds for each picture's worth of steps;
    .html is a page that plays them step by step.
    """
    from tabletop.cli.resolving import draw

    return draw(query, out, steps=steps, board=board, look=look)


@_command("tabletop odds t9a/odds-maximised --figure odds.svg")
def odds(
    *,
    output: OutputOptions,
    asked: CaseQuery,
    figure: Figures = None,
    look: Annotated[FigureOptions, "theme size language audience bare text dpi"],
    everything: Annotated[bool, typer.Option("--all", help="Tell more of each total, where a system can.")] = False,
) -> ExitCode:
    """Print the exact chance of each outcome over all dice.

    Faces given in the file are set aside. Text gives fractions and percentages, --json reduced fractions: for every
    charge "outcomes" (all three, a chance of 0 is "0"), "rules" (the chance of each rule that decides against success),
    "shortest_roll" (the least total that can succeed, null if none) and "by_total" (every total of its roll, the
    total's chance, the likeliest outcome, and the chances of total and outcome together); "joint" gives the chances of
    all charges' outcomes together, in file order, under keys such as "success,failed".
    """
    from tabletop.cli.resolving import odds

    return odds(asked, output, figure or (), look, everything=everything)


@_command("tabletop explore t9a/wheel-and-align --vary units.A.x=20:36:0.5 -o results.csv --figure map.svg")
@shows_progress
def explore(*, plan: ExploreOptions, json: Json = False, asked: ExploredFile) -> ExitCode:
    """Resolve many cases of one scenario.

    Keys of the file, its [rules] and the book's numbers can be varied, or a question with a name asked: "threat", for
    each place a target could stand, the chance that the charger reaches it; "safe", for each place my unit could stand,
    the greatest chance that an enemy reaches it, and which; "start", for each place my charger could start, its chance;
    "jitter", how often the verdict holds when everything stands a little off. Results go to a table as they come: stopped
    and started again it continues, finished it does nothing.

    Random places are those of a unit's front, or of the first of its loose models, with which all others move; it looks where it
    looks in the file. All that is random is drawn together and asks for the same N; whatever else is varied, is so of each table.
    Only tables are taken that can be, with all that is varied; --seed draws others. Dice that the file leaves out fall alike on
    all of them. The table tells each place in the columns units.B.x and units.B.y, or units.B.hex.

    tabletop explore t9a/wheel-and-align --vary units.A=random:200 --region 20,26,40,40 -o random.csv --figure random.svg
    """
    from tabletop.cli.explore import explore

    return explore(asked, plan, as_json=json)


@_command("tabletop compare t9a/wheel-and-align t9a/failed-wheel --set system.wheel_limit_deg=45")
def compare(
    files: SeveralFiles,
    *,
    override: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="The change: rules.KEY, system.FIELD or edition; repeatable.")
    ] = None,
    json: Json = False,
    seed: Seed = 0,
    limit: TimeLimit,
) -> ExitCode:
    """List the scenarios whose verdict or placement another reading or number changes, with both."""
    from tabletop.cli.comparing import compare

    return compare(files, overrides=tuple(override or ()), as_json=json, seed=seed, max_seconds=limit.max_seconds)


@_command("tabletop scenarios --json")
def scenarios(
    *,
    show: Annotated[str | None, typer.Option("--show", metavar="NAME", help="Print the file of this one instead.")] = None,
    json: Json = False,
) -> ExitCode:
    """List the bundled scenarios, whose names may stand wherever FILE is asked."""
    from tabletop.cli import listing

    return listing.scenarios(as_json=json) if show is None else listing.show(show)


@_command("tabletop new t9a -o charge.toml")
def new(
    system: SystemName,
    *,
    out: Annotated[Path | None, typer.Option("-o", "--out", metavar="FILE", help="Write it here instead of printing it.")] = None,
    force: Force = False,
) -> ExitCode:
    """Begin a scenario file: a small one that runs, with every key explained."""
    from tabletop.cli import listing

    return listing.new(system, out, force=force)


@_command("tabletop resolve $(tabletop link charge.toml)")
def link(file: File) -> ExitCode:
    """Print a scenario in one line, which may stand wherever FILE is asked."""
    from tabletop.cli import listing

    return listing.link(file)


@_command("tabletop rules t9a --fields")
def rules(
    system: SystemName,
    *,
    fields: Annotated[bool, typer.Option("--fields", help="List the book's numbers instead, for --set system.FIELD=V.")] = False,
    json: Json = False,
) -> ExitCode:
    """List the rules of a system.

    Name, nature, demand, where it comes from, and in a checkout where it is tested.
    """
    from tabletop.cli import listing

    return listing.fields(system, as_json=json) if fields else listing.rules(system, as_json=json)


@_command("tabletop schema t9a > t9a.schema.json")
def schema(
    system: Annotated[str | None, typer.Argument(metavar="[SYSTEM]", autocompletion=systems, help="A game; left out: all of them.")] = None,
) -> ExitCode:
    """Print the JSON Schema of scenario files: which keys there are, what they mean and what they may be."""
    from tabletop.cli import listing

    return listing.schema(system)


@_command("tabletop import megamek rivervalley.board -o valley.toml", of=import_app)
def megamek(
    board: Annotated[str, typer.Argument(metavar="BOARD", help="A board of MegaMek, or - for standard input.")],
    *,
    out: Out = None,
    force: Force = False,
) -> ExitCode:
    """Read a board of MegaMek: levels, woods, water, roads, buildings.

    The scenario has no units and no charges yet. What of the board is not in it is told on standard error and in comments.
    """
    from tabletop.cli.listing import write_imported
    from tabletop.importing.megamek import import_board

    return write_imported(board, import_board, out, force=force)


@_command("tabletop import tts TS_Save_1.json --system wh40k -o game.toml", of=import_app)
def tts(
    save: Annotated[str, typer.Argument(metavar="SAVE", help="A save of Tabletop Simulator, or - for standard input.")],
    *,
    system: Annotated[
        str, typer.Option("--system", metavar="SYSTEM", autocompletion=systems, help="The game that is played, such as wh40k.")
    ],
    board: Annotated[
        str | None, typer.Option("--board", metavar="WIDTHxDEPTH", help="Size of the table in inches, if no object tells it: 60x44.")
    ] = None,
    bases: Annotated[
        str | None,
        typer.Option("--bases", metavar="FILE", help='A TOML file of bases by patterns of names: "*Guard*" = "32mm round".'),
    ] = None,
    out: Out = None,
    force: Force = False,
) -> ExitCode:
    """Read a save of Tabletop Simulator: bases and terrain, by what their names, descriptions and notes say.

    A model is an object that says its base in millimetres: "32mm round", "75x42mm oval", "25x50mm". Models of one name are
    one unit; "unit: NAME", "side: NAME" and keys of the profile ("charge_speed: 5") may each have a line. Terrain is an
    object whose name begins with its kind ("impassable"), with its size in inches: 6x4in, 3in round, height 2. A table, mat
    or board says its own: "table 72x48in". What is not understood is told on standard error and in comments.
    """
    from tabletop.cli.listing import write_imported
    from tabletop.importing.tts import import_save, read_bases, size_of
    from tabletop.scenario.sources import read_bytes

    size = None if board is None else size_of(board)
    by_name = {}
    if bases is not None:
        label, data = read_bytes(bases)
        by_name = read_bases(data, label)
    return write_imported(save, partial(import_save, system_name=system, board=size, bases=by_name), out, force=force)


@_command("tabletop page t9a/wheel-and-align", of=page_app)
@shows_progress
def page(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]", help="What lies on the table first: a scenario file, a figure of one, a link, or a bundled scenario's name."
        ),
    ] = None,
    *,
    port: Annotated[int, typer.Option("--port", metavar="N", help="Where it listens; 0, the default: any port that is free.")] = 0,
    host: Annotated[
        str,
        typer.Option("--host", metavar="ADDRESS", help="Who may come: this machine alone, the default, or 0.0.0.0 for all of its network."),
    ] = "127.0.0.1",
    new: Annotated[
        str | None, typer.Option("--new", metavar="SYSTEM", help="Begin with an empty table of a game system.", autocompletion=systems)
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the browser.")] = False,
    language: Annotated[
        str | None,
        typer.Option(
            "--language", metavar="NAME", help="Words of the page: english, german, or a TOML file; else what the browser asks for."
        ),
    ] = None,
) -> ExitCode:
    """Open a table in the browser: units to drag, with the ruling beside them while they move.

    The server runs on this machine, and nothing is loaded from elsewhere. Its address is the first line that is printed. With another
    --host than this machine the address holds a token, and only who has it is answered. Ctrl-C ends it.
    """
    from tabletop.distribution import install_line

    if not 0 <= port <= LAST_PORT:
        raise UsageError("--port {port}: expected a number from 0 to {most}", port=port, most=LAST_PORT)
    if file is not None and new is not None:
        raise UsageError("FILE and --new exclude each other: one table lies there first")
    if any(find_spec(name) is None for name in ("starlette", "uvicorn", "orjson")):
        raise UsageError("the page needs a server: {command}", command=install_line("page"))
    from tabletop.page.workers import early

    worker = early()  # loads what answers need while this process loads the server
    try:
        from tabletop.page.server import serve

        serve(file, host=host, port=port, has_browser=not no_browser, new=new, worker=worker, language=language)
    finally:
        worker.end()
    return ExitCode.DONE
