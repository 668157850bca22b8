"""Bases as people write them, such as "32mm", "75 x 42mm Oval", "60mm Flying Base" or 40, and as the program writes
them.

One length is a diameter or the side of a square. Two are the axes of an oval, the long one first, or width and depth of
a rectangle. Lengths are in millimetres.
"""

import re
from dataclasses import dataclass
from typing import Any, Literal, TypeGuard

from tabletop.messages import say
from tabletop.scenario.limits import NAME_LENGTH
from tabletop.scenario.validation import refusal
from tabletop.units import MM_PER_INCH, inches

Form = Literal["round", "oval", "rectangle"]

LARGEST = 1000.0
"""Largest length of a base in millimetres."""

DECIMALS = 9
"""Decimals of millimetres in a base as the program writes it."""

RECTANGULAR = say(
    'expected a rectangular base in mm such as "25x50mm" (width along the front x depth, each up to 1000)'
)

ANY = say(
    'expected a base in mm such as "32mm round", "75x42mm oval" or "25x50mm rectangle", each length up to 1000'
)

_FORMS: dict[str, Form] = {
    "round": "round",
    "oval": "oval",
    "square": "rectangle",
    "rectangle": "rectangle",
}


def _in_any_case(word: str) -> str:
    return "".join(f"[{letter}{letter.upper()}]" for letter in word)


_LENGTH = r"[0-9]{1,9}(?:[.,][0-9]{1,9})?"

_MM = rf"\s*{_in_any_case('mm')}"

_TWO = rf"{_LENGTH}(?:{_MM})?\s*[xX\u00d7]\s*{_LENGTH}"

_WORD = rf"\s+(?:{'|'.join(map(_in_any_case, (*_FORMS, 'flying', 'base')))})"

PATTERN = rf"\s*(?:{_TWO}|{_LENGTH})(?:{_MM})?(?:{_WORD})*\s*"
"""Regular expression of a base. JSON Schema uses it too, where expressions have no flags."""

IN_TEXT = re.compile(
    rf"(?<![\d.,])(?:{_TWO}{_MM}(?:{_WORD})*|{_LENGTH}{_MM}(?:{_WORD})+)\b|^(?:{_in_any_case('base')}\s*[:=])?\s*("
    rf"{_LENGTH}{_MM})$",
    re.MULTILINE,
)
"""A base among other words: it must be in millimetres, and one length needs a word such as "round", or a line of its
own."""

_BASE = re.compile(PATTERN)

_NUMBER = re.compile(_LENGTH)


@dataclass(frozen=True)
class WrittenBase:
    """A base as written: one or two lengths in millimetres, and the form that a word gives; None without one."""

    lengths: tuple[float, ...]
    form: Form | None = None

    def settled(self, *, is_loose: bool) -> "WrittenBase":
        """Return the base of loose models with its form, by default round or oval; that of others as width and depth,
        without a form.

        Raises
        ------
        PydanticCustomError
            If it is no rectangle although it stands in ranks and files, or the short axis of an oval comes first.
        """
        rectangle = (self.lengths * 2)[:2]
        if not is_loose:
            if self.form not in (None, "rectangle"):
                raise refusal("base", RECTANGULAR)
            return WrittenBase(rectangle)
        form = self.form or ("oval" if len(self.lengths) > 1 else "round")
        if form == "oval" and self.lengths[0] < self.lengths[1]:
            raise refusal(
                "base",
                say(
                    'expected the long axis of an oval first, as in 75x42mm oval, or "25x50mm rectangle"'
                ),
            )
        return WrittenBase(rectangle if form == "rectangle" else self.lengths, form)

    @property
    def text(self) -> str:
        """The base as files have it, such as "75x42mm oval"."""
        lengths = "x".join(
            f"{length:.{DECIMALS}f}".rstrip("0").rstrip(".") for length in self.lengths
        )
        return f"{lengths}mm {self.form}" if self.form else f"{lengths}mm"

    @property
    def inches(self) -> tuple[float, ...]:
        """The lengths in inches."""
        return tuple(map(inches, self.lengths))


def is_number(value: Any) -> TypeGuard[float]:
    """Return whether a value of a file is a number; true and false are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def base_of(value: Any, *, expected: str = ANY) -> WrittenBase:
    """Return the base that a text or a number of millimetres stands for.

    Raises
    ------
    PydanticCustomError
        If it is no base, with the message `expected`.

    Examples
    --------
    >>> base_of("32 mm"), base_of(40)
    (WrittenBase(lengths=(32.0,), form=None), WrittenBase(lengths=(40,), form=None))
    >>> base_of("90 x 52,5mm Oval")
    WrittenBase(lengths=(90.0, 52.5), form='oval')
    """
    if isinstance(value, str):
        is_base = len(value) <= NAME_LENGTH and _BASE.fullmatch(value) is not None
        lengths = tuple(
            float(number.replace(",", ".")) for number in _NUMBER.findall(value) if is_base
        )
        words = value.casefold().split()
    else:
        lengths = (value,) if is_number(value) else ()
        words = []
    forms = {_FORMS[word] for word in words if word in _FORMS}
    form = next(iter(forms), None)
    counts = {"round": 1, "oval": 2, "rectangle": len(lengths), None: len(lengths)}
    is_possible = lengths and all(0 < round(length, DECIMALS) <= LARGEST for length in lengths)
    if (
        not is_possible
        or len(forms) > 1
        or len(lengths) != counts[form]
        or ("square" in words and len(set(lengths)) > 1)
    ):
        raise refusal("base", expected)
    return WrittenBase(lengths, form)


def base_text(value: Any, *, is_loose: bool) -> Any:
    """Return a base given as text or number in the form that the program writes; a value of another type unchanged.

    Raises
    ------
    PydanticCustomError
        If it is no base, or none that a unit in ranks and files or loose models may have.
    """
    if not isinstance(value, str) and not is_number(value):
        return value
    if is_loose and is_hull(value):
        raise refusal(
            "base",
            say("a model without a base has an outline instead: hull = [[x, y], ...], in inches"),
        )
    return base_of(value, expected=ANY if is_loose else RECTANGULAR).settled(is_loose=is_loose).text


def is_hull(value: Any) -> bool:
    """Return whether a value is the word "hull", by which lists of bases say that a model has none."""
    return isinstance(value, str) and value.strip().casefold() == "hull"


def text_of_inches(*lengths: float, form: Form | None = None) -> str:
    """Return the base with these lengths in inches as files have it."""
    return WrittenBase(tuple(length * MM_PER_INCH for length in lengths), form).text
