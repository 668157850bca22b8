/* Adding, copying, renaming and removing units and terrain, with unique names and free places. Lengths in inches; functions that take a
   `draft` change it. */

import { say } from "./language.js";

const FRONTS = ["flush_on", "beside", "ahead_of"]; // keys that place a unit relative to another
const RELATIONS = ["touching", "near", "gap", "bearing_deg", "side", "z"]; // keys that place a model relative to others
const NUMBERED = /^(.+)\.(0|[1-9]\d{0,3})$/; // a unit and the number of its model
const HELD = new Set(["garrison", "building"]); // kinds of terrain that can be charged
const GAP = 0.5; // inches between an added object and others
const CHARGE = 7; // inches between an added unit and its enemies
const RUN = 4; // hexes, likewise
const KNOB = 20; // pixels beside a front that the handles at its corners take
const HANDLE = 54; // pixels before a front that the handle which turns takes
const LOOSE_ROW = 5; // loose models per row when added
const INCH = 25.4; // millimetres
let lastPlaces = {};
const added = {}; // outlines of units that were added, until their places are told

// --- adding, copying, removing what is chosen --------------------------------------------------------------------------------------------

/** Add a unit of the tray at the free place nearest to `near`, or exactly there, and select it. */
export function addUnit({ store, table }, item, side, near, { exactly = false } = {}) {
  const name = freeName(store.scenario);
  const { board } = store.scenario;
  const facing = facingOf(store.scenario, side);
  let entry;
  if (board.columns !== undefined) {
    const hex = exactly ? freeHex(board, hexesOfUnits(store.scenario), near) : clearHex(store, table, side, facing, near);
    entry = { side, hex, facing: facing === 90 ? "N" : "S", profile: { ...item.entry.profile } };
  } else {
    const size = unitSize(item);
    const spot = exactly ? near : clearSpot(store, table, size, side, facing, near);
    added[name] = [cornersOf({ centre: spot, width: size[0], depth: size[1] })];
    entry = unitAt(item, side, spot, facing);
  }
  store.change((draft) => {
    draft.units = { ...draft.units, [name]: entry };
  }, say`Add ${name}`);
  store.select({ kind: "unit", name });
  return name;
}

/** Return the free place for a new unit nearest to `near`: a charge away from its enemies, clear of its friends' handles, and not before them. */
function clearSpot(store, { scale }, size, side, facing, near) {
  const { board, units } = store.scenario;
  const gapOf = (name) => (units[name].side === side ? [KNOB / scale, Math.max(2 * CHARGE, HANDLE / scale)] : [CHARGE - 0.1, CHARGE - 0.1]);
  const boxes = boxesIn(store, gapOf);
  const away = CHARGE + size[1] / 2;
  const far = ([[west, south, east, north]]) => Math.hypot(Math.max(west - near[0], near[0] - east, 0), Math.max(south - near[1], near[1] - north, 0));
  const [foe] = boxesIn(store, gapOf, (name) => units[name].side !== side).sort((one, other) => far(one) - far(other));
  const start = foe && far(foe) < away ? [(foe[0][0] + foe[0][2]) / 2, facing === 270 ? foe[0][3] + away : foe[0][1] - away].map(tenth) : near.map(half);
  return freeSpot(size, boxes, boardSize(board), start) ?? freeSpot(size, boxesIn(store), boardSize(board), start) ?? start;
}

/** Return the free hex for a new unit nearest to `near`: clear of its friends' handles, and a run away from its enemies. */
function clearHex({ scenario }, { scale }, side, facing, near) {
  const { board, units = {} } = scenario;
  const { hex_inches: flats = 1.25 } = board;
  const all = Object.values(units).map((unit) => ({ at: hexCentre(unit.hex, board), isFoe: unit.side !== side }));
  const foe = all.find(({ isFoe, at }) => isFoe && Math.hypot(at[0] - near[0], at[1] - near[1]) < RUN * flats)?.at;
  const start = foe ? [foe[0], foe[1] + (facing === 270 ? RUN : -RUN) * flats] : near;
  const isClear = (place) => all.every(({ at, isFoe }) => Math.hypot(place[0] - at[0], place[1] - at[1]) > (isFoe ? (RUN - 0.5) * flats : flats + HANDLE / scale));
  const taken = hexesOfUnits(scenario);
  return freeHex(board, taken, start, isClear) ?? freeHex(board, taken, start);
}

