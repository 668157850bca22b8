"""The limits on where a charger ends, each written once for solver, judge and problem statement.

A `FlushPlacement` is checked against `PLACE_LIMITS`, those of a front put flush on a facing; where no place is flush,
against `SPACE_LIMITS` and `UNALIGNED_LIMITS`. All measure exactly; the tolerance of 0.001 in for models placed by hand
belongs to the judge.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from systems.t9a.scene import Front, Scene
from tabletop.errors import NoVerdictError
from tabletop.fronts.reach import Reach
from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Point, Pose, Side
from tabletop.messages import because, say, word
from tabletop.ruling.evidence import Mark, length_between, too_near
from tabletop.ruling.finding import Finding, Limit
from tabletop.ruling.judge import looks_away
from tabletop.units import CONTACT, FLUSH, wrapped

if TYPE_CHECKING:
    from systems.t9a.barring import Bar
    from systems.t9a.unaligned import UnalignedPlace


@dataclass(frozen=True)
class FlushPlacement:
    """A charger in a pose at a facing, with the points of first contact that legal moves reach there.

    Attributes
    ----------
    front
        Charger and facing.
    pose
        Pose of the charger at the end.
    reach
        Points of the facing that legal moves reach first.
    bar
        For an unaligned front, the obstacle that alone blocks an aligned place.
    """

    front: Front
    pose: Pose
    reach: Reach = field(default_factory=Reach)
    bar: "Bar | None" = None

    @property
    def scene(self) -> Scene:
        """The charge with all units and terrain around it."""
        return self.front.scene

    @cached_property
    def ends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Front corners in coordinates (u, v) of the facing, right one first: inches along it and in front of its
        line.
        """
        unit = self.scene.charger.at(self.pose)
        return self.front.facing.coordinates(unit.front_right), self.front.facing.coordinates(
            unit.front_left
        )

    @property
    def heights(self) -> tuple[float, float]:
        """Distances of the front's right and left end from the facing's line, in inches; positive in front of it."""
        return self.ends[0][1], self.ends[1][1]

    @property
    def slide(self) -> float:
        """Coordinate u along the facing, in inches, at which the front begins: that of its right corner."""
        return self.ends[0][0]

    @property
    def corner(self) -> Side:
        """Front corner with the least height over the facing's line: "right" or "left"."""
        right, left = self.heights
        return "right" if right <= left else "left"

    @property
    def u(self) -> float:
        """Coordinate u along the facing, in inches, of the front corner with the least height over its line."""
        return min(self.ends, key=lambda end: end[1])[0]

    @property
    def angle(self) -> float:
        """Angle between front and facing, in radians; positive if the other end of the front is turned away from the
        facing.
        """
        turned = wrapped(self.pose.heading - self.front.pose(0.0).heading)
        return turned if self.corner == "right" else -turned

    @property
    def unaligned(self) -> "UnalignedPlace":
        """The placement as an unaligned place, with its corner moved exactly onto the facing."""
        from systems.t9a.unaligned import UnalignedPlace

        u = min(max(self.u, 0.0), self.front.facing.length)
        return UnalignedPlace(self.front, self.reach, self.corner, u, max(self.angle, 0.0), "exact")


def placement_findings(placement: FlushPlacement) -> list[Finding]:
    """Return the findings of a flush placement on all limits, in order; for a front that faces away only the one on its
    heading.
    """
    away = looking_away(placement, "t9a.align.flush")
    return _measured(PLACE_LIMITS, placement) if away is None else [away]


def _measured(limits: Sequence[Limit[FlushPlacement]], place: FlushPlacement) -> list[Finding]:
    """Return the findings of limits in their order; an undecided limit is left out if another is broken.

    Raises
    ------
    NoVerdictError
        If a limit is undecided and none is broken.
    """
    found = list[Finding]()
    unknown = None
    for limit in limits:
        try:
            found.append(limit.measure(place))
        except NoVerdictError as error:
            unknown = error
    if unknown is not None and all(finding.ok for finding in found):
        raise unknown
    return found


def _not_found_out(front: Front, reach: Reach) -> str:
    """Return the message for a search that ended before it found a first contact that a claim needs."""
    told = {
        "charger": front.scene.charger.name,
        "target": front.scene.target.name,
        "limit": reach.limit,
    }
    return say(
        "whether {charger} can first touch {target} there could not be determined: the search ended at {limit}",
        **told,
    )


