"""A charge with all regiments and terrain around it, and the sides of the target in the order in which they are tried.

The side whose arc contains most of the charger's frame, in square inches, is tried first.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from systems.conquest.book import Book
from systems.conquest.words import Choices, Declarations, Profile
from tabletop.budget import deadline_passed
from tabletop.errors import NoVerdictError
from tabletop.fronts.obstacle import (
    BOARD_EDGE,
    ConvexObstacle,
    Obstacle,
    convex_parts_of,
    outside_board,
)
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import area, clipped, edge_normals
from tabletop.geometry.distance import are_boxes_apart, gap
from tabletop.geometry.shape import Shape
from tabletop.messages import say
from tabletop.ruling.charge import Charge
from tabletop.table.facing import FACING_WORDS, Facing, FacingName, between_rays, bisectors
from tabletop.table.state import Regiment, State, Terrain
from tabletop.units import CONTACT, FLUSH, wrapped

AREA = 1e-6
"""Square inches within which two areas are equal."""

SIDES_BY_CORNER: tuple[FacingName, ...] = ("rear", "right", "front", "left")
"""Names of a regiment's sides in the order of its corners: from the rear left one, counter-clockwise."""

ORDERS: dict[str, tuple[FacingName, ...]] = {
    "front-first": ("front", "right", "left", "rear"),
    "flank-first": ("right", "left", "front", "rear"),
}


@dataclass(frozen=True, eq=False)
class Target:
    """Target of a charge: a regiment, or a garrison (terrain, `unit` is None) as its convex hull."""

    name: str
    shape: Shape
    unit: Regiment | None

    @property
    def ring(self) -> FloatArray:
        """Corners of the target (n, 2), counter-clockwise, in inches."""
        return self.shape.pieces[0]


