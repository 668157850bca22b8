"""A server of the page in a process of its own, for the tests of what it answers."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def served(
    *options: str, start_new_session: bool = False
) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Start the page, and give its process and the address that it prints; it is ended afterwards."""
    command = [sys.executable, "-m", "tabletop", "page", "--no-browser", *options]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "OPENBLAS_NUM_THREADS": "1",
        "NO_COLOR": "1",
    }
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=ROOT,
        start_new_session=start_new_session,
    ) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.terminate()
            process.communicate(timeout=60)


@pytest.fixture(scope="session")
def server() -> Iterator[httpx.Client]:
    """Ask one server all that is asked of one."""
    with served() as (_, address), httpx.Client(base_url=address, timeout=120.0) as client:
        yield client
