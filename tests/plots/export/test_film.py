"""Frames: planned to the second, painted from one page, moving only what moves."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.patches import PathPatch

from plots.export import film as filming
from plots.export.film import (
    ENDING,
    HELD,
    MOST_SECONDS,
    MOVING,
    SECONDS,
    Cue,
    Film,
    bodies,
    cues,
    film,
    frames,
    page_of,
    still,
    underway,
)
from plots.marks.mark import Label
from plots.render.artists import artists
from tabletop.geometry.pose import Pose
from tabletop.ruling.charge import Step
from tabletop.ruling.verdict import Resolution
from tests.plots import hexed, loose, scenes

DPI = 40.0
FLAG = 0.25 * float(DPI) + 3.0
"""Pixels by which the flag with a unit's name reaches beyond its body."""


def film_of(resolution: Resolution) -> Film:
    """Lay out the film of a resolution made by hand."""
    words = {"title": "Title", "note": "A note that takes a line."}
    return film(
        scenes.case_of(resolution.before, resolution.rulings[0].charge, **words), resolution
    )


@pytest.fixture(scope="module", params=(scenes, loose, hexed))
def made(request: pytest.FixtureRequest) -> Film:
    """Lay out the film of a charge of regiments, of loose models and of a unit in a hex."""
    return film_of(request.param.charge_resolution())


@pytest.fixture(scope="module")
def blocks() -> Film:
    """Lay out the film of a charge of regiments."""
    return film_of(scenes.charge_resolution())


def test_each_step_takes_three_seconds(made: Film) -> None:
    """The set-up is held, each shot takes its time, the last picture stays longest, and only what moves has many
    frames.
    """
    planned = cues(made, rate=10.0)
    seconds = [
        sum(cue.seconds for cue in planned if cue.shot == number)
        for number in range(len(made.shots))
    ]
    assert seconds == pytest.approx([HELD, *[SECONDS] * (len(made.shots) - 2), ENDING])
    for number, shot in enumerate(made.shots):
        moving = [cue for cue in planned if cue.shot == number and cue.share is not None]
        assert len(moving) == (round(10.0 * MOVING * SECONDS) if shot.moves else 0)
    assert [cue.shot for cue in planned] == sorted(cue.shot for cue in planned)


def test_very_many_steps_get_less_time_each() -> None:
    """Thirty steps take as long as twenty."""
    resolution = scenes.charge_resolution()
    here = resolution.before.units["A"].place
    steps = tuple(
        Step("forward", "A", here.advanced(0.1 * n), here.advanced(0.1 * n + 0.1), 0.1)
        for n in range(30)
    )
    many = replace(resolution, rulings=(replace(resolution.rulings[0], steps=steps),))
    planned = cues(film_of(many), rate=10.0)
    assert sum(cue.seconds for cue in planned) == pytest.approx(HELD + MOST_SECONDS + ENDING)


def test_all_pages_are_laid_out_alike(made: Film) -> None:
    """Every shot has the window, height and scale of the film's page; the outcome is told at the end alone."""
    pages = [page_of(made, number) for number in range(len(made.shots))]
    assert {(page.height, page.scale, page.shown[0].frame) for page in pages} == {
        (made.page.height, made.page.scale, made.page.shown[0].frame)
    }
    for shot, page in zip(made.shots, pages, strict=True):
        written = [one.text for one in page.words if one.id.startswith("film.heading")]
        assert " ".join(written) == shot.panel.heading
        assert bool([one for one in page.words if one.id.startswith("outcome.")]) is shot.is_end
    low = max(one.at[1] for page in pages for one in page.words if one.id.startswith("film.text"))
    assert low < min(one.at[1] for one in pages[0].words if one.id.startswith("ruler."))


def test_only_what_moves_changes(blocks: Film) -> None:
    """Between two frames of a shot the pixels differ only where the moving unit was or is."""
    made = blocks
    number = next(number for number, shot in enumerate(made.shots) if shot.moves)
    first, second = frames(made, [Cue(number, 0.2, 0.1), Cue(number, 0.4, 0.1)], dpi=DPI)
    rows, columns = np.nonzero((first != second).any(axis=2))
    frame = made.page.shown[0].frame
    height = made.page.height
    shot = made.shots[number]
    corners = [
        c for share in (0.2, 0.4) for c in underway(shot, share)["A"].boundary.outline().tolist()
    ]
    xs, ys = np.array([frame.to_panel((x, y)) for x, y in corners]).T * DPI
    assert columns.min() >= frame.x * DPI + xs.min() - FLAG
    assert columns.max() <= frame.x * DPI + xs.max() + FLAG
    bottom = (frame.y + frame.height) * DPI
    assert rows.min() >= bottom - ys.max() - FLAG
    assert rows.max() <= bottom - ys.min() + FLAG
    assert (
        first.shape == (round(height * DPI), round(7 * DPI), 3)
        or abs(first.shape[0] - height * DPI) <= 1
    )


def test_the_last_frame_of_a_shot_is_its_figure(made: Film) -> None:
    """A still frame shows exactly the panel of the figure by steps; just before, everybody is there already."""
    number = next(number for number, shot in enumerate(made.shots) if shot.moves)
    almost, end = frames(made, [Cue(number, 0.999, 0.1), Cue(number, None, 1.0)], dpi=DPI)
    assert np.array_equal(end, still(page_of(made, number), dpi=DPI))
    assert float((almost != end).any(axis=2).mean()) < 0.02


def test_artists_of_what_moves_are_the_geometry(blocks: Film) -> None:
    """In the middle of a wheel the boundary that is painted is that of the unit wheeled half the way."""
    made = blocks
    shot = next(shot for shot in made.shots if shot.moves and shot.moves[0].kind == "wheel")
    step = shot.moves[0]
    unit = underway(shot, 0.5)["A"]
    assert step.start is not None
    assert step.pivot is not None
    assert unit.pose == step.start.turned_about(step.pivot, 0.5 * (step.angle or 0.0))
    marks = [mark for mark in bodies(shot, {"A": unit}) if not isinstance(mark, Label)]
    (boundary,) = (
        one
        for one in artists(marks, made.page.shown[0].frame)
        if str(one.get_gid()).endswith("unit.A")
    )
    assert isinstance(boundary, PathPatch)
    assert np.allclose(np.asarray(boundary.get_path().vertices)[:4], unit.boundary.outline())


def test_names_go_along_with_what_they_stand_at() -> None:
    """The shift of a label is that of its unit, or of the model that it stands at."""
    unit = scenes.table().units["A"]
    moved = unit.at(Pose(unit.pose.x + 1.0, unit.pose.y + 2.0, unit.pose.heading))
    now, then = filming._beside(moved, unit, (0.0, 0.0))
    assert np.subtract(now, then) == pytest.approx((1.0, 2.0))
    squad = loose.table().units["A"]
    last = squad.models[-1]
    ended = replace(
        squad, models=(*squad.models[:-1], last.at(Pose(last.pose.x + 3.0, last.pose.y, 0.0)))
    )
    assert filming._beside(squad, ended, (last.pose.x + 3.0, last.pose.y)) == (
        last.pose.at,
        (last.pose.x + 3.0, last.pose.y),
    )
    assert filming._beside(squad, ended, squad.models[0].pose.at) == (
        squad.models[0].pose.at,
        squad.models[0].pose.at,
    )
