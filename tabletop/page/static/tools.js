/* Tools of the table: dragging the selection, turning it by its handle, wheeling it about a front corner; panning and pinching the view; and
   the buttons over the table.

   A body dropped nearly flush or in contact snaps there (claimed ghosts do not), no farther than the table's accuracy and only if the verdict
   stays the same; with Alt or Ctrl held, or the magnet off, nothing snaps. A drag is one entry of the history; Escape cancels it. In the mode
   for single models, `selection.model` is the one to move, else the whole unit moves. */

import { button, share, write } from "./dom.js";
import { claim } from "./judging.js";
import { digits, label, say } from "./language.js";
import { hold, isRuledAlike } from "./live.js";
import { element } from "./painter.js";
import { FACINGS, angle, entryOf, hexShifted, isRelated, moved, pivotOf, turned, turnedPoint, writePlace } from "./places.js";
import { isPressed, known, measure, paintNow, placeNow, redraw, ringsNow, sceneBoard, thingOf } from "./scene.js";
import { bodyOf, discsOf, othersOf, snapDiscs, snapRegiment } from "./snap.js";
import { table } from "./table.js";

const THRESHOLD = 4; // pixels before a press becomes a drag
const REACH = 12; // pixels within which things snap
const MOST_REACH = 0.6; // inches, at any scale
const HANDLE = 34; // pixels from the front to the handle that turns
const PACE = 25; // milliseconds between frames of a drag while an answer is pending, to leave the processor to the server
const handleLayer = document.getElementById("layer-handles");
const guideLayer = document.getElementById("layer-guides");
let store = null;
let panels = null;
let drag = null;
let frame = 0;
let due = 0; // time of the next frame of a drag while an answer is pending
let isSnapping = true;
let isWhole = true; // drag whole loose units, not the model under the pointer
const pointers = new Map();
let pinch = null; // where two fingers were last
let single = null; // the button for single models
let count = 0; // drags so far
let knobs = []; // positions of the handles' knobs
let guides = []; // guide lines of the last snap
let held = null; // drag, scale and place for which the handles were drawn

export function start(parts) {
  ({ store, panels } = parts);
  const { svg } = table;
  svg.addEventListener("pointerdown", pressed);
  svg.addEventListener("mousedown", (event) => { // the press has focused what it took hold of; a ghost over it must not get the focus
    if (event.target.closest(".thing") || (drag && drag.kind !== "pan")) event.preventDefault();
  });
  svg.addEventListener("pointermove", pointerMoved);
  svg.addEventListener("pointerup", released);
  svg.addEventListener("pointercancel", (event) => {
    pointers.delete(event.pointerId);
    giveUp();
    end();
    pinch = null;
  });
  svg.addEventListener("dragstart", (event) => event.preventDefault());
  svg.addEventListener("focusin", (event) => {
    const group = event.target.closest(".thing");
    if (!group || pointers.size) return;
    const thing = thingOf(group.dataset.key);
    if (!svg.classList.contains("picking")) store.select(thing); // else Enter chooses
    measure(true);
    const points = ringsNow(thing).flat();
    if (points.length && event.target.matches(":focus-visible")) {
      table.show([Math.min(...points.map(([x]) => x)), Math.min(...points.map(([, y]) => y)), Math.max(...points.map(([x]) => x)), Math.max(...points.map(([, y]) => y))]);
    }
  });
  const undo = tool("↶", say`Undo`, () => store.undo());
  const redo = tool("↷", say`Redo`, () => store.redo());
  tool("+", say`Zoom in`, () => table.zoomBy(1.25));
  tool("−", say`Zoom out`, () => table.zoomBy(0.8));
  tool(say`Fit`, say`Show what matters`, () => table.refit());
  tool(say`Board`, say`Show the whole board`, () => table.fit());
  const magnet = tool(say`Snap`, say`Snap flush and into contact where that turns no verdict (hold Alt to be free)`, () => toggled(magnet, isSnapping = !isSnapping));
  toggled(magnet, true);
  single = tool(say`One model`, say`Move single models (or drag with shift)`, () => setWhole(!isWhole));
  toggled(single, false);
  const refresh = () => {
    undo.disabled = !store.canUndo;
    redo.disabled = !store.canRedo;
    undo.title = store.canUndo ? say`Undo: ${store.undoLabel}` : say`Undo`;
    redo.title = store.canRedo ? say`Redo: ${store.redoLabel}` : say`Redo`;
    single.hidden = store.scenario?.system !== "wh40k" && !Object.values(store.scenario?.units ?? {}).some((unit) => Array.isArray(unit.at?.[0]));
  };
  store.on("scenario", refresh);
  store.on("scenario", () => {
    if (!drag) showHandles();
  });
  store.on("selection", () => {
    showHandles();
    for (const group of svg.querySelectorAll(".thing")) group.setAttribute("aria-pressed", isPressed(group.dataset.key));
    redraw();
  });
  document.addEventListener("painted", () => {
    if (!drag) showHandles();
  });
  table.onScale(showHandles);
  refresh();
}

