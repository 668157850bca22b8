"""The way of a charge as marks: legs, wheels about their pivots, stops, lengths, contacts."""

import math
import re
from itertools import pairwise

import numpy as np
import pytest

import tabletop
from plots.marks.board import looks_of
from plots.marks.mark import (
    Arrows,
    DimensionLine,
    Discs,
    DrawnMark,
    Label,
    Lines,
    PointMark,
    Printed,
    Rings,
)
from plots.marks.moves import MAX_WHOLE_PATHS, aim_marks, path_marks, step_marks, ways_marks
from plots.marks.panels import charge_panels
from plots.marks.units import across
from tabletop.api import resolve
from tabletop.geometry.pose import Pose
from tabletop.ruling.charge import Step
from tabletop.scenario.reading import read_case
from tabletop.table.models import from_one
from tabletop.table.state import Board, State
from tabletop.testing.answers import resolved
from tests.plots import hexed, loose
from tests.plots.loose import squad
from tests.plots.scenes import charge_resolution, failed_resolution, regiment


@pytest.mark.parametrize("side", ["left", "right"])
def test_wheel_is_the_arc_of_the_outer_corner(side: str) -> None:
    """The arc turns about the step's pivot, from the outer corner where the wheel begins to where that corner ends."""
    resolution = charge_resolution(side=side)
    unit = resolution.before.units["A"]
    step = resolution.rulings[0].steps[2]
    marks = {
        mark.id: mark
        for mark in path_marks((step,), {"A": unit}, looks=looks_of(resolution.before))
    }
    arc = marks["path.1"]
    pivot = marks["path.1.pivot"]
    assert isinstance(arc, Arrows)
    assert isinstance(pivot, PointMark)
    assert step.start is not None
    assert step.end is not None
    (line,) = arc.lines
    outer = [
        unit.at(pose).front_left if side == "right" else unit.at(pose).front_right
        for pose in (step.start, step.end)
    ]
    assert (*line[0], *line[-1]) == pytest.approx((*outer[0], *outer[1]))
    assert [math.dist(point, step.pivot) for point in line if step.pivot] == pytest.approx(
        [unit.width] * len(line)
    )
    assert pivot.points == (step.pivot,)


def test_legs_are_arrows_from_front_to_front_with_the_rules_length() -> None:
    """A straight leg joins the step's poses, and its label is the step's own length."""
    resolution = charge_resolution()
    step = resolution.rulings[0].steps[1]
    arrow, label, *_ = path_marks(
        (step,), dict(resolution.before.units), looks=looks_of(resolution.before)
    )
    assert isinstance(arrow, Arrows)
    assert isinstance(label, Label)
    assert step.start is not None
    assert step.end is not None
    assert arrow.lines == ((step.start.at, step.end.at),)
    assert label.text == "3\N{NO-BREAK SPACE}in"


def test_every_leg_leaves_a_stop_and_a_declaration_none() -> None:
    """Three legs leave three dashed stops; a step in which nothing moves leaves nothing, nor does the align."""
    resolution = charge_resolution()
    ruling = resolution.rulings[0]
    unit = resolution.before.units["A"]
    still = Step("declare", "A", unit.pose, unit.pose)
    marks = path_marks(
        (still, *ruling.steps), dict(resolution.before.units), looks=looks_of(resolution.before)
    )
    assert [mark.id for mark in marks if mark.id.endswith(".stop")] == [
        f"path.{number}.stop" for number in (3, 4, 5)
    ]


def test_dashes_are_not_drawn_over_dashes() -> None:
    """Where a second stop shares edges with the first only the rest of it is dashed."""
    unit = regiment("A", "blue", Pose(30.0, 10.0, math.pi / 2), files=2, models=10)
    first = unit.pose.advanced(6.0)
    second = unit.pose.advanced(7.0)
    steps = (Step("forward", "A", unit.pose, first, 6.0), Step("forward", "A", first, second, 1.0))
    state = State(Board(60.0, 40.0), {"A": unit})
    marks = {mark.id: mark for mark in path_marks(steps, state.units, looks=looks_of(state))}
    rest = marks["path.2.stop"]
    assert isinstance(rest, Lines)
    drawn = sum(math.dist(a, b) for line in rest.lines for a, b in pairwise(line))
    assert drawn == pytest.approx(2 * unit.width + 2 * 1.0, abs=0.2)


def test_failed_move_is_drawn() -> None:
    """The wheel and the forward of a failed charge are a path like any other."""
    resolution = failed_resolution()
    marks = path_marks(
        resolution.rulings[0].steps,
        dict(resolution.before.units),
        looks=looks_of(resolution.before),
    )
    assert [len(mark.lines[0]) > 2 for mark in marks if isinstance(mark, Arrows)] == [True, False]


WAY = (
    (1.0, 1.0, 0.0),
    (4.0, 1.0, 0.0),
    (4.0, 1.0, 3.0),
    (6.0, 1.0, 3.0),
    (6.0, 1.0, 0.0),
    (6.0, 5.0, 0.0),
)


