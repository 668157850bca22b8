"""The Starlette application of the page: routes, and handlers that pass requests to worker processes."""

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from tabletop.distribution import HOME
from tabletop.language import speech
from tabletop.messages import holes, say, word
from tabletop.page.protocol import ENDPOINTS, EXPLORE, NDJSON, START, WARM, Reply, refusal
from tabletop.page.security import AccessControl
from tabletop.page.workers import PageRequest, WorkerPool

STATIC = Path(__file__).parent / "static"

PAINTER_SCRIPT = HOME / "plots" / "painter" / "painter.js"
"""JavaScript that paints marks, on the page and in exported players."""

STATIC_FILES = {path.name: path for path in (*STATIC.iterdir(), PAINTER_SCRIPT) if path.is_file()}

MODULES = sorted(name for name in STATIC_FILES if name.endswith(".js") and name != "main.js")
"""Modules that `main.js` loads."""

PRELOADED = "  <!-- modulepreload: a link for each other module (tabletop/page/app.py) -->"

NO_WORDS = '{"said": {}, "decimal": "."}'
"""Placeholder of the page's translations in `index.html`, valid for English."""

SAID = re.compile(r"\{\{(.+?)\}\}")
"""Pattern of a translatable text in `index.html`."""

STATIC_MEDIA_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}

FONTS = ("OpenSans-Regular.ttf", "OpenSans-Bold.ttf")

FIRST = "t9a/wheel-and-align"

LONGEST_ID = 64
"""Characters of a page's id and a question's name."""

ERROR_TEXTS = {
    404: say("there is nothing at this address"),
    405: say("this address does not accept this method"),
}

ENDED = 499
"""Status of an answer whose client has disconnected."""

Handler = Callable[[Request], Awaitable[Response]]


def application(
    first: Mapping[str, Any] | None = None,
    *,
    token: str | None = None,
    work: WorkerPool | None = None,
    language: str | None = None,
) -> Starlette:
    """Return the Starlette application; `first` is the initial scenario with its name, None for a bundled one.

    With a `token` every request for data must carry it. Without a `language`, each browser gets the one it prefers.
    """

    @asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:
        """Run the worker pool during the application's lifetime."""
        app.state.work = work or WorkerPool()
        app.state.work.start([start, PageRequest("theme"), PageRequest(WARM, system.encode())])
        try:
            yield
        finally:
            await app.state.work.stop()

    start = (
        PageRequest("scenario", FIRST.encode())
        if first is None
        else PageRequest(START, json.dumps(first).encode())
    )
    system = FIRST.partition("/")[0] if first is None else str(first["scenario"].get("system"))
    asking = {
        kind: _posted(kind) if one.method == "POST" else _told(kind)
        for kind, one in ENDPOINTS.items()
    }
    asking |= {START: _told(start.kind, start.data), EXPLORE: _streamed}
    routes = [
        Route("/", _index),
        *(
            Route(one.address, asking[kind], methods=[one.method])
            for kind, one in ENDPOINTS.items()
            if one.address
        ),
        Route("/static/fonts/{name}", _font),
        Route("/static/{name}", _static),
    ]
    guards = [Middleware(AccessControl, token=token, language=language)]
    return Starlette(
        routes=routes,
        lifespan=running,
        middleware=guards,
        exception_handlers={HTTPException: _refused},
    )


async def _index(request: Request) -> Response:
    page = _filled((STATIC / "index.html").read_text("utf-8"), speech.spoken_name())
    return _sent(request, page.encode(), ".html", {"Vary": "Accept-Language"})


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in STATIC_FILES:
        raise HTTPException(404)
    # small files: reading is faster than a thread
    return _sent(request, STATIC_FILES[name].read_bytes(), STATIC_FILES[name].suffix)


def _sent(
    request: Request, data: bytes, suffix: str, more: Mapping[str, str] = MappingProxyType({})
) -> Response:
    """Return the response with a file of the page, or with status 304 if the browser has the same version (ETag)."""
    headers = {"ETag": f'"{hashlib.sha256(data).hexdigest()[:16]}"', **more}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(data, headers=headers, media_type=STATIC_MEDIA_TYPES[suffix])


