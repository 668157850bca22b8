"""Random small tables, the same for the same number: one to five chargers, one or two targets, bystanders, a piece of terrain."""

import math
import random
from typing import Any

from tabletop.ruling import Case
from tabletop.scenario.reading import case_from_tables
from tests.systems.wh40k.tables import Spots, piece, table, unit

BASES = {"25.4mm round": 0.5, "32mm round": 16 / 25.4, "40mm round": 20 / 25.4}
"""Radii in inches by the words of the file."""
APART = 0.05
ENGAGED = 1.0
SIZES = (1, 1, 2, 2, 3, 3, 4, 5)
KINDS = ("none", "none", "wall", "block", "impassable", "top")
"""`top` is a block that the first target stands on."""
Disc = tuple[float, float, float]


class Scene:
    """A table that is being set up; the charger begins about the origin."""

    def __init__(self, number: int, most: int) -> None:
        self.dice = random.Random(number)  # noqa: S311 - scenes, not secrets
        self.most = most
        self.units: dict[str, dict[str, Any]] = {}
        self.placed: list[Disc] = []
        self.terrain: tuple[dict[str, Any], ...] = ()

    def clump(self, base: str, count: int, middle: tuple[float, float]) -> Spots:
        """Pick places for up to `count` models close together, clear of all that stands already."""
        radius, clump = BASES[base], list[tuple[float, ...]]()
        for _ in range(40 * count):
            if len(clump) == count:
                break
            spread = 1.2 * radius * math.sqrt(count)
            spot = (middle[0] + self.dice.gauss(0.0, spread), middle[1] + self.dice.gauss(0.0, spread))
            if self.is_clear(spot, radius) and (not clump or min(math.dist(spot, other) for other in clump) <= 2 * radius + 1.9):
                clump.append(spot)
                self.placed.append((*spot, radius))
        return clump

    def is_clear(self, spot: tuple[float, float], radius: float) -> bool:
        """Tell whether a disc is apart from all others, and beyond engagement range of the charger unless it is one of it."""
        own = self.units.get("A", {}).get("size", 0)
        wide = [APART if number >= own else ENGAGED + APART for number in range(len(self.placed))]
        return all(math.dist(spot, other[:2]) - other[2] - radius >= least for other, least in zip(self.placed, wide, strict=True))

    def add(self, name: str, count: int, away: tuple[float, float], *, near: float, wide: float, side: str = "red") -> bool:
        """Add a unit somewhere ahead, `near` radians about the way the charger looks; tell whether there was room."""
        base, angle, far = self.dice.choice(list(BASES)), near + self.dice.gauss(0.0, wide), self.dice.uniform(*away)
        spots = self.clump(base, count, (far * math.cos(angle), far * math.sin(angle)))
        if spots:
            self.units[name] = unit(spots, side=side, base=base)
        return bool(spots)

    def charger(self) -> None:
        """Put the charger about the origin."""
        base, size = self.dice.choice(list(BASES)), self.dice.choice([size for size in SIZES if size <= self.most])
        spots = self.clump(base, size, (0.0, 0.0))
        self.units["A"] = {**unit(spots, base=base, keywords=[self.dice.choice(("infantry", "cavalry"))]), "size": len(spots)}

    def stand_up(self) -> None:
        """Put a piece of terrain in the way, or under the first target, where nobody else stands."""
        kind = self.dice.choice(KINDS)
        height = self.dice.choice((2.5, 3.0, 4.0))
        if kind == "top":
            self.raise_target(height)
        elif kind != "none":
            x, y = self.dice.uniform(1.5, 4.5), self.dice.uniform(-2.0, 2.0)
            size = (0.5, self.dice.uniform(2.0, 5.0)) if kind == "wall" else (self.dice.uniform(1.0, 3.0), self.dice.uniform(1.0, 3.0))
            box = (x, y - size[1] / 2, x + size[0], y + size[1] / 2)
            if all(_outside(box, disc) >= APART for disc in self.placed):
                self.terrain = (piece(kind, *box, height=height),)

    def raise_target(self, height: float) -> None:
        """Put the first target on a block with some room around it, unless that would swallow somebody else."""
        first, count = self.units["A"]["size"], len(self.units["T"]["at"])
        discs = self.placed[first : first + count]
        room = discs[0][2] + self.dice.uniform(0.2, 2.0)
        xs, ys = [disc[0] for disc in discs], [disc[1] for disc in discs]
        box = (min(xs) - room, min(ys) - room, max(xs) + room, max(ys) + room)
        if all(_outside(box, disc) >= APART for disc in self.placed if disc not in discs):
            self.terrain = (piece("block", *box, height=height),)
            self.units["T"] = {**self.units["T"], "at": [[*spot, height] for spot in self.units["T"]["at"]]}


def _outside(box: tuple[float, float, float, float], disc: Disc) -> float:
    across, along = max(box[0] - disc[0], disc[0] - box[2], 0.0), max(box[1] - disc[1], disc[1] - box[3], 0.0)
    return math.hypot(across, along) - disc[2]


def random_case(number: int, *, most: int = 5) -> Case:
    """Make the table of a number, with at most so many charging models."""
    scene = Scene(number, most)
    dice = scene.dice
    scene.charger()
    while not scene.add("T", dice.randint(1, 3), (3.5, 8.0), near=0.0, wide=0.2):
        pass
    targets: tuple[str, ...] = ("T",)
    if dice.random() < 0.35 and scene.add("U", dice.randint(1, 2), (3.5, 8.0), near=dice.choice((-0.6, 0.6)), wide=0.2):
        targets = ("T", "U")
    for name, side in (("N", "red"), ("M", "red"), ("F", "blue")):
        if dice.random() < 0.45:
            scene.add(name, dice.randint(1, 2), (2.5, 9.0), near=0.0, wide=0.6, side=side)
    scene.stand_up()
    charger = {key: value for key, value in scene.units.pop("A").items() if key != "size"}
    rules = {"spare_models": dice.choice(("engage", "stay"))}
    tables = table(charger, scene.units, total=dice.randint(3, 10), targets=targets, terrain=scene.terrain, rules=rules)
    return case_from_tables(tables)
