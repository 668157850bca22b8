"""The command line `tabletop`: `main` runs one command and returns its exit code."""

import atexit
import gc
import os
import sys
from collections.abc import Sequence

NEW_OBJECTS = 300_000
"""Objects created between two runs of the garbage collector.

Nearly everything a command creates, above all imported modules, lives until it ends; with the default of 700 collecting
took a tenth of the time.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; `argv` are the arguments after the program's name, by default those of
    the process.
    """
    try:
        return _run(argv)
    except KeyboardInterrupt:  # before a command runs; commands report what they keep
        sys.stderr.write("error: interrupted; nothing is printed or written\n")
        return 130  # `ExitCode.INTERRUPTED`, before it can be imported


def _run(argv: Sequence[str] | None) -> int:
    from tabletop.cli.app import app
    from tabletop.cli.errors import report_error
    from tabletop.cli.output import discard
    from tabletop.distribution import refuse_shadows
    from tabletop.errors import UsageError, cause_of

    try:
        refuse_shadows()
        app(args=None if argv is None else list(argv), prog_name="tabletop")
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # the reader of the help closed the pipe
            discard(sys.stdout)
            return 0
        return ended.code if isinstance(ended.code, int) else 0
    except UsageError as error:  # shadowed packages, found before a command runs
        return report_error(error)
    except OSError as error:  # from printing the help or the version
        discard(sys.stdout)
        return report_error(
            UsageError("standard output cannot be written: {reason}", reason=cause_of(error))
        )
    return 0


def run() -> None:
    """Run the command line as a program, and exit the process with the command's exit code."""
    # matrices are small: threads cost more than they gain
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # looking for plugins takes longer than reading a file
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    gc.set_threshold(NEW_OBJECTS)
    atexit.register(gc.freeze)  # skip the final collection: the process ends anyway
    sys.exit(main())
