"""Shortest paths of a charger's models by the rules, and their hindrances: enemies, zones of non-targets, terrain.

`Paths` measures and returns the paths of models; `FootprintPaths` those of one footprint at one heading: straight in
the open, around a single disc, and by a search on the visibility graph otherwise. Places are (x, y, z) in inches.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np
import shapely

from systems.wh40k.conditions import engagement_of
from systems.wh40k.scene import Scene, is_large
from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.geometry.curve import ArcCurve
from tabletop.geometry.distance import TOUCHING_LINE, line_gaps
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape
from tabletop.routes.bends import Bends
from tabletop.routes.hindrances import (
    Barrier,
    ForbiddenRegion,
    Hindrances,
    Platform,
    Solid,
    closed_gaps,
)
from tabletop.ruling.charge import Spot
from tabletop.table.models import BaseShape, Model, RoundBase, crowd, footprint, gap_matrix
from tabletop.units import CONTACT

if TYPE_CHECKING:
    from tabletop.routes.configuration_space import ConfigurationSpace

ANY_HINDRANCE = frozenset({"zones", "enemies", "vehicles", "impassable"})


@dataclass(frozen=True, eq=False)
class FootprintPaths:
    """The ground for one footprint at one heading, and the shortest paths on it.

    Attributes
    ----------
    ground
        Everything that hinders the footprint.
    air
        Which moves may also lead through the air: none, those from or to terrain, or all.
    is_taut
        Whether a path through the air bends round the edges of what lies below it, rather than being a straight
        segment.
    low
        Height in inches up to which going up or down costs nothing on foot.
    is_air_only
        Whether a move that may lead through the air is always measured there, so that its small steps count along a
        slope.
    is_reduced
        Whether the footprint stands for a larger one, in lower bounds: it may fly lower than that one, so that only
        barriers of all heights stop it in the air.
    """

    ground: Hindrances
    air: Literal["nowhere", "terrain", "anywhere"] = "nowhere"
    is_taut: bool = True
    low: float = 0.0
    is_air_only: bool = False
    is_reduced: bool = False
    _known: dict[Spot, dict[Spot, float]] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def space(self) -> "ConfigurationSpace":
        """The configuration space of the footprint on this ground, built on first use for paths that need a search."""
        from tabletop.routes.configuration_space import ConfigurationSpace

        return ConfigurationSpace(**vars(self.ground))

    def lengths(self, start: Spot, ends: FloatArray) -> FloatArray:
        """Return the lengths (n,) in inches of shortest paths from a place to others (n, 3); inf where there is none
        within reach.
        """
        lengths = self._on_foot(
            self._lowered(start),
            np.column_stack([ends[:, :2], np.where(ends[:, 2] <= self.low, 0.0, ends[:, 2])]),
        )
        flies = self._flies(start, ends)
        if flies.any():
            rises = np.where(ends[flies, 2] <= self.low, ends[flies, 2], 0.0) - self._free(start[2])
            around = np.hypot(lengths[flies], rises) if self.is_air_only else lengths[flies]
            lengths[flies] = np.minimum(around, self.flights(start, ends[flies]))
        return lengths

    def flights(self, start: Spot, ends: FloatArray) -> FloatArray:
        """Return the lengths (n,) in inches of paths through the air to places (n, 3); inf where none may lead."""
        from tabletop.routes.flight import air_lengths

        lengths = np.full(len(ends), np.inf)
        flies = self._flies(start, ends)
        if flies.any():
            lengths[flies] = air_lengths(
                self.space.land,
                start,
                ends[flies],
                is_taut=self.is_taut,
                is_reduced=self.is_reduced,
            )
        return lengths

    def is_unobstructed(self, start: Spot, ends: FloatArray) -> BoolArray:
        """Return to which places (n, 3) the straight path along the ground is clear, as booleans (n,).

        Some clear paths may be missed, since hindrances are replaced by discs around them.
        """
        return np.asarray(~self._obstructed(start, ends)[0].any(axis=1))

    def path(self, start: Spot, end: Spot) -> tuple[float, tuple[Spot, ...]]:
        """Return the length in inches and the points of the shortest path between two places; inf and () if there is
        none.
        """
        length, points = self._path_on_foot(self._lowered(start), self._lowered(end))
        flies = bool(self._flies(start, np.array([end]))[0])
        if points and flies and self.is_air_only:
            length = math.hypot(length, self._free(end[2]) - self._free(start[2]))
            points = self._sloped(start, points, end)
        elif points:
            points = tuple(dict.fromkeys((start, *points, end)))
        if not flies:
            return length, points
        from tabletop.routes.flight import through_the_air

        flown = through_the_air(self.space.land, start, end, is_taut=self.is_taut)
        if flown is None:
            return length, points
        return min(
            (length, points),
            (float(np.sqrt((np.diff(flown, axis=0) ** 2).sum(axis=1)).sum()), flown),
        )

    def _free(self, z: float) -> float:
        """Return a height in inches if it is low enough to cost nothing on foot, else 0."""
        return z if z <= self.low else 0.0

    def _sloped(self, start: Spot, points: tuple[Spot, ...], end: Spot) -> tuple[Spot, ...]:
        """Return the points of a path on foot at the heights of a slope from `start` to `end`, whose small steps are
        free on foot.
        """
        run = np.array([0.0, *accumulate(math.dist(*leg) for leg in pairwise(points))])
        shares = run[1:-1] / max(float(run[-1]), CONTACT)
        heights = (1.0 - shares) * self._free(start[2]) + shares * self._free(end[2])
        return (
            start,
            *(
                (x, y, z + more)
                for (x, y, z), more in zip(points[1:-1], heights.tolist(), strict=True)
            ),
            end,
        )

    def _lowered(self, spot: Spot) -> Spot:
        """Return a place lowered to the table if its height costs nothing on foot, else unchanged."""
        return (spot[0], spot[1], spot[2] - self._free(spot[2]))

    def _flies(self, start: Spot, ends: FloatArray) -> BoolArray:
        """Return to which places (n, 3) the path may lead through the air, as booleans (n,)."""
        if self.air == "terrain":
            return np.asarray(np.maximum(ends[:, 2], start[2]) > CONTACT)
        return np.full(len(ends), self.air == "anywhere")

    def _on_foot(self, start: Spot, ends: FloatArray) -> FloatArray:
        """Return the lengths (n,) in inches of shortest paths along the ground to places (n, 3), climbs included; inf
        for none.
        """
        away = ends - start
        lengths: FloatArray = np.hypot(away[:, 0], away[:, 1]) + np.abs(away[:, 2])
        blocked, single = self._obstructed(start, ends)
        if single.any():
            bends, is_clear = self._bends(start, ends[single], blocked[single])
            lengths[single] = bends.lengths
            single[single] = is_clear
        hard = blocked.any(axis=1) & ~single
        if hard.any():
            lengths[hard] = self._searched(start, ends[hard])
        return lengths

    def _searched(self, start: Spot, ends: FloatArray) -> FloatArray:
        """Return the lengths (n,) in inches of shortest paths to places (n, 3), searched on the visibility graph;
        cached.
        """
        known = self._known.setdefault(start, {})
        places = [(x, y, z) for x, y, z in ends.tolist()]
        asked = list(dict.fromkeys(place for place in places if place not in known))
        if asked:
            known.update(
                zip(asked, self.space.lengths(start, np.array(asked)).tolist(), strict=True)
            )
        return np.array([known[place] for place in places])

    def _path_on_foot(self, start: Spot, end: Spot) -> tuple[float, tuple[Spot, ...]]:
        ends = np.array([end])
        blocked, single = self._obstructed(start, ends)
        if not blocked.any():
            return math.dist(start, end), (start, end)
        if single[0]:
            bends, is_clear = self._bends(start, ends, blocked)
            if is_clear[0]:
                return float(bends.lengths[0]), tuple((x, y, 0.0) for x, y in bends.path(0))
        way = self.space.way(start, end)
        return (math.inf, ()) if way is None else (way.length, way.points)

    def _obstructed(self, start: Spot, ends: FloatArray) -> tuple[BoolArray, BoolArray]:
        """Return which of m discs around hindrances straight paths meet (n, m), and which paths (n,) meet only one that
        is exact.

        A disc that the start or the end touches, or enters, is shrunk accordingly. Paths that are not on the table meet
        every disc.
        """
        centres, radii, is_disc = self._discs
        nearest = np.minimum(
            np.hypot(*(centres - np.array(start[:2])).T),
            np.hypot(*(ends[:, None, :2] - centres).transpose(2, 0, 1)),
        )
        touching = nearest >= radii - CONTACT
        blocked = (
            line_gaps(np.array(start[:2]), ends[:, :2], centres)
            < np.where(touching, np.minimum(nearest, radii), radii) - TOUCHING_LINE
        )
        is_level = (ends[:, 2] == 0.0) & (start[2] == 0.0)
        blocked |= ~is_level[:, None]
        single = (
            is_level & (blocked.sum(axis=1) == 1) & ~(blocked & ~(is_disc & touching)).any(axis=1)
        )
        return blocked, single

    def _bends(self, start: Spot, ends: FloatArray, blocked: BoolArray) -> tuple[Bends, BoolArray]:
        """Return the shortest paths around the one disc that blocks each path, and whether each is clear of all other
        discs (n,).
        """
        centres, radii, _ = self._discs
        which = blocked.argmax(axis=1)
        bends = Bends(np.array(start[:2]), ends[:, :2], centres[which], radii[which])
        return bends, bends.are_clear(centres, radii, which)

    @cached_property
    def _discs(self) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Bounding discs of all hindrances, grown by the footprint: centres (m, 2), radii (m,) in inches, and which are
        exact (m,).
        """
        x, y, own = _disc_around(self.ground.footprint)
        is_plain = (
            not (self.ground.solids or self.ground.shut)
            and isinstance(self.ground.footprint.core, shapely.Point)
            and x == y == 0.0
        )
        rows = [(*_disc_around(piece.shape), 0.0, 0.0) for piece in self.ground.solids]
        for wall in self.ground.barriers:
            is_disc = (
                is_plain
                and isinstance(wall.shape.core, shapely.Point)
                and wall.low <= 0.0 <= wall.high
            )
            rows.append((*_disc_around(wall.shape), wall.needed, float(is_disc)))
        discs = np.array(rows).reshape(-1, 5)
        discs[:, 2] += discs[:, 3] + own + math.hypot(x, y)
        shut = np.array([_disc_over(part.curve) for part in self.ground.shut]).reshape(-1, 3)
        found = np.concatenate([discs[:, :3], shut])
        return (
            found[:, :2],
            found[:, 2],
            np.append(discs[:, 4] > 0.0, np.zeros(len(shut), dtype=bool)),
        )


