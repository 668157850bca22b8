"""Every length, count and angle of the rules page at its value, a hair within the tolerance and a hair beyond, in three
orientations.
"""

from systems.conquest import SYSTEM
from tests.systems.conquest.thresholds import declaring, moving
from tests.thresholds import Trial, check, check_whole, each_trial

TABLE = (*declaring.ROWS, *moving.ROWS)

NO_NUMBER = {
    "conquest.contact.only-by-charge": (
        "what conquest.declare.not-in-contact, near.no-contact and failed.halt keep, each with its number"
    ),
    "conquest.declare.actions": "statuses",
    "conquest.table.settled": "what is least is moved; nothing is broken by it",
    "conquest.declare.reinforcement": "a status",
    "conquest.declare.enemy": "whose side the target is on",
    "conquest.move.straight": "it says where the charger goes, not how far",
    "conquest.near.inch": "it measures the least gap, and no gap is a fault in itself",
    "conquest.through.friends": "friends that no enemy is in contact with: conquest.path.friend",
    "conquest.stop": "the first contact, found and not chosen",
    "conquest.facing.corner": "the areas of conquest.facing.charged",
    "conquest.mired.halt": "where the charger met the friend that conquest.through.clear names",
    "conquest.mired.broken": "statuses",
    "conquest.inspire": "a status",
    "conquest.inspire.impact": "a word of the profile",
    "conquest.failed.actions": "a status",
}


@each_trial(TABLE)
def test_threshold(trial: Trial) -> None:
    """The rule says of a table what the measure demands, and by how much."""
    check(trial)


def test_every_rule_has_a_row_or_no_number() -> None:
    """A rule stands in the table, or there is a reason why no number can be at stake."""
    check_whole(SYSTEM, TABLE, NO_NUMBER)
