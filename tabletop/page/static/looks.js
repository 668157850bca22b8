/* Roles as CSS: the theme's looks (GET /api/theme, and those that come with a figure) become rules of one style sheet, light and dark; their
   patterns become SVG patterns that keep their size on the screen. Adds nothing twice.

   addRoles({light, dark})   roles as plots/marks/styles.py has them; widths, dashes and text sizes in points
   layerOf(role)             order of painting
   textOf(role)              {size (px), bold} of the text of a role
   rescalePatterns(scale)    call on every change of the scale (pixels per inch) */

const POINT = 96 / 72;
const INCH = 96;
const LARGER = 1.2; // text is read from farther away than that of a figure
const SPACING = { stripes: 0.055, counter_stripes: 0.07, crossed: 0.075, rows: 0.06, columns: 0.05, squares: 0.09, dots: 0.06, specks: 0.068, crowns: 0.08 };
const DOTS = { dots: 0.0085, specks: 0.0125, crowns: 0.025 };
const GROWN = ["crowns"];
const WHIMS = [0.3, 0.35]; // shares of the spacing by which what has grown strays, of its radius by which it differs
const PLANTED = 8; // columns and rows of what has grown, before it comes again
const TURNS = { stripes: [45], counter_stripes: [-45], crossed: [45, -45], rows: [0], columns: [90], squares: [0, 90] };
const SVG = "http://www.w3.org/2000/svg";
const sheet = new CSSStyleSheet();
const known = new Map();
const patterns = [];
let scale = 10;

document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

const colour = (value) => value ?? "none";
const px = (points) => `${+(points * POINT).toFixed(3)}px`;

function rules(role, look, hasPattern) {
  const at = `[data-role="${CSS.escape(role)}"]`;
  const dash = look.dash?.length ? look.dash.map(px).join(" ") : "none";
  const line = `stroke:${colour(look.edge)};stroke-width:${px(look.width)}`;
  const made = [
    `.c${at}{fill:${colour(look.fill)};${line};${look.fill ? "" : `stroke-dasharray:${dash};`}opacity:${look.alpha ?? 1}}`,
    `.o${at}{fill:none;${line};stroke-dasharray:${dash};opacity:${look.alpha ?? 1}}`,
    `.w${at}{fill:${look.colour ?? "var(--ink)"};${look.fill ? "" : `paint-order:stroke;stroke:${colour(look.edge)};stroke-width:${px(2 * look.width)};stroke-linejoin:round`}}`,
    look.fill ? `.paper${at}{fill:${look.fill};stroke:${colour(look.edge)};stroke-width:${px(look.width)};opacity:${look.alpha ?? 1}}` : `.paper${at}{fill:none}`,
  ];
  if (look.halo) made.push(`.h${at}{fill:none;stroke:var(--page);stroke-width:${px(look.width + 2 * look.halo)}}`);
  if (hasPattern) {
    made.push(hasPattern in DOTS ? `.t${at}{fill:${look.pattern_colour}}` : `.t${at}{fill:none;stroke:${look.pattern_colour};stroke-width:${px(0.6)}}`);
  }
  return made;
}

const patternId = (role) => `pattern-${role.replace(/[^\w-]/gu, "_")}`;

/** Give a number from -1 to 1 to a place of a grid, as figures do (plots/render/paths.py). */
function whim(x, y, seed) {
  const mixed = Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(seed, 83492791);
  return (Math.imul(mixed, 2654435761) >>> 0) / 2147483648 - 1;
}

/** Give the dots of a quincunx that are seen in a tile, as [x, y, size] in spacings and radii; those at its edges come from its neighbours. */
function dotsOf(columns, rows, isGrown) {
  const found = [];
  for (let y = -1; y <= rows; y += 1) {
    for (let x = -1; x <= columns; x += 1) {
      const [across, up, size] = [0, 1, 2].map((seed) => (isGrown ? whim((x + columns) % columns, (y + rows) % rows, seed) : 0));
      found.push([x + (y & 1) / 2 + WHIMS[0] * across, y + WHIMS[0] * up, 1 + WHIMS[1] * size]);
    }
  }
  return found;
}

function addPattern(role, name) {
  const made = document.createElementNS(SVG, "pattern");
  const spacing = SPACING[name] * INCH;
  const [columns, rows] = GROWN.includes(name) ? [PLANTED, PLANTED] : [1, 2];
  const parts = name in DOTS
    ? dotsOf(columns, rows, GROWN.includes(name)).map(([x, y, size]) => {
      const dot = document.createElementNS(SVG, "circle");
      dot.setAttribute("cx", x * spacing);
      dot.setAttribute("cy", y * spacing);
      dot.setAttribute("r", size * DOTS[name] * INCH);
      return dot;
    })
    : TURNS[name].length === 1
      ? [`M0 ${spacing / 2}H${spacing}`]
      : [`M0 ${spacing / 2}H${spacing}M${spacing / 2} 0V${spacing}`];
  made.id = patternId(role);
  made.setAttribute("patternUnits", "userSpaceOnUse");
  made.setAttribute("width", name in DOTS ? columns * spacing : spacing);
  made.setAttribute("height", name in DOTS ? rows * spacing : spacing);
  for (const part of parts) {
    const drawn = typeof part === "string" ? document.createElementNS(SVG, "path") : part;
    if (typeof part === "string") drawn.setAttribute("d", part);
    drawn.setAttribute("class", "t");
    drawn.dataset.role = role;
    made.append(drawn);
  }
  const turn = name in DOTS ? 0 : TURNS[name][0];
  patterns.push([made, turn]);
  made.setAttribute("patternTransform", `scale(${1 / scale}) rotate(${turn})`);
  document.getElementById("patterns").append(made);
}

export function addRoles({ light = {}, dark = {} }) {
  for (const [role, look] of Object.entries(light)) {
    const text = JSON.stringify([look, dark[role]]);
    if (known.get(role)?.text === text) continue;
    const named = look.pattern || dark[role]?.pattern || "";
    const pattern = named in SPACING ? named : "";
    if (pattern && known.get(role)?.pattern === undefined) addPattern(role, pattern);
    known.set(role, { text, look, pattern: pattern || undefined });
    for (const rule of rules(role, look, pattern)) sheet.insertRule(rule, sheet.cssRules.length);
    const night = rules(role, dark[role] ?? look, pattern).join("");
    sheet.insertRule(`@media (prefers-color-scheme: dark){${night}}`, sheet.cssRules.length);
  }
}

export const layerOf = (role) => known.get(role)?.look.layer ?? 8;
export const hasHalo = (role) => Boolean(known.get(role)?.look.halo);
export const hasFill = (role) => Boolean(known.get(role)?.look.fill);
export const patternOf = (role) => (known.get(role)?.pattern ? `url(#${patternId(role)})` : null);
export const isMarkOfLine = (role) => !known.get(role)?.look.fill;

export function textOf(role) {
  const look = known.get(role)?.look ?? {};
  return { size: (look.size ?? 7.5) * POINT * LARGER, bold: Boolean(look.bold) };
}

export function rescalePatterns(now) {
  scale = now;
  for (const [pattern, turn] of patterns) pattern.setAttribute("patternTransform", `scale(${1 / scale}) rotate(${turn})`);
}
