"""Exact chances of charges by enumeration of all dice results; equal states are merged.

A charge takes the same course as with given faces, but branches at each roll; branches with equal states are merged.
For later charges tables are distinguished only by the hexes whose units a charge may move, meet or be stopped by
(`seen_by`).
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from operator import eq

from systems.battletech.collision import on_pavement, skid_limit
from systems.battletech.course import course
from systems.battletech.damage import (
    MOTIVE_RESULTS,
    Damage,
    Hit,
    Motive,
    Side,
    column_of,
    motive_table,
)
from systems.battletech.displacement import MISS_TURNS, stepped_to
from systems.battletech.play import ChargeState, Strike, StruckObject, begin, unit_key
from systems.battletech.roll import (
    TWO_DICE_TOTALS,
    Roller,
    RollTable,
    T,
    Transition,
    chance_to_pass,
)
from systems.battletech.rules import PREFIX
from systems.battletech.scene import Chances, CombatUnit, Declared, Table
from tabletop.errors import NoVerdictError
from tabletop.messages import say
from tabletop.ruling.charge import Metric, OddsOutcome
from tabletop.ruling.odds import TotalOdds
from tabletop.table.hexes import HEX_FACINGS, distance, neighbour
from tabletop.table.state import Hex

MOST_WAYS = 20_000
"""Largest number of states of one charge that are followed at a time."""

DIGITS_AT_ONCE = 4000

NO_CHANCE = Fraction(0)

HIT, FELL, REACH, RULE = "if_hit:", "fell_if_hit:", "reach:", "rule:"
"""Prefixes of names in a tally: only after a hit, falls after a hit on the target, to-hit numbers, deciding rules."""

ROLLED, AIMED, MET, PASSED = "rolled", "aimed", "met", "passed"
"""Names in a tally: charges rolled for, hits, to-hit rolls described by `p_hit`, and those passed."""

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
"""Metrics listed first."""

MOTIVES: tuple[Motive, ...] = ("none", *(result for _, result in reversed(MOTIVE_RESULTS)))

Tally = Mapping[str, Fraction]
"""Chances, and chances times points, by name, summed over end states."""

Ends = Sequence[tuple[ChargeState, Fraction]]


def odds_of(declared: Declared, table: Table, *, last_met: StruckObject | None = None) -> Chances:
    """Return the exact chances of a charge over all dice, on the table as it stands.

    The metric `p_hit` and those of what a hit does describe the collision with `last_met`, what the charger met last
    with given dice; without it, that with the target.
    """
    return chances_of(tally_of(ends_of(course(declared, table)), last_met=last_met))


# Chances and expectations,  added up over ends.


def tally_of(
    ends: Sequence[tuple[ChargeState, Fraction]], *, last_met: StruckObject | None = None
) -> Tally:
    """Return the sums over all end states of a charge, weighted by their probabilities, by name."""
    meant = [strike for state, _ in ends for strike in state.strikes if state.is_meant(strike)]
    is_skid = not meant or all(strike.is_unintentional for strike in meant)
    told = partial(_amounts, last_met=last_met, is_met=bool(meant), is_skid=is_skid)
    return added((name, chance * amount) for state, chance in ends for name, amount in told(state))


def added(amounts: Iterable[tuple[str, Fraction]]) -> dict[str, Fraction]:
    """Return the sums of amounts by name."""
    sums: dict[str, Fraction] = {}
    for name, amount in amounts:
        sums[name] = sums.get(name, NO_CHANCE) + amount
    return sums


def _amounts(
    state: ChargeState, *, last_met: StruckObject | None, is_met: bool, is_skid: bool
) -> Iterator[tuple[str, Fraction]]:
    """Yield the named amounts that one end state adds to the sums.

    `is_met` says whether the charger meets its target in any end state, `is_skid` whether it does so only by skidding.
    """
    aimed = [
        strike
        for strike in state.strikes
        if state.is_meant(strike) or (not is_met and strike.kind == "unit")
    ][:1]
    told = (
        aimed
        if last_met is None
        else [strike for strike in state.strikes if strike.met[:2] == last_met[:2]]
    )
    yield ("success" if state.is_success else RULE + PREFIX + str(state.rule)), Fraction(1)
    yield "p_displaced", Fraction(state.push == "moved")
    yield from _falls(state, "")
    if aimed:
        yield ROLLED, Fraction(1)
        if is_met:
            yield (
                f"{REACH}{TWO_DICE_TOTALS[0] if aimed[0].roll is None else aimed[0].roll.number}",
                Fraction(1),
            )
        if aimed[0].is_hit:
            yield AIMED, Fraction(1)
            yield from ((FELL + name, amount) for name, amount in _falls(state, "_if_hit"))
    hurt = told if last_met is not None else state.strikes
    yield (
        "expected_damage_charger",
        Fraction(sum(strike.damage.charger_points for strike in hurt if strike.damage)),
    )
    for strike in told:
        if strike.kind != "hill":  # nothing is rolled for against a hill, and nobody is hit
            is_told = (
                strike.is_unintentional == is_skid if last_met is None else strike.met == last_met
            )
            yield from _struck(state, strike, is_told=is_told)


def _struck(state: ChargeState, strike: Strike, *, is_told: bool) -> Iterator[tuple[str, Fraction]]:
    """Yield the named amounts that one collision of an end state adds; `is_told` if it counts for the probability of a
    hit.
    """
    if is_told:
        yield MET, Fraction(1)
        yield PASSED, Fraction(strike.is_hit)
    if strike.damage is not None:
        yield "hit", Fraction(1)
        yield "expected_damage_target", Fraction(strike.damage.reaching)
        yield from ((HIT + name, amount) for name, amount in expected_of(state, strike))


def _falls(state: ChargeState, when: str) -> Iterator[tuple[str, Fraction]]:
    """Yield, as 1 or 0, whether the charger and the target fell; the names end in `when`."""
    yield f"p_charger_falls{when}", Fraction(state.declared.charger in state.fell)
    if state.declared.target is not None:
        yield f"p_target_falls{when}", Fraction(state.declared.target in state.fell)


def chances_of(tally: Tally) -> Chances:
    """Return the chances of a charge from the sums over its end states."""
    success = tally.get("success", NO_CHANCE)
    rules = {
        name.removeprefix(RULE): chance
        for name, chance in tally.items()
        if name.startswith(RULE) and chance
    }
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
    """Yield each total of the to-hit roll with its probability, divided among success and failure of the charge.

    Success takes the probability that the charge gets as far as a to-hit number that the total reaches. Nothing is
    yielded if no end state has a to-hit roll.
    """
    if not tally.get(ROLLED):
        return
    reach = {
        int(name.removeprefix(REACH)): chance
        for name, chance in tally.items()
        if name.startswith(REACH)
    }
    for total in TWO_DICE_TOTALS:
        chance = chance_to_pass(total) - chance_to_pass(total + 1)
        success = chance * sum(
            (share for number, share in reach.items() if number <= total), NO_CHANCE
        )
        outcomes: dict[OddsOutcome, Fraction] = {
            "success": success,
            "failed": chance - success,
            "not_allowed": NO_CHANCE,
        }
        yield TotalOdds(total, chance, outcomes)


def _metrics(tally: Tally) -> Iterator[tuple[str, Metric]]:
    """Yield the metrics, each as a number and as a fraction; those that presuppose a hit only if one is possible."""
    found = {"p_hit": tally[PASSED] / tally[MET]} if tally.get(MET) else {}
    found["p_success"] = tally.get("success", NO_CHANCE)
    found |= {"expected_damage_target": NO_CHANCE} | {
        name: tally[name] for name in tally if name.startswith(("p_", "expected_"))
    }
    for hit, first in (("hit", HIT), (AIMED, FELL)):
        found |= {
            name.removeprefix(first): amount / tally[hit]
            for name, amount in tally.items()
            if name.startswith(first)
        }
    for name, chance in sorted(
        found.items(), key=lambda entry: ORDER.index(entry[0]) if entry[0] in ORDER else len(ORDER)
    ):
        yield name, float(chance)
        yield f"{name}_fraction", f"{_digits(chance.numerator)}/{_digits(chance.denominator)}"


def _digits(number: int) -> str:
    """Return the decimal digits of an integer of any length, beyond Python's limit for such conversions."""
    if number < 10**DIGITS_AT_ONCE:
        return str(number)
    high, low = divmod(number, 10**DIGITS_AT_ONCE)
    return _digits(high) + str(low).zfill(DIGITS_AT_ONCE)


