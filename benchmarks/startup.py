"""Whole processes, from the shell's side: help, resolve and draw of one charge among ten other bodies, against the bare
imports.
"""

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.crowds import crowd
from benchmarks.protocol import Promise, interleaved, report
from tabletop.scenario import scenario_of, to_toml

SEED = 2
"""A crowded table on which the charge succeeds."""

ROUNDS = 9
_PROGRAM = Path(sys.executable).with_name("tabletop")

CHARGE = """
[[charges]]
charger = "A"
targets = ["T"]
dice = [6]
"""

BARE = (
    "typer",
    "numpy, shapely, pydantic, typer",
    "numpy, shapely, pydantic, typer, matplotlib.backends.backend_svg",
)
"""What each command cannot do without."""
LIMITS = {"--help": 1.5, "resolve": 2.2, "draw": 2.0}
"""How often as long as its bare imports a command may take."""


def measure() -> tuple[Promise, ...]:
    """Time the three commands and their bare imports in turn, with what was compiled kept as users have it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "crowd.toml"
        figure = Path(folder) / "crowd.svg"
        file.write_text(to_toml(scenario_of(crowd(SEED))) + CHARGE, encoding="utf-8")
        commands = (("--help",), ("resolve", str(file)), ("draw", str(file), "-o", str(figure)))
        answers = [_answer(_PROGRAM, *command) for command in commands]
        runs = [partial(_answer, _PROGRAM, *command) for command in commands]
        times = interleaved(
            *runs,
            *(partial(_answer, sys.executable, "-c", f"import {names}") for names in BARE),
            rounds=ROUNDS,
        )
        is_right = [
            word in (answer or "").lower()
            for word, answer in zip(("usage", "success", ""), answers, strict=True)
        ]
        is_right[2] &= figure.is_file()
    return tuple(
        Promise(
            name=f"tabletop {command[0]}, whole process / bare imports",
            value=ours / bare,
            sense="at most",
            limit=LIMITS[command[0]],
            unit=" x",
            gate="exit code 0 and the answer is there",
            is_gate_passed=right and answer is not None,
            detail=f"{ours:.2f} s, {bare:.2f} s to import {names}",
        )
        for command, ours, bare, names, right, answer in zip(
            commands, times, times[len(commands) :], BARE, is_right, answers, strict=False
        )
    )


def _answer(program: Path | str, *arguments: str) -> str | None:
    """Run a program; None if it fails."""
    without = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    done = subprocess.run(  # noqa: S603 - our own command
        [program, *arguments], capture_output=True, text=True, check=False, env=without
    )
    return done.stdout if done.returncode == 0 else None


if __name__ == "__main__":
    sys.exit(report([measure]))
