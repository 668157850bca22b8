"""What the pictures of all bundled scenarios show is so, asked of their marks by geometry."""

from collections import defaultdict

import pytest
import shapely

from plots.layout.page import PlacedPanel
from plots.layout.setting import setting
from plots.marks.alt_text import description
from plots.marks.faults import broken_findings, fault_id
from plots.marks.mark import Discs, Label, Lines, Printed, Rings, outlines
from plots.marks.panels import Panel, View, charge_story
from plots.marks.styles import styles_of
from plots.marks.theme import PRINT, SCREEN, Theme
from plots.render.figure import picture
from tabletop.language.language import ENGLISH, speaking
from tabletop.language.spoken import in_language
from tabletop.table.hexes import HexBoard
from tabletop.table.state import Hex
from tabletop.testing.answers import judged, resolved
from tests.bundled import EACH, NAMES, each_of
from tests.plots.pages import page_of

NUMBERS = ("number", "number_light", "count")
VIEW_NAMES: tuple[View, ...] = ("charge", "steps")
VIEWS = pytest.mark.parametrize("view", VIEW_NAMES)

TOUCHING = 0.02
"""Gap in inches that no eye sees: a table measured by tape is settled to less."""

ACROSS_A_GAP = "t9a/rear-rank-gap"
"""Models of a front that faces the gap of a rear rank are in contact across it."""

PATTERN_ABOVE = 0.1
"""By how much the layer of a pattern lies above that of its area."""

CLEAR = 0.12
"""Inches from a panel's edge from which a number beside it has room."""


def unprinted(shown: PlacedPanel) -> dict[str, tuple[int, int]]:
    """Return of each unit how many bodies within a panel have numbers to show, and how many show them."""
    printed = {one.mark.id: {word for word, _ in one.words} for one in shown.printed}
    found: dict[str, list[bool]] = defaultdict(list)
    for mark in shown.panel.marks:
        if isinstance(mark, Printed) and mark.role in NUMBERS:
            for at, word, _ in mark.words:
                x, y = shown.frame.to_panel(at)
                if CLEAR < x < shown.frame.width - CLEAR and CLEAR < y < shown.frame.height - CLEAR:
                    found[mark.owner].append(word in printed.get(mark.id, ()))
    return {owner: (len(seen), sum(seen)) for owner, seen in found.items()}


@VIEWS
@EACH
def test_bodies_of_a_unit_are_numbered_all_or_none(name: str, view: View) -> None:
    """No disc is blank beside numbered ones, whatever the scale; what lies beyond the panel's edge does not count."""
    for shown in page_of(name, view).shown:
        for owner, (bodies, numbers) in unprinted(shown).items():
            assert numbers in (0, bodies), (shown.panel.name, owner)


@pytest.mark.parametrize(
    ("name", "view", "counts"),
    [("t9a/out-of-the-corridor", "charge", 14), ("wh40k/ten-against-ten", "steps", 10)],
)
def test_two_digits_have_room_where_a_base_has(name: str, view: View, counts: int) -> None:
    """Fourteen models in contact, seven with each charger, are all counted; ten loose models all have their numbers."""
    told = [unprinted(shown) for shown in page_of(name, view).shown]
    assert any(pair == (counts, counts) for one in told for pair in one.values())


def test_each_goal_counts_its_own_models() -> None:
    """What stands with a tick is what the numbers count: seven models of the one charger, seven of the other."""
    after = page_of("t9a/out-of-the-corridor").shown[-1]
    words = [word for one in after.printed if one.mark.role == "count" for word, _ in one.words]
    assert sorted(words) == sorted([*map(str, range(1, 8)), *map(str, range(1, 8))])


def filled(panel: Panel) -> dict[str, list[shapely.Geometry]]:
    """Return the bases drawn as in contact, by the colour of their side."""
    found: dict[str, list[shapely.Geometry]] = defaultdict(list)
    for mark in panel.marks:
        if isinstance(mark, Rings) and mark.role.startswith("contact."):
            found[mark.role] += [shapely.Polygon(ring) for ring in mark.rings]
        if isinstance(mark, Discs) and mark.role.startswith("contact."):
            found[mark.role] += [
                shapely.Point(x, y).buffer(radius, quad_segs=64) for x, y, radius in mark.discs
            ]
    return found


