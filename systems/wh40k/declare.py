"""Declaring a charge: eligibility of the unit and range of the targets.

All rules are reported; the first broken one refuses.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import shapely

from systems.wh40k.conditions import Ends, first_least
from systems.wh40k.scene import Scene, profile_of, scene_of
from systems.wh40k.words import Choices
from tabletop.budget import explains
from tabletop.geometry.pose import Point
from tabletop.messages import counted, listed, say
from tabletop.ruling.charge import Charge
from tabletop.ruling.evidence import Dimension, Mark
from tabletop.ruling.finding import Finding, Limit
from tabletop.ruling.system import Case
from tabletop.table.models import Model, Squad
from tabletop.table.state import State
from tabletop.units import CONTACT, SAME_HUNDREDTH


@dataclass(frozen=True)
class Declaration:
    """A declared charge: the scene at its turn, and the scene at the beginning of the phase."""

    charge: Charge
    scene: Scene
    beginning: Scene

    @cached_property
    def standing(self) -> Ends:
        """The charger's models, with what the rules measure of them, where they stand at the charge's turn."""
        return Ends(self.scene, self.scene.charger.models)

    @cached_property
    def begun(self) -> Ends:
        """The charger's models, with what the rules measure of them, where they stood at the beginning of the phase."""
        return Ends(self.beginning, self.beginning.charger.models)

    @cached_property
    def ranges(self) -> dict[str, float]:
        """Distance in inches from the charger to each target, by the target's name."""
        return {
            target.name: float(self.standing.to(target).apart.min())
            for target in self.scene.targets
        }

    @property
    def nearest(self) -> Squad:
        """The nearest target, the first of several."""
        return min(self.scene.targets, key=lambda one: self.ranges[one.name])

    @property
    def distance(self) -> float:
        """Distance in inches from the charger to the nearest target, between the nearest two models."""
        return self.ranges[self.nearest.name]

    @cached_property
    def line(self) -> Dimension:
        """The line to the nearest target, as figures show it."""
        start, end = self.closest()
        rise = math.sqrt(max(0.0, self.distance**2 - math.dist(start, end) ** 2))
        label = say("{length:.2f} in", length=self.distance)
        return Dimension(start, end, label, rise=rise if rise > CONTACT else 0.0)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Findings of every rule about declaring, in the order of the rules."""
        return tuple(_findings(self))

    @property
    def refused_by(self) -> Finding | None:
        """The first broken finding, whose rule refuses the charge; None if it may be declared."""
        return next((finding for finding in self.findings if not finding.ok), None)

    def closest(self) -> tuple[Point, Point]:
        """Return the two ends, in table coordinates, of a shortest segment from the charger to its nearest target, seen
        from above.
        """
        target = self.nearest
        first_place, second_place = first_least(self.standing.to(target).apart)
        near = self.scene.charger.models[first_place].footprint
        far = target.models[second_place].footprint
        first, last = shapely.get_coordinates(shapely.shortest_line(near.core, far.core))
        length = float(np.hypot(*(last - first))) or 1.0
        start = first + (last - first) * near.radius / length
        end = last - (last - first) * far.radius / length
        return (float(start[0]), float(start[1])), (float(end[0]), float(end[1]))


def declare(case: Case, charge: Charge, state: State[Squad]) -> Declaration:
    """Return a charge as declared on the table at its turn."""
    choices: Choices = case.choices
    now = scene_of(state, charge.charger, charge.targets, choices=choices, book=case.book)
    return Declaration(
        charge,
        now,
        scene_of(case.state, charge.charger, charge.targets, choices=choices, book=case.book),
    )


def _findings(declaration: Declaration) -> Iterator[Finding]:
    scene = declaration.scene
    names = listed(declaration.charge.targets, ", ")
    yield _procedure(
        "phase.sequence", say("Units charge one after another, in the order of the file.")
    )
    yield from (limit.measure(declaration) for limit in DECLARATION_LIMITS)
    text = say(
        "{charger} named {targets} before the roll: {names}.",
        charger=scene.charger.name,
        targets=counted(len(scene.targets), "targets"),
        names=names,
    )
    yield _procedure("targets.declared", text)
    yield _procedure("targets.sight", say("Targets need not be visible."))
    for target in scene.targets:
        distance = declaration.ranges[target.name]
        limit = scene.book.declare_range
        parts = {"target": target.name, "distance": distance, "limit": limit}
        text = say(
            "{target} is {distance:.2f} in away; a target may be at most {limit:g} in away.",
            **parts,
        )
        if CONTACT < distance - limit < SAME_HUNDREDTH:
            text = say(
                "{target} is {distance:.4f} in away; a target may be at most {limit:g} in away.",
                **parts,
            )
        between = (scene.charger.name, target.name)
        mark = None
        if distance - limit > CONTACT:
            mark = Mark(
                say("{inches} short", inches=shown_inches(distance - limit)),
                middle_of(target.models),
            )
        found = Finding(
            "wh40k.targets.range",
            mark is None,
            text,
            distance,
            limit,
            limit - distance,
            between=between,
            line=declaration.line if target is declaration.nearest else None,
            mark=mark,
        )
        yield found.using(*scene.heights_assumed(scene.charger, target))
    yield from _aircraft(scene)
    text = say("Distances are measured between bases, or between hulls where a model has no base.")
    yield replace(
        _procedure("measure.base-or-hull", text),
        mark=_to_the_base(declaration) if explains() else None,
    )


def _to_the_base(declaration: Declaration) -> Mark:
    """Return the mark of the point of the nearest target to which is measured, for figures that are about that."""
    line = declaration.closest()
    words = say("{inches} to the base itself", inches=shown_inches(declaration.distance))
    return Mark(words, line[1], is_for_point=True)


def _aircraft(scene: Scene) -> Iterator[Finding]:
    """Yield a finding for each target that is an Aircraft, if only units that fly may charge Aircraft."""
    for target in scene.targets if scene.choices.aircraft_targets == "fly-only" else ():
        if "aircraft" in profile_of(target).keywords:
            parts = {"charger": scene.charger.name, "target": target.name}
            text = say(
                "{target} is an Aircraft, which only units that fly may charge; {charger} does not fly.",
                **parts,
            )
            if scene.is_flyer:
                text = say(
                    "{target} is an Aircraft, which only units that fly may charge; {charger} flies.",
                    **parts,
                )
            mark = (
                None
                if scene.is_flyer
                else Mark(say("an aircraft, charged only by what flies"), middle_of(target.models))
            )
            yield Finding(
                "wh40k.targets.aircraft",
                scene.is_flyer,
                text,
                between=(scene.charger.name, target.name),
                mark=mark,
            )


def _procedure(name: str, text: str) -> Finding:
    return Finding(f"wh40k.{name}", ok=True, text=text)


def _barred(declaration: Declaration, words: str) -> Mark:
    """Return a mark for figures at the middle of the charger, with the reason `words` why it may not charge."""
    return Mark(words, middle_of(declaration.scene.charger.models))


def middle_of(models: Sequence[Model]) -> Point:
    """Return the mean of the models' positions, in table coordinates."""
    x, y = np.mean([model.pose.at for model in models], axis=0).tolist()
    return x, y


