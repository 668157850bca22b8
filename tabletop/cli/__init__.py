"""The command line, the only place that sees both the systems and the figures."""

import atexit
import gc
import os
import sys
from collections.abc import Sequence

NEW_OBJECTS = 300_000
"""So many are made before Python looks for garbage among them: almost all that a command makes stays until it ends, above all what it
imports, through which looking after every 700 took a tenth of its time.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code; `argv` are the arguments after the program's name."""
    try:
        return _run(argv)
    except KeyboardInterrupt:  # before any command is asked, which says what it keeps
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
        if isinstance(ended.__context__, BrokenPipeError):  # of the help, read as far as its reader wanted
            discard(sys.stdout)
            return 0
        return ended.code if isinstance(ended.code, int) else 0
    except UsageError as error:  # of names in the way, before any command is asked
        return report_error(error)
    except OSError as error:  # of the help and the version, which are printed before any command is asked
        discard(sys.stdout)
        return report_error(UsageError("standard output cannot be written: {reason}", reason=cause_of(error)))
    return 0


def run() -> None:
    """Run the command line as a program."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # matrices are small: threads wait for each other longer than they work
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # to look for some takes longer than to read a file
    gc.set_threshold(NEW_OBJECTS)
    atexit.register(gc.freeze)  # nor is there anything to gain from looking through all of it when the process ends
    sys.exit(main())
