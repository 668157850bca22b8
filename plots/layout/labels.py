"""Placement of texts on a panel: labels, texts at fixed points, and magnifiers.

All lengths are in inches on the page from the panel's lower-left corner. Texts never overlap and are never cut off.
Drawn marks are rasterised; the cost of a candidate position is what it covers plus its distance from the labelled
thing. Labels are placed by rank, each in the cheapest free place, in a few rounds. The result is deterministic.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from plots.layout import text
from plots.layout.frame import Frame
from plots.marks.board import NUMBER_AT, ROOM
from plots.marks.mark import (
    Discs,
    DrawnMark,
    FacingMark,
    Label,
    Magnifier,
    PointMark,
    Points,
    Printed,
    Rings,
    points,
)
from plots.marks.section import Rect
from plots.marks.styles import style
from plots.marks.theme import Typeface, face
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Point

CELL, SAMPLE_STEP, SYMBOL = 0.02, 0.03, 0.05
"""Page inches: side of a raster cell, sampling distance along lines, radius of a symbol."""

COVER_COSTS = {
    **dict.fromkeys(
        ("surface", "patches", "entered", "shadow", "backdrop", "tray", "figures", "touching"), 0.0
    ),
    **dict.fromkeys(("seen", "seen_contact", "level", "hexes", "contour"), 0.012),
    **dict.fromkeys(
        ("board", "terrain", "detail", "start", "ghost", "ray", "symbol", "zone"), 0.045
    ),
    **dict.fromkeys(("unit", "sight", "facing", "standing", "parts", "ground", "link"), 0.15),
    **dict.fromkeys(
        (
            "align",
            "aim",
            "uncertain",
            "overlap",
            "beyond",
            "deciding_area",
            "goal_area",
            "heat",
            "no_room",
            "zero",
        ),
        0.3,
    ),
    **dict.fromkeys(("path", "pushed", "stepped", "slid", "no_verdict"), 0.5),
    "loose": 1.0,
}
"""Cost of covering a sample of a mark, by the first word of its role."""

RINGS_WEIGHT, DEFAULT_WEIGHT, POINT_WEIGHT, FACING_WEIGHT, WORD_WEIGHT = 0.022, 0.3, 0.5, 0.5, 0.02
"""Cost of covering a sample of: a line of bases, another line, a highlighted point, a facing mark, a cell of a text."""

BASE_CORNERS, BASES, AREAS = (
    4,
    ("front", "symbol"),
    ("zone", "overlap", "beyond", "deciding_area", "goal_area", "heat"),
)
"""Number of corners of a base in a block; roles of what stands on bases; roles of areas, which do not share edges."""

KEY_RADIUS, KEY_ROOM = 0.075, 0.19
"""Inches: radius of a number's disc, and the width it takes before a text."""

PAD, BARE, BETWEEN = 0.028, 0.012, 0.02
"""Padding in inches around a text, around one without background, and between two texts."""

WIDEST = 1.35
NARROW = 0.72
MOST_LINES = 3

DISTANCES = (0.035, 0.09, 0.16, 0.26, 0.4, 0.6)

LABEL_DIRECTIONS = np.array(
    [(math.cos(math.tau * number / 16), math.sin(math.tau * number / 16)) for number in range(16)]
)

FAR, LEADER, NAMED = 2.2, 0.17, 0.075
"""Cost per inch of distance; distance in inches from which a leader line is drawn, and the same for names."""

GRID_STEP, NARROWED, COVERING = 0.11, 0.12, 0.35
"""Grid spacing in inches when nothing near is free; cost of breaking a text that fits on one line; share of a thing
that its name may cover at no cost."""

ROUNDS, BATCH = 3, 16
"""Number of times that every label takes the best free place, the others standing; number of candidates weighed at
once."""

ON_BODIES, ON_BODY, ON_GROUNDS, CLEAR = 7.0, 3.0, 2.0, (0.9, 1.2)
"""Cost of a deciding or error label over bases, of other labels over bases, and of the former over terrain; and the
greatest distance in inches at which a deciding label avoids them."""

