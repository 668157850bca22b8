/* Moving the selection without a pointer: by keys, and by typing its coordinates.

   Arrow keys nudge the selection, [ and ] turn it, comma and full stop go from model to model, Enter goes to its Charge button, Escape
   deselects, Ctrl+Z and Ctrl+Shift+Z undo and redo. Without a selection arrow keys pan the view; + and - zoom, 0 fits. */

import { button, make } from "./dom.js";
import { charge } from "./forms.js";
import { label, say } from "./language.js";
import { FACINGS, angle, columnRow, hexName, hexShifted, moved, pivotOf, turned } from "./places.js";
import { keyOf, known, placeNow, sceneBoard, thingOf } from "./scene.js";
import { bodyOf } from "./snap.js";
import { table } from "./table.js";
import { giveUp, modelOf, oneByOne, put } from "./tools.js";

const STEP = 0.1; // inches
const LARGE = 1; // inches, with shift
const PAN = 60; // pixels
const PAUSE = 800; // milliseconds: nudges within this time are one entry of the history
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const PACE = 120; // milliseconds between updates of the numbers during a drag, since each lays out the form again
let store = null;
let last = { key: "", at: 0, number: 0 }; // the last entry of the history made by keys
let fieldsShown = []; // the fields of numbers: {node, show(place)}
let shapeShown = ""; // structure for which they were made

export function start(parts) {
  ({ store } = parts);
  document.addEventListener("keydown", pressed);
  startFields();
}

// --- keys -------------------------------------------------------------------------------------------------------------------------------

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
    if (place) put(chosen, nudged(place, [across, up], event.shiftKey ? LARGE : STEP, modelOf(chosen)), say`nudge`, mergeKey(`nudge ${JSON.stringify(chosen)}`));
  } else if (chosen && (event.key === "[" || event.key === "]")) {
    event.preventDefault();
    turn(chosen, event.key === "[" ? 1 : -1);
  } else if (chosen && (event.key === "," || event.key === ".")) {
    nextModel(chosen, event.key === "." ? 1 : -1);
  } else if (event.key === "Enter" || event.key === " ") {
    const group = event.target.closest(".thing");
    if (!group) return;
    event.preventDefault();
    const isPicking = table.svg.classList.contains("picking");
    store.select(thingOf(group.dataset.key));
    if (isPicking) return;
    showFields();
    const form = document.getElementById("place");
    (form.querySelector("button") ?? form.querySelector("input, select"))?.focus();
  } else if (event.key === "+" || event.key === "=") table.zoomBy(1.25);
  else if (event.key === "-") table.zoomBy(0.8);
  else if (event.key === "0") table.refit();
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

/** Return the neighbour of a hex in the direction of an arrow key; left and right stay in the printed row. */
function neighbour(hex, [across, up]) {
  const [column, row] = columnRow(hex);
  const next = hexName([column + across, row - up], hex.length / 2);
  return next in (sceneBoard()?.centres ?? {}) ? next : hex;
}

function turn(chosen, degrees) {
  const place = placeNow(chosen);
  if (!place || place.kind === "circle" || place.kind === "hexes") return;
  const model = modelOf(chosen);
  const depth = place.kind === "regiment" ? bodyOf(chosen.name, place)?.depth ?? 0 : 0;
  const step = place.kind === "hex" ? Math.sign(degrees) * 60 : degrees;
  put(chosen, turned(place, step, pivotOf(place, { depth, model }), model), say`turn`, mergeKey(`turn ${JSON.stringify(chosen)}`));
}

/** Select the next or previous model of a loose unit. */
function nextModel(chosen, by) {
  const place = placeNow(chosen);
  if (place?.kind !== "squad") return;
  const count = place.models.length;
  oneByOne();
  store.select({ ...chosen, model: ((chosen.model ?? (by > 0 ? -1 : 0)) + by + count) % count });
}

function mergeKey(what) {
  const now = performance.now();
  const isSame = last.key === what && now - last.at < PAUSE;
  last = { key: what, at: now, number: isSame ? last.number : last.number + 1 };
  return `${what} ${last.number}`;
}

// --- typed numbers ----------------------------------------------------------------------------------------------------------------------

function startFields() {
  const region = document.getElementById("place");
  region.addEventListener("submit", (event) => event.preventDefault());
  let waiting = 0;
  let last = -Infinity;
  const later = () => {
    waiting = 0;
    last = performance.now();
    showFields();
  };
  const soon = () => {
    const pause = table.svg.classList.contains("is-dragging") ? Math.max(0, last + PACE - performance.now()) : 0;
    waiting ||= pause ? setTimeout(later, pause) : requestAnimationFrame(later);
  };
  for (const event of ["scenario", "selection"]) store.on(event, soon);
  document.addEventListener("painted", soon);
  document.addEventListener("models", soon);
}