@VIEWS
@EACH
def test_models_filled_as_in_contact_touch(name: str, view: View) -> None:
    """In every frame of a strip, too: a base is filled once it touches a foe or the building it holds, not before."""
    for shown in page_of(name, view).shown:
        sides = filled(shown.panel)
        sides["terrain"] = [
            shapely.convex_hull(shapely.Polygon(mark.rings[0]))
            for mark in outlines(shown.panel.marks, "terrain")
        ]
        for role, bases in sides.items():
            foes = shapely.union_all(
                [base for other, own in sides.items() if other != role for base in own]
            )
            far = [base for base in bases if shapely.distance(base, foes) > TOUCHING]
            assert not far or role == "terrain" or name == ACROSS_A_GAP, shown.panel.name


BARRED = {
    "t9a/slot-too-narrow": "must not pass",
    "t9a/target-held-fast": "must not pass",
    "t9a/blocked-path": "no front fits",
    "t9a/failed-charge-comes-last": "into B's lane",
    "conquest/the-target-turns": "no room",
    "conquest/nobody-can-turn": "no room",
    "conquest/inspire-wasted": "wasted",
    "battletech/a-dropship-does-not-budge": "cannot be pushed",
    "battletech/nowhere-to-be-pushed": "cannot be pushed",
    "battletech/behind-a-wall": "absorbed",
    "battletech/slowed-on-the-run": "MP",
    "battletech/sliding-into-it": "skids into",
}
"""Words in success figures that tell a limit, an obstacle or a waste."""


def told_in(name: str, view: View, role: str) -> list[str]:
    """Return the words of the labels of a role in a figure."""
    marks = (mark for shown in page_of(name, view).shown for mark in shown.panel.marks)
    return [mark.text for mark in marks if isinstance(mark, Label) and mark.role == role]


@VIEWS
@pytest.mark.parametrize("name", BARRED)
def test_green_is_never_a_limit_an_obstacle_or_a_waste(name: str, view: View) -> None:
    """They stand in black; green with a tick is a demand that is met."""
    assert not [words for words in told_in(name, view, "goal_decided") if BARRED[name] in words]
    assert view == "steps" or any(
        BARRED[name] in words
        for role in ("strong", "decided")
        for words in told_in(name, view, role)
    )


@EACH
def test_tick_and_cross_never_stand_before_the_same_words(name: str) -> None:
    """What a figure crosses as another order or place, its strip does not tick, nor the other way round."""
    signs = {
        role: {words[2:] for view in VIEW_NAMES for words in told_in(name, view, role)}
        for role in ("goal_decided", "decided")
    }
    assert not signs["goal_decided"] & signs["decided"]


@VIEWS
@EACH
def test_green_areas_lie_in_nothing(name: str, view: View) -> None:
    """The area of what is reached covers no obstacle."""
    for shown in page_of(name, view).shown:
        marks = shown.panel.marks
        found = [
            shapely.Polygon(ring)
            for mark in marks
            if isinstance(mark, Rings) and mark.role == "goal_area"
            for ring in mark.rings
        ]
        solid = [
            shapely.Polygon(mark.rings[0])
            for mark in outlines(marks, "terrain")
            if mark.role.startswith("terrain.rock")
        ]
        assert (
            shapely.area(shapely.intersection(shapely.union_all(found), shapely.union_all(solid)))
            < 0.01
        )


REFUSED = [
    name
    for name in NAMES
    if "/judged-" in name or name in ("wh40k/held-back-by-coherency", "wh40k/one-contact-of-two")
]
"""Scenarios with a proposal that is not what the rules demand."""


@VIEWS
@each_of(REFUSED)
def test_every_broken_rule_is_marked_and_said(name: str, view: View) -> None:
    """Each has its own marks on the figure and on the strip, with a few words, and its sentence with a number or below
    its frame.
    """
    _, judgement = in_language(ENGLISH, *resolved(name), judged(name), "reader")
    assert judgement is not None
    shown = page_of(name, view).shown
    said = " ".join(
        [
            *(sentence for one in shown for sentence in one.panel.callouts.values()),
            *(one.panel.text for one in shown),
        ]
    )
    for place, finding in enumerate(broken_findings(judgement)):
        words = [
            mark.text
            for one in shown
            for mark in one.panel.marks
            if isinstance(mark, Label) and f"{fault_id(place)}." in mark.id
        ]
        placed = [
            label.label.text
            for one in shown
            for label in one.labels
            if f"{fault_id(place)}." in label.label.id
        ]
        assert any(words), finding.rule
        assert any(placed), finding.rule
        assert finding.text in said, finding.rule


