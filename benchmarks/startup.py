"""Whole processes, from the shell's side: help, resolve and draw of one charge among ten other bodies, in seconds."""

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

CHARGE = """
[[charges]]
charger = "A"
targets = ["T"]
dice = [6]
"""

LIMITS = {"--help": 0.3, "resolve": 1.0, "draw": 2.5}
"""Seconds that a command may take."""


def measure() -> tuple[Promise, ...]:
    """Time the three commands in turn."""
    with tempfile.TemporaryDirectory() as folder:
        file, figure = Path(folder) / "crowd.toml", Path(folder) / "crowd.svg"
        file.write_text(to_toml(scenario_of(crowd(SEED))) + CHARGE, encoding="utf-8")
        commands = (("--help",), ("resolve", str(file)), ("draw", str(file), "-o", str(figure)))
        wanted = ("usage", "success", "")
        answers = [_answer(*command) for command in commands]
        times = interleaved(*(partial(_answer, *command) for command in commands))
        is_right = [word in (answer or "").lower() for word, answer in zip(wanted, answers, strict=True)]
        is_right[2] &= figure.is_file()
    return tuple(
        Promise(
            name=f"tabletop {command[0]}, whole process",
            value=seconds,
            sense="at most",
            limit=LIMITS[command[0]],
            unit=" s",
            gate="exit code 0 and the answer is there",
            is_gate_passed=right and answer is not None,
        )
        for command, seconds, right, answer in zip(commands, times, is_right, answers, strict=True)
    )


def _answer(*arguments: str) -> str | None:
    """Run the command of this environment; None if it fails."""
    program = Path(sys.executable).with_name("tabletop")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)  # noqa: S603 - our own command
    return done.stdout if done.returncode == 0 else None


if __name__ == "__main__":
    sys.exit(report([measure]))