def shown_inches(length: float) -> str:
    """Return a length in inches as text with at most two decimals, or four where rounding to two would make it look
    whole.
    """
    seems_whole = abs(length - round(length)) > CONTACT and round(length, 2) == round(length)
    return say("{length:.10g} in", length=round(length, 4 if seems_whole else 2))


def _near(declaration: Declaration) -> Finding:
    scene = declaration.beginning
    barred = _barred(declaration, say("no enemy near enough"))
    limit = scene.book.declare_range
    found = [
        (float(declaration.begun.to(enemy).apart.min()), enemy.name) for enemy in scene.enemies
    ]
    if not found:
        text = say(
            "There is no enemy unit on the table; to charge, a unit must have one within {limit:g} in.",
            limit=limit,
        )
        return Finding("wh40k.eligible.near", ok=False, text=text, mark=barred)
    distance, name = min(found)
    parts = {"name": name, "distance": distance, "limit": limit}
    text = say(
        "The nearest enemy unit, {name}, is {distance:.2f} in away; to charge, a unit must have one "
        "within {limit:g} in.",
        **parts,
    )
    if CONTACT < distance - limit < SAME_HUNDREDTH:
        text = say(
            "The nearest enemy unit, {name}, is {distance:.4f} in away; to charge, a unit must have one "
            "within {limit:g} in.",
            **parts,
        )
    between = (scene.charger.name, name, *(other for _, other in found))
    mark = barred if distance - limit > CONTACT else None
    is_measured = name == declaration.nearest.name and distance == declaration.distance
    line = declaration.line if is_measured else None
    return Finding(
        "wh40k.eligible.near",
        mark is None,
        text,
        distance,
        limit,
        limit - distance,
        between=between,
        line=line,
        mark=mark,
    )


