"""BattleTech's keys and words in scenario files, and how figures draw them."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, Field, Strict, WithJsonSchema, create_model

from tabletop.messages import say
from tabletop.ruling.looks import Looks
from tabletop.scenario.fields import HexNumber, Name, hex_of
from tabletop.scenario.validation import refusal
from tabletop.scenario.vocabulary import Entry
from tabletop.table.hexes import HexFacing
from tabletop.table.state import Hex, Silhouette

COVERS = ("pavement", "light_woods", "heavy_woods", "rough", "rubble", "water", "building")
"""Kinds of which a hex has at most one; a hex without any is clear."""

SMOKES = ("light_smoke", "heavy_smoke")

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
"""Types whose tonnage is not used."""

AIRBORNE = ("vtol", "wige", "airship", "fixed_wing_support")
"""Types that are airborne unless their status is `landed`."""

Kind = Literal[
    "mech",
    "vehicle",
    "vtol",
    "wige",
    "airship",
    "fixed_wing_support",
    "infantry",
    "protomech",
    "dropship",
]

Motion = Literal["tracked", "wheeled", "hover"]

Mobility = Literal["mech", "vehicle", "tracked", "wheeled", "hover"]

MovementPoints = Annotated[int, Field(ge=0, le=40)]

Event = Literal["none", "passed", "failed", "roll"]

StepOut = Literal["forward", "back", "stay"]

Modifier = Annotated[int, Field(ge=-20, le=20)]

Sense = Literal["forward", "back", "side"]

_STEP = re.compile(r"(?:(back|side):)?(\d{4})")

FOUR = 4
"""Number of legs of a 'Mech other than two."""

SILHOUETTE_BY_TYPE: Mapping[str, Silhouette] = {
    "vtol": "rotor",
    "wige": "ground_effect",
    "airship": "airship",
    "fixed_wing_support": "aeroplane",
    "infantry": "foot",
    "protomech": "light_walker",
    "dropship": "ship",
}
"""Silhouettes by type, except for 'Mechs and vehicles, whose legs and motion determine it."""


class Profile(Entry):
    """The statistics of a unit that matter to a charge; MP are those of walking and running, or of cruise and flank."""

    type: Kind
    """What the unit is. Only a "mech" and a "vehicle" (on the ground) may charge. "vtol", "wige", "airship" and
    "fixed_wing_support" are targets only when `landed`, "infantry" (battle armour too) and "protomech" never; a
    "dropship" is never pushed.
    """
    tons: Annotated[int, Field(ge=1, le=20_000)] | None = None
    """Weight in tons; only infantry and ProtoMechs may leave it out."""
    piloting: Annotated[int, Field(ge=0, le=WORST_PILOTING)] = 5
    """Piloting skill of a 'Mech, or driving skill of a vehicle: the lower, the better."""
    psr_modifier: Annotated[int, Field(ge=-4, le=MOST_MODIFIER)] = 0
    """Added to the number of all piloting or driving rolls of the unit, for damage and the like; not to its to-hit
    number. The -2 of four legs are not part of it.
    """
    walk: MovementPoints | None = None
    """MP at a walk, or at cruising speed; needed by a charger unless its charge gives `hexes_moved`."""
    run: MovementPoints | None = None
    """MP at a run, or at flank speed. Left out: half as many again as `walk`, rounded up."""
    motion: Motion = "tracked"
    """How a vehicle moves, "tracked", "wheeled" or "hover": decides which terrain is prohibited to it, and what motive
    damage it takes."""
    turret: bool = True
    """Whether a vehicle has a turret; without one, hits on the turret strike the side attacked."""
    legs: Literal[2, 4] = 2
    """Number of legs of a 'Mech; with 4, hits on its arms strike its front legs, and its piloting rolls are at -2."""
    hexes_moved: Annotated[int, Field(ge=0, le=60)] = 0
    """Hexes that the unit has moved this turn: the more, the harder it is to hit as a target."""
    unspent_mp: MovementPoints = 0
    """MP that the unit has left to step out of a push that reaches it."""
    ran: bool = False
    """Whether the unit ran this turn: then it cannot step out of a push backwards, nor into water of depth 1 or
    more."""
    equipment: Annotated[tuple[Literal["bulldozer"], ...], Strict(strict=False)] = ()
    """What a vehicle carries: "bulldozer": halves the damage that its charge does to itself, and doubles that to a
    building."""

    @property
    def silhouette(self) -> Silhouette:
        """Silhouette with which figures show the unit, by its type."""
        if self.type == "mech":
            return "four_legs" if self.legs == FOUR else "walker"
        return self.motion if self.type == "vehicle" else SILHOUETTE_BY_TYPE[self.type]

    @property
    def running(self) -> int:
        """MP (movement points) at a run: as given, else half as many again as at a walk, rounded up."""
        return (3 * (self.walk or 0) + 1) // 2 if self.run is None else self.run

    def writable(self) -> "Profile":
        """Return the profile as a file can hold it: a skill worse than the worst one becomes a modifier of the unit's
        rolls.
        """
        excess = self.piloting - WORST_PILOTING
        if excess <= 0:
            return self
        return self.model_copy(
            update={
                "piloting": WORST_PILOTING,
                "psr_modifier": min(self.psr_modifier + excess, MOST_MODIFIER),
            }
        )


