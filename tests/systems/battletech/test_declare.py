"""Declaring a charge: every refusal, and what is not refused."""

from typing import Any

import pytest

from systems.battletech import SYSTEM
from tabletop.messages import names_in
from tests.systems.battletech.tables import (
    Entry,
    charge,
    charger,
    finding,
    refusals,
    resolve,
    ruling,
    table,
    terrain,
    unit,
)

A = charger("0507", walk=4)
B = unit("0505", "S")
TANK: Entry = {"type": "vehicle", "walk": 4}


def asked(
    who: Entry = A, whom: Entry = B, *ground: Entry, rules: Entry | None = None, **keys: Any
) -> list[str]:
    """Return the rules that refuse A's charge on B."""
    return refusals(table({"A": who, "B": whom}, charge(**keys), ground=ground, rules=rules))


def test_a_plain_charge_is_not_refused() -> None:
    """Two 'Mechs with two hexes between them: nothing stands against it."""
    assert asked() == []


@pytest.mark.parametrize("phase", ["weapon", "physical"])
def test_declare_movement_phase(phase: str) -> None:
    """battletech.declare.movement-phase: later phases are too late."""
    assert asked(declared_in=phase) == ["declare.movement-phase"]


def test_declare_movement_phase_after_moving() -> None:
    """battletech.declare.movement-phase: who has ended its movement declares nothing."""
    assert asked(charger("0507", walk=4, status=["moved"])) == ["declare.movement-phase"]


@pytest.mark.parametrize(
    "kind", ["vtol", "wige", "airship", "fixed_wing_support", "infantry", "protomech", "dropship"]
)
def test_declare_charger_type(kind: str) -> None:
    """battletech.declare.charger-type: nothing but 'Mechs and ground vehicles charges."""
    tons = None if kind in {"infantry", "protomech"} else 60
    found = ruling(table({"A": charger("0507", walk=4, tons=tons, type=kind), "B": B}, charge()))
    assert (found.outcome, found.rule) == ("not_allowed", "battletech.declare.charger-type")


@pytest.mark.parametrize("status", ["immobile", "stuck", "stunned"])
def test_declare_charger_able(status: str) -> None:
    """battletech.declare.charger-able: who cannot move does not charge."""
    assert asked(charger("0507", walk=4, status=[status])) == ["declare.charger-able"]


@pytest.mark.parametrize("movement", ["jump", "sprint", "evade"])
def test_declare_charger_able_to_walk_or_run(movement: str) -> None:
    """battletech.declare.charger-able: a charge is made at a walk or at a run."""
    assert asked(movement=movement) == ["declare.charger-able"]


def test_declare_no_weapon_attacks() -> None:
    """battletech.declare.no-weapon-attacks: who fires does not charge."""
    assert asked(charger("0507", walk=4, status=["fired"])) == ["declare.no-weapon-attacks"]
    assert asked(whom=unit("0505", "S", status=["fired"])) == []


def test_declare_target_finished() -> None:
    """battletech.declare.target-finished: the target must have moved."""
    assert asked(whom=unit("0505", "S", status=["unmoved"])) == ["declare.target-finished"]


@pytest.mark.parametrize(
    ("choice", "broken"), [("allowed", []), ("forbidden", ["declare.target-finished"])]
)
def test_declare_target_finished_or_immobile(choice: str, broken: list[str]) -> None:
    """battletech.declare.target-finished: of who will not move at all the reading chosen decides."""
    still = unit("0505", "S", status=["unmoved", "immobile"])
    assert asked(whom=still, rules={"unmoved_immobile_target": choice}) == broken


def test_declare_target_finished_by_a_later_entry() -> None:
    """battletech.declare.target-finished: who charges later in the file has not ended its movement."""
    units = {"A": A, "B": unit("0505", "SW", walk=4), "C": charger("0408", "N")}
    first, second = resolve(table(units, charge(), charge(who="B", whom="C"))).rulings
    assert first.rule == "battletech.declare.target-finished"
    assert second.rule != "battletech.declare.target-charging"


def test_declare_target_charging_by_status() -> None:
    """battletech.declare.target-charging: who charges or comes from above is no target."""
    assert asked(whom=unit("0505", "S", status=["charging"])) == ["declare.target-charging"]


