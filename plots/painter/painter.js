/* Painter: draws the marks of a figure as SVG, in table inches with y upwards. It is used by the browser page and, unchanged, inside exported
   players, so it imports nothing.

   paintMarks(group, marks, roles)   draws a list of marks into a group; unchanged marks are kept, missing ones removed. `roles` are styles that
                                     come with the figure, if any
   clearMarks(group)                 removes all marks of a group with their labels
   rescale(scale)                    must be called whenever the scale (screen pixels per table inch) changes
   labelsOf(group)                   returns the text marks of a group, for placeLabels
   shapesOf(mark, scale)             returns its paths, [{closed, d, model?}]: closed ones are filled, open ones are lines
   pointsOf(mark)                    returns the points that bound it
   addRoles({light, dark})           adds styles of roles as in plots/marks/styles.py: widths, dashes and text sizes in points
   layerOf(role), textOf(role)       return the painting order; {size (px), bold} of its text

   placeLabels(layer, items, scale, view)
                                     places texts. items: [{mark, owner, moved, back}], where `moved` maps a point of the table to its position
                                     while the owner is dragged, and `back` is its inverse. view: {seen, covered}: the visible part of the
                                     table as [west, south, east, north] in inches, and boxes of it that other elements cover. A text whose
                                     spot is visible is placed so that it can be read completely, if possible. Replaces the layer's content;
                                     existing texts are moved, not created again
   moveLabel(label, scale)           moves a label to its owner's current position

   Styles become rules of one style sheet (light and dark) and SVG patterns. Sizes fixed on the page (arrowheads, symbols, patterns) stay
   the same at every scale, as in plots/render/paths.py. */

const SVG = "http://www.w3.org/2000/svg";
const WORDS = new Set(["Label", "Printed"]);
const POINT = 96 / 72;
const INCH = 96; // screen pixels per page inch
const HEAD = 0.085 * INCH;
const HEAD_HALF = 0.032 * INCH;
const TRIANGLE = 0.1 * INCH;
const TRIANGLE_HALF = 0.052 * INCH;
const LEAST_HALF = 0.02 * INCH;
const TIP = 0.06 * INCH;
const BAR = 0.035 * INCH;
const RADII = { pivot: 0.035, contact_point: 0.05, climb: 0.03, spot: 0.04, "spot.failed": 0.05, "spot.no_verdict": 0.05 };
const CORNERS = { contact_point: 4, "spot.failed": 3, "spot.not_allowed": 4, "spot.no_verdict": 3, "spot.invalid": 4 };
const SIZED = new Set(["Arrows", "FacingMark", "PointMark", "DimensionLine"]);
const LARGER = 1.2; // screens are read from farther away than printed figures
const SPACING = { stripes: 0.055, counter_stripes: 0.07, crossed: 0.075, rows: 0.06, columns: 0.05, squares: 0.09, dots: 0.06, specks: 0.068, crowns: 0.08 };
const DOTS = { dots: 0.0085, specks: 0.0125, crowns: 0.025 };
const GROWN = ["crowns"];
const WHIMS = [0.3, 0.35]; // natural patterns: offset of dots as a share of the spacing, change of radius as a share of it
const PLANTED = 8; // natural patterns: columns and rows per tile
const TURNS = { stripes: [45], counter_stripes: [-45], crossed: [45, -45], rows: [0], columns: [90], squares: [0, 90] };
const painted = new Map(); // group -> {drawn: Map(id -> {text, element, mark}), words: [mark]}
const sheet = new CSSStyleSheet();
const knownRoles = new Map(); // role -> {text, look, pattern}
const patterns = []; // [element, rotation in degrees]
let scale = 10;

document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

