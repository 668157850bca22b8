"""Film of a charge: shots with their moving units, and their frames as pixels, on one page laid out once.

A shot is the picture of one group of steps, or of the set-up or the end. Only what moves is redrawn from frame to
frame.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from numpy.typing import NDArray

from plots.layout import text
from plots.layout.backend import as_shipped
from plots.layout.blocks import TextLine
from plots.layout.frame import Frame
from plots.layout.labels import PlacedLabel, stamped
from plots.layout.page import FigureContent, Page, PlacedPanel, lay_out, shown_in
from plots.layout.setting import DEFAULT, Setting, speaks
from plots.marks import alt_text, captions
from plots.marks.board import body_marks, ground_marks, looks_of
from plots.marks.mark import DrawnMark, Label, identifier, under
from plots.marks.panels import (
    Moment,
    Panel,
    charge_story,
    charged,
    marks_of,
    panels,
    step_story,
    table_marks,
)
from plots.marks.section import Rect
from plots.marks.steps import (
    after_steps,
    beats,
    eased,
    named_models,
    step_underway,
    with_model_moved,
)
from plots.marks.theme import HEADING, TEXT
from plots.marks.units import start_marks
from plots.render.artists import PanelView, artists, label_artists, paint, printed_artists
from plots.render.figure import picture
from tabletop.catalogue import Audience
from tabletop.geometry.pose import Point
from tabletop.language.language import current_language, with_terms
from tabletop.language.spoken import in_language
from tabletop.ruling.charge import Step, is_moving
from tabletop.ruling.claimed import shown_resolution
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.table.models import Squad
from tabletop.table.state import Regiment, State

Pixels = NDArray[np.uint8]

SECONDS, MOVING, HELD, ENDING = 3.0, 0.7, 2.0, 5.0
"""Seconds per shot, share of it in which units move, and seconds for which the first and last frames are held."""

MOST_SECONDS = 60.0
"""Greatest total duration of the steps in seconds; with very many steps each gets less."""

LAYER_ABOVE_UNITS = 5.9
"""Lowest layer above moving units."""


@dataclass(frozen=True)
class Shot:
    """A shot of a film: the picture of a `moment`, with its last state as `panel`; shots that are `is_end` state the
    outcome.
    """

    panel: Panel
    moment: Moment
    is_end: bool = False

    @property
    def first(self) -> State[Any]:
        """Table at the start of the shot."""
        return self.moment.state if self.moment.start is None else self.moment.start

    @property
    def steps(self) -> tuple[Step, ...]:
        """Steps of the shot, in order."""
        return tuple(step for group in self.moment.told for step in group.steps)

    @property
    def moves(self) -> tuple[Step, ...]:
        """Steps of the shot that move something."""
        return tuple(
            step for step in self.steps if is_moving(step) and step.unit in self.first.units
        )

    @property
    def actors(self) -> tuple[str, ...]:
        """Names of the units that move in the shot."""
        return tuple(dict.fromkeys(step.unit or "" for step in self.moves))


@dataclass(frozen=True)
class Film:
    """Film of a charge: content of its figure, the page, the shots, and a text alternative."""

    picture: FigureContent
    page: Page
    shots: tuple[Shot, ...]
    description: str

    @property
    def title(self) -> str:
        """Title of the figure on one line."""
        return text.clean(self.picture.title)


@dataclass(frozen=True)
class Cue:
    """A planned frame: index of its shot, share of the shot's moves done (None for its final picture), and seconds it
    is shown.
    """

    shot: int
    share: float | None
    seconds: float


# Shots: the set-up, one per group of steps, and the end.


@with_terms
def shots(
    case: Case,
    resolution: Resolution,
    judgement: Judgement | None = None,
    *,
    audience: Audience = "reader",
) -> tuple[Shot, ...]:
    """Return all shots of a case on one section of the table: the set-up first; the end, or the verdict on a proposal,
    last.

    For judges, the rules that each step follows are added.
    """
    language = current_language()
    resolution, judgement = in_language(language, case, resolution, judgement, audience)
    claimed = None if judgement is None else case.claimed(resolution)
    story = charge_story(resolution, claimed, judgement)
    last = panels(story, [marks_of(moment) for moment in story])
    steps = _steps(shown_resolution(case, resolution, judgement), judgement)
    if audience == "judge":
        steps = [
            replace(shot, panel=replace(shot.panel, text=_with_rules(shot.panel.text, shot.steps)))
            for shot in steps
        ]
    section = reduce(
        Rect.joined, [*(shot.panel.section for shot in steps), *(panel.section for panel in last)]
    )
    words = " ".join(
        captions.caption(replace(case, note=""), resolution, judgement, audience=audience)
    )
    ends = [
        Shot(
            replace(panel, text=words if panel is last[-1] else ""),
            replace(moment, start=None, told=()),
            is_end=True,
        )
        for panel, moment in zip(last, story, strict=True)
        if moment.start is not None or story[-1].start is None
    ]
    before = Moment("setup", language.words["panel.setup"], resolution, resolution.before)
    panel = Panel(
        before.name,
        before.heading,
        case.note,
        under("setup", table_marks(before, section)),
        section,
    )
    return tuple(within(shot, section) for shot in (Shot(panel, before), *steps, *ends))


def _steps(resolution: Resolution, judgement: Judgement | None) -> list[Shot]:
    """Return the shots of the groups of steps; units that moved in earlier shots are dashed where they started."""
    story = step_story(resolution, judgement)
    made = panels(story, [marks_of(moment) for moment in story]) if story else ()
    units = resolution.before.units
    looks = looks_of(resolution.before)
    found = []
    for panel, moment in zip(made, story, strict=True):
        now = units if moment.start is None else moment.start.units
        first = (
            mark
            for name, unit in units.items()
            for mark in start_marks(unit, now.get(name), looks[name])
        )
        found.append(
            Shot(replace(panel, marks=(*panel.marks, *under(f"{panel.name}.first", first))), moment)
        )
    return found


def _with_rules(words: str, steps: Sequence[Step]) -> str:
    """Return the text of steps followed by the names of their rules in parentheses."""
    rules = ", ".join(dict.fromkeys(rule for step in steps for rule in step.rules))
    return " ".join(filter(None, [words, f"({rules})" if rules else ""]))


def within(shot: Shot, section: Rect) -> Shot:
    """Return a shot on another section of the table, with the ground drawn for that."""
    panel, wider = (
        under(shot.panel.name, _ground(shot, one)) for one in (shot.panel.section, section)
    )
    ground = {mark.id for mark in panel}
    marks = (*wider, *(mark for mark in shot.panel.marks if mark.id not in ground))
    return replace(shot, panel=replace(shot.panel, marks=marks, section=section))


def _ground(shot: Shot, section: Rect) -> tuple[DrawnMark, ...]:
    return ground_marks(shot.first, section, named=charged(shot.moment.charges))


def staying(shot: Shot) -> tuple[DrawnMark, ...]:
    """Return the marks of a shot that do not change during motion: everything but units, and the units that do not
    move.
    """
    units = {unit_id(shot, name) for name in shot.first.units}
    others = tuple(mark for mark in shot.panel.marks if mark.owner not in units)
    stood = {name: unit for name, unit in shot.first.units.items() if name not in shot.actors}
    return (*others, *under(shot.panel.name, bodies(shot, stood)))


def bodies(shot: Shot, units: Mapping[str, Any]) -> tuple[DrawnMark, ...]:
    """Return the marks of the given units of a shot, which may be moved from their initial positions."""
    state = replace(shot.first, units={**shot.first.units, **units})
    moment = shot.moment
    return body_marks(state, units, numbered=named_models(moment.charges))


def is_of_actors(mark: DrawnMark, shot: Shot) -> str | None:
    """Return the name of the moving unit to which a mark belongs; None if it belongs to none."""
    return next((name for name in shot.actors if mark.owner == unit_id(shot, name)), None)


def unit_id(shot: Shot, name: str) -> str:
    """Return the id of a unit in a shot's panel, which owns all marks of the unit."""
    return identifier(shot.panel.name, "unit", name)