/** Add a button over the table. */
function tool(words, title, act) {
  const made = button(words, act, { title, "aria-label": title });
  document.getElementById("toolbar").append(made);
  return made;
}

function setWhole(isUnit) {
  isWhole = isUnit;
  toggled(single, !isWhole);
  showHandles();
  document.dispatchEvent(new CustomEvent("models"));
}

/** Switch to moving single models. */
export const oneByOne = () => setWhole(false);

function toggled(made, isOn) {
  made.setAttribute("aria-pressed", String(isOn));
}

/** Return the model to move in the mode for single models, else undefined. */
export const modelOf = (chosen) => (isWhole ? undefined : chosen.model);

// --- pointers -------------------------------------------------------------------------------------------------------------------------

function pressed(event) {
  if (event.button !== 0 && event.button !== 1) return;
  pointers.set(event.pointerId, event);
  table.svg.setPointerCapture(event.pointerId);
  guides = [];
  write(document.getElementById("hint"), "");
  if (pointers.size === 2) {
    giveUp();
    end();
    pinch = spread();
    return;
  }
  const handle = event.target.closest("[data-handle]");
  const hit = handle ? null : grasped(event);
  const group = hit?.closest(".thing");
  if (event.button === 1 || (!handle && !group)) {
    drag = { kind: "pan", x: event.clientX, y: event.clientY, isMoving: false };
    return;
  }
  const thing = handle ? store.selection : thingOf(group.dataset.key);
  const model = hit ? Number(hit.dataset.model) : undefined;
  if (!handle) {
    store.select(thing.kind === "terrain" ? { kind: "terrain", index: thing.index } : { kind: thing.kind, name: thing.name, ...(model !== undefined && known(thing)?.kind === "squad" ? { model } : {}) });
    group.focus({ preventScroll: true });
  }
  const kind = handle?.dataset.handle ?? "move";
  const about = handle?.dataset.about ? JSON.parse(handle.dataset.about) : null;
  drag = { kind, thing: thing.kind === "terrain" ? { kind: "terrain", index: thing.index } : { kind: thing.kind, name: thing.name }, model: handle ? undefined : model, about, from: table.at(event), x: event.clientX, y: event.clientY, isMoving: false };
}

/** Return the outline that a press takes hold of: the uppermost, but what is chosen or a unit rather than a ghost that lies over it. */
function grasped({ clientX, clientY }) {
  const hits = document.elementsFromPoint(clientX, clientY).filter((one) => one.matches("#table .hit"));
  if (!hits[0]?.closest(".ghost")) return hits[0] ?? null;
  const isWithin = (hit) => hit.isPointInFill(new DOMPoint(clientX, clientY).matrixTransform(hit.getScreenCTM().inverse()));
  const isChosen = (hit) => isPressed(hit.closest(".thing").dataset.key) === "true";
  return hits.find(isChosen) ?? hits.find((hit) => hit.closest(".unit") && isWithin(hit)) ?? hits[0];
}

function spread() {
  const [one, other] = [...pointers.values()];
  return { apart: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY), x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 };
}

function pointerMoved(event) {
  if (!pointers.has(event.pointerId)) return;
  pointers.set(event.pointerId, event);
  if (pinch && pointers.size === 2) {
    const now = spread();
    const box = table.svg.getBoundingClientRect();
    table.panBy(now.x - pinch.x, now.y - pinch.y);
    table.zoomBy(now.apart / Math.max(pinch.apart, 1), [now.x - box.left, now.y - box.top]);
    pinch = now;
    return;
  }
  if (!drag) return;
  if (drag.kind === "pan") {
    drag.isMoving ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > THRESHOLD;
    if (!drag.isMoving) return;
    table.panBy(event.clientX - drag.x, event.clientY - drag.y);
    Object.assign(drag, { x: event.clientX, y: event.clientY });
    return;
  }
  if (!drag.isMoving) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < THRESHOLD) return;
    if (!placeNow(drag.thing)) return;
    begin(event);
  }
  drag.event = event;
  if (!frame) follow(performance.now());
}

