"""Every number of the page at its value, one less and one more: as is, turned by a hexside and moved, and in the
mirror.
"""

from systems.battletech import SYSTEM
from tests.systems.battletech.thresholds import declaring, falling, hitting, housing, placing
from tests.thresholds import Trial, check, check_whole, each_trial

ROWS = (*declaring.ROWS, *hitting.ROWS, *housing.ROWS, *placing.ROWS, *falling.ROWS)

NO_NUMBER = {
    f"battletech.{name}": why
    for name, why in {
        "declare.movement-phase": "a phase and a status word",
        "table.settled": "hexes and facings are exact",
        "declare.charger-type": "types of units",
        "declare.no-weapon-attacks": "a status word",
        "declare.target-finished": "a status word, and the order of the file",
        "declare.target-charging": "a status word, and whether a charge was allowed",
        "declare.one-per-target": "a status word, and whether another charge was allowed",
        "declare.target-enemy": "sides",
        "declare.target-infantry": "a type of unit",
        "declare.target-protomech": "a type of unit",
        "declare.target-airborne": "types of units",
        "declare.mech-vs-vehicle": "types of units",
        "declare.target-prone": "a status word",
        "resolve.front-hex": "whether the target has left the hex in front",
        "stand": "a hex and a facing",
    }.items()
}


@each_trial(ROWS)
def test_threshold(trial: Trial) -> None:
    """The rule's verdict turns at the number, whichever way the table lies."""
    check(trial)


def test_every_rule_has_its_numbers_or_a_reason_to_have_none() -> None:
    """No rule of the page is left out."""
    check_whole(SYSTEM, ROWS, NO_NUMBER)
