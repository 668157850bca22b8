"""Exit codes, and the message for each error: `guarded` turns what a command returns or raises into these."""

import functools
import inspect
import math
import traceback
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from enum import IntEnum
from typing import Annotated, Any

import typer

from tabletop.cli.output import PATIENCE, complain, patience
from tabletop.cli.speech import asked, silent, speak
from tabletop.errors import OUT_OF_MEMORY, NoVerdictError, ScenarioError, TableError, UsageError, cause_of, message_of
from tabletop.messages import say


class ExitCode(IntEnum):
    """What the program tells its caller."""

    DONE = 0
    ANSWER_IS_NO = 1
    USAGE = 2
    BAD_SCENARIO = 3
    NO_VERDICT = 4
    BUG = 5
    UNDECIDED = 6
    INTERRUPTED = 130


EXIT_CODES = (
    "Exit codes: 0 done, 1 the answer is no, 2 usage, or something that cannot be written, 3 a bad scenario or a damaged table, "
    "4 no verdict, 5 a bug, 6 it cannot be told at this accuracy, 130 interrupted."
)
"""What `ExitCode` means, for the help of every command."""

CODES: dict[type[Exception], ExitCode] = {
    TableError: ExitCode.BAD_SCENARIO,
    UsageError: ExitCode.USAGE,
    ScenarioError: ExitCode.BAD_SCENARIO,
    NoVerdictError: ExitCode.NO_VERDICT,
    OSError: ExitCode.USAGE,
    MemoryError: ExitCode.NO_VERDICT,
}
"""What each error means: the machine's own, no space left or no such folder, are as little bugs as the caller's."""

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
        option = kwargs.get("language")
        if "language" in kwargs:
            kwargs["language"] = asked(option)
        raise typer.Exit(_code(functools.partial(command, *args, **kwargs), debug=debug, after=after, language=option))

    signature = inspect.signature(command)
    run.__signature__ = signature.replace(parameters=[*signature.parameters.values(), _DEBUG])  # type: ignore[attr-defined]
    return run


def self_telling(command: Callable[..., ExitCode]) -> Callable[..., ExitCode]:
    """Mark a command that shows its own progress."""
    command.self_telling = True  # type: ignore[attr-defined]
    return command


_DEBUGGED: ContextVar[bool] = ContextVar("debugged", default=False)


def _code(command: Callable[[], ExitCode], *, debug: bool, after: float, language: str | None) -> ExitCode:
    is_debugged = _DEBUGGED.set(debug)
    with silent():
        try:
            speak(language)
            with patience(after):
                return command()
        except KeyboardInterrupt as stopped:
            kept = message_of(stopped) or say("nothing more is printed or written")
            complain(say("interrupted; {kept}", kept=kept))
            return ExitCode.INTERRUPTED
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets one message and a code
            return explained(error)
        finally:
            _DEBUGGED.reset(is_debugged)


def explained(error: Exception) -> ExitCode:
    """Say on standard error what was wrong, with `--debug` also where, and give the exit code."""
    if _DEBUGGED.get():
        with suppress(OSError):
            traceback.print_exception(error)
    code = next((code for kind, code in CODES.items() if isinstance(error, kind)), ExitCode.BUG)
    if code is ExitCode.BUG:
        told = {"where": _at_fault(error), "kind": type(error).__name__, "error": str(error)}
        complain(say("this is a bug in {where}, please report it (--debug shows where): {kind}: {error}", **told))
    else:
        complain(_sentence(error))
    return code


def _at_fault(error: Exception) -> str:
    """Name what has the bug: this program, or a system that somebody else's package brings."""
    from tabletop import registry

    blamed = registry.to_blame(error)
    return (
        "tabletop" if blamed is None else say("the package that brings the system {name} ({place})", name=repr(blamed[0]), place=blamed[1])
    )


def _sentence(error: Exception) -> str:
    """Say what was wrong, of the machine's own errors without their numbers."""
    if isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    if isinstance(error, OSError):
        what = cause_of(error) or type(error).__name__
        return what if error.filename is None else say("{path}: {fault}", path=str(error.filename), fault=what)
    return message_of(error)
