"""Bodies of a measured table, which may lie off their written places, and tables on which they do."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import shapely
from shapely import affinity

from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import Shape
from tabletop.table.accuracy import Measured
from tabletop.table.models import Model, Squad
from tabletop.table.state import Regiment, State, Terrain

Thing = Regiment | Model | Terrain


@dataclass(frozen=True, eq=False)
class Body:
    """A regiment, loose model or piece of terrain; `at` is the accuracy of its reference point in inches, `turn` that of its heading.

    `name` is that of the unit or piece, `number` that of the model in its unit. One that is carried goes and turns with its `carrier`.
    """

    name: str
    number: int | None
    thing: Thing
    at: float = 0.0
    turn: float = 0.0
    carrier: "Body | None" = None

    @property
    def called(self) -> str:
        """Name in messages: for a model its unit and number."""
        return self.name if self.number is None else f"{self.name}.{self.number}"

    @property
    def is_free(self) -> bool:
        """Whether it may lie elsewhere than written."""
        return self.at > 0.0 or self.turn > 0.0

    @cached_property
    def middle(self) -> Point:
        """Reference point: the place of a unit or model, the centre of terrain, or the reference point of its carrier."""
        if self.carrier is not None:
            return self.carrier.middle
        if isinstance(self.thing, Terrain):
            centre = shapely.centroid(self.thing.shape.core)
            return (float(centre.x), float(centre.y))
        return self.thing.pose.at

    @cached_property
    def shape(self) -> Shape:
        """Footprint at the written place."""
        return self.shape_of(self.thing)

    @staticmethod
    def shape_of(thing: Thing) -> Shape:
        """Return the footprint of a thing on the table."""
        if isinstance(thing, Terrain):
            return thing.shape
        return thing.boundary if isinstance(thing, Regiment) else thing.footprint

    @cached_property
    def reach(self) -> float:
        """Radius in inches about its reference point that contains all of it."""
        return float(np.hypot(*(self.shape.outline() - np.array(self.middle)).T).max())

    @property
    def play(self) -> float:
        """Upper bound, in inches, on how far any of its points can be from where it is written."""
        return self.at + 2.0 * self.reach * math.sin(self.turn / 2.0)

    def moved(self, aside: FloatArray) -> Thing:
        """Return the thing shifted and turned by `aside` (3,): inches along x and y, radians about its reference point."""
        x, y, turn = (float(value) for value in aside)
        if isinstance(self.thing, Terrain):
            core = affinity.rotate(self.thing.shape.core, turn, origin=self.middle, use_radians=True)
            return replace(self.thing, shape=Shape(affinity.translate(core, x, y), self.thing.shape.radius))
        pose = self._turned(self.thing.pose, turn)
        pose = Pose(pose.x + x, pose.y + y, pose.heading)
        return self.thing.at(pose) if isinstance(self.thing, Regiment) else replace(self.thing, pose=pose)

    def _turned(self, pose: Pose, turn: float) -> Pose:
        """Return a pose turned about the reference point."""
        if self.carrier is None or not turn:
            return Pose(pose.x, pose.y, pose.heading + turn)
        aside, ahead = pose.x - self.middle[0], pose.y - self.middle[1]
        cos, sin = math.cos(turn), math.sin(turn)
        return Pose(self.middle[0] + aside * cos - ahead * sin, self.middle[1] + aside * sin + ahead * cos, pose.heading + turn)


def bodies_of(state: State[Any], measured: Measured) -> tuple[Body, ...]:
    """Return all bodies on a table, units first, in file order; hexes are exact and left out."""
    found = [_measured(name, number, thing, measured) for name, number, thing in _things(state)]
    if not measured.carried:
        return tuple(found)
    known = {body.called: body for body in found}
    carriers = [known[measured.carrier(body.called)] for body in found]
    return tuple(
        body if one is body else replace(body, at=one.at, turn=one.turn, carrier=one) for body, one in zip(found, carriers, strict=True)
    )


def _things(state: State[Any]) -> Iterator[tuple[str, int | None, Thing]]:
    for name, unit in state.units.items():
        if isinstance(unit, Squad):
            yield from ((name, model.number, model) for model in unit.models)
        elif isinstance(unit, Regiment):
            yield name, None, unit
    for piece in state.terrain:
        yield piece.name, None, piece


def _measured(name: str, number: int | None, thing: Thing, measured: Measured) -> Body:
    accuracy = measured.of(name)
    return Body(name, number, thing, accuracy.at, accuracy.turning(longer_side(Body.shape_of(thing))))


def longer_side(shape: Shape) -> float:
    """Return the longer side of the least rectangle around a shape, in inches; 0 of a disc, which has no heading."""
    if isinstance(shape.core, shapely.Point):
        return 0.0
    ring = shapely.get_coordinates(shapely.minimum_rotated_rectangle(shape.core))
    return float(np.hypot(*np.diff(ring, axis=0).T).max())


def table_with(state: State[Any], bodies: Sequence[Body], asides: FloatArray) -> State[Any]:
    """Return the table with its bodies shifted and turned by `asides` (n, 3): inches and radians."""
    moved = {
        (body.name, body.number): body.moved(aside) for body, aside in zip(bodies, asides, strict=True) if body.is_free and aside.any()
    }
    if not moved:
        return state
    at: Callable[[str, int | None, Any], Any] = lambda name, number, thing: moved.get((name, number), thing)  # noqa: E731
    units: Mapping[str, Any] = {
        name: replace(unit, models=tuple(at(name, model.number, model) for model in unit.models))
        if isinstance(unit, Squad)
        else at(name, None, unit)
        for name, unit in state.units.items()
    }
    return replace(state, units=units, terrain=tuple(at(piece.name, None, piece) for piece in state.terrain))
