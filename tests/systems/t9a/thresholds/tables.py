"""Tables of one charge, A's of T: measures in inches, what is fixed in millimetres as in the page's worked examples."""

import math
from dataclasses import replace
from typing import Any

from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tabletop.table.facing import FacingName, facing_of
from tabletop.table.state import Board, Regiment, Terrain
from tabletop.units import MM_PER_INCH
from tests.scenes import MIDDLE, case, charge, charger, place, table, target

CLEARANCE = 0.001
"""Inches: what "not in contact" means unless a file says otherwise."""

HAND = 0.001
"""Inches by which a hand may misplace a unit."""

EDGE = MIDDLE[0] * MM_PER_INCH
"""Millimetres from the middle of the board to its right edge."""

SEVEN = (target(files=7), charger((70, 150)))
"""Five files against seven: all seven are touched at one place only, where A begins 20 mm from the end of T."""


def mm(length: float) -> float:
    """Return inches in millimetres."""
    return length * MM_PER_INCH


def on(
    *bodies: Regiment | Terrain,
    dice: tuple[int, ...] = (6,),
    board: Board | None = None,
    **choices: Any,
) -> Case:
    """Return A's charge of T."""
    return case(table(*bodies, board=board), charge(dice=dice), **choices)


def ending(
    question: Case, u0: float, *, away: float = 0.0, turn: float = 0.0, facing: FacingName = "front"
) -> Case:
    """Claim that A ends with its right front corner u0 inches along a facing of T and `away` off it, turned about it by
    radians.
    """
    units = question.state.units
    edge = facing_of(units["T"], facing)
    flush = edge.flush_pose(u0, units["A"].width).advanced(-away)
    return replace(
        question, proposal={"A": flush.turned_about(units["A"].at(flush).front_right, turn)}
    )


def standing(question: Case, name: str, x: float, y: float, heading: float) -> Case:
    """Claim that a unit ends with the middle of its front x and y millimetres from the middle of the board, `heading`
    in degrees.
    """
    return replace(
        question,
        proposal={**(question.proposal or {}), name: Pose(*place(x, y), math.radians(heading))},
    )
