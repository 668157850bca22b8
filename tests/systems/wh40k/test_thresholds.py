"""Every number of the page at its value, a hair within the tolerance and a hair beyond; counts at their value, one less
and one more.
"""

from systems.wh40k import SYSTEM
from tests.systems.wh40k.thresholds import declaring, ending, moving, standing
from tests.thresholds import Trial, check, check_whole, each_trial

ROWS = (*declaring.ROWS, *ending.ROWS, *standing.ROWS, *moving.ROWS)

NO_NUMBER = {
    f"wh40k.{name}": why
    for name, why in {
        "phase.sequence": "an order of events",
        "table.settled": "what is least is moved; nothing is broken by it",
        "phase.once": "a status word, or an earlier entry of the file",
        "eligible.not-advanced": "a status word",
        "eligible.not-fell-back": "a status word",
        "eligible.not-aircraft": "a keyword",
        "eligible.can-move": "a dash in the place of a number",
        "eligible.no-action": "a status word",
        "targets.declared": "names, at least one: a file without is refused",
        "targets.sight": "never asked",
        "targets.aircraft": "a keyword",
        "measure.base-or-hull": "what is measured to, not how far",
        "possible.stay": "what comes of a charge that fails",
        "overwatch.before": "numbers of models, as declared",
        "overwatch.after": "numbers of models, as declared",
        "move.order": "an order of events",
        "move.override": "which of two rules comes first",
        "move.most-engaged": "a goal: it counts what possible.engage-all lets be engaged",
        "move.shortest": "a goal: it adds up what roll.limit limits",
        "path.friends": "friends may be passed however near",
        "fly.over": "models may be flown over however near",
        "bonus.fights-first": "a status word",
    }.items()
}


@each_trial(ROWS)
def test_threshold(trial: Trial) -> None:
    """The rule's verdict turns at the number, whichever way the table lies."""
    check(trial)


def test_every_rule_has_its_numbers_or_a_reason_to_have_none() -> None:
    """No rule of the page is left out."""
    check_whole(SYSTEM, ROWS, NO_NUMBER)
