"""Processes beside the server: what ends their work, and what becomes of who waits."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import Any

import pytest

from tabletop.page.protocol import ENDPOINTS, Reply
from tabletop.page.workers import MOST_OF_A_PAGE, PageRequest, Worker, WorkerPool, early
from tabletop.scenario.parsing import parsed
from tabletop.scenario.sources import bundled_text
from tests.page.loops import run_apart

pytestmark = pytest.mark.xdist_group("page")
QUICK = parsed(bundled_text("t9a/wheel-and-align").encode())


def _hundred(side: str, west: float) -> dict[str, Any]:
    return {
        "side": side,
        "base": "32mm round",
        "at": [[west + 1.4 * (number % 2), 1 + 1.4 * (number // 2)] for number in range(100)],
    }


SLOW: dict[str, Any] = {
    "system": "wh40k",
    "board": {"width": 60, "depth": 75},
    "units": {"A": _hundred("blue", 20), "T": _hundred("red", 29)},
    "charges": [{"charger": "A", "targets": ["T"], "dice": [5, 5]}],
}
"""A hundred models against a hundred: no machine answers before it is ended."""


def asked(
    tables: dict[str, Any],
    title: str,
    page: str | None = None,
    kind: str = "resolve",
    **options: Any,
) -> PageRequest:
    """Ask about a scenario under another title, so that no answer is known."""
    data = json.dumps({"scenario": {**tables, "title": title}, "options": options}).encode()
    return PageRequest(kind, data, page, kind)


def run(tried: Callable[[WorkerPool], Awaitable[None]], **how: Any) -> None:
    """Try something with processes of its own."""

    async def whole() -> None:
        work = WorkerPool(**how)
        work.start()
        try:
            await tried(work)
        finally:
            await work.stop()

    run_apart(whole())


def test_questions_are_ended_replaced_and_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a newer question ends, what takes too long, whose process dies: each is told so, and the next is
    answered.
    """
    monkeypatch.setitem(ENDPOINTS, "odds", replace(ENDPOINTS["odds"], seconds=0.4))

    async def tried(work: WorkerPool) -> None:
        first = await work.ask(asked(QUICK, "first"))
        assert first.status == 200
        assert await work.ask(asked(QUICK, "first")) is first
        await _superseded(work)
        assert (await work.ask(asked(SLOW, "too long", kind="odds"))).status == 408
        await _died(work)
        await _left(work)
        assert (await work.ask(asked(QUICK, "last"))).status == 200

    run(tried)


def _ended(worker: Worker, together: Barrier) -> None:
    together.wait(60)
    worker.end()


def test_ended_by_several_at_once() -> None:
    """A page that stops ends its processes while those that answered nobody are being ended: none is closed twice."""
    with ThreadPoolExecutor(8) as threads:
        for _ in range(4):
            worker = early()
            together = Barrier(8)
            endings = [threads.submit(_ended, worker, together) for _ in range(8)]
            assert not any(ending.exception(timeout=60) for ending in endings)
            assert not worker.is_alive


@pytest.mark.parametrize("seconds", [0.0, 0.5, 2.5])
def test_a_page_that_stops_leaves_no_process(
    monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """Neither one that is still being started nor one at work for long: the server waits for all of them before it is
    gone.
    """
    workers: list[Worker] = []
    begin = Worker.__init__

    def begun(worker: Worker, *how: Any) -> None:
        begin(worker, *how)
        workers.append(worker)

    monkeypatch.setattr(Worker, "__init__", begun)

    async def whole() -> None:
        work = WorkerPool()
        work.start()
        asking = asyncio.ensure_future(work.ask(asked(SLOW, "at work")))
        await asyncio.sleep(seconds)
        asking.cancel()
        await work.stop()

    run_apart(whole())
    ends = time.monotonic() + 30.0
    while (not workers or any(worker.is_alive for worker in workers)) and time.monotonic() < ends:
        time.sleep(0.05)
    assert [worker.is_alive for worker in workers] == [False] * len(workers)
    assert workers


async def _superseded(work: WorkerPool) -> None:
    older = asyncio.ensure_future(work.ask(asked(SLOW, "older", "page")))
    other = asyncio.ensure_future(work.ask(asked(SLOW, "other", "another page")))
    await asyncio.sleep(0.2)
    newer = await work.ask(asked(QUICK, "newer", "page"))
    assert (newer.status, (await older).status, other.done()) == (200, 409, False)
    other.cancel()


async def _died(work: WorkerPool) -> None:
    """End all processes as often as it takes: one that had not begun hands its question on."""
    asking = asyncio.ensure_future(work.ask(asked(SLOW, "dies")))
    while not asking.done():
        for worker in list(work._all):
            worker._process.kill()
        await asyncio.sleep(0.1)
    reply = asking.result()
    assert (reply.status, b"ended" in reply.body) == (408, True)
    assert (await work.ask(asked(QUICK, "after a death"))).status == 200


async def _left(work: WorkerPool) -> None:
    """Whoever stops listening to a map ends the work on it."""
    lines = work.parts(asked(QUICK, "map", kind="explore", question="start", step=0.5))
    assert json.loads(await anext(lines))["done"] == 0
    before = set(work._all)
    await lines.aclose()
    assert len(before - work._all) == 1


def test_memory_and_number_are_limited() -> None:
    """A question that takes all memory, and one too many, are told so; others are answered."""

    async def tried(work: WorkerPool) -> None:
        greedy = asked(QUICK, "greedy", kind="draw", format="png", size="17x17in", dpi=500)
        assert (await work.ask(greedy)).status == 408
        assert (await work.ask(asked(QUICK, "modest"))).status == 200
        crowd = [
            asyncio.ensure_future(
                work.ask(PageRequest("resolve", asked(SLOW, f"{number}").data, "page", f"{number}"))
            )
            for number in range(40)
        ]
        await asyncio.sleep(0.1)
        refused = [one.result().status for one in crowd if one.done()]
        assert refused == [429] * (40 - MOST_OF_A_PAGE)
        for one in crowd:
            one.cancel()
        await asyncio.gather(*crowd, return_exceptions=True)

    run(tried, memory=750 * 2**20)


def test_answers_are_kept_up_to_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was asked for the longest time ago is forgotten first."""
    monkeypatch.setattr("tabletop.page.workers.KEPT", 10)

    async def tried() -> None:
        work = WorkerPool()
        for number in range(5):
            work._keep(PageRequest("theme", str(number).encode()), Reply(b"1234"))
        assert [
            work._known(PageRequest("theme", str(number).encode())) is not None
            for number in range(5)
        ] == [False] * 3 + [True] * 2

    run_apart(tried())
