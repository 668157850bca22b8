// Opening and saving: the same TOML as the command line, by the browser's own dialogs, by dropping a file on the page, or as a text.
// Whatever cannot be read is told in a sentence, and the table stays as it is.

import { carriedLink, isFigure } from "./carried.js";
import { button, dialog, el, fileName, saveAs } from "./elements.js";
import { addressOf, isLink, LinkError, linkIn, MARK, markOf, MOST_BYTES, pack, unpack } from "./links.js";

const MOST_FIGURE = 64 * 2 ** 20;
const ACCEPTED = ".toml,.json,.svg,.png,.webp,.txt";

let page;

/** Begin: the buttons of the menu, dropping and pasting, and the table in the address if there is one. */
export async function start(parts) {
  page = parts;
  const menu = document.getElementById("menu");
  const input = el("input", {
    type: "file",
    accept: ACCEPTED,
    hidden: true,
    id: "file",
    "aria-label": "Open a file",
    onchange: () => {
      const [file] = input.files;
      if (file) openFile(file);
      input.value = "";
    },
  });
  menu.append(
    button("Open", () => input.click(), { id: "open", title: "Open a scenario, or a figure that carries one" }),
    input,
    button("Save", save, { id: "save", title: "Save the table as a TOML file" }),
    button("Text", showText, { id: "text", title: "See the table as text" }),
    button("Link", showLink, { id: "link", title: "A link that holds the whole table" }),
  );
  watchDrops();
  addEventListener("hashchange", fromAddress);
  addEventListener("paste", pasted);
  await fromAddress();
}

/** Open what the address holds; then it is taken out of the address, so that loading the page again shows what was drawn since. */
async function fromAddress() {
  const { hash, pathname, search } = location;
  if (hash.length < 2) return;
  const link = linkIn(hash);
  if (!link) {
    const mark = markOf(hash.slice(1));
    if (mark !== null && mark !== MARK) await openLink(hash.slice(1), "the link"); // says which links are read
    else if (/^#tt/i.test(hash)) refuse("", "The link in the address is cut short: copy the whole line, from tt1. to its end.");
    return;
  }
  history.replaceState(history.state, "", pathname + search);
  await openLink(link, "the link");
}

function pasted(event) {
  if (event.target.closest?.("input, textarea, dialog")) return;
  const text = event.clipboardData?.getData("text/plain") ?? "";
  const link = linkIn(text.includes("#") ? text.slice(text.indexOf("#")) : text);
  if (link) openLink(link, "the pasted link");
}

/** Open a link: it is unpacked here, and what was in it read by the server as a file would be. */
async function openLink(link, name) {
  try {
    await openText(JSON.stringify(await unpack(link)), name);
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    refuse("", error.message);
  }
}

/** Open a file: a scenario as TOML or JSON, a link, or a figure that carries one. */
export async function openFile(file) {
  if (file.size > MOST_FIGURE) {
    refuse(file.name, `it has ${megabytes(file.size)} MB; a scenario has at most 1 MB, a figure 64 MB.`);
    return;
  }
  let bytes;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    refuse(file.name, "the browser cannot read it.");
    return;
  }
  if (isFigure(bytes)) {
    const link = carriedLink(bytes);
    if (link === null || !isLink(link))
      refuse(file.name, "this picture or page carries no scenario; figures made by tabletop as SVG, PNG or WebP carry theirs.");
    else await openLink(link, file.name);
    return;
  }
  if (bytes.length > MOST_BYTES) {
    refuse(file.name, `it has ${megabytes(bytes.length)} MB; a scenario has at most 1 MB.`);
    return;
  }
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    refuse(file.name, "it is no text in UTF-8: expected a scenario as TOML or JSON, or a figure that carries one.");
    return;
  }
  if (isLink(text)) await openLink(text, file.name);
  else await openText(text, file.name);
}

/** Open a text: the server reads it as the command line would; true if it could be read. */
async function openText(text, name) {
  try {
    const { scenario } = await page.ask("read", { text, name });
    page.store.replace(scenario, `Open ${name}`);
    page.panels.tell(`${name.charAt(0).toUpperCase()}${name.slice(1)} is open; undo brings the table before it back.`);
    return true;
  } catch (error) {
    if (error.sentence === undefined) throw error;
    if (error.status !== 0) refuse(name, error.sentence);
    return false;
  }
}

