"""The example game, built by docs/new-game.md, in an environment of its own: the built wheel of this project, and the
game's own.
"""

import ast
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "skirmish"
MOST_EXPRESSIONS = 1100
"""Expression nodes of its syntax trees: the size that no layout changes."""


def _run(*command: str | Path, folder: Path) -> str:
    """Run a program outside the checkout, and return what it says."""
    environment = {"PATH": "/usr/bin:/bin", "OPENBLAS_NUM_THREADS": "1", "HOME": str(folder)}
    done = subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an environment that has what this project needs, and of it only the wheels."""
    folder = tmp_path_factory.mktemp("environment")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    for source in (ROOT, EXAMPLE):
        _run(
            *pip,
            "wheel",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            folder / "wheels",
            source,
            folder=folder,
        )
    venv.create(folder / "own")
    own = next((folder / "own" / "lib").glob("*/site-packages"))
    # whose own .pth files are not followed
    own.joinpath("needs.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    _run(
        *pip,
        "install",
        "--no-deps",
        "--target",
        own,
        *sorted((folder / "wheels").glob("*.whl")),
        folder=folder,
    )
    return folder / "own" / "bin" / "python"


def test_the_example_keeps_its_contracts(python: Path, tmp_path: Path) -> None:
    """Its own tests pass, with this project's wheel and without its checkout."""
    (tmp_path / "test_skirmish.py").write_text(
        (EXAMPLE / "tests" / "test_skirmish.py").read_text("utf-8"), "utf-8"
    )
    where = _run(
        python,
        "-c",
        "import tabletop, skirmish; print(tabletop.__file__, skirmish.__file__)",
        folder=tmp_path,
    )
    assert str(ROOT) not in where
    told = _run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path, folder=tmp_path)
    assert "passed" in told
    assert "failed" not in told


def test_the_example_does_all_that_games_do(python: Path, tmp_path: Path) -> None:
    """Verdict, odds, judge, figure, map and second opinion, by the command."""
    program = (python, "-m", "tabletop")
    assert re.search(
        r"\bAnna\b.*\bBert: success\b",
        _run(*program, "resolve", "skirmish/two-at-once", "--second-opinion", folder=tmp_path),
    )
    assert "success  2/3" in _run(
        *program, "odds", "skirmish/two-at-once", "--figure", "odds.svg", folder=tmp_path
    )
    _run(*program, "draw", "skirmish/two-at-once", "-o", "charge.svg", folder=tmp_path)
    vary = ("--vary", "units.Bert.at.0.0=11:13:1", "--vary", "units.Bert.at.0.1=8:9:1")
    _run(
        *program,
        "explore",
        "skirmish/out-of-reach",
        *vary,
        "-o",
        "map.csv",
        "--figure",
        "map.svg",
        "--workers",
        "1",
        folder=tmp_path,
    )
    assert all((tmp_path / name).stat().st_size for name in ("odds.svg", "charge.svg", "map.svg"))
    _run(
        *program,
        "check",
        "skirmish/two-at-once",
        "skirmish/tired",
        "t9a/wheel-and-align",
        folder=tmp_path,
    )


def test_the_example_is_small() -> None:
    """It has no more expressions than a reader follows in one sitting, tests aside."""
    trees = [ast.parse(file.read_text("utf-8")) for file in (EXAMPLE / "skirmish").rglob("*.py")]
    expressions = sum(isinstance(node, ast.expr) for tree in trees for node in ast.walk(tree))
    assert 0 < expressions <= MOST_EXPRESSIONS


def test_the_example_uses_only_the_door() -> None:
    """Games of others import from `tabletop.kit` and nothing behind it."""
    imports = [
        line
        for line in (EXAMPLE / "skirmish" / "__init__.py").read_text("utf-8").splitlines()
        if "tabletop" in line
    ]
    assert [line for line in imports if line.startswith(("from", "import"))] == [
        "from tabletop.kit import ("
    ]
