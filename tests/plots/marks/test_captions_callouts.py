"""What is numbered in a picture has its sentence beside it, and the other way round."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from plots.layout.page import lay_out
from plots.layout.setting import setting
from plots.marks.captions import FEWEST, MOST, callouts
from plots.marks.deciding import TICK
from plots.marks.mark import Label
from plots.marks.panels import Panel, charge_panels
from plots.render.figure import picture
from tabletop.language.language import ENGLISH, speaking
from tabletop.language.spoken import in_language
from tabletop.testing.answers import judged, resolved
from tests.bundled import EACH, NAMES, each_of


def panels_of(name: str) -> tuple[Panel, ...]:
    """Return the keyed panels of a bundled scenario's charges."""
    case, resolution = resolved(name)
    told, _ = in_language(ENGLISH, case, resolution, None, "reader")
    with speaking(ENGLISH.of(case.system.vocabulary.looks)):
        return charge_panels(told, is_keyed=True)


def keys_of(panels: Sequence[Panel]) -> list[int]:
    """Return the numbers in the pictures, in their order."""
    return sorted(
        mark.key for panel in panels for mark in panel.marks if isinstance(mark, Label) and mark.key
    )


@EACH
def test_numbers_and_sentences_belong_together(name: str) -> None:
    """Two to four things are numbered from 1, each has one sentence on the panel on which it stands, or nothing is
    numbered.
    """
    panels = panels_of(name)
    for panel in panels:
        assert sorted(
            {mark.key for mark in panel.marks if isinstance(mark, Label) and mark.key}
        ) == list(panel.callouts)
        assert all(sentence[-1] in ".!?" or " " in sentence for sentence in panel.callouts.values())
    numbers = sorted({number for panel in panels for number in panel.callouts})
    assert numbers == list(range(1, len(numbers) + 1))
    assert not numbers or FEWEST <= len(numbers) <= MOST + any(
        panel.name == "contrast" or any(mark.id.endswith("equal.1.label") for mark in panel.marks)
        for panel in panels
    )


def test_a_move_of_legs_is_told_leg_by_leg_and_then_what_it_reached() -> None:
    """Of five things to tell, the distance is left out: the legs and the goal have the numbers, in the order of the
    move.
    """
    before, contrast, after = panels_of("t9a/wheel-and-align")
    assert [sentence.split(" ", 2)[1] for sentence in before.callouts.values()] == [
        "moves",
        "wheels",
        "moves",
    ]
    assert (list(contrast.callouts), list(after.callouts)) == ([4], [5])
    (label,) = (mark for mark in after.marks if isinstance(mark, Label) and mark.key == 5)
    assert re.match(r"\W*6 models of B\b", label.text)


def test_the_range_that_is_enough_stands_before_what_is_not() -> None:
    """A length that is no reason is the first callout, keyed to its dimension line; the reason, which tells the
    outcome, is the second.
    """
    (only,) = panels_of("conquest/longer-than-the-roll")
    assert [mark.id for mark in only.marks if isinstance(mark, Label) and mark.key == 1] == [
        "before.dimension.1.label"
    ]
    assert all(length in only.callouts[1] for length in ("6 in", "5.66 in"))
    assert only.callouts[2].startswith("A fails: ")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("conquest/no-wheel-reaches-the-front", "The Charge Distance of 6 in reaches B,"),
        ("wh40k/overwatch-takes-the-nearest", "T is 5 in away;"),
        ("wh40k/between-two-zones", "T is 4.31 in away;"),
    ],
)
def test_the_sentence_of_a_line_is_about_that_line(name: str, sentence: str) -> None:
    """Neither a stand and a roll with its number, nor another target as far away, takes its place."""
    first, *_ = panels_of(name)
    assert first.callouts[1].startswith(sentence)


@pytest.mark.parametrize(
    "name", ["wh40k/second-chance", "wh40k/held-back-by-coherency", "conquest/flank-by-a-hair"]
)
def test_what_was_reached_is_said_as_its_mark_shows_it(name: str) -> None:
    """The sentence at the goal is the words that stand there."""
    panels = panels_of(name)
    (label,) = (
        mark
        for mark in panels[-1].marks
        if isinstance(mark, Label) and mark.key and ".deciding." in mark.id
    )
    sentence = panels[-1].callouts[label.key]
    assert sentence.lower() == f"{label.text.removeprefix(TICK).lower()}."
    assert sentence[0].isdigit() or sentence[0].isupper()


