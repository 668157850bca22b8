"""An unaligned charge that completes, and the limits and goals against which a tilted placement is judged."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from systems.t9a.aligned import Front
from systems.t9a.completion import Completion
from systems.t9a.conditions import LIMITS, Placement, looking_away
from systems.t9a.move import ChargeMove, charge_move, path_findings, path_steps
from systems.t9a.special_align import is_held
from systems.t9a.unaligned import GOALS, UnalignedPlace, tilting
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.fronts.reach import Reach
from tabletop.geometry.pose import Pose, Side
from tabletop.ruling.charge import Metric, Step
from tabletop.ruling.evidence import Angle, Breach, Deciding
from tabletop.ruling.finding import Finding, Limit
from tabletop.ruling.proposal import HAND, corner_breach, length_between
from tabletop.units import CONTACT, wrapped
from tabletop.words import counted

UNALIGNED_LINE = "t9a.unaligned.line"
ALIGN_RULES = ("t9a.align.place", "t9a.unaligned.contact", UNALIGNED_LINE, "t9a.unaligned.angle")
SPACE_LIMITS = tuple(limit for limit in LIMITS if limit.rule.startswith("t9a.space."))


@dataclass(frozen=True)
class Tilted:
    """A charger put down with its front turned away from a facing, with the initial contacts that legal moves reach.

    `is_alignable` tells whether some aligned place exists; `hand` is by how many inches a hand may have missed the place meant.
    """

    front: Front
    pose: Pose
    reach: Reach
    is_alignable: bool
    hand: float = HAND

    @property
    def slack(self) -> float:
        """By how many inches lengths may be off."""
        return self.hand + CONTACT

    @property
    def placement(self) -> Placement:
        """The same for limits that hold for all placements."""
        return Placement(self.front, self.pose, self.reach.intervals, self.hand)

    @property
    def corner(self) -> Side:
        """The front corner nearest to the facing's line."""
        right, left = self.placement.heights
        return "right" if right <= left else "left"

    @property
    def u(self) -> float:
        """Where along the facing that corner stands, in inches."""
        unit = self.front.scene.charger.at(self.pose)
        return self.front.facing.coordinates(unit.front_right if self.corner == "right" else unit.front_left)[0]

    @property
    def angle(self) -> float:
        """The angle in radians by which the front is turned away from the facing at its other end; below 0 if towards it."""
        turned = wrapped(self.pose.heading - self.front.pose(0.0).heading)
        return turned if self.corner == "right" else -turned

    @property
    def place(self) -> UnalignedPlace:
        """The unaligned place that is meant, its corner exactly on the facing."""
        u = min(max(self.u, 0.0), self.front.facing.length)
        return UnalignedPlace(self.front, self.reach, self.corner, u, max(self.angle, 0.0), 1, "exact")


def _when(tilted: Tilted) -> Finding:
    target, name = tilted.front.scene.target.name, tilted.front.name
    text = (
        f"An aligned place against the {name} of {target} exists." if tilted.is_alignable else "Contact can be made, but nowhere aligned."
    )
    return Finding("t9a.unaligned.when", not tilted.is_alignable, text)


def _contact(tilted: Tilted) -> Finding:
    height = abs(min(tilted.placement.heights))
    usable = tilted.front.usable(tilted.reach.intervals)
    target, crossed = tilted.front.scene.target.name, border(tilted.front) if min(tilted.placement.heights) < -tilted.slack else None
    if not usable:
        text = f"No front corner stands at a point of {target} that a legal charge move can touch first."
        breach = Breach(models={tilted.front.scene.charger.name: ()}, shown=crossed)
        return Finding("t9a.unaligned.contact", ok=False, text=text, breach=breach)
    missed = max(height, min(max(low - tilted.u, tilted.u - high) for low, high in usable))
    if missed <= tilted.slack:
        text = f"The {tilted.corner} front corner stays at a point of {target} that a legal charge move can touch first."
        return Finding("t9a.unaligned.contact", ok=True, text=text, margin=0.0 - missed)
    text = f"No front corner stands at a point of {target} that a legal charge move can touch first; it misses by {missed:.4f} in."
    unit, facing = tilted.front.scene.charger.at(tilted.pose), tilted.front.facing
    own = unit.front_right if tilted.corner == "right" else unit.front_left
    due = min((min(max(tilted.u, low), high) for low, high in usable), key=lambda u: abs(u - tilted.u))
    breach = Breach(dimensions=(length_between(facing.point(due), own),), shown=crossed)
    return Finding("t9a.unaligned.contact", ok=False, text=text, margin=-missed, breach=breach)


def _line(tilted: Tilted) -> Finding:
    away = looking_away(tilted.placement, "t9a.unaligned.line")
    if away is not None:
        return away
    lowest = min(tilted.placement.heights)
    is_outside = lowest >= -tilted.slack
    text = f"The front {'stays on the outer side of' if is_outside else 'crosses'} the line of the {tilted.front.name}."
    return Finding("t9a.unaligned.line", is_outside, text, lowest, 0.0, lowest, breach=None if is_outside else _beyond_line(tilted))


