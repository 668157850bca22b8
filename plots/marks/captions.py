"""Texts around the panels of a figure: title, badges, caption, small print, footer, and the callouts (numbered
sentences).

All text is taken from the ruling. Readers get plain words; judges also get the rules that decided, with their margins.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from plots.marks.deciding import (
    DecisionMark,
    Shortfall,
    charge_id,
    circled,
    decided_by,
    deciding,
    words_of,
)
from plots.marks.evidence import is_told_by
from plots.marks.faults import broken_findings, fault_id
from plots.marks.mark import DrawnMark, Label, identifier
from plots.marks.steps import moved_words
from tabletop.catalogue import Audience
from tabletop.language.language import current_language
from tabletop.ruling.charge import Charge, Step, is_moving
from tabletop.ruling.contrast import Term
from tabletop.ruling.evidence import Dice
from tabletop.ruling.finding import Finding
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Decides, Judgement, Resolution, Ruling

SHOWN_RULES = 4

MINUS = "\N{MINUS SIGN}"

FEWEST, MOST = 2, 4
"""Least and greatest number of callouts: one alone needs no number, and more than this are hard to follow."""

PanelLabel = tuple[str, str]
"""Reference to a label: the panel's name and the label's id."""

FAULTS = ("length.1.label", "angle.1.label", "shown.label", "label")
"""Ids, after that of the error, of labels that mark an error in a proposal; the first one present gets the sentence."""


@dataclass(frozen=True)
class Badge:
    """Outcome of a charge or proposal in words, with what it is about.

    `outcome` selects the colour. `about` is the text beside the outcome: `who` (who charges whom), `why` (the deciding
    reason), and the roll needed. `dice` are the dice rolled.
    """

    id: str
    outcome: str
    words: str
    about: str
    dice: Dice | None = None
    who: str = ""
    why: str = ""


def badges(
    resolution: Resolution, judgement: Judgement | None, audience: Audience = "reader"
) -> tuple[Badge, ...]:
    """Return the badges of all charges.

    For a proposal, its verdict comes first, followed only by charges that may fail.
    """
    told = tuple(
        ruling_badge(ruling, number, audience) for number, ruling in enumerate(resolution.rulings)
    )
    if judgement is None:
        return told
    others = (
        badge
        for badge, ruling in zip(told, resolution.rulings, strict=True)
        if ruling.outcome != "success"
    )
    return (judgement_badge(judgement, audience), *others)


def ruling_badge(ruling: Ruling, number: int, audience: Audience = "reader") -> Badge:
    """Return the badge of a charge: with the reason for readers, with deciding rule and margin for judges.

    `number` is the charge's position in the file, from 0. The roll needed is left out for a charge that failed before
    it rolled, and where tables within the measurement accuracy disagree on it. For an undecided charge, `why` says what
    to measure.
    """
    language = current_language()
    who = about(ruling.charge)
    if ruling.open:
        rules = language.say("badge.open_rules", rules=", ".join(ruling.open))
        told = rules if audience == "judge" else language.words["badge.open_accuracy"]
        full = language.say("badge.told", about=who, words=told)
        why = told if audience == "judge" else _to_measure(ruling.decides) or told
        return Badge(
            f"outcome.{number + 1}",
            "undecided",
            outcome_words("undecided"),
            full,
            ruling.evidence.dice,
            who,
            why,
        )
    why = headline(ruling) if audience == "reader" else ""
    needs = ""
    if ruling.open is not None and audience == "reader":
        why = why or language.words["badge.every_table"]
    words = _verdict(ruling.outcome, ruling.rule, ruling.findings, audience)
    outcome = ruling.outcome
    if not _is_unrolled(ruling) and (
        not ruling.is_proved or len({*(ruling.chance_success_range or ())}) <= 1
    ):
        needs = _needs(ruling)
    told = "; ".join(filter(None, (why, needs)))
    full = language.say("badge.told", about=who, words=told) if told else who
    return Badge(f"outcome.{number + 1}", outcome, words, full, ruling.evidence.dice, who, why)


def _needs(ruling: Ruling) -> str:
    """Return in words the roll that a charge needs and its chance; "" if no roll succeeds."""
    language = current_language()
    if ruling.chance_success is None:
        least, most = ruling.chances
        return language.say(
            "badge.not_proved",
            rolls=rolls_words(ruling.shortest_rolls),
            least=least,
            most=most,
        )
    if ruling.chance_success == 1:
        return language.words["badge.every_roll"]
    roll = ruling.shortest_roll
    return (
        "" if roll is None else language.say("badge.needs", roll=roll, chance=ruling.chance_success)
    )


def rolls_words(rolls: tuple[int | None, int | None]) -> str:
    """Return in words the range of the lowest successful roll, such as "6 or 7"; `rolls` are its ends.

    An upper end of None means that perhaps no roll succeeds; a lower end of None gives "0".
    """
    language = current_language()
    least, most = rolls
    if least is None or least == most:
        return str(least or 0)
    if most is None:
        return language.say("roll.or_none", least=least)
    return language.say("roll.or" if most == least + 1 else "roll.to", least=least, most=most)


def _is_unrolled(ruling: Ruling) -> bool:
    """Return whether a charge failed before its roll, for a reason that is not a measured length."""
    return (
        ruling.outcome == "failed"
        and ruling.evidence.dice is None
        and any(isinstance(one, DecisionMark) for one in deciding(ruling)[0][:1])
    )


def headline(ruling: Ruling) -> str:
    """Return the deciding reason of a ruling in a few words; "" if the system provides none.

    For a measured table the reason holds on every table tried within the accuracy.
    """
    reasons, goals = decided_by(ruling)
    is_measured = ruling.open is not None
    first = next(
        (
            one
            for one in (*reasons, *goals)
            if (not is_measured if isinstance(one, Shortfall) else one.mark.is_sure)
        ),
        None,
    )
    return "" if first is None else words_of(first)


def _to_measure(decides: Decides | None) -> str:
    """Return the sentence on which length to measure, without its full stop; "" if `decides` is None."""
    return "" if decides is None else decides.text.rstrip(".")


def about(charge: Charge) -> str:
    """Return in words who charges whom."""
    language = current_language()
    return language.say(
        "badge.about", charger=charge.charger, targets=language.listed(charge.targets)
    )


def outcome_words(outcome: str) -> str:
    """Return the word for an outcome in a language."""
    return current_language().words[f"outcome.{outcome}"]


def judgement_badge(judgement: Judgement, audience: Audience = "reader") -> Badge:
    """Return the badge of a judged proposal, with what is wrong for readers or the deciding rule and margin for
    judges.
    """
    language = current_language()
    words = judged_words(judgement)
    who = language.words["badge.proposal"]
    why = ""
    measure = _to_measure(judgement.decides) if audience == "reader" else ""
    if not judgement.is_right:
        words = _verdict(judgement.outcome, judgement.rule, judgement.findings, audience)
    if (
        judgement.outcome == "not_allowed"
        and judgement.broken is not None
        and audience == "reader"
        and not judgement.broken.is_open
    ):
        why = judgement.broken.text.rstrip(".")
    full = language.say("badge.told", about=who, words=why) if why else who
    return Badge(
        "outcome.proposal",
        "success" if judgement.is_right else judgement.outcome,
        words,
        full,
        None,
        who,
        why or measure,
    )


def judged_words(judgement: Judgement) -> str:
    """Return the word for a judgement in a language; a right proposal is called best only if that is proved."""
    language = current_language()
    if not judgement.is_right:
        return outcome_words(judgement.outcome)
    if not judgement.is_best:
        return language.words["badge.legal_only"]
    is_best = judgement.outcome == "success" and judgement.proof != "best_found"
    return language.words["badge.legal" if is_best else "badge.legal_found"]


def _verdict(
    outcome: str, rule: str | None, findings: Sequence[Finding], audience: Audience
) -> str:
    language = current_language()
    if rule is None or audience == "reader":
        return outcome_words(outcome)
    finding = next((one for one in findings if one.rule == rule and not one.ok), None)
    verdict = language.say("badge.decided", outcome=outcome_words(outcome), rule=rule)
    if finding is None or finding.margin is None:
        return verdict
    return language.say("badge.margin", verdict=verdict, margin=signed(finding.margin))


def caption(
    case: Case,
    resolution: Resolution,
    judgement: Judgement | None = None,
    *,
    audience: Audience = "reader",
) -> tuple[str, ...]:
    """Return the caption's paragraphs: what happened, for judges the deciding rules with margins, and the author's
    note.
    """
    told = (
        [ruling.summary for ruling in resolution.rulings]
        if audience == "judge"
        else sentences(resolution)
    )
    if judgement is not None:
        told = [judgement.summary, *_demanded(resolution, judgement)]
    first = " ".join(filter(None, told))
    paragraphs = [first, rules_line(resolution, judgement)] if audience == "judge" else [first]
    return tuple(paragraph for paragraph in (*paragraphs, case.note) if paragraph)


def sentences(resolution: Resolution) -> list[str]:
    """Return the sentences on what happened: each charge's summary, or a numbered sentence for each reason if there are
    several.
    """
    return [sentence for ruling in resolution.rulings for sentence in _sentences(ruling)]


def _sentences(ruling: Ruling) -> list[str]:
    reasons, _ = deciding(ruling)
    if len(reasons) <= 1:
        return [ruling.summary]
    texts = {finding.rule: finding.text for finding in reversed(ruling.findings) if not finding.ok}
    return [
        f"{circled(place)} {texts.get(one.rule, ruling.summary)}"
        for place, one in enumerate(reasons)
    ]


def _demanded(resolution: Resolution, judgement: Judgement) -> list[str]:
    """Return the sentences on the result that the rules demand instead of a proposal.

    If the proposal is right or undecided, these are only the summaries of charges that do not succeed.
    """
    if judgement.is_right or judgement.outcome == "undecided":
        return [ruling.summary for ruling in resolution.rulings if ruling.outcome != "success"]
    summaries = " ".join(filter(None, (ruling.summary for ruling in resolution.rulings)))
    return [current_language().say("caption.demanded", summary=summaries)] if summaries else []


def rules_line(resolution: Resolution, judgement: Judgement | None = None) -> str:
    """Return the line of small print that lists the most telling rules with their margins; "" if there are none."""
    findings = (
        [finding for ruling in resolution.rulings for finding in ruling.findings]
        if judgement is None
        else judgement.findings
    )
    listed = "; ".join(f"{finding.rule}{_margin(finding)}" for finding in most_telling(findings))
    return current_language().say("caption.rules", minus=MINUS, rules=listed) if listed else ""


def _margin(finding: Finding) -> str:
    return "" if finding.margin is None else f" ({signed(finding.margin)})"


def signed(margin: float) -> str:
    """Return a margin with its sign (a true minus) and enough digits that a non-zero margin never prints as zero.

    Examples
    --------
    >>> signed(1.5), signed(0.0004), signed(0.0)
    ('+1.5', '+0.0004', '0')
    """
    digits = 2 if abs(margin) >= 0.005 else 4  # noqa: PLR2004 - two decimals would show 0
    text = (
        f"{abs(margin):.{digits}f}".rstrip("0")
        .rstrip(".")
        .replace(".", current_language().words["number.decimal"])
    )
    return text if text == "0" else f"{'+' if margin > 0 else MINUS}{text}"


def most_telling(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings worth showing, at most `SHOWN_RULES`: broken ones, then measured ones by margin, then counts;
    one per rule.
    """
    broken = [finding for finding in findings if not finding.ok]
    close = sorted((one for one in findings if one.ok and one.margin is not None), key=_room)
    once = {finding.rule: finding for finding in reversed([*broken, *close])}
    ordered = [finding for finding in (*broken, *close) if once[finding.rule] is finding]
    return tuple(ordered[:SHOWN_RULES])


