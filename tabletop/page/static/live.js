/* Live ruling: requests for the current table, as fast as replies arrive. Of each kind one request is pending; when its reply arrives, the
   newest table is sent and intermediate ones are skipped. After a drag, a slow request is abandoned for the newest table.

   The table alone (distances, neighbours, faults) is requested only if the ruling is slow or refused, since a ruling includes it. Results for
   an older table turn grey after a short time.

   During a drag, bodies are requested only when it pauses, since the page moves them itself, and alternatives to the ruling only at its end.

   hold(freshen)    called by tools during a drag, with freshen() to update the scenario to the pointer; hold(null) at its end */

import { ApiError, ask, read } from "./api.js";
import { addRoles } from "./painter.js";
import { isCarried, keyOf, start as startScene, takeIn } from "./scene.js";

const PATIENCE = 150; // milliseconds after which a request for an older table is abandoned
const CROWDED = 300; // milliseconds to wait if the server has too many requests
const QUICK = 80; // milliseconds within which a ruling is fast enough not to request the table separately
const OLD = 200; // milliseconds after which results for an older table turn grey
const PACE = 50; // milliseconds between requests for the table alone during a drag; rulings take precedence
const NEAR = { within: 8 };
let store = null;
let freshen = null; // while a drag is on
let heldSince = 0; // the revision at which it began
let fresh = new Set(["table", "ruling"]); // pending replies for a table that is new on the page
const askers = [];

function asker({ kind, body, take, refuse, began = () => {}, wants = () => true, pace = 0 }) {
  let since = -Infinity;
  let waiting = 0;
  const one = { running: null, done: -1, took: 0, isBrief: false, isPlain: false }; // the last reply had no bodies; no alternatives
  const behind = () => store.scenario && wants() && (one.done < store.revision || one.isBrief || (one.isPlain && !freshen));
  one.go = async () => {
    if (one.running || !store.scenario || !wants()) return;
    const early = freshen ? since + pace - performance.now() : 0;
    clearTimeout(waiting);
    if (early > 0) {
      waiting = setTimeout(one.go, early);
      return;
    }
    freshen?.();
    if (one.running || !behind()) return;
    since = performance.now();
    const asked = { scenario: store.scenario, revision: store.revision };
    const isBrief = Boolean(freshen) && one.done < asked.revision && isCarried(asked.scenario, heldSince);
    const controller = new AbortController();
    one.running = { ...asked, controller, since };
    store.tell("busy", true);
    began();
    try {
      const told = body(asked.scenario);
      if (isBrief) told.options.bodies = false;
      const answer = await ask(kind(), told, { signal: controller.signal });
      one.took = performance.now() - one.running.since;
      one.done = asked.revision;
      one.isBrief = isBrief;
      one.isPlain = told.options.contrast === false;
      take(answer, { ...asked, since: one.running.since });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 429) await new Promise((resolve) => setTimeout(resolve, CROWDED));
      else if (error.status !== 0 && error.status !== 409) {
        one.done = asked.revision;
        one.isBrief = one.isPlain = false;
        refuse(error, asked);
      }
    } finally {
      one.running = null;
      store.tell("busy", askers.some((other) => other.running));
      one.go();
    }
  };
  one.hurry = () => {
    const { running } = one;
    if (running && running.revision < store.revision && performance.now() - running.since > PATIENCE) running.controller.abort();
  };
  askers.push(one);
  return one;
}

export function hold(follow) {
  freshen = follow;
  heldSince = store.revision;
  if (follow) return;
  for (const one of askers) {
    one.hurry();
    one.go();
  }
}

