"""One server and one Chromium for the whole session; a page of its own for every test."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
WIDE = {"width": 1280, "height": 800}
TABLET = {"width": 768, "height": 1024}
PHONE = {"width": 360, "height": 740}
PATIENCE = 60_000
"""Milliseconds that anything on the page may take: the machine may be busy."""


@dataclass
class Server:
    """A server of the page in a process of its own."""

    port: int = 0
    process: "subprocess.Popen[str] | None" = None
    address: str = field(default="", init=False)

    def start(self) -> None:
        """Start it, on the port it had before if it had one, and wait until it says its address."""
        command = [
            sys.executable,
            "-m",
            "tabletop",
            "page",
            "--no-browser",
            "--port",
            str(self.port),
        ]
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "OPENBLAS_NUM_THREADS": "1",
            "NO_COLOR": "1",
        }
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=ROOT,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if (told := re.search(r"http://[^:]+:(\d+)/", line)) is None:
            _, errors = self.process.communicate(timeout=10)
            pytest.fail(f"the page does not start: {line}{errors}")
        self.port, self.address = int(told[1]), line.strip()

    def stop(self, how: int = signal.SIGTERM) -> None:
        """End it, and wait until nobody listens any more."""
        if self.process is None:
            return
        self.process.send_signal(how)
        # until the processes beside it have ended, too
        self.process.communicate(timeout=PATIENCE / 1000)
        self.process = None
        with socket.socket() as caller:
            assert caller.connect_ex(("127.0.0.1", self.port)) != 0


@pytest.fixture(scope="session")
def chromium() -> str:
    """Find the browser's program; without it or Playwright the flows are left out."""
    pytest.importorskip(
        "playwright.sync_api", reason="flows in the browser need Playwright: pip install playwright"
    )
    pytest.importorskip("uvicorn", reason="flows in the browser need the extra [page]")
    found = (
        shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )
    if found is None:
        pytest.skip("flows in the browser need Chromium: apt-get install chromium")
    return found


@pytest.fixture(scope="session")
def server(chromium: str) -> Iterator[Server]:
    """Run a server for all tests."""
    del chromium
    one = Server()
    one.start()
    yield one
    one.stop()


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Any]:
    """Run the browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield running
        running.close()


NewPage = Callable[..., Any]


@pytest.fixture
def new_page(browser: Any, server: Server) -> Iterator[NewPage]:
    """Yield what opens a page of its own and waits for its first ruling; no test may leave an error in its console."""
    contexts: list[Any] = []
    mistakes: list[str] = []

    def opened(*, address: str = "", wait: bool = True, **options: Any) -> Any:
        # waiting for a state evaluates text on the page
        context = browser.new_context(**{"viewport": WIDE, "bypass_csp": True, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: mistakes.append(str(error)))
        page.goto(address or server.address)
        if wait:
            page.wait_for_function(
                "() => globalThis.tabletop?.store.answer && !tabletop.store.isStale && !tabletop.store.busy"
            )
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not mistakes


@pytest.fixture
def page(new_page: NewPage) -> Any:
    """Open a page at the width of a desk, with the first table resolved."""
    return new_page()


@pytest.fixture
def phone(new_page: NewPage) -> Any:
    """Open a page on a phone: narrow, and touched."""
    return new_page(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