def _beyond_line(tilted: Tilted) -> Breach:
    """Show the line of the facing, and how far the front reaches beyond it."""
    unit, facing = tilted.front.scene.charger.at(tilted.pose), tilted.front.facing
    end = min((unit.front_right, unit.front_left), key=lambda one: facing.coordinates(one)[1])
    return Breach(dimensions=(length_between(facing.point(facing.coordinates(end)[0]), end),), shown=border(tilted.front))


def border(front: Front) -> Deciding:
    """Show the line of a facing that the front of an unaligned charger must not pass, as far as that front could reach."""
    charger, target, facing = front.scene.charger, front.scene.target, front.facing
    ends = facing.point(-charger.width / 2), facing.point(facing.length + charger.width / 2)
    words = f"{charger.name} must not pass the line of {target.name}'s {front.name}"
    return Deciding(UNALIGNED_LINE, words, ends[1], lines=(ends,))


UNALIGNED_LIMITS: tuple[Limit[Tilted], ...] = (
    Limit("t9a.unaligned.when", _when),
    Limit("t9a.unaligned.contact", _contact),
    Limit("t9a.unaligned.line", _line),
)


def complete_unaligned(place: UnalignedPlace, *, budget: Budget) -> Completion:
    """Bring a charger to its unaligned place and turn the target towards it.

    Raises
    ------
    NoVerdictError
        If the place does not hold against the limits when they are measured again.
    """
    front = place.front
    measured = tilted_findings(Tilted(front, place.pose, place.reach, is_alignable=False, hand=0.0))
    broken = next((finding for finding in measured if not finding.ok), None)
    if broken is not None:
        raise NoVerdictError(f"the placement found does not pass its own check: {broken.rule}: {broken.text}")
    move = charge_move(front, (place.u, place.u), hints=place.reach.witnesses, budget=budget)
    return Completion(
        move, place.pose, place.target_pose, place.in_contact,
        (*path_steps(move), *unaligned_steps(move, place)), (*path_findings(move), *measured, *unaligned_findings(place)),
        unaligned_metrics(place), 1, place.proof,
    )  # fmt: skip


def tilted_findings(tilted: Tilted) -> list[Finding]:
    """Measure a tilted placement against every limit, in the order in which a judge asks them."""
    return [*(limit.measure(tilted.placement) for limit in SPACE_LIMITS), *(limit.measure(tilted) for limit in UNALIGNED_LIMITS)]


def snapped(tilted: Tilted, best: UnalignedPlace) -> Tilted:
    """Put a placement whose angle is the least one as far as a hand can tell exactly there, and where it may be on a best point."""
    is_least = abs(tilted.angle - best.angle) * tilted.front.width <= tilted.slack
    if not is_least or abs(min(tilted.placement.heights)) > tilted.slack:
        return tilted
    u = best.u if tilted.corner == best.corner and abs(tilted.u - best.u) <= tilted.slack else tilted.u
    return replace(tilted, pose=tilting(tilted.front, tilted.corner).pose(u, best.angle))


def judged_tilted(tilted: Tilted, best: UnalignedPlace) -> list[Finding]:
    """Hold a tilted placement against the limits, then against the goals that the best place serves."""
    found = tilted_findings(tilted)
    return found if not all(finding.ok for finding in found) else [*found, *judged_goals(tilted, best)]


def judged_goals(tilted: Tilted, best: UnalignedPlace) -> list[Finding]:
    """Compare the goals in their order; a goal missed makes those after it idle. As much is allowed as a hand may miss by."""
    place = tilted.place
    off = place.angle - best.angle
    allowed = tilted.slack / tilted.front.width
    degrees = math.degrees(place.angle), math.degrees(best.angle)
    text = f"{degrees[0]:.4f} degrees between the facings; the least is {degrees[1]:.4f}."
    wide = None if off <= allowed else Breach(angles=(_opened(tilted),))
    found = [Finding("t9a.unaligned.angle", off <= allowed, text, degrees[0], degrees[1], degrees[1] - degrees[0], breach=wide)]
    met = place.numbers_at_contact(slack=tilted.slack)
    units = (tilted.front.scene.target.name, tilted.front.scene.charger.name)
    for goal, unit, most in zip(GOALS[1:], units, best.values, strict=True):
        if not found[-1].ok:
            break
        value = len(met[unit])
        text = f"{counted(value, goal.unit)} at the point of contact; {f'a place has {most}' if value < most else 'no place has more'}."
        found.append(Finding(goal.rule, value >= most, text, float(value), float(most), float(value - most)))
    return found


def _opened(tilted: Tilted) -> Angle:
    """Give the angle between front and facing at the corner that is in contact."""
    unit, sense = tilted.front.scene.charger.at(tilted.pose), 1.0 if tilted.corner == "right" else -1.0
    (x, y), (to_x, to_y) = (unit.front_right, unit.front_left)[:: int(sense)]
    along = math.atan2(to_y - y, to_x - x)
    return Angle((x, y), along - sense * tilted.angle, sense * tilted.angle, f"{math.degrees(tilted.angle):.2f}°")


