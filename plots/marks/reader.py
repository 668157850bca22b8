"""What a reader is told: a headline that a player would say, a sentence for each callout, no ids and no signed margins."""

import re

from plots.marks.language import ENGLISH, Language
from plots.marks.limits import circled, deciding, words_of
from tabletop.ruling.verdict import Resolution, Ruling

LONG_NUMBER = re.compile(r"(?<![\w.,])\d+[.,]\d{2,}(?!\w|[.,]\d)")
BY_RULE = re.compile(r"(?: by| is|:) [a-z][a-z0-9]*(?:\.[a-z][a-z0-9-]*)+(?: is open)?")
PLACE = re.compile(r",? (?:at|bei) \(-?\d+[.,]\d+, -?\d+[.,]\d+\)")
NO_ROOM_NEEDED = re.compile(r"; (?:0 in is needed|nötig sind 0 Zoll(?: Abstand)?)(?=\.)")
SEEN = 5e-5
"""By so much a number may differ from a whole one and be written as it."""


def headline(ruling: Ruling, language: Language = ENGLISH) -> str:
    """Give the few words of what decided a charge, nothing where no system shows it."""
    reasons, goals = deciding(ruling)
    first = next(iter((*reasons, *goals)), None)
    return "" if first is None else plain(words_of(first, language))


def sentences(resolution: Resolution) -> list[str]:
    """Say what happened: the summary of each charge, or where several rules refuse it a numbered sentence for each callout."""
    return [sentence for ruling in resolution.rulings for sentence in _sentences(ruling)]


def _sentences(ruling: Ruling) -> list[str]:
    reasons, _ = deciding(ruling)
    if len(reasons) <= 1:
        return [ruling.summary]
    texts = {finding.rule: finding.text for finding in reversed(ruling.findings) if not finding.ok}
    return [f"{circled(place)} {texts.get(one.rule, ruling.summary)}" for place, one in enumerate(reasons)]


def plain(sentence: str) -> str:
    """Leave out which rule it is, coordinates, which the picture shows, and room of nothing; write numbers with two decimals at most.

    Those that would then seem whole and are not keep more.

    Examples
    --------
    >>> plain("7.0000 in into F, 12.3456 in away, 4.0039 in needed, 0.0005 in apart")
    '7 in into F, 12.35 in away, 4.0039 in needed, 0.0005 in apart'
    >>> plain("8.00 in away, 2.10 in too far")
    '8 in away, 2.1 in too far'
    >>> plain("It may as well be failed by t9a.range. It is 3.5 in away: 4.2 in are needed.")
    'It may as well be failed. It is 3.5 in away: 4.2 in are needed.'
    >>> plain("What decides is t9a.range: it is 3.5 in away.")
    'What decides: it is 3.5 in away.'
    >>> plain("Model 0 is not in base contact, but could be at (26.2312, 27.8291), and owes it.")
    'Model 0 is not in base contact, but could be, and owes it.'
    >>> plain("The way leads 7.0000 in into F; 0 in is needed.")
    'The way leads 7 in into F.'
    """
    return LONG_NUMBER.sub(_shortened, NO_ROOM_NEEDED.sub("", PLACE.sub("", BY_RULE.sub("", sentence))))


def _shortened(found: re.Match[str]) -> str:
    value, mark = float(found[0].replace(",", ".")), "," if "," in found[0] else "."
    seems_whole = abs(value - round(value)) > SEEN and round(value, 2) == round(value)
    return f"{value:.{4 if seems_whole else 2}f}".rstrip("0").rstrip(".").replace(".", mark)
