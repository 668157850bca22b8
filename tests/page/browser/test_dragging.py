"""What a drag asks of the server and of the browser while it is on, and that nothing of it is left when it has
ended.
"""

import json
from typing import Any

import pytest

from tests.page.browser.hands import GAMES, laid, middle, scenario, settled

SECOND = 60
"""Frames of a screen in a second."""
FRAMES = """
({ count, isAwaited }) => {
  const { store, table } = tabletop;
  if (!isAwaited) Object.defineProperty(store, "busy", { get: () => false });
  const waiting = new Map();
  let last = 0;
  let clock = performance.now(); // how long this takes itself counts nothing
  performance.now = () => clock;
  window.requestAnimationFrame = (act) => waiting.set(last += 1, act) && last;
  window.cancelAnimationFrame = (one) => waiting.delete(one);
  const hit = document.querySelector('.thing[data-key="unit A"] .hit');
  const box = hit.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  table.svg.setPointerCapture = () => {};
  const fire = (target, type, step) => target.dispatchEvent(new PointerEvent(type, {
    bubbles: true, cancelable: true, pointerId: 7, isPrimary: true, button: 0, altKey: true,
    clientX: x - step, clientY: y,
  }));
  fire(hit, "pointerdown", 0);
  fire(table.svg, "pointermove", 10);
  let drawn = 0;
  for (let frame = 0; frame < count; frame += 1) {
    const before = store.revision;
    fire(table.svg, "pointermove", 11 + frame);
    const now = [...waiting.values()];
    waiting.clear();
    clock += 1000 / 60;
    now.forEach((act) => act(clock));
    drawn += store.revision > before;
  }
  return drawn;
}
"""
DRAWN = """
() => Object.fromEntries([...document.querySelectorAll(".thing")].map((group) => {
  const paths = [...group.querySelectorAll(".hit, [data-mark$='.models'] path")];
  const told = paths.map((path) => [path.getAttribute("d"), path.getAttribute("transform")]);
  return [group.dataset.key, [group.getAttribute("aria-label"), group.getAttribute("transform"), ...told]];
}))
"""
"""Of each thing on the table its name, what carries it, and the outlines whose size is not that of the view."""


@pytest.mark.parametrize(("is_awaited", "least", "most"), [(True, 36, 44), (False, SECOND, SECOND)])
def test_while_an_answer_is_awaited_fewer_frames_are_drawn(
    page: Any, *, is_awaited: bool, least: int, most: int
) -> None:
    """The server has the processor then: of the sixty frames of a second some forty are drawn, and all where nothing is
    awaited.
    """
    page.route("**/api/*", lambda _: None)  # no answer comes
    assert least <= page.evaluate(FRAMES, {"count": SECOND, "isAwaited": is_awaited}) <= most


@pytest.mark.parametrize("system", GAMES)
def test_a_drag_is_told_in_full_once_it_pauses(page: Any, system: str) -> None:
    """On the way the server tells nothing of what stands where, but on hexes; then all is drawn as on the same table
    laid anew.
    """
    laid(page, GAMES[system])
    name = scenario(page)["charges"][0]["charger"]
    asked: list[bool] = []

    def heard(question: Any) -> None:
        if question.method == "POST":
            asked.append(json.loads(question.post_data)["options"].get("bodies", True))

    page.on("request", heard)
    x, y = middle(page, f"unit {name}")
    page.keyboard.down("Alt")
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(x - 12 * step, y + 3 * step)
    settled(page)
    assert asked[-1]
    assert all(asked) == (system == "battletech")
    for step in range(1, 9):
        page.mouse.move(x - 96 + 3 * step, y + 24 + 12 * step)
    page.mouse.up()
    page.keyboard.up("Alt")
    settled(page)
    assert asked[-1]
    drawn = page.evaluate(DRAWN)
    assert all(carried is None for _, carried, *_ in drawn.values())
    page.reload()
    page.wait_for_function("globalThis.tabletop?.store.answer")
    settled(page)
    assert page.evaluate(DRAWN) == drawn
