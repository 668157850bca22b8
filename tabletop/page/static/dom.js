/* Building the page's own parts: elements, buttons and dialogs; numbers as words; files handed to the browser to be saved. */

import { say } from "./language.js";

const MINUS = "\u2212";
const shown = new WeakMap(); // region -> what it shows, as text
let count = 0; // ids that were given

/**
 * Return a new element: `props` are properties, but `class`, `data-*`, `aria-*`, `for`, `role`, `list`, `form` are attributes, and what begins with
 * `on` is a listener; children are nodes or texts, null and false are left out.
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
 * Return a dialog with a heading and a button that closes it; it is modal, Escape and a click beside it close it, and the focus goes back to
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

/** Tell whether a region is to be filled anew: what it shows, plain data, is other than the last time. */
export function isNews(region, told) {
  const text = JSON.stringify(told);
  if (shown.get(region) === text) return false;
  shown.set(region, text);
  return true;
}

/** Write a text where it is another: a text that is set again is laid out again. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Write a number with its sign, a true minus, and enough digits that it never reads as nothing. */
export function signed(value) {
  const digits = Math.abs(value) >= 0.005 ? 2 : 4;
  const text = Number(Math.abs(value).toFixed(digits)).toString();
  return text === "0" ? text : `${value > 0 ? "+" : MINUS}${text}`;
}

/** Write a chance as a share of a hundred; never 0 % or 100 % where it is not. */
export function percent(chance) {
  const rounded = Math.round(100 * chance);
  if (rounded === 0 && chance > 0) return "< 1 %";
  if (rounded === 100 && chance < 1) return "> 99 %";
  return `${rounded} %`;
}

/** Give the number of a fraction such as "5/6". */
export function share(fraction) {
  const [over, under = "1"] = String(fraction).split("/");
  return Number(over) / Number(under);
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Hand bytes to the browser to be saved under a name. */
export function saveAs(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Return a name of a file made of a title: letters, digits and hyphens. */
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
