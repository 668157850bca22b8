"""The scenes of each game, the same for the same number."""

from collections.abc import Callable
from typing import Any

from tests.oracles.extreme.hexed import hexed
from tests.oracles.extreme.loose import Field
from tests.oracles.extreme.regiments import Table

Scene = Callable[[int], dict[str, Any]]


def _t9a(number: int) -> dict[str, Any]:
    return Table("t9a", number).tables()


def _conquest(number: int) -> dict[str, Any]:
    return Table("conquest", number).tables()


def _wh40k(number: int) -> dict[str, Any]:
    return Field(number).tables()


SCENES: dict[str, Scene] = {
    "t9a": _t9a,
    "conquest": _conquest,
    "wh40k": _wh40k,
    "battletech": hexed,
}
