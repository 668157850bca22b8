"""A scenario in one line: JSON, packed, in letters that mails and addresses leave alone."""

import base64
import binascii
import zlib

from tabletop.errors import Fault, ScenarioError
from tabletop.scenario.limits import FILE_BYTES

MARK = "tt1."
"""How a link begins: the first format of links."""

LABEL = "the link"
"""What messages call it."""


def link_of(text: str) -> str:
    """Return the link of a scenario's JSON text."""
    return MARK + base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def linked(link: str) -> bytes:
    """Return the JSON text of a link; no more is unpacked than shows that it is too large.

    Raises
    ------
    ScenarioError
        If it is cut short or damaged.
    """
    packed = link.strip().removeprefix(MARK)
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(data, FILE_BYTES + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise ScenarioError(Fault("", "is damaged: copy the whole line, from tt1. to its end"), LABEL) from None
    if not unpacking.eof and len(text) <= FILE_BYTES:
        raise ScenarioError(Fault("", "is cut short: copy the whole line, from tt1. to its end"), LABEL)
    return text
