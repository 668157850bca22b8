// Controls: one for each plain kind of field (fields.js), bound to a path of the scenario. What is typed is written at once if it can be
// read; what cannot be read stays in the field with a sentence.
//
// `form` is what a control is bound to: value(path), set(path, value, field), change(fn, label), names(key, path), add(control) to have it
// refreshed, isTyped(input) whether somebody types there now.

import { el, freshId } from "./elements.js";
import { limitsOf, keyPath, parsed, tidy, wordsOf, written } from "./fields.js";
import { refuse } from "./faults.js";

/** The row of a field: its label, what is put in, its meaning for readers of screens, and the place of what is wrong with it. */
export function row(field, path, ids, parts, { tag = "div", mark = "label" } = {}) {
  const told = [field.meaning, limitsOf(field)].filter(Boolean).join(" ");
  const label = field.isRequired ? [field.words, el("span", { class: "needed", title: "needed" }, " *")] : [field.words];
  return el(
    tag,
    { class: `field ${field.kind}`, "data-key": keyPath(path), "data-meaning": told, "data-name": field.key },
    mark && el(mark, mark === "label" ? { for: ids.input } : {}, label),
    parts,
    el("p", { id: ids.meaning, class: "unseen" }, told),
    el("p", { id: ids.fault, class: "fault", hidden: true }),
  );
}

export function idsOf() {
  const stem = freshId("field");
  return { input: stem, meaning: `${stem}-meaning`, fault: `${stem}-fault` };
}

const described = (ids) => ({ id: ids.input, "aria-describedby": `${ids.meaning} ${ids.fault}` });

export function typed(form, field, path) {
  const ids = idsOf();
  const isLong = field.kind === "points" || field.key === "note" || field.key === "source";
  const fallback = field.fallback === undefined || field.fallback === null ? "" : written(field, field.fallback);
  const input = el(isLong ? "textarea" : "input", {
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
  return row(field, path, ids, [el("span", { class: "put" }, input, field.unit && el("span", { class: "unit" }, field.unit))]);
}
/** Points that look as they did keep the digits that the field does not show. */
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

export function flag(form, field, path) {
  const ids = idsOf();
  const input = el("input", { ...described(ids), type: "checkbox", onchange: () => form.set(path, input.checked, field) });
  const show = () => {
    input.checked = form.value(path) ?? field.fallback ?? false;
  };
  form.add({ input, show });
  show();
  return row(field, path, ids, [el("label", { for: ids.input, class: "tick" }, input, field.words)], { mark: null });
}

export function choice(form, field, path, options) {
  const ids = idsOf();
  const usual = field.fallback === undefined ? [] : [String(field.fallback)];
  const input = el("select", {
    ...described(ids),
    onchange: () => form.set(path, options.find(([option]) => String(option) === input.value)?.[0], field),
  });
  const show = () => {
    const value = form.value(path) ?? field.fallback;
    const isKnown = value === undefined || options.some(([option]) => option === value);
    const all = [
      ...(value === undefined || (!field.isRequired && !usual.length) ? [["", field.isRequired ? "choose" : "left out"]] : []),
      ...options.map(([option, words]) => [String(option), usual.includes(String(option)) ? `${words} (usual)` : words]),
      ...(isKnown ? [] : [[String(value), String(value)]]),
    ];
    if (input.dataset.all !== JSON.stringify(all)) {
      input.dataset.all = JSON.stringify(all);
      input.replaceChildren(...all.map(([option, words]) => el("option", { value: option }, words)));
    }
    input.value = value === undefined ? "" : String(value);
  };
  form.add({ input, show });
  show();
  return row(field, path, ids, [input]);
}

export function choices(form, field, path, options) {
  const ids = idsOf();
  const boxes = options.map(([option, words]) => {
    const box = el("input", { type: "checkbox", value: String(option), "aria-describedby": `${ids.meaning} ${ids.fault}` });
    box.addEventListener("change", () => {
      const before = form.value(path) ?? field.fallback ?? [];
      const chosen = box.checked ? [...before.filter((one) => one !== option), option] : before.filter((one) => one !== option);
      form.set(path, chosen.length || field.fallback?.length ? chosen : field.isRequired ? [] : undefined, field);
    });
    return [box, el("label", { class: "tick" }, box, words), option];
  });
  const show = () => {
    const value = form.value(path) ?? field.fallback ?? [];
    for (const [box, , option] of boxes) box.checked = value.includes(option);
  };
  form.add({ input: null, show });
  show();
  const empty = boxes.length ? null : el("span", { class: "none" }, "nothing to choose from");
  return row(
    field,
    path,
    ids,
    [
      el(
        "div",
        { class: "ticks" },
        boxes.map(([, label]) => label),
        empty,
      ),
    ],
    { tag: "fieldset", mark: "legend" },
  );
}

export function point(form, field, path) {
  const ids = idsOf();
  const axes = ["x", "y", "z"].slice(0, field.most);
  const inputs = axes.map((axis, index) =>
    el("input", {
      type: "text",
      inputMode: "decimal",
      autocomplete: "off",
      id: index === 0 ? ids.input : undefined,
      "aria-label": `${field.words}, ${axis} in inches`,
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
    el("span", { class: "axis" }, el("span", { class: "unit", "aria-hidden": "true" }, axes[index]), input),
  );
  return row(
    field,
    path,
    ids,
    [el("div", { class: "axes", role: "group", "aria-label": field.words }, labelled, el("span", { class: "unit" }, "in"))],
    { mark: "span" },
  );
}