/** Follow the pointer at once, and from then on once a frame. */
function follow(now) {
  frame = requestAnimationFrame(inFrame);
  freshen(now);
}

function inFrame(now) {
  frame = 0;
  if (!drag?.event) return;
  if (store.busy && now < due) {
    frame = requestAnimationFrame(inFrame);
    return;
  }
  follow(now);
  paintNow(); // in this frame, not in the next
}

/** Update the scenario to the pointer. */
function freshen(now = performance.now()) {
  if (!drag?.event) return;
  due = Math.max(due, now - PACE) + PACE;
  const { event } = drag;
  drag.event = null;
  apply(event);
}

function released(event) {
  if (!pointers.delete(event.pointerId)) return;
  if (pinch) {
    if (pointers.size < 2) pinch = null;
    drag = null;
    return;
  }
  if (drag?.kind === "pan" && !drag.isMoving) {
    store.select(null);
    measure(false);
  }
  if (drag?.isMoving) freshen();
  const ended = drag;
  end();
  if (ended?.isMoving && ended.snap) snap(ended);
}

// --- what a drag does -----------------------------------------------------------------------------------------------------------------

function begin(event) {
  const { thing, model } = drag;
  drag.isMoving = true;
  drag.merge = `drag ${count += 1}`;
  drag.depth = store.depth;
  store.seal();
  if (thing.kind === "ghost") claim(thing.name, drag.merge);
  drag.place = placeNow(thing);
  drag.model = drag.place?.kind === "squad" && model !== undefined && isWhole === event.shiftKey ? model : undefined;
  if (drag.kind === "turn") drag.about = pivotOf(drag.place, { depth: bodyOf(thing.name, drag.place)?.depth ?? 0, model: drag.model });
  if (drag.place.kind === "hex" && drag.kind === "turn") drag.about = sceneBoard().centres[drag.place.hex];
  hold(freshen);
  table.svg.classList.add("is-dragging");
  measure(true);
}

function apply(event) {
  if (!entryOf(store.scenario, drag.thing)) { // it was undone meanwhile
    end();
    return;
  }
  const at = table.at(event);
  const place = drag.kind === "move" ? dragged(at) : turnedBy(at);
  drag.snap = drag.kind === "move" && !isFree(event) ? snapOf(drag.thing, place, drag.model) : null;
  drag.guides = drag.snap?.guides ?? (drag.kind === "wheel" ? [[drag.about, at]] : []);
  const title = titleOf(drag.thing);
  drag.words = { move: say`move ${title}`, turn: say`turn ${title}`, wheel: say`wheel ${title}` }[drag.kind];
  put(drag.thing, place, drag.words, drag.merge);
  showHint();
  showHandles();
}

function dragged(at) {
  const { thing, place, from, model } = drag;
  const by = [at[0] - from[0], at[1] - from[1]];
  if (place.kind === "hex") return { ...place, hex: hexAt(at) ?? place.hex };
  if (place.kind === "hexes") {
    const to = hexAt(at);
    const [first] = [hexAt(from)];
    const hexes = place.hexes.map((hex) => hexShifted(hex, first, to));
    return hexes.every((hex) => hex in sceneBoard().centres) ? { ...place, hexes } : placeNow(thing);
  }
  return moved(place, by, model);
}

/** Return the hex whose centre is nearest to a point. */
function hexAt([x, y]) {
  const centres = Object.entries(sceneBoard()?.centres ?? {});
  return centres.reduce((best, [name, [cx, cy]]) => {
    const away = Math.hypot(cx - x, cy - y);
    return !best || away < best.away ? { name, away } : best;
  }, null)?.name;
}

