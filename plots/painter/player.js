/* Exported player of a charge, step by step. It is in one module with painter.js and reads JSON from the page:

     {section: [west, south, east, north], roles: {light}, marks: [mark], key: [{marks: [mark in page inches, y upwards], sign}],
      ruler: {lengths: [table inches], longest: page inches, unit},
      shots: [{marks: [index into `marks`], count, bodies: [{at: [x, y, degrees], marks, name, size, middle, moves: [[number, [at, ...]]]}]}]}

   The `count` moves of a shot take equal time; within a move, a body is interpolated linearly between its poses. No rules of a game are
   applied here. */

const MOVING = 2100; // milliseconds: motion of a shot; STILL: pause after it; RESTING: a shot without motion
const STILL = 900;
const RESTING = 3000;
const film = JSON.parse(document.getElementById("film").textContent);
const [west, south, east, north] = film.section;
const steps = [...document.querySelectorAll(".step")];
const bar = document.querySelector(".bar");
const range = bar.querySelector("input");
const told = bar.querySelector("output");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const stages = steps.map((step, number) => ({ svg: step.querySelector("svg"), shot: film.shots[number], scale: 0 }));
let current = 0;
let playing = false;
let frame = 0;
let timer = 0;
let keyScale = 0;

const wordOf = (name) => bar.dataset[name];
const buttonOf = (name) => bar.querySelector(`[data-do=${name}]`);
const still = (at) => at;

/** Draw a step, with its texts placed for the current scale. */
function paintStep(stage, toScale) {
  if (!stage.marks) {
    const world = element("g", { transform: `matrix(1 0 0 -1 ${-west} ${north})` }, stage.svg);
    [stage.marks, stage.labels, stage.bodies] = ["marks", "labels", "movers"].map((name) => element("g", { class: name }, world));
    paintMarks(stage.marks, stage.shot.marks.map((place) => film.marks[place]));
    stage.movers = stage.shot.bodies.map((mover) => bodyOf(mover, stage.bodies));
  }
  if (stage.scale === toScale) return;
  stage.scale = toScale;
  const items = labelsOf(stage.marks).map((mark) => ({ mark, owner: mark.of?.[1], moved: still, back: still }));
  placeLabels(stage.labels, items, toScale, { seen: film.section, covered: [] });
}

/** Create a moving body and its name. */
function bodyOf(mover, parent) {
  const body = element("g", {}, parent);
  paintMarks(body, mover.marks);
  const size = mover.size * POINT * LARGER;
  const label = element("g", {}, parent);
  element("text", { y: 0.36 * size, "font-size": size }, label).textContent = mover.name;
  return { ...mover, body, label };
}

function between(way, share) {
  const place = Math.min(Math.max(share, 0), 1) * (way.length - 1);
  const before = Math.min(Math.floor(place), way.length - 2);
  return way[before].map((value, axis) => value + (place - before) * (way[before + 1][axis] - value));
}

/** Place a body after a number of moves and a share of the next. */
function putBody({ at, middle, moves, body, label }, done, toScale) {
  const begun = moves.findLast(([number]) => done >= number);
  const [x, y, degrees] = begun ? between(begun[1], done - begun[0]) : at;
  const turn = degrees - at[2];
  body.setAttribute("transform", `translate(${x} ${y}) rotate(${turn}) translate(${-at[0]} ${-at[1]})`);
  const [right, up] = [middle[0] - at[0], middle[1] - at[1]];
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  label.setAttribute("transform", `translate(${x + cos * right - sin * up} ${y + sin * right + cos * up}) scale(${1 / toScale} ${-1 / toScale})`);
}

