"""The addresses of the page and what each answers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from tabletop.distribution import HOME
from tabletop.page import answers

STATIC = Path(__file__).parent / "static"
FIGURES = HOME / "plots"
FONTS = ("OpenSans-Regular.ttf", "OpenSans-Bold.ttf")
FIRST = "t9a/wheel-and-align"


def application(file: str | None = None) -> Starlette:
    """Return the application; a file is what lies on the table first."""
    first = answers.opened(file or FIRST)
    routes = [
        Route("/", _index),
        Route("/api/health", _told(lambda _: answers.health())),
        Route("/api/schema", _told(lambda _: answers.schema())),
        Route("/api/theme", _told(lambda _: answers.theme())),
        Route("/api/start", _told(lambda _: first)),
        Route("/api/scenarios", _told(lambda _: answers.scenarios())),
        Route("/api/scenarios/{system}/{name}", _told(lambda request: answers.scenario("{system}/{name}".format(**request.path_params)))),
        Route("/api/readings/{system}", _told(lambda request: answers.readings(request.path_params["system"]))),
        Route("/api/read", _read, methods=["POST"]),
        *(Route(f"/api/{kind}", _asked(kind), methods=["POST"]) for kind in answers.QUESTIONS),
        Route("/static/fonts/{name}", _font),
        Mount("/static", StaticFiles(directory=STATIC, check_dir=False)),
    ]
    return Starlette(routes=routes, exception_handlers={HTTPException: _refused})


async def _index(request: Request) -> Response:
    del request
    return FileResponse(STATIC / "index.html")


async def _font(request: Request) -> Response:
    """Give a face of the figures' own typeface."""
    name = request.path_params["name"]
    if name not in FONTS:
        raise HTTPException(404, f"there is no font {name}")
    return FileResponse(FIGURES / "fonts" / name, media_type="font/ttf")


async def _refused(request: Request, error: Exception) -> Response:
    del request
    status, detail = (error.status_code, error.detail) if isinstance(error, HTTPException) else (500, str(error))
    return JSONResponse({"error": detail, "key": None}, status)


def _told(answer: Callable[[Request], Any]) -> Callable[[Request], Any]:
    async def tell(request: Request) -> Response:
        return await run_in_threadpool(_written, lambda: answer(request))

    return tell


def _asked(kind: str) -> Callable[[Request], Any]:
    async def ask(request: Request) -> Response:
        data = await request.body()
        return await run_in_threadpool(_written, lambda: answers.QUESTIONS[kind](*answers.posted(data)))

    return ask


async def _read(request: Request) -> Response:
    data = await request.body()
    return await run_in_threadpool(_written, lambda: answers.read(data))


def _written(answer: Callable[[], Any]) -> Response:
    try:
        return Response(json.dumps(answer(), allow_nan=False), media_type="application/json")
    except LookupError as error:
        return JSONResponse({"error": str(error.args[0]), "key": None}, 404)
    except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets one message and a status
        status, told = answers.refusal(error)
        return JSONResponse(told, status)
