/* Opening and saving: the same TOML as the command line, by the browser's own dialogs, by dropping a file on the page, as a text, or as a link.
   If a file cannot be read, a notice says why, and the table stays unchanged.

   A link is a whole table in one line, packed as `tabletop link` packs it, and a figure carries the link of its scenario (both as
   tabletop/scenario/embedded.py has it); they are made and read in the browser alone. A link stands in the fragment of an address, which no
   browser sends. */

import { button, capital, dialog, fileName, make, saveAs } from "./dom.js";
import { grouped, say } from "./language.js";
import { isBundled } from "./scenarios.js";

const MARK = "tt1."; // prefix of links
const OTHER = /^tt\d{1,4}\.[\w-]{60,}/i; // a link of any format
const MOST_BYTES = 2 ** 20; // size limit of a scenario's text, as on the command line
const MOST_FIGURE = 64 * 2 ** 20; // bytes
const STORY = ["title", "note", "source", "expect"]; // keys with texts about a table
const ACCEPTED = ".toml,.json,.svg,.png,.webp,.txt";
const DAMAGED = say`The link is damaged: copy the whole line, from tt1. to its end.`;
const SHORT = say`The link is cut short: copy the whole line, from tt1. to its end.`;
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const KEYWORD = "Scenario";
const ELEMENT = /<tabletop:Scenario\b[^<>]*>([^<]*)/;
const METADATA = /<(?:\w{1,20}:)?metadata\b([^<>]*)>([^<]*)/g;
let page;

/** Error for an unreadable link; its message is shown to the user. */
class LinkError extends Error {}

/** Set up the buttons of the menu, dropping and pasting, and the table in the address if there is one. */
export async function start(parts) {
  page = parts;
  const menu = document.getElementById("menu");
  const input = make("input", {
    type: "file",
    accept: ACCEPTED,
    hidden: true,
    id: "file",
    "aria-label": say`Open a file`,
    onchange: () => {
      const [file] = input.files;
      if (file) openFile(file);
      input.value = "";
    },
  });
  menu.append(
    button(say`New`, showNew, { id: "new", title: say`Begin with an empty table` }),
    button(say`Open`, () => input.click(), { id: "open", title: say`Open a scenario, or a figure that contains one` }),
    input,
    button(say`Save`, save, { id: "save", title: say`Save the table as a TOML file` }),
    button(say`Text`, showText, { id: "text", title: say`See the table as text` }),
    button(say`Link`, showLink, { id: "link", title: say`A link that holds the whole table` }),
  );
  watchDrops();
  addEventListener("hashchange", fromAddress);
  addEventListener("paste", pasted);
  await fromAddress();
}

/** Lay an empty table: of which game, and how large. */
async function showNew() {
  let systems;
  try {
    ({ systems } = await page.api.read("health"));
  } catch (error) {
    page.panels.tell(error.sentence ?? String(error), { kind: "warning" });
    return;
  }
  const sizes = make("select", { id: "new-board" });
  const ofGame = () => systems.find(({ name }) => name === game.value);
  const fill = () =>
    sizes.replaceChildren(
      ...ofGame().boards.map(({ width, depth, columns, rows }, place) =>
        make("option", { value: place }, columns === undefined ? say`${width} x ${depth} in` : say`a sheet of ${columns} x ${rows} hexes`),
      ),
    );
  const own = page.store.scenario?.system;
  const game = make("select", { id: "new-game", onchange: fill }, systems.map(({ name, title }) => make("option", { value: name, selected: name === own }, title)));
  fill();
  const lay = () => {
    page.store.replace({ system: game.value, board: ofGame().boards[sizes.selectedIndex] }, say`New table`);
    page.panels.show("add");
    sheet.close();
  };
  const sheet = dialog(
    say`New table`,
    make(
      "form",
      { class: "fields", onsubmit: (event) => event.preventDefault() },
      make("div", { class: "field" }, make("label", { for: "new-game" }, say`Game`), game),
      make("div", { class: "field" }, make("label", { for: "new-board" }, say`Board`), sizes),
      make("div", { class: "acts" }, button(say`Create`, lay, { class: "main", id: "new-lay" })),
    ),
    { name: "new-sheet", onclose: () => sheet.remove() },
  );
  sheet.showModal();
}

