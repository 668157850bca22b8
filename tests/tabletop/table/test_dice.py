"""Faces given, dealt and thrown, and exact chances."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from tabletop.errors import ScenarioError
from tabletop.table.dice import DiceSource, chance_at_least


@pytest.mark.parametrize("face", range(8))
@pytest.mark.parametrize("extra", [-3, -1, 0, 1, 2])
def test_chances_are_those_of_all_throws_counted(face: int, extra: int) -> None:
    """Keeping the highest or the lowest of several dice: every throw counted once."""
    keep = max if extra >= 0 else min
    throws = list(product(range(1, 7), repeat=1 + abs(extra)))
    assert chance_at_least(face, extra) == Fraction(
        sum(keep(throw) >= face for throw in throws), len(throws)
    )


def test_own_faces_are_taken_and_the_rest_thrown_from_the_seed() -> None:
    """A seed gives each entry its own faces, whatever the others are given."""
    both = DiceSource(seed=7).deal([(0, 2, None), (1, 1, None)])
    given = DiceSource(seed=7).deal([(0, 2, (3, 4)), (1, 1, None)])
    assert given == ((3, 4), both[1])
    assert DiceSource(seed=7).deal([(1, 1, None)]) == (both[1],)
    assert all(1 <= face <= 6 for faces in both for face in faces)
    assert len({DiceSource(seed=seed).deal([(0, 3, None)]) for seed in range(20)}) > 10


@pytest.mark.parametrize(
    ("own", "kept"), [((3, 4), (3, 4)), ((3,), (3,)), ((3, 4, 5), (3, 4)), ((), ())]
)
def test_own_faces_are_filled_up_where_that_is_asked(
    own: tuple[int, ...], kept: tuple[int, ...]
) -> None:
    """What is missing is thrown from the seed, the same however they are taken; what is too much is left, and the
    record tells it.
    """
    throws = DiceSource(seed=7, fills=True)
    (dealt,) = throws.deal([(0, 2, own)])
    stream = DiceSource(seed=7, fills=True).stream(0, own)
    assert dealt[: len(kept)] == kept
    assert stream.take(2, "charge roll") == dealt == throws.rolled[0]
    stream.close()


def test_flat_faces_are_dealt_in_order_and_replace_own_ones() -> None:
    """Each roll takes as many as it wants."""
    assert DiceSource(flat=(1, 2, 3)).deal([(0, 2, (6, 6)), (4, 1, None)]) == ((1, 2), (3,))


@pytest.mark.parametrize("flat", [(), (1,), (1, 2, 3, 4)])
def test_flat_faces_must_come_out_even(flat: tuple[int, ...]) -> None:
    """Too few and too many faces are refused, with the number expected."""
    with pytest.raises(ScenarioError, match=rf"--dice: .*\b3 .* {len(flat)}$"):
        DiceSource(flat=flat).deal([(0, 2, None), (1, 1, None)])


def test_every_wrong_count_of_own_faces_is_reported() -> None:
    """All entries with a wrong number of faces are named at once."""
    with pytest.raises(ScenarioError) as caught:
        DiceSource().deal([(0, 1, (2, 3)), (1, 2, (2, 3)), (2, 3, (1,))])
    assert [problem.key for problem in caught.value.problems] == [
        "charges[0].dice",
        "charges[2].dice",
    ]


def test_source_deals_a_flat_list_over_the_charges() -> None:
    """A flat list goes on from one charge to the next, and must come out even."""
    throws = DiceSource(flat=(1, 2, 3))
    assert throws.stream(0, (6,)).take(2, "charge roll") == (1, 2)
    assert throws.stream(1, None).take(1, "charge roll") == (3,)
    throws.close()
    with pytest.raises(ScenarioError, match=r"--dice: .*\b1 .*to-hit"):
        throws.stream(2, None).take(1, "to-hit")
    with pytest.raises(ScenarioError, match=r"--dice: 1 .*\[1\]"):
        DiceSource(flat=(1,)).close()


def test_thousands_of_faces_are_not_written_again() -> None:
    """A file holds up to 10,000: what is wrong with their number is one line all the same."""
    faces = (4,) * 9_000
    wrong: list[Callable[[], object]] = [
        DiceSource(flat=faces).close,
        DiceSource().stream(0, faces).close,
        lambda: DiceSource().deal([(0, 1, faces)]),
    ]
    for asked in wrong:
        with pytest.raises(ScenarioError, match=r"9000.*: \[4, 4, .*\.\.\.") as caught:
            asked()
        assert len(str(caught.value)) < 150


def test_stream_takes_a_charges_own_faces() -> None:
    """An entry's own faces are taken in order; missing ones are named with what they decide, left ones refused when it
    closes.
    """
    stream = DiceSource().stream(3, (4, 5, 6))
    assert stream.take(1, "charge roll") == (4,)
    with pytest.raises(ScenarioError, match=r"charges\[3\]\.dice: 2 .*\[5, 6\]"):
        stream.close()
    with pytest.raises(ScenarioError, match=r"charges\[3\]\.dice: .*\b2 .*location"):
        stream.take(4, "location")


def test_stream_throws_what_a_roll_throws() -> None:
    """Faces from the seed are those that a roll of known length gives, however they are taken."""
    stream = DiceSource(seed=7).stream(1, None)
    assert (
        stream.take(2, "first") + stream.take(1, "second")
        == DiceSource(seed=7).deal([(1, 3, None)])[0]
    )
    stream.close()
