"""Numbers that a unit's profile leaves out: a rule that uses one says so, and what it counts as."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol


class Profiled(Protocol):
    """A unit with its statistics, a table of the file."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def profile(self) -> Any:
        """Its statistics."""
        ...


@dataclass(frozen=True)
class Assumed:
    """A number that the profile of a unit leaves out, by its key, and what it counts as."""

    unit: str
    key: str
    value: float


def assumed(unit: Profiled, *keys: str) -> tuple[Assumed, ...]:
    """Give those of some numbers that the profile of a unit leaves out.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from systems.t9a.words import Profile
    >>> assumed(SimpleNamespace(name="A", profile=Profile(height=2)), "charge_speed", "height")
    (Assumed(unit='A', key='charge_speed', value=0.0),)
    """
    given = unit.profile.model_fields_set
    return tuple(Assumed(unit.name, key, getattr(unit.profile, key)) for key in keys if key not in given)


def by_unit(numbers: Iterable[Assumed]) -> dict[str, str]:
    """Say of each unit what its profile leaves out, each number once.

    Examples
    --------
    >>> by_unit([Assumed("A", "piloting", 5), Assumed("B", "piloting", 5), Assumed("B", "hexes_moved", 0), Assumed("B", "piloting", 5)])
    {'A': 'piloting not given: 5', 'B': 'piloting not given: 5, hexes_moved not given: 0'}
    """
    words: dict[str, list[str]] = {}
    for number in dict.fromkeys(numbers):
        words.setdefault(number.unit, []).append(f"{number.key} not given: {number.value:g}")
    return {unit: ", ".join(parts) for unit, parts in words.items()}


def sentence(numbers: Iterable[Assumed]) -> str:
    """Say what the profiles of units leave out, as a sentence; nothing if they leave out nothing.

    Examples
    --------
    >>> sentence([Assumed("A", "size", 1), Assumed("B", "size", 1)])
    'A: size not given: 1; B: size not given: 1.'
    """
    text = "; ".join(f"{unit}: {words}" for unit, words in by_unit(numbers).items())
    return f"{text}." if text else ""
