/* The four games: a button each, which lays a table of that game that is resolved already. The table before is one undo away. */

import { isNews, make } from "./dom.js";

const GAMES = [
  ["t9a", "The Ninth Age", "t9a/wheel-and-align"],
  ["conquest", "Conquest", "conquest/push-of-two"],
  ["wh40k", "Warhammer 40,000", "wh40k/past-a-bystander"],
  ["battletech", "BattleTech", "battletech/struck-from-the-side"],
];

export function start({ store, api, panels }) {
  const region = document.getElementById("games");
  for (const [system, title, first] of GAMES) {
    region.append(make("button", {
      type: "button", text: title, "data-system": system, "aria-pressed": "false",
      onclick: async () => {
        if (store.scenario?.system === system) return;
        try {
          store.replace((await api.read(`scenarios/${first}`)).scenario, title);
        } catch (error) {
          panels.tell(error.sentence ?? String(error), { kind: "warning" });
        }
      },
    }));
  }
  store.on("scenario", (scenario) => {
    if (!isNews(region, scenario.system)) return;
    for (const button of region.children) button.setAttribute("aria-pressed", String(button.dataset.system === scenario.system));
  });
}
