"""The command `page`: a table in the browser."""

from importlib.util import find_spec
from typing import Annotated

import typer

from tabletop.cli.guard import ExitCode, guarded, self_telling
from tabletop.errors import UsageError

app = typer.Typer(rich_markup_mode=None)
LAST_PORT = 65_535


@app.command(epilog="Example: tabletop page t9a/wheel-and-align")
@guarded
@self_telling
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
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the browser.")] = False,
) -> ExitCode:
    """Open a table in the browser: units to drag, with the ruling beside them while they move.

    The server runs on this machine, and nothing is loaded from elsewhere. Its address is the first line that is printed. With another
    --host than this machine the address holds a token, and only who has it is answered. Ctrl-C ends it.
    """
    from tabletop.distribution import install_line

    if not 0 <= port <= LAST_PORT:
        raise UsageError(f"--port {port}: expected a number from 0 to {LAST_PORT}")
    if any(find_spec(name) is None for name in ("starlette", "uvicorn")):
        raise UsageError(f"the page needs a server: {install_line('page')}")
    from tabletop.page.work import early

    worker = early()  # loads what answers need while this process loads the server
    try:
        from tabletop.page.serving import serve

        serve(file, host=host, port=port, has_browser=not no_browser, worker=worker)
    finally:
        worker.end()
    return ExitCode.DONE
