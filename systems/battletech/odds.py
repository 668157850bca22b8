"""Exact chances of charges, from all ends that they may come to."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from systems.battletech.branches import ends_of
from systems.battletech.collisions import expected_of
from systems.battletech.course import course
from systems.battletech.joint import Endings, Joint
from systems.battletech.play import Met, Play, Strike
from systems.battletech.roll import TOTALS, chance_to_pass
from systems.battletech.rules import PREFIX
from systems.battletech.scene import Attempt, Chances, Declared, Table
from tabletop.budget import Budget
from tabletop.ruling.branching import ChargeTurn
from tabletop.ruling.charge import OUTCOMES, Metric, Outcome
from tabletop.ruling.odds import ChargeOdds, Odds, TotalOdds
from tabletop.table.state import Hex

Tally = Mapping[str, Fraction]
"""Chances, and chances times points, by name, added up over ends."""
NO_CHANCE = Fraction(0)
DIGITS_AT_ONCE = 4000
HIT, REACH, RULE = "if_hit:", "reach:", "rule:"
"""How the names of a tally begin that hold only after a hit, that count a number to hit, or a rule that decided."""
ROLLED, MET = "rolled", "met"
"""Names of a tally: how often a charge was rolled at all, and how often it came to the collision of which the metrics tell."""
ORDER = (
    "p_hit",
    "p_success",
    "p_charger_falls",
    "p_charger_falls_if_hit",
    "p_target_falls",
    "p_target_falls_if_hit",
    "p_displaced",
    "p_head_if_hit",
    "p_critical_if_hit",
    "p_one_leg_if_hit",
    "expected_damage_target",
    "expected_damage_charger",
)
"""Metrics that are told first."""


def odds_of(declared: Declared, table: Table, *, last_met: Met | None = None) -> Chances:
    """Give the exact chances of a charge over everything random in it, on the table as it stands.

    The metrics tell of the collision with what it met last, if that is known, else of that with its target.
    """
    return chances_of(tally_of(ends_of(course(declared, table)), last_met=last_met))


def odds_of_all(attempts: Sequence[Attempt], table: Table, *, budget: Budget) -> Odds:
    """Give the exact chances of all charges of a file, each on every table that those before it may leave.

    Raises
    ------
    NoVerdictError
        If they depend on each other in more ways than can be gone through, or the time is used up.
    """
    turns, joint = Joint(attempts, budget).turns(table)
    return Odds(tuple(_charge_odds(attempt, turn) for attempt, turn in zip(attempts, turns, strict=True)), joint)


def _charge_odds(attempt: Attempt, turn: ChargeTurn[Endings]) -> ChargeOdds:
    if attempt.declared is None:
        refused = dict.fromkeys(OUTCOMES, NO_CHANCE) | {"not_allowed": Fraction(1)}
        return ChargeOdds(attempt.charge, refused, {str(attempt.refused_by): Fraction(1)})
    tally = added((name, chance * amount) for ways, chance in turn.on_tables for name, amount in tally_of(ways.ends).items())
    chances = chances_of(tally)
    return ChargeOdds(attempt.charge, chances.outcomes, chances.rules, chances.by_total, chances.metrics)


def added(amounts: Iterable[tuple[str, Fraction]]) -> dict[str, Fraction]:
    """Add up amounts by name."""
    sums: dict[str, Fraction] = {}
    for name, amount in amounts:
        sums[name] = sums.get(name, NO_CHANCE) + amount
    return sums


def tally_of(ends: Sequence[tuple[Play, Fraction]], *, last_met: Met | None = None) -> Tally:
    """Add up all ends of a charge; what is told of one collision, of that with what was met last, if that is known."""
    is_met = any(play.is_meant(strike) for play, _ in ends for strike in play.strikes)
    target = _target([play for play, _ in ends], last_met)
    return added((name, chance * amount) for play, chance in ends for name, amount in _amounts(play, last_met, target, is_met=is_met))


def _target(plays: Sequence[Play], last_met: Met | None) -> str | Hex | None:
    """Give the unit that is told of as the target: that met last; none if that was a building or a hill behind another thing met."""
    if last_met is not None and last_met[0] == "unit":
        return last_met[1]
    is_behind = any(strike.met == last_met for play in plays for strike in play.strikes[1:])
    return None if is_behind else plays[0].declared.target


def _amounts(play: Play, last_met: Met | None, target: str | Hex | None, *, is_met: bool) -> Iterator[tuple[str, Fraction]]:
    """Give what one end adds, of falls those of the `target`; `is_met` says that the charger may meet what it means to at all."""
    aimed = [strike for strike in play.strikes if play.is_meant(strike) or (not is_met and strike.kind == "unit")]
    told = aimed if last_met is None else [strike for strike in play.strikes if strike.met == last_met]
    yield ("success" if play.is_success else RULE + PREFIX + str(play.rule)), Fraction(1)
    yield "p_displaced", Fraction(play.push == "moved")
    yield from _falls(play, target, "")
    if aimed:
        yield ROLLED, Fraction(1)
        if is_met:
            yield f"{REACH}{TOTALS[0] if aimed[-1].number is None else aimed[-1].number}", Fraction(1)
    hurt = told if last_met is not None else play.strikes
    yield "expected_damage_charger", Fraction(sum(strike.blow.charger_points for strike in hurt if strike.blow))
    if told and told[-1].kind != "hill":  # nothing is rolled for against a hill, and nobody is hit
        yield from _struck(play, told[-1], target)


def _struck(play: Play, strike: Strike, target: str | Hex | None) -> Iterator[tuple[str, Fraction]]:
    """Give what an end adds in which the collision was rolled for that is told of, or needed no roll."""
    yield MET, Fraction(1)
    if strike.blow is not None:
        yield "hit", Fraction(1)
        yield "expected_damage_target", Fraction(strike.blow.reaching)
        yield from ((HIT + name, amount) for name, amount in (*_falls(play, target, "_if_hit"), *expected_of(play, strike)))


def _falls(play: Play, target: str | Hex | None, when: str) -> Iterator[tuple[str, Fraction]]:
    """Give who fell, of charger and target."""
    yield f"p_charger_falls{when}", Fraction(play.declared.charger in play.fell)
    if target is not None:
        yield f"p_target_falls{when}", Fraction(target in play.fell)


def chances_of(tally: Tally) -> Chances:
    """Write a tally as chances."""
    success = tally.get("success", NO_CHANCE)
    rules = {name.removeprefix(RULE): chance for name, chance in tally.items() if name.startswith(RULE) and chance}
    by_total = tuple(_totals(tally))
    return Chances(
        success,
        {"success": success, "failed": 1 - success, "not_allowed": NO_CHANCE},
        dict(sorted(rules.items(), key=lambda entry: -entry[1])),
        by_total,
        next((one.total for one in by_total if one.outcomes["success"]), None),
        dict(_metrics(tally)),
    )


def _totals(tally: Tally) -> Iterator[TotalOdds]:
    """Give for every total of the roll to hit how likely it then is that the charge comes to it, and hits."""
    if not tally.get(ROLLED):
        return
    reach = {int(name.removeprefix(REACH)): chance for name, chance in tally.items() if name.startswith(REACH)}
    for total in TOTALS:
        chance = chance_to_pass(total) - chance_to_pass(total + 1)
        success = chance * sum((share for number, share in reach.items() if number <= total), NO_CHANCE)
        outcomes: dict[Outcome, Fraction] = {"success": success, "failed": chance - success, "not_allowed": NO_CHANCE}
        yield TotalOdds(total, chance, outcomes)


def _metrics(tally: Tally) -> Iterator[tuple[str, Metric]]:
    """Give the metrics, each as a number and as a fraction; those after a hit only if there can be one."""
    met, hit = tally.get(MET, NO_CHANCE), tally.get("hit", NO_CHANCE)
    found = {"p_hit": hit / met} if met else {}
    found["p_success"] = tally.get("success", NO_CHANCE)
    found |= {"expected_damage_target": NO_CHANCE} | {name: tally[name] for name in tally if name.startswith(("p_", "expected_"))}
    found |= {name.removeprefix(HIT): amount / hit for name, amount in tally.items() if name.startswith(HIT)}
    for name, chance in sorted(found.items(), key=lambda entry: ORDER.index(entry[0]) if entry[0] in ORDER else len(ORDER)):
        yield name, float(chance)
        yield f"{name}_fraction", f"{_digits(chance.numerator)}/{_digits(chance.denominator)}"


def _digits(number: int) -> str:
    """Write an integer of any length; Python writes no more than some thousands of digits at once."""
    if number < 10**DIGITS_AT_ONCE:
        return str(number)
    high, low = divmod(number, 10**DIGITS_AT_ONCE)
    return _digits(high) + str(low).zfill(DIGITS_AT_ONCE)
