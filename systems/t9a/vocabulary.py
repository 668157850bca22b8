"""The Ninth Age's part of the scenario file: its keys and words, and what a set-up must keep."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from tabletop.errors import Problem
from tabletop.ruling.charge import Charge
from tabletop.scenario.standing import off_board, overlaps
from tabletop.scenario.vocabulary import Entry, Vocabulary
from tabletop.table.state import RearRank, Regiment, State
from tabletop.units import inches
from tabletop.words import key_path, shown

SKIRMISH_GAP_MM = 12.5
MOST_RANGE_DICE = 5

STATUS = ("engaged", "shaken", "charging", "failed_charge")
TERRAIN_KINDS = ("impassable", "opaque", "open")

Source = Annotated[int, Field(ge=0, le=4)]


class Profile(Entry):
    """The statistics of a unit that matter to a charge."""

    charge_speed: Annotated[float, Field(ge=0, le=30)] = 0.0
    height: Annotated[int, Field(ge=0, le=5)] = 1
    swiftstride: bool = False
    maximised: Source = 0
    minimised: Source = 0
    fly: bool = False
    skirmish: bool = False
    rear_rank: RearRank = "left"

    @property
    def extra_dice(self) -> int:
        """More dice than one on the range roll: keep the highest if positive, the lowest if negative."""
        return self.maximised + self.swiftstride - self.minimised


class Choices(Entry):
    """How the rules are read where they are silent or admit two readings; the defaults come first."""

    clearance: Annotated[float, Field(gt=0, le=0.1)] = 0.001
    corners: Literal["both", "neither"] = "both"
    arc_tie: Literal["best", "flank"] = "best"
    friend_touch: bool = True
    impassable_touch: bool = False
    combined_goal: Literal["target-first", "sum"] = "target-first"
    engaged_target_turns: bool = False
    gap_graze: bool = True
    contact_slack: Annotated[float, Field(ge=0, le=0.1)] = 0.0
    distance_from: Literal["boundary", "front"] = "boundary"
    blocked_facing: Literal["best", "adjacent"] = "best"
    combined_lookahead: Literal["together", "one-by-one"] = "together"
    tie: Literal["longest-contact", "centre", "least-slide"] = "longest-contact"
    declare_room: Literal["earlier-gone", "as-they-stand"] = "earlier-gone"
    blocked_by_friends: bool = True
    combined_blocked_path: bool = True


class Declarations(Entry):
    """What a charge declares beside charger, target and dice."""

    reaction: str = "hold"

    @field_validator("reaction")
    @classmethod
    def _holds(cls, reaction: str) -> str:
        if reaction != "hold":
            raise PydanticCustomError("reaction", "only 'hold' is modelled for t9a")
        return reaction


def complete(unit: Regiment) -> Regiment:
    """Give a regiment the spacing and the rear rank that its profile says."""
    spacing = inches(SKIRMISH_GAP_MM) if unit.profile.skirmish else 0.0
    return replace(unit, spacing=spacing, rear_rank=unit.profile.rear_rank)


def problems(state: State, charges: Sequence[tuple[int, Charge]]) -> list[Problem]:
    """List what a set-up and its charges, given with their numbers in the file, break."""
    return [*off_board(state), *_too_many_dice(state), *overlaps(state, ("impassable",)), *_charges(state, charges)]


def _too_many_dice(state: State) -> Iterator[Problem]:
    for unit in state.units.values():
        dice = 1 + abs(unit.profile.extra_dice)
        if dice > MOST_RANGE_DICE:
            message = f"expected at most {MOST_RANGE_DICE} range dice; maximised, minimised and swiftstride give {dice}"
            yield Problem(key_path(["units", unit.name, "profile"]), message)


def _charges(state: State, charges: Sequence[tuple[int, Charge]]) -> Iterator[Problem]:
    for number, charge in charges:
        key = f"charges[{number}].targets"
        if len(charge.targets) != 1:
            yield Problem(key, f"expected exactly 1 target in t9a, given {len(charge.targets)}")
        for index, target in enumerate(charge.targets):
            if target == charge.charger:
                yield Problem(f"{key}[{index}]", f"{shown(target)} cannot charge itself")
            elif state.units[target].side == state.units[charge.charger].side:
                message = f"{shown(target)} is on the same side as {shown(charge.charger)}: {shown(state.units[target].side)}"
                yield Problem(f"{key}[{index}]", message)


VOCABULARY = Vocabulary(
    profile=Profile,
    choices=Choices,
    declarations=Declarations,
    terrain_kinds=TERRAIN_KINDS,
    status=STATUS,
    complete=complete,
    problems=problems,
)
