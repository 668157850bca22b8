"""One charge as the brute force sees it: who charges what, the sides of the target, the obstacles and the gaps they
need.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import shapely

from tabletop.ruling.charge import Charge
from tabletop.ruling.system import Case
from tabletop.table.state import Board, Regiment, State, Terrain
from tests.oracles.conquest.bodies import (
    TOUCH,
    Body,
    Edge,
    Floats,
    Frames,
    Obstacle,
    body_of,
    direction,
    frames_of,
    piece_of,
    to_right,
)

FAR = 500.0
TIES = {
    "front-first": ("front", "right", "left", "rear"),
    "flank-first": ("right", "left", "front", "rear"),
}


@dataclass(frozen=True, eq=False)
class TargetSide:
    """One side of the target: its name (regiments only), its two ends (2, 2), and the direction of its outward normal
    in radians.
    """

    name: str
    ends: Floats
    normal: float


@dataclass(frozen=True)
class Table:
    """A charger, its target, all others, the choices of the rules page; `roll` is the kept face, `touch` the tolerance
    of lengths.
    """

    state: State
    charge: Charge
    choices: Any
    roll: int
    touch: float = TOUCH
    is_empty: bool = False

    @property
    def charger(self) -> Regiment:
        """The regiment that charges."""
        unit: Regiment = self.state.units[self.charge.charger]
        return unit

    @property
    def target(self) -> Regiment | Terrain:
        """What is charged, a regiment or a garrison."""
        name = self.charge.targets[0]
        found: Regiment | Terrain = (
            self.state.units[name] if name in self.state.units else self._pieces[name]
        )
        return found

    @property
    def _pieces(self) -> dict[str, Terrain]:
        return {piece.name: piece for piece in self.state.terrain}

    @property
    def is_regiment(self) -> bool:
        """Whether the target is a regiment, which can turn."""
        return self.charge.targets[0] in self.state.units

    @cached_property
    def frame(self) -> Frames:
        """The charger's frame where it stands."""
        return frames_of(self.charger)

    @property
    def distance_limit(self) -> float:
        """The Charge Distance in inches."""
        return float(self.charger.profile.march) + self.roll

    @cached_property
    def ring(self) -> Floats:
        """The target's corners, counter-clockwise."""
        target = self.target
        if isinstance(target, Regiment):
            return np.asarray(frames_of(target).corners[0][::-1])
        hull = shapely.orient_polygons(target.shape.core.convex_hull)
        return np.asarray(shapely.get_coordinates(hull)[:-1])

    @cached_property
    def goal(self) -> Body:
        """The target as a body that the wheel must not touch."""
        return Body(
            self.charge.targets[0], "enemy", shapely.Polygon(self.ring), 0.0, self.choices.clearance
        )

    @cached_property
    def sides(self) -> tuple[TargetSide, ...]:
        """The target's sides, counter-clockwise; those of a regiment have names."""
        ends = [
            np.array([self.ring[number], np.roll(self.ring, -1, axis=0)[number]])
            for number in range(len(self.ring))
        ]
        normals = [to_right(pair[1] - pair[0]) for pair in ends]
        angles = [math.atan2(normal[1], normal[0]) for normal in normals]
        return tuple(
            TargetSide(self._named(angle), pair, angle)
            for pair, angle in zip(ends, angles, strict=True)
        )

    def _named(self, normal: float) -> str:
        if not isinstance(self.target, Regiment):
            return ""
        quarter = round(math.remainder(normal - self.target.pose.heading, math.tau) / (math.pi / 2))
        return {0: "front", 1: "left", 2: "rear", -2: "rear", -1: "right"}[quarter]

    def area(self, side: TargetSide) -> float:
        """Return how much of the charger's frame lies in the arc of a side, in square inches."""
        number = self.sides.index(side)
        before = self.sides[number - 1]
        after = self.sides[(number + 1) % len(self.sides)]
        rays = [_bisector(before.normal, side.normal), _bisector(side.normal, after.normal)]
        arc = shapely.Polygon(
            [side.ends[0], side.ends[0] + FAR * rays[0], side.ends[1] + FAR * rays[1], side.ends[1]]
        )
        return float(arc.intersection(shapely.Polygon(self.frame.corners[0])).area)

    @cached_property
    def sides_by_area(self) -> tuple[TargetSide, ...]:
        """The sides by the area in their arcs, largest first, ties as the choice says."""
        left = {side: self.area(side) for side in sorted(self.sides, key=self._tie)}
        ordered = []
        while left:
            most = max(left.values())
            ordered.append(next(side for side, area in left.items() if area >= most - TOUCH))
            del left[ordered[-1]]
        return tuple(ordered)

    def _tie(self, side: TargetSide) -> float:
        if side.name:
            return TIES[self.choices.facing_tie].index(side.name)
        return round(math.degrees(side.normal) % 360.0, 9) % 360.0

    @cached_property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """All that the charger keeps away from for the whole move, except the target and friends that it may cross."""
        if self.is_empty:
            return ()
        gap = self.choices.clearance
        enemies = [body_of(unit, "enemy", gap) for unit in self.enemies]
        friends = [
            body_of(unit, "friend", 0.0) for unit in self.friends if not self.is_crossable(unit)
        ]
        return (*enemies, *friends, *self.terrain, Edge(self.board.width, self.board.depth))

    @cached_property
    def crossable(self) -> tuple[Body, ...]:
        """Friends that may be crossed."""
        return (
            ()
            if self.is_empty
            else tuple(
                body_of(unit, "crossable", 0.0) for unit in self.friends if self.is_crossable(unit)
            )
        )

    @cached_property
    def terrain(self) -> tuple[Body, ...]:
        """Solid terrain except the target."""
        gaps = {"garrison": self.choices.clearance, "impassable": 0.0}
        pieces = [
            piece
            for piece in self.state.terrain
            if piece.kind in gaps and piece.name != self.charge.targets[0]
        ]
        return tuple(
            piece_of(
                piece, "garrison" if piece.kind == "garrison" else "impassable", gaps[piece.kind]
            )
            for piece in pieces
        )

    @property
    def solid(self) -> tuple[Body, ...]:
        """Solid terrain, the target among it if it is a garrison."""
        return (
            self.terrain
            if self.is_regiment
            else (*self.terrain, replace(self.goal, role="garrison"))
        )

    @property
    def board(self) -> Board:
        """The board."""
        return self.state.board

    @property
    def others(self) -> tuple[Regiment, ...]:
        """All regiments but the charger and its target."""
        return tuple(
            unit
            for name, unit in self.state.units.items()
            if name not in (self.charge.charger, *self.charge.targets)
        )

    @property
    def enemies(self) -> tuple[Regiment, ...]:
        """Enemies that are not the target."""
        return tuple(unit for unit in self.others if unit.side != self.charger.side)

    @property
    def friends(self) -> tuple[Regiment, ...]:
        """The charger's friends."""
        return tuple(unit for unit in self.others if unit.side == self.charger.side)

    def is_crossable(self, friend: Regiment) -> bool:
        """Return whether a friend is in contact with no enemy."""
        foes = [unit for unit in self.state.units.values() if unit.side != friend.side]
        corners = frames_of(friend).corners
        return all(
            body_of(foe, "enemy", 0.0).gaps(corners)[0] >= self.choices.clearance - self.touch
            for foe in foes
        )

    def alone(self) -> "Table":
        """Leave only charger and target, on an endless board and without a Charge Distance."""
        return replace(self, is_empty=True)


def _bisector(first: float, second: float) -> Floats:
    whole = direction(np.array([first, second])).sum(axis=0)
    return np.asarray(whole / np.hypot(*whole))


def table_of(case: Case) -> Table:
    """See the first charge of a case, with the face that counts: the second where the first is not enough."""
    charge = case.charges[0]
    first, *more = charge.dice or (1,)
    table = Table(case.state, charge, case.choices, first)
    apart = float(table.goal.gaps(table.frame.corners)[0])
    is_again = more and table.charger.profile.reroll and table.distance_limit < apart - table.touch
    return replace(table, roll=more[0]) if is_again else table
