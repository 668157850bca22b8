"""Exit codes, and the message for each error: `guarded` turns what a command returns or raises into these.

`Command` and `Group` say what is wrong with a command line in the language that it asks for; in English the words are Typer's own.
"""

import functools
import inspect
import math
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from enum import IntEnum
from importlib import import_module
from itertools import pairwise
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from tabletop.cli.output import PATIENCE, patience, print_error
from tabletop.cli.speech import asked, is_foreign, silent, speak, told
from tabletop.errors import OUT_OF_MEMORY, NoVerdictError, ScenarioError, TableError, UsageError, cause_of, message_of
from tabletop.messages import nearest, quoted, say


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

_ERRORS = import_module(typer.BadParameter.__module__)
"""The errors of the Click that Typer is built on: the one that is installed, or one of its own."""

_OPTION = "--language"

_METAVARS = {"[OPTIONS]": say("[OPTIONS]"), "COMMAND [ARGS]...": say("COMMAND [ARGS]...")}
"""Words of a line of usage that stand for options, and for a command with its arguments."""

_NUMBERS = {
    **dict.fromkeys(("int_parsing", "integer"), say("a whole number")),
    **dict.fromkeys(("float_parsing", "float"), say("a number")),
}
"""What is said of options that are no numbers, by kinds of errors of pydantic and by types of Click."""

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


def shows_progress(command: Callable[..., ExitCode]) -> Callable[..., ExitCode]:
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
            print_error(say("interrupted; {kept}", kept=kept))
            return ExitCode.INTERRUPTED
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets one message and a code
            return report_error(error)
        finally:
            _DEBUGGED.reset(is_debugged)


def report_error(error: Exception) -> ExitCode:
    """Print an error to standard error, with `--debug` its traceback too, and return the exit code."""
    if _DEBUGGED.get():
        with suppress(OSError):
            traceback.print_exception(error)
    code = next((code for kind, code in CODES.items() if isinstance(error, kind)), ExitCode.BUG)
    if code is ExitCode.BUG:
        values = {"where": _at_fault(error), "kind": type(error).__name__, "error": str(error)}
        print_error(say("this is a bug in {where}, please report it (--debug shows where): {kind}: {error}", **values))
    else:
        print_error(_sentence(error))
    return code


def _at_fault(error: Exception) -> str:
    """Name what has the bug: this program, or a system that somebody else's package brings."""
    from tabletop import registry

    blamed = registry.package_at_fault(error)
    return (
        "tabletop" if blamed is None else say("the package that brings the system {name} ({place})", name=repr(blamed[0]), place=blamed[1])
    )


def _sentence(error: Exception) -> str:
    """Return the text of an error; of an operating system error without its number."""
    if isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    if isinstance(error, OSError):
        what = cause_of(error) or type(error).__name__
        return what if error.filename is None else say("{path}: {fault}", path=str(error.filename), fault=what)
    return message_of(error)


class Command(TyperCommand):
    """A command whose refusals are translated."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments, or end with what is wrong with them."""
        with _translated(ctx, args, _problem):
            return super().parse_args(ctx, args)


class Group(TyperGroup):
    """A group of commands whose refusals are translated."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options before the command, or end with what is wrong with them."""
        with _translated(ctx, args, _problem):
            return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that is named first, or end with a near name."""
        with _translated(ctx, args, _no_command):
            return super().resolve_command(ctx, args)


@contextmanager
def _translated(ctx: Any, args: Sequence[str], problem: Callable[[Any, Any, list[str]], str]) -> Iterator[None]:
    """Print an error of Click in the language that is asked for, if that is another than English, and end; else it is Click's to print."""
    given = list(args)
    try:
        yield
    except _ERRORS.UsageError as error:
        with silent(), suppress(UsageError):
            speak(_language_in(given))
            if is_foreign() and not (ctx.resilient_parsing or isinstance(error, _ERRORS.NoArgsIsHelpError)):
                typer.echo(_frame(ctx), err=True)
                print_error(problem(error, ctx, given))
                raise typer.Exit(error.exit_code) from None
        raise


def _language_in(args: Sequence[str]) -> str | None:
    """Return the language that arguments name which cannot be parsed."""
    named = [after for option, after in pairwise(args) if option == _OPTION]
    named += [arg.partition("=")[2] for arg in args if arg.startswith(f"{_OPTION}=")]
    return named[-1] if named else None


def _frame(ctx: Any) -> str:
    """Return the lines above an error: how the command is used, and what helps."""
    formatter = ctx.make_formatter()
    pieces = (told(_METAVARS.get(piece, piece)) for piece in ctx.command.collect_usage_pieces(ctx))
    formatter.write_usage(ctx.command_path, " ".join(pieces), told(say("Usage: ")))
    help_line = told(say("Try '{command} --help' for help.", command=ctx.command_path))
    return f"{formatter.getvalue()}{help_line}\n"


def _no_command(error: Any, ctx: Any, args: list[str]) -> str:
    """Return the message that no command of a name exists."""
    del error
    return say("No such command {name}{hint}", name=repr(args[0]), hint=nearest(args[0], ctx.command.commands))


def _problem(error: Any, ctx: Any, args: list[str]) -> str:
    """Return what is wrong with the arguments, from the attributes of Click's error, or in Click's words if there are none."""
    params = ctx.command.get_params(ctx)
    match error:
        case _ERRORS.NoSuchOption(option_name=name):
            known = [one for param in params for one in param.opts]
            problem = say("No such option {name}{hint}", name=repr(name), hint=nearest(name, known))
        case _ERRORS.BadOptionUsage(option_name=name) if any(name in param.opts and param.is_flag for param in params):
            problem = say("Option {name} does not take a value", name=repr(name))
        case _ERRORS.BadOptionUsage(option_name=name):
            problem = say("Option {name} requires an argument", name=repr(name))
        case _ERRORS.MissingParameter(param=param) if param is not None:
            problem = say("{name} is missing", name=_name(param))
        case _ERRORS.BadParameter(param=param) if param is not None and (wanted := _wanted(error)):
            problem = say("Invalid value for {name}: expected {wanted}", name=_name(param), wanted=wanted)
        case _ if type(error) is _ERRORS.UsageError:
            left = ctx.command.make_parser(ctx).parse_args(args)[1]
            problem = say("Got unexpected arguments: {arguments}", arguments=quoted(left))
        case _:
            problem = str(error.format_message())
    return problem


def _name(param: Any) -> str:
    """Return what an option, or an argument, is called."""
    return param.metavar if param.param_type_name == "argument" else " / ".join(param.opts)


def _wanted(error: Any) -> str:
    """Return what an option would take: Typer checks numbers with pydantic, of old with the types of Click."""
    from pydantic import ValidationError

    checked = error.__cause__
    if isinstance(checked, ValidationError):
        detail = checked.errors()[0]
        kind, least = detail["type"], detail.get("ctx", {}).get("ge")
    else:
        kind, least = error.param.type.name, getattr(error.param.type, "min", None)
    return _NUMBERS.get(kind, "") if least is None else say("a whole number from {least}", least=least)