@pytest.mark.parametrize(
    ("declared_in", "broken"), [("movement", ["declare.target-charging"]), ("weapon", [])]
)
def test_declare_target_charging_by_an_earlier_entry(declared_in: str, broken: list[str]) -> None:
    """battletech.declare.target-charging: an earlier charge of the target counts if it was allowed."""
    units = {"A": A, "B": unit("0505", "SE"), "C": charger("0605")}
    earlier = charge(1, who="B", whom="C", declared_in=declared_in)
    assert refusals(table(units, earlier, charge())) == broken


def test_declare_one_per_target_by_status() -> None:
    """battletech.declare.one-per-target: who is charged by another already is no target."""
    assert asked(whom=unit("0505", "S", status=["targeted"])) == ["declare.one-per-target"]


@pytest.mark.parametrize(
    ("declared_in", "broken"), [("movement", ["declare.one-per-target"]), ("weapon", [])]
)
def test_declare_one_per_target_by_an_earlier_entry(declared_in: str, broken: list[str]) -> None:
    """battletech.declare.one-per-target: an earlier charge on the same target counts if it was allowed, whatever it
    came to.
    """
    units = {"A": A, "B": B, "C": charger("0405", "NE")}
    assert refusals(table(units, charge(1, who="C", declared_in=declared_in), charge())) == broken


@pytest.mark.parametrize(
    ("choice", "broken"), [("forbidden", ["declare.target-enemy"]), ("allowed", [])]
)
def test_declare_target_enemy(choice: str, broken: list[str]) -> None:
    """battletech.declare.target-enemy: friends are charged only where the reading chosen says so."""
    assert asked(whom=unit("0505", "S", side="blue"), rules={"friendly_target": choice}) == broken


def test_declare_target_infantry() -> None:
    """battletech.declare.target-infantry: infantry is no target."""
    assert asked(whom=unit("0505", "S", tons=None, type="infantry")) == ["declare.target-infantry"]


def test_declare_target_protomech() -> None:
    """battletech.declare.target-protomech: ProtoMechs are no targets."""
    assert asked(whom=unit("0505", "S", tons=None, type="protomech")) == [
        "declare.target-protomech"
    ]


@pytest.mark.parametrize("kind", ["vtol", "wige", "airship", "fixed_wing_support"])
@pytest.mark.parametrize("who", [A, charger("0507", **TANK)], ids=["mech", "vehicle"])
def test_declare_target_airborne(kind: str, who: Entry) -> None:
    """battletech.declare.target-airborne: what flies is no target."""
    assert asked(who, unit("0505", "S", type=kind)) == ["declare.target-airborne"]


@pytest.mark.parametrize("kind", ["vtol", "wige", "airship", "fixed_wing_support"])
@pytest.mark.parametrize(
    ("who", "broken"),
    [(A, ["declare.mech-vs-vehicle"]), (charger("0507", **TANK), [])],
    ids=["mech", "vehicle"],
)
def test_declare_target_airborne_landed(kind: str, who: Entry, broken: list[str]) -> None:
    """battletech.declare.target-airborne: what has landed is charged as a vehicle is, by vehicles only."""
    landed = unit("0505", "S", type=kind, status=["landed"])
    assert asked(who, landed) == broken
    found = ruling(table({"A": who, "B": landed}, charge()))
    assert finding(found, "battletech.declare.target-airborne").text.count("landed") == 1


@pytest.mark.parametrize("status", [[], ["landed"]])
def test_declare_charger_type_landed(status: list[str]) -> None:
    """battletech.declare.charger-type: what flies never charges, on the ground or not."""
    assert asked(charger("0507", type="vtol", walk=4, status=status)) == ["declare.charger-type"]


@pytest.mark.parametrize(
    ("who", "whom", "broken"),
    [
        ("mech", "vehicle", ["declare.mech-vs-vehicle"]),
        ("mech", "mech", []),
        ("vehicle", "vehicle", []),
        ("vehicle", "mech", []),
    ],
)
def test_declare_mech_vs_vehicle(who: str, whom: str, broken: list[str]) -> None:
    """battletech.declare.mech-vs-vehicle: of the four pairs only one is refused."""
    assert asked(charger("0507", walk=4, type=who), unit("0505", "S", type=whom)) == broken


