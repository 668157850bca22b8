"""Do something in a forked process: the sound program stays as it is, whatever becomes of the child."""

import json
import os
import resource
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MEMORY = 6 << 30
"""Bytes that a child may map."""

PATIENCE = 8.0
"""How many times as long as its CPU time a child may wait: the machine has other work."""


@dataclass(frozen=True)
class Outcome:
    """What a child said, or None if it came to its end before; whether its time was up; and the CPU time it took, in
    seconds.
    """

    said: Any
    is_late: bool
    seconds: float


def in_child(work: Callable[[], Any], *, seconds: float) -> Outcome:
    """Do some work in a child with that much CPU time; it says what JSON can hold."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _work(work, writing, seconds)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        said = stream.read()
    _, status, usage = os.wait4(child, 0)
    is_late = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (
        signal.SIGPROF,
        signal.SIGALRM,
        signal.SIGKILL,
    )
    is_whole = os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0
    return Outcome(json.loads(said) if is_whole else None, is_late, usage.ru_utime + usage.ru_stime)


def _work(work: Callable[[], Any], writing: int, seconds: float) -> None:
    """Work within limits, in silence, and end without the parent's farewells."""
    try:
        _limit(seconds)
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(quiet, stream)
        said = json.dumps(work())
        with os.fdopen(writing, "w") as answer:
            answer.write(said)
        os._exit(0)
    finally:
        os._exit(1)


def _limit(seconds: float) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE * (seconds + 1))