class Choices(Entry):
    """How the rules are read where they are silent or admit two readings; the defaults come first."""

    backward: Literal["forbidden", "counted", "since_reversal"] = "forbidden"
    """Steps back on the charger's way: "forbidden"; "counted": allowed at a walk on the level, and counted like others;
    "since_reversal": allowed so, but only hexes after the last step back count.
    """
    mech_charges_prone: Literal["forbidden", "allowed"] = "forbidden"
    """Whether a 'Mech may charge a prone 'Mech: "forbidden" or "allowed"."""
    friendly_target: Literal["forbidden", "allowed"] = "forbidden"
    """Whether a unit of the charger's own side may be charged: "forbidden" or "allowed"."""
    unmoved_immobile_target: Literal["allowed", "forbidden"] = "allowed"
    """Whether an immobile unit may be charged that has not had its movement yet: "allowed" or "forbidden"."""
    charge_into_building: Literal["allowed", "forbidden"] = "allowed"
    """Whether a unit that stands in a building hex may be charged: "allowed" or "forbidden"."""
    building_with_units: Literal["allowed", "refused"] = "allowed"
    """Whether a building hex itself may be charged while units stand in it: "allowed": it may, and takes the damage;
    "refused": it may not.
    """
    level_difference: Literal["climb", "one"] = "climb"
    """Levels between the charger's last hex and the target's: "climb": as many as the charger can climb; "one": one at
    most."""
    damage_rounding: Literal["product", "per_ten"] = "product"
    """Damage to the target: "product": tons times hexes entered, divided by 10, then rounded up; "per_ten": tons
    divided by 10 and rounded up, then times hexes.
    """
    submerged_charger: Literal["full", "halved"] = "full"
    """A charge out of water of depth 2 or more: "full": does its whole damage; "halved": does half of it, to both
    sides."""
    vehicle_front_5: Literal["right", "left"] = "right"
    """Side that a 5 on the front hit table of a vehicle strikes: "right" or "left"."""
    building_plus_three: Literal["target", "all"] = "target"
    """The +3 on rolls to enter a building: "target": for the target's hex only; "all": for those on the way too."""
    building_speed_row: Literal["off", "on"] = "off"
    """Whether rolls to enter a building get harder with the hexes entered by then: "off": they do not; "on": by up
    to 4."""
    building_charge_advance: Literal["enter", "stay"] = "enter"
    """After a charge at a building hex itself: "enter": the charger goes in, if stacking allows; "stay": it stays
    before it."""
    skid_rounding: Literal["up", "down"] = "up"
    """How half the hexes entered, the most that a charger skids, is rounded: "up" or "down"."""
    skid_damage: Literal["per_hex", "per_hex_and_fall"] = "per_hex"
    """What a skid does to the charger: "per_hex": damage for each hex; "per_hex_and_fall": that, and a normal fall at
    its end."""
    auto_miss_placement: Literal["stay", "side"] = "stay"
    """Where a charger ends that fell to weapon fire without a skid: "stay": before its target; "side": where a miss
    puts it."""
    immobile_charger: Literal["charges", "cancelled"] = "charges"
    """A charger that loses at least as many MP as its `walk` to weapon fire: "charges": it does so all the same;
    "cancelled": its charge fails.
    """
    heavy_damage_psr: Literal["shared", "separate", "off"] = "shared"
    """Piloting rolls after 20 or more points in a charge: "shared": two, both at +3; "separate": one at +2, then one at
    +1; "off": only the one at +2.
    """
    pilot_levels: Literal["levels", "levels_minus_one"] = "levels"
    """How much harder levels fallen make the pilot's roll: "levels": by 1 each; "levels_minus_one": by 1 each but the
    first."""
    stacking: Literal["total_warfare", "single"] = "total_warfare"
    """Units that a hex holds, infantry not counted: "total_warfare": one 'Mech, and two units in all; "single": one
    unit."""
    target_gone: Literal["stay", "advance"] = "stay"
    """If the target is no longer before the charger: "stay": the charger stays; "advance": it goes into the target's
    old hex, if stacking allows.
    """
    miss_hexes: Literal["front_sides", "rear_sides"] = "front_sides"
    """Hexes into which a charger goes that misses: "front_sides": those 60 degrees to the right and left of its facing;
    "rear_sides": those at 120 degrees.
    """
    miss_into_occupied: Literal["not_allowed", "domino"] = "not_allowed"
    """A hex that is full, for a charger that missed: "not_allowed": it may not go there; "domino": it does, and pushes
    on who is there."""


