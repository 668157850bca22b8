/* Fields of forms, read from the JSON Schema of scenario files; values of a scenario by path and as text; alternative keys. Independent of the
   DOM. A path is a list of keys and numbers such as ["charges", 0, "dice"]. */

import { capital } from "./dom.js";
import { boxOf, cornersOf } from "./edit.js";
import { label, say } from "./language.js";

const KNOWN_WORDS = { cf: "construction factor", mp_left: "MP left", at: "place", for: "keeps out" };

const GROUPS = [
  {
    name: "shape",
    words: say`Shape`,
    ways: [
      { keys: ["circle"], words: say`circle` },
      { keys: ["rectangle"], words: say`rectangle` },
      { keys: ["polygon"], words: say`polygon` },
    ],
  },
  {
    name: "place",
    words: say`Stands`,
    ways: [
      { keys: ["at", "facing_deg"], words: say`at a place` },
      { keys: ["flush_on"], words: say`flush on a facing of another` },
      { keys: ["beside"], words: say`beside another` },
      { keys: ["ahead_of"], words: say`ahead of another` },
    ],
  },
  {
    name: "model",
    words: say`Stands`,
    ways: [
      { keys: ["at"], words: say`at a place` },
      { keys: ["touching"], words: say`touching others` },
      { keys: ["near"], words: say`near another` },
    ],
  },
  {
    name: "models",
    words: say`Models`,
    ways: [
      { keys: ["at"], words: say`all alike` },
      { keys: ["models"], words: say`one by one` },
    ],
  },
];

// --- fields of a schema -----------------------------------------------------------------------------------------------------------------

/** Return the schema that a reference points to, merged with the keys beside the reference. */
export function resolved(schema, node) {
  if (!node.$ref) return node;
  const target = node.$ref
    .split("/")
    .slice(1)
    .reduce((inner, key) => inner[key], schema);
  const { $ref, ...beside } = node;
  return { ...resolved(schema, target), ...beside };
}

/** Return the schema of a game's scenarios out of that of all games. */
export function schemaOf(schema, system) {
  const reference = schema.discriminator?.mapping[system];
  return reference ? resolved(schema, { $ref: reference }) : schema;
}

/**
 * Return the fields of a table of the file, in the order of the schema; `outer` is the key that it is a value of. Each has `key`, `name` (what
 * it is called within a sentence), `words` (the label), `meaning` (its description), `isRequired`, `fallback` (what is meant where it is left
 * out), and of what kind it is:
 *   flag | choice (options) | choices (options) | number (integer, least, most, unit) | text (pattern, longest, example) | scalar
 *   point (axes: least and most) | points | list (item) | table (fields) | tables (fields) | named (item) | either (kinds) | fixed
 */
export function fieldsOf(schema, node, outer = "") {
  const table = resolved(schema, node);
  const required = new Set(table.required ?? []);
  return Object.entries(table.properties ?? {}).map(([key, part]) => {
    const name = label(`${outer}.${key}`, nameOf(key));
    return {
      key,
      name,
      words: capital(name),
      meaning: part.description ?? "",
      isRequired: required.has(key),
      fallback: part.default ?? undefined,
      isNullable: (part.anyOf ?? []).some((one) => one.type === "null"),
      ...kindOf(schema, part, key),
    };
  });
}

/**
 * Return the kind of an entry among several alternatives, by its keys; by default the first.
 */
export function kindAt(schema, node, entry) {
  const whole = resolved(schema, node);
  const kinds = whole.properties ? [whole] : (whole.anyOf ?? [whole]).map((one) => resolved(schema, one));
  const keys = Object.keys(entry ?? {});
  const isWhole = (kind) => keys.every((key) => key in (kind.properties ?? {})) && (kind.required ?? []).every((key) => keys.includes(key));
  return kinds.find(isWhole) ?? kinds[0];
}

/** Return the name of a key within a sentence. */
export function nameOf(key) {
  return label(key, KNOWN_WORDS[key] ?? key.replace(/_(deg|inches)$/, "").replaceAll("_", " "));
}

/** Return the range of the shortest roll; the end is null if perhaps no roll is enough. */
export function rollsOf([least, most]) {
  if (least === null) return say`none`;
  if (most === null) return say`${least}+ or none`;
  if (least === most) return `${least}+`;
  return most === least + 1 ? say`${least} or ${most}` : say`${least} to ${most}`;
}

