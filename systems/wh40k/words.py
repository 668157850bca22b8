"""The keys and words of Warhammer 40,000 in the scenario file: profiles, choices, declarations, status and terrain."""

from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator, Strict, WithJsonSchema
from pydantic_core import PydanticCustomError

from tabletop.scenario.vocabulary import Entry

STATUS = ("advanced", "fell_back", "action", "selected", "fights_first")
TERRAIN_KINDS = ("block", "wall", "floor", "barricade", "impassable", "area")
TALL_KINDS = ("block", "wall", "floor", "barricade")

Keyword = Literal["infantry", "beasts", "swarm", "cavalry", "mounted", "monster", "vehicle", "walker", "aircraft", "fly"]
Keywords = Annotated[tuple[Keyword, ...], Strict(strict=False), Field(max_length=10)]
Length = Annotated[float, Field(ge=0, le=40)]
PivotValue = Annotated[float, Field(ge=0, le=12)]
Numbers = Annotated[tuple[Annotated[int, Field(ge=0)], ...], Strict(strict=False), Field(max_length=100)]


MOST_MOVEMENT = 40.0
"""Inches."""


def _movement(value: Any) -> float | str:
    """Read a movement in inches, or the dash of a unit that cannot move."""
    if value == "-":
        return "-"
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0.0 <= value <= MOST_MOVEMENT:
        return float(value)
    raise PydanticCustomError("movement", 'expected inches from 0 to 40, or "-" for a unit without movement')


Movement = Annotated[
    float | str,
    PlainValidator(_movement),
    WithJsonSchema({"anyOf": [{"type": "number", "minimum": 0, "maximum": MOST_MOVEMENT}, {"const": "-"}]}),
]


class Profile(Entry):
    """The statistics of a unit that matter to a charge; lengths in inches."""

    keywords: Keywords = ("infantry",)
    movement: Movement = 6.0
    charge_bonus: Annotated[int, Field(ge=-12, le=12)] = 0
    pivot: PivotValue | None = None
    height: Length = 0.0


class Choices(Entry):
    """How the rules are read where they admit two readings, the defaults first; numbers of the book where a file replaces them."""

    engagement_path: Literal["path", "end"] = "path"
    closer_scope: Literal["moved", "all"] = "moved"
    support: Literal["full", "centre"] = "full"
    vertical: Literal["base", "body"] = "base"
    fly_ground_to_ground: Literal["climb", "air"] = "climb"
    fly_path: Literal["taut", "straight"] = "taut"
    fly_zones: Literal["pass", "avoid"] = "pass"
    spare_models: Literal["engage", "stay"] = "engage"
    clearance: Annotated[float, Field(gt=1e-6, le=0.1)] = 0.0001
    single_group: bool = True
    pivot_round: PivotValue = 0.0
    pivot_large: PivotValue = 2.0
    pivot_other: PivotValue = 0.0
    engagement_horizontal: Length | None = None
    engagement_vertical: Length | None = None
    coherency_horizontal: Length | None = None
    coherency_vertical: Length | None = None
    coherency_large: Annotated[int, Field(ge=3, le=500)] | None = None
    declare_range: Annotated[float, Field(ge=0, le=1000)] | None = None
    free_height: Length | None = None
    barricade_engagement: Length | None = None


class Overwatch(Entry):
    """Charging models lost to Overwatch, by number: when the move begins, and when it has ended."""

    before: Numbers = ()
    after: Numbers = ()


class Declarations(Entry):
    """What a charge declares beside charger, targets and dice."""

    reroll: Literal["none", "if_failed", "always"] = "none"
    overwatch: Overwatch = Overwatch()
