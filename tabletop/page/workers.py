"""Worker processes of the page's server: queue of requests, cancellation by newer requests, and cache of answers.

The server itself computes nothing, so that a long search, exhausted memory or a crash affects one request only. A
worker handles one request after another in `run`.
"""

import asyncio
import contextlib
import gc
import hashlib
import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from typing import Any

from tabletop.errors import OUT_OF_MEMORY
from tabletop.language.speech import silent, speak
from tabletop.messages import say
from tabletop.page.protocol import ENDPOINTS, Endpoint, Reply, Tell, refusal, success

WARM = "tabletop.page.warm"
"""Module preloaded by the fork server."""

SUPERSEDED_SECONDS = 0.25
"""Seconds that a superseded request may still run: most finish in time, which keeps their worker alive."""

MOST_WAITING, MOST_OF_A_PAGE = 64, 16
"""Greatest number of simultaneous requests: of all pages, and of one page."""

SINGLE_WORKER_SECONDS = 3.0
"""Seconds at start during which only one worker runs, so that others do not delay the first picture."""

RESTART_SECONDS = 1.0
"""Seconds until a worker that could not be started is started again."""

ATTEMPTS = 4
"""Workers tried for a request before it fails."""

MEMORY = 4 * 2**30
"""Address space of a worker in bytes; libraries take half a gigabyte."""

KEPT, MOST_KEPT = 64 * 2**20, 8 * 2**20
"""Size of the cache, and of the largest cached answer, in bytes."""


@dataclass(frozen=True)
class PageRequest:
    """A request to a worker: endpoint `kind`, `data` in bytes, the page it comes from, and a name.

    A newer request of the same page and name supersedes it; with `page` None it is never superseded. `language` is that
    of the answer, None for English.
    """

    kind: str
    data: bytes = b""
    page: str | None = None
    name: str = ""
    language: str | None = None

    @property
    def key(self) -> bytes:
        """Key of the answer in the cache: a hash of kind, language and data."""
        return hashlib.sha256(f"{self.kind}\0{self.language}\0".encode() + self.data).digest()


class Worker:
    """A worker process and the pipe to it; the process starts at once."""

    def __init__(self, context: Any, memory: int) -> None:
        self._ending = threading.Lock()
        self._line, theirs = context.Pipe()
        self._process = context.Process(target=run, args=(theirs, memory), daemon=False)
        with _uninterrupted():
            self._process.start()
        theirs.close()

    @property
    def is_alive(self) -> bool:
        """Whether the process is running."""
        return bool(self._process.is_alive())

    def begin(self, question: PageRequest) -> None:
        """Send a request, and wait until the worker reports that it has begun it.

        Raises
        ------
        NotBegunError
            If the process ended before that.
        """
        try:
            self._line.send(question)
            self._line.recv()
        except (EOFError, OSError):
            raise NotBegunError from None

    def asked(self, question: PageRequest) -> Any:
        """Send a request, and return the first part of the answer, or the answer itself."""
        self.begin(question)
        return self.heard()

    def heard(self) -> Any:
        """Wait for the next part of the answer, or the answer itself, and return it."""
        return self._line.recv()

    def end(self) -> None:
        """Kill the process and wait for its end; may be called repeatedly and from several threads."""
        with self._ending:
            if not self._line.closed:
                self._process.kill()
                self._process.join()
                self._line.close()


def early(memory: int = MEMORY) -> Worker:
    """Return a worker process started without the fork server, which takes longer to load; `memory` is its limit in
    bytes.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads and fork do not mix
    return Worker(multiprocessing.get_context("spawn"), memory)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Keep Ctrl-C from the processes started meanwhile, which inherit it: the server ends them, and they print
    nothing.
    """
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # its first start would lift the block
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class NotBegunError(Exception):
    """Raised if a worker process ends before it begins a request."""


@dataclass(eq=False)
class _Ticket:
    """A pending request; the event `gone` is set when a newer request supersedes it."""

    gone: asyncio.Event = field(default_factory=asyncio.Event)


