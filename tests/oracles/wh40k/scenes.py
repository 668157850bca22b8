"""Random small tables, the same for the same number: one to five chargers, one or two targets, bystanders, a piece of
terrain.

Every kind of base, Fly, barricades, floors and losses to Overwatch come in turn; so do tables on which something only
just fits.
"""

import math
import random
from collections.abc import Sequence
from typing import Any

from tabletop.errors import ScenarioError
from tabletop.ruling.system import Case
from tabletop.scenario.reading import case_from_tables
from tests.systems.wh40k.tables import SHIFT, Spots, piece, placed, table, unit

ROUND = {"25.4mm round": 0.5, "32mm round": 16 / 25.4, "40mm round": 20 / 25.4}
LONG = {
    "60x35mm oval": 30 / 25.4,
    "75x42mm oval": 37.5 / 25.4,
    "25x50mm rectangle": math.hypot(12.5, 25) / 25.4,
}
"""Radii in inches of the discs about bases, by the words of the file."""
HULL = [[1.2, 0.5], [-1.0, 0.7], [-1.0, -0.7], [1.2, -0.5]]
APART = 0.05
ENGAGED = 1.0
FREE = 2.0
"""Inches up to which terrain hinders nobody."""
HEIGHTS = (2.5, 3.0, 4.0)
MIXED_HEIGHTS = (1.0, 1.5, 2.0, 3.0)
"""Some of them are stepped onto freely."""
SIZES = (1, 1, 2, 2, 3, 3, 4, 5)
KINDS = ("none", "none", "wall", "block", "impassable", "barricade", "floor", "top", "top")
"""`top` is a block or a floor that the first target stands on."""
THEMES = ("plain", "plain", "plain", "long", "fly", "fly", "overwatch", "exact")
QUICK_THEMES = tuple(theme for theme in THEMES if theme != "long")
"""Bases that are not round take longer than all else."""
CROWDED_THEMES = ("plain", "plain", "plain", "fly", "overwatch")
CROWDED_KINDS = ("wall", "wall", "block", "impassable", "barricade", "floor")
CHOICES: dict[str, tuple[Any, ...]] = {
    "engagement_path": ("path", "path", "end"),
    "closer_scope": ("moved", "moved", "all"),
    "support": ("full", "full", "centre"),
    "vertical": ("base", "base", "body"),
    "fly_ground_to_ground": ("climb", "air"),
    "fly_zones": ("pass", "avoid"),
    "single_group": (True, True, False),
}
SMALL = (25 / 25.4, 28.5 / 25.4, 32 / 25.4, 40 / 25.4)
"""Diameters in inches of the discs of small units."""
Disc = tuple[float, float, float]


