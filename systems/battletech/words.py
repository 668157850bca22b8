"""BattleTech's keys and words in the scenario file."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, Field, Strict, WithJsonSchema, create_model
from pydantic_core import PydanticCustomError

from systems.battletech.ground import COVERS, SMOKES
from tabletop.scenario.fields import HexNumber, Name, hex_of
from tabletop.scenario.vocabulary import Entry
from tabletop.table.hexes import HexFacing
from tabletop.table.state import Hex

STATUS = (
    "prone",
    "immobile",
    "stuck",
    "stunned",
    "fired",
    "moved",
    "unmoved",
    "charging",
    "targeted",
    "jumped",
    "skidded",
    "spotting",
    "landed",
    "twist_left",
    "twist_right",
)
TERRAIN_KINDS = (*COVERS, "level", *SMOKES, "prohibited")
WORST_PILOTING = 8
MOST_MODIFIER = 10
WEIGHTLESS = ("infantry", "protomech")
"""Types whose tonnage does not matter."""
AIRBORNE = ("vtol", "wige", "airship", "fixed_wing_support")
"""Types that are in the air unless their status is `landed`."""

Kind = Literal["mech", "vehicle", "vtol", "wige", "airship", "fixed_wing_support", "infantry", "protomech", "dropship"]
Motion = Literal["tracked", "wheeled", "hover"]
Mobility = Literal["mech", "vehicle", "tracked", "wheeled", "hover"]
MovementPoints = Annotated[int, Field(ge=0, le=40)]
Event = Literal["none", "passed", "failed", "roll"]
StepOut = Literal["forward", "back", "stay"]
Modifier = Annotated[int, Field(ge=-20, le=20)]
Sense = Literal["forward", "back", "side"]
_STEP = re.compile(r"(?:(back|side):)?(\d{4})")


class Profile(Entry):
    """The statistics of a unit that matter to a charge; MP are those of walking and running, or of cruise and flank."""

    type: Kind
    tons: Annotated[int, Field(ge=1, le=20_000)] | None = None
    piloting: Annotated[int, Field(ge=0, le=WORST_PILOTING)] = 5
    psr_modifier: Annotated[int, Field(ge=-4, le=MOST_MODIFIER)] = 0
    walk: MovementPoints | None = None
    run: MovementPoints | None = None
    motion: Motion = "tracked"
    turret: bool = True
    legs: Literal[2, 4] = 2
    hexes_moved: Annotated[int, Field(ge=0, le=60)] = 0
    unspent_mp: MovementPoints = 0
    ran: bool = False
    equipment: Annotated[tuple[Literal["bulldozer"], ...], Strict(strict=False)] = ()

    @property
    def running(self) -> int:
        """MP at a run: as given, else half as many again as at a walk, rounded up."""
        return (3 * (self.walk or 0) + 1) // 2 if self.run is None else self.run

    def writable(self) -> "Profile":
        """Give the statistics as a file can hold them: skill beyond its worst counts as a modifier of its rolls."""
        excess = self.piloting - WORST_PILOTING
        if excess <= 0:
            return self
        return self.model_copy(update={"piloting": WORST_PILOTING, "psr_modifier": min(self.psr_modifier + excess, MOST_MODIFIER)})


class Choices(Entry):
    """How the rules are read where they are silent or admit two readings; the defaults come first."""

    backward: Literal["forbidden", "counted", "since_reversal"] = "forbidden"
    mech_charges_prone: Literal["forbidden", "allowed"] = "forbidden"
    friendly_target: Literal["forbidden", "allowed"] = "forbidden"
    unmoved_immobile_target: Literal["allowed", "forbidden"] = "allowed"
    charge_into_building: Literal["allowed", "forbidden"] = "allowed"
    building_with_units: Literal["allowed", "refused"] = "allowed"
    level_difference: Literal["climb", "one"] = "climb"
    damage_rounding: Literal["product", "per_ten"] = "product"
    submerged_charger: Literal["full", "halved"] = "full"
    vehicle_front_5: Literal["right", "left"] = "right"
    building_plus_three: Literal["target", "all"] = "target"
    building_speed_row: Literal["off", "on"] = "off"
    building_charge_advance: Literal["enter", "stay"] = "enter"
    skid_rounding: Literal["up", "down"] = "up"
    skid_damage: Literal["per_hex", "per_hex_and_fall"] = "per_hex"
    auto_miss_placement: Literal["stay", "side"] = "stay"
    immobile_charger: Literal["charges", "cancelled"] = "charges"
    heavy_damage_psr: Literal["shared", "separate", "off"] = "shared"
    pilot_levels: Literal["levels", "levels_minus_one"] = "levels"
    stacking: Literal["total_warfare", "single"] = "total_warfare"
    target_gone: Literal["stay", "advance"] = "stay"
    miss_hexes: Literal["front_sides", "rear_sides"] = "front_sides"
    miss_into_occupied: Literal["not_allowed", "domino"] = "not_allowed"


def step_of(text: str) -> tuple[Sense, Hex]:
    """Read one entry of a path: a hex number, after "back:" or "side:" where the charger does not go forward."""
    match = _STEP.fullmatch(text)
    if match is None or not text.isascii():
        raise PydanticCustomError("step", 'expected a hex number such as "0507", "back:0507" or "side:0507"')
    return cast("Sense", match.group(1) or "forward"), hex_of(match.group(2))


def _step(text: str) -> str:
    step_of(text)
    return text


PathStep = Annotated[str, AfterValidator(_step), WithJsonSchema({"type": "string", "pattern": f"^{_STEP.pattern}$", "examples": ["0507"]})]


class WeaponPhase(Entry):
    """What happens between declaring and resolving: piloting rolls forced by damage, and MP lost to it."""

    charger_psr: Event = "none"
    charger_psr_modifier: Modifier = 1
    target_psr: Event = "none"
    target_psr_modifier: Modifier = 1
    charger_mp_lost: MovementPoints = 0


class Declarations(Entry):
    """What a charge declares beside charger, target and dice."""

    target_hex: HexNumber | None = None
    path: Annotated[tuple[PathStep, ...], Strict(strict=False), Field(max_length=60)] | None = None
    end_facing: HexFacing | None = None
    movement: Literal["auto", "walk", "run", "jump", "sprint", "evade"] = "auto"
    hexes_moved: Annotated[int, Field(ge=0, le=60)] | None = None
    mp_left: MovementPoints | None = None
    declared_in: Literal["movement", "weapon", "physical"] = "movement"
    miss: Literal["right", "left"] = "right"
    domino: Mapping[Name, StepOut] = Field(default_factory=dict)
    modifiers: Mapping[Name, Modifier] = Field(default_factory=dict)
    weapon_phase: WeaponPhase = Field(default_factory=WeaponPhase)


class TerrainKeys(Entry):
    """The keys of terrain; each belongs to one kind."""

    level: Annotated[int, Field(ge=-20, le=20)] | None = None
    depth: Annotated[int, Field(ge=0, le=20)] | None = None
    cf: Annotated[int, Field(ge=1, le=150)] | None = None

    @property
    def prohibited_to(self) -> tuple[Mobility, ...]:
        """Whom `prohibited` terrain is meant for; nobody named: everybody."""
        named: tuple[Mobility, ...] = getattr(self, FOR) or ()
        return named


FOR = "for"
_FOR: Any = (Annotated[tuple[Mobility, ...], Strict(strict=False), Field(min_length=1)] | None, None)
HexTerrainKeys = create_model("HexTerrainKeys", __base__=TerrainKeys, __doc__=TerrainKeys.__doc__, **{FOR: _FOR})
"""The keys of terrain with the one whose name Python keeps for itself."""
