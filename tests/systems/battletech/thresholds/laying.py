"""How the rows of BattleTech lie on a hex board, and how their verdicts are read."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from systems.battletech import explain
from systems.battletech.course import resolve_declared
from systems.battletech.declare import declare_all
from systems.battletech.scene import Chances
from systems.battletech.words import step_of
from tabletop.ruling.charge import Charge
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.scenario.fields import hex_of
from tabletop.table.dice import DiceSource
from tabletop.table.hexes import HEX_FACINGS, HexBoard, number, side_at
from tabletop.table.state import Hex, HexUnit
from tabletop.testing.motions import HANDS
from tests.systems.said import numbers
from tests.thresholds import (
    Orient,
    Reading,
    Reads,
    Sense,
    Threshold,
    broken,
    reading,
    same,
    unmeasured,
)

PREFIX = "battletech."
WIDE = HexBoard.of(41, 41)
"""A board so wide that its edge plays no part."""
ABOUT: Hex = (5, 7)
TO: Hex = (22, 21)
"""The hex about which a table is turned, and where that comes to lie on the wide board."""
TWISTED = {"twist_left": "twist_right", "twist_right": "twist_left"}

PlaceOf = Callable[[Hex], Hex]
FacingOf = Callable[[int], int]


def turned_place(place: Hex) -> Hex:
    """Turn a hex by one hexside clockwise about one hex of the board, and move it to the middle of the wide one."""
    (q, s), (about_q, about_s), (to_q, to_s) = (_axial(one) for one in (place, ABOUT, TO))
    across = q - about_q
    down = s - about_s
    column = to_q - down
    row = to_s + across + down
    return column, row + (column + 1) // 2


def _axial(place: Hex) -> Hex:
    return place[0], place[1] - (place[0] + 1) // 2


def turned(case: Case) -> Case:
    """Turn a table by a hexside, and move it to where the board's edge is far."""
    return carried(case, turned_place, lambda facing: (facing + 1) % len(HEX_FACINGS), board=WIDE)


def moved(case: Case) -> Case:
    """Move a table two columns to the right, the board's upper, lower and right edges with it."""
    board = _board(case)
    wider = HexBoard.of(board.columns + 2, board.rows, board.hex_inches)
    return carried(case, lambda place: (place[0] + 2, place[1]), lambda facing: facing, board=wider)


def mirrored(case: Case) -> Case:
    """Swap left and right of a table of an odd number of columns, in what is declared and chosen too."""
    board = _board(case)
    other = carried(
        case,
        lambda place: (board.columns + 1 - place[0], place[1]),
        lambda facing: -facing % len(HEX_FACINGS),
        board=board,
    )
    units = {
        name: replace(unit, status=tuple(TWISTED.get(word, word) for word in unit.status))
        for name, unit in other.state.units.items()
    }
    charges = tuple(_with(charge, miss=HANDS[charge.declarations.miss]) for charge in other.charges)
    choices = case.choices.model_copy(
        update={"vehicle_front_5": HANDS[case.choices.vehicle_front_5]}
    )
    return replace(other, state=replace(other.state, units=units), charges=charges, choices=choices)


HEXES: Mapping[str, Orient] = {"as is": same, "turned": turned, "mirrored": mirrored}
"""Orientations of a table whose edges play no part."""

EDGED: Mapping[str, Orient] = {"as is": same, "moved": moved, "mirrored": mirrored}
"""Orientations of a table together with its upper and lower edge."""


def _board(case: Case) -> HexBoard:
    board = case.state.board
    assert isinstance(board, HexBoard)
    return board


def carried(case: Case, place: PlaceOf, facing: FacingOf, *, board: HexBoard) -> Case:
    """Carry units, terrain, proposal and what is declared to other hexes and facings of a board."""
    before = _board(case)

    def at(unit: HexUnit) -> HexUnit:
        return unit.at(pose(unit.pose))

    def pose(old: Any) -> Any:
        return board.pose(place(before.hex_at(old.at)), facing(side_at(old.heading)))

    units = {name: at(unit) for name, unit in case.state.units.items()}
    ground = tuple(
        replace(piece, hexes=tuple(map(place, piece.hexes))) for piece in case.state.hex_terrain
    )
    charges = tuple(_with(charge, **_declared(charge, place, facing)) for charge in case.charges)
    proposal = (
        None if case.proposal is None else {name: pose(old) for name, old in case.proposal.items()}
    )
    return replace(
        case,
        state=replace(case.state, board=board, units=units, hex_terrain=ground),
        charges=charges,
        proposal=proposal,
    )