export function paintMarks(group, marks, roles = null) {
  if (roles) addRoles(roles);
  const before = painted.get(group)?.drawn ?? new Map();
  const drawn = new Map();
  const shapes = marks.filter((mark) => !WORDS.has(mark.type));
  const ordered = shapes.map((mark, place) => [layerOf(mark.role), place, mark]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  for (const [, , mark] of ordered) {
    const old = before.get(mark.id);
    if (old?.mark === mark) drawn.set(mark.id, old);
    else {
      const text = JSON.stringify(mark);
      drawn.set(mark.id, { text, mark, element: old?.text === text ? old.element : draw(mark) });
    }
  }
  const wanted = [...drawn.values()].map((one) => one.element);
  for (const [place, one] of wanted.entries()) if (group.children[place] !== one) group.insertBefore(one, group.children[place] ?? null);
  while (group.children.length > wanted.length) group.lastChild.remove();
  painted.set(group, { drawn, words: marks.filter((mark) => WORDS.has(mark.type)) });
}

function draw(mark) {
  const made = element("g", { class: "mark" });
  made.dataset.mark = mark.id;
  if (mark.of) made.dataset.owner = mark.of.join(" ");
  fill(made, mark);
  return made;
}

/** Create the elements of a mark: halo, fill, lines and pattern. */
function fill(group, mark) {
  const shapes = shapesOf(mark, scale);
  const parts = [];
  const pattern = mark.type === "Rings" || mark.type === "Discs" ? patternOf(mark.role) : null;
  if (hasHalo(mark.role)) parts.push(...shapes.map((shape) => leaf("h", mark.role, shape.d)));
  // loose models get an element each, because each may be dragged; the bases of a regiment share one path
  const isLoose = shapes.length > 1 && mark.role.startsWith("loose.");
  const filled = shapes.filter((shape) => shape.closed);
  const together = isLoose || filled.length < 2 ? filled : [{ d: filled.map((shape) => shape.d).join("") }];
  for (const shape of together) {
    parts.push(leaf("c", mark.role, shape.d, shape.model));
    if (pattern) {
      const over = leaf("p", mark.role, shape.d, shape.model);
      over.setAttribute("fill", pattern);
      parts.push(over);
    }
  }
  const lines = shapes.filter((shape) => !shape.closed).map((shape) => leaf("o", mark.role, shape.d));
  group.replaceChildren(...(hasHalo(mark.role) ? parts.slice(0, shapes.length) : []), ...lines, ...(hasHalo(mark.role) ? parts.slice(shapes.length) : parts));
}

function leaf(kind, role, d, model) {
  const made = element("path", { class: kind, d });
  made.dataset.role = role;
  if (model !== undefined) made.dataset.model = model;
  return made;
}

export function clearMarks(group) {
  painted.delete(group);
  group.replaceChildren();
}

export const labelsOf = (group) => painted.get(group)?.words ?? [];
export const paintedGroups = () => [...painted.keys()].filter((group) => group.isConnected);
export const marksIn = (group) => [...(painted.get(group)?.drawn.values() ?? [])];

export function rescale(now) {
  scale = now;
  for (const [pattern, turn] of patterns) pattern.setAttribute("patternTransform", `scale(${1 / scale}) rotate(${turn})`);
  for (const [group, { drawn }] of painted) {
    if (!group.isConnected) {
      painted.delete(group);
      continue;
    }
    for (const one of drawn.values()) if (isSized(one.mark)) fill(one.element, one.mark);
  }
}

/** Create an SVG element. */
export function element(tag, attributes = {}, parent = null) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent?.append(made);
  return made;
}

// --- paths of marks, in table inches --------------------------------------------------------------------------------------------

export function shapesOf(mark, scale) {
  switch (mark.type) {
    case "Rings": return mark.numbers?.length
      ? mark.rings.map((one, place) => ({ ...closed(ring(one)), model: mark.numbers[place] }))
      : [closed([...mark.rings, ...(mark.holes ?? [])].map(ring).join(""))];
    case "Discs": return mark.discs.map((disc, place) => ({ ...closed(circle(disc)), model: mark.numbers?.[place] }));
    case "Lines": return [open(mark.lines.map(line).join(""))];
    case "Arrows": return mark.lines.flatMap((one) => arrow(one, scale));
    case "FacingMark": return facing(mark, scale);
    case "PointMark": return mark.points.map((point) => symbol(mark.role, point, scale));
    case "DimensionLine": return dimension(mark, scale);
    default: return [];
  }
}

