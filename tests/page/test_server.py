"""The socket of the page: what is written to it leaves at once."""

import asyncio
import socket

import pytest

from tabletop.errors import UsageError
from tabletop.page.server import listening_at
from tests.page.loops import run_apart


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_answers_do_not_wait_for_acknowledgements(host: str) -> None:
    """Head and body of an answer are two writes: with Nagle's algorithm the second waits 40 ms."""

    async def accepted(listening: socket.socket) -> int:
        met: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def meet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            met.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        async with await asyncio.start_server(meet, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname()[:2])
            told = await met
            writer.close()
            return told

    try:
        listening = listening_at(host, 0)
    except UsageError:
        pytest.skip("this machine has no such address")
    with listening:
        assert run_apart(accepted(listening))