SPARED, NEAREST, DEAR = 6, 3, 6.0
"""Rank from which labels are left out instead of placed badly, the number of distances tried for them, and the cost
above which they are left out. Deciding labels are never left out."""

YIELDING = "hex_number"
"""Role of printed texts that give way to labels."""

NUMBERS = ("number", "number_light", "count")
"""Roles of the numbers in the bodies of a unit, of which all are printed or none."""

AIR, PLATE = 0.012, 0.95
"""Least distance between two printed texts, in page inches; radius of the disc behind a text, as a share of half its
diagonal."""

ON_HEXES, WAYS, ASIDE, LOWER, HIDDEN = (
    ("hex_number", "hex_tag"),
    ("path", "pushed", "stepped", "slid", "aim"),
    0.3,
    0.25,
    0.3,
)
"""Roles of texts in hexes, which stand further in and aside where a path crosses them, roles of paths, the shifts aside
and inwards in widths of a hex, and the share of a text that units may hide."""

LENS_STEP, LEAST_RADIUS, MOST_SHARE, AWAY, APART = 0.08, 0.42, 0.22, 1.0, 0.06
"""Magnifiers, in page inches: grid spacing, least radius; greatest radius as a share of the panel's shorter side; cost
per inch of distance; gap to the magnified spot and to the edge."""


# Occupancy: the cost of covering what is drawn, summed over any box in constant time (summed-area table).


class Ink:
    """Cost of covering a panel's marks, as a raster that sums it over any box (summed-area table).

    `boxes` are areas of the panel with texts that may be covered.
    """

    def __init__(
        self, marks: Iterable[DrawnMark], frame: Frame, *, boxes: Iterable[Rect] = ()
    ) -> None:
        shape = (int(frame.height / CELL) + 2, int(frame.width / CELL) + 2)
        raster = np.zeros(shape)
        for mark in marks:
            samples, weight = _samples(mark, frame)
            cells = np.floor(samples / CELL).astype(int)
            inside = (cells >= 0).all(axis=1) & (cells[:, 1] < shape[0]) & (cells[:, 0] < shape[1])
            np.add.at(raster, (cells[inside, 1], cells[inside, 0]), weight)
        for box in boxes:
            west, south, east, north = (max(0, int(edge / CELL)) for edge in box.sides)
            raster[south : north + 1, west : east + 1] += WORD_WEIGHT
        self._sums = np.zeros((shape[0] + 1, shape[1] + 1))
        self._sums[1:, 1:] = raster.cumsum(axis=0).cumsum(axis=1)

    def under(self, centres: FloatArray, half: FloatArray) -> FloatArray:
        """Return the cost under boxes about `centres`, shape (n, 2), as an array of shape (n,).

        `half` are the half extents, shape (2,) or (n, 2), in inches on the page.
        """
        low = np.floor((centres - half) / CELL).astype(int)
        high = np.floor((centres + half) / CELL).astype(int) + 1
        limits = np.array(self._sums.shape)[::-1] - 1
        west, south = np.clip(low, 0, limits).T
        east, north = np.clip(high, 0, limits).T
        total: FloatArray = (
            self._sums[north, east]
            - self._sums[south, east]
            - self._sums[north, west]
            + self._sums[south, west]
        )
        return total


def _samples(mark: DrawnMark, frame: Frame) -> tuple[FloatArray, float]:
    """Return sample points of a mark in inches on the page, shape (n, 2), and the cost of covering each."""
    word = mark.role.partition(".")[0]
    if isinstance(mark, PointMark):
        return _around(mark.points, frame), POINT_WEIGHT
    if isinstance(mark, FacingMark):
        return frame.all_to_panel(np.array([mark.at])), FACING_WEIGHT
    weight = COVER_COSTS.get(
        word, RINGS_WEIGHT if isinstance(mark, Rings | Discs) else DEFAULT_WEIGHT
    )
    lines = [_along(line, frame) for line in _edges(mark)] if weight else []
    return np.vstack(lines) if lines else np.empty((0, 2)), weight


