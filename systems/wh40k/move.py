"""A charge move as made: each model's start, end and path in the order of moving, and the findings of the rules."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import shapely

from systems.wh40k.conditions import Ends, clear_findings, objective_of, support_depth
from systems.wh40k.paths import MeasuredPath, paths_of
from systems.wh40k.scene import Scene, is_large
from tabletop.geometry.distance import gap
from tabletop.geometry.shape import Shape
from tabletop.messages import counted, quoted, say
from tabletop.placement.problem import End, Plan
from tabletop.ruling.finding import Finding
from tabletop.table.models import Formation, Model
from tabletop.units import CONTACT, MARGINAL


@dataclass(frozen=True)
class Moved:
    """The move of one model: its start, its end, and the path between them."""

    start: Model
    end: Model
    way: MeasuredPath

    @property
    def has_stayed(self) -> bool:
        """Whether the model ends where it began."""
        return self.end.stands_like(self.start)

    def climbed(self, lowest: float) -> float:
        """Return the inches climbed up and down along the path; heights up to `lowest` inches count as the ground."""
        return float(
            np.abs(np.diff([spot[2] if spot[2] > lowest else 0.0 for spot in self.way.path])).sum()
        )

    def passes(self, shape: Shape) -> bool:
        """Return whether the base overlaps a shape somewhere on its path, seen from above.

        A base that is not round is replaced by its inscribed disc.
        """
        line = (
            shapely.LineString([spot[:2] for spot in self.way.path])
            if len(self.way.path) > 1
            else shapely.Point(self.start.pose.at)
        )
        west, south, east, north = self.start.footprint.bounds
        return (
            float(line.distance(shape.core)) - shape.radius - min(east - west, north - south) / 2
            < -CONTACT
        )


@dataclass(frozen=True, eq=False)
class ChargeMove:
    """The moves of all living models of a charger to the ends of a plan, in the order of moving."""

    scene: Scene
    moves: tuple[Moved, ...]
    distance: float
    plan: Plan

    @cached_property
    def ends(self) -> Ends:
        """The models where they end, in file order, with the lengths of their moves."""
        moves = sorted(self.moves, key=lambda move: move.end.number)
        return Ends(
            self.scene,
            tuple(move.end for move in moves),
            self.distance,
            np.array([move.way.length for move in moves]),
        )

    @property
    def total(self) -> float:
        """Sum of the lengths of all models' moves, in inches."""
        return sum(move.way.length for move in self.moves)

    @property
    def formation(self) -> Formation:
        """The formation in which the models end, in file order, with the order of moving."""
        return self.ends.formation(move.end.number for move in self.moves)

    @property
    def most_contacts(self) -> float:
        """The largest number of models in base contact of any legal move; inf if more than here may be possible."""
        contacts = len(self.ends.in_contact)
        return contacts if self.plan.most_contacts <= contacts else np.inf


def charge_move(scene: Scene, distance: float, plan: Plan) -> ChargeMove:
    """Return the moves of a plan in order: models that end in base contact first, then the others, each by length, then
    by number.
    """
    ways = paths_of(scene, max(plan.lengths.values()) + MARGINAL)
    ends = [
        model.at(plan.ends[model.number].pose, plan.ends[model.number].z)
        for model in scene.charger.models
    ]
    moves = [
        Moved(start, end, ways.way(start, end))
        for start, end in zip(scene.charger.models, ends, strict=True)
    ]

    def turn(move: Moved) -> tuple[bool, int, int]:
        """Return the sort key of a move in the order of moving."""
        return (
            move.end.number not in plan.contacts,
            round(move.way.length / CONTACT),
            move.end.number,
        )

    return ChargeMove(scene, tuple(sorted(moves, key=turn)), distance, plan)