/** Return the name of a key's value, which may differ from that of the same value of another key; `plain` by default. */
export function valueName(key, value, plain = String(value)) {
  if (typeof value === "boolean") return value ? say`yes` : say`no`;
  return label(`${key}.${value}`, label(String(value), plain));
}

function kindOf(schema, part, key) {
  const node = resolved(schema, part);
  if (node.properties) return soleKind(schema, node, key); // what its `oneOf` says is of keys that exclude each other
  const kinds = alternatives(schema, node).filter((one) => one.type !== "null");
  const told = kinds.map((one) => soleKind(schema, one, key));
  if (told.length === 1) return told[0];
  if (told.every((one) => one.kind === "point")) return pointOf(told);
  const scalars = told.filter((one) => ["number", "text", "fixed"].includes(one.kind));
  const rest = told.filter((one) => !scalars.includes(one));
  const scalar =
    scalars.length > 1
      ? { kind: "scalar", example: scalars.find((one) => one.example !== undefined)?.example, unit: scalars[0].unit }
      : scalars[0];
  if (!rest.length) return scalar;
  return { kind: "either", kinds: [...(scalar ? [scalar] : []), ...rest] };
}

/** Return the alternatives of a schema, flattened; each without examples gets those of the whole. */
function alternatives(schema, node) {
  const parts = node.anyOf ?? node.oneOf;
  if (!parts) return [node];
  const beside = node.examples ? { examples: node.examples } : {};
  return parts.flatMap((one) => alternatives(schema, { ...beside, ...resolved(schema, one) }));
}

function soleKind(schema, node, key) {
  if (node.enum) return { kind: "choice", options: node.enum };
  if ("const" in node) return { kind: "fixed", value: node.const };
  if (node.type === "boolean") return { kind: "flag" };
  if (node.type === "number" || node.type === "integer") return numberOf(node, key);
  if (node.type === "array") return listOf(schema, node, key);
  if (node.type === "object" && node.properties) return { kind: "table", fields: fieldsOf(schema, node, key) };
  if (node.type === "object") return namedOf(schema, node, key);
  return { kind: "text", pattern: node.pattern, longest: node.maxLength, example: node.examples?.[0] };
}

function numberOf(node, key) {
  const unit = /_deg$/.test(key) ? "°" : undefined;
  const least = node.minimum ?? node.exclusiveMinimum;
  return { kind: "number", isWhole: node.type === "integer", least, most: node.maximum, isOpen: "exclusiveMinimum" in node, unit, example: node.examples?.[0] };
}

function listOf(schema, node, key) {
  if (node.prefixItems) return pointOf([{ axes: node.prefixItems.map(() => ({})), fewest: node.prefixItems.length }]);
  const item = kindOf(schema, node.items ?? {}, key);
  if (item.kind === "point") return { kind: "points", fewest: item.fewest, most: item.most };
  if (item.kind === "table") return { kind: "tables", fields: item.fields, longest: node.maxItems };
  if (item.kind === "choice") return { kind: "choices", options: item.options };
  if (item.kind === "fixed") return { kind: "choices", options: [item.value] };
  return { kind: "list", item, longest: node.maxItems };
}

function pointOf(kinds) {
  const counts = kinds.map((one) => one.axes?.length ?? one.most);
  return { kind: "point", fewest: Math.min(...counts), most: Math.max(...counts) };
}

function namedOf(schema, node, key) {
  const inner = node.additionalProperties;
  return typeof inner === "object" ? { kind: "named", item: kindOf(schema, inner, key) } : { kind: "free" };
}

/** Return a sentence on a field's possible values and its default. */
export function limitsOf(field) {
  const parts = [];
  if (field.kind === "number") {
    const number = field.isWhole ? say`a whole number` : say`a number`;
    const { least, most } = field;
    if (least !== undefined && most !== undefined && Math.abs(most) < 10000)
      parts.push(field.isOpen ? say`${number} above ${least} to ${most}` : say`${number} from ${least} to ${most}`);
    else if (least === undefined || least <= -3600) parts.push(number);
    else parts.push(field.isOpen ? say`${number}, above ${least}` : say`${number}, at least ${least}`);
  }
  if (field.example !== undefined) parts.push(say`such as ${String(field.example)}`); // as it is typed
  if (field.fallback !== undefined && !isEmpty(field.fallback)) parts.push(say`left out: ${shownValue(field)}`);
  return parts.length ? `${capital(parts.join("; "))}.` : "";
}

function isEmpty(value) {
  return value === "" || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
}

function shownValue({ key, fallback }) {
  return [fallback].flat().map((value) => valueName(key, value)).join(", ");
}