@pytest.mark.parametrize(
    ("kind", "choice", "broken"),
    [
        ("mech", "forbidden", ["declare.target-prone"]),
        ("mech", "allowed", []),
        ("vehicle", "forbidden", []),
    ],
)
def test_declare_target_prone(kind: str, choice: str, broken: list[str]) -> None:
    """battletech.declare.target-prone: a vehicle may run over a 'Mech that lies, a 'Mech by choice."""
    lying = unit("0505", "S", status=["prone"])
    assert (
        asked(charger("0507", walk=4, type=kind), lying, rules={"mech_charges_prone": choice})
        == broken
    )


HOUSE = terrain("building", "0505", cf=30)


@pytest.mark.parametrize(
    ("choice", "broken"), [("allowed", []), ("forbidden", ["declare.building"])]
)
def test_declare_building_with_the_target_in_it(choice: str, broken: list[str]) -> None:
    """battletech.declare.building: a unit in a building is charged unless the reading chosen forbids it."""
    assert asked(A, B, HOUSE, rules={"charge_into_building": choice}) == broken


@pytest.mark.parametrize("side", ["red", "blue"])
@pytest.mark.parametrize(
    ("choice", "kind", "broken"),
    [
        ("allowed", "mech", []),
        ("refused", "mech", ["declare.building"]),
        ("refused", "infantry", ["declare.building"]),
        ("refused", None, []),
    ],
)
def test_declare_building_as_target(
    choice: str, kind: str | None, side: str, broken: list[str]
) -> None:
    """battletech.declare.building: a building hex is charged with friends or enemies in it too, unless by choice;
    infantry is a unit.
    """
    inside = (
        {}
        if kind is None
        else {"B": unit("0505", "S", type=kind, tons=None if kind == "infantry" else 60, side=side)}
    )
    rules = {} if choice == "allowed" else {"building_with_units": choice}
    assert (
        refusals(table({"A": A, **inside}, charge(whom=HOUSE["name"]), ground=[HOUSE], rules=rules))
        == broken
    )


def test_declare_building_that_the_charger_leaves() -> None:
    """battletech.declare.building: the charger itself, which began in the building and went out, is not in it."""
    out = table(
        {"A": charger("0505", "S", walk=8)},
        charge(path=["0506", "0605"], whom=HOUSE["name"]),
        ground=[HOUSE],
        rules={"building_with_units": "refused"},
    )
    assert refusals(out) == []


def test_declare_building_names_who_is_inside() -> None:
    """battletech.declare.building: the finding names all units in the hex."""
    units = {"A": A, "B": unit("0505", "S"), "C": unit("0505", "S", type="vehicle")}
    found = ruling(
        table(
            units,
            charge(whom=HOUSE["name"]),
            ground=[HOUSE],
            rules={"building_with_units": "refused"},
        )
    )
    assert names_in(finding(found, "battletech.declare.building").text) >= {"B", "C"}


@pytest.mark.parametrize(
    ("kind", "piece", "is_refused"),
    [
        ("mech", terrain("prohibited", "0505"), True),
        ("mech", terrain("prohibited", "0505", **{"for": ["mech"]}), True),
        ("mech", terrain("prohibited", "0505", **{"for": ["vehicle"]}), False),
        ("tracked", terrain("prohibited", "0505", **{"for": ["vehicle"]}), True),
        ("tracked", terrain("prohibited", "0505", **{"for": ["wheeled", "hover"]}), False),
        ("tracked", terrain("light_woods", "0505"), False),
        ("wheeled", terrain("light_woods", "0505"), True),
        ("hover", terrain("light_woods", "0505"), True),
        ("tracked", terrain("heavy_woods", "0505"), True),
        ("mech", terrain("heavy_woods", "0505"), False),
        ("tracked", terrain("rough", "0505"), False),
        ("wheeled", terrain("rough", "0505"), True),
        ("wheeled", terrain("rubble", "0505"), True),
        ("hover", terrain("rubble", "0505"), False),
        ("tracked", terrain("water", "0505", depth=0), False),
        ("wheeled", terrain("water", "0505", depth=0), False),
        ("tracked", terrain("water", "0505", depth=1), True),
        ("wheeled", terrain("water", "0505", depth=1), True),
        ("hover", terrain("water", "0505", depth=9), False),
    ],
)
def test_declare_prohibited_terrain(kind: str, piece: Entry, *, is_refused: bool) -> None:
    """battletech.declare.prohibited-terrain: the target's hex must be one that the charger may enter."""
    who = {"type": "mech"} if kind == "mech" else {"type": "vehicle", "motion": kind}
    assert (
        "declare.prohibited-terrain" in asked(charger("0507", walk=8, **who), B, piece)
    ) is is_refused


