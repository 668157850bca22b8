/* The form beside the table: every key of the selection, generated from the JSON Schema, with meaning, unit and default. Only values that
   differ from the default are stored. Faults are displayed at their fields. Charger and targets can be picked on the table. */

import { control, isSameSubject, placeFaults, refuse, tableControls } from "./controls.js";
import { button, make } from "./dom.js";
import { chargeable, charging, copyChosen, nearestEnemy, pieceNames, refusal, removeChosen, renamePiece, renameUnit } from "./edit.js";
import { fieldsOf, keyPath, kindAt, resolved, schemaOf, turnedTo, valueAt, write } from "./fields.js";
import { say } from "./language.js";
import { thingGroup } from "./scene.js";

const REDRAW = ["scenario", "selection"];
const OF_SCENARIO = ["title", "note", "source", "board", "accuracy"];
let page;
let schema = null;
let subject = { kind: "scenario" }; // the subject of the form
let controls = [];
let prunable = new Set(); // paths of tables that may be left empty
let shape = ""; // structure for which the controls were made
let faults = [];
let typing = 0; // number of focused fields so far: the text typed in one is one entry of the history
let ending = null; // ends picking on the table

/** Set up the form: load the schema once, and follow the selection. */
export function start(parts) {
  page = parts;
  const place = document.getElementById("forms");
  place.addEventListener("focusin", explain);
  place.addEventListener("pointerover", explain);
  for (const event of REDRAW) page.store.on(event, (value) => follow(event, value));
  page.store.on("table", (table) => tell(faultsOf(table)));
  page.store.on("answer", (answer) => answer?.refused && !faultsOf(page.store.table).length && tell(faultsOf(answer)));
  document.addEventListener("panel", (event) => event.detail === "edit" && draw());
  readSchema().catch((error) => page.panels.tell(say`The form could not be made: ${error.sentence ?? error.message}`, { kind: "warning" }));
}

async function readSchema() {
  await wanted();
  schema = await page.api.read("schema");
  draw();
}

/** Wait for the first ruling, or until editing begins: earlier requests would delay the first picture. */
function wanted() {
  return new Promise((done) => {
    const end = page.store.on("answer", () => {
      end();
      done();
    });
    document.addEventListener("panel", (event) => event.detail === "edit" && done());
  });
}

/** Open the form of something, or of a part of the scenario: {kind: "unit", name}, {kind: "terrain", index}, {kind: "charges"} and so on. */
export function edit(what) {
  subject = what;
  if (isThing(what)) page.store.select(what);
  page.panels.show("edit");
  draw();
}

/** Add a charge of the selected or first unit at the nearest enemy, and open its form. */
export function declare() {
  const charge = freshCharge();
  page.store.change((draft) => {
    draft.charges = [...(draft.charges ?? []), charge];
  }, say`${charge.charger} charges`);
  edit({ kind: "charges" });
}

/** Return the faults of an answer, whether or not the table could be built. */
function faultsOf(answer) {
  const refused = answer?.refused;
  if (!refused) return answer?.faults ?? [];
  return refused.faults?.length ? refused.faults : [{ key: refused.key ?? "", message: refused.sentence }];
}

function tell(found) {
  faults = found;
  mark();
}

function follow(event, chosen) {
  if (event === "selection" && isPicking()) return;
  if (event === "selection" && chosen) subject = { ...chosen };
  if (event === "selection" && !chosen && isThing(subject)) subject = { kind: "scenario" };
  draw();
}

const isThing = ({ kind }) => kind === "unit" || kind === "terrain" || kind === "ghost";

function draw() {
  const place = document.getElementById("forms");
  if (!schema || !page.store.scenario || place.closest("[hidden]")) return;
  if (isThing(subject) && !exists(subject)) subject = { kind: "scenario" };
  const next = shapeNow();
  if (next === shape) {
    for (const one of controls) one.show();
    place.querySelector("#form-name")?.refresh?.();
  } else {
    shape = next;
    keepingFocus(place, () => build(place));
  }
  mark();
}

