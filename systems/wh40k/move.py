"""A charge move as it was made: each model's start, end and way, in the order of moving."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import shapely

from systems.wh40k.conditions import engaged_models, models_in_contact
from systems.wh40k.scene import Scene
from systems.wh40k.ways import ModelWay, Ways
from tabletop.geometry.shape import Shape
from tabletop.placement.task import End, Plan
from tabletop.table.crowd import Crowd, crowd
from tabletop.table.squad import Formation, Model
from tabletop.units import CONTACT, MARGINAL


@dataclass(frozen=True)
class Moved:
    """One model's move."""

    start: Model
    end: Model
    way: ModelWay

    @property
    def has_stayed(self) -> bool:
        """Whether it ends where it began."""
        return self.end.stands_like(self.start)

    def climbed(self, lowest: float) -> float:
        """Measure the inches up and down on its way, where what is no higher than `lowest` inches is stepped onto freely."""
        return float(np.abs(np.diff([spot[2] if spot[2] > lowest else 0.0 for spot in self.way.path])).sum())

    def passes(self, shape: Shape) -> bool:
        """Tell whether the base is, on its way, over a shape as seen from above; of bases that are not round the smaller radius counts."""
        line = shapely.LineString([spot[:2] for spot in self.way.path]) if len(self.way.path) > 1 else shapely.Point(self.start.pose.at)
        west, south, east, north = self.start.footprint.bounds
        return float(line.distance(shape.core)) - shape.radius - min(east - west, north - south) / 2 < -CONTACT


@dataclass(frozen=True, eq=False)
class ChargeMove:
    """The moves of all living models of a charger, in the order in which they are made."""

    scene: Scene
    moves: tuple[Moved, ...]

    @cached_property
    def ends(self) -> Crowd:
        """The models where they end, in the order of the file."""
        return crowd(sorted((move.end for move in self.moves), key=lambda model: model.number))

    @cached_property
    def contacts(self) -> tuple[int, ...]:
        """Numbers of the models in base contact with a target."""
        return models_in_contact(self.scene, self.ends)

    @cached_property
    def engaged(self) -> tuple[int, ...]:
        """Numbers of the models engaged with a target."""
        return engaged_models(self.scene, self.ends)

    @property
    def order(self) -> tuple[int, ...]:
        """Numbers of the models in the order of moving."""
        return tuple(move.end.number for move in self.moves)

    @property
    def total(self) -> float:
        """Movement of all models together, in inches."""
        return sum(move.way.length for move in self.moves)

    @property
    def longest(self) -> float:
        """The longest move of one model, in inches."""
        return max(move.way.length for move in self.moves)

    @property
    def formation(self) -> Formation:
        """Where all models end, with the order in which they moved."""
        ends = self.ends.models
        return Formation(tuple(model.pose for model in ends), tuple(model.z for model in ends), self.order)


def ends_of(scene: Scene, plan: Plan) -> tuple[Model, ...]:
    """Give the charger's models where a plan has them end, in the order of the file."""
    return tuple(model.at(plan.ends[model.number].pose, plan.ends[model.number].z) for model in scene.charger.models)


def charge_move(scene: Scene, plan: Plan) -> ChargeMove:
    """Move the models as a plan says: those that end in contact first, nearest first, then the rest; of equal ways the lower number."""
    ways = Ways(scene, reach=max(plan.lengths.values()) + MARGINAL)
    moves = [Moved(start, end, ways.way(start, end)) for start, end in zip(scene.charger.models, ends_of(scene, plan), strict=True)]

    def turn(move: Moved) -> tuple[bool, int, int]:
        return move.end.number not in plan.contacts, round(move.way.length / CONTACT), move.end.number

    return ChargeMove(scene, tuple(sorted(moves, key=turn)))


def better_plan(scene: Scene, distance: float, plan: Plan, known: Formation) -> Plan:
    """Give the better of a plan and of the ends that somebody knows: by contacts, models engaged, then movement in all.

    What is proved of the plan holds of both; the known ends are taken to keep all conditions, and told again after the move.
    """
    unit, ways = scene.charger.at(known), Ways(scene, reach=distance + MARGINAL)
    lengths = {start.number: ways.length(start, end) for start, end in zip(scene.charger.models, unit.models, strict=True)}
    ends, wants_engaged = crowd(unit.models), scene.choices.spare_models == "engage"
    found = replace(
        plan, ends={model.number: End(model.pose, model.z) for model in unit.models}, lengths=lengths,
        contacts=models_in_contact(scene, ends), engaged=engaged_models(scene, ends), shortest="best_found", choices=None,
    )  # fmt: skip

    def worth(one: Plan) -> tuple[int, int, float]:
        return len(one.contacts), len(one.engaged) if wants_engaged else 0, -one.total

    return found if max(lengths.values()) <= distance + CONTACT and worth(found) > worth(plan) else plan
