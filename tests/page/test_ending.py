"""A server that is ended while somebody waits."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.page.conftest import served
from tests.page.test_workers import SLOW

pytestmark = pytest.mark.xdist_group("page")


def test_who_waits_when_the_server_ends_is_told_so() -> None:
    """The answer says that there will be none, a map ends where it is, and nothing is printed but the address."""
    with (
        served() as (process, address),
        httpx.Client(base_url=address, timeout=120.0) as client,
        ThreadPoolExecutor(1) as aside,
    ):
        waiting = aside.submit(client.post, "/api/resolve", json={"scenario": SLOW})
        options = {"question": "start", "step": 0.5}
        with client.stream(
            "POST", "/api/explore", json={"scenario": SLOW, "options": options}
        ) as part:
            lines = part.iter_lines()
            assert "done" in next(lines)
            process.send_signal(signal.SIGINT)
            assert all("done" in line for line in lines)
        reply = waiting.result()
        assert reply.status_code == 503
        assert "server" in reply.json()["error"]
        assert process.communicate(timeout=60) == ("", "")


@pytest.mark.parametrize(
    ("way", "seconds"), [(signal.SIGINT, 0.0), (signal.SIGINT, 3.4), (signal.SIGTERM, 3.4)]
)
def test_a_server_that_is_ended_with_all_its_processes_prints_nothing(
    way: signal.Signals, seconds: float
) -> None:
    """Ctrl-C in a terminal and the end of a service reach all of them at once: at the very start, and while workers are
    being started.
    """
    with served(start_new_session=True) as (process, _):
        time.sleep(seconds)
        os.killpg(process.pid, way)
        assert process.communicate(timeout=60) == ("", "")