// --- values of a scenario ---------------------------------------------------------------------------------------------------------------

/** Return a value of a scenario, undefined where there is none. */
export function valueAt(scenario, path) {
  return path.reduce((inner, key) => (inner === undefined || inner === null ? undefined : inner[key]), scenario);
}

/**
 * Store a value in a scenario, creating tables on the way, or remove it if it is undefined or the default. Tables left empty are removed,
 * too, unless `kept`.
 */
export function write(scenario, path, value, fallback, kept = () => false) {
  const isLeftOut = value === undefined || (fallback !== undefined && isEqual(value, fallback));
  const inner = [scenario];
  for (const [index, key] of path.slice(0, -1).entries()) {
    if (inner[index][key] === undefined || inner[index][key] === null) {
      if (isLeftOut) return;
      inner[index][key] = typeof path[index + 1] === "number" ? [] : {};
    }
    inner.push(inner[index][key]);
  }
  const last = path[path.length - 1];
  if (!isLeftOut) inner.at(-1)[last] = value;
  else if (Array.isArray(inner.at(-1))) inner.at(-1).splice(last, 1);
  else delete inner.at(-1)[last];
  if (!isLeftOut) return;
  for (let index = path.length - 2; index >= 0; index -= 1) {
    const table = inner[index + 1];
    if (Array.isArray(table) || Object.keys(table).length || Array.isArray(inner[index]) || kept(path.slice(0, index + 1))) return;
    delete inner[index][path[index]];
  }
}

/** Return whether two plain values are equal. */
function isEqual(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => isEqual(one[key], other[key]));
}

