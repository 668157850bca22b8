"""Exact chances: every face that may be kept is resolved in full, charge by charge, on every table that the earlier ones may leave."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from systems.conquest.attempts import Attempt
from systems.conquest.resolving import attempt_of, settled_with
from tabletop.chances import Verdict, added, charge_odds, likeliest_first, outcome_chances
from tabletop.dice import SIDES
from tabletop.errors import NoVerdictError
from tabletop.ruling import Case, Charge, ChargeOdds, Odds, Outcome, Ruling, TotalOdds
from tabletop.solve.budget import Budget
from tabletop.state import State

MOST_TABLES = 1500
"""Tables on which a charge is resolved for every face, over all charges of a file."""
SURE = Fraction(1)
Signature = tuple[tuple[str, object, tuple[str, ...]], ...]


@dataclass(frozen=True, eq=False)
class World:
    """A table that the charges so far may leave, with their outcomes, and the chance of it."""

    state: State
    outcomes: tuple[Outcome, ...] = ()
    chance: Fraction = SURE

    @property
    def key(self) -> tuple[tuple[Outcome, ...], Signature]:
        """What later charges can tell worlds apart by, and the outcomes."""
        units = self.state.units.values()
        return self.outcomes, tuple((unit.name, unit.pose, unit.status) for unit in units)


@dataclass(frozen=True)
class Way:
    """One way in which a charge may go: the face kept, if any is rolled, and what is ruled."""

    face: int | None
    ruling: Ruling
    after: State = field(compare=False)
    chance: Fraction = SURE


def case_odds(case: Case, *, budget: Budget) -> Odds:
    """Give the exact chances of all charges of a case.

    Raises
    ------
    NoVerdictError
        If the time is used up, or the earlier charges may leave too many different tables.
    """
    worlds, tables, charges = [World(case.state)], 0, list[ChargeOdds]()
    for charge in case.charges:
        tables += len(worlds)
        if tables > MOST_TABLES or budget.is_spent(tables):
            raise NoVerdictError(f"the charges may leave more tables than can be told apart in time ({tables}); at most {MOST_TABLES} are")
        ways = [(world, way) for world in worlds for way in _ways(attempt_of(case, charge, state=world.state, budget=budget))]
        charges.append(_charge_odds(charge, [(way, world.chance * way.chance) for world, way in ways]))
        worlds = _merged(World(way.after, (*world.outcomes, way.ruling.outcome), world.chance * way.chance) for world, way in ways)
    return Odds(tuple(charges), likeliest_first((world.outcomes, world.chance) for world in worlds))


def _ways(attempt: Attempt) -> Iterator[Way]:
    """Give every way in which a charge may go on one table."""
    if attempt.declaration.broken is not None:
        yield Way(None, *settled_with(attempt, 1))
        return
    for face in range(1, SIDES + 1):
        chance = attempt.declaration.measured.chance_of((face,))
        if chance:
            yield Way(face, *settled_with(attempt, face), chance)


def _charge_odds(charge: Charge, ways: list[tuple[Way, Fraction]]) -> ChargeOdds:
    verdicts = [Verdict(way.ruling.outcome, way.ruling.rule, chance) for way, chance in ways]
    faces = sorted({way.face for way, _ in ways if way.face is not None})
    return charge_odds(charge, verdicts, (_total_odds(face, ways) for face in faces))


def _total_odds(face: int, ways: list[tuple[Way, Fraction]]) -> TotalOdds:
    found = [(way.ruling.outcome, chance) for way, chance in ways if way.face == face]
    return TotalOdds(face, sum((chance for _, chance in found), Fraction(0)), outcome_chances(found))


def _merged(worlds: Iterator[World]) -> list[World]:
    """Join worlds that nothing tells apart."""
    by_key: dict[object, World] = {}
    chances: list[tuple[object, Fraction]] = []
    for world in worlds:
        by_key.setdefault(world.key, world)
        chances.append((world.key, world.chance))
    sums: Mapping[object, Fraction] = added(chances)
    return [World(by_key[key].state, by_key[key].outcomes, chance) for key, chance in sums.items()]
