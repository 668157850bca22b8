"""A charge read into bare arrays: who moves, who is charged, who is to be kept away from, what stands about."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import shapely

from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tabletop.table.models import Formation, Hull, Model, OvalBase, RoundBase, Squad
from tabletop.table.state import State, Terrain
from tests.oracles.wh40k.bodies import Bodies, Floats, Form, joined

FREE_HEIGHT = 2.0
LEVEL = 1e-6
"""Inches: models whose heights differ by no more stand equally high."""
SILL = 0.1
"""Inches: however low a barricade is, nobody ends in it."""


def walked(heights: Floats) -> Floats:
    """Return the heights (n,) that count on the way: what is stepped onto freely is no higher than the table."""
    return np.where(heights <= FREE_HEIGHT + LEVEL, 0.0, heights)


@dataclass(frozen=True)
class Piece:
    """A piece of terrain: `is_climbed` if a model may go over it, `holds` if models may end on its top, `height` in
    inches.
    """

    area: shapely.Polygon
    form: Form
    height: float
    is_climbed: bool = True
    holds: bool = False


@dataclass(frozen=True)
class Readings:
    """How open rules are read, and what the charger is."""

    keeps_out: bool
    """Whether ways keep out of the range of no targets."""
    flies: bool
    flies_level: bool
    """Whether it may be measured through the air from ground to ground."""
    flies_through: bool
    """Whether ways through the air are straight, whatever lies between."""
    flies_only: bool
    """Whether ways that may lead through the air are measured there, steps that cost nothing on foot too."""
    holds_centre: bool
    all_closer: bool
    is_grouped: bool
    pivots: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Table:
    """A charge move of `distance` inches: its models at the start, the targets, the other enemies, the friends and the
    terrain.

    `blocking` is what hinders on the way, `solids` what nobody ends in, `floors` what may be stood on, as may `crates`
    be, which hinder nobody, `barricades` what lengthens engagement, `bodies` whom no way passes through.
    """

    size: tuple[float, float]
    charger: Bodies
    targets: tuple[Bodies, ...]
    others: Bodies
    friends: Bodies
    bodies: Bodies
    solids: tuple[Piece, ...]
    blocking: tuple[Piece, ...]
    floors: tuple[Piece, ...]
    crates: tuple[Piece, ...]
    barricades: tuple[shapely.Polygon, ...]
    readings: Readings
    distance: float

    @property
    def enemies(self) -> Bodies:
        """All models of the other side."""
        return joined([*self.targets, self.others])


def table_of(case: Case, distance: float, *, lost: tuple[int, ...] = ()) -> Table:
    """Read a case's only charge; `lost` are models of the charger that fell before the move."""
    state = case.state
    charge = case.charges[0]
    charger: Squad = state.units[charge.charger].without(lost)
    units = [unit for unit in state.units.values() if unit.name != charger.name]
    enemies = [unit for unit in units if unit.side != charger.side]
    keywords = set(charger.profile.keywords)
    is_body = case.choices.vertical == "body"
    friends = [unit for unit in units if unit.side == charger.side]
    met = (
        []
        if "fly" in keywords
        else [*enemies, *(unit for unit in friends if _is_large(unit) and _is_large(charger))]
    )
    return Table(
        size=(state.board.width, state.board.depth),
        charger=bodies_of(charger, is_body=is_body),
        targets=tuple(bodies_of(state.units[name], is_body=is_body) for name in charge.targets),
        others=joined(
            [
                bodies_of(unit, is_body=is_body)
                for unit in enemies
                if unit.name not in charge.targets
            ]
        ),
        friends=joined([bodies_of(unit, is_body=is_body) for unit in friends]),
        bodies=joined([bodies_of(unit, is_body=is_body) for unit in met]),
        solids=tuple(_solids(state)),
        blocking=tuple(
            piece
            for piece in _solids(state, passes_walls=bool(keywords & {"infantry", "beasts"}))
            if _is_tall(piece)
        ),
        floors=tuple(_floors(state)) if keywords & {"infantry", "beasts", "fly"} else (),
        crates=tuple(_crates(state)),
        barricades=tuple(piece.shape.core for piece in state.terrain if piece.kind == "barricade"),
        readings=_readings(case, charger, keywords),
        distance=distance,
    )


