"""The result of a survey in words: how many places or cases have a chance, the range of other numbers, or how steady a
verdict is.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plots.marks.heatmap import spot_words
from tabletop.exploring.survey import Survey
from tabletop.geometry.arrays import FloatArray
from tabletop.language.language import current_language
from tabletop.ruling.system import Case

NEARLY_ALL = 99.5
"""Percentage from which two significant digits would round to 100."""

TITLED_QUESTIONS = ("threat", "safe", "start")
"""Questions that a map's title can name."""

JITTER_KEY = "jitter"
"""Axis that counts slightly altered tables; the first is unaltered."""

BY_RULE = ("failed", "not_allowed")
"""Outcomes whose verdict includes the deciding rule."""


def unit_of(survey: Survey) -> str | None:
    """Return the name of the unit whose position, and nothing else, was varied; None if other keys were."""
    return next(
        (name for name, keys in placed_units(survey.axes).items() if len(keys) == len(survey.axes)),
        None,
    )


def placed_units(columns: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return those of some columns that are positions, x and y or hex, by unit name."""
    found: dict[str, tuple[str, ...]] = {}
    for key in columns:
        parts = key.split(".")
        if parts[0] == "units" and parts[-1] in ("x", "y", "hex"):
            name = ".".join(parts[1:-1]).strip("'\"")
            found[name] = (*found.get(name, ()), key)
    return {
        name: keys
        for name, keys in found.items()
        if len(keys) == 2 or keys[0].endswith(".hex")  # noqa: PLR2004 - x and y
    }


def found_words(
    case: Case, survey: Survey, *, show: str | None = None, question: str | None = None
) -> str:
    """Return the result of a survey in words. The parameters are those of `plots.draw_map`."""
    language = current_language()
    placed = placed_units(survey.drawn)
    show = show or ("outcome" if placed else "chance")
    answer = _answer(case, survey, show, question)
    if placed:
        count = language.number(survey.column(show).size, ",")
        return language.say(
            "map.random", answer=answer, count=count, unit=language.listed(tuple(placed))
        )
    return answer


def charger_of(case: Case) -> str:
    """Return the name of the unit that charges first in a case; "" if none does."""
    return case.charges[0].charger if case.charges else ""


def _answer(case: Case, survey: Survey, show: str, question: str | None) -> str:
    """Return the result in words: the greatest chance and how often there is a chance, or the range of other
    numbers.
    """
    language = current_language()
    values = survey.column(show)
    if is_steady(survey):
        return steady_words(survey)
    if values.dtype.kind != "f":
        return counted_words(values)
    known = values[np.isfinite(values)]
    if not known.size:
        return language.words["map.no_number"]
    least = float(known.min())
    most = float(known.max())
    if show != "chance":
        told = language.number(least, ".4g")
        lost = values.size - known.size
        told = (
            told
            if least == most
            else language.say("map.range", least=told, most=language.number(most, ".4g"))
        )
        return (
            language.say("map.and_lost", answer=told, count=language.number(lost, ","))
            if lost
            else told
        )
    told = (
        language.words["map.never"]
        if most == 0.0
        else _chances(case, known, unit_of(survey), question)
    )
    count = int(numberless(survey, values)["no_verdict"].sum())
    return (
        language.say("map.and_open", answer=told, count=language.number(count, ","))
        if count
        else told
    )


def counted_words(values: NDArray[Any]) -> str:
    """Return in words the number of cases by outcome."""
    language = current_language()
    found = zip(*np.unique(values.astype(str), return_counts=True), strict=True)
    return ", ".join(
        f"{language.within(spot_words(one))} {language.number(count, ',')}" for one, count in found
    )


def _chances(case: Case, known: FloatArray, unit: str | None, question: str | None) -> str:
    """Return in words how many of the chances, shape (n,), are above 0, and the greatest; for positions as the question
    asks.
    """
    language = current_language()
    above = int((known > 0.0).sum())
    told = {
        "most": f"{language.number(100 * float(known.max()), '.3g')}%",
        "above": language.number(above, ","),
        "count": language.number(known.size, ","),
    }
    if unit is None:
        return language.say("map.answer", **told)
    asked = question if question in TITLED_QUESTIONS else "places"
    share = 100 * above / known.size
    digits = 3 if share >= NEARLY_ALL else 2  # two digits of a hundred would print as 1e+02
    told["share"] = f"{language.number(share, f'.{digits}g')}%"
    return language.say(f"map.answer_{asked}", charger=charger_of(case), unit=unit, **told)


def numberless(survey: Survey, values: NDArray[Any]) -> Mapping[str, NDArray[np.bool_]]:
    """Return two boolean masks: "no_room" where the unit does not fit, "no_verdict" where it fits but has no chance
    computed.

    Both have the shape of `values`; if outcomes were not kept, all cases without a number count as "no_room".
    """
    is_numberless = ~np.isfinite(survey.values.get("chance", values))
    can_be = ~np.isin(survey.values.get("outcome", np.full(values.shape, "")), ("", "invalid"))
    return {"no_room": is_numberless & ~can_be, "no_verdict": is_numberless & can_be}


def column_words(show: str) -> str:
    """Return the description of a column in a language."""
    return current_language().known("map", show.removeprefix("metrics."))


Verdict = tuple[str, str]
"""Outcome, with the rule if one decides."""


def is_steady(survey: Survey) -> bool:
    """Return whether a survey holds the verdicts of displaced tables, from the question `jitter`."""
    return JITTER_KEY in survey.axes and {"outcome", "rule"} <= survey.values.keys()


def verdicts(survey: Survey) -> tuple[Verdict, list[Verdict]]:
    """Return the verdict of the undisplaced table, and those of the displaced tables that are possible."""
    columns = [survey.column(name).astype(str).tolist() for name in ("outcome", "rule")]
    first, *others = (
        (outcome, rule if outcome in BY_RULE else "")
        for outcome, rule in zip(*columns, strict=True)
    )
    return first, [verdict for verdict in others if verdict[0] != "invalid"]


def steady_words(survey: Survey) -> str:
    """Return in words how many of the possible displaced tables have the same outcome, by whichever rule, as the
    undisplaced one.
    """
    language = current_language()
    first, others = verdicts(survey)
    if not others:
        return language.words["map.no_number"]
    held = Fraction(sum(outcome == first[0] for outcome, _ in others), len(others))
    verdict = language.within(spot_words(first[0]))
    return language.say(
        "map.steady",
        verdict=verdict,
        share=f"{language.number(100 * float(held), '.3g')}%",
        count=language.number(len(others), ","),
    )