/** Return the facing of a new unit: that of its side, up the board for the first. */
function facingOf({ units = {} }, side) {
  const sides = [...new Set(Object.values(units).map((unit) => unit.side))];
  const friend = Object.values(units).find((unit) => unit.side === side);
  if (friend?.facing) return ["N", "NE", "NW"].includes(friend.facing) ? 90 : 270;
  const facing = Array.isArray(friend?.facing_deg) ? friend.facing_deg[0] : friend?.facing_deg;
  if (facing !== undefined) return Math.sin((facing * Math.PI) / 180) >= 0 ? 90 : 270;
  return sides.length && sides[0] !== side ? 270 : 90;
}

/** Return the keys of a unit of the tray with its middle at a place, looking along `facing` degrees: 90 or 270. */
function unitAt(item, side, [x, y], facing) {
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

/** Return the width and depth in inches of a unit that looks up the board. */
function unitSize(item) {
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

function baseSize(entry) {
  if (entry.hull) return [3, 4.5]; // looks up the board
  const numbers = entry.base ? entry.base.match(/[\d.]+/g).map((word) => Number(word) / INCH) : [1.25];
  if (entry.base?.endsWith("oval")) return [numbers[1], numbers[0]]; // its long axis lies along its facing
  return numbers.length > 1 ? numbers : [numbers[0], numbers[0]];
}

/** Return the distances between models in inches, sideways and in depth, with a quarter of an inch between bases. */
function pitchOf(entry) {
  return baseSize(entry).map((length) => Math.ceil(4 * (length + 0.2)) / 4);
}

function round4(value) {
  return Math.round(value * 1e4) / 1e4;
}

/** Add a piece of terrain of the tray. */
export function addPiece({ store }, item, near, { exactly = false } = {}) {
  const { board, terrain = [] } = store.scenario;
  let piece;
  if (board.columns !== undefined) {
    const hex = freeHex(board, exactly ? new Set() : hexesOfPieces(terrain), near);
    piece = { ...item.entry, hexes: [hex] };
  } else {
    const spot = exactly ? near : (freeSpot(item.size, boxesIn(store), boardSize(board), near.map(half)) ?? near);
    piece = pieceAt(item, spot);
  }
  const name = pieceNames([...terrain, piece]).at(-1);
  store.change((draft) => {
    draft.terrain = [...(draft.terrain ?? []), piece];
  }, say`Add ${name}`);
  store.select({ kind: "terrain", index: terrain.length });
  return name;
}

/** Return the keys of a piece of terrain of the tray with its middle at a place. */
function pieceAt(item, centre) {
  const { circle, rectangle, ...keys } = item.entry;
  return { ...keys, ...(circle ? { circle: { centre, ...circle } } : { rectangle: { centre, ...rectangle } }) };
}

/** Copy the selection to a free place beside it. */
export function copyChosen({ store, panels }) {
  const chosen = store.selection;
  if (chosen?.kind === "unit") return copyUnit(store, panels, chosen.name);
  if (chosen?.kind === "terrain") return copyPiece(store, chosen.index);
  panels.tell(say`Choose a unit or a piece of terrain to copy.`);
  return null;
}

function copyUnit(store, panels, name) {
  const place = placesIn(store)[name];
  const entry = structuredClone(store.scenario.units[name]);
  const to = freeName(store.scenario, name.length === 1 ? "" : name);
  const { board } = store.scenario;
  if (entry.hex !== undefined) {
    entry.hex = freeHex(board, hexesOfUnits(store.scenario), hexCentre(entry.hex, board)) ?? entry.hex;
  } else {
    if (!place) {
      panels.tell(say`${name} cannot be copied until the table shows where it stands.`, { kind: "warning" });
      return null;
    }
    madePlain(entry, place);
    const delta = freeShift(boxOf(place.rings.flat()), store);
    shiftUnit(entry, delta);
  }
  store.change((draft) => {
    draft.units[to] = entry;
  }, say`Copy ${name}`);
  store.select({ kind: "unit", name: to });
  return to;
}

function copyPiece(store, index) {
  const piece = structuredClone(store.scenario.terrain[index]);
  const was = pieceNames(store.scenario.terrain)[index];
  if (piece.name) piece.name = freeName(store.scenario, piece.name);
  if (piece.hexes) piece.hexes = shiftedHexes(piece.hexes, store.scenario.board);
  else shiftPiece(piece, freeShift(boxOf(outlineOf(piece)), store));
  store.change((draft) => {
    draft.terrain.push(piece);
  }, say`Copy ${was}`);
  store.select({ kind: "terrain", index: store.scenario.terrain.length - 1 });
  return pieceNames(store.scenario.terrain).at(-1);
}

function shiftUnit(entry, delta) {
  if (typeof entry.at?.[0] === "number") entry.at = shifted(entry.at, delta);
  else if (entry.at) entry.at = entry.at.map((place) => shifted(place, delta));
  for (const model of Array.isArray(entry.models) ? entry.models : []) model.at = shifted(model.at, delta);
}

function shiftPiece(piece, delta) {
  const form = piece.circle ?? piece.rectangle;
  if (form) form.centre = shifted(form.centre, delta);
  else piece.polygon = piece.polygon.map((point) => shifted(point, delta));
}

function shifted([x, y, ...z], [dx, dy]) {
  return [Math.round((x + dx) * 1e6) / 1e6, Math.round((y + dy) * 1e6) / 1e6, ...z];
}

/** Return hexes shifted by two columns, which keeps their shape; to the other side at the edge of the board. */
function shiftedHexes(hexes, board) {
  const moved = (by) =>
    hexes.map((hex) => [Number(hex.slice(0, 2)) + by, hex.slice(2)]).filter(([column]) => column >= 1 && column <= board.columns);
  const found = moved(2).length === hexes.length ? moved(2) : moved(-2);
  return found.length ? found.map(([column, row]) => String(column).padStart(2, "0") + row) : hexes;
}

/** Remove the selection; units placed relative to it keep their places. */
export function removeChosen({ store, panels }) {
  const chosen = store.selection;
  if (chosen?.kind === "terrain") {
    const name = pieceNames(store.scenario.terrain)[chosen.index];
    let told = [];
    store.select(null);
    store.change((draft) => {
      told = removePiece(draft, chosen.index);
    }, say`Remove ${name}`);
    panels.tell([say`${name} is removed; undo brings it back.`, ...told].join(" "));
  } else if (chosen?.kind === "unit") {
    removeNamed(store, panels, chosen.name);
  } else if (chosen?.kind === "ghost") {
    store.select(null);
    store.change((draft) => {
      removeClaim(draft, chosen.name);
    }, say`Remove the claim about ${chosen.name}`);
  } else {
    panels.tell(say`Choose a unit or a piece of terrain to remove.`);
  }
}

function removeNamed(store, panels, name) {
  const others = standingBy(store.scenario.units, name);
  const claims = standingBy(store.scenario.proposal?.units, name);
  const places = placesIn(store);
  const claimed = store.answer?.claimed ?? {};
  const lost = [...others.filter((other) => !places[other]), ...claims.filter((other) => !claimed[other])];
  if (lost.length) {
    panels.tell(say`${lost[0]} is placed relative to ${name}: give it a place of its own first.`, { kind: "warning" });
    return;
  }
  let told = [];
  store.select(null);
  store.change((draft) => {
    for (const other of others) madePlain(draft.units[other], places[other]);
    for (const other of claims) madePlain(draft.proposal.units[other], claimed[other]);
    told = removeUnit(draft, name);
  }, say`Remove ${name}`);
  const standing = others.length ? others.reduce((all, other) => say`${all} and ${other}`) : null;
  if (others.length > 1) told.push(say`${standing} were placed relative to it and keep their places.`);
  else if (standing) told.push(say`${standing} was placed relative to it and keeps its place.`);
  panels.tell([say`${name} is removed; undo brings it back.`, ...told].join(" "));
}

/** Replace a unit's relation by coordinates. */
function madePlain(entry, place) {
  const relation = FRONTS.find((key) => entry[key]);
  if (relation) {
    delete entry[relation];
    Object.assign(entry, { at: [...place.at], facing_deg: place.facing_deg });
  }
  for (const [index, model] of (Array.isArray(entry.models) ? entry.models : []).entries()) {
    if (!model.touching && !model.near) continue;
    for (const key of RELATIONS) delete model[key];
    model.at = [...place.models[index].at];
  }
}

/** Return the name of the nearest unit of another side. */
export function nearestEnemy({ store }, name) {
  const { units = {} } = store.scenario;
  const places = placesIn(store);
  const enemies = Object.keys(units).filter((other) => units[other].side !== units[name]?.side);
  const middle = ({ rings }) => {
    const [west, south, east, north] = boxOf(rings.flat());
    return [(west + east) / 2, (south + north) / 2];
  };
  const distance = (other) => {
    if (!places[other] || !places[name]) return Infinity;
    const [one, two] = [middle(places[other]), middle(places[name])];
    return Math.hypot(one[0] - two[0], one[1] - two[1]);
  };
  return enemies.sort((one, other) => distance(one) - distance(other))[0] ?? null;
}

/** Return what a unit may charge: units of other sides, and terrain that units occupy. */
export function chargeable({ units = {}, terrain = [] }, charger) {
  const enemies = Object.keys(units).filter((name) => name !== charger && units[name].side !== units[charger]?.side);
  return [...enemies, ...pieceNames(terrain).filter((_, index) => HELD.has(terrain[index].kind))];
}

/** Make a unit the charger of a charge: dice stay, invalid targets and the other unit's moves go; the default target is the nearest enemy. */
export function charging(page, { targets = [], dice }, charger) {
  const known = chargeable(page.store.scenario, charger);
  const kept = targets.filter((name) => known.includes(name));
  const nearest = kept.length ? null : nearestEnemy(page, charger);
  return { charger, targets: nearest ? [nearest] : kept, ...(dice ? { dice } : {}) };
}

/** Return all places; of an invalid table those before the change. */
function placesIn(store) {
  lastPlaces = store.table?.places ?? lastPlaces;
  return lastPlaces;
}

// --- free places -------------------------------------------------------------------------------------------------------------------------

/**
 * Return the middle of the place nearest to `near` at which a box of a size lies on the board and off all others, each a box with the gaps
 * across and along that it needs; null where there is no such place.
 */
function freeSpot([width, depth], boxes, [boardWidth, boardDepth], near) {
  const within = ([x, y]) => [clamp(x, width / 2, boardWidth - width / 2), clamp(y, depth / 2, boardDepth - depth / 2)];
  const isFree = ([x, y]) =>
    boxes.every(
      ([[west, south, east, north], [across, along]]) =>
        x + width / 2 + across <= west || x - width / 2 - across >= east || y + depth / 2 + along <= south || y - depth / 2 - along >= north,
    );
  const farthest = Math.hypot(boardWidth, boardDepth);
  for (let radius = 0; radius <= farthest; radius += 0.5) {
    const count = Math.max(1, Math.round(4 * Math.PI * radius));
    for (let step = 0; step < count; step += 1) {
      const angle = (2 * Math.PI * step) / count;
      const place = within(radius ? [near[0] + radius * Math.cos(angle), near[1] + radius * Math.sin(angle)].map(half) : near);
      if (isFree(place)) return place;
    }
  }
  return null;
}

function clamp(value, least, most) {
  return Math.max(least, Math.min(most, value)) || least;
}

const half = (value) => Math.round(value * 2) / 2;
const tenth = (value) => Math.round(value * 10) / 10;

function freeShift([west, south, east, north], store) {
  const size = [east - west, north - south];
  const middle = [(west + east) / 2, (south + north) / 2];
  const near = [middle[0] + size[0] + GAP, middle[1]].map(half);
  const spot = freeSpot(size, boxesIn(store, () => [0, 0]), boardSize(store.scenario.board), near) ?? near;
  return [spot[0] - middle[0], spot[1] - middle[1]];
}

/** Return the bounding boxes of what lies on the table, each with the gaps that it needs: all terrain, or of the units those wanted. */
function boxesIn(store, gapOf = () => [GAP, GAP], isWanted = null) {
  const places = placesIn(store);
  const names = Object.keys(store.scenario.units ?? {}).filter((name) => !isWanted || isWanted(name));
  const found = names.flatMap((name) => (places[name]?.rings ?? added[name] ?? []).map((ring) => [boxOf(ring), gapOf(name)]));
  const pieces = isWanted ? [] : (store.scenario.terrain ?? []).filter((piece) => !piece.hexes);
  return [...found, ...pieces.map((piece) => [boxOf(outlineOf(piece)), [GAP, GAP]])];
}

function outlineOf({ circle, rectangle, polygon }) {
  if (circle)
    return [
      [circle.centre[0] - circle.radius, circle.centre[1] - circle.radius],
      [circle.centre[0] + circle.radius, circle.centre[1] + circle.radius],
    ];
  return rectangle ? cornersOf(rectangle) : polygon;
}

/** Return the corners of a rectangle of the file. */
export function cornersOf({ centre: [x, y], width, depth, angle_deg: angle = 0 }) {
  const [c, s] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([a, b]) => [x + (a * width * c - b * depth * s) / 2, y + (a * width * s + b * depth * c) / 2]);
}

/** Return the bounding box [west, south, east, north] of points. */
export function boxOf(points) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Return width and depth of a board in inches; one of hexes is as large as these. */
export function boardSize(board) {
  if (board?.columns === undefined) return [board?.width ?? 0, board?.depth ?? 0];
  const flats = board.hex_inches ?? 1.25;
  return [((3 * board.columns + 1) * flats) / (2 * Math.sqrt(3)), flats * (board.rows + (board.columns > 1 ? 0.5 : 0))];
}

/** Return the number of the hex nearest to a place that is not among those taken, and whose middle is suitable; null where there is none. */
function freeHex(board, taken, near, isSuitable = () => true) {
  let best = null;
  let least = Infinity;
  for (let column = 1; column <= board.columns; column += 1) {
    for (let row = 1; row <= board.rows; row += 1) {
      const number = String(column).padStart(2, "0") + String(row).padStart(2, "0");
      const [x, y] = hexCentre(number, board);
      const distance = Math.hypot(x - near[0], y - near[1]);
      if (distance < least && !taken.has(number) && isSuitable([x, y])) [best, least] = [number, distance];
    }
  }
  return best;
}

/** Return the middle of a hex, given by its printed number, on a board of hexes. */
function hexCentre(number, board) {
  const flats = board.hex_inches ?? 1.25;
  const [column, row] = [Number(number.slice(0, 2)), Number(number.slice(2))];
  const depth = boardSize(board)[1];
  return [((3 * column - 1) * flats) / (2 * Math.sqrt(3)), depth - ((2 * row - 1 + (column % 2 === 0 ? 1 : 0)) * flats) / 2];
}

function hexesOfUnits({ units = {} }) {
  return new Set(Object.values(units).map((unit) => unit.hex));
}

function hexesOfPieces(terrain) {
  return new Set(terrain.flatMap((piece) => piece.hexes ?? []));
}

// --- names, and every place of a scenario that refers to one -----------------------------------------------------------------------------

/** Return the names of pieces of terrain, given or implied by kind and number. */
export function pieceNames(terrain = []) {
  const counts = new Map();
  return terrain.map((piece) => {
    counts.set(piece.kind, (counts.get(piece.kind) ?? 0) + 1);
    return piece.name ?? `${String(piece.kind).replaceAll("_", " ")} ${counts.get(piece.kind)}`;
  });
}

/** Return the names of all units and pieces of terrain. */
function namesIn(scenario) {
  return new Set([...Object.keys(scenario.units ?? {}), ...pieceNames(scenario.terrain)]);
}

/** Return an unused name: A, B, C and so on for a new unit, else the stem with a number. */
function freeName(scenario, stem = "") {
  const taken = namesIn(scenario);
  if (!stem) {
    const letter = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((one) => !taken.has(one));
    if (letter) return letter;
  }
  const first = (stem || "Unit").replace(/ \d+$/, "").slice(0, 54);
  if (stem && !taken.has(stem)) return stem;
  for (let number = 2; ; number += 1) {
    if (!taken.has(`${first} ${number}`)) return `${first} ${number}`;
  }
}

/** Return why a name is invalid, or null. */
export function refusal(scenario, name, own) {
  if (!name) return say`A name has at least one letter.`;
  if ([...name].length > 60) return say`A name has at most 60 letters; this one has ${[...name].length}.`;
  if (name !== own && namesIn(scenario).has(name)) return say`${name} is already the name of a unit or piece of terrain.`;
  return null;
}

/** Rename a unit wherever the file refers to it. */
export function renameUnit(draft, from, to) {
  draft.units = renamedKeys(draft.units, from, to);
  refer(draft, (name) => (name === from ? to : name));
}

function renamedKeys(table, from, to) {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key === from ? to : key, value]));
}