def step_of(text: str) -> tuple[Sense, Hex]:
    """Return one entry of a path as (sense, hex): a hex number, after "back:" or "side:" where the charger does not go
    forward.
    """
    match = _STEP.fullmatch(text)
    if match is None or not text.isascii():
        raise refusal(
            "step", say('expected a hex number such as "0507", "back:0507" or "side:0507"')
        )
    return cast("Sense", match.group(1) or "forward"), hex_of(match.group(2))


def _step(text: str) -> str:
    step_of(text)
    return text


PathStep = Annotated[
    str,
    AfterValidator(_step),
    WithJsonSchema({"type": "string", "pattern": f"^{_STEP.pattern}$", "examples": ["0507"]}),
]


class WeaponPhase(Entry):
    """What happens between declaring and resolving: piloting rolls forced by damage, and MP lost to it."""

    charger_psr: Event = "none"
    """The piloting roll that damage forces on the charger: "none": there is none; "passed" or "failed": how it ended;
    "roll": it is rolled with the charge's dice.
    """
    charger_psr_modifier: Modifier = 1
    """Added to the number of that roll of the charger; 1 stands for 20 or more points of damage."""
    target_psr: Event = "none"
    """The piloting roll that damage forces on the target: "none": there is none; "passed" or "failed": how it ended;
    "roll": it is rolled with the charge's dice.
    """
    target_psr_modifier: Modifier = 1
    """Added to the number of that roll of the target; 1 stands for 20 or more points of damage."""
    charger_mp_lost: MovementPoints = 0
    """MP that damage takes from the charger."""


class Declarations(Entry):
    """What a charge declares beside charger, target and dice."""

    target_hex: HexNumber | None = None
    """Hex that is charged, such as "0507". Left out: that of the target; a building of several hexes needs it."""
    path: Annotated[tuple[PathStep, ...], Strict(strict=False), Field(max_length=60)] | None = None
    """Hexes that the charger enters before the target's, in order; "back:0506" is a step back, "side:0506" one
    sideways, [] no step at all. Left out: the best path is sought.
    """
    end_facing: HexFacing | None = None
    """Side that the charger looks at in its last hex, "N", "NE", "SE", "S", "SW" or "NW". Left out: towards the
    target."""
    movement: Literal["auto", "walk", "run", "jump", "sprint", "evade"] = "auto"
    """How the charger moves: "auto": at a walk if its MP suffice, else at a run; "walk" or "run": as it says; "jump",
    "sprint" or "evade": with these it may not charge.
    """
    hexes_moved: Annotated[int, Field(ge=0, le=60)] | None = None
    """Hexes that the charger has entered, in place of `path`: it stands before its target already, facing as given;
    `movement` must be "walk" or "run".
    """
    mp_left: MovementPoints | None = None
    """MP that a charger with `hexes_moved` has left for the target's hex. Left out: just enough."""
    declared_in: Literal["movement", "weapon", "physical"] = "movement"
    """Phase in which the charge is declared: "movement"; in "weapon" or "physical" it is not allowed."""
    miss: Literal["right", "left"] = "right"
    """Side to which the charger goes if it misses, as it looks: "right" or "left"; the other if it cannot go there."""
    domino: Mapping[Name, StepOut] = Field(default_factory=dict)
    """What 'Mechs in the way of a push do if they pass their roll, by name: "forward" or "back": they step out of it by
    one hex, if they can; "stay": they are pushed on, as are those not named.
    """
    modifiers: Mapping[Name, Modifier] = Field(default_factory=dict)
    """Further modifiers of the to-hit number, each under its reason."""
    weapon_phase: WeaponPhase = Field(default_factory=WeaponPhase)
    """What weapon fire does between the declaration and the charge."""