/** Return points that bound a mark, for fitting it into view. */
export function pointsOf(mark) {
  switch (mark.type) {
    case "Rings": return mark.rings.flat();
    case "Discs": return mark.discs.flatMap(([x, y, radius]) => [[x - radius, y - radius], [x + radius, y + radius]]);
    case "Lines": case "Arrows": return mark.lines.flat();
    case "PointMark": return mark.points;
    case "DimensionLine": return [mark.start, mark.end];
    case "FacingMark": return [mark.at];
    case "Label": return mark.spots.slice(0, 1);
    case "Printed": return mark.words.map(([at]) => at);
    default: return [];
  }
}

const isSized = (mark) => SIZED.has(mark.type);
const put = (number) => (Math.round(number * 1e5) / 1e5).toString();
const line = (points) => `M${points.map(([x, y]) => `${put(x)} ${put(y)}`).join("L")}`;
const ring = (points) => `${line(points)}Z`;
const circle = ([x, y, radius]) => `M${put(x - radius)} ${put(y)}${[1, -1].map((way) => `a${put(radius)} ${put(radius)} 0 1 0 ${put(2 * way * radius)} 0`).join("")}Z`;
const apart = ([ax, ay], [bx, by]) => Math.hypot(bx - ax, by - ay);
const along = ([x, y], bearing, length) => [x + length * Math.cos(bearing), y + length * Math.sin(bearing)];
const bearingOf = ([ax, ay], [bx, by]) => Math.atan2(by - ay, bx - ax);
const closed = (d) => ({ closed: true, d });
const open = (d) => ({ closed: false, d });

function arrow(points, scale) {
  const whole = points.slice(1).reduce((sum, point, place) => sum + apart(points[place], point), 0);
  const length = Math.min(HEAD / scale, 0.6 * whole);
  const end = points.at(-1);
  const back = shortened(points, length).at(-1);
  return [open(line(shortened(points, 0.8 * length))), head(end, bearingOf(back, end), length)];
}

/** Cut the last `length` inches off a line; return the rest, which ends at the cut. */
function shortened(points, length) {
  const kept = points.slice();
  let left = length;
  while (kept.length > 1) {
    const [before, last] = kept.slice(-2);
    const leg = apart(before, last);
    if (leg > left) {
      kept[kept.length - 1] = along(last, bearingOf(last, before), left);
      return kept;
    }
    left -= leg;
    kept.pop();
  }
  return kept;
}

function head(tip, bearing, length, half = (length * HEAD_HALF) / HEAD) {
  const [x, y] = along(tip, bearing, -length);
  const [aside, ahead] = [half * Math.sin(bearing), half * Math.cos(bearing)];
  return closed(ring([tip, [x - aside, y + ahead], [x + aside, y - ahead]]));
}

function facing(mark, scale) {
  const half = Math.max(Math.min(TRIANGLE_HALF / scale, mark.width / 2, (mark.depth * TRIANGLE_HALF) / TRIANGLE), LEAST_HALF / scale);
  return [head(mark.at, mark.heading, (half * TRIANGLE) / TRIANGLE_HALF, half)];
}

function symbol(role, centre, scale) {
  const radius = ((RADII[role] ?? RADII[role.split(".")[0]] ?? 0.035) * INCH) / scale;
  const corners = CORNERS[role] ?? 24;
  return closed(ring(Array.from({ length: corners }, (_, step) => along(centre, Math.PI / 2 + (2 * Math.PI * step) / corners, radius))));
}

function dimension(mark, scale) {
  const { start, end, aside } = mark;
  const length = apart(start, end) || 1;
  const [sx, sy] = [(aside * (start[1] - end[1])) / length, (aside * (end[0] - start[0])) / length];
  const ends = [[start[0] + sx, start[1] + sy], [end[0] + sx, end[1] + sy]];
  const bearing = bearingOf(...ends);
  const bar = [(-BAR * Math.sin(bearing)) / scale, (BAR * Math.cos(bearing)) / scale];
  const bars = ends.map(([x, y], place) => {
    const tail = aside ? [start, end][place] : [x - bar[0], y - bar[1]];
    return open(line([tail, [x + bar[0], y + bar[1]]]));
  });
  const tip = TIP / scale;
  if (apart(...ends) < 3 * tip) return [open(line(ends)), ...bars];
  return [open(line(ends)), ...bars, head(ends[1], bearing, tip, tip / 3), head(ends[0], bearing + Math.PI, tip, tip / 3)];
}