# What is to be expected of one hit.


def expected_of(state: ChargeState, strike: Strike) -> Iterator[tuple[str, Fraction]]:
    """Yield by metric name the probabilities and expected damage of a hit: locations, criticals and motive damage."""
    damage = strike.damage
    if damage is None:
        return
    if strike.target is not None and damage.side is not None:
        target = state.table.units[strike.target]
        yield from _located(target, damage, state)
        yield from _motives(target, damage.side, "target")
    yield from _motives(state.charger, "front", "charger")


def _located(
    target: CombatUnit, damage: Damage, state: ChargeState
) -> Iterator[tuple[str, Fraction]]:
    if damage.table is None or damage.side is None:
        return
    column = column_of(target, damage.table, side=damage.side, choices=state.table.choices)
    count = len(damage.target_groups)
    points = sum(damage.target_groups)
    if damage.table == "mech":
        yield "p_head_if_hit", at_least_one(_share(column, "HD"), count)
    yield "p_critical_if_hit", at_least_one(column.share(lambda hit: hit.is_critical), count)
    codes = sorted({hit.code for hit in column.results})
    if damage.table == "kick" and count:
        yield (
            "p_one_leg_if_hit",
            sum((_share(column, code) ** count for code in codes), Fraction(0)),
        )
    for code in codes:
        yield f"expected_target_{code.lower()}_if_hit", points * _share(column, code)


