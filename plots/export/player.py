"""HTML page that plays a charge step by step: one self-contained file, drawn by the same painter as the browser page.

It contains the marks of every step as JSON, with the moving units and their positions. Without JavaScript it shows the
texts of all steps and the last picture.
"""

import base64
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, cast

import numpy as np

from plots.export.film import Film, Shot, is_of_actors, page_of
from plots.layout.key import KEY_SIGNS, LONGEST, RULER_LENGTHS, key_entries, sample
from plots.layout.text import clean
from plots.marks.board import tone_of
from plots.marks.entries import Entry, entry, looks, rounded
from plots.marks.mark import DrawnMark, Label, Printed
from plots.marks.section import is_shown
from plots.marks.steps import beats, eased, pose_underway
from plots.marks.theme import NAME, SMALL, luminance
from plots.marks.units import UnitStyle, unit_marks
from plots.render.artists import paint
from plots.render.files import svg_of
from plots.render.svg import names_of, style_of_page
from tabletop.geometry.pose import Point, Pose
from tabletop.language.language import current_language, speaking
from tabletop.ruling.charge import Step
from tabletop.table.models import Model, Squad
from tabletop.table.state import Regiment

PAINTER_FOLDER = Path(__file__).parents[1] / "painter"

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; font-src data:; img-src data:"
"""Content security policy: nothing is loaded except the embedded font and picture."""

MOVE_SAMPLES = 24
"""Segments of a move; the page interpolates linearly between them, with an error too small to see."""

DARK_BELOW = 0.2
"""Relative luminance below which a page counts as dark."""

BUTTONS = {
    "first": "&#124;&#9664;",
    "back": "&#9664;",
    "play": "",
    "next": "&#9654;",
    "last": "&#9654;&#124;",
}
"""Symbols on the buttons; play and pause have words."""

SAMPLE, MIDDLE = (20, 12), 6 / 96
"""Width and height of a key's sample in pixels, and the offset of its centre in page inches."""


def player(made: Film, *, told: Callable[[float], None] = lambda _: None) -> str:
    """Return the HTML page of a film: a picture with its text per shot, and buttons to play them.

    Parameters
    ----------
    made
        Film to play.
    told
        Function called with the share of the work done, from 0 to 1.
    """
    with speaking(made.picture.setting.language):
        return _page(made, told)


def _page(made: Film, told: Callable[[float], None]) -> str:
    setting = made.picture.setting
    title = escape(made.title)
    steps = "".join(_step(made, shot, number) for number, shot in enumerate(made.shots))
    told(0.5)
    meanings = _meanings(made)
    data = _json(film_data(made, meanings)).replace("<", "\\u003c")
    body = (
        f"<main>\n<h1>{title}</h1>\n{buttons()}\n<noscript>{_last_picture(made)}</noscript>\n"
        f'<ol class="steps">\n{steps}</ol>\n{_key(meanings)}\n<p '
        f'class="game">{escape(clean(made.picture.footer))}</p>\n</main>\n'
        '<svg width="0" height="0" aria-hidden="true"><defs id="patterns"></defs></svg>'
    )
    head = (
        '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f'<meta name="description" content="{escape(made.description)}">\n<title>{title}</title>\n'
        f"<style>{_colours(made)}\n{_resource('player.css')}{style_of_page(body + data)}</style>"
    )
    scripts = (
        f'<script type="application/json" id="film">{data}</script>\n'
        f'<script type="module">\n{_resource("painter.js")}{_resource("player.js")}</script>'
    )
    page = f"<head>\n{head}\n</head>\n<body>\n{body}\n{scripts}\n</body>"
    told(1.0)
    return f'<!DOCTYPE html>\n<html lang="{escape(setting.language.code)}">\n{page}\n</html>\n'


def _resource(name: str) -> str:
    return (PAINTER_FOLDER / name).read_text("utf-8")


def _colours(made: Film) -> str:
    """Return CSS variables: the theme's colours, the picture's aspect ratio, and the colour of its edge."""
    theme = made.page.theme
    section = made.shots[0].panel.section
    edge = theme.grey if theme.table == theme.page else "transparent"
    values = {
        "page": theme.page,
        "table": theme.table,
        "ink": theme.ink,
        "grey": theme.grey,
        "edge": edge,
    }
    scheme = "dark" if luminance(theme.page) < DARK_BELOW else "light"
    ratio = f"--ratio: {section.width / section.height:.4f};"
    return (
        f":root {{ color-scheme: {scheme}; "
        f"{' '.join(f'--{name}: {value};' for name, value in values.items())} {ratio} }}"
    )


