// What is wrong, at the field of its key: sentences of the server, and what cannot be read of what was typed.

import { button, el } from "./elements.js";
import { keyPath } from "./fields.js";

/** Say at its field why what was typed cannot be read, or, without a sentence, that it can. */
export function refuse(input, sentence) {
  if (sentence) input.dataset.refused = "yes";
  else delete input.dataset.refused;
  const field = input.closest(".field");
  const place = field?.querySelector(":scope > .fault");
  if (!place) return; // not on the page yet
  if (sentence) {
    showFault(field, sentence);
    place.dataset.own = "yes";
  } else if (place.dataset.own) clearFault(field);
}

/** Show a sentence at a field. */
export function showFault(field, sentence) {
  const place = field.querySelector(":scope > .fault");
  place.textContent = sentence;
  place.hidden = false;
  delete place.dataset.own;
  for (const input of inputsOf(field)) input.setAttribute("aria-invalid", "true");
}

/** Take the sentence at a field away. */
export function clearFault(field) {
  const place = field.querySelector(":scope > .fault");
  if (!place || place.hidden) return;
  place.hidden = true;
  place.textContent = "";
  delete place.dataset.own;
  for (const input of inputsOf(field)) input.removeAttribute("aria-invalid");
}

function inputsOf(field) {
  return [...field.querySelectorAll("input, select, textarea")].filter((input) => input.closest(".field") === field);
}

/** Show faults at the fields of a form; those of anything else above it, with a way there by `go`. */
export function placeFaults(place, faults, scenario, subject, go) {
  const elsewhere = place.querySelector("#form-elsewhere");
  if (!elsewhere) return;
  for (const field of place.querySelectorAll(".field")) if (!field.querySelector(":scope > .fault")?.dataset.own) clearFault(field);
  const strangers = faults.filter((fault) => !isShown(place, fault));
  elsewhere.hidden = strangers.length === 0;
  elsewhere.replaceChildren(...strangers.map((fault) => leading(fault, scenario, subject, go)));
}

function isShown(place, fault) {
  const fields = [...place.querySelectorAll(".field[data-key]")].filter((field) => isWithin(fault.key, field.dataset.key));
  const nearest = fields.sort((one, other) => other.dataset.key.length - one.dataset.key.length)[0];
  const line = nearest?.querySelector(":scope > .fault");
  if (!line) return false;
  if (line.dataset.own) return true; // what cannot be read comes first
  showFault(nearest, sentence(fault.message));
  for (let outer = nearest.closest("details"); outer; outer = outer.parentElement.closest("details")) outer.open = true;
  return true;
}

function isWithin(key, outer) {
  return outer !== "" && (key === outer || key.startsWith(`${outer}.`) || key.startsWith(`${outer}[`));
}

function sentence(message) {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** A fault of something else: a way there. */
export function leading(fault, scenario, subject, go) {
  const what = subjectOf(fault.key, scenario);
  const words = fault.key ? `${fault.key}: ${fault.message}` : sentence(fault.message);
  return el(
    "p",
    { class: "fault" },
    words,
    what && !isSame(what, subject) ? [" ", button("Show", () => go(what), { class: "small" })] : null,
  );
}

function subjectOf(key, { units = {}, terrain = [] }) {
  const unit = Object.keys(units).find((name) => isWithin(key, keyPath(["units", name])));
  if (unit !== undefined) return { kind: "unit", name: unit };
  const piece = terrain.findIndex((_, index) => isWithin(key, `terrain[${index}]`));
  if (piece >= 0) return { kind: "terrain", index: piece };
  return { charges: { kind: "charges" }, rules: { kind: "rules" }, board: { kind: "scenario" } }[key.split(/[.[]/)[0]] ?? null;
}

/** Whether two subjects of a form are one. */
export function isSame(one, other) {
  return one.kind === other.kind && one.name === other.name && one.index === other.index;
}
