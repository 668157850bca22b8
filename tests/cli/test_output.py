"""What a person sees while a command works."""

import os
import pty
import subprocess
import sys

import pytest

WORK = "import time; from tabletop.cli.output import patience\nwith patience({after}): time.sleep({work})"


def _on_a_terminal(code: str) -> bytes:
    """Run Python with a terminal as standard error and give what appears there."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", code], stderr=theirs, env={**os.environ, "TERM": "xterm"}
    ) as process:
        process.wait(timeout=60)
    os.write(theirs, b"|end")
    shown = b""
    while not shown.endswith(b"|end"):
        shown += os.read(ours, 4096)
    os.close(ours)
    os.close(theirs)
    return shown


@pytest.mark.parametrize(("after", "work", "is_told"), [(0.1, 1.5, True), (5.0, 0.01, False)])
def test_who_waits_is_told(after: float, work: float, is_told: bool) -> None:
    """A spinner appears once a command has worked for a while, and not for a quick one."""
    assert (b"working" in _on_a_terminal(WORK.format(after=after, work=work))) is is_told
