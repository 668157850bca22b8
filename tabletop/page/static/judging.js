/* Judging a claim: the ghost at a unit's end position is dragged to where the opponent claims it ends, and the claim is judged. One click
   moves it to what the rules demand. */

import { isNews, make } from "./dom.js";
import { removeProposal } from "./edit.js";
import { declare } from "./forms.js";
import { say } from "./language.js";
import { writePlace } from "./places.js";
import { known, thingGroup } from "./scene.js";

let store = null;
let parts = null;

const PLACE = ["at", "facing_deg", "hex", "facing", "models", "order"];

/** Return the places of units in `after` as keys of a proposal. */
function placeKeys(entry) {
  const kept = Object.fromEntries(Object.entries(entry).filter(([key]) => PLACE.includes(key)));
  if (typeof kept.models === "number") delete kept.models;
  if (Array.isArray(kept.models)) {
    kept.at = kept.models.map((model) => model.at);
    delete kept.models;
  }
  return kept;
}

function begin(names) {
  const { answer } = store;
  store.change((scenario) => {
    scenario.proposal ??= { units: {} };
    scenario.proposal.units ??= {};
    for (const name of names) scenario.proposal.units[name] ??= placeKeys(answer.after.units[name] ?? scenario.units[name]);
  }, say`claim`);
  store.select({ kind: "ghost", name: names[0] });
}

function stop() {
  store.change((scenario) => {
    removeProposal(scenario);
  }, say`no claim`);
  store.select(null);
}

function better() {
  const found = store.answer?.judged?.better ?? {};
  store.change((scenario) => {
    for (const [name, place] of Object.entries(found)) scenario.proposal.units[name] = placeKeys(place);
  }, say`what the rules demand`);
}

function words(...texts) {
  return texts.map((text) => make("p", { class: "quiet" }, text));
}

function show() {
  const region = document.getElementById("judging");
  const { scenario, answer } = store;
  if (!scenario) return;
  const claimed = Object.keys(scenario.proposal?.units ?? {});
  const charging = [...new Set((scenario.charges ?? []).map((charge) => charge.charger))].filter((name) => name in (scenario.units ?? {}));
  const rest = charging.filter((name) => !claimed.includes(name));
  const isFound = Boolean(answer?.after);
  const demanded = answer?.judged?.better;
  const isOther = Boolean(demanded && Object.keys(demanded).length);
  if (!isNews(region, [claimed, charging, isFound, isOther])) return;
  const wasFocused = region.contains(document.activeElement) ? document.activeElement.dataset.act : null;
  const act = (text, name, run, isMain = false, isOff = false) => make("button", { type: "button", "data-act": name, class: isMain ? "main" : null, disabled: isOff, onclick: run }, text);
  const content = [];
  if (!claimed.length) {
    content.push(...words(say`Does your opponent say it ends somewhere else? Lay the ghost where they claim it ends, and the claim is judged: is it legal, is it the best the rules demand, and if not, which rule says so.`));
    content.push(...charging.map((name, place) => act(say`Claim an end for ${name}`, `claim ${name}`, () => begin([name]), place === 0, !isFound)));
    if (!charging.length) content.push(...words(say`There is no charge on this table yet.`), act(say`Declare a charge`, "declare", declare, true));
  } else {
    content.push(...words(say`Drag the dashed ghost of ${claimed.join(", ")}, or choose it and use the arrow keys; the verdict above is that on the claim.`));
    content.push(...claimed.map((name) => act(say`Take hold of the ghost of ${name}`, `hold ${name}`, () => {
      store.select({ kind: "ghost", name });
      thingGroup({ kind: "ghost", name })?.focus();
    })));
    if (isOther) content.push(act(say`Lay it where the rules demand`, "better", better, true));
    content.push(...rest.map((name) => act(say`Claim an end for ${name}, too`, `claim ${name}`, () => begin([name]), false, !isFound)));
    content.push(act(say`Remove the claim`, "stop", stop));
  }
  region.replaceChildren(...content);
  if (wasFocused) (region.querySelector(`[data-act="${CSS.escape(wasFocused)}"]`) ?? region.querySelector("button:enabled"))?.focus();
}

export function start(given) {
  parts = given;
  ({ store } = parts);
  let waiting = 0;
  const soon = () => {
    waiting ||= requestAnimationFrame(() => {
      waiting = 0;
      show();
    });
  };
  store.on("scenario", soon);
  store.on("answer", soon);
}

/** Start a claim with the ghost grabbed on the table. */
export function claim(name, merge = null) {
  if (store.scenario.proposal?.units?.[name] || !store.answer?.after) return;
  const place = known({ kind: "ghost", name });
  store.change((scenario) => {
    if (place && place.kind !== "squad") writePlace(scenario, { kind: "ghost", name }, place);
    else {
      scenario.proposal ??= {};
      scenario.proposal.units = { ...scenario.proposal.units, [name]: placeKeys(store.answer.after.units[name]) };
    }
  }, say`claim for ${name}`, { merge });
}