def _declared(charge: Charge, place: PlaceOf, facing: FacingOf) -> dict[str, Any]:
    """Return what a charge declares of hexes and facings, carried."""
    keys = charge.declarations
    changed = dict[str, Any]()
    if keys.path is not None:
        changed["path"] = tuple(text[:-4] + number(place(step_of(text)[1])) for text in keys.path)
    if keys.target_hex is not None:
        changed["target_hex"] = number(place(hex_of(keys.target_hex)))
    if keys.end_facing is not None:
        changed["end_facing"] = HEX_FACINGS[facing(HEX_FACINGS.index(keys.end_facing))]
    return changed


def _with(charge: Charge, **changes: Any) -> Charge:
    return replace(charge, declarations=charge.declarations.model_copy(update=changes))


def declared(case: Case, rule: str) -> Reading:
    """Declare, and read the rule's own finding about the last charge."""
    claims, _ = declare_all(case)
    (found,) = [one for one in claims[-1].findings if one.rule == rule]
    return Reading(found.ok, found.margin)


verdict = unmeasured(declared)
"""Reads the verdict alone: its margin is counted in something else than the row's number."""

refused = unmeasured(broken(declared))
"""Reads whether the rule refuses the charge: the number is where that begins."""


def ruled(case: Case) -> Ruling:
    """Declare and resolve the one charge of a case, its chances left aside: to work them out takes longer than all the
    rest.
    """
    (claim,), table = declare_all(case)
    if claim.declared is None:
        return explain.refused(claim)
    hand = DiceSource().stream(claim.declared.number, claim.charge.dice)
    resolved = resolve_declared(claim.declared, table, hand)
    hand.close()
    return explain.ruled(claim, resolved, Chances(Fraction(0), {}), ())


def told(case: Case, rule: str) -> Reading:
    """Resolve, and read whether the rule has anything to say."""
    return Reading(any(one.rule == rule for one in ruled(case).findings))


silent = broken(told)
"""Reads whether the rule has nothing to say."""


def hits(case: Case, _: str) -> Reading:
    """Resolve, and read whether the charge hits what it was declared on."""
    return Reading(ruled(case).outcome == "success")


def by_roll(case: Case, rule: str) -> Reading:
    """Resolve, and read the rule's own finding."""
    return reading(ruled(case), rule)


def spared(case: Case, rule: str) -> Reading:
    """Resolve, and read whether the charge goes on in spite of the rule."""
    return Reading(ruled(case).rule != rule)


def rolled(case: Case, rule: str) -> Reading:
    """Resolve, and read whether the roll that the rule demands is passed, and by how much."""
    (found,) = (one for one in ruled(case).findings if one.rule == rule)
    assert found.measured is not None
    assert found.limit is not None
    return Reading(found.measured >= found.limit, found.measured - found.limit)


def by_metrics(holds: Callable[[Mapping[str, Any]], bool]) -> Reads:
    """Make a reader: resolve, and read what holds of the metrics."""
    return lambda case, _: Reading(holds(ruled(case).metrics))


def shows(**values: Any) -> Reads:
    """Make a reader: resolve, and read whether all these metrics are as given."""
    return by_metrics(
        lambda found: all(name in found and found[name] == value for name, value in values.items())
    )


def reaches(metric: str, least: float) -> Reads:
    """Make a reader: resolve, and read whether a metric is at least so great; one that is left out is 0."""
    return by_metrics(lambda found: found.get(metric, 0) >= least)


def upto(metric: str, most: float) -> Reads:
    """Make a reader: resolve, and read whether a metric is at most so great."""
    return by_metrics(lambda found: found[metric] <= most)


def has(metric: str) -> Reads:
    """Make a reader: resolve, and read whether there is such a metric at all."""
    return by_metrics(lambda found: metric in found)


def lacks(metric: str) -> Reads:
    """Make a reader: resolve, and read whether there is no such metric."""
    return by_metrics(lambda found: metric not in found)


def hurts(group: int, points: int) -> Reads:
    """Make a reader: resolve, and read whether so many points of damage are taken at once, first (0) or last (-1)."""
    return lambda case, _: Reading(damages(ruled(case))[group] == str(points))


def damages(found: Ruling) -> list[str]:
    """Return how many points were taken at once, in the order of the steps."""
    return [numbers(step.text)[0] for step in found.steps if step.kind == "damage"]


def unrolled(case: Case, rule: str) -> Reading:
    """Resolve, and read whether the roll that the rule demands is passed without dice."""
    return Reading(
        any(one.ok and one.measured is None for one in ruled(case).findings if one.rule == rule)
    )


def stands(name: str) -> Reads:
    """Make a reader: resolve, and read whether a unit has not fallen."""
    return by_metrics(lambda found: name not in found["fell"])


def count(
    rule: str,
    what: str,
    value: int,
    table: Callable[[int], Case],
    holds: Sense,
    *,
    reads: Reads,
    orientations: Mapping[str, Orient] = HEXES,
) -> Threshold:
    """Make the row of a count."""
    return Threshold(PREFIX + rule, what, value, "count", table, holds, reads, orientations)
