"""Plant faults in a clone of the project and say how many its tests notice:
`python -m tests.mutants [COUNT [SECONDS [SKIPPED]]]`.

COUNT faults are drawn, the same ones each time, evenly over geometry, solvers and the systems' limits; SKIPPED ones
before them are left out, for a sample that no test was written for. Each is tried with the tests that reach it, as long
as they take SECONDS of CPU together on the sound program.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.mutants.report import told

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build" / "mutants"
TESTS = (
    "tests/tabletop",
    "tests/systems",
    "tests/scenario",
    "tests/exploring/test_threats.py",
    "tests/test_golden.py",
    "tabletop",
    "systems",
)


def cloned() -> Path:
    """Clone the last commit, or bring the clone up to it."""
    tree = KEPT / "tree"
    if not tree.exists():
        subprocess.run(["git", "clone", "--quiet", ROOT, tree], check=True)  # noqa: S607 - git of the path
    subprocess.run(["git", "-C", tree, "fetch", "--quiet", ROOT, "HEAD"], check=True)  # noqa: S607
    subprocess.run(["git", "-C", tree, "reset", "--quiet", "--hard", "FETCH_HEAD"], check=True)  # noqa: S607
    return tree


def tried(tree: Path, count: int, seconds: float, skipped: int) -> list[dict[str, object]]:
    """Try so many faults in a tree, and read what became of them."""
    asked = {"COUNT": count, "SECONDS": seconds, "SKIPPED": skipped, "KEPT": KEPT}
    named = {f"MUTANTS_{name}": str(value) for name, value in asked.items()}
    environment = {
        **os.environ,
        **named,
        "PYTHONPATH": str(tree),
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
    }
    plugins = [
        "-p",
        "tests.mutants.trying",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-p",
        "no:cov",
    ]
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-s", *plugins, *TESTS],
        cwd=tree,
        env=environment,
        check=True,
    )
    return [json.loads(line) for line in (KEPT / "tried.jsonl").read_text("utf-8").splitlines()]


if __name__ == "__main__":
    wanted = [float(word) for word in sys.argv[1:]] + [400.0, 20.0, 0.0][len(sys.argv) - 1 :]
    KEPT.mkdir(parents=True, exist_ok=True)
    print(told(tried(cloned(), int(wanted[0]), wanted[1], int(wanted[2]))))
