"""Side view along the path of a charge, where a vertical distance decides: climbs, floors, levels of hexes.

The path is unrolled: x is the distance along it as seen from above, y the height, both in inches.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import shapely

from plots.marks.board import levels_of, looks_of
from plots.marks.faults import broken_findings
from plots.marks.mark import (
    MIN_LENGTH,
    Arrows,
    DimensionLine,
    DrawnMark,
    Label,
    Lines,
    Points,
    Rings,
    identifier,
    part_of,
    points_along,
    with_distinct_ids,
)
from plots.marks.panels import Panel
from plots.marks.section import Rect
from plots.marks.styles import HIGHEST, LOWEST, SHADED, SLABS
from plots.marks.units import UnitStyle
from tabletop.geometry.pose import Point
from tabletop.language.language import current_language
from tabletop.ruling.charge import Step, is_moving
from tabletop.ruling.evidence import Mark
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.table.hexes import HexBoard
from tabletop.table.hexes import number as hex_number
from tabletop.table.models import Model, Squad
from tabletop.table.state import State, Terrain

SIDE_PANEL = "side"

THICK, ROOM, BELOW, ABOVE, BESIDE, SAME = 0.22, 1.2, 0.7, 1.5, 0.55, 0.02
"""Sizes in table inches: thickness of a base; margins before, behind, below and above; distance of a height's dimension
line from the last model; greatest difference between a measured and a drawn length."""

PASSED_OVER = tuple(look for look in SHADED if look != "wall")
"""Kinds of terrain that paths cross whatever their height. Walls are not among them: some paths go through."""

RISE, TALL, WIDE, DEEP = 0.4, 0.62, 0.62, 0.45
"""Sizes in multiples of a hex's width: a level, a model's height and width, and the ground below the lowest level."""


@dataclass(frozen=True)
class _ModelAside:
    """A model in the side view: its position along the path, height above ground and half width in inches, unit name
    and role.
    """

    at: float
    z: float
    half: float
    name: str
    role: str

    @property
    def ring(self) -> Points:
        """Rectangle of the base as seen from the side."""
        west = self.at - self.half
        east = self.at + self.half
        top = self.z + THICK
        return ((west, self.z), (east, self.z), (east, top), (west, top))

    @property
    def spots(self) -> Points:
        """Positions for its unit's name, the first preferred."""
        return (
            (self.at, self.z + THICK),
            (self.at - self.half, self.z + THICK),
            (self.at + self.half, self.z + THICK),
        )


def side_panel(resolution: Resolution, judgement: Judgement | None = None) -> Panel | None:
    """Return the side view of the first charge on a path with several heights or hex levels; None if there is none.

    For a claim by which a base reaches over an edge, the view turns at its end towards that edge.
    """
    looks = looks_of(resolution.before)
    marks = (one.mark or Mark() for one in broken_findings(judgement))
    hanging = next((mark for mark in marks if mark.areas and mark.at is None), Mark())
    for ruling in resolution.rulings:
        if isinstance(resolution.before.board, HexBoard):
            panel = _over_hexes(ruling, resolution, looks)
        else:
            panel = _over_table(ruling, resolution.before, looks, hanging)
        if panel is not None:
            return panel
    return None


