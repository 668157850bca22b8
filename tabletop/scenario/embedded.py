"""Scenarios as links and inside figures: a link is compressed JSON in URL-safe Base64, and figures contain one.

`link_of` and `linked` convert links; `embedded_link` returns the link for a figure, `embedded_scenario` reads it from
SVG, PNG or WebP.
"""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from tabletop.errors import Fault, ScenarioError
from tabletop.messages import say
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution
from tabletop.scenario.document import Scenario, scenario_model
from tabletop.scenario.limits import FIGURE_BYTES, FILE_BYTES
from tabletop.scenario.validation import validated
from tabletop.scenario.writing import content

MARK = "tt1."
"""Prefix of a link, with the version of the format."""

LABEL = say("the link")
"""Name of a link in messages."""

PLACE = "figure.scenario"
"""Id of the SVG element that holds the link."""

KEYWORD = "Scenario"
"""Keyword of the PNG text chunk, and name of the element in a WebP's XMP, that holds the link."""

_OTHER = re.compile(r"(tt\d{1,4}\.)[\w-]{60,}", re.ASCII | re.IGNORECASE)
"""Pattern of links of other versions, or with changed case; anything shorter may be a file name."""

_REMEDY = say(
    "name the scenario file instead; only figures written as .svg, .png or .webp by --figure or draw "
    "contain their scenario"
)

_PNG = b"\x89PNG\r\n\x1a\n"

_RIFF = b"RIFF"
_WEBP = b"WEBP"
_XMP = b"XMP "

_BOM = b"\xef\xbb\xbf"

_ENTITIES = re.compile(rb"<!(?:ENTITY|DOCTYPE[^<>\[]*\[)", re.IGNORECASE)

_METADATA = re.compile(rb"<(?:\w{1,20}:)?metadata\b([^<>]*)>([^<]*)")

_IS_OURS = re.compile(rf"""\bid=["']{re.escape(PLACE)}["']""".encode())

_XMP_ELEMENT = re.compile(rf"<tabletop:{KEYWORD}\b[^<>]*>([^<]*)".encode())

_CHUNK = 12
"""Bytes of a PNG chunk besides its content: length, type, checksum."""

_INTERNATIONAL = 2
"""Bytes before the language of an iTXt chunk: compression flag and method."""


def link_of(text: str) -> str:
    """Return the link that contains the JSON text of a scenario."""
    return MARK + base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def link_to(scenario: Scenario) -> str:
    """Return the link that holds a scenario."""
    return link_of(json.dumps(content(scenario), separators=(",", ":")))


def is_link(text: str) -> bool:
    """Return whether a text is meant as a link, of this or another version, complete or not; False for any TOML or
    JSON.
    """
    line = text.strip()
    return "=" not in line.rstrip("=") and (line.startswith(MARK) or _OTHER.match(line) is not None)


