/* Maps as a layer over the table: where a target is threatened, where a unit is safe, where a charge starts best. The server resolves place by
   place and reports progress; a map can be stopped, and is marked as outdated when the table changes. */

import { button, make } from "./dom.js";
import { groundOf } from "./fields.js";
import { grouped, say } from "./language.js";
import { clearMarks } from "./painter.js";
import { redraw } from "./scene.js";

const QUESTIONS = [
  [
    "threat",
    say`Threat: where the target can be reached`,
    say`For each place where the target could stand: the chance that the charger reaches it.`,
  ],
  [
    "safe",
    say`Safe: where no enemy reaches the unit`,
    say`For each place where the unit could stand: the greatest chance that an enemy reaches it.`,
  ],
  ["start", say`Start: from where to charge`, say`For each place where the charger could start: its chance.`],
];
const STEPS = [
  ["2", say`2 in, quick`],
  ["1", say`1 in`],
  ["0.5", say`0.5 in, slow`],
];
const CHARGELESS = say`A map is about a charge: add one under Edit, Charges.`;

let page;
let asking = null;
let shown = null;

/** Set up the controls in their panel. */
export function start(parts) {
  page = parts;
  document.getElementById("layers").append(build());
  page.store.on("scenario", follow);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => shown && paint());
  follow();
}

function build() {
  const select = (id, words, options) =>
    make(
      "div",
      { class: "field choice" },
      make("label", { for: id }, words),
      make(
        "select",
        { id, onchange: follow },
        options.map(([value, label]) => make("option", { value }, label)),
      ),
    );
  return make(
    "form",
    { id: "map", onsubmit: ask },
    make("h3", {}, say`Map of chances`),
    select("map-question", say`Question`, QUESTIONS),
    make("p", { id: "map-meaning", class: "hint" }),
    select("map-unit", say`Unit`, []),
    select("map-step", say`Distance between places`, STEPS),
    make(
      "div",
      { class: "acts" },
      make("button", { type: "submit", class: "main", id: "map-ask" }, say`Show the map`),
      button(say`Stop`, () => asking?.abort(), { id: "map-stop", hidden: true }),
      button(say`Remove layer`, clear, { id: "map-clear", hidden: true }),
    ),
    make(
      "div",
      { id: "map-progress", hidden: true },
      make("progress", { id: "map-bar", max: 1, value: 0, "aria-label": say`Finished places` }),
      make("span", { id: "map-done" }),
    ),
    make("p", { id: "map-fault", class: "fault", role: "alert", hidden: true }),
    make(
      "div",
      { id: "map-told", hidden: true },
      make("p", { id: "map-answer", role: "status" }),
      make("p", { id: "map-old", class: "hint", hidden: true }, say`The table has changed since: the map shows the earlier table.`),
      make("ul", { id: "map-legend", class: "legend", "aria-label": say`Legend` }),
      make(
        "div",
        { class: "field" },
        make("label", { for: "map-opacity" }, say`Opacity`),
        make("input", { id: "map-opacity", type: "range", min: 10, max: 100, step: 5, value: 70, oninput: fade }),
      ),
    ),
  );
}

const byId = (id) => document.getElementById(id);

/** Update the possible questions for the current table. */
function follow() {
  const { scenario } = page.store;
  if (!scenario) return;
  const question = byId("map-question").value;
  byId("map-meaning").textContent = QUESTIONS.find(([name]) => name === question)[2];
  const charge = scenario.charges?.[0];
  const usual = question === "start" ? charge?.charger : charge?.targets?.[0];
  const names = Object.keys(scenario.units ?? {});
  const pick = byId("map-unit");
  const next = JSON.stringify([names, usual]);
  if (pick.dataset.names !== next) {
    pick.dataset.names = next;
    const before = pick.value;
    pick.replaceChildren(...names.map((name) => make("option", { value: name }, name === usual ? say`${name} (of the first charge)` : name)));
    pick.value = names.includes(before) && pick.dataset.chosen ? before : (usual ?? names[0] ?? "");
  }
  byId("map-ask").disabled = !charge;
  if (!charge) blame(CHARGELESS);
  else if (byId("map-fault").textContent === CHARGELESS) blame("");
  if (shown) {
    const isOld = shown.ground !== groundOf(scenario);
    byId("map-old").hidden = !isOld;
    byId("layer-map").classList.toggle("old", isOld);
  }
}