def _room(finding: Finding) -> tuple[bool, float]:
    """Return the sort key of a finding: lengths before counts, since a count with no slack says less, then the size of
    its margin.
    """
    return not isinstance(finding.margin, float), abs(finding.margin or 0.0)


def title(case: Case) -> str:
    """Return the title of a figure: the case's own, or else who charges whom."""
    if case.title:
        return case.title
    return (
        ", ".join(about(charge) for charge in case.charges)
        or current_language().words["caption.table"]
    )


def footer(case: Case) -> str:
    """Return the name of the game with the edition of its rules."""
    edition = f", {current_language().edition(case.edition)}" if case.edition else ""
    return f"{case.system.title}{edition}"


# Callouts: numbered things in the panels, in the order in which they happened, each with its sentence.


CONTRAST_LABELS = ("contrast.deciding.1.label",)
"""Ids of the label of what tells against an alternative."""


@dataclass(frozen=True)
class Callout:
    """A numbered sentence: the ids of the labels that carry its number, on panels whose names start with `panel`."""

    labels: tuple[str, ...]
    sentence: str
    panel: str = ""

    def is_of(self, label: PanelLabel) -> bool:
        """Return whether a label, given as (panel name, label id), carries this callout's number."""
        return label[0].startswith(self.panel) and label[1] in self.labels