class Scene:
    """A table that is being set up; the charger begins about the origin."""

    def __init__(
        self,
        number: int,
        most: int,
        themes: tuple[str, ...] = THEMES,
        *,
        heights: tuple[float, ...] = HEIGHTS,
    ) -> None:
        self.heights = heights
        self.dice = random.Random(number)  # noqa: S311 - scenes, not secrets
        self.most = most
        self.theme = self.dice.choice(themes)
        self.units: dict[str, dict[str, Any]] = {}
        self.placed: list[Disc] = []
        self.terrain: tuple[dict[str, Any], ...] = ()

    def base(self) -> tuple[dict[str, Any], float]:
        """Pick a base or a hull, with the radius of the disc about it."""
        if self.theme != "long" or self.dice.random() < 0.4:
            name = self.dice.choice(list(ROUND))
            return {"base": name}, ROUND[name]
        facing = {"facing_deg": self.dice.choice((0, 30, 90, 200))}
        name = self.dice.choice([*LONG, "hull"])
        return (
            ({"base": name, **facing}, LONG[name])
            if name in LONG
            else ({"base": None, "hull": HULL, **facing}, 1.3)
        )

    def clump(self, radius: float, count: int, middle: tuple[float, float]) -> Spots:
        """Pick places for up to `count` models close together, clear of all that stands already."""
        clump: Spots = []
        for _ in range(40 * count):
            if len(clump) == count:
                break
            spread = 1.2 * radius * math.sqrt(count)
            spot = (
                middle[0] + self.dice.gauss(0.0, spread),
                middle[1] + self.dice.gauss(0.0, spread),
            )
            if self.is_clear(spot, radius) and (
                not clump or min(math.dist(spot, other) for other in clump) <= 2 * radius + 1.4
            ):
                clump.append(spot)
                self.placed.append((*spot, radius))
        return clump

    def is_clear(self, spot: tuple[float, float], radius: float) -> bool:
        """Return whether a disc is apart from all others, and beyond engagement range of the charger unless it is one
        of it.
        """
        own = len(self.units.get("A", {}).get("at", ()))
        wide = [APART if number >= own else ENGAGED + APART for number in range(len(self.placed))]
        return all(
            math.dist(spot, other[:2]) - other[2] - radius >= least
            for other, least in zip(self.placed, wide, strict=True)
        )

    def add(
        self,
        name: str,
        count: int,
        away: tuple[float, float],
        *,
        near: float,
        wide: float,
        side: str = "red",
    ) -> bool:
        """Add a unit somewhere ahead, `near` radians about the way the charger looks; tell whether there was room."""
        base, radius = self.base()
        angle = near + self.dice.gauss(0.0, wide)
        far = self.dice.uniform(*away)
        candidates = self.clump(radius, count, (far * math.cos(angle), far * math.sin(angle)))
        if candidates:
            self.units[name] = {
                **unit(candidates, side=side, height=self.dice.choice((1, 3))),
                **base,
            }
        return bool(candidates)

    def charger(self, sizes: Sequence[int] = SIZES) -> None:
        """Place the charger about the origin."""
        base, radius = self.base()
        size = self.dice.choice([size for size in sizes if size <= self.most])
        candidates = self.clump(radius, min(size, 2) if self.theme == "long" else size, (0.0, 0.0))
        own = (
            ["fly", self.dice.choice(("infantry", "mounted"))]
            if self.theme == "fly"
            else [self.dice.choice(("infantry", "cavalry"))]
        )
        own += ["vehicle"] if self.theme == "long" and self.dice.random() < 0.3 else []
        self.units["A"] = {
            **unit(candidates, keywords=own, height=self.dice.choice((1, 3))),
            **base,
        }

    def add_piece(self, number: int) -> None:
        """Add one of several pieces of terrain on the way or beside it, if it lies clear of all that stands already."""
        kind = self.dice.choice(CROWDED_KINDS)
        height = self.dice.choice(self.heights)
        x = self.dice.uniform(1.5, 7.5)
        y = self.dice.uniform(-6.0, 6.0)
        size = (
            [0.5, self.dice.uniform(1.0, 4.0)]
            if kind in {"wall", "barricade"}
            else [self.dice.uniform(1.0, 3.0), self.dice.uniform(1.0, 3.0)]
        )
        self.dice.shuffle(size)
        box = (x, y - size[1] / 2, x + size[0], y + size[1] / 2)
        others = [_bounds(one) for one in self.terrain]
        is_free = all(
            box[2] < o[0] or o[2] < box[0] or box[3] < o[1] or o[3] < box[1] for o in others
        )
        if is_free and all(_outside(box, disc) >= APART for disc in self.placed):
            high = self.dice.choice((1.0, 3.0)) if kind == "barricade" else height
            self.terrain = (
                *self.terrain,
                piece(kind, *box, height=high, name=f"{kind.capitalize()} {number}"),
            )

    def stand_up(self) -> None:
        """Place a piece of terrain in the way, or under the first target, clear of all others."""
        kind = self.dice.choice(KINDS)
        height = self.dice.choice(self.heights)
        if kind == "top":
            held_by = self.dice.choice(("block", "floor"))
            self.raise_target("block" if height <= FREE else held_by, height)
        elif kind != "none":
            x = self.dice.uniform(1.5, 4.5)
            y = self.dice.uniform(-2.0, 2.0)
            is_thin = kind in {"wall", "barricade"}
            size = (
                (0.5, self.dice.uniform(2.0, 5.0))
                if is_thin
                else (self.dice.uniform(1.0, 3.0), self.dice.uniform(1.0, 3.0))
            )
            box = (x, y - size[1] / 2, x + size[0], y + size[1] / 2)
            if kind == "floor" or all(_outside(box, disc) >= APART for disc in self.placed):
                high = self.dice.choice((1.0, 3.0)) if kind == "barricade" else height
                self.terrain = (piece(kind, *box, height=high),)

    def raise_target(self, kind: str, height: float) -> None:
        """Place the first target on a block or a floor with some room around it, unless a block would swallow another
        unit.
        """
        first = len(self.units["A"]["at"])
        count = len(self.units["T"]["at"])
        discs = self.placed[first : first + count]
        room = discs[0][2] + self.dice.uniform(0.2, 2.0)
        xs = [disc[0] for disc in discs]
        ys = [disc[1] for disc in discs]
        box = (min(xs) - room, min(ys) - room, max(xs) + room, max(ys) + room)
        if height <= FREE or all(
            _outside(box, disc) >= APART for disc in self.placed if disc not in discs
        ):
            self.terrain = (piece(kind, *box, height=height),)
            self.units["T"] = {
                **self.units["T"],
                "at": [[*spot, height] for spot in self.units["T"]["at"]],
            }


