"""Frames of a charge as it happens: one page laid out once, of which only what moves is painted anew."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from numpy.typing import NDArray

from plots.layout.boxes import Box
from plots.layout.frame import Frame
from plots.layout.labels import Placed
from plots.layout.page import Page, Picture, Shown, Words, lay_out, shown_in
from plots.layout.printed import stamped
from plots.layout.setting import DEFAULT, Setting
from plots.marks import alternative, text
from plots.marks.mark import Label
from plots.marks.panel import Panel
from plots.marks.shots import Shot, bodies, is_of_actors, shots, staying, underway, within
from plots.marks.theme import HEADING, TEXT
from plots.marks.typeface import boxes_for_missing_letters
from plots.render.artists import artists, label_artists
from plots.render.defaults import as_shipped
from plots.render.figure import picture
from plots.render.lettering import printed_artists
from plots.render.paint import paint
from tabletop.geometry.pose import Point
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.table.squad import Squad
from tabletop.table.state import Regiment

Pixels = NDArray[np.uint8]
SECONDS, MOVING, HELD, ENDING = 3.0, 0.7, 2.0, 5.0
"""Seconds of a shot, the share of it in which things move, and how long the first and the last picture are held."""
MOST_SECONDS = 60.0
"""Seconds that all steps together take at most: of very many, each gets less."""
ABOVE = 5.9
"""Layer from which things lie above the units that move."""


@dataclass(frozen=True)
class Film:
    """A charge as shots on one page; `bare` is that page without room for the words of a shot, `description` for who cannot see."""

    picture: Picture
    page: Page
    bare: Page
    shots: tuple[Shot, ...]
    description: str

    @property
    def title(self) -> str:
        """The title on one line."""
        return text.clean(self.picture.title)


@dataclass(frozen=True)
class Cue:
    """A frame that is to come: of which shot, after which share of its moves (None: its last picture), shown for how long."""

    shot: int
    share: float | None
    seconds: float


def film(case: Case, resolution: Resolution, *, judgement: Judgement | None = None, setting: Setting = DEFAULT) -> Film:
    """Lay out the film of a case: the page of its figure with one panel, as high as the longest words need."""
    told = shots(case, resolution, judgement, language=setting.language, audience=setting.audience)
    whole = replace(picture(case, resolution, judgement=judgement, setting=setting), caption=(), inset=None)
    description = text.clean(alternative.description(case, resolution, judgement, language=setting.language))
    marks = tuple(mark for shot in told for mark in shot.panel.marks if not isinstance(mark, Label))
    panel = Panel("film", "", "", marks, told[0].panel.section, told[-1].panel.action)
    bare = lay_out(replace(whole, panels=(panel,)))
    frame = bare.shown[0].frame
    heading = max((shot.panel.heading for shot in told), key=lambda words: len(_heading(words, frame.width)))
    words = max((shot.panel.text for shot in told), key=lambda words: len(_lines(words, frame.width)))
    page = lay_out(replace(whole, panels=(replace(panel, heading=heading, text=words),)))
    return Film(whole, page, bare, tuple(within(shot, frame.section) for shot in told), description)


def _heading(words: str, width: float) -> tuple[str, ...]:
    return text.wrapped(words, width, HEADING, bold=True, most=2)


def _lines(words: str, width: float) -> tuple[str, ...]:
    return text.wrapped(words, width, TEXT, most=9)


def page_of(made: Film, number: int) -> Page:
    """Give the page at the end of a shot, its labels placed."""
    shot, frame = made.shots[number], made.page.shown[0].frame
    lines = {"film.heading": _heading(shot.panel.heading, frame.width), "film.text": _lines(shot.panel.text, frame.width)}
    words = tuple(told for one in made.page.words if (told := _told(one, lines, is_end=shot.is_end)) is not None)
    marks = tuple(mark for mark in made.page.marks if shot.is_end or not mark.id.startswith("outcome."))
    return replace(made.page, shown=(shown_in(shot.panel, frame),), words=words, marks=marks)


def _told(one: Words, lines: dict[str, tuple[str, ...]], *, is_end: bool) -> Words | None:
    """Give a line of the page as it is in a shot: heading and text are the shot's, the outcome is told at the end."""
    name, _, number = one.id.rpartition(".")
    if name in lines:
        place = int(number) - 1
        return replace(one, text=lines[name][place]) if place < len(lines[name]) else None
    return None if one.id.startswith("outcome.") and not is_end else one


