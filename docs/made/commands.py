"""The reference of commands, from the command line itself."""

import re
from collections.abc import Iterator
from typing import Any

import typer

from tabletop.cli.whole import app


def commands() -> str:
    """Return a section of Markdown for each command: how it is called, what it does, its arguments and options, an example."""
    return "\n".join(_of(command, "tabletop", depth=2) for command in typer.main.get_command(app).commands.values())  # type: ignore[attr-defined]


def _of(command: Any, parent: str, *, depth: int) -> str:
    name, inner = f"{parent} {command.name}", getattr(command, "commands", {})
    asked = command.context_class(command, info_name=name)
    records = [(one.param_type_name, one.get_help_record(asked)) for one in command.params]
    arguments, options = ([record for kind, record in records if record and kind == asked] for asked in ("argument", "option"))
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
    """Escape what Markdown would take for markup."""
    return re.sub(r"([|*_\[\]<>])", r"\\\1", told)


def _paragraphs(told: str) -> Iterator[str]:
    """Yield the paragraphs of a command's help, those that are a command as code."""
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
    """Yield what stands below a command's help: examples, which are parted by semicolons there, as code."""
    words = epilog.removeprefix("Example: ")
    if words.startswith("tabletop "):
        yield "```console\n" + "\n".join(f"$ {one}" for one in words.split("; ")) + "\n```\n"
    elif words:
        yield f"{_plain(words)}\n"
