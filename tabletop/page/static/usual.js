// What the tray offers: usual units and terrain of each game, on the bases that they come on. Data, and how it stands on a table.

const LOOSE_ROW = 5;
const INCH = 25.4;

const ranksOf = (count, files) =>
  count === 1 ? "one" : count > files ? `${count} in ${Math.ceil(count / files)} ranks` : `${count} in one rank`;
const regiment = (words, base, files, models, profile) => ({
  words,
  detail: `${base}, ${ranksOf(models, files)}`,
  entry: { files, models, base, profile },
});
const stands = (words, base, files, count, profile) => ({
  words,
  detail: `${base}, ${ranksOf(count, files)}`,
  entry: { files, stands: count, base, profile },
});
const squad = (words, base, count, keywords) => ({
  words,
  detail: `${count === 1 ? "one" : count} on ${base}`,
  count,
  entry: { base, ...(keywords ? { profile: { keywords } } : {}) },
});
const hexed = (words, detail, profile) => ({ words, detail, entry: { profile } });
const inHex = (words, kind, keys = {}) => ({ words, detail: "one hex", isHexed: true, entry: { kind, ...keys } });
const round = (words, kind, radius, keys = {}) => ({
  words,
  detail: `round, ${2 * radius} in across`,
  size: [2 * radius, 2 * radius],
  entry: { kind, circle: { radius }, ...keys },
});
const oblong = (words, kind, width, depth, keys = {}) => ({
  words,
  detail: `${width} x ${depth} in`,
  size: [width, depth],
  entry: { kind, rectangle: { width, depth }, ...keys },
});

/** Units and terrain by game: words, a detail, and the keys of the file without side and place. */
export const USUAL = {
  t9a: {
    units: [
      regiment("Infantry, 20 mm", "20x20mm", 5, 20, { charge_speed: 5 }),
      regiment("Infantry, 25 mm", "25x25mm", 5, 15, { charge_speed: 4 }),
      regiment("Cavalry", "25x50mm", 5, 5, { charge_speed: 8, swiftstride: true }),
      regiment("Large infantry", "40x40mm", 3, 6, { charge_speed: 6, height: 2 }),
      regiment("Large cavalry", "50x75mm", 3, 3, { charge_speed: 8, height: 2, swiftstride: true }),
      regiment("Chariot", "50x100mm", 1, 1, { charge_speed: 7, height: 2, swiftstride: true }),
      regiment("Monster", "50x100mm", 1, 1, { charge_speed: 6, height: 3 }),
      regiment("Huge monster", "100x150mm", 1, 1, { charge_speed: 6, height: 3, fly: true, swiftstride: true }),
      regiment("Character on foot", "20x20mm", 1, 1, { charge_speed: 5 }),
    ],
    terrain: [
      oblong("House", "impassable", 5, 4, { height: 4 }),
      round("Tower", "impassable", 2, { height: 5 }),
      oblong("Wood, opaque", "opaque", 7, 5, { height: 4 }),
      oblong("Field, open", "open", 8, 6),
    ],
  },
  conquest: {
    units: [
      stands("Infantry", "54x54mm", 3, 3, { march: 5 }),
      stands("Infantry in two ranks", "54x54mm", 3, 6, { march: 5 }),
      stands("Cavalry", "54x54mm", 3, 3, { march: 8, size: 2 }),
      stands("Brutes", "54x54mm", 3, 3, { march: 6, size: 2 }),
      stands("Chariots", "54x108mm", 2, 2, { march: 8, size: 2 }),
      stands("Monster", "110x110mm", 1, 1, { march: 7, size: 3 }),
    ],
    terrain: [
      oblong("Impassable", "impassable", 6, 4),
      oblong("Garrison", "garrison", 5, 5),
      oblong("Forest", "forest", 7, 5),
      round("Hill", "hill", 3),
      oblong("Open ground", "open", 8, 6),
    ],
  },
  wh40k: {
    units: [
      squad("Light infantry", "25mm round", 10),
      squad("Infantry", "32mm round", 10),
      squad("Heavy infantry", "40mm round", 5),
      squad("Jump infantry", "32mm round", 5, ["infantry", "fly"]),
      squad("Character", "40mm round", 1),
      squad("Cavalry or bikes", "75x42mm oval", 3, ["mounted"]),
      squad("Walker", "60mm round", 1, ["vehicle", "walker"]),
      squad("Large walker", "90mm round", 1, ["vehicle", "walker"]),
      squad("Monster", "105x70mm oval", 1, ["monster"]),
      {
        words: "Tank",
        detail: "a hull, 4.5 x 3 in",
        count: 1,
        entry: {
          hull: [
            [2.25, -1.5],
            [2.25, 1.5],
            [-2.25, 1.5],
            [-2.25, -1.5],
          ],
          profile: { keywords: ["vehicle"] },
        },
      },
    ],
    terrain: [
      oblong("Wall", "wall", 6, 0.5, { height: 5 }),
      oblong("Block, to climb", "block", 5, 4, { height: 3 }),
      oblong("Floor of a ruin", "floor", 6, 5, { height: 4 }),
      oblong("Barricade", "barricade", 5, 0.5, { height: 1 }),
      round("Impassable", "impassable", 2),
      oblong("Area", "area", 8, 6),
    ],
  },
  battletech: {
    units: [
      hexed("Light 'Mech", "30 t, walks 6", { type: "mech", tons: 30, walk: 6 }),
      hexed("Medium 'Mech", "50 t, walks 5", { type: "mech", tons: 50, walk: 5 }),
      hexed("Heavy 'Mech", "70 t, walks 4", { type: "mech", tons: 70, walk: 4 }),
      hexed("Assault 'Mech", "90 t, walks 3", { type: "mech", tons: 90, walk: 3 }),
      hexed("Four-legged 'Mech", "60 t, walks 5", { type: "mech", tons: 60, walk: 5, legs: 4, psr_modifier: -2 }),
      hexed("Tracked vehicle", "60 t, cruises 4", { type: "vehicle", tons: 60, walk: 4 }),
      hexed("Hovercraft", "40 t, cruises 8", { type: "vehicle", tons: 40, walk: 8, motion: "hover" }),
      hexed("Infantry", "on foot", { type: "infantry" }),
    ],
    terrain: [
      inHex("Light woods", "light_woods"),
      inHex("Heavy woods", "heavy_woods"),
      inHex("Rough ground", "rough"),
      inHex("Rubble", "rubble"),
      inHex("Water, depth 1", "water", { depth: 1 }),
      inHex("Building", "building", { cf: 40 }),
      inHex("Hill, level 1", "level", { level: 1 }),
      inHex("Pavement", "pavement"),
      inHex("Light smoke", "light_smoke"),
    ],
  },
};

