/* The ruling in words: the verdict (outcome, deciding rule, shortest roll, chance), the findings with their margins, and the readings of the
   rules, whose values can be changed and compared. */

import { leading } from "./controls.js";
import { capital, isNews, make, percent, signed, write } from "./dom.js";
import { nameOf, rollsOf, valueName } from "./fields.js";
import { declare, edit } from "./forms.js";
import { digits, say } from "./language.js";
import { paintContrast } from "./scene.js";

const REST = 500; // milliseconds without a new answer before a screen reader announces it
const REFUSED = { 408: say`No verdict`, 400: say`Not a legal table` };
const FEW = 5; // findings listed at first
const PACE = 300; // milliseconds between updates of the list while answers follow each other
let store = null;
let story = null; // number of the bundled table whose note was shown last
let api = null;
let table = null;
let panels = null;
let saying = null; // timer of the screen reader's announcement
let why = null; // the alternatives that are shown: {button, list}
let isAll = false; // whether all findings are listed
let listed = { system: null, readings: [] };
let isOpen = false; // whether the list of readings is open
let compared = null; // the reading compared with the verdict: {key, value}
let running = null; // the request for it

export function start(parts) {
  ({ store, api, table, panels } = parts);
  startVerdict();
  startFindings();
  startReadings();
}

// --- verdict ----------------------------------------------------------------------------------------------------------------------------

function startVerdict() {
  const shown = document.getElementById("verdict-more");
  const live = document.getElementById("verdict-live");
  store.on("answer", (answer) => {
    if (isNews(shown, saidOf(answer))) showOutcome(shown, answer);
    clearTimeout(saying);
    saying = setTimeout(() => {
      live.textContent = sentenceOf(answer);
    }, REST);
  });
  const stale = () => {
    const isBusy = String(store.isStale);
    const verdict = document.getElementById("verdict");
    if (verdict.getAttribute("aria-busy") !== isBusy) verdict.setAttribute("aria-busy", isBusy);
  };
  store.on("stale", stale);
  store.on("scenario", hideWhy);
  store.on("scenario", (scenario) => {
    const title = scenario.title || say`Untitled table`;
    const note = document.getElementById("note");
    const isChanged = story === store.laid && !store.isBundled;
    if (store.isBundled && scenario.note) story = store.laid;
    const heading = note.parentNode;
    if (!isChanged) heading.style.height = "";
    else heading.style.height ||= `${heading.getBoundingClientRect().height}px`; // keep the layout stable during a drag
    write(document.getElementById("title"), title);
    write(note, scenario.note ?? (isChanged ? say`Texts and expectations of the bundled table are left out; undo brings them back.` : ""));
    if (document.title !== `${title} · tabletop`) document.title = `${title} · tabletop`;
  });
  shown.replaceChildren(...outcomeBlocks(null));
}

function showOutcome(shown, answer) {
  hideWhy();
  const focused = [...shown.querySelectorAll(".why")].indexOf(document.activeElement);
  shown.replaceChildren(...outcomeBlocks(answer, store.scenario));
  shown.querySelectorAll(".why")[focused]?.focus();
}

const sidesOf = ({ units = {} }) => new Set(Object.values(units).map(({ side }) => side)).size;

/** Return the data of the verdict blocks. */
function saidOf(answer) {
  const { refused, badges, rulings, judged, contrasts } = answer;
  if (refused) return [refused.sentence, refused.status, refused.faults];
  const told = (rulings ?? []).map((one) => [one.outcome, one.shortest_roll, one.shortest_roll_range, one.chance_success_fraction, one.chance_success_range_fraction]);
  return [badges, told, contrasts, Boolean(judged), badges?.length ? 0 : sidesOf(store.scenario)];
}

function outcomeBlocks(answer, scenario) {
  if (!answer) return [make("p", { class: "wait" }, say`Reading the table…`)];
  if (answer.refused) {
    const { sentence, status, faults } = answer.refused;
    const wrong = faults?.length ? faults : [{ key: "", message: sentence }];
    return [make(
      "div", { class: "outcome", "data-outcome": "refused" },
      make("p", { class: "badge" }, REFUSED[status] ?? say`No answer`),
      make("div", { class: "told wrong" }, ...wrong.slice(0, 4).map((fault) => leading(fault, scenario, {}, edit))),
    )];
  }
  const badges = answer.badges ?? [];
  if (!badges.length && sidesOf(scenario) < 2) {
    return [make("p", { class: "wait" }, say`Add units of two sides; then one of them charges the other.`),
      make("button", { type: "button", class: "main", onclick: () => panels.show("add", { focus: true }) }, say`Add units`)];
  }
  if (!badges.length) {
    return [make("p", { class: "wait" }, say`No charge is declared: declare one, or move units and measure.`),
      make("button", { type: "button", class: "main", onclick: declare }, say`Declare a charge`)];
  }
  if (answer.judged) {
    const others = answer.rulings.filter((ruling) => ruling.outcome !== "success");
    return [outcomeBlock(badges[0], null, true), ...badges.slice(1).map((badge, place) => outcomeBlock(badge, others[place], false))];
  }
  return badges.map((badge, place) => outcomeBlock(badge, answer.rulings[place], badges.length < 3, answer.contrasts?.[place]));
}

