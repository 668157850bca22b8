"""Maps of threat, safety and starts for the page: told case by case, and in the end the heat over the board as data."""

import json
import time
from collections.abc import Callable
from typing import Any

from tabletop.errors import NoVerdictError, UsageError
from tabletop.exploring.questions import Question
from tabletop.exploring.undertaking import expedition, explore
from tabletop.page import live
from tabletop.page.answers import refusal
from tabletop.page.options import Options
from tabletop.page.reply import Reply
from tabletop.words import listed, shown

MAPS = ("threat", "safe", "start")
LEAST_STEP, MOST_CASES = 0.1, 250_000
EVERY = 0.1
"""Seconds between two words of how far it has come."""
NDJSON = "application/x-ndjson"


def explored(tables: dict[str, Any], options: Options, tell: Callable[[bytes], None]) -> Reply:
    """Return the last line of an answer: the map, or what went wrong under way; `tell` hears the lines before it."""
    try:
        return _line({"map": _mapped(tables, options, tell)})
    except Exception as error:  # noqa: BLE001 - the status has gone out already: the line says what is wrong
        status, words = refusal(error)
        return _line({**words, "status": status})


def _line(value: dict[str, Any]) -> Reply:
    return Reply(json.dumps(value, allow_nan=False, separators=(",", ":")).encode() + b"\n", media=NDJSON)


def _mapped(tables: dict[str, Any], options: Options, tell: Callable[[bytes], None]) -> dict[str, Any]:
    name, unit = options.text("question") or "threat", options.text("unit")
    step, facings = options.number("step", 1.0, least=LEAST_STEP, most=100.0), options.whole("facings", 1, least=1, most=36) or 1
    seed, seconds = options.whole("seed", 0) or 0, options.number("max_seconds", 600.0, least=0.1, most=600.0)
    options.close()
    if name not in MAPS:
        raise UsageError(f"options: question: expected {listed(MAPS)}, given {shown(name)}")
    question = Question(name, unit, step, facings)  # type: ignore[arg-type]
    cases = len(expedition(tables, question=question, seed=seed).grid)
    if cases > MOST_CASES:
        raise UsageError(f"that is {cases:,} cases, the page resolves at most {MOST_CASES:,}; a greater step makes them fewer")
    count, told, started = 0, 0.0, time.monotonic()

    def done(more: int) -> None:
        nonlocal count, told
        count += more
        if time.monotonic() - told >= EVERY:
            told = time.monotonic()
            if told - started > seconds:
                raise NoVerdictError(
                    f"stopped at its limit of {seconds:g} s after {count:,} of {cases:,} cases; a greater step makes fewer"
                )
            tell(json.dumps({"done": count, "of": cases}).encode() + b"\n")

    done(0)
    survey = explore(tables, question=question, seed=seed, workers=1, done=done)
    return _heat(survey, unit)


def _heat(survey: Any, unit: str | None) -> dict[str, Any]:
    """Return the areas over the board, what their shades mean, and the words of the map's figure."""
    from plots.render.maps import NUMBERLESS, picture_of, unit_of

    picture = picture_of(survey.case, survey, question=survey.question)
    if picture is None:
        raise UsageError("there is no map of this: nothing is moved over the board")
    shaded = ("heat.", *NUMBERLESS)
    marks = [mark for mark in picture.panels[0].marks if mark.role.startswith(shaded) or mark.id.startswith("map.heat.")]
    return {
        "question": survey.question,
        "unit": unit_of(survey) or unit,
        "figure": live.figure_of(marks, survey.case.state),
        "legend": [{"role": role, "words": words} for role, words in picture.meanings.items()],
        "answer": picture.title,
        "words": " ".join(picture.caption),
    }
