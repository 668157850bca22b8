/* From marks to SVG: paths with their roles as CSS (looks.js), texts placed by labels.js.

   paintMarks(group, marks, roles)   paints a list of marks into a group of the table that is in inches; what was there is taken away, but marks
                                     that are the same as before stay as they are. `roles` are looks that come with the figure, or nothing.
   clearMarks(group)                 takes all of it away, its labels too
   rescale(scale)                    call when the pixels per inch have changed
   labelsOf(group)                   the marks of words that the group was given (labels.js places them) */

import { addRoles, hasHalo, layerOf, patternOf, rescalePatterns } from "./looks.js";
import { isSized, shapesOf } from "./shapes.js";

const SVG = "http://www.w3.org/2000/svg";
const WORDS = new Set(["Label", "Printed"]);
const painted = new Map(); // group -> {drawn: Map(id -> {text, element, mark}), words: [mark]}
let scale = 10;

export function element(tag, attributes = {}, parent = null) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent?.append(made);
  return made;
}

function leaf(kind, role, d, model) {
  const made = element("path", { class: kind, d });
  made.dataset.role = role;
  if (model !== undefined) made.dataset.model = model;
  return made;
}

/** Make the paths of a mark: paper on both sides of its lines, what is filled, its pattern. */
function fill(group, mark) {
  const shapes = shapesOf(mark, scale);
  const parts = [];
  const pattern = mark.type === "Outline" || mark.type === "GridMark" || mark.type === "Area" ? patternOf(mark.role) : null;
  if (hasHalo(mark.role)) parts.push(...shapes.map((shape) => leaf("h", mark.role, shape.d)));
  // models are painted one by one, because each may be dragged; the bases of a regiment as one path
  const isLoose = shapes.length > 1 && mark.role.startsWith("loose.");
  const filled = shapes.filter((shape) => shape.closed);
  const together = isLoose || filled.length < 2 ? filled : [{ d: filled.map((shape) => shape.d).join("") }];
  for (const shape of together) {
    parts.push(leaf("c", mark.role, shape.d, shape.model));
    if (pattern) {
      const over = leaf("p", mark.role, shape.d, shape.model);
      over.setAttribute("fill", pattern);
      parts.push(over);
    }
  }
  const lines = shapes.filter((shape) => !shape.closed).map((shape) => leaf("o", mark.role, shape.d));
  group.replaceChildren(...(hasHalo(mark.role) ? parts.slice(0, shapes.length) : []), ...lines, ...(hasHalo(mark.role) ? parts.slice(shapes.length) : parts));
}

function draw(mark) {
  const made = element("g", { class: "mark" });
  made.dataset.mark = mark.id;
  fill(made, mark);
  return made;
}

export function paintMarks(group, marks, roles = null) {
  if (roles) addRoles(roles);
  const before = painted.get(group)?.drawn ?? new Map();
  const drawn = new Map();
  const shapes = marks.filter((mark) => !WORDS.has(mark.type));
  const ordered = shapes.map((mark, place) => [layerOf(mark.role), place, mark]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  for (const [, , mark] of ordered) {
    const old = before.get(mark.id);
    if (old?.mark === mark) drawn.set(mark.id, old);
    else {
      const text = JSON.stringify(mark);
      drawn.set(mark.id, { text, mark, element: old?.text === text ? old.element : draw(mark) });
    }
  }
  const wanted = [...drawn.values()].map((one) => one.element);
  for (const [place, one] of wanted.entries()) if (group.children[place] !== one) group.insertBefore(one, group.children[place] ?? null);
  while (group.children.length > wanted.length) group.lastChild.remove();
  painted.set(group, { drawn, words: marks.filter((mark) => WORDS.has(mark.type)) });
}

export function clearMarks(group) {
  painted.delete(group);
  group.replaceChildren();
}

export const labelsOf = (group) => painted.get(group)?.words ?? [];
export const paintedGroups = () => [...painted.keys()].filter((group) => group.isConnected);
export const marksIn = (group) => [...(painted.get(group)?.drawn.values() ?? [])];

export function rescale(now) {
  scale = now;
  rescalePatterns(now);
  for (const [group, { drawn }] of painted) {
    if (!group.isConnected) {
      painted.delete(group);
      continue;
    }
    for (const one of drawn.values()) if (isSized(one.mark)) fill(one.element, one.mark);
  }
}
