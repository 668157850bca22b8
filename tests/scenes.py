"""Tables for tests: units in millimetres about the middle of a board of 72 by 48 inches, and motions of whole
tables.
"""

import math
from collections.abc import Sequence
from typing import Any

from systems.t9a import SYSTEM
from systems.t9a.book import Book
from systems.t9a.words import Choices, Declarations, Profile
from tabletop.budget import Budget
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import disc, polygon
from tabletop.ruling.charge import Charge
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.table.dice import DiceSource
from tabletop.table.state import Base, Board, Regiment, State, Terrain
from tabletop.units import MM_PER_INCH, inches

MIDDLE = (36.0, 24.0)
SKIRMISH_MM = 12.5


def place(x: float, y: float) -> Point:
    """Return the table point, in inches, that lies x and y millimetres from the middle of the board."""
    return (MIDDLE[0] + x / MM_PER_INCH, MIDDLE[1] + y / MM_PER_INCH)


def regiment(
    name: str,
    at: Point,
    *,
    side: str = "red",
    heading: float = 90.0,
    files: int = 5,
    models: int | None = None,
    base: tuple[float, float] = (20.0, 20.0),
    status: Sequence[str] = (),
    **profile: Any,
) -> Regiment:
    """Make a regiment: `at` and `base` in millimetres, `heading` in degrees; two full ranks unless `models` says
    otherwise.
    """
    statistics = Profile(**{"charge_speed": 5, **profile})
    spacing = inches(SKIRMISH_MM) if statistics.skirmish else 0.0
    pose = Pose(*place(*at), math.radians(heading))
    size = Base(inches(base[0]), inches(base[1]))
    count = 2 * files if models is None else models
    return Regiment(
        name,
        side,
        pose,
        files,
        count,
        size,
        spacing,
        statistics.rear_rank,
        statistics,
        tuple(status),
    )


def target(files: int = 5, **rest: Any) -> Regiment:
    """Make the target T with its front on y = 0 from x = 0 on, looking at +y, unless `at` places it otherwise."""
    width = files * rest.get("base", (20.0, 20.0))[0]
    return regiment(
        "T", rest.pop("at", (width / 2, 0.0)), **{"side": "red", "files": files, **rest}
    )


def charger(at: Point, heading: float = 270.0, **rest: Any) -> Regiment:
    """Make the charger A of the other side."""
    return regiment("A", at, **{"side": "blue", "heading": heading, **rest})


def box(x: Point, y: Point, *, name: str = "wall", kind: str = "impassable") -> Terrain:
    """Make terrain that covers the spans x and y, in millimetres."""
    return piece([(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])], name=name, kind=kind)


def piece(corners: Sequence[Point], *, name: str = "wall", kind: str = "impassable") -> Terrain:
    """Make terrain with corners in millimetres."""
    return Terrain(name, kind, polygon([place(*corner) for corner in corners]))


def pillar(
    centre: Point, radius: float, *, name: str = "pillar", kind: str = "impassable"
) -> Terrain:
    """Make round terrain, in millimetres."""
    return Terrain(name, kind, disc(place(*centre), inches(radius)))


def table(*bodies: Regiment | Terrain, board: Board | None = None) -> State:
    """Put units and terrain on a board."""
    units = {body.name: body for body in bodies if isinstance(body, Regiment)}
    return State(
        board or Board(72.0, 48.0),
        units,
        tuple(body for body in bodies if isinstance(body, Terrain)),
    )


def charge(attacker: str = "A", defender: str = "T", dice: Sequence[int] | None = (6,)) -> Charge:
    """Declare a charge with its natural faces."""
    return Charge(attacker, (defender,), None if dice is None else tuple(dice), Declarations())


def case(
    state: State,
    *charges: Charge,
    proposal: dict[str, Pose] | None = None,
    book: Book | None = None,
    **choices: Any,
) -> Case:
    """Ask for the charges, by default A's of T with a six; `choices` are readings of open rules."""
    asked = charges or (charge(),)
    return Case(
        system=SYSTEM,
        edition="3rd",
        state=state,
        charges=asked,
        choices=Choices(**choices),
        book=book or Book(),
        proposal=proposal,
    )


def resolve(question: Case, *, dice: Sequence[int] | None = None) -> Resolution:
    """Resolve a case, with a flat list of faces if given."""
    return question.system.resolve(
        question, throws=DiceSource(flat=None if dice is None else tuple(dice)), budget=Budget()
    )


def rule_on(*bodies: Regiment | Terrain, **choices: Any) -> Ruling:
    """Put bodies on the table and rule on A's charge of T with a six."""
    return resolve(case(table(*bodies), **choices)).rulings[0]


def judge(question: Case) -> Judgement:
    """Resolve a case and judge its proposal."""
    return question.system.judge(question, resolve(question), budget=Budget())


def finding(ruling: Ruling | Judgement, rule: str) -> Any:
    """Return the one finding of a rule."""
    found = [item for item in ruling.findings if item.rule == rule]
    assert len(found) == 1, (
        f"{rule} occurs {len(found)} times among {[item.rule for item in ruling.findings]}"
    )
    return found[0]


def metric(ruling: Ruling, key: str) -> Any:
    """Return one metric of a ruling, whatever its kind."""
    return ruling.metrics[key]


def parts(ruling: Ruling, kind: str | None = None) -> list[Any]:
    """Return the steps that move the charger, of one kind if asked; the declaration is none of them."""
    return [step for step in ruling.steps if step.kind != "declare" and kind in (None, step.kind)]


def has_finding(ruling: Ruling | Judgement, rule: str) -> bool:
    """Return whether a rule is among the findings."""
    return any(item.rule == rule for item in ruling.findings)
