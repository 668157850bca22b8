// Adding, copying and removing units and pieces of terrain: what each does to the scenario, with names and places that are free.

import { freeName, pieceNames, removeClaim, removePiece, removeUnit, standingBy } from "./naming.js";
import { boardSize, boxOf, freeHex, freeSpot, hexCentre } from "./spots.js";
import { pieceAt, unitAt, unitSize } from "./usual.js";

const FRONTS = ["flush_on", "beside", "ahead_of"];
const RELATIONS = ["touching", "near", "gap", "bearing_deg", "side", "z"];
const GAP = 0.5;

let last = {};

/** Where everything stands: of a table that is refused, as it stood before. */
function placesIn(store) {
  last = store.table?.places ?? last;
  return last;
}

/** Add a unit of the tray: nearest to `near` where it has room, or, `exactly`, there; it is chosen then. */
export function addUnit({ store }, item, side, near, { exactly = false } = {}) {
  const name = freeName(store.scenario);
  const { board } = store.scenario;
  let entry;
  if (board.columns !== undefined) {
    const hex = freeHex(board, hexesOfUnits(store.scenario), near);
    entry = { side, hex, facing: facingOf(store.scenario, side) === 90 ? "N" : "S", profile: { ...item.entry.profile } };
  } else {
    const size = unitSize(item);
    const spot = exactly ? near : freeSpot(size, boxesIn(store), boardSize(board), near, GAP);
    entry = unitAt(item, side, spot, facingOf(store.scenario, side));
  }
  store.change((draft) => {
    draft.units = { ...draft.units, [name]: entry };
  }, `Add ${name}`);
  store.select({ kind: "unit", name });
  return name;
}

/** Add a piece of terrain of the tray. */
export function addPiece({ store }, item, near, { exactly = false } = {}) {
  const { board, terrain = [] } = store.scenario;
  let piece;
  if (board.columns !== undefined) {
    const hex = freeHex(board, exactly ? new Set() : hexesOfPieces(terrain), near);
    piece = { ...item.entry, hexes: [hex] };
  } else {
    const spot = exactly ? near : freeSpot(item.size, boxesIn(store), boardSize(board), near, GAP);
    piece = pieceAt(item, spot);
  }
  store.change((draft) => {
    draft.terrain = [...(draft.terrain ?? []), piece];
  }, `Add ${item.words.toLowerCase()}`);
  const index = store.scenario.terrain.length - 1;
  store.select({ kind: "terrain", index });
  return pieceNames(store.scenario.terrain)[index];
}

/** Copy what is chosen, to a free place beside it. */
export function copyChosen({ store, panels }) {
  const chosen = store.selection;
  if (chosen?.kind === "unit") return copyUnit(store, panels, chosen.name);
  if (chosen?.kind === "terrain") return copyPiece(store, chosen.index);
  panels.tell("Choose a unit or a piece of terrain to copy.");
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
      panels.tell(`${name} cannot be copied before the table shows where it stands.`, { kind: "warning" });
      return null;
    }
    madePlain(entry, place);
    const delta = freeShift(boxOf(place.rings.flat()), store);
    shiftUnit(entry, delta);
  }
  store.change((draft) => {
    draft.units[to] = entry;
  }, `Copy ${name}`);
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
  }, `Copy ${was}`);
  store.select({ kind: "terrain", index: store.scenario.terrain.length - 1 });
  return pieceNames(store.scenario.terrain).at(-1);
}

/** Remove what is chosen; what stood by it stands where it is. */
export function removeChosen({ store, panels }) {
  const chosen = store.selection;
  if (chosen?.kind === "terrain") {
    const name = pieceNames(store.scenario.terrain)[chosen.index];
    let told = [];
    store.select(null);
    store.change((draft) => {
      told = removePiece(draft, chosen.index);
    }, `Remove ${name}`);
    panels.tell([`${name} is removed; undo brings it back.`, ...told].join(" "));
  } else if (chosen?.kind === "unit") {
    removeNamed(store, panels, chosen.name);
  } else if (chosen?.kind === "ghost") {
    store.select(null);
    store.change((draft) => {
      removeClaim(draft, chosen.name);
    }, `Take back the claim of ${chosen.name}`);
  } else {
    panels.tell("Choose a unit or a piece of terrain to remove.");
  }
}

