"""One charge on its table: who is target, non-target or friend, and which terrain the charger may enter, climb and
stand on.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from systems.wh40k.book import Book
from systems.wh40k.words import Choices, Profile
from tabletop.placement.problem import Air
from tabletop.ruling.finding import Assumed, assumed
from tabletop.table.models import Model, ModelArray, RoundBase, Squad, crowd
from tabletop.table.state import State, Terrain
from tabletop.units import CONTACT

LEAST_BARRICADE_HEIGHT = 0.1
"""Minimum height of a barricade, in inches, for the question what may end on it."""


@dataclass(frozen=True)
class Scene:
    """A charge in its surroundings: the table, the charger's living models, its targets, choices of readings, and
    numbers in force.
    """

    state: State[Squad]
    charger: Squad
    targets: tuple[Squad, ...]
    choices: Choices
    book: Book
    found_paths: dict[object, Any] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    """The paths asked for on this table so far (`paths_of`), by what hinders them and how far they reach."""

    @cached_property
    def enemies(self) -> tuple[Squad, ...]:
        """All units of other sides than the charger's."""
        return tuple(unit for unit in self.state.units.values() if unit.side != self.charger.side)

    @cached_property
    def non_targets(self) -> tuple[Squad, ...]:
        """All enemy units that are not targets of the charge."""
        named = {target.name for target in self.targets}
        return tuple(unit for unit in self.enemies if unit.name not in named)

    @cached_property
    def friends(self) -> tuple[Squad, ...]:
        """All other units of the charger's side."""
        side = self.charger.side
        name = self.charger.name
        return tuple(
            unit for unit in self.state.units.values() if unit.side == side and unit.name != name
        )

    @property
    def others(self) -> tuple[Squad, ...]:
        """All units on the table except the charger."""
        return (*self.enemies, *self.friends)

    @cached_property
    def bodies(self) -> ModelArray:
        """All models on the table except the charger's, as arrays."""
        return crowd([model for unit in self.others for model in unit.models])

    @cached_property
    def keywords(self) -> frozenset[str]:
        """Keywords of the charger's profile."""
        return frozenset(profile_of(self.charger).keywords)

    @property
    def is_flyer(self) -> bool:
        """Whether the charger has the keyword "fly"."""
        return "fly" in self.keywords

    @property
    def air(self) -> Air:
        """Which moves of the charger may be measured through the air: "nowhere", from or to "terrain", or
        "anywhere".
        """
        if not self.is_flyer:
            return "nowhere"
        return "anywhere" if self.choices.fly_ground_to_ground == "air" else "terrain"

    @property
    def walks_through_walls(self) -> bool:
        """Whether the charger moves through walls, as infantry and beasts do."""
        return not self.keywords.isdisjoint({"infantry", "beasts"})

    @property
    def uses_floors(self) -> bool:
        """Whether the charger's models may end on upper floors: infantry, beasts and flyers."""
        return self.walks_through_walls or self.is_flyer

    @property
    def distance_bonus(self) -> int:
        """Inches added to the charge roll; may be negative."""
        return profile_of(self.charger).charge_bonus

    @cached_property
    def forbidden(self) -> tuple[Terrain, ...]:
        """Pieces of impassable terrain, which no model enters, crosses or climbs."""
        return self._pieces("impassable")

    @cached_property
    def climbed(self) -> tuple[Terrain, ...]:
        """Pieces higher than the free height that the charger must climb over: blocks, barricades, and walls it cannot
        walk through.
        """
        kinds = (
            ("block", "barricade") if self.walks_through_walls else ("block", "barricade", "wall")
        )
        return tuple(piece for piece in self._pieces(*kinds) if self.is_tall(piece))

    @cached_property
    def solids(self) -> tuple[Terrain, ...]:
        """Pieces that no model may overlap at its end below their tops: barricades of any height, and tall blocks,
        walls, impassables.
        """
        return tuple(
            piece
            for piece in self._pieces("block", "wall", "barricade", "impassable")
            if self.is_tall(piece) or piece.kind == "barricade"
        )

    @cached_property
    def blocks(self) -> tuple[Terrain, ...]:
        """Blocks, low ones included, on whose tops models may stand."""
        return tuple(piece for piece in self._pieces("block") if piece.height > CONTACT)

    @cached_property
    def floors(self) -> tuple[Terrain, ...]:
        """Upper floors on which the charger's models may end; empty if they may not end on any."""
        return self.upper_floors if self.uses_floors else ()

    @cached_property
    def upper_floors(self) -> tuple[Terrain, ...]:
        """All upper floors, whether or not the charger may end on them."""
        return tuple(piece for piece in self._pieces("floor") if self.is_tall(piece))

    @cached_property
    def barricades(self) -> tuple[Terrain, ...]:
        """The barricades on the table, across which engagement range is longer."""
        return self._pieces("barricade")

    @property
    def lowest_climb(self) -> float:
        """Height in inches up to which terrain is moved over freely and stepped onto at no cost, with tolerance."""
        return self.book.free_height + CONTACT

    def is_tall(self, piece: Terrain) -> bool:
        """Return whether a piece of terrain is higher than the free height; impassable terrain always counts as
        higher.
        """
        return piece.kind == "impassable" or piece.height > self.lowest_climb

    def pivot_value(self, model: Model) -> float:
        """Return the inches of its move that a model's first turn costs."""
        own = profile_of(self.charger).pivot
        if own is not None:
            return own
        if isinstance(model.base, RoundBase):
            return self.choices.pivot_round
        is_heavy = is_large(self.charger) and "aircraft" not in self.keywords
        return self.choices.pivot_large if is_heavy else self.choices.pivot_other

    def body_height(self, unit: Squad) -> float:
        """Return the height in inches of a unit's models that counts for vertical gaps; 0 if these are measured from
        base to base.
        """
        return profile_of(unit).height if self.choices.vertical == "body" else 0.0

    def heights_assumed(self, *units: Squad) -> tuple[Assumed, ...]:
        """Return the default heights used for vertical gaps, for those of the units whose profiles give none."""
        asked = units if self.choices.vertical == "body" else ()
        return tuple(one for unit in asked for one in assumed(unit, "height"))

    def with_charger(self, charger: Squad) -> "Scene":
        """Return the same scene with another state of the charger, on the table too."""
        return replace(self, charger=charger, state=self.state.with_unit(charger))

    def _pieces(self, *kinds: str) -> tuple[Terrain, ...]:
        return tuple(piece for piece in self.state.terrain if piece.kind in kinds)


