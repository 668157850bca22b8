"""The page in a real Chromium: from the pointer to the verdict on the screen while a unit is dragged, and frames per second.

`python -m benchmarks.page_browser` prints a line for each game. Times are those between a pointer event and the first frame after the
first answer about a table that is no older.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

DRAGGED = {
    "t9a": "t9a/wheel-and-align",
    "conquest": "conquest/push-of-two",
    "battletech": "battletech/struck-from-the-side",
    "wh40k": "wh40k/ten-against-ten",
}
MODELS = 200
DRAG = """
async ({scenario, unit, steps, pause}) => {
  const { store, table } = tabletop;
  store.replace(scenario, "measured");
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const until = async (test) => { while (!test()) await frame(); };
  await until(() => !store.isStale && !store.busy && store.seen >= store.revision);
  for (let wait = 0; wait < 20; wait += 1) await frame();
  const hit = document.querySelector(`.thing[data-key="unit ${unit}"] .hit`);
  const box = hit.getBoundingClientRect();
  const start = [box.left + box.width / 2, box.top + box.height / 2];
  table.svg.setPointerCapture = () => {};
  const fire = (type, [clientX, clientY]) => (type === "pointerdown" ? hit : table.svg)
    .dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true, pointerId: 7, isPrimary: true, button: 0, clientX, clientY }));
  const waiting = { answered: [], seen: [] }, times = { answered: [], seen: [] }, frames = [];
  let pointer = 0, isOn = true, last = performance.now();
  const ends = [store.on("scenario", () => { for (const kind of ["answered", "seen"]) waiting[kind].push([store.revision, pointer]); })];
  for (const [event, kind] of [["answer", "answered"], ["table", "seen"]]) {
    ends.push(store.on(event, async () => {
      const told = store[kind];
      const fresh = waiting[kind].filter(([revision]) => revision <= told);
      waiting[kind] = waiting[kind].filter(([revision]) => revision > told);
      await frame();
      await frame();
      const shown = performance.now();
      times[kind].push(...fresh.map(([, since]) => shown - since));
    }));
  }
  (async () => { while (isOn) { await frame(); const now = performance.now(); frames.push(now - last); last = now; } })();
  fire("pointerdown", start);
  for (let step = 0; step < steps; step += 1) {
    const turn = (2 * Math.PI * step) / steps;
    pointer = performance.now();
    fire("pointermove", [start[0] + 60 * Math.sin(turn), start[1] + 40 * (1 - Math.cos(turn))]);
    await new Promise((done) => setTimeout(done, pause));
  }
  isOn = false;
  fire("pointerup", start);
  await until(() => !store.isStale && !store.busy && !waiting.answered.length && !waiting.seen.length);
  for (let wait = 0; wait < 4; wait += 1) await frame();
  ends.forEach((end) => end());
  return { ...times, frames: frames.slice(2) };
}
"""


@dataclass(frozen=True)
class Drag:
    """What one drag took, in milliseconds: to the verdict, to distances and legality, and from frame to frame."""

    verdict: tuple[float, ...]
    table: tuple[float, ...]
    frames: tuple[float, ...]

    def __str__(self) -> str:
        """Return the 95th percentiles, and the frames in a second."""
        verdict, table = (float(np.percentile(times, 95)) if times else float("nan") for times in (self.verdict, self.table))
        rate = 1000.0 / float(np.mean(self.frames))
        slowest = float(np.percentile(self.frames, 95))
        return f"verdict p95 {verdict:.0f} ms, distances p95 {table:.0f} ms, {rate:.0f} frames/s (p95 {slowest:.0f} ms a frame)"


@contextmanager
def open_page(address: str) -> Iterator[Any]:
    """Yield a page in Chromium with its first table resolved."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = running.new_page(viewport={"width": 1280, "height": 800}, bypass_csp=True)
        page.set_default_timeout(120_000)
        page.goto(address)
        page.wait_for_function("globalThis.tabletop?.store.answer && !tabletop.store.isStale")
        yield page
        running.close()


@contextmanager
def served() -> Iterator[str]:
    """Yield the address of a server in a process of its own."""
    command = [sys.executable, "-m", "tabletop", "page", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - this program
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        yield found[0]
        process.terminate()


def drag(page: Any, scenario: dict[str, Any], *, unit: str = "A", steps: int = 100, pause: int = 16) -> Drag:
    """Drag a unit round a loop, a pointer event every `pause` milliseconds, and return what it took."""
    told = page.evaluate(DRAG, {"scenario": scenario, "unit": unit, "steps": steps, "pause": pause})
    return Drag(tuple(told["answered"]), tuple(told["seen"]), tuple(told["frames"]))


def bundled(page: Any, name: str) -> dict[str, Any]:
    """Return a bundled scenario, as the page gets it."""
    return dict(page.evaluate("async (name) => (await (await fetch(`/api/scenarios/${name}`)).json()).scenario", name))


def crowd(count: int = MODELS) -> dict[str, Any]:
    """Return a table of loose models in four units, one of which has charged nobody yet."""
    quarter = count // 4
    block = [[1.4 * (number % 10), 1.4 * (number // 10)] for number in range(quarter)]
    corners = {"A": (3.0, 3.0), "B": (28.0, 3.0), "C": (3.0, 28.0), "D": (28.0, 28.0)}
    units = {
        name: {"side": "blue" if name in "AC" else "red", "base": "32mm round", "at": [[x + dx, y + dy] for dx, dy in block]}
        for name, (x, y) in corners.items()
    }
    return {"system": "wh40k", "title": "A crowd", "board": {"width": 60.0, "depth": 44.0}, "units": units}


def main() -> None:
    """Print a line for each game, and one for a crowd."""
    with served() as address, open_page(address) as page:
        for system, name in DRAGGED.items():
            print(f"{system:11} {name:34} {drag(page, bundled(page, name))}", flush=True)
        print(f"{'wh40k':11} {f'{MODELS} models':34} {drag(page, crowd())}", flush=True)


if __name__ == "__main__":
    main()
