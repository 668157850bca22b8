"""Resolves the cases of a grid: one after another, on the local cores, or on a Dask cluster, in chunks sized by time."""

import math
import multiprocessing
import multiprocessing.connection
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tabletop.budget import Budget
from tabletop.distribution import install_line
from tabletop.errors import NoVerdictError, UsageError, message_of
from tabletop.exploring.grid import Grid
from tabletop.exploring.varied import Row, VariedScenario, rows_of

CHUNK_SECONDS = 0.5
"""Seconds of work in one chunk: what is lost with a worker, and how often results arrive."""

MOST_IN_CHUNK = 5_000

SECONDS_WORTH_WORKERS = 0.5
"""Seconds of remaining work above which starting workers pays."""

QUEUED = 3
"""Number of chunks under way or waiting per worker."""

WORKERS_LOST = 3
"""Number of workers that one chunk may cost."""

CORES = os.cpu_count() or 1

Numbers = NDArray[np.int64]


class ResultSink(Protocol):
    """Where results are stored: on disk, or in memory."""

    @property
    def missing(self) -> Numbers:
        """Numbers of the cases that are not done."""
        ...

    def add(self, numbers: Sequence[int], cases: Iterable[list[Row]]) -> None:
        """Store the rows of the cases with some numbers."""
        ...


Chunk = tuple[int, ...]

Progress = Callable[[int], None]


def ignored(count: int) -> None:
    """Ignore progress."""
    del count


@dataclass(frozen=True)
class Execution:
    """How cases are resolved: by so many processes here, or by the workers of a Dask scheduler.

    `progress` is called with the number of cases that came in, whenever some did. Where `limit` has seconds, workers are ended when they
    are over: a case is resolved as without a limit, or not at all.
    """

    workers: int = CORES
    scheduler: str | None = None
    progress: Progress = ignored
    limit: Budget = field(default_factory=Budget)


@dataclass
class Throughput:
    """Seconds per case, estimated from finished chunks."""

    seconds: float = 0.0
    cases: int = 0

    def learn(self, seconds: float, cases: int) -> None:
        """Update the estimate with a finished chunk."""
        self.seconds += seconds
        self.cases += cases

    @property
    def chunk(self) -> int:
        """Number of cases for one chunk."""
        if not self.cases or not self.seconds:
            return 1
        return max(1, min(MOST_IN_CHUNK, int(CHUNK_SECONDS * self.cases / self.seconds)))

    def left(self, cases: int) -> float:
        """Return the seconds that so many more cases would take one after another."""
        return cases * self.seconds / self.cases if self.cases else 0.0


@dataclass(frozen=True)
class Solved:
    """The rows of some cases, by their numbers, and the seconds it took to resolve them."""

    numbers: Chunk
    cases: list[list[Row]]
    seconds: float


def solved(base: VariedScenario, grid: Grid, chunk: Chunk) -> Solved:
    """Return the rows of some cases."""
    started = time.perf_counter()
    cases = [rows_of(base, grid[number]) for number in chunk]
    return Solved(chunk, cases, time.perf_counter() - started)


def run(base: VariedScenario, grid: Grid, sink: ResultSink, how: Execution) -> None:
    """Resolve every case that the sink misses.

    Raises
    ------
    UsageError
        If the scheduler cannot be reached.
    NoVerdictError
        If a case ends every worker that takes it on, or the time is over.
    """
    _Run(base, grid, sink, how).run()