/** Open the link in the address and remove it from there, so that reloading the page shows the current table. */
async function fromAddress() {
  const { hash, pathname, search } = location;
  if (hash.length < 2) return;
  const link = linkIn(hash);
  if (!link) {
    const mark = markOf(hash.slice(1));
    if (mark !== null && mark !== MARK) await openLink(hash.slice(1), say`the link`); // throws with the supported format
    else if (/^#tt/i.test(hash)) refuse("", say`The link in the address is cut short: copy the whole line, from tt1. to its end.`);
    return;
  }
  history.replaceState(history.state, "", pathname + search);
  await openLink(link, say`the link`);
}

function pasted(event) {
  if (event.target.closest?.("input, textarea, dialog")) return;
  const text = event.clipboardData?.getData("text/plain") ?? "";
  const link = linkIn(text.includes("#") ? text.slice(text.indexOf("#")) : text);
  if (link) openLink(link, say`the pasted link`);
}

/** Open a link: decompress it here, and have the server read the result like a file. */
async function openLink(link, name) {
  try {
    await openText(JSON.stringify(await unpack(link)), name);
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    refuse("", error.message);
  }
}

/** Open a file: a scenario as TOML or JSON, a link, or a figure that contains one. */
async function openFile(file) {
  if (file.size > MOST_FIGURE) {
    refuse(file.name, say`it has ${megabytes(file.size)} MB; a scenario has at most 1 MB, a figure 64 MB.`);
    return;
  }
  let bytes;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    refuse(file.name, say`the browser cannot read it.`);
    return;
  }
  if (isFigure(bytes)) {
    const link = carriedLink(bytes);
    if (link === null || !isLink(link))
      refuse(file.name, say`this picture or page contains no scenario; figures made by tabletop as SVG, PNG or WebP do.`);
    else await openLink(link, file.name);
    return;
  }
  if (bytes.length > MOST_BYTES) {
    refuse(file.name, say`it has ${megabytes(bytes.length)} MB; a scenario has at most 1 MB.`);
    return;
  }
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    refuse(file.name, say`it is not UTF-8 text: expected a scenario as TOML or JSON, or a figure that contains one.`);
    return;
  }
  if (isLink(text)) await openLink(text, file.name);
  else await openText(text, file.name);
}

/** Open a text, read by the server as on the command line; return whether it was valid. */
async function openText(text, name) {
  try {
    const { scenario } = await page.ask("read", { text, name });
    page.store.replace(scenario, say`Open ${name}`, { isBundled: await isBundled(scenario) });
    page.panels.tell(say`${capital(name)} is open; undo brings the table before it back.`);
    return true;
  } catch (error) {
    if (error.sentence === undefined) throw error;
    if (error.status !== 0) refuse(error.faults.length ? "" : name, error.sentence); // faults of a file include its name
    return false;
  }
}

function refuse(name, sentence) {
  const told = `${name ? `${name}: ` : ""}${sentence.trimEnd()}`;
  const whole = /[.?!]$/.test(told) ? told : `${told}.`;
  page.panels.tell(say`${whole} The table stays as it is.`, { kind: "warning" });
}

function megabytes(bytes) {
  return grouped(bytes / 2 ** 20);
}

/** Save the table as TOML, as the command line reads it. */
async function save() {
  const told = await asToml();
  if (told === null) return;
  const name = fileName(page.store.scenario.title, "toml");
  saveAs(new Blob([told], { type: "application/toml" }), name);
  page.panels.tell(say`Saved as ${name} in the browser's download folder.`);
}

async function asToml() {
  try {
    return (await page.ask("write", { scenario: page.store.scenario })).toml;
  } catch (error) {
    if (error.sentence === undefined) throw error;
    page.panels.tell(say`The table cannot be saved until this is corrected: ${error.sentence}`, { kind: "warning" });
    return null;
  }
}

