"""What a set-up and its charges must keep beyond the kinds of their values."""

from collections.abc import Sequence
from typing import Any

from tabletop.errors import Problem
from tabletop.ruling import Charge
from tabletop.state import State


def problems(state: State[Any], charges: Sequence[tuple[int, Charge]]) -> list[Problem]:
    """List what a set-up and its charges, given with their numbers in the file, break."""
    return []
