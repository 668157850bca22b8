"""What the rules say of end places, with the measured numbers: the same findings for a plan that was solved and for one proposed."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from systems.wh40k.conditions import (
    body_gaps,
    coherency_margin,
    coherency_of,
    engagement_margins,
    gains,
    has_stayed,
    neighbour_margins,
    owes_closer,
)
from systems.wh40k.scene import Scene
from tabletop.geometry.pose import FloatArray
from tabletop.ruling.evidence import Breach
from tabletop.ruling.finding import Finding
from tabletop.ruling.proposal import too_near
from tabletop.table.crowd import BoolArray, Crowd, crowd, gaps
from tabletop.table.squad import Squad
from tabletop.units import CONTACT, STRICTLY_BEYOND
from tabletop.words import counted


def condition_findings(scene: Scene, ends: Crowd, *, hand: float = 0.0) -> list[Finding]:
    """Say of the three conditions whether they hold: every target engaged, no other enemy unit engaged, the unit coherent.

    Of places put down by hand `hand` inches more are within a distance; nobody may come nearer to those who are not charged.
    """
    return [
        *(engaged_finding(scene, ends, target, hand=hand) for target in scene.targets),
        *(apart_finding(scene, ends, unit) for unit in scene.non_targets),
        coherency_finding(scene, ends, hand=hand),
    ]


def engaged_finding(scene: Scene, ends: Crowd, target: Squad, *, hand: float = 0.0) -> Finding:
    """wh40k.possible.engage-all: a model is within engagement range of the target."""
    (number, enemy), measured, limit, margin = _engagement(scene, ends, target)
    is_engaged = margin + hand >= -CONTACT
    text = f"Model {number} {'is' if is_engaged else 'is not'} within engagement range of {target.name}'s model {enemy}."
    breach = None if is_engaged else _between(ends, number, target, enemy)
    found = Finding("wh40k.possible.engage-all", is_engaged, text, measured, limit + hand, margin + hand, breach=breach)
    return found.using(*scene.heights_assumed(scene.charger, target))


def apart_finding(scene: Scene, ends: Crowd, unit: Squad) -> Finding:
    """wh40k.possible.avoid-others: no model is within engagement range of a unit that is no target."""
    (number, enemy), measured, limit, margin = _engagement(scene, ends, unit)
    is_apart = -margin >= STRICTLY_BEYOND - CONTACT
    verb = "ends nearest to" if is_apart else "ends within engagement range of"
    text = f"Model {number} {verb} model {enemy} of {unit.name}, which is no target."
    breach = None if is_apart else replace(_between(ends, number, unit, enemy), models={scene.charger.name: (number,)})
    margin = -margin - STRICTLY_BEYOND
    found = Finding("wh40k.possible.avoid-others", is_apart, text, measured, limit + STRICTLY_BEYOND, margin, breach=breach)
    return found.using(*scene.heights_assumed(scene.charger, unit))


def _between(ends: Crowd, number: int, unit: Squad, enemy: int) -> Breach:
    """Show the gap between one of the charger's models and one of another unit."""
    own = next(model for model in ends.models if model.number == number)
    other = next(model for model in unit.models if model.number == enemy)
    return too_near(own.footprint, other.footprint)


def clear_finding(scene: Scene, ends: Crowd, *, hand: float = 0.0) -> Finding | None:
    """wh40k.move.end-clear, of flyers wh40k.fly.not-on-models: no model ends on another; None where nobody is near.

    Of places put down by hand models may overlap by `hand` inches.
    """
    own = body_gaps(ends, ends)
    np.fill_diagonal(own, np.inf)
    rows = np.hstack([own, body_gaps(ends, scene.bodies)])
    row, column = first_least(rows)
    least = float(rows[row, column])
    if not np.isfinite(least):
        return None
    rule = "wh40k.fly.not-on-models" if scene.is_flyer else "wh40k.move.end-clear"
    number, limit = ends.models[row].number, 0.0 - hand
    if least >= limit - CONTACT:
        return Finding(rule, True, f"Model {number} ends clear of all others.", least, limit, least - limit)  # noqa: FBT003
    everybody = (*ends.models, *scene.bodies.models)
    names = [scene.charger.name] * len(ends.models) + [unit.name for unit in scene.others for _ in unit.models]
    text = f"Model {number} overlaps model {everybody[column].number} of {names[column]}."
    breach = Breach(overlaps=((ends.models[row].footprint, everybody[column].footprint),))
    return Finding(rule, False, text, least, limit, least - limit, breach=breach)  # noqa: FBT003