def _board(placement: FlushPlacement) -> Finding:
    """Return the finding on how far inside the board's edge the charger is, in inches."""
    body = placement.scene.charger.at(placement.pose).boundary
    margin = placement.scene.state.board.room(body)
    charger = placement.scene.charger.name
    text = say(
        "{charger} ends {length:.4f} in inside the board's edge{excuse}.",
        charger=charger,
        length=margin,
        excuse="",
    )
    if margin < 0.0:
        text = say(
            "{charger} ends {length:.4f} in beyond the board's edge{excuse}.",
            charger=charger,
            length=-margin,
            excuse="",
        )
    mark = Mark(beyond=(body,))
    if margin >= -CONTACT:
        spare = say("{spare:.2f} in to spare at the board's edge", spare=abs(margin))
        mark = Mark(spare, _rear(placement), stage="after", is_for_point=True)
    return Finding("t9a.space.board", margin >= -CONTACT, text, margin, 0.0, margin, mark=mark)


def _rear(placement: FlushPlacement) -> Point:
    """Return the table point in the middle of the charger's rear edge."""
    return placement.pose.advanced(-placement.scene.charger.depth).at


def _space(rule: str, kind: str) -> Limit[FlushPlacement]:
    """Return the limit on the gap between the charger and the obstacles to which a rule applies; `kind` is the word for
    them.
    """

    def measure(placement: FlushPlacement) -> Finding:
        """Return the finding on the gap, in inches, to the obstacle that leaves the charger least room."""
        scene = placement.scene
        body = scene.charger.at(placement.pose).boundary
        gaps = [
            (gap(body, obstacle.shape), obstacle)
            for obstacle in scene.obstacles
            if obstacle.rule == rule
        ]
        if not gaps:
            return Finding(
                rule,
                ok=True,
                text=say(
                    "There is no {kind} near the place where {charger} ends.",
                    kind=kind,
                    charger=scene.charger.name,
                ),
            )
        measured, nearest = min(gaps, key=lambda pair: pair[0] - pair[1].needed)
        told = {
            "charger": scene.charger.name,
            "length": abs(measured),
            "nearest": nearest.name,
            "kind": kind,
        }
        told |= {
            "needed": say("; they may not touch") if nearest.needed > 0.0 else "",
            "excuse": "",
        }
        text = say(
            "{charger} ends {length:.4f} in from {nearest}, the closest {kind}{needed}{excuse}.",
            **told,
        )
        if measured < -CONTACT:
            text = say(
                "{charger} overlaps {nearest}, the closest {kind}, by {length:.4f} in{needed}{excuse}.",
                **told,
            )
        margin = measured - nearest.needed
        mark = too_near(body, nearest.shape)
        if margin >= -CONTACT:
            spare = say(
                "{spare:.2f} in to spare beside {nearest}", spare=abs(margin), nearest=nearest.name
            )
            mark = Mark(spare, _rear(placement), stage="after", is_for_point=True)
        return Finding(rule, margin >= -CONTACT, text, measured, nearest.needed, margin, mark=mark)

    return Limit(rule, measure)


def looking_away(placement: FlushPlacement, rule: str) -> Finding | None:
    """Return the finding, under a given rule, that a front looks away from the facing; None if it does not."""
    facing = say(
        "the {facing} of {target}", facing=placement.front.label, target=placement.scene.target.name
    )
    return looks_away(placement.pose, placement.front.pose(0.0).heading, rule=rule, facing=facing)


def _flush(placement: FlushPlacement) -> Finding:
    """Return the finding whether the charger's front is flush with the facing, by the height of its ends in inches."""
    facing = placement.front.facing
    target = placement.scene.target.name
    label = placement.front.label
    charger = placement.scene.charger.name
    off = abs(wrapped(placement.pose.heading - placement.front.pose(0.0).heading))
    height = max(map(abs, placement.heights))
    if height <= CONTACT and off <= FLUSH:
        text = say(
            "{charger}'s front is flush with the {facing} of {target}.",
            charger=charger,
            facing=label,
            target=target,
        )
        return Finding("t9a.align.flush", ok=True, text=text, measured=height)
    told = {"charger": charger, "height": height, "target": target, "facing": label}
    text = say(
        "One end of {charger}'s front is {height:.4f} in off the line of {target}'s {facing}; the front can be flush "
        "with it, so it must be.",
        **told,
    )
    unit = placement.scene.charger.at(placement.pose)
    _, end = max(zip(map(abs, placement.heights), (unit.front_right, unit.front_left), strict=True))
    line = (
        (length_between(facing.point(facing.coordinates(end)[0]), end),) if height > CONTACT else ()
    )
    return Finding(
        "t9a.align.flush",
        ok=False,
        text=text,
        measured=height,
        limit=0.0,
        margin=-height,
        mark=Mark(dimensions=line),
    )


