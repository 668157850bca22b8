/* Texts on the table: of their spots the first that is free is taken, those of low rank first; numbers of models and hexes stand where they are
   or not at all. Nothing covers a name. Sizes are pixels, so places are found anew for every scale.

   placeLabels(layer, items, scale, view)   items: [{mark, owner, moved, back}], moved: a function that carries a point of the table along
                                            while its owner is dragged, back: one that carries it back. view: {seen, covered}, what is seen
                                            of the table as [west, south, east, north] in inches, and such boxes of what of it lies under
                                            something else: a text whose spot is seen stands where all of it is read, if it can. Replaces
                                            what is in the layer: texts that were there are moved, not made. */

import { element, textOf } from "./paint.js";

const PAD = 3;
const AIR = 2;
const AWAY = [4, 12, 24, 40, 64, 96];
const DIRECTIONS = Array.from({ length: 8 }, (_, step) => [Math.cos((step * Math.PI) / 4), Math.sin((step * Math.PI) / 4)]);
const SPARED = 6; // rank from which a text is rather left out than set over others
const WIDEST = 150;
const FAR = 2 ** 30;
const widths = new Map();
const canvas = document.createElement("canvas").getContext("2d");

function widthOf(text, size, bold) {
  const key = `${bold}${size}${text}`;
  if (!widths.has(key)) {
    canvas.font = `${bold ? 700 : 400} ${size}px "Open Sans", system-ui, sans-serif`;
    widths.set(key, canvas.measureText(text).width);
  }
  return widths.get(key);
}
document.fonts?.addEventListener?.("loadingdone", () => widths.clear());

function wrapped(text, size, bold) {
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && widthOf(longer, size, bold) <= WIDEST) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Boxes taken, in a grid of cells so that a lookup does not ask all of them. */
class Taken {
  cells = new Map();

  static keys([west, north, east, south]) {
    if (![west, north, east, south].every((side) => Math.abs(side) < FAR)) return []; // beyond all tables: there cells cannot be counted
    const found = [];
    for (let x = Math.floor(west / 64); x <= Math.floor(east / 64); x += 1) {
      for (let y = Math.floor(north / 64); y <= Math.floor(south / 64); y += 1) found.push(`${x},${y}`);
    }
    return found;
  }

  isFree(box) {
    return Taken.keys(box).every((key) => (this.cells.get(key) ?? []).every((other) => box[2] <= other[0] || other[2] <= box[0] || box[3] <= other[1] || other[3] <= box[1]));
  }

  take(box) {
    for (const key of Taken.keys(box)) this.cells.set(key, [...(this.cells.get(key) ?? []), box]);
  }
}

const pixels = ([x, y], scale) => [x * scale, -y * scale];
const boxAt = ([x, y], [wide, high]) => [x - wide - AIR, y - high - AIR, x + wide + AIR, y + high + AIR];

function within(home, [x], [wide, high]) {
  const xs = home.map((point) => point[0]);
  const ys = home.map((point) => point[1]);
  return Math.max(...xs) - Math.min(...xs) >= 2 * wide && Math.max(...ys) - Math.min(...ys) >= 2 * high && x >= Math.min(...xs) && x <= Math.max(...xs);
}

function* candidates(spots, mark, moved, half, scale) {
  const home = mark.home?.length ? mark.home.map((at) => pixels(moved(at), scale)) : null;
  if (home) for (const spot of spots) if (within(home, spot, half)) yield spot;
  for (const away of AWAY) {
    for (const [x, y] of spots) {
      for (const [across, down] of DIRECTIONS) {
        const clip = (share, size) => size * Math.max(-1, Math.min(1, Math.SQRT2 * share));
        yield [x + away * across + clip(across, half[0]), y + away * down + clip(down, half[1])];
      }
    }
  }
}

const written = new WeakMap(); // layer -> {before, now}: Map(what a text looks like -> its groups)

function write(layer, item, centre, lines, size, bold, scale) {
  const look = JSON.stringify([item.mark.id, item.mark.type, item.mark.role, item.owner, lines, size, item.half]);
  const { before, now } = written.get(layer);
  const group = before.get(look)?.pop() ?? made(item, lines, size, bold);
  group.at = item.back([centre[0] / scale, -centre[1] / scale], item.model);
  group.item = item;
  now.set(look, [...(now.get(look) ?? []), group]);
  move(group, scale);
}