def _over_table(
    ruling: Ruling, state: State[Any], looks: dict[str, UnitStyle], hanging: Mark
) -> Panel | None:
    """Return the side view of the path that climbs most, or of the line to the target if nobody moves; None if all is
    level.

    With the mark of a base of the charger that reaches over an edge, it is that of its path, and of the edge in place
    of the target.
    """
    language = current_language()
    charger = state.units.get(ruling.charge.charger)
    targets = [
        unit for name in ruling.charge.targets if isinstance(unit := state.units.get(name), Squad)
    ]
    if (
        not isinstance(charger, Squad)
        or not charger.models
        or not any(target.models for target in targets)
    ):
        return None
    over = hanging.models.get(charger.name, ())
    steps = [
        step
        for step in ruling.steps
        if step.unit == charger.name and len(step.path) > 1 and (not over or step.model in over)
    ]
    step = max(steps, key=_climbed, default=None)
    mover = next(
        (model for model in charger.models if step is not None and model.number == step.model),
        charger.models[0],
    )
    way = [(*mover.pose.at, mover.z)] if step is None else list(step.path)
    name, target = _nearest(targets, way[-1])
    spots = [spot for place, spot in enumerate(way) if place == 0 or spot != way[place - 1]]
    heights = {round(z, 6) for _, _, z in (*spots, (*target.pose.at, target.z))}
    if len(heights) == 1:
        return None
    last = _outwards(spots[-1][:2], hanging, _half(mover)) if over else target.pose.at
    plan = _distinct([*((x, y) for x, y, _ in spots), last])
    everybody = _bodies(charger.name, mover, (name, target), spots, plan, looks)
    bodies = everybody[: -1 if over else None]
    ground = _terrain(state, plan)
    tops = [
        (cut, piece.height)
        for piece, cuts in _cut_pieces(state, plan)
        if language.ground(piece.kind) in PASSED_OVER
        for cut in cuts
    ]
    marks = (
        *ground,
        *_way(charger.name, _lifted(_stretched(spots), tops), step, looks),
        *_drawn(bodies),
        *_heights(ruling, bodies, plan, heights),
        *(_overhang(bodies[-1], state, plan, hanging.words) if over else ()),
    )
    # all bodies, and terrain under the path raised to the path
    line = shapely.LineString(plan)
    crossed = [
        piece.height or 0.0
        for piece in state.terrain
        if shapely.intersects(line, shapely.Polygon(piece.shape.outline()))
    ]
    high = max([body.z for body in bodies] + crossed)
    west = min(body.at - body.half for body in everybody)
    east = max(body.at + body.half for body in everybody)
    section = Rect(west - ROOM, -BELOW, east + ROOM + BESIDE, high + ABOVE)
    return _panel(language.words["panel.side_view"], marks, section)


def _outwards(centre: Point, hanging: Mark, half: float) -> Point:
    """Return the point `half` inches from a base's centre towards the part of it that reaches over an edge."""
    x, y = centre
    middle = shapely.union_all([area.core for area in hanging.areas]).centroid
    far = math.dist(centre, (middle.x, middle.y))
    return (x + half * (middle.x - x) / far, y + half * (middle.y - y) / far)


def _overhang(
    body: _ModelAside, state: State[Any], plan: Sequence[Point], words: str
) -> Iterator[DrawnMark]:
    """Yield the marks of the part of a base that reaches over the edge of what it stands on."""
    below = (
        cut for piece, cuts in _cut_pieces(state, plan) for cut in cuts if piece.height == body.z
    )
    for low, edge in below:
        if low <= body.at <= edge:
            line = ((edge, body.z), (body.at + body.half, body.z))
            yield from part_of(
                "fault",
                [
                    Lines("overhang", "fault", (line,)),
                    Label("overhang.label", "strong", words, line[1:], rank=3),
                ],
            )
            return


def _climbed(step: Step) -> float:
    heights = [z for _, _, z in step.path]
    return max(heights) - min(heights)


def _nearest(targets: Sequence[Squad], spot: tuple[float, float, float]) -> tuple[str, Model]:
    """Return unit name and model of the targets' model nearest to a point (x, y, z)."""
    models = [(target.name, model) for target in targets for model in target.models]
    return min(models, key=lambda one: math.dist((*one[1].pose.at, one[1].z), spot))


def _distinct(plan: Sequence[Point]) -> list[Point]:
    return [
        spot
        for place, spot in enumerate(plan)
        if place == 0 or math.dist(spot, plan[place - 1]) > MIN_LENGTH
    ]


def _stretched(spots: Sequence[tuple[float, float, float]]) -> Points:
    """Return a path of (x, y, z) as points (distance along it seen from above, height), in inches."""
    made = [(0.0, spots[0][2])]
    run = 0.0
    for start, end in pairwise(spots):
        run += math.dist(start[:2], end[:2])
        made.append((run, end[2]))
    return tuple(made)


