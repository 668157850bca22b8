"""The five nested questions of a charge, put to the search for places of loose models: what these rules and this table are to it."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal

import numpy as np

from systems.wh40k.conditions import coherency_of, engagement_of
from systems.wh40k.roll import MOST_NEEDED
from systems.wh40k.scene import Scene, top_of
from systems.wh40k.standing import stands_by_centre
from systems.wh40k.ways import ANY_HINDRANCE, Ways
from tabletop.placement.candidates import RaisedModels, Surface
from tabletop.placement.task import Condition, End, Piece, Situation, Task
from tabletop.table.crowd import crowd
from tabletop.table.squad import Squad

Level = Literal["engaged", "grounded", "apart", "coherent", "closer"]
"""How much is asked of the ends: each level asks all that the ones before it ask, and one thing more."""

LEVELS: tuple[Level, ...] = ("engaged", "grounded", "apart", "coherent", "closer")
"""Every target engaged, ends part-way up allowed; no end part-way up; apart from other enemies; coherent; closer to a target."""

CONDITIONS: tuple[Condition, ...] = ("grounded", "apart", "coherent", "closer")


def task_of(scene: Scene, limit: float, level: Level = "closer", *, placed: Mapping[int, End] = MappingProxyType({})) -> Task:
    """Ask where the living models of a scene's charger may end as a level asks, none moving farther than `limit` inches.

    `placed` holds ends already taken, by model number.
    """
    return Task(scene.situation, limit, frozenset(CONDITIONS[: LEVELS.index(level)]), placed)


def situation_of(scene: Scene) -> Situation:
    """Return what the search for places knows of a charge; `scene.situation` keeps it."""
    choices, charger = scene.choices, scene.charger

    def ways(reach: float, is_apart: bool) -> Ways:  # noqa: FBT001
        return Ways(scene, reach=reach, hindrances=ANY_HINDRANCE if is_apart else ANY_HINDRANCE - {"zones"})

    return Situation(
        movers=crowd(charger.models),
        own_height=scene.body_height(charger),
        pivots=tuple(scene.pivot_value(model) for model in charger.models),
        targets=tuple(_raised(scene, [target]) for target in scene.targets),
        shunned=_raised(scene, scene.non_targets),
        bodies=scene.bodies,
        board=scene.state.board,
        solids=tuple(Piece(piece.shape, top_of(piece)) for piece in scene.solids),
        climbed=tuple(Piece(piece.shape, piece.height) for piece in scene.climbed),
        surfaces=(
            Surface(0.0),
            *(Surface(piece.height, piece.shape, stands_by_centre(scene, piece)) for piece in (*scene.blocks, *scene.floors)),
        ),
        free_height=scene.lowest_climb,
        air=scene.air,
        engagement=engagement_of(scene),
        coherency=coherency_of(scene, len(charger.models)),
        clearance=choices.clearance,
        ways=ways,
        farthest=float(MOST_NEEDED),
        all_closer=choices.closer_scope == "all",
        wants_engaged=choices.spare_models == "engage",
    )


def _raised(scene: Scene, units: Iterable[Squad]) -> RaisedModels:
    """Gather the models of units, with the heights that they count for in vertical gaps."""
    models = [(model, scene.body_height(unit)) for unit in units for model in unit.models]
    return RaisedModels(crowd([model for model, _ in models]), np.array([tall for _, tall in models], dtype=float))