def first_least(values: FloatArray) -> tuple[int, ...]:
    """Give the indices of the least of some values; of those that are as little, of the first, so that no rounding decides."""
    return tuple(np.argwhere(values <= values.min() + CONTACT)[0].tolist())


def _engagement(scene: Scene, ends: Crowd, unit: Squad) -> tuple[tuple[int, int], float, float, float]:
    """Measure the most engaged pair: its numbers, its gap across or up and down, whichever binds, the limit of that, and the margin."""
    margins = engagement_margins(scene, ends, unit)
    row, column = first_least(-margins)
    numbers = (ends.models[row].number, unit.models[column].number)
    margin = float(margins[row, column])
    pair = float(gaps(crowd([ends.models[row]]), crowd([unit.models[column]]))[0, 0])
    limits = (scene.book.engagement_horizontal, scene.book.barricade_engagement)
    for limit in limits:
        if abs(limit - pair - margin) <= CONTACT:
            return numbers, limit - margin, limit, margin
    limit = scene.book.engagement_vertical
    return numbers, limit - margin, limit, margin


def coherency_finding(scene: Scene, ends: Crowd, *, hand: float = 0.0) -> Finding:
    """wh40k.possible.coherency: every model has its neighbours, and all hang together."""
    count, limit = len(ends.models), scene.book.coherency_horizontal
    asked = coherency_of(scene, count).neighbours
    if asked == 0:
        return Finding("wh40k.possible.coherency", ok=True, text="A single model is always in coherency.")
    margin = coherency_margin(scene, ends) + hand
    whole = " and in one group" if scene.choices.single_group else ""
    is_kept = margin >= -CONTACT
    text = f"{'All' if is_kept else 'Not all'} {count} models are within {limit:g} in of {counted(asked, 'others')} of the unit{whole}."
    breach = None if is_kept else _parted(scene, ends)
    if not np.isfinite(margin):
        return Finding("wh40k.possible.coherency", is_kept, text, breach=breach)
    return Finding("wh40k.possible.coherency", is_kept, text, limit + hand - margin, limit + hand, margin, breach=breach)


def _parted(scene: Scene, ends: Crowd) -> Breach:
    """Show the gap that is too wide: of a model to the neighbour that it lacks, else between two groups."""
    margins, asked = neighbour_margins(scene, ends), coherency_of(scene, len(ends.models)).neighbours
    ranked = np.argsort(-margins, axis=1, kind="stable")
    row = int(np.take_along_axis(margins, ranked, axis=1)[:, asked - 1].argmin())
    column = int(ranked[row, asked - 1])
    if margins[row, column] >= -CONTACT:
        group = _joined(margins >= -CONTACT)
        across = np.where(group[:, None] & ~group[None, :], margins, -np.inf)
        row, column = (int(place) for place in np.unravel_index(across.argmax(), across.shape))
    return too_near(ends.models[row].footprint, ends.models[column].footprint)


def _joined(links: BoolArray) -> BoolArray:
    """Tell (n,) which models hang together with the first by links (n, n)."""
    group: BoolArray = np.arange(len(links)) == 0
    while (grown := np.asarray(group | links[group].any(axis=0))).sum() > group.sum():
        group = grown
    return group


def closer_findings(scene: Scene, ends: Crowd, numbers: tuple[int, ...]) -> Iterator[Finding]:
    """Say of those of the models `numbers` that owe it whether they end closer to a target, one finding per model."""
    for model, gain in zip(ends.models, gains(scene, ends).tolist(), strict=True):
        if model.number in numbers and owes_closer(scene, model):
            is_closer = gain >= STRICTLY_BEYOND - CONTACT
            how = "where it began" if has_stayed(scene, model) else f"{gain:.4f} in closer to a target than it began"
            text = f"Model {model.number} ends {how}."
            breach = None if is_closer else Breach(models={scene.charger.name: (model.number,)})
            yield Finding("wh40k.move.closer", is_closer, text, gain, STRICTLY_BEYOND, gain - STRICTLY_BEYOND, breach=breach)


def closest_call(findings: list[Finding]) -> list[Finding]:
    """Keep of findings of one rule the broken ones, or, if there are none, the first of those with the least margin."""
    broken = [finding for finding in findings if not finding.ok]
    if broken or not findings:
        return broken
    margins = np.array([np.inf if finding.margin is None else finding.margin for finding in findings])
    return [findings[first_least(margins)[0]]]
