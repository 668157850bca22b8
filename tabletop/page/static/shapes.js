/* From marks to paths, in inches of the table: what plots/render/paths.py does for figures. What has a size on the page (heads of arrows,
   symbols) is divided by the scale, pixels per inch. Pure: knows no DOM.

   shapesOf(mark, scale) -> [{closed, d, model?}]   closed paths are filled, open ones are lines
   isSized(mark)                                    true where the paths depend on the scale */

const INCH = 96; // pixels of the screen per inch of a page
const HEAD = 0.085 * INCH;
const HEAD_HALF = 0.032 * INCH;
const TRIANGLE = 0.1 * INCH;
const TRIANGLE_HALF = 0.052 * INCH;
const LEAST_HALF = 0.02 * INCH;
const TIP = 0.06 * INCH;
const BAR = 0.035 * INCH;
const RADII = { pivot: 0.035, contact_point: 0.05, climb: 0.03, spot: 0.04, "spot.failed": 0.05, "spot.no_verdict": 0.05 };
const CORNERS = { contact_point: 4, "spot.failed": 3, "spot.not_allowed": 4, "spot.no_verdict": 3, "spot.invalid": 4 };
const SIZED = new Set(["Arrow", "WaysMark", "WheelArc", "FacingMark", "PointMark", "DimensionLine"]);

export const isSized = (mark) => SIZED.has(mark.type);
const put = (number) => (Math.round(number * 1e5) / 1e5).toString();
const line = (points) => `M${points.map(([x, y]) => `${put(x)} ${put(y)}`).join("L")}`;
const ring = (points) => `${line(points)}Z`;
const apart = ([ax, ay], [bx, by]) => Math.hypot(bx - ax, by - ay);
const along = ([x, y], bearing, length) => [x + length * Math.cos(bearing), y + length * Math.sin(bearing)];
const bearingOf = ([ax, ay], [bx, by]) => Math.atan2(by - ay, bx - ax);
const closed = (d) => ({ closed: true, d });
const open = (d) => ({ closed: false, d });

function head(tip, bearing, length, half = (length * HEAD_HALF) / HEAD) {
  const [x, y] = along(tip, bearing, -length);
  const [aside, ahead] = [half * Math.sin(bearing), half * Math.cos(bearing)];
  return closed(ring([tip, [x - aside, y + ahead], [x + aside, y - ahead]]));
}

function arrow(start, end, scale) {
  const bearing = bearingOf(start, end);
  const length = Math.min(HEAD / scale, 0.6 * apart(start, end));
  return [open(line([start, along(end, bearing, -0.8 * length)])), head(end, bearing, length)];
}

/** Cut the last `length` inches off a line; give what is left and the point where it was cut. */
function shortened(points, length) {
  const kept = points.slice();
  let left = length;
  while (kept.length > 1) {
    const [before, last] = kept.slice(-2);
    const leg = apart(before, last);
    if (leg > left) {
      kept[kept.length - 1] = along(last, bearingOf(last, before), left);
      return kept;
    }
    left -= leg;
    kept.pop();
  }
  return kept;
}

function way(points, scale) {
  const whole = points.slice(1).reduce((sum, point, place) => sum + apart(points[place], point), 0);
  const length = Math.min(HEAD / scale, 0.6 * whole);
  const end = points.at(-1);
  const back = shortened(points, length).at(-1);
  return [open(line(shortened(points, 0.8 * length))), head(end, bearingOf(back, end), length)];
}

function wheel(mark, scale) {
  const { pivot, radius, start, sweep } = mark;
  const points = Array.from({ length: 49 }, (_, step) => along(pivot, start + (sweep * step) / 48, radius));
  return way(points, scale);
}

function facing(mark, scale) {
  const half = Math.max(Math.min(TRIANGLE_HALF / scale, mark.width / 2, (mark.depth * TRIANGLE_HALF) / TRIANGLE), LEAST_HALF / scale);
  return [head(mark.at, mark.heading, (half * TRIANGLE) / TRIANGLE_HALF, half)];
}

function symbol(role, centre, scale) {
  const radius = ((RADII[role] ?? RADII[role.split(".")[0]] ?? 0.035) * INCH) / scale;
  const corners = CORNERS[role] ?? 24;
  return closed(ring(Array.from({ length: corners }, (_, step) => along(centre, Math.PI / 2 + (2 * Math.PI * step) / corners, radius))));
}

function dimension(mark, scale) {
  const { start, end, aside } = mark;
  const length = apart(start, end) || 1;
  const [sx, sy] = [(aside * (start[1] - end[1])) / length, (aside * (end[0] - start[0])) / length];
  const ends = [[start[0] + sx, start[1] + sy], [end[0] + sx, end[1] + sy]];
  const bearing = bearingOf(...ends);
  const bar = [(-BAR * Math.sin(bearing)) / scale, (BAR * Math.cos(bearing)) / scale];
  const bars = ends.map(([x, y], place) => {
    const tail = aside ? [start, end][place] : [x - bar[0], y - bar[1]];
    return open(line([tail, [x + bar[0], y + bar[1]]]));
  });
  const tip = TIP / scale;
  if (apart(...ends) < 3 * tip) return [open(line(ends)), ...bars];
  return [open(line(ends)), ...bars, head(ends[1], bearing, tip, tip / 3), head(ends[0], bearing + Math.PI, tip, tip / 3)];
}

export function shapesOf(mark, scale) {
  switch (mark.type) {
    case "Outline": return [closed(ring(mark.ring))];
    case "GridMark": return mark.rings.map((one, place) => ({ ...closed(ring(one)), model: mark.numbers?.[place] }));
    case "Area": return [closed([...mark.rings, ...(mark.holes ?? [])].map(ring).join(""))];
    case "LineMark": return [open(line(mark.points))];
    case "LinesMark": return [open(mark.lines.map(line).join(""))];
    case "Ray": return [open(line([mark.origin, [mark.origin[0] + mark.reach * mark.direction[0], mark.origin[1] + mark.reach * mark.direction[1]]]))];
    case "WaysMark": return mark.lines.flatMap((one) => way(one, scale));
    case "Arrow": return arrow(mark.start, mark.end, scale);
    case "WheelArc": return wheel(mark, scale);
    case "FacingMark": return facing(mark, scale);
    case "PointMark": return mark.points.map((point) => symbol(mark.role, point, scale));
    case "DimensionLine": return dimension(mark, scale);
    default: return [];
  }
}

/** Give the points that a mark reaches, for fitting it into view. */
export function pointsOf(mark) {
  switch (mark.type) {
    case "Outline": return mark.ring;
    case "GridMark": case "Area": return mark.rings.flat();
    case "LineMark": case "PointMark": return mark.points;
    case "LinesMark": case "WaysMark": return mark.lines.flat();
    case "Ray": return [mark.origin];
    case "Arrow": case "DimensionLine": return [mark.start, mark.end];
    case "WheelArc": return [mark.pivot, along(mark.pivot, mark.start, mark.radius), along(mark.pivot, mark.start + mark.sweep, mark.radius)];
    case "FacingMark": return [mark.at];
    case "Label": return mark.spots.slice(0, 1);
    case "Printed": return mark.words.map(([at]) => at);
    default: return [];
  }
}