function outcomeBlock(badge, ruling, isLarge, contrast = null) {
  return make(
    "div", { class: `outcome${isLarge ? "" : " small"}`, "data-outcome": badge.outcome },
    make("p", { class: "badge" }, badge.words), badgeWords(badge), facts(ruling, isLarge), whyParts(ruling, contrast),
  );
}

/** Return charger, targets and deciding rule of a ruling. */
function badgeWords({ who, why }) {
  return make("div", { class: "told" }, make("p", { class: "about" }, who), why ? make("p", { class: "headline" }, why) : null);
}

function facts(ruling, isLarge) {
  if (!ruling) return null;
  if (ruling.chance_success === undefined) return null;
  const isProved = ruling.chance_success !== null;
  const roll = rollsOf(ruling.shortest_roll_range ?? [ruling.shortest_roll, ruling.shortest_roll]);
  const [low, high] = ruling.chance_success_range ?? (ruling.open ? [0, 1] : [ruling.chance_success, ruling.chance_success]);
  if (ruling.open?.length && low === high) return null; // an undecided ruling has no exact chance
  const [least, most] = ruling.chance_success_range_fraction ?? [ruling.chance_success_fraction, ruling.chance_success_fraction];
  const exact = low === high ? (ruling.chance_success_fraction ?? "") : least ? say`${least} to ${most}` : "";
  return make(
    "dl", { class: isLarge ? "facts" : "facts small" },
    make("div", {}, make("dt", {}, isProved ? say`roll needed` : say`roll needed, not proved`), make("dd", {}, low === 1 ? say`any` : roll)),
    make("div", {}, make("dt", {}, say`chance`), make("dd", { class: low === high ? "one" : "span", title: exact }, chanceOf(low, high))),
  );
}

/** Return a chance or its range as text. */
function chanceOf(low, high) {
  return low === high ? percent(low) : high === 1 ? say`${percent(low)} or more` : say`${percent(low)} to ${percent(high)}`;
}

/** Return the button that shows the alternatives to a ruling, and their list; null if there are none. */
function whyParts(ruling, contrast) {
  if (!contrast?.lines.length) return null;
  const list = make("ul", { class: "findings", hidden: true }, ...contrast.lines.map(({ heading, text }, place) => make(
    "li", { class: "finding alternative" },
    make("span", { class: "margin" }, numberOf(ruling.contrast[place])), make("b", {}, capital(heading)), text,
  )));
  const button = make("button", {
    type: "button", class: "why", "aria-pressed": "false", "aria-label": say`Why? Alternatives to the charge of ${ruling.charger}`, title: say`What would be tempting, and what tells against it`,
    onclick: () => {
      const isOn = why?.button === button;
      hideWhy();
      if (isOn) return;
      why = { button, list };
      button.setAttribute("aria-pressed", "true");
      list.hidden = false;
      if (!contrast.figure) return;
      paintContrast(contrast.figure);
      table.reveal(contrast.figure.marks.map(({ id }) => id));
    },
  }, say`Why?`);
  return [button, list];
}

/** Return the number that tells against an alternative: what it serves of a goal, the range of equal ones, what a sum comes to, or its margin. */
function numberOf({ goals = {}, range, sum, margin, measured }) {
  const served = Object.values(goals).find(([most, there]) => most !== there);
  if (served) return say`${served[1]} instead of ${served[0]}`;
  if (range) return `${[range.least, range.greatest].map((end) => digits(end.toFixed(2))).join("–")}${range.unit === "deg" ? "°" : ` ${range.unit}`}`;
  if (sum) return `= ${digits(sum.at(-1).value)}`;
  return margin === undefined ? digits(measured?.toFixed(2) ?? "") : digits(signed(margin));
}

function hideWhy() {
  if (!why) return;
  why.button.setAttribute("aria-pressed", "false");
  why.list.hidden = true;
  why = null;
  paintContrast(null);
}

function sentenceOf(answer) {
  if (!answer) return "";
  if (answer.refused) return `${REFUSED[answer.refused.status] ?? say`No answer`}: ${answer.refused.sentence}`;
  return (answer.badges ?? []).map(({ words, about, why }) => [words, about, about.includes(why) ? "" : why].filter(Boolean).map((one) => `${one}.`).join(" ")).join(" ");
}

