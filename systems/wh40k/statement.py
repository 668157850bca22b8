"""The ends of a charging unit's models stated as an optimisation problem for a general solver, as a second opinion.

First each model selects one of a finite set of places (`Offer`), then the models move freely around those selected; no
place is taken from the engine's own search, and paths are measured one by one. The limits are `END_LIMITS`, as for
solved and claimed ends.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np
import shapely

from systems.wh40k.conditions import (
    END_LIMITS,
    Ends,
    body_gaps,
    can_stand,
    coherency_of,
    engagement_of,
    objective_of,
    surfaces,
)
from systems.wh40k.move import ChargeMove
from systems.wh40k.paths import Paths, paths_of
from systems.wh40k.scene import Scene
from tabletop.geometry.arrays import FloatArray, IntArray
from tabletop.geometry.distance import gaps_at_shifts
from tabletop.geometry.pose import Point, Pose
from tabletop.optimise.problem import Problem, Selection, SolvedProblem, Variable
from tabletop.ruling.finding import Goal, of_each
from tabletop.ruling.verdict import Ruling
from tabletop.table.models import Formation, Model, ModelArray, RoundBase, crowd
from tabletop.table.touching import root_between
from tabletop.units import CONTACT, MARGINAL, STRICTLY_BEYOND

BEARINGS = 24
"""Number of directions from each foe for places in contact; every third of them just within engagement range."""

SHORT_OF_CONTACT = (0.25, 0.5, 0.7, 0.85)
"""Places short of contact, as shares of the way to the nearest place in contact."""

NEAREST = (60, 24, 12)
"""Number of places per model in contact, else engaged, else neither: nearest ones."""

MOST_TRIED, MOST_OFFERED = 6000, 1500
"""Number of places examined, and offered to all models together."""


COUNTED = {
    "contact": Goal[Sequence[Ends]](
        "wh40k.move.contact", "models", of_each(lambda one: len(one.in_contact))
    ),
    "engagement": Goal[Sequence[Ends]](
        "wh40k.move.most-engaged", "models", of_each(lambda one: len(one.engaged))
    ),
}
"""Goals of the amounts that an objective counts, by their names there."""

SHORTEST = Goal[Sequence[Ends]](
    "wh40k.move.shortest",
    "in",
    of_each(lambda one: -float(one.lengths.sum())),
    is_counted=False,
    is_least=True,
)


def statement_of(ruling: Ruling) -> SolvedProblem[Ends]:
    """Return the problem of placing a ruling's models on the table at its turn, with the values that the ruling
    achieved.
    """
    move: ChargeMove = ruling.attempt.move
    scene = move.scene
    offer = Offer(scene, move.distance)
    goals = goals_of(scene)
    counts = (float(goal.value((move.ends,))[0]) for goal in goals[:-1])
    choice = offer.selection, offer.remaining
    problem = Problem[Ends](
        (), lambda _: offer.ends(scene.charger.models), END_LIMITS, goals, choice
    )
    proved = (
        0 if math.isinf(move.most_contacts) else 1 if ruling.proof == "best_found" else len(goals)
    )

    def formation(ends: Ends) -> Mapping[str, Formation]:
        """Return the charger's ends as a formation by name: models in contact move first, the nearest of them before
        the others.
        """
        # those in contact first, the nearest before the others
        turns = np.lexsort((ends.lengths, ~ends.touching))
        return {scene.charger.name: ends.formation(ends.models[one].number for one in turns)}

    return SolvedProblem(problem, (*counts, -move.total), proved, formation)


def goals_of(scene: Scene) -> tuple[Goal[Sequence[Ends]], ...]:
    """Return the goals of the ends, the most important first: what the objective counts, then least total movement."""
    return (*(COUNTED[goal] for goal in objective_of(scene).counted), SHORTEST)


@dataclass(frozen=True, eq=False)
class Offer:
    """Finite set of places at which a unit's models may end with a charge distance of `distance` inches."""

    scene: Scene
    distance: float

    @cached_property
    def ways(self) -> Paths:
        """The shortest paths that measure the models' moves, up to the charge distance."""
        return paths_of(self.scene, self.distance + MARGINAL)

    def ends(self, models: Iterable[Model]) -> Ends:
        """Return the charger's models, given in file order, at their ends, with the lengths of their moves."""
        placed = tuple(models)
        lengths = [
            self.ways.length(start, end)
            for start, end in zip(self.scene.charger.models, placed, strict=True)
        ]
        return Ends(
            self.scene,
            placed,
            self.distance,
            np.array(lengths),
            clearance=self.scene.choices.clearance,
        )

    @cached_property
    def foes(self) -> ModelArray:
        """The models of all targets as arrays."""
        return crowd([model for target in self.scene.targets for model in target.models])

    @cached_property
    def places(self) -> Ends:
        """All candidate places, as models at these places: the models' starts first, then those where a model may
        stand.
        """
        starts = self.scene.charger.models
        kinds: dict[object, list[Model]] = {}
        for model in starts:
            kinds.setdefault(
                (model.base, 0.0 if isinstance(model.base, RoundBase) else model.pose.heading), []
            ).append(model)
        tried = [place for alike in kinds.values() for place in self._about_foes(alike[0], alike)]
        tried = [
            *tried[:: len(tried) // MOST_TRIED + 1],
            *(place for model in starts for place in self._on_the_way(model)),
        ]
        far = [
            min(math.dist(place.pose.at, model.pose.at) for model in starts)
            > self.distance + CONTACT
            for place in tried
        ]
        tried = [
            place
            for place, is_far in zip(tried, far, strict=True)
            if not is_far and can_stand(self.scene, place)
        ]
        tried = list(
            compress(
                tried,
                body_gaps(crowd(tried), self.scene.bodies).min(axis=1, initial=np.inf) >= -CONTACT,
            )
        )
        there = Ends(self.scene, tuple(tried))
        needed = self.scene.choices.clearance
        is_clear = np.ones(len(tried), dtype=bool)
        for unit in self.scene.non_targets:
            is_clear &= there.to(unit).margins.max(axis=1, initial=-np.inf) <= CONTACT - needed
        return Ends(self.scene, (*starts, *compress(tried, is_clear)))

    def _about_foes(self, kind: Model, starts: Sequence[Model]) -> Iterator[Model]:
        """Yield models of one kind at places in contact with each foe, and within its engagement range, in many
        directions.

        The directions are evenly spaced, and those towards each of the models' `starts`.
        """
        turns = np.linspace(0.0, math.tau, BEARINGS, endpoint=False)
        farthest = engagement_of(self.scene).horizontal
        ranges = ((0.0, 1), (farthest / 2, 3), (farthest, 3))
        for foe in self.foes.models:
            ahead = [
                math.atan2(start.pose.y - foe.pose.y, start.pose.x - foe.pose.x) for start in starts
            ]
            for apart, step in ranges:
                for turn in (*ahead, *turns[::step].tolist()):
                    yield kind.at(beside(kind, foe, turn, apart), foe.z)

    def _on_the_way(self, model: Model) -> Iterator[Model]:
        """Yield a model at places on the straight way to the nearest foe, short of contact."""
        start = np.array(model.pose.at)
        aim = self.foes.centres[np.hypot(*(self.foes.centres - start).T).argmin()]
        for share in SHORT_OF_CONTACT:
            x, y = (start + share * (aim - start)).tolist()
            placed = model.at(Pose(x, y, model.pose.heading), model.z)
            yield from (placed.at(placed.pose, z) for z in surfaces(self.scene, placed)[:1])

    @cached_property
    def lengths(self) -> FloatArray:
        """Length (n, p) of each model's move to each of the p places, in inches; inf where the model may not end, or is
        not offered it.
        """
        places = self.places
        starts = self.scene.charger.models
        rows = np.array([[*place.pose.at, place.z] for place in places.models])
        touching = places.touching
        own = Ends(self.scene, starts)
        nearer = [
            own.to(unit).distances[:, None] - places.to(unit).distances
            for unit in self.scene.targets
        ]
        is_closer = np.max(nearer, axis=0) >= STRICTLY_BEYOND
        lengths = np.full((len(starts), len(rows)), np.inf)
        for row, model in enumerate(starts):
            fits = np.array(
                [
                    place.base == model.base and place.pose.faces_like(model.pose)
                    for place in places.models
                ]
            )
            fits[: len(starts)] = False
            lengths[row, fits] = self.ways.lengths(model, rows[fits])
            lengths[row, ~is_closer[row] & ~touching] = np.inf
            may_stay = self.scene.choices.closer_scope == "moved" or touching[row]
            lengths[row, row] = 0.0 if may_stay else np.inf
        lengths[lengths > self.distance + CONTACT] = np.inf
        engages = np.asarray(self.places.engaging.any(axis=0))
        share = min(1.0, MOST_OFFERED / (sum(NEAREST) * len(starts)))
        for among, count in zip((touching, engages & ~touching, ~engages), NEAREST, strict=True):
            for row, far in enumerate(
                np.argsort(np.where(among, lengths, np.inf), axis=1, kind="stable")[
                    :, max(1, int(share * count)) :
                ]
            ):
                lengths[row, far[among[far] & (far != row)]] = np.inf
        return lengths

    @cached_property
    def offered(self) -> tuple[Ends, FloatArray]:
        """The places that are offered to some model, and the length (n, q) of each model's move to each, in inches
        (inf: not offered).
        """
        used = np.flatnonzero(np.isfinite(self.lengths).any(axis=0))
        return Ends(self.scene, tuple(self.places.models[number] for number in used)), self.lengths[
            :, used
        ]

    @cached_property
    def selection(self) -> Selection:
        """The selection problem, to be solved as an integer program: which of the offered places each model takes."""
        places, lengths = self.offered
        coherency = coherency_of(self.scene, len(lengths))
        usable = np.isfinite(lengths)
        worth = [
            places.touching,
            *([places.engaging.any(axis=0)] if self.scene.choices.spare_models == "engage" else []),
        ]
        values = (np.broadcast_to(one.astype(float), usable.shape) for one in worth)
        return Selection(
            usable,
            (*values, -np.where(usable, lengths, 0.0)),
            body_gaps(places.array, places.array) < -CONTACT,
            places.neighbour_margins >= -CONTACT,
            places.engaging,
            coherency.neighbours,
            is_one_group=coherency.is_one_group,
        )

    def remaining(self, picks: IntArray) -> tuple[Problem[Ends], FloatArray]:
        """Return the continuous problem that remains after the selection `picks` (n,), and its start (k,).

        A model in contact has one variable, its bearing in radians from the foe it touches; any other has its x and y
        in inches.
        """
        chosen = [self.offered[0].models[place] for place in picks]
        parts = [
            self._part(model, model.at(place.pose, place.z))
            for model, place in zip(self.scene.charger.models, chosen, strict=True)
        ]
        sizes = np.cumsum([0, *(len(variables) for variables, _, _ in parts)])

        def place(point: FloatArray) -> Ends:
            """Return the models' ends for values (k,) of the variables."""
            return self.ends(
                put(point[low:high])
                for (_, _, put), low, high in zip(parts, sizes, sizes[1:], strict=False)
            )

        variables = tuple(variable for some, _, _ in parts for variable in some)
        start = np.array([value for _, values, _ in parts for value in values])
        return Problem(variables, place, END_LIMITS, goals_of(self.scene)), start

    def _part(
        self, start: Model, end: Model
    ) -> tuple[tuple[Variable, ...], tuple[float, ...], Callable[[FloatArray], Model]]:
        """Return the variables of one model's end, their start values, and the function from values to the placed
        model.
        """
        if end.stands_like(start):
            return (), (), lambda _: start
        name = f"model {end.number}"
        there = Ends(self.scene, (end,))
        foe = next(
            (
                foe
                for unit in self.scene.targets
                for foe in compress(unit.models, there.to(unit).contacts[0])
            ),
            None,
        )
        if foe is None:
            x, y = end.pose.at
            reach = self.distance
            board = self.scene.state.board
            east = Variable(f"{name} x", max(0.0, x - reach), min(board.width, x + reach), "in")
            north = Variable(f"{name} y", max(0.0, y - reach), min(board.depth, y + reach), "in")
            return (
                (east, north),
                (x, y),
                lambda at: end.at(Pose(float(at[0]), float(at[1]), end.pose.heading), end.z),
            )
        turn = math.atan2(end.pose.y - foe.pose.y, end.pose.x - foe.pose.x)
        around = Variable(f"{name} about {foe.number}", turn - math.pi, turn + math.pi, "rad")
        return (around,), (turn,), lambda at: end.at(beside(end, foe, float(at[0]), 0.0), end.z)


def beside(model: Model, foe: Model, turn: float, apart: float) -> Pose:
    """Return the pose of a model at a gap of `apart` inches from a foe, in the direction `turn` (radians) from the
    foe's middle.

    The middle is the position or, for a hull that does not cover it, a point inside.
    """
    ray = np.array([math.cos(turn), math.sin(turn)])
    if isinstance(model.base, RoundBase) and isinstance(foe.base, RoundBase):
        away = (model.base.diameter + foe.base.diameter) / 2 + apart
        x, y = foe.pose.at
    else:
        x, y = (np.array(_inside(foe)) + model.pose.at - _inside(model)).tolist()
        moved = model.at(Pose(x, y, model.pose.heading)).footprint
        far = (
            2.0
            * float(np.ptp(np.array([*moved.outline(), *foe.footprint.outline()]), axis=0).sum())
            + apart
        )
        away = root_between(
            lambda some: float(gaps_at_shifts(moved, some * ray, foe.footprint)) - apart, 0.0, far
        )
    return Pose(x + away * float(ray[0]), y + away * float(ray[1]), model.pose.heading)


def _inside(model: Model) -> Point:
    """Return a model's position or, if its hull does not cover that, its centroid or another point inside."""
    core = model.footprint.core
    inside = (
        point
        for point in (shapely.Point(model.pose.at), core.centroid, core.representative_point())
        if core.covers(point)
    )
    point = next(inside, shapely.Point(model.pose.at))
    return float(point.x), float(point.y)
