// A photo behind the table: four points of it whose places are known set it straight (a homography), and how well they could be clicked is
// how well everything laid over it is known. The photo is read, set straight and shown in the browser alone.

import { button, dialog, el } from "./elements.js";
import { before, homography, isConvex, straightened, uncertainty } from "./homography.js";
import { makeMarker } from "./marker.js";
import { boardSize } from "./spots.js";

const MOST_PIXELS = 100e6;
const MOST_SIDE = 4000;
const MOST_BYTES = 200 * 2 ** 20;
const MOST_ACCURACY = 2;
const MADE_SIDE = 2000; // pixels of the longer side of what is set straight
const READING = 0.5; // pixels by which the edge of a base can be read off
const SPACE = "http://www.w3.org/2000/svg";

let page;
let photo = null;
let address = null;

/** Begin: the controls in the panel of layers. */
export function start(parts) {
  page = parts;
  page.store.on("scenario", follow);
  const input = el("input", {
    type: "file",
    accept: "image/*",
    hidden: true,
    id: "photo-file",
    "aria-label": "Choose a photo",
    onchange: () => {
      const [file] = input.files;
      if (file) open(file);
      input.value = "";
    },
  });
  document.getElementById("layers").append(
    el(
      "form",
      { id: "photo", onsubmit: (event) => event.preventDefault() },
      el("h3", {}, "Photo behind the table"),
      el(
        "p",
        { class: "hint" },
        "Photograph the whole table, click four corners whose sizes are known, and lay bases and terrain over it. The photo stays in the browser.",
      ),
      el(
        "div",
        { class: "acts" },
        button("Choose a photo", () => input.click(), { id: "photo-choose" }),
        input,
        button("Corners", () => place(), { id: "photo-corners", hidden: true }),
        button("Take away", clear, { id: "photo-clear", hidden: true }),
      ),
      el("p", { id: "photo-told", role: "status", hidden: true }),
      el("p", { id: "photo-fault", class: "fault", role: "alert", hidden: true }),
      el(
        "div",
        { id: "photo-shown", class: "field", hidden: true },
        el("label", { for: "photo-opacity" }, "Opacity"),
        el("input", { id: "photo-opacity", type: "range", min: 10, max: 100, step: 5, value: 85, oninput: fade }),
      ),
    ),
  );
}

const byId = (id) => document.getElementById(id);

function say(id, words) {
  byId(id).textContent = words;
  byId(id).hidden = !words;
}

/** Read a photo; a large one is scaled down, and one that cannot be held is refused. */
async function open(file) {
  say("photo-fault", "");
  if (file.size > MOST_BYTES) {
    say("photo-fault", `${file.name} has ${Math.round(file.size / 2 ** 20)} MB; a photo has at most ${MOST_BYTES / 2 ** 20} MB here.`);
    return;
  }
  const source = URL.createObjectURL(file);
  try {
    const image = await loaded(source);
    const [width, height] = [image.naturalWidth, image.naturalHeight];
    if (width * height > MOST_PIXELS) {
      say(
        "photo-fault",
        `${file.name} has ${megapixels(width, height)} megapixels; at most ${MOST_PIXELS / 1e6} are read: save it smaller.`,
      );
      return;
    }
    if (Math.min(width, height) < 50) {
      say("photo-fault", `${file.name} has ${width} x ${height} pixels: too few to see a table.`);
      return;
    }
    const scale = Math.min(1, MOST_SIDE / Math.max(width, height));
    const canvas = el("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("no canvas of that size");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const scaled =
      scale < 1
        ? `${file.name} has ${megapixels(width, height)} megapixels and was scaled down to ${canvas.width} x ${canvas.height} pixels.`
        : "";
    photo = { name: file.name, canvas, context, scaled, marks: null };
    place();
  } catch {
    say("photo-fault", `${file.name} is no picture that this browser can read: save the photo as JPEG, PNG or WebP.`);
  } finally {
    URL.revokeObjectURL(source);
  }
}

function loaded(source) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = reject;
    image.src = source;
  });
}

function megapixels(width, height) {
  return ((width * height) / 1e6).toLocaleString("en", { maximumFractionDigits: 1 });
}

