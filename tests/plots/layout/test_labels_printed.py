"""Words at given places: printed where they have room, never one over another, and labels where they have none."""

from itertools import combinations

import numpy as np
import pytest
import shapely
from matplotlib.colors import to_hex
from matplotlib.patches import PathPatch
from matplotlib.path import Path as MplPath

from plots.layout.frame import Frame
from plots.layout.labels import YIELDING, fallback, kept, stamped, without_covered
from plots.marks.board import NUMBER_AT, ROOM
from plots.marks.mark import Arrows, Label, Printed
from plots.marks.section import Rect
from plots.marks.styles import style
from plots.render.artists import Lettering, printed_artists

FRAME = Frame(Rect(0.0, 0.0, 20.0, 12.0), 0.2)
LABEL = Label("name", "name.0", "Long name", ((5.0, 5.0),))


def words(*places: tuple[float, float], room: float = 2.0, role: str = "number") -> Printed:
    """Request the same word at several positions."""
    return Printed("p", role, tuple((place, "12", room) for place in places))


def test_words_with_room_are_printed_where_they_belong() -> None:
    """A word is centred at its place."""
    (one,) = stamped((words((5.0, 5.0)),), FRAME)
    assert FRAME.to_table(one.words[0][1].middle) == (5.0, 5.0)


def test_words_without_room_are_left_out() -> None:
    """A word wider than its room, or cut off by the panel, is not printed."""
    assert stamped((words((5.0, 5.0), room=0.5),), FRAME) == ()
    assert stamped((words((0.1, 5.0)),), FRAME) == ()


def test_the_first_of_two_that_overlap_is_printed() -> None:
    """Of words that would cover each other the earlier stands, also of different marks."""
    printed = stamped(
        (words((5.0, 5.0), (5.2, 5.0), (9.0, 5.0), role="axis"), words((9.1, 5.0), role="axis")),
        FRAME,
    )
    boxes = [box for one in printed for _, box in one.words]
    assert len(boxes) == 2
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]


def test_of_numbers_in_bodies_all_are_printed_or_none() -> None:
    """One without room leaves none; one that lies beyond the panel leaves the others."""
    assert stamped((words((5.0, 5.0), (5.2, 5.0), (9.0, 5.0)),), FRAME) == ()
    (one,) = stamped((words((5.0, 5.0), (0.1, 5.0), (9.0, 5.0)),), FRAME)
    assert len(one.words) == 2


def test_a_label_stands_for_words_that_were_not_printed() -> None:
    """A mark whose words are not all there gives its label, others none."""
    small, large = (
        Printed("s", "letter", (((5.0, 5.0), "Long name", room),), LABEL) for room in (1.0, 9.0)
    )
    assert fallback((small,), stamped((small,), FRAME)) == (LABEL,)
    assert fallback((large,), stamped((large,), FRAME)) == ()


def test_numbers_of_hexes_give_way_to_labels() -> None:
    """Labels keep off numbers of models; numbers of hexes leave the place to them."""
    printed = stamped((words((5.0, 5.0)), words((9.0, 5.0), role=YIELDING)), FRAME)
    (hard,) = kept(printed)
    (soft,) = kept(printed, is_yielding=True)
    assert FRAME.to_table(hard.middle) == (5.0, 5.0)
    assert [one.mark.role for one in without_covered(printed, [soft], FRAME)] == ["number"]
    assert without_covered(printed, [], FRAME) == printed


def test_words_of_a_mark_are_one_artist_and_its_halo() -> None:
    """However many numbers, they are one patch, with another for the halo where the look has one; letters lie in their
    boxes.
    """
    for role, count in (("number_light", 1), (YIELDING, 2)):
        printed = stamped((words((5.0, 5.0), (9.0, 5.0), (13.0, 5.0), role=role),), FRAME)
        made = printed_artists(printed, FRAME)
        assert len(made) == count
        letters = made[-1]
        assert isinstance(letters, Lettering)
        low = np.asarray(letters.get_path().vertices).min(axis=0)
        high = np.asarray(letters.get_path().vertices).max(axis=0)
        first, last = (
            FRAME.to_table((box.west, box.south))
            for _, box in (printed[0].words[0], printed[0].words[-1])
        )
        assert (low >= np.array(first) - 1e-6).all()
        assert high[0] <= FRAME.to_table((printed[0].words[-1][1].east, 0.0))[0] + 1e-6
        assert last[0] > first[0]


def test_what_runs_through_a_printed_word_is_kept_off_it() -> None:
    """Below the letters lies a disc of the plate's colour that holds each word, and over which nothing but the letters
    is.
    """
    mark = Printed(
        "numbers", "number", (((2.0, 2.0), "12", 1.0), ((4.0, 3.0), "7", 1.0)), plate="loose.1"
    )
    printed = stamped((mark,), FRAME)
    plates, *letters = printed_artists(printed, FRAME)
    assert isinstance(plates, PathPatch)
    assert to_hex(plates.get_facecolor()) == style("loose.1").fill
    assert (
        style("path.0").layer < plates.get_zorder() < min(artist.get_zorder() for artist in letters)
    )
    (one,) = printed
    for (_, box), disc in zip(one.words, plates.get_path().to_polygons(), strict=True):
        ink = [FRAME.to_table((x, (box.south + box.north) / 2)) for x in (box.west, box.east)]
        assert MplPath(disc).contains_points(ink).all()


def test_numbers_of_hexes_stand_beside_a_way_that_is_near() -> None:
    """A number through which a way runs moves off it while that is not far; words of models always stay."""
    way = Arrows("before.path.A", "path.0", (((5.0, 2.0), (5.0, 9.0)),))
    line = shapely.LineString([FRAME.to_panel(point) for point in way.lines[0]])
    boxes = {}
    for role in (YIELDING, "number"):
        ((_, boxes[role]),) = stamped((way, words((5.1, 5.0), room=4.0, role=role)), FRAME)[0].words
    assert not line.intersects(shapely.box(*boxes[YIELDING].sides))
    assert FRAME.to_table(boxes["number"].middle) == pytest.approx((5.1, 5.0))


def test_no_way_runs_through_the_number_of_a_hex() -> None:
    """Where a way takes the whole width of a number it stands lower in its hex, on the way's other end below, else not
    at all.
    """
    room = 1.8
    flats = 1.8 / ROOM
    above = (5.0, 5.0 + NUMBER_AT * flats)
    through = Arrows("before.path.A", "path.0", (((5.0, 2.0), (5.0, 9.0)),))
    upwards = Arrows("before.path.A", "path.0", (((5.0, 5.0), (5.0, 9.0)),))
    for way, is_low in ((through, False), (upwards, True)):
        printed = stamped((way, Printed("p", YIELDING, ((above, "0505", room),))), FRAME)
        ((_, box),) = printed[0].words
        x, y = FRAME.to_table(box.middle)
        line = shapely.LineString([FRAME.to_panel(point) for point in way.lines[0]])
        assert not line.intersects(shapely.box(*box.sides))
        assert (y < 5.0 and x == pytest.approx(5.0)) if is_low else abs(x - 5.0) > 0.3
        assert abs(y - 5.0) < flats / 2
    wall = Arrows(
        "before.path.A", "path.0", tuple(((x / 10, 2.0), (x / 10, 9.0)) for x in range(30, 70))
    )
    assert stamped((wall, Printed("p", YIELDING, ((above, "0505", room),))), FRAME) == ()
