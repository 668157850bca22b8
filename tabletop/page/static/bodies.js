/* What stands on the table as bodies that things snap to: fronts of regiments, discs of round bases, outlines of all else. */

import { entryOf } from "./places.js";
import { keyOf, known, placeNow, ringsNow } from "./scene.js";

const length = ([ax, ay], [bx, by]) => Math.hypot(bx - ax, by - ay);

/** Give a regiment's front as {at, facing_deg, width, depth}. */
export function bodyOf(name, place) {
  const told = known({ kind: "unit", name });
  if (!told?.front) return null;
  const [ring] = told.rings;
  const width = length(...told.front);
  const heading = (told.facing_deg * Math.PI) / 180;
  const depth = Math.max(...ring.map(([x, y]) => (told.at[0] - x) * Math.cos(heading) + (told.at[1] - y) * Math.sin(heading)));
  return { at: place.at, facing_deg: place.facing_deg, width, depth };
}

const RADIUS = /^\s*([\d.]+)\s*mm\s+round\s*$/iu;
function radiusOf(entry, model) {
  const base = entry?.models?.[model]?.base ?? entry?.base;
  const found = typeof base === "string" ? RADIUS.exec(base) : null;
  return found ? Number(found[1]) / 50.8 : null;
}

/** Give the bodies of loose models of a thing at a place: discs where bases are round, else the outlines shifted along. */
export function discsOf(scenario, thing, place, only) {
  const told = known(thing);
  const entry = entryOf(scenario, { kind: "unit", name: thing.name });
  return place.models.map((one, model) => {
    if (only !== undefined && only !== null && model !== only) return null;
    const radius = radiusOf(entry, model);
    if (radius) return { centre: one.at.slice(0, 2), radius };
    const before = told?.models?.[model]?.at;
    const ring = told?.rings?.[model];
    return before && ring ? { ring: ring.map(([x, y]) => [x + one.at[0] - before[0], y + one.at[1] - before[1]]) } : null;
  }).filter(Boolean);
}

/** Give the bodies of all else that a thing may snap to. */
export function othersOf(scenario, thing) {
  const found = [];
  for (const name of Object.keys(scenario.units ?? {})) {
    if (name === thing.name && thing.kind === "unit") continue;
    const other = { kind: "unit", name };
    if (thing.kind === "ghost" && name === thing.name) continue; // its own starting place says nothing
    const place = placeNow(other);
    if (place?.kind === "regiment") found.push(bodyOf(name, place));
    if (place?.kind === "squad") found.push(...discsOf(scenario, other, place));
  }
  (scenario.terrain ?? []).forEach((_, index) => {
    const other = { kind: "terrain", index };
    if (keyOf(thing) === keyOf(other)) return;
    const [ring] = ringsNow(other);
    if (ring) found.push({ ring });
  });
  return found.filter(Boolean);
}