def _edges(mark: DrawnMark) -> tuple[Points, ...]:
    """Return the polylines of a mark; for blocks of bases half of each outline, since neighbours share edges."""
    word = mark.role.partition(".")[0]
    is_grid = isinstance(mark, Rings) and bool(
        mark.numbers or word in BASES or (len(mark.rings) > 1 and word not in AREAS)
    )
    return tuple(
        line[:3] if is_grid and len(line) <= BASE_CORNERS + 1 else line for line in mark.polylines()
    )


def _around(points: Points, frame: Frame) -> FloatArray:
    """Return sample points of symbols, shape (n, 2): the centre of each and a ring about it."""
    bearings = np.arange(8) * np.pi / 4
    ring = np.vstack(
        [np.zeros((1, 2)), SYMBOL * np.column_stack([np.cos(bearings), np.sin(bearings)])]
    )
    return (frame.all_to_panel(np.array(points))[:, None, :] + ring[None, :, :]).reshape(-1, 2)


def _along(points: Points, frame: Frame) -> FloatArray:
    """Return equidistant sample points of a polyline on the page, shape (n, 2)."""
    vertices = frame.all_to_panel(np.array(points, dtype=float))
    run = np.concatenate([[0.0], np.hypot(*np.diff(vertices, axis=0).T).cumsum()])
    steps = np.linspace(0.0, run[-1], int(run[-1] / SAMPLE_STEP) + 2)
    return np.column_stack([np.interp(steps, run, vertices[:, axis]) for axis in (0, 1)])


# Labels.


@dataclass(frozen=True)
class PlacedLabel:
    """A placed label with its lines of text and box in inches on the panel; `leader` joins it to its spot if it is
    distant.
    """

    label: Label
    lines: tuple[str, ...]
    box: Rect
    leader: tuple[Point, Point] | None = None

    @property
    def middle(self) -> Point:
        """Centre of the lines of text: that of the box, or of its part beside the number's disc."""
        x, y = self.box.middle
        return (x + KEY_ROOM / 2 if self.label.key else x, y)

    @property
    def disc(self) -> Point | None:
        """Centre of the number's disc; None without a number."""
        return (self.box.west + PAD + KEY_RADIUS, self.box.middle[1]) if self.label.key else None


@dataclass(frozen=True)
class _LabelCandidates:
    """Candidate positions of a label: centres and half extents, shape (n, 2), lower bounds of their costs, shape (n,),
    and lines of text.

    `covered` holds areas with the cost of covering them, and `open` the indices of candidates clear of the boxes to
    keep free.
    """

    label: Label
    centres: FloatArray
    halves: FloatArray
    bounds: FloatArray
    lines: tuple[tuple[str, ...], ...]
    covered: tuple[tuple[shapely.STRtree, float], ...]
    open: NDArray[np.intp]

    def cheapest(self, free: NDArray[np.intp]) -> tuple[int, float]:
        """Return the first of the cheapest candidates among the indices `free`, and its cost; searched best-first."""
        order = free[np.argsort(self.bounds[free], kind="stable")]
        least = math.inf
        best = int(order[0])
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            if self.bounds[batch[0]] > least:
                break
            costs = self.bounds[batch]
            boxes = _boxes(self.centres[batch], self.halves[batch])
            for parts, weight in self.covered:
                box, part = parts.query(boxes)
                areas = shapely.area(shapely.intersection(parts.geometries[part], boxes[box]))
                costs = costs + weight * np.bincount(box, areas, len(boxes)) / shapely.area(boxes)
            least, best = min((least, best), *zip(costs.tolist(), batch.tolist(), strict=True))
        return best, least


