"""Coroutines run in a thread of their own: a browser that was driven before has left a loop running in this one."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_apart(what: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, and return what it gives."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, what).result()