// --- findings ---------------------------------------------------------------------------------------------------------------------------

function startFindings() {
  let waiting = 0;
  let last = -Infinity;
  const later = () => {
    waiting = 0;
    last = performance.now();
    showFindings();
  };
  store.on("answer", () => {
    waiting ||= setTimeout(() => requestAnimationFrame(later), Math.max(0, last + PACE - performance.now()));
  });
}

function showFindings() {
  const region = document.getElementById("findings");
  const { answer } = store;
  if (!answer || answer.refused || !answer.rulings?.length) {
    region.replaceChildren();
    return;
  }
  const focused = region.contains(document.activeElement) ? document.activeElement.closest("li")?.dataset.rule : null;
  const parts = [];
  if (answer.sentences?.length) parts.push(make("p", { class: "sentence" }, answer.sentences[0]));
  const groups = answer.judged ? [[say`The claim`, answer.judged.findings]] : answer.rulings.map((ruling) => [answer.rulings.length > 1 ? say`${ruling.charger} charges ${ruling.targets.join(", ")}` : "", ruling.findings]);
  const count = groups.reduce((sum, [, findings]) => sum + findings.length, 0);
  parts.push(make("h3", {}, isAll ? say`All findings, in the order in which they were checked` : say`What decided, and what was close`));
  for (const [title, findings] of groups) parts.push(...findingsList(title, findings, answer));
  if (count > FEW) {
    parts.push(make("button", {
      type: "button", class: "more", "aria-expanded": String(isAll),
      onclick: () => {
        isAll = !isAll;
        showFindings();
        region.querySelector(".more")?.focus();
      },
    }, isAll ? say`Only what was close` : say`All ${count} findings`));
  }
  region.replaceChildren(...parts.filter(Boolean));
  if (focused) region.querySelector(`li[data-rule="${CSS.escape(focused)}"] button`)?.focus();
}

function findingsList(title, findings, answer) {
  const all = ordered(findings);
  const first = Math.max(FEW, all.filter((one) => !one.ok).length);
  return [title ? make("h3", {}, title) : null, make("ul", { class: "findings" }, ...(isAll ? findings : all.slice(0, first)).map((one) => findingItem(one, answer)))];
}

/** Sort findings: broken first, then by smallest margin, then the rest. */
function ordered(findings) {
  const rank = (one) => (one.open || !one.ok ? 0 : one.margin !== undefined ? 1 : 2);
  return findings.map((one, place) => [one, place]).sort(([a, i], [b, j]) => rank(a) - rank(b) || (rank(a) === 1 ? Math.abs(a.margin) - Math.abs(b.margin) : 0) || i - j).map(([one]) => one);
}

function findingItem(finding, answer) {
  const margin = finding.margin === undefined ? null : make("span", { class: "margin", title: say`by how much the rule is kept (+) or broken (−)` }, digits(signed(finding.margin)));
  const [sign, told] = finding.open ? ["?", say`undecided: `] : finding.ok ? ["✓", say`kept: `] : ["✗", say`broken: `];
  const words = [make("span", { class: "sign", "aria-hidden": "true" }, sign), make("span", { class: "unseen" }, told),
    make("span", { class: "text" }, finding.text), margin];
  const line = make("button", { type: "button", class: "finding", title: say`Show on the table: ${finding.rule}`, onclick: () => showOnTable(finding, answer) }, ...words);
  line.classList.toggle("broken", !finding.ok && !finding.open);
  return make("li", { "data-rule": finding.rule }, line);
}

/** Reveal the subject of a finding: its marks, else the bodies it names, else charger and targets. */
function showOnTable(finding, answer) {
  if (table.reveal(answer.marks_of?.[finding.rule] ?? [])) return;
  const names = answer.names_of[finding.rule];
  const bodyName = ([kind, which]) => (kind === "terrain" ? answer.terrain[which].name : which);
  const bodies = answer.figure.marks.filter((mark) => mark.of && mark.of[0] !== "ghost");
  const named = bodies.filter((mark) => names.includes(bodyName(mark.of)));
  const { charger, targets } = answer.rulings.find((one) => one.findings?.includes(finding)) ?? answer.rulings[0];
  const shown = named.length ? named : bodies.filter((mark) => [charger, ...targets].includes(bodyName(mark.of)));
  table.reveal(shown.map((mark) => mark.id));
}

// --- readings of the rules --------------------------------------------------------------------------------------------------------------

function startReadings() {
  let rules = null;
  store.on("scenario", (scenario) => {
    loadReadings(scenario.system);
    const text = JSON.stringify([scenario.system, scenario.rules]);
    if (text === rules) return;
    rules = text;
    showReadings();
  });
  store.on("answer", () => {
    if (compared && !store.isStale) compareReadings();
  });
}

