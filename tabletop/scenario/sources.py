"""Where a scenario comes from: a file, standard input, or the scenarios bundled with the systems."""

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from tabletop import registry
from tabletop.errors import Fault, ScenarioError, UsageError, cause_of
from tabletop.messages import nearest, say, shown
from tabletop.scenario.embedded import LABEL, embedded_scenario, is_figure, is_link, linked
from tabletop.scenario.limits import FIGURE_BYTES, FILE_BYTES

_BUNDLED = re.compile(r"([\w-]+)/([\w-]+)")

STANDARD_INPUT = say("standard input")
"""What the file is called that is read from there."""

_ALL_NAMES = say("; tabletop scenarios lists them")

_LONGEST = 200
"""Letters of a name in messages."""

TEXT = "the text"
"""What messages call a scenario that is given as its text."""


def fetch(source: str | os.PathLike[str]) -> tuple[str, bytes]:
    """Return a label for messages and the bytes: of standard input ("-"), of a path, a link, a text of lines, or a bundled scenario's name.

    Of a figure they are those of the scenario that it carries, of a file or standard input that holds a link those of its scenario. No
    more is read than shows that a file is too large.

    Raises
    ------
    ScenarioError
        If there is nothing of that name, or it cannot be read.
    TypeError
        If it is no name.
    """
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"expected a path, the name of a bundled scenario, the text or the tables of a file, given {shown(source)}")
    if source == "-":
        return _unwrap(*read_bytes(source, figures=True))
    if label_of(source) == LABEL:
        return LABEL, linked(str(source))
    if label_of(source) == TEXT:
        return TEXT, str(source).encode("utf-8", "surrogatepass")
    if not is_file(Path(source)) and (bundled := _bundled(str(source))) is not None:
        return str(source), bundled
    return _unwrap(*read_bytes(source, figures=True))


def label_of(source: str | os.PathLike[str] | Mapping[str, Any]) -> str:
    """Return what messages call a source: its name, or what it is if it has no name; empty for tables."""
    if isinstance(source, Mapping):
        return ""
    name = str(source)
    if name == "-":
        return STANDARD_INPUT
    if is_link(name) and not is_file(Path(name)):
        return LABEL
    if isinstance(source, str) and "\n" in name and not is_file(Path(name)):
        return TEXT
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}..."


def _unwrap(label: str, data: bytes) -> tuple[str, bytes]:
    """Return the bytes of the scenario where those given are a figure's, or a link."""
    text = data.decode("ascii", "replace") if len(data) <= FILE_BYTES else ""
    try:
        if is_figure(data):
            return label, embedded_scenario(data)
        return label, linked(text) if is_link(text) else data
    except ScenarioError as error:  # a link alone calls itself one
        raise error.in_file(label if is_figure(data) else f"{label}: {LABEL}") from None


def read_bytes(source: str | os.PathLike[str], *, most: int = FILE_BYTES, figures: bool = False) -> tuple[str, bytes]:
    """Return a label for messages and the bytes of standard input ("-") or of a path: one more than `most` where there are more.

    With `figures` a figure may have as many bytes as figures have.

    Raises
    ------
    ScenarioError
        If it cannot be read.
    """
    if source == "-":
        return label_of(source), _from_standard_input(most, figures=figures)
    if source == "":  # Python takes it for the folder we are in
        raise ScenarioError(Fault.of("", "the name of the file is empty"))
    path = Path(source)
    try:
        with path.open("rb") as file:
            return str(source), _read(file, most, figures=figures)
    except (OSError, ValueError) as error:
        raise ScenarioError(Fault("", _unreadable(path, error)), label_of(source)) from None


def is_file(path: Path) -> bool:
    """Return whether there is something of a name; a name that is too long for any file has nothing."""
    try:
        return path.exists()
    except OSError:
        return False


def _read(file: BinaryIO, most: int, *, figures: bool) -> bytes:
    data = file.read(most + 1)
    return data + file.read(FIGURE_BYTES + 1 - len(data)) if figures and is_figure(data) else data


def _from_standard_input(most: int, *, figures: bool) -> bytes:
    if sys.stdin is None:
        raise ScenarioError(Fault.of("", "is closed"), STANDARD_INPUT)
    try:
        return _read(sys.stdin.buffer, most, figures=figures)
    except OSError as error:
        raise ScenarioError(Fault.of("", "cannot be read: {reason}", reason=cause_of(error)), STANDARD_INPUT) from None


def bundled_names() -> tuple[str, ...]:
    """List the bundled scenarios of all systems, as in `t9a/align-corner`."""
    return tuple(name for system in registry.names() for name, _ in registry.scenarios(system))


def bundled_text(name: str) -> str:
    """Return the text of a bundled scenario.

    Raises
    ------
    UsageError
        If there is none of that name.
    """
    found = _bundled(name)
    if found is None:
        message = "{name}: there is no bundled scenario of that name{hint}"
        raise UsageError(message, name=shown(name), hint=nearest(name, bundled_names()) or _ALL_NAMES)
    return found.decode("utf-8")


def _bundled(name: str) -> bytes | None:
    match = _BUNDLED.fullmatch(name)
    if not match or not registry.is_known(match.group(1)):
        return None
    return next((file.read_bytes() for other, file in registry.scenarios(match.group(1)) if other == name), None)


def _unreadable(path: Path, error: OSError | ValueError) -> str:
    if isinstance(error, IsADirectoryError):
        return say("expected a file, this is a directory")
    if not isinstance(error, FileNotFoundError):
        return say("cannot be read: {reason}", reason=cause_of(error))
    return say("there is no such file, nor a bundled scenario of that name{hint}", hint=nearest(str(path), bundled_names()))
