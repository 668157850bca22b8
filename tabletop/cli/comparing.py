"""Commands on many files: `check` compares answers with those expected, `compare` answers with and without a change."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import typer

from tabletop import registry
from tabletop.api import judge, resolve, start_time
from tabletop.cli.errors import ExitCode, report_error
from tabletop.cli.output import print_text, say_json, warn, warn_of
from tabletop.cli.report import OUTCOME_WORDS, charge_words, mark_of, rolls_words
from tabletop.errors import ScenarioError, UsageError, message_of, naming
from tabletop.language.speech import spoken, status_words, translated
from tabletop.messages import say
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.scenario.checks import unnamed_ovals
from tabletop.scenario.expectations import Difference, differences
from tabletop.scenario.reading import case_from_tables, read_case, read_tables, split
from tabletop.scenario.results import result
from tabletop.scenario.sources import is_file, label_of

MOVED = 1e-6
"""Inches or degrees. Smaller differences between two placements are ignored."""

SHORTEST_TOLD = 1e-4
"""Inches; texts call shorter distances so."""

Answer = TypeVar("Answer")

_FORM = say("expected rules.KEY=VALUE, system.FIELD=VALUE or edition=X")
"""Forms of `--set` that `compare` accepts."""


def check(files: Sequence[str], *, as_json: bool, max_seconds: float | None = None) -> ExitCode:
    """Compare the answers to all files with their expectations, print the differences, and return the highest exit
    code.

    Each file has `max_seconds` for its search.
    """
    found: list[dict[str, object]] = []
    codes = [ExitCode.DONE]
    for file, unlike in each_file(
        with_bundled(files), partial(differences_in, max_seconds=max_seconds), codes
    ):
        codes.append(ExitCode.ANSWER_IS_NO if unlike else ExitCode.DONE)
        found += [{"file": file, **difference.entry()} for difference in unlike]
        if not as_json:
            _print_differences(file, unlike)
    if as_json:
        say_json(found)
    return max(codes)


def with_bundled(files: Sequence[str]) -> list[str]:
    """Return the names of files, with all bundled scenarios of a game in place of its name, unless a file is called
    so.
    """
    asked: list[str] = []
    for file in files:
        is_game = file in registry.names() and not is_file(Path(file))
        asked += [name for name, _ in registry.scenarios(file)] if is_game else [file]
    return asked


def each_file(
    files: Sequence[str], answer: Callable[[str], Answer], codes: list[ExitCode]
) -> Iterator[tuple[str, Answer]]:
    """Yield (file, answer) for each file; an exception is reported instead, and its exit code appended to `codes`."""
    for file in files:
        try:
            found = answer(file)
        except Exception as error:  # noqa: BLE001 - even a bug ends only this file
            codes.append(report_error(error))
        else:
            yield file, found


def differences_in(file: str, *, max_seconds: float | None = None) -> tuple[Difference, ...]:
    """Resolve a file and return how its answer differs from its expectations; empty if it does not."""
    case = read_case(file)
    since = start_time(case)
    with naming(label_of(file)):
        resolution = resolve(case, max_seconds=max_seconds, since=since, contrast=False)
        warn_of(file, (case, resolution.rulings))
        for doubt in unnamed_ovals(case):
            warn(say("{file}: {fault}", file=label_of(file), fault=doubt.sentence))
        is_judged = any(expect.judged for expect in case.expect)
        judged = (
            judge(case, resolution, max_seconds=max_seconds, since=since) if is_judged else None
        )
        return differences(case, resolution, judged)


def _print_differences(file: str, unlike: Sequence[Difference]) -> None:
    print_text(
        f"{mark_of(say('DIFFERS') if unlike else say('ok'), ok=not unlike)}  {label_of(file)}"
    )
    for difference in unlike:
        print_text(f"    {translated(difference.sentence)}")


def compare(
    files: Sequence[str],
    *,
    overrides: Sequence[str],
    as_json: bool,
    seed: int,
    max_seconds: float | None = None,
) -> ExitCode:
    """Resolve all files with and without the changes in `overrides`, print the differences, and return the highest exit
    code.

    Each file has `max_seconds` for its search.
    """
    if not overrides:
        raise UsageError(
            "no change given: use --set rules.KEY=V, --set system.FIELD=V or --set edition=X"
        )
    split(_parted(overrides)[1], form=_FORM)
    found: list[dict[str, Any]] = []
    codes = [ExitCode.DONE]
    asked = with_bundled(files)
    for file, (changes, sentences) in each_file(
        asked, partial(compared, overrides=overrides, seed=seed, max_seconds=max_seconds), codes
    ):
        found += [{"file": file, **change} for change in changes]
        if changes and not as_json:
            print_text("\n  ".join((typer.style(file, bold=True), *sentences)))
    if as_json:
        say_json(found)
    elif len(codes) <= len(asked):  # some file has an answer
        changed = len({change["file"] for change in found})
        print_text(
            translated(
                say("{changed} of {count} scenarios change", changed=changed, count=len(asked))
            )
        )
    return max(codes)


def compared(
    file: str, overrides: Sequence[str], *, seed: int = 0, max_seconds: float | None = None
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the differences between the answers to a file without and with the changes in `overrides`.

    They are given by key path, each with `key`, `before` and `after`, and as sentences in the current language, one for
    each charge and unit.
    """
    try:
        tables = read_tables(file)
        with naming(label_of(file)):
            plain, changed = case_from_tables(tables), _changed(tables, overrides)
            since = start_time(plain)
            before = resolve(plain, seed=seed, max_seconds=max_seconds, since=since, contrast=False)
        # such as dice that are too few only with the change
        with naming(f"{label_of(file)} ({', '.join(overrides)})"):
            after = resolve(
                changed, seed=seed, max_seconds=max_seconds, since=since, contrast=False
            )
        warn_of(file, (plain, before.rulings), (changed, after.rulings))
    except UsageError as error:  # this file's game lacks the key
        raise UsageError("{file}: {error}", file=label_of(file), error=message_of(error)) from None
    answers = _answer(plain, before), _answer(changed, after)
    rulings = [
        spoken(case, resolution, None)[0].rulings
        for case, resolution in ((plain, before), (changed, after))
    ]
    return list(_unlike("", *answers)), _sentences(rulings, [answer["units"] for answer in answers])