def test_what_may_not_be_declared_is_shown_before_the_charges_are_made() -> None:
    """All charges are declared before the first is resolved: when C may not declare, A has not yet missed."""
    case, resolution = resolved("battletech/second-in-the-queue")
    with speaking(ENGLISH.of(case.system.vocabulary.looks)):
        moments = charge_story(resolution, None, None)
    second = next(moment for moment in moments if moment.name == "before2")
    assert second.state.units == resolution.before.units


def test_units_that_charge_one_after_another_declare_so() -> None:
    """A strip tells the second declaration after the first move, where the rules do not have all charges declared
    first.
    """
    headings = [
        shown.panel.heading for shown in page_of("wh40k/one-corridor-for-two", "steps").shown
    ]
    assert [words.split(". ")[1].split(":")[0] for words in headings] == [
        "Declare, roll",
        "Move",
        "Declare, roll",
    ]


@VIEWS
@each_of([name for name in NAMES if name.startswith("battletech/")])
def test_what_is_written_into_a_hex_stands_in_it(name: str, view: View) -> None:
    """Numbers, levels and factors: a building's CF is not read as its neighbour's."""
    board = resolved(name)[1].before.board
    assert isinstance(board, HexBoard)
    for shown in page_of(name, view).shown:
        for one in shown.printed:
            if one.mark.id.endswith(("hexes", "tags")):
                homes: dict[str, set[Hex]] = defaultdict(set)
                for at, word, _ in one.mark.words:
                    homes[word].add(board.hex_at(at))
                assert all(
                    board.hex_at(shown.frame.to_table(box.middle)) in homes[word]
                    for word, box in one.words
                ), shown.panel.name


def test_an_alternative_alone_is_headed_by_what_it_is() -> None:
    """It is not the success that the charge is: the heading says that it is not possible, the sentence why."""
    made = picture(*resolved("t9a/blocked-path"), setting=setting(panel="contrast"))
    (badge,) = made.badges
    assert badge.outcome != "success"
    assert "right flank" in badge.words
    assert "0.16" in badge.about
    assert not any(mark.key for mark in made.panels[0].marks if isinstance(mark, Label))


def test_a_map_shows_its_colours_on_terrain() -> None:
    """Places on a block are coloured as the key says: their areas lie above the terrain, whose outline stays."""
    layers = styles_of()
    terrain = max(look.layer for role, look in layers.items() if role.startswith("terrain."))
    assert all(
        layers[role].layer > terrain + PATTERN_ABOVE
        for role in layers
        if role.startswith(("heat.", "zero", "outlined"))
    )


DRAWN = [
    (SCREEN, ("A (blue, 2", "T (red, drawn orange")),
    (PRINT, ("A (blue, drawn plain", "T (red, drawn with stripes")),
]


@pytest.mark.parametrize(("theme", "looks"), DRAWN)
def test_alternative_texts_name_the_colours_drawn(theme: Theme, looks: tuple[str, str]) -> None:
    """A side called red is drawn orange, and in print both are told apart by their patterns."""
    words = description(*resolved("wh40k/onto-the-crate"), theme=theme)
    assert all(look in words for look in looks)


def test_an_overhang_is_seen_from_above_and_from_the_side() -> None:
    """What reaches over the edge of the block is hatched; the side view turns towards that edge, as long as the
    sentence says.
    """
    shown = {
        one.panel.name: one.panel for one in page_of("wh40k/judged-over-the-edge-of-a-block").shown
    }
    (area,) = [
        mark
        for mark in shown["proposed"].marks
        if isinstance(mark, Rings) and mark.role == "deciding_area"
    ]
    (line,) = [
        mark for mark in shown["side"].marks if isinstance(mark, Lines) and mark.role == "fault"
    ]
    block = next(outlines(shown["side"].marks, "terrain")).rings[0]
    (edge, top), (end, level) = line.lines[0]
    assert edge == pytest.approx(max(x for x, _ in block))
    assert top == level == max(y for _, y in block)
    assert end - edge == pytest.approx(0.33, abs=0.005)
    heights = [y for _, y in area.rings[0]]
    assert max(heights) - min(heights) == pytest.approx(end - edge, abs=0.01)
