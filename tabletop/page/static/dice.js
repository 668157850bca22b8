/* Dice of the charges, and the odds over all dice.

   The dice of each charge are set by clicking a die or typing its number, thrown, or set by a slider over the totals. The faces are part of
   the scenario; missing ones are thrown by the program and stored once the table is at rest. Odds are bars, one for each outcome and each
   possible total; they are requested only while their panel is open. */

import { capital, isNews, make, percent, share } from "./dom.js";
import { nameOf, rollsOf } from "./fields.js";
import { say } from "./language.js";
import { element } from "./painter.js";

const PIPS = {
  1: [[0, 0]],
  2: [[-1, 1], [1, -1]],
  3: [[-1, 1], [0, 0], [1, -1]],
  4: [[-1, -1], [-1, 1], [1, -1], [1, 1]],
  5: [[-1, -1], [-1, 1], [0, 0], [1, -1], [1, 1]],
  6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]],
};
const SHOWN = 4; // dice shown at first: the roll of the charge itself
const CUBE = 6; // sides of dice that have pips; others have numbers
const WAIT = 200; // milliseconds without a change before odds are requested
let store = null;
let ask = null;
let panels = null;
let isLong = false; // whether all dice are shown
let running = null; // the request for odds
let timer = 0;
let countedFor = null; // the scenario whose odds are shown

export function start(parts) {
  ({ store, ask, panels } = parts);
  startDice();
  startOdds();
}

// --- dice -------------------------------------------------------------------------------------------------------------------------------

function startDice() {
  let waiting = 0;
  store.on("answer", (answer) => {
    const wrong = /^charges\[(\d+)\]\.dice$/u.exec(answer?.refused?.key ?? "");
    if (wrong && store.scenario.charges?.[Number(wrong[1])]?.dice && !store.isStale) {
      store.change((scenario) => {
        delete scenario.charges[Number(wrong[1])].dice;
      }, say`thrown by the program`, { merge: "dice" });
      return;
    }
    waiting ||= requestAnimationFrame(() => {
      waiting = 0;
      settle();
      showDice();
    });
  });
  addEventListener("pointerup", () => requestAnimationFrame(showDice));
}

/** Store the faces that were used, if the scenario has others or too few. */
function settle() {
  const { answer, scenario } = store;
  if (store.isStale || !answer?.rolls) return;
  const isOther = answer.rolls.some(({ faces }, number) => scenario.charges?.[number]?.dice && faces.length && JSON.stringify(faces) !== JSON.stringify(scenario.charges[number].dice));
  if (!isOther) return;
  store.amend((copy) => {
    answer.rolls.forEach(({ faces }, number) => {
      if (copy.charges?.[number]?.dice && faces.length) copy.charges[number].dice = faces;
    });
  });
}

function showDice() {
  const region = document.getElementById("dice");
  const { answer, scenario } = store;
  if (!answer || !scenario) return;
  const active = region.contains(document.activeElement) ? document.activeElement : null;
  if (active?.matches("input[type=range]:active") && !answer.refused) return; // do not rebuild a slider that is being dragged
  if (!isNews(region, [answer.rolls, scenario.charges, scenario.system, isLong])) return;
  const held = active && (active.dataset.die ? `[data-die="${active.dataset.die}"]` : active.dataset.slider ? `[data-slider="${active.dataset.slider}"]` : active.className ? `.${active.className.split(" ")[0]}` : null);
  const rows = (answer.rolls ?? []).map((roll, number) => rowOf(roll, number, scenario)).filter(Boolean);
  region.replaceChildren(...rows);
  if (held) region.querySelector(held)?.focus();
}

