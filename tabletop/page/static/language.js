/* Translation of the page. The server selects the language that the browser prefers and embeds the translations from `tabletop/language`, keyed
   by the English text; untranslated texts stay English. */

const { said, decimal } = JSON.parse(document.getElementById("words").textContent);

/** Return a translated text: a tag for template literals, whose values are {1}, {2} and so on in the key and its translation. */
export function say(literals, ...values) {
  const key = literals.reduce((text, literal, place) => `${text}{${place}}${literal}`);
  return (said[key] ?? key).replace(/\{(\d+)\}/gu, (_, place) => written(values[place - 1]));
}

/** Return the translated name of a key or value of scenario files; `plain` by default. */
export function label(key, plain = key) {
  return said[key] ?? plain;
}

/** Return a number with the decimal mark of the language. */
export function digits(number) {
  return String(number).replace(".", decimal);
}

/** Return a number with grouped thousands and at most one decimal. */
export function grouped(number) {
  const mark = decimal === "." ? "," : ".";
  return number.toLocaleString("en", { maximumFractionDigits: 1 }).replace(/[.,]/gu, (one) => (one === "." ? decimal : mark));
}

const written = (value) => (typeof value === "number" ? digits(value) : String(value));
