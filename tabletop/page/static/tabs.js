/* Panels at the side as tabs, and the notice at the top.

   show(name)                   opens a panel and brings it into view: the ids are panel-<name>
   tell(sentence, {kind})       shows a notice: kind "info" (goes after a while), "warning" (stays until closed), "gone" (stays until hushed)
   hush(kind)                   takes notices of that kind away */

import { say } from "./language.js";

const LOWEST = 0.6; // of the window: a panel that begins lower is brought into view
const STAYS = 6000; // milliseconds for which a plain notice stays
let going = null;
let shown = null;

const panels = () => [...document.querySelectorAll('[role="tabpanel"]')];
const tabOf = (panel) => document.getElementById(`tab-${panel.id.slice("panel-".length)}`);

export function show(name, { focus = false } = {}) {
  open(name, focus);
  const { top, bottom } = document.getElementById(`panel-${name}`).getBoundingClientRect();
  if (top > LOWEST * innerHeight || bottom < 0) document.getElementById("tabs").scrollIntoView();
}

function open(name, focus = false) {
  for (const panel of panels()) {
    const isOpen = panel.id === `panel-${name}`;
    panel.hidden = !isOpen;
    const tab = tabOf(panel);
    tab?.setAttribute("aria-selected", String(isOpen));
    if (tab) tab.tabIndex = isOpen ? 0 : -1;
    if (isOpen && focus) tab?.focus();
  }
  document.dispatchEvent(new CustomEvent("panel", { detail: name }));
}

export function current() {
  return panels().find((panel) => !panel.hidden)?.id.slice("panel-".length) ?? null;
}

export function tell(sentence, { kind = "info" } = {}) {
  const notice = document.getElementById("notice");
  clearTimeout(going);
  hold(notice);
  shown = kind;
  notice.dataset.kind = kind;
  notice.textContent = sentence;
  notice.hidden = false;
  if (kind !== "gone") {
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = say`Close`;
    close.addEventListener("click", () => hush(kind));
    notice.append(" ", close);
  }
  if (kind === "info") going = setTimeout(() => hush("info"), STAYS);
}

/** Move the notice into the topmost open dialog, behind which it would be hidden and inert. */
function hold(notice, closed = null) {
  const open = [...document.querySelectorAll("dialog[open]")].filter((one) => one !== closed).at(-1);
  const place = open ?? document.body;
  if (notice.parentNode !== place) place.append(notice);
}

export function hush(kind) {
  if (shown !== kind) return;
  document.getElementById("notice").hidden = true;
  shown = null;
}

function step(event) {
  const tabs = panels().map(tabOf);
  const here = tabs.indexOf(event.target);
  const moves = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: tabs.length - 1 };
  if (!(event.key in moves)) return;
  event.preventDefault();
  const tab = tabs[(moves[event.key] + tabs.length) % tabs.length];
  show(tab.id.slice("tab-".length), { focus: true });
}

export function start({ store }) {
  const list = document.getElementById("tabs");
  for (const panel of panels()) {
    const name = panel.id.slice("panel-".length);
    const tab = document.createElement("button");
    Object.assign(tab, { type: "button", id: `tab-${name}`, textContent: panel.dataset.label });
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panel.id);
    tab.addEventListener("click", () => show(name));
    panel.tabIndex = -1;
    list.append(tab);
  }
  list.addEventListener("keydown", step);
  open("ruling");
  const notice = document.getElementById("notice");
  document.addEventListener("close", (event) => notice.parentNode === event.target && hold(notice, event.target), true);
  store.on("error", (error) => {
    if (error?.kind === "gone") tell(say`The server of this page does not answer. Everything on the table is kept; the page goes on as soon as it is back.`, { kind: "gone" });
    if (error?.kind === "back") tell(say`The server is back.`);
  });
}
