"""Conquest's checks of a scenario file, beyond the types of values."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from systems.conquest.words import (
    LOOKS,
    MAY_OVERLAP_FRIENDS,
    MOST_SIZE,
    SOLID_TERRAIN,
    STATUS,
    TERRAIN_HEIGHTS,
    TERRAIN_KINDS,
    Choices,
    Declarations,
    Profile,
)
from tabletop.errors import Fault
from tabletop.messages import shown
from tabletop.scenario.checks import off_board, overlaps
from tabletop.scenario.vocabulary import Charges, Vocabulary
from tabletop.table.state import State
from tabletop.units import CONTACT

if TYPE_CHECKING:
    from tabletop.settling.constraints import SetUpRules


def problems(state: State, charges: Charges) -> list[Fault]:
    """Return the faults of a scenario: heights that are no Sizes for sight, and chargers and targets that cannot be."""
    return [*_heights(state), *_targets(state, charges)]


def _heights(state: State) -> Iterator[Fault]:
    """Yield a fault for each piece of terrain whose height is not a whole number from 0 to the greatest Size."""
    for number, piece in enumerate(state.terrain):
        if not (piece.height.is_integer() and piece.height <= MOST_SIZE):
            message = "expected a Size for sight, a whole number from 0 to {most}, given {height:g}"
            yield Fault.of(
                f"terrain[{number}].height", message, most=MOST_SIZE, height=piece.height
            )


def _targets(state: State, charges: Charges) -> Iterator[Fault]:
    """Yield a fault for each charge against its own charger or against a round garrison, which has no sides."""
    round_pieces = {piece.name for piece in state.terrain if piece.shape.radius}
    for number, charge in charges:
        for index, name in enumerate(charge.targets):
            key = f"charges[{number}].targets[{index}]"
            if name == charge.charger:
                yield Fault.of(key, "{name} cannot charge itself", name=shown(name))
            if name in round_pieces:
                yield Fault.of(
                    key,
                    "the garrison {name} is a circle, and has no sides to charge: give it as a polygon",
                    name=shown(name),
                )


def tolerated(state: State, charges: Charges, choices: Choices) -> list[Fault]:
    """Return the faults of regiments that are off the board or overlap others by more than the clearance.

    Chargers that march, and regiments that a charge may have left among friends, may overlap friends.
    """
    slack = choices.clearance + CONTACT
    return [
        *off_board(state, slack=slack),
        *overlaps(state, SOLID_TERRAIN, slack=slack, allowed=_crossings(state, charges)),
        *_marched(state, charges, slack),
    ]


def room(state: State, charges: Charges, choices: Choices) -> "SetUpRules":
    """Return the constraints on a possible table: regiments apart from each other and from solid terrain, on the board.

    Overlaps up to the clearance are possible, and those between friends that a March allows.
    """
    from tabletop.settling.constraints import regiment_rules

    return regiment_rules(
        SOLID_TERRAIN, overlap=choices.clearance, allowed=_crossings(state, charges)
    )


def _crossings(state: State, charges: Charges) -> frozenset[frozenset[str]]:
    """Return the pairs of names of friends that may overlap, because one of them marches, marched, or is mired."""
    marching = {charge.charger for _, charge in charges if charge.declarations.marched > 0.0}
    marching |= {
        name for name, unit in state.units.items() if set(unit.status) & set(MAY_OVERLAP_FRIENDS)
    }
    sides = {name: unit.side for name, unit in state.units.items()}
    return frozenset(
        frozenset((name, other))
        for name in marching
        for other in sides
        if other != name and sides[other] == sides[name]
    )


def _marched(state: State, charges: Charges, slack: float) -> Iterator[Fault]:
    """Yield a fault for each March that began beyond the board's edge by more than `slack` inches."""
    for number, charge in charges:
        charger = state.units[charge.charger]
        marched = charge.declarations.marched
        beyond = -state.board.room(
            charger.at(charger.pose.advanced(-charge.declarations.marched)).boundary
        )
        if marched > 0.0 and beyond > slack:
            message = (
                "a March of {marched:g} in began {beyond:.6g} in beyond the board's edge; "
                "it must begin on the board"
            )
            yield Fault.of(f"charges[{number}].marched", message, marched=marched, beyond=beyond)


EXAMPLE = {
    "title": "A charge",
    "board": {"width": 48.0, "depth": 36.0},
    "units": {
        "A": {
            "side": "blue",
            "at": [18.0, 10.0],
            "facing_deg": 80.0,
            "files": 3,
            "stands": 3,
            "base": "50.8x50.8mm",
            "profile": {"march": 5.0, "size": 1},
        },
        "B": {
            "side": "red",
            "at": [20.0, 18.0],
            "facing_deg": 270.0,
            "files": 3,
            "stands": 3,
            "base": "50.8x50.8mm",
            "profile": {"march": 5.0, "size": 1},
        },
    },
    "charges": [{"charger": "A", "targets": ["B"], "dice": [5]}],
}
"""A small file that can be resolved."""

VOCABULARY = Vocabulary(
    profile=Profile,
    choices=Choices,
    declarations=Declarations,
    terrain_kinds=TERRAIN_KINDS,
    solid=("impassable",),
    status=STATUS,
    problems=problems,
    tolerated=tolerated,
    room=room,
    placement="stands",
    heights=TERRAIN_HEIGHTS,
    chargeable=("garrison",),
    looks=LOOKS,
    example=EXAMPLE,
)