def _wider_tops(ground: Hindrances, lost: float) -> Iterator[Platform]:
    """Yield all tops so wide that a disc made smaller by `lost` inches finds them where the whole one does, at most
    `lost` inches aside.
    """
    tops: tuple[Solid | Platform, ...] = (*ground.solids, *ground.platforms)
    for top in tops:
        yield Platform(replace(top.shape, radius=top.shape.radius + 2.0 * lost), top.height)


def _disc_over(curve: ArcCurve) -> tuple[float, float, float]:
    """Return a disc that contains a curve's region: x and y of its centre, and its radius, in inches."""
    low = (curve.centres - curve.radii[:, None]).min(axis=0)
    high = (curve.centres + curve.radii[:, None]).max(axis=0)
    x, y = (low + high) / 2.0
    return float(x), float(y), float(np.hypot(*(high - low))) / 2.0


def _disc_around(shape: Shape) -> tuple[float, float, float]:
    """Return a disc that contains a shape: x and y of its centre, and its radius, in inches."""
    if isinstance(shape.core, shapely.Point):
        return shape.core.x, shape.core.y, shape.radius
    west, south, east, north = shape.bounds
    return (west + east) / 2, (south + north) / 2, math.hypot(east - west, north - south) / 2


@dataclass(frozen=True)
class MeasuredPath:
    """A model's path: its points (x, y, z) in inches, and its length in inches as the rules count it, pivot
    included.
    """

    path: tuple[Spot, ...]
    length: float