def _initial_contact(placement: FlushPlacement) -> Finding:
    """Return the finding whether the front keeps in contact a point that a legal move can touch first."""
    low = placement.slide
    high = placement.slide + placement.front.width
    target = placement.scene.target.name
    charger = placement.scene.charger.name
    reached = placement.front.usable(placement.reach.proven)
    missed, (start, end) = min(
        ((max(start - high, low - end), (start, end)) for start, end in reached),
        default=(math.inf, (0.0, 0.0)),
    )
    if missed <= CONTACT:
        text = say(
            "A point where a legal charge move can first touch {target} is still in contact with {charger} at the end.",
            target=target,
            charger=charger,
        )
        return Finding("t9a.align.initial-contact", ok=True, text=text, margin=0.0 - missed)
    placement.reach.whole(_not_found_out(placement.front, placement.reach))
    if not reached:
        text = say(
            "No point where a legal charge move can first touch {target} is in contact with {charger} at the end.",
            target=target,
            charger=charger,
        )
        return Finding("t9a.align.initial-contact", ok=False, text=text)
    told = {"target": target, "charger": charger, "missed": missed}
    text = say(
        "No legal charge move can first touch {target} where {charger} is in contact at the end; the nearest point "
        "where one can is {missed:.4f} in away.",
        **told,
    )
    facing = placement.front.facing
    own, due = (high, start) if start > high else (low, end)
    mark = Mark(dimensions=(length_between(facing.point(due), facing.point(own)),))
    return Finding(
        "t9a.align.initial-contact",
        ok=False,
        text=text,
        measured=missed,
        limit=0.0,
        margin=-missed,
        mark=mark,
    )


SPACE_LIMITS: tuple[Limit[FlushPlacement], ...] = (
    Limit("t9a.space.board", _board),
    _space("t9a.space.enemy", say("enemy other than the target")),
    _space("t9a.space.friend", say("friend")),
    _space("t9a.space.impassable", say("piece of impassable terrain")),
)
"""Limits on the room that a charger needs, aligned or not."""

PLACE_LIMITS: tuple[Limit[FlushPlacement], ...] = (
    *SPACE_LIMITS,
    Limit("t9a.align.flush", _flush),
    Limit("t9a.align.initial-contact", _initial_contact),
)

# Fronts turned away from a facing.


def tilted_findings(tilted: FlushPlacement) -> list[Finding]:
    """Return the findings of an unaligned placement on all limits, in order; undecided ones are left out if another is
    broken.
    """
    spaces = [limit.measure(tilted) for limit in SPACE_LIMITS]
    try:
        return [*spaces, *_measured(UNALIGNED_LIMITS, tilted)]
    except NoVerdictError:
        if all(finding.ok for finding in spaces):
            raise
    return spaces


def _when(tilted: FlushPlacement) -> Finding:
    """Return the finding that contact is possible but in no aligned position, with the obstacle that blocks these if it
    is known.
    """
    rule = "t9a.unaligned.when"
    bar = tilted.bar
    nowhere = say("Contact is possible, but in no aligned position")
    if bar is None:
        return Finding(rule, ok=True, text=say("{sentence}.", sentence=nowhere))
    return Finding(
        rule,
        ok=True,
        text=because(nowhere, bar.text),
        measured=bar.lacks,
        limit=0.0,
        margin=bar.lacks,
    )