def _filled(page: str, language: str | None) -> str:
    """Return index.html with its texts translated and preload links for all modules, which otherwise load one after
    another.
    """
    if language is not None:
        from tabletop.language.language import NO_LOOKS, PAGE
        from tabletop.language.language import language as language_of

        spoken = language_of(language)
        catalogue = spoken.catalogue(PAGE, NO_LOOKS)
        said = {
            key: text
            for key, text in catalogue.said.items()
            if all(name.isdigit() for name, _, _ in holes(key))
        }
        words = json.dumps({"said": said, "decimal": catalogue.decimal}).replace("<", "\\u003c")
        page = page.replace(NO_WORDS, words).replace(
            '<html lang="en">', f'<html lang="{escape(spoken.code)}">'
        )
        page = SAID.sub(lambda found: escape(catalogue.render(word(found[1]))), page)
    links = "\n".join(f'  <link rel="modulepreload" href="/static/{name}">' for name in MODULES)
    return SAID.sub(r"\1", page).replace(PRELOADED, links)


async def _font(request: Request) -> Response:
    """Return the response with a font of the figures; status 404 if its name is unknown."""
    name = request.path_params["name"]
    if name not in FONTS:
        raise HTTPException(404)
    return FileResponse(HOME / "plots" / "fonts" / name, media_type="font/ttf")


def _told(kind: str, data: bytes = b"") -> Handler:
    """Return the handler of a GET endpoint; its worker gets `data` or, if empty, the variable parts of the path."""

    async def tell(request: Request) -> Response:
        """Return the worker's reply to this request as a response."""
        parts = "/".join(request.path_params.values())
        return _response(
            await request.app.state.work.ask(
                PageRequest(kind, data or parts.encode(), language=speech.spoken_name())
            )
        )

    return tell


def _posted(kind: str) -> Handler:
    """Return the handler of a POST endpoint, which cancels the work if the client disconnects."""

    async def ask(request: Request) -> Response:
        """Return the worker's reply to the posted body as a response; status `ENDED` if the client has disconnected."""
        question = await _question(request, kind)
        if question is None:
            return Response(status_code=ENDED)
        answer = asyncio.ensure_future(request.app.state.work.ask(question))
        gone = asyncio.ensure_future(_gone(request))
        try:
            await asyncio.wait({answer, gone}, return_when=asyncio.FIRST_COMPLETED)
            return _response(answer.result()) if answer.done() else Response(status_code=ENDED)
        finally:
            answer.cancel()
            gone.cancel()

    return ask


async def _streamed(request: Request) -> Response:
    """Return the response that sends the parts of an answer line by line as they arrive."""
    question = await _question(request, EXPLORE)
    return (
        Response(status_code=ENDED)
        if question is None
        else StreamingResponse(request.app.state.work.parts(question), media_type=NDJSON)
    )


async def _question(request: Request, kind: str) -> PageRequest | None:
    """Return an HTTP request as a `PageRequest` of the given kind, or None if the client disconnected before sending
    all of it.
    """
    try:
        data = await request.body()
    except ClientDisconnect:
        return None
    page = request.headers.get("x-page")
    name = request.headers.get("x-question", kind)[:LONGEST_ID]
    return PageRequest(
        kind, data, None if page is None else page[:LONGEST_ID], name, speech.spoken_name()
    )


async def _gone(request: Request) -> None:
    """Wait until the client disconnects."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _response(reply: Reply) -> Response:
    return Response(reply.body, reply.status, dict(reply.headers), reply.media)


async def _refused(request: Request, error: Exception) -> Response:
    del request
    status, detail = (
        (error.status_code, error.detail) if isinstance(error, HTTPException) else (500, str(error))
    )
    headers = error.headers if isinstance(error, HTTPException) else None
    return _response(
        replace(refusal(status, ERROR_TEXTS.get(status, detail)), headers=headers or {})
    )
