"""Where barricades lengthen the range of engagement."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from systems.wh40k.scene import Scene
from tabletop.budget import keep_time
from tabletop.geometry.arrangement import BoolArray, Tracks, segments
from tabletop.geometry.pose import FloatArray
from tabletop.geometry.shape import Shape, disc, gap, gaps
from tabletop.geometry.shortest_segment import joins
from tabletop.placement.engagement import CROSSED_BY
from tabletop.table.crowd import Crowd
from tabletop.units import CONTACT

POINT_SHAPE = disc((0.0, 0.0), 0.0)


@dataclass(frozen=True, eq=False)
class BarricadeRange:
    """The range that counts where what joins two models meets one of a scene's barricades."""

    scene: Scene

    @property
    def range(self) -> float:
        """That range in inches."""
        return self.scene.book.barricade_engagement

    def may_count(self, foe: Shape) -> bool:
        """Tell whether a barricade is within range of a foe."""
        return any(gap(foe, piece.shape) <= self.range + CONTACT for piece in self.scene.barricades)

    def counts(self, body: Shape, foe: Shape, *, spare: float) -> bool:
        """Tell whether a barricade lies between two bodies, or up to `spare` inches beside what joins them."""
        return is_across_barricade(self.scene, body, foe, spare=spare)

    def borders(self, seers: Crowd, outer: float, *, aside: Sequence[float]) -> list[Tracks]:
        """Return the parts behind barricades of rays from models' centres that pass corners at so many inches to their right."""
        return [self._rays(seers, outer, shift) for shift in aside]

    def _rays(self, seers: Crowd, outer: float, shift: float) -> Tracks:
        reaches = seers.radii + outer + self.range + CROSSED_BY
        corners = np.concatenate([piece for barricade in self.scene.barricades for piece in barricade.shape.pieces])
        ahead = corners[None, :, :] - seers.centres[:, None, :]
        apart = np.hypot(ahead[..., 0], ahead[..., 1])
        seen, corner = np.nonzero((apart <= reaches[:, None]) & (apart > abs(shift) + CROSSED_BY))
        far = apart[seen, corner][:, None]
        left = np.column_stack([-ahead[seen, corner, 1], ahead[seen, corner, 0]]) / far
        tails = corners[corner] + shift / np.sqrt(1.0 - (shift / far) ** 2) * left
        ways = tails - seers.centres[seen]
        return segments(tails, tails + ways / np.hypot(ways[:, 0], ways[:, 1])[:, None] * reaches[seen][:, None])

    def least_way(self, around: Shape, foe: Shape) -> float:
        """Return a number of inches that a body within a disc must go at least to engage a foe across a barricade.

        A shortest segment that crosses a barricade is at least as long as the ways from its ends to it.
        """
        apart, ways = gap(around, foe), [math.inf]
        for piece in self.scene.barricades:
            left = self.range - max(gap(foe, piece.shape), 0.0) + CONTACT
            if left >= 0.0:
                ways.append(max(apart - self.range, gap(around, piece.shape) - left))
        return min(ways)

    def may_count_near(self, body: Shape, at: FloatArray, foe: Shape, between: FloatArray, *, off: float, is_flat: bool) -> BoolArray:
        """Tell near which places (k, 2), so far from a foe (k,), a shortest segment to it may meet a barricade.

        If all bodies stand on the table, it meets the barricade's rim, since none stands in it; so some point of the rim is on the way.
        """
        is_met = np.zeros(len(at), dtype=bool)
        for shape in (piece.shape for piece in self.scene.barricades):
            if not is_flat or not isinstance(shape.core, shapely.Polygon):
                return np.ones(len(at), dtype=bool)
            rim = shapely.get_coordinates(shapely.segmentize(shape.core.exterior, 2.0 * off))
            rest = np.maximum(gaps(POINT_SHAPE, rim, foe), 0.0)
            near = rest <= self.range + 2.0 * off
            if near.any():
                first = np.maximum(gaps(POINT_SHAPE, rim[near] - at[:, None, :], body), 0.0)
                is_met |= (first + rest[near] - between[:, None] <= 4.0 * off + CONTACT).any(axis=1)
        return is_met


def is_across_barricade(scene: Scene, first: Shape, second: Shape, *, spare: float = CONTACT) -> bool:
    """Tell whether a shortest segment between two footprints meets a barricade, or comes within `spare` inches of one."""
    keep_time()
    near = [piece.shape for piece in scene.barricades if _may_lie_between(piece.shape, first, second, spare)]
    between = joins(first, second) if near else None
    return between is not None and any(float(between.distance(shape.core)) <= shape.radius + spare for shape in near)


def _may_lie_between(shape: Shape, first: Shape, second: Shape, spare: float) -> bool:
    """Tell whether a shape comes near the box that holds two others, and so all that joins them."""
    boxes = np.array([first.bounds, second.bounds])
    low, high = boxes[:, :2].min(axis=0) - spare - CONTACT, boxes[:, 2:].max(axis=0) + spare + CONTACT
    west, south, east, north = shape.bounds
    return bool(west <= high[0] and south <= high[1] and east >= low[0] and north >= low[1])