def _contact(tilted: FlushPlacement) -> Finding:
    """Return the finding whether a front corner is at a point of the facing that a legal move can touch first."""
    height = abs(min(tilted.heights))
    usable = tilted.front.usable(tilted.reach.proven)
    missed = max(
        height,
        min((max(low - tilted.u, tilted.u - high) for low, high in usable), default=math.inf),
    )
    target = tilted.front.scene.target.name
    charger = tilted.front.scene.charger.name
    crossed = Mark()
    if min(tilted.heights) < -CONTACT:
        crossed = border(tilted.front)
    if missed <= CONTACT:
        told = {"charger": charger, "corner": word(tilted.corner), "target": target}
        text = say(
            "{charger}'s {corner} front corner is at a point where a legal charge move can first touch {target}.",
            **told,
        )
        return Finding("t9a.unaligned.contact", ok=True, text=text, margin=0.0 - missed)
    if height <= CONTACT:
        tilted.reach.whole(_not_found_out(tilted.front, tilted.reach))
    if not usable:
        words = crossed.words or say("no first contact here")
        mark = replace(crossed, words=words, models={tilted.front.scene.charger.name: ()})
        parts = {"charger": charger, "target": target}
        text = say(
            "No front corner of {charger} is at a point where a legal charge move can first touch "
            "{target}, as one must be.",
            **parts,
        )
        if height <= CONTACT:  # on the line of the facing, of which no point can be touched first
            return Finding("t9a.unaligned.contact", ok=False, text=text, mark=mark)
        text = say(
            "No front corner of {charger} is at a point where a legal charge move can first touch {target}, as one "
            "must be; the nearest corner is {height:.4f} in off the {facing}.",
            facing=tilted.front.label,
            height=height,
            **parts,
        )
        return Finding(
            "t9a.unaligned.contact",
            ok=False,
            text=text,
            measured=height,
            limit=0.0,
            margin=-height,
            mark=mark,
        )
    beside = (
        "No front corner of {charger} is at a point where a legal charge move can first touch {target}; the nearest "
        "such point is {missed:.4f} in away."
    )
    text = say(beside, charger=charger, target=target, missed=missed)
    unit = tilted.front.scene.charger.at(tilted.pose)
    facing = tilted.front.facing
    own = unit.front_right if tilted.corner == "right" else unit.front_left
    due = min(
        (min(max(tilted.u, low), high) for low, high in usable), key=lambda u: abs(u - tilted.u)
    )
    mark = replace(crossed, dimensions=(length_between(facing.point(due), own),))
    return Finding(
        "t9a.unaligned.contact",
        ok=False,
        text=text,
        measured=missed,
        limit=0.0,
        margin=-missed,
        mark=mark,
    )


def _line(tilted: FlushPlacement) -> Finding:
    """Return the finding whether the front stays on the outer side of the facing's line, in inches."""
    away = looking_away(tilted, "t9a.unaligned.line")
    if away is not None:
        return away
    scene = tilted.front.scene
    told = {
        "charger": scene.charger.name,
        "target": scene.target.name,
        "facing": tilted.front.label,
    }
    lowest = min(tilted.heights)
    is_outside = lowest >= -CONTACT
    unit = tilted.front.scene.charger.at(tilted.pose)
    facing = tilted.front.facing
    mark = border(tilted.front)
    text = say("{charger}'s front does not cross the line of {target}'s {facing}.", **told)
    if not is_outside:
        text = say(
            "{charger}'s front crosses the line of {target}'s {facing}; it must stay outside.",
            **told,
        )
        end = min((unit.front_right, unit.front_left), key=lambda one: facing.coordinates(one)[1])
        mark = replace(
            mark, dimensions=(length_between(facing.point(facing.coordinates(end)[0]), end),)
        )
    return Finding("t9a.unaligned.line", is_outside, text, lowest, 0.0, lowest, mark=mark)


def border(front: Front) -> Mark:
    """Return a mark of the facing's line, which an unaligned front must not cross, half the front's width longer at
    both ends.
    """
    charger = front.scene.charger
    target = front.scene.target
    facing = front.facing
    ends = facing.point(-charger.width / 2), facing.point(facing.length + charger.width / 2)
    words = say(
        "{charger} must not pass the line of {target}'s {facing}",
        charger=charger.name,
        target=target.name,
        facing=front.label,
    )
    return Mark(words, ends[1], limits=(ends,), is_met=False)


UNALIGNED_LIMITS: tuple[Limit[FlushPlacement], ...] = (
    Limit("t9a.unaligned.when", _when),
    Limit("t9a.unaligned.contact", _contact),
    Limit("t9a.unaligned.line", _line),
)