def callouts(resolution: Resolution, labels: Sequence[PanelLabel]) -> tuple[Callout, ...]:
    """Return the callouts of a charge: distance, paths and deciding reasons; for several charges, the first reason of
    each.

    Empty if fewer than two would have a label, or the verdict is undecided at the table's accuracy.
    """
    if any(ruling.open for ruling in resolution.rulings):
        return ()
    most = MOST + any(label in (*CONTRAST_LABELS, "equal.1.label") for _, label in labels)
    if len(resolution.rulings) == 1:
        (ruling,) = resolution.rulings
        moves = list(_moves(ruling))
        decided = _decided(ruling, 0)
        contrast = ruling.drawn_contrast
        moves += [
            Callout(("equal.1.label",), one.finding.text)
            for one in ruling.contrast or ()
            if one.kind == "equal"
        ]
        decided = [
            *([Callout(CONTRAST_LABELS, contrast.finding.text)] if contrast is not None else []),
            *decided,
        ]
        told = _with_distance(
            ruling,
            [*moves, *decided] if ruling.outcome == "success" else [*decided, *moves],
            labels,
        )
        told = _shown(told, labels)
        told = told[1:] if len(told) > most and told[0].labels[0].startswith("dimension") else told
        told = told[-most:] if ruling.outcome == "success" else told[:most]
    else:
        told = _shown(_of_each(resolution), labels)
    return tuple(told) if FEWEST <= len(told) <= most else ()


