"""Limits on declaring a charge, in the order of the rules; all are reported, the first broken one forbids it."""

import math
from dataclasses import dataclass, replace

from systems.t9a.aligned import AlignedPlace
from systems.t9a.roll import Ranging, max_range, ranging
from systems.t9a.scene import Scene, profile_of
from systems.t9a.solution import Solution, solve
from tabletop.budget import Budget, explains
from tabletop.errors import NoVerdictError
from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import convex_hull_of
from tabletop.messages import listed, say
from tabletop.ruling.evidence import Angle, Mark
from tabletop.ruling.finding import Assumed, Finding, Limit, assumed
from tabletop.table.facing import is_engaged
from tabletop.table.sight import Blocker, Segment, View, clear_sight, first_blocked_point
from tabletop.table.state import Regiment
from tabletop.units import CONTACT

SIGHT_STOPPERS = ("impassable", "opaque")

SEEN = 1.25
"""Length of the ray that limits sight, in lengths of the line of sight beside it."""

TOO_CLOSE = 0.05
"""Difference of an angle from its limit, in degrees, below which more digits are printed."""


@dataclass(frozen=True)
class Declaration:
    """A declared charge with its findings and, if it may be declared, the solution foreseen.

    Attributes
    ----------
    scene
        The charge with everything around it when declared.
    has_declared
        Whether the charger has declared a charge before in this phase.
    measured
        Distance to the target, and the roll needed.
    findings
        Findings on all limits of declaring.
    sight
        Clear line of sight to the target, None if there is none.
    solution
        Facing and place that the charge would take now.
    """

    scene: Scene
    has_declared: bool
    measured: Ranging
    findings: tuple[Finding, ...] = ()
    sight: Segment | None = None
    solution: Solution | None = None

    @property
    def shown_sight(self) -> tuple[Segment | None, Point | None]:
        """Line of sight to draw, and the point where it is blocked, in inches on the table.

        It is a clear line, with None for the point; without one the shortest of all lines.
        """
        if self.sight is not None:
            return self.sight, None
        line = clear_sight(sight_view(self.scene), ())
        return line, first_blocked_point(
            line, sight_blockers(self.scene)
        ) if line is not None else None

    @property
    def refusal(self) -> Finding | None:
        """The finding of the first limit that forbids the charge, None if it may be declared."""
        return next((finding for finding in self.findings if not finding.ok), None)


def declare(
    scene: Scene, *, has_declared: bool, may_take_blocked_path: bool = True, budget: Budget
) -> Declaration:
    """Return a declared charge with the findings on every limit of declaring it.

    Parameters
    ----------
    scene
        The charge with everything around it.
    has_declared
        Whether the charger has declared before.
    may_take_blocked_path
        Whether other facings may be charged by the Blocked Path rule.
    budget
        Limit of the search for room.

    Raises
    ------
    NoVerdictError
        If no other limit is broken and the budget ends the search for room.
    """
    bare = Declaration(
        scene,
        has_declared,
        ranging(scene),
        sight=clear_sight(sight_view(scene), sight_blockers(scene)),
    )
    findings = [limit.measure(bare) for limit in DECLARATION_LIMITS]
    solution = None
    if not (explains() or all(finding.ok for finding in findings)):
        return replace(bare, findings=tuple(findings))
    try:
        solution = solve(scene, budget=budget, may_take_blocked_path=may_take_blocked_path)
        findings += [_room(scene, solution), *(solution.findings if solution.place is None else ())]
    except NoVerdictError:
        if all(finding.ok for finding in findings):
            raise
    return replace(bare, findings=tuple(findings), solution=solution)


def _once(declaration: Declaration) -> Finding:
    """Return the finding whether the charger has declared no charge before in this phase."""
    charger = declaration.scene.charger
    is_first = not declaration.has_declared and "charging" not in charger.status
    text = say(
        "{charger} has declared a charge this phase already; a unit may declare one.",
        charger=charger.name,
    )
    if is_first:
        text = say("{charger} has not declared a charge this phase.", charger=charger.name)
    return Finding(
        "t9a.declare.once",
        is_first,
        text,
        mark=None if is_first else Mark(say("has charged already"), charger.centre),
    )


def _not_engaged(declaration: Declaration) -> Finding:
    """Return the finding whether the charger is not engaged in combat."""
    scene = declaration.scene
    engaged = "engaged" in scene.charger.status or is_engaged(scene.state, scene.charger)
    charger = scene.charger.name
    text = say("{charger} is not engaged.", charger=charger)
    if engaged:
        text = say(
            "{charger} is engaged; only a unit out of combat may declare a charge.", charger=charger
        )
    return Finding(
        "t9a.declare.not-engaged",
        not engaged,
        text,
        mark=Mark(say("engaged"), scene.charger.centre) if engaged else None,
    )