class TerrainKeys(Entry):
    """The keys of terrain; each belongs to one kind."""

    level: Annotated[int, Field(ge=-20, le=20)] | None = None
    """Level of the ground; only `level` terrain has it, and needs it."""
    depth: Annotated[int, Field(ge=0, le=20)] | None = None
    """Depth of the water in levels; only `water` has it, and needs it."""
    cf: Annotated[int, Field(ge=1, le=150)] | None = None
    """Construction factor of each hex of a building: to 15 light, to 40 medium, to 90 heavy, above hardened. Only
    `building` has it, and needs it.
    """

    @property
    def prohibited_to(self) -> tuple[Mobility, ...]:
        """The kinds of units to which `prohibited` terrain is prohibited; empty for all."""
        named: tuple[Mobility, ...] = getattr(self, FOR) or ()
        return named


FOR = "for"

_FOR: Any = (
    Annotated[tuple[Mobility, ...], Strict(strict=False), Field(min_length=1)] | None,
    Field(
        None,
        description="Whom `prohibited` terrain keeps out, by how they move. Left out: everybody.",
    ),
)

HexTerrainKeys = create_model(
    "HexTerrainKeys", __base__=TerrainKeys, __doc__=TerrainKeys.__doc__, **{FOR: _FOR}
)
"""The keys of terrain with the one whose name Python keeps for itself."""

LOOKS = Looks(
    terrain={
        "light_woods": "wood",
        "heavy_woods": "dense_wood",
        "pavement": "paved",
        "light_smoke": "smoke",
        "heavy_smoke": "dense_smoke",
    },
    steps={
        "enter": "approach",
        "turn": "approach",
        "stand_up": "rise",
        "advance": "follow",
        "step_out": "aside",
        "psr": "falling",
        "pilot": "falling",
        "damage": "consequence",
        "motive": "consequence",
    },
    status={**dict.fromkeys(STATUS, "hidden"), "prone": "lying", "immobile": "written"},
    tags={"water": ("depth",), "building": ("cf",)},
    words={
        "en": {
            "tag.depth": "D{}",
            "tag.cf": "CF {}",
            "terrain.water": "water, its depth (D)",
            "terrain.building": "building, its factor (CF)",
            "step.psr": "Piloting roll",
            "step.pilot": "Pilot's roll",
            "step.motive": "Motive damage",
        },
        "de": {
            "tag.depth": "T{}",
            "tag.cf": "BF {}",
            "terrain.light_woods": "lichter Wald",
            "terrain.heavy_woods": "dichter Wald",
            "terrain.water": "Wasser, Tiefe (T)",
            "terrain.pavement": "Pflaster",
            "terrain.building": "Gebäude, Baufaktor (BF)",
            "terrain.light_smoke": "leichter Rauch",
            "terrain.heavy_smoke": "dichter Rauch",
            "status.prone": "liegt",
            "status.immobile": "unbeweglich",
            "step.enter": "Betreten",
            "step.stand_up": "Aufstehen",
            "step.to_hit": "Trefferwurf",
            "step.damage": "Schaden",
            "step.advance": "Nachrücken",
            "step.step_out": "Ausweichen",
            "step.psr": "Steuerwurf",
            "step.pilot": "Pilotenwurf",
            "step.motive": "Antriebsschaden",
            "step.weapon_roll": "Waffenwurf",
            "step.building_roll": "Gebäudewurf",
        },
        "fr": {
            "tag.depth": "P{}",
            "tag.cf": "FC {}",
            "terrain.light_woods": "bois clairsemé",
            "terrain.heavy_woods": "bois dense",
            "terrain.water": "eau, profondeur (P)",
            "terrain.pavement": "sol pavé",
            "terrain.building": "bâtiment, facteur (FC)",
            "terrain.light_smoke": "fumée légère",
            "terrain.heavy_smoke": "fumée dense",
            "status.prone": "à terre",
            "status.immobile": "immobile",
            "step.enter": "Entrée",
            "step.stand_up": "Se relève",
            "step.to_hit": "Jet pour toucher",
            "step.damage": "Dégâts",
            "step.advance": "Avance",
            "step.step_out": "Esquive",
            "step.psr": "Jet de pilotage",
            "step.pilot": "Jet du pilote",
            "step.motive": "Dégâts de motricité",
            "step.weapon_roll": "Jet dû aux tirs",
            "step.building_roll": "Jet de bâtiment",
        },
    },
)
