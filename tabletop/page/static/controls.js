/* Controls of the form: one for each kind of field (fields.js), bound to a path of the scenario, with the faults of its key. What
   is typed is stored at once if it is valid; invalid text stays in the field with a message.

   `form` is what a control is bound to: value(path), set(path, value, field), names(key, path), add(control) to have it refreshed,
   isTyped(input) whether somebody types there now; for tables turn(path, group, from, to) and mayEmpty(path); for lists of tables titleOf, fresh
   and extras. */

import { button, capital, freshId, make } from "./dom.js";
import { groupsOf, keyPath, limitsOf, nameOf, parsed, startOf, tidy, valueAt, valueName, written } from "./fields.js";
import { say } from "./language.js";

const NAMES = new Set(["charger", "unit", "near"]);
const FIRST = ["charger", "targets", "dice", "kind", "side", "base", "files", "models", "stands", "height", "hull"];

const KINDS = {
  number: say`a number`,
  scalar: say`a number`,
  text: say`text`,
  table: say`in parts`,
  list: say`one for each`,
  points: say`one for each`,
  fixed: say`fixed`,
};
const ONE_OF = { charges: say`charge`, models: say`model` };

/** Return the controls of a table's fields; alternative keys are grouped under one choice. */
export function tableControls(form, fields, path) {
  const groups = groupsOf(fields);
  const grouped = new Set(groups.flatMap((group) => group.ways.flatMap((way) => way.keys)));
  const single = fields
    .filter((field) => !grouped.has(field.key) && field.kind !== "fixed" && field.kind !== "free")
    .sort((one, other) => rank(one) - rank(other));
  const isPlain = (field) => !["table", "tables", "named"].includes(field.kind);
  return [
    ...single.filter(isPlain).map((field) => control(form, field, [...path, field.key])),
    ...groups.map((group) => groupControl(form, group, fields, path)),
    ...single.filter((field) => !isPlain(field)).map((field) => control(form, field, [...path, field.key])),
  ];
}

/** Rank of a field in the form: common keys first, then required ones, accuracy last. */
function rank(field) {
  const place = FIRST.indexOf(field.key);
  if (place >= 0) return place;
  if (field.key === "accuracy") return 100;
  return field.isRequired ? 50 : 60;
}

/** Return the control of one field. */
export function control(form, field, path) {
  switch (field.kind) {
    case "flag":
      return flag(form, field, path);
    case "choice":
      return choice(form, field, path, optionsOf(field));
    case "choices":
      return choices(form, field, path, optionsOf(field));
    case "point":
      return point(form, field, path);
    case "table":
      return table(form, field, path);
    case "tables":
      return tables(form, field, path);
    case "named":
      return named(form, field, path);
    case "either":
      return either(form, field, path);
    case "list":
      return field.key === "targets"
        ? choices(
            form,
            field,
            path,
            form.names(field.key, path).map((name) => [name, name]),
          )
        : typed(form, field, path);
    default:
      return NAMES.has(field.key) && field.kind === "text"
        ? choice(
            form,
            field,
            path,
            form.names(field.key, path).map((name) => [name, name]),
          )
        : typed(form, field, path);
  }
}

/** Return the possible values of a field with their labels. */
function optionsOf({ key, options }) {
  return options.map((option) => [option, capital(valueName(key, option, nameOf(String(option))))]);
}

// --- plain fields -----------------------------------------------------------------------------------------------------------------------

