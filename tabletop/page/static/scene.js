/* Painting of the scene: ground, terrain, draggable units and ghosts, evidence, faults, distances. Bodies follow the pointer at once: they are
   painted at the server's places and moved to those of the scenario. Evidence belongs to the last answer, grey while a newer one is pending.

   placeNow(thing)      where a thing stands now (places.js), also where its file says only how it stands by others
   known(thing)         what the server told of it: rings, front, kind ...
   ringsNow(thing)      its outlines where it stands now, one a model
   isCarried(scenario, since)   whether all that stands in a scenario can be carried to its place without asking: it was told since a
                                state from which nothing has changed but places
   redraw()             once more in the next frame
   paintNow()           what waits for the next frame, in this one */

import { digits, label, say } from "./language.js";
import { addRoles, clearMarks, element, labelsOf, layerOf, moveLabel, paintMarks, placeLabels, pointsOf } from "./painter.js";
import { carried, entryOf, isRelated, isStill, motion, placeOf, transformOf } from "./places.js";
import { table } from "./table.js";

const layer = (name) => document.getElementById(`layer-${name}`);
const GROUND = /^(board|panel|backdrop|hex|hex_number|surface\..*|patches\..*)$/u; // what a photo lies on
const LYING = 1.9; // layers below this belong to the ground
const UNDER = 4; // layers below that of units
const AROUND = 3; // inches around units without a charge
let store = null;
let bodies = null; // the last answer with places: {answer, scenario, revision}
let evidence = null; // the answer whose evidence is shown
let waiting = 0;
let isMeasuring = false;
const drawn = new Map(); // key of a thing -> {group, marks, thing}
const motions = new Map(); // key of a thing -> the transforms that move it: {whole} or {models}

export const keyOf = (thing) => (thing.kind === "terrain" ? `terrain ${thing.index}` : `${thing.kind} ${thing.name}`);
export const thingOf = (key) => {
  const [kind, rest] = [key.slice(0, key.indexOf(" ")), key.slice(key.indexOf(" ") + 1)];
  return kind === "terrain" ? { kind, index: Number(rest) } : { kind, name: rest };
};
export const thingGroup = (thing) => drawn.get(keyOf(thing))?.group;
export const isPressed = (key) => String(store.selection !== null && keyOf(store.selection) === key);
export const sceneBoard = () => bodies?.answer.board ?? null;

function toldIn(answer, thing) {
  if (!answer) return null;
  if (thing.kind === "terrain") return answer.terrain?.[thing.index] ?? null;
  if (thing.kind === "ghost") return answer.claimed?.[thing.name] ?? answer.ends?.[thing.name] ?? null;
  return answer.places?.[thing.name] ?? null;
}

export function known(thing) {
  return toldIn(thing.kind === "ghost" ? evidence?.answer : bodies?.answer, thing);
}

export const placeNow = (thing) => placeOf(store.scenario, thing, known(thing));

function carrierOf(thing) {
  const from = thing.kind === "ghost" ? evidence : bodies;
  if (!from || !store.scenario) return null;
  if (entryOf(from.scenario, thing) === entryOf(store.scenario, thing)) return null; // equal parts of scenarios are identical objects (store.js)
  const before = placeOf(from.scenario, thing, toldIn(from.answer, thing));
  const after = placeOf(store.scenario, thing, toldIn(from.answer, thing));
  if (!before || !after || before.kind !== after.kind) return null;
  const centres = from.answer.board?.centres ?? {};
  if (before.kind !== "squad") {
    const whole = motion(before, after, { centres });
    return isStill(whole) ? null : { whole };
  }
  const models = after.models.map((_, model) => (before.models[model] ? motion(before, after, { model }) : null));
  if (models.every(isStill)) return null;
  const [first] = models;
  const isOne = first && models.every((one) => one && Math.abs(one.degrees - first.degrees) < 1e-9
    && Math.hypot(...[0, 1].map((axis) => carried(one, first.from)[axis] - carried(first, first.from)[axis])) < 1e-6);
  return isOne ? { whole: first } : { models };
}

const carry = (carrier, at, model) => {
  if (!carrier) return at;
  const by = carrier.whole ?? carrier.models[model ?? 0];
  return by ? carried(by, at) : at;
};
const carryBack = (carrier, at, model) => {
  const by = carrier?.whole ?? carrier?.models[model ?? 0];
  return by ? carried({ from: by.to, to: by.from, degrees: -by.degrees }, at) : at;
};

