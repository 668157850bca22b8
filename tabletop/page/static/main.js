/* Starts the page: loads every module of the list and calls its `start`.

   A module that takes part exports   start({ store, api, table, panels })   and may be async; it finds its region in index.html by id.
     store   state and history (store.js)
     api     ask, fetchFor, read, address, ApiError (api.js)
     table   the drawn table (table.js): toTable([px, py]), toScreen([x, y]), middle(), scale (pixels per inch), fit(), reveal(markIds),
             svg, and paintMarks(group, marks, roles) of paint.js
     panels  show(name) opens a panel at the side: "ruling", "odds", "judge", "edit", "add", "layers"; tell(sentence, {kind}) shows a notice
   Modules start in the order of the list; one that fails says so in the notice, the others go on.
   What the page shows first: a table in the link's fragment (links.js of pc, which calls store.replace), else that of this tab before it was
   loaded again, else GET /api/start -> {"scenario"} (the FILE of `tabletop page FILE`), else a bundled scenario. Modules start before that,
   so store.scenario is null when `start` is called: listen to "scenario". */

import * as api from "./api.js";
import * as panels from "./tabs.js";
import { store } from "./store.js";
import { table } from "./table.js";

const MODULES = ["./tools.js", "./keys.js", "./place.js", "./verdict.js", "./dice.js", "./findings.js", "./odds.js", "./judging.js", "./readings.js",
  "./games.js", "./live.js", "./panels.js"];
const KEPT = "tabletop.scenario";

async function startModules() {
  const parts = { store, api, ask: api.ask, table, panels };
  const loaded = await Promise.all(MODULES.map((path) => import(path).catch((error) => ({ failed: error }))));
  for (const [place, part] of loaded.entries()) {
    try {
      if (part.failed) throw part.failed;
      await (part.start ?? part.startPanels)(parts);
    } catch (error) {
      console.error(MODULES[place], error);
      panels.tell(`A part of the page could not be started: ${MODULES[place].slice(2)}.`, { kind: "warning" });
    }
  }
}

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    return null; // no storage in this browser, or not what was put there
  }
}

function keep(scenario) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(scenario));
  } catch { /* no storage: nothing to come back to after loading again */ }
}

async function firstScenario() {
  const earlier = kept();
  if (earlier) return earlier;
  return (await api.read("start")).scenario;
}

async function start() {
  panels.start({ store });
  table.start({ store });
  const first = firstScenario(); // on its way while the modules are loaded
  await startModules();
  if (!store.scenario) {
    const scenario = await first;
    if (!store.scenario) store.replace(scenario, "first table");
  }
  let waiting = null;
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => keep(store.scenario), 300);
  };
  store.on("scenario", soon);
  addEventListener("pagehide", () => keep(store.scenario));
}

globalThis.tabletop = { store, table }; // for the console, and for whoever tests the page
start();
