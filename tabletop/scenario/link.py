"""A scenario in one line: JSON, packed, in letters that mails and addresses leave alone."""

import base64
import binascii
import re
import zlib

from tabletop.errors import Fault, ScenarioError
from tabletop.scenario.limits import FILE_BYTES

MARK = "tt1."
"""How a link begins: the first format of links."""

LABEL = "the link"
"""What messages call it."""

_OTHER = re.compile(r"(tt\d{1,4}\.)[\w-]{60,}", re.ASCII | re.IGNORECASE)
"""A line that was a link once, or is one of another format; what is shorter may as well be the name of a file."""


def link_of(text: str) -> str:
    """Return the link of a scenario's JSON text."""
    return MARK + base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def is_link(text: str) -> bool:
    """Tell whether a text is meant as a link, whole or not, of this format or of another; TOML and JSON are none."""
    line = text.strip()
    return "=" not in line.rstrip("=") and (line.startswith(MARK) or _OTHER.match(line) is not None)


def linked(link: str) -> bytes:
    """Return the JSON text of a link; no more is unpacked than shows that it is too large.

    Raises
    ------
    ScenarioError
        If it is of another format, cut short or damaged.
    """
    packed = "".join(link.split()).removeprefix(MARK)  # mails break long lines
    if (other := _OTHER.match(packed)) is not None:
        why = f"begins with {other.group(1)}, this program reads those that begin with {MARK}"
        is_large = other.group(1).lower() == MARK
        raise ScenarioError(Fault("", f"{why}{'; large and small letters count: copy it as it was' if is_large else ''}"), LABEL)
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(data, FILE_BYTES + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise ScenarioError(Fault("", "is damaged: copy the whole line, from tt1. to its end"), LABEL) from None
    if not unpacking.eof and len(text) <= FILE_BYTES:
        raise ScenarioError(Fault("", "is cut short: copy the whole line, from tt1. to its end"), LABEL)
    return text
