"""What end places are held against, measured once for the solver, the judge and the findings.

Every measure is a signed margin in inches, positive where the condition holds with room to spare. All of them take the
charger's models where they end; arrays are ordered as the models given.
"""

import numpy as np
from numpy.typing import NDArray

from systems.wh40k.barricade_range import BarricadeRange
from systems.wh40k.scene import Scene, profile_of
from tabletop.geometry.pose import FloatArray
from tabletop.geometry.shape import Shape
from tabletop.placement.coherency import Coherency
from tabletop.placement.engagement import Engagement, rises
from tabletop.table.crowd import Crowd, crowd, gaps
from tabletop.table.squad import Model, Squad
from tabletop.units import CONTACT

BoolArray = NDArray[np.bool_]


BEYOND = 1.0
"""Inches beyond the longest range up to which it is told how far models are outside of it."""


def vertical_gaps(scene: Scene, ends: Crowd, unit: Squad) -> FloatArray:
    """Measure the vertical gaps (n, m) between the charger's models and those of a unit."""
    return rises(ends.heights, scene.body_height(scene.charger), crowd(unit.models).heights, scene.body_height(unit))


def engagement_of(scene: Scene) -> Engagement:
    """Return who is engaged with whom: within a range that is longer across barricades."""
    book = scene.book
    return Engagement(book.engagement_horizontal, book.engagement_vertical, BarricadeRange(scene) if scene.barricades else None)


def engagement_margins(scene: Scene, ends: Crowd, unit: Squad) -> FloatArray:
    """Measure how far (n, m) each of the charger's models is within engagement range of each model of a unit; negative: outside.

    The margin is the lesser of those across and up and down; across a barricade the longer range counts.
    """
    engagement, enemies = engagement_of(scene), crowd(unit.models)
    between = gaps(ends, enemies, beyond=max(scene.book.engagement_horizontal, scene.book.barricade_engagement) + BEYOND)

    def bodies(model: int, enemy: int) -> tuple[Shape, Shape]:
        return ends.models[model].footprint, enemies.models[enemy].footprint

    return np.minimum(*engagement.margins(between, vertical_gaps(scene, ends, unit), bodies, beyond=BEYOND))


def engaged_models(scene: Scene, ends: Crowd) -> tuple[int, ...]:
    """Give the numbers of the models that are engaged with a target."""
    margins = [engagement_margins(scene, ends, target).max(axis=1) for target in scene.targets]
    within = np.max(margins, axis=0) >= -CONTACT
    return tuple(model.number for model, is_engaged in zip(ends.models, within, strict=True) if is_engaged)


def contacts(ends: Crowd, unit: Squad, *, slack: float = CONTACT) -> BoolArray:
    """Tell (n, m) which of the charger's models are in base contact with which of a unit's; `slack` in inches."""
    enemies = crowd(unit.models)
    level = np.abs(ends.heights[:, None] - enemies.heights[None, :]) <= slack
    touching: BoolArray = (np.abs(gaps(ends, enemies, beyond=slack)) <= slack) & level
    return touching


def models_in_contact(scene: Scene, ends: Crowd, *, slack: float = CONTACT) -> tuple[int, ...]:
    """Give the numbers of the charger's models that are in base contact with a model of a target."""
    touching = np.any([contacts(ends, target, slack=slack).any(axis=1) for target in scene.targets], axis=0)
    return tuple(model.number for model, is_touching in zip(ends.models, touching, strict=True) if is_touching)


def neighbour_margins(scene: Scene, ends: Crowd) -> FloatArray:
    """Measure how far (n, n) each two of the charger's models are within the coherency distances of each other."""
    height = scene.body_height(scene.charger)
    vertical = rises(ends.heights, height, ends.heights, height)
    margins = coherency_of(scene, len(ends.models)).margins(gaps(ends, ends, beyond=np.inf), vertical)
    np.fill_diagonal(margins, -np.inf)
    return margins


def coherency_of(scene: Scene, count: int) -> Coherency:
    """Return what keeps `count` models together: from some number on each has two neighbours, of fewer one."""
    book = scene.book
    neighbours = 0 if count < 2 else 2 if count >= book.coherency_large else 1  # noqa: PLR2004
    return Coherency(count, neighbours, book.coherency_horizontal, book.coherency_vertical, scene.choices.single_group)


def coherency_margin(scene: Scene, ends: Crowd) -> float:
    """Measure by how much the weakest link of the unit holds; infinite for a single model."""
    asked = coherency_of(scene, len(ends.models)).neighbours
    if asked == 0:
        return np.inf
    margins = neighbour_margins(scene, ends)
    weakest = float(np.sort(margins, axis=1)[:, -asked].min())
    return min(weakest, _bottleneck(margins)) if scene.choices.single_group else weakest


def _bottleneck(margins: FloatArray) -> float:
    """Give the weakest link of the strongest tree that joins all models."""
    best = margins[0].copy()
    is_out = np.ones(len(margins), dtype=bool)
    is_out[0] = False
    weakest = np.inf
    for _ in range(len(margins) - 1):
        following = int(np.argmax(np.where(is_out, best, -np.inf)))
        weakest = min(weakest, float(best[following]))
        is_out[following] = False
        best = np.maximum(best, margins[following])
    return float(weakest)


def links(scene: Scene, ends: Crowd) -> tuple[tuple[int, int], ...]:
    """Give the pairs of places in the list of models that are neighbours."""
    rows, columns = np.nonzero(np.triu(neighbour_margins(scene, ends) >= -CONTACT))
    return tuple(zip(rows.tolist(), columns.tolist(), strict=True))


def distances(scene: Scene, ends: Crowd, unit: Squad) -> FloatArray:
    """Measure the distance (n,) in inches from each of the charger's models to a unit."""
    across = np.maximum(gaps(ends, crowd(unit.models)), 0.0)
    apart: FloatArray = np.hypot(across, vertical_gaps(scene, ends, unit)).min(axis=1)
    return apart


def gains(scene: Scene, ends: Crowd) -> FloatArray:
    """Measure how much closer (n,) each model is at its end than at its start to the target to which it gains most.

    The models are taken to be the charger's, by number.
    """
    starts = crowd([start_of(scene, model) for model in ends.models])
    nearer = [distances(scene, starts, target) - distances(scene, ends, target) for target in scene.targets]
    gained: FloatArray = np.max(nearer, axis=0)
    return gained


def start_of(scene: Scene, model: Model) -> Model:
    """Give one of the charger's models where the move begins."""
    return next(start for start in scene.charger.models if start.number == model.number)


def has_stayed(scene: Scene, model: Model) -> bool:
    """Tell whether a model ends where it began."""
    return model.stands_like(start_of(scene, model))


def owes_closer(scene: Scene, model: Model) -> bool:
    """Tell whether a model must end closer to a target than it began."""
    return scene.choices.closer_scope == "all" or not has_stayed(scene, model)


def zone_gap(scene: Scene) -> float:
    """Give the gap in inches that solved ends and ways keep to non-targets."""
    return scene.book.engagement_horizontal + scene.choices.clearance


def body_gaps(first: Crowd, second: Crowd) -> FloatArray:
    """Measure gaps (n, m) where they count for overlap: infinite between models at different heights."""
    level = np.abs(first.heights[:, None] - second.heights[None, :]) <= CONTACT
    return np.where(level, gaps(first, second, beyond=0.0), np.inf)


def is_large(unit: Squad) -> bool:
    """Tell whether a unit's models may not be passed by others of that size."""
    return bool({"monster", "vehicle"} & set(profile_of(unit).keywords))
