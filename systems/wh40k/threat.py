"""Chances of one charge on open ground against a single-model target, for very many places of the target at once.

On open ground no plan is shorter than the path of the nearest model to engagement range. The whole unit can move by the
same vector, which keeps coherency; where every model then ends closer to the target and on the board, that length is
exactly the distance needed.
"""

import math

import numpy as np

from systems.wh40k.conditions import Ends, engagement_of
from systems.wh40k.declare import Declaration, declare
from systems.wh40k.roll import LEAST, MOST, chance_completed, declarations_of, distance_of
from systems.wh40k.scene import Scene
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.geometry.distance import gaps_on_grid, nearest_discs
from tabletop.ruling.odds import ChanceMap
from tabletop.ruling.system import Case
from tabletop.table.models import ModelArray, RoundBase, crowd
from tabletop.units import CONTACT

DISTANCE_SPARE = 3e-3
"""Inches by which a distance must differ from an integer, and a plan keep its limits, to be decided here."""

BY_PLACE = frozenset(
    f"wh40k.{name}" for name in ("eligible.near", "eligible.not-engaged", "targets.range")
)
"""Declaration limits that depend on where the target stands."""


def chance_map(case: Case, poses: FloatArray) -> ChanceMap:
    """Return the chances of a case's only charge with its target at poses (n, 3): x, y in inches, heading in radians.

    Places where the simple argument of this module does not decide are left undecided.
    """
    found = ChanceMap.unknown(len(poses))
    charge = case.charges[0]
    declaration = declare(case, charge, case.state)
    scene = declaration.scene
    if (
        len(case.charges) != 1
        or charge.dice is not None
        or any(declarations_of(charge).overwatch.before)
        or not _is_open(scene)
    ):
        return found
    models = crowd(scene.charger.models)
    places = poses[:, :2]
    gaps = _gaps(scene, models, places)
    _refuse(declaration, places, gaps, found)
    # surely not nothing, nor another whole distance than it seems to be
    needed = gaps - engagement_of(scene).horizontal
    is_sure = (needed > DISTANCE_SPARE) & (np.abs(needed - np.round(needed)) > DISTANCE_SPARE)
    left = np.flatnonzero(
        ~found.is_decided & is_sure & (gaps < scene.book.declare_range - DISTANCE_SPARE)
    )
    sure = left[_may_follow(scene, models, places[left], needed[left])]
    _allow(case, scene, needed[sure], sure, found)
    return found


def _is_open(scene: Scene) -> bool:
    """Return whether the ground is open: no other units, no terrain, round bases on the ground, a coherent charger that
    turns freely.
    """
    models = (*scene.charger.models, *scene.targets[0].models)
    nobody_else = (
        set(scene.state.units) == {scene.charger.name, scene.targets[0].name}
        and not scene.state.terrain
    )
    is_alone = nobody_else and len(scene.targets[0].models) == 1
    is_plain = all(isinstance(model.base, RoundBase) and model.z == 0.0 for model in models)
    is_free = (
        not any(scene.pivot_value(model) for model in scene.charger.models) and not scene.is_flyer
    )
    return (
        is_alone
        and is_plain
        and is_free
        and Ends(scene, scene.charger.models).coherency_margin >= DISTANCE_SPARE
    )


def _gaps(scene: Scene, models: ModelArray, places: FloatArray) -> FloatArray:
    """Return the gaps (n,) in inches between the charger and the target at places (n, 2); lower bounds if beyond the
    declare range.
    """
    radius = float(crowd(scene.targets[0].models).radii[0])
    x = np.unique(places[:, 0])
    y = np.unique(places[:, 1])
    is_grid = np.array_equal(
        places, np.stack(np.meshgrid(x, y, indexing="ij"), axis=2).reshape(-1, 2)
    )
    if not is_grid or (models.radii != models.radii[0]).any():
        return nearest_discs(places, models.centres, models.radii)[0] - radius
    far = scene.book.declare_range + 1.0
    return gaps_on_grid(x, y, models.centres, float(models.radii[0]) + radius, beyond=far).ravel()


def _refuse(
    declaration: Declaration, places: FloatArray, gaps: FloatArray, found: ChanceMap
) -> None:
    """Record in `found`, in place, set-ups that are impossible (chance nan) and charges that may not be declared
    (chance 0).
    """
    scene = declaration.scene
    radius = float(crowd(scene.targets[0].models).radii[0])
    board = scene.state.board
    inside = np.minimum(places, np.array([board.width, board.depth]) - places).min(axis=1) - radius
    cannot_be = (inside < -CONTACT - DISTANCE_SPARE) | (gaps < -CONTACT - DISTANCE_SPARE)
    can_be = (inside > DISTANCE_SPARE) & (gaps > DISTANCE_SPARE)
    is_barred = np.full(
        len(gaps),
        any(not finding.ok for finding in declaration.findings if finding.rule not in BY_PLACE),
    )
    is_barred |= (gaps > scene.book.declare_range + DISTANCE_SPARE) | (
        gaps < engagement_of(scene).horizontal - DISTANCE_SPARE
    )
    found.is_decided[cannot_be | (can_be & is_barred)] = True
    found.chance[can_be & is_barred] = 0.0


def _may_follow(
    scene: Scene, models: ModelArray, places: FloatArray, needed: FloatArray
) -> BoolArray:
    """Return where all models may move by the vector of the nearest one, as booleans (n,): on the board, closer, clear
    of the target.

    `places` (n, 2) are those of the target, `needed` (n,) the lengths of the move in inches.
    """
    radius = float(crowd(scene.targets[0].models).radii[0])
    _, nearest = nearest_discs(places, models.centres, models.radii)
    way = places - models.centres[nearest]
    ends = models.centres + (way * (needed / np.hypot(way[:, 0], way[:, 1]))[:, None])[:, None]
    before, after = (
        np.hypot(*np.moveaxis(places[:, None] - at, 2, 0)) for at in (models.centres, ends)
    )
    room = np.array([scene.state.board.width, scene.state.board.depth])
    inside = np.minimum(ends, room - ends).min(axis=2) - models.radii
    return np.asarray(
        (
            np.minimum(inside, np.minimum(before - after, after - models.radii - radius))
            > DISTANCE_SPARE
        ).all(axis=1)
    )


def _allow(case: Case, scene: Scene, needed: FloatArray, which: IntArray, found: ChanceMap) -> None:
    """Record in `found`, in place at the indices `which`, the chances of charges that need `needed` inches."""
    bonus = scene.distance_bonus
    charge = case.charges[0]
    distances = np.maximum(1.0, np.ceil(needed))
    for whole in np.unique(distances).tolist():
        some = which[distances == whole]
        rolls = [
            distance
            for total in range(LEAST, MOST + 1)
            if (distance := distance_of(total, bonus)) >= whole
        ]
        found.chance[some] = float(chance_completed(charge, whole - bonus, whole - bonus))
        found.shortest_roll[some] = rolls[0] if rolls else math.nan
        found.is_decided[some] = True