def judged_callouts(
    claimed: Resolution, ruled: Resolution, judgement: Judgement, labels: Sequence[PanelLabel]
) -> tuple[Callout, ...]:
    """Return the callouts of a judged proposal: its moves in `claimed`, what is wrong, and what the rules demand in
    `ruled`.
    """
    moves: list[Callout] = []
    broken = broken_findings(judgement)
    known = {name for _, name in labels}
    if len(claimed.rulings) == 1:
        made = [*_moves(claimed.rulings[0], untold={one.text for one in broken})]
        moves = _shown(_with_distance(claimed.rulings[0], made, labels), labels)
    marked = [[f"{fault_id(place)}.{label}" for label in FAULTS] for place in range(len(broken))]
    wrong = [
        Callout(tuple(one for one in own if one in known)[:1], finding.text)
        for own, finding in zip(marked, broken, strict=True)
    ]
    right = [replace(one, panel="demanded") for one in _of_each(ruled)] if broken else []
    told = _shown([*wrong, *right], labels)
    told = [*moves[max(0, len(moves) + len(told) - MOST) :], *told]
    return tuple(told) if len(told) >= FEWEST else ()


def _shown(told: Sequence[Callout], labels: Sequence[PanelLabel]) -> list[Callout]:
    """Return the callouts of which some label is on a panel."""
    return [one for one in told if any(map(one.is_of, labels))]


def main_labels(marks: Sequence[DrawnMark]) -> tuple[str, ...]:
    """Return the ids of the labels that a step's text refers to: errors, else paths or what they reached, else the
    first length.
    """
    labels = [mark for mark in marks if isinstance(mark, Label)]
    if any(mark.key for mark in labels):
        return ()
    is_move = any(mark.owner.startswith("path") for mark in marks)
    kinds = ("fault", "path.", "deciding." if is_move else "dimension.1.")
    found = ([mark.id for mark in labels if f"{mark.owner}.".startswith(kind)] for kind in kinds)
    return tuple(next(filter(None, found), ()))


