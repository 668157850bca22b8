"""Translation of rulings into a figure's language and wording for its audience; rules and names stay unchanged."""

from dataclasses import replace
from typing import Any

from tabletop.catalogue import Audience, Catalogue
from tabletop.language.language import Language
from tabletop.ruling.charge import Step
from tabletop.ruling.contrast import Contrast
from tabletop.ruling.evidence import Evidence
from tabletop.ruling.finding import Finding
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Decides, Judgement, Resolution, Ruling


def in_language(
    language: Language,
    case: Case,
    resolution: Resolution,
    judgement: Judgement | None,
    audience: Audience = "judge",
) -> tuple[Resolution, Judgement | None]:
    """Return resolution and judgement with all their texts in a language and for an audience; a judgement of None stays
    None.
    """
    speaker = language.catalogue(case.system.name, case.system.vocabulary.looks, audience)
    if not speaker.said and audience == "judge":
        return resolution, judgement
    told = replace(
        resolution, rulings=tuple(_ruling(speaker, ruling) for ruling in resolution.rulings)
    )
    return told, None if judgement is None else _judgement(speaker, judgement)


def _judgement(speaker: Catalogue, judgement: Judgement) -> Judgement:
    return replace(
        judgement,
        summary=speaker.render(judgement.summary),
        findings=_findings(speaker, judgement.findings),
        decides=_decides(speaker, judgement.decides),
        evidence={
            name: _evidence(speaker, evidence) for name, evidence in judgement.evidence.items()
        },
        steps={name: _steps(speaker, steps) for name, steps in judgement.steps.items()},
    )


def _ruling(speaker: Catalogue, ruling: Ruling) -> Ruling:
    return replace(
        ruling,
        summary=speaker.render(ruling.summary),
        result=speaker.render(ruling.result),
        findings=_findings(speaker, ruling.findings),
        steps=_steps(speaker, ruling.steps),
        evidence=_evidence(speaker, ruling.evidence),
        decides=_decides(speaker, ruling.decides),
        contrast=None
        if ruling.contrast is None
        else tuple(_contrast(speaker, one) for one in ruling.contrast),
    )


def _contrast(speaker: Catalogue, contrast: Contrast) -> Contrast:
    """Return a contrast with its sentence, words, heading and terms translated."""
    terms = tuple(term._replace(label=speaker.render(term.label)) for term in contrast.terms)
    return replace(
        contrast,
        finding=_findings(speaker, (contrast.finding,))[0],
        heading=speaker.render(contrast.heading),
        terms=terms,
        steps=_steps(speaker, contrast.steps),
    )


def _decides(speaker: Catalogue, decides: Decides | None) -> Decides | None:
    return decides and replace(decides, text=speaker.render(decides.text))


def _findings(speaker: Catalogue, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return findings with their sentences and labels translated."""
    return tuple(
        replace(
            one,
            text=speaker.render(one.text),
            line=one.line and _labelled(speaker, (one.line,))[0],
            mark=_seen(speaker, one),
        )
        for one in findings
    )


def _steps(speaker: Catalogue, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    return tuple(replace(step, text=speaker.render(step.text)) for step in steps)


def _seen(speaker: Catalogue, finding: Finding) -> Any:
    mark = finding.mark
    if mark is None or (finding.ok and mark.at is None):
        return mark
    words = speaker.render(mark.words)
    dimensions = _labelled(speaker, mark.dimensions)
    return replace(mark, words=words, dimensions=dimensions, angles=_labelled(speaker, mark.angles))


def _labelled(speaker: Catalogue, measures: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(replace(one, label=speaker.render(one.label)) for one in measures)


def _evidence(speaker: Catalogue, evidence: Evidence) -> Evidence:
    dice = evidence.dice
    return replace(
        evidence,
        dimensions=_labelled(speaker, evidence.dimensions),
        notes=tuple(replace(note, text=speaker.render(note.text)) for note in evidence.notes),
        dice=dice
        and replace(dice, words=speaker.render(dice.words), told=speaker.render(dice.told)),
    )