// --- styles of roles --------------------------------------------------------------------------------------------------------------------

export function addRoles({ light = {}, dark = {} }) {
  for (const [role, look] of Object.entries(light)) {
    const text = JSON.stringify([look, dark[role]]);
    if (knownRoles.get(role)?.text === text) continue;
    const named = look.pattern || dark[role]?.pattern || "";
    const pattern = named in SPACING ? named : "";
    if (pattern && knownRoles.get(role)?.pattern === undefined) addPattern(role, pattern);
    knownRoles.set(role, { text, look, pattern: pattern || undefined });
    for (const rule of rules(role, look, pattern)) sheet.insertRule(rule, sheet.cssRules.length);
    const night = rules(role, dark[role] ?? look, pattern).join("");
    sheet.insertRule(`@media (prefers-color-scheme: dark){${night}}`, sheet.cssRules.length);
  }
}

function rules(role, look, hasPattern) {
  const at = `[data-role="${CSS.escape(role)}"]`;
  const dash = look.dash?.length ? look.dash.map(px).join(" ") : "none";
  const line = `stroke:${colour(look.edge)};stroke-width:${px(look.width)}`;
  const made = [
    `.c${at}{fill:${colour(look.fill)};${line};${look.fill ? "" : `stroke-dasharray:${dash};`}opacity:${look.alpha ?? 1}}`,
    `.o${at}{fill:none;${line};stroke-dasharray:${dash};opacity:${look.alpha ?? 1}}`,
    `.w${at}{fill:${look.colour ?? "var(--ink)"};${look.fill ? "" : `paint-order:stroke;stroke:${colour(look.edge)};stroke-width:${px(2 * look.width)};stroke-linejoin:round`}}`,
    `.n${at}{fill:${look.fill ?? "var(--ink)"};paint-order:stroke;stroke:${colour(look.edge)};stroke-width:${px(look.width)};stroke-linejoin:round}`,
    look.fill ? `.paper${at}{fill:${look.fill};stroke:${colour(look.edge)};stroke-width:${px(look.width)};opacity:${look.alpha ?? 1}}` : `.paper${at}{fill:none}`,
  ];
  if (look.halo) made.push(`.h${at}{fill:none;stroke:var(--page);stroke-width:${px(look.width + 2 * look.halo)}}`);
  if (hasPattern) {
    made.push(hasPattern in DOTS ? `.t${at}{fill:${look.pattern_colour}}` : `.t${at}{fill:none;stroke:${look.pattern_colour};stroke-width:${px(0.6)}}`);
  }
  return made;
}

const colour = (value) => value ?? "none";
const px = (points) => `${+(points * POINT).toFixed(3)}px`;

function addPattern(role, name) {
  const spacing = SPACING[name] * INCH;
  const isGrown = GROWN.includes(name);
  const [columns, rows] = isGrown ? [PLANTED, PLANTED] : [1, 2];
  const turn = name in DOTS ? 0 : TURNS[name][0];
  const made = element("pattern", {
    id: patternId(role),
    patternUnits: "userSpaceOnUse",
    width: name in DOTS ? columns * spacing : spacing,
    height: name in DOTS ? rows * spacing : spacing,
    patternTransform: `scale(${1 / scale}) rotate(${turn})`,
  }, document.getElementById("patterns"));
  const parts = name in DOTS
    ? dotsOf(columns, rows, isGrown).map(([x, y, size]) => element("circle", { cx: x * spacing, cy: y * spacing, r: size * DOTS[name] * INCH }))
    : [element("path", { d: TURNS[name].length === 1 ? `M0 ${spacing / 2}H${spacing}` : `M0 ${spacing / 2}H${spacing}M${spacing / 2} 0V${spacing}` })];
  for (const part of parts) {
    part.setAttribute("class", "t");
    part.dataset.role = role;
  }
  made.append(...parts);
  patterns.push([made, turn]);
}

