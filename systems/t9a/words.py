"""The keys and words of The Ninth Age in the scenario file, and how figures draw them."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from tabletop.messages import say
from tabletop.ruling.looks import Looks
from tabletop.scenario.validation import refusal
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
    """Inches added to the range roll."""
    height: Annotated[int, Field(ge=0, le=5)] = 1
    """Height for line of sight, a plain number: a unit in between hides the target unless charger or target is
    higher."""
    swiftstride: bool = False
    """Whether the unit has swiftstride, one more source of a maximised range roll."""
    maximised: Source = 0
    """Number of other sources that maximise the range roll: each adds a die, of all of which the highest counts."""
    minimised: Source = 0
    """Number of sources that minimise the range roll: each cancels a maximising one, or adds a die, and the lowest
    counts."""
    fly: bool = False
    """Whether the unit flies: on the way of its charge it ignores units and terrain, but not the target."""
    skirmish: bool = False
    """Whether the models stand 12.5 millimetres apart, sideways and in depth."""
    rear_rank: RearRank = "left"
    """Where an incomplete rear rank stands, as the unit looks: "left" or "right": at that end; "centre": in the middle,
    of an odd number of empty files one more on the right.
    """

    @property
    def extra_dice(self) -> int:
        """Number of dice beyond one on the range roll: the highest counts if positive, the lowest if negative."""
        return self.maximised + self.swiftstride - self.minimised


class Choices(Entry):
    """How the rules are read where they are silent or admit two readings; the defaults come first."""

    clearance: Annotated[float, Field(gt=0, le=0.1)] = 0.001
    """Inches of gap that a unit keeps to what it must not touch."""
    corners: Literal["both", "neither"] = "both"
    """The end points of a facing: "both": first contact there counts; "neither": it must lie at least `clearance`
    inside them."""
    arc_tie: Literal["best", "flank"] = "best"
    """A charger exactly between two arcs: "best": may charge either facing, and the better result counts; "flank":
    charges the flank."""
    friend_touch: bool = True
    """Whether a charge move may touch friends; if not, it keeps `clearance` from them."""
    impassable_touch: bool = False
    """Whether a charge move may touch impassable terrain; if not, it keeps `clearance` from it."""
    combined_goal: Literal["target-first", "sum"] = "target-first"
    """What equally many completed charges at one target aim for: "target-first": most models of the target in contact,
    then most of the chargers; "sum": most of both together, then of the target.
    """
    engaged_target_turns: bool = False
    """Whether a target that is engaged with another unit still turns to align with an unaligned charger."""
    gap_graze: bool = True
    """Whether a model behind empty places counts as in contact if it meets the other at a single point; if not, their
    common length must be `clearance` at least.
    """
    contact_slack: Annotated[float, Field(ge=0, le=0.1)] = 0.0
    """Inches by which models may miss each other along the facing and still count as in contact: 0 is exact geometry,
    0.02 what a hand can place.
    """
    distance_from: Literal["boundary", "front"] = "boundary"
    """From where the range is measured: "boundary": from any part of the charger's boundary; "front": from its front
    edge."""
    blocked_facing: Literal["best", "adjacent"] = "best"
    """The facing that Blocked Path opens: "best": any other, and the best result counts; "adjacent": of the two beside
    the blocked one the one nearer to the charger.
    """
    combined_lookahead: Literal["together", "one-by-one"] = "together"
    """How places of combined charges are chosen: "together": jointly; "one-by-one": each in turn takes its own best,
    given those before it.
    """
    tie: Literal["longest-contact", "centre", "least-slide"] = "longest-contact"
    """Which of equally good places is taken: "longest-contact": that with the longest contact; "centre": nearest to the
    middle of the facing; "least-slide": nearest to where the charger started.
    """
    declare_room: Literal["earlier-gone", "as-they-stand"] = "earlier-gone"
    """Friends that declared a charge before, when room for this one is sought: "earlier-gone": they are left out;
    "as-they-stand": they are in the way.
    """
    blocked_by_friends: bool = True
    """Whether Blocked Path also applies where only friends that touch the target keep the charger from its proper
    facing."""
    combined_blocked_path: bool = True
    """Whether a unit may charge by Blocked Path a target that another unit has declared a charge against."""


class Declarations(Entry):
    """What a charge declares beside charger, target and dice."""

    reaction: str = "hold"
    """What the target does: "hold": it stays where it is, the only reaction supported."""

    @field_validator("reaction")
    @classmethod
    def _holds(cls, reaction: str) -> str:
        """Return the target's reaction if it is "hold", the only one supported; otherwise raise a validation error."""
        if reaction != "hold":
            raise refusal("reaction", say("only 'hold' is supported for t9a"))
        return reaction


LOOKS = Looks(
    terrain={"impassable": "rock", "opaque": "screen", "open": "neutral"},
    steps={"special_align": "align", "placed": "align"},
    status=dict.fromkeys(STATUS, "hidden"),
    words={
        "en": {
            "terrain.opaque": "blocks sight",
            "terrain.open": "open terrain",
            "step.placed": "Put down",
        },
        "de": {
            "terrain.impassable": "unpassierbar",
            "terrain.opaque": "nimmt die Sicht",
            "terrain.open": "offenes Gelände",
            "step.initial_forward": "Erstes Vorrücken",
            "step.concluding_forward": "Letztes Vorrücken",
            "step.placed": "Hingestellt",
            "step.special_align": "Besonderes Ausrichten",
        },
        "fr": {
            "terrain.impassable": "infranchissable",
            "terrain.opaque": "bloque la vue",
            "terrain.open": "terrain dégagé",
            "step.initial_forward": "Première avance",
            "step.concluding_forward": "Dernière avance",
            "step.placed": "Mise en place",
            "step.special_align": "Alignement spécial",
        },
    },
)