def scene_of(
    state: State[Squad], charger: str, targets: Iterable[str], *, choices: Choices, book: Book
) -> Scene:
    """Return the scene of a charge on a table; numbers given in the choices replace the book's."""
    given = {
        number.name: value
        for number in fields(book)
        if (value := getattr(choices, number.name)) is not None
    }
    return Scene(
        state,
        state.units[charger],
        tuple(state.units[name] for name in targets),
        choices,
        replace(book, **given),
    )


def with_living(state: State[Squad], unit: Squad) -> State[Squad]:
    """Return the table with a unit in its new state, or without it if it has no models left."""
    return state.with_unit(unit) if unit.models else state.without_unit(unit.name)


def profile_of(unit: Squad) -> Profile:
    """Return a unit's statistics from the scenario file."""
    profile: Profile = unit.profile
    return profile


def is_large(unit: Squad) -> bool:
    """Return whether a unit is a Monster or Vehicle: its models may pay for turning, and cannot move through friendly
    large ones.
    """
    return not {"monster", "vehicle"}.isdisjoint(profile_of(unit).keywords)


def top_of(piece: Terrain) -> float:
    """Return the height in inches of the top of a piece of terrain: inf for impassable terrain, at least 0.1 for a
    barricade.
    """
    if piece.kind == "impassable":
        return math.inf
    return max(piece.height, LEAST_BARRICADE_HEIGHT) if piece.kind == "barricade" else piece.height