/** Return the dots of a quincunx in a tile, as [x, y, size] in spacings and radii, with dots of neighbouring tiles that overlap its edges. */
function dotsOf(columns, rows, isGrown) {
  const found = [];
  for (let y = -1; y <= rows; y += 1) {
    for (let x = -1; x <= columns; x += 1) {
      const [across, up, size] = [0, 1, 2].map((seed) => (isGrown ? whim((x + columns) % columns, (y + rows) % rows, seed) : 0));
      found.push([x + (y & 1) / 2 + WHIMS[0] * across, y + WHIMS[0] * up, 1 + WHIMS[1] * size]);
    }
  }
  return found;
}

/** Return a hash from -1 to 1 for a cell of a grid, as plots/render/paths.py does. */
function whim(x, y, seed) {
  const mixed = Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(seed, 83492791);
  return (Math.imul(mixed, 2654435761) >>> 0) / 2147483648 - 1;
}

const patternId = (role) => `pattern-${role.replace(/[^\w-]/gu, "_")}`;
const patternOf = (role) => (knownRoles.get(role)?.pattern ? `url(#${patternId(role)})` : null);
const hasHalo = (role) => Boolean(knownRoles.get(role)?.look.halo);

export const layerOf = (role) => knownRoles.get(role)?.look.layer ?? 8;

export function textOf(role) {
  const look = knownRoles.get(role)?.look ?? {};
  return { size: (look.size ?? 7.5) * POINT * LARGER, bold: Boolean(look.bold) };
}

// --- texts: each takes its first free spot, in order of rank; numbers of models and hexes are printed at their points or left out. Names are
// never covered. Sizes are in pixels, so spots are chosen anew for every scale --------------------------------------------------------------

const PAD = 3;
const AIR = 2;
const AWAY = [4, 12, 24, 40, 64, 96];
const DIRECTIONS = Array.from({ length: 8 }, (_, step) => [Math.cos((step * Math.PI) / 4), Math.sin((step * Math.PI) / 4)]);
const DISC = 6.5; // radius of the disc with a sentence's number before a text
const SPARED = 6; // rank from which a text is left out rather than placed over others
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

/** Occupied boxes, indexed by grid cell so that a lookup need not test all of them. */
class Taken {
  cells = new Map();

