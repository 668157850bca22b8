"""What a game system adds to the scenario file: its keys, its words, and what it checks of a set-up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tabletop.errors import Problem
from tabletop.ruling import Charge
from tabletop.state import Regiment, State

Placement = Literal["regiment"]


class Entry(BaseModel):
    """A table of the file: unknown keys, numbers that are not finite and values of another type are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, frozen=True)


@dataclass(frozen=True)
class Vocabulary:
    """The system's part of the scenario file.

    Attributes
    ----------
    profile, choices, declarations
        Models of a unit's `profile`, of `[rules]`, and of the keys the system adds to `[[charges]]`.
    terrain_kinds, status
        The words for kinds of terrain, and for what has happened to a unit.
    placement
        How its units stand on the table.
    complete
        Gives a regiment what follows from its profile, such as the space between its models.
    problems
        Lists what is wrong with a set-up; it is given only those charges whose names are all known.
    """

    profile: type[Entry]
    choices: type[Entry]
    declarations: type[Entry]
    terrain_kinds: tuple[str, ...]
    status: tuple[str, ...]
    complete: Callable[[Regiment], Regiment]
    problems: Callable[[State, Sequence[tuple[int, Charge]]], list[Problem]]
    placement: Placement = "regiment"