def sentence_at(name: str, label: str) -> str:
    """Return the sentence of what is numbered on a label of a bundled scenario, "" where it has no number."""
    panels = panels_of(name)
    (key,) = (
        mark.key
        for panel in panels
        for mark in panel.marks
        if isinstance(mark, Label) and mark.id == label
    )
    return next((panel.callouts[key] for panel in panels if key in panel.callouts), "")


@pytest.mark.parametrize(
    ("name", "label", "sentence"),
    [
        (
            "wh40k/killed-on-arrival",
            "after.deciding.1.label",
            r"^A's model 1 is lost\b.*\bremains completed\b",
        ),
        ("conquest/the-target-turns", "after.deciding.2.label", r"\bA\b.*\b30\b"),
        ("conquest/no-way-past", "after.dimension.1.label", "^$"),
        ("conquest/exactly-far-enough", "after.deciding.1.label", r"^3 stands of A\b.*\bB\b"),
    ],
)
def test_a_number_tells_of_what_its_mark_shows(name: str, label: str, sentence: str) -> None:
    """Neither of another rule than the mark's, nor of the length of another picture, nor of a wheel where nothing
    wheels.
    """
    assert re.search(sentence, sentence_at(name, label))


def test_of_several_charges_that_are_demanded_each_tells_its_whole_ruling() -> None:
    """That no place of one of them alone has more would not be true: what all of them serve decides."""
    case, resolution = resolved("t9a/judged-seam")
    told = picture(case, resolution, judgement=judged("t9a/judged-seam")).callouts
    assert [sentence for sentence in told.values() if "no legal" in sentence] == []
    assert re.match(r"A\b.*\bT: 4 models of T\b.*\b4 models of A\b", list(told.values())[1])


def test_before_a_claim_that_is_not_allowed_nothing_else_decides() -> None:
    """The angle of this one is too wide; that it keeps off the line of the front is not what decides."""
    case, resolution = resolved("t9a/judged-angle-too-wide")
    (before, *_) = picture(case, resolution, judgement=judged("t9a/judged-angle-too-wide")).panels
    assert [mark.id for mark in before.marks if mark.role == "deciding"] == []


def test_each_reason_of_several_has_its_number_and_sentence() -> None:
    """Three reasons are three callouts, the one that decides first."""
    (only,) = panels_of("t9a/three-reasons")
    assert keys_of((only,)) == [1, 2, 3]
    assert re.match(r"A\b.*\bshaken\b", only.callouts[1])


def test_a_ruling_that_cannot_be_told_has_no_callouts() -> None:
    """What is open is not told as if it were sure."""
    resolution = resolved("t9a/wheel-and-align")[1]
    undecided = replace(
        resolution, rulings=tuple(replace(one, open=("t9a.range",)) for one in resolution.rulings)
    )
    assert callouts(undecided, [("before", "path.1.label"), ("before", "path.2.label")]) == ()


@pytest.mark.parametrize(
    "name",
    [
        "t9a/room-taken",
        "t9a/odds-in-the-way",
        "battletech/into-the-gap",
        "battletech/no-longer-there",
    ],
)
def test_charges_of_several_targets_have_a_picture_each(name: str) -> None:
    """The ways of each charge stand on its own picture, headed by who charges whom, where the earlier ones have been
    made.
    """
    resolution = resolved(name)[1]
    panels = panels_of(name)
    first, second = resolution.turns[:2]
    assert [panel.name for panel in panels] == ["before", "before2", "after"]
    assert re.fullmatch(
        rf"2\. {second.charge.charger}\b.*\b{second.charge.targets[0]}", panels[1].heading
    )
    mover = next(step for step in first.steps if step.end is not None and step.start != step.end)
    drawn = [
        {mark.id.split(".", 1)[1]: {**vars(mark), "id": ""} for mark in panel.marks}
        for panel in panels
    ]
    assert drawn[0][f"unit.{mover.unit}"] != drawn[1][f"unit.{mover.unit}"]


def test_charges_of_one_target_share_a_picture_with_the_owner_at_every_number() -> None:
    """Three charges at once: every length and angle says whose it is."""
    before = panels_of("t9a/one-has-no-room")[0]
    names = ("dimension", "path", "deciding")
    told = [
        mark.text
        for mark in before.marks
        if isinstance(mark, Label) and mark.id.split(".label")[0].rsplit(".", 2)[-2] in names
    ]
    assert len(told) >= 6
    assert all(
        words[:3] in ("A:\N{NO-BREAK SPACE}", "B:\N{NO-BREAK SPACE}", "D:\N{NO-BREAK SPACE}")
        for words in told
    )


