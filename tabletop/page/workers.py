"""Processes beside the server: questions wait for one, newer ones end older ones, and answers are kept by what was asked.

The server itself does nothing but listen: a search that goes on for long, takes all memory or ends its process touches nobody else. A
process takes a question, answers it and waits for the next, in `run`.
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
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from typing import Any

from tabletop.cli.speech import silent, speak
from tabletop.errors import OUT_OF_MEMORY
from tabletop.messages import say
from tabletop.page.protocol import ENDPOINTS, Endpoint, Reply, Tell, refusal, success

WARM = "tabletop.page.warm"
"""What is loaded once, in the process from which all others are forked."""

GRACE = 0.25
"""Seconds for which a question goes on that a newer one has taken the place of: most are done by then, and their process lives on."""

MOST_WAITING, MOST_OF_A_PAGE = 64, 16
"""Questions at once, of all pages and of one."""

ALONE = 3.0
"""Seconds for which there is one process alone: the browser opens meanwhile, and what others load would keep the first picture waiting."""

ATTEMPTS = 4
"""Processes that a question is handed to before one has begun with it."""

MEMORY = 4 * 2**30
"""Bytes of addresses that a process may have; half a gigabyte is that of libraries."""

KEPT, MOST_KEPT = 64 * 2**20, 8 * 2**20
"""Bytes of answers that are kept, and of one of them."""


@dataclass(frozen=True)
class PageRequest:
    """What is asked: its kind, what came with it, and of which page it is the newest of which name; None: none takes its place.

    `language` names that of the answer, None: English.
    """

    kind: str
    data: bytes = b""
    page: str | None = None
    name: str = ""
    language: str | None = None

    @property
    def key(self) -> bytes:
        """What answers are kept by."""
        return hashlib.sha256(f"{self.kind}\0{self.language}\0".encode() + self.data).digest()


class Worker:
    """A process and the line to it."""

    def __init__(self, context: Any, memory: int) -> None:
        self._ending = threading.Lock()
        self._line, theirs = context.Pipe()
        self._process = context.Process(target=run, args=(theirs, memory), daemon=False)
        self._process.start()
        theirs.close()

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""
        return bool(self._process.is_alive())

    def begin(self, question: PageRequest) -> None:
        """Send a request, and wait until the worker has begun it.

        Raises
        ------
        NotBegunError
            If it ended before that.
        """
        try:
            self._line.send(question)
            self._line.recv()
        except (EOFError, OSError):
            raise NotBegunError from None

    def asked(self, question: PageRequest) -> Any:
        """Send a request, and return the first reply."""
        self.begin(question)
        return self.heard()

    def heard(self) -> Any:
        """Return the next part of an answer, or the answer itself; wait for it."""
        return self._line.recv()

    def end(self) -> None:
        """End it, whatever it does; who ends it a second time, perhaps meanwhile, waits until it has ended."""
        with self._ending:
            if not self._line.closed:
                self._process.kill()
                self._process.join()
                self._line.close()


def early(memory: int = MEMORY) -> Worker:
    """Start a process that is there soon, while that from which others are forked has yet to load."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads are no good to processes that are forked
    return Worker(multiprocessing.get_context("spawn"), memory)


class NotBegunError(Exception):
    """A process ended before it had begun with a question."""


@dataclass(eq=False)
class _Ticket:
    """A question under way; `gone` is set when a newer one takes its place."""

    gone: asyncio.Event = field(default_factory=asyncio.Event)