def better_plan(scene: Scene, distance: float, plan: Plan, known: Formation) -> Plan:
    """Return the better of a plan and known ends by the objective of the charge.

    Known ends must be reached within the charge distance and are assumed to satisfy all conditions; the caller checks
    them again. Bounds that are proved of the plan remain valid for them.
    """
    unit = scene.charger.at(known)
    ways = paths_of(scene, distance + MARGINAL)
    lengths = {
        start.number: ways.length(start, end)
        for start, end in zip(scene.charger.models, unit.models, strict=True)
    }
    ends = Ends(scene, unit.models)
    found = Plan(
        {model.number: End(model.pose, model.z) for model in unit.models},
        lengths,
        ends.in_contact,
        ends.engaged,
        plan.most_contacts,
        plan.most_engaged,
    )
    is_reached = max(lengths.values()) <= distance + CONTACT
    is_better = objective_of(scene).is_better(found.values, plan.values)
    return found if is_reached and is_better else plan


def move_findings(move: ChargeMove) -> Iterator[Finding]:
    """Yield the findings of the rules on the ends and paths of a completed move, with the least margin for each
    rule.
    """
    scene = move.scene
    for clear in clear_findings(move.ends):
        yield replace(
            clear,
            text=say(
                "No model of {charger} ends overlapping another model; the smallest gap is {gap:z.4f} in.",
                charger=scene.charger.name,
                gap=clear.measured,
            ),
        )
    inside = min(scene.state.board.room(model.footprint) for model in move.ends.models)
    yield Finding(
        "wh40k.path.board",
        inside >= -CONTACT,
        say(
            "All models of {charger} stay on the board, at least {inside:.2f} in from its edge.",
            charger=scene.charger.name,
            inside=inside,
        ),
        inside,
        0.0,
        inside,
    )
    if turned := [one.start for one in move.moves if not one.start.pose.faces_like(one.end.pose)]:
        cost = max(map(scene.pivot_value, turned))
        text = say(
            "{count} of {charger} turned, which uses {cost:g} in of the move of each.",
            charger=scene.charger.name,
            count=counted(len(turned), "models"),
            cost=cost,
        )
        yield Finding("wh40k.move.pivot", ok=True, text=text, measured=cost)
    if not scene.is_flyer:
        yield Finding(
            "wh40k.path.enemies",
            ok=True,
            text=say(
                "No model of {charger} moves through an enemy model.", charger=scene.charger.name
            ),
        )
        passed = [
            unit.name
            for unit in scene.friends
            if any(one.passes(model.footprint) for one in move.moves for model in unit.models)
        ]
        if passed:
            yield Finding(
                "wh40k.path.friends",
                ok=True,
                text=say(
                    "Models of {charger} move through friendly models of {names}.",
                    charger=scene.charger.name,
                    names=quoted(passed),
                ),
            )
        if is_large(scene.charger) and any(map(is_large, scene.friends)):
            yield Finding(
                "wh40k.path.vehicles",
                ok=True,
                text=say(
                    "No model of {charger} moves through a friendly Monster or Vehicle.",
                    charger=scene.charger.name,
                ),
            )
    yield from _terrain(move)
    yield from _standing(move)
    if scene.is_flyer:
        yield from _flight(move)