def ways_of(*steps: Step) -> dict[str, DrawnMark]:
    """Draw steps of two loose models that stand at (1, 1) and (1, 3)."""
    unit = squad("A", "blue", ((1.0, 1.0), (1.0, 3.0)))
    state = State(Board(20.0, 20.0), {"A": unit})
    return {mark.id: mark for mark in ways_marks(steps, state.units, looks=looks_of(state))}


def test_ways_of_loose_models_go_from_centre_to_centre() -> None:
    """A way is drawn from where the model's centre is to where it ends, through every corner; what climbing adds is
    told apart.
    """
    marks = ways_of(
        Step("move", "A", Pose(1.0, 1.0, 0.0), Pose(6.0, 5.0, 0.0), 12.0, model=0, path=WAY)
    )
    ways = marks["path.A"]
    label = marks["path.A.0.label"]
    assert isinstance(ways, Arrows)
    assert isinstance(label, Label)
    assert np.allclose(ways.lines[0], [(1.0, 1.0), (4.0, 1.0), (6.0, 1.0), (6.0, 5.0)])
    assert re.fullmatch("9\N{NO-BREAK SPACE}in\\D*\\b3\\b\\D*", label.text)


@pytest.mark.parametrize(
    "name",
    [
        "killed-on-arrival",
        "past-a-bystander",
        "up-on-the-block",
        "onto-the-crate",
        "hanging-on-the-wall",
    ],
)
def test_a_number_beside_a_line_is_the_length_drawn(name: str) -> None:
    """On the plan the number of every way and every distance is the length of its line, from centre to centre of the
    bases.
    """
    case = tabletop.read_case(f"wh40k/{name}")
    resolution = tabletop.resolve(case)
    (marks,) = (panel.marks for panel in charge_panels(resolution) if panel.name == "before")
    words = {
        mark.id: float(mark.text.rpartition(":")[2].split()[0])
        for mark in marks
        if isinstance(mark, Label)
        and " in" in mark.text.replace("\xa0", " ")
        and mark.role == "text"
    }
    drawn: dict[str, float] = {}
    for mark in marks:
        if isinstance(mark, Arrows):
            steps = [
                step
                for step in resolution.rulings[0].steps
                if step.unit == "A" and step.length and step.start and step.end
            ]
            for step, line in zip(steps, mark.lines, strict=True):
                assert step.start is not None
                assert step.end is not None
                assert (*line[0], *line[-1]) == pytest.approx((*step.start.at, *step.end.at))
                drawn[f"{mark.id}.{step.model}.label"] = sum(
                    math.dist(*leg) for leg in pairwise(line)
                )
        if isinstance(mark, DimensionLine):
            drawn[f"{mark.id}.label"] = math.dist(mark.start, mark.end)
    assert drawn
    assert words == pytest.approx(drawn, abs=0.006)


def test_climbs_are_marked_and_the_height_reached_is_said() -> None:
    """A way up and down has two marks, and one label, at the way up."""
    marks = ways_of(
        Step("move", "A", Pose(1.0, 1.0, 0.0), Pose(6.0, 5.0, 0.0), 12.0, model=0, path=WAY)
    )
    climbs = marks["path.A.climbs"]
    assert isinstance(climbs, PointMark)
    assert climbs.points == ((4.0, 1.0), (6.0, 1.0))
    said = [
        (mark.text, mark.spots)
        for name, mark in marks.items()
        if ".climb." in name and isinstance(mark, Label)
    ]
    assert said == [("\N{UPWARDS ARROW}3", ((4.0, 1.0),))]


def test_models_that_stay_have_no_way_and_many_ways_no_lengths() -> None:
    """A move of length 0 draws nothing; five ways are drawn together without words."""
    here = Pose(1.0, 1.0, 0.0)
    assert ways_of(Step("move", "A", here, here, 0.0, model=0, path=((1.0, 1.0, 0.0),))) == {}
    resolution = loose.charge_resolution()
    steps = resolution.rulings[0].steps
    marks = ways_marks(steps, resolution.before.units, looks=looks_of(resolution.before))
    assert [mark.id for mark in marks if isinstance(mark, Label) and ".label" in mark.id] == []
    (ways,) = (mark for mark in marks if isinstance(mark, Arrows))
    assert len(ways.lines) == 9


