"""Thousands of hostile requests: whatever comes, the answer is no fault of the server's."""

import copy
import json
import random
import socket
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tabletop.page.protocol import ENDPOINTS
from tabletop.scenario.parsing import parsed
from tabletop.scenario.sources import bundled_text

pytestmark = pytest.mark.xdist_group("page")
ABOUT_A_SCENARIO = [
    kind
    for kind, one in ENDPOINTS.items()
    if one.method == "POST" and kind not in ("read", "explore")
]
BASES = (
    "t9a/wheel-and-align",
    "conquest/a-friend-that-is-held",
    "wh40k/onto-the-crate",
    "battletech/a-dropship-does-not-budge",
)
ODD: tuple[Any, ...] = (
    None,
    True,
    "",
    "x" * 5_000,
    "\0",
    -1,
    0,
    1e308,
    -1e-308,
    2**70,
    0.1,
    [],
    {},
    [[]],
    [[0, 0]] * 3,
    {"a": {}},
    "units",
    "N",
    "0101",
    "é\ud800",
)
OPTIONS = (
    "figure",
    "dice",
    "seed",
    "set",
    "near",
    "within",
    "format",
    "size",
    "dpi",
    "scale",
    "panel",
    "unit",
    "max_seconds",
    "step",
    "question",
)


def _spots(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """List the paths of all that is in tables."""
    inside = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in inside:
        yield (*path, key)
        yield from _spots(inner, (*path, key))


def _spoilt(rng: random.Random, *, has_figures: bool) -> tuple[str, bytes]:
    """Return an address and a body that something is wrong with."""
    kind = rng.choice(
        [
            *(kind for kind in ABOUT_A_SCENARIO if kind != "draw" or has_figures),
            "table",
            "table",
            "read",
        ]
    )
    tables = parsed(bundled_text(rng.choice(BASES)).encode())
    for _ in range(rng.randint(1, 3)):
        *path, last = rng.choice(list(_spots(tables)))
        inner: Any = tables
        for part in path:
            inner = inner[part]
        inner[last] = copy.deepcopy(rng.choice(ODD))
    options = {rng.choice(OPTIONS): rng.choice(ODD) for _ in range(rng.randint(0, 2))}
    body = json.dumps({"scenario": tables, "options": {"max_seconds": 1, **options}}).encode()
    damage = rng.random()
    if damage < 0.1:
        body = body[: rng.randrange(len(body))]
    elif damage < 0.2:
        place = rng.randrange(len(body))
        body = body[:place] + rng.randbytes(3) + body[place:]
    if kind == "read":
        body = json.dumps(
            {rng.choice(["text", "data", "name"]): body.decode("latin-1"), "name": rng.choice(ODD)}
        ).encode()
    return f"/api/{kind}", body


def _hold(server: httpx.Client, first: int, count: int, *, has_figures: bool) -> None:
    for seed in range(first, first + count):
        path, body = _spoilt(random.Random(seed), has_figures=has_figures)  # noqa: S311 - requests, not secrets
        answer = server.post(path, content=body)
        assert answer.status_code in (200, 400, 408), (seed, path, answer.text[:500])
        assert answer.status_code == 200 or len(answer.json()["error"]) > 10, seed


def test_hostile_requests_are_refused(server: httpx.Client) -> None:
    """A few of them in every run."""
    _hold(server, 0, 150, has_figures=False)


@pytest.mark.oracle
def test_thousands_of_hostile_requests_are_refused(server: httpx.Client) -> None:
    """5,000 more, figures among them: none brings the server into trouble."""
    _hold(server, 1_000, 5_000, has_figures=True)


@pytest.mark.slow
def test_odd_addresses_and_headers_are_refused(server: httpx.Client) -> None:
    """Whatever stands in a request beside its body; many of it is no HTTP at all."""
    port = server.base_url.port
    assert port is not None
    parts = [
        *b"/%.:?#&=",
        *b"api static resolve scenarios t9a fonts ..",
        0,
        9,
        10,
        13,
        32,
        127,
        128,
        195,
        255,
    ]
    for seed in range(1_500):
        rng = random.Random(seed)  # noqa: S311 - requests, not secrets
        odd = bytes(rng.choice(parts) for _ in range(rng.randint(1, 40)))
        method = rng.choice([b"GET", b"POST", b"PUT", b"HEAD", b"OPTIONS", b"BREW", odd])
        path = (
            rng.choice(
                [
                    b"/",
                    b"/api/",
                    b"/api/scenarios/",
                    b"/api/readings/",
                    b"/static/",
                    b"/static/fonts/",
                    b"",
                ]
            )
            + odd
        )
        header = rng.choice(
            [
                b"X-Page",
                b"X-Question",
                b"Content-Length",
                b"Transfer-Encoding",
                b"Content-Type",
                b"Origin",
                odd,
            ]
        )
        lines = [
            method + b" " + path + b" HTTP/1.1",
            b"Host: 127.0.0.1:%d" % port,
            header + b": " + odd,
            b"Connection: close",
            b"",
            odd,
        ]
        with socket.create_connection(("127.0.0.1", port), timeout=60) as caller:
            caller.sendall(b"\r\n".join(lines))
            caller.shutdown(socket.SHUT_WR)
            told = caller.makefile("rb").readline()
        assert not told.startswith(b"HTTP/1.1 5"), (seed, lines, told)
    assert server.get("/api/health").status_code == 200
