"""Plans spoilt on purpose, one model moved: what that breaks by a hundredth of an inch or more the judge must
refuse.
"""

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tabletop.geometry.pose import Pose
from tabletop.table.models import Formation
from tests.oracles.wh40k import ways
from tests.oracles.wh40k.bodies import Bodies, Floats
from tests.oracles.wh40k.limits import contacts, margins
from tests.oracles.wh40k.plans import Planned
from tests.oracles.wh40k.table import ends_of

BROKEN = 0.01
"""Inches by which a limit must be broken for the judge to have to see it."""
ROUNDING = 2e-6
SHIFTS = (0.012, 0.03, 0.1, 0.4, 1.5)
TRIES = 40
PER_LIMIT = 2
DEPTHS = (0.011, 0.2)
"""Inches that a model is pushed into what it must keep out of."""


@dataclass(frozen=True)
class Spoilt:
    """A plan with one model moved: what that breaks, or nothing if it must be accepted."""

    place: Formation
    broken: str | None


def spoilt_plans(plan: Planned) -> Iterator[Spoilt]:
    """Move a model of the plan until each limit in reach is broken once or twice, and once or twice without harm; hold
    one back.
    """
    source = random.Random(1)  # noqa: S311 - scenes, not secrets
    seen: Counter[str] = Counter()
    touching = contacts(plan.table, plan.ends, slack=ROUNDING)
    tried = [*_aimed(plan, source), *_shifted(plan, source)]
    for row, spot, height in tried:
        place = _with(plan, row, spot, height)
        broken = min(
            _broken(plan, place, row, is_owed=row in touching),
            key=lambda name: seen[name],
            default=None,
        )
        if broken is not None and seen[broken] < PER_LIMIT:
            seen[broken] += 1
            yield Spoilt(place, broken)
        elif (
            broken is None
            and seen[HARMLESS] < PER_LIMIT
            and row not in touching
            and _is_harmless(plan, place, row)
        ):
            seen[HARMLESS] += 1
            yield Spoilt(place, None)
    yield from _held_back(plan, touching)


HARMLESS = "none"

Try = tuple[int, Floats, float]
"""The row of a model, where to put it, and how high."""


def _shifted(plan: Planned, source: random.Random) -> Iterator[Try]:
    """Shift models by chance."""
    for _ in range(TRIES):
        row = source.randrange(len(plan.ends))
        angle = source.uniform(-np.pi, np.pi)
        size = source.choice(SHIFTS)
        yield (
            row,
            plan.ends.centres[row] + size * np.array([np.cos(angle), np.sin(angle)]),
            float(plan.ends.heights[row]),
        )


def _aimed(plan: Planned, source: random.Random) -> Iterator[Try]:
    """Push a model into others, into ranges to keep out of, into terrain, too far, and up where nothing holds it."""
    table = plan.table
    ends = plan.ends
    rows = [source.randrange(len(ends)) for _ in range(3)]
    for depth in DEPTHS:
        for row in rows:
            others = ends.of([other for other in range(len(ends)) if other != row])
            for gap, bodies in (
                (-depth, others),
                (-depth, table.enemies),
                (-depth, table.friends),
                (1.0 - depth, table.others),
            ):
                yield from _against(ends, row, bodies, gap)
            yield row, _ahead(plan, row, table.distance + depth), float(ends.heights[row])
            yield row, _ahead(plan, row, -depth), float(table.charger.heights[row])
    for row in rows:
        yield row, _ahead(plan, row, -2.0), float(table.charger.heights[row])
        yield row, ends.centres[row], float(ends.heights[row]) + 0.5
        for piece in table.solids:
            yield row, np.array(piece.area.centroid.coords[0]), float(ends.heights[row])
        yield from _behind(plan, row)


