/* Small helps for building the page's own parts. */

/** Make an element: make("p", {class: "x", onclick: fn, text: "words"}, child, ...). */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") made.textContent = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && typeof value !== "string") made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const shown = new WeakMap();

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

const MINUS = "\u2212";

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
