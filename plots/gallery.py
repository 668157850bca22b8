"""Command `python -m plots.gallery -o gallery`: draw the bundled scenarios of all games on one HTML page."""

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from os import cpu_count
from pathlib import Path

from plots.export.gallery import Exhibit, contact_sheet, exhibit, gallery_page
from plots.render.files import write_beside
from tabletop import registry
from tabletop.errors import TabletopError, UsageError, cause_of

Job = tuple[str, Path, Path, bool]


def build(
    folder: Path, *, systems: Sequence[str] = (), sheet: Path | None = None, plays: bool = False, workers: int | None = None
) -> tuple[Exhibit, ...]:
    """Draw the bundled scenarios of some or all systems into a folder with an `index.html`, and return what was drawn.

    With `sheet`, also write a contact sheet, a PNG; with `plays`, also a page per scenario that plays it. The output does not depend on
    the number of `workers`. Other files in the folder are left alone.

    Raises
    ------
    UsageError
        If a system is unknown, or something cannot be written.
    """
    names = systems or registry.usable_names(lambda why: sys.stderr.write(f"warning: {why}\n"))
    titles = {name: registry.find(name).title for name in names}
    jobs = [(name, file, folder, plays) for system in names for name, file in registry.scenarios(system)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with ProcessPoolExecutor(max_workers=workers or cpu_count() or 1) as pool:
            exhibits = tuple(pool.map(_exhibit, jobs, chunksize=2))
    except OSError as error:
        raise UsageError("{path}: cannot be written: {reason}", path=folder, reason=cause_of(error)) from error
    write_beside(folder / "index.html", gallery_page(exhibits, titles).encode())
    if sheet is not None:
        contact_sheet(sheet, exhibits, titles)
    return exhibits


def _exhibit(job: Job) -> Exhibit:
    name, file, folder, plays = job
    return exhibit(name, file, folder, plays=plays)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the gallery as the command-line arguments say, with a contact sheet if requested; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m plots.gallery", description="Draw every bundled scenario onto one page.")
    parser.add_argument("-o", "--out", type=Path, default=Path("gallery"), help="the folder (default: gallery)")
    parser.add_argument("--sheet", type=Path, help="also write a contact sheet: a PNG")
    parser.add_argument("--play", action="store_true", help="also write a page for each that plays it (takes three times as long)")
    parser.add_argument("--workers", type=int, help="processes; one for each core if left out")
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help="only these systems")
    asked = parser.parse_args(arguments)
    begun = time.monotonic()
    try:
        exhibits = build(asked.out, systems=asked.systems, sheet=asked.sheet, plays=asked.play, workers=asked.workers)
    except TabletopError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    sys.stdout.write(f"{asked.out / 'index.html'}: {len(exhibits)} charges in {time.monotonic() - begun:.0f} s\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
