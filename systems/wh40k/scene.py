"""One charger, its targets and everybody else, as the charge rules see them."""

from dataclasses import dataclass
from typing import Any

from tabletop.squads import Squad
from tabletop.state import State


@dataclass(frozen=True)
class Scene:
    """A charge in its surroundings: `others` are enemy units that are not targets; the charger's models are those still alive."""

    state: State[Squad]
    charger: Squad
    targets: tuple[Squad, ...]
    others: tuple[Squad, ...]
    friends: tuple[Squad, ...]
    choices: Any
    book: Any
