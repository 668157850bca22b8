"""The command `check`: files against what they expect."""

import time
from collections.abc import Sequence

import typer

from tabletop.asking import judge, resolve
from tabletop.cli.answering import seconds_allowed
from tabletop.cli.guard import ExitCode, explained, in_file, warn_of_assumed
from tabletop.cli.output import say, say_json
from tabletop.scenario.expectations import Difference, differences
from tabletop.scenario.reading import read_case
from tabletop.scenario.sources import label_of


def check(files: Sequence[str], *, as_json: bool, max_seconds: float | None = None) -> ExitCode:
    """Check every file, for `max_seconds` each, go on after a bad one, and give the highest exit code."""
    seconds_allowed(max_seconds)
    found: list[dict[str, object]] = []
    codes = [ExitCode.DONE]
    for file in files:
        try:
            unlike = differences_in(file, max_seconds=max_seconds)
        except Exception as error:  # noqa: BLE001 - also what is a bug ends one file only
            codes.append(explained(error))
            continue
        codes.append(ExitCode.ANSWER_IS_NO if unlike else ExitCode.DONE)
        found += [{"file": file, **difference.entry()} for difference in unlike]
        if not as_json:
            _report(file, unlike)
    if as_json:
        say_json(found)
    return max(codes)


def differences_in(file: str, *, max_seconds: float | None = None) -> tuple[Difference, ...]:
    """Resolve one file and compare it with its expectations."""
    case, since = read_case(file), time.monotonic()
    with in_file(file):
        resolution = resolve(case, max_seconds=max_seconds, since=since)
        warn_of_assumed(file, resolution)
        is_judged = any(expect.judged for expect in case.expect)
        judged = judge(case, resolution, max_seconds=max_seconds, since=since) if is_judged else None
        return differences(case, resolution, judged)


def _report(file: str, unlike: Sequence[Difference]) -> None:
    mark = typer.style("DIFFERS", fg=typer.colors.RED, bold=True) if unlike else typer.style("ok", fg=typer.colors.GREEN)
    say(f"{mark}  {label_of(file)}")
    for difference in unlike:
        say(f"    {difference}")
