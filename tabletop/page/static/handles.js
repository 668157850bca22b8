/* What the chosen thing is taken hold of by: handles that turn and wheel it, the lines of what a drag snaps to.

   drawHandles(chosen, place, {drag, isOne})   draws them where the thing stands (place null: none); `drag` is the drag that is on, or null: while
                                               it only shifts the thing what is drawn is carried along. isOne: a single model is meant */

import { bodyOf } from "./bodies.js";
import { element } from "./paint.js";
import { turnedPoint } from "./places.js";
import { ringsNow, sceneBoard } from "./scene.js";
import { table } from "./table.js";

const HANDLE = 34; // pixels from the front to the handle that turns
const handles = document.getElementById("layer-handles");
const guides = document.getElementById("layer-guides");
let knobs = []; // where they are drawn
let held = null; // the drag and the scale for which the handles are drawn, and where the thing stood then

function knob(kind, at, about, label) {
  knobs.push(at);
  const group = element("g", { class: `knob ${kind}`, "data-handle": kind, transform: `translate(${at[0]} ${at[1]}) scale(${1 / table.scale} ${-1 / table.scale})` }, handles);
  if (about) group.dataset.about = JSON.stringify(about);
  element("circle", { class: "touch", r: 20 }, group);
  element("circle", { class: "dot", r: 7 }, group);
  if (kind === "turn") element("path", { class: "sign", d: "M-3 1.5A3.4 3.4 0 1 1 2.4 2.6M2.6 -0.2V3H-0.4" }, group);
  element("title", {}, group).textContent = label;
  return group;
}

/** Give by how much one place is another's shifted, null if it is anything else. */
function shiftOf(before, after) {
  const poses = ({ kind, models, at, facing_deg }) => (kind === "squad" ? models : kind === "regiment" ? [{ at, facing_deg }] : []);
  const [from, to] = [poses(before), poses(after)];
  if (!from.length || from.length !== to.length) return null;
  const by = [0, 1].map((axis) => to[0].at[axis] - from[0].at[axis]);
  const isSame = (one, other) => one.facing_deg === other.facing_deg && [0, 1].every((axis) => Math.abs(other.at[axis] - one.at[axis] - by[axis]) < 1e-5);
  return from.every((one, place) => isSame(one, to[place])) ? by : null;
}

function drawKnobs(chosen, place, isOne) {
  const rings = ringsNow(chosen);
  const only = chosen.model !== undefined && isOne ? [rings[chosen.model]].filter(Boolean) : rings;
  for (const ring of only) element("path", { class: "chosen", d: `M${ring.map((at) => at.join(" ")).join("L")}Z` }, handles);
  const away = HANDLE / table.scale;
  if (place.kind === "regiment") {
    const body = bodyOf(chosen.name, place);
    if (!body) return;
    const heading = (place.facing_deg * Math.PI) / 180;
    const tip = [place.at[0] + away * Math.cos(heading), place.at[1] + away * Math.sin(heading)];
    element("path", { class: "stalk", d: `M${place.at.join(" ")}L${tip.join(" ")}` }, handles);
    const corners = [-1, 1].map((side) => turnedPoint([place.at[0], place.at[1] - (side * body.width) / 2], place.facing_deg, place.at));
    knob("wheel", corners[0], corners[1], "wheel about the right front corner");
    knob("wheel", corners[1], corners[0], "wheel about the left front corner");
    knob("turn", tip, null, "turn");
    return;
  }
  const box = only.flat();
  if (!box.length || place.kind === "hexes") return;
  const [xs, ys] = [box.map(([x]) => x), box.map(([, y]) => y)];
  if (place.kind === "hex") {
    const [cx, cy] = sceneBoard().centres[place.hex];
    const heading = ((90 - 60 * ["N", "NE", "SE", "S", "SW", "NW"].indexOf(place.facing)) * Math.PI) / 180;
    const reach = (Math.max(...ys) - Math.min(...ys)) / 2 + away * 0.7;
    knob("turn", [cx + reach * Math.cos(heading), cy + reach * Math.sin(heading)], null, "turn");
    return;
  }
  const top = [(Math.min(...xs) + Math.max(...xs)) / 2, Math.max(...ys) + away];
  element("path", { class: "stalk", d: `M${top[0]} ${Math.max(...ys)}L${top.join(" ")}` }, handles);
  knob("turn", top, null, "turn");
}

export function drawHandles(chosen, place, { drag = null, isOne = false } = {}) {
  const lines = drag?.guides ?? [];
  if (lines.length || guides.childElementCount) guides.replaceChildren(...lines.map(([from, to]) => element("path", { class: "guide", d: `M${from.join(" ")}L${to.join(" ")}` })));
  const shift = drag && held?.drag === drag && held.scale === table.scale && place ? shiftOf(held.place, place) : null;
  if (shift) {
    handles.setAttribute("transform", `translate(${shift.join(" ")})`);
    table.cover(knobs.map(([x, y]) => [x + shift[0], y + shift[1]]));
    return;
  }
  held = drag && place ? { drag, place, scale: table.scale } : null;
  handles.removeAttribute("transform");
  handles.replaceChildren();
  knobs = [];
  if (place) drawKnobs(chosen, place, isOne);
  table.cover(knobs);
}