def _not_shaken(declaration: Declaration) -> Finding:
    """Return the finding whether the charger is not shaken."""
    charger = declaration.scene.charger
    shaken = "shaken" in charger.status
    name = charger.name
    text = say("{charger} is not shaken.", charger=name)
    if shaken:
        text = say("{charger} is shaken; only an unshaken unit may declare a charge.", charger=name)
    return Finding(
        "t9a.declare.not-shaken",
        not shaken,
        text,
        mark=Mark(say("shaken"), charger.centre) if shaken else None,
    )


def _line_of_sight(declaration: Declaration) -> Finding:
    """Return the finding whether some line of sight to the target is clear, with its angle off straight ahead in
    degrees.
    """
    scene = declaration.scene
    sight = declaration.sight
    charger = scene.charger.name
    target = scene.target.name
    heights = _heights_assumed(scene) if explains() else ()
    if sight is None:
        return _unseen(declaration).using(*heights)
    off = off_axis(scene, sight)
    length = math.dist(*sight)
    told = {"charger": charger, "target": target, "length": length, "off": off}
    text = say(
        "{charger} sees {target} along a line {length:.2f} in long, {off:.2f} degrees from straight ahead.",
        **told,
    )
    limit = scene.book.sight_arc_deg
    start, end = sight
    ahead = Pose(*start, scene.charger.pose.heading)
    words = say(
        "{off:.2f}\N{DEGREE SIGN} aside; sight ends at {limit:g}\N{DEGREE SIGN}",
        off=off,
        limit=limit,
    )
    sense = math.copysign(1.0, -ahead.local(end)[0])
    ray = (
        replace(ahead, heading=ahead.heading + sense * math.radians(limit))
        .advanced(SEEN * length)
        .at
    )
    turn = Angle(start, ahead.heading, sense * math.radians(off), "")
    mark = Mark(
        words, end, lines=((start, end),), limits=((start, ray),), angles=(turn,), is_for_point=True
    )
    return Finding(
        "t9a.declare.line-of-sight",
        True,  # noqa: FBT003
        text,
        off,
        limit,
        limit - off,
        mark=mark,
    ).using(*heights)


def _unseen(declaration: Declaration) -> Finding:
    """Return the finding that the target is not seen: all lines are blocked, or it lies outside the arc of sight."""
    scene = declaration.scene
    line, stop = declaration.shown_sight
    rule = "t9a.declare.line-of-sight"
    charger = scene.charger.name
    target = scene.target.name
    if line is not None and stop is not None:
        length = math.dist(*line)
        clear = math.dist(line[0], stop)
        told = {"charger": charger, "target": target, "length": length, "clear": clear}
        text = say(
            "No line of sight from {charger} to {target} is clear, as one must be; the shortest, of {length:.2f} in, "
            "is stopped after {clear:.2f} in.",
            **told,
        )
        mark = Mark(say("sight stops here"), stop)
        return Finding(
            rule,
            ok=False,
            text=text,
            measured=clear,
            limit=length,
            margin=clear - length,
            mark=mark,
        )
    start, corner = least_aside(scene)
    off = off_axis(scene, (start, corner))
    limit = scene.book.sight_arc_deg
    told = {"charger": charger, "target": target, "off": off, "limit": limit}
    text = say(
        "{target} is at least {off:.2f} degrees away from the direction that {charger} faces; {charger} sees up to "
        "{limit:g} degrees to each side.",
        **told,
    )
    ahead = Pose(*start, scene.charger.pose.heading)
    turn = math.copysign(math.radians(limit), -ahead.local(corner)[0])
    seen = replace(ahead, heading=ahead.heading + turn).advanced(math.dist(start, corner)).at
    words = say(
        "{off:.1f}\N{DEGREE SIGN} aside; sight ends at {limit:g}\N{DEGREE SIGN}",
        off=off,
        limit=limit,
    )
    if off - limit < TOO_CLOSE:
        words = say(
            "{off:.3f}\N{DEGREE SIGN} aside; sight ends at {limit:g}\N{DEGREE SIGN}",
            off=off,
            limit=limit,
        )
    lines = [(start, corner)]
    aside, far = ahead.local(corner)
    if far > 0.0:
        most = far * math.tan(math.radians(limit))
        lines.append((ahead.point(math.copysign(most, aside), far), corner))
        words = say(
            "{missing:.2f} in out of sight: {words}", missing=abs(aside) - most, words=words
        )
    mark = Mark(words, corner, lines=tuple(lines), limits=((start, seen),))
    return Finding(
        rule, ok=False, text=text, measured=off, limit=limit, margin=limit - off, mark=mark
    )