@dataclass(frozen=True, eq=False)
class Paths:
    """The shortest paths of the models of a scene's charger.

    Attributes
    ----------
    scene
        The charge, with the models where they begin.
    reach
        Length in inches beyond which no path need be found.
    clearance
        Inches to keep beyond the engagement range of enemy units that are no targets; None for that of solved moves,
        `Choices.clearance`. Claimed moves are judged with `STRICTLY_BEYOND`.
    hindrances
        Which kinds of hindrances count; all by default, fewer to find out what one kind prevents.
    """

    scene: Scene
    reach: float = math.inf
    clearance: float | None = None
    hindrances: frozenset[str] = ANY_HINDRANCE
    _footways: dict[tuple[BaseShape, float, tuple[float, ...], float], FootprintPaths] = field(
        default_factory=dict, init=False, repr=False
    )
    _own: dict[tuple[Model, float, float], FootprintPaths] = field(
        default_factory=dict, init=False, repr=False
    )

    def lengths(
        self, model: Model, ends: FloatArray, heading: float | None = None, *, lost: float = 0.0
    ) -> FloatArray:
        """Return the lengths (n,) in inches, pivot included, of a model's paths to places (n, 3); inf where there is
        none within reach.

        `heading`, in radians, is that at the ends, by default the model's own. A round base that is made smaller by
        `lost` inches all around, for a lower bound, still does not pass gaps too narrow for the whole base, and may be
        on a top wherever the whole base may.
        """
        start = _place(model)
        own = self._footway(model, model.pose.heading, lost=lost).lengths(start, ends)
        if heading is None or model.pose.faces_like(Pose(*model.pose.at, heading)):
            return own
        cost = self.scene.pivot_value(model)
        if isinstance(model.base, RoundBase):
            return own + cost
        return np.minimum(own, self._footway(model, heading).lengths(start, ends)) + cost

    def flights(self, model: Model, ends: FloatArray, *, lost: float) -> FloatArray:
        """Return the lengths (n,) in inches of a disc's paths through the air to places (n, 3), made smaller by `lost`
        inches all around for a lower bound; inf where none may lead.
        """
        own = self._footway(model, model.pose.heading, lost=lost)
        return own.flights(_place(model), ends)

    def is_unobstructed(self, model: Model, ends: FloatArray) -> BoolArray:
        """Return to which places (n, 3) a model's straight path at its present heading is clear, as booleans (n,)."""
        return self._footway(model, model.pose.heading).is_unobstructed(_place(model), ends)

    def length(self, start: Model, end: Model) -> float:
        """Return the length in inches, pivot included, of a model's shortest path to an end; inf if there is none
        within reach.
        """
        if start.stands_like(end):
            return 0.0
        return float(self.lengths(start, np.array([_place(end)]), end.pose.heading)[0])

    def way(self, start: Model, end: Model) -> MeasuredPath:
        """Return the shortest path of a model to an end, which must be within reach, with its length, pivot
        included.
        """
        if start.stands_like(end):
            return MeasuredPath((_place(start),), 0.0)
        headings = (
            (start.pose.heading,)
            if start.pose.faces_like(end.pose)
            else (start.pose.heading, end.pose.heading)
        )
        found = [
            self._footway(start, heading).path(_place(start), _place(end)) for heading in headings
        ]
        cost = self.scene.pivot_value(start) if len(headings) > 1 else 0.0
        length, points = min(found)
        return MeasuredPath(points or (_place(start), _place(end)), length + cost)

    def _footway(self, model: Model, heading: float, *, lost: float = 0.0) -> FootprintPaths:
        if (model, heading, lost) not in self._own:
            self._own[model, heading, lost] = self._found(model, heading, lost)
        return self._own[model, heading, lost]

    def _found(self, model: Model, heading: float, lost: float) -> FootprintPaths:
        base = model.base
        looking = 0.0 if isinstance(model.base, RoundBase) else heading
        needs = self._needs(model, lost)
        key = (base, looking, needs, lost)
        if key not in self._footways:
            ground = self._ground(base, looking, needs)
            choices = self.scene.choices
            if lost and isinstance(base, RoundBase):
                ground = replace(
                    ground,
                    shut=(*ground.shut, *closed_gaps(ground.barriers, base.diameter / 2.0, lost)),
                    platforms=tuple(_wider_tops(ground, lost)),
                )
            is_taut = choices.fly_path == "taut"
            is_air_only = choices.fly_air == "instead"
            self._footways[key] = FootprintPaths(
                ground,
                self.scene.air,
                is_taut,
                self.scene.lowest_climb,
                is_air_only,
                is_reduced=lost > 0.0,
            )
        return self._footways[key]

    def _ground(self, base: BaseShape, heading: float, needs: tuple[float, ...]) -> Hindrances:
        scene = self.scene
        centres = crowd(self.scene.charger.models).centres
        west, south = (centres.min(axis=0) - self.reach).tolist()
        east, north = (centres.max(axis=0) + self.reach).tolist()
        impassable = scene.forbidden if "impassable" in self.hindrances else ()
        return Hindrances(
            footprint(base, Pose(0.0, 0.0, heading)),
            scene.state.board.width,
            scene.state.board.depth,
            tuple(Solid(piece.shape, piece.height) for piece in scene.climbed),
            tuple(Platform(piece.shape, piece.height) for piece in scene.floors),
            (*self._zones(needs), *self._bodies(), *(Barrier(piece.shape) for piece in impassable)),
            tuple(self._shadows(base)) if needs else (),
            reach=self.reach,
            region=(west, south, east, north),
        )

    @property
    def _beyond(self) -> float:
        return self.scene.choices.clearance if self.clearance is None else self.clearance

    def _needs(self, model: Model, lost: float) -> tuple[float, ...]:
        """Return the gap in inches to keep from each model of non-targets, at most the gap at the model's start; empty
        if none is kept.
        """
        scene = self.scene
        is_passing = scene.choices.engagement_path == "end" or (
            scene.is_flyer and scene.choices.fly_zones == "pass"
        )
        if is_passing or "zones" not in self.hindrances or not scene.non_targets:
            return ()
        others = crowd([other for unit in scene.non_targets for other in unit.models])
        if isinstance(model.base, RoundBase):
            model = replace(model, base=RoundBase(model.base.diameter + 2.0 * lost))
        needed = engagement_of(scene).horizontal + self._beyond
        return tuple(
            np.minimum(needed, gap_matrix(crowd([model]), others, beyond=needed)[0]).tolist()
        )

    def _zones(self, needs: tuple[float, ...]) -> Iterator[Barrier]:
        scene = self.scene
        up = engagement_of(scene).vertical
        own = scene.body_height(scene.charger)
        models = [
            (other, scene.body_height(unit)) for unit in scene.non_targets for other in unit.models
        ]
        for (other, height), needed in zip(models if needs else (), needs, strict=True):
            yield Barrier(other.footprint, needed, other.z - up - own, other.z + height + up)

    def _shadows(self, base: BaseShape) -> Iterator[ForbiddenRegion]:
        """Yield the regions behind barricades that are within the longer engagement range of non-targets, as forbidden
        regions.
        """
        scene = self.scene
        engagement = engagement_of(scene)
        if engagement.lengthening is None or not isinstance(base, RoundBase):
            return
        from systems.wh40k.barricades import BarricadeShadow

        up = engagement.vertical
        own = scene.body_height(scene.charger)
        for unit in scene.non_targets:
            for other in (model for model in unit.models if isinstance(model.base, RoundBase)):
                shadow = BarricadeShadow(
                    other.pose.at,
                    other.footprint.radius,
                    base.diameter / 2,
                    engagement.lengthening.range,
                    self._beyond,
                )
                for curve in (
                    curve for piece in scene.barricades for curve in shadow.shadows(piece.shape)
                ):
                    yield ForbiddenRegion(
                        curve, other.z - up - own, other.z + scene.body_height(unit) + up
                    )

    def _bodies(self) -> Iterator[Barrier]:
        """Yield the models of other units that the charger's models may not pass through, as barriers."""
        scene = self.scene
        enemies = scene.enemies if "enemies" in self.hindrances else ()
        friends = scene.friends if "vehicles" in self.hindrances and is_large(scene.charger) else ()
        for unit in () if scene.is_flyer else (*enemies, *filter(is_large, friends)):
            heights = [0.0 if model.z <= scene.lowest_climb else model.z for model in unit.models]
            yield from (
                Barrier(model.footprint, 0.0, z, z)
                for model, z in zip(unit.models, heights, strict=True)
            )


def paths_of(
    scene: Scene,
    reach: float = math.inf,
    *,
    clearance: float | None = None,
    hindrances: frozenset[str] = ANY_HINDRANCE,
) -> Paths:
    """Return the paths of a scene's charger, with the attributes of `Paths`; with equal ones, the same paths."""
    key = reach, clearance, hindrances
    if key not in scene.found_paths:
        scene.found_paths[key] = Paths(scene, reach, clearance, hindrances)
    paths: Paths = scene.found_paths[key]
    return paths


def _place(model: Model) -> Spot:
    return (*model.pose.at, model.z)
