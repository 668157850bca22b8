/* Odds over all dice as bars: each outcome, and each total that may be rolled. Asked only while the panel is open. */

import { capital, make, percent, share } from "./dom.js";

const WORDS = { success: "success", failed: "failed", not_allowed: "not allowed", undecided: "undecided" };
const WAIT = 200; // milliseconds that the table must rest
let parts = null;
let running = null;
let timer = 0;
let done = null;

function bar(label, chance, outcome, fraction) {
  return make(
    "div", { class: "bar", "data-outcome": outcome },
    make("span", { class: "bar-label", text: label }),
    make("span", { class: "bar-track", "aria-hidden": "true" }, widthOf(make("span", { class: "bar-fill" }), chance)),
    make("span", { class: "bar-value", text: percent(chance), title: fraction ?? "" }),
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
    filled.style.height = `${(100 * row.chance) / most}%`;
    column.append(make("span", { class: "column-track", "aria-hidden": "true" }, filled), make("span", { "aria-hidden": "true", text: String(row.total) }),
      make("span", { class: "unseen", text: `${row.total}: ${WORDS[row.outcome] ?? "either"}, chance ${percent(row.chance)}` }));
    column.title = `${row.total}: ${WORDS[row.outcome] ?? "either"}, ${row.chance_fraction}`;
    return column;
  });
  return make("ol", { class: "columns", "aria-label": "by total of the roll" }, ...columns);
}

function block(one, isAlone) {
  const shown = Object.entries(one.outcomes).map(([outcome, fraction]) => bar(WORDS[outcome], share(fraction), outcome, fraction));
  return make(
    "article", { class: "odds" },
    isAlone ? null : make("h3", { text: `${one.charger} charges ${one.targets.join(", ")}` }),
    make("div", { class: "bars" }, ...shown),
    one.by_total?.length ? make("h3", { text: "By the total rolled" }) : null,
    one.by_total?.length ? totals(one.by_total) : null,
    make("p", { class: "quiet", text: one.shortest_roll === null ? "No roll is enough." : `Shortest roll that succeeds: ${one.shortest_roll}.` }),
  );
}

async function ask() {
  const { store, panels } = parts;
  const region = document.getElementById("odds");
  if (panels.current() !== "odds" || !store.scenario || done === store.scenario) return;
  running?.abort();
  const controller = new AbortController();
  running = controller;
  const { scenario } = store;
  region.classList.add("is-stale");
  if (!region.children.length) region.append(make("p", { class: "quiet", text: "Counting all dice…" }));
  try {
    const answer = await parts.ask("odds", { scenario, options: {} }, { signal: controller.signal });
    done = scenario;
    region.classList.remove("is-stale");
    region.replaceChildren(...(answer.odds.length ? answer.odds.map((one) => block(one, answer.odds.length === 1)) : [make("p", { class: "quiet", text: "No charge is declared." })]));
  } catch (error) {
    if (controller.signal.aborted || error.status === 409) return;
    done = scenario;
    region.classList.remove("is-stale");
    region.replaceChildren(make("p", { class: "quiet", text: capital(error.sentence ?? String(error)) }));
  }
}

export function start(given) {
  parts = given;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT);
  };
  parts.store.on("scenario", () => {
    document.getElementById("odds").classList.add("is-stale");
    soon();
  });
  document.addEventListener("panel", ask);
}
