"""Figures are the same whatever a user's own settings of matplotlib, or the environment, say."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

from plots import animate, draw, draw_map, draw_odds
from plots.layout.backend import SETTINGS, as_shipped
from tabletop.api import odds, resolve
from tabletop.exploring.survey import Survey
from tabletop.scenario.reading import read_case

ROOT = Path(__file__).resolve().parents[3]
NAME = "t9a/wheel-and-align"
WILD: Any = {
    "agg.path.chunksize": 100,
    "axes.facecolor": "yellow",
    "axes.linewidth": 5.0,
    "axes.unicode_minus": False,
    "axes.xmargin": 0.4,
    "figure.autolayout": True,
    "figure.constrained_layout.use": True,
    "figure.dpi": 33.0,
    "figure.facecolor": "pink",
    "font.family": ["monospace"],
    "font.size": 30.0,
    "hatch.linewidth": 7.0,
    "image.cmap": "hot",
    "image.interpolation": "bicubic",
    "lines.antialiased": False,
    "lines.dash_capstyle": "round",
    "lines.linewidth": 9.0,
    "lines.scale_dashes": False,
    "lines.solid_capstyle": "butt",
    "patch.antialiased": False,
    "patch.facecolor": "red",
    "patch.force_edgecolor": True,
    "patch.linewidth": 6.0,
    "path.simplify": False,
    "path.sketch": (5.0, 100.0, 2.0),
    "path.snap": False,
    "pdf.compression": 0,
    "pdf.fonttype": 3,
    "pdf.inheritcolor": True,
    "pgf.rcfonts": False,
    "savefig.bbox": "tight",
    "savefig.dpi": 55.0,
    "savefig.pad_inches": 2.0,
    "savefig.transparent": True,
    "svg.fonttype": "none",
    "svg.hashsalt": "mine",
    "svg.id": "mine",
    "svg.image_inline": False,
    "text.antialiased": False,
    "text.color": "green",
    "text.hinting": "default",
    "text.parse_math": False,
    "xtick.labelsize": 20.0,
    "ytick.direction": "in",
}


def figures(folder: Path) -> dict[str, bytes]:
    """Draw something of every kind, one of them in every format."""
    folder.mkdir()
    case = read_case(NAME)
    resolution = resolve(case)
    chances = odds(case)
    places = {"units.B.x": np.array([30.5, 31.5]), "units.B.y": np.array([20.5, 21.5])}
    board = Survey(places, {"chance": np.array([[0.0, 0.5], [1.0, 0.5]])})
    keys = Survey(
        {"units.A.profile.height": np.array([1.0, 2.0])}, {"chance": np.array([0.5, -1.0])}
    )
    kinds: dict[str, Callable[[Path], object]] = {
        "charge": lambda path: draw(case, resolution, path),
        "odds": lambda path: draw_odds(case, chances, path),
        "map": lambda path: draw_map(case, board, path),
        "chart": lambda path: draw_map(case, keys, path),
    }
    for name, save in kinds.items():
        for ending in ("svg", "png", *(("pdf", "pgf") if name == "charge" else ())):
            save(folder / f"{name}.{ending}")
    animate(case, resolution, folder / "film.html")
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_no_setting_of_a_user_changes_a_byte(tmp_path: Path) -> None:
    """With wild settings every figure has the bytes that it has with none, and the user's settings are as they were."""
    plain = figures(tmp_path / "plain")
    wild = {key: value for key, value in WILD.items() if key in mpl.rcParams}
    with mpl.rc_context(wild):
        assert figures(tmp_path / "wild") == plain
        assert {key: mpl.rcParams[key] for key in wild} == wild


def test_every_setting_is_that_of_matplotlib_or_ours() -> None:
    """Nothing of a user's own is left while we draw, also where one drawing is part of another."""
    with mpl.rc_context({"path.sketch": (5.0, 100.0, 2.0)}), as_shipped(), as_shipped():
        changed = {
            key: value for key, value in mpl.rcParams.items() if value != mpl.rcParamsDefault[key]
        }
        assert set(changed) - {"backend"} <= set(SETTINGS)
        assert {key: mpl.rcParams[key] for key in SETTINGS} == SETTINGS


def _in_process(
    *arguments: str, folder: Path, **environment: str
) -> "subprocess.CompletedProcess[str]":
    settings = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(
        [sys.executable, *arguments],
        env=settings,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("backend", ["nonsense", "qtagg", "module://no.such.module"])
def test_a_window_system_that_is_not_there(backend: str, tmp_path: Path) -> None:
    """What the environment asks for windows is no matter of files; where it is known it stays set."""
    code = f"import plots, os; print(os.environ['MPLBACKEND']); from tabletop import draw; draw({NAME!r}, 'f.svg')"
    ended = _in_process("-c", code, folder=tmp_path, MPLBACKEND=backend)
    assert (ended.returncode, ended.stdout.strip(), ended.stderr) == (0, backend, "")
    assert (tmp_path / "f.svg").exists()


def test_settings_that_are_no_text(tmp_path: Path) -> None:
    """A file of settings that matplotlib cannot read is told in a line, and is no bug of ours."""
    (tmp_path / "matplotlibrc").write_bytes(b"figure.dpi: \xff\n")
    ended = _in_process(
        "-m", "tabletop", "draw", NAME, "-o", "f.svg", folder=tmp_path, MATPLOTLIBRC=str(tmp_path)
    )
    assert ended.returncode == 2
    assert re.search(r"^error: .*\bmatplotlib\b.*'utf-8' codec", ended.stderr, re.MULTILINE)


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_only_the_format_asked_for_is_loaded(tmp_path: Path, kind: str) -> None:
    """What writes PDF takes a quarter as long to load as all else, what cuts fonts a tenth: a figure of usual words
    does without both.
    """
    drawn = f"import sys, tabletop; tabletop.draw('t9a/align-corner', 'a.{kind}')"
    program = f"{drawn}; print(sorted(set(sys.modules) & {{'fontTools.subset', 'matplotlib.backends.backend_pdf'}}))"
    done = _in_process("-c", program, folder=tmp_path)
    assert done.stdout.strip() == "[]", done.stderr
    assert (tmp_path / f"a.{kind}").is_file()
