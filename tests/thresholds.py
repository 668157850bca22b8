"""Tables of thresholds: every number of a rules page at its value, a hair within the tolerance and a hair beyond, in
each orientation.

A system's table stands beside its tests as rows of `Threshold`; `each_trial` makes the questions of them, `check` asks
one.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import pytest

from tabletop.api import judge, resolve
from tabletop.geometry.pose import Point
from tabletop.ruling.system import Case, System
from tabletop.ruling.verdict import Judgement, Ruling
from tabletop.table.state import Board
from tabletop.testing.motions import (
    Motion,
    Turn,
    carried,
    carried_place,
    mirrored_case,
    turned_point,
)
from tabletop.testing.promises import assert_of_one_kind
from tabletop.units import CONTACT, FLUSH, RIGHT_ANGLE
from tests.scenes import finding, has_finding

Unit = Literal["in", "sq in", "deg", "count"]
Sense = Literal["at most", "at least", "exactly"]
Orient = Callable[[Case], Case]

TOLERANCES: Mapping[Unit, float] = {"in": CONTACT, "sq in": 1e-6, "deg": math.degrees(FLUSH)}
"""What every comparison allows; counts allow nothing."""

HAIR = 10.0
"""A hair beyond the tolerance is ten times it, a hair within a tenth of it: 1e-5 and 1e-7 in for lengths, 1e-6 and 1e-8
rad for angles."""

ODD_ANGLE = math.radians(123.4567)
WIDE = Board(200.0, 200.0)
"""A board so wide that its edge plays no part."""


@dataclass(frozen=True)
class Reading:
    """What was said of one table: whether the rule holds there, and by how much, in the row's unit; None where nothing
    is measured.
    """

    holds: bool
    margin: float | None = None


Reads = Callable[[Case, str], Reading]


def by_ruling(case: Case, rule: str) -> Reading:
    """Resolve, and read the rule's own finding in the last ruling."""
    return reading(resolve(case).rulings[-1], rule)


def by_judgement(case: Case, rule: str) -> Reading:
    """Judge the proposal, and read the rule's own finding."""
    return reading(judge(case), rule)


def reading(said: Ruling | Judgement, rule: str) -> Reading:
    """Read a rule's one finding; what is measured is of one kind in all."""
    for one in said.findings:
        assert_of_one_kind(one)
    found = finding(said, rule)
    return Reading(found.ok, None if found.margin is None else found.slack)


def by_reader(case: Case, _: str) -> Reading:
    """Read whether a file with this set-up would be accepted."""
    words = case.system.vocabulary
    charges = list(enumerate(case.charges))
    return Reading(
        not [
            *words.problems(case.state, charges),
            *words.tolerated(case.state, charges, case.choices),
        ]
    )


def by_outcome(case: Case, _: str) -> Reading:
    """Resolve, and read whether the last charge succeeds."""
    return Reading(resolve(case).rulings[-1].outcome == "success")


def by_metrics(holds: Callable[[Mapping[str, Any]], bool]) -> Reads:
    """Resolve, and read the metrics of the last ruling."""
    return lambda case, _: Reading(holds(resolve(case).rulings[-1].metrics))


def by_presence(case: Case, rule: str) -> Reading:
    """Resolve, and read whether the rule is among the findings of the last ruling at all."""
    return Reading(has_finding(resolve(case).rulings[-1], rule))


def broken(reads: Reads) -> Reads:
    """Read the contrary, where the page's number says when a rule is broken."""

    def contrary(case: Case, rule: str) -> Reading:
        said = reads(case, rule)
        return Reading(not said.holds, None if said.margin is None else -said.margin)

    return contrary


def unmeasured(reads: Reads) -> Reads:
    """Read the verdict alone, where the finding measures something else than the row, or nothing."""
    return lambda case, rule: replace(reads(case, rule), margin=None)


def same(case: Case) -> Case:
    """Leave a table as it is."""
    return case


def turned_and_moved(case: Case) -> Case:
    """Turn everything by an odd angle, and move it to the middle of a board whose edge is far."""
    board = case.state.board
    middle = (board.width / 2, board.depth / 2)
    to_x = (WIDE.width - board.width) / 2 + 0.7
    to_y = (WIDE.depth - board.depth) / 2 - 0.3

    def point(spot: Point) -> Point:
        x, y = turned_point(spot, ODD_ANGLE, middle)
        return (x + to_x, y + to_y)

    return carried_case(case, point, lambda heading: heading + ODD_ANGLE, board=WIDE)


def quarter_turned(case: Case) -> Case:
    """Turn everything by a right angle, the board too."""
    board = case.state.board
    turned = Board(board.depth, board.width)
    return carried_case(
        case,
        lambda spot: (board.depth - spot[1], spot[0]),
        lambda heading: heading + RIGHT_ANGLE,
        board=turned,
    )