/** Rename a piece of terrain, or remove its name; references by implied names stay with their pieces. */
export function renamePiece(draft, index, name) {
  changeTerrain(draft, (pieces) => {
    if (name) pieces[index].name = name;
    else delete pieces[index].name;
  });
}

/** Change the list of pieces in place, and update references to the implied names of the others. */
function changeTerrain(draft, change) {
  const pieces = [...(draft.terrain ?? [])];
  const before = new Map(pieces.map((piece, index) => [piece, pieceNames(pieces)[index]]));
  change(pieces);
  const after = pieceNames(pieces);
  const renamed = new Map(pieces.flatMap((piece, index) => (before.has(piece) ? [[before.get(piece), after[index]]] : [])));
  if (pieces.length) draft.terrain = pieces;
  else delete draft.terrain;
  refer(draft, (name) => renamed.get(name) ?? name);
}

/** Remove a piece and the charges left without a target; return sentences on what else was removed. */
function removePiece(draft, index) {
  const name = pieceNames(draft.terrain)[index];
  const told = forget(draft, name);
  changeTerrain(draft, (pieces) => pieces.splice(index, 1));
  return told;
}

/** Remove a unit, its charges, the charges left without a target, and its claims and expectations. */
function removeUnit(draft, name) {
  const told = forget(draft, name);
  delete draft.units[name];
  return told;
}

