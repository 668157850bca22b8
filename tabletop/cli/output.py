"""Output of commands: answers to standard output; errors, notes and progress to standard error; scenarios to files."""

import io
import json
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import typer

from tabletop.atomic import atomic_write
from tabletop.errors import NoVerdictError, ScenarioError, UsageError, cause_of
from tabletop.language.speech import translated
from tabletop.messages import say, word

if TYPE_CHECKING:
    from tabletop.ruling.system import Case
    from tabletop.ruling.verdict import Ruling

_PIPE_WIDTH = 160
"""Width of tables in columns if the output is no terminal."""

_PRINTED = Path("-")
"""Path that stands for standard output."""

PATIENCE = 2.0
"""Seconds after which a spinner shows that the program is working."""


def print_text(text: str = "") -> None:
    """Print a line of text, without colours if the output is no terminal or NO_COLOR is set.

    A closed pipe is no error: the command still runs to its end for the exit code.

    Raises
    ------
    UsageError
        If standard output is closed or cannot be written.
    """
    _print(_encodable(text), color=False if os.environ.get("NO_COLOR") else None)


def say_json(value: Any) -> None:
    """Print a value as indented JSON, in ASCII so that the bytes are the same everywhere.

    Raises the errors of `print_text`.
    """
    _print(json.dumps(value, indent=2, allow_nan=False))


def _print(text: str, *, color: bool | None = None) -> None:
    if sys.stdout is None:
        raise UsageError("standard output is closed; to discard the answer, use > /dev/null")
    try:
        typer.echo(text, color=color)
    except BrokenPipeError:
        discard(sys.stdout)
    except OSError as error:
        discard(sys.stdout)
        raise UsageError(
            "standard output cannot be written: {reason}", reason=cause_of(error)
        ) from None


def write_text(text: str, out: Path | None, *, force: bool) -> None:
    """Write a scenario's text to a file, completely or not at all; print it if `out` is None or "-".

    Raises
    ------
    UsageError
        If the file exists and `force` is false, cannot be written, or has the suffix .json. When printing, the errors
        of `print_text`.
    """
    if out is None or out == _PRINTED:
        print_text(text.rstrip("\n"))
        return
    if out.suffix == ".json":
        message = "{out}: the file is TOML, so its name cannot end in .json; use {better}"
        raise UsageError(message, out=out, better=out.with_suffix(".toml"))
    if os.path.lexists(out) and (not out.is_file() or out.is_symlink()):
        raise UsageError(
            "{out}: expected the name of a file, this is a folder, a link or a device", out=out
        )
    if out.exists() and not force:
        raise UsageError("{out}: exists already; --force overwrites it", out=out)
    if not out.parent.is_dir():
        raise UsageError("{out}: there is no folder {folder}", out=out, folder=out.parent)
    try:
        with atomic_write(out) as beside:
            beside.write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(
            "{path}: cannot be written: {reason}", path=out, reason=cause_of(error)
        ) from None


def discard(stream: TextIO) -> None:
    """Redirect a stream to the null device, so that flushing it at exit raises no error."""
    with suppress(OSError, ValueError):  # the stream is no file
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream exists and is a terminal."""
    return stream is not None and stream.isatty()


def say_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table with translated headings, as wide as the terminal or 160 columns in a pipe.

    Raises the errors of `print_text`.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(
        *(translated(word(heading)) for heading in headings),
        box=None,
        pad_edge=False,
        header_style="bold",
    )
    for row in rows:
        table.add_row(*(Text(_encodable(cell)) for cell in row))
    is_seen = is_terminal(sys.stdout)
    buffer = io.StringIO()
    console = Console(
        file=buffer, force_terminal=is_seen, width=None if is_seen else _PIPE_WIDTH, highlight=False
    )
    console.print(table)
    for line in buffer.getvalue().splitlines():
        print_text(line.rstrip())


def _encodable(text: str) -> str:
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


@contextmanager
def patience(after: float) -> Iterator[None]:
    """Display a spinner on standard error after `after` seconds, if it is a terminal; infinite seconds mean never."""
    if not is_terminal(sys.stderr) or math.isinf(after):
        yield
        return
    showing = ExitStack()
    text = translated(say("still working; Ctrl-C stops, --max-seconds limits a search"))

    def show() -> None:
        """Start the spinner."""
        from rich.console import Console

        showing.enter_context(Console(stderr=True).status(text))

    timer = threading.Timer(after, show)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        showing.close()


@contextmanager
def progress(after: float) -> Iterator[Callable[[float], None]]:
    """Yield a function that takes the share of work done, from 0 to 1, and shows it as a progress bar on standard
    error.

    The bar appears after `after` seconds, and only on a terminal.
    """
    if not is_terminal(sys.stderr):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeRemainingColumn

    bar = Progress(
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("work", total=1.0)
    begun = time.monotonic()

    def show_share(share: float) -> None:
        """Update the progress bar with the share of work done, from 0 to 1."""
        if time.monotonic() - begun >= after:
            bar.start()
        bar.update(task, completed=share)

    try:
        yield show_share
    finally:
        bar.stop()


def print_error(message: str) -> None:
    """Print an error message to standard error, with control characters escaped; a full or closed standard error is
    ignored.
    """
    _mark(say("error"), message)


def warn(message: str) -> None:
    """Print a warning to standard error, as `print_error` does."""
    _mark(say("warning"), message)


def note(message: str) -> None:
    """Print a note to standard error, as `print_error` does."""
    _mark(say("note"), message)


def _mark(kind: str, message: str) -> None:
    from tabletop.messages import printable

    try:
        for line in printable(translated(message)).splitlines():
            typer.echo(translated(say("{mark}: {line}", mark=kind, line=line)), err=True)
    except OSError:
        discard(sys.stderr)


def warn_of(file: str, *answers: "tuple[Case, Sequence[Ruling]]") -> None:
    """Print the doubts about the cases of a file, each once; with every case come the rulings on its charges."""
    from tabletop.scenario.doubts import doubts_of
    from tabletop.scenario.sources import label_of

    doubts = (doubt for case, rulings in answers for doubt in doubts_of(case, rulings))
    for doubt in dict.fromkeys(doubts):
        warn(say("{file}: {fault}", file=label_of(file), fault=doubt))


def warn_of_unresolved(
    file: str, case: "Case", *, max_seconds: float | None, since: float | None = None
) -> None:
    """Print the doubts about the case of a command that gives no rulings; its charges are resolved for that, within the
    limit of time.
    """
    from tabletop.api import resolve

    rulings: Sequence[Ruling] = ()
    with suppress(NoVerdictError, ScenarioError):  # the command itself reports what is wrong
        rulings = resolve(
            replace(case, measured=None),
            max_seconds=max_seconds,
            since=since,
            contrast=False,
            fill=True,
        ).rulings
    warn_of(file, (case, rulings))
