"""Resolve the cases of a grid, one after another, on local processes or on a Dask cluster, in chunks sized by time."""

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
    """Protocol of a store for results, on disk or in memory."""

    @property
    def missing(self) -> Numbers:
        """Numbers of the cases whose results are not stored yet, shape (n,)."""
        ...

    def add(self, numbers: Sequence[int], cases: Iterable[list[Row]]) -> None:
        """Store results: `cases` holds the list of rows of each case, in the order of the case `numbers`."""
        ...


Chunk = tuple[int, ...]

Progress = Callable[[int], None]


def ignored(count: int) -> None:
    """Do nothing with a number of resolved cases: the progress callback used by default."""
    del count


@dataclass(frozen=True)
class Execution:
    """How cases are resolved: by local processes, or by the workers of a Dask scheduler.

    Attributes
    ----------
    workers
        Number of local processes; 1 resolves in this process.
    scheduler
        Address of a Dask scheduler; None for local processes.
    progress
        Function called with the number of newly resolved cases whenever some arrive.
    limit
        Time limit of the whole run; processes are killed when it is over, so that no case is resolved only in part.
    """

    workers: int = CORES
    scheduler: str | None = None
    progress: Progress = ignored
    limit: Budget = field(default_factory=Budget)


@dataclass
class Throughput:
    """Running estimate of the seconds per case, from finished chunks."""

    seconds: float = 0.0
    cases: int = 0

    def learn(self, seconds: float, cases: int) -> None:
        """Add a finished chunk of so many cases and seconds to the estimate."""
        self.seconds += seconds
        self.cases += cases

    @property
    def chunk(self) -> int:
        """Number of cases that take about `CHUNK_SECONDS`, from 1 to `MOST_IN_CHUNK`; 1 before any chunk is
        finished.
        """
        if not self.cases or not self.seconds:
            return 1
        return max(1, min(MOST_IN_CHUNK, int(CHUNK_SECONDS * self.cases / self.seconds)))

    def left(self, cases: int) -> float:
        """Return the estimated seconds for so many more cases, resolved one after another; 0 before any chunk is
        finished.
        """
        return cases * self.seconds / self.cases if self.cases else 0.0


@dataclass(frozen=True)
class Solved:
    """Results of a chunk: the numbers of its cases, the list of rows of each case, and the seconds that resolving
    took.
    """

    numbers: Chunk
    cases: list[list[Row]]
    seconds: float


def solved(base: VariedScenario, grid: Grid, chunk: Chunk) -> Solved:
    """Resolve the cases of a chunk, given by their numbers in the grid, and return their rows with the time taken."""
    started = time.perf_counter()
    cases = [rows_of(base, grid[number]) for number in chunk]
    return Solved(chunk, cases, time.perf_counter() - started)


def run(base: VariedScenario, grid: Grid, sink: ResultSink, how: Execution) -> None:
    """Resolve every case of a grid that is missing from a sink, and add its rows to the sink.

    Raises
    ------
    UsageError
        If the scheduler cannot be reached.
    NoVerdictError
        If a case crashes `WORKERS_LOST` workers, or the time limit is reached.
    """
    _Run(base, grid, sink, how).run()


@dataclass
class _Run:
    """State of one call of `run`: resolves the cases of a grid that are missing from a sink."""

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
        """Return whether resolving in this process is quicker than starting workers, after `done` cases and with `left`
        to come.

        With a time limit it is always False, since only worker processes can be killed.
        """
        is_short = (
            self.how.workers < 2 or not done or self.throughput.left(left) < SECONDS_WORTH_WORKERS  # noqa: PLR2004 - others
        )
        return self.how.limit.seconds is None and is_short

    def take(self, found: Solved) -> None:
        self.sink.add(found.numbers, found.cases)
        self.throughput.learn(found.seconds, len(found.cases))
        self.how.progress(len(found.cases))

    def on_cores(self, missing: Numbers) -> None:
        """Resolve cases in a pool of processes; if one dies, the cases under way are retried one at a time in a new
        pool.
        """
        workers = min(self.how.workers, len(missing))
        waiting = _WorkQueue(missing, self.throughput, workers)
        while waiting:
            with pool_of(workers, self.how.limit) as pool:
                under_way: dict[Future[Solved], Chunk] = {}
                try:
                    while waiting or under_way:
                        while waiting and len(under_way) < (
                            1 if waiting.retried_alone else QUEUED * workers
                        ):
                            with waiting.given_out() as chunk:
                                under_way[pool.submit(solved, self.base, self.grid, chunk)] = chunk
                        for future in wait(
                            under_way, timeout=_timeout(self.how.limit), return_when=FIRST_COMPLETED
                        ).done:
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
        """Resolve cases on the workers of a Dask cluster, whose scheduler reassigns the chunks of a lost worker."""
        client, as_completed = _client(scheduler)
        with client:
            workers = max(1, sum(client.nthreads().values()))
            waiting = _WorkQueue(missing, self.throughput, workers)
            whole = (self.base, self.grid)
            # an equal one of a run that ends is taken away with it
            [known] = client.scatter([whole], broadcast=True, hash=False)

            def submit() -> Any:
                """Submit the next chunk to the cluster and return its future."""
                return client.submit(
                    _solved_remotely, known, waiting.next_chunk(), pure=False, retries=WORKERS_LOST
                )

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
        """Raise NoVerdictError if the time limit is reached and cases are missing."""
        if self.how.limit.seconds_left <= 0.0 and len(self.sink.missing):
            raise self.late()

    def late(self) -> NoVerdictError:
        return NoVerdictError(
            "stopped at the limit of {seconds:g} s with {done:,} of {count:,} cases resolved; with -o FILE the "
            "finished rows are kept, and running the same command again continues from there",
            seconds=self.how.limit.seconds,
            done=len(self.grid) - len(self.sink.missing),
            count=len(self.grid),
        )


def _timeout(limit: Budget) -> float | None:
    return None if limit.seconds is None else max(0.0, limit.seconds_left)


def pool_of(workers: int, limit: Budget) -> ProcessPoolExecutor:
    """Return a pool of worker processes that exit with this process, or when the time limit is reached."""
    return ProcessPoolExecutor(
        workers, mp_context=context(), initializer=_end_in_time, initargs=(_timeout(limit),)
    )


def _end_in_time(seconds: float | None) -> None:
    """Make this worker exit when its parent process ends for any reason, or after `seconds` if they are given."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel, seconds), daemon=True).start()


def _end_with(sentinel: int, seconds: float | None) -> None:
    multiprocessing.connection.wait([sentinel], timeout=seconds)
    os._exit(1)


def context() -> Any:
    """Return the multiprocessing context: "fork" where the platform has it, since new interpreters take seconds to
    start, else "spawn".
    """
    return multiprocessing.get_context(
        "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    )


class _WorkQueue:
    """Queue of the missing cases, given out in chunks; cases lost with a dead worker are in `retried_alone`.

    Chunks become smaller towards the end, so that no worker waits long for the last one.
    """

    def __init__(self, missing: Numbers, throughput: Throughput, workers: int) -> None:
        self._missing = missing
        self._given = 0
        self._throughput = throughput
        self._workers = workers
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
        """Yield the next chunk; if the pool is broken, its cases return to the queue to be retried one at a time."""
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
        raise UsageError(
            "--scheduler needs dask.distributed: {command}", command=install_line("explore")
        ) from None
    try:
        return Client(scheduler, timeout=10), as_completed  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(
            "--scheduler {scheduler}: cannot be reached: {error}",
            scheduler=scheduler,
            error=message_of(error),
        ) from None