def _bounds(one: dict[str, Any]) -> tuple[float, float, float, float]:
    """Return the least and greatest x and y of a rectangular piece about the origin."""
    xs, ys = zip(*one["polygon"], strict=True)
    return min(xs) - SHIFT, min(ys) - SHIFT, max(xs) - SHIFT, max(ys) - SHIFT


def _outside(box: tuple[float, float, float, float], disc: Disc) -> float:
    across = max(box[0] - disc[0], disc[0] - box[2], 0.0)
    along = max(box[1] - disc[1], disc[1] - box[3], 0.0)
    return math.hypot(across, along) - disc[2]


def random_case(
    number: int,
    *,
    most: int = 5,
    themes: tuple[str, ...] = THEMES,
    heights: tuple[float, ...] = HEIGHTS,
) -> Case:
    """Make the table of a number, with at most so many charging models, on one of some themes, terrain of one of some
    heights.
    """
    scene = Scene(number, most, themes, heights=heights)
    if scene.theme == "exact":
        return exact_case(scene.dice)
    dice = scene.dice
    scene.charger()
    while not scene.add("T", dice.randint(1, 3), (3.5, 8.0), near=0.0, wide=0.2):
        pass
    targets: tuple[str, ...] = ("T",)
    if dice.random() < 0.35 and scene.add(
        "U", dice.randint(1, 2), (3.5, 8.0), near=dice.choice((-0.6, 0.6)), wide=0.2
    ):
        targets = ("T", "U")
    for name, side in (("N", "red"), ("M", "red"), ("F", "blue")):
        if dice.random() < 0.45:
            scene.add(name, dice.randint(1, 2), (2.5, 9.0), near=0.0, wide=0.6, side=side)
    scene.stand_up()
    return _case(scene, targets)


def crowded_case(number: int) -> Case:
    """Make the table of a number on which one to ten discs charge one or two units of up to ten models in all, among up
    to six pieces.
    """
    scene = Scene(number, 10, CROWDED_THEMES)
    dice = scene.dice
    scene.charger(range(1, 11))
    targets: tuple[str, ...] = ("T",) if dice.random() < 0.6 else ("T", "U")
    most = 10 if len(targets) == 1 else 5
    while not scene.add("T", dice.randint(1, most), (4.5, 9.0), near=0.0, wide=0.2):
        pass
    if len(targets) > 1 and not scene.add(
        "U", dice.randint(1, most), (4.5, 9.0), near=dice.choice((-0.6, 0.6)), wide=0.2
    ):
        targets = ("T",)
    for name, side in (("N", "red"), ("M", "red"), ("F", "blue")):
        if dice.random() < 0.4:
            scene.add(name, dice.randint(1, 4), (3.5, 9.0), near=0.0, wide=0.6, side=side)
    for piece_number in range(dice.randint(0, 6)):
        scene.add_piece(piece_number)
    return _case(scene, targets, most_total=12)