def _share(column: RollTable[Hit], code: str) -> Fraction:
    return column.share(lambda hit: hit.code == code)


def at_least_one(chance: Fraction, count: int) -> Fraction:
    """Return the probability that at least one of `count` groups has an effect that each has with probability `chance`.

    Examples
    --------
    >>> str(at_least_one(Fraction(1, 36), 6))
    '338516711/2176782336'
    """
    return 1 - (1 - chance) ** count


def _motives(unit: CombatUnit, side: Side, part: str) -> Iterator[tuple[str, Fraction]]:
    if unit.is_vehicle:
        draw = motive_table(side, unit.profile.motion)
        yield from (
            (f"p_motive_{part}_{result}", draw.share(partial(eq, result))) for result in MOTIVES
        )


# All ends of one charge.


def ends_of(start: ChargeState) -> list[tuple[ChargeState, Fraction]]:
    """Return all end states of a charge with their probabilities.

    States with the most tasks left are advanced first, so that branches that come to equal states are merged.

    Raises
    ------
    NoVerdictError
        If more than `MOST_WAYS` different states are to be followed.
    """
    worlds: dict[int, dict[Hashable, tuple[ChargeState, Fraction]]] = {
        len(start.agenda): {start.key: (start, Fraction(1))}
    }
    while most := max(worlds):
        for state, chance in worlds.pop(most).values():
            for way, share in _onward(state):
                kept = reduced(way, start.table)
                found = worlds.setdefault(len(kept.agenda), {})
                key = kept.key
                if len(found) > MOST_WAYS:
                    charge = say(
                        "charges[{number}] ({charger})",
                        number=start.declared.number,
                        charger=start.declared.charger,
                    )
                    message = (
                        "{charge} can end in {count} ways that make a difference to later charges; at most "
                        "{most} are followed"
                    )
                    raise NoVerdictError(message, charge=charge, count=len(found), most=MOST_WAYS)
                found[key] = (kept, chance * share + (found[key][1] if key in found else 0))
    return list(worlds[0].values())


def _onward(state: ChargeState) -> list[tuple[ChargeState, Fraction]]:
    """Return the states after the next roll that has several results, or the end state, with their probabilities."""
    ways = [(state, Fraction(1))]
    while len(ways) == 1 and ways[0][0].agenda:
        ways = list(ways_of(ways[0][0].stepped))
    return ways


def ways_of(step: Callable[[Roller], T]) -> Iterator[tuple[T, Fraction]]:
    """Yield every result of a step that rolls dice, with its probability."""
    pending: list[tuple[int, ...]] = [()]
    while pending:
        branch = Branch(pending.pop())
        result = step(branch)
        yield result, branch.chance
        pending.extend(branch.others())


