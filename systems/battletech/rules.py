"""List of the rules by name: what each demands in one line, its nature, and its source.

`text` stands for the charge rules themselves, `core` for the game's rules on movement, terrain, attacks and falls,
`choice` for a question that the text leaves open and a key of `[rules]` answers.
"""

from tabletop.ruling.finding import Rule

PREFIX = "battletech."
"""How the names of the rules begin."""

READINGS = {
    "backward": ("path.forward-only",),
    "mech_charges_prone": ("declare.target-prone",),
    "friendly_target": ("declare.target-enemy",),
    "unmoved_immobile_target": ("declare.target-finished",),
    "charge_into_building": ("declare.building",),
    "building_with_units": ("declare.building",),
    "level_difference": ("declare.level-difference",),
    "damage_rounding": ("damage.target",),
    "submerged_charger": ("damage.target", "damage.charger"),
    "vehicle_front_5": ("damage.location",),
    "building_plus_three": ("building.path-rolls", "building.entry-roll"),
    "building_speed_row": ("building.path-rolls", "building.entry-roll"),
    "building_charge_advance": ("unusual.building",),
    "skid_rounding": ("weapon.skid",),
    "skid_damage": ("weapon.skid",),
    "auto_miss_placement": ("weapon.charger-fell",),
    "immobile_charger": ("weapon.mp-loss",),
    "heavy_damage_psr": ("psr.heavy-damage",),
    "pilot_levels": ("fall",),
    "stacking": ("path.end-hex", "displace.blocked", "displace.domino"),
    "target_gone": ("resolve.front-hex",),
    "miss_hexes": ("miss.placement",),
    "miss_into_occupied": ("miss.placement",),
}
"""Choices of `[rules]`, each with the rules that it reads one way or the other."""

