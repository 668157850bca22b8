"""Numbers of the rulebook as data: each is a field with its unit and source, so that what-ifs and new editions can
replace it.
"""

from dataclasses import dataclass, field


def _number(value: int, unit: str, source: str) -> int:
    return field(default=value, metadata={"unit": unit, "source": source})


@dataclass(frozen=True)
class Book:
    """Numbers of movement, charges, damage and falls, Total Warfare; MP are movement points, CF construction
    factors.
    """

    stand_up_mp: int = _number(2, "MP", "movement: standing up")
    turn_mp: int = _number(1, "MP per hexside", "movement: facing changes")
    enter_mp: int = _number(1, "MP", "movement: entering any hex")
    light_woods_mp: int = _number(1, "MP", "movement: light woods, besides entering")
    heavy_woods_mp: int = _number(2, "MP", "movement: heavy woods, besides entering")
    rough_mp: int = _number(1, "MP", "movement: rough, besides entering")
    rubble_mp: int = _number(1, "MP", "movement: rubble, besides entering")
    shallow_water_mp: int = _number(1, "MP", "movement: water of depth 1, besides entering")
    deep_water_mp: int = _number(3, "MP", "movement: water of depth 2 and more, besides entering")
    light_building_mp: int = _number(1, "MP", "movement: light building, besides entering")
    medium_building_mp: int = _number(2, "MP", "movement: medium building, besides entering")
    heavy_building_mp: int = _number(3, "MP", "movement: heavy building, besides entering")
    hardened_building_mp: int = _number(4, "MP", "movement: hardened building, besides entering")
    mech_level_mp: int = _number(1, "MP per level", "movement: level changes of 'Mechs")
    vehicle_level_mp: int = _number(2, "MP per level", "movement: level changes of ground vehicles")
    mech_climb: int = _number(2, "levels", "movement: greatest level change of 'Mechs")
    vehicle_climb: int = _number(1, "levels", "movement: greatest level change of ground vehicles")
    light_building_cf: int = _number(
        15, "CF", "buildings: greatest construction factor of light ones"
    )
    medium_building_cf: int = _number(
        40, "CF", "buildings: greatest construction factor of medium ones"
    )
    heavy_building_cf: int = _number(
        90, "CF", "buildings: greatest construction factor of heavy ones"
    )
    walk_to_hit: int = _number(1, "to-hit", "attacker that walked or cruised")
    run_to_hit: int = _number(2, "to-hit", "attacker that ran or went at flank speed")
    jumped_to_hit: int = _number(1, "to-hit", "target that jumped, besides its hexes")
    skidded_to_hit: int = _number(2, "to-hit", "target that skidded")
    light_woods_to_hit: int = _number(1, "to-hit", "target in light woods")
    heavy_woods_to_hit: int = _number(2, "to-hit", "target in heavy woods")
    light_smoke_to_hit: int = _number(1, "to-hit", "target in light smoke")
    heavy_smoke_to_hit: int = _number(2, "to-hit", "target in heavy smoke")
    prone_to_hit: int = _number(-2, "to-hit", "prone target next to the attacker")
    immobile_to_hit: int = _number(-4, "to-hit", "immobile target")
    spotting_to_hit: int = _number(1, "to-hit", "attacker that spots for others")
    unintentional_to_hit: int = _number(3, "to-hit", "charges made by skidding")
    tons_per_point: int = _number(
        10, "t", "charge damage: tons for one point, or for one point and hex"
    )
    group_points: int = _number(5, "points", "damage: points of one group")
    cf_per_absorbed_point: int = _number(
        10, "CF", "buildings: CF for one point of each group that they take"
    )
    heavy_damage: int = _number(20, "points", "piloting rolls: damage that calls for one more")
    heavy_damage_modifier: int = _number(1, "to piloting", "piloting rolls: 20 and more points")
    charge_modifier: int = _number(
        2, "to piloting", "charges: rolls of charger and target after a hit"
    )
    building_modifier: int = _number(3, "to piloting", "charges: entering a building hex")
    medium_building_modifier: int = _number(1, "to piloting", "buildings: entering a medium one")
    heavy_building_modifier: int = _number(2, "to piloting", "buildings: entering a heavy one")
    hardened_building_modifier: int = _number(
        5, "to piloting", "buildings: entering a hardened one"
    )
    four_legs_modifier: int = _number(-2, "to piloting", "piloting rolls: 'Mechs on four legs")
    drop_levels: int = _number(2, "levels", "displacement: a drop that makes a unit fall")
    prohibited_skid_tons: int = _number(
        5, "t", "skids: tons for one point where prohibited terrain ends one"
    )