def least_aside(scene: Scene) -> Segment:
    """Return the line from an end of a front edge to a corner of the target with the least angle off straight ahead."""
    corners: list[Point] = [(x, y) for x, y in scene.target.boundary.outline().tolist()]
    lines = [
        (end, corner) for front in sight_view(scene).fronts for end in front for corner in corners
    ]
    return min(lines, key=lambda line: off_axis(scene, line))


def _heights_assumed(scene: Scene) -> tuple[Assumed, ...]:
    """Return heights that profiles leave out and that sight depends on; none unless third units are between charger and
    target.
    """
    way = convex_hull_of(scene.charger.boundary, scene.target.boundary)
    third = [unit for unit in _third_units(scene) if gap(way, unit.boundary) <= CONTACT]
    return (
        tuple(
            one for unit in (scene.charger, scene.target, *third) for one in assumed(unit, "height")
        )
        if third
        else ()
    )


def off_axis(scene: Scene, sight: Segment) -> float:
    """Return the angle in degrees between a line of sight and straight ahead; 0 for a line without length."""
    (x, y), (to_x, to_y) = sight
    ahead_x, ahead_y = scene.charger.pose.forward
    ahead = (to_x - x) * ahead_x + (to_y - y) * ahead_y
    aside = (to_x - x) * ahead_y - (to_y - y) * ahead_x
    return math.degrees(math.atan2(abs(aside), ahead)) if math.hypot(ahead, aside) > 0.0 else 0.0


def sight_view(scene: Scene) -> View:
    """Return the view from the front edges of the charger's front rank, within its arc of sight, to the target's
    boundary.
    """
    charger = scene.charger
    step = charger.base.width + charger.spacing
    half = charger.width / 2
    starts = [file * step - half for file in range(charger.files)] if charger.spacing else [-half]
    width = charger.base.width if charger.spacing else charger.width
    fronts = tuple(
        (charger.pose.point(start, 0.0), charger.pose.point(start + width, 0.0)) for start in starts
    )
    return View(
        fronts,
        charger.pose.heading,
        math.radians(scene.book.sight_arc_deg),
        scene.target.boundary.outline(),
    )


def sight_blockers(scene: Scene) -> list[Blocker]:
    """Return what blocks lines of sight: impassable and opaque terrain, and third units at least as tall as charger and
    target.
    """
    tall = max(profile_of(scene.charger).height, profile_of(scene.target).height)
    others = [unit for unit in _third_units(scene) if profile_of(unit).height >= tall]
    pieces = [
        Blocker(piece.shape, is_ignored_inside=True)
        for piece in scene.state.terrain
        if piece.kind in SIGHT_STOPPERS
    ]
    return [*pieces, *(Blocker(unit.boundary, is_ignored_inside=False) for unit in others)]


def _third_units(scene: Scene) -> list[Regiment]:
    """Return all units on the table except charger and target."""
    return [
        unit
        for unit in scene.state.units.values()
        if unit.name not in (scene.charger.name, scene.target.name)
    ]


def _how(solution: Solution) -> str:
    """Return words on what is special about the legal move foreseen: by Blocked Path, unaligned, or nothing."""
    place = solution.place
    is_unaligned = place is not None and not isinstance(place, AlignedPlace)
    is_blocked = place is not None and place.front.name not in {
        front.name for front in solution.fronts
    }
    return (say(", by Blocked Path") if is_blocked else "") + (
        say(", unaligned") if is_unaligned else ""
    )


def _room(scene: Scene, solution: Solution) -> Finding:
    """Return the finding whether a legal charge move exists when the charge is declared, with what blocks it if none
    does.
    """
    charger = scene.charger.name
    target = scene.target.name
    if solution.place is not None:
        facing = solution.place.front.label
        how = _how(solution)
        text = say(
            "A legal charge move against the {facing} of {target} exists{how}.",
            facing=facing,
            target=target,
            how=how,
        )
        return Finding("t9a.declare.room", ok=True, text=text)
    from systems.t9a.barring import without_room

    facings = listed((front.label for front in solution.fronts), " or ")
    text = say(
        "No legal charge move brings {charger} to the {facings} of {target}",
        charger=charger,
        facings=facings,
        target=target,
    )
    return without_room("t9a.declare.room", text, solution.bar, solution.fronts[0])


DECLARATION_LIMITS: tuple[Limit[Declaration], ...] = tuple(
    Limit(f"t9a.declare.{name}", measure)
    for name, measure in (
        ("once", _once),
        ("not-engaged", _not_engaged),
        ("not-shaken", _not_shaken),
        ("line-of-sight", _line_of_sight),
        ("max-range", lambda declaration: max_range(declaration.scene, declaration.measured)),
    )
)
