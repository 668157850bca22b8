/* The view of the table: conversion between inches and pixels, panning, zooming. y points up on the table and down on the screen.

   table.scale                 pixels per inch
   table.toScreen([x, y])      pixels from the upper left corner of the svg
   table.toTable([px, py])     inches
   table.at(event)             where a pointer is on the table, inches
   table.middle()              the middle of what is seen, inches
   table.fit(section?)         shows a section [west, south, east, north] whole, or the whole board
   table.show(section)         brings a section into view; moves and zooms no more than it must
   table.reveal(markIds)       brings marks into view and lets them stand out for a while
   table.panBy(dx, dy), table.zoomBy(factor, [px, py])
   table.view()                {seen, covered}: what is seen, and the boxes of it that lie under the tools and under knobs
   table.cover(points)         where knobs lie over the table from now on
   table.onScale(fn)           fn(scale) after every change of scale
   table.onRest(fn)            fn() when the view rests after it was panned
   table.svg, table.paintMarks(group, marks, roles) */

import { marksIn, paintedGroups, paintMarks, pointsOf, rescale } from "./painter.js";

const svg = document.getElementById("table");
const world = document.getElementById("world");
const toolbar = document.getElementById("toolbar");
const LEAST = 2; // pixels per inch
const MOST = 400;
const MARGIN = 28; // margin in pixels around the fitted section
const TOOLS = 40; // additional pixels at the top, for the tools
const FITTED = 90; // greatest scale of fitting, in pixels per inch
const SHOWN_FOR = 2500; // milliseconds during which revealed marks are highlighted
const view = { scale: 10, left: 0, top: 0 }; // `left`, `top`: the table's origin in pixels of the svg
const listeners = new Set();
const resting = new Set();
const KNOB = 10; // pixels from the middle of a knob to its edge
const REST = 120; // milliseconds without a change after which the view counts as resting
let board = [0, 0, 48, 36];
let hasMoved = false; // the user panned or zoomed: no more automatic fitting
let waiting = 0;
let drawnScale = 0;
let drawnAt = "";
let rest = 0;
let revealed = null;
let box = null; // position of the svg while a pointer is down; cached, since reading it forces a layout
let knobs = [];
let sizes = null; // sizes of the svg and the tools, cached for the same reason

function paint() {
  waiting = 0;
  world.setAttribute("transform", `matrix(${view.scale} 0 0 ${-view.scale} ${view.left} ${view.top})`);
  if (drawnScale !== view.scale) {
    drawnScale = view.scale;
    rescale(view.scale);
    listeners.forEach((listener) => listener(view.scale));
  }
  const at = `${view.left} ${view.top} ${svg.clientWidth} ${svg.clientHeight}`;
  if (at === drawnAt) return;
  drawnAt = at;
  clearTimeout(rest);
  rest = setTimeout(() => resting.forEach((listener) => listener()), REST);
}

function soon() {
  waiting ||= requestAnimationFrame(paint);
}

function fitTo([west, south, east, north]) {
  const [wide, high] = [svg.clientWidth - 2 * MARGIN, svg.clientHeight - 2 * MARGIN - TOOLS];
  if (wide <= 0 || high <= 0) return;
  view.scale = Math.max(LEAST, Math.min(FITTED, wide / Math.max(east - west, 0.5), high / Math.max(north - south, 0.5)));
  view.left = svg.clientWidth / 2 - (view.scale * (west + east)) / 2;
  view.top = (svg.clientHeight + TOOLS) / 2 + (view.scale * (south + north)) / 2;
  soon();
}

/** Return the boxes of the svg and the tools, in pixels from the svg's upper left corner. */
function measured() {
  const [own, tools] = [svg, toolbar].map((one) => one.getBoundingClientRect());
  return { svg: [svg.clientWidth, svg.clientHeight], tools: [[tools.left - own.left, tools.top - own.top], [tools.right - own.left, tools.bottom - own.top]] };
}

function seen(corner = [svg.clientWidth, svg.clientHeight]) {
  const [west, north] = table.toTable([0, 0]);
  const [east, south] = table.toTable(corner);
  return [west, south, east, north];
}

