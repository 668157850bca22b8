"""Dice: natural faces given, dealt or thrown from a seed, and exact chances."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, islice

from tabletop.errors import Fault, NoVerdictError, ScenarioError
from tabletop.messages import counted, say, shown

SIDES = 6

MOST_FACES = 10_000
"""Largest number of faces of one charge, as many as a file holds, so that thrown faces can be given again."""


@dataclass(frozen=True)
class DiceSource:
    """Source of the dice of all charges: a flat list of faces, else each charge's own faces, else throws from a seed.

    Attributes
    ----------
    seed
        Seed of the throws.
    flat
        Natural faces dealt in order to the charges that roll; None: charges use their own.
    fills
        Whether too few or too many faces are accepted: missing ones are thrown, surplus ones are ignored.
    sides
        Number of sides of each die.
    given
        Faces that replace a charge's own, by the number of the charge in the file.
    rolled
        Faces taken so far, by the number of the charge in the file.
    """

    seed: int = 0
    flat: tuple[int, ...] | None = None
    fills: bool = False
    sides: int = SIDES
    given: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    rolled: dict[int, tuple[int, ...]] = field(default_factory=dict, compare=False, repr=False)

    def again(self) -> "DiceSource":
        """Return a source that deals to each charge the faces that it took from this one, and throws on from there."""
        return replace(self, flat=None, fills=True, given=dict(self.rolled), rolled={})

    @cached_property
    def _left(self) -> list[int]:
        """Faces of the flat list that are not used yet."""
        return list(self.flat or ())

    def deal(
        self, wanted: Sequence[tuple[int, int, tuple[int, ...] | None]]
    ) -> tuple[tuple[int, ...], ...]:
        """Return the faces of several rolls.

        Parameters
        ----------
        wanted
            For each roll (number of the charge in the file, number of dice, the charge's own faces or None).

        Raises
        ------
        ScenarioError
            If a roll has too few or too many faces, or the flat list does not come out even.
        """
        counts = [count for _, count, _ in wanted]
        if self.flat is None:
            message = "expected exactly {faces}, given {count}: {given}"
            wrong = [
                Fault.of(
                    f"charges[{index}].dice",
                    message,
                    faces=_faces(count),
                    count=len(own),
                    given=shown(list(own)),
                )
                for index, count, own in wanted
                if own is not None and len(own) != count and not self.fills
            ]
            if wrong:
                raise ScenarioError(wrong)
        elif len(self.flat) < sum(counts) or (len(self.flat) > sum(counts) and not self.fills):
            each = ", ".join(map(str, counts)) or say("no charge rolls")
            in_all = _faces(sum(counts))
            fault = Fault.of(
                "--dice",
                "expected {faces} in total ({each} for the charges in order), given {count}",
                faces=in_all,
                each=each,
                count=len(self.flat),
            )
            raise ScenarioError(fault)
        return tuple(self.stream(index, own).take(count, "") for index, count, own in wanted)

    def stream(self, number: int, own: tuple[int, ...] | None) -> "DiceStream":
        """Return the stream of faces for the charge with this number in the file; `own` are the faces that the file
        gives for it.
        """
        own = self.given.get(number, own)
        if self.flat is not None:
            return DiceStream(self._left, "--dice", number, self.rolled)
        if own is not None and not self.fills:
            return DiceStream(list(own), f"charges[{number}].dice", number, self.rolled)
        return DiceStream(chain(own or (), self.thrown(number)), "", number, self.rolled)

    def thrown(self, number: int) -> Iterator[int]:
        """Yield faces thrown from the seed for the charge with this number in the file, without end."""
        stream = random.Random(f"{self.seed}/{number}")  # noqa: S311 - games, not secrets
        while True:
            yield stream.randint(1, self.sides)

    def close(self) -> None:
        """Check that no faces of the flat list are left over.

        Raises
        ------
        ScenarioError
            If some are, and surplus faces are not accepted.
        """
        if self._left and not self.fills:
            raise ScenarioError(
                Fault.of(
                    "--dice",
                    "{count} more than needed: {faces}",
                    count=_faces(len(self._left)),
                    faces=shown(self._left),
                )
            )


@dataclass
class DiceStream:
    """The unused faces of one charge.

    Attributes
    ----------
    faces
        A list, or an endless iterator of thrown faces.
    key
        Key path of the faces in the file, for error messages; "--dice" for the flat list.
    number
        Number of the charge in the file.
    rolled
        Faces taken so far by charge number, to which used faces are added.
    """

    faces: list[int] | Iterator[int]
    key: str = ""
    number: int = 0
    rolled: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def take(self, count: int, what: str) -> tuple[int, ...]:
        """Return the next `count` faces; `what` says in an error message what they decide.

        Raises
        ------
        ScenarioError
            If fewer faces are left.
        NoVerdictError
            If the charge takes more than `MOST_FACES` in all.
        """
        before = self.rolled.get(self.number, ())
        if len(before) + count > MOST_FACES:
            raise NoVerdictError(
                "a charge may take more than {most} dice, the limit", most=MOST_FACES
            )
        if not isinstance(self.faces, list):
            taken = tuple(islice(self.faces, count))
        elif len(self.faces) < count:
            missing = count - len(self.faces)
            more = say("needs {missing} more faces for: {what}", missing=missing, what=what)
            raise ScenarioError(
                Fault(
                    self.key,
                    say("needs 1 more face for: {what}", what=what) if missing == 1 else more,
                )
            )
        else:
            taken = tuple(self.faces[:count])
            self.faces[:count] = []
        self.rolled[self.number] = (*before, *taken)
        return taken

    def close(self, *, spare: int = 0) -> None:
        """Check that no more than `spare` faces of the charge's own are left over; a flat list may go on to the next
        charge.

        Raises
        ------
        ScenarioError
            If more are left over.
        """
        if isinstance(self.faces, list) and len(self.faces) > spare and self.key != "--dice":
            raise ScenarioError(
                Fault.of(
                    self.key,
                    "{count} more than needed: {faces}",
                    count=_faces(len(self.faces)),
                    faces=shown(self.faces),
                )
            )


def _faces(count: int) -> str:
    return counted(count, "faces")


def chance_at_least(face: int, extra: int = 0) -> Fraction:
    """Return the chance that a six-sided die shows `face` or more, with `extra` more dice of which only one counts.

    The highest die counts if `extra` is positive, the lowest if it is negative.

    Examples
    --------
    >>> chance_at_least(5), chance_at_least(5, 1), chance_at_least(5, -1)
    (Fraction(1, 3), Fraction(5, 9), Fraction(1, 9))
    """
    single = Fraction(min(max(SIDES + 1 - face, 0), SIDES), SIDES)
    return 1 - (1 - single) ** (1 + extra) if extra >= 0 else single ** (1 - extra)


def chance_of(face: int, extra: int = 0) -> Fraction:
    """Return the chance that a six-sided die shows exactly `face`, with `extra` more dice of which only one counts.

    The highest die counts if `extra` is positive, the lowest if it is negative.

    Examples
    --------
    >>> chance_of(6), chance_of(6, 1), chance_of(6, -1)
    (Fraction(1, 6), Fraction(11, 36), Fraction(1, 36))
    """
    return chance_at_least(face, extra) - chance_at_least(face + 1, extra)