def test_declare_level_difference_from_some_neighbour() -> None:
    """battletech.declare.level-difference: while searching one neighbour of the target high enough will do."""
    hill = terrain("level", "0505", level=3)
    ramp = terrain("level", "0604", level=1)
    assert "declare.level-difference" in asked(A, B, hill)
    assert "declare.level-difference" not in asked(A, B, hill, ramp)


def test_declare_level_difference_counts_depth() -> None:
    """battletech.declare.level-difference: the floor of water lies as deep as the water is, for all but hover."""
    assert "declare.level-difference" in asked(A, B, terrain("water", "0505", depth=3))
    assert "declare.level-difference" not in asked(
        charger("0507", **TANK, motion="hover"), B, terrain("water", "0505", depth=3)
    )


@pytest.mark.parametrize(
    ("facing", "is_refused"), [("N", False), ("NE", True), ("S", True), ("NW", True)]
)
def test_declare_front_hex(facing: str, *, is_refused: bool) -> None:
    """battletech.declare.front-hex: a charger already in place must have the target before its feet."""
    assert ("declare.front-hex" in asked(charger("0506", facing), B, hexes_moved=2)) is is_refused


@pytest.mark.parametrize("twist", ["twist_left", "twist_right"])
def test_declare_front_hex_in_spite_of_a_twist(twist: str) -> None:
    """battletech.declare.front-hex: the torso may look where it likes."""
    assert asked(charger("0506", status=[twist]), B, hexes_moved=2) == []
    assert asked(charger("0506", "NE", status=[twist]), B, hexes_moved=2) == ["declare.front-hex"]


@pytest.mark.parametrize(
    ("end_facing", "broken"), [("N", []), ("NE", ["declare.front-hex"]), (None, [])]
)
def test_declare_front_hex_with_an_end_facing(end_facing: str | None, broken: list[str]) -> None:
    """battletech.declare.front-hex: whoever turns away at the end has no target; by default it turns to it."""
    keys: Entry = {} if end_facing is None else {"end_facing": end_facing}
    assert asked(path=["0506"], **keys) == broken


def test_declare_front_hex_is_asked_of_two_hexes_apart() -> None:
    """battletech.declare.front-hex: facing it from afar is not enough."""
    assert asked(charger("0507"), B, hexes_moved=2) == ["declare.front-hex"]


def test_several_refusals_stand_in_the_order_of_the_rules() -> None:
    """All that is broken is told, and the first of it decides."""
    found = ruling(
        table(
            {
                "A": charger("0507", walk=4, status=["fired"]),
                "B": unit("0505", "S", type="vehicle", side="blue", status=["unmoved"]),
            },
            charge(declared_in="physical"),
        )
    )
    assert [name.removeprefix("battletech.") for name in found.metrics["refusals"]] == [
        "declare.movement-phase",
        "declare.no-weapon-attacks",
        "declare.target-finished",
        "declare.target-enemy",
        "declare.mech-vs-vehicle",
    ]
    assert found.rule == "battletech.declare.movement-phase"
    assert found.steps == ()
    assert not finding(found, "battletech.declare.target-enemy").ok


def test_refused_charges_use_no_dice() -> None:
    """The faces of an entry that may not be declared do not matter."""
    assert asked(charger("0507", walk=4, status=["fired"]), dice=[1, 2, 3]) == [
        "declare.no-weapon-attacks"
    ]


@pytest.mark.parametrize("name", ["target-enemy", "target-prone", "building", "level-difference"])
def test_readings_are_called_choices(name: str) -> None:
    """What a line of `[rules]` settles is not said to stand in the text of the rules."""
    assert (
        next(rule.source for rule in SYSTEM.rules if rule.name == f"battletech.declare.{name}")
        == "choice"
    )
