"""The command line, the only place that sees both the systems and the figures."""

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code; `argv` are the arguments after the program's name."""
    try:
        return _run(argv)
    except KeyboardInterrupt:  # before any command is asked, which says what it keeps
        sys.stderr.write("error: interrupted; nothing is printed or written\n")
        return 130  # `ExitCode.INTERRUPTED`, before it can be imported


def _run(argv: Sequence[str] | None) -> int:
    from tabletop.cli.guard import explained
    from tabletop.cli.output import abandon
    from tabletop.cli.whole import app
    from tabletop.distribution import refuse_shadows
    from tabletop.errors import UsageError

    try:
        refuse_shadows()
        app(args=None if argv is None else list(argv), prog_name="tabletop")
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    except UsageError as error:  # of names in the way, before any command is asked
        return explained(error)
    except OSError as error:  # of the help and the version, which are printed before any command is asked
        abandon(sys.stdout)
        return explained(error)
    return 0


def run() -> None:
    """Run the command line as a program."""
    sys.exit(main())
