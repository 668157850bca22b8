"""Looks, buttons and script of the page that plays a charge."""

STYLE = """
:root { color-scheme: light; --ink: #1a1a1a; --grey: #595959; --line: #8c8c8c; --mark: #0072b2; }
body { margin: 0; background: #ffffff; color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
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
.game { color: var(--grey); font-size: 0.875rem; border-top: 1px solid var(--line); padding-top: 0.5rem; }
.bar { display: none; flex-wrap: wrap; align-items: center; gap: 0.5rem; margin-bottom: 0.75rem; }
.bar button { font: inherit; min-width: 2.75rem; min-height: 2.75rem; padding: 0 0.75rem; color: var(--ink); background: #f3f3f3;
  border: 1px solid #767676; border-radius: 0.4rem; cursor: pointer; }
.bar button:hover { background: #e6e6e6; }
.bar button:disabled { color: #6b6b6b; background: #ffffff; cursor: default; }
.bar button:focus-visible, .bar input:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
.bar input { flex: 1 1 8rem; min-height: 2.75rem; accent-color: var(--mark); }
.bar output { min-width: 7.5rem; font-variant-numeric: tabular-nums; }
.movers { display: none; }
.plays .bar { display: flex; }
.plays .step { display: none; margin: 0; }
.plays .step.current { display: block; }
.moving .movers { display: inline; }
.moving .actor { visibility: hidden; }
@media print { .bar { display: none !important; } .plays .step { display: block !important; break-inside: avoid; } }
"""

BUTTONS = """<div class="bar" role="group" aria-label="Play the charge">
<button type="button" data-do="first" aria-label="First step" title="First step (Home)">&#124;&#9664;</button>
<button type="button" data-do="back" aria-label="Step back" title="Step back (left arrow)">&#9664;</button>
<button type="button" data-do="play" title="Play or pause (space)">Play</button>
<button type="button" data-do="next" aria-label="Next step" title="Next step (right arrow)">&#9654;</button>
<button type="button" data-do="last" aria-label="Last step" title="Last step (End)">&#9654;&#124;</button>
<input type="range" min="1" value="1" step="1" aria-label="Step">
<output aria-live="polite"></output>
</div>"""

SCRIPT = """
(function () {
  "use strict";
  var MOVING = 2100, STILL = 900, RESTING = 3000;
  var steps = Array.prototype.slice.call(document.querySelectorAll(".step"));
  var bar = document.querySelector(".bar"), range = bar.querySelector("input"), told = bar.querySelector("output");
  var calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  var current = 0, playing = false, frame = 0, timer = 0;

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
    told.textContent = "Step " + (current + 1) + " of " + steps.length;
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
    button("play").textContent = playing ? "Pause" : "Play";
    if (!playing) { halt(); } else { show(current === steps.length - 1 ? 0 : current, true); }
  }

  function go(number, moves) { playing = false; button("play").textContent = "Play"; show(number, moves); }

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
