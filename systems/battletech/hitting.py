"""The number to hit with a charge, item by item."""

from collections.abc import Mapping
from dataclasses import dataclass

from systems.battletech.scene import Combatant, Gait, Table
from tabletop.ruling.assumption import Assumed, assumed

TO_HIT = "to-hit"
"""What a roll to hit is called."""
TARGET_MOVEMENT = ((25, 6), (18, 5), (10, 4), (7, 3), (5, 2), (3, 1))
"""Hexes that a target moved at least, and what they add."""


@dataclass(frozen=True)
class ToHit:
    """The items of a number to hit, in the order of the rules, those of 0 included; `assumed` are numbers that no profile gives."""

    items: Mapping[str, int]
    assumed: tuple[Assumed, ...] = ()

    @property
    def number(self) -> int:
        """What two dice must reach."""
        return sum(self.items.values())

    @property
    def text(self) -> str:
        """The sum in words, items of 0 left out."""
        shown = [f"{name.replace('_', ' ')} {value:+d}" for name, value in self.items.items() if value and name != "piloting"]
        return f"{self.number} = {', '.join([str(self.items['piloting']), *shown])}"


def aim(
    table: Table,
    charger: Combatant,
    *,
    target: Combatant,
    gait: Gait,
    modifiers: Mapping[str, int],
    is_unintentional: bool = False,
) -> ToHit:
    """Sum up the number that a charge needs to hit a unit; `modifiers` are those that the charge declares by their reasons."""
    book = table.book
    return ToHit(
        {
            "piloting": charger.profile.piloting,
            "difference": charger.profile.piloting - target.profile.piloting,
            "movement": book.walk_to_hit if gait == "walk" else book.run_to_hit,
            "target_movement": target_movement(table, target),
            "terrain": _terrain(table, target),
            "prone": book.prone_to_hit * target.is_prone,
            "immobile": book.immobile_to_hit * target.is_immobile,
            "spotting": book.spotting_to_hit * ("spotting" in charger.status),
            "unintentional": book.unintentional_to_hit * is_unintentional,
            "other": sum(modifiers.values()),
        },
        (*assumed(charger, "piloting"), *assumed(target, "piloting", "hexes_moved")),
    )


def target_movement(table: Table, target: Combatant) -> int:
    """Give what a target's own movement adds to the number to hit it."""
    moved = next((modifier for least, modifier in TARGET_MOVEMENT if target.profile.hexes_moved >= least), 0)
    jumped = table.book.jumped_to_hit * ("jumped" in target.status)
    return moved + jumped + table.book.skidded_to_hit * ("skidded" in target.status)


def _terrain(table: Table, target: Combatant) -> int:
    """Give what woods and smoke in the target's hex add."""
    book, ground = table.book, table.at(target.hex)
    woods = {"light_woods": book.light_woods_to_hit, "heavy_woods": book.heavy_woods_to_hit}.get(ground.cover, 0)
    smoke = {"light_smoke": book.light_smoke_to_hit, "heavy_smoke": book.heavy_smoke_to_hit}.get(ground.smoke or "", 0)
    return woods + smoke
