"""Random tables, the same for the same number: open, crowded, square to the board with flush bodies, marched, among
friends.
"""

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import shapely

from tabletop.geometry.pose import Point
from tabletop.ruling.system import Case
from tests.tables import Entry, read, scenario, unit

BASES = ("50.8x50.8mm", "54x54mm", "54x54mm", "54x108mm", "110x110mm")
APART = 0.02
"""Inches between bodies at the start, at least, unless they are put flush against each other."""
CHOICES: dict[str, Sequence[object]] = {
    "wheel_policy": ("least-turn", "widest-turn"),
    "clearance": (0.01, 0.1),
    "overlap": (0.1, 0.5),
    "reach": ("roll-decides",),
    "facing_tie": ("flank-first",),
    "facing_out_of_reach": ("fail",),
    "push": ("most-stands",),
    "align_sweep": ("final",),
    "deadlock": ("touch",),
    "failed_direction": ("ahead",),
    "failed_impassable": ("contact",),
    "mired_broken": ("charger",),
}


class Scene:
    """A table that is being set up."""

    def __init__(self, number: int) -> None:
        self.dice = random.Random(number)  # noqa: S311 - scenes, not secrets
        self.is_square = number % 3 == 0
        self.board = (72.0, 48.0) if number % 4 else (26.0, 26.0)
        self.middle = (36.0, 24.0) if number % 4 else (13.0, 9.0)
        self.units: dict[str, Entry] = {}
        self.terrain: list[Entry] = []
        self.bodies: list[shapely.Geometry] = []

    def angle(self, *, near: float | None = None) -> float:
        """Pick a facing in degrees, near a direction if one is given."""
        if near is None:
            return (
                self.dice.choice((0.0, 90.0, 180.0, 270.0))
                if self.is_square
                else self.dice.uniform(0.0, 360.0)
            )
        turned = near + self.dice.gauss(0.0, 22.0)
        return 90.0 * round(near / 90.0) if self.is_square else turned

    def spot(self, point: Point) -> Point:
        """Return a point rounded to half inches if everything is square."""
        return (round(2 * point[0]) / 2, round(2 * point[1]) / 2) if self.is_square else point

    def fits(self, body: shapely.Geometry, *, apart: float = APART) -> bool:
        """Return whether a body lies on the board and apart from all others."""
        if not shapely.box(0.0, 0.0, *self.board).buffer(1e-9).covers(body):
            return False
        if apart > 0.0:
            return all(body.distance(other) >= apart for other in self.bodies)
        return all(body.intersection(other).area < 1e-9 for other in self.bodies)

    def add_unit(self, name: str, entry: Entry, *, apart: float = APART) -> bool:
        """Add a regiment if there is room for it."""
        body = outline(entry)
        if not self.fits(body, apart=apart):
            return False
        self.units[name] = entry
        self.bodies.append(body)
        return True

    def add_terrain(self, entry: Entry, *, apart: float = APART) -> bool:
        """Add a piece of terrain if there is room for it; what is not solid always has room."""
        body = shape(entry)
        if entry["kind"] in ("impassable", "garrison"):
            if not self.fits(body, apart=apart):
                return False
            self.bodies.append(body)
        self.terrain.append(entry)
        return True

    def block(self, at: Point, facing: float, *, side: str) -> Entry:
        """Make a regiment."""
        files = self.dice.randint(1, 4)
        stands = files * self.dice.randint(1, 2) + self.dice.choice(
            (0, 0, self.dice.randint(0, files))
        )
        base = "50.8x50.8mm" if self.is_square else self.dice.choice(BASES)
        return unit(
            at, facing, files, side=side, stands=stands, base=base, size=self.dice.randint(0, 3)
        )

    def near(self) -> Point:
        """Pick a point between charger and target or beside them."""
        share = self.dice.uniform(-0.2, 1.2)
        ax, ay = self.units["A"]["at"]
        bx, by = self.middle
        return self.spot(
            (
                ax + share * (bx - ax) + self.dice.gauss(0, 3.5),
                ay + share * (by - ay) + self.dice.gauss(0, 3.5),
            )
        )


