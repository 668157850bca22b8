"""Conquest's part of the scenario file: its keys and words, and what a set-up must keep."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from tabletop.errors import Problem
from tabletop.geometry.pose import Side
from tabletop.ruling.charge import Charge
from tabletop.scenario.standing import off_board, overlaps, reach_beyond
from tabletop.scenario.vocabulary import Charges, Entry, Vocabulary
from tabletop.table.state import Regiment, State
from tabletop.units import CONTACT
from tabletop.words import shown

MOST_SIZE = 9
STATUS = ("reinforcement", "done", "broken", "charged", "inspired", "marched")
MAY_OVERLAP_FRIENDS = ("marched", "done", "broken")
"""Status words of regiments that a charge may have left among friends."""
TERRAIN_KINDS = ("impassable", "garrison", "forest", "hill", "open")
SOLID = ("impassable", "garrison")
HEIGHTS = (("garrison", 2.0), ("forest", 3.0), ("hill", 2.0))


class Profile(Entry):
    """The statistics of a regiment that matter to a charge."""

    march: Annotated[float, Field(gt=0, le=30)]
    size: Annotated[int, Field(ge=0, le=MOST_SIZE)] = 1
    reroll: bool = False
    impact: bool = False


class Choices(Entry):
    """How the rules are read where they are silent or admit two readings; the defaults come first."""

    clearance: Annotated[float, Field(ge=1e-5, le=0.1)] = 0.001
    overlap: Annotated[float, Field(ge=1e-5, le=0.5)] = 0.001
    wheel_policy: Literal["most-contact", "least-turn", "widest-turn"] = "most-contact"
    reach: Literal["limit", "roll-decides"] = "limit"
    facing_tie: Literal["front-first", "flank-first"] = "front-first"
    facing_out_of_reach: Literal["next", "fail"] = "next"
    push: Literal["last-resort", "most-stands"] = "last-resort"
    align_sweep: Literal["whole", "final"] = "whole"
    deadlock: Literal["fail", "touch"] = "fail"
    failed_direction: Literal["nearest", "ahead"] = "nearest"
    failed_impassable: Literal["inch", "contact"] = "inch"
    mired_broken: Literal["both", "charger"] = "both"
    broken: Literal["allowed", "barred"] = "allowed"
    corner_contact: Literal["counts", "ignored"] = "counts"
    front_arc: Literal["any", "most"] = "any"
    sight_size: Literal["both", "charger"] = "both"


class OwnWheel(Entry):
    """A wheel that the player chose: the front corner that stays, and the angle in degrees."""

    pivot: Side
    angle_deg: Annotated[float, Field(ge=0, le=90)]


class Declarations(Entry):
    """What a charge declares beside charger, target and dice."""

    marched: Annotated[float, Field(ge=0, le=1000)] = 0.0
    actions_left: Annotated[int, Field(ge=0, le=100)] | None = None
    wheel: OwnWheel | None = None

    @property
    def actions_after(self) -> int:
        """Actions that are left after the charge: if it does not say, one, or none after a March."""
        if self.actions_left is not None:
            return self.actions_left
        return 0 if self.marched > 0.0 else 1


def problems(state: State, charges: Charges) -> list[Problem]:
    """List what is wrong with the sizes for sight, and with who charges whom."""
    return [*_heights(state), *_targets(state, charges)]


def _heights(state: State) -> Iterator[Problem]:
    for number, piece in enumerate(state.terrain):
        if not (piece.height.is_integer() and piece.height <= MOST_SIZE):
            message = f"expected a Size for sight, a whole number from 0 to {MOST_SIZE}, given {piece.height:g}"
            yield Problem(f"terrain[{number}].height", message)


def _targets(state: State, charges: Charges) -> Iterator[Problem]:
    round_pieces = {piece.name for piece in state.terrain if piece.shape.radius}
    for number, charge in charges:
        for index, name in enumerate(charge.targets):
            key = f"charges[{number}].targets[{index}]"
            if name == charge.charger:
                yield Problem(key, f"{shown(name)} cannot charge itself")
            if name in round_pieces:
                yield Problem(key, f"the garrison {shown(name)} is a circle, and has no sides to charge: give it as a polygon")


def tolerated(state: State, charges: Charges, choices: Choices) -> list[Problem]:
    """List who stands off the board or overlaps others by more than the clearance; who marches may be crossing friends, or stay in one."""
    slack = choices.clearance + CONTACT
    return [
        *off_board(state, slack=slack),
        *overlaps(state, SOLID, slack=slack, allowed=_crossings(state, charges)),
        *_marched(state, charges, slack),
    ]


def _crossings(state: State, charges: Charges) -> frozenset[frozenset[str]]:
    marching = {charge.charger for _, charge in charges if charge.declarations.marched > 0.0}
    marching |= {name for name, unit in state.units.items() if set(unit.status) & set(MAY_OVERLAP_FRIENDS)}
    sides = {name: unit.side for name, unit in state.units.items()}
    return frozenset(frozenset((name, other)) for name in marching for other in sides if other != name and sides[other] == sides[name])


def _marched(state: State, charges: Charges, slack: float) -> Iterator[Problem]:
    for number, charge in charges:
        charger, marched = state.units[charge.charger], charge.declarations.marched
        beyond = reach_beyond(state, before_march(charger, charge).boundary)
        if marched > 0.0 and beyond > slack:
            message = f"a March of {marched:g} in began {beyond:.6g} in beyond the board's edge; it must begin on the board"
            yield Problem(f"charges[{number}].marched", message)


def before_march(charger: Regiment, charge: Charge) -> Regiment:
    """Give the charger where it stood before the March of this activation."""
    return charger.at(charger.pose.advanced(-charge.declarations.marched))


VOCABULARY = Vocabulary(
    profile=Profile,
    choices=Choices,
    declarations=Declarations,
    terrain_kinds=TERRAIN_KINDS,
    status=STATUS,
    problems=problems,
    tolerated=tolerated,
    placement="stands",
    heights=HEIGHTS,
    chargeable=("garrison",),
)
