"""Bodies of a measured table, which may lie off their written places, and tables on which they do.

A measured table is one whose file says how accurate its places are. To settle it is to find the nearest table that is possible, on which
nothing overlaps that must not.
"""

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
    """A regiment, loose model or piece of terrain, with the accuracy of its place.

    Attributes
    ----------
    name, number
        Name of the unit or piece of terrain, and number of the model in its unit; None if it is no loose model.
    thing
        The regiment, model or terrain at its written place.
    at, turn
        Accuracy of its reference point in inches, and of its heading in radians.
    carrier
        The body relative to which it is placed and with which it moves and turns; None if it was measured itself.
    """

    name: str
    number: int | None
    thing: Thing
    at: float = 0.0
    turn: float = 0.0
    carrier: "Body | None" = None

    @property
    def called(self) -> str:
        """Name in messages: that of the unit or piece, or UNIT.NUMBER for a loose model."""
        return self.name if self.number is None else f"{self.name}.{self.number}"

    @property
    def is_free(self) -> bool:
        """Whether its accuracy lets it lie elsewhere than written."""
        return self.at > 0.0 or self.turn > 0.0

    @cached_property
    def middle(self) -> Point:
        """Reference point on the table, in inches: that of its carrier if it has one, the centre of terrain, else the point of its pose."""
        if self.carrier is not None:
            return self.carrier.middle
        if isinstance(self.thing, Terrain):
            centre = shapely.centroid(self.thing.shape.core)
            return (float(centre.x), float(centre.y))
        return self.thing.pose.at

    @cached_property
    def shape(self) -> Shape:
        """Footprint at the written place, as a shape on the table."""
        return self.shape_of(self.thing)

    @staticmethod
    def shape_of(thing: Thing) -> Shape:
        """Return the footprint of a thing on the table: a regiment's boundary, a model's base, or the shape of terrain."""
        if isinstance(thing, Terrain):
            return thing.shape
        return thing.boundary if isinstance(thing, Regiment) else thing.footprint

    @cached_property
    def reach(self) -> float:
        """Radius in inches of the circle about its reference point that just contains its footprint."""
        return float(np.hypot(*(self.shape.outline() - np.array(self.middle)).T).max())

    @property
    def play(self) -> float:
        """Upper bound, in inches, on the distance of any of its points from where it is written, by its accuracy."""
        return self.at + 2.0 * self.reach * math.sin(self.turn / 2.0)

    def moved(self, aside: FloatArray) -> Thing:
        """Return the thing shifted and turned by `aside` (3,): inches along x and y, then radians about its reference point."""
        x, y, turn = (float(value) for value in aside)
        if isinstance(self.thing, Terrain):
            core = affinity.rotate(self.thing.shape.core, turn, origin=self.middle, use_radians=True)
            return replace(self.thing, shape=Shape(affinity.translate(core, x, y), self.thing.shape.radius))
        pose = self._turned(self.thing.pose, turn)
        pose = Pose(pose.x + x, pose.y + y, pose.heading)
        return self.thing.at(pose) if isinstance(self.thing, Regiment) else replace(self.thing, pose=pose)

    def _turned(self, pose: Pose, turn: float) -> Pose:
        """Return a pose turned by radians about the reference point of the carrier, or on the spot if there is none."""
        if self.carrier is None or not turn:
            return Pose(pose.x, pose.y, pose.heading + turn)
        aside, ahead = pose.x - self.middle[0], pose.y - self.middle[1]
        cos, sin = math.cos(turn), math.sin(turn)
        return Pose(self.middle[0] + aside * cos - ahead * sin, self.middle[1] + aside * sin + ahead * cos, pose.heading + turn)


def bodies_of(state: State[Any], measured: Measured) -> tuple[Body, ...]:
    """Return all bodies on a table with their accuracies, units before terrain, each in file order; units on hexes are left out."""
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
    """Return the longer side, in inches, of the least rectangle around a shape; 0 for a disc, which has no heading."""
    if isinstance(shape.core, shapely.Point):
        return 0.0
    ring = shapely.get_coordinates(shapely.minimum_rotated_rectangle(shape.core))
    return float(np.hypot(*np.diff(ring, axis=0).T).max())


def table_with(state: State[Any], bodies: Sequence[Body], asides: FloatArray) -> State[Any]:
    """Return the table with its bodies shifted and turned by the rows of `asides` (n, 3): inches along x and y, and radians.

    Bodies that are exact stay. `asides` has a row for each of `bodies`.
    """
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
