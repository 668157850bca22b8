"""Arguments of Python callers: what is of another kind than expected is told in words before any work is done."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any

from tabletop.errors import UsageError
from tabletop.words import shown


def expect(name: str, value: Any, kind: Any, words: str, *, or_none: bool = False) -> None:
    """Refuse an argument of another kind; truth values are no numbers.

    Raises
    ------
    TypeError
        Naming the argument, what was expected in `words`, and what was given.
    """
    if not ((or_none and value is None) or (isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool))):
        raise TypeError(f"{name}: expected {words}, given {shown(value)}")


def expect_whole(name: str, value: Any, least: int, most: int, *, or_none: bool = False) -> None:
    """Refuse what is no whole number from `least` to `most`.

    Raises
    ------
    TypeError
        If it is no whole number.
    UsageError
        If it is beyond.
    """
    expect(name, value, Integral, "a whole number", or_none=or_none)
    if value is not None and not least <= value <= most:
        raise UsageError(f"{name}: expected {least:,} to {most:,}, given {value}")


def expect_texts(name: str, value: Any, words: str) -> None:
    """Refuse what is no list of texts.

    Raises
    ------
    TypeError
        If it is one text, or anything else.
    """
    if isinstance(value, str):
        raise TypeError(f"expected a list of {words}, as in [{value!r}]")
    if not isinstance(value, Sequence) or not all(isinstance(text, str) for text in value):
        raise TypeError(f"{name}: expected a list of {words}, given {shown(value)}")