function exists({ kind, name, index }) {
  const scenario = page.store.scenario;
  if (kind === "unit") return name in (scenario.units ?? {});
  if (kind === "ghost") return name in (scenario.proposal?.units ?? {});
  return index < (scenario.terrain ?? []).length;
}

/** Return the structure that determines the controls, without their values. */
function shapeNow() {
  const scenario = page.store.scenario;
  const names = [Object.keys(scenario.units ?? {}), pieceNames(scenario.terrain)];
  const told = subject.kind === "charges" ? (scenario.charges ?? []).map((one, index) => [chargeWords(one), targetsOf(index)]) : null;
  return JSON.stringify([subject, names, scenario.system, outline(valueAt(scenario, pathOf(subject))), told]);
}

function outline(value) {
  if (Array.isArray(value)) return value.some((one) => typeof one === "object" && !Array.isArray(one)) ? value.map(outline) : "list";
  if (value === null || typeof value !== "object") return "one";
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => typeof inner === "object")
      .map(([key, inner]) => [key, outline(inner)]),
  );
}

function pathOf({ kind, name, index }) {
  return (
    { unit: ["units", name], ghost: ["proposal", "units", name], terrain: ["terrain", index], charges: ["charges"], rules: ["rules"] }[
      kind
    ] ?? []
  );
}

function nodeOf({ kind, name }) {
  const { scenario } = page.store;
  const { properties } = schemaOf(schema, scenario.system);
  const unit = () => kindAt(schema, properties.units.additionalProperties, scenario.units[name]);
  const claimed = () => {
    const node = resolved(schema, properties.proposal.anyOf[0]).properties.units.additionalProperties;
    return (node.anyOf ?? []).map((one) => resolved(schema, one)).find((one) => "order" in one.properties !== "files" in unit().properties) ?? node;
  };
  return {
    unit,
    ghost: claimed,
    terrain: () => properties.terrain.items,
    rules: () => properties.rules,
  }[kind]?.();
}

function build(place) {
  controls = [];
  prunable = new Set();
  const path = pathOf(subject);
  let parts;
  if (subject.kind === "scenario") {
    const fields = fieldsOf(schema, schemaOf(schema, page.store.scenario.system));
    parts = tableControls(
      form,
      OF_SCENARIO.map((key) => fields.find((field) => field.key === key)),
      [],
    );
  } else if (subject.kind === "charges") {
    const field = fieldsOf(schema, schemaOf(schema, page.store.scenario.system)).find((one) => one.key === "charges");
    parts = [control(form, field, path)];
  } else {
    if (subject.kind === "rules") form.mayEmpty(path);
    parts = tableControls(
      form,
      fieldsOf(schema, nodeOf(subject)).filter((field) => !(subject.kind === "terrain" && field.key === "name")),
      path,
    );
  }
  place.replaceChildren(
    chooser(),
    isThing(subject) && subject.kind !== "ghost" ? header() : "",
    make("div", { id: "form-elsewhere", class: "elsewhere", hidden: true }),
    make("form", { id: "form-fields", "data-key": keyPath(path), onsubmit: (event) => event.preventDefault() }, parts),
    make("p", { id: "form-meaning", class: "meaning", "aria-hidden": "true" }, say`Choose a field to read what it means.`),
  );
}

/** Return the list of all editable subjects. */
function chooser() {
  const scenario = page.store.scenario;
  const options = [
    [
      "",
      [
        [{ kind: "scenario" }, say`Title, board, notes`],
        [{ kind: "charges" }, say`Charges (${(scenario.charges ?? []).length})`],
        [{ kind: "rules" }, say`How the rules are read`],
      ],
    ],
    [say`Units`, Object.keys(scenario.units ?? {}).map((name) => [{ kind: "unit", name }, name])],
    [say`Terrain`, pieceNames(scenario.terrain).map((name, index) => [{ kind: "terrain", index }, name])],
    [say`Claimed places`, Object.keys(scenario.proposal?.units ?? {}).map((name) => [{ kind: "ghost", name }, say`${name}, as claimed`])],
  ];
  const pick = make(
    "select",
    { id: "form-subject", onchange: () => edit(JSON.parse(pick.value)) },
    options
      .filter(([, list]) => list.length)
      .map(([words, list]) => {
        const made = list.map(([what, label]) => make("option", { value: JSON.stringify(what), selected: isSameSubject(what, subject) }, label));
        return words ? make("optgroup", { label: words }, made) : made;
      }),
  );
  return make("div", { class: "subject" }, make("label", { for: "form-subject" }, say`Edit`), pick);
}

