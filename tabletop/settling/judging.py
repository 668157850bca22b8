"""Judging measured places: right wherever they may lie, wrong wherever they may lie, or not to be told at this accuracy."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tabletop.budget import is_late
from tabletop.errors import NoVerdictError
from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.settling.meant import Claimed
from tabletop.settling.uncertain import decides
from tabletop.words import counted

Judged = Callable[[Case, Resolution], Judgement]
Places = Mapping[str, Any]

ELSEWHERE = 2
"""Places that are looked at on each table but the settled one."""


@dataclass(frozen=True)
class Tried:
    """Exact places that a claim may mean on one table, and how they were judged there."""

    places: Places
    judgement: Judgement

    @property
    def is_right(self) -> bool:
        """Whether they are what the rules demand."""
        return self.judgement.outcome == "success"


def judged_measured(case: Case, resolution: Resolution, judge: Judged) -> Judgement:
    """Judge a claim by all exact places within its accuracy that are looked at, on the settled table and on the others.

    `judge` judges exact places. Of the exact places the nearest to the measured ones is told as the one that was meant.
    """
    proposal = case.proposal or {}
    tried, is_whole = _tried(case, resolution, judge)
    if not tried:  # what must be equal cannot be within the accuracy: the claim as it is says by how much
        exact = judge(case, resolution)
        return replace(exact, open=(), **_meant(case, proposal))
    right = [one for one in tried if one.is_right]
    wrong = [one for one in tried if not one.is_right]
    told = f"{counted(len(tried), 'places')} within the accuracy searched{'' if is_whole else ', not all that were meant to be'}"
    hangs = tuple(dict.fromkeys(rule for ruling in resolution.rulings if ruling.charge.charger in proposal for rule in ruling.open or ()))
    if not wrong and not hangs:
        first = right[0]
        text = f"The proposal is what the rules demand wherever it lies within its accuracy ({told})."
        return replace(first.judgement, summary=text, open=(), proof="best_found", **_meant(case, first.places))
    if not right:
        first = wrong[0]
        text = f"{first.judgement.summary} Nor is any other place within the accuracy right ({told})."
        return replace(first.judgement, summary=text, open=(), **_meant(case, first.places))
    return _undecided(case, resolution, right[0], wrong, hangs, told)


def _tried(case: Case, resolution: Resolution, judge: Judged) -> tuple[list[Tried], bool]:
    """Judge exact places on the settled table, then on the others, as long as there is time."""
    found: list[Tried] = []
    for number, on_table in enumerate((resolution, *resolution.elsewhere)):
        asked = replace(case, state=on_table.before)
        for count, places in enumerate(_meanings(case, on_table)):
            if number and count >= ELSEWHERE:
                break
            if found and is_late():
                return found, False
            try:
                found.append(Tried(places, judge(replace(asked, proposal=places), on_table)))
            except NoVerdictError:
                if not found and number == 0 and count == 0:
                    raise
                return found, False
    return found, True


def _meanings(case: Case, resolution: Resolution) -> Iterator[Places]:
    """Give exact places of all units that are claimed: all nearest first, then each unit's others; none if one unit has none."""
    accuracy = case.measured.proposal if case.measured is not None else None
    if accuracy is None or case.proposal is None:
        return
    lists = {name: Claimed(case, resolution, name, accuracy).places(place) for name, place in case.proposal.items()}
    if not all(lists.values()):
        return
    nearest = {name: places[0] for name, places in lists.items()}
    yield nearest
    for name, places in lists.items():
        yield from ({**nearest, name: place} for place in places[1:])


def _meant(case: Case, places: Places) -> dict[str, Any]:
    return {"meant": places, "moved": {name: _moved(place, places[name]) for name, place in (case.proposal or {}).items()}}


def _moved(measured: Any, exact: Any) -> float:
    """Give the greatest distance of a place, or of any model's, from the measured one in inches."""
    if isinstance(measured, Pose):
        return math.dist(measured.at, exact.at)
    return max((math.dist(one.at, other.at) for one, other in zip(measured.poses, exact.poses, strict=True)), default=0.0)


def _undecided(case: Case, resolution: Resolution, right: Tried, wrong: list[Tried], hangs: tuple[str, ...], told: str) -> Judgement:
    """Tell what is open, and what to measure."""
    failing = [finding for one in wrong for finding in one.judgement.findings if not finding.ok]
    broken = [one.judgement.rule for one in wrong if one.judgement.rule is not None]
    rules = tuple(dict.fromkeys((*hangs, *broken)))
    first = next((finding for finding in failing if finding.rule == rules[0]), None)
    charge = next((one for ruling in resolution.rulings for one in ruling.findings if one.rule == rules[0]), None)
    findings = tuple(replace(finding, is_open=finding.rule in rules) for finding in right.judgement.findings)
    findings += () if first is None else (replace(first, is_open=True),)
    deciding = first or charge
    what = None if deciding is None else decides(case, deciding)
    text = f"At this accuracy it cannot be told whether the proposal is what the rules demand: {rules[0]} is open ({told})."
    text += "" if what is None else f" {what.text}"
    shown = right.judgement
    return Judgement(
        "undecided", rules[0], findings, text, open=rules, decides=what, **_meant(case, right.places),
        proof="best_found", evidence=shown.evidence, steps=shown.steps,
    )  # fmt: skip
