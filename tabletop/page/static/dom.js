/* DOM helpers: elements, buttons and dialogs; formatted numbers; downloads. */

import { say } from "./language.js";

const MINUS = "\u2212";
const shown = new WeakMap(); // region -> what it shows, as text
let count = 0; // ids assigned so far

/**
 * Return a new element: `props` are properties, except that `class`, `data-*`, `aria-*`, `for`, `role`, `list`, `form` are attributes and
 * names that begin with `on` are listeners; children are nodes or texts, and null and false are skipped.
 */
export function make(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "class" || key === "for" || key === "role" || key === "list" || key === "form" || key.includes("-"))
      made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== false && child !== undefined));
  return made;
}

/** Return a button. */
export function button(words, onclick, props = {}) {
  return make("button", { type: "button", onclick, ...props }, words);
}

/** Return an id that no other element has. */
export function freshId(stem) {
  count += 1;
  return `${stem}-${count}`;
}

/**
 * Return a modal dialog with a heading and a close button; Escape or a click outside closes it, and the focus returns to
 * where it was.
 */
export function dialog(title, content, { name, onclose } = {}) {
  const id = freshId("dialog");
  const made = make(
    "dialog",
    { id: name, class: "sheet", "aria-labelledby": id },
    make(
      "header",
      {},
      make("h2", { id }, title),
      button("\u00d7", () => made.close(), { class: "close", "aria-label": say`Close` }),
    ),
    content,
  );
  made.addEventListener("click", (event) => {
    if (event.target === made && isBeside(made, event)) made.close();
  });
  if (onclose) made.addEventListener("close", onclose);
  document.body.append(made);
  return made;
}

function isBeside(made, { clientX, clientY }) {
  const box = made.getBoundingClientRect();
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}

/** Return whether a region must be rebuilt because its plain data have changed. */
export function isNews(region, told) {
  const text = JSON.stringify(told);
  if (shown.get(region) === text) return false;
  shown.set(region, text);
  return true;
}

/** Set a text only if it has changed, which avoids a new layout. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Return a number with its sign, a true minus, and enough digits not to look like zero. */
export function signed(value) {
  const digits = Math.abs(value) >= 0.005 ? 2 : 4;
  const text = Number(Math.abs(value).toFixed(digits)).toString();
  return text === "0" ? text : `${value > 0 ? "+" : MINUS}${text}`;
}

/** Return a chance as a percentage; 0 % or 100 % only if exact. */
export function percent(chance) {
  const rounded = Math.round(100 * chance);
  if (rounded === 0 && chance > 0) return "< 1 %";
  if (rounded === 100 && chance < 1) return "> 99 %";
  return `${rounded} %`;
}

/** Return the number for a fraction such as "5/6". */
export function share(fraction) {
  const [over, under = "1"] = String(fraction).split("/");
  return Number(over) / Number(under);
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Save bytes as a download under a name. */
export function saveAs(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Return a file name for a title: letters, digits and hyphens. */
export function fileName(title, ending) {
  const stem = (title || "table")
    .normalize("NFKD")
    .replace(/[^\w\s-]/g, "")
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-")
    .slice(0, 60);
  return `${stem || "table"}.${ending}`;
}