def underway(shot: Shot, share: float) -> dict[str, Any]:
    """Return the moving units by name after a share of the shot's moves, from 0 to 1; all moves take the same time."""
    (group,) = shot.moment.told
    moves = shot.moves
    number = min(int(share * len(moves)), len(moves) - 1)
    step = moves[number]
    place = [place for place in group.places if group.shown.steps[place] in moves][number]
    earlier = replace(group, places=group.places[: group.places.index(place)])
    state = after_steps(shot.first, earlier, shot.moment.resolution.after)
    units = {name: state.units[name] for name in shot.actors}
    done = step_underway(step, eased(share * len(moves) - number, beats(step)))
    name = step.unit or ""
    units[name] = (
        with_model_moved(units[name], done)
        if isinstance(units[name], Squad)
        else units[name].at(done.end)
    )
    return units


# Frames.


@speaks
def film(
    case: Case,
    resolution: Resolution,
    *,
    judgement: Judgement | None = None,
    setting: Setting = DEFAULT,
) -> Film:
    """Return the film of a case: its figure's page with one panel, high enough for the longest text of a shot."""
    told = shots(case, resolution, judgement, audience=setting.audience)
    whole = replace(picture(case, resolution, judgement=judgement, setting=setting), caption=())
    description = text.clean(alt_text.description(case, resolution, judgement, theme=setting.theme))
    marks = tuple(mark for shot in told for mark in shot.panel.marks if not isinstance(mark, Label))
    panel = Panel("film", "", "", marks, told[0].panel.section, told[-1].panel.action)
    frame = lay_out(replace(whole, panels=(panel,))).shown[0].frame
    heading = max(
        (shot.panel.heading for shot in told), key=lambda words: len(_heading(words, frame.width))
    )
    words = max(
        (shot.panel.text for shot in told), key=lambda words: len(_lines(words, frame.width))
    )
    page = lay_out(replace(whole, panels=(replace(panel, heading=heading, text=words),)))
    return Film(whole, page, tuple(within(shot, frame.section) for shot in told), description)


