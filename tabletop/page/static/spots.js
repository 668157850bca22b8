// Free spots of the table: where something new can stand without overlapping what is there. Pure; inches of the table.

/** Return the least box [west, south, east, north] around points. */
export function boxOf(points) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Return width and depth of a board in inches; one of hexes is as large as these. */
export function boardSize(board) {
  if (board?.columns === undefined) return [board?.width ?? 0, board?.depth ?? 0];
  const flats = board.hex_inches ?? 1.25;
  return [((3 * board.columns + 1) * flats) / (2 * Math.sqrt(3)), flats * (board.rows + (board.columns > 1 ? 0.5 : 0))];
}

/**
 * Return the middle of the place nearest to `near` at which a box of a size overlaps none of the others by less than `gap` and lies on the
 * board; the nearest on the board where there is no such place.
 */
export function freeSpot([width, depth], boxes, [boardWidth, boardDepth], near, gap = 0.5) {
  const within = ([x, y]) => [clamp(x, width / 2, boardWidth - width / 2), clamp(y, depth / 2, boardDepth - depth / 2)];
  const isFree = ([x, y]) =>
    boxes.every(
      ([west, south, east, north]) =>
        x + width / 2 + gap <= west || x - width / 2 - gap >= east || y + depth / 2 + gap <= south || y - depth / 2 - gap >= north,
    );
  const farthest = Math.hypot(boardWidth, boardDepth);
  for (let radius = 0; radius <= farthest; radius += 0.5) {
    const count = Math.max(1, Math.round(4 * Math.PI * radius));
    for (let step = 0; step < count; step += 1) {
      const angle = (2 * Math.PI * step) / count;
      const place = within([near[0] + radius * Math.cos(angle), near[1] + radius * Math.sin(angle)].map(half));
      if (isFree(place)) return place;
    }
  }
  return within(near);
}

function clamp(value, least, most) {
  return Math.max(least, Math.min(most, value)) || least;
}

function half(value) {
  return Math.round(value * 2) / 2;
}

/** Return the middle of a hex, given by its printed number, on a board of hexes. */
export function hexCentre(number, board) {
  const flats = board.hex_inches ?? 1.25;
  const [column, row] = [Number(number.slice(0, 2)), Number(number.slice(2))];
  const depth = boardSize(board)[1];
  return [((3 * column - 1) * flats) / (2 * Math.sqrt(3)), depth - ((2 * row - 1 + (column % 2 === 0 ? 1 : 0)) * flats) / 2];
}

/** Return the number of the hex nearest to a place that is not among those taken; null on a full board. */
export function freeHex(board, taken, near) {
  let best = null;
  let least = Infinity;
  for (let column = 1; column <= board.columns; column += 1) {
    for (let row = 1; row <= board.rows; row += 1) {
      const number = String(column).padStart(2, "0") + String(row).padStart(2, "0");
      const [x, y] = hexCentre(number, board);
      const distance = Math.hypot(x - near[0], y - near[1]);
      if (distance < least && !taken.has(number)) [best, least] = [number, distance];
    }
  }
  return best;
}
