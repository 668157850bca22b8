"""Drawing: a before/after figure with 100 bases a panel / an empty figure of two panels, same size and format, in
files.
"""

import re
import sys
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from benchmarks.protocol import Promise, interleaved, report
from plots.layout.page import lay_out
from plots.layout.setting import DEFAULT
from plots.render.artists import paint
from plots.render.figure import draw, picture
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution
from tests.scenes import case, charger, resolve, table, target

MODELS, FILES = 50, 10
"""Of each of the two units."""


def measure() -> tuple[Promise, ...]:
    """Time both in both formats and count what the figure shows."""
    question = case(
        table(
            target(FILES, models=MODELS), charger((100.0, 150.0), 262.0, files=FILES, models=MODELS)
        )
    )
    resolution = resolve(question)
    with tempfile.TemporaryDirectory() as folder:
        return tuple(
            _promise(question, resolution, Path(folder) / f"figure.{kind}")
            for kind in ("png", "svg")
        )


def _promise(question: Case, resolution: Resolution, path: Path) -> Promise:
    size = tuple(paint(lay_out(picture(question, resolution))).get_size_inches())
    ours, empty = interleaved(
        partial(draw, question, resolution, path),
        partial(draw_empty, path.with_stem("empty"), size=size),
    )
    proof = path.with_suffix(".svg")
    draw(question, resolution, proof)
    missing = missing_parts(
        proof.read_text(encoding="utf-8"),
        {name: unit.models for name, unit in question.state.units.items()},
    )
    return Promise(
        name=f"figure of {2 * MODELS} bases / empty figure, {path.suffix[1:].upper()}",
        value=ours / empty,
        sense="at most",
        limit=2.0,
        unit=" x",
        gate=f"missing: {', '.join(missing) or 'nothing'}",
        is_gate_passed=not missing,
        detail=f"{ours * 1e3:.0f} ms / {empty * 1e3:.0f} ms",
    )


def draw_empty(path: Path, *, size: tuple[float, ...]) -> None:
    """Write a figure of two panels side by side with nothing but their axes."""
    figure = Figure(figsize=(size[0], size[1]), dpi=DEFAULT.dpi)
    FigureCanvasAgg(figure)
    figure.subplots(1, 2)
    figure.savefig(path)


def missing_parts(svg: str, models: Mapping[str, int]) -> list[str]:
    """Name the parts that a before/after figure lacks: every base of every unit in both panels, their names, contact,
    path.
    """
    groups = dict(re.findall(r'<g id="([^"]+)"[^>]*>(.*?)</g>', svg, flags=re.DOTALL))
    wanted = {
        f"{panel}unit-{name}-models": count
        for panel in ("", "after-")
        for name, count in models.items()
    }
    bases = [
        name for name, count in wanted.items() if groups.get(name, "").count("<path ") != count
    ]
    parts = [
        f"{panel}unit-{name}-{part}"
        for panel in ("", "after-")
        for name in models
        for part in ("facing", "label")
    ]
    return bases + [
        name
        for name in (*parts, *(f"after-unit-{name}-contact" for name in models))
        if name not in groups
    ]


if __name__ == "__main__":
    sys.exit(report([measure]))