@dataclass(frozen=True)
class _LabelPlacement:
    """The chosen position of a label, or a box to keep free: centre, half extents, lines of text and cost."""

    centre: Point
    half: Point
    lines: tuple[str, ...]
    cost: float = 0.0


def place(
    labels: Sequence[Label],
    frame: Frame,
    ink: Ink,
    *,
    kept: Sequence[Rect] = (),
    bodies: Sequence[Points] = (),
    grounds: Sequence[Points] = (),
) -> tuple[PlacedLabel, ...]:
    """Return the labels of a panel placed clear of each other and of the boxes `kept`; labels without room are left
    out.

    Deciding and error labels avoid `bodies` where possible, so that they are not mistaken for names, and prefer to
    avoid filled `grounds`.
    """
    fixed = [
        _LabelPlacement(box.middle, (box.east - box.middle[0], box.north - box.middle[1]), ())
        for box in kept
    ]
    ordered = sorted((_in_sight(label, frame) for label in labels), key=lambda label: label.rank)
    weighed = ((bodies, ON_BODIES, ON_BODY), (grounds, ON_GROUNDS, 0.0))
    regions = [
        (shapely.union_all([_region(ring, frame) for ring in rings]), main, other)
        for rings, main, other in weighed
    ]
    covered = [
        (shapely.STRtree(shapely.get_parts(region)), main, other) for region, main, other in regions
    ]
    wishes = [_wish(label, frame, ink, fixed, covered) for label in ordered]
    taken: dict[int, _LabelPlacement] = {}
    for _ in range(ROUNDS):
        for number, wish in enumerate(wishes):
            choice = _choose(
                wish,
                [other for place, other in taken.items() if place != number],
                frame,
                ink,
                fixed,
            )
            if choice is not None:
                taken[number] = choice
    return tuple(_placed(wishes[number].label, taken[number], frame) for number in sorted(taken))


def _in_sight(label: Label, frame: Frame) -> Label:
    """Return a label with its home cut to the visible part, and the centre of that part as first spot; unchanged if all
    is visible.
    """
    panel = shapely.box(*frame.section.sides)
    home = shapely.Polygon(label.home)
    seen = shapely.intersection(panel, home)
    if (
        not label.home
        or panel.covers(home)
        or not isinstance(seen, shapely.Polygon)
        or seen.is_empty
    ):
        return label
    middle = (seen.centroid.x, seen.centroid.y)
    kept = (spot for spot in label.spots if shapely.intersects_xy(seen, *spot))
    return replace(
        label, home=points(shapely.get_coordinates(seen.exterior)[:-1]), spots=(middle, *kept)
    )


def _wish(
    label: Label,
    frame: Frame,
    ink: Ink,
    fixed: Sequence[_LabelPlacement],
    covered: Sequence[tuple[shapely.STRtree, float, float]],
) -> _LabelCandidates:
    """Return the candidate positions of a label, with its text wide and, if that differs, narrow."""
    size, typeface, _ = face(label.role)
    room = frame.width - 4 * PAD - (KEY_ROOM if label.key else 0.0)
    settings = _settings(label, room, size, typeface=typeface)
    pad = PAD if style(label.role).fill else BARE
    extents = [_half(lines, size, typeface=typeface, key=label.key, pad=pad) for lines in settings]
    parts = [_candidates(label, half, frame) for half in extents]
    centres = np.vstack([part[0] for part in parts])
    costs = np.concatenate([part[1] for part in parts])
    counts = [len(part[0]) for part in parts]
    halves = np.repeat(extents, counts, axis=0)
    costs = costs + np.repeat(np.arange(len(parts)) * NARROWED, counts)
    every = tuple(
        lines for lines, count in zip(settings, counts, strict=True) for _ in range(count)
    )
    costs = costs + ink.under(centres, halves)
    is_main = _decides(label) or label.role == "strong"
    is_weighed = is_main or label.role.startswith(("text", "name."))
    weighed = tuple(
        (parts, main if is_main else other) for parts, main, other in covered if is_weighed
    )
    return _LabelCandidates(
        label,
        centres,
        halves,
        costs,
        every,
        weighed,
        np.flatnonzero(_is_free(centres, halves, fixed)),
    )


