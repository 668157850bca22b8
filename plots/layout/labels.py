"""Where texts stand: a deterministic search in which no text covers another and none is cut off.

Everything here is in inches on the page, from the panel's lower-left corner. What is drawn is put on a raster as ink;
a place costs the ink it covers and the distance from what it names. Labels are placed by rank, then each is asked twice
more whether a better place has become free.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np
import shapely
from numpy.typing import NDArray

from plots.layout.boxes import Box
from plots.layout.frame import Frame
from plots.layout.ink import Ink
from plots.marks import text
from plots.marks.looks import style
from plots.marks.mark import Label, Points, points
from plots.marks.theme import face
from tabletop.geometry.pose import FloatArray, Point

KEY_RADIUS, KEY_ROOM = 0.075, 0.19
"""Inches: the radius of the disc of a number, and the room it takes before a text."""
PAD, BARE, BETWEEN = 0.028, 0.012, 0.02
"""Inches of paper around a text, of one that has no paper, and between two texts."""
WIDEST, NARROW, MOST_LINES = 1.35, 0.72, 3
DISTANCES = (0.035, 0.09, 0.16, 0.26, 0.4, 0.6)
LABEL_DIRECTIONS = tuple(math.tau * number / 16 for number in range(16))
FAR, LEADER, NAMED = 2.2, 0.17, 0.075
"""Cost of an inch away from the spot; the distance from which a leader joins the two, and from which a name to its thing."""
GRID_STEP, NARROWED, COVERING = 0.11, 0.12, 0.35
"""Inches between the places tried when none near is free; cost of breaking a text that fits on a line; the share of a
thing that its name may cover at no cost."""
MOST_DECIDED = 3
"""Words of what decided up to which it is tried in which order they are best placed."""
ON_BODIES, ON_BODY, ON_GROUNDS, CLEAR = 7.0, 3.0, 2.0, (0.9, 1.2)
"""Cost of setting the words of what decided, or is wrong, over bases altogether, that of lengths and other words, that of the former over
terrain, and how far what decided may stand to keep off them."""
SPARED, NEAREST, DEAR = 6, 3, 6.0
"""Rank from which a label is rather left out than set far from what it names or over others, the number of distances at which
it may stand, and the cost beyond which it is left out. What decided is never left out."""


@dataclass(frozen=True)
class Placed:
    """A label with its lines and its box; `leader` joins it to its spot when it stands away."""

    label: Label
    lines: tuple[str, ...]
    box: Box
    leader: tuple[Point, Point] | None = None

    @property
    def middle(self) -> Point:
        """The middle of the lines: that of the box, or of what the disc of a number leaves of it."""
        x, y = self.box.middle
        return (x + KEY_ROOM / 2 if self.label.key else x, y)

    @property
    def disc(self) -> Point | None:
        """The middle of the disc of its number, if it has one."""
        return (self.box.west + PAD + KEY_RADIUS, self.box.middle[1]) if self.label.key else None


@dataclass(frozen=True)
class _Wish:
    """The places that a label would take: centres and half extents, shape (n, 2), what each costs by itself, and its lines.

    `open` holds the numbers of the places that lie on nothing that is to be kept free.
    """

    label: Label
    centres: FloatArray
    halves: FloatArray
    costs: FloatArray
    lines: tuple[tuple[str, ...], ...]
    open: NDArray[np.intp]


@dataclass(frozen=True)
class _Choice:
    """One place taken."""

    centre: Point
    half: Point
    lines: tuple[str, ...]
    cost: float = 0.0


def place(
    labels: Sequence[Label],
    frame: Frame,
    ink: Ink,
    *,
    kept: Sequence[Box] = (),
    bodies: Sequence[Points] = (),
    grounds: Sequence[Points] = (),
) -> tuple[Placed, ...]:
    """Place labels on a panel, off the boxes to be `kept` free; one for which there is no room is left out.

    What decided, and what is wrong, stands off the `bodies` on the table where there is room, so that nobody takes it for the name of
    one, and rather off `grounds` that are filled with something.
    """
    fixed = [_Choice(box.middle, (box.east - box.middle[0], box.north - box.middle[1]), ()) for box in kept]
    ordered = sorted((_in_sight(label, frame) for label in labels), key=lambda label: label.rank)
    weighed = ((bodies, ON_BODIES, ON_BODY), (grounds, ON_GROUNDS, 0.0))
    covered = [(shapely.union_all([_region(ring, frame) for ring in rings]), main, other) for rings, main, other in weighed]
    for region, _, _ in covered:
        shapely.prepare(region)
    wishes = [_wish(label, frame, ink, fixed, covered) for label in ordered]
    tried = (_taken(wishes, order, frame, ink, fixed) for order in _orders(ordered))
    taken = min(tried, key=lambda one: (-len(one), round(sum(choice.cost for choice in one.values()), 6)))
    return tuple(_placed(wishes[number].label, taken[number], frame) for number in sorted(taken))


def _orders(labels: Sequence[Label]) -> Iterator[tuple[int, ...]]:
    """Give the orders in which labels are placed: by rank, and where several say what decided with each of these before the others."""
    every = tuple(range(len(labels)))
    decided = [number for number in every if _decides(labels[number])]
    yield every
    if 1 < len(decided) <= MOST_DECIDED:
        for order in permutations(decided):
            yield (*order, *(number for number in every if number not in order))


def _taken(wishes: Sequence[_Wish], order: Sequence[int], frame: Frame, ink: Ink, fixed: Sequence[_Choice]) -> dict[int, _Choice]:
    """Place labels in an order, and ask each twice more whether a better place has become free."""
    taken: dict[int, _Choice] = {}
    for _ in range(3):
        for number in order:
            others = [choice for other, choice in taken.items() if other != number]
            choice = _choose(wishes[number], others, frame, ink, fixed)
            if choice is not None:
                taken[number] = choice
    return taken


def _in_sight(label: Label, frame: Frame) -> Label:
    """Keep of what a label names the part that is seen, with its middle as the first place for the label."""
    see = frame.section
    panel, home = shapely.box(see.west, see.south, see.east, see.north), shapely.Polygon(label.home)
    seen = shapely.intersection(panel, home)
    if not label.home or panel.covers(home) or not isinstance(seen, shapely.Polygon) or seen.is_empty:
        return label
    middle = (seen.centroid.x, seen.centroid.y)
    kept = (spot for spot in label.spots if shapely.intersects_xy(seen, *spot))
    return replace(label, home=points(shapely.get_coordinates(seen.exterior)[:-1]), spots=(middle, *kept))


def _wish(
    label: Label, frame: Frame, ink: Ink, fixed: Sequence[_Choice], covered: Sequence[tuple[shapely.Geometry, float, float]]
) -> _Wish:
    """Collect the places for a label, set wide and, where that differs, narrow."""
    size, bold, _ = face(label.role)
    room = frame.width - 4 * PAD - (KEY_ROOM if label.key else 0.0)
    settings = _settings(label, room, size, bold=bold)
    pad = PAD if style(label.role).fill else BARE
    extents = [_half(lines, size, bold=bold, key=label.key, pad=pad) for lines in settings]
    parts = [_candidates(label, half, frame) for half in extents]
    centres, costs = np.vstack([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
    counts = [len(part[0]) for part in parts]
    halves = np.repeat(extents, counts, axis=0)
    costs = costs + np.repeat(np.arange(len(parts)) * NARROWED, counts)
    every = tuple(lines for lines, count in zip(settings, counts, strict=True) for _ in range(count))
    costs = costs + ink.under(centres, halves)
    is_main = _decides(label) or label.role == "strong"
    boxes = shapely.box(*(centres - halves).T, *(centres + halves).T)
    for region, main, other in covered if is_main or label.role == "text" else ():
        is_on = shapely.intersects(region, boxes)
        costs[is_on] += (main if is_main else other) * shapely.area(shapely.intersection(region, boxes[is_on])) / shapely.area(boxes[is_on])
    return _Wish(label, centres, halves, costs, every, np.flatnonzero(_is_free(centres, halves, fixed)))


def _settings(label: Label, room: float, size: float, *, bold: bool) -> tuple[tuple[str, ...], ...]:
    """Break a text for the full width, and more narrowly where that loses nothing of it."""
    wide = text.balanced(label.text, min(WIDEST, room), size, bold=bold, most=MOST_LINES)
    longest = max((text.width(word, size, bold=bold) for word in text.clean(label.text).split(" ")), default=0.0)
    narrow = text.wrapped(label.text, min(max(NARROW, longest), WIDEST, room), size, bold=bold)
    return (wide,) if narrow == wide or len(narrow) > MOST_LINES else (wide, narrow)


def _half(lines: Sequence[str], size: float, *, bold: bool, key: int, pad: float) -> Point:
    """Give half the width and height of a text with the paper around it, and of the disc of its number, if it has one, before it."""
    wide = max((text.width(line, size, bold=bold) for line in lines), default=0.0) + (KEY_ROOM if key else 0.0)
    return (wide / 2 + pad, max(text.height(len(lines), size), 2 * KEY_RADIUS if key else 0.0) / 2 + pad)


def _candidates(label: Label, half: Point, frame: Frame) -> tuple[FloatArray, FloatArray]:
    """Give centres and the cost of their distance: on the spots if there is a home, and in rings around them.

    Places that stick out of the panel are pushed back into it, at the cost of the shift.
    """
    spots = np.array([frame.to_panel(spot) for spot in label.spots])
    farthest = CLEAR if _decides(label) else ()
    distances = DISTANCES[:NEAREST] if _is_spared(label) else (*DISTANCES, *farthest)
    around = np.array([_beside(direction, distance, half) for distance in distances for direction in LABEL_DIRECTIONS])
    rings = (spots[:, None, :] + around[None, :, :]).reshape(-1, 2)
    far = np.repeat(distances, len(LABEL_DIRECTIONS)) * FAR
    costs = (np.arange(len(spots))[:, None] * 0.07 + far[None, :]).ravel()
    if label.home:
        home = np.arange(len(spots)) * 0.05 + _outside(label.home, spots, half, frame) - 0.85
        rings, costs = np.vstack([spots, rings]), np.concatenate([home, costs])
    inside = _pushed(rings, half, frame)
    return inside, costs + FAR * np.hypot(*(inside - rings).T) + np.where(_is_allowed(label, inside, half, frame), 0.0, math.inf)


def _is_allowed(label: Label, centres: FloatArray, half: Point | FloatArray, frame: Frame) -> NDArray[np.bool_]:
    """Tell for each centre whether a text about it stands where it must and off what it may not cover."""
    boxes = shapely.box(*(centres - half).T, *(centres + half).T)
    allowed = np.ones(len(centres), dtype=bool)
    if label.within:
        allowed &= shapely.contains(_region(label.within, frame), boxes)
    for ring in label.off:
        allowed &= ~shapely.intersects(_region(ring, frame), boxes)
    return allowed


def _region(ring: Points, frame: Frame) -> shapely.Geometry:
    return shapely.Polygon([frame.to_panel(corner) for corner in ring])


def _pushed(centres: FloatArray, half: Point, frame: Frame) -> FloatArray:
    """Push centres in until the boxes about them lie on the panel."""
    least = np.array(half) + BETWEEN
    most = np.array([frame.width, frame.height]) - least
    inside: FloatArray = np.clip(centres, np.minimum(least, most), np.maximum(most, least))
    return inside


def _beside(direction: float, distance: float, half: Point) -> Point:
    """Offset of a box from a point in one direction, so that its edge is about `distance` away."""
    cos, sin = math.cos(direction), math.sin(direction)
    clip = math.sqrt(2.0)
    return (distance * cos + half[0] * min(max(clip * cos, -1.0), 1.0), distance * sin + half[1] * min(max(clip * sin, -1.0), 1.0))


def _outside(home: Points, centres: FloatArray, half: Point, frame: Frame) -> FloatArray:
    """Cost of the part of a text about each centre that would stand outside of what it names, or would cover too much of it."""
    ring = _region(home, frame)
    boxes = shapely.box(*(centres - half).T, *(centres + half).T)
    share: FloatArray = shapely.area(shapely.intersection(ring, boxes)) / shapely.area(boxes)
    covered = np.maximum(0.0, shapely.area(boxes) / max(float(ring.area), 1e-9) - COVERING)
    cost: FloatArray = 3.0 * (1.0 - share) + 3.0 * covered
    return cost


def _choose(wish: _Wish, others: Sequence[_Choice], frame: Frame, ink: Ink, fixed: Sequence[_Choice]) -> _Choice | None:
    """Take the cheapest free place, from the whole panel if none near the spot is free."""
    free = wish.open[_is_free(wish.centres[wish.open], wish.halves[wish.open], others)]
    if not len(free):
        return None if _is_spared(wish.label) or wish.label.within or wish.label.off else _anywhere(wish, [*fixed, *others], frame, ink)
    best = int(free[np.argmin(wish.costs[free])])
    if math.isinf(wish.costs[best]):
        return None
    if _is_spared(wish.label) and wish.costs[best] > DEAR:
        return None
    return _Choice(_pair(wish.centres[best]), _pair(wish.halves[best]), wish.lines[best], float(wish.costs[best]))


def _is_spared(label: Label) -> bool:
    """Tell whether a label is rather left out than set badly."""
    return label.rank >= SPARED and not _decides(label)


def _decides(label: Label) -> bool:
    """Tell whether a label says what decided."""
    return label.role.endswith("decided")


def _anywhere(wish: _Wish, others: Sequence[_Choice], frame: Frame, ink: Ink) -> _Choice | None:
    half = wish.halves[-1]
    xs = np.arange(half[0] + BETWEEN, frame.width - half[0] - BETWEEN, GRID_STEP)
    ys = np.arange(half[1] + BETWEEN, frame.height - half[1] - BETWEEN, GRID_STEP)
    centres = np.array(np.meshgrid(xs, ys)).reshape(2, -1).T
    centres = centres[_is_free(centres, half, others)]
    if not len(centres):
        return None
    spot = np.array(frame.to_panel(wish.label.spots[0]))
    costs = np.hypot(*(centres - spot).T) * FAR + ink.under(centres, half)
    return _Choice(_pair(centres[int(np.argmin(costs))]), _pair(half), wish.lines[-1], float(costs.min()))


def _pair(array: FloatArray) -> Point:
    return (float(array[0]), float(array[1]))


def _is_free(centres: FloatArray, halves: FloatArray, others: Sequence[_Choice]) -> FloatArray:
    """Tell for each centre whether a box there keeps clear of the boxes that stand already."""
    if not others:
        return np.ones(len(centres), dtype=bool)
    apart = np.abs(centres[:, None, :] - np.array([other.centre for other in others])[None, :, :])
    needed = np.array([other.half for other in others])[None, :, :] + np.broadcast_to(halves, centres.shape)[:, None, :] + BETWEEN
    free: FloatArray = (apart >= needed).any(axis=2).all(axis=1)
    return free


def _placed(label: Label, choice: _Choice, frame: Frame) -> Placed:
    (x, y), (wide, high) = choice.centre, choice.half
    box = Box(x - wide, y - high, x + wide, y + high)
    spots = [frame.to_panel(spot) for spot in label.spots]
    spot = min(spots, key=lambda one: math.dist(one, box.nearest(one)))
    near = box.nearest(spot)
    leader = (near, spot) if math.dist(near, spot) > (NAMED if label.home else LEADER) else None
    return Placed(label, choice.lines, box, leader)