/** Ask for the four corners and what they are corners of. */
function place() {
  const [boardWidth, boardDepth] = boardSize(page.store.scenario.board).map((value) => Math.round(value * 1000) / 1000);
  const marker = makeMarker(photo.canvas, photo.marks, refresh);
  const number = (id, words, value) =>
    el(
      "div",
      { class: "field number" },
      el("label", { for: id }, words),
      el(
        "span",
        { class: "put" },
        el("input", { id, type: "text", inputMode: "decimal", value: String(value), oninput: refresh }),
        el("span", { class: "unit" }, "in"),
      ),
    );
  const old = photo.size;
  const what = el(
    "select",
    { id: "corners-of", onchange: refresh },
    el("option", { value: "board" }, `the board, ${boardWidth} x ${boardDepth} in`),
    el("option", { value: "mat", selected: Boolean(old) }, "a mat or box of another size"),
  );
  const mat = el(
    "div",
    { id: "mat", class: "grid" },
    number("mat-width", "Its width", old?.width ?? boardWidth),
    number("mat-depth", "Its depth", old?.depth ?? boardDepth),
    number("mat-x", "Its lower left corner, x", old?.x ?? 0),
    number("mat-y", "and y", old?.y ?? 0),
  );
  const told = el("p", { id: "corners-told", role: "status" });
  const keep = el("input", { type: "checkbox", id: "keep-accuracy", checked: true });
  const done = button("Set straight", () => straighten(sheet, marker, keep.checked), { class: "main", id: "photo-straighten" });
  const sheet = dialog(
    "Four corners of the photo",
    [
      photo.scaled && el("p", { class: "hint" }, photo.scaled),
      el(
        "p",
        { class: "hint" },
        "Click the corners in this order: lower left, lower right, upper right, upper left, as the board lies on the page; drag a number to put it right. Arrow keys move it by a pixel, with shift by ten; the wheel or + and \u2212 make the photo larger, which makes corners more exact.",
      ),
      marker.root,
      el("div", { class: "grid" }, el("div", { class: "field choice" }, el("label", { for: "corners-of" }, "Corners of"), what), mat),
      told,
      el(
        "label",
        { class: "tick", for: "keep-accuracy" },
        keep,
        "Write this accuracy into the file: verdicts then say whether the measurement could turn them",
      ),
      el("div", { class: "acts" }, done),
    ],
    {
      name: "corners",
      onclose: () => {
        marker.end();
        sheet.remove();
      },
    },
  );
  sheet.showModal();
  marker.fit();
  refresh();

  function refresh() {
    mat.hidden = what.value === "board";
    const plan = planOf(marker);
    done.disabled = Boolean(plan.fault);
    told.classList.toggle("fault", Boolean(plan.fault));
    told.textContent =
      plan.fault ??
      `What is laid over the photo is right to ${plan.accuracy} in, if each corner is right to ${Math.max(...marker.errors()).toFixed(1)} pixels and the photo was taken without a curved lens.`;
  }
}

/** Return how the photo lies on the table and how well that is known, or what is wrong. */
function planOf(marker) {
  const [boardWidth, boardDepth] = boardSize(page.store.scenario.board);
  const isBoard = byId("corners-of")?.value !== "mat";
  const [width, depth, x, y] = isBoard
    ? [boardWidth, boardDepth, 0, 0]
    : ["mat-width", "mat-depth", "mat-x", "mat-y"].map((id) => (byId(id).value.trim() === "" ? NaN : Number(byId(id).value)));
  if (![width, depth, x, y].every(Number.isFinite) || width <= 0 || depth <= 0)
    return { fault: "Type the size of what the corners belong to, in inches: numbers above 0." };
  const to = [
    [x, y],
    [x + width, y],
    [x + width, y + depth],
    [x, y + depth],
  ];
  const from = marker.points();
  if (!isConvex(from))
    return { fault: "The four corners do not go round a table: 1 lower left, 2 lower right, 3 upper right, 4 upper left." };
  if (!homography(from, to)) return { fault: "Three of the four corners lie on a line: put each at its own corner." };
  const places = [
    ...to,
    [x + width / 2, y + depth / 2],
    ...to.map(([px, py], index) => [(px + to[(index + 1) % 4][0]) / 2, (py + to[(index + 1) % 4][1]) / 2]),
  ];
  const accuracy = Math.ceil(uncertainty(from, to, marker.errors(), READING, places) * 100) / 100;
  if (!(accuracy <= MOST_ACCURACY))
    return {
      fault: `With these corners a place would be known to ${accuracy.toFixed(1)} in only; at most ${MOST_ACCURACY} in can be used. Take the photo from nearer above, or place the corners more exactly.`,
    };
  return { from, to, accuracy, size: isBoard ? null : { width, depth, x, y } };
}

