"""Single flyers over one to three blocks at odd angles: their shortest flights by a fine grid of places.

`python -m tests.oracles.wh40k.flights [COUNT [FIRST]]` holds what is found and proved of the least distance against the
grid, whose flights are measured anew by the intervals that a line spends over each grown block.
"""

import math
import random
import sys
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import shapely
import shapely.affinity

from systems.wh40k.feasibility import ChargeFeasibility
from systems.wh40k.scene import Scene
from tabletop.budget import Budget
from tabletop.ruling.system import Case
from tabletop.scenario.reading import case_from_tables
from tests.oracles.running import Held, run
from tests.oracles.wh40k.bodies import Floats
from tests.oracles.wh40k.scenes import ROUND
from tests.systems.wh40k.tables import placed, table, unit
from tests.systems.wh40k.test_regions import scene_of_case

ENGAGED_ACROSS, ENGAGED_UP = 1.0, 5.0
ROUNDING = 1e-6
"""Inches within which a place of the grid touches or engages."""
GROWN_TO = 64
"""Segments of a quarter of a circle about a corner of a grown block."""
TOLD_TO = 1.5e-3
"""Inches to which the least distance is proved, with what is missing of circles."""
COARSE, FINE, FEW = 0.12, 0.008, 4
"""Inches between the places of the first grid and of those about its best ones, and number of these."""


def over_blocks(number: int, *, many: bool = False) -> Case:
    """Make the table of a number: a flying disc, a target, blocks, and perhaps a unit to be kept away from.

    With `many` there are floors, tops to stand on and other choices as well.
    """
    dice = random.Random(number)  # noqa: S311 - scenes, not secrets
    base, target = (dice.choice(list(ROUND)) for _ in range(2))
    away = dice.uniform(5.0, 9.0)
    discs = [(0.0, 0.0, ROUND[base]), (away, 0.0, ROUND[target])]
    units = {"T": unit([(away, 0.0)], base=target)}
    if dice.random() < 0.3:
        spot = (away * dice.uniform(0.3, 0.7), dice.choice((-1, 1)) * dice.uniform(2.0, 4.0))
        units["N"] = unit([spot])
        discs.append((*spot, 0.5))
    terrain: list[dict[str, Any]] = []
    for _ in range(dice.randint(1, 3)):
        kind = dice.choice(("block", "block", "floor")) if many else "block"
        block = _block(dice, away)
        areas = [shapely.Polygon(piece["ring"]) for piece in terrain]
        if all(block.distance(shapely.Point(x, y)) > r + 0.02 for x, y, r in discs) and not any(
            block.intersects(area) for area in areas
        ):
            height = dice.choice((2.5, 3.0, 4.0, 6.0))
            ring = list(block.exterior.coords)[:-1]
            terrain.append({"kind": kind, "height": height, "ring": ring})
    rules = {
        "fly_ground_to_ground": "air",
        "fly_path": dice.choice(("taut", "taut", "straight")),
        "fly_zones": dice.choice(("pass", "avoid")),
        "support": dice.choice(("full", "centre")),
    }
    pieces = tuple(
        {
            "name": f"Piece {at}",
            "kind": one["kind"],
            "polygon": placed(one["ring"]),
            "height": one["height"],
        }
        for at, one in enumerate(terrain)
    )
    flyer = unit([(0.0, 0.0)], base=base, keywords=["fly", "infantry"])
    return case_from_tables(table(flyer, units, total=11, terrain=pieces, rules=rules))


def _block(dice: random.Random, away: float) -> shapely.Polygon:
    """Make a rectangle between the charger and its target, at an odd angle."""
    wide, long = dice.uniform(0.5, 2.5), dice.uniform(1.0, 14.0)
    flat = shapely.box(-wide / 2.0, -long / 2.0, wide / 2.0, long / 2.0)
    turned = shapely.affinity.rotate(flat, dice.uniform(-70.0, 70.0), origin=(0.0, 0.0))
    middle = (away * dice.uniform(0.35, 0.75), dice.uniform(-2.0, 2.0))
    return shapely.affinity.translate(turned, *middle)