function rowOf(roll, number, scenario) {
  const { faces, sides = CUBE } = roll;
  const charge = scenario.charges?.[number]; // the answer may belong to a table with more charges
  if (!charge || !faces.length) return null;
  const count = rolled(roll, scenario);
  const shown = isLong ? faces.length : Math.min(faces.length, Math.max(SHOWN, count));
  const more = faces.length - shown;
  return make(
    "div", { class: "roll" },
    scenario.charges.length > 1 ? make("h3", {}, say`${charge.charger} charges ${(charge.targets ?? []).join(", ")}`) : null,
    make(
      "div", { class: "dice-row" }, ...faces.slice(0, shown).map((_, place) => die(number, place, faces, sides)),
      more > 0 || isLong ? make("button", {
        type: "button", class: "plain", title: isLong ? say`Show the first dice only` : say`Show all dice`, onclick: () => {
          isLong = !isLong;
          showDice();
        },
      }, isLong ? say`fewer` : `+ ${more}`) : null,
      roll.words ? make("span", { class: "made" }, roll.words) : null,
      make("button", { type: "button", class: "throw", title: say`Throw these dice`, onclick: () => setDice(number, faces.map(() => throwDie(sides)), say`throw`) }, say`Throw`),
    ),
    slider(number, faces, count, sides),
  );
}

/** Return the number of dice of a charge's own roll. */
function rolled(roll, scenario) {
  if (scenario.system === "battletech") return Math.min(2, roll.faces.length);
  return Math.min(roll.counted?.length ? roll.counted.length + (roll.ignored?.length ?? 0) : roll.faces.length, roll.faces.length);
}

function die(number, place, faces, sides) {
  const next = (by) => setDice(number, faces.map((one, at) => (at === place ? ((one - 1 + by + sides) % sides) + 1 : one)), say`die ${place + 1}`, `die ${number} ${place}`);
  const button = make("button", {
    type: "button", class: "one-die", "data-die": `${number}.${place}`, "aria-label": say`die ${place + 1}: ${faces[place]}; arrow keys or a digit change it`, title: say`Click: one more. Or type a digit.`,
    onclick: () => next(1),
    onkeydown: (event) => {
      const typed = /^[0-9]$/u.test(event.key) ? Number(event.key) || 10 : Infinity; // 0 is the tenth side
      if (typed <= sides) setDice(number, faces.map((one, at) => (at === place ? typed : one)), say`die ${place + 1}`, `die ${number} ${place}`);
      else if (event.key === "ArrowUp") next(1);
      else if (event.key === "ArrowDown") next(-1);
      else return;
      event.preventDefault();
    },
  });
  button.append(face(faces[place], sides));
  return button;
}

function face(number, sides) {
  const svg = element("svg", { viewBox: "-10 -10 20 20", width: 32, height: 32, "aria-hidden": "true" });
  if (sides !== CUBE) {
    element("path", { d: "M0-9.5 8.2-4.7V4.7L0 9.5-8.2 4.7V-4.7Z", class: "die" }, svg);
    element("text", { y: 3, "text-anchor": "middle", "font-size": 8, class: "pip" }, svg).textContent = String(number);
    return svg;
  }
  element("rect", { x: -9, y: -9, width: 18, height: 18, rx: 3.5, class: "die" }, svg);
  for (const [x, y] of PIPS[number]) element("circle", { cx: 4.6 * x, cy: 4.6 * y, r: 1.9, class: "pip" }, svg);
  return svg;
}

function slider(number, faces, count, sides) {
  const total = faces.slice(0, count).reduce((sum, one) => sum + one, 0);
  const words = make("output", {}, String(total));
  const input = make("input", { type: "range", min: String(count), max: String(sides * count), value: String(total), "data-slider": String(number), "aria-label": say`total of the roll` });
  input.addEventListener("input", () => {
    words.textContent = input.value;
    setDice(number, [...facesOf(input.valueAsNumber, count), ...faces.slice(count)], say`roll of ${input.value}`, `slider ${number}`);
  });
  return make("label", { class: "slider" }, make("span", {}, say`Roll`), input, words);
}

/** Return the faces of `count` dice that give a total, as even as possible. */
function facesOf(total, count) {
  return Array.from({ length: count }, (_, place) => Math.floor((total + place) / count));
}

