"""Build the reference of commands from the command line itself."""

import re
from collections.abc import Iterator
from typing import Any

import typer

from tabletop.cli.app import app
from tabletop.cli.errors import EXIT_CODES


def commands() -> str:
    """Return Markdown with a section for each command: usage, description, arguments, options and examples."""
    program = typer.main.get_command(app)
    asked = program.context_class(program, info_name="tabletop")
    options = [record for one in program.params if (record := one.get_help_record(asked))]
    every = [_of(command, "tabletop", depth=2) for command in program.commands.values()]  # type: ignore[attr-defined]
    return "\n".join([*_table("option of `tabletop` itself", options), f"{EXIT_CODES}\n", *every])


def _of(command: Any, parent: str, *, depth: int) -> str:
    name = f"{parent} {command.name}"
    inner = getattr(command, "commands", {})
    asked = command.context_class(command, info_name=name)
    records = [(one.param_type_name, one.get_help_record(asked)) for one in command.params]
    arguments, options = (
        [record for kind, record in records if record and kind == asked]
        for asked in ("argument", "option")
    )
    parts = [
        f"({name.replace(' ', '-')})=\n{'#' * depth} `{name}`\n",
        f"```text\n{' '.join((name, *command.collect_usage_pieces(asked)))}\n```\n",
        *_paragraphs(command.help or ""),
        *_table("argument", arguments),
        *_table("option", options),
        *_examples(command.epilog or ""),
        *(_of(one, name, depth=depth + 1) for one in inner.values()),
    ]
    return "\n".join(parts)


def _plain(told: str) -> str:
    """Escape the characters that Markdown would treat as markup."""
    return re.sub(r"([|*_\[\]<>])", r"\\\1", told)


def _paragraphs(told: str) -> Iterator[str]:
    """Yield the paragraphs of a command's help as Markdown; a paragraph that is a command becomes a code block."""
    for paragraph in told.split("\n\n"):
        words = paragraph.strip()
        if words.startswith("tabletop "):
            yield f"```console\n$ {words}\n```\n"
        elif words:
            yield f"{_plain(words)}\n"


def _table(head: str, records: list[tuple[str, str]]) -> Iterator[str]:
    if records:
        yield f"| {head} | |\n|---|---|"
        yield "\n".join(f"| `{name}` | {_plain(told)} |" for name, told in records) + "\n"


def _examples(epilog: str) -> Iterator[str]:
    """Yield the epilogue of a command's help: examples, separated by semicolons, as code blocks.

    Exit codes are left out.
    """
    for paragraph in epilog.split("\n\n"):
        words = paragraph.strip().removeprefix("Example: ")
        if words.startswith("tabletop "):
            yield "```console\n" + "\n".join(f"$ {one}" for one in words.split("; ")) + "\n```\n"
        elif words and words != EXIT_CODES:
            yield f"{_plain(words)}\n"