@dataclass(frozen=True, eq=False)
class Grid:
    """A single flying disc and what it flies over, read anew from a scene on which it and its target are on the
    table.
    """

    scene: Scene

    @property
    def radius(self) -> float:
        """Radius of the disc in inches."""
        return float(self.scene.charger.models[0].footprint.radius)

    @property
    def start(self) -> Floats:
        """Where it begins (2,)."""
        return np.array(self.scene.charger.models[0].pose.at)

    def least(self) -> float:
        """Return the length in inches of the shortest flight to a place of a grid on the table or a top, the grid made
        finer about the best ones.
        """
        (target,) = self.scene.targets
        foe = target.models[0]
        reach = ENGAGED_ACROSS + foe.footprint.radius + self.radius
        heights = sorted({0.0, *(piece.height for piece in self.scene.blocks)})
        found = []
        for height in heights:
            side = COARSE * np.arange(-math.ceil(reach / COARSE), math.ceil(reach / COARSE) + 1)
            at = np.array(foe.pose.at) + np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
            lengths = self.lengths(at, height)
            best = [at[row] for row in np.argsort(lengths)[:FEW] if np.isfinite(lengths[row])]
            side = FINE * np.arange(-math.ceil(COARSE / FINE), math.ceil(COARSE / FINE) + 1)
            near = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
            found += [float(lengths.min())]
            found += [float(self.lengths(place + near, height).min()) for place in best]
        return min(found)

    def lengths(self, at: Floats, height: float) -> Floats:
        """Return the lengths (n,) in inches of flights to those of places (n, 2) where it may end and engages; inf for
        others.
        """
        lengths = np.full(len(at), np.inf)
        open_ = self._may_end(at, height)
        lengths[open_] = [self._flown(place, height) for place in at[open_]]
        return lengths

    def _may_end(self, at: Floats, height: float) -> np.ndarray:
        points = shapely.points(at)
        (target,) = self.scene.targets
        foe = target.models[0]
        apart = np.hypot(*(at - foe.pose.at).T) - foe.footprint.radius - self.radius
        usable = (apart <= ENGAGED_ACROSS + ROUNDING) & (height <= ENGAGED_UP)
        usable &= (apart >= 0.0) | (height > 0.0)
        held = np.full(len(at), height == 0.0)
        for piece in self.scene.blocks:
            within = self.radius if self.scene.choices.support == "full" else 0.0
            rim = shapely.distance(points, piece.shape.core.exterior)
            is_in = shapely.intersects(points, piece.shape.core)
            held |= (height == piece.height) & is_in & (rim >= within)
            if height < piece.height:
                usable &= shapely.distance(points, piece.shape.core) >= self.radius
        for model in (model for other in self.scene.non_targets for model in other.models):
            near = np.hypot(*(at - model.pose.at).T) - model.footprint.radius - self.radius
            usable &= (near > ENGAGED_ACROSS + 2e-4) | (height > ENGAGED_UP)
        return np.asarray(usable & held)

    def _flown(self, end: Floats, height: float) -> float:
        line = shapely.LineString([self.start, end])
        string = [(0.0, 0.0), (line.length, height)]
        if self.scene.choices.fly_path == "taut":
            corners = []
            for piece in self.scene.blocks:
                if self.scene.is_tall(piece):
                    grown = piece.shape.core.buffer(self.radius, quad_segs=GROWN_TO)
                    corners += [(along, piece.height) for along in self._span(line, grown)]
            hull = shapely.MultiPoint([*string, *corners, (0.0, -99.0), (line.length, -99.0)])
            outline = shapely.get_coordinates(hull.convex_hull.exterior)
            upper = {(x, z) for x, z in outline.tolist() if z > -99.0}
            ends = [(0.0, 0.0), *sorted(upper - {*string}), (line.length, height)]
            string = ends
        if self.scene.choices.fly_zones == "avoid":
            for model in (model for other in self.scene.non_targets for model in other.models):
                wide = model.footprint.radius + self.radius + ENGAGED_ACROSS
                zone = shapely.Point(model.pose.at).buffer(wide, quad_segs=GROWN_TO)
                if self._is_low(string, self._span(line, zone)):
                    return math.inf
        return sum(math.dist(*leg) for leg in pairwise(string))

    def _span(self, line: shapely.LineString, area: shapely.Polygon) -> list[float]:
        """Return where a line enters and leaves a convex area, in inches along it."""
        part = shapely.get_coordinates(line.intersection(area))
        along = np.hypot(*(part - self.start).T)
        return [] if len(part) < 2 else [float(along.min()), float(along.max())]

    def _is_low(self, string: list[tuple[float, float]], span: list[float]) -> bool:
        if not span:
            return False
        xs, zs = zip(*string, strict=True)
        heights = np.interp(np.linspace(span[0], span[1], 50), xs, zs)
        return bool(heights.min() <= ENGAGED_UP)


def flights_held(number: int) -> Held:
    """Hold the least distance of a table against that on a grid."""
    scene = scene_of_case(over_blocks(number))
    least = ChargeFeasibility(scene, Budget()).least()
    grid = Grid(scene).least()
    found = []
    if grid < least.bound - TOLD_TO:
        found.append(f"a flight of {grid:.5f} in, below {least.bound:.5f} none was proved")
    if least.proof != "best_found" and not grid >= least.distance - TOLD_TO:
        found.append(f"a flight of {grid:.5f} in, {least.distance:.5f} is the least")
    return Held(least.proof, found, {"bent": int(math.isfinite(grid))})


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], flights_held, count=30))