export function ringsNow(thing) {
  const carrier = carrierOf(thing);
  return (known(thing)?.rings ?? (known(thing)?.ring ? [known(thing).ring] : [])).map((ring, model) => ring.map((at) => carry(carrier, at, model)));
}

export function isCarried(scenario, since) {
  if (!bodies || bodies.revision < since || bodies.answer.board.columns) return false; // units in one hex are drawn side by side
  return Object.keys(scenario.units ?? {}).every((name) => !isRelated(scenario, { kind: "unit", name }));
}

function nameOf(thing) {
  if (thing.kind === "terrain") {
    const name = known(thing)?.name ?? say`terrain`;
    return say`${name}, terrain`;
  }
  const place = placeNow(thing);
  const side = store.scenario.units?.[thing.name]?.side;
  const told = {
    regiment: () => say`at ${digits(place.at[0].toFixed(1))}, ${digits(place.at[1].toFixed(1))}, facing ${Math.round(place.facing_deg)} degrees`,
    hex: () => say`in hex ${place.hex}, facing ${label(place.facing)}`,
    squad: () => say`${place.models.length} models`,
  };
  const where = place ? told[place.kind]?.() ?? "" : "";
  return [thing.kind === "ghost" ? say`${thing.name}, claimed end` : thing.name, side, where].filter(Boolean).join(", ");
}

/** Return whether a mark without owner belongs to the ground or its texts. */
const lies = (mark) => !mark.of && (GROUND.test(mark.role) || layerOf(mark.role) < LYING || /\.(terrain|hexes|levels?)\./u.test(mark.id));

/** Create the group of a draggable thing. */
function groupOf(thing, parent) {
  const key = keyOf(thing);
  if (drawn.has(key)) return drawn.get(key);
  const group = element("g", { class: `thing ${thing.kind}`, tabindex: 0, role: "button" }, parent);
  group.dataset.key = key;
  group.setAttribute("aria-pressed", isPressed(key));
  const made = { thing, group, marks: element("g", {}, group), hits: element("g", {}, group) };
  drawn.set(key, made);
  return made;
}

function paintThing(thing, parent, marks, roles) {
  const made = groupOf(thing, parent);
  paintMarks(made.marks, marks, roles);
  const told = known(thing);
  if (made.told === told) return;
  made.told = told;
  const rings = told?.rings ?? (told?.ring ? [told.ring] : []);
  const text = JSON.stringify(rings);
  if (made.text !== text) {
    made.text = text;
    made.hits.replaceChildren(...rings.map((ring, model) => {
      const hit = element("path", { class: "hit", d: `M${ring.map((at) => at.join(" ")).join("L")}Z` });
      hit.dataset.model = model;
      return hit;
    }));
  }
}

/** Paint the bodies of an answer, in the order of the file. */
function paintBodies() {
  const { figure } = bodies.answer;
  const free = [];
  const owned = new Map();
  for (const mark of figure.marks) {
    if (!mark.of) free.push(mark);
    else if (mark.of[0] !== "ghost") {
      const key = mark.of.join(" ");
      owned.set(key, [...(owned.get(key) ?? []), mark]);
    }
  }
  addRoles(figure.roles ?? {});
  paintMarks(layer("ground"), free.filter((mark) => GROUND.test(mark.role)));
  const pieces = layer("terrain");
  const rest = pieces.querySelector(":scope > g.rest") ?? element("g", { class: "rest" }, pieces);
  paintMarks(rest, free.filter((mark) => lies(mark) && !GROUND.test(mark.role)));
  (bodies.answer.terrain ?? []).forEach((_, index) => { if (!owned.has(`terrain ${index}`)) owned.set(`terrain ${index}`, []); });
  for (const [key, made] of drawn) {
    if (made.thing.kind === "ghost" || owned.has(key)) continue;
    clearMarks(made.marks);
    made.group.remove();
    drawn.delete(key);
  }
  for (const [key, marks] of owned) paintThing(thingOf(key), key.startsWith("terrain") ? pieces : layer("units"), marks);
}