@dataclass
class Branch:
    """A roller for enumeration: it takes the results whose indices are `given`, then always the first, and counts the
    alternatives.

    `chance` is the probability of the results taken so far, `widths` the number of possible results of each roll.
    """

    given: tuple[int, ...]
    chance: Fraction = Fraction(1)
    report: None = None
    widths: list[int] = field(default_factory=list)

    def pick(self, draw: RollTable[T], what: str, *, is_reported: bool = False) -> T:  # noqa: ARG002 - nobody is asked for faces
        """Return the result of the branch being followed for a roll, and multiply its chance into that of the branch.

        Rolls after the given ones take their first result; so does a roll that is only reported or has a single result.
        """
        if is_reported or len(draw.ways) == 1:
            return draw.ways[0][0]
        number = len(self.widths)
        result, chance = draw.ways[self.given[number] if number < len(self.given) else 0]
        self.widths.append(len(draw.ways))
        self.chance *= chance
        return result

    def others(self) -> Iterator[tuple[int, ...]]:
        """Yield the sequences of result indices that branch off at the rolls after the given ones."""
        for number in range(len(self.given), len(self.widths)):
            before = (*self.given, *(0,) * (number - len(self.given)))
            yield from ((*before, way) for way in range(1, self.widths[number]))

    def repeat(self, step: Transition[T], state: T, *, times: int, is_reported: bool = False) -> T:
        """Return one of the states to which a step repeated `times` times may lead; the same state if the step is only
        reported.
        """
        return (
            state if is_reported else self.pick(_spread(step, state, times), "the state in the end")
        )


@lru_cache(maxsize=4096)
def _spread(step: Transition[T], state: T, times: int) -> RollTable[T]:
    """Return a roll table of all states to which a step repeated `times` times may lead, with their probabilities;
    cached.
    """
    worlds = {state: Fraction(1)}
    for _ in range(times):
        found: dict[T, Fraction] = {}
        for world, chance in worlds.items():
            for way, share in _next(step, world):
                found[way] = found.get(way, Fraction(0)) + chance * share
        worlds = found
    return RollTable((), tuple(worlds.items()))


@lru_cache(maxsize=4096)
def _next(step: Transition[T], state: T) -> tuple[tuple[T, Fraction], ...]:
    """Return each state to which one step may lead, with its probability; cached."""
    found: dict[T, Fraction] = {}
    for way, share in ways_of(partial(step, state)):
        found[way] = found.get(way, Fraction(0)) + share
    return tuple(found.items())


def reduced(state: ChargeState, before: Table) -> ChargeState:
    """Return the state without details that no later step or answer needs, so that more states are equal."""
    named = {
        state.declared.charger,
        state.declared.target,
        *state.keep,
        *(strike.target for strike in state.strikes),
    }
    changed = [
        unit
        for name, unit in state.table.units.items()
        if unit is not before.units[name] and name not in state.keep
    ]
    units = {unit.name: _plain(state, unit, before.units[unit.name]) for unit in changed}
    table = replace(state.table, units={**state.table.units, **units}) if units else state.table
    return state.but(
        table=table,
        fell=tuple(sorted(named.intersection(state.fell))),
        toppled=tuple((name, number) for name, number in state.toppled if name in named),
    )


def _plain(state: ChargeState, unit: CombatUnit, before: CombatUnit) -> CombatUnit:
    """Return a unit as it was `before`, except for its hex and what its own charge still needs of it."""
    if unit.name == state.declared.charger:
        asks_walk = state.table.choices.immobile_charger == "cancelled" and not state.strikes
        is_slower = unit.profile.walk != before.profile.walk and not asks_walk
        if unit.facing == before.facing and not is_slower:
            return unit
        profile = (
            unit.profile.model_copy(update={"walk": before.profile.walk})
            if is_slower
            else unit.profile
        )
        return replace(unit, facing=before.facing, profile=profile)
    is_met = any(strike.is_hit and strike.target == unit.name for strike in state.strikes)
    if unit.name == state.declared.target and not is_met:
        return unit
    is_down = unit.is_prone and unit.name == state.declared.target
    return before.at(unit.hex).with_status(*(["prone"] if is_down else []))


# Where charges have to do with each other.


def seen_by(charges: Sequence[Declared], table: Table) -> Hashable:
    """Return as a key everything on a table that may affect some charges: the hexes of units in their zones, and
    details of some units.

    None if there are no charges.
    """
    if not charges:
        return None
    hexes = zones_of(table, charges)
    asked = asked_by(charges, table)
    there = (
        unit
        for unit in table.units.values()
        if hexes is None or unit.hex in hexes or unit.name in asked
    )
    units = tuple((unit.name, unit_key(unit) if unit.name in asked else unit.hex) for unit in there)
    return units, tuple(
        ground.cf for ground in table.ground.hexes.values() if ground.cover == "building"
    )