def outline(entry: Entry) -> shapely.Geometry:
    """Return the frame of a regiment of the file."""
    base = [float(part) / 25.4 for part in entry["base"].removesuffix("mm").split("x")]
    width = entry["files"] * base[0]
    depth = math.ceil(entry["stands"] / entry["files"]) * base[1]
    return shapely.Polygon(
        local(entry, [(-width / 2, 0), (width / 2, 0), (width / 2, -depth), (-width / 2, -depth)])
    )


def local(entry: Entry, points: Sequence[Point]) -> list[Point]:
    """Return table points of points to the right and ahead of a regiment's front middle."""
    facing = math.radians(entry["facing_deg"])
    x, y = entry["at"]
    cos = math.cos(facing)
    sin = math.sin(facing)
    return [
        (x + right * sin + ahead * cos, y - right * cos + ahead * sin) for right, ahead in points
    ]


def shape(entry: Entry) -> shapely.Geometry:
    """Return the shape of a piece of terrain of the file."""
    if "circle" in entry:
        return shapely.Point(entry["circle"]["centre"]).buffer(entry["circle"]["radius"])
    return shapely.Polygon(entry["polygon"])


def random_case(number: int) -> Case:
    """Read the scene of a number."""
    return read(random_scenario(number))


def random_scenario(number: int) -> Entry:
    """Write the scene of a number: one charge of B by A among two to eight others."""
    scene = Scene(number)
    dice = scene.dice
    _target(scene)
    _charger(scene)
    first = dice.choice(((), (), (), (_neighbour, _neighbour), (_before,), (_before, _neighbour)))
    for index in range(dice.randint(2, 8)):
        for _ in range(20):
            if (first[index] if index < len(first) else dice.choice(MAKERS))(scene, f"N{index}"):
                break
    rules: dict[str, Any] = (
        {key: dice.choice(list(values)) for key, values in CHOICES.items() if dice.random() < 0.12}
        if dice.random() < 0.4
        else {}
    )
    marched = round(dice.uniform(0.0, 4.0), 1) if dice.random() < 0.15 else 0.0
    charge = {"marched": marched} if marched and _can_have_marched(scene, marched) else {}
    faces = [dice.choice((1, 2, 3, 4, 5, 6, 6, 6))]
    return scenario(
        scene.units, scene.terrain, dice=faces, board=scene.board, charge=charge, **rules
    )


def _can_have_marched(scene: Scene, marched: float) -> bool:
    """Return whether the charger may have come from so far behind: on the board, and through friends at most."""
    entry = scene.units["A"]
    before = {**entry, "at": list(local(entry, [(0.0, -marched)])[0])}
    way = shapely.union(outline(before), outline(entry)).convex_hull
    others = [
        outline(other)
        for name, other in scene.units.items()
        if name != "A" and other["side"] == "red"
    ]
    solid = [shape(piece) for piece in scene.terrain if piece["kind"] in ("impassable", "garrison")]
    return shapely.box(0.0, 0.0, *scene.board).covers(way) and all(
        way.distance(other) > APART for other in (*others, *solid)
    )


def _target(scene: Scene) -> None:
    is_garrison = scene.dice.random() < 0.12
    while not scene.bodies:
        if is_garrison:
            scene.add_terrain(
                _polygon(scene, "B", "garrison", scene.middle, scene.dice.uniform(1.5, 3.0))
            )
        else:
            scene.add_unit("B", scene.block(scene.middle, scene.angle(), side="red"))


def _charger(scene: Scene) -> None:
    dice = scene.dice
    centre = scene.bodies[0].centroid
    while True:
        bearing = math.radians(dice.choice((0, 90, 180, 270)) + dice.gauss(0, 25))
        away = dice.uniform(3.0, 10.0)
        at = scene.spot((centre.x + away * math.cos(bearing), centre.y + away * math.sin(bearing)))
        entry = scene.block(at, scene.angle(near=math.degrees(bearing) + 180.0), side="blue")
        entry["profile"] |= {
            "march": dice.choice((2, 4, 5, 7.5)),
            "size": dice.choice((1, 3, 5, 5)),
            "impact": dice.random() < 0.2,
        }
        if scene.add_unit("A", entry):
            return


def _enemy(scene: Scene, name: str) -> bool:
    return scene.add_unit(
        name,
        scene.block(scene.near(), scene.angle(), side="red"),
        apart=0.0 if scene.is_square else APART,
    )


