"""From a charge to a ruling: the values that game systems return and that judges, captions and figures read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, TypeVar

from tabletop.assumed import Assumed, sentence
from tabletop.dice import Throws
from tabletop.pose import FloatArray, Point, Pose
from tabletop.shapes import Shape
from tabletop.show import Pictured, Told
from tabletop.solve.budget import Budget
from tabletop.state import State
from tabletop.units import MARGINAL

if TYPE_CHECKING:  # pydantic comes with it
    from tabletop.scenario.lines import Lines
    from tabletop.scenario.vocabulary import Vocabulary

Outcome = Literal["success", "failed", "not_allowed"]
OUTCOMES: tuple[Outcome, ...] = ("success", "failed", "not_allowed")
Proof = Literal["exact", "tolerance", "best_found"]
Metric = Any
"""A number, a string, a boolean, or a list or table of those."""
P = TypeVar("P")


@dataclass(frozen=True)
class Rule:
    """A rule of a game system: its name, what it demands in one line, what it is and where it comes from."""

    name: str
    demand: str
    nature: str
    source: str


@dataclass(frozen=True)
class Finding:
    """What one rule says of a charge: measured against limit, the signed margin, and one sentence.

    Of what is counted, such as dice and hexes, the numbers are integers. `assumed` are the numbers it used that a profile
    leaves out; the sentence names them.
    """

    rule: str
    ok: bool
    text: str
    measured: float | None = None
    limit: float | None = None
    margin: float | None = None
    assumed: tuple[Assumed, ...] = ()

    def using(self, *assumed: Assumed) -> "Finding":
        """Give the finding with numbers that it used and that a profile leaves out; its sentence names them."""
        return replace(self, text=f"{self.text} {sentence(assumed)}", assumed=(*self.assumed, *assumed)) if assumed else self

    @property
    def is_marginal(self) -> bool:
        """Whether the margin is too small for a hand to place a model by; what is counted is never so close."""
        return isinstance(self.margin, float) and abs(self.margin) <= MARGINAL


@dataclass(frozen=True)
class Limit(Generic[P]):
    """A rule that must hold: `measure` says of a placement whether it does, and by how much."""

    rule: str
    measure: Callable[[P], Finding]


@dataclass(frozen=True)
class Goal(Generic[P]):
    """A rule to be served as far as possible: `value` of many placements, greater is better; `unit` names what is counted."""

    rule: str
    unit: str
    value: Callable[[P], FloatArray]


@dataclass(frozen=True)
class Charge:
    """A declared charge; `dice` are natural faces (None: thrown from the seed), `declarations` the system's own keys."""

    charger: str
    targets: tuple[str, ...]
    dice: tuple[int, ...] | None = None
    declarations: Any = None


Spot = tuple[float, float, float]
"""A point of the table and a height above it, in inches."""


@dataclass(frozen=True)
class Step:
    """One part of a move. Angles in radians, counter-clockwise when positive; lengths in inches as the rules count them.

    Of loose models `model` is the number of the one that moves, and `path` the way it takes.
    """

    kind: str
    unit: str | None = None
    start: Pose | None = None
    end: Pose | None = None
    length: float | None = None
    angle: float | None = None
    pivot: Point | None = None
    rules: tuple[str, ...] = ()
    text: str = ""
    model: int | None = None
    path: tuple[Spot, ...] = ()


Stage = Literal["before", "after"]
"""On which picture something is shown."""


@dataclass(frozen=True)
class Dimension:
    """A length between two table points that the ruling names, for a dimension line; `stage` says on which picture."""

    start: Point
    end: Point
    label: str
    stage: Stage = "before"


@dataclass(frozen=True)
class Zone:
    """A region that the ruling speaks of: all within the shape's radius of its core; `role` says what it is, for its looks."""

    shape: Shape
    role: Literal["target", "forbidden"]
    stage: Stage = "before"


@dataclass(frozen=True)
class Note:
    """A few words at a table point."""

    at: Point
    text: str
    stage: Stage = "before"


