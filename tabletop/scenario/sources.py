"""Sources of scenarios: files, standard input, links, and the scenarios bundled with systems."""

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
"""Name of standard input in messages."""

_ALL_NAMES = say("; tabletop scenarios lists them")

_LONGEST = 200
"""Characters of a file name in messages."""

TEXT_LABEL = "the text"
"""Name in messages of a scenario given as text."""


def fetch(source: str | os.PathLike[str]) -> tuple[str, bytes]:
    """Return a label for messages and the content of a source: standard input ("-"), a path, a link, a text, or a
    bundled name.

    A figure, or a file that holds a link, yields the scenario in it. No more is read than the size limit and one byte.

    Raises
    ------
    ScenarioError
        If there is no such source, or it cannot be read.
    TypeError
        If the source is neither text nor a path.
    """
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(
            f"expected a path, the name of a bundled scenario, the text or the tables of a file, given {shown(source)}"
        )
    if label_of(source) == LABEL:
        return LABEL, linked(str(source))
    if label_of(source) == TEXT_LABEL:
        return TEXT_LABEL, str(source).encode("utf-8", "surrogatepass")
    if not is_file(Path(source)) and (bundled := _bundled(str(source))) is not None:
        return str(source), bundled
    return _unwrap(*read_bytes(source, figures=True))


def label_of(source: str | os.PathLike[str] | Mapping[str, Any]) -> str:
    """Return the name by which messages call a source of a scenario, such as its path; empty for tables."""
    if isinstance(source, Mapping):
        return ""
    name = str(source)
    if name == "-":
        return STANDARD_INPUT
    if is_link(name) and not is_file(Path(name)):
        return LABEL
    if isinstance(source, str) and "\n" in name and not is_file(Path(name)):
        return TEXT_LABEL
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}..."


def _unwrap(label: str, data: bytes) -> tuple[str, bytes]:
    """Return the label and the content of a scenario, extracted from the content of a figure or of a file that holds a
    link.

    The label stays. Any other content is returned unchanged.
    """
    text = data.decode("ascii", "replace") if len(data) <= FILE_BYTES else ""
    try:
        if is_figure(data):
            return label, embedded_scenario(data)
        return label, linked(text) if is_link(text) else data
    except ScenarioError as error:  # say that a link was in the file
        raise error.in_file(label if is_figure(data) else f"{label}: {LABEL}") from None


def read_bytes(
    source: str | os.PathLike[str], *, most: int = FILE_BYTES, figures: bool = False
) -> tuple[str, bytes]:
    """Return a label for messages and the content of standard input ("-") or a file, cut after `most` + 1 bytes.

    With `figures` the content of a figure may have up to `FIGURE_BYTES` + 1 bytes.

    Raises
    ------
    ScenarioError
        If the source cannot be read.
    """
    if source == "-":
        return label_of(source), _from_standard_input(most, figures=figures)
    if source == "":  # Path("") is the current folder
        raise ScenarioError(Fault.of("", "the name of the file is empty"))
    path = Path(source)
    try:
        with path.open("rb") as file:
            return str(source), _read(file, most, figures=figures)
    except (OSError, ValueError) as error:
        raise ScenarioError(Fault("", _unreadable(path, error)), label_of(source)) from None


def is_file(path: Path) -> bool:
    """Return whether something exists at a path; False, too, for a name that is too long for the file system."""
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
        raise ScenarioError(
            Fault.of("", "cannot be read: {reason}", reason=cause_of(error)), STANDARD_INPUT
        ) from None


def bundled_names() -> tuple[str, ...]:
    """Return the names of all bundled scenarios, such as `t9a/align-corner`."""
    return tuple(name for system in registry.names() for name, _ in registry.scenarios(system))


def bundled_text(name: str) -> str:
    """Return the text of a bundled scenario, given its name, such as `t9a/align-corner`.

    Raises
    ------
    UsageError
        If there is no such scenario.
    """
    found = _bundled(name)
    if found is None:
        message = "{name}: there is no bundled scenario of that name{hint}"
        raise UsageError(
            message, name=shown(name), hint=nearest(name, bundled_names()) or _ALL_NAMES
        )
    return found.decode("utf-8")


def _bundled(name: str) -> bytes | None:
    match = _BUNDLED.fullmatch(name)
    if not match or not registry.is_known(match.group(1)):
        return None
    return next(
        (file.read_bytes() for other, file in registry.scenarios(match.group(1)) if other == name),
        None,
    )


def _unreadable(path: Path, error: OSError | ValueError) -> str:
    if isinstance(error, IsADirectoryError):
        return say("expected a file, this is a directory")
    if not isinstance(error, FileNotFoundError):
        return say("cannot be read: {reason}", reason=cause_of(error))
    return say(
        "there is no such file, nor a bundled scenario of that name{hint}",
        hint=nearest(str(path), bundled_names()),
    )
