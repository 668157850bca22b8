"""Every length, count and angle of the rules page at its value, a hair within the tolerance and a hair beyond, in three
orientations.
"""

from systems.t9a import SYSTEM
from tests.systems.t9a.thresholds import aligning, declaring, moving
from tests.thresholds import Trial, check, check_whole, each_trial

TABLE = (*declaring.ROWS, *moving.ROWS, *aligning.ROWS)

NO_NUMBER = {
    "t9a.phase.order": "an order of events",
    "t9a.table.settled": "what is least is moved; nothing is broken by it",
    "t9a.declare.once": "a status, or an earlier entry of the file",
    "t9a.declare.not-shaken": "a status",
    "t9a.move.snaking": "a move of any length",
    "t9a.move.concluding-forward": (
        "any length, none too; the move ends at the first contact, so that going back brings nothing"
    ),
    "t9a.move.front-only": "it says what is held against the needed gaps of t9a.space",
    "t9a.move.fly": "it leaves gaps out, and sets none",
    "t9a.align.place": "that it is picked up and put down; where, the other rules of t9a.align say",
    "t9a.align.line-contact": "a choice among points",
    "t9a.align.priority": "an order of goals",
    "t9a.unaligned.charger-models": "one whenever a model of the target touches the point: t9a.unaligned.target-models",
    "t9a.combined.roll-first": "an order of events",
    "t9a.combined.order": "it counts what t9a.combined.room lets complete",
    "t9a.combined.aligned-only": "flush as t9a.align.flush says",
    "t9a.combined.totals": "sums of what t9a.align.target-models and t9a.align.charger-models count",
    "t9a.blocked.unreachable": "no move that t9a.move and t9a.space allow",
    "t9a.blocked.any-facing": "a choice among facings",
}


@each_trial(TABLE)
def test_threshold(trial: Trial) -> None:
    """The rule says of a table what the measure demands, and by how much."""
    check(trial)


def test_every_rule_has_a_row_or_no_number() -> None:
    """A rule stands in the table, or there is a reason why no number can be at stake."""
    check_whole(SYSTEM, TABLE, NO_NUMBER)
