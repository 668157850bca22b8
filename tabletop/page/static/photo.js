/* A photo behind the table: a homography from four known points rectifies it, and the precision of the clicks gives the accuracy of everything
   placed over it. The photo never leaves the browser. */

import { button, dialog, make } from "./dom.js";
import { boardSize } from "./edit.js";
import { before, homography, isConvex, straightened, uncertainty } from "./homography.js";
import { digits, grouped, say } from "./language.js";
import { element } from "./painter.js";

const MOST_PIXELS = 100e6;
const MOST_SIDE = 4000;
const MOST_BYTES = 200 * 2 ** 20;
const MOST_ACCURACY = 2;
const MADE_SIDE = 2000; // pixels of the longer side of the rectified photo
const READING = 0.5; // accuracy in pixels with which the edge of a base can be read
const CORNER_WORDS = [say`1: lower left corner`, say`2: lower right corner`, say`3: upper right corner`, say`4: upper left corner`];
const INSET = 0.15; // initial inset of the corners, relative to the photo
const LARGEST = 8; // pixels of the screen for a pixel of the photo
let page;
let photo = null; // the photo behind the table: {name, canvas, context, scaled, marks, board, size, told, wrote}
let address = null; // object URL of the rectified photo

/** Set up the controls in the panel of layers. */
export function start(parts) {
  page = parts;
  page.store.on("scenario", follow);
  const input = make("input", {
    type: "file",
    accept: "image/*",
    hidden: true,
    id: "photo-file",
    "aria-label": say`Choose a photo`,
    onchange: () => {
      const [file] = input.files;
      if (file) open(file);
      input.value = "";
    },
  });
  document.getElementById("layers").append(
    make(
      "form",
      { id: "photo", onsubmit: (event) => event.preventDefault() },
      make("h3", {}, say`Photo behind the table`),
      make(
        "p",
        { class: "hint" },
        say`Photograph the whole table, click four corners whose sizes are known, and lay bases and terrain over it. The photo stays in the browser.`,
      ),
      make(
        "div",
        { class: "acts" },
        button(say`Choose a photo`, () => input.click(), { id: "photo-choose" }),
        input,
        button(say`Corners`, () => place(photo), { id: "photo-corners", hidden: true }),
        button(say`Remove layer`, clear, { id: "photo-clear", hidden: true }),
      ),
      make("p", { id: "photo-told", role: "status", hidden: true }),
      make("p", { id: "photo-fault", class: "fault", role: "alert", hidden: true }),
      make(
        "div",
        { id: "photo-shown", class: "field", hidden: true },
        make("label", { for: "photo-opacity" }, say`Opacity`),
        make("input", { id: "photo-opacity", type: "range", min: 10, max: 100, step: 5, value: 85, oninput: fade }),
      ),
    ),
  );
}

