"""Same question, same bytes, whatever the process, its hash seed, its time zone and the number of its threads."""

import os
import subprocess
import sys
from pathlib import Path

from tests.bundled import NAMES

ROOT = Path(__file__).parents[1]
ASKED = NAMES[::5]
PROGRAM = """
import json, sys
from tabletop.scenario import read_case, result
from tabletop.api import odds, resolve
for name in sys.argv[1:]:
    case = read_case(name)
    print(json.dumps(result(case, resolve(case))))
    print(json.dumps(odds(case).to_dict()))
"""


def told(seed: str, zone: str, threads: str) -> bytes:
    """Print rulings and odds of a fifth of the bundled scenarios in a process of its own."""
    settings = {"PYTHONHASHSEED": seed, "TZ": zone, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *ASKED], check=True, env={**os.environ, **settings}, stdout=subprocess.PIPE
    ).stdout


def test_rulings_and_odds_do_not_depend_on_the_process() -> None:
    """Two processes that differ in all that a process may differ in print the same."""
    first, second = told("1", "UTC", "1"), told("77", "Asia/Tokyo", "2")
    assert len(first.splitlines()) == 2 * len(ASKED)
    assert first == second


def test_rulings_do_not_depend_on_the_kind_of_processor() -> None:
    """Sums that are rounded as on the oldest processors decide no tie: the kept rulings are printed, but for their last digits."""
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "wh40k", "tests/test_golden.py"],
        check=False,
        cwd=ROOT,
        env={**os.environ, "OPENBLAS_CORETYPE": "Prescott"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert found.returncode == 0, found.stdout
