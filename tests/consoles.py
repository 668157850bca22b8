"""Blocks of code in a Markdown page, and whether its console sessions print what the page shows."""

import re
from collections.abc import Iterable


def blocks(page: str) -> list[tuple[str, str]]:
    """Return the language and the text of each fenced block."""
    return re.findall(r"^```(\w+)\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


def commands(session: str) -> list[tuple[str, list[str]]]:
    """Part a console block into commands and the lines shown below each."""
    parts = re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]
    return [
        (part.partition("\n")[0], part.partition("\n")[2].rstrip("\n").splitlines())
        for part in parts
    ]


def unprinted(shown: Iterable[str], printed: str) -> list[str]:
    """List the shown lines that are not printed in that order; `...` stands for any lines."""
    left = iter(line.rstrip() for line in printed.splitlines())
    return [line for line in shown if line.strip() != "..." and line.rstrip() not in left]