function removeNamed(store, panels, name) {
  const others = standingBy(store.scenario.units, name);
  const claims = standingBy(store.scenario.proposal?.units, name);
  const places = placesIn(store);
  const claimed = store.answer?.claimed ?? {};
  const lost = [...others.filter((other) => !places[other]), ...claims.filter((other) => !claimed[other])];
  if (lost.length) {
    panels.tell(`${lost[0]} stands by ${name}: give it a place of its own first.`, { kind: "warning" });
    return;
  }
  let told = [];
  store.select(null);
  store.change((draft) => {
    for (const other of others) madePlain(draft.units[other], places[other]);
    for (const other of claims) madePlain(draft.proposal.units[other], claimed[other]);
    told = removeUnit(draft, name);
  }, `Remove ${name}`);
  const stays = others.length
    ? [`${others.join(" and ")} stood by it and ${others.length > 1 ? "stay where they are" : "stays where it is"}.`]
    : [];
  panels.tell([`${name} is removed; undo brings it back.`, ...told, ...stays].join(" "));
}

/** Write a unit's place in numbers instead of by who it stands. */
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

/** Return where a new unit of a side looks: as those of its side, up the board for the first. */
function facingOf({ units = {} }, side) {
  const sides = [...new Set(Object.values(units).map((unit) => unit.side))];
  const friend = Object.values(units).find((unit) => unit.side === side);
  if (friend?.facing) return ["N", "NE", "NW"].includes(friend.facing) ? 90 : 270;
  const facing = Array.isArray(friend?.facing_deg) ? friend.facing_deg[0] : friend?.facing_deg;
  if (facing !== undefined) return Math.sin((facing * Math.PI) / 180) >= 0 ? 90 : 270;
  return sides.length && sides[0] !== side ? 270 : 90;
}

/** The boxes of all that stands on the table. */
function boxesIn(store) {
  const units = Object.values(placesIn(store)).flatMap((place) => (place.rings ?? []).map(boxOf));
  return [...units, ...(store.scenario.terrain ?? []).filter((piece) => !piece.hexes).map((piece) => boxOf(outlineOf(piece)))];
}

function outlineOf({ circle, rectangle, polygon }) {
  if (circle)
    return [
      [circle.centre[0] - circle.radius, circle.centre[1] - circle.radius],
      [circle.centre[0] + circle.radius, circle.centre[1] + circle.radius],
    ];
  if (!rectangle) return polygon;
  const {
    centre: [x, y],
    width,
    depth,
    angle_deg: angle = 0,
  } = rectangle;
  const [c, s] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([a, b]) => [x + (a * width * c - b * depth * s) / 2, y + (a * width * s + b * depth * c) / 2]);
}

function freeShift([west, south, east, north], store) {
  const size = [east - west, north - south];
  const middle = [(west + east) / 2, (south + north) / 2];
  const spot = freeSpot(size, boxesIn(store), boardSize(store.scenario.board), [middle[0] + size[0] + GAP, middle[1]], 0);
  return [spot[0] - middle[0], spot[1] - middle[1]];
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

/** Hexes two columns on, so that their shape stays; to the other side at the edge of the board. */
function shiftedHexes(hexes, board) {
  const moved = (by) =>
    hexes.map((hex) => [Number(hex.slice(0, 2)) + by, hex.slice(2)]).filter(([column]) => column >= 1 && column <= board.columns);
  const found = moved(2).length === hexes.length ? moved(2) : moved(-2);
  return found.length ? found.map(([column, row]) => String(column).padStart(2, "0") + row) : hexes;
}

function hexesOfUnits({ units = {} }) {
  return new Set(Object.values(units).map((unit) => unit.hex));
}

function hexesOfPieces(terrain) {
  return new Set(terrain.flatMap((piece) => piece.hexes ?? []));
}