/** Return the controls to rename, copy and remove the subject. */
function header() {
  const own = subject;
  const now = () => (subject.kind === "unit" ? subject.name : (page.store.scenario.terrain[subject.index].name ?? ""));
  const implied = subject.kind === "terrain" ? pieceNames(page.store.scenario.terrain)[subject.index] : "";
  const input = make("input", {
    id: "form-name",
    type: "text",
    value: now(),
    placeholder: implied,
    autocomplete: "off",
    maxLength: 80,
    "aria-describedby": "form-name-fault",
  });
  const field = make(
    "div",
    { class: "field name", "data-key": `${keyPath(pathOf(subject))}.name` },
    make("label", { for: "form-name" }, say`Name`),
    input,
    make("p", { id: "form-name-fault", class: "fault", hidden: true }),
  );
  const put = () => {
    if (!isSameSubject(own, subject)) return undefined; // its form is being left
    const wanted = input.value.trim();
    if (wanted === now()) return refuse(input, null);
    const why = subject.kind === "terrain" && !wanted ? null : refusal(page.store.scenario, wanted, now());
    refuse(input, why); // as invalid input, which stays until it is corrected
    if (why) return undefined;
    rename(wanted);
    return undefined;
  };
  input.addEventListener("change", put);
  input.addEventListener("keydown", (event) => event.key === "Enter" && put());
  input.refresh = () => {
    if (document.activeElement !== input && input.value !== now() && !input.getAttribute("aria-invalid")) input.value = now();
  };
  return make(
    "div",
    { class: "head" },
    field,
    make(
      "div",
      { class: "acts" },
      button(say`Copy`, () => copyChosen(page), { class: "small" }),
      button(say`Remove`, () => removeChosen(page), { class: "small" }),
    ),
  );
}

function rename(wanted) {
  const { kind, name, index } = subject;
  page.store.change(
    (draft) => (kind === "unit" ? renameUnit(draft, name, wanted) : renamePiece(draft, index, wanted)),
    wanted ? say`Rename to ${wanted}` : say`Rename to nothing`,
  );
  if (kind === "unit") page.store.select({ kind, name: wanted });
}

/** Return the form object to which the controls are bound. */
const form = {
  value: (path) => valueAt(page.store.scenario, path),
  add: (one) => controls.push(one),
  isTyped: (input) => document.activeElement === input,
  mayEmpty: (path) => prunable.add(keyPath(path)),
  names: (key, path) => namesFor(key, path),
  titleOf: (path, value, index) =>
    path[0] === "charges" ? chargeWords(value) : (value.name ?? say`Model ${index + 1}`),
  fresh: (path) => (path[0] === "charges" && path.length === 1 ? freshCharge() : path.at(-1) === "models" ? freshModel(path) : undefined),
  extras: (path, index) => (path[0] === "charges" && path.length === 1 ? pickers(index) : null),
  set(path, value, field) {
    const isOther = path[0] === "charges" && path[2] === "charger";
    page.store.change(
      (draft) => {
        if (isOther) draft.charges[path[1]] = charging(page, draft.charges[path[1]], value);
        else write(draft, path, value, field?.isRequired ? undefined : field?.fallback, (outer) => !prunable.has(keyPath(outer)));
      },
      say`Change ${field?.name ?? keyPath(path)}`,
      { merge: `form ${keyPath(path)} ${typing}` },
    );
  },
  turn(path, group, from, to) {
    const fields = fieldsOf(schema, nodeOf(subject));
    page.store.change(
      (draft) => turnedTo(valueAt(draft, path), group, from, to, innermost(fields, path), known(path)),
      `${group.words}: ${to.words}`,
    );
  },
};