/** Remove references to a unit or piece from charges, proposal and expectations; return sentences on what was removed. */
function forget(draft, name) {
  const told = [];
  const gone = new Set();
  (draft.charges ?? []).forEach((charge, index) => {
    const targets = (charge.targets ?? []).filter((target) => target !== name);
    if (charge.domino) delete charge.domino[name];
    if (charge.charger === name || !targets.length) gone.add(index);
    else charge.targets = targets;
  });
  if (gone.size) {
    const lost = draft.charges.filter((_, index) => gone.has(index)).map((charge) => say`${charge.charger} on ${charge.targets.join(", ")}`);
    const all = lost.reduce((before, one) => say`${before} and of ${one}`);
    told.push(say`The charge of ${all} was removed, too.`);
    draft.charges = draft.charges.filter((_, index) => !gone.has(index));
    if (draft.expect) draft.expect = draft.expect.filter((_, index) => !gone.has(index));
    if (!draft.charges.length) delete draft.charges;
    if (draft.expect && !draft.expect.length) delete draft.expect;
  }
  for (const expected of draft.expect ?? []) {
    if (expected.units) delete expected.units[name];
  }
  if (removeClaim(draft, name)) told.push(say`The claim about its place was removed, too.`);
  return told;
}

/** Remove the claim on a unit, and the proposal with its last claim; return whether there was one. */
function removeClaim(draft, name) {
  const claims = draft.proposal?.units ?? {};
  const had = name in claims;
  delete claims[name];
  if (draft.proposal && !Object.keys(claims).length) removeProposal(draft);
  return had;
}

