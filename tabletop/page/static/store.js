/* State of the page and its history.

   store.scenario      the table as a scenario of the file format: a plain object, frozen through and through
   store.selection     what is chosen: {kind: "unit" | "ghost", name, model?} or {kind: "terrain", index}, or null
   store.answer        the last answer of /api/resolve (or /api/judge where the scenario has a proposal), null before the first
   store.table         the last answer of /api/table: figure, gaps, faults, places
   store.isStale       true while the ruling shown is of an older table than store.scenario
   store.revision      counts the states shown so far; store.answered is that which the last answer was asked for, store.seen that of the
                       last answer of /api/table

   store.change(fn, label, {merge})   makes a new state: fn gets a copy that it may alter; the old one goes on the undo stack.
                                      Changes one after the other with the same merge key are one entry (a drag, a typed number).
   store.amend(fn)                    puts into the present state what its own answer told (faces that were thrown): no entry, no new question
   store.replace(scenario, label, {isBundled})   another scenario in place of this one; can be undone too. One that comes with the program
                                      (isBundled) becomes one's own with the first change: what is told of it is told of another table then
   store.isBundled, store.laid        whether it is one of those, unchanged; and a number that every replaced scenario has for itself
   store.undo(), store.redo(), store.canUndo, store.canRedo, store.undoLabel, store.redoLabel
   store.seal()                       ends a merge: the next change is an entry of its own
   store.select(selection)
   store.tell(event, value)           sets store.answer, store.table, store.busy, store.error or store.layers, and tells who listens
   store.on(event, fn)                events: "scenario", "selection", "chosen" (also what was selected before), "answer", "table", "busy", "error",
                                      "layers", "stale"; gives a function that ends it

   Nothing here knows the DOM or the server. */

import { say } from "./language.js";

const TOLD = new Set(["answer", "table", "busy", "error", "layers"]);

/** Freeze a value deeply. */
function frozen(value) {
  if (value === null || typeof value !== "object" || Object.isFrozen(value)) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

/** Return `fresh` with parts equal to those of `old` shared, so that thousands of states stay small. */
function shared(old, fresh) {
  if (old === fresh || typeof fresh !== "object" || fresh === null || typeof old !== "object" || old === null) return fresh;
  if (Array.isArray(old) !== Array.isArray(fresh)) return fresh;
  const keys = Object.keys(fresh);
  let isSame = keys.length === Object.keys(old).length;
  const made = Array.isArray(fresh) ? [] : {};
  for (const [place, key] of keys.entries()) {
    made[key] = key in old ? shared(old[key], fresh[key]) : fresh[key];
    isSame &&= key in old && made[key] === old[key] && (Array.isArray(fresh) || Object.keys(old)[place] === key);
  }
  return isSame ? old : made;
}

/** Return a bundled scenario as a start for the user's own, without its texts and expectations. */
function madeOwn({ note, source, expect, ...rest }) {
  return { ...rest, title: say`${rest.title}, changed` };
}

/** Return a new store; the page has one. */
function makeStore() {
  const listeners = new Map();
  const past = [];
  const future = [];
  let merging = null;
  let isTold = { answer: null, table: null, busy: false, error: null, layers: {} };
  let now = { scenario: null, label: "", isBundled: false, laid: 0 };
  let laid = 0;
  let selection = null;
  let revision = 0;
  let answered = -1;
  let seen = -1;

  const emit = (event, value) => [...(listeners.get(event) ?? [])].forEach((listener) => listener(value));
  const exists = (chosen) => {
    if (!chosen || !now.scenario) return false;
    if (chosen.kind === "terrain") return chosen.index < (now.scenario.terrain ?? []).length;
    return chosen.name in (now.scenario.units ?? {});
  };
  const show = (state) => {
    now = state;
    revision += 1;
    if (selection && !exists(selection)) store.select(null);
    emit("stale", true);
    emit("scenario", now.scenario);
  };

  const store = {
    get scenario() { return now.scenario; },
    get selection() { return selection; },
    get revision() { return revision; },
    get isBundled() { return now.isBundled; },
    get laid() { return now.laid; },
    get isStale() { return answered < revision; },
    get canUndo() { return past.length > 0; },
    get canRedo() { return future.length > 0; },
    get undoLabel() { return now.label; },
    get redoLabel() { return future.at(-1)?.label ?? ""; },
    get depth() { return past.length; },
    get answer() { return isTold.answer; },
    get answered() { return answered; },
    get seen() { return seen; },
    get table() { return isTold.table; },
    get busy() { return isTold.busy; },
    get error() { return isTold.error; },
    get layers() { return isTold.layers; },

    change(fn, label, { merge = null } = {}) {
      const base = now.isBundled ? shared(now.scenario, madeOwn(now.scenario)) : now.scenario;
      const copy = structuredClone(base);
      const made = frozen(shared(base, fn(copy) ?? copy));
      if (made === base) return;
      if (merge === null || merge !== merging) past.push(now);
      merging = merge;
      future.length = 0;
      show({ ...now, scenario: made, label, isBundled: false });
    },
    amend(fn) {
      const copy = structuredClone(now.scenario);
      const made = frozen(shared(now.scenario, fn(copy) ?? copy));
      if (made === now.scenario) return;
      now = { ...now, scenario: made };
      emit("scenario", made);
    },
    replace(scenario, label = "", { isBundled = false } = {}) {
      if (now.scenario) past.push(now);
      merging = null;
      future.length = 0;
      selection = null;
      emit("selection", null);
      show({ scenario: frozen(structuredClone(scenario)), label, isBundled, laid: laid += 1 });
    },
    seal() { merging = null; },
    undo() {
      if (!past.length) return;
      future.push(now);
      merging = null;
      show(past.pop());
    },
    redo() {
      if (!future.length) return;
      past.push(now);
      merging = null;
      show(future.pop());
    },
    select(chosen) {
      if (JSON.stringify(chosen) !== JSON.stringify(selection)) {
        selection = chosen === null ? null : Object.freeze({ ...chosen });
        emit("selection", selection);
      }
      emit("chosen", chosen);
    },
    tell(event, value, asked = revision) {
      if (!TOLD.has(event)) throw new Error(`nothing is told as ${event}`);
      isTold = { ...isTold, [event]: value };
      if (event === "answer") {
        answered = asked;
        emit("stale", store.isStale);
      }
      if (event === "table") seen = asked;
      emit(event, value);
    },
    on(event, fn) {
      if (!listeners.has(event)) listeners.set(event, new Set());
      listeners.get(event).add(fn);
      return () => listeners.get(event).delete(fn);
    },
  };
  return store;
}

export const store = makeStore();
