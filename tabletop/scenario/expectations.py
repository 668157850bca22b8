"""Comparison of rulings with a file's [[expect]] tables."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tabletop.errors import Fault, ScenarioError
from tabletop.messages import key_path, nearest, say
from tabletop.ruling.charge import Expectation
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.scenario.bases import is_number
from tabletop.scenario.cases import place_entry, unit_entry
from tabletop.scenario.writing import present, tidy

_ABSENT = say("nothing")


@dataclass(frozen=True)
class Difference:
    """A difference between what a file expects and what was found.

    Attributes
    ----------
    key
        Key path of the expectation in the file.
    expected, found
        The two values.
    hint
        Words to help, such as the most similar name; may be empty.
    """

    key: str
    expected: Any
    found: Any
    hint: str = ""

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def sentence(self) -> str:
        """The difference as a message for people."""
        expected, found = (
            _ABSENT if value in (None, _ABSENT) else str(value)
            for value in (self.expected, self.found)
        )
        return say(
            "{key}: expected {expected}, found {found}{hint}",
            key=self.key,
            expected=expected,
            found=found,
            hint=self.hint,
        )

    def entry(self) -> dict[str, Any]:
        """Return the difference as a dict with its key, the expected and the found value."""
        return {"key": self.key, "expected": self.expected, "found": self.found}


def differences(
    case: Case, resolution: Resolution, judged: Judgement | None = None
) -> tuple[Difference, ...]:
    """Return the differences between the results of a case and what its file expects of each charge and of the
    judgement.

    Raises
    ------
    ScenarioError
        If the number of expectations differs from that of the charges.
    """
    if len(case.expect) != len(case.charges):
        message = "expected one [[expect]] per charge ({charges}), given {given}"
        raise ScenarioError(
            Fault.of("expect", message, charges=len(case.charges), given=len(case.expect))
        )
    units = {
        name: {**place_entry(unit.place, case), **unit_entry(unit, case)}
        for name, unit in resolution.after.units.items()
    }
    pairs = enumerate(zip(case.expect, resolution.rulings, strict=True))
    return tuple(
        difference
        for number, (expect, ruling) in pairs
        for difference in _compared(number, expect, ruling, units, judged)
    )


def _compared(
    number: int,
    expect: Expectation,
    ruling: Ruling,
    units: Mapping[str, Any],
    judged: Judgement | None,
) -> Iterator[Difference]:
    wanted = present(
        outcome=expect.outcome,
        rule=expect.rule,
        metrics=expect.metrics or None,
        choices=expect.choices,
        judged=None
        if expect.judged is None
        else present(outcome=expect.judged[0], rule=expect.judged[1]),
        units=expect.units or None,
    )
    found = {
        "outcome": ruling.outcome,
        "rule": ruling.rule,
        "metrics": tidy(ruling.metrics),
        "choices": ruling.choices,
        "judged": None if judged is None else {"outcome": judged.outcome, "rule": judged.rule},
        "units": units,
    }
    for key, value in wanted.items():
        for unlike in _unlike(("expect", number, key), value, found[key], expect.tolerance):
            is_open = key == "metrics" and unlike.found == _ABSENT and not ruling.is_proved
            yield replace(unlike, hint=_not_proved(ruling)) if is_open else unlike


def _not_proved(ruling: Ruling) -> str:
    """Return the hint that an expected number is missing because a search ended before the chance was proved, with its
    range.
    """
    least, most = map(str, ruling.chances)
    return say(
        "; a search ended before the chance was proved, which is {least} to {most}",
        least=least,
        most=most,
    )


def _unlike(
    path: tuple[str | int, ...], wanted: Any, found: Any, tolerance: float
) -> Iterator[Difference]:
    """Yield the differences between two values: tables by key, lists by entry, numbers beyond the tolerance, other
    values if unequal.

    `path` is the key path of the values in the file.
    """
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        for key, value in wanted.items():
            if key in found or key == "status":
                yield from _unlike((*path, key), value, found.get(key, []), tolerance)
            else:
                yield Difference(key_path((*path, key)), value, _ABSENT, nearest(key, found))
    elif _are_lists(wanted, found) and path[-1] == "status":
        if sorted(wanted) != sorted(found):
            yield Difference(key_path(path), wanted, found)
    elif _are_lists(wanted, found) and len(wanted) == len(found):
        for index, pair in enumerate(zip(wanted, found, strict=True)):
            yield from _unlike((*path, index), *pair, tolerance)
    elif not _alike(str(path[-1]), wanted, found, tolerance):
        is_quoted = isinstance(wanted, str) and is_number(found)
        yield Difference(
            key_path(path),
            wanted,
            found,
            say("; write it without quotes: {value}", value=wanted) if is_quoted else "",
        )


def _alike(key: str, wanted: Any, found: Any, tolerance: float) -> bool:
    if not (is_number(wanted) and is_number(found)):
        return type(wanted) is type(found) and bool(wanted == found)
    apart = float(wanted - found)
    return abs(math.remainder(apart, 360.0) if key == "facing_deg" else apart) <= tolerance


def _are_lists(*values: Any) -> bool:
    return all(isinstance(value, Sequence) and not isinstance(value, str) for value in values)
