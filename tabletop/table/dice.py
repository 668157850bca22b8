"""Dice: natural faces given, dealt or thrown from a seed, and exact chances."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import islice, pairwise

from tabletop.errors import Fault, NoVerdictError, ScenarioError
from tabletop.messages import counted, say
from tabletop.words import shown

SIDES = 6

MOST_FACES = 10_000
"""Faces of one charge, as many as a file holds: what is thrown can always be given again."""


@dataclass
class Record:
    """The faces that have been rolled so far, in the order of the rolls, by the number of their charge in the file."""

    rolled: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def add(self, number: int, faces: tuple[int, ...]) -> tuple[int, ...]:
        """Keep faces of a charge, and return them."""
        self.rolled[number] = (*self.rolled.get(number, ()), *faces)
        return faces


@dataclass(frozen=True)
class Throws:
    """Where faces come from: `flat` is dealt in order to the charges that roll, else each entry's own, else the seed.

    With `fills` an entry's own are taken as far as they go: what is missing is thrown from the seed, what is left over is nobody's
    mistake, of a flat list either. Dice have so many `sides`. The `record` tells afterwards which were rolled.
    """

    seed: int = 0
    flat: tuple[int, ...] | None = None
    fills: bool = False
    sides: int = SIDES
    record: Record = field(default_factory=Record, compare=False, repr=False)

    def deal(self, wanted: Sequence[tuple[int, int, tuple[int, ...] | None]]) -> tuple[tuple[int, ...], ...]:
        """Give the faces of several rolls: each wanted as (number of the charge in the file, count, its own faces or None).

        Raises
        ------
        ScenarioError
            If a roll is given too few or too many faces, or the flat list does not come out even.
        """
        if self.flat is not None:
            counts = [count for _, count, _ in wanted]
            return self._recorded(wanted, _dealt(self.flat[: sum(counts)] if self.fills else self.flat, counts))
        message = "expected exactly {faces}, given {count}: {given}"
        wrong = [
            Fault.of(f"charges[{index}].dice", message, faces=_faces(count), count=len(own), given=shown(list(own)))
            for index, count, own in wanted
            if own is not None and len(own) != count and not self.fills
        ]
        if wrong:
            raise ScenarioError(wrong)
        return self._recorded(wanted, [tuple(islice(self.faces(index, own), count)) for index, count, own in wanted])

    def _recorded(
        self, wanted: Sequence[tuple[int, int, tuple[int, ...] | None]], faces: Sequence[tuple[int, ...]]
    ) -> tuple[tuple[int, ...], ...]:
        return tuple(self.record.add(index, own) for (index, _, _), own in zip(wanted, faces, strict=True))

    def cup(self) -> "Cup":
        """Give the faces one by one, for rules that only say on the way what is rolled next."""
        return Cup(self)

    def faces(self, index: int, own: tuple[int, ...] | None) -> Iterator[int]:
        """Give a charge's own faces, then those thrown from the seed if it has none or they are filled up."""
        yield from own or ()
        if own is None or self.fills:
            yield from self.endless(index)

    def endless(self, index: int) -> Iterator[int]:
        """Throw the faces of one charge from the seed, without end."""
        stream = random.Random(f"{self.seed}/{index}")  # noqa: S311 - games, not secrets
        while True:
            yield stream.randint(1, self.sides)


class Cup:
    """The faces of a whole file, taken in the order in which the rules roll them."""

    def __init__(self, throws: Throws) -> None:
        self._throws = throws
        self._flat = None if throws.flat is None else list(throws.flat)

    def hand(self, number: int, own: tuple[int, ...] | None) -> "Hand":
        """Give the faces of the charge of that number in the file; `own` are those that its entry gives."""
        record = partial(self._throws.record.add, number)
        if self._flat is not None:
            return Hand(self._flat, "--dice", record)
        if own is not None and not self._throws.fills:
            return Hand(list(own), f"charges[{number}].dice", record)
        return Hand(self._throws.faces(number, own), "", record)

    def close(self) -> None:
        """Raise a ScenarioError if faces of the flat list are left over."""
        if self._flat and not self._throws.fills:
            raise ScenarioError(Fault.of("--dice", "{count} unused: {faces}", count=_faces(len(self._flat)), faces=shown(self._flat)))


class Hand:
    """The faces of one charge, as far as they are not taken yet; `key` names where they stand, and `record` is told what is taken."""

    def __init__(
        self, faces: list[int] | Iterator[int], key: str, record: Callable[[tuple[int, ...]], tuple[int, ...]] = lambda taken: taken
    ) -> None:
        self._faces = faces
        self._key = key
        self._record = record
        self._left = MOST_FACES

    def take(self, count: int, what: str) -> tuple[int, ...]:
        """Take the next faces, which decide `what`.

        Raises
        ------
        ScenarioError
            If there are not so many left.
        NoVerdictError
            If the charge takes more than a file may hold.
        """
        self._left -= count
        if self._left < 0:
            raise NoVerdictError("a charge takes more than {most} faces", most=MOST_FACES)
        if not isinstance(self._faces, list):
            return self._record(tuple(islice(self._faces, count)))
        if len(self._faces) < count:
            missing = count - len(self._faces)
            more = say("needs {missing} more faces for: {what}", missing=missing, what=what)
            raise ScenarioError(Fault(self._key, say("needs 1 more face for: {what}", what=what) if missing == 1 else more))
        taken, self._faces[:count] = tuple(self._faces[:count]), []
        return self._record(taken)

    def close(self, *, spare: int = 0) -> None:
        """Raise a ScenarioError if more than `spare` faces of the charge's own entry are left over.

        A flat list may go on to the next charge.
        """
        if isinstance(self._faces, list) and len(self._faces) > spare and self._key != "--dice":
            raise ScenarioError(Fault.of(self._key, "{count} unused: {faces}", count=_faces(len(self._faces)), faces=shown(self._faces)))


def _dealt(flat: tuple[int, ...], counts: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    if len(flat) != sum(counts):
        message = "expected {faces} in all ({each}), given {count}"
        each = ", ".join(map(str, counts)) or say("no charge rolls")
        raise ScenarioError(Fault.of("--dice", message, faces=_faces(sum(counts)), each=each, count=len(flat)))
    ends = [sum(counts[:number]) for number in range(len(counts) + 1)]
    return tuple(flat[start:end] for start, end in pairwise(ends))


def _faces(count: int) -> str:
    return counted(count, "faces")


def chance_at_least(face: int, extra: int = 0) -> Fraction:
    """Chance that a die shows `face` or more, with `extra` more dice: keep the highest if positive, the lowest if negative.

    Examples
    --------
    >>> chance_at_least(5), chance_at_least(5, 1), chance_at_least(5, -1)
    (Fraction(1, 3), Fraction(5, 9), Fraction(1, 9))
    """
    single = Fraction(min(max(SIDES + 1 - face, 0), SIDES), SIDES)
    return 1 - (1 - single) ** (1 + extra) if extra >= 0 else single ** (1 - extra)


def chance_of(face: int, extra: int = 0) -> Fraction:
    """Chance that `face` is the one that counts, of a die and `extra` more: the highest if positive, the lowest if negative.

    Examples
    --------
    >>> chance_of(6), chance_of(6, 1), chance_of(6, -1)
    (Fraction(1, 6), Fraction(11, 36), Fraction(1, 36))
    """
    return chance_at_least(face, extra) - chance_at_least(face + 1, extra)
