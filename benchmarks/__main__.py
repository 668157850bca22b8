"""Run all benchmarks: `python -m benchmarks [--force]`."""

import sys

from benchmarks import align, battletech, combined, conquest, figure, film, placement, resolve, startup, unaligned, wh40k, wheel
from benchmarks.protocol import report

MEASURES = [
    wheel.measure,
    align.measure,
    resolve.measure,
    unaligned.measure,
    combined.measure,
    conquest.measure,
    wh40k.measure,
    placement.measure,
    battletech.measure,
    startup.measure,
    figure.measure,
    film.measure,
]

if __name__ == "__main__":
    sys.exit(report(MEASURES))