def _not_engaged(declaration: Declaration) -> Finding:
    scene = declaration.beginning
    within = [
        declaration.begun.to(enemy).margins.max(axis=1) >= -CONTACT for enemy in scene.enemies
    ]
    engaged = int(np.any(within, axis=0).sum()) if within else 0
    parts = {"count": counted(engaged, "models"), "charger": scene.charger.name}
    text = say("Engaged at the start of the phase: {count} of {charger}.", **parts)
    mark = None
    if engaged:
        text = say("Engaged at the start of the phase: {count} of {charger}; none may be.", **parts)
        mark = _barred(declaration, say("engaged already"))
    return Finding(
        "wh40k.eligible.not-engaged", engaged == 0, text, engaged, 0, -engaged, mark=mark
    )


def _without(name: str, status: str, undone: str, done: str, words: str) -> Limit[Declaration]:
    """Return the limit that a unit breaks by a status word or keyword `status`, named "wh40k." and `name`.

    `undone` and `done` are the templates of the sentences for a unit without and with that word, `words` the label for
    figures.
    """

    def measure(declaration: Declaration) -> Finding:
        """Return the finding of the limit: whether the charger does not have the word."""
        charger = declaration.scene.charger
        is_free = status not in (*charger.status, *profile_of(charger).keywords)
        text = say(undone if is_free else done, charger=charger.name)
        return Finding(
            f"wh40k.{name}", is_free, text, mark=None if is_free else _barred(declaration, words)
        )

    return Limit(f"wh40k.{name}", measure)


def _can_move(declaration: Declaration) -> Finding:
    charger = declaration.scene.charger
    movement = profile_of(charger).movement
    shown = movement if isinstance(movement, str) else say("{length:g} in", length=movement)
    text = say(
        "The Move characteristic of {charger} is {movement}.", charger=charger.name, movement=shown
    )
    mark = None
    if movement == "-":
        text = say(
            "The Move characteristic of {charger} is {movement}; a unit that cannot move may not charge.",
            charger=charger.name,
            movement=shown,
        )
        mark = _barred(declaration, say("cannot move"))
    return Finding("wh40k.eligible.can-move", movement != "-", text, mark=mark)


DECLARATION_LIMITS: tuple[Limit[Declaration], ...] = (
    _without(
        "phase.once",
        "selected",
        "{charger} has not been chosen to charge yet this phase.",
        "{charger} has already been chosen to charge this phase; a unit may be chosen once.",
        say("has charged already"),
    ),
    Limit("wh40k.eligible.near", _near),
    _without(
        "eligible.not-advanced",
        "advanced",
        "{charger} did not Advance this turn.",
        "{charger} did Advance this turn; a unit that did may not charge.",
        say("has advanced"),
    ),
    _without(
        "eligible.not-fell-back",
        "fell_back",
        "{charger} did not Fall Back this turn.",
        "{charger} did Fall Back this turn; a unit that did may not charge.",
        say("has fallen back"),
    ),
    Limit("wh40k.eligible.not-engaged", _not_engaged),
    _without(
        "eligible.not-aircraft",
        "aircraft",
        "{charger} is not an Aircraft.",
        "{charger} is an Aircraft; Aircraft may not charge.",
        say("an aircraft"),
    ),
    Limit("wh40k.eligible.can-move", _can_move),
    _without(
        "eligible.no-action",
        "action",
        "{charger} is not performing an action.",
        "{charger} is performing an action; a unit that does may not charge.",
        say("performs an action"),
    ),
)
"""The limits on the charger, checked before each target's range."""

DECLARE_RULES = (*(limit.rule for limit in DECLARATION_LIMITS), "wh40k.targets.range")
