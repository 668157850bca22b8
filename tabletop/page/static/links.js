// Links: a whole table in one line, packed as `tabletop link` packs it (tabletop/scenario/embedded.py), made and read in the browser alone.
// It stands in the fragment of an address, which no browser sends.

/** How a link begins: the first format of links. */
export const MARK = "tt1.";

/** Bytes of a scenario's text; beyond these it is refused, as on the command line. */
export const MOST_BYTES = 2 ** 20;

const OTHER = /^tt\d{1,4}\.[\w-]{60,}/i;
const DAMAGED = "The link is damaged: copy the whole line, from tt1. to its end.";
const SHORT = "The link is cut short: copy the whole line, from tt1. to its end.";

/** A link that cannot be read; its message is a sentence for the reader. */
export class LinkError extends Error {}

/** Whether a text is meant as a link, whole or not, of this format or another. */
export function isLink(text) {
  const line = text.trim();
  return !line.replace(/=+$/, "").includes("=") && (line.startsWith(MARK) || OTHER.test(line));
}

/** Return the link of a scenario. */
export async function pack(scenario) {
  const bytes = new TextEncoder().encode(JSON.stringify(scenario));
  if (bytes.length > MOST_BYTES) {
    throw new LinkError(
      `The table has ${bytes.length.toLocaleString("en")} bytes; a link holds at most ${MOST_BYTES.toLocaleString("en")}.`,
    );
  }
  const packed = await bytesOf(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate")));
  return MARK + lettersOf(packed);
}

/** Return the scenario of a link; throws a LinkError if it is of another format, cut short or damaged. */
export async function unpack(link) {
  const line = link.replace(/\s+/g, ""); // mails break long lines
  const packed = line.startsWith(MARK) ? line.slice(MARK.length) : line;
  const other = markOf(packed);
  if (other !== null) {
    const hint = other.toLowerCase() === MARK ? "; large and small letters count: copy it as it was." : " links alone.";
    throw new LinkError(`The link begins with ${other} and this page reads ${MARK}${hint}`);
  }
  const text = await unpacked(bytesOfLetters(packed));
  try {
    return JSON.parse(text);
  } catch {
    throw new LinkError(DAMAGED);
  }
}

/** Return the address of this page with a table in its fragment; a token of the address stays out of it. */
export async function addressOf(scenario, place = globalThis.location) {
  return `${place.origin}${place.pathname}#${await pack(scenario)}`;
}

/** Return the link in an address's fragment, null if there is none. */
export function linkIn(fragment) {
  const line = decodeURIComponentSafely(fragment.replace(/^#/, "")).trim();
  return isLink(line) ? line : null;
}

/** Return how a line begins that is meant as a link, of whatever format and however short; null if it is not. */
export function markOf(line) {
  return /^tt\d{1,4}\./i.exec(line)?.[0] ?? null;
}

function decodeURIComponentSafely(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
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
  feeding.catch(() => {}); // told by the reader
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
  throw new LinkError(`The table in the link is larger than ${MOST_BYTES.toLocaleString("en")} bytes, the most that is read.`);
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

function bytesOfLetters(letters) {
  const text = letters.replace(/=+$/, "");
  if (!/^[\w-]*$/.test(text)) throw new LinkError(DAMAGED);
  if (text.length % 4 === 1) throw new LinkError(SHORT);
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