/** Read a photo; large ones are scaled down, too large ones rejected. */
async function open(file) {
  tell("photo-fault", "");
  if (file.size > MOST_BYTES) {
    tell("photo-fault", say`${file.name} has ${Math.round(file.size / 2 ** 20)} MB; a photo has at most ${MOST_BYTES / 2 ** 20} MB here.`);
    return;
  }
  const source = URL.createObjectURL(file);
  try {
    const image = await loaded(source);
    const [width, height] = [image.naturalWidth, image.naturalHeight];
    if (width * height > MOST_PIXELS) {
      tell(
        "photo-fault",
        say`${file.name} has ${megapixels(width, height)} megapixels; at most ${MOST_PIXELS / 1e6} are read: save it smaller.`,
      );
      return;
    }
    if (Math.min(width, height) < 50) {
      tell("photo-fault", say`${file.name} has ${width} x ${height} pixels: too few to see a table.`);
      return;
    }
    const scale = Math.min(1, MOST_SIDE / Math.max(width, height));
    const canvas = make("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("no canvas of that size");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const scaled =
      scale < 1
        ? say`${file.name} has ${megapixels(width, height)} megapixels and was scaled down to ${canvas.width} x ${canvas.height} pixels.`
        : "";
    place({ name: file.name, canvas, context, scaled, marks: null });
  } catch {
    tell("photo-fault", say`${file.name} is no picture that this browser can read: save the photo as JPEG, PNG or WebP.`);
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
  return grouped((width * height) / 1e6);
}

/** Open the dialog for the four corners of a photo and the size of their rectangle. */
function place(shot) {
  const [boardWidth, boardDepth] = boardSize(page.store.scenario.board).map((value) => Math.round(value * 1000) / 1000);
  const marker = makeMarker(shot.canvas, shot.marks, refresh);
  const number = (id, words, value) =>
    make(
      "div",
      { class: "field number" },
      make("label", { for: id }, words),
      make(
        "span",
        { class: "put" },
        make("input", { id, type: "text", inputMode: "decimal", value: String(value), oninput: refresh }),
        make("span", { class: "unit" }, say`in`),
      ),
    );
  const old = shot.size;
  const what = make(
    "select",
    { id: "corners-of", onchange: refresh },
    make("option", { value: "board" }, say`the board, ${boardWidth} x ${boardDepth} in`),
    make("option", { value: "mat", selected: Boolean(old) }, say`a mat or box of another size`),
  );
  const mat = make(
    "div",
    { id: "mat", class: "grid" },
    number("mat-width", say`Its width`, old?.width ?? boardWidth),
    number("mat-depth", say`Its depth`, old?.depth ?? boardDepth),
    number("mat-x", say`Its lower left corner, x`, old?.x ?? 0),
    number("mat-y", say`and y`, old?.y ?? 0),
  );
  const told = make("p", { id: "corners-told", role: "status" });
  const keep = make("input", { type: "checkbox", id: "keep-accuracy", checked: true });
  const done = button(say`Set straight`, () => straighten(shot, sheet, marker, keep.checked), { class: "main", id: "photo-straighten" });
  const sheet = dialog(
    say`Four corners of the photo`,
    [
      shot.scaled && make("p", { class: "hint" }, shot.scaled),
      make(
        "p",
        { class: "hint" },
        say`Click the corners in this order: lower left, lower right, upper right, upper left, as the board lies on the page; drag a number to put it right. Arrow keys move it by a pixel, with shift by ten; the wheel or + and − make the photo larger, which makes corners more exact.`,
      ),
      marker.root,
      make("div", { class: "grid" }, make("div", { class: "field choice" }, make("label", { for: "corners-of" }, say`Corners of`), what), mat),
      told,
      make(
        "label",
        { class: "tick", for: "keep-accuracy" },
        keep,
        say`Write this accuracy into the file: verdicts then say whether the measurement could turn them`,
      ),
      make("div", { class: "acts" }, done),
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
    const count = marker.placed();
    const plan = count === 4 ? planOf(marker) : {};
    done.disabled = !plan.from;
    told.classList.toggle("fault", Boolean(plan.fault));
    const error = digits(Math.max(...marker.errors()).toFixed(1));
    told.textContent =
      count < 4
        ? say`${count} of 4 corners are placed.`
        : (plan.fault ??
          say`Objects placed over the photo are accurate to ${plan.accuracy} in if each corner is accurate to ${error} pixels and the lens does not distort.`);
  }
}

/** Return the photo's homography and accuracy, or an error. */
function planOf(marker) {
  const [boardWidth, boardDepth] = boardSize(page.store.scenario.board);
  const isBoard = byId("corners-of")?.value !== "mat";
  const [width, depth, x, y] = isBoard
    ? [boardWidth, boardDepth, 0, 0]
    : ["mat-width", "mat-depth", "mat-x", "mat-y"].map((id) => (byId(id).value.trim() === "" ? NaN : Number(byId(id).value)));
  if (![width, depth, x, y].every(Number.isFinite) || width <= 0 || depth <= 0)
    return { fault: say`Type the size of what the corners belong to, in inches: numbers above 0.` };
  const to = [
    [x, y],
    [x + width, y],
    [x + width, y + depth],
    [x, y + depth],
  ];
  const from = marker.points();
  if (!isConvex(from))
    return { fault: say`The four corners do not go round a table: 1 lower left, 2 lower right, 3 upper right, 4 upper left.` };
  if (!homography(from, to)) return { fault: say`Three of the four corners lie on a line: put each at its own corner.` };
  const places = [
    ...to,
    [x + width / 2, y + depth / 2],
    ...to.map(([px, py], index) => [(px + to[(index + 1) % 4][0]) / 2, (py + to[(index + 1) % 4][1]) / 2]),
  ];
  const accuracy = Math.ceil(uncertainty(from, to, marker.errors(), READING, places) * 100) / 100;
  if (!(accuracy <= MOST_ACCURACY))
    return {
      fault: say`With these corners a place would be known to ${digits(accuracy.toFixed(1))} in only; at most ${MOST_ACCURACY} in can be used. Take the photo from nearer above, or place the corners more exactly.`,
    };
  return { from, to, accuracy, size: isBoard ? null : { width, depth, x, y } };
}

async function straighten(shot, sheet, marker, isKept) {
  const plan = planOf(marker);
  if (plan.fault) return;
  const [width, depth] = boardSize(page.store.scenario.board);
  const scale = MADE_SIDE / Math.max(width, depth);
  const [columns, rows] = [Math.round(width * scale), Math.round(depth * scale)];
  const tableToPhoto = homography(plan.to, plan.from);
  const [a, b, c, d, e, f, g, h, i] = before(tableToPhoto, [(plan.to[0][0] + plan.to[2][0]) / 2, (plan.to[0][1] + plan.to[2][1]) / 2]);
  const [sx, sy] = [width / columns, depth / rows]; // pixels count from the top, inches from the bottom
  const pixelToPhoto = [a * sx, -b * sy, b * depth + c, d * sx, -e * sy, e * depth + f, g * sx, -h * sy, h * depth + i];
  const pixels = shot.context.getImageData(0, 0, shot.canvas.width, shot.canvas.height);
  const made = make("canvas", { width: columns, height: rows });
  made.getContext("2d").putImageData(new ImageData(straightened(pixels, pixelToPhoto, columns, rows), columns, rows), 0, 0);
  const blob = await new Promise((resolve) => {
    made.toBlob(resolve, "image/webp", 0.9);
  });
  unwrite();
  const { name } = shot;
  const { accuracy } = plan;
  const wrote = isKept ? { accuracy, earlier: page.store.scenario.accuracy } : null;
  photo = { ...shot, marks: plan.from, board: boardOf(page.store.scenario), size: plan.size, wrote };
  layUnder(blob, width, depth);
  if (isKept)
    page.store.change((draft) => {
      draft.accuracy = accuracy;
    }, say`Accuracy of the photo, ${accuracy} in`);
  photo.told = isKept
    ? say`${name} lies behind the table, accurate to ${accuracy} in; the file says so.`
    : say`${name} lies behind the table, accurate to ${accuracy} in.`;
  tell("photo-told", photo.told);
  sheet.close();
}

/** Place the rectified photo under the table, in inches. */
function layUnder(blob, width, depth) {
  if (address) URL.revokeObjectURL(address);
  address = URL.createObjectURL(blob);
  const image = element("image", { href: address, x: 0, y: -depth, width, height: depth, preserveAspectRatio: "none", transform: "scale(1 -1)" });
  byId("layer-photo").replaceChildren(image);
  page.table.svg.classList.add("has-photo");
  for (const id of ["photo-shown", "photo-corners", "photo-clear"]) byId(id).hidden = false;
  fade();
  page.store.tell("layers", { ...page.store.layers, photo: "shown" });
}

/** Give the table the accuracy back that it had before the photo wrote its own. */
function unwrite() {
  const { scenario } = page.store;
  if (!photo?.wrote || photo.board !== boardOf(scenario) || scenario.accuracy !== photo.wrote.accuracy) return;
  const { earlier } = photo.wrote;
  page.store.change((draft) => {
    if (earlier === undefined) delete draft.accuracy;
    else draft.accuracy = earlier;
  }, say`Accuracy without the photo`);
}

const boardOf = ({ system, board }) => JSON.stringify([system, board]);

/** Display the photo only behind the board for which it was rectified. */
function follow(scenario) {
  if (!photo) return;
  const isOwn = photo.board === boardOf(scenario);
  if (isOwn === page.table.svg.classList.contains("has-photo")) return;
  page.table.svg.classList.toggle("has-photo", isOwn);
  tell("photo-told", isOwn ? photo.told : say`${photo.name} was set straight for another board: fit it to this one with Corners, or remove it.`);
  page.store.tell("layers", { ...page.store.layers, photo: isOwn ? "shown" : null });
}

function fade() {
  byId("layer-photo").style.opacity = String(Number(byId("photo-opacity").value) / 100);
}

function clear() {
  unwrite();
  if (address) URL.revokeObjectURL(address);
  [address, photo] = [null, null];
  byId("layer-photo").replaceChildren();
  page.table.svg.classList.remove("has-photo");
  if (document.activeElement === byId("photo-clear")) byId("photo-choose").focus();
  for (const id of ["photo-shown", "photo-corners", "photo-clear", "photo-told"]) byId(id).hidden = true;
  page.store.tell("layers", { ...page.store.layers, photo: null });
}

function tell(id, words) {
  byId(id).textContent = words;
  byId(id).hidden = !words;
}

const byId = (id) => document.getElementById(id);

// --- four numbered handles on the photo, moved by pointer or keys; the photo can be made larger ------------------------------------------

/**
 * Return the picture with its handles: `root` to show, `points()` in pixels of the photo from its upper left corner, `errors()` in the same,
 * `placed()` how many were put somewhere, `fit()` once it is shown, `end()`. `changed` is called after every move.
 */
function makeMarker(photo, old, changed) {
  const { width, height } = photo;
  const start = [
    [INSET, 1 - INSET],
    [1 - INSET, 1 - INSET],
    [1 - INSET, INSET],
    [INSET, INSET],
  ].map(([x, y]) => [x * width, y * height]);
  const points = (old ?? start).map((point) => [...point]);
  const errors = points.map(() => 1);
  let scale = 1;
  let chosen = 0;
  const waiting = new Set(old ? [] : points.keys()); // the handles not placed yet: a click places the first
  let hasMoved = false;

  const copy = make("canvas", { width, height, class: "photo", "aria-hidden": "true" });
  copy.getContext("2d").drawImage(photo, 0, 0);
  const sheet = make("div", { class: "photo-sheet" }, copy);
  const view = make("div", { class: "photo-view" }, sheet);
  const handles = points.map((_, index) => {
    const handle = make("button", { type: "button", class: "corner", "aria-label": CORNER_WORDS[index], title: CORNER_WORDS[index] }, String(index + 1));
    handle.addEventListener("pointerdown", (event) => grab(event, index));
    handle.addEventListener("keydown", (event) => nudge(event, index));
    handle.addEventListener("focus", () => choose(index));
    sheet.append(handle);
    return handle;
  });
  const outline = element("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  const ring = element("polygon", {}, outline);
  copy.after(outline);
  const zooms = make(
    "div",
    { class: "acts" },
    button("\u2212", () => zoom(1 / 1.5), { "aria-label": say`Smaller`, class: "small" }),
    button("+", () => zoom(1.5), { "aria-label": say`Larger`, class: "small" }),
    button(say`Whole photo`, fit, { class: "small" }),
  );
  view.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event);
    },
    { passive: false },
  );
  sheet.addEventListener("click", (event) => {
    const isHandle = event.target.closest(".corner") !== null;
    const wasDragged = hasMoved;
    hasMoved = false;
    if (wasDragged || (isHandle && (waiting.size === 0 || event.detail === 0))) return; // or pressed by a key
    const [index = chosen] = waiting;
    move(index, pointAt(event));
    const [next = index] = waiting;
    choose(next);
  });

  /** Return the pixel of the photo under a pointer. */
  function pointAt({ clientX, clientY }) {
    const box = sheet.getBoundingClientRect();
    return [(clientX - box.left) / scale, (clientY - box.top) / scale];
  }

  function choose(index) {
    chosen = index;
    handles.forEach((handle, other) => handle.classList.toggle("chosen", other === index));
  }

  function move(index, [x, y], isExact = false) {
    points[index] = [Math.max(0, Math.min(width, x)), Math.max(0, Math.min(height, y))];
    waiting.delete(index);
    errors[index] = isExact ? 1 : Math.max(1, 1 / scale); // a pixel of the screen, and no less than one of the photo
    show();
    changed();
  }

  function grab(event, index) {
    if (event.button !== 0) return;
    event.preventDefault();
    hasMoved = false;
    handles[index].focus();
    handles[index].setPointerCapture(event.pointerId);
    const at = pointAt(event);
    const shift = [points[index][0] - at[0], points[index][1] - at[1]];
    const follow = (now) => {
      const [x, y] = pointAt(now);
      if (!hasMoved && Math.hypot(x - at[0], y - at[1]) * scale < 3) return;
      hasMoved = true;
      move(index, [x + shift[0], y + shift[1]]);
    };
    const drop = () => {
      handles[index].removeEventListener("pointermove", follow);
      handles[index].removeEventListener("pointerup", drop);
      handles[index].removeEventListener("pointercancel", drop);
    };
    handles[index].addEventListener("pointermove", follow);
    handles[index].addEventListener("pointerup", drop);
    handles[index].addEventListener("pointercancel", drop);
  }

  function nudge(event, index) {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (by) {
      event.preventDefault();
      const far = event.shiftKey ? 10 : 1;
      move(index, [points[index][0] + far * by[0], points[index][1] + far * by[1]], true);
    } else if (event.key === "+" || event.key === "=") zoom(1.5);
    else if (event.key === "-") zoom(1 / 1.5);
  }

  function zoom(factor, pointer) {
    const at = pointer ? pointAt(pointer) : points[chosen];
    const box = view.getBoundingClientRect();
    const seen = pointer ? [pointer.clientX - box.left, pointer.clientY - box.top] : [box.width / 2, box.height / 2];
    scale = Math.max(Math.min(view.clientWidth / width, view.clientHeight / height, 1), Math.min(LARGEST, scale * factor));
    show();
    view.scrollLeft = at[0] * scale - seen[0];
    view.scrollTop = at[1] * scale - seen[1];
  }

  function fit() {
    scale = Math.min(view.clientWidth / width, view.clientHeight / height) || 1;
    points.forEach((_, index) => {
      if (!old) errors[index] = Math.max(1, 1 / scale);
    });
    show();
    changed();
  }

  function show() {
    for (const one of [sheet, copy, outline]) {
      one.style.width = `${width * scale}px`;
      one.style.height = `${height * scale}px`;
    }
    ring.setAttribute("points", points.map(([x, y]) => `${x},${y}`).join(" "));
    handles.forEach((handle, index) => {
      handle.style.left = `${points[index][0] * scale}px`;
      handle.style.top = `${points[index][1] * scale}px`;
    });
  }

  choose(0);
  return {
    root: make("div", { class: "marker" }, view, zooms),
    points: () => points.map((point) => [...point]),
    errors: () => [...errors],
    placed: () => points.length - waiting.size,
    fit,
    end: () => copy.remove(),
  };
}