def _lifted(profile: Points, tops: Sequence[tuple[tuple[float, float], float]]) -> Points:
    """Return the unrolled path raised to the tops of obstacles, given as ((start, end), height): it passes over
    them.
    """
    made = [profile[0]]
    for (x, z), (next_x, next_z) in pairwise(profile):
        slope = (next_z - z) / (next_x - x) if next_x > x else 0.0
        crossed = [x + (top - z) / slope for _, top in tops] if slope else []
        breaks = sorted(
            {
                x,
                next_x,
                *(
                    spot
                    for spot in (*crossed, *(end for cut, _ in tops for end in cut))
                    if x < spot < next_x
                ),
            }
        )
        for start, end in pairwise(breaks if next_x > x else (x, x)):
            middle = (start + end) / 2
            ends = (z + slope * (start - x), z + slope * (end - x)) if next_x > x else (z, next_z)
            high = max((top for (west, east), top in tops if west < middle < east), default=0.0)
            made += [(start, max(ends[0], high)), (end, max(ends[1], high))]
    return tuple(_distinct(made))


def _bodies(
    name: str,
    mover: Model,
    charged: tuple[str, Model],
    spots: Sequence[tuple[float, float, float]],
    plan: Sequence[Point],
    looks: dict[str, UnitStyle],
) -> list[_ModelAside]:
    """Return the moving model at its start (dashed if it moves) and its end, and the target's model at the end of the
    path.
    """
    tone = looks[name].tone
    profile = _stretched(spots)
    first = _ModelAside(
        0.0, mover.z, _half(mover), name, f"{'start' if len(profile) > 1 else 'loose'}.{tone}"
    )
    last = (
        [_ModelAside(*profile[-1], _half(mover), name, f"loose.{tone}")] if len(profile) > 1 else []
    )
    length = sum(math.dist(*leg) for leg in pairwise(plan))
    target = _ModelAside(
        length, charged[1].z, _half(charged[1]), charged[0], f"loose.{looks[charged[0]].tone}"
    )
    return [first, *last, target]


def _half(model: Model) -> float:
    west, south, east, north = model.footprint.bounds
    return (east - west + north - south) / 4


def _way(
    name: str, profile: Points, step: Step | None, looks: dict[str, UnitStyle]
) -> Iterator[DrawnMark]:
    """Yield the marks of the path, with its length as label unless part of the climb is free, as the drawing is then
    longer.
    """
    line = tuple((x, z + THICK / 2) for x, z in profile)
    if len(line) < 2 or step is None:  # noqa: PLR2004
        return
    marks: list[DrawnMark] = [Arrows("", f"path.{looks[name].tone}", (line,))]
    if (
        step.length is not None
        and abs(sum(math.dist(*leg) for leg in pairwise(line)) - step.length) <= SAME
    ):
        longest = sorted(pairwise(line), key=lambda leg: -math.dist(*leg))
        places = tuple(spot for leg in longest for spot in points_along(*leg))
        marks.append(
            Label("label", "text", current_language().measure(step.length, "in"), places, rank=4)
        )
    yield from part_of(identifier("path", name), marks)


def _drawn(bodies: Sequence[_ModelAside]) -> Iterator[DrawnMark]:
    """Yield the marks of the bodies, each unit named once, at its final position."""
    for place, body in enumerate(bodies):
        marks: list[DrawnMark] = [Rings("", body.role, (body.ring,))]
        if body.name not in [other.name for other in bodies[place + 1 :]]:
            tone = body.role.rpartition(".")[2]
            marks.append(Label("label", f"name.{tone}", body.name, body.spots, rank=2))
        yield from part_of(identifier("unit", body.name), marks)


def _terrain(state: State[Any], plan: Sequence[Point]) -> Iterator[DrawnMark]:
    """Yield the marks of the ground and of terrain cut along the path, extended straight at both ends."""
    language = current_language()
    yield Lines(
        "ground",
        "ground",
        (((-4 * ROOM, 0.0), (sum(math.dist(*leg) for leg in pairwise(plan)) + 4 * ROOM, 0.0)),),
    )
    for piece, cuts in _cut_pieces(state, plan):
        for place, (west, east) in enumerate(cuts):
            low = max(0.0, piece.height - THICK) if language.ground(piece.kind) in SLABS else 0.0
            ring = ((west, low), (east, low), (east, piece.height), (west, piece.height))
            body = Rings("", f"terrain.{language.ground(piece.kind)}.{piece.kind}", (ring,))
            spots: Points = (
                ((west + east) / 2, (low + piece.height) / 2),
                (east, low),
                (west, piece.height),
            )
            label = Label("label", "text", piece.name, spots, rank=6, home=ring)
            yield from part_of(identifier("terrain", piece.name, str(place + 1)), [body, label])