class WorkerPool:
    """Pool of worker processes with the pending requests and a cache of answers; `first` is a worker already
    started.
    """

    def __init__(
        self, *, first: Worker | None = None, processes: int | None = None, memory: int = MEMORY
    ) -> None:
        cores = processes or max(2, os.cpu_count() or 1)
        self._memory = memory
        self._quick = asyncio.Semaphore(cores)
        self._slow = asyncio.Semaphore(max(1, cores - 1))
        self._threads = ThreadPoolExecutor(max_workers=3 * cores + 2, thread_name_prefix="page")
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._spawning: set[asyncio.Task[None]] = set()
        self._newest: dict[tuple[str, str], _Ticket] = {}
        self._kept: OrderedDict[bytes, Reply] = OrderedDict()
        self._size = 0
        self._at_once: Counter[str] = Counter()
        self._came = asyncio.Condition()
        self._first = first
        self._is_alone = True
        self._is_over = False
        methods = multiprocessing.get_all_start_methods()
        self._context: Any = multiprocessing.get_context(
            "forkserver" if "forkserver" in methods else "spawn"
        )
        if "forkserver" in methods:
            self._context.set_forkserver_preload([WARM])

    def start(self, ahead: Sequence[PageRequest] = ()) -> None:
        """Start a worker, have it answer the requests `ahead` of time, and allow more workers after
        `SINGLE_WORKER_SECONDS`.
        """
        loop = asyncio.get_running_loop()
        if self._first is None:
            self._spawn(early, self._memory)
        else:
            self._all.add(self._first)
            self._idle.append(self._first)
        self._ahead = loop.create_task(self._asked_ahead(ahead))
        self._alone = loop.call_later(SINGLE_WORKER_SECONDS, self._share)

    async def _asked_ahead(self, questions: Sequence[PageRequest]) -> None:
        for question in questions:
            await self.ask(question)

    def _share(self) -> None:
        """Allow more than one worker process from now on."""
        self._is_alone = False
        self._spawn_if_short()

    async def stop(self) -> None:
        """End all worker processes and cancel pending work."""
        self._alone.cancel()
        for task in (self._ahead, *self._spawning):
            task.cancel()
        self._is_over = True
        await asyncio.get_running_loop().run_in_executor(None, self._end_all)
        self._threads.shutdown(wait=False)  # whatever is queued ends workers or finds them ended

    def _end_all(self) -> None:
        for worker in list(self._all):
            worker.end()

    def _begin(self, begin: Callable[..., Worker], *how: Any) -> Worker:
        """Return a new worker made by `begin`; it is ended at once if the pool has stopped meanwhile."""
        worker = begin(*how)
        self._all.add(worker)
        if self._is_over:
            worker.end()
        return worker

    def _spawn_if_short(self) -> None:
        """Start a worker if at most one is idle or starting; during the first seconds only if there is none at all;
        none at the end.
        """
        if self._is_over:
            return
        is_short = (
            not self._all and not self._spawning
            if self._is_alone
            else len(self._idle) + len(self._spawning) <= 1
        )
        if is_short:
            self._spawn(Worker, self._context, self._memory)

    def _spawn(self, begin: Callable[..., Worker], *how: Any) -> None:
        """Start a worker made by `begin` in the background."""

        async def arrive() -> None:
            """Start the worker, add it to the idle ones, and notify a waiting request."""
            try:
                worker = await self._in_thread(self._begin, begin, *how)
            # the fork server has been ended, perhaps together with this process
            except (EOFError, OSError):
                asyncio.get_running_loop().call_later(RESTART_SECONDS, self._spawn_if_short)
                return
            async with self._came:
                self._idle.append(worker)
                self._came.notify()

        task = asyncio.get_running_loop().create_task(arrive())
        self._spawning.add(task)
        task.add_done_callback(self._spawning.discard)

    async def _in_thread(self, call: Any, *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call, *args)

    async def ask(self, question: PageRequest) -> Reply:
        """Return the reply to a request: status 409 if a newer request supersedes it, 429 if too many are pending."""
        page = question.page or ""
        if self._at_once.total() >= MOST_WAITING or (
            page and self._at_once[page] >= MOST_OF_A_PAGE
        ):
            return refusal(429, say("too many questions at once: wait for some of the answers"))
        ticket = self._ticket(question)
        if (known := self._known(question)) is not None:
            self._put_down(question, ticket)
            return known
        self._at_once[page] += 1
        work = asyncio.ensure_future(self._worked(question))
        gone = asyncio.ensure_future(ticket.gone.wait())
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                return work.result()
            self._drop(work, question)
            return refusal(409, say("a newer question took the place of this one"))
        except asyncio.CancelledError:
            work.cancel()
            raise
        finally:
            gone.cancel()
            self._at_once[page] -= 1
            self._put_down(question, ticket)

    def _ticket(self, question: PageRequest) -> _Ticket:
        """Return the ticket of a new request, after superseding an older one of the same page and name."""
        ticket = _Ticket()
        if question.page is not None:
            older = self._newest.get((question.page, question.name))
            if older is not None:
                older.gone.set()
            self._newest[question.page, question.name] = ticket
        return ticket

    def _put_down(self, question: PageRequest, ticket: _Ticket) -> None:
        name = (question.page or "", question.name)
        if self._newest.get(name) is ticket:
            del self._newest[name]
        self._at_once += Counter()  # drops pages without requests

    def _drop(self, work: asyncio.Future[Reply], question: PageRequest) -> None:
        """Cancel superseded work: at once if others wait for its slot, else after `SUPERSEDED_SECONDS`."""
        work.add_done_callback(lambda done: done.cancelled() or done.exception())
        if self._room(ENDPOINTS[question.kind]).locked():
            work.cancel()
        else:
            asyncio.get_running_loop().call_later(SUPERSEDED_SECONDS, work.cancel)

    def _room(self, kind: Endpoint) -> asyncio.Semaphore:
        return self._slow if kind.is_slow else self._quick

    async def _worked(self, question: PageRequest) -> Reply:
        """Return a worker's reply to a request, and cache it if possible; status 408 if time runs out or the worker
        dies.
        """
        kind = ENDPOINTS[question.kind]
        async with self._room(kind):
            try:
                async with self._dispatch(question, Worker.asked) as (_, reply):
                    pass  # the worker is returned
            except TimeoutError:
                return refusal(408, _late(kind))
            except (EOFError, OSError):
                return refusal(408, _ended(say("; perhaps it ran out of memory")))
        told: Reply = reply
        if told.is_lasting:
            self._keep(question, told)
        return told

    async def parts(self, question: PageRequest) -> AsyncGenerator[bytes, None]:
        """Yield the parts of an answer as they arrive, its last one included; the worker is ended if a newer request
        arrives.
        """
        kind = ENDPOINTS[question.kind]
        ticket = self._ticket(question)
        try:
            async with self._room(kind), self._dispatch(question, Worker.begin) as (worker, _):
                part: Any = b""
                while not isinstance(part, Reply):
                    part = await self._next(worker, ticket)
                    yield part.body if isinstance(part, Reply) else part
        except TimeoutError:
            yield refusal(408, _late(kind)).body
        except (EOFError, OSError):
            yield refusal(408, _ended()).body
        finally:
            self._put_down(question, ticket)

    async def _next(self, worker: Worker, ticket: _Ticket) -> Any:
        """Return the next part of an answer; if a newer request arrives, end the worker and return the refusal,
        status 409.
        """
        heard = asyncio.ensure_future(self._in_thread(worker.heard))
        gone = asyncio.ensure_future(ticket.gone.wait())
        try:
            await asyncio.wait({heard, gone}, return_when=asyncio.FIRST_COMPLETED)
            if heard.done():
                return heard.result()
            worker.end()
            return refusal(409, say("a newer question took the place of this one"))
        finally:
            gone.cancel()
            heard.add_done_callback(lambda done: done.cancelled() or done.exception())

    @asynccontextmanager
    async def _dispatch(
        self, question: PageRequest, ask: Callable[[Worker, PageRequest], Any]
    ) -> AsyncIterator[tuple[Worker, Any]]:
        """Yield a worker that has begun the request, with the result of `ask`; workers found dead are replaced.

        All steps run in one thread call, since each switch between threads waits for the processor. Raises EOFError
        after `ATTEMPTS` workers, and TimeoutError at the endpoint's time limit.
        """
        for _ in range(ATTEMPTS):
            async with self._worker() as worker, asyncio.timeout(ENDPOINTS[question.kind].seconds):
                try:
                    told = await self._in_thread(ask, worker, question)
                except NotBegunError:
                    await self._in_thread(worker.end)
                    continue
                yield worker, told
                return
        raise EOFError

    @asynccontextmanager
    async def _worker(self) -> AsyncIterator[Worker]:
        """Yield an idle worker for a request; afterwards it is idle again, or ended if an exception was raised."""
        worker = await self._acquire()
        is_whole = False
        try:
            yield worker
            is_whole = worker.is_alive
        finally:
            if is_whole:
                async with self._came:
                    self._idle.append(worker)
                    self._came.notify()
            else:
                self._all.discard(worker)
                try:
                    self._threads.submit(worker.end)
                except RuntimeError:  # the executor is shut down at the end
                    worker.end()

    async def _acquire(self) -> Worker:
        """Remove and return an idle worker, once there is one; start another if few are idle."""
        async with self._came:
            self._spawn_if_short()
            await self._came.wait_for(lambda: bool(self._idle))
            return self._idle.pop()

    def _known(self, question: PageRequest) -> Reply | None:
        found = self._kept.get(question.key)
        if found is not None:
            self._kept.move_to_end(question.key)
        return found

    def _keep(self, question: PageRequest, reply: Reply) -> None:
        """Cache a reply, dropping the least recently used ones beyond `KEPT` bytes."""
        size = len(reply.body)
        if size > MOST_KEPT or question.key in self._kept:
            return
        self._kept[question.key] = reply
        self._size += size
        while self._size > KEPT:
            self._size -= len(self._kept.popitem(last=False)[1].body)


