/* The verdict: outcome, what decided, shortest roll and chance, large; in words for screen readers once the table is at rest. */

import { isNews, make, percent, write } from "./dom.js";
import { leading } from "./faults.js";
import { declare, edit } from "./forms.js";

const REST = 500; // milliseconds without a new answer before a screen reader is told
const REFUSED = { 408: "No verdict", 400: "Not a legal table" };
let told = null;

function facts(ruling, isLarge) {
  if (!ruling) return null;
  const [least = null, most = null] = ruling.shortest_roll_range ?? [ruling.shortest_roll, ruling.shortest_roll];
  const roll = least === null ? "none" : most === null ? `${least}+ or none` : least === most ? `${least}+` : `${least} to ${most}`;
  if (ruling.chance_success === undefined || ruling.chance_success === null) return null;
  const isSure = ruling.chance_success === 1;
  return make(
    "dl", { class: isLarge ? "facts" : "facts small" },
    make("div", {}, make("dt", { text: "roll needed" }), make("dd", { text: isSure ? "any" : roll })),
    make("div", {}, make("dt", { text: "chance" }), make("dd", { text: percent(ruling.chance_success), title: ruling.chance_success_fraction ?? "" })),
  );
}

/** Split a badge's words: who is charged by whom, and what decided. */
function line(badge) {
  const [about, ...rest] = badge.about.split(": ");
  const words = rest.join(": ").split("; ").filter((part) => !/^(needs a roll|every roll)/u.test(part)).join("; ");
  return make("div", { class: "told" }, make("p", { class: "about", text: about }), words ? make("p", { class: "headline", text: words }) : null);
}

function block(badge, ruling, isLarge) {
  return make(
    "div", { class: `outcome${isLarge ? "" : " small"}`, "data-outcome": badge.outcome },
    make("p", { class: "badge", text: badge.words }), line(badge), facts(ruling, isLarge),
  );
}

function blocks(answer, scenario) {
  if (!answer) return [make("p", { class: "wait", text: "Reading the table…" })];
  if (answer.refused) {
    const { sentence, status, faults } = answer.refused;
    const wrong = faults?.length ? faults : [{ key: "", message: sentence }];
    return [make(
      "div", { class: "outcome", "data-outcome": "refused" },
      make("p", { class: "badge", text: REFUSED[status] ?? "No answer" }),
      make("div", { class: "told wrong" }, ...wrong.slice(0, 4).map((fault) => leading(fault, scenario, {}, edit))),
    )];
  }
  const badges = answer.badges ?? [];
  if (!badges.length) {
    return [make("p", { class: "wait", text: "No charge is declared: declare one, or move units and measure." }),
      make("button", { type: "button", class: "main", text: "Declare a charge", onclick: declare })];
  }
  if (answer.judged) {
    const others = answer.rulings.filter((ruling) => ruling.outcome !== "success");
    return [block(badges[0], null, true), ...badges.slice(1).map((badge, place) => block(badge, others[place], false))];
  }
  return badges.map((badge, place) => block(badge, answer.rulings[place], badges.length < 3));
}

function sentenceOf(answer) {
  if (!answer) return "";
  if (answer.refused) return `${REFUSED[answer.refused.status] ?? "No answer"}: ${answer.refused.sentence}`;
  return (answer.badges ?? []).map((badge) => `${badge.words}. ${badge.about}.`).join(" ");
}

/** All that the blocks are made of. */
function saidOf(answer) {
  const { refused, badges, rulings, judged } = answer;
  if (refused) return [refused.sentence, refused.status, refused.faults];
  const told = (rulings ?? []).map((one) => [one.outcome, one.shortest_roll, one.shortest_roll_range, one.chance_success, one.chance_success_fraction]);
  return [badges, told, Boolean(judged)];
}

export function start({ store }) {
  const shown = document.getElementById("verdict-more");
  const live = document.getElementById("verdict-live");
  store.on("answer", (answer) => {
    if (isNews(shown, saidOf(answer))) shown.replaceChildren(...blocks(answer, store.scenario));
    clearTimeout(told);
    told = setTimeout(() => {
      live.textContent = sentenceOf(answer);
    }, REST);
  });
  const stale = () => {
    const isBusy = String(store.isStale);
    const verdict = document.getElementById("verdict");
    if (verdict.getAttribute("aria-busy") !== isBusy) verdict.setAttribute("aria-busy", isBusy);
  };
  store.on("stale", stale);
  store.on("scenario", (scenario) => {
    const title = scenario.title || "Untitled table";
    write(document.getElementById("title"), title);
    write(document.getElementById("note"), scenario.note ?? "");
    if (document.title !== `${title} · tabletop`) document.title = `${title} · tabletop`;
  });
  shown.replaceChildren(...blocks(null));
}
