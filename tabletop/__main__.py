"""Run the command line as `python -m tabletop`."""

from tabletop.cli import run

run()