def _settings(
    label: Label, room: float, size: float, *, typeface: Typeface
) -> tuple[tuple[str, ...], ...]:
    """Return the line breaks of a label to try: at full width, and narrower if that takes few lines."""
    wide = text.balanced(label.text, min(WIDEST, room), size, typeface=typeface, most=MOST_LINES)
    longest = max(
        (text.width(word, size, typeface=typeface) for word in text.clean(label.text).split(" ")),
        default=0.0,
    )
    narrow = text.wrapped(
        label.text, min(max(NARROW, longest), WIDEST, room), size, typeface=typeface
    )
    return (wide,) if narrow == wide or len(narrow) > MOST_LINES else (wide, narrow)


def _half(lines: Sequence[str], size: float, *, typeface: Typeface, key: int, pad: float) -> Point:
    """Return half width and half height in inches of lines of text with padding and the number's disc."""
    wide = max((text.width(line, size, typeface=typeface) for line in lines), default=0.0) + (
        KEY_ROOM if key else 0.0
    )
    return (
        wide / 2 + pad,
        max(text.height(len(lines), size), 2 * KEY_RADIUS if key else 0.0) / 2 + pad,
    )


def _candidates(label: Label, half: Point, frame: Frame) -> tuple[FloatArray, FloatArray]:
    """Return candidate centres, shape (n, 2), and costs, shape (n,): on the spots if the label has a home, and on rings
    about them.

    Candidates that extend beyond the panel are shifted inwards, at the cost of the shift.
    """
    spots = np.array([frame.to_panel(spot) for spot in label.spots])
    farthest = CLEAR if _decides(label) else ()
    distances = DISTANCES[:NEAREST] if _is_spared(label) else (*DISTANCES, *farthest)
    beside = np.array(half) * np.clip(math.sqrt(2.0) * LABEL_DIRECTIONS, -1.0, 1.0)
    around = np.array(distances)[:, None, None] * LABEL_DIRECTIONS + beside
    rings = (spots[:, None, :] + around.reshape(1, -1, 2)).reshape(-1, 2)
    far = np.repeat(distances, len(LABEL_DIRECTIONS)) * FAR
    costs = (np.arange(len(spots))[:, None] * 0.07 + far[None, :]).ravel()
    if label.home:
        home = np.arange(len(spots)) * 0.05 + _outside(label.home, spots, half, frame) - 0.85
        rings = np.vstack([spots, rings])
        costs = np.concatenate([home, costs])
    inside = _pushed(rings, half, frame)
    return inside, costs + FAR * np.hypot(*(inside - rings).T) + np.where(
        _is_allowed(label, inside, half, frame), 0.0, math.inf
    )


def _is_allowed(
    label: Label, centres: FloatArray, half: Point | FloatArray, frame: Frame
) -> NDArray[np.bool_]:
    """Return for each centre whether a text there is inside the label's required area and outside its forbidden ones,
    shape (n,).
    """
    boxes = _boxes(centres, half)
    allowed = np.ones(len(centres), dtype=bool)
    if label.within:
        allowed &= shapely.contains(_region(label.within, frame), boxes)
    for ring in label.off:
        allowed &= ~shapely.intersects(_region(ring, frame), boxes)
    return allowed


def _boxes(centres: FloatArray, half: Point | FloatArray) -> Any:
    """Return the rectangles about some centres, shape (n,), with half extents of one or of each."""
    return shapely.box(*(centres - half).T, *(centres + half).T)


def _region(ring: Points, frame: Frame) -> shapely.Geometry:
    return shapely.Polygon([frame.to_panel(corner) for corner in ring])


