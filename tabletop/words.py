"""Key paths and other people's text, as messages show them."""

import re
from collections.abc import Sequence

from tabletop.messages import clipped, say

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def key_path(parts: Sequence[str | int]) -> str:
    """Write a key path as in `units.A.files` or `charges[0].targets[0]`; keys that TOML would quote are quoted.

    Examples
    --------
    >>> key_path(["charges", 0, "targets", 1])
    'charges[0].targets[1]'
    >>> key_path(["units", "The Guard", "files"])
    "units.'The Guard'.files"
    """
    path = ""
    for part in parts:
        path += f"[{part}]" if isinstance(part, int) else f".{part if _BARE.fullmatch(part) else shown(part)}"
    return path.removeprefix(".")


def shown(value: object, longest: int = 60) -> str:
    """Write a value from a file for a message: on one line, printable, and cut when it is long."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    try:
        text = repr(value)
    except ValueError:  # an integer of thousands of digits
        return say("a number too long to print")
    return clipped(text, longest)


def printable(text: str) -> str:
    """Escape whatever a terminal would not print as it is; line ends stay."""
    return "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text)


def edition_words(edition: str) -> str:
    """Name an edition of rules as people say it.

    Examples
    --------
    >>> [edition_words(edition) for edition in ("3rd", "10e", "1.5", "total_warfare")]
    ['3rd edition', '10th edition', 'edition 1.5', 'Total Warfare']
    """
    if re.fullmatch(r"\d+e", edition):
        return f"{edition.removesuffix('e')}th edition"
    if "_" in edition:
        return edition.replace("_", " ").title()
    return f"edition {edition}" if edition[-1:].isdigit() else f"{edition} edition"


def edition_number(edition: str) -> str:
    """Give the number of an edition of rules, or the name of one that has none.

    Examples
    --------
    >>> [edition_number(edition) for edition in ("3rd", "10e", "1.5", "total_warfare")]
    ['3', '10', '1.5', 'Total Warfare']
    """
    if edition[:1].isdigit():
        return edition.rstrip("dehnrst")
    return edition.replace("_", " ").title() if "_" in edition else edition
