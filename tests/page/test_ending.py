"""A server that is ended while somebody waits."""

import signal
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.page.conftest import served
from tests.page.test_workers import SLOW

pytestmark = pytest.mark.xdist_group("page")


def test_who_waits_when_the_server_ends_is_told_so() -> None:
    """The answer says that there will be none, a map ends where it is, and nothing is printed but the address."""
    with served() as (process, address), httpx.Client(base_url=address, timeout=120.0) as client, ThreadPoolExecutor(1) as aside:
        waiting = aside.submit(client.post, "/api/resolve", json={"scenario": SLOW})
        options = {"question": "start", "step": 0.5}
        with client.stream("POST", "/api/explore", json={"scenario": SLOW, "options": options}) as part:
            lines = part.iter_lines()
            assert "done" in next(lines)
            process.send_signal(signal.SIGINT)
            assert all("done" in line for line in lines)
        reply = waiting.result()
        assert reply.status_code == 503
        assert "server" in reply.json()["error"]
        assert process.communicate(timeout=60) == ("", "")
