"""Atomic writing: a file is written completely under a temporary name beside its destination, then moved there."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LONGEST = 100
"""Characters of the destination's name used in the temporary name, to stay below the limit of file systems."""


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield the path of a new, empty temporary file, which replaces the file at `path` when the `with` block ends
    without an error.

    After an error it is deleted, and the file at `path` stays as it was.

    Raises
    ------
    OSError
        If the file cannot be created or moved.
    """
    handle, name = tempfile.mkstemp(
        dir=path.parent, prefix=f".{path.name[:_LONGEST]}.", suffix=".new"
    )
    os.close(handle)
    beside = Path(name)
    try:
        yield beside
        mask = os.umask(0)
        os.umask(mask)
        beside.chmod(0o666 & ~mask)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