class WorkerPool:
    """All processes, the questions under way, and the answers that are kept; `first` is a process that was started before."""

    def __init__(self, *, first: Worker | None = None, processes: int | None = None, memory: int = MEMORY) -> None:
        cores = processes or max(2, os.cpu_count() or 1)
        self._memory = memory
        self._quick, self._slow = asyncio.Semaphore(cores), asyncio.Semaphore(max(1, cores - 1))
        self._threads = ThreadPoolExecutor(max_workers=3 * cores + 2, thread_name_prefix="page")
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._raising: set[asyncio.Task[None]] = set()
        self._newest: dict[tuple[str, str], _Ticket] = {}
        self._kept: OrderedDict[bytes, Reply] = OrderedDict()
        self._size = 0
        self._at_once: Counter[str] = Counter()
        self._came = asyncio.Condition()
        self._first, self._is_alone, self._is_over = first, True, False
        methods = multiprocessing.get_all_start_methods()
        self._context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        if "forkserver" in methods:
            self._context.set_forkserver_preload([WARM])

    def start(self, ahead: Sequence[PageRequest] = ()) -> None:
        """Start a process, ask it what will be asked first, and a little later start the others."""
        loop = asyncio.get_running_loop()
        if self._first is None:
            self._raise(early, self._memory)
        else:
            self._all.add(self._first)
            self._idle.append(self._first)
        self._ahead = loop.create_task(self._asked_ahead(ahead))
        self._alone = loop.call_later(ALONE, self._share)

    async def _asked_ahead(self, questions: Sequence[PageRequest]) -> None:
        for question in questions:
            await self.ask(question)

    def _share(self) -> None:
        """Allow more than one process from now on."""
        self._is_alone = False
        self._raise_if_short()

    async def stop(self) -> None:
        """End all processes."""
        self._alone.cancel()
        for task in (self._ahead, *self._raising):
            task.cancel()
        self._is_over = True
        await asyncio.get_running_loop().run_in_executor(None, self._end_all)
        self._threads.shutdown(wait=False)  # what is queued there is to end processes, or finds them ended

    def _end_all(self) -> None:
        for worker in list(self._all):
            worker.end()

    def _begin(self, begin: Callable[..., Worker], *how: Any) -> Worker:
        """Start a process; one that is there after all were ended is ended as well."""
        worker = begin(*how)
        self._all.add(worker)
        if self._is_over:
            worker.end()
        return worker

    def _raise_if_short(self) -> None:
        """See that one process is there that has nothing to do; while there is to be one alone, that there is one."""
        is_short = not self._all and not self._raising if self._is_alone else len(self._idle) + len(self._raising) <= 1
        if is_short:
            self._raise(Worker, self._context, self._memory)

    def _raise(self, begin: Callable[..., Worker], *how: Any) -> None:
        """Start another process in the background."""

        async def arrive() -> None:
            worker = await self._in_thread(self._begin, begin, *how)
            async with self._came:
                self._idle.append(worker)
                self._came.notify()

        task = asyncio.get_running_loop().create_task(arrive())
        self._raising.add(task)
        task.add_done_callback(self._raising.discard)

    async def _in_thread(self, call: Any, *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call, *args)

    async def ask(self, question: PageRequest) -> Reply:
        """Return the answer to a question; that of a question whose place a newer one takes is status 409."""
        page = question.page or ""
        if self._at_once.total() >= MOST_WAITING or (page and self._at_once[page] >= MOST_OF_A_PAGE):
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
            self._let_go(work, question)
            return refusal(409, say("a newer question took the place of this one"))
        except asyncio.CancelledError:
            work.cancel()
            raise
        finally:
            gone.cancel()
            self._at_once[page] -= 1
            self._put_down(question, ticket)

    def _ticket(self, question: PageRequest) -> _Ticket:
        """Take the place of the older question of the same page and name."""
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
        self._at_once += Counter()  # forgets pages that ask nothing

    def _let_go(self, work: asyncio.Future[Reply], question: PageRequest) -> None:
        """End what nobody waits for: at once where others need its room, else if it is not done soon."""
        work.add_done_callback(lambda done: done.cancelled() or done.exception())
        if self._room(ENDPOINTS[question.kind]).locked():
            work.cancel()
        else:
            asyncio.get_running_loop().call_later(GRACE, work.cancel)

    def _room(self, kind: Endpoint) -> asyncio.Semaphore:
        return self._slow if kind.is_slow else self._quick

    async def _worked(self, question: PageRequest) -> Reply:
        """Have a process answer, and keep the answer."""
        kind = ENDPOINTS[question.kind]
        async with self._room(kind):
            try:
                async with self._begun(question, Worker.asked) as (_, reply):
                    pass  # the process is given back
            except TimeoutError:
                return refusal(408, _late(kind))
            except (EOFError, OSError):
                return refusal(408, _ended(say("; perhaps the memory did not suffice")))
        told: Reply = reply
        if told.is_lasting:
            self._keep(question, told)
        return told

    async def parts(self, question: PageRequest) -> AsyncGenerator[bytes, None]:
        """Yield the parts of an answer as they come, the answer last; whoever stops listening, or asks anew, ends the work."""
        kind, ticket = ENDPOINTS[question.kind], self._ticket(question)
        try:
            async with self._room(kind), self._begun(question, Worker.begin) as (worker, _):
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
        """Return the next part; once a newer question is asked, the words for that, which are the last."""
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
    async def _begun(self, question: PageRequest, ask: Callable[[Worker, PageRequest], Any]) -> AsyncIterator[tuple[Worker, Any]]:
        """Lend a process that was asked, and what `ask` gave; one that ended while it had nothing to do begins with no question.

        All that is asked of it goes through one thread at once: each further step would wait for the processor again.
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
        """Lend a process, which is ended unless it is given back with its answer told."""
        worker = await self._taken()
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
                except RuntimeError:  # all threads are gone where the page ends
                    worker.end()

    async def _taken(self) -> Worker:
        """Return a process that has nothing to do, and see that there is another one then."""
        async with self._came:
            self._raise_if_short()
            await self._came.wait_for(lambda: bool(self._idle))
            return self._idle.pop()

    def _known(self, question: PageRequest) -> Reply | None:
        found = self._kept.get(question.key)
        if found is not None:
            self._kept.move_to_end(question.key)
        return found

    def _keep(self, question: PageRequest, reply: Reply) -> None:
        """Keep an answer, and forget those that were not asked for the longest."""
        size = len(reply.body)
        if size > MOST_KEPT or question.key in self._kept:
            return
        self._kept[question.key] = reply
        self._size += size
        while self._size > KEPT:
            self._size -= len(self._kept.popitem(last=False)[1].body)


def _late(kind: Endpoint) -> str:
    return say("there was no answer within {seconds:g} s, the longest that the page waits", seconds=kind.seconds)


def _ended(reason: str = "") -> str:
    return say("the process that worked on this was ended before it had an answer{reason}", reason=reason)


def run(line: "Connection[Any, Any]", memory: int) -> None:
    """Answer until nobody asks any more; `memory` bytes of addresses are all there are."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever interrupts the server ends it, and it ends this
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _limit(memory)
    import tabletop.page.answers  # noqa: F401 - it answers

    gc.freeze()  # what was loaded stays: no collection looks at it again
    with contextlib.suppress(EOFError, OSError):
        while True:
            question = line.recv()
            line.send(None)  # it has begun
            with silent():
                speak(question.language)
                reply = answered(question.kind, question.data, line.send)
            line.send(reply)
            if reply.is_last:
                return


def answered(kind: str, data: bytes, tell: Tell = lambda _: None) -> Reply:
    """Return the answer to what came with a question of a kind, or what is wrong with that; `tell` hears parts that come before."""
    from tabletop.page.answers import answer, error_reply

    try:
        return answer(kind, data, tell)
    except MemoryError:
        return replace(refusal(408, OUT_OF_MEMORY), is_last=True)
    except BaseException as error:  # noqa: BLE001 - whatever it is, the caller gets one sentence
        status, words = error_reply(error)
        return success(words, status)


def _end_with_parent() -> None:
    """End this process when that of the server has ended, however it did."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _limit(memory: int) -> None:
    """Limit the address space of the process to so many bytes, where the operating system can."""
    if sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
