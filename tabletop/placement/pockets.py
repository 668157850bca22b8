"""Places near where a model begins: all that there is for one in a cage or a dead end."""

import math

import numpy as np

from tabletop.geometry.arrangement import circles, crossings, feet, glancing
from tabletop.geometry.pose import FloatArray
from tabletop.placement.contact_loci import ContactLoci, unique_places
from tabletop.placement.reachable import Options, ReachablePlaces
from tabletop.units import CONTACT

POCKET_STEPS = (0.002, 0.01, 0.05, 0.25, 1.0)
"""Inches of steps from where a model begins: the least is more than a hand's slack, by which a model would be taken to have stayed."""

POCKET_DIRECTIONS = 16
"""Directions of such steps, from that to the nearest foe of each target on."""

POCKET_WIDTH = 2.0
"""Inches around a model in which the corners of the room that it has are looked for."""


def pocket(reachable: ReachablePlaces, mover: int) -> Options:
    """Return places near where a model begins: small steps in all directions, and the corners and edges of the room that it has."""
    problem, task = reachable.problem, reachable.problem.task
    start, z, kind = problem.movers.centres[mover], float(problem.movers.heights[mover]), int(problem.kind_numbers[mover])
    fields = [field for field in reachable.fields[kind] if abs(field.surface.z - z) <= CONTACT]
    at = np.concatenate(
        [np.empty((0, 2)), *(_around(field, start, _nearest_foes(reachable, start), min(POCKET_WIDTH, task.limit)) for field in fields)]
    )
    found = reachable.unmeasured(mover, problem.candidates(kind, at, np.full(len(at), z)), task.limit + CONTACT)
    stay = reachable.stay(mover)
    return found if stay is None else Options(stay, np.zeros(1), np.ones(1, dtype=bool), np.full(1, -1)).plus(found)


def _around(field: ContactLoci, start: FloatArray, foes: FloatArray, wide: float) -> FloatArray:
    """Give places (k, 2) around a start on a surface, no matter whether a model may stand there."""
    bounds, rings = field.bounds.near(start, wide), circles(np.tile(start, (len(POCKET_STEPS), 1)), np.array(POCKET_STEPS))
    towards = np.arctan2(foes[:, 1] - start[1], foes[:, 0] - start[0])
    turns = (towards[:, None] + math.tau / POCKET_DIRECTIONS * np.arange(POCKET_DIRECTIONS)).ravel()
    steps = np.array(POCKET_STEPS)[:, None, None] * np.column_stack([np.cos(turns), np.sin(turns)])[None, :, :]
    seen_from = np.concatenate([start[None], foes])
    corners = [crossings(bounds, bounds)[0], crossings(rings, bounds)[0], feet(bounds, seen_from)[0], glancing(bounds, bounds)]
    found = np.concatenate([start + steps.reshape(-1, 2), *corners])
    return unique_places(found[np.hypot(*(found - start).T) <= wide])


def _nearest_foes(reachable: ReachablePlaces, start: FloatArray) -> FloatArray:
    """Give the places (targets, 2) of the foes of each target that are nearest to a start."""
    problem = reachable.problem
    apart = np.hypot(*(problem.foes.models.centres - start).T)
    nearest = [int(np.argmin(np.where(problem.target_of == target, apart, np.inf))) for target in problem.targets]
    return problem.foes.models.centres[nearest]
