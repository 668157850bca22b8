/* Figures of the table as files, exactly as the command `draw` makes them. */

import { button, dialog, fileName, make, saveAs } from "./dom.js";
import { digits, say } from "./language.js";

const CODE = document.documentElement.lang; // figures use the page's language by default
const LANGUAGES = { en: ["english", say`English`], de: ["german", say`German`], fr: ["french", say`French`] };
const FORMATS = [
  ["svg", say`SVG, to edit`],
  ["pdf", say`PDF, to print`],
  ["png", "PNG"],
  ["webp", say`WebP, without loss`],
  ["gif", say`GIF, moving`],
  ["html", say`page that plays it`],
];
const OPTIONS = [
  {
    name: "shows",
    words: say`Shows`,
    choices: [
      ["", say`before and after`],
      ["steps", say`every step`],
      ["board", say`the set-up alone`],
    ],
  },
  {
    name: "theme",
    words: say`Theme`,
    choices: [
      ["", say`screen`],
      ["print", say`print: black and greys`],
      ["dark", say`dark`],
    ],
  },
  {
    name: "size",
    words: say`Size`,
    choices: [
      ["", say`two columns, 7 in wide`],
      ["single-column", say`one column, 3.5 in wide`],
      ["slide", say`slide, 16:9`],
    ],
  },
  {
    name: "audience",
    words: say`For`,
    choices: [
      ["", say`readers`],
      ["judge", say`judges: rules and margins`],
    ],
  },
  {
    name: "language",
    words: say`Language`,
    choices: [
      ["", LANGUAGES[CODE]?.[1] ?? CODE],
      ...Object.keys(LANGUAGES).filter((code) => code !== CODE).map((code) => LANGUAGES[code]),
    ],
  },
];
const PANELS = [
  ["", say`all panels`],
  ["before", say`before`],
  ["after", say`after`],
  ["proposed", say`as claimed`],
  ["demanded", say`as the rules demand`],
];
const TEXTS = [
  ["", say`text, with its font in the file`],
  ["outlines", say`outlines`],
];
const SHEETS = [
  ["", say`no: one picture`],
  ["a4", say`sheets of A4`],
  ["letter", say`sheets of letter`],
];
const MOVING = new Set(["gif", "html"]);
const PIXELS = new Set(["png", "webp"]);

let page;
let sheet = null;
let ending = null;

/** Set up the button of the menu. */
export function start(parts) {
  page = parts;
  document.getElementById("menu").append(button(say`Export`, open, { id: "export", title: say`A figure as SVG, PDF, PNG, WebP or GIF` }));
}

function open() {
  sheet ??= build();
  refresh();
  sheet.showModal();
}

function build() {
  const select = (name, words, choices) =>
    make(
      "div",
      { class: "field choice" },
      make("label", { for: `draw-${name}` }, words),
      make(
        "select",
        { id: `draw-${name}`, name, onchange: refresh },
        choices.map(([value, label]) => make("option", { value }, label)),
      ),
    );
  const line = (name, words, placeholder, inputMode) =>
    make(
      "div",
      { class: "field number" },
      make("label", { for: `draw-${name}` }, words),
      make("input", { id: `draw-${name}`, name, type: "text", inputMode, placeholder, autocomplete: "off" }),
    );
  const bare = make(
    "div",
    { class: "field flag" },
    make("label", { class: "tick" }, make("input", { type: "checkbox", name: "bare" }), say`The picture alone, without title and caption`),
  );
  const form = make(
    "form",
    { id: "draw", class: "grid", onsubmit: save },
    select("format", say`Format`, FORMATS),
    OPTIONS.map(({ name, words, choices }) => select(name, words, choices)),
    select("panel", say`Panel`, PANELS),
    line("scale", say`Scale, 1:1 is true size`, say`what fits`, "text"),
    select("sheet", say`To print, in true size`, SHEETS),
    select("text", say`Words`, TEXTS),
    line("dpi", say`Dots per inch`, "200", "numeric"),
    bare,
    make("p", { class: "fault", role: "alert", hidden: true }),
    make("p", { class: "hint", role: "status", hidden: true }),
    make(
      "div",
      { class: "acts" },
      make("button", { type: "submit", class: "main", id: "draw-save" }, say`Save figure`),
      button(say`Stop`, () => ending?.abort(), { id: "draw-stop", hidden: true }),
    ),
  );
  return dialog(say`Save a figure`, form, { name: "exporting", onclose: () => ending?.abort() });
}

/** Disable the options that a format does not support. */
function refresh() {
  const form = sheet?.querySelector("form") ?? null;
  if (!form) return;
  const { format, shows, panel, size, sheet: paper, text, dpi, bare } = form.elements;
  const isMoving = MOVING.has(format.value);
  const has = (control, is) => Object.assign(control, { disabled: !is }).closest(".field").toggleAttribute("hidden", !is);
  has(dpi, PIXELS.has(format.value));
  has(text, format.value === "svg");
  has(paper, format.value === "pdf");
  size.disabled = !paper.disabled && paper.value !== "";
  shows.disabled = isMoving;
  panel.disabled = isMoving || shows.value === "board";
  bare.disabled = isMoving;
}

/** Return the options as on the command line, without defaults. */
function optionsOf(form) {
  const { elements } = form;
  const options = { format: elements.format.value };
  for (const name of ["theme", "size", "audience", "language", "panel", "scale", "sheet", "text"])
    if (elements[name].value.trim() && !elements[name].disabled) options[name] = elements[name].value.trim();
  if (elements.shows.value && !elements.shows.disabled) options[elements.shows.value] = true;
  if (elements.bare.checked && !elements.bare.disabled) options.bare = true;
  if (elements.dpi.value.trim() && !elements.dpi.disabled) options.dpi = Number(elements.dpi.value);
  return options;
}

async function save(event) {
  event.preventDefault();
  const form = event.target;
  const options = optionsOf(form);
  const isWrong = options.dpi !== undefined && !Number.isInteger(options.dpi);
  tell(form, ".fault", isWrong ? say`Dots per inch: a whole number from 20 to 2400.` : "");
  if (!form.querySelector(".fault").hidden) return;
  ending = new AbortController();
  busy(form, true);
  const began = performance.now();
  try {
    const answer = await page.api.fetchFor("draw", { scenario: page.store.scenario, options }, { signal: ending.signal });
    const blob = await answer.blob();
    const name = fileName(page.store.scenario.title, options.format);
    saveAs(blob, name);
    const size = Math.ceil(blob.size / 1024).toLocaleString();
    const seconds = digits(((performance.now() - began) / 1000).toFixed(1));
    tell(form, ".hint", say`Saved as ${name} (${size} kB, ${seconds} s).`);
  } catch (error) {
    if (ending.signal.aborted) tell(form, ".hint", say`Stopped: nothing was saved.`);
    else if (error.sentence === undefined) throw error;
    else tell(form, ".fault", error.sentence);
  } finally {
    busy(form, false);
  }
}

function busy(form, is) {
  document.getElementById("draw-save").disabled = is;
  document.getElementById("draw-stop").hidden = !is;
  if (is) tell(form, ".hint", say`The figure is being drawn…`);
}

function tell(form, place, words) {
  const line = form.querySelector(place);
  line.textContent = words;
  line.hidden = !words;
}
