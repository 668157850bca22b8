"""The whole command line: the commands, with those that have a module of their own."""

from tabletop.cli import importing, paging
from tabletop.cli.app import app

__all__ = ["app"]

app.add_typer(importing.app, name="import", help="Begin a scenario from another program's file.")
app.add_typer(paging.app)