def flying_case(number: int, *, most: int = 2) -> Case:
    """Make the table of a number on which a flyer begins on a block, high or low, with something in the way that may be
    as high.
    """
    scene = Scene(number, most, ("fly",), heights=MIXED_HEIGHTS)
    dice = scene.dice
    scene.charger()
    while not scene.add("T", dice.randint(1, 2), (4.5, 8.0), near=0.0, wide=0.2):
        pass
    own = scene.placed[: len(scene.units["A"]["at"])]
    height = dice.choice(MIXED_HEIGHTS)
    west, south = (min(disc[axis] - disc[2] for disc in own) for axis in (0, 1))
    east, north = (max(disc[axis] + disc[2] for disc in own) for axis in (0, 1))
    scene.units["A"]["at"] = [[*spot, height] for spot in scene.units["A"]["at"]]
    scene.stand_up()
    scene.terrain = (
        piece("block", west, south, east, north, height=height, name="Start"),
        *scene.terrain,
    )
    return _case(scene, ("T",))


def _case(scene: Scene, targets: tuple[str, ...], *, most_total: int = 10) -> Case:
    dice = scene.dice
    charger = scene.units.pop("A")
    rules = (
        {key: dice.choice(values) for key, values in CHOICES.items()} if dice.random() < 0.4 else {}
    )
    more: dict[str, Any] = {}
    if scene.theme == "overwatch" and len(charger["at"]) > 1:
        lost = dice.sample(range(len(charger["at"])), 2)
        more = {"overwatch": {"before": lost[:1], "after": lost[1:]}}
    rules["spare_models"] = dice.choice(("engage", "stay"))
    total = dice.randint(3, most_total)
    if scene.heights == MIXED_HEIGHTS:
        rules["fly_path"] = dice.choice(("taut", "straight"))
        rules["fly_air"] = dice.choice(("instead", "instead", "shorter"))
    units = {
        name: {key: value for key, value in one.items() if value is not None}
        for name, one in scene.units.items()
    }
    own = {key: value for key, value in charger.items() if value is not None}
    return case_from_tables(
        table(own, units, total=total, targets=targets, terrain=scene.terrain, rules=rules, **more)
    )


def exact_case(dice: random.Random) -> Case:
    """Make a table on which something only just fits: reach, a range to keep out of, links, a gap to pass or to stand
    in.
    """
    total = dice.randint(4, 8)
    turn = dice.choice((0.0, 0.3, math.pi / 2, 2.0))
    off = dice.choice((0.0, 0.0, 1e-3, -1e-3))
    kind = dice.choice(("reach", "contact", "range", "links", "gate", "slot"))
    candidates: dict[str, Spots] = {"A": [(0.0, 0.0)], "T": [(total + 2.0 + off, 0.0)]}
    if kind == "contact":
        candidates["T"] = [(total + 1.0 + off, 0.0)]
    elif kind == "range":
        candidates["N"] = [(total + 0.0, 2.0 + off), (total + 0.0, -2.0 - off)]
    elif kind == "links":
        candidates["A"] = [(0.0, 0.0), (-3.0 - off, 0.0)]
    elif kind == "gate":
        candidates |= {"N": [(total / 2, 2.0 + off)], "M": [(total / 2, -2.0 - off)]}
    elif kind == "slot":
        candidates |= {
            "T": [(total + 1.0, 0.0)],
            "F": [(total + 0.0, 1.0 + off), (total + 0.0, -1.0 - off)],
        }
    turned = {name: [_turned(spot, turn) for spot in own] for name, own in candidates.items()}
    units = {
        name: unit(own, side="blue" if name == "F" else "red")
        for name, own in turned.items()
        if name != "A"
    }
    rules = {"spare_models": dice.choice(("engage", "stay")), "clearance": 1e-5}
    return case_from_tables(table(unit(turned["A"]), units, total=total, rules=rules))