async function ask(event) {
  event.preventDefault();
  asking?.abort();
  const own = new AbortController();
  asking = own;
  blame("");
  busy(true);
  const { scenario } = page.store;
  const options = { question: byId("map-question").value, unit: byId("map-unit").value, step: Number(byId("map-step").value) };
  try {
    const map = await told(await page.api.fetchFor("explore", { scenario, options }, { signal: own.signal }));
    if (own.signal.aborted) return;
    shown = { ...map, ground: groundOf(scenario) };
    paint();
    tell();
  } catch (error) {
    if (asking !== own) return;
    if (own.signal.aborted) blame(say`Stopped: no map was made.`);
    else if (error.sentence === undefined) blame(say`The server went away while it made the map: ask again.`);
    else blame(error.sentence);
  } finally {
    if (asking === own) {
      asking = null;
      busy(false);
    }
  }
}

/** Read the lines of a reply as they arrive: progress, then the map. */
async function told(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = done ? "" : lines.pop();
    for (const line of lines.filter((one) => one.trim())) {
      const part = JSON.parse(line);
      if (part.error) throw new page.api.ApiError(part.error, { status: 400, key: part.key });
      if (part.map) return part.map;
      progress(part);
    }
    if (done) throw new Error("the answer ended before the map");
  }
}

function progress({ done, of }) {
  const bar = byId("map-bar");
  if (of) bar.value = done / of;
  byId("map-done").textContent = of ? say`${grouped(done)} of ${grouped(of)} places` : "";
}

function busy(is) {
  const hadFocus = [byId("map-stop"), byId("map-ask")].includes(document.activeElement);
  byId("map-progress").hidden = !is;
  byId("map-stop").hidden = !is;
  byId("map-ask").hidden = is;
  if (hadFocus) byId(is ? "map-stop" : "map-ask").focus();
  if (is) byId("map-bar").removeAttribute("value");
  byId("map-done").textContent = "";
  page.store.tell("layers", { ...page.store.layers, map: is ? "asked" : shown ? "shown" : null });
}

function paint() {
  const group = byId("layer-map");
  const { figure } = shown;
  page.table.paintMarks(group, figure.marks, figure.roles);
  redraw({ marks: true });
  fade();
}

function fade() {
  byId("layer-map").style.opacity = String(Number(byId("map-opacity").value) / 100);
}

function tell() {
  byId("map-told").hidden = false;
  byId("map-clear").hidden = false;
  byId("map-answer").textContent = shown.found;
  byId("map-legend").replaceChildren(...shown.legend.map((step) => make("li", {}, swatch(step.role), step.words)));
  follow();
}

/** Return a small square in the colour of a step of the scale. */
function swatch(role) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 2 1.4");
  svg.setAttribute("class", "swatch");
  svg.setAttribute("aria-hidden", "true");
  const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
  svg.append(group);
  page.table.paintMarks(
    group,
    [
      {
        type: "Rings",
        id: `legend.${role}`,
        role,
        rings: [
          [
            [0, 0],
            [2, 0],
            [2, 1.4],
            [0, 1.4],
          ],
        ],
        holes: [],
      },
    ],
    shown.figure.roles,
  );
  return svg;
}

function clear() {
  shown = null;
  clearMarks(byId("layer-map"));
  redraw({ marks: true });
  byId("map-told").hidden = true;
  if (document.activeElement === byId("map-clear")) byId("map-ask").focus();
  byId("map-clear").hidden = true;
  page.store.tell("layers", { ...page.store.layers, map: null });
}

function blame(words) {
  byId("map-fault").textContent = words;
  byId("map-fault").hidden = !words;
}
