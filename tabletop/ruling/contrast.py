"""Contrasts: the nearest alternatives to a ruling that a player would try and may not, or need not, take, and what
tells against them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from tabletop.geometry.pose import Point
from tabletop.messages import say
from tabletop.ruling.charge import Step
from tabletop.ruling.evidence import Mark
from tabletop.ruling.finding import Finding
from tabletop.table.state import Regiment

ContrastKind = Literal["worse", "barred", "equal", "other", "missing", "mechanism"]


class Term(NamedTuple):
    """One number of a sum that a rule works out, with what it is, its unit, and the signs that join it to the number
    before.
    """

    label: str
    value: float
    unit: str = ""
    operator: str = ""


class ValueRange(NamedTuple):
    """A range of equally good answers: least and greatest value, and their unit."""

    least: float
    greatest: float
    unit: str


@dataclass(frozen=True)
class Contrast:
    """An alternative to what a ruling demands, and what tells against it.

    Attributes
    ----------
    kind
        "worse": it keeps all limits but serves a goal less; "barred": it breaks a limit; "equal": a range of answers as
        good; "other": the facing, side or path that was not taken; "missing": what a roll lacks; "mechanism": a sum as
        it is worked out.
    finding
        What tells against it: the rule, the contrast in one sentence, numbers, and a mark with a few words such as
        "only 4 of B".
    heading
        A few words that name the alternative, such as "Straight ahead", or the sum, such as "Damage".
    units
        Where the units would be, by name.
    goals
        For each goal by rule, its value in the ruling and in the alternative.
    range
        The range of equal answers.
    terms
        The sum of a mechanism, term by term.
    steps
        The moves that lead there, for figures.
    models_in_contact
        Numbers of the models that would be in contact, by unit.
    facing
        End points of the target's facing that would be charged, if it is another one.
    without
        Names of the terrain that would not be there.
    """

    kind: ContrastKind
    finding: Finding
    heading: str = ""
    units: Mapping[str, Any] = field(default_factory=dict)
    goals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    range: ValueRange | None = None
    terms: tuple[Term, ...] = ()
    steps: tuple[Step, ...] = ()
    models_in_contact: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    facing: tuple[Point, Point] | None = None
    without: tuple[str, ...] = ()


def barred_ahead(
    unit: Regiment,
    obstacle: str,
    *,
    free: float,
    margin: float,
    rules: tuple[str, str],
    kind: str = "forward",
) -> Contrast:
    """Return the contrast of a straight move that an obstacle bars.

    Parameters
    ----------
    unit
        The unit before the move.
    obstacle
        Name of the obstacle.
    free
        Length in inches that the unit can move before it comes too near.
    margin
        Excess of the least gap on the whole way over the gap needed, in inches; negative.
    rules
        The rule that the whole way breaks, and that of the straight move.
    kind
        Kind of the step that the straight move is.
    """
    broken, straight = rules
    end = unit.pose.advanced(free)
    text = say(
        "Straight ahead {charger} would come too near to {obstacle} after {free:.2f} in.",
        charger=unit.name,
        obstacle=obstacle,
        free=free,
    )
    words = say("{obstacle} bars the way", obstacle=obstacle)
    there = unit.at(end)
    step = Step(kind, unit.name, unit.pose, end, free, rules=(straight,))
    mark = Mark(words, end.at, fronts=((there.front_left, there.front_right),))
    found = Finding(broken, ok=False, text=text, margin=margin, mark=mark)
    return Contrast("barred", found, say("Straight ahead"), {unit.name: end}, steps=(step,))


def missing(ruling: Any) -> Iterator[Contrast]:
    """Yield what a failed roll lacks: by how much, and the smallest roll that would do, if a larger one would and that
    is proved.
    """
    needed = ruling.shortest_roll
    broken = ruling.finding(ruling.rule, ok=False)
    if (
        ruling.outcome != "failed"
        or needed is None
        or broken is None
        or broken.margin is None
        or broken.margin >= 0.0
        or ruling.open
    ):
        return
    chance = ruling.chance_success
    if chance is None or chance <= 0:
        return
    text = say(
        "A roll of {roll} or more would be enough; its chance is {chance} = {share:.1%}.",
        roll=needed,
        chance=str(chance),
        share=float(chance),
    )
    yield Contrast("missing", replace(broken, text=text))
