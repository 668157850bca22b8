"""The keys and words of Conquest: profiles, choices, declarations, status and terrain of the scenario file, and how
figures draw them.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from tabletop.geometry.pose import Side
from tabletop.ruling.looks import Looks
from tabletop.scenario.vocabulary import Entry
from tabletop.table.state import Silhouette

MOST_SIZE = 9

STATUS = ("reinforcement", "done", "broken", "charged", "inspired", "marched")

MAY_OVERLAP_FRIENDS = ("marched", "done", "broken")
"""Status words of regiments that a charge may have left among friends."""

TERRAIN_KINDS = ("impassable", "garrison", "forest", "hill", "open")

SOLID_TERRAIN = ("impassable", "garrison")

TERRAIN_HEIGHTS = (("garrison", 2.0), ("forest", 3.0), ("hill", 2.0))

SILHOUETTE_BY_SIZE: Mapping[int, Silhouette] = {1: "foot", 3: "monster"}
"""What sizes look like; those of 2 are of several kinds."""


class Profile(Entry):
    """The statistics of a regiment that matter to a charge."""

    march: Annotated[float, Field(gt=0, le=30)]
    """March value in inches; the charge roll is added to it."""
    size: Annotated[int, Field(ge=0, le=MOST_SIZE)] = 1
    """Size for line of sight, a plain number: infantry 1; cavalry, brutes and chariots 2; monsters 3."""
    reroll: bool = False
    """Whether a charge roll that is not enough may be rolled again; the second face stands."""
    impact: bool = False
    """Whether the regiment makes Impact Attacks; this only adds a remark to the findings."""

    @property
    def silhouette(self) -> Silhouette | None:
        """Silhouette that figures draw for the regiment, None if its Size does not say which."""
        return SILHOUETTE_BY_SIZE.get(self.size)


class Choices(Entry):
    """How the rules are read where they are silent or admit two readings; the defaults come first."""

    clearance: Annotated[float, Field(ge=1e-5, le=0.1)] = 0.001
    """Inches of gap below which regiments are in contact; enemies and garrisons that are not charged are kept at least
    so far away."""
    overlap: Annotated[float, Field(ge=1e-5, le=0.5)] = 0.001
    """Inches of a stand's width that must face the charged side of the target for the stand to count."""
    wheel_policy: Literal["most-contact", "least-turn", "widest-turn"] = "most-contact"
    """Which of equally good wheels is taken: "most-contact": that with the longest contact; "least-turn": the smallest;
    "widest-turn": the widest.
    """
    reach: Literal["limit", "roll-decides"] = "limit"
    """Length of the straight move: "limit": at most the Charge Distance; "roll-decides": as far as it takes, once the
    roll is enough."""
    facing_tie: Literal["front-first", "flank-first"] = "front-first"
    """Which side is charged if the charger lies equally in the arcs of several, the first that applies: "front-first":
    front, right, rear, left; "flank-first": right, left, front, rear.
    """
    facing_out_of_reach: Literal["next", "fail"] = "next"
    """If no wheel brings a stand to the charged side: "next": the side with the next largest part of the charger in its
    arc is charged; "fail": the charge fails.
    """
    push: Literal["last-resort", "most-stands"] = "last-resort"
    """When other enemies are pushed out of the way: "last-resort": only if no wheel completes the charge without;
    "most-stands": also where it brings more stands to the target.
    """
    align_sweep: Literal["whole", "final"] = "whole"
    """Room for a turn that aligns: "whole": it must be free all the way; "final": only where it ends."""
    deadlock: Literal["fail", "touch"] = "fail"
    """If neither regiment can turn flush and no push helps: "fail": the charge fails; "touch": it succeeds, and the
    charger stays where it touched.
    """
    failed_direction: Literal["nearest", "ahead"] = "nearest"
    """Where a failed charge moves, without a turn: "nearest": along the shortest line to the target; "ahead": straight
    ahead."""
    failed_impassable: Literal["inch", "contact"] = "inch"
    """Where a failed charge halts before impassable terrain: "inch": 1 inch from it; "contact": touching it."""
    mired_broken: Literal["both", "charger"] = "both"
    """Who becomes Broken when a charger is mired in a friend: "both" of them, or only the "charger"."""
    broken: Literal["allowed", "barred"] = "allowed"
    """Whether a Broken regiment may declare a charge: "allowed" or "barred"."""
    corner_contact: Literal["counts", "ignored"] = "counts"
    """Whether a stand that touches at one point only is in contact: "counts": it is; "ignored": it is not."""
    front_arc: Literal["any", "most"] = "any"
    """How much of the target must lie in the charger's front arc: "any" part of it, or "most": more than half of its
    area."""
    sight_size: Literal["both", "charger"] = "both"
    """What blocks line of sight: "both": whatever is at least of the Size of both charger and target; "charger": at
    least of the charger's.
    """


class OwnWheel(Entry):
    """A wheel that the player chose: the front corner that stays, and the angle in degrees."""

    pivot: Side
    """Front corner that stays in place: about the "left" one the regiment turns counter-clockwise, about the "right"
    one clockwise."""
    angle_deg: Annotated[float, Field(ge=0, le=90)]
    """Degrees by which the regiment turns about that corner."""


class Declarations(Entry):
    """What a charge declares beside charger, target and dice."""

    marched: Annotated[float, Field(ge=0, le=1000)] = 0.0
    """Inches that the charger has marched straight ahead in this activation before the charge; its `at` is where it
    stands now."""
    actions_left: Annotated[int, Field(ge=0, le=100)] | None = None
    """Actions that the charger has left after the charge. Left out: 1, or 0 where it has `marched`."""
    wheel: OwnWheel | None = None
    """The wheel that the player makes before the straight move; one worse than the best is not allowed. Left out: the
    best, among equals by `wheel_policy`.
    """

    @property
    def actions_after(self) -> int:
        """Actions left after the charge: as declared, else 1, or 0 after a March."""
        if self.actions_left is not None:
            return self.actions_left
        return 0 if self.marched > 0.0 else 1


LOOKS = Looks(
    surface="steppe",
    is_declared_first=False,
    terrain={"impassable": "rock", "garrison": "building", "forest": "wood", "open": "neutral"},
    steps={"advance": "follow"},
    status={**dict.fromkeys(STATUS, "hidden"), "broken": "written"},
    words={
        "en": {"terrain.open": "open terrain"},
        "de": {
            "terrain.impassable": "unpassierbar",
            "terrain.garrison": "Garnison",
            "terrain.forest": "Wald",
            "terrain.open": "offenes Gelände",
            "step.advance": "Nachrücken",
            "step.target_wheel": "Schwenk des Ziels",
            "step.mired": "Aufgehalten",
            "status.broken": "gebrochen",
        },
        "fr": {
            "terrain.impassable": "infranchissable",
            "terrain.garrison": "garnison",
            "terrain.forest": "forêt",
            "terrain.open": "terrain dégagé",
            "step.advance": "Avance",
            "step.target_wheel": "Rotation de la cible",
            "step.mired": "Enlisement",
            "status.broken": "Brisé",
        },
    },
)
