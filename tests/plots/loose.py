"""Resolutions of loose models made by hand, for figures."""

import math
from itertools import pairwise

from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import disc, polygon
from tabletop.messages import say
from tabletop.ruling.charge import Charge, Spot, Step
from tabletop.ruling.evidence import Evidence, Zone
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.models import BaseShape, Hull, Model, OvalBase, RoundBase, Squad
from tabletop.table.state import Base, Board, State, Terrain

ROUND = RoundBase(32 / 25.4)
OVAL = OvalBase(75 / 25.4, 42 / 25.4)
WALKER = Hull(((-1.5, -1.0), (1.0, -1.0), (2.0, 0.0), (1.0, 1.0), (-1.5, 1.0)))


def squad(
    name: str,
    side: str,
    at: tuple[Point, ...],
    *,
    base: BaseShape = ROUND,
    heading: float = 0.0,
    z: float = 0.0,
) -> Squad:
    """Make a unit of equal bases; headings in radians, heights in inches."""
    return Squad(
        name,
        side,
        tuple(Model(number, Pose(x, y, heading), base, z) for number, (x, y) in enumerate(at)),
    )


def rows(count: int, files: int, corner: Point, gap: float = 0.7) -> tuple[Point, ...]:
    """Return places in rows, from a lower left corner up."""
    pitch = 32 / 25.4 + gap
    return tuple(
        (corner[0] + pitch * (number % files), corner[1] + pitch * (number // files))
        for number in range(count)
    )


def table(count: int = 10) -> State[Squad]:
    """Set up ten models below as many, with a block, a wall, a floor, a barricade, a wood, a rock, an oval, a hull and
    a crate.
    """
    units = (
        squad("A", "blue", rows(count, 5, (16.0, 8.0)), heading=math.pi / 2),
        squad("B", "red", rows(count, 5, (17.0, 18.5)), heading=-math.pi / 2),
        squad("Riders", "red", ((29.5, 17.5), (32.0, 19.5)), base=OVAL, heading=-2.2),
        squad("Walker", "red", ((11.0, 20.0),), base=WALKER, heading=-1.2),
        squad(
            "Crates", "blue", ((28.0, 9.0), (30.2, 9.0)), base=Base(1.5, 1.0), heading=math.pi / 2
        ),
        squad("Scouts", "red", ((12.0, 14.2), (13.6, 14.4)), z=3.0),
    )
    terrain = (
        Terrain(
            "Bunker",
            "block",
            polygon([(10.5, 12.8), (15.0, 12.8), (15.0, 16.0), (10.5, 16.0)]),
            3.0,
        ),
        Terrain(
            "Wall", "wall", polygon([(20.0, 14.0), (25.5, 14.0), (25.5, 14.4), (20.0, 14.4)]), 5.0
        ),
        Terrain(
            "Gallery",
            "floor",
            polygon([(25.5, 12.0), (28.5, 12.0), (28.5, 15.5), (25.5, 15.5)]),
            4.0,
        ),
        Terrain(
            "Sandbags",
            "barricade",
            polygon([(17.0, 16.3), (20.0, 16.3), (20.0, 16.7), (17.0, 16.7)]),
            1.0,
        ),
        Terrain("Rock", "rock", disc((31.0, 13.0), 1.2), 6.0),
        Terrain("Copse", "area", disc((12.5, 8.0), 1.8), 0.0),
    )
    return State(Board(60.0, 44.0), {unit.name: unit for unit in units}, terrain)


def charge_resolution(count: int = 10) -> Resolution:
    """Resolve by hand: every model goes round the wall or over the bunker, some to contact, and one is lost on the
    way.
    """
    state = table(count)
    charger = state.units["A"]
    target = state.units["B"]
    steps = [
        Step("declare", "A", text="A declares a charge against B."),
        Step("roll", "A", text="The dice show 5 and 4: nine inches.", rules=("wh40k.roll.2d6",)),
        Step("loss", "A", text="Model 9 is lost.", rules=("wh40k.overwatch.before",)),
    ]
    moved = charger.without({9})
    for model in moved.models:
        number = model.number
        x, y = model.pose.at
        goal = target.models[number % 5].pose
        end = Pose(goal.x, goal.y - 1.2598 - 1.3 * (number // 5), model.pose.heading)
        through = (
            ((x, y, 0.0), (19.2, 13.6, 0.0), (19.0, 14.9, 0.0), (end.x, end.y, 0.0))
            if number != 0
            else over_the_bunker(x, y, end)
        )
        length = sum(math.dist(a, b) for a, b in pairwise(through))
        rule = "wh40k.move.contact" if number < 5 else "wh40k.move.closer"
        steps.append(
            Step(
                "move",
                "A",
                model.pose,
                end,
                length,
                rules=(rule,),
                text=say("Model {number} moves.", number=number),
                model=number,
                path=through,
            )
        )
    ends = {
        step.model: step.end for step in steps if step.model is not None and step.end is not None
    }
    after = Squad("A", "blue", tuple(model.at(ends[model.number]) for model in moved.models))
    links = tuple(
        (first.pose.at, second.pose.at)
        for place, first in enumerate(after.models)
        for second in after.models[place + 1 :]
        if math.dist(first.pose.at, second.pose.at) < 2.0 + 32 / 25.4
    )
    evidence = Evidence(
        models_in_contact={"A": (0, 1, 2, 3, 4), "B": (0, 1, 2, 3, 4)},
        zones=(
            *(Zone(disc(model.pose.at, 32 / 50.8 + 1.0), "target") for model in target.models),
            *(
                Zone(disc(model.pose.at, 32 / 50.8 + 1.0), "forbidden")
                for model in state.units["Scouts"].models
            ),
        ),
        links=links,
    )
    findings = (
        Finding(
            "wh40k.roll.limit",
            ok=True,
            text="Nine inches reach.",
            measured=8.2,
            limit=9.0,
            margin=0.8,
        ),
    )
    steps.append(Step("consequence", "A", text="A fights first."))
    charge = Charge("A", ("B",), (5, 4))
    ruling = Ruling(
        charge,
        "success",
        "A charges B: 5 models in contact.",
        None,
        8,
        findings=findings,
        steps=tuple(steps),
        evidence=evidence,
    )
    return Resolution(state, (ruling,), state.with_unit(after))


def over_the_bunker(x: float, y: float, end: Pose) -> tuple[Spot, ...]:
    """Climb the bunker, cross it and climb down."""
    return (
        (x, y, 0.0),
        (14.2, 12.1, 0.0),
        (14.2, 12.2, 3.0),
        (14.5, 16.6, 3.0),
        (14.6, 16.7, 0.0),
        (end.x, end.y, 0.0),
    )