RULES = tuple(
    Rule(
        f"{PREFIX}{name}",
        demand,
        nature,
        source,
        tuple(choice for choice, read in READINGS.items() if name in read),
    )
    for name, demand, nature, source in (
        (
            "declare.movement-phase",
            "charges are declared in the Movement Phase, before the charger has finished its move",
            "limit",
            "text",
        ),
        ("declare.charger-type", "only 'Mechs and ground vehicles charge", "limit", "text"),
        (
            "declare.charger-able",
            "the charger can move, and does so at a walk or a run",
            "limit",
            "core",
        ),
        (
            "declare.no-weapon-attacks",
            "the charger makes no weapon attack in the same turn",
            "limit",
            "text",
        ),
        ("declare.target-finished", "the target has moved already, or cannot", "limit", "text"),
        (
            "declare.target-charging",
            "the target is not itself charging or attacking from above",
            "limit",
            "text",
        ),
        (
            "declare.one-per-target",
            "one target takes one charge or attack from above in a turn",
            "limit",
            "text",
        ),
        ("declare.target-enemy", "the target is an enemy", "limit", "choice"),
        ("declare.target-infantry", "infantry is not charged", "limit", "text"),
        ("declare.target-protomech", "ProtoMechs are not charged", "limit", "text"),
        ("declare.target-airborne", "units in the air are not charged", "limit", "core"),
        (
            "declare.mech-vs-vehicle",
            "a ground vehicle is charged by vehicles only",
            "limit",
            "text",
        ),
        ("declare.target-prone", "a 'Mech does not charge a prone 'Mech", "limit", "choice"),
        (
            "declare.building",
            (
                "whether a unit in a building hex, or a building hex with units in it, may be charged is a "
                "choice of the file"
            ),
            "limit",
            "choice",
        ),
        (
            "declare.prohibited-terrain",
            "the charger could enter the terrain of the target's hex",
            "limit",
            "text",
        ),
        (
            "declare.level-difference",
            "the charger could climb from its last hex to that of the target",
            "limit",
            "choice",
        ),
        ("path.forward-only", "the charger goes forward at every step", "limit", "choice"),
        ("path.connected", "every step leads to a neighbouring hex", "limit", "core"),
        (
            "path.enterable",
            "every hex on the way can be entered, and no enemy stands in one",
            "limit",
            "core",
        ),
        ("path.end-hex", "the charger may stop in its last hex", "limit", "core"),
        (
            "declare.front-hex",
            "at the end of the move the target is in the hex straight ahead of the charger",
            "limit",
            "text",
        ),
        (
            "declare.enough-mp",
            "the MP suffice for the whole way, the target's hex included",
            "limit",
            "text",
        ),
        (
            "path.best",
            "of all legal paths: most hexes, lowest to-hit number, least MP, smallest hex numbers",
            "goal",
            "choice",
        ),
        (
            "mp.target-hex",
            "the MP for the target's hex are spent although the charger waits in the hex before it",
            "procedure",
            "text",
        ),
        (
            "building.path-rolls",
            "every building hex on the way asks for its own entry roll",
            "procedure",
            "text",
        ),
        ("weapon.charger-fell", "a charger that fell to weapon fire misses", "procedure", "text"),
        (
            "weapon.skid",
            "on pavement a charger that fell skids instead, up to half as many hexes as it entered",
            "procedure",
            "text",
        ),
        (
            "weapon.unintentional-charge",
            "a skid into a unit's hex is an unintentional charge, with a penalty to hit",
            "procedure",
            "text",
        ),
        (
            "weapon.target-fell",
            "a target that fell to weapon fire cannot be charged any more",
            "procedure",
            "text",
        ),
        ("weapon.mp-loss", "MP lost to weapon fire do not stop a charge", "procedure", "text"),
        (
            "resolve.front-hex",
            "charges are resolved in the Physical Attack Phase, if the target is still straight ahead",
            "procedure",
            "text",
        ),
        (
            "tohit.number",
            "the number to hit is a sum of piloting skills, movement, terrain and circumstances",
            "procedure",
            "core",
        ),
        ("tohit.roll", "two dice must reach that number", "procedure", "core"),
        (
            "damage.target",
            "the target takes damage by the charger's weight and the hexes it moved",
            "procedure",
            "text",
        ),
        ("damage.charger", "the charger takes damage by the target's weight", "procedure", "text"),
        (
            "unusual.damage",
            "against a target without weight, the charger takes damage by its own weight",
            "procedure",
            "text",
        ),
        (
            "unusual.building",
            "a building hex that is charged takes all the damage on its CF",
            "procedure",
            "text",
        ),
        (
            "unusual.hill",
            "a skid into a hill ends there and damages only the skidding unit",
            "procedure",
            "text",
        ),
        ("damage.groups", "damage is dealt in groups of five points", "procedure", "text"),
        (
            "damage.location",
            "each group is rolled for on the table of the side attacked",
            "procedure",
            "text",
        ),
        (
            "damage.kick",
            "a vehicle's hit on a standing 'Mech is located on the kick table",
            "procedure",
            "text",
        ),
        (
            "building.absorbs",
            "a building shields the target in it from part of each group",
            "procedure",
            "text",
        ),
        (
            "building.entry-roll",
            "a charger that enters the building must pass an entry roll, or takes damage",
            "procedure",
            "text",
        ),
        (
            "motive.immediate",
            "every vehicle in a charge that hit rolls for motive damage at once",
            "procedure",
            "text",
        ),
        (
            "displace.push",
            "the target is pushed one hex on, the way the charger faces",
            "procedure",
            "text",
        ),
        (
            "displace.advance",
            "the charger moves up into the hex that the target left",
            "procedure",
            "text",
        ),
        (
            "displace.blocked",
            "if the target cannot be pushed neither unit moves; everything else still happens",
            "procedure",
            "text",
        ),
        (
            "displace.domino",
            "a unit in the way is pushed in turn, if stacking requires it",
            "procedure",
            "core",
        ),
        ("displace.drop", "a unit pushed down two levels or more falls", "procedure", "core"),
        ("miss.placement", "a charger that misses ends beside the target", "procedure", "text"),
        (
            "psr.charge",
            "after a hit, standing 'Mechs on both sides roll to stay on their feet",
            "procedure",
            "text",
        ),
        (
            "psr.heavy-damage",
            "heavy damage in one charge makes those rolls harder, or adds rolls",
            "procedure",
            "core",
        ),
        (
            "fall",
            "a fall damages the 'Mech, turns it and may injure its pilot",
            "procedure",
            "core",
        ),
        (
            "stand",
            "judging: a unit that no charge moves stays in its hex and facing",
            "procedure",
            "core",
        ),
        (
            "table.settled",
            "with `accuracy`, nothing is moved, because hexes and facings are exact; a finding says so",
            "procedure",
            "choice",
        ),
    )
)
