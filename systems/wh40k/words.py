"""Keys and words of Warhammer 40,000 in a scenario file: profiles, choices, declarations, status, terrain; and how
figures show them.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator, Strict, WithJsonSchema

from tabletop.messages import say
from tabletop.ruling.looks import Looks
from tabletop.scenario.validation import refusal
from tabletop.scenario.vocabulary import Entry
from tabletop.table.state import Silhouette

STATUS = ("advanced", "fell_back", "action", "selected", "fights_first")

TERRAIN_KINDS = ("block", "wall", "floor", "barricade", "impassable", "area")

TALL_KINDS = ("block", "wall", "floor", "barricade")

Keyword = Literal[
    "infantry",
    "beasts",
    "swarm",
    "cavalry",
    "mounted",
    "monster",
    "vehicle",
    "walker",
    "aircraft",
    "fly",
]

Keywords = Annotated[tuple[Keyword, ...], Strict(strict=False), Field(max_length=10)]

Length = Annotated[float, Field(ge=0, le=40)]

PivotValue = Annotated[float, Field(ge=0, le=12)]

Numbers = Annotated[
    tuple[Annotated[int, Field(ge=0)], ...], Strict(strict=False), Field(max_length=100)
]

MOST_MOVEMENT = 40.0
"""Inches."""


def _movement(value: Any) -> float | str:
    """Return a movement in inches as read from a file, or "-" for a unit that cannot move.

    Raises if the value is neither.
    """
    if value == "-":
        return "-"
    if (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and 0.0 <= value <= MOST_MOVEMENT
    ):
        return float(value)
    raise refusal(
        "movement", say('expected inches from 0 to 40, or "-" for a unit without movement')
    )


Movement = Annotated[
    float | str,
    PlainValidator(_movement),
    WithJsonSchema(
        {"anyOf": [{"type": "number", "minimum": 0, "maximum": MOST_MOVEMENT}, {"const": "-"}]}
    ),
]

SILHOUETTE_BY_KEYWORDS: tuple[tuple[tuple[str, ...], Silhouette], ...] = (
    (("aircraft",), "aeroplane"),
    (("vehicle", "walker"), "walker"),
    (("vehicle", "fly"), "hover"),
    (("vehicle",), "tracked"),
    (("monster",), "monster"),
    (("cavalry",), "mounted"),
    (("mounted",), "mounted"),
    (("beasts",), "beast"),
    (("infantry",), "foot"),
)
"""What models with all these keywords look like, the first that fits."""


class Profile(Entry):
    """The statistics of a unit that matter to a charge; lengths in inches."""

    keywords: Keywords = ("infantry",)
    """What the unit is. "infantry" and "beasts" go through walls, and like "fly" may end on floors; "fly" also passes
    over models; "monster" and "vehicle" pay for turning, unless on round bases, and do not move through friendly ones;
    "aircraft" never charges, and `aircraft_targets` of [rules] says who may charge it; "swarm", "cavalry", "mounted"
    and "walker" change nothing.
    """
    movement: Movement = 6.0
    """Movement characteristic in inches; a unit with "-" may not charge, otherwise the number does not matter."""
    charge_bonus: Annotated[int, Field(ge=-12, le=12)] = 0
    """Inches added to the charge roll, or with a minus taken from it."""
    pivot: PivotValue | None = None
    """Inches that the first turn of a model's move costs. Left out: `pivot_round`, `pivot_large` or `pivot_other` of
    [rules], by its base and keywords.
    """
    height: Length = 0.0
    """Height of each model in inches; counts only with `vertical = "body"` in [rules]."""

    @property
    def silhouette(self) -> Silhouette | None:
        """Silhouette with which figures show the models, by the first entry of `SILHOUETTE_BY_KEYWORDS` that fits; None
        if none does.
        """
        return next(
            (seen for words, seen in SILHOUETTE_BY_KEYWORDS if set(words) <= set(self.keywords)),
            None,
        )


class Choices(Entry):
    """How the rules are read where they admit two readings, the defaults first; numbers of the book where a file
    replaces them.
    """

    engagement_path: Literal["path", "end"] = "path"
    """Engagement range of enemies that are not charged: "path": hinders on the way too; "end": only where models
    end."""
    closer_scope: Literal["all", "moved"] = "all"
    """Which models without base contact must end closer to a target: "all": also those that would rather stay; "moved":
    those that move."""
    support: Literal["full", "centre"] = "full"
    """What must be over the top of a block to stand on it: "full": the whole base; "centre": the middle of the base."""
    vertical: Literal["base", "body"] = "base"
    """How vertical gaps are measured: "base": from base to base; "body": between models as tall as the `height` of
    their profiles."""
    fly_ground_to_ground: Literal["climb", "air"] = "climb"
    """A flyer's move that neither starts nor ends on terrain: "climb": goes up and down like any other; "air": is
    measured through the air.
    """
    fly_path: Literal["taut", "straight"] = "taut"
    """A flyer's way through the air: "taut": bends round the edges of what it flies over; "straight": a straight
    line."""
    fly_air: Literal["instead", "shorter"] = "instead"
    """A flyer's move that starts or ends on terrain, low terrain too: "instead": is measured through the air, not along
    the ground; "shorter": whichever is shorter.
    """
    aircraft_targets: Literal["fly-only", "any"] = "fly-only"
    """Which units may charge Aircraft: "fly-only": those that fly; "any": all."""
    fly_zones: Literal["pass", "avoid"] = "pass"
    """Engagement range of enemies that are not charged, on a flyer's way: "pass": does not hinder it; "avoid": hinders
    it like everybody.
    """
    spare_models: Literal["engage", "stay"] = "engage"
    """Models that need not end in base contact: "engage": as many as possible end engaged with a target; "stay": they
    move as little as they may.
    """
    clearance: Annotated[float, Field(gt=1e-6, le=0.1)] = 0.0001
    """Inches that the answer's moves keep beyond the engagement range of enemies that are not charged."""
    single_group: bool = True
    """Whether a unit must hang together as one group; if not, it is enough that each model has its neighbours."""
    pivot_round: PivotValue = 0.0
    """Inches that the first turn of a model on a round base costs, if its profile gives no `pivot`."""
    pivot_large: PivotValue = 2.0
    """Inches that the first turn of a monster or vehicle costs that is no aircraft and on no round base, if its profile
    gives no `pivot`.
    """
    pivot_other: PivotValue = 0.0
    """Inches that the first turn of any other model costs, if its profile gives no `pivot`."""
    engagement_horizontal: Length | None = None
    """Engagement range across, in inches. Left out: the book's 1."""
    engagement_vertical: Length | None = None
    """Engagement range up and down, in inches. Left out: the book's 5."""
    coherency_horizontal: Length | None = None
    """Inches across within which models of a unit are neighbours. Left out: the book's 2."""
    coherency_vertical: Length | None = None
    """Inches up and down within which models of a unit are neighbours. Left out: the book's 5."""
    coherency_large: Annotated[int, Field(ge=3, le=500)] | None = None
    """Number of models from which on each of a unit needs two neighbours, not one. Left out: the book's 7."""
    declare_range: Annotated[float, Field(ge=0, le=1000)] | None = None
    """Inches within which each target must be when it is declared. Left out: the book's 12."""
    free_height: Length | None = None
    """Inches of height up to which models move over terrain freely. Left out: the book's 2."""
    barricade_engagement: Length | None = None
    """Engagement range across a barricade, in inches. Left out: the book's 2."""