async function straighten(sheet, marker, isKept) {
  const plan = planOf(marker);
  if (plan.fault) return;
  const [width, depth] = boardSize(page.store.scenario.board);
  const scale = MADE_SIDE / Math.max(width, depth);
  const [columns, rows] = [Math.round(width * scale), Math.round(depth * scale)];
  const tableToPhoto = homography(plan.to, plan.from);
  const [a, b, c, d, e, f, g, h, i] = before(tableToPhoto, [(plan.to[0][0] + plan.to[2][0]) / 2, (plan.to[0][1] + plan.to[2][1]) / 2]);
  const [sx, sy] = [width / columns, depth / rows]; // pixels count from the top, inches from the bottom
  const pixelToPhoto = [a * sx, -b * sy, b * depth + c, d * sx, -e * sy, e * depth + f, g * sx, -h * sy, h * depth + i];
  const pixels = photo.context.getImageData(0, 0, photo.canvas.width, photo.canvas.height);
  const made = el("canvas", { width: columns, height: rows });
  made.getContext("2d").putImageData(new ImageData(straightened(pixels, pixelToPhoto, columns, rows), columns, rows), 0, 0);
  const blob = await new Promise((resolve) => {
    made.toBlob(resolve, "image/webp", 0.9);
  });
  photo.marks = plan.from;
  photo.board = boardOf(page.store.scenario);
  photo.size = plan.size;
  show(blob, width, depth);
  if (isKept)
    page.store.change((draft) => {
      draft.accuracy = plan.accuracy;
    }, `Accuracy of the photo, ${plan.accuracy} in`);
  photo.told = `${photo.name} lies behind the table, right to ${plan.accuracy} in${isKept ? "; the file says so" : ""}.`;
  say("photo-told", photo.told);
  sheet.close();
}

/** Lay the photo that is set straight under the table, in inches. */
function show(blob, width, depth) {
  if (address) URL.revokeObjectURL(address);
  address = URL.createObjectURL(blob);
  const image = document.createElementNS(SPACE, "image");
  for (const [key, value] of Object.entries({
    href: address,
    x: 0,
    y: -depth,
    width,
    height: depth,
    preserveAspectRatio: "none",
    transform: "scale(1 -1)",
  }))
    image.setAttribute(key, value);
  byId("layer-photo").replaceChildren(image);
  page.table.svg.classList.add("has-photo");
  for (const id of ["photo-shown", "photo-corners", "photo-clear"]) byId(id).hidden = false;
  fade();
  page.store.tell("layers", { ...page.store.layers, photo: "shown" });
}

const boardOf = ({ system, board }) => JSON.stringify([system, board]);

/** Show the photo behind the board that it was set straight for, and no other. */
function follow(scenario) {
  if (!photo?.board) return;
  const isOwn = photo.board === boardOf(scenario);
  if (isOwn === page.table.svg.classList.contains("has-photo")) return;
  page.table.svg.classList.toggle("has-photo", isOwn);
  say("photo-told", isOwn ? photo.told : `${photo.name} was set straight for another board: lay it behind this one with Corners, or take it away.`);
  page.store.tell("layers", { ...page.store.layers, photo: isOwn ? "shown" : null });
}

function fade() {
  byId("layer-photo").style.opacity = String(Number(byId("photo-opacity").value) / 100);
}

function clear() {
  if (address) URL.revokeObjectURL(address);
  [address, photo] = [null, null];
  byId("layer-photo").replaceChildren();
  page.table.svg.classList.remove("has-photo");
  if (document.activeElement === byId("photo-clear")) byId("photo-choose").focus();
  for (const id of ["photo-shown", "photo-corners", "photo-clear", "photo-told"]) byId(id).hidden = true;
  page.store.tell("layers", { ...page.store.layers, photo: null });
}
