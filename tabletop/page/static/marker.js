// Four numbered handles on a photo, moved by pointer or keys, under a photo that can be made larger; each knows how well it was placed.

import { button, el } from "./elements.js";

const WORDS = ["1: lower left corner", "2: lower right corner", "3: upper right corner", "4: upper left corner"];
const INSET = 0.15;
const LARGEST = 8; // pixels of the screen for a pixel of the photo

/**
 * Return the picture with its handles: `root` to show, `points()` in pixels of the photo from its upper left corner, `errors()` in the same,
 * `fit()` once it is shown, `end()`. `changed` is called after every move.
 */
export function makeMarker(photo, old, changed) {
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
  let turn = old ? points.length : 0; // whose turn it is to be clicked; all have had theirs at the end
  let hasMoved = false;

  const copy = el("canvas", { width, height, class: "photo", "aria-hidden": "true" });
  copy.getContext("2d").drawImage(photo, 0, 0);
  const sheet = el("div", { class: "photo-sheet" }, copy);
  const view = el("div", { class: "photo-view" }, sheet);
  const handles = points.map((_, index) => {
    const handle = el("button", { type: "button", class: "corner", "aria-label": WORDS[index], title: WORDS[index] }, String(index + 1));
    handle.addEventListener("pointerdown", (event) => grab(event, index));
    handle.addEventListener("keydown", (event) => nudge(event, index));
    handle.addEventListener("focus", () => choose(index));
    sheet.append(handle);
    return handle;
  });
  const outline = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const ring = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
  outline.setAttribute("viewBox", `0 0 ${width} ${height}`);
  outline.setAttribute("aria-hidden", "true");
  outline.append(ring);
  copy.after(outline);
  const zooms = el(
    "div",
    { class: "acts" },
    button("\u2212", () => zoom(1 / 1.5), { "aria-label": "Smaller", class: "small" }),
    button("+", () => zoom(1.5), { "aria-label": "Larger", class: "small" }),
    button("Whole photo", fit, { class: "small" }),
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
    if (hasMoved || (isHandle && (turn === handles.length || event.detail === 0))) return; // dragged, or pressed by a key
    const index = turn < handles.length ? turn : chosen;
    move(index, pointAt(event));
    turn = Math.min(turn + 1, handles.length);
    choose(turn % handles.length);
  });

  /** A pixel of the photo under a pointer. */
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
    errors[index] = isExact ? 1 : Math.max(1, 1 / scale); // a pixel of the screen, and no less than one of the photo
    show();
    changed();
  }

  function grab(event, index) {
    if (event.button !== 0) return;
    event.preventDefault();
    handles[index].focus();
    handles[index].setPointerCapture(event.pointerId);
    const at = pointAt(event);
    const shift = [points[index][0] - at[0], points[index][1] - at[1]];
    const follow = (now) => {
      const [x, y] = pointAt(now);
      if (!hasMoved && Math.hypot(x - at[0], y - at[1]) * scale < 3) return;
      if (!hasMoved && index === turn) turn += 1;
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
    root: el("div", { class: "marker" }, view, zooms),
    points: () => points.map((point) => [...point]),
    errors: () => [...errors],
    fit,
    end: () => copy.remove(),
  };
}