def _late(kind: Endpoint) -> str:
    return say("no answer within {seconds:g} s, the limit of the page", seconds=kind.seconds)


def _ended(reason: str = "") -> str:
    return say("the process ended before it had an answer{reason}", reason=reason)


def run(line: "Connection[Any, Any]", memory: int) -> None:
    """Answer requests from the pipe until it is closed: the main function of a worker process.

    `memory` limits its address space in bytes.
    """
    # the server handles interrupts and ends its workers
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _limit(memory)
    import tabletop.page.answers  # noqa: F401 - loads the handlers

    gc.freeze()  # exclude loaded objects from garbage collection
    with contextlib.suppress(EOFError, OSError):
        while True:
            question = line.recv()
            line.send(None)  # signal that the request has begun
            with silent():
                speak(question.language)
                reply = answered(question.kind, question.data, line.send)
            line.send(reply)
            if reply.is_last:
                return


def answered(kind: str, data: bytes, tell: Tell = lambda _: None) -> Reply:
    """Return the reply to a request, an error reply if it raises an exception; `tell` is called with each partial
    answer.
    """
    from tabletop.page.answers import answer, error_reply

    try:
        return answer(kind, data, tell)
    except MemoryError:
        return replace(refusal(408, OUT_OF_MEMORY), is_last=True)
    except BaseException as error:  # noqa: BLE001 - the caller always gets one sentence
        status, words = error_reply(error)
        return success(words, status)


def _end_with_parent() -> None:
    """Wait until the server's process has ended, then exit."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _limit(memory: int) -> None:
    """Limit the address space of this process to `memory` bytes, if the operating system can."""
    if sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
