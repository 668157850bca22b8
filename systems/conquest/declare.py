"""Declaring a charge: the limits in the order of the rules; all are reported, the first broken one refuses."""

from dataclasses import dataclass
from functools import cached_property

from systems.conquest.charged_facing import Charged, facings
from systems.conquest.line_of_sight import clear_line, is_in_front_arc, sizes_assumed, stopped_line
from systems.conquest.roll import Ranging, ranging
from systems.conquest.scene import Scene
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import gap, rectangle
from tabletop.ruling.charge import Charge
from tabletop.ruling.finding import Finding, Limit
from tabletop.table.sight import Segment
from tabletop.units import CONTACT


@dataclass(frozen=True, eq=False)
class Declaration:
    """What is known when a charge is declared."""

    charge: Charge
    scene: Scene

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What each limit on declaring says."""
        limits = LIMITS if self.scene.declarations.marched > 0.0 else LIMITS[:-1]
        return tuple(limit.measure(self) for limit in limits)

    @property
    def broken(self) -> Finding | None:
        """The first limit that forbids the charge, if any."""
        return next((finding for finding in self.findings if not finding.ok), None)

    @cached_property
    def measured(self) -> Ranging:
        """What the Charge Roll has to do."""
        return ranging(self.scene)

    @cached_property
    def facings(self) -> tuple[Charged, ...]:
        """The target's sides in the order in which they are tried."""
        return facings(self.scene)

    @cached_property
    def sight(self) -> Segment | None:
        """A clear line to the target."""
        return clear_line(self.scene)

    @property
    def shown_sight(self) -> tuple[Segment | None, Point | None]:
        """The clear line to the target; else the shortest, and where something stops it."""
        return (self.sight, None) if self.sight is not None else stopped_line(self.scene)


def _actions(declaration: Declaration) -> Finding:
    scene = declaration.scene
    bars = ("done", "broken") if scene.choices.broken == "barred" else ("done",)
    broken = [word for word in bars if word in scene.charger.status]
    text = f"{scene.charger.name} is {' and '.join(broken)}." if broken else f"{scene.charger.name} may still act."
    return Finding("conquest.declare.actions", not broken, text)


def _reinforcement(declaration: Declaration) -> Finding:
    charger = declaration.scene.charger
    arrived = "reinforcement" in charger.status
    text = f"{charger.name} {'arrived' if arrived else 'did not arrive'} from Reinforcements this turn."
    return Finding("conquest.declare.reinforcement", not arrived, text)


def _not_in_contact(declaration: Declaration) -> Finding:
    scene, limit = declaration.scene, declaration.scene.choices.clearance
    units = [unit for unit in scene.state.units.values() if unit.side != scene.charger.side]
    gaps = [(gap(scene.charger.boundary, unit.boundary), unit.name) for unit in units]
    if not gaps:
        return Finding("conquest.declare.not-in-contact", ok=True, text="There is no enemy regiment.")
    least, name = min(gaps)
    text = f"The nearest enemy regiment, {name}, is {least:.4f} in away."
    between = (scene.charger.name, name, *(other for _, other in gaps))
    return Finding("conquest.declare.not-in-contact", not scene.is_in_contact(least), text, least, limit, least - limit, between=between)


def _one_target(declaration: Declaration) -> Finding:
    count = len(declaration.charge.targets)
    if count == 1:
        return Finding("conquest.declare.one-target", ok=True, text="One target is named.")
    text = f"{count} targets are named: {', '.join(declaration.charge.targets)}."
    return Finding("conquest.declare.one-target", ok=False, text=text, measured=count, limit=1, margin=1 - count)


def _enemy(declaration: Declaration) -> Finding:
    scene = declaration.scene
    target, unit = scene.target, scene.target.unit
    if unit is None:
        return Finding("conquest.declare.enemy", ok=True, text=f"{target.name} is a garrison; enemies are held to be inside it.")
    is_enemy = unit.side != scene.charger.side
    text = f"{target.name} is {'an enemy' if is_enemy else 'a friend'} of {scene.charger.name}."
    return Finding("conquest.declare.enemy", is_enemy, text)


def _line_of_sight(declaration: Declaration) -> Finding:
    scene, rule = declaration.scene, "conquest.declare.line-of-sight"
    charger, target = scene.charger.name, scene.target.name
    if not is_in_front_arc(scene):
        part = "no more than half" if scene.choices.front_arc == "most" else "no part"
        return Finding(rule, ok=False, text=f"{part.capitalize()} of {target} is in the front arc of {charger}.")
    text = f"{charger} sees {target}, which is in its front arc."
    if declaration.sight is None:
        text = f"Every line from a front stand of {charger} to {target} is blocked by something as large."
    return Finding(rule, declaration.sight is not None, text).using(*sizes_assumed(scene))


def _march(declaration: Declaration) -> Finding:
    scene, rule = declaration.scene, "conquest.through.march"
    marched, charger = scene.declarations.marched, scene.charger
    if not scene.uncrossable:
        return Finding(rule, ok=True, text=f"No friend in contact with an enemy stood in the way of the {marched:g} in marched.")
    way = rectangle(charger.pose, charger.width, charger.depth + marched)
    least, name = min((gap(way, unit.boundary), unit.name) for unit in scene.uncrossable)
    text = f"The {marched:g} in marched {'kept clear of' if least >= -CONTACT else 'crossed'} {name}, which is in contact with an enemy."
    return Finding(rule, least >= -CONTACT, text, least, 0.0, least)


LIMITS: tuple[Limit[Declaration], ...] = (
    Limit("conquest.declare.actions", _actions),
    Limit("conquest.declare.reinforcement", _reinforcement),
    Limit("conquest.declare.not-in-contact", _not_in_contact),
    Limit("conquest.declare.one-target", _one_target),
    Limit("conquest.declare.enemy", _enemy),
    Limit("conquest.declare.line-of-sight", _line_of_sight),
    Limit("conquest.through.march", _march),
)