def _pushed(centres: FloatArray, half: Point, frame: Frame) -> FloatArray:
    """Return the centres, shape (n, 2), shifted so that boxes about them lie on the panel."""
    least = np.array(half) + BETWEEN
    most = np.array([frame.width, frame.height]) - least
    inside: FloatArray = np.clip(centres, np.minimum(least, most), np.maximum(most, least))
    return inside


def _outside(home: Points, centres: FloatArray, half: Point, frame: Frame) -> FloatArray:
    """Return, for each centre, the cost of text outside the label's home and of covering too much of it, shape (n,)."""
    ring = _region(home, frame)
    boxes = _boxes(centres, half)
    share: FloatArray = shapely.area(shapely.intersection(ring, boxes)) / shapely.area(boxes)
    covered = np.maximum(0.0, shapely.area(boxes) / max(float(ring.area), 1e-9) - COVERING)
    cost: FloatArray = 3.0 * (1.0 - share) + 3.0 * covered
    return cost


def _choose(
    wish: _LabelCandidates,
    others: Sequence[_LabelPlacement],
    frame: Frame,
    ink: Ink,
    fixed: Sequence[_LabelPlacement],
) -> _LabelPlacement | None:
    """Return the cheapest free candidate of a label, else a place anywhere on the panel; None if the label is to be
    left out.
    """
    free = wish.open[_is_free(wish.centres[wish.open], wish.halves[wish.open], others)]
    if not len(free):
        return (
            None
            if _is_spared(wish.label) or wish.label.within or wish.label.off
            else _anywhere(wish, [*fixed, *others], frame, ink)
        )
    best, cost = wish.cheapest(free)
    if math.isinf(cost) or (_is_spared(wish.label) and cost > DEAR):
        return None
    return _LabelPlacement(
        _pair(wish.centres[best]), _pair(wish.halves[best]), wish.lines[best], cost
    )


def _is_spared(label: Label) -> bool:
    """Return whether a label is left out rather than placed badly: one of high rank that does not say what decided."""
    return label.rank >= SPARED and not _decides(label)


def _decides(label: Label) -> bool:
    """Return whether a label says what decided."""
    return label.role.endswith("decided")


def _anywhere(
    wish: _LabelCandidates, others: Sequence[_LabelPlacement], frame: Frame, ink: Ink
) -> _LabelPlacement | None:
    half = wish.halves[-1]
    xs = np.arange(half[0] + BETWEEN, frame.width - half[0] - BETWEEN, GRID_STEP)
    ys = np.arange(half[1] + BETWEEN, frame.height - half[1] - BETWEEN, GRID_STEP)
    centres = np.array(np.meshgrid(xs, ys)).reshape(2, -1).T
    centres = centres[_is_free(centres, half, others)]
    if not len(centres):
        return None
    spot = np.array(frame.to_panel(wish.label.spots[0]))
    costs = np.hypot(*(centres - spot).T) * FAR + ink.under(centres, half)
    return _LabelPlacement(
        _pair(centres[int(np.argmin(costs))]), _pair(half), wish.lines[-1], float(costs.min())
    )


def _pair(array: FloatArray) -> Point:
    return (float(array[0]), float(array[1]))


def _is_free(
    centres: FloatArray, halves: FloatArray, others: Sequence[_LabelPlacement]
) -> FloatArray:
    """Return for each centre whether a box there overlaps none of the boxes already placed, shape (n,)."""
    if not others:
        return np.ones(len(centres), dtype=bool)
    apart = np.abs(centres[:, None, :] - np.array([other.centre for other in others])[None, :, :])
    needed = (
        np.array([other.half for other in others])[None, :, :]
        + np.broadcast_to(halves, centres.shape)[:, None, :]
        + BETWEEN
    )
    free: FloatArray = (apart >= needed).any(axis=2).all(axis=1)
    return free


def _placed(label: Label, choice: _LabelPlacement, frame: Frame) -> PlacedLabel:
    box = Rect.about(choice.centre, *choice.half)
    spots = [frame.to_panel(spot) for spot in label.spots]
    spot = min(spots, key=lambda one: math.dist(one, box.nearest(one)))
    near = box.nearest(spot)
    leader = (near, spot) if math.dist(near, spot) > (NAMED if label.home else LEADER) else None
    return PlacedLabel(label, choice.lines, box, leader)


