// Keys that exclude each other: a shape is a circle, a rectangle or a polygon; a place is told by numbers or by who stands there. Pure.

import { boxOf } from "./spots.js";

const GROUPS = [
  {
    name: "shape",
    words: "Shape",
    ways: [
      { keys: ["circle"], words: "circle" },
      { keys: ["rectangle"], words: "rectangle" },
      { keys: ["polygon"], words: "polygon" },
    ],
  },
  {
    name: "place",
    words: "Stands",
    ways: [
      { keys: ["at", "facing_deg"], words: "at a place" },
      { keys: ["flush_on"], words: "flush on a facing of another" },
      { keys: ["beside"], words: "beside another" },
      { keys: ["ahead_of"], words: "ahead of another" },
    ],
  },
  {
    name: "model",
    words: "Stands",
    ways: [
      { keys: ["at"], words: "at a place" },
      { keys: ["touching"], words: "touching others" },
      { keys: ["near"], words: "near another" },
    ],
  },
  {
    name: "models",
    words: "Models",
    ways: [
      { keys: ["at"], words: "all alike" },
      { keys: ["models"], words: "told one by one" },
    ],
  },
];

/** Return the groups of keys of which a table has one only, as far as its fields have them. */
export function groupsOf(fields) {
  const known = new Map(fields.map((field) => [field.key, field.kind]));
  const has = (key) => (key === "models" ? known.get(key) === "tables" : known.has(key));
  return GROUPS.filter((group) => group.ways.every((way) => way.keys.every(has)));
}

/** Return a first value of a field that must have one. */
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
 * Take one way of a group out of a table and put another in, which says as much the same as it can. `known` has what the table of the page
 * tells: `place` of the unit ({at, facing_deg}), `other`, the name of a unit that it may stand by.
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

/** A shape of another kind about the same middle. */
function shaped(key, { circle, rectangle, polygon }) {
  const [west, south, east, north] = circle
    ? [
        circle.centre[0] - circle.radius,
        circle.centre[1] - circle.radius,
        circle.centre[0] + circle.radius,
        circle.centre[1] + circle.radius,
      ]
    : boxOf(polygon ?? cornersOf(rectangle));
  const centre = [round((west + east) / 2), round((south + north) / 2)];
  if (key === "circle") return { circle: { centre, radius: round(Math.min(east - west, north - south) / 2) } };
  if (key === "rectangle") return { rectangle: { centre, width: round(east - west), depth: round(north - south) } };
  return { polygon: rectangle ? cornersOf(rectangle) : cornersOf({ centre, width: east - west, depth: north - south }) };
}

function cornersOf({ centre: [x, y], width, depth, angle_deg: angle = 0 }) {
  const [c, s] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([a, b]) => {
    const [u, v] = [(a * width) / 2, (b * depth) / 2];
    return [round(x + u * c - v * s), round(y + u * s + v * c)];
  });
}

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