def _parted(overrides: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the editions that `--set edition=X` asks for, and the other changes."""
    editions = list[str]()
    rest = list[str]()
    for text in overrides:
        key, equals, value = (part.strip() for part in text.partition("="))
        editions.append(value) if key == "edition" and equals else rest.append(text)
    return editions, rest


def _changed(tables: Mapping[str, Any], overrides: Sequence[str]) -> Case:
    """Return the case of a file's tables with the changes applied; raise UsageError if its system lacks the edition."""
    editions, rest = _parted(overrides)
    try:
        return case_from_tables(
            {**tables, **({"edition": editions[-1]} if editions else {})}, overrides=rest
        )
    except ScenarioError as error:
        wrong = [problem for problem in error.problems if problem.key == "edition"]
        if not wrong:
            raise
        raise UsageError("--set edition: {message}", message=wrong[0].message) from None


def _answer(case: Case, resolution: Resolution) -> dict[str, Any]:
    answer = result(case, resolution)
    return {
        "rulings": [_quoted(ruling) for ruling in resolution.rulings],
        "units": answer["after"].get("units", {}),
    }


def _quoted(ruling: Ruling) -> dict[str, Any]:
    """Return the parts of a ruling that are compared: outcome, rule, and chance; a chance not proved is compared by its
    range.
    """
    span = None if ruling.is_proved else [*map(str, ruling.chances)]
    chance = None if ruling.chance_success is None else str(ruling.chance_success)
    return {"outcome": ruling.outcome, "rule": ruling.rule, "chance": chance, "chance_range": span}


def _unlike(path: str, before: Any, after: Any) -> Iterator[dict[str, Any]]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys((*before, *after)):
            yield from _unlike(
                f"{path}.{key}" if path else str(key), before.get(key), after.get(key)
            )
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, pair in enumerate(zip(before, after, strict=True)):
            yield from _unlike(f"{path}[{number}]", *pair)
    elif not _alike(before, after):
        yield {"key": path, "before": before, "after": after}


def _alike(before: Any, after: Any) -> bool:
    numbers = isinstance(before, float) and isinstance(after, float)
    return (
        math.isclose(before, after, rel_tol=0.0, abs_tol=MOVED)
        if numbers
        else bool(before == after)
    )


def _sentences(
    rulings: Sequence[Sequence[Ruling]], units: Sequence[Mapping[str, Any]]
) -> list[str]:
    """Return what changes as sentences, one for each charge and unit; both are given before and after."""
    parts = [
        (charge_words(new.charge), _contrasts(_ruling_words(old), _ruling_words(new)))
        for old, new in zip(*rulings, strict=True)
    ]
    before, after = units
    parts += [
        (name, _unit_parts(before.get(name), after.get(name)))
        for name in dict.fromkeys((*before, *after))
    ]
    return [f"{who}: {'; '.join(words)}" for who, words in parts if words]


def _ruling_words(ruling: Ruling) -> dict[str, str | None]:
    """Return what is compared of a ruling: outcome, shortest roll, chance, and what decides it so."""
    outcome = translated(OUTCOME_WORDS[ruling.outcome])
    least, greatest = map(str, ruling.chances)
    return {
        say("outcome"): f"{outcome} ({ruling.rule})" if ruling.rule else outcome,
        say("needs"): rolls_words(ruling.shortest_rolls),
        say("chance"): least
        if least == greatest
        else say("{least} to {greatest}", least=least, greatest=greatest),
        **{f"{rule}:": mark.words for rule, mark in ruling.decided.items()},
    }


def _unit_parts(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> list[str]:
    """Return what changes of a unit on the table after the charges, None if it is not there."""
    if before is None or after is None:
        return [
            translated(
                say("on the table only with the change")
                if before is None
                else say("on the table only without the change")
            )
        ]
    spots = _spots(after)
    others = _spots(before)
    far = max(map(math.dist, spots, others), default=0.0) if len(spots) == len(others) else 0.0
    moved = say(
        "ends up to {far:g} in from its place without the change",
        far=round(far, 4) or SHORTEST_TOLD,
    )
    return [
        *([translated(moved)] if far > MOVED else []),
        *_contrasts(_unit_words(before), _unit_words(after)),
    ]


def _spots(entry: Mapping[str, Any]) -> list[tuple[float, ...]]:
    """Return the places (x, y, height) of a unit's models, or of its front, from its table in a file; empty on
    hexes.
    """
    at = entry.get("at", [])
    return [(*spot, 0.0)[:3] for spot in (at if not at or isinstance(at[0], list) else [at])]


def _unit_words(entry: Mapping[str, Any]) -> dict[str, str | None]:
    """Return what else is compared of a unit."""
    degrees = entry.get("facing_deg", [])
    facings = (
        translated(say("{facing:.4g}°", facing=one))
        for one in (degrees if isinstance(degrees, list) else [degrees])
    )
    return {
        say("models"): str(len(_spots(entry))),
        say("hex"): entry.get("hex"),
        say("faces"): entry.get("facing", ", ".join(facings)),
        say("has status"): status_words(entry.get("status", ())),
    }


def _contrasts(before: Mapping[str, str | None], after: Mapping[str, str | None]) -> list[str]:
    """Return each value that both have and that differs as text, with the key before it."""
    changed = {
        key: (after[key], old)
        for key, old in before.items()
        if old and after.get(key, old) not in (None, old)
    }
    return [
        translated(say("{key} {after} instead of {before}", key=key, after=new, before=old))
        for key, (new, old) in changed.items()
    ]
