"""Access control of the page's server: host, origin, token and size of every request are checked first."""

import asyncio
import hmac
import ipaddress
from collections.abc import Collection
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tabletop.language import speech
from tabletop.messages import say
from tabletop.page.protocol import refusal

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

READ = "/api/read"

MOST, MOST_READ = 2**20, 87 * 2**20
"""Greatest size of a request in bytes; larger for files to read, which may be figures in Base64."""

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' blob: data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}

OWN_SITE = ("", "same-origin", "none")
"""Values of Sec-Fetch-Site sent for the page itself or a typed address; older browsers send none."""


def is_loopback(host: str) -> bool:
    """Return whether an address is a loopback address."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


class AccessControl:
    """ASGI middleware that rejects requests of other pages, hosts or users, and adds security headers to answers.

    With a `token`, only requests for data that carry it are answered. Without one, the Host header must name one of
    `hosts`, which prevents DNS rebinding. Answers are in the `language`, or else in the one that the request prefers.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str | None = None,
        hosts: Collection[str] = LOOPBACK,
        language: str | None = None,
    ) -> None:
        self._app = app
        self._token = token
        self._language = language
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject a request, or forward it with its body limited in size; add security headers to every answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        is_api = scope["path"].startswith("/api/")
        has_begun = False

        async def sent(message: Message) -> None:
            """Send a message; security headers are added to the start of a response."""
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                told = MutableHeaders(scope=message)
                told.update(SECURITY_HEADERS)
                told.setdefault("Cache-Control", "no-store" if is_api else "no-cache")
            await send(message)

        speech.speak(self._language or speech.asked_by(headers.get("accept-language", "")))
        refused = self._refusal(scope, headers, is_api=is_api)
        if refused is not None:
            await _refuse(sent, *refused)
            return
        most = MOST_READ if scope["path"] == READ else MOST
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > most:
            await _refuse(sent, 413, _too_large(most))
            return
        try:
            await self._app(scope, _limited_body(receive, most), sent)
        except asyncio.CancelledError:  # the server ends
            if has_begun:
                await send({"type": "http.response.body", "body": b""})
            else:
                await _refuse(sent, 503, say("the server ended before it had an answer"))

    def _refusal(self, scope: Scope, headers: Headers, *, is_api: bool) -> tuple[int, str] | None:
        """Return status and reason for a request that must be rejected; None if it may pass."""
        host = headers.get("host", "")
        if self._token is None and _name(host) not in self._hosts:
            return 403, say(
                "this server answers only under its own address: open the one that tabletop page printed"
            )
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2].lower() != host.lower():
            return 403, say("this server answers only its own page")
        if is_api and headers.get("sec-fetch-site", "") not in OWN_SITE:
            return 403, say("this server answers only its own page")
        if (
            self._token is not None
            and is_api
            and not hmac.compare_digest(_token(scope, headers).encode(), self._token.encode())
        ):
            return 403, say(
                "the token is missing or wrong: open the full address that tabletop page printed"
            )
        return None


def _name(host: str) -> str:
    """Return the host name in a Host header, in lower case and without its port."""
    name, _, port = host.rpartition(":")
    return (name if name and port.isdecimal() else host).lower()


def _token(scope: Scope, headers: Headers) -> str:
    """Return the token in the header X-Token or, where a browser cannot set headers, in the query; "" if there is
    none.
    """
    told = headers.get("x-token")
    return (
        told
        if told is not None
        else parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
    )


def _too_large(most: int) -> str:
    return say("the request is larger than {most:,} bytes, the limit", most=most)


def _limited_body(receive: Receive, most: int) -> Receive:
    """Return an ASGI receiver that raises status 413 once the body exceeds `most` bytes."""
    count = 0

    async def counted() -> Message:
        """Receive a message and add its size to the count; raise HTTPException beyond the limit."""
        nonlocal count
        message = await receive()
        count += len(message.get("body", b""))
        if count > most:
            raise HTTPException(413, _too_large(most))
        return message

    return counted


async def _refuse(send: Send, status: int, sentence: str) -> None:
    body = refusal(status, sentence).body
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
