"""Resolutions made by hand, for figures: no solver is asked, so a figure can be tested where no rule is."""

import math
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, cast

from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import disc, polygon
from tabletop.messages import say
from tabletop.ruling.charge import Charge, Step
from tabletop.ruling.evidence import Dimension, Evidence
from tabletop.ruling.finding import Finding
from tabletop.ruling.looks import Looks
from tabletop.ruling.system import Case, System
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.table.state import Base, Board, Regiment, State, Terrain
from tests.plots.hexed import TAG_WORDS, TAGS

SMALL_BASE = Base(20 / 25.4, 20 / 25.4)
BIG_BASE = Base(25 / 25.4, 50 / 25.4)

SAID = {"distance {length} in": "distance {length} in"}
"""What it says of lengths in another language: the same, but for the number."""


class Game:
    """A game that only has names: figures ask nothing else of it."""

    name = "blocks"
    title = "The Game of Blocks"
    vocabulary = SimpleNamespace(
        looks=Looks(
            status={"done": "hidden", "failed_charge": "hidden"},
            tags=TAGS,
            words={"en": TAG_WORDS},
            phrases={"de": {"said": SAID}},
        )
    )


def regiment(
    name: str,
    side: str,
    pose: Pose,
    *,
    files: int = 5,
    models: int = 10,
    base: Base = SMALL_BASE,
    **other: Any,
) -> Regiment:
    """Make a regiment; angles in radians."""
    return Regiment(name, side, pose, files, models, base, **other)


def case_of(state: State, charge: Charge, **words: Any) -> Case:
    """Make a case of one charge."""
    return Case(cast("System", Game()), "3rd", state, (charge,), None, None, **words)


def table(*, side: str = "right", names: tuple[str, str] = ("A", "B")) -> State:
    """Set up a charger below a wider target, between a tower and a wood, with a friend and an enemy beside."""
    shift = 1.0 if side == "right" else -1.0
    units = [
        regiment(names[0], "blue", Pose(36.0 - 5.5 * shift, 10.0, math.pi / 2), files=5, models=13),
        regiment(
            names[1], "red", Pose(36.0, 22.0, -math.pi / 2), files=7, models=18, rear_rank="centre"
        ),
        regiment(
            "C",
            "red",
            Pose(36.0 + 8.0 * shift, 21.5, -math.pi / 2 - 0.2 * shift),
            files=3,
            models=6,
            base=BIG_BASE,
        ),
        regiment(
            "D",
            "blue",
            Pose(36.0 + 4.0 * shift, 8.0, math.pi / 2),
            files=4,
            models=4,
            base=BIG_BASE,
        ),
    ]
    terrain = (
        Terrain(
            "Tower",
            "rock",
            polygon(
                [
                    (36.0 - 10.0 * shift, 15.0),
                    (36.0 - 7.0 * shift, 16.5),
                    (36.0 - 8.0 * shift, 19.5),
                    (36.0 - 11.0 * shift, 18.5),
                ]
            ),
            4.0,
        ),
        Terrain("Wood", "screen", disc((36.0 + 6.0 * shift, 13.0), 2.0), 3.0),
    )
    return State(Board(72.0, 48.0), {unit.name: unit for unit in units}, terrain)


def legs(
    unit: Regiment, *, forward: float, wheel: float, side: str, front: float
) -> tuple[tuple[Step, ...], Point]:
    """Move a regiment forward, wheel it, and move it on until a corner reaches the height `front`; give that corner
    too.
    """
    name = unit.name
    start = unit.pose
    turn = start.advanced(forward)
    pivot = unit.at(turn).front_right if side == "right" else unit.at(turn).front_left
    wheeled = turn.wheeled("right" if side == "right" else "left", wheel, width=unit.width)
    moved = unit.at(wheeled)
    corner = max((moved.front_left, moved.front_right), key=lambda point: point[1])
    last = (front - corner[1]) / wheeled.forward[1]
    end = wheeled.advanced(last)
    touching = unit.at(end)
    point = max((touching.front_left, touching.front_right), key=lambda point: point[1])
    angle = -wheel if side == "right" else wheel
    words = f"{name} wheels about its {side} front corner."
    return (
        Step(
            "forward",
            name,
            start,
            turn,
            forward,
            rules=("t9a.move.initial-forward",),
            text=f"{name} moves straight ahead.",
        ),
        Step(
            "wheel",
            name,
            turn,
            wheeled,
            unit.width * math.sin(wheel),
            angle,
            pivot,
            ("t9a.move.wheel",),
            words,
        ),
        Step(
            "forward",
            name,
            wheeled,
            end,
            last,
            rules=("t9a.move.concluding-forward",),
            text="On until its front meets the target at P.",
        ),
    ), point