function refuse(name, sentence) {
  const text = name && !sentence.startsWith(name) ? `${name}: ${sentence}` : sentence;
  page.panels.tell(`${text.replace(/\s*$/, "")}${/[.?!]\s*$/.test(text) ? "" : "."} The table stays as it is.`, { kind: "warning" });
}

function megabytes(bytes) {
  return (bytes / 2 ** 20).toLocaleString("en", { maximumFractionDigits: 1 });
}

/** Save the table as TOML, as the command line reads it. */
async function save() {
  const told = await asToml();
  if (told === null) return;
  const name = fileName(page.store.scenario.title, "toml");
  saveAs(new Blob([told], { type: "application/toml" }), name);
  page.panels.tell(`Saved as ${name}, where the browser puts what it downloads.`);
}

async function asToml() {
  try {
    return (await page.ask("write", { scenario: page.store.scenario })).toml;
  } catch (error) {
    if (error.sentence === undefined) throw error;
    page.panels.tell(`The table cannot be saved before this is put right: ${error.sentence}`, { kind: "warning" });
    return null;
  }
}

/** Show the table as text, to look at, to copy, or to change there. */
async function showText() {
  const told = await asToml();
  if (told === null) return;
  const fault = el("p", { class: "fault", role: "alert", hidden: true });
  const area = el("textarea", { id: "toml", class: "toml", spellcheck: false, value: told, rows: 24, "aria-label": "The table as TOML" });
  const use = button(
    "Use this text",
    async () => {
      try {
        const { scenario } = await page.ask("read", { text: area.value, name: "the text" });
        page.store.replace(scenario, "Change the text");
        sheet.close();
      } catch (error) {
        if (error.sentence === undefined) throw error;
        fault.textContent = error.sentence;
        fault.hidden = false;
      }
    },
    { class: "main" },
  );
  const sheet = dialog(
    "The table as text",
    [
      area,
      fault,
      el(
        "div",
        { class: "acts" },
        use,
        button("Copy", () => copy(area, "The text")),
      ),
    ],
    { onclose: () => sheet.remove() },
  );
  sheet.showModal();
}

/** Show the link of the table, made here and sent nowhere. */
async function showLink() {
  let line;
  let address;
  try {
    line = await pack(page.store.scenario);
    address = await addressOf(page.store.scenario);
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    page.panels.tell(error.message, { kind: "warning" });
    return;
  }
  const field = (id, words, value, hint) => {
    const area = el("textarea", { id, readOnly: true, rows: 3, value, spellcheck: false, onfocus: () => area.select() });
    return el(
      "div",
      { class: "field long" },
      el("label", { for: id }, words),
      area,
      el("p", { class: "hint" }, hint),
      button("Copy", () => copy(area, words), { class: "small" }),
    );
  };
  const sheet = dialog(
    "A link that holds the whole table",
    [
      field(
        "link-address",
        "For this page",
        address,
        "It opens while tabletop page runs at this address. What stands behind # stays in the browser: the table is sent to nobody.",
      ),
      field("link-line", "For the command line", line, "In place of a file: tabletop resolve tt1\u2026 and all other commands take it."),
    ],
    { onclose: () => sheet.remove() },
  );
  sheet.showModal();
}

async function copy(area, what) {
  area.select();
  try {
    await navigator.clipboard.writeText(area.value);
    page.panels.tell(`${what} is copied.`);
  } catch {
    page.panels.tell("The browser does not let the page copy: the text is chosen, copy it with Ctrl+C.");
  }
}

/** Open what is dropped anywhere on the page. */
function watchDrops() {
  const veil = el("div", { id: "veil", hidden: true, "aria-hidden": "true" }, el("p", {}, "Let go to open the file"));
  document.body.append(veil);
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    veil.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) veil.hidden = true;
  });
  addEventListener("drop", (event) => {
    veil.hidden = true;
    if (!hasFiles(event)) return;
    event.preventDefault();
    const [file, ...more] = event.dataTransfer.files;
    if (more.length) page.panels.tell("One file at a time: the first of them is opened.");
    if (file) openFile(file);
  });
}
