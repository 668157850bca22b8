"""The keys and words of The Ninth Age in the scenario file: profiles, choices, declarations, status and terrain."""

from typing import Annotated, Literal

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from tabletop.scenario.vocabulary import Entry
from tabletop.table.state import RearRank

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
