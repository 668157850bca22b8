"""Exit codes and error messages of commands; `guarded` turns a command's result or exception into them.

`Command` and `CommandGroup` translate Typer's usage errors; in English the messages are Typer's own.
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
from tabletop.errors import (
    OUT_OF_MEMORY,
    NoVerdictError,
    ScenarioError,
    TableError,
    UsageError,
    cause_of,
    message_of,
)
from tabletop.language.speech import asked, completions, is_foreign, silent, speak, translated
from tabletop.messages import nearest, quoted, say


class ExitCode(IntEnum):
    """Exit codes of the program; `EXIT_CODES` describes them."""

    DONE = 0
    ANSWER_IS_NO = 1
    USAGE = 2
    BAD_SCENARIO = 3
    NO_VERDICT = 4
    BUG = 5
    UNDECIDED = 6
    INTERRUPTED = 130


EXIT_CODES = (
    "Exit codes: 0 done, 1 the answer is no, 2 usage error or file not writable, 3 invalid scenario or damaged table "
    "of results, 4 no verdict, 5 bug, 6 undecided at this accuracy, 130 interrupted."
)
"""Meaning of `ExitCode`, for the help of every command."""

CODES: dict[type[Exception], ExitCode] = {
    TableError: ExitCode.BAD_SCENARIO,
    UsageError: ExitCode.USAGE,
    ScenarioError: ExitCode.BAD_SCENARIO,
    NoVerdictError: ExitCode.NO_VERDICT,
    OSError: ExitCode.USAGE,
    MemoryError: ExitCode.NO_VERDICT,
}
"""Exit code of each exception. Errors of the operating system, such as a full disk, are no bugs."""

_ERRORS = import_module(typer.BadParameter.__module__)
"""Errors of the Click that Typer uses: the installed package or Typer's own copy."""

LANGUAGE = "language"
"""Name of the parameter with the language; as an option `--language`."""

_OPTION = f"--{LANGUAGE}"

_METAVARS = {"[OPTIONS]": say("[OPTIONS]"), "COMMAND [ARGS]...": say("COMMAND [ARGS]...")}
"""Parts of the usage line to translate."""

_NUMBERS = {
    **dict.fromkeys(("int_parsing", "integer"), say("a whole number")),
    **dict.fromkeys(("float_parsing", "float"), say("a number")),
}
"""Expected numbers, by pydantic's error types and Click's parameter types."""

_DEBUG = inspect.Parameter(
    "debug",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")],
)

_LANGUAGE = inspect.Parameter(
    LANGUAGE,
    inspect.Parameter.KEYWORD_ONLY,
    default=None,
    annotation=Annotated[
        str | None,
        typer.Option(
            _OPTION,
            metavar="NAME",
            autocompletion=completions,
            help="Language of output: english, french, german, or a TOML file, as in --language german.",
        ),
    ],
)
"""Option of every command that has none of its own, such as one for the language of its figures."""


def guarded(command: Callable[..., ExitCode]) -> Callable[..., None]:
    """Return a command as a function that exits with its exit code and has the options `--language` and `--debug`, for
    Typer.

    Exceptions become messages on standard error. A spinner shows that a command is working, unless `shows_progress`
    marks it.
    """
    signature = inspect.signature(command)
    has_own = LANGUAGE in signature.parameters

    @functools.wraps(command)
    def run(*args: Any, debug: bool = False, language: str | None = None, **kwargs: Any) -> None:
        """Run the command in the language asked for, and raise `typer.Exit` with its exit code."""
        after = math.inf if hasattr(command, "self_telling") else PATIENCE
        if has_own:
            kwargs[LANGUAGE] = asked(language)
        raise typer.Exit(
            _code(
                functools.partial(command, *args, **kwargs),
                debug=debug,
                after=after,
                language=language,
            )
        )

    shared = [_DEBUG] if has_own else [_LANGUAGE, _DEBUG]
    run.__signature__ = signature.replace(parameters=[*signature.parameters.values(), *shared])  # type: ignore[attr-defined]
    return run


def shows_progress(command: Callable[..., ExitCode]) -> Callable[..., ExitCode]:
    """Mark a command as one that shows its own progress, so that it gets no spinner, and return it."""
    command.self_telling = True  # type: ignore[attr-defined]
    return command


_DEBUGGED: ContextVar[bool] = ContextVar("debugged", default=False)


def _code(
    command: Callable[[], ExitCode], *, debug: bool, after: float, language: str | None
) -> ExitCode:
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
        except Exception as error:  # noqa: BLE001 - the caller always gets one message and a code
            return report_error(error)
        finally:
            _DEBUGGED.reset(is_debugged)


def report_error(error: Exception) -> ExitCode:
    """Print the message of an exception to standard error, with its traceback if `--debug` is given, and return its
    exit code.
    """
    if _DEBUGGED.get():
        with suppress(OSError):
            traceback.print_exception(error)
    code = next((code for kind, code in CODES.items() if isinstance(error, kind)), ExitCode.BUG)
    if code is ExitCode.BUG:
        values = {"where": _at_fault(error), "kind": type(error).__name__, "error": str(error)}
        print_error(
            say(
                "this is a bug in {where}, please report it (--debug shows where): {kind}: {error}",
                **values,
            )
        )
    else:
        print_error(_sentence(error))
    return code