function innermost(fields, path) {
  return path
    .slice(pathOf(subject).length)
    .reduce((inner, key) => (typeof key === "number" ? inner : inner.find((field) => field.key === key).fields), fields);
}

/** Return a unit's coordinates from the page's table, for use when its placement changes. */
function known(path) {
  const name = path[0] === "units" ? path[1] : path[0] === "proposal" ? path[2] : null;
  const place = page.store.table?.places?.[name];
  const number = path.indexOf("models") > 0 ? path[path.indexOf("models") + 1] : -1;
  const models = place?.models?.map((model) => model.at);
  return { place, models, model: models?.[number], other: Object.keys(page.store.scenario.units).find((one) => one !== name) };
}

/** Return the names that a key may refer to. */
function namesFor(key, path) {
  const all = Object.keys(page.store.scenario.units ?? {});
  if (key === "targets") return targetsOf(path[1]);
  return key === "unit" ? all.filter((name) => !path.includes(name)) : all;
}

/** Return possible targets of a charge, including those in the file. */
function targetsOf(index) {
  const { charger, targets = [] } = page.store.scenario.charges[index];
  return [...new Set([...chargeable(page.store.scenario, charger), ...targets])];
}

const chargeWords = ({ charger, targets }) => say`${charger || "?"} charges ${(targets ?? []).join(", ") || "?"}`;

function freshCharge() {
  const { selection, scenario } = page.store;
  return charging(page, {}, selection?.kind === "unit" ? selection.name : (Object.keys(scenario.units ?? {})[0] ?? ""));
}

function freshModel(path) {
  const models = valueAt(page.store.scenario, path) ?? [];
  const last = models.at(-1)?.at ?? known([...path, models.length - 1]).model ?? [0, 0];
  return { at: [last[0] + 2, last[1]] };
}

/** Display the meaning of the hovered or focused field below the form. */
function explain(event) {
  const isTyping = document.activeElement?.closest("#forms [data-meaning]");
  if (event.type === "pointerover" && isTyping) return; // the focused field takes precedence
  const field = event.target.closest?.("[data-meaning]");
  const place = document.getElementById("form-meaning");
  if (event.type === "focusin" && event.target.matches("input, textarea, select")) {
    typing += 1;
    page.store.seal?.();
  }
  if (!field || !place) return;
  place.replaceChildren(make("code", {}, field.dataset.name), ` ${field.dataset.meaning}`);
}

/** Display the server's faults at their fields or above the form. */
function mark() {
  placeFaults(document.getElementById("forms"), faults, page.store.scenario, subject, edit);
}

/** Rebuild the form and restore the focus. */
function keepingFocus(place, fill) {
  const input = document.activeElement;
  const had = place.contains(input);
  const field = had ? input.closest("[data-key]") : null;
  const index = field ? [...field.querySelectorAll("input, select, textarea, button, summary")].indexOf(input) : -1;
  const kept = field && { key: field.dataset.key, index, text: input.value, from: input.selectionStart, to: input.selectionEnd };
  const open = new Map([...place.querySelectorAll("details[data-part]")].map((one) => [one.dataset.part, one.open]));
  fill();
  for (const part of place.querySelectorAll("details[data-part]")) if (open.get(part.dataset.part)) part.open = true;
  if (!had) return;
  const again = kept && [...place.querySelectorAll("[data-key]")].find((one) => one.dataset.key === kept.key);
  const within = [...(again?.querySelectorAll("input, select, textarea, button, summary") ?? [])];
  const target = within[kept?.index];
  if (!target) {
    (within.at(-1) ?? document.getElementById("form-subject")).focus();
    return;
  }
  target.focus();
  if (typeof kept.from === "number" && target.type === "text") {
    target.value = kept.text;
    target.setSelectionRange(kept.from, kept.to);
  }
}