class Overwatch(Entry):
    """Charging models lost to Overwatch, by number: when the move begins, and when it has ended."""

    before: Numbers = ()
    """Models lost when the move begins, by their numbers in the unit, counted from 0; the rest must still be able to
    charge."""
    after: Numbers = ()
    """Models lost when the move has ended, by their numbers in the unit, counted from 0; the charge stands."""


class Declarations(Entry):
    """What a charge declares beside charger, targets and dice."""

    reroll: Literal["none", "if_failed", "always"] = "none"
    """Whether both dice are rolled again: "none": never; "if_failed": if the first roll is not enough; "always": in any
    case."""
    overwatch: Overwatch = Overwatch()
    """The charger's models that Overwatch removes."""


LOOKS = Looks(
    surface="dust",
    is_declared_first=False,
    terrain={"impassable": "rock"},
    steps={"overwatch_before": "loss", "overwatch_after": "loss", "fights_first": "consequence"},
    status=dict.fromkeys(STATUS, "hidden"),
    words={
        "en": {"terrain.block": "solid, may be climbed"},
        "de": {
            "terrain.impassable": "unpassierbar",
            "terrain.block": "massiv, erkletterbar",
            "step.overwatch_before": "Abwehrfeuer zuvor",
            "step.overwatch_after": "Abwehrfeuer danach",
            "step.fights_first": "Kämpft zuerst",
        },
        "fr": {
            "terrain.impassable": "infranchissable",
            "terrain.block": "massif, escaladable",
            "step.overwatch_before": "Alerte avant le mouvement",
            "step.overwatch_after": "Alerte après le mouvement",
            "step.fights_first": "Combat en Premier",
        },
    },
)
