"""Words and numbers for rolls to hit and for what hits do."""

from systems.battletech.harming import Blow, is_weightless
from systems.battletech.hitting import ToHit
from systems.battletech.roll import Check
from systems.battletech.scene import Combatant
from systems.battletech.tale import Tale, rolled, rules
from tabletop.geometry.pose import Pose
from tabletop.ruling.charge import Step
from tabletop.table.hexes import number as hex_number
from tabletop.table.state import Hex
from tabletop.words import counted


def tell_to_hit(
    charger: str,
    name: str,
    aimed: ToHit,
    roll: Check,
    is_unintentional: bool,  # noqa: FBT001 - an event's own
    is_another: bool,  # noqa: FBT001 - an event's own
    journal: Tale,
) -> Tale:
    """Tell of a roll to hit a unit; it `is_another` than the target, or than the one met before."""
    text = f"The charge on {name} {rolled(roll)}."
    items = {f"to_hit_{item}": value for item, value in aimed.items.items()}
    told = (
        journal.unaimed(at_another=is_another)
        .step(Step("to_hit", charger, rules=rules("tohit.number", "tohit.roll"), text=text))
        .with_metrics(tn=aimed.number, **items)
    )
    told = told.finding("tohit.number", f"The number to hit {name} is {aimed.text}.", measured=aimed.number, using=aimed.assumed)
    if roll.total is not None:
        told = told.with_metrics(roll=roll.total)
    if not is_unintentional:
        return told.finding("tohit.roll", text, ok=roll.is_passed, measured=roll.total, limit=roll.number, has_margin=True)
    told = told.with_metrics(unintentional=True).finding("tohit.roll", text, measured=roll.total, limit=roll.number)
    return told.finding("weapon.unintentional-charge", f"The skid runs into {name}, which is a charge, and harder to hit with.")


def tell_blow(charger: Combatant, target: Combatant, blow: Blow, journal: Tale) -> Tale:
    """Tell of the damage of a hit on a unit."""
    told = journal.finding(
        "damage.target", f"{target.name} takes {counted(blow.target_points, 'points')}.", measured=blow.target_points
    ).with_metrics(
        damage_target=blow.target_points,
        groups_target=list(blow.target_groups),
        side_target=blow.side,
    )
    if blow.table is not None:
        told = told.with_metrics(table_target=blow.table, locations_target=[], criticals_target=0)
    if blow.table == "kick":
        told = told.finding("damage.kick", f"{charger.name} is a vehicle and {target.name} stands: the kick table is used.")
    if blow.is_shielded:
        through = blow.target_points - blow.absorbed
        text = f"The building of {target.name} takes {counted(blow.absorbed, 'points')}, {through} come through."
        told = told.finding("building.absorbs", text, measured=blow.absorbed).with_metrics(absorbed=blow.absorbed, damage_through=through)
    return _tell_own(charger, blow, "unusual.damage" if is_weightless(target) else "damage.charger", told)


def tell_building(charger: Combatant, place: Hex, blow: Blow, is_another: bool, journal: Tale) -> Tale:  # noqa: FBT001 - an event's own
    """Tell of the damage of a charge on a building hex; it `is_another` thing than the charger met before."""
    text = f"The building in {hex_number(place)} is always hit, and loses {blow.target_points} CF."
    told = journal.unaimed(at_another=is_another).finding("tohit.number", f"The building in {hex_number(place)} is hit without a roll.")
    told = told.finding("unusual.building", text, measured=blow.target_points)
    told = told.with_metrics(damage_target=blow.target_points)
    return _tell_own(charger, blow, "unusual.damage", told)


def tell_hill(charger: Combatant, place: Hex, blow: Blow, is_another: bool, journal: Tale) -> Tale:  # noqa: FBT001 - an event's own
    """Tell of a skid that runs into a hill; it `is_another` thing than the charger met before."""
    told = journal.unaimed(at_another=is_another).finding("tohit.number", f"The hill in {hex_number(place)} is hit without a roll.")
    told = told.finding("unusual.hill", f"The skid ends at the hill in {hex_number(place)}, which hurts {charger.name} only.")
    return _tell_own(charger, blow, "unusual.damage", told)


def tell_going_in(name: str, before: Pose, after: Pose, journal: Tale) -> Tale:
    """Tell of a charger that goes into the building hex that it charged."""
    told = journal.step(Step("advance", name, before, after, rules=rules("unusual.building")))
    return told.finding("unusual.building", f"{name} goes on into the building.")


def tell_staying_out(name: str, crowd: str, journal: Tale) -> Tale:
    """Tell of a charger for which there is no room in the building hex that it charged."""
    return journal.finding("unusual.building", f"{name} stays before the building: there is no room beside {crowd}.")


def _tell_own(charger: Combatant, blow: Blow, rule: str, journal: Tale) -> Tale:
    """Tell of what the charger takes."""
    why = ", by its own weight" if rule == "unusual.damage" else ""
    told = journal.finding(rule, f"{charger.name} takes {counted(blow.charger_points, 'points')}{why}.", measured=blow.charger_points)
    told = told.with_metrics(
        damage_charger=blow.charger_points, groups_charger=list(blow.charger_groups), locations_charger=[], criticals_charger=0
    )
    groups = (*blow.target_groups, *blow.charger_groups)
    return told.finding("damage.groups", f"The damage comes in {counted(len(groups), 'groups')} of at most 5 points.")