/** Draw the ruler and the key's samples at the picture's scale. */
function paintKey(toScale) {
  const { lengths, longest, unit } = film.ruler;
  const length = lengths.findLast((one) => one * toScale <= longest * INCH) ?? 1;
  const count = length <= 4 ? length : 6;
  const ruler = document.querySelector(".ruler");
  ruler.style.width = `${length * toScale}px`;
  ruler.replaceChildren(...Array.from({ length: count }, () => document.createElement("i")), Object.assign(document.createElement("span"), { textContent: `${length} ${unit}` }));
  document.querySelectorAll(".key svg").forEach((svg, place) => {
    const [wide, high] = [svg.width.baseVal.value, svg.height.baseVal.value];
    svg.setAttribute("viewBox", `0 0 ${wide / toScale} ${high / toScale}`);
    svg.replaceChildren();
    const { marks, sign } = film.key[place];
    paintMarks(element("g", { transform: `matrix(1 0 0 -1 0 ${high / toScale})` }, svg), marks.map((mark) => times(INCH / toScale, mark)));
    if (sign) element("text", { x: wide / 2 / toScale, y: high / toScale, "font-size": (1.1 * high) / toScale }, svg).textContent = sign;
  });
}

/** Scale all lengths of a mark. */
function times(factor, value) {
  if (typeof value === "number") return factor * value;
  if (Array.isArray(value)) return value.map((one) => times(factor, one));
  return value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, times(factor, one)])) : value;
}

function refresh() {
  const toScale = stages[current].svg.clientWidth / (east - west);
  if (!toScale) return;
  if (keyScale !== toScale) {
    keyScale = toScale;
    rescale(toScale);
    paintKey(toScale);
  }
  paintStep(stages[current], toScale);
}

function halt() {
  cancelAnimationFrame(frame);
  clearTimeout(timer);
  stages[current].svg.classList.remove("moving");
}

function show(number, moves) {
  halt();
  current = Math.min(Math.max(number, 0), steps.length - 1);
  steps.forEach((step, place) => step.classList.toggle("current", place === current));
  refresh();
  range.value = current + 1;
  told.textContent = wordOf("told").replace("{number}", current + 1).replace("{count}", steps.length);
  range.setAttribute("aria-valuetext", `${told.textContent}: ${steps[current].querySelector("h2").textContent}`);
  for (const name of ["first", "back"]) buttonOf(name).disabled = current === 0;
  for (const name of ["next", "last"]) buttonOf(name).disabled = current === steps.length - 1;
  if (moves && !calm.matches) move();
  else rest(RESTING);
}

function move() {
  const { svg, movers, shot, scale: toScale } = stages[current];
  if (!movers?.length) {
    rest(RESTING);
    return;
  }
  const put = (share) => movers.forEach((mover) => putBody(mover, share * shot.count, toScale));
  let begun = null;
  put(0);
  svg.classList.add("moving");
  const tick = (now) => {
    begun ??= now;
    const share = (now - begun) / MOVING;
    if (share < 1) {
      put(share);
      frame = requestAnimationFrame(tick);
      return;
    }
    svg.classList.remove("moving");
    rest(STILL);
  };
  frame = requestAnimationFrame(tick);
}

function rest(pause) {
  if (!playing) return;
  if (current === steps.length - 1) play(false);
  else timer = setTimeout(() => show(current + 1, true), pause);
}

function play(wanted) {
  playing = wanted;
  buttonOf("play").textContent = wordOf(playing ? "pause" : "play");
  if (playing) show(current === steps.length - 1 ? 0 : current, true);
  else halt();
}

function go(number, moves) {
  playing = false;
  buttonOf("play").textContent = wordOf("play");
  show(number, moves);
}

const deeds = {
  first: () => go(0, false),
  back: () => go(current - 1, false),
  play: () => play(!playing),
  next: () => go(current + 1, true),
  last: () => go(steps.length - 1, true),
};
const keys = { Home: "first", ArrowLeft: "back", " ": "play", ArrowRight: "next", End: "last" };
bar.addEventListener("click", (event) => deeds[event.target.closest("button")?.dataset.do]?.());
range.addEventListener("input", () => go(Number(range.value) - 1, false));
document.addEventListener("keydown", (event) => {
  const inside = event.target.closest("input, button");
  if (event.altKey || event.ctrlKey || event.metaKey || !keys[event.key] || (inside && (event.key === " " || inside === range))) return;
  event.preventDefault();
  deeds[keys[event.key]]();
});
addEventListener("beforeprint", () => stages.forEach((stage) => paintStep(stage, stages[current].scale)));
range.max = steps.length;
addRoles(film.roles);
document.body.classList.add("plays");
new ResizeObserver(refresh).observe(document.querySelector("main"));
show(0, false);