@dataclass(frozen=True, eq=False)
class Scene:
    """A charge with all regiments and terrain around it.

    Attributes
    ----------
    state
        The table before the charge.
    charger, target
        Who charges whom.
    choices
        How the rules are read.
    book
        Numbers of the rulebook.
    declarations
        What the charge declares beside target and dice.
    is_bare
        Whether everything but charger and target is ignored.
    """

    state: State
    charger: Regiment
    target: Target
    choices: Choices
    book: Book
    declarations: Declarations
    is_bare: bool = False

    @classmethod
    def of(cls, state: State, charge: Charge, *, choices: Choices, book: Book) -> "Scene":
        """Return the scene of a charge against its first target on a table."""
        target = target_of(state, charge.targets[0])
        charger = state.units[charge.charger]
        return cls(state, charger, target, choices, book, charge.declarations)

    def check_deadline(self) -> None:
        """Raise if the time of the current budget is used up.

        Raises
        ------
        NoVerdictError
            If the time is used up: an untested wheel may complete the charge.
        """
        if deadline_passed():
            message = (
                "the time was used up before all wheels of {charger} against {target} were tried"
            )
            raise NoVerdictError(message, charger=self.charger.name, target=self.target.name)

    @property
    def profile(self) -> Profile:
        """Statistics of the charger."""
        return profile_of(self.charger)

    @property
    def bare(self) -> "Scene":
        """The same charge as if only charger and target existed."""
        return replace(self, is_bare=True)

    @cached_property
    def enemies(self) -> tuple[Regiment, ...]:
        """Regiments of other sides than the charger's, except the target."""
        return tuple(unit for unit in self._others if unit.side != self.charger.side)

    @cached_property
    def friends(self) -> tuple[Regiment, ...]:
        """Regiments of the charger's side, except the charger."""
        return tuple(unit for unit in self._others if unit.side == self.charger.side)

    @cached_property
    def crossable(self) -> tuple[Regiment, ...]:
        """Friends that a charge may cross: those not in contact with an enemy."""
        return tuple(unit for unit in self.friends if not self._is_fighting(unit))

    @cached_property
    def uncrossable(self) -> tuple[Regiment, ...]:
        """Friends that a charge may not cross: those in contact with an enemy."""
        return tuple(unit for unit in self.friends if self._is_fighting(unit))

    @property
    def _others(self) -> tuple[Regiment, ...]:
        """All regiments but charger and target; empty if the scene is bare."""
        away = (self.charger.name, self.target.name)
        return (
            ()
            if self.is_bare
            else tuple(unit for unit in self.state.units.values() if unit.name not in away)
        )

    def _is_fighting(self, unit: Regiment) -> bool:
        """Return whether a regiment is in contact with one of another side."""
        near = self.choices.clearance
        others = (other for other in self.state.units.values() if other.side != unit.side)
        others = (
            other for other in others if not are_boxes_apart(unit.boundary, other.boundary, by=near)
        )
        return any(self.is_in_contact(gap(unit.boundary, other.boundary)) for other in others)

    def is_in_contact(self, apart: float) -> bool:
        """Return whether two bodies `apart` inches apart are in contact: their gap is less than the clearance
        chosen.
        """
        return apart < self.choices.clearance - CONTACT

    def terrain(self, kind: str) -> tuple[Terrain, ...]:
        """Return the pieces of terrain of one kind, except a garrison that is the target."""
        pieces = () if self.is_bare else self.state.terrain
        return tuple(
            piece for piece in pieces if piece.kind == kind and piece.name != self.target.name
        )

    @cached_property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """Obstacles of wheel, advance and alignment, with the gap needed to each; the outside of the board is in
        `edges`.
        """
        return tuple(self._obstacles())

    def _obstacles(self) -> Iterator[Obstacle]:
        """Yield other enemies, garrisons, impassable terrain and friends in contact with enemies, each with the gap it
        needs.
        """
        clearance = self.choices.clearance
        for unit in self.enemies:
            yield Obstacle(unit.name, "conquest.path.enemy", unit.boundary, clearance)
        for piece in self.terrain("garrison"):
            yield Obstacle(piece.name, "conquest.path.garrison", piece.shape, clearance)
        for piece in self.terrain("impassable"):
            yield Obstacle(piece.name, "conquest.path.impassable", piece.shape, 0.0)
        for unit in self.uncrossable:
            yield Obstacle(unit.name, "conquest.path.friend", unit.boundary, 0.0)

    @cached_property
    def edges(self) -> tuple[ConvexObstacle, ...]:
        """The outside of the board as convex obstacles; empty if the scene is bare."""
        return (
            ()
            if self.is_bare
            else outside_board(self.state.board, margin=self.charger.width + self.charger.depth)
        )

    @cached_property
    def hazards(self) -> tuple[ConvexObstacle, ...]:
        """The convex parts of all obstacles, those of enemies first, and the outside of the board."""
        return (*convex_parts_of(self.obstacles), *self.edges)

    def rule_of(self, hazard: ConvexObstacle) -> str:
        """Return the name of the rule that forbids coming near a hazard."""
        return self._rules[hazard.name]

    @cached_property
    def _rules(self) -> dict[str, str]:
        """Names of the rules that forbid coming near obstacles, the board's edge and the target, by the obstacle's
        name.
        """
        rules = {obstacle.name: obstacle.rule for obstacle in self.obstacles}
        return {
            **rules,
            BOARD_EDGE: "conquest.path.board",
            self.target.name: "conquest.path.target",
        }

    def corner_of(self, side: Facing) -> int:
        """Return the index of the corner of a target garrison, in the order of its file entry, at which a side begins.

        Its convex hull may begin at any corner.
        """
        piece = next(piece for piece in self.state.terrain if piece.name == self.target.name)
        return int(
            np.hypot(*(np.array(piece.shape.core.exterior.coords[:-1]) - side.ends[0]).T).argmin()
        )

    @cached_property
    def solid(self) -> tuple[ConvexObstacle, ...]:
        """Bodies other than regiments that no regiment may overlap, as convex obstacles.

        They are solid terrain, a garrison that is the target, and the outside of the board.
        """
        pieces = [
            piece
            for piece in self.state.terrain
            if piece.kind in ("impassable", "garrison") and not self.is_bare
        ]
        return (
            *(
                ConvexObstacle(part, piece.shape.radius, piece.name)
                for piece in pieces
                for part in piece.shape.parts
            ),
            *self.edges,
        )


