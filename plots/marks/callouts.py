"""Callouts: which things of a picture are numbered, in the order in which they happened, and the sentence that each stands for."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from plots.marks.evidence import is_told_by
from plots.marks.language import ENGLISH, Language
from plots.marks.limits import SAME, deciding, words_of
from plots.marks.mark import Label, Mark
from plots.marks.moments import has_moved, moved_words
from plots.marks.reader import plain
from tabletop.ruling.charge import Step
from tabletop.ruling.verdict import Judgement, Resolution, Ruling

FEWEST, MOST = 2, 4
"""Callouts of a figure: a single one needs no number, and of more nobody keeps the overview."""


@dataclass(frozen=True)
class Callout:
    """A sentence, and the label that it is keyed to: what its id has behind the beginning that marks of its ruling have.

    It may be keyed on one panel alone, and to `others` as well of which it tells the same.
    """

    ruling: int
    label: str
    sentence: str
    panel: str = ""
    others: tuple[str, ...] = ()


def callouts(resolution: Resolution, marks: Iterable[Mark], language: Language = ENGLISH) -> tuple[Callout, ...]:
    """Give what is numbered of what the pictures show: of one charge distance, ways and what decided, of several what decided each."""
    labels = [mark.id for mark in marks if isinstance(mark, Label)]
    if any(ruling.open for ruling in resolution.rulings):
        return ()
    if len(resolution.rulings) == 1:
        (ruling,) = resolution.rulings
        told = _with_distance(ruling, _in_order(ruling, language), labels)
        told = [one for one in told if any(_is_of(name, one) for name in labels)]
        told = told[1:] if len(told) > MOST and told[0].label.startswith("dimension") else told
        told = told[-MOST:] if ruling.outcome == "success" else told[:MOST]
    else:
        told = [_whole(one, ruling) for number, ruling in enumerate(resolution.rulings) for one in _decided(ruling, number, language)[:1]]
        told = [one for one in told if any(_is_of(name, one) for name in labels)]
    return tuple(told) if FEWEST <= len(told) <= MOST else ()


FAULTS = ("fault.length.1.label", "fault.angle.1.label", "fault.shown.label", "fault.label")
"""Labels at what is wrong with a proposal, of which the first that there is has its sentence."""


def judged_callouts(
    claimed: Resolution, ruled: Resolution, judgement: Judgement, marks: Iterable[Mark], language: Language = ENGLISH
) -> tuple[Callout, ...]:
    """Give what is numbered of a judged proposal: the moves as `claimed`, what is wrong, and what the rules demand as it is `ruled`."""
    labels = [mark.id for mark in marks if isinstance(mark, Label)]
    told: list[Callout] = []
    broken = judgement.broken if judgement.outcome == "not_allowed" else None
    if len(claimed.rulings) == 1:
        moves = [*_moves(claimed.rulings[0], language, untold="" if broken is None else broken.text)]
        told += _with_distance(claimed.rulings[0], moves, labels)
    if broken is not None:
        fault = next((one for one in FAULTS if any(name.endswith(f".{one}") for name in labels)), FAULTS[-1])
        told.append(Callout(0, fault, plain(broken.text)))
        right = [one for number, ruling in enumerate(ruled.rulings) for one in _decided(ruling, number, language)[:1]]
        told += [replace(one, panel="demanded") for one in right]
    told = [one for one in told if any(_is_of(name, one) for name in labels)][-MOST:]
    return tuple(told) if len(told) >= FEWEST else ()


def keyed(marks: Sequence[Mark], told: Sequence[Callout]) -> tuple[tuple[Mark, ...], dict[int, str]]:
    """Give marks of which labels have their numbers, and by number the sentences of those that there are."""
    numbers = {mark.id: place + 1 for mark in marks if isinstance(mark, Label) for place, one in enumerate(told) if _is_of(mark.id, one)}
    made = tuple(replace(mark, key=numbers[mark.id]) if isinstance(mark, Label) and mark.id in numbers else mark for mark in marks)
    return made, {number: told[number - 1].sentence for number in sorted(set(numbers.values()))}


def main_labels(marks: Sequence[Mark]) -> tuple[Label, ...]:
    """Give the labels that the text of a step speaks of: of what is wrong, else of ways or what they reached, else of the first length."""
    labels = [mark for mark in marks if isinstance(mark, Label)]
    if any(mark.key for mark in labels):
        return ()
    is_move = any(".path" in mark.id for mark in marks)
    kinds = (".fault.", ".path.", ".deciding." if is_move else ".dimension.1.")
    found = ([mark for mark in labels if kind in mark.id] for kind in kinds)
    return tuple(next(filter(None, found), ()))


def _is_of(name: str, one: Callout) -> bool:
    """Tell whether a label is one that a callout is keyed to, on whichever panel."""
    own = f".charge{one.ruling + 1}." if one.ruling else "."
    ends = tuple(f"{own}{label}" for label in (one.label, *one.others))
    return name.endswith(ends) and name.startswith(one.panel) and (one.ruling > 0 or ".charge" not in name)


def _in_order(ruling: Ruling, language: Language) -> list[Callout]:
    """Give the moves and what they reached, or what forbade them and then the failed move."""
    moves, decided = list(_moves(ruling, language)), _decided(ruling, 0, language)
    return [*moves, *decided] if ruling.outcome == "success" else [*decided, *moves]


def _with_distance(ruling: Ruling, told: Sequence[Callout], labels: Sequence[str]) -> list[Callout]:
    """Put the first length before what else is told, or where the first leg of the move stands for it into the sentence of that."""
    before = [one for one in ruling.evidence.dimensions if one.stage == "before"][:1]
    first = [(place, step) for place, step in enumerate(ruling.steps) if has_moved(step)][:1]
    legs = [_way(step, place) for place, step in first for one in before if is_told_by(step, one)]
    distance = _distance(ruling)
    if not legs or any(_is_of(name, one) for one in distance for name in labels):
        return [*distance, *told]
    own = f"{legs[0]}.label"
    return [
        replace(one, sentence=" ".join([*(length.sentence for length in distance), one.sentence])) if one.label == own else one
        for one in told
    ]


def _distance(ruling: Ruling) -> list[Callout]:
    """Key the first length to what the rule of the range says of it, where that is kept, or to the declaration."""
    before = [one for one in ruling.evidence.dimensions if one.stage == "before"]
    if not before:
        return []
    length = math.hypot(math.dist(before[0].start, before[0].end), before[0].rise)
    ranges = [one.text for one in ruling.findings if one.ok and one.rule.endswith("range") and _is_long(length, one.measured, one.limit)]
    declared = [step.text for step in ruling.steps if step.kind == "declare" and step.text]
    broken = any(not one.ok and _is_long(length, one.measured, one.limit) for one in ruling.findings)
    return [] if broken else [Callout(0, "dimension.1.label", plain(sentence)) for sentence in (*ranges[-1:], *declared)[:1]]


def _is_long(length: float, *values: float | None) -> bool:
    return any(value is not None and abs(value - length) <= SAME for value in values)


def _moves(ruling: Ruling, language: Language, *, untold: str = "") -> Iterator[Callout]:
    """Give a sentence for each move, one for loose models that move alike, but for what is `untold`: what is wrong stands elsewhere."""
    is_alone = len({step.model for step in ruling.steps if step.model is not None}) == 1
    alike: dict[tuple[object, ...], list[tuple[int, Step]]] = {}
    for place, step in enumerate(ruling.steps):
        if has_moved(step) and step.text not in ("", untold) and language.step(step).role != "align":
            alike.setdefault((place,) if step.model is None else (step.unit, step.text), []).append((place, step))
    for moves in alike.values():
        steps = sorted((step for _, step in moves), key=lambda step: step.model or 0)
        sentence = plain(steps[0].text)
        told = sentence if steps[0].model is None else moved_words(steps, sentence, language, is_alone=is_alone)
        label, *others = (f"{_way(step, place)}.label" for place, step in moves)
        yield Callout(0, label, told, others=tuple(others))


def _way(step: Step, place: int) -> str:
    return f"path.{place + 1}" if step.model is None else f"path.{step.unit}.{step.model}"


def _decided(ruling: Ruling, number: int, language: Language) -> list[Callout]:
    """Give a sentence for each reason, or for what was reached; a reason that is alone tells the whole ruling, as does a bare number."""
    reasons, goals = deciding(ruling)
    texts = {finding.rule: finding.text for finding in reversed(ruling.findings) if finding.text and finding.ok is bool(goals)}
    told = [texts.get(one.rule) or words_of(one, language) for one in (*reasons, *goals)]
    if len(reasons) == 1:
        told[0] = ruling.summary
    elif goals:
        told[0] = _with_reason(words_of(goals[0], language), told[0]) or ruling.summary
    return [Callout(number, f"deciding.{place + 1}.label", plain(sentence)) for place, sentence in enumerate(told)]


def _with_reason(shown: str, finding: str) -> str:
    """Say what a mark shows and why there is no more, which its finding has behind a semicolon; nothing where that gives no reason."""
    _, _, reason = finding.partition("; ")
    return f"{shown[:1].upper()}{shown[1:]}; {reason}" if reason else ""


def _whole(told: Callout, ruling: Ruling) -> Callout:
    """Let a callout tell the whole ruling, where each of several charges has one sentence."""
    return replace(told, sentence=plain(ruling.summary)) if len(deciding(ruling)[0]) <= 1 else told
