/* Live ruling: asks the server about the table as it is now, as fast as answers come. Of each kind one question is under way; when its answer is
   there the newest table is asked about, whatever was between is never asked. Once a drag has ended an answer that is long in coming is given
   up for the newest table.

   hold(isHeld)     told by tools while a drag is on
   askAgain()       asks anew though the table is the same (other options) */

import { ApiError, ask, read } from "./api.js";
import { addRoles } from "./looks.js";
import { keyOf, start as startScene, takeIn } from "./scene.js";

const PATIENCE = 150; // milliseconds after which a question about an older table is given up
const CROWDED = 300; // milliseconds to wait where the server has too many questions
const NEAR = { within: 8 };
let store = null;
let isHeld = false;
let fresh = new Set(["table", "ruling"]); // which answers about a table that is new on the page are still to come
const askers = [];

function asker({ kind, body, take, refuse, wants = () => true }) {
  const one = { running: null, done: -1 };
  const behind = () => store.scenario && wants() && one.done < store.revision;
  one.go = async () => {
    if (one.running || !behind()) return;
    const asked = { scenario: store.scenario, revision: store.revision };
    const controller = new AbortController();
    one.running = { ...asked, controller, since: performance.now() };
    store.tell("busy", true);
    try {
      const answer = await ask(kind(), body(asked.scenario), { signal: controller.signal });
      one.done = asked.revision;
      take(answer, asked);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 429) await new Promise((resolve) => setTimeout(resolve, CROWDED));
      else if (error.status !== 0 && error.status !== 409) {
        one.done = asked.revision;
        refuse(error, asked);
      }
    } finally {
      one.running = null;
      store.tell("busy", askers.some((other) => other.running));
      if (behind()) one.go();
    }
  };
  one.hurry = () => {
    const { running } = one;
    if (running && running.revision < store.revision && performance.now() - running.since > PATIENCE) running.controller.abort();
  };
  askers.push(one);
  return one;
}

export function hold(held) {
  isHeld = held;
  if (!held) askers.forEach((one) => one.hurry());
}

export function askAgain() {
  for (const one of askers) {
    one.done = -1;
    one.running?.controller.abort();
    one.go();
  }
}

const isRefusal = () => Boolean(store.answer?.refused);

export async function start(parts) {
  ({ store } = parts);
  startScene(parts);
  addRoles(await read("theme"));
  const table = asker({
    kind: () => "table",
    body: (scenario) => {
      const chosen = store.selection;
      const near = chosen && chosen.kind === "unit" && chosen.name in scenario.units ? [chosen.name] : [];
      return { scenario, options: { near, ...NEAR } };
    },
    take: (answer, asked) => {
      store.tell("table", answer, asked.revision);
      takeIn(answer, { ...asked, isFresh: fresh.delete("table") }, { isRuling: isRefusal() });
    },
    refuse: (error, asked) => store.tell("table", { refused: error }, asked.revision),
  });
  const ruling = asker({
    kind: () => (store.scenario.proposal ? "judge" : "resolve"),
    body: (scenario) => ({ scenario, options: { fill: true } }),
    take: (answer, asked) => {
      if (store.error?.kind === "refused") store.tell("error", null);
      store.tell("answer", answer, asked.revision);
      takeIn(answer, { ...asked, isFresh: fresh.delete("ruling") }, { isRuling: true });
    },
    refuse: (error, asked) => {
      store.tell("answer", { refused: error }, asked.revision);
      store.tell("error", { kind: "refused", sentence: error.sentence, key: error.key, faults: error.faults });
      const known = store.table;
      takeIn(known?.refused ? null : known, { ...asked, revision: -1 }, { isRuling: true });
    },
  });
  let shown = null;
  store.on("scenario", (scenario) => {
    const about = `${scenario.system} ${scenario.title} ${JSON.stringify(scenario.board)}`;
    if (about !== shown) fresh = new Set(["table", "ruling"]);
    shown = about;
    if (!isHeld) askers.forEach((one) => one.hurry());
    ruling.go();
    table.go();
  });
  let near = null;
  store.on("selection", (chosen) => {
    const now = chosen && keyOf(chosen);
    if (now === near || !store.scenario) return;
    near = now;
    table.done = -1;
    table.go();
  });
}