function typed(form, field, path) {
  const ids = idsOf();
  const isLong = field.kind === "points" || field.key === "note" || field.key === "source";
  const fallback = field.fallback === undefined || field.fallback === null ? "" : written(field, field.fallback);
  const input = make(isLong ? "textarea" : "input", {
    ...described(ids),
    ...(isLong ? { rows: field.kind === "points" ? 4 : 3 } : { type: "text" }),
    placeholder: fallback || (field.example === undefined ? "" : String(field.example)),
    ...(field.kind === "number" ? { inputMode: field.isWhole && field.least >= 0 ? "numeric" : "decimal" } : {}),
    autocomplete: "off",
    spellcheck: isLong && field.kind !== "points",
  });
  const put = () => {
    const old = form.value(path);
    const told = parsed(field, input.value);
    refuse(input, told.fault);
    if (!told.fault) form.set(path, kept(field, told.value, old), field);
  };
  input.addEventListener("input", put);
  input.addEventListener("blur", () => show(true));
  if (field.kind === "number") input.addEventListener("keydown", (event) => step(event, input, field, put));
  const show = (isLeft = false) => {
    const value = form.value(path);
    if (input.dataset.refused && !isLeft && form.isTyped(input)) return;
    if (!isLeft && form.isTyped(input) && sameText(field, input.value, value)) return;
    if (isLeft && input.dataset.refused) return;
    const text = written(field, value);
    if (input.value !== text) input.value = text;
    refuse(input, null);
  };
  form.add({ input, show });
  show();
  return row(field, path, ids, [make("span", { class: "put" }, input, field.unit && make("span", { class: "unit" }, field.unit))]);
}

/** Keep hidden digits of points whose shown digits did not change. */
function kept(field, value, old) {
  if (field.kind !== "points" || !Array.isArray(old) || !value) return value;
  return value.map((point, index) => (String(point) === String(old[index]?.map?.(tidy)) ? [...old[index]] : point));
}

function sameText(field, text, value) {
  const told = parsed(field, text);
  return (
    !told.fault &&
    JSON.stringify(told.value) === JSON.stringify(value === undefined ? undefined : parsed(field, written(field, value)).value)
  );
}

function step(event, input, field, put) {
  if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
  event.preventDefault();
  const size = field.isWhole ? 1 : event.shiftKey ? 1 : 0.1;
  const start = input.value.trim() === "" ? Number(field.fallback ?? field.least ?? 0) : Number(input.value);
  if (!Number.isFinite(start)) return;
  const next = tidy(start + (event.key === "ArrowUp" ? size : -size));
  input.value = String(Math.min(field.most ?? Infinity, Math.max(field.least ?? -Infinity, next)));
  put();
}

function flag(form, field, path) {
  const ids = idsOf();
  const input = make("input", { ...described(ids), type: "checkbox", onchange: () => form.set(path, input.checked, field) });
  const show = () => {
    input.checked = form.value(path) ?? field.fallback ?? false;
  };
  form.add({ input, show });
  show();
  return row(field, path, ids, [make("label", { for: ids.input, class: "tick" }, input, field.words)], { mark: null });
}

function choice(form, field, path, options) {
  const ids = idsOf();
  const usual = field.fallback === undefined ? [] : [String(field.fallback)];
  const input = make("select", {
    ...described(ids),
    onchange: () => form.set(path, options.find(([option]) => String(option) === input.value)?.[0], field),
  });
  const show = () => {
    const value = form.value(path) ?? field.fallback;
    const isKnown = value === undefined || options.some(([option]) => option === value);
    const all = [
      ...(value === undefined || (!field.isRequired && !usual.length) ? [["", field.isRequired ? say`choose` : say`left out`]] : []),
      ...options.map(([option, words]) => [String(option), usual.includes(String(option)) ? say`${words} (usual)` : words]),
      ...(isKnown ? [] : [[String(value), String(value)]]),
    ];
    if (input.dataset.all !== JSON.stringify(all)) {
      input.dataset.all = JSON.stringify(all);
      input.replaceChildren(...all.map(([option, words]) => make("option", { value: option }, words)));
    }
    input.value = value === undefined ? "" : String(value);
  };
  form.add({ input, show });
  show();
  return row(field, path, ids, [input]);
}

