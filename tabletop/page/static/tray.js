// The tray: usual units and terrain of the game, put on the table by a press or by dragging them there.

import { button, el } from "./elements.js";
import { addPiece, addUnit, copyChosen, removeChosen } from "./pieces.js";
import { thingOf } from "./scene.js";
import { USUAL } from "./usual.js";

const MOVED = 6; // pixels from which on a press is a drag

let page;
let drawn = "";
let side = null;

/** Begin: the tray shows what the game has, and the keys Delete and Ctrl+D work on the table. */
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
      if (gone && !page.store.selection) (others[place + 1] ?? others[place - 1] ?? event.currentTarget).focus(); // the keys stay with the table
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
  if (!sides.includes(side)) [side] = sides;
  const next = JSON.stringify([scenario.system, sides]);
  if (next === drawn) return;
  drawn = next;
  const usual = USUAL[scenario.system] ?? { units: [], terrain: [] };
  const place = document.getElementById("tray");
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.offer : undefined;
  place.replaceChildren(
    el("p", { class: "hint" }, "Press to add, or drag onto the table. What is added is chosen: its numbers are under Edit."),
    el("h3", {}, "Units"),
    sideChoice(sides),
    list(usual.units, "units", (item, near, how) => addUnit(page, item, side, near, how)),
    el("h3", {}, "Terrain"),
    list(usual.terrain, "terrain", (item, near, how) => addPiece(page, item, near, how)),
    el("h3", {}, "What is chosen"),
    el(
      "div",
      { class: "acts" },
      button("Copy", () => copyChosen(page)),
      button("Remove", () => removeChosen(page)),
    ),
  );
  if (focused) place.querySelector(`[data-offer="${CSS.escape(focused)}"]`)?.focus();
}

/** The sides of a table, two at least: those of its units first. */
function sidesOf({ units = {} }) {
  const sides = [...new Set(Object.values(units).map((unit) => unit.side))];
  for (const usual of ["blue", "red"]) if (sides.length < 2 && !sides.includes(usual)) sides.push(usual);
  return sides;
}

function sideChoice(sides) {
  const boxes = sides.map((one) =>
    el(
      "label",
      { class: "tick" },
      el("input", {
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
  return el("fieldset", { class: "field sides" }, el("legend", {}, "For the side"), el("div", { class: "ticks" }, boxes));
}

function list(items, kind, add) {
  const made = items.map((item) => {
    const one = button(
      [el("strong", {}, item.words), el("span", {}, item.detail)],
      () => {
        if (!one.dataset.dragged) told(add(item, page.table.middle(), {}));
        delete one.dataset.dragged;
      },
      { class: "offer", "data-offer": item.words },
    );
    one.addEventListener("pointerdown", (event) => drag(event, one, item, add));
    return el("li", {}, one);
  });
  return el("ul", { class: `offers ${kind}` }, made);
}

function told(name) {
  page.panels.tell(`${name} is on the table.`);
}

/** Follow a pointer from the tray to the table; what is let go elsewhere stays in the tray. */
function drag(event, one, item, add) {
  if (event.button !== 0 || event.pointerType === "touch") return; // a finger scrolls the tray
  const from = [event.clientX, event.clientY];
  let ghost = null;
  const move = ({ clientX, clientY }) => {
    if (!ghost && Math.hypot(clientX - from[0], clientY - from[1]) < MOVED) return;
    if (!ghost) {
      ghost = el("div", { class: "dragged" }, item.words);
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