/** Return whether another table has the same verdict as the one shown; true if that is refused or has none. */
export async function isRuledAlike(other) {
  const own = { running: {}, hurry() {}, go() {} };
  const kind = other.proposal ? "judge" : "resolve";
  const verdict = async (scenario) => {
    try {
      const { rulings, judged } = await ask(kind, { scenario, options: { figure: false, fill: true, contrast: false } }, { question: "alike" });
      return JSON.stringify([...rulings, judged].map((one) => one && (one.open?.length ? one.open : [one.outcome, one.rule, one.shortest_roll])));
    } catch (error) {
      if (![400, 408].includes(error.status)) throw error;
      return null;
    }
  };
  askers.push(own);
  store.tell("busy", true);
  try {
    const now = await verdict(store.scenario);
    return now === null || now === (await verdict(other));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return false;
  } finally {
    askers.splice(askers.indexOf(own), 1);
    store.tell("busy", askers.some((one) => one.running));
  }
}

const isRefusal = () => Boolean(store.answer?.refused);

/** Return the options of requests: gaps around the selected unit. */
function nearOf(scenario) {
  const chosen = store.selection;
  return { near: chosen && chosen.kind === "unit" && chosen.name in scenario.units ? [chosen.name] : [], ...NEAR };
}

let ageing = 0;
const shade = (isOld) => ["table", "verdict"].forEach((id) => document.getElementById(id).classList.toggle("is-stale", isOld));

/** Turn results for an older table grey after `OLD`; `since` is when the result shown was requested. */
function age(since) {
  clearTimeout(ageing);
  ageing = 0;
  const left = since + OLD - performance.now();
  if (!store.isStale || left > 0) shade(false);
  if (store.isStale) ageing = setTimeout(() => shade(store.isStale), Math.max(0, left));
}

export async function start(parts) {
  ({ store } = parts);
  startScene(parts);
  addRoles(await read("theme"));
  let isAsked = false; // the gaps around a new selection
  const isSlow = () => ruling.took > QUICK || (ruling.running && performance.now() - ruling.running.since >= QUICK);
  const table = asker({
    kind: () => "table",
    pace: PACE,
    wants: () => isAsked || isRefusal() || isSlow(),
    body: (scenario) => {
      isAsked = false;
      return { scenario, options: nearOf(scenario) };
    },
    take: (answer, asked) => {
      if (asked.revision < store.seen) return;
      store.tell("table", answer, asked.revision);
      takeIn(answer, { ...asked, isFresh: fresh.delete("table") }, { isRuling: isRefusal() });
    },
    refuse: (error, asked) => store.tell("table", { refused: error }, asked.revision),
  });
  const ruling = asker({
    kind: () => (store.scenario.proposal ? "judge" : "resolve"),
    body: (scenario) => ({ scenario, options: { fill: true, contrast: !freshen, ...nearOf(scenario) } }),
    began: () => setTimeout(() => table.go(), QUICK),
    take: (answer, asked) => {
      if (store.error?.kind === "refused") store.tell("error", null);
      store.tell("answer", answer, asked.revision);
      age(asked.since);
      if (asked.revision >= store.seen) {
        table.done = Math.max(table.done, asked.revision);
        table.isBrief = false; // the ruling's replies have the bodies
        fresh.delete("table");
        store.tell("table", answer, asked.revision);
      }
      takeIn(answer, { ...asked, isFresh: fresh.delete("ruling") }, { isRuling: true });
    },
    refuse: (error, asked) => {
      store.tell("answer", { refused: error }, asked.revision);
      age(performance.now());
      table.go();
      store.tell("error", { kind: "refused", sentence: error.sentence, key: error.key, faults: error.faults });
      const known = store.table;
      takeIn(known?.refused ? null : known, { ...asked, revision: -1 }, { isRuling: true });
    },
  });
  let shown = null;
  store.on("scenario", (scenario) => {
    const about = `${store.laid} ${JSON.stringify(scenario.board)}`;
    if (about !== shown) fresh = new Set(["table", "ruling"]);
    shown = about;
    if (!freshen) askers.forEach((one) => one.hurry());
    if (!ageing) age(performance.now());
    ruling.go();
    table.go();
  });
  let near = null;
  store.on("selection", (chosen) => {
    const now = chosen && keyOf(chosen);
    if (now === near || !store.scenario) return;
    near = now;
    isAsked = true;
    table.done = -1;
    table.go();
  });
}
