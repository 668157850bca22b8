"""A charge as it happens: shots with what moves in them, and their frames as pixels, on one page laid out once.

Of a frame only what moves is painted anew.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from numpy.typing import NDArray

from plots.layout import text
from plots.layout.backend import as_shipped
from plots.layout.blocks import Words
from plots.layout.frame import Frame
from plots.layout.labels import Placed, stamped
from plots.layout.page import Page, Picture, Shown, lay_out, shown_in
from plots.layout.setting import DEFAULT, Setting
from plots.marks import alt_text, captions
from plots.marks.board import Scene, ground_marks, looks_of, tone_of
from plots.marks.language import ENGLISH, Language
from plots.marks.mark import Label, Mark, identifier, under
from plots.marks.panels import Panel, charge_panels, panels, scene_of, step_story
from plots.marks.section import Rect
from plots.marks.spoken import in_language
from plots.marks.steps import Episode, after_steps, beats, eased, has_moved, shown_resolution, step_underway, with_model_moved
from plots.marks.theme import HEADING, TEXT
from plots.marks.units import Look, start_marks, unit_marks
from plots.render.artists import Window, artists, label_artists, paint, printed_artists
from plots.render.figure import picture
from tabletop.catalogue import Audience
from tabletop.geometry.pose import Point
from tabletop.ruling.charge import Step
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.table.models import Squad
from tabletop.table.state import Regiment, State

Pixels = NDArray[np.uint8]

SECONDS, MOVING, HELD, ENDING = 3.0, 0.7, 2.0, 5.0
"""Seconds of a shot, the share of it in which things move, and how long the first and the last picture are held."""

MOST_SECONDS = 60.0
"""Seconds that all steps together take at most: of very many, each gets less."""

ABOVE = 5.9
"""Layer from which things lie above the units that move."""


@dataclass(frozen=True)
class Move:
    """A step that moves something, with the table as it is when it begins."""

    step: Step
    state: State[Any]


@dataclass(frozen=True)
class Shot:
    """What is seen between two cuts: `panel` is its last picture, `scene` the table at its beginning, `moves` what happens.

    `is_end` shots tell the outcome; `steps` are all that are told in it.
    """

    panel: Panel
    scene: Scene
    moves: tuple[Move, ...] = ()
    is_end: bool = False
    steps: tuple[Step, ...] = ()

    @property
    def actors(self) -> tuple[str, ...]:
        """The units that move in it."""
        return tuple(dict.fromkeys(move.step.unit or "" for move in self.moves))


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


# Shots: the set-up, one for each picture's worth of steps with what moves in it, and the end.


def shots(
    case: Case,
    resolution: Resolution,
    judgement: Judgement | None = None,
    *,
    language: Language = ENGLISH,
    audience: Audience = "reader",
) -> tuple[Shot, ...]:
    """Give all shots of a charge, of one section of the table: the set-up first, the end or what is said of a proposal last.

    A judge is also told the rules that each step follows.
    """
    language = language.of(case.system.vocabulary.looks)
    resolution, judgement = in_language(language, case, resolution, judgement, audience)
    claimed = None if judgement is None else case.claimed(resolution)
    last = charge_panels(resolution, proposal=claimed, judgement=judgement, language=language)
    steps = _steps(shown_resolution(case, resolution, judgement), judgement, language)
    if audience == "judge":
        steps = [replace(shot, panel=replace(shot.panel, text=_with_rules(shot.panel.text, shot.steps))) for shot in steps]
    sections = [shot.panel.section for shot in steps] + [panel.section for panel in last]
    section = sections[0]
    for one in sections[1:]:
        section = section.joined(one)
    words = " ".join(captions.caption(replace(case, note="", source=""), resolution, judgement, language=language, audience=audience))
    after = [panel for panel in last if not panel.name.startswith("before")] or last
    ends = [_end(panel, resolution, words if panel is last[-1] else "", language) for panel in after]
    scene = scene_of(resolution, resolution.before, language)
    marks = under("setup", (*ground_marks(scene, section), *_standing(scene)))
    whole = (Shot(Panel("setup", language.words["panel.setup"], case.note, marks, section), scene), *steps, *ends)
    return tuple(within(shot, section) for shot in whole)


def _end(panel: Panel, resolution: Resolution, words: str, language: Language) -> Shot:
    return Shot(replace(panel, text=words), scene_of(resolution, resolution.after, language), is_end=True)


def _steps(resolution: Resolution, judgement: Judgement | None, language: Language) -> list[Shot]:
    """Give the panels of the figure by steps with their moves."""
    made, story = [], step_story(resolution, judgement, language)
    for moment, panel in zip(story, panels(story, resolution) if story else (), strict=True):
        if moment.start is not None and moment.group is not None:
            scene, moves = scene_of(resolution, moment.start, language), _moves(moment.group, moment.start, resolution.after, language)
            marks = (*panel.marks, *under(f"{panel.name}.first", _first_places(resolution.before, scene)))
            made.append(Shot(replace(panel, marks=marks), scene, moves, steps=moment.group.steps))
    return made


def _first_places(before: State[Any], scene: Scene) -> tuple[Mark, ...]:
    """Dash every unit that has moved in earlier shots where it stood before all of them."""
    looks, now = looks_of(before, scene.language), scene.state.units
    return tuple(mark for name, unit in before.units.items() for mark in start_marks(unit, now.get(name), looks[name]))


def _moves(episode: Episode, state: State[Any], last: State[Any], language: Language) -> tuple[Move, ...]:
    moves = []
    for place in episode.places:
        step = episode.ruling.steps[place]
        if has_moved(step) and step.unit in state.units:
            moves.append(Move(step, state))
        state = after_steps(state, Episode(episode.ruling, (place,)), last, language=language)
    return tuple(moves)


def _with_rules(words: str, steps: Sequence[Step]) -> str:
    """Put the names of the rules that steps follow behind what is said of them."""
    rules = ", ".join(dict.fromkeys(rule for step in steps for rule in step.rules))
    return " ".join(filter(None, [words, f"({rules})" if rules else ""]))


def within(shot: Shot, section: Rect) -> Shot:
    """Show a shot in a section: its ground is drawn as far as that goes."""
    panel, wider = (under(shot.panel.name, ground_marks(shot.scene, one)) for one in (shot.panel.section, section))
    ground = {mark.id for mark in panel}
    marks = (*wider, *(mark for mark in shot.panel.marks if mark.id not in ground))
    return replace(shot, panel=replace(shot.panel, marks=marks, section=section))


def staying(shot: Shot) -> tuple[Mark, ...]:
    """Give the marks that stay while something moves: all but the units, and the units that do not move as they stood."""
    units = {unit_id(shot, name) for name in shot.scene.state.units}
    others = tuple(mark for mark in shot.panel.marks if mark.owner not in units)
    return (*others, *under(shot.panel.name, _standing(shot.scene, without=shot.actors)))


def _standing(scene: Scene, *, without: Sequence[str] = ()) -> tuple[Mark, ...]:
    units = {name: unit for name, unit in scene.state.units.items() if name not in without}
    return bodies(scene, units)


def bodies(scene: Scene, units: Mapping[str, Any]) -> tuple[Mark, ...]:
    """Draw units of a scene, perhaps elsewhere than it has them."""
    tone, state = tone_of(scene.state), scene.state
    others = tuple({**state.units, **units}.values())
    looks = {name: Look(tone[name], state.board, is_numbered=name in scene.numbered, language=scene.language) for name in units}
    return tuple(mark for name, unit in units.items() for mark in unit_marks(unit, looks[name], others=others))


def is_of_actors(mark: Mark, shot: Shot) -> str | None:
    """Give the name of the moving unit that a mark belongs to."""
    return next((name for name in shot.actors if mark.owner == unit_id(shot, name)), None)


def unit_id(shot: Shot, name: str) -> str:
    """Return the id of a unit in the panel of a shot, which owns all marks of it."""
    return identifier(shot.panel.name, "unit", name)


def underway(shot: Shot, share: float) -> dict[str, Any]:
    """Give the moving units of a shot where they are after a share of its moves, each move taking the same time."""
    place = min(int(share * len(shot.moves)), len(shot.moves) - 1)
    move = shot.moves[place]
    units = {name: move.state.units[name] for name in shot.actors}
    done = step_underway(move.step, eased(share * len(shot.moves) - place, beats(move.step)))
    name = move.step.unit or ""
    units[name] = with_model_moved(units[name], done) if isinstance(units[name], Squad) else units[name].at(done.end)
    return units


# Frames.


def film(case: Case, resolution: Resolution, *, judgement: Judgement | None = None, setting: Setting = DEFAULT) -> Film:
    """Lay out the film of a case: the page of its figure with one panel, as high as the longest words need."""
    told = shots(case, resolution, judgement, language=setting.language, audience=setting.audience)
    whole = replace(picture(case, resolution, judgement=judgement, setting=setting), caption=(), inset=None)
    description = text.clean(alt_text.description(case, resolution, judgement, language=setting.language))
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
    words = tuple(told for one in made.page.words if (told := _shot_line(one, lines, is_end=shot.is_end)) is not None)
    marks = tuple(mark for mark in made.page.marks if shot.is_end or not mark.id.startswith("outcome."))
    return replace(made.page, shown=(shown_in(shot.panel, frame),), words=words, marks=marks)


def _shot_line(one: Words, lines: dict[str, tuple[str, ...]], *, is_end: bool) -> Words | None:
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
    return replace(placed, box=placed.box.shifted(right, up), leader=None)


def _beside(unit: Any, last: Any, at: Point) -> tuple[Point, Point]:
    """Give where the thing that stands nearest to a point at the end is now, and where then: a model of a squad, else the unit."""
    if not isinstance(unit, Squad):
        return (unit.centre, last.centre) if isinstance(unit, Regiment) else (unit.pose.at, last.pose.at)
    nearest = min(last.models, key=lambda model: math.dist(model.pose.at, at))
    return (next((model.pose.at for model in unit.models if model.number == nearest.number), nearest.pose.at), nearest.pose.at)


class _Stage:
    """A page painted but for what lies above the units that move: that is painted over them, frame by frame."""

    def __init__(self, page: Page, dpi: float, *, is_parted: bool = False) -> None:
        with as_shipped(), text.boxes_for_missing_letters():
            figure = paint(page)
            figure.set_dpi(dpi)
            (self._window,) = (one for one in figure.artists if isinstance(one, Window))
            self._above = [one for one in self._window.get_children() if is_parted and one.get_zorder() >= ABOVE]
            for artist in self._above:
                artist.set_animated(True)
            self._canvas: Any = FigureCanvasAgg(figure)
            self._canvas.draw()  # type: ignore[no-untyped-call]
            self._ground = self._canvas.copy_from_bbox(figure.bbox)  # type: ignore[no-untyped-call]

    def pixels(self, moving: Sequence[Artist] = ()) -> Pixels:
        """Give the pixels with something on the stage."""
        with as_shipped(), text.boxes_for_missing_letters():
            self._canvas.restore_region(self._ground)
            for artist in moving:
                self._window.place(artist)
            for artist in sorted((*self._above, *moving), key=Artist.get_zorder):
                artist.draw(self._canvas.get_renderer())
        return np.asarray(self._canvas.buffer_rgba())[..., :3].copy()