def charge_resolution(*, side: str = "right", names: tuple[str, str] = ("A", "B")) -> Resolution:
    """Resolve by hand: forward, wheel, forward, align; five models of each in contact."""
    state = table(side=side, names=names)
    charger, target = (state.units[name] for name in names)
    moves, point = legs(charger, forward=3.0, wheel=math.radians(35), side=side, front=22.0)
    contact_x = point[0]
    end = Pose(min(max(contact_x + 1.0, 35.0), 37.0), 22.0, math.pi / 2)
    steps = (
        Step(
            "declare",
            names[0],
            text=f"{names[0]} declares a charge against {names[1]}, which holds.",
            rules=("t9a.declare.once",),
        ),
        *moves,
        Step(
            "align",
            names[0],
            moves[-1].end,
            end,
            rules=("t9a.align.place",),
            text="Picked up and put back flush, P still in contact.",
        ),
    )
    evidence = Evidence(
        facing=(target.front_left, target.front_right),
        facing_after=(target.front_left, target.front_right),
        arc_rays=arc_rays(target),
        arc_centre=target.centre,
        arc_names=(
            ("front", -math.pi / 2),
            ("rear", math.pi / 2),
            ("left", 0.0),
            ("right", math.pi),
        ),
        contacts=(point,),
        models_in_contact={names[0]: (0, 1, 2, 3, 4), names[1]: (1, 2, 3, 4, 5)},
        dimensions=(closest(charger, target),),
    )
    findings = (
        Finding(
            "t9a.declare.max-range",
            ok=True,
            text="Within reach of the best roll.",
            measured=11.1,
            limit=15.0,
            margin=3.9,
        ),
        Finding(
            "t9a.range", ok=True, text="The range reaches.", measured=11.1, limit=13.0, margin=1.9
        ),
        Finding(
            "t9a.space.enemy",
            ok=True,
            text="No other enemy is touched.",
            measured=0.8,
            limit=0.001,
            margin=0.799,
        ),
        Finding(
            "t9a.align.flush",
            ok=True,
            text="The front is flush.",
            measured=0.0,
            limit=0.0,
            margin=0.0,
        ),
    )
    charge = Charge(names[0], (names[1],), (4,))
    summary = (
        f"{names[0]} charges the front of {names[1]}: range 13 in, distance 11.1 in. It ends flush with 5 models of "
        f"{names[1]} and 5 of its own in contact, the most that any legal move allows."
    )
    ruling = Ruling(
        charge,
        "success",
        summary,
        None,
        3,
        Fraction(2, 3),
        findings,
        {"distance": 11.1},
        steps,
        1,
        "exact",
        evidence,
    )
    return Resolution(state, (ruling,), state.with_unit(charger.at(end)))


def closest(charger: Regiment, target: Regiment) -> Dimension:
    """Measure from the charger's nearest front corner to the target's front corner."""
    pairs = [
        (a, b)
        for a in (charger.front_left, charger.front_right)
        for b in (target.front_left, target.front_right)
    ]
    start, end = min(pairs, key=lambda pair: math.dist(*pair))
    return Dimension(start, end, say("distance {length:.2f} in", length=math.dist(start, end)))


def arc_rays(unit: Regiment) -> tuple[tuple[Point, Point], ...]:
    """Return the four rays at 135 degrees to the facings, from the corners."""
    half = math.sqrt(0.5)
    pose = unit.pose
    corners = [(-1, 0.0), (1, 0.0), (1, -unit.depth), (-1, -unit.depth)]
    directions = [(-half, half), (half, half), (half, -half), (-half, -half)]
    origin = Pose(0.0, 0.0, pose.heading)
    return tuple(
        (pose.point(side * unit.width / 2, ahead), origin.point(*direction))
        for (side, ahead), direction in zip(corners, directions, strict=True)
    )


def failed_resolution() -> Resolution:
    """Fail by range: a wheel towards the target and the rest of four inches forward."""
    whole = charge_resolution()
    charger = whole.before.units["A"]
    moves, _ = legs(charger, forward=0.0, wheel=math.radians(25), side="right", front=13.0)
    wheel = moves[1]
    forward = moves[2]
    steps = (
        whole.rulings[0].steps[0],
        replace(wheel, rules=("t9a.failed.wheel",)),
        replace(forward, rules=("t9a.failed.forward",)),
    )
    broken = Finding(
        "t9a.range", ok=False, text="The range is short.", measured=11.1, limit=10.0, margin=-1.1
    )
    evidence = replace(
        whole.rulings[0].evidence, contacts=(), models_in_contact={}, facing_after=None
    )
    summary = (
        "A charges the front of B with a range of 10 in over 11.1 in: too short. It makes a failed "
        "charge move of 4 in."
    )
    ruling = replace(
        whole.rulings[0],
        outcome="failed",
        rule="t9a.range",
        summary=summary,
        findings=(broken,),
        steps=steps,
        evidence=evidence,
    )
    end = forward.end or charger.pose
    return Resolution(
        whole.before,
        (ruling,),
        whole.before.with_unit(charger.at(end).with_status("failed_charge")),
    )


def refused_resolution() -> Resolution:
    """Refuse the declaration: no line of sight."""
    whole = charge_resolution()
    broken = Finding(
        "t9a.declare.line-of-sight",
        ok=False,
        text="No model of the front rank sees B.",
        measured=46.2,
        limit=45.0,
        margin=-1.2,
    )
    evidence = replace(
        whole.rulings[0].evidence, contacts=(), models_in_contact={}, facing=None, facing_after=None
    )
    ruling = replace(
        whole.rulings[0],
        outcome="not_allowed",
        rule=broken.rule,
        summary="A may not declare a charge against B: no model of its front rank sees it.",
        shortest_roll=None,
        findings=(broken,),
        steps=(whole.rulings[0].steps[0],),
        evidence=evidence,
    )
    return Resolution(whole.before, (ruling,), whole.before)


def judged() -> tuple[Resolution, dict[str, Pose], Judgement]:
    """Judge a proposal that brings a model too few into contact."""
    resolution = charge_resolution()
    best = resolution.after.units["A"].pose
    finding = Finding(
        "t9a.align.target-models",
        ok=False,
        text="One model too few.",
        measured=4.0,
        limit=5.0,
        margin=-1.0,
    )
    judgement = Judgement(
        "not_allowed",
        finding.rule,
        (finding,),
        "The proposal brings 4 models into contact where 5 are possible.",
        {"A": best},
    )
    return resolution, {"A": Pose(best.x + 2.0, best.y, best.heading)}, judgement