def _with_distance(
    ruling: Ruling, told: Sequence[Callout], labels: Sequence[PanelLabel]
) -> list[Callout]:
    """Return the callouts with the distance first, or its sentence within that of the first move if both show the same
    length.
    """
    before = [one for one in ruling.evidence.dimensions if one.stage == "before"][:1]
    first = [(place, step) for place, step in enumerate(ruling.steps) if is_moving(step)][:1]
    legs = [_way(step, place) for place, step in first for one in before if is_told_by(step, one)]
    distance = _distance(ruling)
    if not legs or _shown(distance, labels):
        return [*distance, *told]
    own = f"{legs[0]}.label"
    return [
        replace(one, sentence=" ".join([*(length.sentence for length in distance), one.sentence]))
        if one.labels[0] == own
        else one
        for one in told
    ]


def _distance(ruling: Ruling) -> list[Callout]:
    """Return the callout of the first measured length, in a list: the range rule's text if it holds, else the
    declaration; or [].
    """
    lines = [one for one in ruling.evidence.dimensions if one.stage == "before"][:1]
    findings = [one for one in ruling.findings if one.line in lines]
    if not lines or not all(one.ok for one in findings):
        return []
    ranges = [one.text for one in findings if one.limit is not None]
    declared = [step.text for step in ruling.steps if step.kind == "declare" and step.text]
    return [
        Callout(("dimension.1.label",), sentence, panel="before")
        for sentence in (*ranges[-1:], *declared)[:1]
    ]


def _moves(ruling: Ruling, *, untold: Collection[str] = ()) -> Iterator[Callout]:
    """Yield a callout for each move; loose models that move alike share one.

    Moves with the texts `untold` are left out.
    """
    is_alone = len({step.model for step in ruling.steps if step.model is not None}) == 1
    alike: dict[tuple[object, ...], list[tuple[int, Step]]] = {}
    for place, step in enumerate(ruling.steps):
        if (
            is_moving(step)
            and step.text not in ("", *untold)
            and current_language().step(step).role != "align"
        ):
            alike.setdefault((place,) if step.model is None else (step.unit, step.text), []).append(
                (place, step)
            )
    for moves in alike.values():
        steps = sorted((step for _, step in moves), key=lambda step: step.model or 0)
        sentence = steps[0].text
        told = (
            sentence if steps[0].model is None else moved_words(steps, sentence, is_alone=is_alone)
        )
        yield Callout(tuple(f"{_way(step, place)}.label" for place, step in moves), told)


def _way(step: Step, place: int) -> str:
    return (
        f"path.{place + 1}"
        if step.model is None
        else identifier("path", str(step.unit), str(step.model))
    )


def _decided(ruling: Ruling, number: int) -> list[Callout]:
    """Return a callout for each reason and each goal reached; a single reason gets the ruling's whole summary, a goal
    its mark's words.
    """
    reasons, goals = deciding(ruling)
    texts = {
        (finding.rule, finding.ok): finding.text
        for finding in reversed(ruling.findings)
        if finding.text
    }
    told = [texts.get((one.rule, False)) or words_of(one) for one in reasons]
    if len(reasons) == 1:
        told[0] = ruling.summary
    for goal in goals:
        words = words_of(goal)
        pointed = ruling.pointed if goal.rule == ruling.point else None
        told.append(f"{words[:1].upper()}{words[1:]}." if pointed is None else pointed.text)
    start = f"{charge_id(number)}." if number else ""
    return [
        Callout((f"{start}deciding.{place + 1}.label",), sentence)
        for place, sentence in enumerate(told)
    ]


def sums(resolution: Resolution) -> tuple[tuple[str, tuple[Term, ...]], ...]:
    """Return the sums that the ruling of a single charge works out, each as its heading or sentence and its terms."""
    found = resolution.rulings[0].contrast or () if len(resolution.rulings) == 1 else ()
    return tuple(
        (one.heading or one.finding.text, one.terms)
        for one in found
        if one.kind == "mechanism" and one.terms
    )


def _of_each(resolution: Resolution) -> list[Callout]:
    """Return a callout for each charge, with the ruling's whole summary."""
    told = [
        (one, ruling)
        for number, ruling in enumerate(resolution.rulings)
        for one in _decided(ruling, number)[:1]
    ]
    if len(resolution.rulings) == 1:
        return [one for one, _ in told]
    return [
        replace(one, sentence=ruling.summary) if len(deciding(ruling)[0]) <= 1 else one
        for one, ruling in told
    ]
