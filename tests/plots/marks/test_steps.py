"""The moments of a charge: which steps share a picture, and the table after each."""

from dataclasses import replace

import pytest

from plots.marks.steps import (
    MOST_PICTURES,
    StepGroup,
    after_steps,
    named_models,
    step_groups,
    step_title,
    steps_text,
    title,
)
from tabletop.language.language import ENGLISH, speaking
from tabletop.registry import find
from tabletop.ruling.charge import Step
from tabletop.ruling.verdict import Resolution
from tests.plots import hexed, loose, scenes

BATTLETECH = ENGLISH.of(find("battletech").vocabulary.looks)


def titles(resolution: Resolution) -> list[str]:
    """Return the titles of a resolution's step groups."""
    return [title(episode) for episode in step_groups(resolution)]


def test_each_leg_of_a_regiment_is_an_episode() -> None:
    """Steps of a regiment are told one by one."""
    resolution = scenes.charge_resolution()
    assert [len(episode.places) for episode in step_groups(resolution)] == [1] * len(
        resolution.rulings[0].steps
    )


def test_what_moves_nothing_is_told_together_and_models_in_groups() -> None:
    """Declaration, roll and losses share a picture, the nine moves are parted evenly, what they earn is told with the
    last.
    """
    resolution = loose.charge_resolution()
    assert titles(resolution) == [
        "Declare, roll, loss",
        *(
            "Move: models 1, 2",
            "Move: models 3, 4",
            "Move: models 5, 6",
            "Move: models 7, 8",
            "Move: model 9",
        ),
    ]
    assert [place for episode in step_groups(resolution) for place in episode.places] == list(
        range(len(resolution.rulings[0].steps))
    )


@pytest.mark.parametrize("count", [1, 5, 10, 20, 40])
def test_there_are_never_too_many_pictures(count: int) -> None:
    """However many models move, the pictures stay few."""
    assert len(step_groups(loose.charge_resolution(count))) <= MOST_PICTURES


def test_steps_of_a_family_share_a_picture() -> None:
    """The way through hexes is one picture with the roll at its end, the displacements another, falls a third."""
    assert titles(hexed.charge_resolution()) == ["Declare", "Approach", "Displace, follow", "Fall"]


def test_consequences_stay_with_their_causes() -> None:
    """Damage and rolls are told with what moved or fell before them, since they change nothing in the picture."""
    resolution = hexed.charge_resolution()
    there = hexed.BOARD.pose((5, 5), 0)
    gone = hexed.BOARD.pose((5, 4), 0)
    steps = (
        *(Step("enter", "A", gone, there), Step("damage", "A")),
        *(Step("weapon_roll", "A"), Step("fall", "A"), Step("damage", "A"), Step("pilot", "A")),
        *(Step("to_hit"), Step("skid", "A", there, gone), Step("damage", "A")),
    )
    ruling = replace(resolution.rulings[0], steps=steps)
    with speaking(BATTLETECH):
        told = step_groups(replace(resolution, rulings=(ruling,)))
        titles = [title(episode) for episode in told]
    assert titles == [
        "Approach",
        "Fall, damage, pilot's roll, to hit",
        "Skid",
    ]


def test_the_last_moment_is_the_table_after() -> None:
    """After all step groups, units stand where the resolution says, the lost are gone, and the fallen are prone."""
    for resolution in (
        scenes.charge_resolution(),
        loose.charge_resolution(),
        hexed.charge_resolution(),
    ):
        state = resolution.before
        for episode in step_groups(resolution):
            state = after_steps(state, episode, resolution.after)
        assert {name: unit.place for name, unit in state.units.items()} == {
            name: unit.place for name, unit in resolution.after.units.items()
        }
    assert state.units["B"].status == ("lying",)
    ended = after_steps(
        state,
        StepGroup(resolution.rulings[0], ()),
        state.with_unit(state.units["A"].with_status("broken")),
        is_last=True,
    )
    assert ended.units["A"].status == ("broken",)


def test_the_lost_go_at_the_step_that_takes_them() -> None:
    """A model lost before the move is there at the declaration and gone when the others move; one lost after it moves
    first.
    """
    resolution = loose.charge_resolution()
    ruling = resolution.rulings[0]
    lost = StepGroup(ruling, (2,))
    assert (
        len(
            after_steps(resolution.before, StepGroup(ruling, (0, 1)), resolution.after)
            .units["A"]
            .models
        )
        == 10
    )
    assert len(after_steps(resolution.before, lost, resolution.after).units["A"].models) == 9
    later = replace(ruling, steps=(*ruling.steps, Step("loss", "A")))
    last = resolution.after.with_unit(resolution.after.units["A"].without({4}))
    state = resolution.before
    for place in range(len(later.steps) - 1):
        state = after_steps(state, StepGroup(later, (place,)), last)
    assert len(state.units["A"].models) == 9
    assert (
        len(after_steps(state, StepGroup(later, (len(later.steps) - 1,)), last).units["A"].models)
        == 8
    )


def test_steps_of_nobody_change_nothing() -> None:
    """A step without a unit, or of one that is not there, leaves the table as it is."""
    resolution = hexed.charge_resolution()
    ruling = replace(resolution.rulings[0], steps=(Step("to_hit"), Step("fall", "Nobody")))
    assert (
        after_steps(resolution.before, StepGroup(ruling, (0, 1)), resolution.after)
        is resolution.before
    )


def test_single_models_are_named_by_steps() -> None:
    """Units of which a step names a model are told apart by number."""
    assert named_models(loose.charge_resolution().rulings) == {"A"}
    assert named_models(scenes.charge_resolution().rulings) == frozenset()


def test_words_are_said_once_and_not_those_of_notes() -> None:
    """Equal words in a row are said once, what a note writes on the table is left to it, and a mere measure says of
    what.
    """
    ruling = hexed.charge_resolution().rulings[0]
    ruling = replace(
        ruling,
        steps=(
            Step("enter", "A", text="1 MP"),
            *(Step("damage", text="Two points."),) * 2,
            Step("psr", text="Holds."),
        ),
    )
    assert steps_text(StepGroup(ruling, (0, 1, 2, 3))) == "Two points. Holds."


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Step("failed_move"), "Failed move"),
        (Step("wheel", rules=("t9a.failed.wheel",)), "Wheel"),
        (
            Step("forward", rules=("t9a.move.snaking", "t9a.move.concluding-forward")),
            "Concluding forward",
        ),
        (Step("deep_dive"), "Deep dive"),
    ],
)
def test_step_titles(step: Step, words: str) -> None:
    """A step is called by its rule where that says more than its kind, and in words that everybody reads."""
    assert step_title(step) == words
