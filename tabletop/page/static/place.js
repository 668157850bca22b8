/* Exact numbers: where what is chosen stands, typed. */

import { make } from "./dom.js";
import { FACINGS, angle, hexShifted, moved } from "./places.js";
import { keyOf, known, placeNow, sceneBoard } from "./scene.js";
import { table } from "./table.js";
import { modelOf, put } from "./tools.js";

const PACE = 120; // milliseconds between two numbers while a drag is on: nobody reads faster, and each lays the form out anew
let store = null;
let parts = []; // fields that are shown: {show(place)}
let shape = ""; // what they are of

function number(label, read, write, { step = 0.1, unit = "in" } = {}) {
  const input = make("input", { type: "number", step: "any", inputmode: "decimal", "aria-label": `${label}, ${unit === "in" ? "inches" : "degrees"}` });
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
    node: make("label", {}, make("span", { text: label }), input, make("span", { class: "unit", "aria-hidden": "true", text: unit === "in" ? "in" : "°" })),
    show(place) {
      const value = String(put2(read(place)));
      if (shown.is !== value) input.value = value;
      shown.is = value;
    },
  };
}

function choice(label, values, read, write) {
  const select = make("select", { onchange: () => write(select.value) }, ...values.map((one) => make("option", { value: one, text: one })));
  return {
    node: make("label", {}, make("span", { text: label }), select),
    show(place) {
      if (select.value !== read(place)) select.value = read(place);
    },
  };
}

const put2 = (value) => Number(value.toFixed(4));

/** Make the fields of what is chosen; they read and write the place that it has then. */
function fields(chosen, first) {
  const write = (made) => put(chosen, made, "typed place", `typed ${keyOf(chosen)}`);
  const now = () => placeNow(chosen);
  const along = (axis, point, model) => [(place) => point(place)[axis], (value) => write(moved(now(), axis ? [0, value - point(now())[1]] : [value - point(now())[0], 0], model))];
  if (first.kind === "hex") {
    const hexes = Object.keys(sceneBoard()?.centres ?? {});
    return [
      choice("hex", hexes.includes(first.hex) ? hexes : [first.hex, ...hexes], (place) => place.hex, (hex) => write({ ...now(), hex })),
      choice("facing", FACINGS, (place) => place.facing, (facing) => write({ ...now(), facing })),
    ];
  }
  if (first.kind === "hexes") {
    const { centres } = sceneBoard();
    const [corner] = first.hexes;
    const shifted = (to) => ({ ...first, hexes: first.hexes.map((hex) => hexShifted(hex, corner, to)) });
    const room = Object.keys(centres).filter((hex) => shifted(hex).hexes.every((one) => one in centres));
    return [choice(first.hexes.length > 1 ? "first hex" : "hex", room.includes(corner) ? room : [corner, ...room], (place) => place.hexes[0], (hex) => write(shifted(hex)))];
  }
  if (first.kind === "polygon") {
    const corner = (place) => place.points[0];
    return [number("first corner x", ...along(0, corner)), number("y", ...along(1, corner))];
  }
  if (first.kind === "squad") {
    const model = modelOf(chosen) ?? (first.models.length === 1 ? 0 : undefined);
    const one = (place) => place.models[model ?? 0];
    const at = (place) => one(place).at;
    const turn = (facing_deg) => write({ ...now(), models: now().models.map((other, place) => (model === undefined || place === model ? { ...other, facing_deg } : other)) });
    return [
      number(model === undefined ? "first model x" : `model ${model} x`, ...along(0, at, model)), number("y", ...along(1, at, model)),
      ...(one(first).facing_deg === undefined ? [] : [number("facing", (place) => angle(one(place).facing_deg), turn, { step: 1, unit: "deg" })]),
    ];
  }
  return [
    number("x", (place) => place.at[0], (value) => write({ ...now(), at: [value, now().at[1]] })),
    number("y", (place) => place.at[1], (value) => write({ ...now(), at: [now().at[0], value] })),
    ...(first.kind === "circle" ? [] : [number(first.kind === "rectangle" ? "angle" : "facing", (place) => angle(place.facing_deg), (facing_deg) => write({ ...now(), facing_deg }), { step: 1, unit: "deg" })]),
  ];
}

/** What decides which fields there are: while it is the same their values alone change. */
function shapeOf(chosen, place, name) {
  const { kind } = place;
  const more = { hexes: place.hexes, hex: kind === "hex" && [Object.keys(sceneBoard()?.centres ?? {}).length, place.hex in (sceneBoard()?.centres ?? {}) || place.hex] };
  return JSON.stringify([chosen, name, kind, modelOf(chosen), kind === "squad" && [place.models.length === 1, place.models.map((one) => one.facing_deg === undefined)], more]);
}

function show() {
  const region = document.getElementById("place");
  const chosen = store.selection;
  const place = chosen && store.scenario ? placeNow(chosen) : null;
  if (!place) {
    if (shape !== "nothing") region.replaceChildren(make("p", { class: "quiet", text: "Choose a unit or a piece of terrain: drag it, turn it by its handle, or type where it stands." }));
    shape = "nothing";
    parts = [];
    return;
  }
  const name = chosen.kind === "terrain" ? known(chosen)?.name ?? "terrain" : chosen.name;
  const next = shapeOf(chosen, place, name);
  if (next !== shape) {
    shape = next;
    parts = fields(chosen, place);
    const focused = region.contains(document.activeElement) ? [...region.querySelectorAll("input, select")].indexOf(document.activeElement) : -1;
    region.replaceChildren(make("strong", { text: chosen.kind === "ghost" ? `${name} (claimed end)` : name }), ...parts.map((part) => part.node));
    region.querySelectorAll("input, select")[focused]?.focus();
  }
  for (const part of parts) part.show(place);
}

export function start(page) {
  ({ store } = page);
  const region = document.getElementById("place");
  region.addEventListener("submit", (event) => event.preventDefault());
  let waiting = 0;
  let last = -Infinity;
  const later = () => {
    waiting = 0;
    last = performance.now();
    show();
  };
  const soon = () => {
    const pause = table.svg.classList.contains("is-dragging") ? Math.max(0, last + PACE - performance.now()) : 0;
    waiting ||= pause ? setTimeout(later, pause) : requestAnimationFrame(later);
  };
  for (const event of ["scenario", "selection"]) store.on(event, soon);
  document.addEventListener("painted", soon);
  document.addEventListener("models", soon);
}
