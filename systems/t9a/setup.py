"""The Ninth Age's checks of a scenario file, beyond the types of values."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from systems.t9a.words import (
    LOOKS,
    MOST_RANGE_DICE,
    SKIRMISH_GAP_MM,
    STATUS,
    TERRAIN_KINDS,
    Choices,
    Declarations,
    Profile,
)
from tabletop.errors import Fault
from tabletop.messages import key_path, shown
from tabletop.ruling.charge import Charge
from tabletop.scenario.checks import off_board, overlaps
from tabletop.scenario.vocabulary import Charges, Vocabulary
from tabletop.table.state import Regiment, State
from tabletop.units import inches

if TYPE_CHECKING:
    from tabletop.settling.constraints import SetUpRules


def complete(unit: Regiment) -> Regiment:
    """Return a regiment with the spacing and the place of an incomplete rear rank that its profile gives."""
    spacing = inches(SKIRMISH_GAP_MM) if unit.profile.skirmish else 0.0
    return replace(unit, spacing=spacing, rear_rank=unit.profile.rear_rank)


def problems(state: State, charges: Sequence[tuple[int, Charge]]) -> list[Fault]:
    """Return the faults of a set-up and of its charges, which are given with their indices in the file."""
    return [
        *off_board(state),
        *_too_many_dice(state),
        *overlaps(state, SOLID_TERRAIN_KINDS),
        *_charges(state, charges),
    ]


SOLID_TERRAIN_KINDS = ("impassable",)
"""Kinds of terrain in which no unit stands."""


def room(state: State, charges: Charges, choices: Choices) -> "SetUpRules":
    """Return the constraints on a possible table: units apart from each other and from solid terrain, all on the
    board.
    """
    del state, charges, choices
    from tabletop.settling.constraints import regiment_rules

    return regiment_rules(SOLID_TERRAIN_KINDS)


def _too_many_dice(state: State) -> Iterator[Fault]:
    """Yield a fault for each unit whose profile gives more range dice than allowed."""
    for unit in state.units.values():
        dice = 1 + abs(unit.profile.extra_dice)
        if dice > MOST_RANGE_DICE:
            message = "expected at most {most} range dice; maximised, minimised and swiftstride give {dice}"
            yield Fault.of(
                key_path(["units", unit.name, "profile"]), message, most=MOST_RANGE_DICE, dice=dice
            )


def _charges(state: State, charges: Sequence[tuple[int, Charge]]) -> Iterator[Fault]:
    """Yield a fault for each charge without exactly one target, or against itself or a friend."""
    for number, charge in charges:
        key = f"charges[{number}].targets"
        if len(charge.targets) != 1:
            yield Fault.of(
                key,
                "expected exactly 1 target in {game}, given {count}",
                game="t9a",
                count=len(charge.targets),
            )
        for index, target in enumerate(charge.targets):
            if target == charge.charger:
                yield Fault.of(f"{key}[{index}]", "{name} cannot charge itself", name=shown(target))
            elif state.units[target].side == state.units[charge.charger].side:
                message = "{target} is on the same side as {charger}: {side}"
                side = shown(state.units[target].side)
                yield Fault.of(
                    f"{key}[{index}]",
                    message,
                    target=shown(target),
                    charger=shown(charge.charger),
                    side=side,
                )


EXAMPLE = {
    "title": "A charge",
    "board": {"width": 72.0, "depth": 48.0},
    "units": {
        "A": {
            "side": "blue",
            "at": [38.0, 32.0],
            "facing_deg": 260.0,
            "files": 5,
            "models": 15,
            "base": "20x20mm",
            "profile": {"charge_speed": 5.0},
        },
        "B": {
            "side": "red",
            "at": [36.0, 24.0],
            "facing_deg": 90.0,
            "files": 7,
            "models": 14,
            "base": "20x20mm",
        },
    },
    "charges": [{"charger": "A", "targets": ["B"], "dice": [4]}],
}
"""A small file that can be resolved."""

VOCABULARY = Vocabulary(
    profile=Profile,
    choices=Choices,
    declarations=Declarations,
    terrain_kinds=TERRAIN_KINDS,
    solid=SOLID_TERRAIN_KINDS,
    status=STATUS,
    complete=complete,
    problems=problems,
    room=room,
    looks=LOOKS,
    example=EXAMPLE,
)