def _cut_pieces(
    state: State[Any], plan: Sequence[Point]
) -> Iterator[tuple[Terrain, list[tuple[float, float]]]]:
    """Yield pieces of terrain that have a height, each with the intervals (start, end) of the unrolled path over it."""
    for piece in state.terrain:
        if piece.height:
            yield piece, _cuts(plan, shapely.Polygon(piece.shape.outline()))


def _cuts(plan: Sequence[Point], region: shapely.Geometry) -> list[tuple[float, float]]:
    """Return the intervals (start, end) of the unrolled path over a region, in inches; touching intervals are
    merged.
    """
    legs = [*pairwise(plan)]
    run = 0.0
    found = []
    for place, (start, end) in enumerate(legs):
        length = math.dist(start, end)
        ahead = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
        before = 4 * ROOM if place == 0 else 0.0
        behind = 4 * ROOM if place == len(legs) - 1 else 0.0
        ends = [
            (start[0] + share * ahead[0], start[1] + share * ahead[1])
            for share in (-before, length + behind)
        ]
        for part in shapely.get_parts(shapely.intersection(shapely.LineString(ends), region)):
            reach = [
                (x - start[0]) * ahead[0] + (y - start[1]) * ahead[1]
                for x, y in shapely.get_coordinates(part).tolist()
            ]
            if len(reach) > 1 and max(reach) - min(reach) > MIN_LENGTH:
                found.append((run + min(reach), run + max(reach)))
        run += length
    joined: list[tuple[float, float]] = []
    for low, high in sorted(found):
        if joined and low <= joined[-1][1] + SAME:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return joined


def _heights(
    ruling: Ruling, bodies: Sequence[_ModelAside], plan: Sequence[Point], heights: set[float]
) -> Iterator[DrawnMark]:
    """Yield dimension lines of the height climbed, and of measured lengths that the unrolled path shows at true
    length.
    """
    low = min(heights)
    high = max(heights)
    east = max(body.at + body.half for body in bodies) + BESIDE
    yield from _dimension(
        1, ((east, low), (east, high)), current_language().measure(high - low, "in")
    )
    for place, one in enumerate(
        dimension for dimension in ruling.evidence.dimensions if dimension.stage == "before"
    ):
        reach = [
            float(shapely.LineString(plan).project(shapely.Point(point)))
            for point in (one.start, one.end)
        ]
        if abs(abs(reach[1] - reach[0]) - math.dist(one.start, one.end)) <= SAME:
            ends = ((reach[0], bodies[0].z), (reach[1], bodies[-1].z))
            yield from _dimension(place + 2, ends, one.label)


def _dimension(number: int, ends: tuple[Point, Point], words: str) -> tuple[DrawnMark, ...]:
    line = DimensionLine("", "dimension", *ends)
    label = Label("label", "text", words, points_along(*ends), rank=3)
    return part_of(f"dimension.{number}", [line, label])


def _panel(heading: str, marks: Sequence[DrawnMark], section: Rect) -> Panel:
    """Return the panel of a side view: its marks over a section filled with the table's colour."""
    backdrop = Rings("backdrop", "backdrop", (section.corners,))
    return Panel(
        SIDE_PANEL,
        heading,
        "",
        with_distinct_ids((backdrop, *marks), SIDE_PANEL),
        section,
        is_table=False,
    )


