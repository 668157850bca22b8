"""Where a scenario comes from: a file, standard input, or the scenarios bundled with the systems."""

import os
import re
import sys
from pathlib import Path

from tabletop import registry
from tabletop.errors import Fault, ScenarioError, UsageError
from tabletop.scenario.limits import FILE_BYTES
from tabletop.scenario.link import LABEL, MARK, linked
from tabletop.words import nearest, shown

_BUNDLED = re.compile(r"([\w-]+)/([\w-]+)")


def fetched(source: str | Path) -> tuple[str, bytes]:
    """Give a label for messages and the bytes: of standard input ("-"), of a path, a link, or a bundled scenario's name.

    No more is read than shows that a file is too large.

    Raises
    ------
    ScenarioError
        If there is nothing of that name, or it cannot be read.
    TypeError
        If it is no name.
    """
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"expected a path or the name of a bundled scenario, given {shown(source)}")
    if source == "-":
        return read_bytes(source)
    path = Path(source)
    if str(source).strip().startswith(MARK) and not is_file(path):
        return LABEL, linked(str(source))
    if not is_file(path) and (bundled := _bundled(str(source))) is not None:
        return str(source), bundled
    return read_bytes(source)


def read_bytes(source: str | Path, *, most: int = FILE_BYTES) -> tuple[str, bytes]:
    """Return a label for messages and the bytes of standard input ("-") or of a path: one more than `most` where there are more.

    Raises
    ------
    ScenarioError
        If it cannot be read.
    """
    if source == "-":
        return "standard input", _from_standard_input(most)
    path = Path(source)
    try:
        with path.open("rb") as file:
            return str(source), file.read(most + 1)
    except (OSError, ValueError) as error:
        raise ScenarioError(Fault("", _unreadable(path, error)), str(source)) from None


def is_file(path: Path) -> bool:
    """Tell whether there is something of a name; a name that is too long for any file has nothing."""
    try:
        return path.exists()
    except OSError:
        return False


def _from_standard_input(most: int) -> bytes:
    if sys.stdin is None:
        raise ScenarioError(Fault("", "is closed"), "standard input")
    try:
        return sys.stdin.buffer.read(most + 1)
    except OSError as error:
        raise ScenarioError(Fault("", f"cannot be read: {error.strerror}"), "standard input") from None


def bundled_names() -> tuple[str, ...]:
    """List the bundled scenarios of all systems, as in `t9a/align-corner`."""
    return tuple(name for system in registry.names() for name, _ in registry.scenarios(system))


def bundled_text(name: str) -> str:
    """Give the text of a bundled scenario.

    Raises
    ------
    UsageError
        If there is none of that name.
    """
    found = _bundled(name)
    if found is None:
        raise UsageError(f"{shown(name)}: there is no bundled scenario of that name{nearest(name, bundled_names())}")
    return found.decode("utf-8")


def _bundled(name: str) -> bytes | None:
    match = _BUNDLED.fullmatch(name)
    if not match or not registry.knows(match.group(1)):
        return None
    return next((file.read_bytes() for other, file in registry.scenarios(match.group(1)) if other == name), None)


def _unreadable(path: Path, error: OSError | ValueError) -> str:
    if isinstance(error, IsADirectoryError):
        return "expected a file, this is a directory"
    if not isinstance(error, FileNotFoundError):
        return f"cannot be read: {error.strerror if isinstance(error, OSError) else error}"
    return f"there is no such file, nor a bundled scenario of that name{nearest(str(path), bundled_names())}"