/** Return the width and depth in inches of a unit that looks up the board. */
export function unitSize(item) {
  const { entry } = item;
  const [width, depth] = baseSize(entry);
  if (item.count !== undefined) {
    const [pitch, row] = pitchOf(entry);
    const inRow = Math.min(LOOSE_ROW, item.count);
    return [width + pitch * (inRow - 1), depth + row * (Math.ceil(item.count / LOOSE_ROW) - 1)];
  }
  const ranks = Math.ceil((entry.models ?? entry.stands ?? 1) / (entry.files ?? 1));
  return [width * (entry.files ?? 1), depth * ranks];
}

/** Return the keys of a unit of the tray with its middle at a place, looking along `facing` degrees: 90 or 270. */
export function unitAt(item, side, [x, y], facing) {
  const [, depth] = unitSize(item);
  const { files, models, stands: count, base, hull, profile } = item.entry;
  if (item.count === undefined) {
    const ahead = facing === 270 ? -depth / 2 : depth / 2;
    const rows = models === undefined ? { stands: count } : { models };
    return { side, at: [x, Math.round(10 * (y + ahead)) / 10], facing_deg: facing, files, ...rows, base, profile: { ...profile } };
  }
  const [pitch, row] = pitchOf(item.entry);
  const inRow = Math.min(LOOSE_ROW, item.count);
  const ranks = Math.ceil(item.count / LOOSE_ROW);
  const at = Array.from({ length: item.count }, (_, index) => [
    round4(x + pitch * ((index % LOOSE_ROW) - (inRow - 1) / 2)),
    round4(y + row * ((ranks - 1) / 2 - Math.floor(index / LOOSE_ROW))),
  ]);
  const isRound = base?.endsWith("round");
  return {
    side,
    at,
    ...(isRound ? {} : { facing_deg: facing }),
    ...(base ? { base } : { hull }),
    ...(profile ? { profile: { ...profile } } : {}),
  };
}

/** Return the keys of a piece of terrain of the tray with its middle at a place. */
export function pieceAt(item, centre) {
  const { circle, rectangle, ...keys } = item.entry;
  return { ...keys, ...(circle ? { circle: { centre, ...circle } } : { rectangle: { centre, ...rectangle } }) };
}

function baseSize(entry) {
  if (entry.hull) return [3, 4.5]; // looks up the board
  const numbers = entry.base ? entry.base.match(/[\d.]+/g).map((word) => Number(word) / INCH) : [1.25];
  if (entry.base?.endsWith("oval")) return [numbers[1], numbers[0]]; // its long axis lies along its facing
  return numbers.length > 1 ? numbers : [numbers[0], numbers[0]];
}

/** Inches from model to model, sideways and in depth: a quarter of an inch between bases. */
function pitchOf(entry) {
  return baseSize(entry).map((length) => Math.ceil(4 * (length + 0.2)) / 4);
}

function round4(value) {
  return Math.round(value * 1e4) / 1e4;
}
