"""Ways of many models that cross each other: of each only its end is drawn, and in the place to which it leads the model's number."""

from collections.abc import Collection, Mapping
from itertools import combinations

import shapely
import shapely.ops

from plots.marks.mark import Points, points
from plots.marks.squads import FREE, across
from tabletop.geometry.pose import Point
from tabletop.table.squad import Squad

FEW = 4
"""Ways up to which each is drawn whole, with its length."""
ENDS = (1.5, 1.25, 1.0, 0.75, 0.5)
"""Inches of a way that are left of it, as many as keep clear of other ways and places; the last if none do."""
SIDES = 24
"""Sides of the polygon that a base is taken as."""


def are_tangled(ways: Collection[Points]) -> bool:
    """Tell whether ways are more than a few and some of them meet."""
    tracks = [shapely.LineString(way) for way in ways]
    return len(tracks) > FEW and any(one.intersects(other) for one, other in combinations(tracks, 2))


def ends_of(ways: Mapping[int, Points], squad: Squad) -> tuple[Points, ...]:
    """Give the ends of the ways of models, by number, up to the edges of their bases: as long as none meets another or a base."""
    standing = {model.number: shapely.Polygon(model.footprint.outline(SIDES)) for model in squad.models}
    radii = {model.number: across(model) / 2 for model in squad.models if model.number in ways}
    places = {number: shapely.Point(ways[number][-1]).buffer(radius) for number, radius in radii.items()}
    cut = {number: _end(ways[number], ENDS[-1], radius) for number, radius in radii.items()}
    for number, radius in radii.items():
        others = [mark for other in radii if other != number for mark in (cut[other], places[other])]
        others += [base for other, base in standing.items() if other != number]
        longer = (_end(ways[number], left, radius) for left in ENDS)
        cut[number] = next((end for end in longer if not any(end.intersects(other) for other in others)), cut[number])
    return tuple(points(shapely.get_coordinates(end)) for end in cut.values())


def _end(way: Points, left: float, radius: float) -> shapely.Geometry:
    """Give the last inches of a way before the edge of the base that it brings to its place; half of a way that ends before."""
    track = shapely.LineString(way)
    last = track.length - min(radius, track.length / 2)
    return shapely.ops.substring(track, max(0.0, last - left), last)


def place_words(ways: Mapping[int, Points], squad: Squad) -> tuple[tuple[Point, str, float], ...]:
    """Give where the numbers of models stand in the places to which their ways lead, and the inches across that each has."""
    return tuple((ways[model.number][-1], str(model.number), FREE * across(model)) for model in squad.models if model.number in ways)
