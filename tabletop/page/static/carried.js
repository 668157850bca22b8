// The scenario that a figure carries (tabletop/scenario/embedded.py): its link, found in the bytes of an SVG, PNG or WebP. Pure.

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const KEYWORD = "Scenario";
const ELEMENT = /<tabletop:Scenario\b[^<>]*>([^<]*)/;
const METADATA = /<(?:\w{1,20}:)?metadata\b([^<>]*)>([^<]*)/g;

/** Whether bytes are those of a picture or page, as no scenario begins. */
export function isFigure(bytes) {
  return isPng(bytes) || isWebp(bytes) || /^\ufeff?\s*</.test(latin(bytes.subarray(0, 200)).replace(/^\xef\xbb\xbf/, ""));
}

/** Return the link that a figure carries, null if there is none. */
export function carriedLink(bytes) {
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
