/* Starts the page: the menu of games, and all modules.

   A module exports   start({ store, api, ask, table, panels })   and may be async; it finds its region in index.html by id.
     store   state and history (store.js)
     api     ask, fetchFor, read, address, ApiError (api.js); ask stands on its own, too
     table   the drawn table (table.js): toTable([px, py]), toScreen([x, y]), middle(), scale (pixels per inch), fit(), reveal(markIds), svg,
             and paintMarks(group, marks, roles) of painter.js
     panels  show(name) opens a panel at the side: "ruling", "odds", "judge", "edit", "add", "layers"; tell(sentence, {kind}) shows a notice
   Modules start in the order of the lists, those around the table once the table itself is live; one that fails says so in the notice, the
   others go on.

   What the page shows first: a table in the link's fragment (files.js, which calls store.replace), else that of this tab before it was loaded
   again, else GET /api/start -> {"scenario"} (the FILE of `tabletop page FILE`), else a bundled scenario. Modules start before that, so
   store.scenario is null when `start` is called: listen to "scenario". */

import * as api from "./api.js";
import { isNews, make } from "./dom.js";
import { say } from "./language.js";
import { isBundled } from "./scenarios.js";
import { store } from "./store.js";
import { table } from "./table.js";
import * as panels from "./tabs.js";

const TABLE = ["./tools.js", "./keyboard.js", "./dice.js", "./ruling.js", "./judging.js", "./live.js"];
const AROUND = ["./tray.js", "./layers.js", "./photo.js", "./forms.js", "./files.js", "./scenarios.js", "./exports.js"];
const GAMES = [
  ["t9a", "The Ninth Age", "t9a/wheel-and-align"],
  ["conquest", "Conquest", "conquest/push-of-two"],
  ["wh40k", "Warhammer 40,000", "wh40k/past-a-bystander"],
  ["battletech", "BattleTech", "battletech/struck-from-the-side"],
];
const KEPT = "tabletop.table";
let shown = null; // the last table that could be shown: {scenario, isBundled}

async function start() {
  panels.start({ store });
  table.start({ store });
  const first = firstScenario(); // requested while the modules load
  await startModules();
  if (!store.scenario) {
    const { scenario, isBundled } = await first;
    if (!store.scenario) store.replace(scenario, "", { isBundled });
  }
  let waiting = null;
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(keep, 300);
  };
  store.on("scenario", soon);
  store.on("table", (table) => {
    if (!table.refused && store.seen === store.revision) shown = { scenario: store.scenario, isBundled: store.isBundled };
    soon();
  });
  addEventListener("pagehide", keep);
}

async function startModules() {
  const parts = { store, api, ask: api.ask, table, panels };
  const loaded = [...TABLE, ...AROUND].map(async (path) => [path, await import(path).catch((error) => ({ start: () => Promise.reject(error) }))]);
  const modules = await Promise.all(loaded);
  const startAll = (some) => Promise.all(some.map(([path, module]) => startModule(path, module, parts)));
  startGames();
  await startAll(modules.slice(0, TABLE.length));
  await startAll(modules.slice(TABLE.length)); // a table in the address is opened first, so that no other appears
}

async function startModule(path, module, parts) {
  try {
    await module.start(parts);
  } catch (error) {
    console.error(path, error);
    panels.tell(say`A part of the page could not be started: ${path.slice(2)}.`, { kind: "warning" });
  }
}

/** Add a button for each game that opens one of its bundled tables; undo returns to the previous table. */
function startGames() {
  const region = document.getElementById("games");
  for (const [system, title, first] of GAMES) {
    const choose = async () => {
      if (store.scenario?.system === system) return;
      try {
        store.replace((await api.read(`scenarios/${first}`)).scenario, title, { isBundled: true });
      } catch (error) {
        panels.tell(error.sentence ?? String(error), { kind: "warning" });
      }
    };
    region.append(make("button", { type: "button", "data-system": system, "aria-pressed": "false", onclick: choose }, title));
  }
  store.on("scenario", (scenario) => {
    if (!isNews(region, scenario.system)) return;
    for (const button of region.children) button.setAttribute("aria-pressed", String(button.dataset.system === scenario.system));
  });
}

async function firstScenario() {
  const earlier = kept();
  if (earlier) return earlier;
  const { scenario, name } = await api.read("start");
  return { scenario, isBundled: await isBundled(scenario, name) };
}

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    return null; // no storage in this browser, or invalid content
  }
}

/** Keep the table for when the page is loaded again; of one that cannot be shown, such as of 501 models, the last that could. */
function keep() {
  const isLost = store.table?.refused && store.seen === store.revision;
  const { scenario, isBundled } = (isLost && shown) || store;
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ scenario, isBundled }));
  } catch { /* no storage: nothing to come back to after loading again */ }
}

globalThis.tabletop = { store, table }; // for the console and for tests
start();
