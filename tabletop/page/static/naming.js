// Names of units and terrain: unique together in a file, and every place of a scenario that refers to one. Pure.
// What changes a scenario changes the draft that it is given.

const FRONTS = ["flush_on", "beside", "ahead_of"];
const NUMBERED = /^(.+)\.(0|[1-9]\d{0,3})$/;

/** Return what pieces of terrain are called: by their names, or by their kind and number among those of that kind. */
export function pieceNames(terrain = []) {
  const counts = new Map();
  return terrain.map((piece) => {
    counts.set(piece.kind, (counts.get(piece.kind) ?? 0) + 1);
    return piece.name ?? `${String(piece.kind).replaceAll("_", " ")} ${counts.get(piece.kind)}`;
  });
}

/** Return the names of all units and pieces of terrain. */
export function namesIn(scenario) {
  return new Set([...Object.keys(scenario.units ?? {}), ...pieceNames(scenario.terrain)]);
}

/** Return a name that nothing has: A, B, C and so on for a new unit, else the stem with a number. */
export function freeName(scenario, stem = "") {
  const taken = namesIn(scenario);
  if (!stem) {
    const letter = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((one) => !taken.has(one));
    if (letter) return letter;
  }
  const first = (stem || "Unit").replace(/ \d+$/, "").slice(0, 54);
  if (stem && !taken.has(stem)) return stem;
  for (let number = 2; ; number += 1) {
    if (!taken.has(`${first} ${number}`)) return `${first} ${number}`;
  }
}

/** Return why something may not be called so, or null. */
export function refusal(scenario, name, own) {
  if (!name) return "A name has at least one letter.";
  if ([...name].length > 60) return `A name has at most 60 letters; this one has ${[...name].length}.`;
  if (name !== own && namesIn(scenario).has(name)) return `${name} is already the name of a unit or piece of terrain.`;
  return null;
}

/** Give a unit another name, wherever the file names it. */
export function renameUnit(draft, from, to) {
  draft.units = renamedKeys(draft.units, from, to);
  refer(draft, (name) => (name === from ? to : name));
}

/** Give a piece of terrain a name, or none; what the file calls by the implied name of another piece stays with that piece. */
export function renamePiece(draft, index, name) {
  changeTerrain(draft, (pieces) => {
    if (name) pieces[index].name = name;
    else delete pieces[index].name;
  });
}

/** Change the list of pieces in place (adding at its end, taking out, another kind), and keep what is named of those that stay. */
export function changeTerrain(draft, change) {
  const pieces = [...(draft.terrain ?? [])];
  const before = new Map(pieces.map((piece, index) => [piece, pieceNames(pieces)[index]]));
  change(pieces);
  const after = pieceNames(pieces);
  const renamed = new Map(pieces.flatMap((piece, index) => (before.has(piece) ? [[before.get(piece), after[index]]] : [])));
  if (pieces.length) draft.terrain = pieces;
  else delete draft.terrain;
  refer(draft, (name) => renamed.get(name) ?? name);
}

/** Take a piece out, with the charges that have no target left; return sentences of what else went. */
export function removePiece(draft, index) {
  const name = pieceNames(draft.terrain)[index];
  const told = forget(draft, name);
  changeTerrain(draft, (pieces) => pieces.splice(index, 1));
  return told;
}

/** Return those of some units that stand by another one: by a relation, or with a model that touches one of its. */
export function standingBy(units, name) {
  return Object.entries(units ?? {})
    .filter(
      ([other, entry]) => other !== name && relations(entry).some(([holder, key]) => [holder[key]].flat().some((to) => owner(to) === name)),
    )
    .map(([other]) => other);
}

/** Take a unit out, with the charges that have no charger or target left, and what is claimed or expected of it. */
export function removeUnit(draft, name) {
  const told = forget(draft, name);
  delete draft.units[name];
  return told;
}

/** Take out of charges, proposal and expectations whatever names a unit or piece; return sentences of what went. */
function forget(draft, name) {
  const told = [];
  const gone = new Set();
  (draft.charges ?? []).forEach((charge, index) => {
    const targets = (charge.targets ?? []).filter((target) => target !== name);
    if (charge.domino) delete charge.domino[name];
    if (charge.charger === name || !targets.length) gone.add(index);
    else charge.targets = targets;
  });
  if (gone.size) {
    const lost = draft.charges.filter((_, index) => gone.has(index)).map((charge) => `${charge.charger} on ${charge.targets.join(", ")}`);
    told.push(`The charge of ${lost.join(" and of ")} went with it.`);
    draft.charges = draft.charges.filter((_, index) => !gone.has(index));
    if (draft.expect) draft.expect = draft.expect.filter((_, index) => !gone.has(index));
    if (!draft.charges.length) delete draft.charges;
    if (draft.expect && !draft.expect.length) delete draft.expect;
  }
  for (const expected of draft.expect ?? []) {
    if (expected.units) delete expected.units[name];
  }
  if (removeClaim(draft, name)) told.push("The place that was claimed for it went, too.");
  return told;
}

/** Take out what is claimed of a unit, and the whole proposal with the last claim; return whether there was any. */
export function removeClaim(draft, name) {
  const claims = draft.proposal?.units ?? {};
  const had = name in claims;
  delete claims[name];
  if (draft.proposal && !Object.keys(claims).length) removeProposal(draft);
  return had;
}

/** Take out all that is claimed, with what was expected of the judgement: the last expectation tells it, the others stay with their charges. */
export function removeProposal(draft) {
  delete draft.proposal;
  const last = draft.expect?.at(-1);
  if (!last?.judged) return;
  delete last.judged;
  if (!Object.keys(last).length) draft.expect.pop();
  if (!draft.expect.length) delete draft.expect;
}

/** Put another name wherever the scenario refers to something by its name. */
function refer(draft, to) {
  const named = (name) => {
    if (typeof name !== "string") return name;
    const model = NUMBERED.exec(name);
    return model && to(name) === name ? `${to(model[1])}.${model[2]}` : to(name);
  };
  for (const charge of draft.charges ?? []) {
    charge.charger = to(charge.charger);
    charge.targets = (charge.targets ?? []).map(to);
    if (charge.domino) charge.domino = Object.fromEntries(Object.entries(charge.domino).map(([name, step]) => [to(name), step]));
  }
  for (const table of [draft, draft.proposal ?? {}]) {
    for (const entry of Object.values(table.units ?? {})) follow(entry, named);
  }
  if (draft.proposal?.units)
    draft.proposal.units = Object.fromEntries(Object.entries(draft.proposal.units).map(([name, one]) => [to(name), one]));
  for (const expected of draft.expect ?? []) {
    if (expected.units) expected.units = Object.fromEntries(Object.entries(expected.units).map(([name, one]) => [to(name), one]));
  }
}

function follow(entry, named) {
  for (const [holder, key] of relations(entry)) {
    holder[key] = Array.isArray(holder[key]) ? holder[key].map(named) : named(holder[key]);
  }
}

/** Where a unit's entry says by whom it stands: the tables that hold a name, or two, each with its key there. */
function relations(entry) {
  const fronts = FRONTS.filter((key) => entry[key]).map((key) => [entry[key], "unit"]);
  const models = Array.isArray(entry.models) ? entry.models : [];
  return [...fronts, ...models.flatMap((model) => ["touching", "near"].filter((key) => model[key]).map((key) => [model, key]))];
}

function owner(name) {
  return NUMBERED.exec(name)?.[1] ?? name;
}

function renamedKeys(table, from, to) {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key === from ? to : key, value]));
}