function paintEvidence() {
  const { figure } = evidence.answer;
  addRoles(figure.roles ?? {});
  const free = figure.marks.filter((mark) => !mark.of && !lies(mark));
  const isUnder = (mark) => layerOf(mark.role) < UNDER;
  paintMarks(layer("under"), free.filter(isUnder));
  paintMarks(layer("over"), free.filter((mark) => !isUnder(mark)));
  const ghosts = new Map();
  for (const mark of figure.marks) if (mark.of?.[0] === "ghost") ghosts.set(mark.of[1], [...(ghosts.get(mark.of[1]) ?? []), mark]);
  for (const [key, made] of drawn) {
    if (made.thing.kind !== "ghost" || ghosts.has(made.thing.name)) continue;
    clearMarks(made.marks);
    made.group.remove();
    drawn.delete(key);
  }
  for (const [name, marks] of ghosts) paintThing({ kind: "ghost", name }, layer("claims"), marks);
  paintDemanded(evidence.answer.demanded);
}

/** Paint the end positions that the rules demand instead of a claim; these ghosts cannot be dragged. */
function paintDemanded(demanded) {
  if (!demanded) return clearMarks(layer("demanded"));
  const rings = new Map();
  for (const mark of demanded.marks) if (mark.of) rings.set(mark.of[1], [...(rings.get(mark.of[1]) ?? []), ...pointsOf(mark)]);
  const claims = Object.keys(evidence.answer.claimed ?? {});
  const words = [...rings].filter(([name]) => claims.includes(name)).map(([name, home]) => {
    const [xs, ys] = [home.map(([x]) => x), home.map(([, y]) => y)];
    const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const spots = [[(west + east) / 2, (south + north) / 2], [west, north], [east, north], [west, south], [east, south]];
    return { type: "Label", id: `demanded.${name}.label`, role: "text", text: say`${name} as demanded`, spots, rank: 2, home: [] };
  });
  paintMarks(layer("demanded"), [...demanded.marks, ...words], demanded.roles);
}

/** Paint the figure of an alternative in place of the ruling's evidence, which turns pale; null takes it away. */
export function paintContrast(figure) {
  table.svg.classList.toggle("has-contrast", Boolean(figure));
  if (figure) paintMarks(layer("contrast"), figure.marks, figure.roles);
  else clearMarks(layer("contrast"));
  redraw({ marks: true });
}

/** Move bodies to their places in the scenario, and update their labels. */
function carryAll() {
  motions.clear();
  for (const [key, made] of drawn) {
    const carrier = carrierOf(made.thing);
    if (carrier) motions.set(key, carrier);
    const whole = carrier?.whole ? transformOf(carrier.whole) : "";
    if (made.whole !== whole) {
      made.whole = whole;
      if (whole) made.group.setAttribute("transform", whole);
      else made.group.removeAttribute("transform");
    }
    if (carrier?.models || made.isSpread) {
      made.isSpread = Boolean(carrier?.models);
      for (const path of made.group.querySelectorAll("[data-model]")) {
        const one = carrier?.models?.[Number(path.dataset.model)];
        if (one && !isStill(one)) path.setAttribute("transform", transformOf(one));
        else path.removeAttribute("transform");
      }
    }
    const of = [entryOf(store.scenario, made.thing), known(made.thing)];
    if (made.of?.every((one, place) => one === of[place])) continue;
    made.of = of;
    const name = nameOf(made.thing);
    if (made.name !== name) {
      made.name = name;
      made.group.setAttribute("aria-label", name);
    }
  }
  for (const label of layer("labels").children) if (label.dataset.owner) moveLabel(label, table.scale);
}

function writeLabels() {
  const items = [];
  const add = (group, owner = null) => {
    for (const mark of labelsOf(group)) {
      items.push({ mark, owner, moved: (at, model) => carry(motions.get(owner), at, model), back: (at, model) => carryBack(motions.get(owner), at, model) });
    }
  };
  for (const [key, made] of drawn) if (made.thing.kind !== "ghost") add(made.marks, key);
  const shown = table.svg.classList.contains("has-contrast") ? ["contrast"] : ["under", "over", "demanded"];
  for (const name of ["ground", "map", "gaps", ...shown]) add(layer(name));
  const rest = layer("terrain").querySelector(":scope > g.rest");
  if (rest) add(rest);
  placeLabels(layer("labels"), items, table.scale, table.view());
}

const hexWords = (count) => (count === 1 ? say`1 hex` : say`${count} hexes`);

