"""Resolves the cases of a grid: one after another, on the local cores, or on a Dask cluster, in chunks sized by time."""

import math
import multiprocessing
import multiprocessing.connection
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tabletop.budget import Budget
from tabletop.distribution import install_line
from tabletop.errors import NoVerdictError, UsageError, message_of
from tabletop.exploring.grid import Grid
from tabletop.exploring.varied import Row, VariedScenario, rows_of

CHUNK_SECONDS = 0.5
"""Work in one chunk: what is lost with a worker, and how often results come in."""

MOST_IN_CHUNK = 5_000

SECONDS_WORTH_WORKERS = 0.5
"""Seconds of work left from which starting workers pays."""

QUEUED = 3
"""Chunks under way or waiting for each worker."""

WORKERS_LOST = 3
"""Workers that one chunk may cost."""

UNLIMITED = Budget()

Numbers = NDArray[np.int64]


class ResultSink(Protocol):
    """Where results are kept: on disk, or in memory."""

    @property
    def missing(self) -> Numbers:
        """Numbers of the cases that are not done."""
        ...

    def add(self, cases: Iterable[list[Row]]) -> None:
        """Keep the rows of some cases."""
        ...

    def finish(self) -> None:
        """Note that all are there."""
        ...


Chunk = tuple[int, ...]

Progress = Callable[[int], None]


@dataclass
class Throughput:
    """Seconds that a case takes, learnt on the way."""

    seconds: float = 0.0
    cases: int = 0

    def learn(self, seconds: float, cases: int) -> None:
        """Take a finished chunk into account."""
        self.seconds += seconds
        self.cases += cases

    @property
    def chunk(self) -> int:
        """Cases for one chunk."""
        if not self.cases or not self.seconds:
            return 1
        return max(1, min(MOST_IN_CHUNK, int(CHUNK_SECONDS * self.cases / self.seconds)))

    def left(self, cases: int) -> float:
        """Seconds that so many more cases would take one after another."""
        return cases * self.seconds / self.cases if self.cases else 0.0


def solved(base: VariedScenario, grid: Grid, chunk: Chunk) -> tuple[list[list[Row]], float]:
    """Resolve some cases, by number; give their rows and the seconds it took."""
    started = time.perf_counter()
    rows = [rows_of(base, grid[number]) for number in chunk]
    return rows, time.perf_counter() - started


def run(
    base: VariedScenario,
    grid: Grid,
    journal: ResultSink,
    *,
    workers: int,
    scheduler: str | None = None,
    done: Progress | None = None,
    limit: Budget = UNLIMITED,
) -> None:
    """Resolve every case that the journal misses, and finish it; `done` is told how many cases came in.

    Where `limit` has seconds, workers are ended when they are over: a case is resolved as without a limit, or not at all.

    Raises
    ------
    UsageError
        If the scheduler cannot be reached.
    NoVerdictError
        If a case ends every worker that takes it on, or the time is over.
    """
    tell = done or _nobody
    missing = journal.missing
    pace = Throughput()
    if scheduler is not None and len(missing):
        _on_cluster(base, grid, journal, missing, pace=pace, scheduler=scheduler, tell=tell, limit=limit)
    else:
        first, is_limited = 0, limit.seconds is not None
        while (
            first < len(missing)
            and not is_limited
            and (workers < 2 or first < 1 or pace.left(len(missing) - first) < SECONDS_WORTH_WORKERS)  # noqa: PLR2004
        ):
            chunk = tuple(missing[first : first + pace.chunk].tolist())
            _take(journal, pace, solved(base, grid, chunk), tell)
            first += len(chunk)
        if first < len(missing):
            count = min(workers, len(missing) - first)
            _on_cores(base, grid, journal, missing[first:], pace=pace, workers=count, tell=tell, limit=limit)
    journal.finish()


def _nobody(count: int) -> None:
    del count


def _take(journal: ResultSink, pace: Throughput, found: tuple[list[list[Row]], float], tell: Progress) -> None:
    rows, seconds = found
    journal.add(rows)
    pace.learn(seconds, len(rows))
    tell(len(rows))


def _on_cores(
    base: VariedScenario,
    grid: Grid,
    journal: ResultSink,
    missing: Numbers,
    *,
    pace: Throughput,
    workers: int,
    tell: Progress,
    limit: Budget,
) -> None:
    """Give chunks to processes; those of a process that dies are given out again."""
    waiting = _WorkQueue(missing, pace, workers)
    while waiting:
        with pool_of(workers, limit) as pool:
            under_way: dict[Future[Any], Chunk] = {}
            try:
                while waiting or under_way:
                    while waiting and len(under_way) < (1 if waiting.retried_alone else QUEUED * workers):
                        with waiting.given_out() as chunk:
                            under_way[pool.submit(solved, base, grid, chunk)] = chunk
                    for future in wait(under_way, timeout=_timeout(limit), return_when=FIRST_COMPLETED).done:
                        _take(journal, pace, future.result(), tell)
                        del under_way[future]
                    _refuse_late(journal, grid, limit)
            except BrokenProcessPool:
                _refuse_late(journal, grid, limit)
                waiting.give_back(under_way.values())
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def _refuse_late(journal: ResultSink, grid: Grid, limit: Budget) -> None:
    """Stop when the time is over and cases are missing."""
    if limit.seconds_left <= 0.0 and len(journal.missing):
        raise _late(journal, grid, limit)