def _terrain(move: ChargeMove) -> Iterator[Finding]:
    scene = move.scene
    pieces = [
        piece
        for piece in scene.state.terrain
        if piece.kind in ("block", "barricade", "wall", "floor")
    ]
    crossed = [
        piece
        for piece in pieces
        if any(one.passes(piece.shape) for one in move.moves if not one.has_stayed)
    ]
    walked = [
        one
        for one in move.moves
        if not (one.has_stayed or (scene.choices.fly_air == "instead" and _is_flown(scene, one)))
    ]
    low = [
        piece.name
        for piece in crossed
        if not scene.is_tall(piece) and any(one.passes(piece.shape) for one in walked)
    ]
    if low:
        text = say(
            "{charger} moves over {names} at no cost, since it is no more than {height:g} in high.",
            charger=scene.charger.name,
            height=scene.book.free_height,
            names=quoted(low),
        )
        yield Finding("wh40k.terrain.low", ok=True, text=text)
    walls = [piece.name for piece in crossed if piece.kind == "wall" and scene.is_tall(piece)]
    if walls and scene.walks_through_walls:
        yield Finding(
            "wh40k.terrain.walls",
            ok=True,
            text=say(
                "Models of {charger} may move through the walls that they cross: {names}.",
                charger=scene.charger.name,
                names=quoted(walls),
            ),
        )
    solid = [piece.name for piece in (*scene.climbed, *scene.forbidden)]
    if solid:
        yield Finding(
            "wh40k.terrain.through",
            ok=True,
            text=say(
                "No model of {charger} moves through {names}.",
                charger=scene.charger.name,
                names=quoted(solid),
            ),
        )
    climbs = [climb for one in move.moves if (climb := one.climbed(scene.lowest_climb)) > CONTACT]
    if climbs:
        count = counted(len(climbs), "models")
        most = max(climbs)
        text = say(
            "Climbing up and down counts as movement: {models} of {charger} climbed; the most that one "
            "climbed is {most:g} in.",
            charger=scene.charger.name,
            models=count,
            most=most,
        )
        yield Finding("wh40k.terrain.climb", ok=True, text=text, measured=most)
    if scene.climbed:
        yield Finding(
            "wh40k.terrain.mid-climb",
            ok=True,
            text=say("No model of {charger} ends part-way up a climb.", charger=scene.charger.name),
        )


def _standing(move: ChargeMove) -> Iterator[Finding]:
    scene = move.scene
    raised = [one.end for one in move.moves if not one.has_stayed and one.end.z > CONTACT]
    # of a block and a floor as high, the one that holds it counts
    held = [
        max(
            (
                (support_depth(scene, end, piece), piece.kind)
                for piece in (*scene.blocks, *scene.floors)
                if abs(piece.height - end.z) <= CONTACT
            ),
            default=(-math.inf, ""),
        )
        for end in raised
    ]
    for rule, what, kind in (
        ("support", say("the top of a block"), "block"),
        ("floors", say("an upper floor"), "floor"),
    ):
        depths = [depth for depth, found in held if found == kind and np.isfinite(depth)]
        if depths:
            text = say(
                "{count} of {charger} ended on {what}, which supports them completely.",
                charger=scene.charger.name,
                count=counted(len(depths), "models"),
                what=what,
            )
            yield Finding(
                f"wh40k.terrain.{rule}",
                min(depths) >= -CONTACT,
                text,
                min(depths),
                0.0,
                min(depths),
            )
    if scene.barricades:
        low = [model.footprint for model in move.ends.models if model.z <= CONTACT]
        least = min(
            (gap(body, piece.shape) for body in low for piece in scene.barricades), default=None
        )
        text = say(
            "Engagement range across a barricade is {range:g} in; no model of {charger} ends on a barricade.",
            charger=scene.charger.name,
            range=scene.book.barricade_engagement,
        )
        is_clear = least is None or least >= -CONTACT
        yield Finding(
            "wh40k.terrain.barricade", is_clear, text, least, None if least is None else 0.0, least
        )


def _flight(move: ChargeMove) -> Iterator[Finding]:
    scene = move.scene
    over = sum(
        any(one.passes(model.footprint) for one in move.moves) for model in scene.bodies.models
    )
    text = say(
        "A unit that flies may move over models; {charger} passes over {count} of them.",
        charger=scene.charger.name,
        count=over,
    )
    yield Finding("wh40k.fly.over", ok=True, text=text)
    if any(_is_flown(scene, one) for one in move.moves):
        text = say("Moves from or to terrain are measured through the air along the straight line.")
        if scene.choices.fly_path == "taut":
            text = say("Moves from or to terrain are measured through the air.")
        if scene.choices.fly_air == "shorter":
            text = say("{text} Where a path on the ground is shorter, that one counts.", text=text)
        yield Finding("wh40k.fly.air", ok=True, text=text)


def _is_flown(scene: Scene, one: Moved) -> bool:
    """Return whether a move may be measured through the air."""
    return scene.air == "anywhere" or (
        scene.air == "terrain" and max(one.start.z, one.end.z) > CONTACT
    )