def profile_of(unit: Regiment) -> Profile:
    """Return the Conquest statistics of a regiment."""
    profile: Profile = unit.profile
    return profile


def overlap_hazards(units: Iterable[Regiment]) -> list[ConvexObstacle]:
    """Return the boundaries of regiments as obstacles that may be touched but not overlapped."""
    return [ConvexObstacle(unit.boundary.pieces[0], 0.0, unit.name) for unit in units]


def target_of(state: State, name: str) -> Target:
    """Return what is charged under a name: a regiment, or a garrison as the convex hull of its piece of terrain."""
    if name in state.units:
        return Target(name, state.units[name].boundary, state.units[name])
    piece = next(piece for piece in state.terrain if piece.name == name)
    return Target(name, Shape(piece.shape.core.convex_hull), None)


# The charged facing.


@dataclass(frozen=True, eq=False)
class ChargedFacing:
    """A side of the target that may be charged.

    Attributes
    ----------
    facing
        The side as a line on the table.
    area
        Area of the charger's frame in the arc of the side, in square inches.
    name
        Name of the side of a regiment; None for a garrison.
    part
        Corners (n, 2) of the part of the charger's frame in the arc of the side, in inches.
    """

    facing: Facing
    area: float
    name: FacingName | None
    part: FloatArray = field(default_factory=lambda: np.empty((0, 2)))

    @cached_property
    def bearing(self) -> float:
        """Direction of the outward normal in radians, in [0, 2 pi)."""
        x, y = self.facing.normal
        bearing = math.atan2(y, x) % math.tau
        return bearing if math.tau - bearing > FLUSH else 0.0

    @property
    def heading(self) -> float:
        """Heading in radians of a front that lies flush on the side."""
        return wrapped(self.bearing + math.pi)

    @property
    def label(self) -> str:
        """Words for the side in sentences: its name, or the direction of its normal in degrees."""
        return (
            FACING_WORDS[self.name]
            if self.name
            else say("side at {bearing:.0f} degrees", bearing=math.degrees(self.bearing))
        )


def facings(scene: Scene) -> tuple[ChargedFacing, ...]:
    """Return the sides of the target in the order in which they are tried: the one whose arc contains most of the
    charger first.

    Sides with equal areas are ordered by the choice `facing_tie`, those of a garrison by their bearing.
    """
    ring = scene.target.ring
    body = scene.charger.boundary.pieces[0]
    normals = edge_normals(ring)
    rays = bisectors(ring)
    found = []
    for number, (x, y) in enumerate(normals.tolist()):
        scene.check_deadline()
        name = SIDES_BY_CORNER[number] if scene.target.unit else None
        start = ring[(number + 1) % len(ring)]
        end = ring[number]
        facing = Facing(
            name or "front",
            (float(start[0]), float(start[1])),
            (y, -x),
            (x, y),
            math.dist(start, end),
        )
        part = clipped(body, between_rays(ring, number, normals=normals, rays=rays))
        found.append(ChargedFacing(facing, area(part), name, part))
    # equal areas: a regiment's by the choice, a garrison's by the direction they look in
    sides = sorted(
        found,
        key=lambda side: (
            ORDERS[scene.choices.facing_tie].index(side.name) if side.name else side.bearing
        ),
    )
    areas = np.array([side.area for side in sides])
    ordered: list[ChargedFacing] = []
    for _ in sides:
        tied = int((areas >= areas.max() - AREA).argmax())
        ordered.append(sides[tied])
        areas[tied] = -np.inf
    return tuple(ordered)