def judged_target(tilted: Tilted, best: UnalignedPlace, pose: Pose) -> Finding:
    """Ask the target to end its special align move where it must beside the charger as it is proposed."""
    place = replace(tilted.place, angle=best.angle)
    target, right = tilted.front.scene.target, place.target_pose
    corners = [(target.at(one).front_left, target.at(one).front_right) for one in (pose, right)]
    off = max(math.dist(claimed, due) for claimed, due in zip(*corners, strict=True))
    allowed = 2 * HAND
    text = f"{target.name} turns by {math.degrees(place.turn):.4f} degrees about the point of contact; the proposal is {off:.4f} in off."
    is_there = off <= allowed + CONTACT
    breach = None if is_there else corner_breach(target, pose, right)
    return Finding("t9a.unaligned.special-align", is_there, text, off, allowed, allowed - off, breach=breach)


def unaligned_steps(move: ChargeMove, place: UnalignedPlace) -> tuple[Step, ...]:
    """Give the charger's align move and, if the target turns, its special align move."""
    scene, contact = place.front.scene, move.poses[3]
    away, degrees = math.dist(contact.at, place.pose.at), math.degrees(place.angle)
    off = f"{degrees:.2f} degrees off the {place.front.name}"
    text = f"{scene.charger.name} is put down with its {place.corner} front corner in contact, {off}."
    align = Step("align", scene.charger.name, contact, place.pose, away, rules=ALIGN_RULES, text=text)
    if place.turn <= 0.0:
        return (align,)
    turned = f"{scene.target.name} turns {math.degrees(place.turn):.2f} degrees about the point of contact, towards the charger."
    special = Step(
        "special_align", scene.target.name, scene.target.pose, place.target_pose, angle=place.sense * place.turn, pivot=place.contact,
        rules=("t9a.unaligned.special-align",), text=turned,
    )  # fmt: skip
    return align, special


def unaligned_findings(place: UnalignedPlace) -> list[Finding]:
    """Say what the goals come to, what the target does, and what is due afterwards."""
    front, (target, charger) = place.front, place.values
    scene, degrees = front.scene, math.degrees(place.angle)
    put = f"{scene.charger.name} is put down with its {place.corner} front corner at {place.u:z.4f} in along the facing."
    sure = "the search ended at its limit, less may be possible" if place.proof == "best_found" else "no point and no corner allow less"
    least = f"{degrees:.4f} degrees between the facings; {sure}."
    counts = f"{counted(target, GOALS[1].unit)} at the point of contact; no place with this angle has more."
    own = f"{counted(charger, GOALS[2].unit)} at the point of contact; no such place has more."
    return [
        Finding("t9a.align.place", ok=True, text=put),
        Finding("t9a.unaligned.angle", ok=True, text=least, measured=degrees),
        Finding("t9a.unaligned.target-models", ok=True, text=counts, measured=float(target)),
        Finding("t9a.unaligned.charger-models", ok=True, text=own, measured=float(charger)),
        _special_align(place),
        *_reform(place),
    ]


def _special_align(place: UnalignedPlace) -> Finding:
    scene, degrees = place.front.scene, math.degrees(place.turn)
    name = scene.target.name
    if is_held(scene):
        text = f"{name} is engaged with another unit and does not turn."
    elif place.remaining > 0.0:
        text = f"{name} turns {degrees:.4f} degrees about the point of contact: farther on it would not stand free."
    else:
        text = f"{name} turns {degrees:.4f} degrees about the point of contact and lies flush on the charger's front."
    return Finding("t9a.unaligned.special-align", ok=True, text=text, measured=degrees)


def _reform(place: UnalignedPlace) -> list[Finding]:
    if place.remaining <= 0.0:
        return []
    left, scene = math.degrees(place.remaining), place.front.scene
    text = (
        f"{left:.4f} degrees remain: {scene.charger.name} and {scene.target.name} must combat reform as soon as they can, in the order "
        "that the Active Player chooses."
    )
    return [Finding("t9a.unaligned.reform", ok=True, text=text, measured=left)]


def unaligned_metrics(place: UnalignedPlace) -> Mapping[str, Metric]:
    """Give what is counted and measured of a completed unaligned charge."""
    met, scene = place.in_contact, place.front.scene
    return {
        "target_models_in_contact": len(met[scene.target.name]),
        "charger_models_in_contact": len(met[scene.charger.name]),
        "contact_length": place.contact_length,
        "unaligned_angle_deg": math.degrees(place.angle),
        "remaining_angle_deg": math.degrees(place.remaining),
    }


def preference(places: Sequence[UnalignedPlace]) -> int:
    """Give the number of the best of several facings' places: by the goals in their order, angles within 1e-6 equal, then the first."""
    left = list(range(len(places)))
    for goal in GOALS:
        values = goal.value([places[number] for number in left])
        left = [number for number, value in zip(left, values.tolist(), strict=True) if value >= values.max() - CONTACT]
    return left[0]