/** Open the dialog that displays the table as text to view, copy or edit. */
async function showText() {
  const told = await asToml();
  if (told === null) return;
  const fault = make("p", { class: "fault", role: "alert", hidden: true });
  const area = make("textarea", { id: "toml", class: "toml", spellcheck: false, value: told, rows: 24, "aria-label": say`The table as TOML` });
  const use = button(
    say`Use this text`,
    async () => {
      try {
        const { scenario } = await page.ask("read", { text: area.value, name: say`the text` });
        const before = (await page.ask("read", { text: told })).scenario;
        if (area.value !== told) page.store.change((draft) => retold(draft, scenario, before), say`Change the text`);
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
    say`The table as text`,
    [
      area,
      fault,
      make(
        "div",
        { class: "acts" },
        use,
        button(say`Copy`, () => copy(area, say`The text`)),
      ),
    ],
    { onclose: () => sheet.remove() },
  );
  sheet.showModal();
}

/** Return the scenario of an edited text; texts about the table stay if the edit did not touch them. */
function retold(draft, scenario, before) {
  const kept = STORY.filter((key) => JSON.stringify(scenario[key]) === JSON.stringify(before[key]));
  const rest = Object.entries(scenario).filter(([key]) => !kept.includes(key));
  return Object.fromEntries([...rest, ...kept.filter((key) => key in draft).map((key) => [key, draft[key]])]);
}

/** Open the dialog with the table's link, which is made here and not sent anywhere. */
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
    const area = make("textarea", { id, readOnly: true, rows: 3, value, spellcheck: false, onfocus: () => area.select() });
    return make(
      "div",
      { class: "field long" },
      make("label", { for: id }, words),
      area,
      make("p", { class: "hint" }, hint),
      button(say`Copy`, () => copy(area, words), { class: "small" }),
    );
  };
  const sheet = dialog(
    say`A link that holds the whole table`,
    [
      field(
        "link-address",
        say`For this page`,
        address,
        say`It opens while tabletop page runs at this address. The part after # stays in the browser: the table is not sent to anybody.`,
      ),
      field("link-line", say`For the command line`, line, say`Use it instead of a file, as in tabletop resolve tt1…`),
    ],
    { onclose: () => sheet.remove() },
  );
  sheet.showModal();
}

async function copy(area, what) {
  area.select();
  try {
    await navigator.clipboard.writeText(area.value);
    page.panels.tell(say`${what} is copied.`);
  } catch {
    page.panels.tell(say`The browser does not let the page copy: the text is selected, copy it with Ctrl+C.`);
  }
}

/** Open files dropped on the page. */
function watchDrops() {
  const veil = make("div", { id: "veil", hidden: true, "aria-hidden": "true" }, make("p", {}, say`Drop to open the file`));
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
    if (more.length) page.panels.tell(say`One file at a time: the first of them is opened.`);
    if (file) openFile(file);
  });
}

// --- links -------------------------------------------------------------------------------------------------------------------------------

/** Return whether a text is meant as a link, complete or not, of this or another format. */
function isLink(text) {
  const line = text.trim();
  return !line.replace(/=+$/, "").includes("=") && (line.startsWith(MARK) || OTHER.test(line));
}

