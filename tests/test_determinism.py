"""Same question, same bytes, whatever the process, its hash seed, its time zone and the number of its threads."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.bundled import FOUR, NAMES

ROOT = Path(__file__).parents[1]
CONTRADICTING = "wh40k/one-contact-of-two"
"""A scenario whose search meets constraints that contradict each other, where the least rounding shows."""
PROGRAM = """
import json, sys
from tabletop import draw, judge, odds, read_case, resolve
from tabletop.scenario import result
for name in sys.argv[1:]:
    case = read_case(name)
    resolution = resolve(case)
    judged = None if case.proposal is None else judge(case, resolution)
    print(json.dumps(result(case, resolution, judged)))
    print(json.dumps(odds(case).to_dict()))
    print(json.dumps(draw(resolution).data("svg").decode()))
"""


def told(
    program: Sequence[str], *, seed: str = "1", zone: str = "UTC", threads: str = "1"
) -> bytes:
    """Return what a Python process of its own prints."""
    settings = {
        "PYTHONHASHSEED": seed,
        "TZ": zone,
        "OMP_NUM_THREADS": threads,
        "OPENBLAS_NUM_THREADS": threads,
        "PYTHONPATH": str(ROOT),
    }
    found = subprocess.run(
        [sys.executable, *program],
        check=False,
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
    )
    assert found.returncode in (0, 1), "neither an answer nor a proposal refused"
    return found.stdout


@pytest.mark.parametrize(
    "names",
    [(*FOUR, CONTRADICTING), pytest.param(NAMES, marks=pytest.mark.slow)],
    ids=["few", "all"],
)
def test_answers_and_figures_do_not_depend_on_the_process(names: Sequence[str]) -> None:
    """Two processes that differ in all that a process may differ in print the same rulings, judgements, odds and
    figures.
    """
    first = told(["-c", PROGRAM, *names]).splitlines()
    second = told(["-c", PROGRAM, *names], seed="77", zone="Asia/Tokyo", threads="2").splitlines()
    assert len(first) == len(second) == 3 * len(names)
    assert [
        names[row // 3]
        for row, pair in enumerate(zip(first, second, strict=True))
        if pair[0] != pair[1]
    ] == []


@pytest.mark.parametrize("name", [CONTRADICTING, "t9a/judged-one-short"])
def test_a_command_prints_and_draws_what_python_does(name: str, tmp_path: Path) -> None:
    """A command, which sets the number of threads itself, has the numbers of a program that does not, and the same
    figure.
    """
    answer, _, figure = map(json.loads, told(["-c", PROGRAM, name], threads="2").splitlines())
    command = "judge" if "judged" in answer else "resolve"
    assert json.loads(told(["-m", "tabletop", command, "--json", name])) == answer
    told(["-m", "tabletop", "draw", name, "-o", str(tmp_path / "a.svg")])
    assert (tmp_path / "a.svg").read_text("utf-8") == figure


def test_rulings_do_not_depend_on_the_kind_of_processor() -> None:
    """Sums that are rounded as on the oldest processors decide no tie: the kept rulings are printed, but for their last
    digits.
    """
    found = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-k",
            "wh40k",
            "tests/test_golden.py",
        ],
        check=False,
        cwd=ROOT,
        env={**os.environ, "OPENBLAS_CORETYPE": "Prescott"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert found.returncode == 0, found.stdout
