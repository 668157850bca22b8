/* The tray: common units and terrain of each game on their usual bases, added to the table by a click or by dragging. */

import { button, make } from "./dom.js";
import { addPiece, addUnit, copyChosen, removeChosen } from "./edit.js";
import { say } from "./language.js";
import { thingOf } from "./scene.js";

const MOVED = 6; // pixels after which a press becomes a drag
let page;
let drawn = "";
let side = null;
let laid = 0; // the table whose sides are offered

/** Set up the tray of the current game, and the keys Delete and Ctrl+D. */
export function start(parts) {
  page = parts;
  page.store.on("scenario", draw);
  document.getElementById("table")?.addEventListener("keydown", (event) => {
    if (event.key === "Delete" || event.key === "Backspace") {
      const gone = page.store.selection;
      const own = event.target.closest(".thing");
      const others = [...event.currentTarget.querySelectorAll(".thing")].filter((one) => one === own || thingOf(one.dataset.key).name !== gone?.name);
      const place = others.indexOf(own);
      removeChosen(page);
      if (gone && !page.store.selection) (others[place + 1] ?? others[place - 1] ?? event.currentTarget).focus(); // keep the keyboard focus on the table
    } else if (event.key.toLowerCase() === "d" && (event.ctrlKey || event.metaKey)) copyChosen(page);
    else return;
    event.preventDefault();
  });
  draw();
}

function draw() {
  const { scenario } = page.store;
  if (!scenario) return;
  const sides = sidesOf(scenario);
  if (!sides.includes(side) || page.store.laid !== laid) [side] = sides;
  ({ laid } = page.store);
  const next = JSON.stringify([scenario.system, sides, laid]);
  if (next === drawn) return;
  drawn = next;
  const usual = USUAL[scenario.system] ?? { units: [], terrain: [] };
  const place = document.getElementById("tray");
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.offer : undefined;
  place.replaceChildren(
    make("p", { class: "hint" }, say`Click to add, or drag onto the table. Its numbers are then under Edit.`),
    make("h3", {}, say`Units`),
    sideChoice(sides),
    list(usual.units, "units", (item, near, how) => addUnit(page, item, side, near, how)),
    make("h3", {}, say`Terrain`),
    list(usual.terrain, "terrain", (item, near, how) => addPiece(page, item, near, how)),
    make("h3", {}, say`What is chosen`),
    make(
      "div",
      { class: "acts" },
      button(say`Copy`, () => copyChosen(page)),
      button(say`Remove`, () => removeChosen(page)),
    ),
  );
  if (focused) place.querySelector(`[data-offer="${CSS.escape(focused)}"]`)?.focus();
}

/** Return the sides of a table, at least two, those of its units first. */
function sidesOf({ units = {} }) {
  const sides = [...new Set(Object.values(units).map((unit) => unit.side))];
  for (const usual of ["blue", "red"]) if (sides.length < 2 && !sides.includes(usual)) sides.push(usual);
  return sides;
}

function sideChoice(sides) {
  const boxes = sides.map((one) =>
    make(
      "label",
      { class: "tick" },
      make("input", {
        type: "radio",
        name: "tray-side",
        value: one,
        checked: one === side,
        onchange: () => {
          side = one;
        },
      }),
      one,
    ),
  );
  return make("fieldset", { class: "field sides" }, make("legend", {}, say`For the side`), make("div", { class: "ticks" }, boxes));
}

function list(items, kind, add) {
  const made = items.map((item) => {
    const one = button(
      [make("strong", {}, item.words), make("span", {}, item.detail)],
      () => {
        if (!one.dataset.dragged) told(add(item, page.table.middle(), {}));
        delete one.dataset.dragged;
      },
      { class: "offer", "data-offer": item.words },
    );
    one.addEventListener("pointerdown", (event) => drag(event, one, item, add));
    return make("li", {}, one);
  });
  return make("ul", { class: `offers ${kind}` }, made);
}