def _over_hexes(
    ruling: Ruling, resolution: Resolution, looks: dict[str, UnitStyle]
) -> Panel | None:
    """Return the side view of a charge's hexes, as columns as high as their levels; None if all levels are equal."""
    state = resolution.before
    board = resolution.before.board
    if not isinstance(board, HexBoard) or ruling.charge.charger not in state.units:
        return None
    # hexes crossed by charger and target, each once, then the target's
    charger = state.units[ruling.charge.charger]
    moves = [step for step in ruling.steps if is_moving(step) and step.end is not None]
    own = [step.end.at for step in moves if step.unit == charger.name and step.end is not None]
    stood = [state.units[name].pose.at for name in ruling.charge.targets if name in state.units]
    others = [step.end.at for step in moves if step.unit != charger.name and step.end is not None]
    centres = list(dict.fromkeys([charger.pose.at, *own, *stood, *others]))
    levels = levels_of(state.hex_terrain)
    tops = [levels.get(board.hex_at(centre), 0) for centre in centres]
    if len(set(tops)) < 2:  # noqa: PLR2004 - all alike
        return None
    flats = board.hex_inches
    places = dict(zip(centres, _stretched([(*centre, 0.0) for centre in centres]), strict=True))
    stands = {
        centre: (places[centre][0], top * RISE * flats)
        for centre, top in zip(centres, tops, strict=True)
    }
    marks = [
        *_columns(board, stands, tops),
        *_standing(ruling, state, stands, flats, looks),
        *_pushed(ruling, stands, flats, looks),
    ]
    low, high = (RISE * flats * level for level in (min(tops), max(tops)))
    section = Rect(
        -0.9 * flats,
        low - DEEP * flats,
        max(x for x, _ in stands.values()) + 0.9 * flats,
        high + 1.5 * TALL * flats,
    )
    return _panel(current_language().words["panel.side_levels"], marks, section)


def _columns(
    board: HexBoard, stands: dict[Point, tuple[float, float]], tops: Sequence[int]
) -> Iterator[DrawnMark]:
    flats = board.hex_inches
    low = RISE * board.hex_inches * min(tops) - DEEP * board.hex_inches
    for (centre, (x, top)), level in zip(stands.items(), tops, strict=True):
        place = hex_number(board.hex_at(centre))
        ring = (
            (x - flats / 2, low),
            (x + flats / 2, low),
            (x + flats / 2, top),
            (x - flats / 2, top),
        )
        column = Rings("", f"level.{min(max(level, LOWEST), HIGHEST)}", (ring,))
        yield from part_of(
            f"hex.{place}",
            [
                column,
                Label("label", "arc_name", place, ((x, low + 0.2 * flats),), rank=5, home=ring),
            ],
        )


def _standing(
    ruling: Ruling,
    state: State[Any],
    stands: dict[Point, tuple[float, float]],
    flats: float,
    looks: dict[str, UnitStyle],
) -> Iterator[DrawnMark]:
    for name in (ruling.charge.charger, *ruling.charge.targets):
        unit = state.units.get(name)
        if unit is not None and unit.pose.at in stands:
            x, z = stands[unit.pose.at]
            half = WIDE * flats / 2
            tone = looks[name].tone
            ring = (
                (x - half, z),
                (x + half, z),
                (x + half, z + TALL * flats),
                (x - half, z + TALL * flats),
            )
            label = Label(
                "label", f"name.{tone}", name, ((x, z + TALL * flats / 2),), rank=2, home=ring
            )
            yield from part_of(
                identifier("unit", name), [Rings("", f"standing.{tone}", (ring,)), label]
            )


def _pushed(
    ruling: Ruling,
    stands: dict[Point, tuple[float, float]],
    flats: float,
    looks: dict[str, UnitStyle],
) -> Iterator[DrawnMark]:
    """Yield an arrow for each step from hex to hex, at half a model's height."""
    for place, step in enumerate(ruling.steps):
        known = (
            step.start is not None
            and step.end is not None
            and step.start.at in stands
            and step.end.at in stands
        )
        if (
            known
            and step.start is not None
            and step.end is not None
            and step.start.at != step.end.at
            and step.unit in looks
        ):
            ends = [
                (x, z + TALL * flats / 2) for x, z in (stands[step.start.at], stands[step.end.at])
            ]
            shift = math.copysign(WIDE * flats / 2, ends[1][0] - ends[0][0])
            line = ((ends[0][0] + shift, ends[0][1]), (ends[1][0] - shift / 2, ends[1][1]))
            yield Arrows(
                f"path.{place + 1}",
                f"{current_language().step(step).role}.{looks[step.unit].tone}",
                (line,),
            )