export const table = {
  svg,
  paintMarks,
  get scale() { return view.scale; },
  get hasMoved() { return hasMoved; },
  toScreen([x, y]) { return [view.left + view.scale * x, view.top - view.scale * y]; },
  toTable([px, py]) { return [(px - view.left) / view.scale, (view.top - py) / view.scale]; },
  at(event) {
    box ??= svg.getBoundingClientRect();
    return table.toTable([event.clientX - box.left, event.clientY - box.top]);
  },
  middle() { return table.toTable([svg.clientWidth / 2, svg.clientHeight / 2]); },
  view() {
    sizes ??= measured();
    const [[west, north], [east, south]] = sizes.tools.map(table.toTable);
    const half = KNOB / view.scale;
    return { seen: seen(sizes.svg), covered: [[west, south, east, north], ...knobs.map(([x, y]) => [x - half, y - half, x + half, y + half])] };
  },
  cover(points) { knobs = points; },
  onScale(fn) { listeners.add(fn); },
  onRest(fn) { resting.add(fn); },
  setBoard(section) { board = section; },
  fit(section = board) {
    hasMoved = false;
    fitTo(section);
  },
  show(section) {
    const [west, south, east, north] = seen();
    if (section[0] >= west && section[1] >= south && section[2] <= east && section[3] <= north) return;
    const [wide, high] = [section[2] - section[0], section[3] - section[1]];
    if (wide > east - west || high > north - south) return fitTo(section);
    const margin = MARGIN / view.scale;
    const shift = (low, high2, from, to) => (low < from + margin ? low - from - margin : high2 > to - margin ? high2 - to + margin : 0);
    table.panBy(-view.scale * shift(section[0], section[2], west, east), view.scale * shift(section[1], section[3], south, north));
  },
  reveal(ids) {
    const wanted = new Set(ids);
    const found = paintedGroups().flatMap(marksIn).filter(({ mark }) => wanted.has(mark.id));
    const points = found.flatMap(({ mark }) => pointsOf(mark));
    if (!points.length) return false;
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    table.show([Math.min(...xs) - 1, Math.min(...ys) - 1, Math.max(...xs) + 1, Math.max(...ys) + 1]);
    clearTimeout(revealed);
    svg.querySelectorAll(".revealed").forEach((one) => one.classList.remove("revealed"));
    for (const one of found) one.element.classList.add("revealed");
    for (const label of svg.querySelectorAll(".label")) label.classList.toggle("revealed", wanted.has(label.dataset.mark.replace(/\.label$/u, "")) || wanted.has(label.dataset.mark));
    revealed = setTimeout(() => svg.querySelectorAll(".revealed").forEach((one) => one.classList.remove("revealed")), SHOWN_FOR);
    return true;
  },
  panBy(dx, dy) {
    hasMoved = true;
    view.left += dx;
    view.top += dy;
    soon();
  },
  zoomBy(factor, [px, py] = [svg.clientWidth / 2, svg.clientHeight / 2]) {
    const scale = Math.max(LEAST, Math.min(MOST, view.scale * factor));
    hasMoved = true;
    view.left = px - ((px - view.left) * scale) / view.scale;
    view.top = py - ((py - view.top) * scale) / view.scale;
    view.scale = scale;
    soon();
  },
  start() {
    paint();
    const forget = () => {
      box = null;
    };
    addEventListener("pointerdown", forget, true);
    addEventListener("pointerup", forget);
    addEventListener("scroll", forget, { capture: true, passive: true });
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      box = svg.getBoundingClientRect();
      const step = event.deltaMode === 1 ? 24 * event.deltaY : event.deltaY;
      table.zoomBy(Math.exp(-step / 500), [event.clientX - box.left, event.clientY - box.top]);
    }, { passive: false });
    const other = new ResizeObserver(() => {
      sizes = null;
    });
    [svg, toolbar].forEach((one) => other.observe(one));
    let size = [0, 0];
    new ResizeObserver(() => {
      forget();
      const [wide, high] = [svg.clientWidth, svg.clientHeight];
      if (!hasMoved && !svg.classList.contains("is-dragging")) table.refit?.();
      else table.panBy((wide - size[0]) / 2, (high - size[1]) / 2);
      size = [wide, high];
    }).observe(svg);
  },
};