def linked(link: str) -> bytes:
    """Return the JSON text of the scenario in a link, decompressed no further than the size limit and one byte.

    Raises
    ------
    ScenarioError
        If the link has another format, is cut short, or is damaged.
    """
    packed = "".join(link.split()).removeprefix(MARK)  # mails break long lines
    if (other := _OTHER.match(packed)) is not None:
        why = say(
            "begins with {mark}, this program reads those that begin with {own_mark}",
            mark=other.group(1),
            own_mark=MARK,
        )
        hint = (
            say("; capital letters matter: copy it unchanged")
            if other.group(1).lower() == MARK
            else ""
        )
        raise ScenarioError(Fault.of("", "{why}{hint}", why=why, hint=hint), LABEL)
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(data, FILE_BYTES + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise ScenarioError(
            Fault.of("", "is damaged: copy the whole line, from tt1. to its end"), LABEL
        ) from None
    if not unpacking.eof and len(text) <= FILE_BYTES:
        raise ScenarioError(
            Fault.of("", "is cut short: copy the whole line, from tt1. to its end"), LABEL
        )
    return text


def embedded_link(case: Case, resolution: Resolution | None = None) -> str | None:
    """Return the link that a figure of a case contains; None if no file can express the case.

    Faces that were rolled are written as `dice`. No file can express a case that was not read from a file, was changed
    since, or uses other numbers than the book's.
    """
    tables = None if case.tables is None else _with_dice(case.tables, resolution)
    scenario = None if tables is None else _sound(case, tables)
    return None if scenario is None else link_to(scenario)


def _sound(case: Case, tables: Mapping[str, Any]) -> Any:
    """Return the checked model of the tables of a case; None if they have faults."""
    scenario, problems = validated(scenario_model(case.system), {**tables, "edition": case.edition})
    return None if problems else scenario


def _with_dice(tables: Mapping[str, Any], resolution: Resolution | None) -> Mapping[str, Any]:
    """Return the tables with the faces that were rolled as `dice` of their charges.

    The tables under `expect` are dropped if the faces may differ from those for which they were written: given by
    option, or thrown from a seed other than 0.
    """
    throws = None if resolution is None else resolution.throws
    if throws is None:
        return tables
    charges = list(tables.get("charges", ()))
    other = {
        number: list(faces)
        for number, faces in throws.rolled.items()
        if throws.flat is not None or charges[number].get("dice") is None
    }
    told = [
        {**entry, "dice": other[number]} if number in other else entry
        for number, entry in enumerate(charges)
    ]
    is_as_filed = not other or (throws.flat is None and throws.seed == 0)
    kept = {key: value for key, value in tables.items() if is_as_filed or key != "expect"}
    return {**kept, "charges": told} if told else kept


def is_figure(data: bytes) -> bool:
    """Return whether the content of a file begins as a PNG, WebP or SVG does; no scenario begins so."""
    return (
        data.startswith(_PNG) or _is_webp(data) or data.removeprefix(_BOM).lstrip().startswith(b"<")
    )


def _is_webp(data: bytes) -> bool:
    return data.startswith(_RIFF) and data[8:12] == _WEBP


def embedded_scenario(data: bytes) -> bytes:
    """Return the JSON text of the scenario in a figure, given the content of the figure's file.

    Raises
    ------
    ScenarioError
        If the figure is too large, has entities, or contains no intact scenario.
    """
    if len(data) > FIGURE_BYTES:
        raise ScenarioError(
            Fault.of("", "the figure is larger than {most:,} bytes, the limit", most=FIGURE_BYTES)
        )
    link = (
        _in_png(data)
        if data.startswith(_PNG)
        else _in_webp(data)
        if _is_webp(data)
        else _in_svg(data)
    )
    if link is None or not link.startswith(MARK.encode()):
        raise ScenarioError(
            Fault.of("", "this picture or page contains no scenario: {remedy}", remedy=_REMEDY)
        )
    try:
        return linked(link.decode("ascii", "replace"))
    except ScenarioError:
        raise ScenarioError(
            Fault.of("", "the scenario in this figure is damaged: {remedy}", remedy=_REMEDY)
        ) from None


def _in_svg(data: bytes) -> bytes | None:
    """Return the link in the metadata element of an SVG, or None; the document is searched, not parsed, so that nothing
    in it runs.

    Raises
    ------
    ScenarioError
        If it defines entities.
    """
    if _ENTITIES.search(data):
        raise ScenarioError(
            Fault.of("", "an SVG that defines entities is not read: {remedy}", remedy=_REMEDY)
        )
    return next(
        (
            element.group(2).strip()
            for element in _METADATA.finditer(data)
            if _IS_OURS.search(element.group(1))
        ),
        None,
    )


def _in_png(data: bytes) -> bytes | None:
    """Return the link in the text chunk of a PNG with the keyword `KEYWORD`, or None."""
    key = KEYWORD.encode() + b"\0"
    for kind, held in _chunks(data):
        if kind == b"tEXt" and held.startswith(key):
            return held[len(key) :].strip()
        if kind == b"iTXt" and held.startswith(key + b"\0"):  # not compressed
            return held[len(key) + _INTERNATIONAL :].split(b"\0", 2)[-1].strip()
    return None


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield (type, content) of each complete chunk of a PNG."""
    start = len(_PNG)
    while start + _CHUNK <= len(data):
        end = start + 8 + int.from_bytes(data[start : start + 4])
        yield data[start + 4 : start + 8], data[start + 8 : end]
        start = end + 4


def _in_webp(data: bytes) -> bytes | None:
    """Return the link in the XMP metadata of a WebP, or None."""
    start = len(_RIFF) + 4 + len(_WEBP)
    while start + 8 <= len(data):
        kind = data[start : start + 4]
        size = int.from_bytes(data[start + 4 : start + 8], "little")
        if kind == _XMP:
            found = _XMP_ELEMENT.search(data[start + 8 : start + 8 + size])
            return None if found is None else found.group(1).strip()
        start += 8 + size + size % 2
    return None
