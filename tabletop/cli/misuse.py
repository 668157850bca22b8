"""Commands that refuse a command line they cannot parse in the language that it asks for; in English the words are Typer's own."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import pairwise
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from tabletop.cli.output import complain
from tabletop.cli.speech import is_foreign, silent, speak, told
from tabletop.errors import UsageError
from tabletop.messages import nearest, quoted, say

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
                complain(problem(error, ctx, given))
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
    """Say that there is no command of a name."""
    del error
    return say("No such command {name}{hint}", name=repr(args[0]), hint=nearest(args[0], ctx.command.commands))


def _problem(error: Any, ctx: Any, args: list[str]) -> str:
    """Say what is wrong with arguments, by what the error knows; what it does not know is said as Click does."""
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