def _heading(words: str, width: float) -> tuple[str, ...]:
    return text.wrapped(words, width, HEADING, typeface="title", most=2)


def _lines(words: str, width: float) -> tuple[str, ...]:
    return text.wrapped(words, width, TEXT, most=9)


def page_of(made: Film, number: int) -> Page:
    """Return the page at the end of shot number `number`, with placed labels."""
    shot = made.shots[number]
    frame = made.page.shown[0].frame
    lines = {
        "film.heading": _heading(shot.panel.heading, frame.width),
        "film.text": _lines(shot.panel.text, frame.width),
    }
    words = tuple(
        told
        for one in made.page.words
        if (told := _shot_line(one, lines, is_end=shot.is_end)) is not None
    )
    marks = tuple(
        mark for mark in made.page.marks if shot.is_end or not mark.id.startswith("outcome.")
    )
    return replace(made.page, shown=(shown_in(shot.panel, frame),), words=words, marks=marks)


def _shot_line(
    one: TextLine, lines: dict[str, tuple[str, ...]], *, is_end: bool
) -> TextLine | None:
    """Return a page's line of text as it reads in a shot, None if it is left out there.

    Lines of heading and text are the shot's; those of the outcome are kept only at the end.
    """
    name, _, number = one.id.rpartition(".")
    if name in lines:
        place = int(number) - 1
        return replace(one, text=lines[name][place]) if place < len(lines[name]) else None
    return None if one.id.startswith("outcome.") and not is_end else one


def cues(made: Film, *, rate: float) -> tuple[Cue, ...]:
    """Return the planned frames of a film in order, `rate` per second during motion and one per still picture."""
    last = len(made.shots) - 1
    count = sum(1 for shot in made.shots if shot.moves or not shot.is_end) - 1
    each = min(SECONDS, MOST_SECONDS / max(count, 1))
    planned: list[Cue] = []
    for number, shot in enumerate(made.shots):
        seconds = HELD if number == 0 else ENDING if number == last else each
        moving = round(rate * MOVING * seconds) if shot.moves else 0
        planned += [Cue(number, frame / moving, 1.0 / rate) for frame in range(moving)]
        planned.append(Cue(number, None, seconds - moving / rate))
    return tuple(planned)


def still(page: Page, *, dpi: float) -> Pixels:
    """Return a page as pixels at `dpi` dots per inch, shape (height, width, 3)."""
    return _Stage(page, dpi).pixels()