function told(name) {
  page.panels.tell(say`${name} is on the table.`);
}

/** Drag from the tray to the table; dropping elsewhere does nothing. */
function drag(event, one, item, add) {
  if (event.button !== 0 || event.pointerType === "touch") return; // a finger scrolls the tray
  const from = [event.clientX, event.clientY];
  let ghost = null;
  const move = ({ clientX, clientY }) => {
    if (!ghost && Math.hypot(clientX - from[0], clientY - from[1]) < MOVED) return;
    if (!ghost) {
      ghost = make("div", { class: "dragged" }, item.words);
      document.body.append(ghost);
      one.dataset.dragged = "yes";
    }
    ghost.style.left = `${clientX}px`;
    ghost.style.top = `${clientY}px`;
  };
  const drop = ({ clientX, clientY, type }) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", drop);
    removeEventListener("pointercancel", drop);
    ghost?.remove();
    if (!ghost || type === "pointercancel") return;
    setTimeout(() => delete one.dataset.dragged);
    const table = document.getElementById("table");
    if (!table.contains(document.elementFromPoint(clientX, clientY))) return;
    const box = table.getBoundingClientRect();
    told(
      add(
        item,
        page.table.toTable([clientX - box.left, clientY - box.top]).map((value) => Math.round(value * 10) / 10),
        { exactly: true },
      ),
    );
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", drop);
  addEventListener("pointercancel", drop);
}

// --- usual units and terrain -------------------------------------------------------------------------------------------------------------

function ranksOf(count, files) {
  if (count === 1) return say`one`;
  return count > files ? say`${count} in ${Math.ceil(count / files)} ranks` : say`${count} in one rank`;
}

/** Return a base such as "32mm round" in words. */
function baseWords(base) {
  const [size, shape] = base.split(" ");
  return shape === "oval" ? say`${size} oval` : say`${size} round`;
}

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
  detail: count === 1 ? say`one on ${baseWords(base)}` : say`${count} on ${baseWords(base)}`,
  count,
  entry: { base, ...(keywords ? { profile: { keywords } } : {}) },
});

const hexed = (words, detail, profile) => ({ words, detail, entry: { profile } });
const mech = (words, tons, walk, keys = {}) => hexed(words, say`${tons} t, walks ${walk}`, { type: "mech", tons, walk, ...keys });
const vehicle = (words, tons, walk, keys = {}) => hexed(words, say`${tons} t, cruises ${walk}`, { type: "vehicle", tons, walk, ...keys });
const inHex = (words, kind, keys = {}) => ({ words, detail: say`one hex`, isHexed: true, entry: { kind, ...keys } });

const round = (words, kind, radius, keys = {}) => ({
  words,
  detail: say`round, ${2 * radius} in across`,
  size: [2 * radius, 2 * radius],
  entry: { kind, circle: { radius }, ...keys },
});

const oblong = (words, kind, width, depth, keys = {}) => ({
  words,
  detail: say`${width} x ${depth} in`,
  size: [width, depth],
  entry: { kind, rectangle: { width, depth }, ...keys },
});