def test_sentences_stand_beside_a_single_panel_and_bare_figures_have_no_numbers() -> None:
    """A page with one panel has its sentences to the right of it; without words around it, nothing is numbered."""
    case, resolution = resolved("conquest/longer-than-the-roll")[:2]
    page = lay_out(picture(case, resolution))
    words = {one.id: one.at for one in page.words}
    frame = page.shown[0].frame
    assert words["callout.1.1"][0] > frame.x + frame.width
    assert words["callout.2.1"][1] < frame.y + frame.height
    bare = picture(case, resolution, setting=setting(bare=True))
    assert keys_of(bare.panels) == []
    assert bare.callouts == {}


@pytest.mark.parametrize(
    ("name", "keyed"),
    [
        (
            "t9a/judged-angle-too-wide",
            ["before.dimension.1", "proposed.fault.angle.1", "demanded.deciding.1"],
        ),
        ("t9a/judged-one-short", ["before.dimension.1", "proposed.fault", "demanded.deciding.1"]),
        ("conquest/judged-another-wheel", ["before.dimension.1", "before.path.3", "before.path.4"]),
    ],
)
def test_a_judged_proposal_is_numbered_from_its_moves_to_what_is_right(
    name: str, keyed: list[str]
) -> None:
    """What is wrong has its number where it is, if need be a number alone; then the caption need not say it again."""
    case, resolution = resolved(name)
    made = picture(case, resolution, judgement=judged(name))
    labels = {
        mark.key: mark.id
        for panel in reversed(made.panels)
        for mark in panel.marks
        if isinstance(mark, Label) and mark.key
    }
    assert [labels[key].removesuffix(".label") for key in sorted(labels)] == keyed
    assert list(made.callouts) == sorted(labels)
    assert ("proposal" in made.caption[0]) is (len(made.panels) == 2)


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("t9a/wheel-and-align", [1, 2, 3, 4, 5]),
        ("conquest/judged-pushed-too-far", [1, 2, 0, 4]),
        ("battletech/sliding-past", [0, 0, 0]),  # the points of a fall are not the roll to hit
    ],
)
def test_the_text_of_a_step_is_keyed_to_its_picture(name: str, keys: list[int]) -> None:
    """By the number of the step, which stands at the way, at what is wrong, or at what was reached; where nothing is
    named, not.
    """
    case, resolution = resolved(name)
    panels = [
        panel
        for panel in picture(case, resolution, view="steps", judgement=judged(name)).panels
        if panel.name != "demanded"
    ]
    shown = [
        {mark.key for mark in panel.marks if isinstance(mark, Label)} - {0} for panel in panels
    ]
    assert [panel.key for panel in panels] == keys
    assert shown == [{key} - {0} for key in keys]


@each_of(NAMES[::6])
def test_callouts_of_a_german_figure_are_german(name: str) -> None:
    """No sentence beside a number is that of the English figure."""
    case, resolution = resolved(name)
    pictures = [
        picture(case, resolution, judgement=judged(name), setting=setting(language=code))
        for code in ("en", "de")
    ]
    english, german = (set(one.callouts.values()) for one in pictures)
    assert len(english) == len(german)
    assert not english & german


def test_models_that_move_alike_share_a_number() -> None:
    """One sentence tells of all four, by their numbers, and stands at each of their ways."""
    before = panels_of("wh40k/chain-just-long-enough")[0]
    (number,) = (
        number
        for number, sentence in before.callouts.items()
        if sentence.startswith("A 1, 2, 3 and 4 ")
    )
    ways = sorted(
        mark.id for mark in before.marks if isinstance(mark, Label) and mark.key == number
    )
    assert ways == [f"before.path.A.{model}.label" for model in range(4)]


@EACH
def test_the_number_of_an_alternative_has_its_own_sentence(name: str) -> None:
    """Where several alternatives are told, the sentence beside the picture is of the one that is drawn."""
    case, resolution = resolved(name)
    told = in_language(ENGLISH.of(case.system.vocabulary.looks), case, resolution, None, "reader")[
        0
    ]
    sentences = {one.finding.text for one in told.rulings[0].contrast or () if one.units}
    shown = [panel for panel in panels_of(name) if panel.name == "contrast"]
    assert len(shown) <= 1
    assert all(set(panel.callouts.values()) <= sentences for panel in shown)
