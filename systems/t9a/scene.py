"""One charger, one target and everything that is in their way, as the charge rules see it."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from systems.t9a.book import Book
from systems.t9a.words import Choices, Profile
from tabletop.fronts.obstacle import Obstacle
from tabletop.geometry.shape import Shape, gap
from tabletop.ruling.charge import Charge
from tabletop.ruling.system import Case
from tabletop.table.state import Regiment, State


@dataclass(frozen=True)
class Scene:
    """A charge in its surroundings; `absent` names units that are treated as gone."""

    state: State
    charger: Regiment
    target: Regiment
    choices: Choices
    book: Book
    absent: frozenset[str] = frozenset()

    @cached_property
    def bystanders(self) -> tuple[Regiment, ...]:
        """All units but charger and target that stand on the table."""
        away = self.absent | {self.charger.name, self.target.name}
        return tuple(unit for unit in self.state.units.values() if unit.name not in away)

    @cached_property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """What the charge move keeps away from, and by how much."""
        return tuple(self._charge_obstacles())

    def _charge_obstacles(self) -> Iterator[Obstacle]:
        for unit in self.bystanders:
            if unit.side == self.charger.side:
                yield self._obstacle(unit.name, "t9a.space.friend", unit.boundary, is_touchable=self.choices.friend_touch)
            else:
                yield self._obstacle(unit.name, "t9a.space.enemy", unit.boundary, is_touchable=False)
        for name, shape in self._impassable:
            yield self._obstacle(name, "t9a.space.impassable", shape, is_touchable=self.choices.impassable_touch)

    @cached_property
    def failed_obstacles(self) -> tuple[Obstacle, ...]:
        """What a failed charge move stays short of: everything, the target included."""
        units = [(unit.name, "t9a.failed.forward", unit.boundary) for unit in (self.target, *self.bystanders)]
        walls = [(name, "t9a.failed.forward", shape) for name, shape in self._impassable]
        return tuple(self._obstacle(*body, is_touchable=False) for body in (*units, *walls))

    @property
    def _impassable(self) -> list[tuple[str, Shape]]:
        return [(piece.name, piece.shape) for piece in self.state.terrain if piece.kind == "impassable"]

    def _obstacle(self, name: str, rule: str, shape: Shape, *, is_touchable: bool) -> Obstacle:
        """Ask for the clearance, but never for more than the gap there is at the start."""
        needed = 0.0 if is_touchable else max(0.0, min(self.choices.clearance, gap(self.charger.boundary, shape)))
        return Obstacle(name, rule, shape, needed)


def declared_scene(case: Case, charge: Charge, earlier: AbstractSet[str] = frozenset()) -> Scene:
    """Put the charge on the table as it starts; friends that declared earlier are left out, unless the choice says otherwise."""
    units = case.state.units
    gone = earlier | {name for name, unit in units.items() if "charging" in unit.status}
    side = units[charge.charger].side
    absent = frozenset(name for name in gone if units[name].side == side) if case.choices.declare_room == "earlier-gone" else frozenset()
    return Scene(case.state, units[charge.charger], units[charge.targets[0]], case.choices, case.book, absent)


def profile_of(unit: Regiment) -> Profile:
    """Give a unit's statistics."""
    profile: Profile = unit.profile
    return profile
