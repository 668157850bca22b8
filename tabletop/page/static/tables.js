// Controls of tables: keys side by side, tables in tables, lists of tables, tables by name, and keys that exclude each other.
// `form` is that of controls.js, and has turn(path, group, from, to), mayEmpty(path), titleOf, fresh and extras for lists of tables.

import { choice, choices, flag, idsOf, point, row, typed } from "./controls.js";
import { button, el, freshId } from "./elements.js";
import { groupsOf, startOf } from "./exclusive.js";
import { keyPath, valueAt, wordsOf } from "./fields.js";

const NAMES = new Set(["charger", "unit", "near"]);

/** Return the controls of the fields of a table, keys that exclude each other under one choice. */
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

const FIRST = ["charger", "targets", "dice", "kind", "side", "base", "files", "models", "stands", "height", "hull"];

/** What is asked first: what everything of its kind has, then what is needed; how well it was measured comes last. */
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
      return choice(
        form,
        field,
        path,
        field.options.map((option) => [option, wordsOf(String(option))]),
      );
    case "choices":
      return choices(
        form,
        field,
        path,
        field.options.map((option) => [option, wordsOf(String(option))]),
      );
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
function table(form, field, path) {
  const isGiven = form.value(path) !== undefined;
  const isOptional = field.isNullable;
  if (!isOptional) form.mayEmpty(path);
  const inner = isOptional && !isGiven ? [] : tableControls(form, field.fields, path);
  const toggle =
    isOptional &&
    button(isGiven ? "Leave out" : "Give one", () => form.set(path, isGiven ? undefined : startOf(field), field), { class: "small" });
  return section(field, path, [toggle, inner], { isOpen: isGiven || field.isRequired || field.key === "profile" });
}

function section(field, path, parts, { isOpen, words = field.words }) {
  const ids = idsOf();
  const box = row(field, path, ids, [parts], { mark: null });
  const made = el("details", { class: "part", open: isOpen, "data-part": keyPath(path) }, el("summary", {}, words), box);
  return made;
}

function tables(form, field, path) {
  const rows = form.value(path) ?? [];
  const words = field.words.replace(/s$/, "");
  const inner = rows.map((value, index) =>
    el(
      "details",
      { class: "part item", open: rows.length <= 3, "data-part": keyPath([...path, index]) },
      el("summary", {}, form.titleOf?.(path, value, index) ?? `${words} ${index}`),
      el(
        "div",
        { class: "field table", "data-key": keyPath([...path, index]) },
        tableControls(form, field.fields, [...path, index]),
        el("p", { class: "fault", hidden: true }),
      ),
      el(
        "div",
        { class: "acts" },
        form.extras?.(path, index) ?? null,
        button("Remove", () => form.set([...path, index], undefined, { fallback: undefined }), {
          class: "small",
          "aria-label": `Remove ${words.toLowerCase()} ${index}`,
        }),
      ),
    ),
  );
  const add = button(
    `Add ${words.toLowerCase()}`,
    () => form.set([...path, rows.length], form.fresh?.(path) ?? startOf({ kind: "table", fields: field.fields }), field),
    { class: "small" },
  );
  return section(field, path, [inner, add], { isOpen: true });
}

function named(form, field, path) {
  form.mayEmpty(path);
  const entries = Object.keys(form.value(path) ?? {});
  const inner = entries.map((name) =>
    el(
      "div",
      { class: "pair" },
      control(form, { ...field.item, key: name, words: name, meaning: "", isRequired: true }, [...path, name]),
      button("Remove", () => form.set([...path, name], undefined, {}), { class: "small", "aria-label": `Remove ${name}` }),
    ),
  );
  const given = form.names(field.key, path).filter((name) => !entries.includes(name));
  const isOfUnits = field.key === "domino" || field.key === "units";
  const name = isOfUnits
    ? el(
        "select",
        { "aria-label": `${field.words}: for whom` },
        given.map((one) => el("option", { value: one }, one)),
      )
    : el("input", { type: "text", placeholder: "reason", "aria-label": `${field.words}: reason` });
  const add = button(
    "Add",
    () => {
      if (name.value.trim()) form.set([...path, name.value.trim()], startOf(field.item), field);
    },
    { class: "small" },
  );
  return section(field, path, [inner, el("div", { class: "pair" }, name, add)], { isOpen: entries.length > 0 });
}

const KINDS = {
  number: "a number",
  scalar: "a number",
  text: "text",
  table: "in parts",
  list: "one for each",
  points: "one for each",
  fixed: "fixed",
};

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
  const pick = el(
    "select",
    {
      class: "kind",
      "aria-label": `${field.words}: how it is given`,
      onchange: () => form.set(path, turned(field.kinds[Number(pick.value)], value), field),
    },
    field.kinds.map((one, index) => el("option", { value: index, selected: index === Math.max(0, chosen) }, KINDS[one.kind] ?? one.kind)),
  );
  if (inner.tagName === "DETAILS") inner.querySelector("summary").after(pick);
  else inner.querySelector(".put, .axes")?.append(pick);
  return inner;
}

/** A value of another kind that says as much as can be kept. */
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
  const pick = el(
    "select",
    { id, onchange: () => form.turn(path, group, group.ways[chosen], group.ways[Number(pick.value)]) },
    group.ways.map((way, index) => el("option", { value: index, selected: index === chosen }, way.words)),
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
  return el(
    "div",
    { class: "way", role: "group", "aria-label": group.words },
    el("div", { class: "field choice" }, el("label", { for: id }, group.words), pick),
    inner,
  );
}
