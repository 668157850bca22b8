"""Matplotlib as it is shipped, loaded once, with the settings that decide bytes.

Neither a user's settings nor the environment changes a figure. Each package of figures that needs Matplotlib calls `load` before
it imports anything of it; marks never do.
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
    "font.family": list(TYPEFACE),
    "svg.hashsalt": "tabletop",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "pdf.compression": 6,
    "text.usetex": False,
    "text.hinting": "none",
}
"""Settings of matplotlib that decide bytes and are not those it is shipped with; without hints letters are as wide as measured."""

_IS_SET = ContextVar("_IS_SET", default=False)
"""Whether the settings are made already: to make them takes milliseconds, which every frame of a film would pay."""


def load() -> None:
    """Import matplotlib; a window system that the environment asks for and nobody knows is no reason not to draw into files.

    Raises
    ------
    UsageError
        If matplotlib cannot be loaded, as with a file of settings that is no text.
    """
    if "matplotlib" in sys.modules:
        return
    wanted = os.environ.pop(BACKEND, None)
    try:
        import matplotlib as mpl
    except (ImportError, OSError, ValueError) as error:
        raise UsageError("figures need matplotlib, which cannot be loaded: {error}", error=message_of(error)) from error
    finally:
        if wanted is not None:
            os.environ[BACKEND] = wanted
    if wanted:
        with suppress(ValueError):
            mpl.rcParams["backend"] = wanted


def load_without_help() -> None:
    """Import figures of matplotlib without what `help` tells of their `set`, which takes half of the time. Raises as `load` does."""
    load()
    from matplotlib import artist

    listed, artist.kwdoc = artist.kwdoc, lambda artist: ""  # noqa: ARG005 - matplotlib names it so
    try:
        import_module("matplotlib.figure")
    finally:
        artist.kwdoc = listed


@contextmanager
def as_shipped() -> Iterator[None]:
    """Draw with matplotlib's own defaults and the settings above; afterwards a user's own are back."""
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