# Texts at fixed points, printed there or not at all: numbers of models and hexes, levels of the ground.


@dataclass(frozen=True)
class Stamped:
    """Texts of a `Printed` mark that are shown, each with its box in inches on the panel."""

    mark: Printed
    words: tuple[tuple[str, Rect], ...]


def stamped(marks: Sequence[DrawnMark], frame: Frame) -> tuple[Stamped, ...]:
    """Return the printed texts of a panel that fit: earlier marks first, those that give way to labels last.

    Row and column numbers are printed only where hexes are too small for their own numbers.
    """
    taken: list[Rect] = []
    made: list[Stamped] = []
    ways = _ways(marks, frame)
    standing = _standing(marks, frame)
    for mark in sorted(marks, key=lambda one: one.role == YIELDING):
        if not isinstance(mark, Printed) or (
            mark.role == YIELDING and any(one.words and one.mark.role == YIELDING for one in made)
        ):
            continue
        kept = []
        for at, word, room in mark.words:
            places = [_box(word, at, mark.role, frame)]
            if mark.role in ON_HEXES:
                own = places[0]
                flats = room / ROOM * frame.scale
                others = [own.shifted(0.0, -2 * NUMBER_AT * flats)] if mark.role == YIELDING else []
                # numbers stand at the top of their hexes, tags at the bottom
                inwards = -LOWER if mark.role == YIELDING else LOWER
                others += [
                    own.shifted(side * ASIDE * flats, inwards * flats) for side in (-1.0, 1.0)
                ]
                free = [
                    one
                    for one in (own, *others)
                    if not ways.intersects(shapely.box(*one.sides)) and _is_open(one, standing)
                ]
                places = free or ([] if mark.role == YIELDING else places)
            box = next(
                (
                    one
                    for one in places
                    if _is_inside(one, frame) and not any(one.overlaps(other) for other in taken)
                ),
                None,
            )
            if box is not None and math.hypot(*_extent(word, mark.role)) <= room * frame.scale:
                taken.append(box)
                kept.append((word, box))
        made.append(Stamped(mark, tuple(kept)))
    return _all_or_none(made, frame)


def _all_or_none(printed: Sequence[Stamped], frame: Frame) -> tuple[Stamped, ...]:
    """Return the printed texts that are left: the bodies of a unit are numbered all, as far as the panel shows them, or
    none.
    """
    blank = {
        one.mark.owner
        for one in printed
        if one.mark.role in NUMBERS and len(one.words) < len(_printable(one.mark, frame))
    }
    return tuple(
        one
        for one in printed
        if one.words and not (one.mark.role in NUMBERS and one.mark.owner in blank)
    )


def _printable(mark: Printed, frame: Frame) -> list[str]:
    """Return the texts of a mark that lie inside a panel."""
    return [
        word for at, word, _ in mark.words if _is_inside(_box(word, at, mark.role, frame), frame)
    ]


def kept(printed: Sequence[Stamped], *, is_yielding: bool = False) -> tuple[Rect, ...]:
    """Return the boxes of printed texts that labels avoid or, if `is_yielding`, of those that give way to labels."""
    return tuple(
        box for one in printed if (one.mark.role == YIELDING) is is_yielding for _, box in one.words
    )


def without_covered(
    printed: Sequence[Stamped], boxes: Sequence[Rect], frame: Frame
) -> tuple[Stamped, ...]:
    """Return the printed texts without those covered by boxes of labels or magnifiers; marks without texts left are
    dropped.
    """
    left = [
        Stamped(
            one.mark,
            tuple(word for word in one.words if not any(word[1].overlaps(box) for box in boxes)),
        )
        for one in printed
    ]
    return _all_or_none(left, frame)