def _step(made: Film, shot: Shot, number: int) -> str:
    heading, words = (escape(clean(part)) for part in (shot.panel.heading, shot.panel.text))
    badges = "".join(
        f'<p class="outcome {badge.outcome}"><strong>{escape(badge.words)}</strong> {escape(clean(badge.about))}</p>'
        for badge in (made.picture.badges if shot.is_end else ())
    )
    told = f"<figcaption>{badges}<p>{words}</p></figcaption>\n" if words or badges else ""
    name = f"s{number + 1}"
    section = shot.panel.section
    picture = (
        f'<svg viewBox="0 0 {section.width:.4f} {section.height:.4f}" role="img" aria-labelledby="{name}-title '
        f'{name}-desc"><title id="{name}-title">{heading}</title><desc '
        f'id="{name}-desc">{words or escape(made.description)}</desc></svg>'
    )
    return (
        f'<li class="step">\n<h2>{heading}</h2>\n<figure>\n<div class="picture">{picture}</div>\n'
        f"{told}</figure>\n</li>\n"
    )


def _last_picture(made: Film) -> str:
    """Return the page of the last shot as an HTML image with the SVG embedded."""
    page = page_of(made, len(made.shots) - 1)
    svg = svg_of(
        paint(page),
        title=made.title,
        description=made.description,
        setting=made.picture.setting,
        names=names_of(page),
    )
    return (
        f'<img alt="{escape(made.description)}" '
        f'src="data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}">'
    )


def _key(meanings: Iterable[tuple[str, str]]) -> str:
    """Return HTML placeholders for the ruler and for the key of all pictures, with its texts."""
    width, height = SAMPLE
    svg = f'<svg width="{width}" height="{height}" aria-hidden="true"></svg>'
    entries = "".join(f"<li>{svg}{escape(meaning)}</li>\n" for _, meaning in meanings)
    return f'<div class="ruler" aria-hidden="true"></div>\n<ul class="key">\n{entries}</ul>'


def _meanings(made: Film) -> list[tuple[str, str]]:
    """Return (role, meaning) for the key of all pictures."""
    marks = [mark for shot in made.shots for mark in shot.panel.marks]
    shown = [
        mark
        for mark in marks
        if isinstance(mark, Label | Printed) or is_shown(mark, made.shots[0].panel.section)
    ]
    return key_entries(shown, made.picture.meanings)


def buttons() -> str:
    """Return HTML of the bar of buttons, with the texts that the script reads."""
    words = {
        key.removeprefix("player."): escape(word)
        for key, word in current_language().words.items()
        if key.startswith("player.")
    }
    shown = "\n".join(_button(name, sign, words) for name, sign in BUTTONS.items())
    return (
        f'<div class="bar" role="group" aria-label="{words["group"]}" data-play="{words["play"]}" '
        f'data-pause="{words["pause"]}" data-told="{words["told"]}">\n{shown}\n<input type="range" min="1" value="1" '
        f'step="1" aria-label="{words["step"]}">\n<output aria-live="polite"></output>\n</div>'
    )


def _button(name: str, sign: str, words: Mapping[str, str]) -> str:
    label = f' aria-label="{words[name]}"' if sign else ""
    title = words[f"{name}_key"]
    shown = sign or words[name]
    return f'<button type="button" data-do="{name}"{label} title="{title}">{shown}</button>'


# Data for the script.