def _readings(case: Case, charger: Squad, keywords: set[str]) -> Readings:
    choices = case.choices
    flies = "fly" in keywords
    return Readings(
        keeps_out=choices.engagement_path == "path" and not (flies and choices.fly_zones == "pass"),
        flies=flies,
        flies_level=flies and choices.fly_ground_to_ground == "air",
        flies_through=choices.fly_path == "straight",
        flies_only=flies and choices.fly_air == "instead",
        holds_centre=choices.support == "centre",
        all_closer=choices.closer_scope == "all",
        is_grouped=choices.single_group,
        pivots=tuple(_pivot(case, charger, model) for model in charger.models),
    )


def _pivot(case: Case, charger: Squad, model: Model) -> float:
    if charger.profile.pivot is not None:
        return float(charger.profile.pivot)
    if isinstance(model.base, RoundBase):
        return float(case.choices.pivot_round)
    keywords = set(charger.profile.keywords)
    is_large = _is_large(charger) and "aircraft" not in keywords
    return float(case.choices.pivot_large if is_large else case.choices.pivot_other)


def _is_large(unit: Squad) -> bool:
    return bool({"monster", "vehicle"} & set(unit.profile.keywords))


def _solids(state: State[Squad], *, passes_walls: bool = False) -> Iterable[Piece]:
    for piece in state.terrain:
        if piece.kind == "impassable":
            yield from (
                Piece(area, _form(area), np.inf, is_climbed=False) for area in _convex(piece)
            )
        elif piece.kind == "barricade":
            yield from (
                Piece(area, _form(area), max(piece.height, SILL)) for area in _convex(piece)
            )
        elif piece.kind == "block" and piece.height > FREE_HEIGHT:
            yield Piece(piece.shape.core, _form(piece.shape.core), piece.height, holds=True)
        elif piece.kind == "wall" and piece.height > FREE_HEIGHT and not passes_walls:
            yield from (Piece(area, _form(area), piece.height) for area in _convex(piece))


def _convex(piece: Terrain) -> Iterable[shapely.Polygon]:
    """Cut a piece that nobody stands on into convex parts, which touch along their edges."""
    core = piece.shape.core
    is_convex = core.convex_hull.area - core.area <= 1e-12 * core.area
    return (core,) if is_convex else shapely.constrained_delaunay_triangles(core).geoms


def _is_tall(piece: Piece) -> bool:
    return piece.height > FREE_HEIGHT


def _floors(state: State[Squad]) -> Iterable[Piece]:
    for piece in state.terrain:
        if piece.kind == "floor" and piece.height > FREE_HEIGHT:
            yield Piece(piece.shape.core, _form(piece.shape.core), piece.height, holds=True)


def _crates(state: State[Squad]) -> Iterable[Piece]:
    for piece in state.terrain:
        if piece.kind == "block" and 0.0 < piece.height <= FREE_HEIGHT:
            yield Piece(piece.shape.core, _form(piece.shape.core), piece.height, holds=True)


def _form(area: shapely.Polygon) -> Form:
    return Form(
        corners=tuple(
            (float(x), float(y))
            for x, y in shapely.get_coordinates(shapely.orient_polygons(area))[:-1]
        )
    )


def bodies_of(unit: Squad, *, is_body: bool = False) -> Bodies:
    """Read a unit's models; `is_body` if their height counts in vertical gaps."""
    rows = np.array(
        [(model.pose.x, model.pose.y, model.z, model.pose.heading) for model in unit.models],
        dtype=np.float64,
    ).reshape(-1, 4)
    tall = float(unit.profile.height) if is_body else 0.0
    return Bodies(
        rows[:, :2], rows[:, 2], rows[:, 3], tuple(form_of(model) for model in unit.models), tall
    )


def form_of(model: Model) -> Form:
    """Read a base or hull; hulls are taken to be convex."""
    base = model.base
    if isinstance(base, RoundBase):
        return Form(radius=base.diameter / 2)
    if isinstance(base, OvalBase):
        return Form(axes=(base.length / 2, base.width / 2))
    if isinstance(base, Hull):
        return Form(corners=tuple(base.points))
    x = base.depth / 2
    y = base.width / 2
    return Form(corners=((x, y), (-x, y), (-x, -y), (x, -y)))


def ends_of(table: Table, place: Formation) -> Bodies:
    """Return the charger's models where a formation has them."""
    poses: tuple[Pose, ...] = place.poses
    headings = np.array([pose.heading for pose in poses])
    return table.charger.at(
        np.array([pose.at for pose in poses]), np.array(place.heights), headings
    )


def within(table: Table, distance: float) -> Table:
    """Return the same charge with another distance in inches."""
    return replace(table, distance=distance)