/** Return the exact place of a thing that is nearly flush or in contact: {place, guides, by}, `by` in words; null for a ghost. */
function snapOf(thing, place, model) {
  if (thing.kind !== "unit") return null;
  const own = entryOf(store.scenario, thing).accuracy;
  const told = own ?? (inches(store.scenario.accuracy) ? store.scenario.accuracy : null);
  const most = Math.min(MOST_REACH, REACH / table.scale, told === null ? Infinity : inches(told));
  if (!(most > 0)) return null;
  const others = othersOf(store.scenario, thing);
  if (place.kind === "regiment") {
    const body = bodyOf(thing.name, place);
    const found = body && snapRegiment(body, others, most);
    if (!found) return null;
    const made = moved(turned(place, found.turn, found.about), found.shift);
    const away = Math.hypot(made.at[0] - place.at[0], made.at[1] - place.at[1]);
    const side = Math.max(body.width, body.depth);
    const turn = Math.abs(found.turn);
    if (told !== null && (away > inches(told) || turn > (told.facing_deg ?? (Math.atan(inches(told) / side) * 180) / Math.PI))) return null;
    const length = digits(away.toFixed(2));
    const by = turn > 0.05 ? say`${length} in, ${digits(turn.toFixed(1))}°` : say`${length} in`;
    return { place: { ...made, facing_deg: Math.round(made.facing_deg * 1e9) / 1e9 }, guides: found.guides, by };
  }
  if (model !== undefined && model !== null) others.push(...discsOf(thing, place).filter((_, number) => number !== model));
  const found = place.kind === "squad" ? snapDiscs(discsOf(thing, place, model), others, most) : null;
  return found && { place: moved(place, found.shift, model), guides: found.guides, by: say`${digits(Math.hypot(...found.shift).toFixed(2))} in` };
}

const inches = (accuracy) => share(accuracy?.at ?? accuracy ?? 0);

/** Snap the dropped thing as part of its drag, unless that would change the verdict. */
async function snap({ thing, snap: { place, by, guides: lines }, words, merge }) {
  const { revision } = store;
  const isAlike = await isRuledAlike(writePlace(structuredClone(store.scenario), thing, place));
  if (store.revision !== revision || drag) return;
  if (isAlike) put(thing, place, words, merge);
  store.seal();
  guides = isAlike ? lines : [];
  write(document.getElementById("hint"), isAlike ? say`snapped ${by}` : say`not snapped ${by}: that would turn the verdict`);
  showHandles();
}

const isFree = (event) => !isSnapping || event.altKey || event.ctrlKey || event.metaKey;

function turnedBy(at) {
  const { place, about, from, model } = drag;
  const degrees = bearing(at, about) - bearing(from, about);
  return turned(place, place.kind === "hex" ? Math.round(degrees / 60) * 60 : degrees, about, model);
}

function bearing(at, about) {
  return (Math.atan2(at[1] - about[1], at[0] - about[0]) * 180) / Math.PI;
}

/** Store a thing's place, as part of the drag's entry of the history. */
export function put(thing, place, words, merge) {
  if (thing.kind === "ghost") claim(thing.name, merge);
  const wasRelated = isRelated(store.scenario, thing);
  store.change((scenario) => writePlace(scenario, thing, place), words, { merge });
  if (wasRelated && thing.kind === "unit") panels.tell(say`${thing.name} was placed relative to another unit; now it has its own coordinates.`);
}

const titleOf = (thing) => (thing.kind === "terrain" ? known(thing)?.name ?? say`terrain` : thing.name);

function showHint() {
  const hint = document.getElementById("hint");
  const place = placeNow(drag.thing);
  const [x, y] = (drag.model === undefined ? place?.at : place?.models?.[drag.model].at)?.map((one) => digits(one.toFixed(2))) ?? [];
  const told = {
    regiment: () => say`${x}, ${y} in · ${digits(angle(place.facing_deg).toFixed(1))}°`,
    hex: () => `${place.hex} ${label(place.facing)}`,
    squad: () => (drag.model === undefined ? "" : say`${x}, ${y}`),
  };
  write(hint, [told[place?.kind]?.(), drag.snap && say`snaps ${drag.snap.by}`].filter(Boolean).join(" · "));
}

function end() {
  if (!drag) return;
  const { isMoving, snap: next } = drag;
  drag = null;
  cancelAnimationFrame(frame);
  frame = 0;
  table.svg.classList.remove("is-dragging");
  document.getElementById("hint").textContent = "";
  if (isMoving) {
    if (!next) store.seal(); // otherwise the snap is part of the drag
    hold(null);
  }
  showHandles();
}

/** Cancel a drag. */
export function giveUp() {
  if (!drag?.isMoving) return false;
  const { depth } = drag;
  end();
  while (store.depth > depth) store.undo();
  return true;
}

// --- handles of the selection, and guide lines of snapping -------------------------------------------------------------------------------