function made({ mark, owner, half }, lines, size, bold) {
  const group = element("g", { class: "label" });
  group.dataset.mark = mark.id;
  if (owner) group.dataset.owner = owner;
  if (mark.type === "Label") {
    const paper = element("rect", { class: "paper", x: -half[0], y: -half[1], width: 2 * half[0], height: 2 * half[1] }, group);
    paper.dataset.role = mark.role;
  }
  for (const [place, text] of lines.entries()) {
    const y = (place - (lines.length - 1) / 2) * size * 1.25 + size * 0.36;
    const words = element("text", { class: "w", x: 0, y, "font-size": size, "font-weight": bold ? 700 : 400 }, group);
    words.dataset.role = mark.role;
    words.textContent = text;
  }
  return group;
}

/** Put a label where it stands now; its owner may be on the way. */
export function move(group, scale) {
  const [x, y] = group.item.moved(group.at, group.item.model);
  const text = `translate(${x} ${y}) scale(${1 / scale} ${-1 / scale})`;
  if (group.moved !== text) group.setAttribute("transform", text);
  group.moved = text;
}

function place(layer, item, taken, scale, seen) {
  const { mark } = item;
  const { size, bold } = textOf(mark.role);
  const lines = wrapped(mark.text, size, bold);
  const half = [Math.max(...lines.map((line) => widthOf(line, size, bold))) / 2 + PAD, (lines.length * size * 1.25) / 2 + 1];
  const spots = mark.spots.map((at) => pixels(item.moved(at), scale));
  const isSeen = spots.some((at) => isIn([...at, ...at], seen));
  let free = null; // where nothing else is, though it may be cut off
  let whole = null; // where it is not cut off, though it may lie on others
  let first = null;
  for (const centre of candidates(spots, mark, item.moved, half, scale)) {
    first ??= centre;
    const box = boxAt(centre, half);
    const isWhole = !isSeen || isIn(box, seen);
    if (isWhole) whole ??= centre;
    else if (free) continue;
    if (!taken.isFree(box)) continue;
    free = centre;
    if (isWhole) break;
  }
  const isSpared = mark.rank >= SPARED && mark.role !== "decided";
  const centre = free ?? (isSpared ? null : whole ?? first);
  if (!centre) return;
  if (free) taken.take(boxAt(centre, half));
  write(layer, { ...item, half }, centre, lines, size, bold, scale);
}

const isIn = (box, [west, north, east, south]) => box[0] >= west && box[1] >= north && box[2] <= east && box[3] <= south;
const boxOf = ([west, south, east, north], scale) => [west * scale, -north * scale, east * scale, -south * scale];

function print(layer, item, taken, scale) {
  const { size, bold } = textOf(item.mark.role);
  let isWhole = true;
  for (const [at, text, room] of item.mark.words) {
    const half = [widthOf(text, size, bold) / 2, size * 0.37];
    const model = item.mark.id.includes(".numbers") ? Number(text) : undefined;
    const centre = pixels(item.moved(at, model), scale);
    const box = boxAt(centre, half);
    if (2 * Math.hypot(...half) > room * scale || !taken.isFree(box)) {
      isWhole = false;
      continue;
    }
    taken.take(box);
    write(layer, { ...item, half, model }, centre, [text], size, bold, scale);
  }
  return isWhole;
}

export function placeLabels(layer, items, scale, view) {
  const { now: before } = written.get(layer) ?? { now: new Map() };
  const now = new Map();
  written.set(layer, { before, now });
  const taken = new Taken();
  const seen = boxOf(view.seen, scale);
  for (const box of view.covered) taken.take(boxOf(box, scale));
  const later = [];
  for (const item of items) {
    if (item.mark.type !== "Printed") later.push(item);
    else if (item.mark.role !== "hex_number" && !print(layer, item, taken, scale) && item.mark.instead) later.push({ ...item, mark: item.mark.instead });
  }
  later.sort((a, b) => a.mark.rank - b.mark.rank);
  for (const item of later) place(layer, item, taken, scale, seen);
  for (const item of items) if (item.mark.role === "hex_number") print(layer, item, taken, scale);
  for (const group of [...before.values()].flat()) group.remove();
  for (const group of [...now.values()].flat()) if (group.parentNode !== layer) layer.append(group);
}
