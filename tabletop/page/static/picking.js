// Picking on the table: the next unit that is chosen there becomes the charger or a target of a charge.

import { pieceNames } from "./naming.js";

let ending = null;

/** Whether what is chosen now is picked for a charge, and not to be edited. */
export const isPicking = () => ending !== null;

/** Let the next choice on the table be the charger ("charger") or a target ("targets") of a charge. */
export function picking({ store, panels }, index, key) {
  ending?.();
  const words =
    key === "charger"
      ? "Choose the unit that charges, on the table or in the list of units."
      : "Choose whom it charges, on the table or in the list of units; one that it charges already is left out then.";
  panels.tell(words, { kind: "warning" });
  document.getElementById("table")?.classList.add("picking");
  const before = store.selection;
  store.select(null);
  let isEnding = false;
  const stop = [
    store.on("selection", (chosen) => {
      const name =
        chosen?.kind === "unit" ? chosen.name : chosen?.kind === "terrain" ? pieceNames(store.scenario.terrain)[chosen.index] : null;
      if (name === null || isEnding) return;
      isEnding = true;
      store.change((draft) => pick(draft.charges[index], key, name), key === "charger" ? `${name} charges` : `Charge ${name}`);
      store.select(before);
      ending();
    }),
    listen(document, "keydown", (event) => event.key === "Escape" && ending?.()),
  ];
  ending = () => {
    ending = null;
    for (const one of stop) one();
    document.getElementById("table")?.classList.remove("picking");
    panels.hush("warning");
  };
}

function pick(charge, key, name) {
  if (key === "charger") charge.charger = name;
  else charge.targets = charge.targets.includes(name) ? charge.targets.filter((one) => one !== name) : [...charge.targets, name];
}

function listen(target, event, fn) {
  target.addEventListener(event, fn);
  return () => target.removeEventListener(event, fn);
}
