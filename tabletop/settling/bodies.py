"""Bodies of a measured table, which may lie off their written places, and tables on which they do.

A measured table is one whose file says how accurate its places are. To settle it is to find the nearest table that is
possible, on which nothing overlaps that must not.
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
from tabletop.geometry.distance import farthest, gap
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import Shape, disc
from tabletop.table.accuracy import Measured, Relation
from tabletop.table.models import Hull, Model, Squad
from tabletop.table.state import Regiment, State, Terrain

Thing = Regiment | Model | Terrain

RELATION_DERIVATIVE_STEP = 1e-6
"""Step in inches and radians for the numerical derivatives of the place of a body by the numbers of its relation."""


@dataclass(frozen=True, eq=False)
class Body:
    """A regiment, loose model or piece of terrain, with the accuracy of its place.

    Attributes
    ----------
    name, number
        Name of the unit or piece of terrain, and number of the model in its unit; None if it is no loose model.
    thing
        The regiment, model or terrain at its written place.
    at
        Accuracy of its place in inches.
    scale
        By how much its own variables may be off: x and y in inches and the heading in radians or, if it is placed
        relative to another body, the two numbers of that relation and the heading.
    carrier, relation
        The body relative to which it is placed and with which it moves and turns, and how; None if it was measured
        itself. Without a relation it is rigid with its carrier.
    """

    name: str
    number: int | None
    thing: Thing
    at: float = 0.0
    scale: tuple[float, float, float] = (0.0, 0.0, 0.0)
    carrier: "Body | None" = None
    relation: Relation | None = None

    @property
    def called(self) -> str:
        """Name in messages: that of the unit or piece, or UNIT.NUMBER for a loose model."""
        return self.name if self.number is None else f"{self.name}.{self.number}"

    @property
    def turn(self) -> float:
        """Accuracy of its heading in radians."""
        return self.scale[2]

    @cached_property
    def chain(self) -> tuple["Body", ...]:
        """The body itself, the one relative to which it is placed, and so on."""
        found = [self]
        while (carrier := found[-1].carrier) is not None:
            found.append(carrier)
        return tuple(found)

    @cached_property
    def is_free(self) -> bool:
        """Whether its accuracy, or that of a body on which it depends, lets it lie elsewhere than written."""
        return any(any(one.scale) for one in self.chain)

    @cached_property
    def middle(self) -> Point:
        """Reference point on the table, in inches: the centre of terrain, else the point of its pose."""
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
        """Return the footprint of a thing on the table: a regiment's boundary, a model's base, or the shape of
        terrain.
        """
        if isinstance(thing, Terrain):
            return thing.shape
        return thing.boundary if isinstance(thing, Regiment) else thing.footprint

    def shape_at(self, aside: FloatArray) -> Shape:
        """Return the footprint shifted and turned by `aside` (3,), as `moved` does."""
        return self.shape_of(self.moved(aside))

    @cached_property
    def reach(self) -> float:
        """Radius in inches of the circle about its reference point that just contains its footprint."""
        return farthest(self.shape.outline(), self.middle)

    @cached_property
    def play(self) -> float:
        """Upper bound, in inches, on the distance of any of its points from where it is written, by its accuracy."""
        return self.play_about(None)

    def play_about(self, common: "Body | None") -> float:
        """Return the bound `play` as seen from a body of its `chain`, which may lie elsewhere itself; None: as seen
        from the table.
        """
        total = 0.0
        outline = self.shape.outline()
        for one in self.chain:
            if one is common:
                break
            far = total + farthest(outline, one.middle)
            total += one.own_play + 2.0 * far * math.sin(one.turn / 2.0)
        return total

    @cached_property
    def own_play(self) -> float:
        """Upper bound, in inches, on how far its reference point can be from where it is written while its carrier is
        not moved.

        The place of a model on a ray changes with the direction of the ray by no more than the slope that the circles
        within and around the two outlines allow.
        """
        first, second, turn = self.scale
        if self.carrier is None:
            return first
        if isinstance(self.thing, Regiment):
            return math.hypot(first, second)
        apart = gap(self.shape, self.carrier.shape)
        far = self.reach + self.carrier.reach + apart
        near = self.inner + self.carrier.inner + apart
        most = far + first + math.dist(self.middle, self.carrier.middle)
        if near <= 0.0:
            return most
        steep = max(far / near, 1.0)
        off = steep * (first + 2.0 * self.reach * math.sin(turn / 2.0))
        return min(
            off
            + (far + first) * (2.0 * math.sin(second / 2.0) + second * math.sqrt(steep**2 - 1.0)),
            most,
        )

    @cached_property
    def inner(self) -> float:
        """Radius in inches of the circle about its reference point that lies within its footprint; 0 for a hull, which
        may be hollow.
        """
        is_hull = isinstance(self.thing, Model) and isinstance(self.thing.base, Hull)
        return 0.0 if is_hull else -gap(disc(self.middle, 0.0), self.shape)

    def shift(self, own: FloatArray) -> FloatArray:
        """Return how far the numbers of its relation and its heading, `own` (3,), move its reference point, in inches
        (2,).
        """
        if self.relation is None or not own.any():
            return np.zeros(2)
        return np.array(self.relation(*own.tolist())) - self.middle

    def rates(self, own: FloatArray) -> FloatArray:
        """Return the derivatives (2, 3) of `shift` by these, by central finite differences."""
        steps = RELATION_DERIVATIVE_STEP * np.diag(np.sign(self.scale))
        rates: FloatArray = np.array(
            [self.shift(own + step) - self.shift(own - step) for step in steps]
        ).T / (2 * RELATION_DERIVATIVE_STEP)
        return rates

    def carried(self, own: FloatArray, aside: FloatArray) -> FloatArray:
        """Return the displacement (3,) of a body by its own variables (3,) and by that of its carrier, `aside` (3,)."""
        if self.carrier is None:
            return own
        shift = self.shift(own)
        arm = shift + self.middle - self.carrier.middle
        return np.append(shift + turned(arm, aside[2]) - arm + aside[:2], own[2] + aside[2])

    def wanted(self, way: FloatArray, turn: float) -> FloatArray:
        """Return variables (3,), in units of its accuracy, that move the body along `way` (2,), in such units, and turn
        it.

        Each number of a relation goes to the end of its accuracy that lies along `way`.
        """
        if self.carrier is None:
            return np.append(way, turn)
        rates = self.rates(np.zeros(3))
        lengths = np.hypot(*rates)
        along = np.divide(way @ rates, lengths, out=np.zeros(3), where=lengths > 0.0)[:2]
        most = float(np.abs(along).max())
        return np.append(along / (most or 1.0) * np.hypot(*way), turn)

    def moved(self, aside: FloatArray) -> Thing:
        """Return the thing shifted and turned by `aside` (3,): inches along x and y, then radians about its reference
        point.
        """
        x, y, turn = (float(value) for value in aside)
        if isinstance(self.thing, Terrain):
            core = affinity.rotate(
                self.thing.shape.core, turn, origin=self.middle, use_radians=True
            )
            return replace(
                self.thing, shape=Shape(affinity.translate(core, x, y), self.thing.shape.radius)
            )
        pose = self.thing.pose
        pose = Pose(pose.x + x, pose.y + y, pose.heading + turn)
        return (
            self.thing.at(pose)
            if isinstance(self.thing, Regiment)
            else replace(self.thing, pose=pose)
        )


def turned(arm: FloatArray, angle: float) -> FloatArray:
    """Return a vector (2,) turned by radians, counter-clockwise."""
    cos = math.cos(angle)
    sin = math.sin(angle)
    x, y = arm
    return np.array([cos * x - sin * y, sin * x + cos * y])


def most_between(one: Body, other: Body) -> float:
    """Return an upper bound, in inches, on how much the gap of two bodies can differ from what is written, by their
    accuracy.
    """
    common = next((body for body in one.chain if body in other.chain), None)
    return one.play_about(common) + other.play_about(common)


def bodies_of(
    state: State[Any], measured: Measured, *, most_turn: float = math.inf
) -> tuple[Body, ...]:
    """Return all bodies on a table with their accuracies, units before terrain, each in file order; units on hexes are
    left out.

    No heading is less accurate than `most_turn` radians.
    """
    things = {body.called: body for body in _placed(state)}
    made: dict[str, Body] = {}
    for name in things:
        chain = [name]
        while (
            (other := measured.carried.get(chain[-1])) in things
            and other not in made
            and other not in chain
        ):
            chain.append(other)
        for called in reversed(chain):
            made.setdefault(
                called,
                _measured(
                    things[called], measured, made.get(measured.carried.get(called, "")), most_turn
                ),
            )
    return tuple(made[name] for name in things)


def _placed(state: State[Any]) -> Iterator[Body]:
    """Yield the bodies of a table where they are written, as if these places were exact."""
    for name, unit in state.units.items():
        if isinstance(unit, Squad):
            yield from (Body(name, model.number, model) for model in unit.models)
        elif isinstance(unit, Regiment):
            yield Body(name, None, unit)
    for piece in state.terrain:
        yield Body(piece.name, None, piece)


def _measured(body: Body, measured: Measured, carrier: Body | None, most_turn: float) -> Body:
    """Return a body with its accuracy, placed relative to its carrier, if there is one."""
    accuracy = measured.of(body.name)
    side = longer_side(body.shape)
    relation = measured.relations.get(body.called)
    scale = (accuracy.at, accuracy.at, accuracy.turning(side))
    if carrier is not None:
        scale = (0.0, 0.0, 0.0) if relation is None else relation.scale(accuracy, side)
    scale = (*scale[:2], min(scale[2], most_turn))
    return replace(body, at=accuracy.at, scale=scale, carrier=carrier, relation=relation)


def longer_side(shape: Shape) -> float:
    """Return the longer side, in inches, of the least rectangle around a shape; 0 for a disc, which has no heading."""
    if isinstance(shape.core, shapely.Point):
        return 0.0
    ring = shapely.get_coordinates(shapely.minimum_rotated_rectangle(shape.core))
    return float(np.hypot(*np.diff(ring, axis=0).T).max())


def table_with(state: State[Any], bodies: Sequence[Body], asides: FloatArray) -> State[Any]:
    """Return the table with its bodies shifted and turned by the rows of `asides` (n, 3): inches along x and y, and
    radians.

    `asides` has a row for each of `bodies`.
    """
    moved = {
        (body.name, body.number): body.moved(aside)
        for body, aside in zip(bodies, asides, strict=True)
        if aside.any()
    }
    if not moved:
        return state
    at: Callable[[str, int | None, Any], Any] = lambda name, number, thing: moved.get(  # noqa: E731
        (name, number), thing
    )
    units: Mapping[str, Any] = {
        name: replace(unit, models=tuple(at(name, model.number, model) for model in unit.models))
        if isinstance(unit, Squad)
        else at(name, None, unit)
        for name, unit in state.units.items()
    }
    return replace(
        state, units=units, terrain=tuple(at(piece.name, None, piece) for piece in state.terrain)
    )