function setDice(number, faces, label, merge = null) {
  store.change((scenario) => {
    scenario.charges[number].dice = faces;
  }, label, { merge });
}

const throwDie = (sides) => 1 + Math.floor(Math.random() * sides);

// --- odds -------------------------------------------------------------------------------------------------------------------------------

function startOdds() {
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(askOdds, WAIT);
  };
  store.on("scenario", () => {
    document.getElementById("odds").classList.add("is-stale");
    soon();
  });
  document.addEventListener("panel", askOdds);
}

async function askOdds() {
  const region = document.getElementById("odds");
  if (panels.current() !== "odds" || !store.scenario || countedFor === store.scenario) return;
  running?.abort();
  const controller = new AbortController();
  running = controller;
  const { scenario } = store;
  region.classList.add("is-stale");
  if (!region.children.length) region.append(make("p", { class: "quiet" }, say`Counting all dice…`));
  try {
    const answer = await ask("odds", { scenario, options: {} }, { signal: controller.signal });
    countedFor = scenario;
    region.classList.remove("is-stale");
    region.replaceChildren(...(answer.odds.length ? answer.odds.map((one) => oddsOf(one, answer.odds.length === 1)) : [make("p", { class: "quiet" }, say`No charge is declared.`)]));
  } catch (error) {
    if (controller.signal.aborted || error.status === 409) return;
    countedFor = scenario;
    region.classList.remove("is-stale");
    region.replaceChildren(make("p", { class: "quiet" }, capital(error.sentence ?? String(error))));
  }
}

function oddsOf(one, isAlone) {
  const shown = Object.entries(one.outcomes).map(([outcome, fraction]) => bar(outcomeOf(outcome), share(fraction), outcome, fraction));
  return make(
    "article", { class: "odds" },
    isAlone ? null : make("h3", {}, say`${one.charger} charges ${one.targets.join(", ")}`),
    make("div", { class: "bars" }, ...shown),
    one.by_total?.length ? make("h3", {}, say`By the total rolled`) : null,
    one.by_total?.length ? totals(one.by_total) : null,
    make("p", { class: "quiet" }, shortest(one)),
  );
}

function outcomeOf(outcome) {
  return outcome === "undecided" ? say`not proved` : nameOf(outcome);
}

function shortest({ shortest_roll: roll, shortest_roll_range: range, outcomes }) {
  if (outcomes.undecided) return say`Shortest roll that succeeds: ${rollsOf(range)}, not proved: the search ended before.`;
  return roll === null ? say`No roll is enough.` : say`Shortest roll that succeeds: ${roll}.`;
}

function bar(label, chance, outcome, fraction) {
  return make(
    "div", { class: "bar", "data-outcome": outcome },
    make("span", { class: "bar-label" }, label),
    make("span", { class: "bar-track", "aria-hidden": "true" }, widthOf(make("span", { class: "bar-fill" }), chance)),
    make("span", { class: "bar-value", title: fraction ?? "" }, percent(chance)),
  );
}

function widthOf(filled, chance) {
  filled.style.width = `${100 * chance}%`;
  return filled;
}

function totals(rows) {
  const most = Math.max(...rows.map((row) => row.chance));
  const columns = rows.map((row) => {
    const column = make("li", { class: "column", "data-outcome": row.outcome ?? "mixed" });
    const filled = make("span", { class: "column-fill", "aria-hidden": "true" });
    const outcome = row.outcome ? outcomeOf(row.outcome) : say`either`;
    filled.style.height = `${(100 * row.chance) / most}%`;
    column.append(make("span", { class: "column-track", "aria-hidden": "true" }, filled), make("span", { "aria-hidden": "true" }, String(row.total)),
      make("span", { class: "unseen" }, say`${row.total}: ${outcome}, chance ${percent(row.chance)}`));
    column.title = `${row.total}: ${outcome}, ${row.chance_fraction}`;
    return column;
  });
  return make("ol", { class: "columns", "aria-label": say`by total of the roll` }, ...columns);
}
