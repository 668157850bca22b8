"""The sentences of rulings: all that a game says, and which of it the phrases of a language do not read."""

from collections.abc import Iterator
from dataclasses import replace

from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution

TEXTS, KEPT = ("text", "words", "label"), ("charge", "metrics", "second_opinion", "better", "meant", "arc_names", "assumed")
"""Fields that hold words, and fields in which there are none of a game."""


def sentences(resolution: Resolution, judgement: Judgement | None) -> tuple[str, ...]:
    """Return all that rulings and a judgement say: summaries, findings, steps, notes and labels."""
    found = [text for ruling in resolution.rulings for text in (ruling.summary, *words_in(ruling))]
    return tuple(dict.fromkeys([*found, *([] if judgement is None else [judgement.summary, *words_in(judgement)])]))


def words_in(value: object) -> Iterator[str]:
    """Go through all words that a value holds, however deep."""
    if isinstance(value, dict):
        for one in value.values():
            yield from words_in(one)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from words_in(one)
    elif hasattr(value, "__dataclass_fields__") and type(value).__module__.startswith("tabletop.ruling"):
        for field in value.__dataclass_fields__:
            one = getattr(value, field)
            if field in TEXTS and isinstance(one, str):
                yield one
            elif field not in KEPT:
                yield from words_in(one)


def unread(case: Case, said: tuple[str, ...], code: str) -> list[str]:
    """Return those of the sentences of a case that neither the language of a code nor what the game brings for it reads."""
    from plots.marks.language import BUNDLED, ENGLISH, bundled
    from plots.marks.said import Interpreter
    from plots.marks.spoken import names_of

    known = next((one for one in map(bundled, BUNDLED) if one.code == code), replace(ENGLISH, words={**ENGLISH.words, "code": code}))
    speaker = Interpreter(known.phrases(case.system.name, case.system.vocabulary.looks), names_of(case), known.words["number.decimal"])
    return [text for text in said if speaker.read(text) is None]
