"""Many drags: neither the browser nor the server grows. `python -m benchmarks.page_memory` does ten times as many."""

import pytest

from benchmarks.page_memory import MEGABYTE, dragged, sample
from tabletop.page.workers import KEPT
from tests.page.browser.conftest import NewPage, Server
from tests.page.browser.hands import settled

DRAGS = 1_000
HISTORY = 4_000
"""Bytes that one step of the history may take in the browser: what it shares with others takes none."""
SLACK = 40 * MEGABYTE
"""Bytes by which a process of the server may grow: what its libraries keep for the next question."""


@pytest.mark.oracle
def test_a_thousand_drags_leave_nothing_behind(new_page: NewPage) -> None:
    """After a fifth of the drags nothing grows any more but the history, which has no end, and the answers that are
    kept, which have.
    """
    own = Server()
    own.start()
    try:
        page = new_page(address=own.address)
        settled(page)
        assert own.process is not None
        server = own.process.pid
        dragged(page, DRAGS // 5, 1)
        before = sample(page, server)
        dragged(page, DRAGS - DRAGS // 5, 2)
        after = sample(page, server)
        assert after.steps > DRAGS / 2
        assert after.heap - before.heap < HISTORY * (after.steps - before.steps) + 5 * MEGABYTE
        assert after.nodes < before.nodes + 200
        assert after.processes[server] < before.processes[server] + KEPT + SLACK
        for pid in before.processes.keys() & after.processes.keys() - {server}:
            assert after.processes[pid] < before.processes[pid] + SLACK
    finally:
        own.stop()