def asked_by(
    charges: Sequence[Declared], table: Table, *, running: Declared | None = None
) -> frozenset[str]:
    """Return the names of units of which charges need more than the hex; another charge may be `running` before them.

    They are the charges' chargers and targets, units that may step out of a push, and units that a skid may run into.
    """
    named = {
        name
        for declared in charges
        for name in (declared.charger, declared.target, *declared.keys.domino)
        if name is not None
    }
    first = () if running is None else (running,)
    return frozenset(
        named.union(
            *(
                _before_skid(table, one, (*first, *charges[:number]))
                for number, one in enumerate(charges)
            )
        )
    )


def _before_skid(table: Table, declared: Declared, before: Sequence[Declared]) -> Iterator[str]:
    """Yield the names of units that a skid of a charger may run into after the charges `before` it have pushed
    units.
    """
    start = table.units[declared.charger].hex
    facing = table.units[declared.charger].facing
    if not may_fall(declared) or not any(
        table.at(place).is_paved for place in _around(start, len(before))
    ):
        return
    hexes = [start]
    for _ in range(on_pavement(declared, table)):
        hexes.append(neighbour(hexes[-1], facing))
    for unit in table.units.values():
        gone = sum(
            max(1, on_pavement(one, table)) if one.charger == unit.name and may_fall(one) else 1
            for one in before
        )
        if any(distance(unit.hex, place) <= len(before) + gone for place in hexes):
            yield unit.name


def _around(place: Hex, far: int) -> frozenset[Hex]:
    """Return all hexes within `far` hexes of a hex, itself included."""
    hexes = frozenset({place})
    for _ in range(far):
        hexes = hexes.union(
            neighbour(one, facing) for one in hexes for facing in range(len(HEX_FACINGS))
        )
    return hexes


def may_fall(declared: Declared) -> bool:
    """Return whether a charger may fall to weapon fire before it charges."""
    return declared.keys.weapon_phase.charger_psr in ("failed", "roll")


def zones_of(table: Table, charges: Sequence[Declared]) -> frozenset[Hex] | None:
    """Return the hexes of the zones of several charges; None if one charge may move the charger of a later one.

    Where zones meet, one charge may lengthen another's line of pushed units, so these zones are extended to the edge of
    the board.
    """
    zones = [zone_of(table, declared) for declared in charges]
    meeting = [
        any(one is not other and not one.isdisjoint(other) for other in zones) for one in zones
    ]
    wide = [
        zone_of(table, declared, is_long=meets)
        for declared, meets in zip(charges, meeting, strict=True)
    ]
    chargers = [table.units[declared.charger].hex for declared in charges]
    if any(place in zone for number, zone in enumerate(wide) for place in chargers[number + 1 :]):
        return None
    return frozenset[Hex]().union(*wide)


def zone_of(table: Table, declared: Declared, *, is_long: bool = False) -> frozenset[Hex]:
    """Return the hexes whose units one charge may move, meet or be stopped by, as units stand now.

    These are the lines of its pushes and skids and the hexes into which units may step out; with `is_long` the lines
    extend to the edge of the board.
    """
    state = begin(declared, table)
    reach = max(skid_limit(state), 1) if may_fall(declared) else 1
    hexes = set(_line(state, state.forward, reach=reach, is_long=is_long))
    turn = MISS_TURNS[table.choices.miss_hexes]
    for direction in (state.forward + turn, state.forward - turn):
        pushes = table.choices.miss_into_occupied == "domino"
        hexes.update(
            _line(state, direction, reach=1, is_long=is_long)
            if pushes
            else (neighbour(state.charger.hex, direction),)
        )
    return frozenset(hexes.union(*(_asides(state, place) for place in hexes)))


def _line(state: ChargeState, direction: int, *, reach: int, is_long: bool) -> Iterator[Hex]:
    """Yield the hexes from the charger in a direction: `reach` of them, on as long as units stand in line, and one
    more.
    """
    place = state.charger.hex
    gone = 0
    while state.table.board.holds(place):
        yield place
        if not is_long and gone > reach and not state.table.units_in(place):
            return
        place = neighbour(place, direction)
        gone = gone + 1


def _asides(state: ChargeState, place: Hex) -> Iterator[Hex]:
    """Yield the hexes into which the units in a hex may step out of a push."""
    ways = state.declared.keys.domino
    for unit in state.table.units_in(place):
        if ways.get(unit.name, "stay") != "stay":
            yield stepped_to(unit, ways[unit.name])
