"""Thousands of drags: neither the browser nor the server grows."""

import os
import random
from pathlib import Path
from typing import Any

from tabletop.page.work import KEPT
from tests.page.browser.conftest import NewPage, Server
from tests.page.browser.hands import depth, middle, settled

DRAGS = int(os.environ.get("DRAGS", "10000"))
TOGETHER = 10
"""Drags one after the other without waiting for their rulings."""
MEGABYTE = 2**20
HISTORY = 4_000
"""Bytes that one step of the history may take in the browser: what it shares with others takes none."""
SLACK = 40 * MEGABYTE
"""Bytes by which a process of the server may grow: what its libraries keep for the next question."""


def heap(page: Any) -> int:
    """Return the bytes that the page's scripts hold, once all that nobody holds is gone."""
    told = page.context.new_cdp_session(page)
    told.send("HeapProfiler.collectGarbage")
    used = int(told.send("Runtime.getHeapUsage")["usedSize"])
    told.detach()
    return used


def nodes(page: Any) -> int:
    """Return how many elements the page has."""
    return int(page.evaluate("document.querySelectorAll('*').length"))


def resident(pid: int) -> dict[int, int]:
    """Return the bytes in memory of a process and of those that it started, by their numbers."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            found[int(folder.name)] = (parent, int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE"))
        except OSError:
            continue  # ended meanwhile
    family = {pid}
    while more := {one for one, (parent, _) in found.items() if parent in family} - family:
        family |= more
    return {one: found[one][1] for one in family if one in found}


def dragged(page: Any, count: int, rng: random.Random) -> None:
    """Drag a unit here and there by hand, each time to another place; now and then wait for the ruling."""
    box = page.locator("#table").bounding_box()
    for number in range(count):
        if number % TOGETHER == 0:
            settled(page)
            x, y = middle(page, "unit A")
            page.mouse.move(x, y)
        page.mouse.down()
        x, y = (box["x"] + box["width"] * rng.uniform(0.15, 0.75), box["y"] + box["height"] * rng.uniform(0.2, 0.5))
        page.mouse.move(x, y)
        page.mouse.up()
    settled(page)


def test_thousands_of_drags_leave_nothing_behind(new_page: NewPage) -> None:
    """After a fifth of the drags nothing grows any more but the history, which has no end, and the answers that are kept, which have."""
    own = Server()
    own.start()
    try:
        page = new_page(address=own.address)
        rng = random.Random(1)  # noqa: S311 - places, not secrets
        dragged(page, DRAGS // 5, rng)
        assert own.process is not None
        before = (heap(page), nodes(page), resident(own.process.pid), depth(page))
        dragged(page, DRAGS - DRAGS // 5, rng)
        after = (heap(page), nodes(page), resident(own.process.pid), depth(page))
        assert after[3] > DRAGS / 2
        assert after[0] - before[0] < HISTORY * (after[3] - before[3]) + 5 * MEGABYTE
        assert after[1] < before[1] + 200
        assert after[2][own.process.pid] < before[2][own.process.pid] + KEPT + SLACK
        for pid in before[2].keys() & after[2].keys() - {own.process.pid}:
            assert after[2][pid] < before[2][pid] + SLACK
    finally:
        own.stop()