@pytest.mark.parametrize("name", ["ten-against-ten", "judged-in-six-moves"])
def test_many_ways_are_drawn_whole_up_to_numbered_places(name: str) -> None:
    """More than a few ways begin where models stand and end at the edges of the places they go to, which have the
    models' numbers.
    """
    case, resolution = resolved(f"wh40k/{name}")
    steps = [step for step in resolution.rulings[0].steps if step.model is not None and step.length]
    marks = {
        mark.id: mark
        for mark in path_marks(steps, dict(case.state.units), looks=looks_of(case.state))
    }
    ways = marks["path.A"]
    numbers = marks["path.A.numbers"]
    assert isinstance(ways, Arrows)
    assert isinstance(numbers, Printed)
    ends = {
        from_one(step.model): step.end.at for step in steps if step.end and step.model is not None
    }
    assert {int(word): at for at, word, _ in numbers.words} == {
        model: pytest.approx(at) for model, at in ends.items()
    }
    assert len(ways.lines) == len(steps) > MAX_WHOLE_PATHS
    drawn = {line[0]: sum(math.dist(*leg) for leg in pairwise(line)) for line in ways.lines}
    radii = {
        model.number: across(model) / 2 for model in getattr(case.state.units["A"], "models", ())
    }
    for step in steps:
        length = step.length or 0.0
        radius = radii[step.model or 0]
        assert step.start is not None
        assert drawn[step.start.at] == pytest.approx(length - min(radius, length / 2), abs=1e-6)


def test_stops_of_loose_models_are_dashed_where_they_end() -> None:
    """Before the charge the bases of the nine that move are dashed where they will be."""
    resolution = loose.charge_resolution()
    marks = path_marks(
        resolution.rulings[0].steps, resolution.before.units, looks=looks_of(resolution.before)
    )
    stop = next(mark for mark in marks if mark.id == "path.A.stop")
    assert isinstance(stop, Rings | Discs)
    assert len(stop.rings) == 9


def test_paths_through_hexes_are_joined_by_their_look() -> None:
    """The way, the pushes and the advance are drawn each in its own look, from hex to hex, turning on the spot
    aside.
    """
    resolution = hexed.charge_resolution()
    marks = path_marks(
        resolution.rulings[0].steps, resolution.before.units, looks=looks_of(resolution.before)
    )
    ways = [mark for mark in marks if isinstance(mark, Arrows)]
    assert [mark.role for mark in ways] == ["path.0", "pushed.1", "pushed.1", "path.0"]
    flats = hexed.BOARD.hex_inches
    start = hexed.BOARD.centre((5, 8))
    end = hexed.BOARD.centre((5, 5))
    assert ways[0].lines[0][0] == pytest.approx((start[0], start[1] + 0.3 * flats))
    assert ways[0].lines[0][-1] == pytest.approx(end)


def test_a_step_back_has_a_head_of_its_own() -> None:
    """A model that steps back and runs on over the same hexes has two ways, one for each sense, beside each other."""
    resolution = resolve(read_case("battletech/a-run-up-backwards"))
    ruling = resolution.rulings[0]
    before = resolution.before
    marks = path_marks(ruling.steps, before.units, looks=looks_of(before))
    run, aside = (mark for mark in marks if isinstance(mark, Arrows))
    assert (run.role, aside.role) == ("path.0", "stepped.0")
    back, ahead = run.lines
    assert back[-1][1] < back[0][1]
    assert ahead[-1][1] > ahead[0][1]
    assert back[0][0] < ahead[0][0]


def test_something_points_at_what_is_charged() -> None:
    """A charge that misses, or is not allowed, has a line to its target; one that goes there has its own way."""
    for name, count in (
        ("a-run-up-backwards", 1),
        ("one-mp-short", 1),
        ("straight-run", 0),
        ("into-the-depot", 0),
    ):
        resolution = resolve(read_case(f"battletech/{name}"))
        aims = aim_marks(resolution.rulings[0], resolution.before)
        assert len(aims) == count
        target = resolution.before.units.get("B")
        for aim in aims:
            assert isinstance(aim, Arrows)
            assert target is not None
            assert math.dist(aim.lines[0][-1], target.pose.at) < hexed.BOARD.hex_inches / 2


def test_a_turn_about_the_contact_is_an_arc() -> None:
    """An align that turns about a point is drawn as the arc it runs, in the look of aligns, with its angle and no
    length.
    """
    unit = regiment("A", "blue", Pose(10.0, 10.0, math.pi / 2))
    step = Step(
        "align",
        "A",
        unit.pose,
        unit.pose.turned_about(unit.front_left, 0.3),
        angle=0.3,
        pivot=unit.front_left,
    )
    arc, _, label = step_marks(step, unit, tone=0)
    assert isinstance(arc, Arrows)
    assert isinstance(label, Label)
    assert (arc.role, label.text) == ("align", "turn\N{NO-BREAK SPACE}17.19°")


@pytest.mark.parametrize(
    ("name", "owners"), [("wh40k/onto-the-crate", ["1", "2"]), ("wh40k/chain-just-long-enough", [])]
)
def test_lengths_of_ways_that_run_close_say_whose_they_are(name: str, owners: list[str]) -> None:
    """Beside ways that are apart the number alone stands, for it can be of no other."""
    case = read_case(name)
    labels = [
        mark
        for mark in charge_panels(resolve(case))[0].marks
        if isinstance(mark, Label) and ".path.A." in mark.id
    ]
    lengths = [mark for mark in labels if mark.id.endswith(".label")]
    assert [mark.text.partition(":")[0] for mark in lengths if ":" in mark.text] == owners
    assert len(lengths) == len(case.state.units["A"].models)
