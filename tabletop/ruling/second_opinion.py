"""What a plain search says beside the answer of a system: values that rulings carry."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Agreement = Literal["equal", "exact_better", "scipy_better", "not_found"]


@dataclass(frozen=True)
class SecondOpinion:
    """A placement that was solved a second time, by a search that knows nothing of its structure.

    Attributes
    ----------
    verdict
        Whether its best place serves the goals as well as the answer, less well, better, or no place was found.
    goal
        The rule of the first goal in which the two differ.
    goals
        What answer and second search are worth, by the rule of each goal; the second is None where nothing was found.
    units
        Where the units stand that its place moves, by name.
    is_fault
        Whether it is better where the answer is proved to be best: one of the two is wrong.
    seconds
        How long it took.
    """

    verdict: Agreement
    goal: str | None
    goals: Mapping[str, tuple[float, float | None]]
    units: Mapping[str, Any]
    is_fault: bool = False
    seconds: float = field(default=0.0, compare=False)
