"""What decided a charge, where it is seen: for figures."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

from systems.t9a.completion import Completion
from systems.t9a.declare import Declaration, off_axis, sight_view
from systems.t9a.unaligned_completion import UNALIGNED_LINE, border
from tabletop.budget import is_explained
from tabletop.geometry.pose import Point, Pose
from tabletop.ruling.evidence import Deciding
from tabletop.table.facing import Facing, facing_of
from tabletop.words import counted

TOO_CLOSE = 0.05
"""Degrees below which an angle and its limit are told with more digits."""


def refusing(declaration: Declaration) -> tuple[Deciding, ...]:
    """Show every rule by which a charge may not be declared; the range is shown by its length."""
    if not is_explained():
        return ()
    broken = (finding.rule for finding in declaration.findings if not finding.ok)
    return tuple(SHOWN[rule](declaration) for rule in broken if rule in SHOWN)


def no_room(declaration: Declaration, rule: str, words: str) -> Deciding:
    """Show the facing at which there is no place."""
    facing = _facing(declaration)
    return Deciding(rule, words, facing.point(facing.length / 2), lines=(facing.ends,))


def in_contact(done: Completion) -> Deciding:
    """Show the goal that was served, behind the charger that served it: how many models of the target are in contact."""
    target, charger = done.front.scene.target, done.front.scene.charger
    words = f"{counted(len(done.in_contact[target.name]), 'models')} of {target.name} in contact"
    return Deciding("t9a.align.target-models", words, done.charger_pose.advanced(-charger.depth).at, stage="after")


def outer_line(done: Completion) -> tuple[Deciding, ...]:
    """Show the line of the facing that the front of an unaligned charger must not pass, as far as that front could reach."""
    is_asked = any(finding.rule == UNALIGNED_LINE for finding in done.findings)
    return (border(done.front),) if is_asked else ()


def _facing(declaration: Declaration) -> Facing:
    solution = declaration.solution
    front = None if solution is None or not solution.fronts else solution.fronts[0]
    return facing_of(declaration.scene.target, "front" if front is None else front.name)


def _badge(rule: str, words: str) -> Callable[[Declaration], Deciding]:
    return lambda declaration: Deciding(rule, words, declaration.scene.charger.centre)


def _unseen(declaration: Declaration) -> Deciding:
    """Show where the line of sight is stopped, or how far the target lies outside of what the front sees."""
    rule, scene = "t9a.declare.line-of-sight", declaration.scene
    _, stop = declaration.shown_sight
    if stop is not None:
        return Deciding(rule, "sight stops here", stop)
    corners: list[Point] = [(x, y) for x, y in scene.target.boundary.outline().tolist()]
    lines = [(end, corner) for front in sight_view(scene).fronts for end in front for corner in corners]
    start, corner = min(lines, key=lambda line: off_axis(scene, line))
    off, limit = off_axis(scene, (start, corner)), scene.book.sight_arc_deg
    digits = 1 if off - limit >= TOO_CLOSE else 3
    ahead, length = Pose(*start, scene.charger.pose.heading), math.dist(start, corner)
    turn = math.copysign(math.radians(limit), -ahead.local(corner)[0])
    seen = replace(ahead, heading=ahead.heading + turn).advanced(length).at
    words = f"{off:.{digits}f}\N{DEGREE SIGN} aside; {limit:g}\N{DEGREE SIGN} are seen"
    return Deciding(rule, words, corner, lines=((start, corner),), limits=((start, seen),))


SHOWN: Mapping[str, Callable[[Declaration], Deciding]] = {
    "t9a.declare.once": _badge("t9a.declare.once", "has charged already"),
    "t9a.declare.not-engaged": _badge("t9a.declare.not-engaged", "engaged"),
    "t9a.declare.not-shaken": _badge("t9a.declare.not-shaken", "shaken"),
    "t9a.declare.line-of-sight": _unseen,
    "t9a.declare.room": lambda declaration: no_room(declaration, "t9a.declare.room", "no legal charge move ends here"),
}
"""What shows a rule of declaring; a range needs no more than its length."""
