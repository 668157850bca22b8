"""Resolutions on hex boards made by hand, for figures."""

from dataclasses import dataclass
from itertools import pairwise

from tabletop.geometry.pose import Pose
from tabletop.ruling.charge import Charge, Step
from tabletop.ruling.evidence import Evidence, Note
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.hexes import HexBoard
from tabletop.table.state import Hex, HexTerrain, HexUnit, State

BOARD = HexBoard.of(15, 17)
TAGS: dict[str, tuple[str, ...]] = {"water": ("depth",), "building": ("cf",)}
TAG_WORDS = {"tag.depth": "D{}", "tag.cf": "CF {}"}


@dataclass(frozen=True)
class Ground:
    """The numbers of a hex's terrain."""

    level: int | None = None
    depth: int | None = None
    cf: int | None = None


TERRAIN = (
    HexTerrain("Ridge", "level", ((3, 5), (3, 6), (4, 5)), Ground(level=1)),
    HexTerrain("Peak", "level", ((3, 4), (2, 4)), Ground(level=3)),
    HexTerrain("Pit", "level", ((8, 8),), Ground(level=-1)),
    HexTerrain("Birches", "wood", ((4, 5), (6, 6), (4, 7)), Ground()),
    HexTerrain("Forest", "dense_wood", ((7, 5), (7, 6)), Ground()),
    HexTerrain("Lake", "water", ((3, 7), (3, 8), (4, 8)), Ground(depth=1)),
    HexTerrain("Scree", "rough", ((6, 3),), Ground()),
    HexTerrain("Ruins", "rubble", ((7, 3),), Ground()),
    HexTerrain("Road", "paved", ((5, 8), (5, 9), (6, 8)), Ground()),
    HexTerrain("Depot", "building", ((4, 3),), Ground(cf=40)),
    HexTerrain("Haze", "smoke", ((8, 5),), Ground()),
    HexTerrain("Fumes", "dense_smoke", ((8, 6),), Ground()),
    HexTerrain("Mines", "prohibited", ((7, 8),), Ground()),
    HexTerrain("Swamp", "deep_mud", ((6, 9),), Ground()),
)


def unit(name: str, side: str, place: Hex, facing: int, *status: str) -> HexUnit:
    """Stand a model in a hex; facings count clockwise from north."""
    return HexUnit(name, side, BOARD.pose(place, facing), status=status)


def table() -> State[HexUnit]:
    """Set up a charger, a target, a unit behind it, two that share a hex, and one that lies."""
    units = (
        unit("A", "blue", (5, 8), 0),
        unit("B", "red", (5, 4), 3),
        unit("C", "red", (5, 3), 2),
        unit("D", "blue", (7, 7), 1),
        unit("E", "blue", (7, 7), 1),
        unit("Locust", "red", (2, 6), 5, "lying"),
    )
    return State(BOARD, {one.name: one for one in units}, (), TERRAIN)


def charge_resolution() -> Resolution:
    """Resolve by hand: a path of three hexes, a hit, a push with a domino, and a fall."""
    state = table()
    way = [
        BOARD.pose(place, facing)
        for place, facing in (((5, 8), 0), ((5, 7), 0), ((5, 6), 0), ((5, 5), 0))
    ]
    steps = [Step("declare", "A", text="A declares a charge against B.")]
    steps += [
        Step("approach", "A", start, end, 1.0, rules=("battletech.path.enterable",))
        for start, end in pairwise(way)
    ]
    c = state.units["C"].pose
    steps += [
        Step("to_hit", "A", text="Needs 6, rolls 8: a hit.", rules=("battletech.tohit.roll",)),
        Step("consequence", "B", text="26 points to B, 6 to A."),
        Step("displace", "C", c, BOARD.pose((5, 2), 2), text="C is pushed on to 0502."),
        Step(
            "displace",
            "B",
            state.units["B"].pose,
            BOARD.pose((5, 3), 3),
            text="B is pushed to 0503.",
        ),
        Step("follow", "A", way[-1], BOARD.pose((5, 4), 0), text="A takes 0504."),
        Step("falling", "B", text="B needs 8 and rolls 5."),
        Step("fall", "B", BOARD.pose((5, 3), 3), BOARD.pose((5, 3), 5), text="B falls to face NW."),
    ]
    notes = tuple(Note(pose.at, f"{number + 1} MP") for number, pose in enumerate(way[1:]))
    findings = (
        Finding(
            "battletech.declare.enough-mp",
            ok=True,
            text="Five MP of eight.",
            measured=5.0,
            limit=8.0,
            margin=3.0,
        ),
    )
    ruling = Ruling(
        Charge("A", ("B",), (5, 3)),
        "success",
        "A charges B and hits: 26 points to B and 6 to A; B is pushed to 0503 and C to 0502, B falls.",
        None,
        6,
        findings=findings,
        steps=tuple(steps),
        evidence=Evidence(notes=notes),
    )
    after = state.with_unit(state.units["A"].at(BOARD.pose((5, 4), 0))).with_unit(
        state.units["C"].at(BOARD.pose((5, 2), 2))
    )
    return Resolution(state, (ruling,), after.with_unit(fallen(state.units["B"])))


def fallen(unit: HexUnit) -> HexUnit:
    """Lay the target down behind its hex."""
    pose: Pose = BOARD.pose((5, 3), 5)
    return unit.at(pose).with_status("lying")
