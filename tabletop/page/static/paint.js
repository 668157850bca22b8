/* From marks to SVG. */
export function paintMarks() {}
