/* Homographies: projective maps of a photo's plane to the table, from four points (direct linear transformation), with error propagation.
   A homography is nine numbers, row by row; points are [x, y]. */

/** Return the homography that takes four points to four others; null where three of either four lie on a line. */
export function homography(from, to) {
  if (!isSpread(from) || !isSpread(to)) return null;
  const s = sizeOf(from); // points scaled to about one condition the equations best
  const t = sizeOf(to);
  const rows = from.flatMap(([fx, fy], index) => {
    const [x, y, u, v] = [fx / s, fy / s, to[index][0] / t, to[index][1] / t];
    return [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, v],
    ];
  });
  const h = solve(rows);
  return h && [(t * h[0]) / s, (t * h[1]) / s, t * h[2], (t * h[3]) / s, (t * h[4]) / s, t * h[5], h[6] / s, h[7] / s, 1];
}

/** Return a homography scaled so that its third coordinate is 1 at a point, and positive on that side of the horizon. */
export function before(h, [x, y]) {
  const w = h[6] * x + h[7] * y + h[8];
  return h.map((value) => value / w);
}

/** Return the image of a point. */
function mapped(h, [x, y]) {
  const w = h[6] * x + h[7] * y + h[8];
  return [(h[0] * x + h[1] * y + h[2]) / w, (h[3] * x + h[4] * y + h[5]) / w];
}

/** Return the inverse homography. */
function inverse([a, b, c, d, e, f, g, h, i]) {
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
}

/** Return whether four points in order form a convex quadrilateral. */
export function isConvex(points) {
  const turns = points.map((point, index) => Math.sign(cross(points[(index + 3) % 4], point, points[(index + 1) % 4])));
  return turns[0] !== 0 && turns.every((turn) => turn === turns[0]);
}

/**
 * Return the most by which a place read off the photo may be off, in units of the second plane, where each of four points may be off
 * by its error in any direction, and the place itself by `reading`, all in units of the first. To first order; over the places given.
 */
export function uncertainty(from, to, errors, reading, places) {
  const h = homography(from, to);
  const back = inverse(h);
  const shares = from.map((_, index) => moving(from, to, index));
  return Math.max(
    ...places.map((place) => {
      const point = mapped(back, place);
      const own = stretch(columns(h, point)) * reading;
      return shares.reduce((sum, [right, up, step], index) => {
        const column = (other) => mapped(other, point).map((value, axis) => (value - place[axis]) / step);
        return sum + stretch([column(right), column(up)]) * errors[index];
      }, own);
    }),
  );
}

/** Return the homographies with one point shifted slightly along x and y, and the shift. */
function moving(from, to, index) {
  const step = 1e-4 * Math.max(...from.map((point) => Math.hypot(point[0] - from[0][0], point[1] - from[0][1])));
  const shifted = (dx, dy) => from.map(([x, y], other) => (other === index ? [x + dx, y + dy] : [x, y]));
  return [homography(shifted(step, 0), to), homography(shifted(0, step), to), step];
}

/** Return the Jacobian of a homography at a point, as two columns. */
function columns(h, point) {
  const [x, y] = mapped(h, point);
  const w = h[6] * point[0] + h[7] * point[1] + h[8];
  return [0, 1].map((axis) => [(h[axis] - x * h[6 + axis]) / w, (h[3 + axis] - y * h[6 + axis]) / w]);
}

/** Return the spectral norm of a linear map given by its columns. */
function stretch([[a, c], [b, d]]) {
  const sum = a * a + b * b + c * c + d * d;
  const determinant = a * d - b * c;
  return Math.sqrt((sum + Math.sqrt(Math.max(0, sum * sum - 4 * determinant * determinant))) / 2);
}

function cross([ax, ay], [bx, by], [cx, cy]) {
  return (bx - ax) * (cy - by) - (by - ay) * (cx - bx);
}

function sizeOf(points) {
  return Math.max(...points.flat().map(Math.abs));
}

/** Return whether no three of four points are collinear, within rounding. */
function isSpread(points) {
  const size = sizeOf(points);
  return (
    size > 0 &&
    [0, 1, 2, 3].every((left) => {
      const three = points.filter((_, index) => index !== left);
      return Math.abs(cross(...three)) > 1e-6 * size * size;
    })
  );
}

/** Solve a linear system, right sides last, by Gaussian elimination with partial pivoting; null if it is singular. */
function solve(rows) {
  const m = rows.map((row) => [...row]);
  for (let column = 0; column < m.length; column += 1) {
    const pivot = m
      .slice(column)
      .reduce((best, row, index) => (Math.abs(row[column]) > Math.abs(m[best][column]) ? index + column : best), column);
    [m[column], m[pivot]] = [m[pivot], m[column]];
    if (!(Math.abs(m[column][column]) > 1e-12)) return null;
    for (let row = 0; row < m.length; row += 1) {
      if (row === column) continue;
      const factor = m[row][column] / m[column][column];
      for (let k = column; k <= m.length; k += 1) m[row][k] -= factor * m[column][k];
    }
  }
  return m.map((row, index) => row[m.length] / row[index]);
}

/**
 * Rectify a photo: return the RGBA pixels of a rectangle of the table, `width` by `height`, by bilinear interpolation; transparent
 * outside the photo. `toPhoto` maps a pixel's centre to the photo.
 */
export function straightened(photo, toPhoto, width, height) {
  const made = new Uint32Array(width * height);
  const source = new Uint32Array(photo.data.buffer, photo.data.byteOffset, photo.width * photo.height);
  const [right, bottom, stride] = [photo.width - 1, photo.height - 1, photo.width];
  const [a, b, c, d, e, f, g, h, i] = toPhoto;
  for (let row = 0, out = 0; row < height; row += 1) {
    const y = row + 0.5;
    let u = a * 0.5 + b * y + c;
    let v = d * 0.5 + e * y + f;
    let w = g * 0.5 + h * y + i;
    for (let column = 0; column < width; column += 1, out += 1, u += a, v += d, w += g) {
      if (!(w > 0)) continue;
      let x0 = u / w - 0.5;
      let y0 = v / w - 0.5;
      if (x0 < -0.5 || y0 < -0.5 || x0 > right + 0.5 || y0 > bottom + 0.5) continue;
      x0 = x0 < 0 ? 0 : x0 > right ? right : x0;
      y0 = y0 < 0 ? 0 : y0 > bottom ? bottom : y0;
      const left = x0 | 0;
      const top = y0 | 0;
      const at = top * stride + left;
      const next = left < right ? at + 1 : at;
      const below = top < bottom ? stride : 0;
      made[out] = mixed(
        source[at],
        source[next],
        source[at + below],
        source[next + below],
        ((x0 - left) * 256) | 0,
        ((y0 - top) * 256) | 0,
      );
    }
  }
  return new Uint8ClampedArray(made.buffer);
}

/** Interpolate four pixels (R, G, B, A packed in one number) with weights in 256ths, two bytes at a time. */
function mixed(nw, ne, sw, se, s, t) {
  const even = pair(pair(nw & 0xff00ff, ne & 0xff00ff, s), pair(sw & 0xff00ff, se & 0xff00ff, s), t);
  const odd = pair(pair((nw >>> 8) & 0xff00ff, (ne >>> 8) & 0xff00ff, s), pair((sw >>> 8) & 0xff00ff, (se >>> 8) & 0xff00ff, s), t);
  return (even | (odd << 8)) >>> 0;
}

function pair(one, other, share) {
  return ((one * (256 - share) + other * share) >>> 8) & 0xff00ff;
}