@dataclass
class _Run:
    """A run of cases from grid to sink."""

    base: VariedScenario
    grid: Grid
    sink: ResultSink
    how: Execution
    throughput: Throughput = field(default_factory=Throughput)

    def run(self) -> None:
        missing = self.sink.missing
        if self.how.scheduler is not None and len(missing):
            self.on_cluster(self.how.scheduler, missing)
            return
        first = 0
        while first < len(missing) and self.is_quicker_here(first, len(missing) - first):
            chunk = tuple(missing[first : first + self.throughput.chunk].tolist())
            self.take(solved(self.base, self.grid, chunk))
            first += len(chunk)
        if first < len(missing):
            self.on_cores(missing[first:])

    def is_quicker_here(self, done: int, left: int) -> bool:
        """Return whether starting workers takes longer than it saves; with a time limit they are always used, since they can be ended."""
        is_short = self.how.workers < 2 or not done or self.throughput.left(left) < SECONDS_WORTH_WORKERS  # noqa: PLR2004 - others
        return self.how.limit.seconds is None and is_short

    def take(self, found: Solved) -> None:
        self.sink.add(found.numbers, found.cases)
        self.throughput.learn(found.seconds, len(found.cases))
        self.how.progress(len(found.cases))

    def on_cores(self, missing: Numbers) -> None:
        """Send chunks to processes, and those of a process that dies once more."""
        workers = min(self.how.workers, len(missing))
        waiting = _WorkQueue(missing, self.throughput, workers)
        while waiting:
            with pool_of(workers, self.how.limit) as pool:
                under_way: dict[Future[Solved], Chunk] = {}
                try:
                    while waiting or under_way:
                        while waiting and len(under_way) < (1 if waiting.retried_alone else QUEUED * workers):
                            with waiting.given_out() as chunk:
                                under_way[pool.submit(solved, self.base, self.grid, chunk)] = chunk
                        for future in wait(under_way, timeout=_timeout(self.how.limit), return_when=FIRST_COMPLETED).done:
                            self.take(future.result())
                            del under_way[future]
                        self.refuse_late()
                except BrokenProcessPool:
                    self.refuse_late()
                    waiting.give_back(under_way.values())
                except BaseException:
                    pool.shutdown(wait=False, cancel_futures=True)
                    raise

    def on_cluster(self, scheduler: str, missing: Numbers) -> None:
        """Send chunks to the workers of a cluster, whose scheduler reassigns those of a lost worker."""
        client, as_completed = _client(scheduler)
        with client:
            workers = max(1, sum(client.nthreads().values()))
            waiting = _WorkQueue(missing, self.throughput, workers)
            whole = (self.base, self.grid)
            [known] = client.scatter([whole], broadcast=True, hash=False)  # an equal one of a run that ends is taken away with it

            def submit() -> Any:
                return client.submit(_solved_remotely, known, waiting.next_chunk(), pure=False, retries=WORKERS_LOST)

            first = [submit() for _ in range(QUEUED * workers) if waiting]
            under_way = as_completed(first, with_results=True, timeout=_timeout(self.how.limit))
            try:
                for _, found in under_way:
                    self.take(found)
                    self.refuse_late()
                    if waiting:
                        under_way.add(submit())
            except TimeoutError:
                if self.how.limit.seconds is None:
                    raise
                raise self.late() from None

    def refuse_late(self) -> None:
        """Raise NoVerdictError if the time is over and cases are missing."""
        if self.how.limit.seconds_left <= 0.0 and len(self.sink.missing):
            raise self.late()

    def late(self) -> NoVerdictError:
        return NoVerdictError(
            "stopped at the limit of {seconds:g} s with {done:,} of {count:,} cases resolved; with -o FILE the finished "
            "rows are kept, and running the same command again continues from there",
            seconds=self.how.limit.seconds,
            done=len(self.grid) - len(self.sink.missing),
            count=len(self.grid),
        )


def _timeout(limit: Budget) -> float | None:
    return None if limit.seconds is None else max(0.0, limit.seconds_left)


def pool_of(workers: int, limit: Budget) -> ProcessPoolExecutor:
    """Return a pool of worker processes that end with this process, or when the time is over."""
    return ProcessPoolExecutor(workers, mp_context=context(), initializer=_end_in_time, initargs=(_timeout(limit),))


def _end_in_time(seconds: float | None) -> None:
    """Make a worker exit when its parent process ends, however it ends, or after so many seconds."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel, seconds), daemon=True).start()


def _end_with(sentinel: int, seconds: float | None) -> None:
    multiprocessing.connection.wait([sentinel], timeout=seconds)
    os._exit(1)


def context() -> Any:
    """Return the multiprocessing context: fork where that is safe, since new interpreters take seconds to start."""
    return multiprocessing.get_context("fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn")


class _WorkQueue:
    """Cases not yet taken, given out in chunks; those of a dead worker are `retried_alone`.

    Towards the end chunks become smaller, so that no worker waits long for the last.
    """

    def __init__(self, missing: Numbers, throughput: Throughput, workers: int) -> None:
        self._missing, self._given, self._throughput, self._workers = missing, 0, throughput, workers
        self.retried_alone: list[int] = []
        self._tries: dict[int, int] = {}

    def __bool__(self) -> bool:
        return self._given < len(self._missing) or bool(self.retried_alone)

    def next_chunk(self) -> Chunk:
        if self.retried_alone:
            return (self.retried_alone.pop(),)
        share = math.ceil((len(self._missing) - self._given) / (QUEUED * self._workers))
        size = max(1, min(self._throughput.chunk, share))
        chunk = self._missing[self._given : self._given + size]
        self._given += len(chunk)
        return tuple(chunk.tolist())

    @contextmanager
    def given_out(self) -> Iterator[Chunk]:
        """Yield the next chunk; if no pool takes it, since a worker died meanwhile, it stays in the queue."""
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
                message = "case {number} of the grid ended {most} worker processes; the finished rows are kept"
                raise NoVerdictError(message, number=number, most=WORKERS_LOST)
        self.retried_alone += back


def _solved_remotely(known: tuple[VariedScenario, Grid], chunk: Chunk) -> Solved:
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
