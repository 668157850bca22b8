"""What messages tell, whatever their wording."""

import re


def untold(message: str, parts: str) -> list[str]:
    """Return the parts that a message does not contain.

    Parameters
    ----------
    message
        What the program wrote.
    parts
        Keys, values, numbers, names and terms, in any order, with ` .. ` between them. Those that begin or end with a
        letter or digit count only as whole words and whole numbers, and one that is asked for twice must stand there
        twice.
    """
    missing = []
    for part in sorted(parts.split(" .. "), key=len, reverse=True):
        before = r"(?<![\w.-])" if part[0].isalnum() else ""
        after = r"(?!\w|\.\d)" if part[-1].isalnum() else ""
        message, count = re.subn(before + re.escape(part) + after, "\0", message, count=1)
        if not count:
            missing.append(part)
    return missing


def lines_with(text: str, parts: str) -> list[str]:
    """Return the lines of a text that contain all parts, as `untold` takes them."""
    return [line for line in text.splitlines() if not untold(line, parts)]
