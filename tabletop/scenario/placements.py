"""The ways in which units stand, by the names that a system's vocabulary uses."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from tabletop.scenario.entries import ExpectedUnit, UnitEntry
from tabletop.scenario.placing import Placing
from tabletop.scenario.vocabulary import Entry, Vocabulary
from tabletop.table.state import Board, Unit

_HOMES = {
    "regiment": ("tabletop.scenario.blocks", "REGIMENT"),
    "stands": ("tabletop.scenario.blocks", "STANDS"),
    "loose": ("tabletop.scenario.loose", "LOOSE"),
    "hex": ("tabletop.scenario.hexed", "HEXED"),
}


def placings(words: Vocabulary) -> tuple[Placing, ...]:
    """Give all ways in which a system's units stand; only those are loaded."""
    homes = (_HOMES[way] for way in words.placements)
    return tuple(getattr(import_module(module), name) for module, name in homes)


def placing(words: Vocabulary) -> Placing:
    """Give the way in which a system's units stand; where there are several, one that asks each unit for its own."""
    first, *more = placings(words)
    return _joined((first, *more)) if more else first


def _joined(ways: Sequence[Placing]) -> Placing:
    """Join several ways: what a unit, an entry or a place is of tells which of them reads and writes it."""

    def read(name: str, entry: Any, board: Board) -> Unit:
        return _first(ways, lambda way: isinstance(entry, way.unit)).read(name, entry, board)

    def read_place(entry: Any, unit: Any, board: Board) -> Any:
        return _first(ways, lambda way: isinstance(entry, way.place)).read_place(entry, unit, board)

    def written(unit: Any, board: Board) -> dict[str, Any]:
        return _first(ways, lambda way: way.stands(unit)).written(unit, board)

    def written_place(place: Any, board: Board) -> dict[str, Any]:
        return _first(ways, lambda way: isinstance(place, way.placed)).written_place(place, board)

    return Placing(
        board=ways[0].board,
        unit=UnitEntry,
        place=Entry,
        expected=ExpectedUnit,
        stands=lambda unit: any(way.stands(unit) for way in ways),
        placed=tuple(kind for way in ways for kind in way.placed),
        read=read,
        read_place=read_place,
        written=written,
        written_place=written_place,
        models=lambda entry: _first(ways, lambda way: isinstance(entry, way.unit)).models(entry),
    )


def _first(ways: Sequence[Placing], is_it: Callable[[Placing], bool]) -> Placing:
    return next(way for way in ways if is_it(way))