/** Return a path as in messages: `units.'The Guard'.files`, `charges[0].targets[1]`. */
export function keyPath(path) {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${/^[A-Za-z0-9_-]+$/.test(part) ? part : quoted(part)}`))
    .join("")
    .replace(/^\./, "");
}

function quoted(name) {
  const mark = name.includes("'") && !name.includes('"') ? '"' : "'";
  const text = name.replaceAll("\\", "\\\\").replaceAll(mark, `\\${mark}`);
  const whole = mark + text + mark;
  return whole.length <= 60 ? whole : `${whole.slice(0, 57)}...`;
}

/** Return the parts of a scenario on which a map depends, as text: without claims, expectations, notes and dice. */
export function groundOf(scenario) {
  const { proposal, expect, title, note, source, charges = [], ...rest } = scenario;
  return JSON.stringify([rest, charges.map(({ dice, ...charge }) => charge)]);
}

// --- values as text ---------------------------------------------------------------------------------------------------------------------

/** Return the value of a field's text as `{value}` (undefined if empty), or `{fault}` with a message. */
export function parsed(field, text) {
  const word = text.trim();
  if (word === "") return { value: undefined };
  switch (field.kind) {
    case "number":
      return numberFrom(word, field.isWhole);
    case "scalar": {
      const number = Number(word);
      return { value: Number.isFinite(number) ? number : word };
    }
    case "list":
      return listFrom(word, field.item);
    case "points":
      return pointsFrom(word, field);
    default:
      return { value: field.key === "note" || field.key === "source" || field.key === "title" ? text : word };
  }
}

function numberFrom(word, isWhole) {
  if (/^[+-]?\d+,\d+$/.test(word)) return { fault: say`Decimals have a point, not a comma: 10.5.` };
  const number = Number(word);
  if (!Number.isFinite(number)) return { fault: isWhole ? say`Expected a whole number.` : say`Expected a number.` };
  if (isWhole && !Number.isInteger(number)) return { fault: say`Expected a whole number.` };
  return { value: number };
}

function listFrom(text, item) {
  const words = text.split(/[\s,;]+/).filter(Boolean);
  if (item?.kind !== "number")
    return {
      value: text
        .split(/[,;\n]+/)
        .map((word) => word.trim())
        .filter(Boolean),
    };
  const numbers = words.map((word) => numberFrom(word, item.isWhole));
  return numbers.find((one) => one.fault) ?? { value: numbers.map((one) => one.value) };
}

function pointsFrom(text, { fewest, most }) {
  const rows = text
    .split(/\n|;/)
    .map((row) => row.trim())
    .filter(Boolean);
  const points = [];
  for (const [index, row] of rows.entries()) {
    const told = listFrom(row, { kind: "number" });
    const line = index + 1;
    if (told.fault) return { fault: say`Line ${line}: expected numbers such as 12.5, 8.` };
    const count = told.value.length;
    if (count < fewest || count > most) {
      const range = say`Line ${line}: expected ${fewest} or ${most} numbers, given ${count}.`;
      return { fault: fewest === most ? say`Line ${line}: expected ${fewest} numbers, given ${count}.` : range };
    }
    points.push(told.value);
  }
  return { value: points };
}

/** Return a value as the text of a field. */
export function written(field, value) {
  if (value === undefined || value === null) return "";
  if (field.kind === "points") return value.map((point) => point.map(tidy).join(", ")).join("\n");
  if (Array.isArray(value)) return value.map(tidy).join(", ");
  return String(tidy(value));
}

/** Return a number rounded to digits that matter on a table. */
export function tidy(value) {
  return typeof value === "number" ? Number(value.toFixed(6)) : value;
}

// --- alternative keys: a shape is a circle, rectangle or polygon; a place is given by coordinates or by a relation ------------------------

/** Return the groups of alternative keys among a table's fields. */
export function groupsOf(fields) {
  const known = new Map(fields.map((field) => [field.key, field.kind]));
  const has = (key) => (key === "models" ? known.get(key) === "tables" : known.has(key));
  return GROUPS.filter((group) => group.ways.every((way) => way.keys.every(has)));
}

/** Return an initial value of a required field. */
export function startOf(field) {
  switch (field.kind) {
    case "table":
      return Object.fromEntries(field.fields.filter((one) => one.isRequired).map((one) => [one.key, startOf(one)]));
    case "tables":
    case "list":
    case "choices":
    case "points":
      return [];
    case "point":
      return Array(field.fewest).fill(0);
    case "choice":
      return field.fallback ?? field.options[0];
    case "flag":
      return false;
    case "number":
      return field.fallback ?? Math.max(field.isOpen ? 1 : 0, field.least ?? 0);
    case "either":
      return startOf(field.kinds[0]);
    case "fixed":
      return field.value;
    default:
      return field.example ?? "";
  }
}

/**
 * Replace one alternative of a group by another, keeping as much as possible. `known` has the unit's `place` ({at, facing_deg}) and
 * `other`, the name of a unit to which a relation may refer.
 */
export function turnedTo(entry, group, from, to, fields, known) {
  const old = Object.fromEntries(from.keys.map((key) => [key, entry[key]]));
  for (const key of from.keys) delete entry[key];
  const start = () => startOf(fields.find((field) => field.key === to.keys[0]));
  if (group.name === "shape") Object.assign(entry, shaped(to.keys[0], old));
  else if (group.name === "models") Object.assign(entry, to.keys[0] === "models" ? single(old.at, entry) : alike(old.models, known));
  else if (group.name === "model")
    Object.assign(entry, to.keys[0] === "at" ? { at: known.model ?? [0, 0] } : { [to.keys[0]]: `${known.other ?? ""}.0` });
  else if (to.keys[0] === "at") Object.assign(entry, { at: known.place?.at ?? [0, 0], facing_deg: known.place?.facing_deg ?? 90 });
  else entry[to.keys[0]] = { ...start(), unit: known.other ?? "" };
}

/** Return a shape of another kind with the same centre. */
function shaped(key, { circle, rectangle, polygon }) {
  const [west, south, east, north] = circle
    ? [
        circle.centre[0] - circle.radius,
        circle.centre[1] - circle.radius,
        circle.centre[0] + circle.radius,
        circle.centre[1] + circle.radius,
      ]
    : boxOf(polygon ?? roundedCorners(rectangle));
  const centre = [round((west + east) / 2), round((south + north) / 2)];
  if (key === "circle") return { circle: { centre, radius: round(Math.min(east - west, north - south) / 2) } };
  if (key === "rectangle") return { rectangle: { centre, width: round(east - west), depth: round(north - south) } };
  return { polygon: roundedCorners(rectangle ?? { centre, width: east - west, depth: north - south }) };
}

const roundedCorners = (rectangle) => cornersOf(rectangle).map((corner) => corner.map(round));

function single(at, entry) {
  const facings = Array.isArray(entry.facing_deg) ? entry.facing_deg : null;
  if (facings) delete entry.facing_deg;
  return { models: (at ?? []).map((place, index) => ({ at: place, ...(facings ? { facing_deg: facings[index] } : {}) })) };
}

function alike(models, known) {
  return { at: (models ?? []).map((model, index) => model.at ?? known.models?.[index] ?? [0, 0]) };
}

function round(value) {
  return Math.round(value * 1e6) / 1e6;
}
