"""Text, tables and JSON to standard output, in colour only where it is welcome."""

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import typer

_PIPE_WIDTH = 160


def say(text: str = "") -> None:
    """Print a line of text; colours go away where the output is no terminal or NO_COLOR is set."""
    typer.echo(_encodable(text), color=False if os.environ.get("NO_COLOR") else None)


def say_json(value: Any) -> None:
    """Print JSON, in ASCII so that it is the same bytes everywhere."""
    typer.echo(json.dumps(value, indent=2, allow_nan=False))


def say_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table as wide as the terminal, or wide enough for most lines in a pipe."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*headings, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*(Text(_encodable(cell)) for cell in row))
    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)
    with console.capture() as capture:
        console.print(table)
    for line in capture.get().splitlines():
        say(line.rstrip())


def _encodable(text: str) -> str:
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