function choices(form, field, path, options) {
  const ids = idsOf();
  const boxes = options.map(([option, words]) => {
    const box = make("input", { type: "checkbox", value: String(option), "aria-describedby": `${ids.meaning} ${ids.fault}` });
    box.addEventListener("change", () => {
      const before = form.value(path) ?? field.fallback ?? [];
      const chosen = box.checked ? [...before.filter((one) => one !== option), option] : before.filter((one) => one !== option);
      form.set(path, chosen.length || field.fallback?.length ? chosen : field.isRequired ? [] : undefined, field);
    });
    return [box, make("label", { class: "tick" }, box, words), option];
  });
  const show = () => {
    const value = form.value(path) ?? field.fallback ?? [];
    for (const [box, , option] of boxes) box.checked = value.includes(option);
  };
  form.add({ input: null, show });
  show();
  const empty = boxes.length ? null : make("span", { class: "none" }, say`nothing to choose from`);
  return row(
    field,
    path,
    ids,
    [
      make(
        "div",
        { class: "ticks" },
        boxes.map(([, label]) => label),
        empty,
      ),
    ],
    { tag: "fieldset", mark: "legend" },
  );
}

function point(form, field, path) {
  const ids = idsOf();
  const axes = ["x", "y", "z"].slice(0, field.most);
  const inputs = axes.map((axis, index) =>
    make("input", {
      type: "text",
      inputMode: "decimal",
      autocomplete: "off",
      id: index === 0 ? ids.input : undefined,
      "aria-label": say`${field.words}, ${axis} in inches`,
      "aria-describedby": `${ids.meaning} ${ids.fault}`,
    }),
  );
  const put = () => {
    const told = inputs.map((input) => parsed({ kind: "number" }, input.value));
    const fault = told.find((one) => one.fault)?.fault;
    refuse(inputs[0], fault);
    const numbers = told.map((one) => one.value);
    while (numbers.length > field.fewest && numbers.at(-1) === undefined) numbers.pop();
    if (fault || (numbers.some((one) => one === undefined) && numbers.some((one) => one !== undefined))) return; // half of a place
    const old = form.value(path) ?? [];
    const exact = numbers.map((number, index) => (number === tidy(old[index]) ? old[index] : number));
    form.set(path, exact.every((one) => one === undefined) ? undefined : exact, field);
  };
  const show = () => {
    const value = form.value(path) ?? [];
    inputs.forEach((input, index) => {
      const text = value[index] === undefined ? "" : String(tidy(value[index]));
      const isSame = form.isTyped(input) && (Number(input.value) === tidy(value[index]) || input.value.trim() === "");
      if (!isSame && input.value !== text) input.value = text;
    });
  };
  for (const input of inputs) {
    input.addEventListener("input", put);
    input.addEventListener("keydown", (event) => step(event, input, {}, put));
    input.addEventListener("blur", show);
  }
  form.add({ input: inputs[0], show });
  show();
  const labelled = inputs.map((input, index) =>
    make("span", { class: "axis" }, make("span", { class: "unit", "aria-hidden": "true" }, axes[index]), input),
  );
  return row(
    field,
    path,
    ids,
    [make("div", { class: "axes", role: "group", "aria-label": field.words }, labelled, make("span", { class: "unit" }, say`in`))],
    { mark: "span" },
  );
}

/** Return the row of a field: label, input, description for screen readers, and place for an error. */
function row(field, path, ids, parts, { tag = "div", mark = "label" } = {}) {
  const told = [field.meaning, limitsOf(field)].filter(Boolean).join(" ");
  const label = field.isRequired ? [field.words, make("span", { class: "needed", title: say`needed` }, " *")] : [field.words];
  return make(
    tag,
    { class: `field ${field.kind}`, "data-key": keyPath(path), "data-meaning": told, "data-name": field.key },
    mark && make(mark, mark === "label" ? { for: ids.input } : {}, label),
    parts,
    make("p", { id: ids.meaning, class: "unseen" }, told),
    make("p", { id: ids.fault, class: "fault", hidden: true }),
  );
}

function idsOf() {
  const stem = freshId("field");
  return { input: stem, meaning: `${stem}-meaning`, fault: `${stem}-fault` };
}

const described = (ids) => ({ id: ids.input, "aria-describedby": `${ids.meaning} ${ids.fault}` });