/** Draw the handles of the selection; while a drag only shifts it, they are moved instead. */
function showHandles() {
  const chosen = store.selection;
  const place = chosen && store.scenario ? placeNow(chosen) : null;
  const moving = drag?.isMoving ? drag : null;
  const lines = moving?.guides ?? guides;
  if (lines.length || guideLayer.childElementCount) guideLayer.replaceChildren(...lines.map(([from, to]) => element("path", { class: "guide", d: `M${from.join(" ")}L${to.join(" ")}` })));
  const shift = moving && held?.drag === moving && held.scale === table.scale && place ? shiftOf(held.place, place) : null;
  if (shift) {
    handleLayer.setAttribute("transform", `translate(${shift.join(" ")})`);
    table.cover(knobs.map(([x, y]) => [x + shift[0], y + shift[1]]));
    return;
  }
  held = moving && place ? { drag: moving, place, scale: table.scale } : null;
  handleLayer.removeAttribute("transform");
  handleLayer.replaceChildren();
  knobs = [];
  if (place) drawKnobs(chosen, place);
  table.cover(knobs);
}

/** Return the shift between two places, or null if they differ otherwise. */
function shiftOf(before, after) {
  const poses = ({ kind, models, at, facing_deg }) => (kind === "squad" ? models : kind === "regiment" ? [{ at, facing_deg }] : []);
  const [from, to] = [poses(before), poses(after)];
  if (!from.length || from.length !== to.length) return null;
  const by = [0, 1].map((axis) => to[0].at[axis] - from[0].at[axis]);
  const isSame = (one, other) => one.facing_deg === other.facing_deg && [0, 1].every((axis) => Math.abs(other.at[axis] - one.at[axis] - by[axis]) < 1e-5);
  return from.every((one, place) => isSame(one, to[place])) ? by : null;
}

function drawKnobs(chosen, place) {
  const rings = ringsNow(chosen);
  const only = chosen.model !== undefined && !isWhole ? [rings[chosen.model]].filter(Boolean) : rings;
  for (const ring of only) element("path", { class: "chosen", d: `M${ring.map((at) => at.join(" ")).join("L")}Z` }, handleLayer);
  const away = HANDLE / table.scale;
  if (place.kind === "regiment") {
    const body = bodyOf(chosen.name, place);
    if (!body) return;
    const heading = (place.facing_deg * Math.PI) / 180;
    const tip = [place.at[0] + away * Math.cos(heading), place.at[1] + away * Math.sin(heading)];
    element("path", { class: "stalk", d: `M${place.at.join(" ")}L${tip.join(" ")}` }, handleLayer);
    const corners = [-1, 1].map((side) => turnedPoint([place.at[0], place.at[1] - (side * body.width) / 2], place.facing_deg, place.at));
    knob("wheel", corners[0], corners[1], say`wheel about the right front corner`);
    knob("wheel", corners[1], corners[0], say`wheel about the left front corner`);
    knob("turn", tip, null, say`turn`);
    return;
  }
  const box = only.flat();
  if (!box.length || place.kind === "hexes") return;
  const [xs, ys] = [box.map(([x]) => x), box.map(([, y]) => y)];
  if (place.kind === "hex") {
    const centre = sceneBoard()?.centres?.[place.hex]; // undefined while the scene shows another board
    if (!centre) return;
    const [cx, cy] = centre;
    const heading = ((90 - 60 * FACINGS.indexOf(place.facing)) * Math.PI) / 180;
    const reach = (Math.max(...ys) - Math.min(...ys)) / 2 + away * 0.7;
    knob("turn", [cx + reach * Math.cos(heading), cy + reach * Math.sin(heading)], null, say`turn`);
    return;
  }
  const top = [(Math.min(...xs) + Math.max(...xs)) / 2, Math.max(...ys) + away];
  element("path", { class: "stalk", d: `M${top[0]} ${Math.max(...ys)}L${top.join(" ")}` }, handleLayer);
  knob("turn", top, null, say`turn`);
}

function knob(kind, at, about, words) {
  knobs.push(at);
  const group = element("g", { class: `knob ${kind}`, "data-handle": kind, transform: `translate(${at[0]} ${at[1]}) scale(${1 / table.scale} ${-1 / table.scale})` }, handleLayer);
  if (about) group.dataset.about = JSON.stringify(about);
  element("circle", { class: "touch", r: 20 }, group);
  element("circle", { class: "dot", r: 7 }, group);
  if (kind === "turn") element("path", { class: "sign", d: "M-3 1.5A3.4 3.4 0 1 1 2.4 2.6M2.6 -0.2V3H-0.4" }, group);
  element("title", {}, group).textContent = words;
  return group;
}
