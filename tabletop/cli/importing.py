"""The commands under `import`: scenarios from other programs' files."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.cli.completing import systems
from tabletop.cli.guard import ExitCode, guarded, remark

if TYPE_CHECKING:
    from tabletop.importing.imported import Imported

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

Board = Annotated[str, typer.Argument(metavar="BOARD", help="A board of MegaMek, or - for standard input.")]
Save = Annotated[str, typer.Argument(metavar="SAVE", help="A save of Tabletop Simulator, or - for standard input.")]
Out = Annotated[Path | None, typer.Option("-o", "--out", metavar="OUT", help="Write it here instead of printing it.")]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]


@app.command(epilog="Example: tabletop import megamek rivervalley.board -o valley.toml")
@guarded
def megamek(board: Board, *, out: Out = None, force: Force = False) -> ExitCode:
    """Read a board of MegaMek: levels, woods, water, roads, buildings.

    The scenario has no units and no charges yet. What of the board is not in it is told on standard error and in comments.
    """
    from tabletop.importing.megamek import import_board

    return _imported(board, import_board, out, force=force)


@app.command(epilog="Example: tabletop import tts TS_Save_1.json --system wh40k -o game.toml")
@guarded
def tts(
    save: Save,
    *,
    system: Annotated[
        str, typer.Option("--system", metavar="SYSTEM", autocompletion=systems, help="The game that is played, such as wh40k.")
    ],
    board: Annotated[
        str | None, typer.Option("--board", metavar="WIDTHxDEPTH", help="Size of the table in inches, if no object tells it: 60x44.")
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
    from functools import partial

    from tabletop.importing.tts import import_save, size_of

    size = None if board is None else size_of(board)
    return _imported(save, partial(import_save, system_name=system, board=size), out, force=force)


def _imported(source: str, read: Callable[[bytes, str], "Imported"], out: Path | None, *, force: bool) -> ExitCode:
    """Print or write the scenario that a file comes to, and say what of it was not understood."""
    from tabletop.cli.output import write_text
    from tabletop.importing.imported import FOREIGN_BYTES, scenario_text
    from tabletop.scenario.sources import read_bytes

    label, data = read_bytes(source, most=FOREIGN_BYTES)
    text, remarks = scenario_text(read(data, label))
    write_text(text, out, force=force)
    for one in remarks:
        remark(one)
    return ExitCode.DONE