def mirrored(case: Case) -> Case:
    """Swap left and right, in the proposal and in what is declared too."""
    width = case.state.board.width
    swapped = mirrored_case(case)
    carried = carried_case(
        case, lambda spot: (width - spot[0], spot[1]), lambda heading: math.pi - heading
    )
    return replace(swapped, proposal=carried.proposal)


def carried_case(case: Case, point: Motion, heading: Turn, *, board: Board | None = None) -> Case:
    """Carry a table and the places proposed by a motion of the plane, onto another board if given."""
    state = carried(case.state, point, heading)
    proposal = (
        None
        if case.proposal is None
        else {name: carried_place(place, point, heading) for name, place in case.proposal.items()}
    )
    return replace(case, state=replace(state, board=board or state.board), proposal=proposal)


FREE: Mapping[str, Orient] = {"as is": same, "turned": turned_and_moved, "mirrored": mirrored}
"""Orientations of a table whose edges play no part."""

BOUND: Mapping[str, Orient] = {"as is": same, "turned": quarter_turned, "mirrored": mirrored}
"""Orientations of a table together with its board."""


@dataclass(frozen=True)
class Threshold:
    """One number of a rules page.

    Attributes
    ----------
    rule
        Name of the rule whose verdict turns at the number.
    what
        What is measured, in the page's words.
    value
        The number, in `unit`.
    table
        The question whose measure is a given one, in `unit`.
    holds
        On which side of the number the rule holds; all are closed, "exactly" holds within the tolerance on both sides.
    reads
        How the verdict is read off, given the question and the rule.
    orientations
        The ways in which the table is laid.
    tolerance
        In `unit`, where the page gives this comparison its own (0: none, the number itself decides); else that of the
        unit.
    """

    rule: str
    what: str
    value: float
    unit: Unit
    table: Callable[[Any], Case]
    holds: Sense
    reads: Reads = by_ruling
    orientations: Mapping[str, Orient] = field(default_factory=lambda: FREE)
    tolerance: float | None = None

    def offsets(self) -> tuple[float, ...]:
        """Return by how much the measure is set off the value."""
        if self.unit == "count":
            return (-1, 0, 1)
        tolerance = self.tolerance or TOLERANCES[self.unit]
        return (-tolerance * HAIR, -tolerance / HAIR, 0.0, tolerance / HAIR, tolerance * HAIR)

    def margin(self, offset: float) -> float:
        """Return by how much the rule holds."""
        return {"at most": -offset, "at least": offset, "exactly": -abs(offset)}[self.holds]

    def expected(self, offset: float) -> bool:
        """Return whether the rule holds: within the tolerance as at the value, beyond it as the sign says."""
        allowed = TOLERANCES.get(self.unit, 0.0) if self.tolerance is None else self.tolerance
        return self.margin(offset) >= 0 or abs(offset) < allowed


@dataclass(frozen=True)
class Trial:
    """One row of a table at one offset."""

    row: Threshold
    offset: float

    def __str__(self) -> str:
        """Name the trial."""
        return (
            f"{self.row.rule}: {self.row.what} {self.row.value:g}{self.offset:+.3g} {self.row.unit}"
        )


def each_trial(rows: Sequence[Threshold]) -> pytest.MarkDecorator:
    """Ask a test of every row at every offset, by `make test` at the nearest one at which the rule is broken alone."""
    return pytest.mark.parametrize(
        "trial",
        [
            pytest.param(
                Trial(row, offset), marks=() if offset == _nearest_breach(row) else pytest.mark.slow
            )
            for row in rows
            for offset in row.offsets()
        ],
        ids=str,
    )


def _nearest_breach(row: Threshold) -> float:
    """Return the smallest offset at which the rule does not hold."""
    return min((offset for offset in row.offsets() if not row.expected(offset)), key=abs)


def check(trial: Trial) -> None:
    """Hold the verdict, and the margin where there is one, against what the offset demands, however the table lies."""
    row = trial.row
    offset = trial.offset
    table = row.table(row.value + offset)
    dust = min(map(abs, filter(None, row.offsets()))) / HAIR
    for name, laid in row.orientations.items():
        said = row.reads(laid(table), row.rule)
        assert said.holds is row.expected(offset), name
        assert said.margin is None or abs(said.margin - row.margin(offset)) <= dust, name


def check_whole(system: System, rows: Sequence[Threshold], without: Mapping[str, str]) -> None:
    """Hold that every rule either has a row or a reason why no number is at stake, none has both, and no number stands
    in two rows.
    """
    names = [(row.rule, row.what) for row in rows]
    assert len(names) == len(set(names))
    has_row = {row.rule for row in rows}
    assert sorted(has_row & without.keys()) == []
    assert sorted(has_row | without.keys()) == sorted(rule.name for rule in system.rules)
    assert all(without.values())