def cues(made: Film, *, rate: float) -> tuple[Cue, ...]:
    """Plan the frames, `rate` of them a second where something moves."""
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
    """Paint a page as pixels, shape (height, width, 3)."""
    return _Stage(page, dpi).pixels()


def frames(made: Film, planned: Sequence[Cue], *, dpi: float) -> Iterator[Pixels]:
    """Paint the frames one after the other; what a shot has in common is painted once."""
    current, stage, page = -1, None, made.page
    for cue in planned:
        if cue.shot != current:
            current, page = cue.shot, page_of(made, cue.shot)
            stage = _moving_stage(made.shots[current], page, dpi) if made.shots[current].moves else None
        if cue.share is None or stage is None:
            yield still(page, dpi=dpi)
        else:
            yield stage.pixels(_moving(made.shots[current], page, cue.share))


def _moving_stage(shot: Shot, page: Page, dpi: float) -> "_Stage":
    """Set the stage of a shot: the page without the units that move and their names."""
    (shown,) = page.shown
    marks = staying(shot)
    labels = tuple(placed for placed in shown.labels if is_of_actors(placed.label, shot) is None)
    panel = replace(shown.panel, marks=tuple(mark for mark in marks if not isinstance(mark, Label)))
    return _Stage(replace(page, shown=(Shown(panel, shown.frame, labels, stamped(marks, shown.frame)),)), dpi, is_parted=True)


def _moving(shot: Shot, page: Page, share: float) -> list[Artist]:
    """Make the artists of the moving units, each with its name going along."""
    (shown,), theme = page.shown, page.theme
    units, last = underway(shot, share), underway(shot, 1.0)
    marks = bodies(shot.scene, units)
    made = [*artists([mark for mark in marks if not isinstance(mark, Label)], shown.frame, theme)]
    made += printed_artists(stamped(marks, shown.frame), shown.frame, theme)
    for placed in shown.labels:
        name = is_of_actors(placed.label, shot)
        if name is not None:
            made += label_artists([_moved(placed, units[name], last[name], shown.frame)], shown.frame, theme)
    return made


def _moved(placed: Placed, unit: Any, last: Any, frame: Frame) -> Placed:
    """Let a placed label go along with what it stands at; a leader would point to where nothing is."""
    at = frame.to_table(placed.box.middle)
    (x, y), (last_x, last_y) = _beside(unit, last, at)
    right, up = (x - last_x) * frame.scale, (y - last_y) * frame.scale
    box = Box(placed.box.west + right, placed.box.south + up, placed.box.east + right, placed.box.north + up)
    return replace(placed, box=box, leader=None)


def _beside(unit: Any, last: Any, at: Point) -> tuple[Point, Point]:
    """Give where the thing that stands nearest to a point at the end is now, and where then: a model of a squad, else the unit."""
    if not isinstance(unit, Squad):
        return (unit.centre, last.centre) if isinstance(unit, Regiment) else (unit.pose.at, last.pose.at)
    nearest = min(last.models, key=lambda model: math.dist(model.pose.at, at))
    return (next((model.pose.at for model in unit.models if model.number == nearest.number), nearest.pose.at), nearest.pose.at)


class _Stage:
    """A page painted up to the layer of what moves; the rest is painted over that, frame by frame."""

    def __init__(self, page: Page, dpi: float, *, is_parted: bool = False) -> None:
        with as_shipped():
            self._figure = paint(page)
            self._figure.set_dpi(dpi)
            self._canvas = FigureCanvasAgg(self._figure)
            self._axes: Axes = self._figure.axes[0]
            self._above = [one for one in self._axes.get_children() if is_parted and one.get_zorder() >= ABOVE]
            for artist in self._above:
                artist.set_visible(False)
            with boxes_for_missing_letters():
                self._canvas.draw()  # type: ignore[no-untyped-call]
            self._ground = self._canvas.copy_from_bbox(self._figure.bbox)  # type: ignore[no-untyped-call]
            for artist in self._above:
                artist.set_visible(True)

    def pixels(self, moving: Sequence[Artist] = ()) -> Pixels:
        """Give the pixels with something on the stage."""
        with as_shipped(), boxes_for_missing_letters():
            self._canvas.restore_region(self._ground)  # type: ignore[no-untyped-call]
            for artist in moving:
                self._axes.add_artist(artist)
            for artist in sorted((*self._above, *moving), key=lambda one: one.get_zorder()):
                self._axes.draw_artist(artist)
            for artist in moving:
                artist.remove()
        return np.asarray(self._canvas.buffer_rgba())[..., :3].copy()  # type: ignore[no-untyped-call]
