"""The page in a real Chromium: from the command to the first picture, and from the pointer to the verdict on the screen
during a drag.

`python -m benchmarks.page_browser` prints a line for the start, one for each game on the tables of `benchmarks.page`,
and one for a crowd. Times of a drag are those between a pointer event, each of them (on hexes each that leads into
another one), and the first frame after the first answer about a table that is no older, with the median before the 95th
percentile. Frames are those in which the table was drawn anew, on hexes only where a unit enters another one. Each drag
begins when all processes rest: a few seconds after its start the page loads what further ones are forked from. In the
end stands how much of one processor all processes together took while the drag was on: it holds on a machine that is
busy, too.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.page import TABLES, tables_of

MODELS = 200
STARTS = 3
REST, MOST_REST = 0.02, 30.0
"""Share of a processor below which all processes rest for a second, and the seconds after which that is no longer
waited for."""
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
    .dispatchEvent(new PointerEvent(type, {
      bubbles: true, cancelable: true, pointerId: 7, isPrimary: true, button: 0, clientX, clientY,
    }));
  const waiting = { answered: [], seen: [] }, times = { answered: [], seen: [] }, frames = [];
  let fired = [], isOn = true, isDrawn = false, last = performance.now();
  const since = last, isHexed = scenario.system === "battletech";
  const ends = [store.on("scenario", () => {
    const moved = isHexed ? fired.slice(-1) : fired;
    for (const kind of ["answered", "seen"]) waiting[kind].push(...moved.map((pointer) => [store.revision, pointer]));
    fired = [];
  })];
  const drawn = () => { isDrawn = true; };
  document.addEventListener("painted", drawn);
  ends.push(() => document.removeEventListener("painted", drawn));
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
  (async () => {
    while (isOn) {
      await frame();
      if (!isDrawn) continue;
      isDrawn = false;
      const now = performance.now();
      frames.push(now - last);
      last = now;
    }
  })();
  fire("pointerdown", start);
  for (let step = 0; step < steps; step += 1) {
    const turn = (2 * Math.PI * step) / steps;
    fired.push(performance.now());
    fire("pointermove", [start[0] + 60 * Math.sin(turn), start[1] + 40 * (1 - Math.cos(turn))]);
    await new Promise((done) => setTimeout(done, pause));
  }
  isOn = false;
  fire("pointerup", start);
  await until(() => !store.isStale && !store.busy && !waiting.answered.length && !waiting.seen.length);
  for (let wait = 0; wait < 4; wait += 1) await frame();
  ends.forEach((end) => end());
  return { ...times, frames: frames.slice(2), spent: performance.now() - since };
}
"""


@dataclass(frozen=True)
class Drag:
    """What a drag took, in ms: to the verdict, to distances and legality, from frame to frame; and the processors it
    kept busy.
    """

    verdict: tuple[float, ...]
    table: tuple[float, ...]
    frames: tuple[float, ...]
    busy: float

    def __str__(self) -> str:
        """Return medians and 95th percentiles, the frames in a second, and the work for each."""
        verdict, table = (_middle_and_most(times) for times in (self.verdict, self.table))
        rate = 1000.0 / float(np.mean(self.frames))
        slowest = float(np.percentile(self.frames, 95))
        return (
            f"verdict {verdict} ms, distances {table} ms, {rate:.0f} frames/s (p95 {slowest:.0f} ms a frame), "
            f"{self.busy:.2f} processors"
        )


def _middle_and_most(times: tuple[float, ...]) -> str:
    middle, most = np.percentile(times, (50, 95)) if times else (np.nan, np.nan)
    return f"p50 {middle:.0f} p95 {most:.0f}"


@contextmanager
def open_page(address: str) -> Iterator[Any]:
    """Yield a page in Chromium with its first table resolved."""
    with opened_browser() as running:
        page = new_page(running)
        page.goto(address)
        page.wait_for_function("globalThis.tabletop?.store.answer && !tabletop.store.isStale")
        yield page


