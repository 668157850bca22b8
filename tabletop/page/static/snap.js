/* Snapping: moves a dragged body that is nearly flush or in contact with another into exact position. Inches, degrees.

   snapRegiment(body, others, reach) -> {shift: [dx, dy], turn, about, guides} or null
     body: {at, facing_deg, width, depth}; others: [{at, facing_deg, width, depth}] for other regiments or {ring} for terrain
   snapDiscs(bodies, others, reach) -> {shift, guides} or null
     bodies and others: {centre, radius} or {ring}
   `reach` is in inches; guides are lines [[x, y], [x, y]] to show.

   bodyOf, discsOf and othersOf make such bodies of what stands on the table: fronts of regiments, discs of round bases, outlines of all else. */

import { radians, turnedPoint } from "./places.js";
import { keyOf, known, placeNow, ringsNow } from "./scene.js";

const TURN = 8; // degrees within which a front snaps flush

export function snapRegiment(body, others, reach) {
  const found = [];
  for (const other of others) {
    const edges = other.ring ? edgesOf(other.ring) : sides(other);
    const own = sides(body);
    for (const edge of edges) {
      for (const [number, side] of own.entries()) {
        const one = flush(side, edge, reach);
        if (one) found.push(number === 0 ? one : { ...one, cost: one.cost + 0.05 });
      }
    }
  }
  if (found.length) return found.reduce((best, one) => (one.cost < best.cost ? one : best));
  const touch = snapDiscs([{ ring: cornersOf(body) }], others.map((other) => (other.ring ? other : { ring: cornersOf(other) })), reach * 0.6);
  return touch ? { ...touch, turn: 0, about: body.at } : null;
}

/** Return the turn and shift that place a side of the dragged body flush on a nearby edge, and their size. */
function flush(side, edge, reach) {
  const turn = difference(edge.out + 180, side.out);
  if (Math.abs(turn) > TURN) return null;
  const middle = times(plus(side.from, side.to), 0.5);
  const [from, to] = [side.from, side.to].map((corner) => turnedPoint(corner, turn, middle));
  const out = ahead(edge.out);
  const away = dot(minus(middle, edge.from), out);
  if (Math.abs(away) > reach) return null;
  const along = [-out[1], out[0]];
  const span = ([a, b]) => [dot(a, along), dot(b, along)].sort((one, other) => one - other);
  const [low, high] = span([from, to]);
  const [least, most] = span([edge.from, edge.to]);
  if (high < least - reach || low > most + reach) return null;
  return { cost: Math.abs(away) + Math.abs(turn) / 20, turn, about: middle, shift: times(out, -away), guides: [[edge.from, edge.to]] };
}

export function snapDiscs(bodies, others, reach) {
  let best = null;
  const boxes = others.map(boundsOf);
  for (const body of bodies) {
    const box = boundsOf(body);
    for (const [place, other] of others.entries()) {
      if (!areNear(box, boxes[place], reach)) continue;
      const shift = contact(body, other, reach);
      if (shift && (!best || Math.hypot(...shift) < Math.hypot(...best.shift))) best = { shift, guides: [[middleOf(body), middleOf(other)]] };
    }
  }
  return best;
}

const middleOf = ({ centre, ring }) => centre ?? times(ring.reduce(plus), 1 / ring.length);
const areNear = (a, b, reach) => a[0] <= b[2] + reach && b[0] <= a[2] + reach && a[1] <= b[3] + reach && b[1] <= a[3] + reach;

const boundsOf = (body) => (body.centre ? [body.centre[0] - body.radius, body.centre[1] - body.radius, body.centre[0] + body.radius, body.centre[1] + body.radius]
  : [Math.min(...body.ring.map(([x]) => x)), Math.min(...body.ring.map(([, y]) => y)), Math.max(...body.ring.map(([x]) => x)), Math.max(...body.ring.map(([, y]) => y))]);

/** Return the shift that brings two bodies into contact if their gap or overlap is at most `reach`. */
function contact(body, other, reach) {
  if (body.centre && other.centre) {
    const way = minus(other.centre, body.centre);
    const far = Math.hypot(...way);
    const gap = far - body.radius - other.radius;
    return Math.abs(gap) > reach || far === 0 ? null : times(way, gap / far);
  }
  if (body.centre) {
    const back = contact(other, body, reach);
    return back && times(back, -1);
  }
  if (other.centre) {
    const [from, to] = body.ring.map((corner, place) => [corner, body.ring[(place + 1) % body.ring.length]])
      .reduce((best, edge) => (distance(nearestOnSegment(other.centre, ...edge), other.centre) < distance(nearestOnSegment(other.centre, ...best), other.centre) ? edge : best));
    const point = nearestOnSegment(other.centre, from, to);
    const way = minus(other.centre, point);
    const length = Math.hypot(...way);
    const gap = length - other.radius;
    return Math.abs(gap) > reach || length === 0 ? null : times(way, gap / length);
  }
  let best = null;
  const look = (corners, ring, sign) => {
    for (const corner of corners) {
      for (const [place, from] of ring.entries()) {
        const way = minus(nearestOnSegment(corner, from, ring[(place + 1) % ring.length]), corner);
        if (!best || Math.hypot(...way) < Math.hypot(...best)) best = times(way, sign);
      }
    }
  };
  look(body.ring, other.ring, 1);
  look(other.ring, body.ring, -1);
  return Math.hypot(...best) <= reach ? best : null;
}

