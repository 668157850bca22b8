"""Looks, buttons and script of the page that plays a charge."""

from collections.abc import Mapping
from html import escape

from plots.marks.language import Language
from plots.marks.theme import Theme, luminance

DARK_BELOW = 0.2
"""Luminance below which a page is dark."""
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


def page_style(theme: Theme) -> str:
    """Give the looks of the page in the colours of a theme."""
    scheme = "dark" if luminance(theme.page) < DARK_BELOW else "light"
    return f"\n:root {{ color-scheme: {scheme}; --page: {theme.page}; --ink: {theme.ink}; --grey: {theme.grey}; }}{PLAYER_STYLE}"


SIGNS = {"first": "&#124;&#9664;", "back": "&#9664;", "play": "", "next": "&#9654;", "last": "&#9654;&#124;"}
"""What stands on the buttons; that of play and pause are words."""


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
