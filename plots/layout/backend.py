"""Matplotlib with its default settings, plus those that make output reproducible.

User settings and the environment do not affect figures. Each package that needs Matplotlib calls `load` before
importing any of it; marks never do.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from importlib import import_module
from typing import Any

from plots.marks.theme import TYPEFACE
from tabletop.errors import UsageError, message_of

BACKEND = "MPLBACKEND"

SETTINGS: Any = {
    # that of titles has no normal weight, about which Matplotlib would write a line
    "font.family": list(TYPEFACE[:2]),
    "svg.hashsalt": "tabletop",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "pdf.compression": 6,
    "text.usetex": False,
    "text.hinting": "none",
}
"""Settings that differ from Matplotlib's defaults, for reproducible bytes; without hinting, letters are as wide as
measured."""

_IS_SET = ContextVar("_IS_SET", default=False)
"""Whether the settings are prepared; preparing them takes milliseconds, too long for every frame of a film."""


def load() -> None:
    """Import Matplotlib, ignoring an unknown backend in the environment, since only files are drawn.

    Raises
    ------
    UsageError
        If Matplotlib cannot be loaded, for example because its settings file is not text.
    """
    if "matplotlib" in sys.modules:
        return
    wanted = os.environ.pop(BACKEND, None)
    try:
        import matplotlib as mpl
    except (ImportError, OSError, ValueError) as error:
        raise UsageError(
            "figures need matplotlib, which cannot be loaded: {error}", error=message_of(error)
        ) from error
    finally:
        if wanted is not None:
            os.environ[BACKEND] = wanted
    if wanted:
        with suppress(ValueError):
            mpl.rcParams["backend"] = wanted


def load_without_help() -> None:
    """Import Matplotlib's figures in half the time, without generating the docstrings of `set`; raises the errors of
    `load`.
    """
    load()
    from matplotlib import artist

    listed, artist.kwdoc = artist.kwdoc, lambda artist: ""  # noqa: ARG005 - matplotlib names it so
    try:
        import_module("matplotlib.figure")
    finally:
        artist.kwdoc = listed


@contextmanager
def as_shipped() -> Iterator[None]:
    """Context manager that applies Matplotlib's defaults and `SETTINGS` while drawing, and restores the user's settings
    afterwards.
    """
    import matplotlib as mpl

    if _IS_SET.get():
        yield
        return
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)
        token = _IS_SET.set(True)
        try:
            yield
        finally:
            _IS_SET.reset(token)
