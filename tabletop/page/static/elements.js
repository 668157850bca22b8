// Elements of the page, made in one call.

/**
 * Return a new element: `props` are properties, but `class`, `data-*`, `aria-*`, `for`, `role`, `list`, `form` are attributes, and what begins with
 * `on` is a listener; children are nodes or texts, null and false are left out.
 */
export function el(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "class" || key === "for" || key === "role" || key === "list" || key === "form" || key.includes("-"))
      made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== false && child !== undefined));
  return made;
}

let count = 0;

/** Return an id that no other element has. */
export function freshId(stem) {
  count += 1;
  return `${stem}-${count}`;
}

/** Return a button. */
export function button(words, onclick, props = {}) {
  return el("button", { type: "button", onclick, ...props }, words);
}

/**
 * Return a dialog with a heading and a button that closes it; it is modal, Escape and a click beside it close it, and the focus goes back to
 * where it was.
 */
export function dialog(title, content, { name, onclose } = {}) {
  const id = freshId("dialog");
  const made = el(
    "dialog",
    { id: name, class: "sheet", "aria-labelledby": id },
    el(
      "header",
      {},
      el("h2", { id }, title),
      button("\u00d7", () => made.close(), { class: "close", "aria-label": "Close" }),
    ),
    content,
  );
  made.addEventListener("click", (event) => {
    if (event.target === made && isBeside(made, event)) made.close();
  });
  if (onclose) made.addEventListener("close", onclose);
  document.body.append(made);
  return made;
}

function isBeside(made, { clientX, clientY }) {
  const box = made.getBoundingClientRect();
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}

/** Hand bytes to the browser to be saved under a name. */
export function saveAs(blob, name) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Return a name of a file made of a title: letters, digits and hyphens. */
export function fileName(title, ending) {
  const stem = (title || "table")
    .normalize("NFKD")
    .replace(/[^\w\s-]/g, "")
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-")
    .slice(0, 60);
  return `${stem || "table"}.${ending}`;
}