/** Return the link in an address's fragment, null if there is none. */
function linkIn(fragment) {
  const line = decodeURIComponentSafely(fragment.replace(/^#/, "")).trim();
  return isLink(line) ? line : null;
}

function decodeURIComponentSafely(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Return the prefix of a line meant as a link, however short; null if it is none. */
function markOf(line) {
  return /^tt\d{1,4}\./i.exec(line)?.[0] ?? null;
}

/** Return the link of a scenario. */
async function pack(scenario) {
  const bytes = new TextEncoder().encode(JSON.stringify(scenario));
  if (bytes.length > MOST_BYTES) {
    throw new LinkError(say`The table has ${grouped(bytes.length)} bytes; a link holds at most ${grouped(MOST_BYTES)}.`);
  }
  const packed = await bytesOf(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate")));
  return MARK + lettersOf(packed);
}

async function bytesOf(stream) {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function lettersOf(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Return the address of this page with a table in its fragment, without the token. */
async function addressOf(scenario, place = globalThis.location) {
  return `${place.origin}${place.pathname}#${await pack(scenario)}`;
}

/** Return the scenario of a link; throws a LinkError if it is of another format, cut short or damaged. */
async function unpack(link) {
  const line = link.replace(/\s+/g, ""); // mails break long lines
  const packed = line.startsWith(MARK) ? line.slice(MARK.length) : line;
  const other = markOf(packed);
  if (other !== null) {
    const isOwn = other.toLowerCase() === MARK;
    throw new LinkError(
      isOwn
        ? say`The link begins with ${other}, but this page reads ${MARK}; capital letters matter: copy it unchanged.`
        : say`The link begins with ${other}, but this page reads only ${MARK} links.`,
    );
  }
  const text = await unpacked(bytesOfLetters(packed));
  try {
    return JSON.parse(text);
  } catch {
    throw new LinkError(DAMAGED);
  }
}

function bytesOfLetters(letters) {
  const text = letters.replace(/=+$/, "");
  if (!/^[\w-]*$/.test(text)) throw new LinkError(DAMAGED);
  if (text.length % 4 === 1) throw new LinkError(SHORT);
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

async function unpacked(bytes) {
  const stream = new DecompressionStream("deflate");
  const reader = stream.readable.getReader();
  const writer = stream.writable.getWriter();
  let isAllTaken = false;
  const feeding = writer.write(bytes).then(() => {
    isAllTaken = true;
    return writer.close();
  });
  feeding.catch(() => {}); // the reader reports it
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > MOST_BYTES) break;
      text += decoder.decode(part.value, { stream: true });
    }
    if (size <= MOST_BYTES) return text + decoder.decode();
  } catch {
    throw new LinkError(isAllTaken ? SHORT : DAMAGED);
  }
  reader.cancel().catch(() => {});
  throw new LinkError(say`The table in the link is larger than ${grouped(MOST_BYTES)} bytes, the limit.`);
}

// --- figures with a link -----------------------------------------------------------------------------------------------------------------

/** Return whether bytes begin like a picture or page, as no scenario does. */
function isFigure(bytes) {
  return isPng(bytes) || isWebp(bytes) || /^\ufeff?\s*</.test(latin(bytes.subarray(0, 200)).replace(/^\xef\xbb\xbf/, ""));
}

/** Return the link in a figure, or null. */
function carriedLink(bytes) {
  if (isPng(bytes)) return inPng(bytes);
  if (isWebp(bytes)) return inWebp(bytes);
  const text = latin(bytes);
  const found = [...text.matchAll(METADATA)].find(([, attributes]) => /\bid=["']figure\.scenario["']/.test(attributes));
  return found ? found[2].trim() : null;
}

function isPng(bytes) {
  return PNG.every((byte, index) => bytes[index] === byte);
}

function isWebp(bytes) {
  return latin(bytes.subarray(0, 4)) === "RIFF" && latin(bytes.subarray(8, 12)) === "WEBP";
}

function inPng(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = PNG.length; start + 12 <= bytes.length;) {
    const end = start + 8 + view.getUint32(start);
    const kind = latin(bytes.subarray(start + 4, start + 8));
    const held = latin(bytes.subarray(start + 8, Math.min(end, bytes.length)));
    if (kind === "tEXt" && held.startsWith(`${KEYWORD}\0`)) return held.slice(KEYWORD.length + 1).trim();
    if (kind === "iTXt" && held.startsWith(`${KEYWORD}\0\0`))
      return held
        .slice(KEYWORD.length + 3)
        .split("\0")
        .slice(2)
        .join("\0")
        .trim();
    start = end + 4;
  }
  return null;
}

function inWebp(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 12; start + 8 <= bytes.length;) {
    const size = view.getUint32(start + 4, true);
    if (latin(bytes.subarray(start, start + 4)) === "XMP ") {
      return ELEMENT.exec(latin(bytes.subarray(start + 8, start + 8 + size)))?.[1].trim() ?? null;
    }
    start += 8 + size + (size % 2);
  }
  return null;
}

function latin(bytes) {
  return new TextDecoder("latin1").decode(bytes);
}
