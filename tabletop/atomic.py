"""Files that are there whole or not at all: written beside their place, under a name that nobody else has, and put there in one go."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LONGEST = 100
"""Letters of a file's name that go into that of the file beside it: the two together must be short enough."""


@contextmanager
def written_beside(path: Path) -> Iterator[Path]:
    """Yield a new, empty file to write into; it takes the place of `path` at the end, and is gone if anything goes wrong.

    Raises
    ------
    OSError
        If it cannot be made, or not be put there.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:_LONGEST]}.", suffix=".new")
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
