"""A page that plays a charge step by step: one file, nothing from the network, every step in sight where no script runs.

What moves stands in it as elements of SVG, each with the places it goes through, in points of the page: the script knows no rule.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np
from matplotlib.path import Path

from plots.export.film import Film, Move, Shot
from plots.layout.frame import Frame
from plots.layout.page import Page, Shown, shown_in
from plots.layout.text import POINT_SIZE, clean
from plots.marks.board import tone_of
from plots.marks.language import Language
from plots.marks.mark import Label, Mark, Printed, identifier
from plots.marks.steps import beats, eased, pose_underway
from plots.marks.styles import style
from plots.marks.theme import NAME, SCREEN, SMALL, Theme, luminance
from plots.marks.units import Look, unit_marks
from plots.render.artists import paint
from plots.render.files import svg_of
from plots.render.paths import paths_of
from plots.render.svg import style_of_page
from tabletop.geometry.pose import Point, Pose
from tabletop.table.models import Model, Squad
from tabletop.table.state import Regiment

ABOVE, KEPT = 0.04, ("ruler.", "key.", "footer.scale")
"""Inches of the page above the panel, and what of the page round it stays: all else is the text of the page of HTML."""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; font-src data:"
"""What the page may load: nothing, but the font that stands in it."""

MOVE_SAMPLES = 24
"""Parts of a move: a page goes straight from one place to the next, a hair's breadth from the true way."""

LETTERS = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C", Path.CLOSEPOLY: "Z"}

DARK_BELOW = 0.2
"""Luminance below which a page is dark."""

SIGNS = {"first": "&#124;&#9664;", "back": "&#9664;", "play": "", "next": "&#9654;", "last": "&#9654;&#124;"}
"""What stands on the buttons; that of play and pause are words."""

NAMED_PARTS = re.compile(r'(\bid="|xlink:href="#|url\(#)([^")]+)')

LABELLED = re.compile(r'aria-labelledby="([^"]*)"')

STYLE_BLOCK = re.compile(r"<style[^>]*>(?:\*\{([^}]*)\})?.*?</style>", re.DOTALL)

SHAPELESS = re.compile(r'<path (?![^>]*\bd=")')
"""The outline of a space: a path of nothing, which HTML wants said."""

