"""A small game for tests of files and commands: units march straight ahead, and nothing else is ruled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tabletop.budget import Budget
from tabletop.errors import Fault, NoVerdictError
from tabletop.messages import say
from tabletop.ruling.charge import OUTCOMES, Charge, OddsOutcome, Outcome, Step
from tabletop.ruling.finding import Finding, Rule
from tabletop.ruling.odds import ChargeOdds, Odds, TotalOdds
from tabletop.ruling.phase import ChargePhase
from tabletop.ruling.system import Case, System
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.scenario.vocabulary import Entry, Vocabulary
from tabletop.table.dice import DiceSource
from tabletop.table.state import Regiment, State


class Profile(Entry):
    """A unit's statistics; a unit with a `mood` above 5 is a bug in the game, above 3 not modelled."""

    pace: Annotated[float, Field(ge=0, le=10)] = 0.0
    mood: Annotated[int, Field(ge=0, le=9)] = 0


class Choices(Entry):
    """One open question."""

    halt: Literal["early", "late"] = "early"


class Declarations(Entry):
    """What is shouted."""

    cry: str = ""


@dataclass(frozen=True)
class Book:
    """One number, and one that counts."""

    bonus: float = field(default=1.0, metadata={"unit": "in", "source": "marching"})
    ranks: int = field(default=2, metadata={"unit": "ranks", "source": "ranks"})


def _complete(unit: Regiment) -> Regiment:
    return replace(unit, spacing=0.5)


def _problems(state: State, charges: Sequence[tuple[int, Charge]]) -> list[Fault]:
    del state
    return [
        Fault(f"charges[{number}].cry", "too loud")
        for number, charge in charges
        if charge.declarations.cry.isupper()
    ]


class Drill(System):
    """The game."""

    name: ClassVar[str] = "drill"
    title: ClassVar[str] = "Drill"
    editions: ClassVar[tuple[str, ...]] = ("2nd", "1st")
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule("drill.march", "the march reaches the target", "limit", "marching"),
        Rule("drill.halt", "the unit halts where it should", "goal", "halting"),
    )
    vocabulary: ClassVar[Vocabulary] = Vocabulary(
        profile=Profile,
        choices=Choices,
        declarations=Declarations,
        terrain_kinds=("wall", "hedge"),
        status=("tired", "keen"),
        complete=_complete,
        problems=_problems,
    )
    book: ClassVar[Book] = Book()

    def phase(self, case: Case, budget: Budget) -> "Marches":
        """Return the marches of a case."""
        return Marches(case, budget, case.state)

    def judge(self, case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
        """Compare the proposal with where the units stand."""
        del budget
        poses = {name: unit.pose for name, unit in resolution.after.units.items()}
        wrong = {
            name: poses[name] for name, pose in (case.proposal or {}).items() if pose != poses[name]
        }
        finding = Finding(
            "drill.halt",
            ok=not wrong,
            text=say("Where it halts."),
            measured=1.0,
            limit=1.0,
            margin=0.0,
        )
        if wrong:
            return Judgement(
                "not_allowed", "drill.halt", (finding,), say("It halts elsewhere."), wrong
            )
        return Judgement("success", None, (finding,), say("It halts there."))


class Marches(ChargePhase[State]):
    """All roll first; then every charger marches ahead by its roll, its pace and the bonus."""

    case: Case
    faces: tuple[tuple[int, ...], ...] = ()

    def resolve(self, throws: DiceSource) -> Resolution:
        """Roll for all, then march."""
        self.faces = throws.deal(
            [(number, 1, charge.dice) for number, charge in enumerate(self.charges)]
        )
        return super().resolve(throws)

    def rule(
        self, turn: Sequence[int], table: State, dice: DiceSource, earlier: Mapping[int, Ruling]
    ) -> tuple[Mapping[int, Ruling], State]:
        """March."""
        del dice, earlier
        (number,) = turn
        ruling, after = _marched(self.case, table, self.charges[number], self.faces[number][0])
        return {number: ruling}, after

    def odds(self) -> Odds:
        """Roll every face for the one charge of a case."""
        (charge,) = self.charges
        rolls = [self.resolve(DiceSource(flat=(face,))).rulings[0] for face in range(1, 7)]
        sixth = Fraction(1, 6)
        totals = tuple(
            TotalOdds(face, sixth, {ruling.outcome: sixth}) for face, ruling in enumerate(rolls, 1)
        )
        outcomes: dict[OddsOutcome, Fraction] = {
            outcome: sixth * sum(ruling.outcome == outcome for ruling in rolls)
            for outcome in OUTCOMES
        }
        rules = {"drill.march": outcomes["failed"]} if outcomes["failed"] else {}
        return Odds(
            (ChargeOdds(charge, outcomes, rules, totals),),
            {(key,): chance for key, chance in outcomes.items() if chance},
        )


def _marched(case: Case, table: State, charge: Charge, face: int) -> tuple[Ruling, State]:
    unit = table.units[charge.charger]
    target = table.units[charge.targets[0]]
    if unit.profile.mood > 5:
        raise ZeroDivisionError("the mood is too good")
    if unit.profile.mood > 3:
        raise NoVerdictError("moods above 3 are not modelled yet")
    reach = face + unit.profile.pace + case.book.bonus
    needed = target.pose.y - unit.pose.y
    moved = unit.at(unit.pose.advanced(min(reach, needed))).with_status("tired")
    outcome: Outcome = "success" if reach >= needed else "failed"
    ruling = Ruling(
        charge,
        outcome,
        say("{name} marches.", name=unit.name),
        rule=None if outcome == "success" else "drill.march",
        shortest_roll=max(1, round(needed - unit.profile.pace - case.book.bonus)),
        chance_success=Fraction(1, 2),
        findings=(
            Finding(
                "drill.march",
                outcome == "success",
                say("How far it marches."),
                reach,
                needed,
                reach - needed,
            ),
        ),
        metrics={"reach": reach, "roll": face, "p": 0.5, "p_fraction": "1/2"},
        steps=(
            Step(
                "forward",
                unit.name,
                unit.pose,
                moved.pose,
                min(reach, needed),
                rules=("drill.march",),
            ),
        ),
        choices=1,
    )
    return ruling, table.with_unit(moved)


SYSTEM = Drill()
