"""Doubts about a scenario: probable mistakes in a file that can be used, of which every command warns."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tabletop.messages import listed, say, shown
from tabletop.ruling.finding import by_unit
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.table.models import Squad, outer_radius
from tabletop.table.state import Regiment
from tabletop.units import MM_PER_INCH

LARGE_BOARD = 300.0
"""Inches. A board larger than this on both sides was probably given in millimetres."""

SMALL_BASE = 5.0
"""Millimetres. A base smaller than this was probably given in inches."""


def doubts_of(case: Case, rulings: Sequence[Ruling]) -> Iterator[str]:
    """Yield a sentence on each doubt: of the game, on sides, sizes and the file's `point`, and on numbers that profiles
    leave out.

    `rulings` are those of the charges; without them nothing is known of the last two.
    """
    for doubt in case.system.vocabulary.doubts(
        case.state, [*enumerate(case.charges)], case.choices
    ):
        yield doubt.sentence
    numbers = (
        number for ruling in rulings for finding in ruling.findings for number in finding.assumed
    )
    for unit, words in by_unit(numbers).items():
        yield say("{unit}: {words}", unit=unit, words=words)
    if case.point and rulings and not any(ruling.finding(case.point) for ruling in rulings):
        yield say(
            "point: no charge here turns on {rule}; the figure shows what decides instead",
            rule=case.point,
        )
    board = case.state.board
    if min(board.width, board.depth) > LARGE_BOARD:
        yield say(
            "the board is {width:g} by {depth:g} in: are these millimetres? Files use inches",
            width=board.width,
            depth=board.depth,
        )
    yield from _of_sides(case.state.units.values())
    yield from _of_bases(case.state.units.values())


def _of_sides(units: Iterable[Any]) -> Iterator[str]:
    """Yield a sentence on sides whose names differ in capitals only."""
    spelt: dict[str, dict[str, None]] = {}
    for unit in units:
        spelt.setdefault(unit.side.casefold(), {})[unit.side] = None
    for names in spelt.values():
        if len(names) > 1:
            message = "the sides {sides} differ in capitals only, so their units are enemies: is one side meant?"
            yield say(message, sides=listed(map(shown, names), " and "))


def _of_bases(units: Iterable[Any]) -> Iterator[str]:
    """Yield a sentence on each unit with a base that is too small for any model."""
    for unit in units:
        lengths = (
            [2 * outer_radius(model.base) for model in unit.models]
            if isinstance(unit, Squad)
            else []
        )
        if isinstance(unit, Regiment):
            lengths = [max(unit.base.width, unit.base.depth)]
        size = min(lengths, default=math.inf) * MM_PER_INCH
        if size < SMALL_BASE:
            yield say(
                "{unit}: a base of {size:.3g} mm: are these inches? Bases are in millimetres",
                unit=unit.name,
                size=size,
            )
