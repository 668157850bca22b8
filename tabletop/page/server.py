"""The page's server: opens the socket, runs uvicorn until it is interrupted, prints the address and opens the
browser.
"""

import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn

from tabletop.errors import UsageError, cause_of
from tabletop.page.app import application
from tabletop.page.security import is_loopback
from tabletop.page.workers import Worker, WorkerPool

WAITING = 64
"""Backlog of the socket."""


def serve(
    file: str | None,
    *,
    host: str,
    port: int,
    has_browser: bool,
    announce: Callable[[str], None],
    new: str | None = None,
    worker: Worker | None = None,
    language: str | None = None,
) -> None:
    """Announce the page's address and serve the page until interrupted; `worker` is a worker process already started.

    The page starts with the scenario of `file`, an empty table of the system `new`, or a bundled scenario. Without a
    `language` it uses that of the browser.

    Raises
    ------
    UsageError
        If the address cannot be used, or the system is unknown.
    ScenarioError
        If the scenario is too faulty to be shown.
    """
    first = first_table(file, new)
    token = None if is_loopback(host) else secrets.token_urlsafe(16)
    listening = listening_at(host, port)
    address = f"http://{_written(host)}:{listening.getsockname()[1]}/{'' if token is None else f'?token={token}'}"
    config = uvicorn.Config(
        application(first, token=token, work=WorkerPool(first=worker), language=language),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=1,
    )
    with suppress(KeyboardInterrupt):
        _Server(config, address, announce, has_browser=has_browser).run(sockets=[listening])


class _Server(uvicorn.Server):
    """A uvicorn server that announces its address once it can be interrupted, and cancels open requests when it shuts
    down.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        address: str,
        announce: Callable[[str], None],
        *,
        has_browser: bool,
    ) -> None:
        super().__init__(config)
        self._address = address
        self._announce = announce
        self._has_browser = has_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, announce the address and open the browser."""
        await super().startup(sockets)
        self._announce(self._address)
        sys.stdout.flush()
        if self._has_browser:
            threading.Thread(target=webbrowser.open, args=(self._address,), daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Cancel all requests, then shut down."""
        for task in self.server_state.tasks:
            task.cancel()
        await super().shutdown(sockets)


def first_table(file: str | None, new: str | None) -> dict[str, Any] | None:
    """Return the initial scenario with its name: of a file, an empty table of the system `new`, or None if neither is
    given.

    Raises
    ------
    UsageError
        If the system is unknown.
    ScenarioError
        If the scenario is too faulty to be shown.
    """
    if file is None and new is None:
        return None
    from tabletop.page.answers import empty, opened

    return empty(str(new)) if file is None else opened(file)


def listening_at(host: str, port: int) -> socket.socket:
    """Return a TCP socket that listens at an address; port 0 takes any free port.

    Raises
    ------
    UsageError
        If the address cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        # asyncio disables Nagle's algorithm only if the protocol is given; else each answer is delayed by 40 ms
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as error:
        raise _refused(host, port, error) from None
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise _refused(host, port, error) from None
    listening.listen(WAITING)
    return listening


def _refused(host: str, port: int, error: OSError) -> UsageError:
    return UsageError(
        "--host {host} --port {port}: cannot listen there: {reason}",
        host=host,
        port=port,
        reason=cause_of(error),
    )


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host
