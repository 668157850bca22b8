"""What decided is shown where it is seen: the missing inches, the piece that cannot be bridged, the lost model, the status."""

import math

import pytest

from tabletop.ruling.evidence import Deciding, Dice
from tabletop.testing.answers import resolved


def shown(name: str, charge: int = 0) -> Deciding:
    """Give what decided a charge of a bundled scenario."""
    return resolved(f"wh40k/{name}")[1].rulings[charge].evidence.deciding[0]


def test_two_ranges_that_never_meet() -> None:
    """wh40k.possible.engage-all: the piece between the engagement ranges, from edge to edge."""
    found = shown("two-zones-that-never-meet")
    ((start, end),) = found.lines
    assert found.rule == "wh40k.possible.engage-all"
    assert math.dist(start, end) == pytest.approx(1.2, abs=0.01)
    assert found.words == "1.2 in between the two ranges"


def test_a_chain_that_is_too_short() -> None:
    """wh40k.possible.coherency: what the models would have to span."""
    found = shown("chain-too-short")
    assert (found.rule, found.words) == ("wh40k.possible.coherency", "9 in between the two ranges")


def test_a_bystander_and_a_height() -> None:
    """wh40k.possible.avoid-others, wh40k.terrain.mid-climb: what was needed, as fine as it takes, and what was rolled."""
    assert shown("bystander-in-the-way").words == "4.0039 in needed, 4 rolled"
    assert len(shown("bystander-in-the-way").areas) == 1
    assert shown("hanging-on-the-wall").words == "10.61 in needed, 6 rolled"


def test_who_was_lost() -> None:
    """wh40k.overwatch.retest: the model that is lost, and what the others need."""
    found = shown("overwatch-takes-the-nearest")
    assert found.words == "lost; the others need 7 in, 5 rolled"
    assert len(found.areas) == 1


def test_refusals_stand_at_the_unit() -> None:
    """wh40k.eligible.not-advanced, wh40k.eligible.not-engaged: each in a word."""
    ruling = resolved("wh40k/three-reasons-against")[1].rulings[0]
    assert [one.words for one in ruling.evidence.deciding] == ["has advanced", "engaged already", "1 in short"]


def test_a_success_counts() -> None:
    """wh40k.move.contact: in base contact, and engaged; dice that were rolled again do not count."""
    assert shown("ten-against-ten").words == "6 of 10 models in base contact, 8 engaged"
    assert resolved("wh40k/second-chance")[1].rulings[0].evidence.dice == Dice((1, 3), "= 4 in", (1, 1))


def test_a_success_says_no_more_than_there_is() -> None:
    """wh40k.move.contact: no count of a single model; of models without base contact first those that are engaged."""
    assert shown("contact-is-a-duty").words == "in base contact"
    assert shown("second-chance").words == "engaged, no base contact"
    assert shown("chain-just-long-enough").words == "2 of 4 models engaged, none in base contact"


def test_a_success_is_told_at_a_model_that_counts() -> None:
    """wh40k.move.contact: the words stand at the edge of a base in contact, away from its target."""
    ruling = resolved("wh40k/killed-on-arrival")[1].rulings[0]
    (end,) = [step.end.at for step in ruling.steps if step.model == 0 and step.end is not None]
    assert ruling.evidence.models_in_contact.get("A", ()) == ()
    assert ruling.evidence.deciding[0].at == pytest.approx((end[0] - 0.5, end[1]), abs=0.01)