async function loadReadings(system) {
  if (listed.system === system) return;
  listed = { system, readings: [] };
  listed.readings = await api.read(`readings/${system}`).catch(() => []);
  showReadings();
}

function showReadings() {
  const region = document.getElementById("readings");
  isOpen = region.querySelector("details")?.open ?? isOpen;
  const { scenario } = store;
  if (!scenario || !listed.readings.length) {
    region.replaceChildren();
    return;
  }
  const lines = listed.readings.map((reading) => readingRow(reading, scenario)).filter(Boolean);
  if (!lines.length) return;
  const details = make("details", { open: isOpen }, make("summary", {}, say`How the rules are read`), ...lines);
  const focused = region.contains(document.activeElement) ? document.activeElement.id : null;
  region.replaceChildren(details);
  if (focused) document.getElementById(focused)?.focus();
}

function readingRow(reading, scenario) {
  const values = valuesOf(reading);
  if (!values) return null;
  const now = scenario.rules?.[reading.key] ?? reading.default;
  const id = `reading-${reading.key}`;
  const written = (value) => valueName(reading.key, value);
  const select = make("select", { id, "aria-describedby": `${id}-about`, onchange: () => setReading(reading.key, values[select.selectedIndex]) }, ...values.map((value) => make("option", { selected: value === now }, written(value))));
  const others = values.filter((value) => value !== now);
  return make(
    "div", { class: "choice" },
    make("label", { for: id }, capital(nameOf(reading.key))), select,
    make("p", { class: "quiet", id: `${id}-about` }, reading.description),
    make("div", { class: "second" }, ...others.map((value) => make("button", {
      type: "button", class: "plain", id: `${id}-${value}`, "aria-pressed": String(compared?.key === reading.key && compared.value === value),
      onclick: () => {
        compared = compared?.key === reading.key && compared.value === value ? null : { key: reading.key, value };
        showReadings();
        compareReadings();
      },
    }, say`Compare with “${written(value)}”`))),
    compared?.key === reading.key ? make("div", { id: "second-reading", class: "side-by-side", "aria-live": "polite" }, make("p", { class: "quiet" }, say`Asking…`)) : null,
  );
}

const valuesOf = (reading) => reading.values ?? (typeof reading.default === "boolean" ? [true, false] : null);
const titleOf = (key, value) => `${capital(nameOf(key))}: ${valueName(key, value)}`;

function setReading(key, value) {
  if (compared?.key === key && compared.value === value) compared = null; // it is now the current reading
  store.change((scenario) => {
    const reading = listed.readings.find((one) => one.key === key);
    scenario.rules ??= {};
    if (value === reading.default) delete scenario.rules[key];
    else scenario.rules[key] = value;
    if (!Object.keys(scenario.rules).length) delete scenario.rules;
  }, capital(nameOf(key)));
}

async function compareReadings() {
  const region = document.getElementById("second-reading");
  if (!region || !compared || !store.answer) return;
  running?.abort();
  const controller = new AbortController();
  running = controller;
  const { key, value } = compared;
  const other = structuredClone(store.scenario);
  other.rules = { ...other.rules, [key]: value };
  const reading = listed.readings.find((one) => one.key === key);
  const mine = store.scenario.rules?.[key] ?? reading?.default;
  try {
    const answer = await api.ask(other.proposal ? "judge" : "resolve", { scenario: other, options: { fill: true, contrast: false } }, { signal: controller.signal, question: "second" });
    region.replaceChildren(outcomeUnder(store.answer, titleOf(key, mine)), outcomeUnder(answer, titleOf(key, value)));
  } catch (error) {
    if (controller.signal.aborted || error.status === 409) return;
    region.replaceChildren(outcomeUnder(store.answer, titleOf(key, mine)), outcomeUnder({ refused: error }, titleOf(key, value)));
  }
}

function outcomeUnder(answer, title) {
  if (answer.refused) return make("div", { class: "reading" }, make("h4", {}, title), make("p", {}, capital(answer.refused.sentence)));
  const badge = answer.badges?.[0];
  const ruling = answer.rulings?.[0];
  return make(
    "div", { class: "reading", "data-outcome": badge?.outcome ?? "none" },
    make("h4", {}, title), make("p", { class: "badge" }, badge?.words ?? say`No charge`), make("p", {}, badge?.about ?? ""),
    ruling?.chance_success === undefined ? null : make("p", { class: "quiet" }, say`chance ${chanceOf(...(ruling.chance_success_range ?? [ruling.chance_success, ruling.chance_success]))}`),
  );
}