  static keys([west, north, east, south]) {
    if (![west, north, east, south].every((side) => Math.abs(side) < FAR)) return []; // too far away to have a cell
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

function fitsHome(home, [x], [wide, high]) {
  const xs = home.map((point) => point[0]);
  const ys = home.map((point) => point[1]);
  return Math.max(...xs) - Math.min(...xs) >= 2 * wide && Math.max(...ys) - Math.min(...ys) >= 2 * high && x >= Math.min(...xs) && x <= Math.max(...xs);
}

function* candidates(spots, mark, moved, half, scale) {
  const home = mark.home?.length ? mark.home.map((at) => pixels(moved(at), scale)) : null;
  if (home) for (const spot of spots) if (fitsHome(home, spot, half)) yield spot;
  for (const away of AWAY) {
    for (const [x, y] of spots) {
      for (const [across, down] of DIRECTIONS) {
        const clip = (share, size) => size * Math.max(-1, Math.min(1, Math.SQRT2 * share));
        yield [x + away * across + clip(across, half[0]), y + away * down + clip(down, half[1])];
      }
    }
  }
}

const writtenLabels = new WeakMap(); // layer -> {before, now}: Map(appearance of a text -> its groups)

function writeLabel(layer, item, centre, lines, size, bold, scale) {
  const look = JSON.stringify([item.mark.id, item.mark.type, item.mark.role, item.owner, lines, size, item.half]);
  const { before, now } = writtenLabels.get(layer);
  const group = before.get(look)?.pop() ?? labelGroup(item, lines, size, bold);
  group.at = item.back([centre[0] / scale, -centre[1] / scale], item.model);
  group.item = item;
  now.set(look, [...(now.get(look) ?? []), group]);
  moveLabel(group, scale);
}

function labelGroup({ mark, owner, half }, lines, size, bold) {
  const group = element("g", { class: "label" });
  group.dataset.mark = mark.id;
  if (owner) group.dataset.owner = owner;
  if (mark.type === "Label") {
    const paper = element("rect", { class: "paper", x: -half[0], y: -half[1], width: 2 * half[0], height: 2 * half[1] }, group);
    paper.dataset.role = mark.role;
  }
  const aside = mark.key ? DISC + 1 : 0;
  if (aside) {
    element("circle", { class: "key-disc", cx: 1 + DISC - half[0], r: DISC }, group);
    element("text", { class: "key-number", x: 1 + DISC - half[0], y: 3.5, "font-size": 10, "font-weight": 700 }, group).textContent = mark.key;
  }
  for (const [place, text] of lines.entries()) {
    const y = (place - (lines.length - 1) / 2) * size * 1.25 + size * 0.36;
    const words = element("text", { class: mark.type === "Label" ? "w" : "n", x: aside, y, "font-size": size, "font-weight": bold ? 700 : 400 }, group);
    words.dataset.role = mark.role;
    words.textContent = text;
  }
  return group;
}

/** Move a label to its current position, while its owner may be moving. */
export function moveLabel(group, scale) {
  const [x, y] = group.item.moved(group.at, group.item.model);
  const text = `translate(${x} ${y}) scale(${1 / scale} ${-1 / scale})`;
  if (group.moved !== text) group.setAttribute("transform", text);
  group.moved = text;
}

function placeLabel(layer, item, taken, scale, seen) {
  const { mark } = item;
  const { size, bold } = textOf(mark.role);
  const lines = wrapped(mark.text, size, bold);
  const half = [Math.max(...lines.map((line) => widthOf(line, size, bold))) / 2 + PAD + (mark.key ? DISC + 1 : 0), Math.max(lines.length * size * 0.625, mark.key ? DISC : 0) + 1];
  const spots = mark.spots.map((at) => pixels(item.moved(at), scale));
  const isSeen = spots.some((at) => isIn([...at, ...at], seen));
  let free = null; // overlaps nothing, but may be cut off
  let whole = null; // not cut off, but may overlap others
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
  const isSpared = mark.rank >= SPARED && !mark.role.endsWith("decided");
  const centre = free ?? (isSpared ? null : whole ?? first);
  if (!centre) return;
  if (free) taken.take(boxAt(centre, half));
  writeLabel(layer, { ...item, half }, centre, lines, size, bold, scale);
}

const isIn = (box, [west, north, east, south]) => box[0] >= west && box[1] >= north && box[2] <= east && box[3] <= south;
const boxOf = ([west, south, east, north], scale) => [west * scale, -north * scale, east * scale, -south * scale];

function printWords(layer, item, taken, scale) {
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
    writeLabel(layer, { ...item, half, model }, centre, [text], size, bold, scale);
  }
  return isWhole;
}

export function placeLabels(layer, items, scale, view) {
  const { now: before } = writtenLabels.get(layer) ?? { now: new Map() };
  const now = new Map();
  writtenLabels.set(layer, { before, now });
  const taken = new Taken();
  const seen = boxOf(view.seen, scale);
  for (const box of view.covered) taken.take(boxOf(box, scale));
  const later = [];
  for (const item of items) {
    if (item.mark.type !== "Printed") later.push(item);
    else if (item.mark.role !== "hex_number" && !printWords(layer, item, taken, scale) && item.mark.instead) later.push({ ...item, mark: item.mark.instead });
  }
  later.sort((a, b) => a.mark.rank - b.mark.rank);
  for (const item of later) placeLabel(layer, item, taken, scale, seen);
  for (const item of items) if (item.mark.role === "hex_number") printWords(layer, item, taken, scale);
  for (const group of [...before.values()].flat()) group.remove();
  for (const group of [...now.values()].flat()) if (group.parentNode !== layer) layer.append(group);
}