@contextmanager
def opened_browser() -> Iterator[Any]:
    """Yield Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        yield running
        running.close()


def new_page(running: Any) -> Any:
    """Return an empty page."""
    page = running.new_page(viewport={"width": 1280, "height": 800}, bypass_csp=True)
    page.set_default_timeout(120_000)
    return page


def first_picture(running: Any) -> float:
    """Return the seconds from the command to the first table with its ruling on the screen of a browser that runs."""
    page = new_page(running)
    since = time.perf_counter()
    with served() as (address, _):
        page.goto(address, wait_until="commit")
        page.wait_for_function(
            "globalThis.tabletop?.store.answer && document.querySelector('#layer-units .mark')"
            " && new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))",
            polling=10,
        )
        spent = time.perf_counter() - since
    page.close()
    return spent


@contextmanager
def served() -> Iterator[tuple[str, int]]:
    """Yield the address of a server in a process of its own, and the number of that."""
    command = [sys.executable, "-m", "tabletop", "page", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - this program
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        yield found[0], process.pid
        process.terminate()


def drag(
    page: Any, scenario: dict[str, Any], *, unit: str = "A", steps: int = 100, pause: int = 16
) -> Drag:
    """Drag a unit round a loop, a pointer event every `pause` milliseconds, and return what it took."""
    _rest()
    since = _work_of_children()
    told = page.evaluate(DRAG, {"scenario": scenario, "unit": unit, "steps": steps, "pause": pause})
    worked = _work_of_children() - since
    return Drag(
        tuple(told["answered"]), tuple(told["seen"]), tuple(told["frames"]), worked / told["spent"]
    )


def _rest() -> None:
    """Wait until the server, the processes beside it and the browser have nothing to do.

    Raises
    ------
    TimeoutError
        If they always have.
    """
    end = time.monotonic() + MOST_REST
    while time.monotonic() < end:
        since = _work_of_children()
        time.sleep(1.0)
        if _work_of_children() - since < 1000.0 * REST:
            return
    raise TimeoutError(f"the page is still at work {MOST_REST:g} s after it was asked last")


def _work_of_children() -> float:
    """Return the milliseconds of the processor that the server, the processes beside it and the browser have spent so
    far.
    """
    parents = {}
    spent = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            told = (folder / "stat").read_text().rpartition(")")[2].split()
            parents[int(folder.name)], spent[int(folder.name)] = (
                int(told[1]),
                sum(map(int, told[11:15])),
            )
    family = {os.getpid()}
    while more := {one for one, parent in parents.items() if parent in family} - family:
        family |= more
    return 1000.0 * sum(spent[one] for one in family - {os.getpid()}) / os.sysconf("SC_CLK_TCK")


def crowd(count: int = MODELS) -> dict[str, Any]:
    """Return a table of loose models in four units, one of which has charged nobody yet."""
    quarter = count // 4
    block = [[1.4 * (number % 10), 1.4 * (number // 10)] for number in range(quarter)]
    corners = {"A": (3.0, 3.0), "B": (28.0, 3.0), "C": (3.0, 28.0), "D": (28.0, 28.0)}
    units = {
        name: {
            "side": "blue" if name in "AC" else "red",
            "base": "32mm round",
            "at": [[x + dx, y + dy] for dx, dy in block],
        }
        for name, (x, y) in corners.items()
    }
    return {
        "system": "wh40k",
        "title": "A crowd",
        "board": {"width": 60.0, "depth": 44.0},
        "units": units,
    }


def main() -> None:
    """Print a line for each game, and one for a crowd."""
    with opened_browser() as running:
        print(
            f"start to first picture: {', '.join(f'{first_picture(running):.2f}' for _ in range(STARTS))} s",
            flush=True,
        )
    with served() as (address, _), open_page(address) as page:
        for system, name in TABLES.items():
            scenario = tables_of(system)
            # what is asked first is loaded first
            drag(page, scenario, unit=scenario["charges"][0]["charger"], steps=20)
            print(
                f"{system:11} {name:34} {drag(page, scenario, unit=scenario['charges'][0]['charger'])}",
                flush=True,
            )
        print(f"{'wh40k':11} {f'{MODELS} models':34} {drag(page, crowd())}", flush=True)


if __name__ == "__main__":
    main()