ROOT = re.compile(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', re.DOTALL)


def player(made: Film, *, told: Callable[[float], None] = lambda _: None) -> str:
    """Give the page of a film: a picture with its words for each shot, and buttons that play them."""
    steps = []
    for number, shot in enumerate(made.shots):
        steps.append(_step(made, shot, number))
        told((number + 1) / len(made.shots))
    title, language = escape(made.title), made.picture.setting.language
    game = f'<p class="game">{escape(clean(made.picture.footer))}</p>'
    body = f'<main>\n<h1>{title}</h1>\n{buttons(language)}\n<ol class="steps">\n{"".join(steps)}</ol>\n{game}\n</main>'
    head = (
        '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f'<meta name="description" content="{escape(made.description)}">\n<title>{title}</title>\n'
        f"<style>{page_style(made.page.theme)}{style_of_page(body)}</style>"
    )
    page = f"<head>\n{head}\n</head>\n<body>\n{body}\n<script>{SCRIPT}</script>\n</body>"
    return f'<!DOCTYPE html>\n<html lang="{escape(language.code)}">\n{page}\n</html>\n'


def _step(made: Film, shot: Shot, number: int) -> str:
    heading, words = escape(clean(shot.panel.heading)), escape(clean(shot.panel.text))
    badges = "".join(
        f'<p class="outcome {badge.outcome}"><strong>{escape(badge.words)}</strong> {escape(clean(badge.about))}</p>'
        for badge in (made.picture.badges if shot.is_end else ())
    )
    told = f"<figcaption>{badges}<p>{words}</p></figcaption>\n" if words or badges else ""
    return (
        f'<li class="step" id="step-{number + 1}">\n<h2>{heading}</h2>\n<figure>\n{_picture(made, shot, number)}\n{told}</figure>\n</li>\n'
    )


def _picture(made: Film, shot: Shot, number: int) -> str:
    """Draw the panel of a shot with ruler and key, and below its last picture, out of sight, the bodies that move."""
    shown = shown_in(shot.panel, made.bare.shown[0].frame)
    page, name = _page(made.bare, shown), f"s{number + 1}"
    title, words = (clean(part) for part in (shot.panel.heading, shot.panel.text or made.description))
    svg = svg_of(paint(page), title=title, description=words, setting=made.picture.setting, has_font=False)
    element = inline(svg, name, top=(shown.frame.y - ABOVE) / POINT_SIZE)
    for actor in shot.actors:
        element = _marked(element, f"{name}-{identifier(shot.scene.prefix, 'unit', actor)}")
    movers = mover_elements(shot, shown.frame, page.theme)
    return element.removesuffix("</svg>") + (f'<g class="movers" aria-hidden="true">\n{movers}</g>\n' if movers else "") + "</svg>"


def _page(bare: Page, shown: Shown) -> Page:
    """Keep of the page only what belongs to the picture."""
    words = tuple(one for one in bare.words if one.id.startswith(KEPT))
    marks = tuple(mark for mark in bare.marks if mark.id.startswith(KEPT) or mark.id.endswith(".edge"))
    return replace(bare, shown=(shown,), words=words, marks=marks)


def _marked(svg: str, start: str) -> str:
    """Give the elements of a unit, whose ids are this or go on after it, the class of what hides while it moves."""
    return re.sub(rf'(<g id="{re.escape(start)}(?:\.[^"]*)?")>', r'\1 class="actor">', svg)


def inline(svg: str, name: str, *, top: float = 0.0) -> str:
    """Give an SVG document as an element of HTML: every id starts with `name`, it is as wide as there is room.

    `top` points at the upper edge are left out. What only stands in files of their own is left out too: the prologue and the
    metadata, which HTML does not know.
    """
    element = svg[svg.index("<svg ") :].rstrip()
    element = re.sub(r"\s*<metadata>.*?</metadata>", "", element, count=1, flags=re.DOTALL)
    element = NAMED_PARTS.sub(lambda found: f"{found[1]}{name}-{found[2]}", element)
    element = LABELLED.sub(lambda found: f'aria-labelledby="{_prefixed(found[1], name)}"', element)
    element = STYLE_BLOCK.sub(lambda found: f"<style>#{name}-figure_1 *{{{found[1]}}}</style>" if found[1] else "", element)
    element = SHAPELESS.sub('<path d="" ', element)
    return ROOT.sub(lambda found: _root(found[0], found[1], top), element, count=1)


def _prefixed(words: str, name: str) -> str:
    return " ".join(f"{name}-{word}" for word in words.split())


def _root(tag: str, box: str, top: float) -> str:
    """Leave the size to the page, and what lies above `top` out of sight."""
    left, upper, wide, high = (float(part) for part in box.split())
    kept = re.sub(r' (?:width|height|version|xmlns|xmlns:xlink)="[^"]*"', "", tag)
    return kept.replace(f'viewBox="{box}"', f'viewBox="{left:g} {upper + top:g} {wide:g} {high - top:g}"')


# What moves in a shot.


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


# Looks, buttons and script of the page.


def page_style(theme: Theme) -> str:
    """Give the looks of the page in the colours of a theme."""
    scheme = "dark" if luminance(theme.page) < DARK_BELOW else "light"
    return f"\n:root {{ color-scheme: {scheme}; --page: {theme.page}; --ink: {theme.ink}; --grey: {theme.grey}; }}{PLAYER_STYLE}"


PLAYER_STYLE = """
body { margin: 0; background: var(--page); color: var(--ink); font-size: 1rem; line-height: 1.5; }
main { max-width: 56rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.75rem; }
h2 { font-size: 1.1rem; margin: 0; }
.steps { list-style: none; margin: 0; padding: 0; }
.step { margin: 0 0 2rem; }
figure { margin: 0; }
h2 + * { margin-top: 0.25rem; }
figcaption p { margin: 0.25rem 0 0; overflow-wrap: anywhere; }
.step svg { display: block; width: 100%; height: auto; max-height: 66vh; }
.outcome strong { color: #ffffff; padding: 0.1em 0.5em; }
.success strong { background: #00664b; }
.failed strong { background: #9c3f00; }
.not_allowed strong { background: #8a2b5f; }
.undecided strong { background: #3b5a86; }
.game { color: var(--grey); font-size: 0.875rem; border-top: 1px solid var(--grey); padding-top: 0.5rem; }
.bar { display: none; flex-wrap: wrap; align-items: center; gap: 0.5rem; margin-bottom: 0.75rem; }
.bar button { font: inherit; min-width: 2.75rem; min-height: 2.75rem; padding: 0 0.75rem; color: var(--ink); background: transparent;
  border: 1px solid var(--grey); border-radius: 0.4rem; cursor: pointer; }
.bar button:hover { outline: 2px solid var(--grey); }
.bar button:disabled { color: var(--grey); border-style: dashed; cursor: default; outline: none; }
.bar button:focus-visible, .bar input:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
.bar input { flex: 1 1 8rem; min-height: 2.75rem; accent-color: var(--ink); }
.bar output { min-width: 7.5rem; font-variant-numeric: tabular-nums; }
.movers { display: none; }
.plays .bar { display: flex; }
.plays .step { display: none; margin: 0; }
.plays .step.current { display: block; }
.moving .movers { display: inline; }
.moving .actor { visibility: hidden; }
@media print { .bar { display: none !important; } .plays .step { display: block !important; break-inside: avoid; } }
"""


def buttons(language: Language) -> str:
    """Give the bar of buttons with its words, which the script takes from there."""
    words = {key.removeprefix("player."): escape(word) for key, word in language.words.items() if key.startswith("player.")}
    shown = "\n".join(_button(name, sign, words) for name, sign in SIGNS.items())
    return (
        f'<div class="bar" role="group" aria-label="{words["group"]}" data-play="{words["play"]}" data-pause="{words["pause"]}" '
        f'data-told="{words["told"]}">\n{shown}\n<input type="range" min="1" value="1" step="1" aria-label="{words["step"]}">\n'
        '<output aria-live="polite"></output>\n</div>'
    )


def _button(name: str, sign: str, words: Mapping[str, str]) -> str:
    label = f' aria-label="{words[name]}"' if sign else ""
    return f'<button type="button" data-do="{name}"{label} title="{words[f"{name}_key"]}">{sign or words[name]}</button>'


SCRIPT = """
(function () {
  "use strict";
  var MOVING = 2100, STILL = 900, RESTING = 3000;
  var steps = Array.prototype.slice.call(document.querySelectorAll(".step"));
  var bar = document.querySelector(".bar"), range = bar.querySelector("input"), told = bar.querySelector("output");
  var calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  var current = 0, playing = false, frame = 0, timer = 0;

  function words(name) { return bar.getAttribute("data-" + name); }

  function button(name) { return bar.querySelector("[data-do=" + name + "]"); }

  function read(mover) {
    function places(text) { return text.split(" ").map(function (one) { return one.split(",").map(Number); }); }
    var given = mover.getAttribute("data-places"), starts = mover.getAttribute("data-starts");
    return {
      element: mover, name: mover.querySelector("text"), middle: places(mover.getAttribute("data-middle"))[0],
      at: places(mover.getAttribute("data-at"))[0],
      span: Number(mover.getAttribute("data-span")), starts: starts ? starts.split(" ").map(Number) : [],
      ways: given ? given.split("|").map(places) : []
    };
  }

  function between(way, share) {
    var place = Math.min(Math.max(share, 0), 1) * (way.length - 1);
    var before = Math.min(Math.floor(place), way.length - 2), part = place - before;
    return way[before].map(function (value, axis) { return value + part * (way[before + 1][axis] - value); });
  }

  function put(mover, time) {
    var at = mover.at;
    mover.starts.forEach(function (start, number) {
      if (time >= start) { at = between(mover.ways[number], (time - start) / mover.span); }
    });
    mover.element.setAttribute("transform", "translate(" + at[0] + " " + at[1] + ") rotate(" + at[2] + ")");
    mover.name.setAttribute("transform", "translate(" + mover.middle.join(" ") + ") rotate(" + -at[2] + ")");
  }

  function halt() {
    window.cancelAnimationFrame(frame);
    window.clearTimeout(timer);
    steps[current].querySelector("svg").classList.remove("moving");
  }

  function show(number, moves) {
    halt();
    current = Math.min(Math.max(number, 0), steps.length - 1);
    steps.forEach(function (step, place) { step.classList.toggle("current", place === current); });
    range.value = current + 1;
    told.textContent = words("told").replace("{number}", current + 1).replace("{count}", steps.length);
    range.setAttribute("aria-valuetext", told.textContent + ": " + steps[current].querySelector("h2").textContent);
    [["first", current === 0], ["back", current === 0], ["next", current === steps.length - 1], ["last", current === steps.length - 1]]
      .forEach(function (one) { button(one[0]).disabled = one[1]; });
    if (moves && !calm.matches) { move(); } else { rest(RESTING); }
  }

  function move() {
    var svg = steps[current].querySelector("svg"), movers = Array.prototype.map.call(svg.querySelectorAll(".mover"), read), begun = null;
    if (!movers.length) { rest(RESTING); return; }
    svg.classList.add("moving");
    movers.forEach(function (mover) { put(mover, 0); });
    function tick(now) {
      if (begun === null) { begun = now; }
      var time = (now - begun) / MOVING;
      if (time >= 1) { svg.classList.remove("moving"); rest(STILL); return; }
      movers.forEach(function (mover) { put(mover, time); });
      frame = window.requestAnimationFrame(tick);
    }
    frame = window.requestAnimationFrame(tick);
  }

  function rest(pause) {
    if (!playing) { return; }
    if (current === steps.length - 1) { play(false); return; }
    timer = window.setTimeout(function () { show(current + 1, true); }, pause);
  }

  function play(wanted) {
    playing = wanted;
    button("play").textContent = words(playing ? "pause" : "play");
    if (!playing) { halt(); } else { show(current === steps.length - 1 ? 0 : current, true); }
  }

  function go(number, moves) { playing = false; button("play").textContent = words("play"); show(number, moves); }

  var deeds = {
    first: function () { go(0, false); }, back: function () { go(current - 1, false); },
    play: function () { play(!playing); },
    next: function () { go(current + 1, true); }, last: function () { go(steps.length - 1, true); }
  };
  var keys = { Home: "first", ArrowLeft: "back", " ": "play", ArrowRight: "next", End: "last" };
  bar.addEventListener("click", function (event) {
    var pressed = event.target.closest("button");
    if (pressed) { deeds[pressed.getAttribute("data-do")](); }
  });
  range.addEventListener("input", function () { go(Number(range.value) - 1, false); });
  document.addEventListener("keydown", function (event) {
    var inside = event.target.closest("input, button");
    if (event.altKey || event.ctrlKey || event.metaKey || !keys[event.key] || inside && (event.key === " " || inside === range)) { return; }
    event.preventDefault();
    deeds[keys[event.key]]();
  });
  range.max = steps.length;
  document.body.classList.add("plays");
  show(0, false);
}());
"""