def _friend(scene: Scene, name: str) -> bool:
    return scene.add_unit(
        name,
        scene.block(scene.near(), scene.angle(), side="blue"),
        apart=0.0 if scene.is_square else APART,
    )


def _neighbour(scene: Scene, name: str) -> bool:
    """Add an enemy in line with the target or at its corner, at a gap that may be none."""
    if "B" not in scene.units:
        return False
    goal = scene.units["B"]
    dice = scene.dice
    entry = scene.block((0.0, 0.0), goal["facing_deg"], side="red")
    half = (goal["files"] * _width(goal) + entry["files"] * _width(entry)) / 2
    gap = dice.choice((0.0, 0.0, 0.5, 1.0, 2.0))
    ahead = dice.choice((0.0, 0.0, 0.0, 0.005, -0.5, -1.0, 0.5))
    entry["at"] = list(local(goal, [(dice.choice((-1, 1)) * (half + gap), ahead)])[0])
    return scene.add_unit(name, entry, apart=0.0)


def _before(scene: Scene, name: str) -> bool:
    """Add a friend close before the target, so that a charge through it may not get clear."""
    centre = scene.bodies[0].centroid
    ax, ay = scene.units["A"]["at"]
    dice = scene.dice
    share = dice.uniform(0.35, 0.9)
    at = scene.spot((ax + share * (centre.x - ax), ay + share * (centre.y - ay)))
    return scene.add_unit(
        name, scene.block(at, scene.angle(near=scene.units["A"]["facing_deg"]), side="blue")
    )


def _width(entry: Entry) -> float:
    return float(entry["base"].split("x")[0]) / 25.4


def _wall(scene: Scene, name: str) -> bool:
    kind = scene.dice.choice(("impassable", "impassable", "garrison", "forest", "hill", "open"))
    return scene.add_terrain(
        _polygon(scene, name, kind, scene.near(), scene.dice.uniform(0.5, 2.0)),
        apart=0.0 if scene.is_square else APART,
    )


def _pillar(scene: Scene, name: str) -> bool:
    kind = scene.dice.choice(("impassable", "garrison"))
    circle = {"centre": list(scene.near()), "radius": scene.dice.uniform(0.3, 1.5)}
    return scene.add_terrain({"name": name, "kind": kind, "circle": circle})


def _lane(scene: Scene, name: str) -> bool:
    """Add a wall beside the charger's way ahead: flush with its flank, or off it by a little."""
    goal = scene.units["A"]
    dice = scene.dice
    half = goal["files"] * _width(goal) / 2
    off = dice.choice((0.0, 0.0, 0.0005, 0.05, 0.3, 1.0))
    side = dice.choice((-1, 1))
    low = dice.uniform(-1.0, 3.0)
    wide = dice.uniform(0.3, 1.5)
    corners = [
        (side * (half + off), low),
        (side * (half + off + wide), low),
        (side * (half + off + wide), low + 2),
        (side * (half + off), low + 2),
    ]
    return scene.add_terrain(
        {
            "name": name,
            "kind": "impassable",
            "polygon": [list(point) for point in local(goal, corners)],
        },
        apart=0.0,
    )


def _polygon(scene: Scene, name: str, kind: str, at: Point, size: float) -> Entry:
    """Make a triangle, a box, a pentagon or an L."""
    forms = (
        [(0, 0), (2, 0), (0, 1)],
        [(0, 0), (1, 0), (1, 1), (0, 1)],
        [(0, 0), (2, 0), (2, 0.5), (0.5, 0.5), (0.5, 2), (0, 2)],
    )
    house = [(0, 0), (1.5, 0), (2, 1), (0.75, 1.8), (-0.3, 0.9)]
    turn = math.radians(scene.angle())
    cos = math.cos(turn)
    sin = math.sin(turn)
    scale = round(2 * size) / 2 or 0.5 if scene.is_square else size
    corners = [
        [at[0] + scale * (cos * p - sin * q), at[1] + scale * (sin * p + cos * q)]
        for p, q in scene.dice.choice((*forms, house))
    ]
    return {"name": name, "kind": kind, "polygon": corners}


MAKERS: tuple[Callable[[Scene, str], bool], ...] = (
    _enemy,
    _enemy,
    _friend,
    _friend,
    _neighbour,
    _neighbour,
    _wall,
    _wall,
    _pillar,
    _lane,
)
