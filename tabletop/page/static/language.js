/* The words of the page in its language. The server chooses it, by what the browser asks for, and puts the translations into the page: those of
   `plots/languages`, by the English text; a text without a translation stays English. */

const { said, decimal } = JSON.parse(document.getElementById("words").textContent);

/** Return a text in the page's language: a tag of template literals, of which {1}, {2} and so on are what is filled in, in the key as in its translation. */
export function say(literals, ...values) {
  const key = literals.reduce((text, literal, place) => `${text}{${place}}${literal}`);
  return (said[key] ?? key).replace(/\{(\d+)\}/gu, (_, place) => written(values[place - 1]));
}

/** Return what a key of scenario files, or a value that it may have, is called; `plain` where the language has no words of its own for it. */
export function label(key, plain = key) {
  return said[key] ?? plain;
}

/** Write a number, or the digits of one, with the decimal mark of the language. */
export function digits(number) {
  return String(number).replace(".", decimal);
}

/** Write a number with its thousands apart, and with one decimal at most. */
export function grouped(number) {
  const mark = decimal === "." ? "," : ".";
  return number.toLocaleString("en", { maximumFractionDigits: 1 }).replace(/[.,]/gu, (one) => (one === "." ? decimal : mark));
}

const written = (value) => (typeof value === "number" ? digits(value) : String(value));
