/* Exact numbers: where what is chosen stands, typed. */

import { make } from "./dom.js";
import { FACINGS, angle, hexShifted, moved } from "./places.js";
import { keyOf, known, placeNow, sceneBoard } from "./scene.js";
import { modelOf, put } from "./tools.js";

let store = null;
let shown = "";

function number(label, value, write, { step = 0.1, unit = "in" } = {}) {
  const input = make("input", { type: "number", step: "any", inputmode: "decimal", value: String(value), "aria-label": `${label}, ${unit === "in" ? "inches" : "degrees"}` });
  input.addEventListener("change", () => {
    if (input.value !== "" && Number.isFinite(input.valueAsNumber)) write(input.valueAsNumber);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    const by = (event.key === "ArrowUp" ? 1 : -1) * step * (event.shiftKey ? 10 : 1);
    write(Math.round((input.valueAsNumber + by) * 1e6) / 1e6);
  });
  return make("label", {}, make("span", { text: label }), input, make("span", { class: "unit", "aria-hidden": "true", text: unit === "in" ? "in" : "°" }));
}

function choice(label, values, value, write) {
  const select = make("select", { onchange: () => write(select.value) }, ...values.map((one) => make("option", { value: one, text: one, selected: one === value })));
  return make("label", {}, make("span", { text: label }), select);
}

const put2 = (value) => Number(value.toFixed(4));

function fields(chosen, place) {
  const write = (made) => put(chosen, made, "typed place", `typed ${keyOf(chosen)}`);
  if (place.kind === "hex") {
    const hexes = Object.keys(sceneBoard()?.centres ?? {});
    return [choice("hex", hexes.includes(place.hex) ? hexes : [place.hex, ...hexes], place.hex, (hex) => write({ ...place, hex })), choice("facing", FACINGS, place.facing, (facing) => write({ ...place, facing }))];
  }
  if (place.kind === "hexes") {
    const { centres } = sceneBoard();
    const [first] = place.hexes;
    const shifted = (to) => ({ ...place, hexes: place.hexes.map((hex) => hexShifted(hex, first, to)) });
    const room = Object.keys(centres).filter((hex) => shifted(hex).hexes.every((one) => one in centres));
    return [choice(place.hexes.length > 1 ? "first hex" : "hex", room.includes(first) ? room : [first, ...room], first, (hex) => write(shifted(hex)))];
  }
  if (place.kind === "polygon") {
    const [x, y] = place.points[0];
    return [number("first corner x", put2(x), (value) => write(moved(place, [value - x, 0]))), number("y", put2(y), (value) => write(moved(place, [0, value - y])))];
  }
  if (place.kind === "squad") {
    const model = modelOf(chosen) ?? (place.models.length === 1 ? 0 : undefined);
    const one = place.models[model ?? 0];
    const parts = [
      number(model === undefined ? "first model x" : `model ${model} x`, put2(one.at[0]), (value) => write(moved(place, [value - one.at[0], 0], model))),
      number("y", put2(one.at[1]), (value) => write(moved(place, [0, value - one.at[1]], model))),
    ];
    if (one.facing_deg !== undefined) parts.push(number("facing", put2(angle(one.facing_deg)), (value) => write({ ...place, models: place.models.map((other, at) => (model === undefined || at === model ? { ...other, facing_deg: value } : other)) }), { step: 1, unit: "deg" }));
    return parts;
  }
  const parts = [
    number("x", put2(place.at[0]), (value) => write({ ...place, at: [value, place.at[1]] })),
    number("y", put2(place.at[1]), (value) => write({ ...place, at: [place.at[0], value] })),
  ];
  if (place.kind !== "circle") parts.push(number(place.kind === "rectangle" ? "angle" : "facing", put2(angle(place.facing_deg)), (value) => write({ ...place, facing_deg: value }), { step: 1, unit: "deg" }));
  return parts;
}

function show() {
  const region = document.getElementById("place");
  const chosen = store.selection;
  const place = chosen && store.scenario ? placeNow(chosen) : null;
  if (!place) {
    if (shown !== "nothing") region.replaceChildren(make("p", { class: "quiet", text: "Choose a unit or a piece of terrain: drag it, turn it by its handle, or type where it stands." }));
    shown = "nothing";
    return;
  }
  const text = JSON.stringify([chosen, place, modelOf(chosen)]);
  if (text === shown) return;
  shown = text;
  const name = chosen.kind === "terrain" ? known(chosen)?.name ?? "terrain" : chosen.name;
  const focused = region.contains(document.activeElement) ? [...region.querySelectorAll("input, select")].indexOf(document.activeElement) : -1;
  region.replaceChildren(make("strong", { text: chosen.kind === "ghost" ? `${name} (claimed end)` : name }), ...fields(chosen, place));
  region.querySelectorAll("input, select")[focused]?.focus();
}

export function start(parts) {
  ({ store } = parts);
  const region = document.getElementById("place");
  region.addEventListener("submit", (event) => event.preventDefault());
  let waiting = 0;
  const soon = () => {
    waiting ||= requestAnimationFrame(() => {
      waiting = 0;
      show();
    });
  };
  for (const event of ["scenario", "selection"]) store.on(event, soon);
  document.addEventListener("painted", soon);
  document.addEventListener("models", soon);
}
