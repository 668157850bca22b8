"""One relation followed: where a front stands by another unit, or a loose model by one other or two."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import gap
from tabletop.scenario.entries import FRONTS, AheadOf, FlushOn, PlaceEntry
from tabletop.table.facing import facing_of
from tabletop.table.squad import Model
from tabletop.table.state import Regiment
from tabletop.units import CONTACT, facing_degrees
from tabletop.words import shown

MODELS = ("touching", "near")
"""Keys that say how a model stands to others."""


class MisfitError(Exception):
    """A relation that leads to no place: the keys, below its front or model, that are at fault, and why."""

    def __init__(self, why: str, *keys: str | int) -> None:
        self.why, self.keys = why, keys
        super().__init__(why)


def relation_of(entry: Any) -> str | None:
    """Return the key by which an entry says how something stands to others; None if it tells a place."""
    return next((key for key in (*FRONTS, *MODELS) if getattr(entry, key, None) is not None), None)


def front_by(unit: Regiment, entry: PlaceEntry, other: Regiment) -> Pose:
    """Return the pose of a front that stands by another; its facing is one that can be written in degrees."""
    if entry.flush_on is not None:
        return _flush(unit, entry.flush_on, other)
    if entry.beside is not None:
        aside = other.width / 2 + entry.beside.gap + unit.width / 2
        right, ahead, turn = aside if entry.beside.side == "right" else -aside, entry.beside.shift, 0.0
    else:
        relation = cast("AheadOf", entry.ahead_of)
        is_same = relation.facing == "same"
        right, ahead, turn = relation.shift, relation.gap + (unit.depth if is_same else 0.0), 0.0 if is_same else math.pi
    return Pose(*other.pose.point(right, ahead), _writable(other.pose.heading + turn))


def _flush(unit: Regiment, relation: FlushOn, other: Regiment) -> Pose:
    facing = facing_of(other, relation.facing)
    most = (facing.length + unit.width) / 2
    if abs(relation.offset) > most + CONTACT:
        why = f"the front misses the {relation.facing} of {shown(relation.unit)}; expected at most {most:.6g} in to either side"
        raise MisfitError(f"{why}, given {relation.offset:g}", "flush_on", "offset")
    pose = facing.flush_pose(facing.length / 2 + relation.offset - unit.width / 2, unit.width)
    return replace(pose, heading=_writable(pose.heading))


def _writable(heading: float) -> float:
    """Return a heading as it is read again once it is written in degrees."""
    return math.radians(facing_degrees(heading))


def model_by(model: Model, entry: Any, others: Sequence[Model]) -> Model:
    """Return a model where it stands by one other or two, as high as they stand if its own height is not told."""
    from tabletop.placement.touching import are_simple

    if not all(are_simple(model, other) for other in others):
        key = str(relation_of(entry))
        raise MisfitError("the outlines have too many corners for a place in contact to be found; give the place itself, at", key)
    if len({other.z for other in others}) > 1 and entry.z is None:
        first, second = map(shown, entry.touching)
        raise MisfitError(f"is missing: {first} and {second} stand at different heights", "z")
    x, y = _by_one(model, entry, others[0]) if len(others) == 1 else _by_two(model, entry, *others)
    return model.at(replace(model.pose, x=x, y=y), others[0].z if entry.z is None else entry.z)


def _by_one(model: Model, entry: Any, other: Model) -> Point:
    from tabletop.placement.touching import place_on_ray

    at = place_on_ray(model, other, math.radians(entry.bearing_deg), needed=entry.gap or 0.0)
    if at is None:
        name = shown(entry.touching or entry.near)
        raise MisfitError(f"on its way in from {entry.bearing_deg:g} degrees the model passes {name} by; choose another", "bearing_deg")
    return at


def _by_two(model: Model, entry: Any, first: Model, second: Model) -> Point:
    from tabletop.placement.touching import place_against_both

    names = " and ".join(map(shown, entry.touching))
    if first.pose.at == second.pose.at:
        raise MisfitError(f"{names} stand at one place, so there is no {entry.side} of a line between them; touch one of them", "touching")
    at = place_against_both(model, first, second, entry.side)
    if at is None:
        apart = f"{names}, which are {gap(first.footprint, second.footprint):.6g} in apart"
        raise MisfitError(f"no place on the {entry.side} touches both {apart}; touch one of them, with bearing_deg", "touching")
    return at
