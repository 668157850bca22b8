"""Who is let in, and how much may be sent."""

from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from tabletop.page.security import MOST, MOST_READ, AccessControl, is_loopback
from tabletop.scenario.limits import FIGURE_BYTES, FILE_BYTES
from tests.page.loops import run_apart

HERE = "http://127.0.0.1:5000"
TOKEN = "secret"  # noqa: S105


async def _echo(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


def asked(
    path: str = "/api/table", *, token: str | None = None, body: Any = b"", **headers: str
) -> httpx.Response:
    """Ask an application behind a guard."""

    async def ask() -> httpx.Response:
        inner = Starlette(
            routes=[
                Route(place, _echo, methods=["GET", "POST"])
                for place in ("/", "/api/table", "/api/read")
            ]
        )
        guard = httpx.ASGITransport(AccessControl(inner, token=token))
        async with httpx.AsyncClient(transport=guard, base_url=HERE) as client:
            return await client.post(
                path,
                content=body,
                headers={key.replace("_", "-"): value for key, value in headers.items()},
            )

    return run_apart(ask())


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:5000"}, 200),
        ({"Host": "LOCALHOST"}, 200),
        ({"Host": "[::1]:5000"}, 200),
        ({"Host": "evil.example:5000"}, 403),
        ({"Host": ""}, 403),
        ({"Host": "127.0.0.1.evil.example"}, 403),
        ({"Origin": HERE}, 200),
        ({"Origin": "http://127.0.0.1:5001"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://[broken"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_only_the_page_itself_is_answered(headers: dict[str, str], status: int) -> None:
    """Another page, or this machine under another's name, is refused."""
    assert asked(**headers).status_code == status


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/api/table", {}, 403),
        ("/api/table", {"X-Token": "wrong"}, 403),
        ("/api/table", {"X-Token": "secret"}, 200),
        ("/api/table?token=secret", {}, 200),
        ("/api/table?token=\xe4", {}, 403),
        ("/", {}, 200),
    ],
)
def test_a_token_is_asked_for(path: str, headers: dict[str, str], status: int) -> None:
    """Where others can reach the server, who has the token is answered, under whatever name; the page itself holds no
    secret.
    """
    assert asked(path, token=TOKEN, Host="192.168.0.5:5000", **headers).status_code == status


def test_sizes() -> None:
    """A question may be as large as a file, a file to read as large as a figure is; with or without its length told
    before.
    """

    async def stream(size: int) -> Any:
        for _ in range(size // 2**18):
            yield b" " * 2**18

    assert MOST == FILE_BYTES
    assert FIGURE_BYTES * 4 / 3 < MOST_READ
    assert asked(body=b" " * FILE_BYTES).text == str(FILE_BYTES)
    assert asked(body=b" " * (FILE_BYTES + 1)).status_code == 413
    assert asked("/api/read", body=b" " * (FILE_BYTES + 1)).status_code == 200
    assert asked(body=stream(2 * FILE_BYTES)).status_code == 413
    assert asked(Content_Length="9" * 30).status_code == 413


def test_every_answer_says_what_it_may_load() -> None:
    """No script but the page's own runs, also on what is refused."""
    for answer in (asked(), asked(Host="evil.example")):
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),  # noqa: S104
        ("::", False),
        ("example.org", False),
    ],
)
def test_own_addresses(host: str, *, is_own: bool) -> None:
    """A token goes with every address that others may reach."""
    assert is_loopback(host) is is_own
