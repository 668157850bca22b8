/* The drawn table: what is seen of it, from inches to pixels and back, panning and zooming. y goes up on the table and down on the screen. */

import { paintMarks } from "./paint.js";

const svg = document.getElementById("table");
const world = document.getElementById("world");
const view = { scale: 10, left: 0, top: 0 }; // pixels per inch; where the table's origin is, in pixels of the svg

function show() {
  world.setAttribute("transform", `matrix(${view.scale} 0 0 ${-view.scale} ${view.left} ${view.top})`);
}

export const table = {
  svg,
  paintMarks,
  get scale() { return view.scale; },
  toScreen([x, y]) { return [view.left + view.scale * x, view.top - view.scale * y]; },
  toTable([px, py]) { return [(px - view.left) / view.scale, (view.top - py) / view.scale]; },
  middle() { return table.toTable([svg.clientWidth / 2, svg.clientHeight / 2]); },
  start() { show(); },
};
