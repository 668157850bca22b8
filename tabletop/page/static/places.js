/* Places of units, ghosts and terrain in a scenario: reading, writing, moving, turning. Pure functions on plain objects; inches, degrees.

   A thing is {kind: "unit" | "ghost", name, model?} or {kind: "terrain", index}. A place is
     {kind: "regiment", at, facing_deg}                  at: the middle of the front edge
     {kind: "squad", models: [{at: [x, y, z?], facing_deg?}]}
     {kind: "hex", hex, facing}                          facing: "N", "NE", ... clockwise
     {kind: "circle" | "rectangle", at, facing_deg} {kind: "polygon", points} {kind: "hexes", hexes}   for terrain */

export const FACINGS = ["N", "NE", "SE", "S", "SW", "NW"];
const RELATIONS = ["flush_on", "beside", "ahead_of"];
const MODEL_RELATIONS = ["touching", "near", "gap", "bearing_deg", "side"];
const rounded = (value) => Math.round(value * 1e6) / 1e6 + 0; // + 0 avoids -0
export const radians = (degrees) => (degrees * Math.PI) / 180;
const point = ([x, y, ...z]) => [rounded(x), rounded(y), ...z];
export const turnedPoint = ([x, y, ...z], degrees, [ax, ay]) => {
  const [cos, sin] = [Math.cos(radians(degrees)), Math.sin(radians(degrees))];
  return [ax + (x - ax) * cos - (y - ay) * sin, ay + (x - ax) * sin + (y - ay) * cos, ...z];
};
/** Return an angle in degrees in [0, 360), rounded for files. */
export const angle = (degrees) => {
  const within = rounded(((degrees % 360) + 360) % 360);
  return within >= 360 ? 0 : within;
};

export function entryOf(scenario, thing) {
  if (thing.kind === "terrain") return scenario.terrain?.[thing.index] ?? null;
  if (thing.kind === "ghost") return scenario.proposal?.units?.[thing.name] ?? null;
  return scenario.units?.[thing.name] ?? null;
}

function terrainPlace(piece) {
  if (piece.circle) return { kind: "circle", at: piece.circle.centre, facing_deg: 0 };
  if (piece.rectangle) return { kind: "rectangle", at: piece.rectangle.centre, facing_deg: piece.rectangle.angle_deg ?? 0 };
  if (piece.polygon) return { kind: "polygon", points: piece.polygon };
  return piece.hexes ? { kind: "hexes", hexes: piece.hexes } : null;
}

const isList = (value) => Array.isArray(value) && Array.isArray(value[0]);
const facingOf = (told, number) => (Array.isArray(told) ? told[number] : told);

/** Return the place given by coordinates in an entry, or null if it is relative or needs `known`. */
function plainPlace(entry) {
  if (entry.hex !== undefined) return entry.facing === undefined ? null : { kind: "hex", hex: String(entry.hex), facing: entry.facing };
  if (isList(entry.at)) {
    return { kind: "squad", models: entry.at.map((at, number) => ({ at, facing_deg: facingOf(entry.facing_deg, number) })) };
  }
  if (Array.isArray(entry.models)) {
    if (!entry.models.every((model) => Array.isArray(model.at))) return null;
    return { kind: "squad", models: entry.models.map((model) => ({ at: model.at, facing_deg: model.facing_deg ?? entry.facing_deg })) };
  }
  return Array.isArray(entry.at) && typeof entry.facing_deg === "number" ? { kind: "regiment", at: entry.at, facing_deg: entry.facing_deg } : null;
}

/** Convert a place from the server's form (`places`) to the form above. */
function told(place) {
  if (!place) return null;
  if (place.kind === "squad") return { kind: "squad", models: place.models.map(({ at, z, facing_deg }) => ({ at: z ? [...at, z] : at, facing_deg })) };
  if (place.kind === "hex") return { kind: "hex", hex: place.hex, facing: place.facing };
  return { kind: "regiment", at: place.at, facing_deg: place.facing_deg };
}

/** Return a thing's place: from its own keys, or else `known`, the server's. */
export function placeOf(scenario, thing, known = null) {
  const entry = entryOf(scenario, thing);
  if (!entry) return told(known);
  if (thing.kind === "terrain") return terrainPlace(entry);
  return plainPlace(entry) ?? told(known);
}

function writeModels(entry, place) {
  const facings = place.models.map((model) => model.facing_deg);
  if (Array.isArray(entry.models)) {
    for (const [number, model] of entry.models.entries()) {
      const { at, facing_deg } = place.models[number];
      if (!Array.isArray(model.at)) for (const key of MODEL_RELATIONS) delete model[key];
      model.at = at;
      if (facing_deg !== undefined && (model.facing_deg !== undefined || facing_deg !== entry.facing_deg)) model.facing_deg = facing_deg;
    }
    return;
  }
  entry.at = place.models.map((model) => model.at);
  if (facings.every((facing) => facing === undefined)) return;
  entry.facing_deg = facings.every((facing) => facing === facings[0]) ? facings[0] : facings.map((facing) => facing ?? 0);
}

