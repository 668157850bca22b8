/* The keyboard on the table: arrows nudge what is chosen, [ and ] turn it, comma and full stop go from model to model, Escape lets go, Ctrl+Z and Ctrl+Shift+Z go back and forth.
   With nothing chosen arrows move the view; + and - zoom, 0 fits. */

import { bodyOf } from "./bodies.js";
import { columnRow, hexName, hexShifted, moved, pivotOf, turned } from "./places.js";
import { placeNow, sceneBoard } from "./scene.js";
import { table } from "./table.js";
import { giveUp, modelOf, oneByOne, put } from "./tools.js";

const STEP = 0.1; // inches
const LARGE = 1; // inches, with shift
const PAN = 60; // pixels
const PAUSE = 800; // milliseconds: nudges that follow one another sooner are one entry of the history
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
let store = null;
let last = { key: "", at: 0, number: 0 };

function mergeKey(what) {
  const now = performance.now();
  const isSame = last.key === what && now - last.at < PAUSE;
  last = { key: what, at: now, number: isSame ? last.number : last.number + 1 };
  return `${what} ${last.number}`;
}

/** The neighbour of a hex in the direction of an arrow; left and right stay in the row as printed. */
function neighbour(hex, [across, up]) {
  const [column, row] = columnRow(hex);
  const next = hexName([column + across, row - up], hex.length / 2);
  return next in (sceneBoard()?.centres ?? {}) ? next : hex;
}

function nudged(place, [across, up], size, model) {
  if (place.kind === "hex") return { ...place, hex: neighbour(place.hex, [across, up]) };
  if (place.kind === "hexes") {
    const [first] = place.hexes;
    const hexes = place.hexes.map((hex) => hexShifted(hex, first, neighbour(first, [across, up])));
    return hexes.every((hex) => hex in sceneBoard().centres) ? { ...place, hexes } : place;
  }
  return moved(place, [across * size, up * size], model);
}

function turn(chosen, degrees) {
  const place = placeNow(chosen);
  if (!place || place.kind === "circle" || place.kind === "hexes") return;
  const model = modelOf(chosen);
  const depth = place.kind === "regiment" ? bodyOf(chosen.name, place)?.depth ?? 0 : 0;
  const step = place.kind === "hex" ? Math.sign(degrees) * 60 : degrees;
  put(chosen, turned(place, step, pivotOf(place, { depth, model }), model), "turn", mergeKey(`turn ${JSON.stringify(chosen)}`));
}

/** Choose the next model of a unit of loose models, or the one before. */
function nextModel(chosen, by) {
  const place = placeNow(chosen);
  if (place?.kind !== "squad") return;
  const count = place.models.length;
  oneByOne();
  store.select({ ...chosen, model: ((chosen.model ?? (by > 0 ? -1 : 0)) + by + count) % count });
}

function pressed(event) {
  const chosen = store.selection;
  if (event.key === "Escape") {
    if (giveUp()) event.preventDefault();
    else if (chosen && table.svg.contains(document.activeElement)) store.select(null);
    return;
  }
  const isCommand = event.ctrlKey || event.metaKey;
  const isTyping = event.target.matches("input, textarea, select");
  if (isCommand && !isTyping && event.key.toLowerCase() === "z") {
    event.preventDefault();
    if (event.shiftKey) store.redo();
    else store.undo();
    return;
  }
  if (isCommand && !isTyping && event.key.toLowerCase() === "y") {
    event.preventDefault();
    store.redo();
    return;
  }
  if (isCommand || event.altKey || !table.svg.contains(event.target)) return;
  if (event.key in ARROWS) {
    event.preventDefault();
    const [across, up] = ARROWS[event.key];
    if (!chosen) {
      table.panBy(-PAN * across, PAN * up);
      return;
    }
    const place = placeNow(chosen);
    if (place) put(chosen, nudged(place, [across, up], event.shiftKey ? LARGE : STEP, modelOf(chosen)), "nudge", mergeKey(`nudge ${JSON.stringify(chosen)}`));
  } else if (chosen && (event.key === "[" || event.key === "]")) {
    event.preventDefault();
    turn(chosen, event.key === "[" ? 1 : -1);
  } else if (chosen && (event.key === "," || event.key === ".")) {
    nextModel(chosen, event.key === "." ? 1 : -1);
  } else if (event.key === "+" || event.key === "=") table.zoomBy(1.25);
  else if (event.key === "-") table.zoomBy(0.8);
  else if (event.key === "0") table.refit();
}

export function start(parts) {
  ({ store } = parts);
  document.addEventListener("keydown", pressed);
}