def _at_fault(error: Exception) -> str:
    """Return the name of the program to blame for an unexpected exception: this one, or the package of a third-party
    system.
    """
    from tabletop import registry

    blamed = registry.package_at_fault(error)
    return (
        "tabletop"
        if blamed is None
        else say(
            "the package that provides the system {name} ({place})",
            name=repr(blamed[0]),
            place=blamed[1],
        )
    )


def _sentence(error: Exception) -> str:
    """Return the message of an exception; an operating system's error is reported without its number."""
    if isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    if isinstance(error, OSError):
        what = cause_of(error) or type(error).__name__
        return (
            what
            if error.filename is None
            else say("{path}: {fault}", path=str(error.filename), fault=what)
        )
    return message_of(error)


class Command(TyperCommand):
    """Typer command whose usage errors are printed in the language asked for."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments and return those left over, or exit with a translated error."""
        with _translated(ctx, args, _problem):
            return super().parse_args(ctx, args)


class CommandGroup(TyperGroup):
    """Typer group of commands whose usage errors are printed in the language asked for."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the options before the command and return the arguments left, or exit with a translated error."""
        with _translated(ctx, args, _problem):
            return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return name, command and arguments of the command to run; exit with a suggestion if its name is unknown."""
        with _translated(ctx, args, _no_command):
            return super().resolve_command(ctx, args)


@contextmanager
def _translated(
    ctx: Any, args: Sequence[str], problem: Callable[[Any, Any, list[str]], str]
) -> Iterator[None]:
    """Print a usage error of Click in the language asked for and exit; English errors are left to Click.

    `problem` returns the message for an error, its context and the arguments.
    """
    given = list(args)
    try:
        yield
    except _ERRORS.UsageError as error:
        with silent(), suppress(UsageError):
            speak(_language_in(given))
            if is_foreign() and not (
                ctx.resilient_parsing or isinstance(error, _ERRORS.NoArgsIsHelpError)
            ):
                typer.echo(_frame(ctx), err=True)
                print_error(problem(error, ctx, given))
                raise typer.Exit(error.exit_code) from None
        raise


def _language_in(args: Sequence[str]) -> str | None:
    """Return the language named by `--language` in arguments that could not be parsed; None if there is none."""
    named = [after for option, after in pairwise(args) if option == _OPTION]
    named += [arg.partition("=")[2] for arg in args if arg.startswith(f"{_OPTION}=")]
    return named[-1] if named else None


def _frame(ctx: Any) -> str:
    """Return the usage line and the hint on `--help` that are printed above a usage error."""
    formatter = ctx.make_formatter()
    pieces = (
        translated(_METAVARS.get(piece, piece)) for piece in ctx.command.collect_usage_pieces(ctx)
    )
    formatter.write_usage(ctx.command_path, " ".join(pieces), translated(say("Usage: ")))
    help_line = translated(say("Try '{command} --help' for help.", command=ctx.command_path))
    return f"{formatter.getvalue()}{help_line}\n"


def _no_command(error: Any, ctx: Any, args: list[str]) -> str:
    """Return the message for an unknown command, with a suggestion."""
    del error
    return say(
        "No such command {name}{hint}",
        name=repr(args[0]),
        hint=nearest(args[0], ctx.command.commands),
    )


def _problem(error: Any, ctx: Any, args: list[str]) -> str:
    """Return the message for invalid arguments: a translatable one if the kind of error is known, else Click's."""
    params = ctx.command.get_params(ctx)
    match error:
        case _ERRORS.NoSuchOption(option_name=name):
            known = [one for param in params for one in param.opts]
            problem = say("No such option {name}{hint}", name=repr(name), hint=nearest(name, known))
        case _ERRORS.BadOptionUsage(option_name=name) if any(
            name in param.opts and param.is_flag for param in params
        ):
            problem = say("Option {name} does not take a value", name=repr(name))
        case _ERRORS.BadOptionUsage(option_name=name):
            problem = say("Option {name} requires an argument", name=repr(name))
        case _ERRORS.MissingParameter(param=param) if param is not None:
            problem = say("{name} is missing", name=_name(param))
        case _ERRORS.BadParameter(param=param) if param is not None and (wanted := _wanted(error)):
            problem = say(
                "Invalid value for {name}: expected {wanted}", name=_name(param), wanted=wanted
            )
        case _ if type(error) is _ERRORS.UsageError:
            left = ctx.command.make_parser(ctx).parse_args(args)[1]
            problem = say("Got unexpected arguments: {arguments}", arguments=quoted(left))
        case _:
            problem = str(error.format_message())
    return problem


def _name(param: Any) -> str:
    """Return the name of an option or argument as the help shows it."""
    return param.metavar if param.param_type_name == "argument" else " / ".join(param.opts)


def _wanted(error: Any) -> str:
    """Return what an option expects, such as "a number", from pydantic's error or, in older Typer, Click's type; "" if
    unknown.
    """
    from pydantic import ValidationError

    checked = error.__cause__
    if isinstance(checked, ValidationError):
        detail = checked.errors()[0]
        kind = detail["type"]
        least = detail.get("ctx", {}).get("ge")
    else:
        kind = error.param.type.name
        least = getattr(error.param.type, "min", None)
    return (
        _NUMBERS.get(kind, "") if least is None else say("a whole number from {least}", least=least)
    )
