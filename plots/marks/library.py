"""matplotlib, loaded as it is shipped: each room of the figures that needs it loads it here first, and marks alone never do."""

import os
import sys
from contextlib import suppress

from tabletop.errors import UsageError

BACKEND = "MPLBACKEND"


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
        raise UsageError(f"figures need matplotlib, which cannot be loaded: {error}") from error
    finally:
        if wanted is not None:
            os.environ[BACKEND] = wanted
    if wanted:
        with suppress(ValueError):
            mpl.rcParams["backend"] = wanted