def film_data(made: Film, meanings: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return the data that `player.js` reads: all marks without duplicates, moving bodies, and samples of the key."""
    section = made.shots[0].panel.section
    language = current_language()
    places: dict[str, int] = {}
    shots: list[dict[str, Any]] = []
    for shot in made.shots:
        shown = [
            places.setdefault(_json(_entry(mark, shot)), len(places)) for mark in shot.panel.marks
        ]
        shots.append(
            {
                "marks": shown,
                "count": len(shot.moves),
                "bodies": [_table(body) for body in bodies_of(shot)],
            }
        )
    marks = [json.loads(mark) for mark in places]
    key: list[dict[str, Any]] = [
        {
            "marks": [entry(mark.mapped(_upright)) for mark in sample(role)],
            "sign": KEY_SIGNS.get(role),
        }
        for role, _ in meanings
    ]
    moving = [mark for shot in shots for body in shot["bodies"] for mark in body["marks"]]
    roles = {
        mark["role"] for mark in (*marks, *moving, *(mark for one in key for mark in one["marks"]))
    }
    return {
        "section": rounded(section.sides),
        "ruler": {
            "lengths": RULER_LENGTHS,
            "longest": LONGEST,
            "unit": language.words["number.inches"],
        },
        "roles": {"light": looks(sorted(roles), made.page.theme)},
        "marks": marks,
        "shots": shots,
        "key": rounded(key),
    }


def _upright(at: Point) -> Point:
    """Return a point of a sample with y up, as on the table, instead of down."""
    return (at[0], MIDDLE - at[1])


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _entry(mark: DrawnMark, shot: Shot) -> Entry:
    """Return a mark as JSON data, with an id that is equal in all pictures that contain it; marks that move include
    their owner.
    """
    mover = is_of_actors(mark, shot)
    own = replace(mark, id=mark.id.removeprefix(f"{shot.panel.name}."), owner="")
    return cast("Entry", rounded(entry(own, None if mover is None else ("unit", mover))))


@dataclass(frozen=True)
class MovingPiece:
    """A body that moves as a whole: its marks at `pose`, its name, and its moves with their index in the shot.

    The name has a `size` in points and is placed at `middle`.
    """

    marks: tuple[DrawnMark, ...]
    pose: Pose
    name: str
    middle: Point
    size: float
    moves: tuple[tuple[int, Step], ...]


def bodies_of(shot: Shot) -> Iterator[MovingPiece]:
    """Yield the bodies of a shot's moving units at its start, including models of theirs that do not move."""
    tone = tone_of(shot.first)
    state = shot.first
    for name in shot.actors:
        unit = state.units[name]
        look = UnitStyle(tone[name], state.board)
        own = tuple((number, move) for number, move in enumerate(shot.moves) if move.unit == name)
        if not isinstance(unit, Squad):
            yield MovingPiece(
                _drawn(unit, look),
                unit.pose,
                name,
                unit.centre if isinstance(unit, Regiment) else unit.pose.at,
                NAME,
                own,
            )
            continue
        for model in unit.models:
            its = tuple((number, move) for number, move in own if move.model == model.number)
            west, south, east, north = model.footprint.bounds
            middle = ((west + east) / 2, (south + north) / 2)
            yield MovingPiece(
                _drawn(replace(unit, models=(model,)), look),
                model.pose,
                _model_name(unit, model),
                middle,
                SMALL,
                its,
            )


def _model_name(squad: Squad, model: Model) -> str:
    return str(model.number) if len(squad.models) > 1 else squad.name


def _drawn(unit: Any, look: UnitStyle) -> tuple[DrawnMark, ...]:
    return tuple(mark for mark in unit_marks(unit, look) if not isinstance(mark, Label | Printed))


def _table(body: MovingPiece) -> Entry:
    """Return a body as JSON data for `player.js`."""
    moves = [[number, _places(move)] for number, move in body.moves]
    marks = [entry(mark) for mark in body.marks]
    at = _place(body.pose)
    table = {
        "at": at,
        "marks": marks,
        "name": clean(body.name),
        "size": body.size,
        "middle": body.middle,
        "moves": moves,
    }
    return cast("Entry", rounded(table))


def _places(step: Step) -> list[list[float]]:
    """Return [x, y, heading] of a move at equal intervals of time, in inches and degrees, with headings unwrapped."""
    shares = (eased(part / MOVE_SAMPLES, beats(step)) for part in range(MOVE_SAMPLES + 1))
    poses = [pose_underway(step, share) for share in shares]
    headings = np.unwrap([pose.heading for pose in poses]).tolist()
    return [
        _place(replace(pose, heading=heading))
        for pose, heading in zip(poses, headings, strict=True)
    ]


def _place(pose: Pose) -> list[float]:
    """Return [x, y, heading] of a pose, in inches and degrees."""
    return [pose.x, pose.y, math.degrees(pose.heading)]