// --- tables in tables, lists of tables, tables by name, and keys that exclude each other ------------------------------------------------

function table(form, field, path) {
  const isGiven = form.value(path) !== undefined;
  const isOptional = field.isNullable;
  if (!isOptional) form.mayEmpty(path);
  const inner = isOptional && !isGiven ? [] : tableControls(form, field.fields, path);
  const toggle =
    isOptional &&
    button(isGiven ? say`Leave out` : say`Give one`, () => form.set(path, isGiven ? undefined : startOf(field), field), { class: "small" });
  return section(field, path, [toggle, inner], { isOpen: isGiven || field.isRequired || field.key === "profile" });
}

function section(field, path, parts, { isOpen, words = field.words }) {
  const ids = idsOf();
  const box = row(field, path, ids, [parts], { mark: null });
  const made = make("details", { class: "part", open: isOpen, "data-part": keyPath(path) }, make("summary", {}, words), box);
  return made;
}

function tables(form, field, path) {
  const rows = form.value(path) ?? [];
  const one = ONE_OF[field.key];
  const inner = rows.map((value, index) =>
    make(
      "details",
      { class: "part item", open: rows.length <= 3, "data-part": keyPath([...path, index]) },
      make("summary", {}, form.titleOf(path, value, index)),
      make(
        "div",
        { class: "field table", "data-key": keyPath([...path, index]) },
        tableControls(form, field.fields, [...path, index]),
        make("p", { class: "fault", hidden: true }),
      ),
      make(
        "div",
        { class: "acts" },
        form.extras?.(path, index) ?? null,
        button(say`Remove`, () => form.set([...path, index], undefined, { fallback: undefined }), {
          class: "small",
          "aria-label": say`Remove ${one} ${index}`,
        }),
      ),
    ),
  );
  const add = button(
    say`Add ${one}`,
    () => form.set([...path, rows.length], form.fresh?.(path) ?? startOf({ kind: "table", fields: field.fields }), field),
    { class: "small" },
  );
  return section(field, path, [inner, add], { isOpen: true });
}

function named(form, field, path) {
  form.mayEmpty(path);
  const entries = Object.keys(form.value(path) ?? {});
  const inner = entries.map((name) =>
    make(
      "div",
      { class: "pair" },
      control(form, { ...field.item, key: name, name, words: name, meaning: "", isRequired: true }, [...path, name]),
      button(say`Remove`, () => form.set([...path, name], undefined, {}), { class: "small", "aria-label": say`Remove ${name}` }),
    ),
  );
  const given = form.names(field.key, path).filter((name) => !entries.includes(name));
  const isOfUnits = field.key === "domino" || field.key === "units";
  const name = isOfUnits
    ? make(
        "select",
        { "aria-label": say`${field.words}: for whom` },
        given.map((one) => make("option", { value: one }, one)),
      )
    : make("input", { type: "text", placeholder: say`reason`, "aria-label": say`${field.words}: reason` });
  const add = button(
    say`Add`,
    () => {
      if (name.value.trim()) form.set([...path, name.value.trim()], startOf(field.item), field);
    },
    { class: "small" },
  );
  return section(field, path, [inner, make("div", { class: "pair" }, name, add)], { isOpen: entries.length > 0 });
}

function either(form, field, path) {
  const value = form.value(path);
  const isOf = (one) =>
    one.kind === "table"
      ? typeof value === "object" && !Array.isArray(value)
      : one.kind === "list"
        ? Array.isArray(value)
        : typeof value !== "object";
  const chosen = field.kinds.findIndex(isOf);
  const inner = control(form, { ...field, ...field.kinds[Math.max(0, chosen)], kinds: undefined }, path);
  const pick = make(
    "select",
    {
      class: "kind",
      "aria-label": say`${field.words}: how it is given`,
      onchange: () => form.set(path, turned(field.kinds[Number(pick.value)], value), field),
    },
    field.kinds.map((one, index) => make("option", { value: index, selected: index === Math.max(0, chosen) }, KINDS[one.kind] ?? one.kind)),
  );
  if (inner.tagName === "DETAILS") inner.querySelector("summary").after(pick);
  else inner.querySelector(".put, .axes")?.append(pick);
  return inner;
}

