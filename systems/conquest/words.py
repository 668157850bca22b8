"""The keys and words of Conquest in the scenario file: profiles, choices, declarations, status and terrain."""

from typing import Annotated, Literal

from pydantic import Field

from tabletop.geometry.pose import Side
from tabletop.scenario.vocabulary import Entry

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