/** Return the buttons that pick or swap charger and target. */
function pickers(index) {
  const { charger, targets = [] } = page.store.scenario.charges[index];
  const [other] = targets;
  const swap = () => page.store.change((draft) => {
    draft.charges[index] = charging(page, { ...draft.charges[index], targets: [charger] }, other);
  }, say`${other} charges`);
  return [
    button(say`Pick the charger on the table`, () => pickOnTable(index, "charger"), { class: "small" }),
    button(say`Pick a target on the table`, () => pickOnTable(index, "targets"), { class: "small" }),
    button(say`Swap charger and target`, swap, { class: "small", disabled: !(other in page.store.scenario.units) }),
  ];
}

/** Pick a unit's target on the table; with Shift, toggle an additional target. Pressing Charge or the charger again ends it. */
export function charge(charger) {
  if (ending) {
    ending();
    return;
  }
  const { store, panels } = page;
  const isByKeys = document.activeElement.matches("#place :focus-visible");
  pick(say`Choose the target of ${charger} on the table; hold Shift to add another.`, (name, isMore) => {
    if (name === charger) return true;
    if (!chargeable(store.scenario, charger).includes(name)) {
      panels.tell(say`${charger} cannot charge ${name}: choose an enemy.`, { kind: "warning" });
      return false;
    }
    store.change((draft) => {
      draft.charges ??= [];
      const own = draft.charges.findIndex((one) => one.charger === charger);
      const before = draft.charges[own] ?? {};
      const targets = isMore ? toggled(before.targets ?? [], name) : [name];
      draft.charges[own < 0 ? draft.charges.length : own] = charging(page, { ...before, targets }, charger);
    }, say`${charger} charges ${name}`);
    return true;
  });
  if (isByKeys) thingGroup({ kind: "unit", name: nearestEnemy(page, charger) })?.focus(); // Enter charges it, Tab goes to others
}

/** Pick the charger ("charger") or a target ("targets") of a charge on the table. */
function pickOnTable(index, key) {
  const { store } = page;
  const words =
    key === "charger"
      ? say`Choose the unit that charges, on the table or in the list of units.`
      : say`Choose its target on the table or in the list of units; choosing a target again removes it.`;
  pick(words, (name) => {
    store.change((draft) => assign(draft.charges, index, key, name), key === "charger" ? say`${name} charges` : say`Charge ${name}`);
    return true;
  });
  store.select(null);
}

/** Pick something on the table; `take` gets its name and whether Shift was held, and returns whether it is valid. The selection is restored. */
function pick(words, take) {
  const { store, panels } = page;
  ending?.();
  panels.tell(words, { kind: "warning" });
  document.getElementById("table").classList.add("picking");
  const before = store.selection;
  let isTaking = false;
  let isMore = false;
  const hear = (event) => {
    isMore = event.shiftKey;
    if (event.key !== "Escape") return;
    event.stopPropagation(); // the charger stays chosen
    ending();
  };
  const stop = [
    store.on("chosen", (chosen) => {
      const name =
        chosen?.kind === "unit" ? chosen.name : chosen?.kind === "terrain" ? pieceNames(store.scenario.terrain)[chosen.index] : null;
      if (name === null || isTaking) return;
      isTaking = true;
      const isTaken = take(name, isMore);
      store.select(before);
      isTaking = false;
      if (isTaken) ending();
    }),
    ...["keydown", "pointerdown"].map((event) => listen(document, event, hear)),
  ];
  ending = () => {
    ending = null;
    for (const one of stop) one();
    document.getElementById("table").classList.remove("picking");
    panels.hush("warning");
  };
}

/** Return whether a choice on the table is currently a pick for a charge. */
const isPicking = () => ending !== null;

function assign(charges, index, key, name) {
  if (key === "charger") charges[index] = charging(page, charges[index], name);
  else charges[index].targets = toggled(charges[index].targets, name);
}

const toggled = (list, one) => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one]);

function listen(target, event, fn) {
  target.addEventListener(event, fn, true);
  return () => target.removeEventListener(event, fn, true);
}
