"""Run all benchmarks: `python -m benchmarks [--force]`."""

import sys

from benchmarks import (
    align,
    battletech,
    combined,
    conquest,
    contrasts,
    explore,
    figure,
    film,
    fits,
    page,
    placement,
    resolve,
    startup,
    threat,
    unaligned,
    wh40k,
    wheel,
)
from benchmarks.protocol import report

MEASURES = [
    wheel.measure,
    align.measure,
    resolve.measure,
    unaligned.measure,
    combined.measure,
    combined.measure_many,
    conquest.measure,
    contrasts.measure,
    fits.measure,
    wh40k.measure,
    placement.measure,
    battletech.measure,
    threat.measure,
    explore.measure,
    explore.of_reading,
    startup.measure,
    figure.measure,
    film.measure,
    page.measure,
]

if __name__ == "__main__":
    sys.exit(report(MEASURES))