def frames(made: Film, planned: Sequence[Cue], *, dpi: float) -> Iterator[Pixels]:
    """Yield the planned frames in order as pixels, shape (height, width, 3); what a shot's frames share is drawn
    once.
    """
    current = -1
    stage = None
    page = made.page
    for cue in planned:
        if cue.shot != current:
            current = cue.shot
            page = page_of(made, cue.shot)
            stage = (
                _moving_stage(made.shots[current], page, dpi) if made.shots[current].moves else None
            )
        if cue.share is None or stage is None:
            yield still(page, dpi=dpi)
        else:
            yield stage.pixels(_moving(made.shots[current], page, cue.share))


def _moving_stage(shot: Shot, page: Page, dpi: float) -> "_Stage":
    """Return the static part of a shot: its page without moving units and their labels."""
    (shown,) = page.shown
    marks = staying(shot)
    labels = tuple(placed for placed in shown.labels if is_of_actors(placed.label, shot) is None)
    panel = replace(shown.panel, marks=tuple(mark for mark in marks if not isinstance(mark, Label)))
    return _Stage(
        replace(
            page, shown=(PlacedPanel(panel, shown.frame, labels, stamped(marks, shown.frame)),)
        ),
        dpi,
        is_parted=True,
    )


def _moving(shot: Shot, page: Page, share: float) -> list[Artist]:
    """Return the artists of the moving units after a share of a shot's moves, with their names moving along."""
    (shown,) = page.shown
    theme = page.theme
    units = underway(shot, share)
    last = underway(shot, 1.0)
    marks = bodies(shot, units)
    made = [*artists([mark for mark in marks if not isinstance(mark, Label)], shown.frame, theme)]
    made += printed_artists(stamped(marks, shown.frame), shown.frame, theme)
    for placed in shown.labels:
        name = is_of_actors(placed.label, shot)
        if name is not None:
            made += label_artists(
                [_moved(placed, units[name], last[name], shown.frame)], shown.frame, theme
            )
    return made


def _moved(placed: PlacedLabel, unit: Any, last: Any, frame: Frame) -> PlacedLabel:
    """Return a placed label shifted with the unit it belongs to, without its leader, which would point to an empty
    spot.
    """
    at = frame.to_table(placed.box.middle)
    (x, y), (last_x, last_y) = _beside(unit, last, at)
    right = (x - last_x) * frame.scale
    up = (y - last_y) * frame.scale
    return replace(placed, box=placed.box.shifted(right, up), leader=None)


def _beside(unit: Any, last: Any, at: Point) -> tuple[Point, Point]:
    """Return the present and the last position of what ends nearest to a point: a squad's model, else the unit."""
    if not isinstance(unit, Squad):
        return (
            (unit.centre, last.centre)
            if isinstance(unit, Regiment)
            else (unit.pose.at, last.pose.at)
        )
    nearest = min(last.models, key=lambda model: math.dist(model.pose.at, at))
    return (
        next(
            (model.pose.at for model in unit.models if model.number == nearest.number),
            nearest.pose.at,
        ),
        nearest.pose.at,
    )


class _Stage:
    """Drawn page as a static background, with the artists above moving units, which are drawn over them in each
    frame.
    """

    def __init__(self, page: Page, dpi: float, *, is_parted: bool = False) -> None:
        with as_shipped(), text.boxes_for_missing_letters():
            figure = paint(page)
            figure.set_dpi(dpi)
            (self._window,) = (one for one in figure.artists if isinstance(one, PanelView))
            self._above = [
                one
                for one in self._window.get_children()
                if is_parted and one.get_zorder() >= LAYER_ABOVE_UNITS
            ]
            for artist in self._above:
                artist.set_animated(True)
            self._canvas: Any = FigureCanvasAgg(figure)
            self._canvas.draw()  # type: ignore[no-untyped-call]
            self._ground = self._canvas.copy_from_bbox(figure.bbox)  # type: ignore[no-untyped-call]

    def pixels(self, moving: Sequence[Artist] = ()) -> Pixels:
        """Return the page with moving artists drawn on it as pixels, shape (height, width, 3)."""
        with as_shipped(), text.boxes_for_missing_letters():
            self._canvas.restore_region(self._ground)
            for artist in moving:
                self._window.place(artist)
            for artist in sorted((*self._above, *moving), key=Artist.get_zorder):
                artist.draw(self._canvas.get_renderer())
        return np.asarray(self._canvas.buffer_rgba())[..., :3].copy()
