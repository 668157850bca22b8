"""A charge as it happens: the set-up, a shot for each picture's worth of steps with what moves in it, and the end.

Steps share a shot as they share a panel of the figure by steps: the moves of loose models, the way through hexes and what one
cause has brought about are told together, so that many models do not take minutes. Within a shot they move one after the
other, as the rules have it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plots.marks import captions
from plots.marks.claimed import shown_resolution
from plots.marks.language import ENGLISH, Language
from plots.marks.mark import Mark, identifier
from plots.marks.moments import JUDGED_PICTURES, MOST_PICTURES, Episode, after_steps, episodes, has_moved, named_models, with_model_moved
from plots.marks.panel import Panel
from plots.marks.panels import charge_panels, step_panels
from plots.marks.section import Section
from plots.marks.spoken import in_language, written
from plots.marks.table import Scene, ground_marks, looks_of, tone_of
from plots.marks.underway import beats, eased, step_underway
from plots.marks.units import Look, start_marks, unit_marks
from tabletop.ruling.charge import Step
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.table.squad import Squad
from tabletop.table.state import State


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


def shots(
    case: Case,
    resolution: Resolution,
    judgement: Judgement | None = None,
    *,
    language: Language = ENGLISH,
    audience: captions.Audience = "reader",
) -> tuple[Shot, ...]:
    """Give all shots of a charge, of one section of the table: the set-up first, the end or what is said of a proposal last.

    A judge is also told the rules that each step follows.
    """
    language = language.of(case.system.vocabulary.looks)
    resolution, judgement = in_language(language, case, resolution, judgement)
    claimed = None if judgement is None else case.claimed(resolution)
    last = charge_panels(resolution, proposal=claimed, judgement=judgement, language=language)
    steps = _steps(shown_resolution(case, resolution, judgement), judgement, language)
    if audience == "judge":
        steps = [replace(shot, panel=replace(shot.panel, text=_told(shot.panel.text, shot.steps))) for shot in steps]
    sections = [shot.panel.section for shot in steps] + [panel.section for panel in last]
    section = sections[0]
    for one in sections[1:]:
        section = section.joined(one)
    text = " ".join(captions.caption(replace(case, note="", source=""), resolution, judgement, language=language, audience=audience))
    after = [panel for panel in last if not panel.name.startswith("before")] or last
    ends = [_end(panel, resolution, text if panel is last[-1] else "", language) for panel in after]
    whole = (_opening(case, resolution, section, language), *steps, *ends)
    return tuple(within(replace(shot, panel=written(language, case, shot.panel, audience)), section) for shot in whole)


def _opening(case: Case, resolution: Resolution, section: Section, language: Language) -> Shot:
    scene = _scene("setup", resolution, resolution.before, language)
    marks = (*ground_marks(scene, section), *_standing(scene))
    return Shot(Panel("setup", language.words["panel.setup"], case.note, marks, section), scene)


def _end(panel: Panel, resolution: Resolution, text: str, language: Language) -> Shot:
    return Shot(replace(panel, text=text), _scene(panel.name, resolution, resolution.after, language), is_end=True)


def _steps(resolution: Resolution, judgement: Judgement | None, language: Language) -> list[Shot]:
    """Give the panels of the figure by steps with their moves."""
    told = episodes(resolution, most=MOST_PICTURES if judgement is None else JUDGED_PICTURES, language=language)
    state, made = resolution.before, []
    for episode, panel in zip(told, step_panels(resolution, judgement=judgement, language=language) if told else (), strict=True):
        scene, moves = _scene(panel.name, resolution, state, language), _moves(episode, state, resolution.after, language)
        marks = (*panel.marks, *_first_places(resolution.before, scene))
        made.append(Shot(replace(panel, marks=marks), scene, moves, steps=episode.steps))
        state = after_steps(state, episode, resolution.after, is_last=episode is told[-1], language=language)
    return made


def _first_places(before: State[Any], scene: Scene) -> tuple[Mark, ...]:
    """Dash every unit that has moved in earlier shots where it stood before all of them."""
    looks, now = looks_of(before, scene.language), scene.state.units
    return tuple(
        mark
        for name, unit in before.units.items()
        for mark in start_marks(unit, now.get(name), identifier(scene.prefix, "first", name), looks[name])
    )


def _told(text: str, steps: Sequence[Step]) -> str:
    """Put the names of the rules that steps follow behind what is said of them."""
    rules = ", ".join(dict.fromkeys(rule for step in steps for rule in step.rules))
    return " ".join(filter(None, [text, f"({rules})" if rules else ""]))


def _moves(episode: Episode, state: State[Any], last: State[Any], language: Language) -> tuple[Move, ...]:
    moves = []
    for place in episode.places:
        step = episode.ruling.steps[place]
        if has_moved(step) and step.unit in state.units:
            moves.append(Move(step, state))
        state = after_steps(state, Episode(episode.ruling, (place,)), last, language=language)
    return tuple(moves)


def _scene(prefix: str, resolution: Resolution, state: State[Any], language: Language) -> Scene:
    targets = frozenset(target for ruling in resolution.rulings for target in ruling.charge.targets)
    return Scene(prefix, state, numbered=named_models(resolution), targets=targets, language=language)


def within(shot: Shot, section: Section) -> Shot:
    """Show a shot in a section: its ground is drawn as far as that goes."""
    ground = {mark.id for mark in ground_marks(shot.scene, shot.panel.section)}
    kept = (mark for mark in shot.panel.marks if mark.id not in ground)
    marks = (*ground_marks(shot.scene, section), *kept)
    return replace(shot, panel=replace(shot.panel, marks=marks, section=section))


def staying(shot: Shot) -> tuple[Mark, ...]:
    """Give the marks that stay while something moves: all but the units, and the units that do not move as they stood."""
    others = tuple(mark for mark in shot.panel.marks if not _is_of(mark, shot.scene.prefix))
    return (*others, *_standing(shot.scene, without=shot.actors))


def _is_of(mark: Mark, prefix: str, name: str = "") -> bool:
    """Tell whether a mark is of a unit, or of any."""
    start = identifier(prefix, "unit", name)
    return mark.id == start or mark.id.startswith(f"{start}." if name else start)


def is_of_actors(mark: Mark, shot: Shot) -> str | None:
    """Give the name of the moving unit that a mark belongs to."""
    return next((name for name in shot.actors if _is_of(mark, shot.scene.prefix, name)), None)


def _standing(scene: Scene, *, without: Sequence[str] = ()) -> tuple[Mark, ...]:
    units = {name: unit for name, unit in scene.state.units.items() if name not in without}
    return bodies(scene, units)


def bodies(scene: Scene, units: Mapping[str, Any]) -> tuple[Mark, ...]:
    """Draw units of a scene, perhaps elsewhere than it has them."""
    tone, state = tone_of(scene.state), scene.state
    others = tuple({**state.units, **units}.values())
    looks = {name: Look(tone[name], state.board, is_numbered=name in scene.numbered, language=scene.language) for name in units}
    return tuple(mark for name, unit in units.items() for mark in unit_marks(unit, scene.prefix, looks[name], others=others))


def underway(shot: Shot, share: float) -> dict[str, Any]:
    """Give the moving units of a shot where they are after a share of its moves, each move taking the same time."""
    place = min(int(share * len(shot.moves)), len(shot.moves) - 1)
    move = shot.moves[place]
    units = {name: move.state.units[name] for name in shot.actors}
    done = step_underway(move.step, eased(share * len(shot.moves) - place, beats(move.step)))
    name = move.step.unit or ""
    units[name] = with_model_moved(units[name], done) if isinstance(units[name], Squad) else units[name].at(done.end)
    return units
