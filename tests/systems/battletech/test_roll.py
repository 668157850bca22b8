"""Rolls asked for once: with faces in the order of the rules, or in every way that they may go."""

from dataclasses import dataclass, field, replace
from fractions import Fraction

import pytest

import tabletop
from systems.battletech.odds import Branch, ways_of
from systems.battletech.roll import FACE, TWO_DICE_TOTALS, Check, Faces, Roller, RollTable, check
from systems.battletech.system import SYSTEM
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError, ScenarioError
from tabletop.table.dice import MOST_FACES, DiceSource, DiceStream
from tests.systems.battletech.tables import charge, charger, ruling, table, unit


def faces(*given: int) -> Faces:
    """Roll with these faces."""
    return Faces(DiceStream(list(given), "charges[0].dice"))


def test_faces_are_taken_as_they_come() -> None:
    """Two dice for a check, one for a face, none for what is sure."""
    roller = faces(3, 4, 5)
    assert roller.pick(check(7), "to-hit") == Check(7, is_passed=True)
    assert roller.pick(check(2), "to-hit").total is None
    assert roller.pick(check(13), "to-hit") == Check(13, is_passed=False)
    assert roller.pick(FACE, "a side") == 5


def test_missing_faces_are_named() -> None:
    """Too few faces: the message says how many more, and for what."""
    with pytest.raises(ScenarioError, match=r"charges\[0\]\.dice: .*1 .*to-hit"):
        faces(4).pick(check(7), "to-hit")


def test_ways_have_the_chances_of_their_totals() -> None:
    """What comes to the same is one way: a check has two, of chances that add up to one."""
    assert sorted((way.is_passed, chance) for way, chance in check(9).ways) == [
        (False, Fraction(26, 36)),
        (True, Fraction(10, 36)),
    ]
    by_parity = RollTable.of(tuple(TWO_DICE_TOTALS), lambda total: total % 2)
    assert [chance for _, chance in by_parity.ways] == [Fraction(1, 2), Fraction(1, 2)]


def two_rolls(roller: Roller) -> tuple[int, bool]:
    """Roll a face, and on a six a check as well; what is only told changes nothing."""
    face = roller.pick(FACE, "a face")
    roller.pick(FACE, "what is only told", is_reported=True)
    return face, face == 6 and roller.pick(check(9), "a check").is_passed


def test_every_way_is_gone_once() -> None:
    """Seven ways: five faces without a check, a six with either end of it."""
    ways = list(ways_of(two_rolls))
    assert dict(ways) == {
        **{(face, False): Fraction(1, 6) for face in range(1, 6)},
        (6, False): Fraction(26, 216),
        (6, True): Fraction(10, 216),
    }
    assert len(ways) == 7


@dataclass(frozen=True)
class Sixes:
    """Whether there was a six, and all faces, which nothing asks for."""

    any: bool = False
    seen: tuple[int, ...] = field(default=(), compare=False)


def one_more(state: Sixes, roller: Roller) -> Sixes:
    """Roll one more face."""
    face = roller.pick(FACE, "a face")
    return Sixes(state.any or face == 6, (*state.seen, face))


def test_repeated_rolls() -> None:
    """With faces everything is remembered; else only what counts: a six among four is 671 of 1296."""
    assert faces(1, 6, 2).repeat(one_more, Sixes(), times=3).seen == (1, 6, 2)
    ways = list(ways_of(lambda roller: roller.repeat(one_more, Sixes(), times=4)))
    assert {way.any: chance for way, chance in ways} == {
        True: Fraction(671, 1296),
        False: Fraction(625, 1296),
    }


def test_told_rolls_lead_nowhere() -> None:
    """Of what is only told one way is taken, with the whole chance."""
    branch = Branch(())
    assert branch.repeat(one_more, Sixes(), times=4, is_reported=True) == Sixes()
    assert branch.chance == 1
    assert not list(branch.others())


@pytest.mark.parametrize("dice", [(5, 4), (5, 4, *([1] * 40))])
def test_too_few_and_too_many_faces_are_filled_and_left_where_that_is_asked(
    dice: tuple[int, ...],
) -> None:
    """A table that is dragged needs now more, now fewer faces: those that there are stay."""
    case = tabletop.read_case("battletech/struck-from-the-side")
    asked = replace(case, charges=(replace(case.charges[0], dice=dice),))
    with pytest.raises(ScenarioError, match="face"):
        tabletop.resolve(asked)
    throws = tabletop.resolve(asked, fill=True).throws
    assert throws is not None
    assert throws.rolled[0][:2] == (5, 4)
    assert 2 < len(throws.rolled[0]) < 42


def test_faces_that_were_thrown_can_be_given_again() -> None:
    """A charge that throws more than a hundred faces ends alike where a file gives them."""
    units = {
        "A": charger("0507", tons=400, piloting=0),
        "B": unit("0506", "S", tons=400, piloting=8),
    }
    thrown = DiceSource()
    found = SYSTEM.resolve(table(units, charge(8)), throws=thrown, budget=Budget()).rulings[0]
    rolled = thrown.rolled[0]
    assert len(rolled) > 100
    again = ruling(table(units, charge(8, dice=list(rolled))))
    assert again == replace(found, charge=again.charge)


def test_no_charge_takes_more_faces_than_a_file_holds() -> None:
    """There is no verdict where more would be thrown."""
    hand = DiceStream(DiceSource().thrown(0), "")
    assert len(hand.take(MOST_FACES, "much")) == MOST_FACES
    with pytest.raises(NoVerdictError, match=r"\b10000\b"):
        hand.take(1, "more")
