"""The charges that rule books tell as strips: bundled scenarios of which the steps read as a story."""

import re

import pytest

from plots.layout.page import lay_out
from plots.marks.panels import Panel
from plots.render.figure import picture
from tabletop.testing.answers import judged, resolved

STORIES = {
    "t9a/wheel-and-align": ("Declare", "Initial forward", "Wheel", "Concluding forward", "Align"),
    "t9a/slot-too-narrow": ("Declare", "Initial forward", "Align", "Special align"),
    "wh40k/judged-in-six-moves": (
        "Declare, roll",
        *(f"Move: model {number}" for number in range(1, 7)),
    ),
}
SENTENCES = re.compile(r"[.!?](?: |$)")


def strip(name: str) -> tuple[Panel, ...]:
    """Return the panels of a scenario step by step."""
    case, resolution = resolved(name)
    return picture(case, resolution, view="steps", judgement=judged(name)).panels


@pytest.mark.parametrize("name", STORIES)
def test_each_step_has_a_frame_and_a_sentence(name: str) -> None:
    """Headings are the steps in their order, frames are equal, and a step says what happens in it, in two sentences at
    most.
    """
    panels = strip(name)
    assert [panel.heading for panel in panels] == [
        f"{place}. {words}" for place, words in enumerate(STORIES[name], start=1)
    ]
    assert len({panel.section for panel in panels}) == 1
    assert all(1 <= len(SENTENCES.findall(panel.text)) <= 2 for panel in panels), [
        panel.text for panel in panels
    ]


@pytest.mark.parametrize("name", STORIES)
def test_frames_of_a_strip_are_equal_and_stand_in_rows(name: str) -> None:
    """On the page as well, in full rows as far as there are enough."""
    case, resolution = resolved(name)
    frames = [
        shown.frame
        for shown in lay_out(picture(case, resolution, view="steps", judgement=judged(name))).shown
    ]
    assert len({(frame.width, frame.height) for frame in frames}) == 1
    columns = len({frame.x for frame in frames})
    rows = len({frame.y for frame in frames})
    assert columns in (2, 3)
    assert len(frames) > columns * (rows - 1)


def test_seven_stills_of_three_units() -> None:
    """Ten are rolled; the first model can touch nobody, the second must touch, the last would leave the others and
    stops in range.
    """
    declared, first, second, *_, last = strip("wh40k/judged-in-six-moves")
    assert re.search(r"\bB, C\b", declared.text)
    assert "= 10" in declared.text
    assert re.match("A 1 \\D*\\b9\\.76\N{NO-BREAK SPACE}in\\b", first.text)
    assert re.search("\N{NO-BREAK SPACE}in\\b.*\\bbase contact\\b", second.text)
    assert re.search("\N{NO-BREAK SPACE}in\\b.*\\bcloser\\b.*\\bcoherency\\b", last.text)
    judgement = judged("wh40k/judged-in-six-moves")
    assert judgement is not None
    assert judgement.proof == "exact"


def test_the_line_of_an_unaligned_charge_is_drawn() -> None:
    """The line of the target's front, which the charger may not pass, stands as a limit on the declaration."""
    case, resolution = resolved("t9a/slot-too-narrow")
    told = picture(case, resolution, view="steps").panels[0]
    assert any(mark.role == "limit" for mark in told.marks)
