/* The gallery of bundled scenarios with pictures, filtered by game or search words. */

import { ask, read } from "./api.js";
import { button, dialog, make } from "./dom.js";
import { say } from "./language.js";

let page;
let sheet = null;
let all = null;
let game = null;

/** Set up the button of the menu. */
export function start(parts) {
  page = parts;
  document.getElementById("menu").prepend(button(say`Scenarios`, open, { id: "scenarios", title: say`Open one of the bundled scenarios` }));
}

/** Return whether a scenario equals a bundled one, found by `name` or else by title. */
export async function isBundled(scenario, name = "") {
  if (!scenario.title) return false;
  const alike = async () => (await read("scenarios")).filter(({ system, title }) => system === scenario.system && title === scenario.title).map((one) => one.name);
  const text = async (one) => (await ask("write", { scenario: one })).toml;
  try {
    const names = /^[\w-]+\/[\w-]+$/u.test(name) ? [name] : await alike();
    for (const one of names) {
      const bundled = (await read(`scenarios/${one}`)).scenario;
      if (JSON.stringify(bundled) === JSON.stringify(scenario) || (await text(bundled)) === (await text(scenario))) return true;
    }
  } catch { /* no such name, or a scenario that cannot be written */ }
  return false;
}

async function open() {
  game = page.store.scenario?.system ?? "all";
  sheet ??= dialog(say`Scenarios`, make("div", { id: "gallery" }, make("p", { class: "hint" }, say`The list is being read…`)), {
    name: "scenarios-sheet",
  });
  sheet.showModal();
  try {
    all ??= await page.api.read("scenarios");
  } catch (error) {
    if (error.sentence === undefined) throw error;
    sheet.querySelector("#gallery").replaceChildren(make("p", { class: "fault", role: "alert" }, error.sentence));
    return;
  }
  draw();
}

function draw() {
  const games = [...new Set(all.map((one) => one.system))];
  const radio = (value, words) =>
    make(
      "label",
      { class: "pill" },
      make("input", {
        type: "radio",
        name: "gallery-game",
        value,
        checked: value === game,
        onchange: () => {
          game = value;
          fill();
        },
      }),
      words,
    );
  const search = make("input", {
    id: "gallery-words",
    type: "text",
    placeholder: say`charge, flank, woods …`,
    autocomplete: "off",
    oninput: fill,
    onkeydown: (event) => event.key === "ArrowDown" && toFirst(event),
  });
  sheet.querySelector("#gallery").replaceChildren(
    make(
      "div",
      { class: "filters" },
      make(
        "fieldset",
        { class: "pills" },
        make("legend", { class: "unseen" }, say`Game`),
        radio("all", say`All`),
        games.map((one) => radio(one, titleOf(one))),
      ),
      make("label", { class: "field", for: "gallery-words" }, say`Find`, search),
    ),
    make("p", { id: "gallery-count", class: "hint", role: "status" }),
    make("ul", { class: "cards", onkeydown: walk }),
  );
  fill();
  sheet.querySelector(".card")?.focus();
}

const TITLES = { t9a: "The Ninth Age", conquest: "Conquest", wh40k: "Warhammer 40,000", battletech: "BattleTech" };

function titleOf(system) {
  return TITLES[system] ?? system;
}

function fill() {
  const words = document.getElementById("gallery-words").value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter(
    (one) => (game === "all" || one.system === game) && words.every((word) => `${one.name} ${one.title}`.toLowerCase().includes(word)),
  );
  const counts = [say`No scenario has these words.`, say`1 scenario`];
  document.getElementById("gallery-count").textContent = counts[found.length] ?? say`${found.length} scenarios`;
  sheet.querySelector(".cards").replaceChildren(...found.map((one, index) => card(one, index)));
}

function card(one, index) {
  const name = one.name.includes("/") ? one.name : `${one.system}/${one.name}`;
  const picture = make("img", {
    alt: "",
    loading: "lazy",
    decoding: "async",
    width: 320,
    height: 200,
    src: page.api.address(`scenarios/${name}.svg`),
    onerror: () => picture.classList.add("missing"),
  });
  const open_ = button([picture, make("strong", {}, one.title || name), make("span", {}, name)], () => take(name, one.title), {
    class: "card",
    tabIndex: index === 0 ? 0 : -1,
    "data-scenario": name,
  });
  return make("li", {}, open_);
}

async function take(name, title) {
  try {
    const { scenario } = await page.api.read(`scenarios/${name}`);
    page.store.replace(scenario, say`Open ${title || name}`, { isBundled: true });
    sheet.close();
  } catch (error) {
    if (error.sentence === undefined) throw error;
    page.panels.tell(error.sentence, { kind: "warning" });
  }
}

function toFirst(event) {
  event.preventDefault();
  sheet.querySelector(".card")?.focus();
}

/** Move between cards by arrow keys. */
function walk(event) {
  const cards = [...event.currentTarget.querySelectorAll(".card")];
  const here = cards.indexOf(document.activeElement);
  if (here < 0) return;
  const inRow = Math.max(1, cards.filter((one) => one.getBoundingClientRect().top === cards[0].getBoundingClientRect().top).length);
  const next = {
    ArrowRight: here + 1,
    ArrowLeft: here - 1,
    ArrowDown: here + inRow,
    ArrowUp: here - inRow,
    Home: 0,
    End: cards.length - 1,
  }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  const to = cards[Math.max(0, Math.min(cards.length - 1, next))];
  for (const one of cards) one.tabIndex = one === to ? 0 : -1;
  to.focus();
}
