"""One writer of a table at a time: a file beside the table that is locked, and says by whom, as long as a process writes."""

import contextlib
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tabletop.errors import UsageError
from tabletop.messages import say

_OURS = "process "
"""How the file begins that says who writes."""

_MOST = 200
"""Letters that are read of who writes."""
_HELD: set[int] = set()
"""Handles of the locks that this process holds."""

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 20  # the byte that is locked cannot be read by others, so it is none of those that say who writes

    def _is_locked(handle: int) -> bool:
        """Lock an open file; tell whether that went well."""
        os.lseek(handle, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _is_locked(handle: int) -> bool:
        """Lock an open file; tell whether that went well. Where files cannot be locked, nobody is kept out."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True

    def _let_go() -> None:
        """Close the locks in a process that is forked off: a worker that outlives its parent must keep nobody out."""
        for handle in _HELD:
            os.close(handle)
        _HELD.clear()

    os.register_at_fork(after_in_child=_let_go)


@contextmanager
def one_writer(out: Path) -> Iterator[None]:
    """Keep other processes from writing a table; the lock of one that has ended, however it ended, keeps nobody out.

    Raises
    ------
    UsageError
        If another writes it already; the message says who.
    OSError
        If there can be no file beside the table.
    """
    path = out.with_name(f".{out.name}.lock")
    handle = _taken(path, out)
    _HELD.add(handle)
    try:
        yield
    finally:
        if handle in _HELD:
            _HELD.remove(handle)
            with contextlib.suppress(OSError):  # where open files cannot be removed it stays, and keeps nobody out
                path.unlink()
            os.close(handle)


def _taken(path: Path, out: Path) -> int:
    """Open and lock the file; one that its former owner has removed meanwhile is no lock, then there is a new one."""
    while True:
        if path.is_symlink():
            message = "{path} is a link to another file; it would be our note that {out} is being written. Move it, or name another file"
            raise UsageError(message, path=path, out=out)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        if not _is_locked(handle):
            told = os.read(handle, _MOST).decode(errors="replace").strip()
            os.close(handle)
            message = "{out} is being written by {told}; wait until it is done, or name another file"
            raise UsageError(message, out=out, told=told or say("another process"))
        if _is_there(handle, path):
            _refuse_foreign(handle, path, out)
            os.ftruncate(handle, 0)
            os.lseek(handle, 0, os.SEEK_SET)
            os.write(handle, f"{_OURS}{os.getpid()} on {socket.gethostname()}, since {time.strftime('%Y-%m-%d %H:%M:%S')}".encode())
            return handle
        os.close(handle)


def _refuse_foreign(handle: int, path: Path, out: Path) -> None:
    """Leave a file alone that we did not write."""
    if (known := os.read(handle, len(_OURS))) and known != _OURS.encode():
        os.close(handle)
        message = "{path} is a file of yours; our note that {out} is being written has its name. Move it, or name another file"
        raise UsageError(message, path=path, out=out)


def _is_there(handle: int, path: Path) -> bool:
    """Tell whether an open file is still the one of that name."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat(follow_symlinks=False))
    except FileNotFoundError:
        return False
