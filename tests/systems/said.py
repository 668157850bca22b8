"""What a message says, whatever its wording: its numbers in the order of the text."""

import re

NUMBER = re.compile(r"\d+(?:\.\d+)?")


def numbers(text: str) -> list[str]:
    """Return the numbers of a text as they are printed, without signs."""
    return NUMBER.findall(text)