function gapLabels(answer) {
  const group = layer("gaps");
  const chosen = store.selection;
  if (!chosen || chosen.kind === "terrain" || !isMeasuring) return clearMarks(group);
  const marks = (answer?.gaps ?? []).filter((one) => one.between.includes(chosen.name) && one.gap > 0).flatMap((one, number) => [
    { type: "Lines", id: `gap.${number}`, role: "measured", lines: [[one.from, one.to]] },
    { type: "Label", id: `gap.${number}.label`, role: "text", text: one.unit === "hexes" ? hexWords(one.gap) : say`${digits(one.gap.toFixed(2))} in`, spots: [[(one.from[0] + one.to[0]) / 2, (one.from[1] + one.to[1]) / 2]], rank: 1, home: [] },
  ]);
  paintMarks(group, marks);
}

export function measure(isOn) {
  isMeasuring = isOn;
  redraw();
}

let hasNewMarks = false;
let aim = ""; // whom the view was fitted to
let awaitsFocus = false; // the first ruling of a new table, which sets the focus, is pending

function frame() {
  waiting = 0;
  if (!store.scenario || !bodies) return;
  if (hasNewMarks) {
    hasNewMarks = false;
    gapLabels(store.table);
    paintBodies();
    if (evidence) paintEvidence();
    carryAll();
    writeLabels();
  } else {
    carryAll();
  }
  document.dispatchEvent(new CustomEvent("painted"));
}

/** Paint pending changes now rather than in the next frame. */
export function paintNow() {
  if (!waiting) return;
  cancelAnimationFrame(waiting);
  frame();
}

export function redraw({ marks = false } = {}) {
  hasNewMarks ||= marks;
  waiting ||= requestAnimationFrame(frame);
}

/** Process an answer; `asked` is the scenario and revision that it belongs to. */
export function takeIn(answer, asked, { isRuling }) {
  if (answer?.places && (!bodies || asked.revision >= bodies.revision)) {
    const isOther = bodies?.scenario.board && JSON.stringify(bodies.answer.figure.section) !== JSON.stringify(answer.figure.section);
    const isFirst = !bodies || isOther || asked.isFresh;
    bodies = { answer, ...asked };
    table.setBoard(answer.figure.section);
    if (isFirst) {
      if (evidence?.revision !== asked.revision) evidence = null;
      awaitsFocus = !evidence;
      table.refit();
    }
  }
  if (isRuling) {
    evidence = answer?.figure ? { answer, ...asked } : null;
    if (answer?.rulings && !table.svg.classList.contains("is-dragging")) lookAt(aimOf(asked.scenario));
    awaitsFocus = false;
  }
  redraw({ marks: true });
}

/** Return who charges whom, or all units where no charge is declared. */
const aimOf = ({ charges = [], units = {} }) => JSON.stringify(charges.length ? charges.map(({ charger, targets }) => [charger, targets]) : Object.keys(units));

/** Fit a new table, and one whose charge or units are others than before; a view that was moved is moved no more than it must. */
function lookAt(next) {
  const isOther = next !== aim;
  aim = next;
  if (awaitsFocus && !table.hasMoved) table.refit();
  else if (isOther && !awaitsFocus) (table.hasMoved ? table.show : table.fit)(sectionToFit());
}

export function start(parts) {
  ({ store } = parts);
  table.refit = () => table.fit(sectionToFit());
  store.on("scenario", () => redraw());
  store.on("selection", () => redraw({ marks: true }));
  table.onScale(() => redraw({ marks: true }));
  table.onRest(() => redraw({ marks: true }));
}

/** Return the section that the ruling concerns, or that of several units without a charge; else the whole board. */
function sectionToFit() {
  const { rulings, places = {} } = evidence?.answer ?? {};
  if (rulings?.length === 0 && Object.keys(places).length > 1) { // a reply during a drag has no places
    const points = Object.values(places).flatMap(({ rings }) => rings.flat());
    const [xs, ys] = [0, 1].map((axis) => points.map((at) => at[axis]));
    return [Math.min(...xs) - AROUND, Math.min(...ys) - AROUND, Math.max(...xs) + AROUND, Math.max(...ys) + AROUND];
  }
  return evidence?.answer.figure.focus ?? bodies?.answer.figure.focus ?? bodies?.answer.figure.section;
}
