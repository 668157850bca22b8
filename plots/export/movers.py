"""What moves in a shot as elements of SVG, each with the places it goes through: a page plays them without knowing any rule."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np
from matplotlib.path import Path

from plots.layout.frame import Frame
from plots.layout.paths import paths_of
from plots.marks.looks import style
from plots.marks.mark import Label, Mark, Printed
from plots.marks.shots import Move, Shot
from plots.marks.table import tone_of
from plots.marks.text import POINT_SIZE, clean
from plots.marks.theme import NAME, SCREEN, SMALL, Theme
from plots.marks.underway import beats, eased, pose_underway
from plots.marks.units import Look, unit_marks
from tabletop.geometry.pose import Point, Pose
from tabletop.table.squad import Model, Squad
from tabletop.table.state import Regiment

MOVE_SAMPLES = 24
"""Parts of a move: a page goes straight from one place to the next, a hair's breadth from the true way."""
LETTERS = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C", Path.CLOSEPOLY: "Z"}


@dataclass(frozen=True)
class Mover:
    """A body that goes as one piece: its marks where it stands at `pose`, its name and where that is written, its moves by number."""

    marks: tuple[Mark, ...]
    pose: Pose
    name: str
    middle: Point
    size: float
    moves: tuple[tuple[int, Move], ...]


def movers(shot: Shot) -> Iterator[Mover]:
    """Give the bodies of the units that move in a shot as they are at its beginning, also those of their models that stay."""
    tone, state = tone_of(shot.scene.state), shot.scene.state
    for name in shot.actors:
        unit, look = state.units[name], Look(tone[name], state.board, language=shot.scene.language)
        own = tuple((number, move) for number, move in enumerate(shot.moves) if move.step.unit == name)
        if not isinstance(unit, Squad):
            yield Mover(_bodies(unit, look), unit.pose, name, unit.centre if isinstance(unit, Regiment) else unit.pose.at, NAME, own)
            continue
        for model in unit.models:
            its = tuple((number, move) for number, move in own if move.step.model == model.number)
            west, south, east, north = model.footprint.bounds
            middle = ((west + east) / 2, (south + north) / 2)
            yield Mover(_bodies(replace(unit, models=(model,)), look), model.pose, _model_name(unit, model), middle, SMALL, its)


def _model_name(squad: Squad, model: Model) -> str:
    return str(model.number) if len(squad.models) > 1 else squad.name


def _bodies(unit: Any, look: Look) -> tuple[Mark, ...]:
    return tuple(mark for mark in unit_marks(unit, "mover", look) if not isinstance(mark, Label | Printed))


def mover_elements(shot: Shot, frame: Frame, theme: Theme = SCREEN) -> str:
    """Write the bodies of a shot as SVG in points of the page, drawn about their own origin, with their places in `data-` words."""
    return "".join(_element(mover, frame, len(shot.moves), theme) for mover in movers(shot))


def _element(mover: Mover, frame: Frame, count: int, theme: Theme) -> str:
    shapes = "".join(_shape(mark, mover.pose, frame, theme) for mark in mover.marks)
    spans = " ".join(f"{number / count:.5g}" for number, _ in mover.moves)
    places = "|".join(_places(move, frame) for _, move in mover.moves)
    label = (
        f'<text font-size="{mover.size:g}" text-anchor="middle" dominant-baseline="central" style="paint-order: stroke" fill="{theme.ink}" '
        f'stroke="{theme.page}" stroke-width="1.5">{escape(clean(mover.name))}</text>'
    )
    at, (right, ahead) = _place(mover.pose, frame), mover.pose.local(mover.middle)
    middle = f"{ahead * frame.scale / POINT_SIZE:.2f},{right * frame.scale / POINT_SIZE:.2f}"
    return (
        f'<g class="mover" data-at="{at}" data-middle="{middle}" data-starts="{spans}" data-span="{1 / count:.5g}" data-places="{places}">'
        f"{shapes}{label}</g>\n"
    )


def _places(move: Move, frame: Frame) -> str:
    """Give the places of a move at equal times."""
    shares = (eased(part / MOVE_SAMPLES, beats(move.step)) for part in range(MOVE_SAMPLES + 1))
    poses = [pose_underway(move.step, share) for share in shares]
    headings = np.unwrap([pose.heading for pose in poses]).tolist()
    return " ".join(_place(replace(pose, heading=heading), frame) for pose, heading in zip(poses, headings, strict=True))


def _place(pose: Pose, frame: Frame) -> str:
    """Write a pose as x and y in points from the page's upper left corner, and degrees clockwise."""
    x, y = frame.to_panel(pose.at)
    right, down = (frame.x + x) / POINT_SIZE, (frame.y + frame.height - y) / POINT_SIZE
    return f"{right:.2f},{down:.2f},{-math.degrees(pose.heading):.2f}"


def _shape(mark: Mark, pose: Pose, frame: Frame, theme: Theme) -> str:
    look = style(mark.role, theme)
    fill, edge = look.fill or "none", look.edge or "none"
    paths = (_data(path, pose, frame) for path in paths_of(mark, frame))
    return "".join(f'<path d="{data}" fill="{fill}" stroke="{edge}" stroke-width="{look.width:g}"/>' for data in paths)


def _data(path: Path, pose: Pose, frame: Frame) -> str:
    """Write a path of the table about a pose, which then looks along +x, in points with y downwards."""
    right, ahead = (pose.to_body(np.asarray(path.vertices)) * (frame.scale / POINT_SIZE)).T
    codes = [Path.MOVETO, *[Path.LINETO] * (len(right) - 1)] if path.codes is None else np.asarray(path.codes).tolist()
    return "".join(_words(zip(codes, ahead.tolist(), right.tolist(), strict=True)))


def _words(points: Iterable[tuple[Any, float, float]]) -> Iterator[str]:
    """Write the points of a path; a curve's letter stands before the first of its points only."""
    left = 0
    for code, x, y in points:
        letter = LETTERS[code]
        if letter == "Z":
            yield letter
            continue
        yield f"{'' if left else letter}{x:.2f},{y:.2f} "
        left = left - 1 if left else {"Q": 1, "C": 2}.get(letter, 0)