def _turned(spot: tuple[float, ...], turn: float) -> tuple[float, ...]:
    x, y = spot
    return (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn))


def small_case(number: int) -> Case:
    """Make the table of a number on which two to four discs charge two targets, past L-shaped walls with a gap or none.

    Links and gaps are about as long as they may be: what is possible hangs on hundredths of an inch.
    """
    dice = random.Random(number)  # noqa: S311 - scenes, not secrets
    own = dice.choice(SMALL)
    count = dice.choice((2, 2, 3, 3, 4))
    aside = dice.uniform(-0.9, 0.9)
    step = own + dice.choice((0.1, 1.0, 1.8, 1.98))
    models: Spots = [
        (-number * step * math.cos(aside), number * step * math.sin(aside) + dice.gauss(0.0, 0.02))
        for number in range(count)
    ]
    far = dice.uniform(3.5, 6.5)
    apart = dice.choice((1.1, 1.0, 0.7, 0.4)) * ((count - 1) * (own + 2.0) + 2.0)
    foes = [(far, -apart / 2.0 + dice.gauss(0.0, 0.3)), (far + dice.gauss(0.0, 1.0), apart / 2.0)]
    bases = [dice.choice(SMALL) for _ in foes]
    if math.dist(*foes) < sum(bases) / 2.0 + APART:
        foes[1] = (foes[1][0], foes[0][1] + sum(bases) / 2.0 + APART)
    walls = _corner_walls(dice, own, far) if dice.random() < 0.6 else ()
    units = {
        name: unit([foe], base=_round(base))
        for name, foe, base in zip("TU", foes, bases, strict=True)
    }
    rules = {
        "spare_models": dice.choice(("engage", "stay")),
        "closer_scope": dice.choice(("moved", "all")),
    }
    a = unit(models, base=_round(own))
    total = dice.randint(4, 9)
    try:
        return case_from_tables(
            table(a, units, total=total, targets=("T", "U"), terrain=walls, rules=rules)
        )
    except ScenarioError:  # a wall would swallow somebody
        return case_from_tables(table(a, units, total=total, targets=("T", "U"), rules=rules))


def _round(diameter: float) -> str:
    return f"{round(diameter * 25.4, 1):g}mm round"


def _corner_walls(dice: random.Random, own: float, far: float) -> tuple[dict[str, Any], ...]:
    """Build two L-shaped walls, a leg of each along the way, with a gap between them that a base just fits through, or
    just does not.
    """
    x = dice.uniform(0.6, 0.8) * own + 0.2
    y = dice.uniform(-1.5, 1.5)
    half = own / 2.0 + dice.choice((-0.05, -0.005, 0.005, 0.3, 1.0))
    long = half + dice.uniform(0.5, 6.0)
    back = dice.uniform(0.0, min(2.0, far - x - 2.0))
    west = x
    east = x + 0.4
    low = y + half
    mid = y + half + 0.4
    high = y + long
    upper: Spots = [
        (west, low),
        (east + back, low),
        (east + back, mid),
        (east, mid),
        (east, high),
        (west, high),
    ]
    walls: dict[str, Spots] = {
        "Up": upper,
        "Down": [(spot[0], 2.0 * y - spot[1]) for spot in upper],
    }
    kind = dice.choice(("impassable", "impassable", "wall"))
    return tuple(
        {"name": name, "kind": kind, "polygon": placed(some), "height": 9}
        for name, some in walls.items()
    )