def fallback(marks: Sequence[DrawnMark], printed: Sequence[Stamped]) -> tuple[Label, ...]:
    """Return the fallback labels of the marks of which not all texts are printed."""
    whole = {one.mark.id for one in printed if len(one.words) == len(one.mark.words)}
    return tuple(
        mark.instead
        for mark in marks
        if isinstance(mark, Printed) and mark.instead is not None and mark.id not in whole
    )


def _ways(marks: Sequence[DrawnMark], frame: Frame) -> shapely.Geometry:
    """Return the paths on a panel as one geometry, in inches on the panel."""
    lines = [
        line for mark in marks if mark.role.partition(".")[0] in WAYS for line in mark.polylines()
    ]
    return shapely.union_all(
        [shapely.LineString([frame.to_panel(point) for point in line]) for line in lines]
    )


def _standing(marks: Sequence[DrawnMark], frame: Frame) -> shapely.Geometry:
    """Return the area of units in hexes as one geometry, in inches on the panel."""
    rings = [
        ring
        for mark in marks
        if isinstance(mark, Rings) and mark.role.startswith("standing.")
        for ring in mark.rings
    ]
    return shapely.union_all([_region(ring, frame) for ring in rings])


def _is_open(box: Rect, standing: shapely.Geometry) -> bool:
    """Return whether units leave most of a box visible."""
    place = shapely.box(*box.sides)
    return bool(shapely.area(shapely.intersection(standing, place)) <= HIDDEN * shapely.area(place))


def _box(word: str, at: Point, role: str, frame: Frame) -> Rect:
    wide, high = _extent(word, role)
    return Rect.about(frame.to_panel(at), wide / 2, high / 2).grown(AIR)


def _extent(word: str, role: str) -> Point:
    size, typeface, _ = face(role)
    return (text.drawn_width(word, size, typeface=typeface), text.DIGIT * size * text.POINT_SIZE)


def _is_inside(box: Rect, frame: Frame) -> bool:
    return (
        box.west >= 0.0
        and box.south >= 0.0
        and box.east <= frame.width
        and box.north <= frame.height
    )


# Magnifiers: placed near what they magnify, where they cover least.


@dataclass(frozen=True)
class Lens:
    """A placed magnifier: its centre and half its side, in inches on the panel."""

    mark: Magnifier
    at: Point
    radius: float

    @property
    def box(self) -> Rect:
        """Square that the magnifier covers."""
        return Rect.about(self.at, self.radius, self.radius)


def lenses(marks: Sequence[DrawnMark], frame: Frame, ink: Ink) -> tuple[Lens, ...]:
    """Return a panel's magnifiers at their positions; those without room near what they magnify are left out."""
    made: list[Lens] = []
    for mark in marks:
        if isinstance(mark, Magnifier):
            lens = _placed_lens(mark, frame, ink, made)
            made += [lens] if lens is not None else []
    return tuple(made)


def _placed_lens(mark: Magnifier, frame: Frame, ink: Ink, others: Sequence[Lens]) -> Lens | None:
    radius = min(
        max(mark.radius * mark.factor * frame.scale, LEAST_RADIUS),
        MOST_SHARE * min(frame.width, frame.height),
    )
    edge = radius + APART
    spot = frame.to_panel(mark.centre)
    xs = np.arange(edge, frame.width - edge, LENS_STEP)
    ys = np.arange(edge, frame.height - edge, LENS_STEP)
    centres = np.array(np.meshgrid(xs, ys)).reshape(2, -1).T
    far = np.hypot(*(centres - spot).T)
    free = far >= radius + 2 * APART
    for other in others:
        free &= np.hypot(*(centres - other.at).T) >= radius + other.radius + APART
    if not free.any():
        return None
    centres = centres[free]
    far = far[free]
    costs = ink.under(centres, np.array([radius, radius])) + AWAY * far
    x, y = centres[int(np.argmin(costs))].tolist()
    return Lens(mark, (x, y), radius)