/** Convert a value to another kind, keeping as much as possible. */
function turned(kind, value) {
  const first = [value].flat()[0];
  if (kind.kind === "list") return typeof first === "number" ? [first] : [];
  if (kind.kind !== "table") return typeof first === "object" && first !== null ? (Object.values(first)[0] ?? 0) : (first ?? 0);
  const start = startOf(kind);
  const main = kind.fields[0]?.key;
  return main && typeof first !== "object" && first !== undefined ? { ...start, [main]: first } : start;
}

function groupControl(form, group, fields, path) {
  const value = valueAt(form.value(path) ?? {}, []);
  const now = group.ways.findIndex((way) => way.keys.some((key) => value[key] !== undefined));
  const chosen = Math.max(0, now);
  const id = freshId("way");
  const pick = make(
    "select",
    { id, onchange: () => form.turn(path, group, group.ways[chosen], group.ways[Number(pick.value)]) },
    group.ways.map((way, index) => make("option", { value: index, selected: index === chosen }, way.words)),
  );
  const isShort = (field) => (field.kind === "number" ? 0 : 1);
  const inner = fields
    .filter((field) => group.ways[chosen].keys.includes(field.key))
    .sort((one, other) => isShort(one) - isShort(other))
    .map((field) => {
      const made = control(form, { ...field, isNullable: false }, [...path, field.key]);
      if (made.tagName === "DETAILS") made.open = true;
      return made;
    });
  return make(
    "div",
    { class: "way", role: "group", "aria-label": group.words },
    make("div", { class: "field choice" }, make("label", { for: id }, group.words), pick),
    inner,
  );
}

// --- faults -----------------------------------------------------------------------------------------------------------------------------

/** Mark a field's input as invalid with a message, or as valid without one. */
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

/** Display a message at a field. */
function showFault(field, sentence) {
  const place = field.querySelector(":scope > .fault");
  place.textContent = sentence;
  place.hidden = false;
  delete place.dataset.own;
  for (const input of inputsOf(field)) input.setAttribute("aria-invalid", "true");
}

/** Remove the message at a field. */
function clearFault(field) {
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

/** Display faults at their fields; those of other subjects above the form, with a link by `go`. */
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
  if (line.dataset.own) return true; // invalid input takes precedence
  showFault(nearest, asSentence(fault.message));
  for (let outer = nearest.closest("details"); outer; outer = outer.parentElement.closest("details")) outer.open = true;
  return true;
}

function isWithin(key, outer) {
  return outer !== "" && (key === outer || key.startsWith(`${outer}.`) || key.startsWith(`${outer}[`));
}

function asSentence(message) {
  const text = capital(message);
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** Return the link to a fault of another subject. */
export function leading(fault, scenario, subject, go) {
  const what = subjectOf(fault.key, scenario);
  const words = fault.key ? `${fault.key}: ${fault.message}` : asSentence(fault.message);
  return make(
    "p",
    { class: "fault" },
    words,
    what && !isSameSubject(what, subject) ? [" ", button(say`Show`, () => go(what), { class: "small" })] : null,
  );
}

function subjectOf(key, { units = {}, terrain = [] }) {
  const unit = Object.keys(units).find((name) => isWithin(key, keyPath(["units", name])));
  if (unit !== undefined) return { kind: "unit", name: unit };
  const piece = terrain.findIndex((_, index) => isWithin(key, `terrain[${index}]`));
  if (piece >= 0) return { kind: "terrain", index: piece };
  return { charges: { kind: "charges" }, rules: { kind: "rules" }, board: { kind: "scenario" } }[key.split(/[.[]/)[0]] ?? null;
}

/** Return whether two subjects of a form are the same. */
export function isSameSubject(one, other) {
  return one.kind === other.kind && one.name === other.name && one.index === other.index;
}
