"""Run all benchmarks: `python -m benchmarks [--force]`."""

import sys

from benchmarks import align, figure, resolve, startup, wheel
from benchmarks.protocol import report

if __name__ == "__main__":
    sys.exit(report([wheel.measure, align.measure, resolve.measure, startup.measure, figure.measure]))