def _late(journal: ResultSink, grid: Grid, limit: Budget) -> NoVerdictError:
    done = len(grid) - len(journal.missing)
    return NoVerdictError(
        "stopped at its limit of {seconds:g} s with {done:,} of {count:,} cases resolved; "
        "where the table has a name what is done is kept, and the same command goes on",
        seconds=limit.seconds,
        done=done,
        count=len(grid),
    )


def _timeout(limit: Budget) -> float | None:
    return None if limit.seconds is None else max(0.0, limit.seconds_left)


def pool_of(workers: int, limit: Budget = UNLIMITED) -> ProcessPoolExecutor:
    """Make worker processes that end with this process, or when the time is over."""
    return ProcessPoolExecutor(workers, mp_context=context(), initializer=_end_in_time, initargs=(_timeout(limit),))


def _end_in_time(seconds: float | None) -> None:
    """Let a worker end when the process that gives it work ends, however it ends, or after so many seconds."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel, seconds), daemon=True).start()


def _end_with(sentinel: int, seconds: float | None) -> None:
    multiprocessing.connection.wait([sentinel], timeout=seconds)
    os._exit(1)


def context() -> Any:
    """Fork where that is safe and quick: new interpreters take seconds to start."""
    return multiprocessing.get_context("fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn")


class _WorkQueue:
    """Cases that nobody works on, given out in chunks; those a dead worker had are `retried_alone`.

    Towards the end chunks become smaller, so that no worker waits long for the last.
    """

    def __init__(self, missing: Numbers, pace: Throughput, workers: int) -> None:
        self._missing, self._given, self._pace, self._workers = missing, 0, pace, workers
        self.retried_alone: list[int] = []
        self._tries: dict[int, int] = {}

    def __bool__(self) -> bool:
        return self._given < len(self._missing) or bool(self.retried_alone)

    def next_chunk(self) -> Chunk:
        if self.retried_alone:
            return (self.retried_alone.pop(),)
        share = math.ceil((len(self._missing) - self._given) / (QUEUED * self._workers))
        size = max(1, min(self._pace.chunk, share))
        chunk = self._missing[self._given : self._given + size]
        self._given += len(chunk)
        return tuple(chunk.tolist())

    @contextmanager
    def given_out(self) -> Iterator[Chunk]:
        """Give out the next chunk; where no pool takes it, since a worker has died meanwhile, it waits on."""
        chunk = self.next_chunk()
        try:
            yield chunk
        except BrokenProcessPool:
            self.retried_alone += chunk
            raise

    def give_back(self, chunks: Iterable[Chunk]) -> None:
        back = [number for chunk in chunks for number in chunk]
        if len(back) == 1:
            (number,) = back
            self._tries[number] = self._tries.get(number, 0) + 1
            if self._tries[number] >= WORKERS_LOST:
                message = "case {number} of the grid ended {most} workers; what is done is kept"
                raise NoVerdictError(message, number=number, most=WORKERS_LOST)
        self.retried_alone += back


def _on_cluster(
    base: VariedScenario,
    grid: Grid,
    journal: ResultSink,
    missing: Numbers,
    *,
    pace: Throughput,
    scheduler: str,
    tell: Progress,
    limit: Budget,
) -> None:
    """Give chunks to the workers of a cluster; the scheduler gives those of a lost worker to others."""
    client, as_completed = _client(scheduler)
    with client:
        workers = max(1, sum(client.nthreads().values()))
        waiting = _WorkQueue(missing, pace, workers)
        [known] = client.scatter([(base, grid)], broadcast=True, hash=False)  # an equal one of a run that ends is taken away with it

        def submit() -> Any:
            return client.submit(_solved_remotely, known, waiting.next_chunk(), pure=False, retries=WORKERS_LOST)

        first = [submit() for _ in range(QUEUED * workers) if waiting]
        under_way = as_completed(first, with_results=True, timeout=_timeout(limit))
        try:
            for _, found in under_way:
                _take(journal, pace, found, tell)
                _refuse_late(journal, grid, limit)
                if waiting:
                    under_way.add(submit())
        except TimeoutError:
            if limit.seconds is None:
                raise
            raise _late(journal, grid, limit) from None


def _solved_remotely(known: tuple[VariedScenario, Grid], chunk: Chunk) -> tuple[list[list[Row]], float]:
    return solved(*known, chunk)


def _client(scheduler: str) -> tuple[Any, Any]:
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise UsageError("--scheduler needs dask.distributed: {command}", command=install_line("explore")) from None
    try:
        return Client(scheduler, timeout=10), as_completed  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError("--scheduler {scheduler}: cannot be reached: {error}", scheduler=scheduler, error=message_of(error)) from None