/** Store a place in a thing's entry as coordinates, removing relations. Modifies the scenario: pass a copy. */
export function writePlace(scenario, thing, place) {
  if (thing.kind === "ghost") {
    scenario.proposal ??= {};
    scenario.proposal.units ??= {};
    scenario.proposal.units[thing.name] ??= {};
  }
  const entry = entryOf(scenario, thing);
  switch (place.kind) {
    case "circle": entry.circle.centre = point(place.at); break;
    case "rectangle":
      entry.rectangle.centre = point(place.at);
      if (entry.rectangle.angle_deg !== undefined || place.facing_deg) entry.rectangle.angle_deg = angle(place.facing_deg);
      break;
    case "polygon": entry.polygon = place.points.map(point); break;
    case "hexes": entry.hexes = place.hexes; break;
    case "hex": Object.assign(entry, { hex: place.hex, facing: place.facing }); break;
    case "squad":
      writeModels(entry, { models: place.models.map((one) => ({ at: point(one.at), facing_deg: one.facing_deg === undefined ? undefined : angle(one.facing_deg) })) });
      break;
    default:
      for (const key of RELATIONS) delete entry[key];
      Object.assign(entry, { at: point(place.at), facing_deg: angle(place.facing_deg) });
  }
  return scenario;
}

export const isRelated = (scenario, thing) => {
  const entry = entryOf(scenario, thing);
  return Boolean(entry) && thing.kind !== "terrain" && !plainPlace(entry);
};

const chosen = (place, model) => (one, number) => (model === undefined || model === null || number === model ? one : null);

/** Return a place shifted by inches; of a squad only one model if given. */
export function moved(place, [dx, dy], model) {
  const by = ([x, y, ...z]) => [x + dx, y + dy, ...z];
  if (place.kind === "polygon") return { ...place, points: place.points.map(by) };
  if (place.kind === "squad") {
    const is = chosen(place, model);
    return { ...place, models: place.models.map((one, number) => (is(one, number) ? { ...one, at: by(one.at) } : one)) };
  }
  return place.at ? { ...place, at: by(place.at) } : place;
}

/** Return the centre about which a place turns; `depth` is that of a regiment in inches. */
export function pivotOf(place, { depth = 0, model } = {}) {
  const middle = (points) => [points.reduce((sum, [x]) => sum + x, 0) / points.length, points.reduce((sum, [, y]) => sum + y, 0) / points.length];
  if (place.kind === "squad") return model === undefined || model === null ? middle(place.models.map((one) => one.at)) : place.models[model].at.slice(0, 2);
  if (place.kind === "polygon") return middle(place.points);
  if (place.kind !== "regiment") return place.at;
  const heading = radians(place.facing_deg);
  return [place.at[0] - (depth / 2) * Math.cos(heading), place.at[1] - (depth / 2) * Math.sin(heading)];
}

/** Return a place turned counter-clockwise by degrees about a point; omitted facings of round bases stay omitted. */
export function turned(place, degrees, about, model) {
  if (place.kind === "polygon") return { ...place, points: place.points.map((one) => turnedPoint(one, degrees, about)) };
  if (place.kind === "squad") {
    const is = chosen(place, model);
    const turn = (one) => ({ at: turnedPoint(one.at, degrees, about), facing_deg: one.facing_deg === undefined && model === undefined ? undefined : (one.facing_deg ?? 0) + degrees });
    return { ...place, models: place.models.map((one, number) => (is(one, number) ? turn(one) : one)) };
  }
  if (place.kind === "hex") {
    const steps = Math.round(-degrees / 60);
    return { ...place, facing: FACINGS[(((FACINGS.indexOf(place.facing) + steps) % 6) + 6) % 6] };
  }
  if (!place.at) return place;
  return { ...place, at: turnedPoint(place.at, degrees, about), facing_deg: place.facing_deg + degrees };
}

/** Return the rigid motion from one place to another: x -> turnedPoint(x, degrees, from) + (to - from); of a squad that of one model. */
export function motion(before, after, { model = 0, centres = {} } = {}) {
  const pose = (place) => {
    switch (place.kind) {
      case "squad": return { at: place.models[model]?.at, deg: place.models[model]?.facing_deg ?? 0 };
      case "hex": return { at: centres[place.hex], deg: 90 - 60 * FACINGS.indexOf(place.facing) };
      case "polygon": return { at: place.points[0], deg: (Math.atan2(place.points[1][1] - place.points[0][1], place.points[1][0] - place.points[0][0]) * 180) / Math.PI };
      case "hexes": return { at: centres[place.hexes[0]], deg: 0 };
      default: return { at: place.at, deg: place.facing_deg };
    }
  };
  const [from, to] = [pose(before), pose(after)];
  if (!from.at || !to.at) return null;
  return { from: from.at.slice(0, 2), to: to.at.slice(0, 2), degrees: to.deg - from.deg };
}

export const isStill = (motion) => !motion || (Math.abs(motion.degrees) < 1e-9 && Math.hypot(motion.to[0] - motion.from[0], motion.to[1] - motion.from[1]) < 1e-9);

export function carried(motion, at) {
  const [x, y] = turnedPoint(at, motion.degrees, motion.from);
  return [x + motion.to[0] - motion.from[0], y + motion.to[1] - motion.from[1]];
}

export const transformOf = ({ from, to, degrees }) => `translate(${to[0]} ${to[1]}) rotate(${degrees}) translate(${-from[0]} ${-from[1]})`;

/** Column and row of a hex, from 1: "0507" -> [5, 7]. */
export const columnRow = (hex) => {
  const half = hex.length / 2;
  return [Number(hex.slice(0, half)), Number(hex.slice(half))];
};
const cube = ([column, row]) => [column, row - Math.floor((column + 1) / 2)]; // even columns are half a hex lower
export const hexName = ([column, row], digits = 2) => `${String(column).padStart(digits, "0")}${String(row).padStart(digits, "0")}`;

/** Return `hex` shifted by the offset from `from` to `to`. */
export function hexShifted(hex, from, to) {
  const [a, b, c] = [hex, from, to].map((one) => cube(columnRow(one)));
  const [column, up] = [a[0] + c[0] - b[0], a[1] + c[1] - b[1]];
  return hexName([column, up + Math.floor((column + 1) / 2)], hex.length / 2);
}