def _against(ends: Bodies, row: int, others: Bodies, gap: float) -> Iterator[Try]:
    """Yield ends with a model at a given gap from its nearest neighbour, on the line of their centres."""
    if not len(others):
        return
    nearest = int(np.argmin(ends.of([row]).gaps(others)[0]))
    aside = ends.centres[row] - others.centres[nearest]
    apart = float(np.hypot(*aside))
    now = float(ends.of([row]).gaps(others)[0, nearest])
    if apart > 0.0:
        yield row, ends.centres[row] + (gap - now) * aside / apart, float(ends.heights[row])


def _behind(plan: Planned, row: int) -> Iterator[Try]:
    """Yield ends with a model behind an obstacle, as far as the charge distance reaches in a straight line."""
    start = plan.table.charger.centres[row]
    middles = [np.array(piece.area.centroid.coords[0]) for piece in plan.table.blocking]
    for middle in (*middles, *plan.table.others.centres, *plan.table.enemies.centres):
        apart = float(np.hypot(*(middle - start)))
        for far in (apart + 1.6, plan.table.distance - BROKEN) if apart else ():
            yield row, start + far * (middle - start) / apart, float(plan.ends.heights[row])


def _ahead(plan: Planned, row: int, far: float) -> Floats:
    """Return a place so far from a model's start on the straight way to its end, or beyond it, or behind the start."""
    start = plan.table.charger.centres[row]
    end = plan.ends.centres[row]
    apart = float(np.hypot(*(end - start)))
    ahead = (end - start) / apart if apart else np.array([1.0, 0.0])
    place: Floats = start + far * ahead
    return place


def _with(plan: Planned, row: int, spot: Floats, height: float) -> Formation:
    poses = list(plan.place.poses)
    heights = list(plan.place.heights)
    poses[row] = Pose(float(spot[0]), float(spot[1]), poses[row].heading)
    heights[row] = height
    return replace(plan.place, poses=tuple(poses), heights=tuple(heights))


def _broken(plan: Planned, place: Formation, row: int, *, is_owed: bool) -> list[str]:
    """Name the limits that a place breaks, or the contact that a model owes: the plan itself shows that it can be
    had.
    """
    ends = ends_of(plan.table, place)
    broken = [name for name, margin in margins(plan.table, ends).items() if margin <= -BROKEN]
    is_off = row not in contacts(plan.table, ends, slack=BROKEN)
    return broken or (["contact"] if is_owed and is_off else [])


def _is_harmless(plan: Planned, place: Formation, row: int) -> bool:
    """Return whether all limits are kept with room to spare, and a straight way leads there: nobody else can then owe a
    contact.
    """
    ends = ends_of(plan.table, place)
    if (
        "most_in_base_contact_at_most" in plan.ruling.metrics
        or min(margins(plan.table, ends).values()) < BROKEN
    ):
        return False
    start, end = [
        (*one.centres[row].tolist(), float(one.heights[row])) for one in (plan.table.charger, ends)
    ]
    is_level = start[2] == end[2] and place.poses[row].heading == float(
        plan.table.charger.headings[row]
    )
    length = math.dist(start, end)
    return (
        is_level
        and length <= plan.table.distance - BROKEN
        and not ways.complaints(plan.table, row, (start, end), length)
    )


def _held_back(plan: Planned, touching: tuple[int, ...]) -> Iterator[Spoilt]:
    """Stop a model that is not in contact a little earlier on its way: harmless where everything still holds with room
    to spare.
    """
    if "most_in_base_contact_at_most" in plan.ruling.metrics:
        return
    rows = {number: row for row, number in enumerate(sorted(plan.place.order or ()))}
    for step in plan.moves:
        row = rows[step.model or 0]
        if row in touching or (step.length or 0.0) < 1.0:
            continue
        (x, y, z), (last_x, last_y, last_z) = step.path[-2:]
        share = min(0.5, 0.05 / max(np.hypot(x - last_x, y - last_y), ROUNDING))
        place = _with(
            plan,
            row,
            np.array([last_x + share * (x - last_x), last_y + share * (y - last_y)]),
            last_z,
        )
        if z == last_z and min(margins(plan.table, ends_of(plan.table, place)).values()) >= BROKEN:
            yield Spoilt(place, None)
            return