@dataclass(frozen=True)
class Evidence:
    """What a figure may show of a ruling beside the units: all in table coordinates, inches.

    Attributes
    ----------
    facing
        End points of the target's facing that is charged, before and after the charge.
    arc_rays
        Rays (origin, unit direction) that divide the target's arcs at the start.
    arc_names
        The arcs' names with the direction (radians) in which each lies from `arc_centre`.
    contacts
        Points of initial contact, where the target stands before the charge.
    models_in_contact
        Numbers of the models in contact at the end, by unit: those of `Regiment.places`, or of loose models their own.
    sight
        A clear line of sight, if one was asked for and found; with `sight_stop` the shortest there would be.
    sight_stop
        Where the line of sight first meets what stops it.
    dimensions
        Lengths that the findings name.
    zones
        Regions that decide something, such as engagement ranges.
    links
        Pairs of points of models at the end that hold a unit together.
    notes
        Words at points, such as the cost of a step.
    """

    facing: tuple[Point, Point] | None = None
    facing_after: tuple[Point, Point] | None = None
    arc_rays: tuple[tuple[Point, Point], ...] = ()
    arc_centre: Point | None = None
    arc_names: tuple[tuple[str, float], ...] = ()
    contacts: tuple[Point, ...] = ()
    models_in_contact: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    sight: tuple[Point, Point] | None = None
    sight_stop: Point | None = None
    dimensions: tuple[Dimension, ...] = ()
    zones: tuple[Zone, ...] = ()
    links: tuple[tuple[Point, Point], ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Ruling(Told):
    """The answer to one charge. `summary` says it in one or two sentences; `rule` is the one that decided a refusal."""

    charge: Charge
    outcome: Outcome
    summary: str
    rule: str | None = None
    shortest_roll: int | None = None
    chance_success: Fraction = Fraction(0)
    findings: tuple[Finding, ...] = ()
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    choices: int | None = None
    proof: Proof = "exact"
    evidence: Evidence = field(default_factory=Evidence)


@dataclass(frozen=True)
class Resolution(Pictured):
    """All charges of a file, resolved: the table before, a ruling per charge in file order, the table after.

    `order` gives the numbers of the rulings in the order in which the chargers had their turns, if not that of the file; `case`
    is what was asked, known where `tabletop.resolve` has answered.
    """

    before: State[Any]
    rulings: tuple[Ruling, ...]
    after: State[Any]
    order: tuple[int, ...] = ()
    case: "Case | None" = field(default=None, compare=False, repr=False)

    @property
    def turns(self) -> tuple[Ruling, ...]:
        """The rulings in the order of the turns."""
        return tuple(self.rulings[number] for number in self.order) or self.rulings


@dataclass(frozen=True)
class Judgement(Told):
    """The verdict on a proposed end position; `better` gives the place of each unit that would be right."""

    outcome: Outcome
    rule: str | None
    findings: tuple[Finding, ...]
    summary: str
    better: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class TotalOdds:
    """One total that a charge's roll may give: its chance, and how that chance is shared among the outcomes then possible."""

    total: int
    chance: Fraction
    outcomes: Mapping[Outcome, Fraction]

    @property
    def outcome(self) -> Outcome:
        """The outcome most likely with this total; of equally likely ones the better."""
        return max(OUTCOMES, key=lambda outcome: self.outcomes.get(outcome, Fraction(0)))


@dataclass(frozen=True)
class ChargeOdds:
    """Exact chances of one charge over all dice of all charges.

    `outcomes` holds every outcome, chances of 0 included, `rules` the chance of each rule that decides against success,
    likeliest first. `by_total` lists the totals of the charge's own roll upwards; it is empty if nothing is rolled on any table
    that the earlier charges may leave, and where it is rolled on some only, the totals count on the others as the dice fall.
    `metrics` holds whatever else the system tells of the chances.
    """

    charge: Charge
    outcomes: Mapping[Outcome, Fraction]
    rules: Mapping[str, Fraction] = field(default_factory=dict)
    by_total: tuple[TotalOdds, ...] = ()
    metrics: Mapping[str, Metric] = field(default_factory=dict)

    @property
    def shortest_roll(self) -> int | None:
        """The least total with which the charge can succeed."""
        return next((one.total for one in self.by_total if one.outcomes.get("success")), None)


@dataclass(frozen=True)
class Odds(Pictured):
    """Exact chances of all charges of a file, in file order; `joint` gives those of whole rows of outcomes, likeliest first.

    `case` is what was asked, known where `tabletop.odds` has answered.
    """

    charges: tuple[ChargeOdds, ...]
    joint: Mapping[tuple[Outcome, ...], Fraction]
    case: "Case | None" = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Expectation:
    """What a file expects of one charge; whatever is None or empty is not compared. `tolerance` in inches, degrees, numbers.

    `units` holds parts of units' places and status as the file writes them, `judged` the outcome and rule of the judgement.
    """

    outcome: Outcome | None = None
    rule: str | None = None
    metrics: Mapping[str, Any] = field(default_factory=dict)
    choices: int | None = None
    judged: tuple[Outcome, str | None] | None = None
    units: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    tolerance: float = 0.001


@dataclass(frozen=True)
class Case(Pictured):
    """One question in values: what a scenario file becomes once it is checked.

    `choices` are the system's readings of open rules, `book` its numbers, `proposal` claimed end places by unit name,
    `expect` what the file expects of each charge, `detail` whether lists are asked for that are long, `lines` on which line
    of its file each key stands.
    """

    system: "System"
    edition: str
    state: State[Any]
    charges: tuple[Charge, ...]
    choices: Any
    book: Any
    title: str = ""
    note: str = ""
    source: str = ""
    proposal: Mapping[str, Any] | None = None
    expect: tuple[Expectation, ...] = ()
    detail: bool = False
    lines: "Lines | None" = field(default=None, repr=False, compare=False)


class System(Protocol):
    """A game: rules as data and small functions over the engine.

    The first of the `editions` is the default. `vocabulary` is its part of the scenario file; `book` holds its numbers as
    fields of a frozen dataclass, each with its source and unit as metadata.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    editions: ClassVar[tuple[str, ...]]
    rules: ClassVar[tuple[Rule, ...]]
    vocabulary: ClassVar["Vocabulary"]
    book: ClassVar[Any]

    def resolve(self, case: Case, *, throws: Throws, budget: Budget) -> Resolution:
        """Resolve every charge of the case in order."""
        ...

    def judge(self, case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
        """Rule on the case's proposal, given what the rules demand."""
        ...

    def odds(self, case: Case, *, budget: Budget) -> Odds:
        """Give the exact chances over all dice; faces that the case gives are set aside."""
        ...
