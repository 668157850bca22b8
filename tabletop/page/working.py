"""What a process beside the server does: takes a question, answers it, waits for the next."""

import contextlib
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from typing import Any

from tabletop.page.reply import Reply, refused, told

Tell = Callable[[bytes], None]
"""Takes the parts of an answer that come before it."""
Job = Callable[[bytes, Tell], Reply]


def run(line: "Connection[Any, Any]", memory: int) -> None:
    """Answer until nobody asks any more; `memory` bytes of addresses are all there are."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever interrupts the server ends it, and it ends this
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _limit(memory)
    from tabletop.page.jobs import JOBS

    gc.freeze()  # what was loaded stays: no collection looks at it again
    with contextlib.suppress(EOFError, OSError):
        while True:
            kind, data = line.recv()
            line.send(None)  # it has begun
            reply = _answered(JOBS[kind], data, line.send)
            line.send(reply)
            if reply.is_last:
                return


def _answered(job: Job, data: bytes, tell: Tell) -> Reply:
    """Return the answer, or what is wrong with the question."""
    try:
        return job(data, tell)
    except LookupError as error:
        return refused(404, str(error.args[0])) if type(error) is LookupError else _wrong(error)
    except MemoryError:
        return replace(refused(408, "there is not enough memory for this"), is_last=True)
    except BaseException as error:  # noqa: BLE001 - whatever it is, the caller gets one sentence
        return _wrong(error)


def _wrong(error: BaseException) -> Reply:
    from tabletop.page.answers import refusal

    status, words = refusal(error)
    return told(words, status)


def _end_with_parent() -> None:
    """End this process when that of the server has ended, however it did."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _limit(memory: int) -> None:
    """Let the process have so many bytes of addresses, where the machine can say so."""
    if sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