/** Remove the proposal, and the expected judgement from the last expectation. */
export function removeProposal(draft) {
  delete draft.proposal;
  const last = draft.expect?.at(-1);
  if (!last?.judged) return;
  delete last.judged;
  if (!Object.keys(last).length) draft.expect.pop();
  if (!draft.expect.length) delete draft.expect;
}

/** Return the units that are placed relative to another one, by themselves or by a model. */
function standingBy(units, name) {
  return Object.entries(units ?? {})
    .filter(
      ([other, entry]) => other !== name && relations(entry).some(([holder, key]) => [holder[key]].flat().some((to) => owner(to) === name)),
    )
    .map(([other]) => other);
}

/** Replace a name wherever the scenario refers to it. */
function refer(draft, to) {
  const named = (name) => {
    if (typeof name !== "string") return name;
    const model = NUMBERED.exec(name);
    return model && to(name) === name ? `${to(model[1])}.${model[2]}` : to(name);
  };
  for (const charge of draft.charges ?? []) {
    charge.charger = to(charge.charger);
    charge.targets = (charge.targets ?? []).map(to);
    if (charge.domino) charge.domino = Object.fromEntries(Object.entries(charge.domino).map(([name, step]) => [to(name), step]));
  }
  for (const table of [draft, draft.proposal ?? {}]) {
    for (const entry of Object.values(table.units ?? {})) renameRelations(entry, named);
  }
  if (draft.proposal?.units)
    draft.proposal.units = Object.fromEntries(Object.entries(draft.proposal.units).map(([name, one]) => [to(name), one]));
  for (const expected of draft.expect ?? []) {
    if (expected.units) expected.units = Object.fromEntries(Object.entries(expected.units).map(([name, one]) => [to(name), one]));
  }
}

function renameRelations(entry, named) {
  for (const [holder, key] of relations(entry)) {
    holder[key] = Array.isArray(holder[key]) ? holder[key].map(named) : named(holder[key]);
  }
}

/** Return the tables and keys in a unit's entry that refer to other units or models. */
function relations(entry) {
  const fronts = FRONTS.filter((key) => entry[key]).map((key) => [entry[key], "unit"]);
  const models = Array.isArray(entry.models) ? entry.models : [];
  return [...fronts, ...models.flatMap((model) => ["touching", "near"].filter((key) => model[key]).map((key) => [model, key]))];
}

function owner(name) {
  return NUMBERED.exec(name)?.[1] ?? name;
}
