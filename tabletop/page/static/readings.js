/* Readings: where a rule's text leaves something open the system has a named choice. Each can be changed here, and held side by side with the
   verdict under another value. */

import { capital, make, percent } from "./dom.js";

let parts = null;
let known = { system: null, readings: [] };
let isOpen = false;
let compared = null; // {key, value}
let running = null;

const words = (key) => capital(key.replaceAll("_", " "));
const valuesOf = (reading) => reading.values ?? (typeof reading.default === "boolean" ? [true, false] : null);

async function load(system) {
  if (known.system === system) return;
  known = { system, readings: [] };
  known.readings = await parts.api.read(`readings/${system}`).catch(() => []);
  show();
}

function set(key, value) {
  if (compared?.key === key && compared.value === value) compared = null; // it is the reading itself now
  parts.store.change((scenario) => {
    const reading = known.readings.find((one) => one.key === key);
    scenario.rules ??= {};
    if (value === reading.default) delete scenario.rules[key];
    else scenario.rules[key] = value;
    if (!Object.keys(scenario.rules).length) delete scenario.rules;
  }, words(key));
}

function outcome(answer, title) {
  if (answer.refused) return make("div", { class: "reading" }, make("h4", { text: title }), make("p", { text: capital(answer.refused.sentence) }));
  const badge = answer.badges?.[0];
  const ruling = answer.rulings?.[0];
  return make(
    "div", { class: "reading", "data-outcome": badge?.outcome ?? "none" },
    make("h4", { text: title }), make("p", { class: "badge", text: badge?.words ?? "No charge" }), make("p", { text: badge?.about ?? "" }),
    ruling?.chance_success === undefined ? null : make("p", { class: "quiet", text: `chance ${percent(ruling.chance_success)}` }),
  );
}

async function compare() {
  const { store } = parts;
  const region = document.getElementById("second-reading");
  if (!region || !compared || !store.answer) return;
  running?.abort();
  const controller = new AbortController();
  running = controller;
  const { key, value } = compared;
  const other = structuredClone(store.scenario);
  other.rules = { ...other.rules, [key]: value };
  const reading = known.readings.find((one) => one.key === key);
  const mine = store.scenario.rules?.[key] ?? reading?.default;
  try {
    const answer = await parts.api.ask(other.proposal ? "judge" : "resolve", { scenario: other, options: { fill: true } }, { signal: controller.signal, question: "second" });
    region.replaceChildren(outcome(store.answer, `${words(key)}: ${mine}`), outcome(answer, `${words(key)}: ${value}`));
  } catch (error) {
    if (controller.signal.aborted || error.status === 409) return;
    region.replaceChildren(outcome(store.answer, `${words(key)}: ${mine}`), outcome({ refused: error }, `${words(key)}: ${value}`));
  }
}

function line(reading, scenario) {
  const values = valuesOf(reading);
  if (!values) return null;
  const now = scenario.rules?.[reading.key] ?? reading.default;
  const id = `reading-${reading.key}`;
  const written = (value) => (value === true ? "yes" : value === false ? "no" : String(value));
  const select = make("select", { id, "aria-describedby": `${id}-about`, onchange: () => set(reading.key, values[select.selectedIndex]) }, ...values.map((value) => make("option", { text: written(value), selected: value === now })));
  const others = values.filter((value) => value !== now);
  return make(
    "div", { class: "choice" },
    make("label", { for: id, text: words(reading.key) }), select,
    make("p", { class: "quiet", id: `${id}-about`, text: reading.description }),
    make("div", { class: "second" }, ...others.map((value) => make("button", {
      type: "button", class: "plain", id: `${id}-${written(value).replaceAll(" ", "-")}`, text: `Compare with “${written(value)}”`, "aria-pressed": String(compared?.key === reading.key && compared.value === value),
      onclick: () => {
        compared = compared?.key === reading.key && compared.value === value ? null : { key: reading.key, value };
        show();
        compare();
      },
    }))),
    compared?.key === reading.key ? make("div", { id: "second-reading", class: "side-by-side", "aria-live": "polite" }, make("p", { class: "quiet", text: "Asking…" })) : null,
  );
}

function show() {
  const region = document.getElementById("readings");
  isOpen = region.querySelector("details")?.open ?? isOpen;
  const { scenario } = parts.store;
  if (!scenario || !known.readings.length) {
    region.replaceChildren();
    return;
  }
  const lines = known.readings.map((reading) => line(reading, scenario)).filter(Boolean);
  if (!lines.length) return;
  const details = make("details", { open: isOpen }, make("summary", { text: "How the rules are read" }), ...lines);
  const focused = region.contains(document.activeElement) ? document.activeElement.id : null;
  region.replaceChildren(details);
  if (focused) document.getElementById(focused)?.focus();
}

export function start(given) {
  parts = given;
  let rules = null;
  parts.store.on("scenario", (scenario) => {
    load(scenario.system);
    const text = JSON.stringify([scenario.system, scenario.rules]);
    if (text === rules) return;
    rules = text;
    show();
  });
  parts.store.on("answer", () => {
    if (compared && !parts.store.isStale) compare();
  });
}
