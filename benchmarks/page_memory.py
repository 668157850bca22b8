"""Whether the page grows: `python -m benchmarks.page_memory [DRAGS]`, 10,000 unless told, in a real Chromium.

Each drag is a press, three moves and a release somewhere else; after every tenth the page waits for the ruling. Every
500 drags a line is printed: the megabytes that the page's scripts hold once what nobody holds is gone, elements of the
page, steps of its history, and the megabytes in memory of the server and of the largest process beside it.
"""

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.page_browser import open_page, served

DRAGS = 10_000
EVERY = 500
MEGABYTE = 2**20
DRAGGED = """
async ({count, seed}) => {
  const { store, table } = tabletop;
  const { svg } = table;
  const until = async (test) => { while (!test()) await new Promise((done) => setTimeout(done, 5)); };
  let state = seed;
  const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
  svg.setPointerCapture = () => {};
  const fire = (on, type, [clientX, clientY]) => on.dispatchEvent(
    new PointerEvent(type, {
      bubbles: true, cancelable: true, pointerId: 7, isPrimary: true, button: 0, clientX, clientY,
    }));
  for (let drag = 0; drag < count; drag += 1) {
    const hit = svg.querySelector('.thing[data-key="unit A"] .hit');
    const box = hit.getBoundingClientRect(), board = svg.getBoundingClientRect();
    const from = [box.left + box.width / 2, box.top + box.height / 2];
    const to = [board.left + board.width * (0.15 + 0.6 * random()), board.top + board.height * (0.2 + 0.3 * random())];
    fire(hit, "pointerdown", from);
    const between = (share) => from.map((one, axis) => one + share * (to[axis] - one));
    for (const share of [0.3, 0.7, 1]) fire(svg, "pointermove", between(share));
    fire(svg, "pointerup", to);
    await new Promise((done) => requestAnimationFrame(done));
    if (drag % 10 === 9) await until(() => !store.isStale && !store.busy);
  }
  await until(() => !store.isStale && !store.busy);
  delete svg.setPointerCapture;
}
"""


@dataclass(frozen=True)
class Sample:
    """How large everything is: bytes of the page's scripts, its elements and steps, and bytes of processes by their
    numbers.
    """

    heap: int
    nodes: int
    steps: int
    processes: dict[int, int]


def dragged(page: Any, count: int, seed: int) -> None:
    """Drag a unit here and there; now and then wait for the ruling."""
    page.evaluate(DRAGGED, {"count": count, "seed": seed})


def sample(page: Any, server: int) -> Sample:
    """Return how large the page is once all that nobody holds is gone, and a server with all that it started."""
    told = page.context.new_cdp_session(page)
    told.send("HeapProfiler.collectGarbage")
    heap = int(told.send("Runtime.getHeapUsage")["usedSize"])
    told.detach()
    nodes, steps = page.evaluate("[document.querySelectorAll('*').length, tabletop.store.depth]")
    return Sample(heap, nodes, steps, dict(_resident(server)))


def _resident(server: int) -> Iterator[tuple[int, int]]:
    """Yield the numbers of a process and of those that it started, with their bytes in memory."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            found[int(folder.name)] = (
                parent,
                int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE"),
            )
        except OSError:
            continue  # ended meanwhile
    family = {server}
    while more := {one for one, (parent, _) in found.items() if parent in family} - family:
        family |= more
    yield from ((one, found[one][1]) for one in family if one in found)


def main() -> None:
    """Print the table."""
    drags = int(sys.argv[1]) if len(sys.argv) > 1 else DRAGS
    since = time.perf_counter()
    with served() as (address, process), open_page(address) as page:
        print("drags  scripts MB  elements  steps  server MB  beside it MB  seconds")
        for done in range(0, drags + 1, EVERY):
            if done:
                dragged(page, min(EVERY, drags - done + EVERY), done)
            now = sample(page, process)
            beside = max((size for pid, size in now.processes.items() if pid != process), default=0)
            sizes = (now.heap, now.processes[process], beside)
            scripts, server, other = (size / MEGABYTE for size in sizes)
            spent = time.perf_counter() - since
            print(
                f"{done:5}  {scripts:10.1f}  {now.nodes:8}  {now.steps:5}  {server:9.0f}  {other:12.0f}  {spent:7.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