/** Units and terrain by game: label, detail, and the file's keys without side and place. */
const USUAL = {
  t9a: {
    units: [
      regiment(say`Infantry, 20 mm`, "20x20mm", 5, 20, { charge_speed: 5 }),
      regiment(say`Infantry, 25 mm`, "25x25mm", 5, 15, { charge_speed: 4 }),
      regiment(say`Cavalry`, "25x50mm", 5, 5, { charge_speed: 8, swiftstride: true }),
      regiment(say`Large infantry`, "40x40mm", 3, 6, { charge_speed: 6, height: 2 }),
      regiment(say`Large cavalry`, "50x75mm", 3, 3, { charge_speed: 8, height: 2, swiftstride: true }),
      regiment(say`Chariot`, "50x100mm", 1, 1, { charge_speed: 7, height: 2, swiftstride: true }),
      regiment(say`Monster`, "50x100mm", 1, 1, { charge_speed: 6, height: 3 }),
      regiment(say`Huge monster`, "100x150mm", 1, 1, { charge_speed: 6, height: 3, fly: true, swiftstride: true }),
      regiment(say`Character on foot`, "20x20mm", 1, 1, { charge_speed: 5 }),
    ],
    terrain: [
      oblong(say`House`, "impassable", 5, 4, { height: 4 }),
      round(say`Tower`, "impassable", 2, { height: 5 }),
      oblong(say`Wood, opaque`, "opaque", 7, 5, { height: 4 }),
      oblong(say`Field, open`, "open", 8, 6),
    ],
  },
  conquest: {
    units: [
      stands(say`Infantry`, "54x54mm", 3, 3, { march: 5 }),
      stands(say`Infantry in two ranks`, "54x54mm", 3, 6, { march: 5 }),
      stands(say`Cavalry`, "54x54mm", 3, 3, { march: 8, size: 2 }),
      stands(say`Brutes`, "54x54mm", 3, 3, { march: 6, size: 2 }),
      stands(say`Chariots`, "54x108mm", 2, 2, { march: 8, size: 2 }),
      stands(say`Monster`, "110x110mm", 1, 1, { march: 7, size: 3 }),
    ],
    terrain: [
      oblong(say`Impassable`, "impassable", 6, 4),
      oblong(say`Garrison`, "garrison", 5, 5),
      oblong(say`Forest`, "forest", 7, 5),
      round(say`Hill`, "hill", 3),
      oblong(say`Open ground`, "open", 8, 6),
    ],
  },
  wh40k: {
    units: [
      squad(say`Light infantry`, "25mm round", 10),
      squad(say`Infantry`, "32mm round", 10),
      squad(say`Heavy infantry`, "40mm round", 5),
      squad(say`Jump infantry`, "32mm round", 5, ["infantry", "fly"]),
      squad(say`Character`, "40mm round", 1),
      squad(say`Cavalry or bikes`, "75x42mm oval", 3, ["mounted"]),
      squad(say`Walker`, "60mm round", 1, ["vehicle", "walker"]),
      squad(say`Large walker`, "90mm round", 1, ["vehicle", "walker"]),
      squad(say`Monster`, "105x70mm oval", 1, ["monster"]),
      {
        words: say`Tank`,
        detail: say`a hull, 4.5 x 3 in`,
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
      oblong(say`Wall`, "wall", 6, 0.5, { height: 5 }),
      oblong(say`Block, to climb`, "block", 5, 4, { height: 3 }),
      oblong(say`Floor of a ruin`, "floor", 6, 5, { height: 4 }),
      oblong(say`Barricade`, "barricade", 5, 0.5, { height: 1 }),
      round(say`Impassable`, "impassable", 2),
      oblong(say`Area`, "area", 8, 6),
    ],
  },
  battletech: {
    units: [
      mech(say`Light 'Mech`, 30, 6),
      mech(say`Medium 'Mech`, 50, 5),
      mech(say`Heavy 'Mech`, 70, 4),
      mech(say`Assault 'Mech`, 90, 3),
      mech(say`Four-legged 'Mech`, 60, 5, { legs: 4 }),
      vehicle(say`Tracked vehicle`, 60, 4),
      vehicle(say`Hovercraft`, 40, 8, { motion: "hover" }),
      hexed(say`Infantry`, say`on foot`, { type: "infantry" }),
    ],
    terrain: [
      inHex(say`Light woods`, "light_woods"),
      inHex(say`Heavy woods`, "heavy_woods"),
      inHex(say`Rough ground`, "rough"),
      inHex(say`Rubble`, "rubble"),
      inHex(say`Water, depth 1`, "water", { depth: 1 }),
      inHex(say`Building`, "building", { cf: 40 }),
      inHex(say`Hill, level 1`, "level", { level: 1 }),
      inHex(say`Pavement`, "pavement"),
      inHex(say`Light smoke`, "light_smoke"),
    ],
  },
};
