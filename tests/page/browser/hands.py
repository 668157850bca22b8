"""What a user's hands do on the table, and what is then seen."""

from typing import Any, cast

Scenario = dict[str, Any]
GAMES = {
    "t9a": "t9a/wheel-and-align",
    "conquest": "conquest/push-of-two",
    "wh40k": "wh40k/past-a-bystander",
    "battletech": "battletech/struck-from-the-side",
}


def settled(page: Any) -> None:
    """Wait until table and ruling are those of the newest state, and painted."""
    page.wait_for_function("() => !tabletop.store.isStale && !tabletop.store.busy")
    page.evaluate(
        "new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))"
    )


def laid(page: Any, name: str) -> None:
    """Lay a bundled scenario on the table."""
    page.evaluate(
        "async (name) => tabletop.store.replace((await (await fetch(`/api/scenarios/${name}`)).json()).scenario, name)",
        name,
    )
    settled(page)


def scenario(page: Any) -> Scenario:
    """Return the scenario that the page shows."""
    return cast("Scenario", page.evaluate("structuredClone(tabletop.store.scenario)"))


def depth(page: Any) -> int:
    """Return how many steps can be undone."""
    return int(page.evaluate("tabletop.store.depth"))


def on_screen(page: Any, at: tuple[float, float]) -> tuple[float, float]:
    """Return where a point of the table in inches is, in pixels of the window."""
    x, y = page.evaluate(
        """(at) => {
            const box = tabletop.table.svg.getBoundingClientRect();
            const [x, y] = tabletop.table.toScreen(at);
            return [box.left + x, box.top + y];
        }""",
        list(at),
    )
    return (x, y)


def middle(page: Any, key: str, model: int = 0) -> tuple[float, float]:
    """Return the middle of a thing on the screen, in pixels of the window."""
    box = page.locator(f'.thing[data-key="{key}"] .hit[data-model="{model}"]').bounding_box()
    return (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def drag(
    page: Any, start: tuple[float, float], end: tuple[float, float], *, steps: int = 8
) -> None:
    """Drag with the mouse from one place of the window to another, in pixels."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=steps)
    page.mouse.up()
    settled(page)


def drag_by(page: Any, key: str, by: tuple[float, float], *, model: int = 0) -> None:
    """Drag a thing by inches of the table, without snapping."""
    scale = page.evaluate("tabletop.table.scale")
    x, y = middle(page, key, model)
    page.keyboard.down("Alt")
    drag(page, (x, y), (x + scale * by[0], y - scale * by[1]))
    page.keyboard.up("Alt")


def verdict(page: Any) -> str:
    """Return the outcome as it is read in the panel."""
    return str(page.locator("#verdict-more .badge").first.inner_text())
