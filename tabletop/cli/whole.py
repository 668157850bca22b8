"""The whole command line: the commands, with those that have a module of their own."""

from tabletop.cli import importing, paging
from tabletop.cli.app import app
from tabletop.cli.guard import EXIT_CODES

__all__ = ["app"]

app.add_typer(importing.app, name="import", help="Begin a scenario from another program's file.")
app.add_typer(paging.app)
for command in (*app.registered_commands, *importing.app.registered_commands, *paging.app.registered_commands):
    command.epilog = "\n\n".join(filter(None, (command.epilog, EXIT_CODES)))
