"""What hinders one model on its way, as the rules see it: bodies of enemies, zones of non-targets, terrain to climb or to go round."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from systems.wh40k.barricade_shadow import Lookout
from systems.wh40k.conditions import is_large, zone_gap
from systems.wh40k.footway import FootprintWays
from systems.wh40k.scene import Scene
from tabletop.geometry.pose import FloatArray, Pose
from tabletop.routes.configuration_space import Barrier, ConfigurationSpace, Platform, Shut, Solid
from tabletop.ruling.charge import Spot
from tabletop.table.crowd import BoolArray, crowd, gaps
from tabletop.table.squad import Footing, Model, RoundBase, Squad, footprint
from tabletop.units import STRICTLY_BEYOND

ANY_HINDRANCE = frozenset({"zones", "enemies", "vehicles", "impassable"})
Footed = tuple[Footing, float]
"""A base or hull and the direction in which it looks, in radians."""


@dataclass(frozen=True)
class ModelWay:
    """How a model gets to its end: the points of its path (x, y, z in inches) and the length as the rules measure it."""

    path: tuple[Spot, ...]
    length: float


@dataclass(frozen=True, eq=False)
class Ways:
    """The shortest ways of the models of a scene's charger.

    Attributes
    ----------
    scene
        The charge, the models where they begin.
    reach
        Inches beyond which no way need be found.
    zone
        The gap in inches that ways keep to non-targets, if not that of solved ways; None: their zones do not hinder.
    hindrances
        Which kinds of things are in the way: all, unless it is asked what one of them prevents.
    """

    scene: Scene
    reach: float = math.inf
    zone: float | None = None
    hindrances: frozenset[str] = ANY_HINDRANCE
    _footways: dict[tuple[Footed, tuple[float, ...]], FootprintWays] = field(default_factory=dict, init=False, repr=False)

    def lengths(self, model: Model, ends: FloatArray, heading: float | None = None) -> FloatArray:
        """Measure the lengths (n,) in inches, pivot included, of a model's ways to places (n, 3); inf where there is none within reach.

        `heading` in radians is that of the ends, if not the model's own.
        """
        start = _place(model)
        own = self._footway(model, model.pose.heading).lengths(start, ends)
        if heading is None or model.pose.faces_like(Pose(*model.pose.at, heading)):
            return own
        cost = self.scene.pivot_value(model)
        if isinstance(model.base, RoundBase):
            return own + cost
        return np.minimum(own, self._footway(model, heading).lengths(start, ends)) + cost

    def are_straight(self, model: Model, ends: FloatArray) -> BoolArray:
        """Tell to which places (n, 3) nothing is near the straight way of a model that keeps its facing."""
        return self._footway(model, model.pose.heading).are_straight(_place(model), ends)

    def length(self, start: Model, end: Model) -> float:
        """Measure the length in inches of a model's way to an end."""
        if start.stands_like(end):
            return 0.0
        return float(self.lengths(start, np.array([_place(end)]), end.pose.heading)[0])

    def way(self, start: Model, end: Model) -> ModelWay:
        """Give the shortest way of a model to an end; it is taken to be within reach."""
        if start.stands_like(end):
            return ModelWay((_place(start),), 0.0)
        headings = (start.pose.heading,) if start.pose.faces_like(end.pose) else (start.pose.heading, end.pose.heading)
        found = [self._footway(start, heading).path(_place(start), _place(end)) for heading in headings]
        cost = self.scene.pivot_value(start) if len(headings) > 1 else 0.0
        length, points = min(found)
        return ModelWay(points or (_place(start), _place(end)), length + cost)

    def _footway(self, model: Model, heading: float) -> FootprintWays:
        looking = 0.0 if isinstance(model.base, RoundBase) else heading
        needs = self._needs(model)
        key = ((model.base, looking), needs)
        if key not in self._footways:
            self._footways[key] = self._made(self._built(model.base, looking, needs))
        return self._footways[key]

    def _made(self, ground: ConfigurationSpace) -> FootprintWays:
        return FootprintWays(ground, self.scene.air, self.scene.choices.fly_path == "taut", self.scene.lowest_climb)

    def _built(self, base: Footing, heading: float, needs: tuple[float, ...]) -> ConfigurationSpace:
        board = self.scene.state.board
        return ConfigurationSpace(
            footprint(base, Pose(0.0, 0.0, heading)),
            board.width,
            board.depth,
            tuple(Solid(piece.shape, piece.height) for piece in self.scene.climbed),
            tuple(Platform(piece.shape, piece.height) for piece in self.scene.floors),
            (*self._zones(needs), *self._bodies(), *self._impassable()),
            tuple(self._shadows(base)) if needs else (),
            reach=self.reach,
            region=self._region,
        )

    @property
    def _region(self) -> tuple[float, float, float, float]:
        centres = crowd(self.scene.charger.models).centres
        (west, south), (east, north) = centres.min(axis=0) - self.reach, centres.max(axis=0) + self.reach
        return (float(west), float(south), float(east), float(north))

    @property
    def _keeps_out(self) -> bool:
        """Whether engagement ranges of non-targets hinder on the way."""
        choices = self.scene.choices
        is_passing = self.scene.is_flyer and choices.fly_zones == "pass"
        return "zones" in self.hindrances and choices.engagement_path == "path" and not is_passing

    def _needs(self, model: Model) -> tuple[float, ...]:
        """Give the gaps to keep to the models of non-targets: never more than there is where a model begins."""
        if not self._keeps_out:
            return ()
        needed = zone_gap(self.scene) if self.zone is None else self.zone
        others = crowd([other for unit in self.scene.non_targets for other in unit.models])
        if not others.models:
            return ()
        return tuple(np.minimum(needed, gaps(crowd([model]), others, beyond=needed)[0]).tolist())

    def _zones(self, needs: tuple[float, ...]) -> Iterator[Barrier]:
        if not needs:
            return
        scene = self.scene
        up, own = scene.book.engagement_vertical, scene.body_height(scene.charger)
        models = [(other, scene.body_height(unit)) for unit in scene.non_targets for other in unit.models]
        for (other, height), needed in zip(models, needs, strict=True):
            yield Barrier(other.footprint, needed, other.z - up - own, other.z + height + up)

    def _shadows(self, base: Footing) -> Iterator[Shut]:
        """Give the places behind barricades that are within the longer range of non-targets there."""
        scene = self.scene
        if not scene.barricades or not isinstance(base, RoundBase):
            return
        clearance = scene.choices.clearance if self.zone is None else self.zone - scene.book.engagement_horizontal
        up, own = scene.book.engagement_vertical, scene.body_height(scene.charger)
        for unit in scene.non_targets:
            for other in (model for model in unit.models if isinstance(model.base, RoundBase)):
                lookout = Lookout(other.pose.at, other.footprint.radius, base.diameter / 2, scene.book.barricade_engagement, clearance)
                for curve in (curve for piece in scene.barricades for curve in lookout.shadows(piece.shape)):
                    yield Shut(curve, other.z - up - own, other.z + scene.body_height(unit) + up)

    def _bodies(self) -> Iterator[Barrier]:
        if not self.scene.is_flyer:
            for unit in (*self._enemies, *self._vehicles):
                heights = [0.0 if model.z <= self.scene.lowest_climb else model.z for model in unit.models]
                yield from (Barrier(model.footprint, 0.0, z, z) for model, z in zip(unit.models, heights, strict=True))

    @property
    def _enemies(self) -> tuple[Squad, ...]:
        return self.scene.enemies if "enemies" in self.hindrances else ()

    @property
    def _vehicles(self) -> tuple[Squad, ...]:
        """Friendly units whose models the charger's may not pass."""
        is_hindered = "vehicles" in self.hindrances and is_large(self.scene.charger)
        return tuple(unit for unit in self.scene.friends if is_large(unit)) if is_hindered else ()

    def _impassable(self) -> Iterator[Barrier]:
        if "impassable" in self.hindrances:
            yield from (Barrier(piece.shape) for piece in self.scene.forbidden)


def _place(model: Model) -> Spot:
    return (*model.pose.at, model.z)


def judged_zone(scene: Scene) -> float:
    """Give the gap in inches that ways which are judged keep to non-targets: with the tolerance of ways, more than is engaged."""
    return scene.book.engagement_horizontal + STRICTLY_BEYOND