function nearestOnSegment(point, from, to) {
  const way = minus(to, from);
  const share = Math.max(0, Math.min(1, dot(minus(point, from), way) / (dot(way, way) || 1)));
  return plus(from, times(way, share));
}

/** Return the corners of a regiment: front left, front right, rear right, rear left. */
function cornersOf({ at, facing_deg, width, depth }) {
  const [right, forward] = [rightOf(facing_deg), ahead(facing_deg)];
  const put = (across, along) => plus(at, plus(times(right, across), times(forward, along)));
  return [put(-width / 2, 0), put(width / 2, 0), put(width / 2, -depth), put(-width / 2, -depth)];
}

/** Return the four sides of a regiment as edges with outward normals: {from, to, out}; `out` in degrees. */
function sides(body) {
  const [frontLeft, frontRight, rearRight, rearLeft] = cornersOf(body);
  return [
    { from: frontLeft, to: frontRight, out: body.facing_deg },
    { from: frontRight, to: rearRight, out: body.facing_deg - 90 },
    { from: rearRight, to: rearLeft, out: body.facing_deg + 180 },
    { from: rearLeft, to: frontLeft, out: body.facing_deg + 90 },
  ];
}

function edgesOf(ring) {
  const area = ring.reduce((sum, [x, y], place) => {
    const [nx, ny] = ring[(place + 1) % ring.length];
    return sum + x * ny - nx * y;
  }, 0);
  const round = area > 0 ? ring : ring.slice().reverse();
  return round.map((from, place) => {
    const to = round[(place + 1) % round.length];
    return { from: to, to: from, out: (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI - 90 };
  });
}

const difference = (a, b) => ((((a - b) % 360) + 540) % 360) - 180;
const minus = ([ax, ay], [bx, by]) => [ax - bx, ay - by];
const plus = ([ax, ay], [bx, by]) => [ax + bx, ay + by];
const times = ([x, y], by) => [x * by, y * by];
const dot = ([ax, ay], [bx, by]) => ax * bx + ay * by;
const distance = (a, b) => Math.hypot(...minus(a, b));
const ahead = (degrees) => [Math.cos(radians(degrees)), Math.sin(radians(degrees))];
const rightOf = (degrees) => [Math.sin(radians(degrees)), -Math.cos(radians(degrees))];

// --- bodies of what stands on the table -------------------------------------------------------------------------------------------------

/** Return a regiment's front as {at, facing_deg, width, depth}. */
export function bodyOf(name, place) {
  const told = known({ kind: "unit", name });
  if (!told?.front) return null;
  const [ring] = told.rings;
  const width = distance(...told.front);
  const heading = radians(told.facing_deg);
  const depth = Math.max(...ring.map(([x, y]) => (told.at[0] - x) * Math.cos(heading) + (told.at[1] - y) * Math.sin(heading)));
  return { at: place.at, facing_deg: place.facing_deg, width, depth };
}

/** Return the bodies of loose models at a place: discs for round bases, else shifted outlines. */
export function discsOf(thing, place, only) {
  const told = known(thing);
  const unit = known({ kind: "unit", name: thing.name }); // where a claim places fewer models, only the unit tells their bases
  return place.models.map((one, model) => {
    if (only !== undefined && only !== null && model !== only) return null;
    const radius = unit?.models?.[model]?.radius;
    if (radius) return { centre: one.at.slice(0, 2), radius };
    const before = told?.models?.[model]?.at;
    const ring = told?.rings?.[model];
    return before && ring ? { ring: ring.map(([x, y]) => [x + one.at[0] - before[0], y + one.at[1] - before[1]]) } : null;
  }).filter(Boolean);
}

/** Return the bodies to which a thing may snap. */
export function othersOf(scenario, thing) {
  const found = [];
  for (const name of Object.keys(scenario.units ?? {})) {
    if (name === thing.name && thing.kind === "unit") continue;
    const other = { kind: "unit", name };
    if (thing.kind === "ghost" && name === thing.name) continue; // a ghost does not snap to its own unit
    const place = placeNow(other);
    if (place?.kind === "regiment") found.push(bodyOf(name, place));
    if (place?.kind === "squad") found.push(...discsOf(other, place));
  }
  (scenario.terrain ?? []).forEach((_, index) => {
    const other = { kind: "terrain", index };
    if (keyOf(thing) === keyOf(other)) return;
    const [ring] = ringsNow(other);
    if (ring) found.push({ ring });
  });
  return found.filter(Boolean);
}
