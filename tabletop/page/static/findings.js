/* The findings of the ruling, with the margin by which each rule is kept or broken; a click shows it on the table. */

import { make, signed } from "./dom.js";

const FEW = 5;
const PACE = 300; // milliseconds between two lists while answers come one after the other: nobody reads faster, and the verdict comes first
let store = null;
let table = null;
let isAll = false;

/** What a reader asks for first: broken, then measured with the least room, then the rest. */
function ordered(findings) {
  const rank = (one) => (!one.ok ? 0 : one.margin !== undefined ? 1 : 2);
  return findings.map((one, place) => [one, place]).sort(([a, i], [b, j]) => rank(a) - rank(b) || (rank(a) === 1 ? Math.abs(a.margin) - Math.abs(b.margin) : 0) || i - j).map(([one]) => one);
}

const plain = (text) => ` ${text.replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `;

/** Show what a finding is about: its own marks, else the bodies that it names, else who charges and who is charged. */
function point(finding, answer) {
  if (table.reveal(answer.marks_of?.[finding.rule] ?? [])) return;
  const told = plain(finding.text);
  const nameOf = ([kind, which]) => (kind === "terrain" ? answer.terrain[which].name : which);
  const bodies = answer.figure.marks.filter((mark) => mark.of && mark.of[0] !== "ghost");
  const named = bodies.filter((mark) => told.includes(plain(nameOf(mark.of))));
  const { charger, targets } = answer.rulings.find((one) => one.findings?.includes(finding)) ?? answer.rulings[0];
  const shown = named.length ? named : bodies.filter((mark) => [charger, ...targets].includes(nameOf(mark.of)));
  table.reveal(shown.map((mark) => mark.id));
}

function entry(finding, answer) {
  const margin = finding.margin === undefined ? null : make("span", { class: "margin", text: signed(finding.margin), title: "by how much the rule is kept (+) or broken (−)" });
  const words = [make("span", { class: "sign", "aria-hidden": "true", text: finding.ok ? "✓" : "✗" }), make("span", { class: "unseen", text: finding.ok ? "kept: " : "broken: " }),
    make("span", { class: "text", text: finding.text }), margin];
  const line = make("button", { type: "button", class: "finding", title: `Show on the table: ${finding.rule}`, onclick: () => point(finding, answer) }, ...words);
  line.classList.toggle("broken", !finding.ok);
  return make("li", { "data-rule": finding.rule }, line);
}

function listOf(title, findings, answer) {
  const all = ordered(findings);
  const first = Math.max(FEW, all.filter((one) => !one.ok).length);
  return [title ? make("h3", { text: title }) : null, make("ul", { class: "findings" }, ...(isAll ? findings : all.slice(0, first)).map((one) => entry(one, answer)))];
}

function show() {
  const region = document.getElementById("findings");
  const { answer } = store;
  if (!answer || answer.refused || !answer.rulings?.length) {
    region.replaceChildren();
    return;
  }
  const focused = region.contains(document.activeElement) ? document.activeElement.closest("li")?.dataset.rule : null;
  const parts = [];
  if (answer.sentences?.length) parts.push(make("p", { class: "sentence", text: answer.sentences[0] }));
  const groups = answer.judged ? [["The claim", answer.judged.findings]] : answer.rulings.map((ruling) => [answer.rulings.length > 1 ? `${ruling.charger} charges ${ruling.targets.join(", ")}` : "", ruling.findings]);
  const count = groups.reduce((sum, [, findings]) => sum + findings.length, 0);
  parts.push(make("h3", { text: isAll ? "All findings, in the order in which they were asked" : "What decided, and what was close" }));
  for (const [title, findings] of groups) parts.push(...listOf(title, findings, answer));
  if (count > FEW) {
    parts.push(make("button", {
      type: "button", class: "more", text: isAll ? "Only what was close" : `All ${count} findings`, "aria-expanded": String(isAll),
      onclick: () => {
        isAll = !isAll;
        show();
        region.querySelector(".more")?.focus();
      },
    }));
  }
  region.replaceChildren(...parts.filter(Boolean));
  if (focused) region.querySelector(`li[data-rule="${CSS.escape(focused)}"] button`)?.focus();
}

export function start(parts) {
  ({ store, table } = parts);
  let waiting = 0;
  let last = -Infinity;
  const later = () => {
    waiting = 0;
    last = performance.now();
    show();
  };
  store.on("answer", () => {
    waiting ||= setTimeout(() => requestAnimationFrame(later), Math.max(0, last + PACE - performance.now()));
  });
}
