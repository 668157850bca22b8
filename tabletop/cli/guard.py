"""Turns what a command returns or raises into an exit code and one clear message."""

import functools
import inspect
import math
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from enum import IntEnum
from typing import Annotated, Any

import typer

from tabletop.errors import NoVerdictError, ScenarioError, UsageError

PATIENCE = 2.0
"""Seconds after which a person is told that the program is still at work."""


class ExitCode(IntEnum):
    """What the program tells its caller."""

    DONE = 0
    ANSWER_IS_NO = 1
    USAGE = 2
    BAD_SCENARIO = 3
    NO_VERDICT = 4
    BUG = 5
    INTERRUPTED = 130


CODES: dict[type[Exception], ExitCode] = {
    UsageError: ExitCode.USAGE,
    ScenarioError: ExitCode.BAD_SCENARIO,
    NoVerdictError: ExitCode.NO_VERDICT,
}
_DEBUG = inspect.Parameter(
    "debug",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")],
)


def guarded(command: Callable[..., ExitCode]) -> Callable[..., None]:
    """Make a command end with its exit code, and give it the option `--debug`; one that is `self_telling` shows its own progress."""

    @functools.wraps(command)
    def run(*args: Any, debug: bool = False, **kwargs: Any) -> None:
        after = math.inf if hasattr(command, "self_telling") else PATIENCE
        raise typer.Exit(_code(functools.partial(command, *args, **kwargs), debug=debug, after=after))

    signature = inspect.signature(command)
    run.__signature__ = signature.replace(parameters=[*signature.parameters.values(), _DEBUG])  # type: ignore[attr-defined]
    return run


def self_telling(command: Callable[..., ExitCode]) -> Callable[..., ExitCode]:
    """Mark a command that shows its own progress."""
    command.self_telling = True  # type: ignore[attr-defined]
    return command


def _code(command: Callable[[], ExitCode], *, debug: bool, after: float) -> ExitCode:
    try:
        with patience(after):
            code = command()
        sys.stdout.flush()
    except KeyboardInterrupt as stopped:
        complain(f"interrupted; {str(stopped) or 'nothing more is printed or written'}")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # The reader has gone; without this the interpreter complains when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.DONE
    except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets one message and a code
        if debug:
            traceback.print_exc()
        return explained(error)
    return code


@contextmanager
def patience(after: float) -> Iterator[None]:
    """Show a spinner on a terminal's standard error once a command has worked for so many seconds."""
    if not sys.stderr.isatty() or math.isinf(after):
        yield
        return
    showing = ExitStack()

    def show() -> None:
        from rich.console import Console

        text = "still working; Ctrl-C stops, --max-seconds limits a search"
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
    """Give what to tell the share of the work that is done: a bar on a terminal's standard error after so many seconds."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeRemainingColumn

    bar = Progress(BarColumn(), TaskProgressColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True)
    task, begun = bar.add_task("work", total=1.0), time.monotonic()

    def told(share: float) -> None:
        if time.monotonic() - begun >= after:
            bar.start()
        bar.update(task, completed=share)

    try:
        yield told
    finally:
        bar.stop()


def explained(error: Exception) -> ExitCode:
    """Say on standard error what was wrong, and give the exit code."""
    code = next((code for kind, code in CODES.items() if isinstance(error, kind)), ExitCode.BUG)
    if code is ExitCode.BUG:
        complain(f"this is a bug in tabletop, please report it (--debug shows where): {type(error).__name__}: {error}")
    else:
        complain(str(error))
    return code


def complain(message: str) -> None:
    """Print a message to standard error, each line marked as an error, nothing a terminal would obey."""
    from tabletop.words import printable

    for line in printable(message).splitlines():
        typer.echo(f"error: {line}", err=True)


@contextmanager
def in_file(file: str) -> Iterator[None]:
    """Put the file's name in front of problems that only resolving brings to light."""
    try:
        yield
    except ScenarioError as error:
        raise (error if error.file else error.in_file("standard input" if file == "-" else file)) from None
