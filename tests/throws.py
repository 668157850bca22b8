"""Chances by trying: every throw of all dice of a file is resolved by itself, and the outcomes are counted."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import TypeVar

from tabletop.api import decide, resolve
from tabletop.errors import NoVerdictError, ScenarioError
from tabletop.ruling.charge import Outcome
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling

Faces = tuple[int, ...]
Key = TypeVar("Key")
Weighed = Sequence[tuple[Faces, Fraction]]

PAIRS: Weighed = [
    ((min(6, total - 1), total - min(6, total - 1)), Fraction(6 - abs(7 - total), 36))
    for total in range(2, 13)
]
"""Two dice of which only the sum counts, and more is never worse."""
MISSING = re.compile(r"charges\[(\d+)\]\.dice: needs (\d) more faces? for: (.*)")
INDIFFERENT = re.compile(r"location|pilot")
"""Rolls of BattleTech that say where points go and what a pilot feels: no charge asks for that."""


@dataclass(frozen=True)
class Thrown:
    """What came of one throw of all dice: each charge's faces and its ruling, with the chance of the throw.

    There are no rulings where the throw has no verdict.
    """

    faces: tuple[Faces, ...]
    rulings: tuple[Ruling, ...]
    chance: Fraction

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The row of outcomes."""
        return tuple(ruling.outcome for ruling in self.rulings)


def thrown(case: Case) -> list[Thrown]:
    """Resolve every throw of all dice of a case; of sums of two dice those between two that come to the same do too."""
    if case.system.name == "battletech":
        return list(_followed(case, tuple(() for _ in case.charges), Fraction(1)))
    *first, last = [_dice(case, number) for number in range(len(case.charges))]
    return [throw for one in product(*first) for throw in _throws(case, one, last)]


def _throws(case: Case, first: Sequence[tuple[Faces, Fraction]], last: Weighed) -> Iterator[Thrown]:
    """Resolve all throws of the last charge after those of the others."""
    found: dict[Faces, tuple[Ruling, ...]] = {}
    before = tuple(faces for faces, _ in first)
    is_sum = last is PAIRS

    def settle(some: Weighed) -> None:
        """Resolve the first and the last, and those between if these differ."""
        for faces, _ in (some[0], some[-1]):
            if faces not in found:
                found[faces] = resolve(with_faces(case, (*before, faces))).rulings
        low, high = (found[faces] for faces, _ in (some[0], some[-1]))
        if is_sum and low[-1].outcome == high[-1].outcome:
            found.update((faces, low) for faces, _ in some)
        elif len(some) > 2:
            half = len(some) // 2
            settle(some[: half + 1])
            settle(some[half:])

    settle(last)
    for faces, share in last:
        yield Thrown((*before, faces), found[faces], _product((*first, (faces, share))))


def with_faces(case: Case, faces: Sequence[Faces | None]) -> Case:
    """Return the charges of a case faces."""
    return replace(
        case,
        charges=tuple(
            replace(charge, dice=own) for charge, own in zip(case.charges, faces, strict=True)
        ),
    )


def _dice(case: Case, number: int) -> Weighed:
    """Return all that the dice of one charge may show."""
    profile = case.state.units[case.charges[number].charger].profile
    if case.system.name == "wh40k":
        if case.charges[number].declarations.reroll != "always":
            return PAIRS
        return [((1, 1, *faces), chance) for faces, chance in PAIRS]
    count = 1 + (profile.reroll if case.system.name == "conquest" else abs(profile.extra_dice))
    return [(faces, Fraction(1, 6**count)) for faces in product(range(1, 7), repeat=count)]


def _product(some: Weighed) -> Fraction:
    chance = Fraction(1)
    for _, share in some:
        chance *= share
    return chance


def each(case: Case) -> Iterator[Thrown]:
    """Resolve every throw of all dice of a case, rerolls included, each by itself and without explanations."""
    for one in product(*(_dice(case, number) for number in range(len(case.charges)))):
        yield from _followed(case, tuple(faces for faces, _ in one), _product(one), decided)


def decided(case: Case) -> tuple[Ruling, ...]:
    """Return the rulings on a case without explanations; none if it has no verdict."""
    try:
        return decide(case).rulings
    except NoVerdictError:
        return ()


def _resolved(case: Case) -> tuple[Ruling, ...]:
    return resolve(case).rulings


def _followed(
    case: Case,
    faces: tuple[Faces, ...],
    chance: Fraction,
    ruled: Callable[[Case], tuple[Ruling, ...]] = _resolved,
) -> Iterator[Thrown]:
    """Ask for the faces that are missing, and go on with all that they may show."""
    try:
        yield Thrown(faces, ruled(with_faces(case, faces)), chance)
    except ScenarioError as error:
        found = MISSING.search(str(error))
        if found is None:
            raise
        number = int(found[1])
        count = int(found[2])
        what = found[3]
        for more, share in _shown(count, what):
            longer = (*faces[:number], (*faces[number], *more), *faces[number + 1 :])
            yield from _followed(case, longer, chance * share, ruled)


def _shown(count: int, what: str) -> Weighed:
    if INDIFFERENT.search(what):
        return [((3, 4)[:count], Fraction(1))]
    return PAIRS if count == 2 else [((face,), Fraction(1, 6)) for face in range(1, 7)]


def own_total(case: Case, throw: Thrown, number: int) -> int:
    """Return the total that counts of a charge's own dice; where it may not be declared, that of the first throw."""
    faces = throw.faces[number]
    ruling = throw.rulings[number]
    if case.system.name == "wh40k":
        return max(
            0, sum(faces[-2:]) + int(case.state.units[ruling.charge.charger].profile.charge_bonus)
        )
    if case.system.name == "conquest":
        return int(ruling.metrics.get("roll", faces[0]))
    extra = case.state.units[ruling.charge.charger].profile.extra_dice
    return max(faces) if extra >= 0 else min(faces)


def tallied(found: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    """Add up chances."""
    sums: dict[Key, Fraction] = {}
    for key, chance in found:
        sums[key] = sums.get(key, Fraction(0)) + chance
    return sums
