"""Exact chances: all throws of two dice, with re-rolls and casualties; each charge on the table that earlier ones left as rolled."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeVar

from systems.wh40k.declare import declare
from systems.wh40k.placing import best
from systems.wh40k.prospects import RULE_OF_LEVEL, Prospects
from systems.wh40k.questions import Task
from systems.wh40k.resolving import Turn, resolve_charge
from systems.wh40k.rolling import LEAST, MOST, chance_of_total, distance_of, told
from tabletop.dice import Throws
from tabletop.errors import NoVerdictError
from tabletop.ruling import OUTCOMES, Case, Charge, ChargeOdds, Metric, Odds, Outcome, TotalOdds
from tabletop.solve.budget import Budget

Key = TypeVar("Key")


@dataclass(frozen=True, eq=False)
class Outlook:
    """What each charge distance comes to, before and after Overwatch; `survivors` are None where nobody is lost before the move."""

    charge: Charge
    prospects: Prospects
    survivors: Prospects | None

    def is_possible(self, distance: int) -> bool:
        """Tell whether the charge is possible before anybody is lost; raises as `Prospects.is_possible` does."""
        return self.prospects.is_possible(distance)

    def rule(self, distance: int) -> str | None:
        """Name the rule by which a charge of a distance fails, if it does."""
        if not self.is_possible(distance):
            return RULE_OF_LEVEL[self.prospects.first_missing(distance) or "closer"]
        is_kept = self.survivors is None or self.survivors.is_possible(distance)
        return None if is_kept else "wh40k.overwatch.retest"

    def distances(self) -> Iterator[tuple[int, Fraction]]:
        """Give every charge distance that may count in the end, with its chance."""
        bonus = self.prospects.scene.distance_bonus
        single = _summed((distance_of(total, bonus), chance_of_total(total)) for total in range(LEAST, MOST + 1))
        again = sum((chance for distance, chance in single.items() if not self.is_possible(distance)), Fraction(0))
        for distance, chance in single.items():
            if told(self.charge).reroll != "if_failed":
                yield distance, chance
            elif self.is_possible(distance):
                yield distance, chance + again * chance
            else:
                yield distance, again * chance


def case_odds(case: Case, *, budget: Budget) -> Odds:
    """Give the exact chances of all charges of a case.

    Raises
    ------
    NoVerdictError
        If it is not known of every throw what comes of it, the time is used up before that, or a charge is not modelled.
    """
    state, cup = case.state, Throws().cup()
    charges: list[ChargeOdds] = []
    for number in range(len(case.charges)):
        turn = Turn(case, number, state)
        charges.append(_charge_odds(turn, budget))
        if budget.is_spent(0):
            raise NoVerdictError("the time was used up before every throw of the dice was settled")
        if number + 1 < len(case.charges):
            _, state = resolve_charge(turn, cup, budget=budget)
    return Odds(tuple(charges), _joint(charges))


def _charge_odds(turn: Turn, budget: Budget) -> ChargeOdds:
    declaration = declare(turn.case, turn.charge, turn.state)
    broken = declaration.refused_by
    if broken is not None:
        return ChargeOdds(turn.charge, _shared("not_allowed", Fraction(1)), {broken.rule: Fraction(1)})
    scene, lost = declaration.scene, told(turn.charge).overwatch.before
    survivors = Prospects(scene.with_charger(scene.charger.without(lost)), budget) if lost else None
    return _told(Outlook(turn.charge, Prospects(scene, budget), survivors), budget, is_detailed=turn.case.detail)


def _told(outlook: Outlook, budget: Budget, *, is_detailed: bool) -> ChargeOdds:
    rows = [(distance, chance, outlook.rule(distance)) for distance, chance in outlook.distances() if chance]
    totals = [TotalOdds(distance, chance, _shared(_outcome(rule), chance)) for distance, chance, rule in rows]
    outcomes = {outcome: sum((total.outcomes[outcome] for total in totals), Fraction(0)) for outcome in OUTCOMES}
    rules = _likeliest_first((rule, chance) for _, chance, rule in rows if rule is not None)
    metrics = _metrics(outlook, outcomes["success"])
    if is_detailed:
        metrics["most_contacts"] = _most_contacts(outlook, [distance for distance, _, rule in rows if rule is None], budget)
    return ChargeOdds(outlook.charge, outcomes, rules, tuple(totals), metrics)


def _outcome(rule: str | None) -> Outcome:
    return "success" if rule is None else "failed"


def _metrics(outlook: Outlook, chance: Fraction) -> dict[str, Metric]:
    after = None if outlook.survivors is None else outlook.survivors.needed
    return {
        **outlook.prospects.needed_metrics,
        **({} if after is None else {"needed_after_overwatch": after}),
        "chance": float(chance),
        "chance_fraction": str(chance),
        "proof": outlook.prospects.proof,
    }


def _most_contacts(outlook: Outlook, distances: Sequence[int], budget: Budget) -> dict[str, int]:
    """Give the most models in base contact for every distance at which the charge is completed."""
    scene = (outlook.survivors or outlook.prospects).scene
    plans = {distance: best(Task(scene, distance), budget=budget).plan for distance in distances}
    return {str(distance): len(plan.contacts) for distance, plan in plans.items() if plan is not None}


def _shared(outcome: Outcome, chance: Fraction) -> dict[Outcome, Fraction]:
    return {one: chance if one == outcome else Fraction(0) for one in OUTCOMES}


def _joint(charges: Sequence[ChargeOdds]) -> dict[tuple[Outcome, ...], Fraction]:
    """Give the chances of rows of outcomes: each charge is taken on a fixed table, so they do not depend on each other."""
    rows = []
    for row in product(*([outcome for outcome in OUTCOMES if one.outcomes[outcome]] for one in charges)):
        chances = (one.outcomes[outcome] for one, outcome in zip(charges, row, strict=True))
        rows.append((row, math.prod(chances, start=Fraction(1))))
    return _likeliest_first(rows)


def _summed(found: Iterator[tuple[Key, Fraction]] | Sequence[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    sums: dict[Key, Fraction] = {}
    for key, chance in found:
        sums[key] = sums.get(key, Fraction(0)) + chance
    return sums


def _likeliest_first(found: Iterator[tuple[Key, Fraction]] | Sequence[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    return dict(sorted(_summed(found).items(), key=lambda entry: -entry[1]))
