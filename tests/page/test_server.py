"""The server of the page: what is written to its socket leaves at once; what lies on the table first."""

import asyncio
import re
import socket

import pytest

from tabletop.cli import main
from tabletop.errors import UsageError
from tabletop.page import answers
from tabletop.page.options import ResolveOptions
from tabletop.page.server import first_table, listening_at
from tests.page.loops import run_apart


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_answers_do_not_wait_for_acknowledgements(host: str) -> None:
    """Head and body of an answer are two writes: with Nagle's algorithm the second waits 40 ms."""

    async def accepted(listening: socket.socket) -> int:
        met: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def meet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            met.set_result(
                writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            )
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


@pytest.mark.parametrize(
    ("system", "board", "others"),
    [
        ("t9a", {"width": 72, "depth": 48}, 2),
        ("conquest", {"width": 72, "depth": 48}, 2),
        ("wh40k", {"width": 60, "depth": 44}, 2),
        ("battletech", {"columns": 15, "rows": 17}, 0),
    ],
)
def test_an_empty_table_is_that_of_its_game(
    system: str, board: dict[str, float], others: int
) -> None:
    """Nothing lies on it and nothing is told of it; the sizes that the page offers begin with its own."""
    told = first_table(None, system)
    assert told == {"scenario": {"system": system, "board": board}, "name": ""}
    answer = answers.resolve(told["scenario"], ResolveOptions())
    assert (answer["rulings"], answer["badges"], answer["places"]) == ([], [], {})
    boards = next(one["boards"] for one in answers.health()["systems"] if one["name"] == system)
    assert boards[0] == board
    assert len(boards) == 1 + others


def test_one_table_lies_there_first(capsys: pytest.CaptureFixture[str]) -> None:
    """A file or an empty table of a game that there is; without either the page has its own first."""
    assert first_table(None, None) is None
    with pytest.raises(UsageError, match="chess"):
        first_table(None, "chess")
    assert main(["page", "t9a/align-corner", "--new", "t9a", "--no-browser"]) == 2
    assert re.search(r"\bFILE .*--new\b", capsys.readouterr().err)