function showFields() {
  const region = document.getElementById("place");
  const chosen = store.selection;
  const place = chosen && store.scenario ? placeNow(chosen) : null;
  if (!place) {
    if (shapeShown !== "nothing") region.replaceChildren(make("p", { class: "quiet" }, say`Choose a unit or a piece of terrain: drag it, turn it by its handle, or type where it stands.`));
    shapeShown = "nothing";
    fieldsShown = [];
    return;
  }
  const name = chosen.kind === "terrain" ? known(chosen)?.name ?? say`terrain` : chosen.name;
  const next = shapeOf(chosen, place, name);
  if (next !== shapeShown) {
    shapeShown = next;
    fieldsShown = fields(chosen, place);
    const focused = region.contains(document.activeElement) ? [...region.querySelectorAll("input, select")].indexOf(document.activeElement) : -1;
    const act = chosen.kind === "unit" ? button(say`Charge`, () => charge(name), { class: "small", title: say`Choose its target on the table` }) : "";
    region.replaceChildren(make("strong", {}, chosen.kind === "ghost" ? say`${name} (claimed end)` : name), ...fieldsShown.map((part) => part.node), act);
    region.querySelectorAll("input, select")[focused]?.focus();
  }
  for (const part of fieldsShown) part.show(place);
}

/** Return the structure that determines the fields; while it is unchanged, only values are updated. */
function shapeOf(chosen, place, name) {
  const { kind } = place;
  const more = { hexes: place.hexes, hex: kind === "hex" && [Object.keys(sceneBoard()?.centres ?? {}).length, place.hex in (sceneBoard()?.centres ?? {}) || place.hex] };
  return JSON.stringify([chosen, name, kind, modelOf(chosen), kind === "squad" && [place.models.length === 1, place.models.map((one) => one.facing_deg === undefined)], more]);
}

/** Create the fields of the selection, which read and write its current place. */
function fields(chosen, first) {
  const write = (made) => put(chosen, made, say`typed place`, `typed ${keyOf(chosen)}`);
  const now = () => placeNow(chosen);
  const along = (axis, point, model) => [(place) => point(place)[axis], (value) => write(moved(now(), axis ? [0, value - point(now())[1]] : [value - point(now())[0], 0], model))];
  if (first.kind === "hex") {
    const hexes = Object.keys(sceneBoard()?.centres ?? {});
    return [
      choice(say`hex`, hexes.includes(first.hex) ? hexes : [first.hex, ...hexes], (place) => place.hex, (hex) => write({ ...now(), hex })),
      choice(say`facing`, FACINGS, (place) => place.facing, (facing) => write({ ...now(), facing })),
    ];
  }
  if (first.kind === "hexes") {
    const { centres } = sceneBoard();
    const [corner] = first.hexes;
    const shifted = (to) => ({ ...first, hexes: first.hexes.map((hex) => hexShifted(hex, corner, to)) });
    const room = Object.keys(centres).filter((hex) => shifted(hex).hexes.every((one) => one in centres));
    return [choice(first.hexes.length > 1 ? say`first hex` : say`hex`, room.includes(corner) ? room : [corner, ...room], (place) => place.hexes[0], (hex) => write(shifted(hex)))];
  }
  if (first.kind === "polygon") {
    const corner = (place) => place.points[0];
    return [number(say`first corner x`, ...along(0, corner)), number("y", ...along(1, corner))];
  }
  if (first.kind === "squad") {
    const model = modelOf(chosen) ?? (first.models.length === 1 ? 0 : undefined);
    const one = (place) => place.models[model ?? 0];
    const at = (place) => one(place).at;
    const turn = (facing_deg) => write({ ...now(), models: now().models.map((other, place) => (model === undefined || place === model ? { ...other, facing_deg } : other)) });
    return [
      number(model === undefined ? say`first model x` : say`model ${model + 1} x`, ...along(0, at, model)), number("y", ...along(1, at, model)),
      ...(one(first).facing_deg === undefined ? [] : [number(say`facing`, (place) => angle(one(place).facing_deg), turn, { step: 1, unit: "deg" })]),
    ];
  }
  return [
    number("x", (place) => place.at[0], (value) => write({ ...now(), at: [value, now().at[1]] })),
    number("y", (place) => place.at[1], (value) => write({ ...now(), at: [now().at[0], value] })),
    ...(first.kind === "circle" ? [] : [number(first.kind === "rectangle" ? say`angle` : say`facing`, (place) => angle(place.facing_deg), (facing_deg) => write({ ...now(), facing_deg }), { step: 1, unit: "deg" })]),
  ];
}

function number(words, read, write, { step = 0.1, unit = "in" } = {}) {
  const input = make("input", { type: "number", step: "any", inputMode: "decimal", "aria-label": unit === "in" ? say`${words}, inches` : say`${words}, degrees` });
  input.addEventListener("change", () => {
    if (!Number.isFinite(input.valueAsNumber)) {
      input.value = shown.is;
      return;
    }
    store.seal(); // an entry of its own, unlike steps
    write(input.valueAsNumber);
    store.seal();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    const by = (event.key === "ArrowUp" ? 1 : -1) * step * (event.shiftKey ? 10 : 1);
    const from = Number.isFinite(input.valueAsNumber) ? input.valueAsNumber : Number(shown.is);
    write(Math.round((from + by) * 1e6) / 1e6);
  });
  const shown = { is: null };
  return {
    node: make("label", {}, make("span", {}, words), input, make("span", { class: "unit", "aria-hidden": "true" }, unit === "in" ? say`in` : "°")),
    show(place) {
      const value = String(tidy(read(place)));
      if (shown.is !== value) input.value = value;
      shown.is = value;
    },
  };
}

const tidy = (value) => Number(value.toFixed(4));

function choice(words, values, read, write) {
  const select = make("select", { onchange: () => write(select.value) }, ...values.map((one) => make("option", { value: one }, label(one))));
  return {
    node: make("label", {}, make("span", {}, words), select),
    show(place) {
      if (select.value !== read(place)) select.value = read(place);
    },
  };
}
