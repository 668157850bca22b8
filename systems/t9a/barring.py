"""Which obstacle leaves a charger no room at its target, found by removing obstacles, and by how much it is in the
way.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial

from systems.t9a.aligned import AlignedPlace, aligned_place
from systems.t9a.move import charge_move
from systems.t9a.scene import Front, Scene
from systems.t9a.unaligned import unaligned_place
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.fronts.obstacle import Obstacle
from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Pose
from tabletop.messages import because, listed, say
from tabletop.ruling.evidence import Mark
from tabletop.ruling.finding import Finding
from tabletop.table.facing import FacingName
from tabletop.units import CONTACT

NO_ROOM = say("no legal charge move ends here")

MAX_TESTED_OBSTACLES = 5
"""Limit of obstacles, nearest to the target first, that are removed one at a time as a test."""

MAX_BARRING = 2
"""Limit of obstacles that are removed together."""

ENOUGH_TO_NAME = 20_000
"""Budget of each search for a place; that the original table has none is already known."""


@dataclass(frozen=True)
class Bar:
    """An obstacle without which a charger would have a place, and how much it is in the way there.

    Attributes
    ----------
    obstacle
        The obstacle.
    front
        Charger and facing, with the obstacle removed.
    gap
        Greatest gap, in inches, that it leaves to a place that the charger would then have; negative if it overlaps.
    measures
        Measured value, limit and margin in inches: gap and gap needed, or free length and whole length of the charge
        move.
    place
        Words for the kind of place.
    pose
        Pose of the charger in which it has that gap.
    together
        Names of all obstacles, if several each block the place.
    """

    obstacle: Obstacle
    front: Front
    gap: float
    measures: tuple[float, float, float]
    place: str
    pose: Pose
    together: tuple[str, ...] = ()

    @property
    def room(self) -> float:
        """Excess of the gap over the gap that the obstacle needs, in inches."""
        return self.gap - self.obstacle.needed

    @property
    def lacks(self) -> float:
        """Amount by which the obstacle is in the way, in inches; positive if it is."""
        return -self.measures[2]

    @property
    def text(self) -> str:
        """Sentence on the room that the obstacle leaves, with the names of the other obstacles that block the place."""
        if self.together:
            return say(
                "{names} are each in the way: {reason}",
                names=listed(self.together, " and "),
                reason=self._text,
            )
        return self._text

    @property
    def _text(self) -> str:
        """Sentence on the room that the obstacle leaves, without other obstacles."""
        told = {
            "obstacle": self.obstacle.name,
            "place": self.place,
            "facing": self.front.label,
            "target": self.front.scene.target.name,
        }
        if self.room >= -CONTACT:
            way = {"free": self.measures[0], "length": self.measures[1], **told}
            return say(
                "{obstacle} is in the way to the {facing} of {target} after {free:.2f} of {length:.2f} in.",
                **way,
            )
        if self.gap < -CONTACT:
            return say(
                "{obstacle} overlaps every {place} at the {facing} of {target} by at least {depth:.4f} in.",
                depth=-self.gap,
                **told,
            )
        return say(
            "{obstacle} is within {gap:.4f} in of every {place} at the {facing} of {target}.",
            gap=self.gap,
            **told,
        )


def without_room(
    rule: str, text: str, bar: Bar | None, front: Front, words: str = NO_ROOM
) -> Finding:
    """Return the finding that there is no room for a charger, with the obstacle that blocks it, if known.

    `text` is the sentence of the finding, `words` the label of its mark on the facing.
    """
    mark = Mark(words, front.facing.point(front.facing.length / 2), lines=(front.facing.ends,))
    if bar is None:
        return Finding(rule, ok=False, text=say("{sentence}.", sentence=text), mark=mark)
    return Finding(rule, False, because(text, bar.text), *bar.measures, mark=mark)  # noqa: FBT003


def bar_of(
    scene: Scene, facings: Sequence[FacingName], *, budget: Budget, only_aligned: bool = False
) -> Bar | None:
    """Return the obstacle that alone blocks a place of the charger and is least in the way, found by removing obstacles
    one at a time.

    If none blocks it alone, the worst of several that block it together; None if removing the nearest ones gives no
    place either.

    Parameters
    ----------
    scene
        The charge with everything around it, where the charger has no place.
    facings
        Facings that may be charged.
    budget
        Limit of each search.
    only_aligned
        Whether only aligned places count.
    """
    few = replace(budget, work=min(budget.work, ENOUGH_TO_NAME))

    def bars(*left_out: Obstacle) -> Iterator[Bar]:
        """Yield the obstacles as bars, one for each place that exists once they are removed."""
        without = scene
        for obstacle in left_out:
            without = without.without(obstacle.name)
        for facing in facings:
            with suppress(NoVerdictError):
                yield from _bars(Front(without, facing), left_out, few, only_aligned)

    away = {
        obstacle.name: gap(obstacle.shape, scene.target.boundary) for obstacle in scene.obstacles
    }
    nearest = sorted(scene.obstacles, key=lambda obstacle: away[obstacle.name])[
        :MAX_TESTED_OBSTACLES
    ]
    on_the_way = {hazard.name for facing in facings for hazard in Front(scene, facing).way.hazards}
    reach = math.hypot(scene.charger.width, scene.charger.depth) + CONTACT
    nearest = [
        one for one in nearest if one.name in on_the_way or away[one.name] <= reach + one.needed
    ]
    found = list[Bar]()
    for bar in (bar for obstacle in nearest for bar in bars(obstacle)):
        found.append(bar)
        if bar.room >= 0.0:
            return bar
    together = nearest
    barred = [] if found or len(nearest) < MAX_BARRING else list(bars(*nearest))
    if not barred:
        return max(found, key=lambda bar: bar.room, default=None)
    for obstacle in reversed(nearest):
        rest = [other for other in together if other.name != obstacle.name]
        if left := list(bars(*rest)):
            together = rest
            barred = left
    most = max(barred, key=lambda bar: bar.lacks)
    return replace(most, together=tuple(obstacle.name for obstacle in together))


def aligned_bar(front: Front, *, budget: Budget) -> Bar | None:
    """Return the obstacle, if there is one, that alone blocks every aligned place on a facing; of several the one least
    in the way.
    """
    return bar_of(front.scene, [front.name], budget=budget, only_aligned=True)


def _bars(
    front: Front,
    obstacles: Sequence[Obstacle],
    budget: Budget,
    only_aligned: bool,  # noqa: FBT001
) -> Iterator[Bar]:
    """Yield a bar per obstacle for the place that exists on a facing without the obstacles: aligned, else unaligned
    unless excluded.

    Only the ends of each interval of aligned places are measured: the gap to a convex body is greatest at an end.
    """
    charger = front.scene.charger
    aligned = aligned_place(front, budget=budget)
    place = aligned or (None if only_aligned else unaligned_place(front, budget=budget))
    if place is None:
        return
    slides = (
        [slide for stretch in front.places(aligned.reached) for slide in stretch]
        if aligned is not None
        else []
    )
    poses = [front.pose(slide) for slide in slides] or [place.pose]
    kept = place.covered if isinstance(place, AlignedPlace) else (place.u, place.u)
    way = cache(partial(charge_move, front, kept, hints=place.reach.witnesses, budget=budget))
    kind = say("aligned position") if only_aligned else say("position")
    for obstacle in obstacles:
        most, pose = max(
            ((gap(charger.at(pose).boundary, obstacle.shape), pose) for pose in poses),
            key=lambda pair: pair[0],
        )
        room = most - obstacle.needed
        if room < -CONTACT:
            yield Bar(obstacle, front, most, (most, obstacle.needed, room), kind, pose)
        else:
            free = way().free_until(obstacle.hazards)
            length = way().length
            yield Bar(obstacle, front, most, (free, length, free - length), kind, pose)
