"""The certainty of a ruling on a measured table: the same charges resolved on other possible tables within the
accuracy.

On those tables (`admissible`) charger and target are nearer, farther, aside and turned, or all bodies are displaced at
random. A gap between two units changes by no more than the two can move, which is a bound. Any other measured value is
only searched for on these tables, and reported so.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import combinations, count, product
from typing import Any, Generic, TypeVar

import numpy as np

from tabletop.budget import Searched, deadline_passed, limit_struck
from tabletop.errors import NoVerdictError, ScenarioError
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.distance import gap
from tabletop.geometry.shape import Shape
from tabletop.messages import counted, for_judge, listed, names_in, say, word
from tabletop.ruling.charge import Charge
from tabletop.ruling.finding import Finding, Taken
from tabletop.ruling.odds import ChargeOdds, Odds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Decides, Resolution, Ruling
from tabletop.settling.bodies import Body, bodies_of, most_between
from tabletop.settling.settle import SettleProblem
from tabletop.table.accuracy import Measured, Shift
from tabletop.table.models import Model
from tabletop.table.state import Regiment, State

LEGIBLE = 0.005
"""Inches that cannot be read off a tape: a threshold between two lengths no farther apart is reported as one."""

MIN_SEPARATION_SHARE = 3
"""A length is a poor indicator of a threshold if more than one in so many tables of a kind lies between its two
sides."""

AT_RANDOM = 6
"""Number of tables with every body at random within its accuracy."""

MANY, FEW, FEW_AT_RANDOM = 8, 4, 2
"""Number of bodies above which fewer tables are resolved; the number of perturbations then, and of random tables."""

SAMPLING_SEED = 20
"""Seed of the random tables: the same for every case."""

Resolved = Callable[[Case], Resolution]

Answer = TypeVar("Answer")

Tables = Sequence[tuple[State, Sequence[Finding]]]
"""Tables within the accuracy, the settled one first, with what was found on each."""

Key = tuple[str, int]
"""The rule of a finding, and its index among the findings of this rule."""


@dataclass(frozen=True)
class Perturbation:
    """A displacement in units of accuracy: of charger and targets as (along the line from charger to target, to its
    left, turn).

    `others` displaces all other bodies sideways, away from that line (1.0) or towards it (-1.0).
    """

    charger: tuple[float, float, float] = (0.0, 0.0, 0.0)
    target: tuple[float, float, float] = (0.0, 0.0, 0.0)
    others: float = 0.0


PERTURBATIONS = (
    Perturbation((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)),
    Perturbation((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
    Perturbation((0.0, 1.0, 0.0), (0.0, -1.0, 0.0)),
    Perturbation((0.0, -1.0, 0.0), (0.0, 1.0, 0.0)),
    Perturbation((0.0, 0.0, 1.0), (0.0, 0.0, -1.0)),
    Perturbation((0.0, 0.0, -1.0), (0.0, 0.0, 1.0)),
    Perturbation(others=-1.0),
    Perturbation(others=1.0),
    Perturbation((0.0, 1.0, 0.0)),
    Perturbation((0.0, -1.0, 0.0)),
)
"""Along the line towards each other and away; past each other on either side; turned; others nearer to that line and
farther from it; and the charger alone aside: the target stays where a measured claim beside it is meant, and another of
its facings may be charged."""


@dataclass(frozen=True)
class Alternatives(Searched, Generic[Answer]):
    """Answers on other possible tables within the accuracy.

    Attributes
    ----------
    proven, states
        The answers, and the tables on which they were found, in the same order.
    unknown
        Number of tables without an answer.
    limit
        What ended the search early, in words; empty if it finished.
    """

    proven: tuple[Answer, ...] = ()
    states: tuple[State, ...] = ()
    unknown: int = 0

    @property
    def words(self) -> str:
        """Text that says how many tables within the accuracy were searched."""
        return searched(
            counted(len(self.proven), "tables"), is_whole=self.is_complete and not self.unknown
        )

    def spans(self, told: Sequence[Ruling | ChargeOdds]) -> dict[str, Any]:
        """Return the ranges of the smallest roll and of the chance of success over the rulings or odds of one charge on
        all tables.

        The result has the keys "shortest_roll_range" and "chance_success_range", or none if a limit ended the search. A
        roll of None (no roll succeeds) is greater than all others.
        """
        if not self.is_complete:
            return {}
        rolls = [roll for one in told for roll in one.shortest_rolls]
        chances = [chance for one in told for chance in one.chances]
        known = [roll for roll in rolls if roll is not None]
        span = min(known, default=None), None if None in rolls else max(known)
        return {"shortest_roll_range": span, "chance_success_range": (min(chances), max(chances))}


def searched(tried: str, *, is_whole: bool) -> str:
    """Return the text "... within the accuracy searched"; `tried` counts what was, and unless `is_whole` it says that
    some is missing.
    """
    if is_whole:
        return say("{tried} within the accuracy searched", tried=tried)
    return say("{tried} within the accuracy searched, not all that were meant to be", tried=tried)


def with_uncertainty(case: Case, resolution: Resolution, resolve: Resolved) -> Resolution:
    """Return a resolution of a settled table, its rulings completed by how sure they are within the accuracy of the
    measurements.

    Each ruling gets a first finding on what was moved to settle the table, the possible errors of its margins, the
    rules that are open, and what to measure again. `resolve` resolves the other possible tables.
    """
    told = _resolve_alternatives(case, resolve)
    play = Play.of(case)
    rulings = tuple(
        _told(case, ruling, [other.rulings[number] for other in told.proven], told, play)
        for number, ruling in enumerate(resolution.rulings)
    )
    return replace(resolution, rulings=rulings, elsewhere=told.proven, elsewhere_limit=told.limit)


def _told(
    case: Case,
    ruling: Ruling,
    elsewhere: Sequence[Ruling],
    told: Alternatives[Resolution],
    play: "Play",
) -> Ruling:
    findings = compared(ruling.findings, [other.findings for other in elsewhere], play)
    turned = [
        other for other in elsewhere if (other.outcome, other.rule) != (ruling.outcome, ruling.rule)
    ]
    others = {
        finding.rule: _taken_else(finding, elsewhere)
        for finding in findings
        if ruling.outcome != "not_allowed"
    }
    hangs = _hangs_on(findings, ruling, turned, {rule for rule, some in others.items() if some})
    said = [{(rule, mark.words) for rule, mark in other.decided.items()} for other in elsewhere]
    findings = [
        _surely(replace(finding, is_open=finding.rule in hangs), said) for finding in findings
    ]
    summary = ruling.summary
    first = next((finding for finding in findings if finding.rule in hangs), None)
    what = None
    if first is not None:
        movers = (ruling.charge.charger, *ruling.charge.targets)
        tables = zip(
            (case.state, *told.states), (one.findings for one in (ruling, *elsewhere)), strict=True
        )
        what = decides(
            case,
            first,
            list(tables),
            movers,
            case.state if case.settled is None else case.settled.measured,
        )
    if any(other.summary != summary for other in elsewhere):
        summary = say("On the table nearest to what was measured: {summary}", summary=summary)
    if hangs:
        outcomes = [*map(_outcome, turned), *(one for some in others.values() for one in some)]
        summary = say("{open} {summary}", open=_open_words(what, outcomes), summary=summary)
    return replace(
        ruling,
        findings=(_settled_finding(case, told), *findings),
        summary=summary,
        open=hangs,
        decides=what,
        **told.spans([ruling, *elsewhere]),
    )


def _surely(finding: Finding, elsewhere: Sequence[set[tuple[str, str]]]) -> Finding:
    """Return a finding whose mark says whether the same words, with the same numbers, decide on every other table.

    `elsewhere` holds, for each other table, the (rule, words) of the marks that decided.
    """
    mark = finding.mark and replace(
        finding.mark,
        is_sure=all((finding.rule, finding.mark.words) in words for words in elsewhere),
    )
    return replace(finding, mark=mark)


def compared(
    findings: Sequence[Finding], elsewhere: Sequence[Sequence[Finding]], play: "Play"
) -> list[Finding]:
    """Return findings with the possible errors of their margins, from those on other tables and the bounds of gaps."""
    others = [_by_key(found) for found in elsewhere]
    return [
        _compared(finding, [found[key] for found in others if key in found], play)
        for key, finding in _by_key(findings).items()
    ]


def _by_key(findings: Sequence[Finding]) -> dict[Key, Finding]:
    numbers: dict[str, count[int]] = {}
    return {
        (finding.rule, next(numbers.setdefault(finding.rule, count()))): finding
        for finding in findings
    }


def _compared(finding: Finding, elsewhere: Sequence[Finding], play: "Play") -> Finding:
    """Return a finding with the possible error of its margin in inches: the bound for a gap between units, else the
    largest seen.

    Parameters
    ----------
    finding, elsewhere
        The finding on the settled table, and the same one on other tables.
    play
        By how much gaps can differ.
    """
    if finding.taken is not None:
        return _parted(
            finding, finding.taken, [one.taken for one in elsewhere if one.taken is not None]
        )
    if not isinstance(finding.margin, float):
        return finding
    if finding.between:
        return replace(
            finding,
            uncertainty=max(
                play.between(finding.between[0], other) for other in finding.between[1:]
            ),
        )
    margins = [one.margin for one in elsewhere if isinstance(one.margin, float)]
    return replace(
        finding, uncertainty=max((abs(margin - finding.margin) for margin in margins), default=0.0)
    )


def _taken_else(finding: Finding, elsewhere: Sequence[Ruling]) -> list[str]:
    """Return, in words, what a procedure of the rules selects on other tables but not on the settled one."""
    taken = [
        one.taken
        for other in elsewhere
        for one in other.findings
        if one.rule == finding.rule and one.taken is not None
    ]
    named: dict[str | int, str] = {}
    for one in taken:
        if finding.taken is not None and one.is_other(finding.taken):
            named.setdefault(one.what if one.number is None else one.number, one.what)
    return list(named.values())


def _parted(finding: Finding, own: Taken, others: Sequence[Taken]) -> Finding:
    """Return a finding with the distance in inches from another selection and its possible error, if known on every
    table.

    `own` is what the procedure selected on the settled table, `others` on the other ones.
    """
    offs = [(one.off, -1.0 if one.is_other(own) else 1.0) for one in others]
    if (
        own.off is None
        or all(sign > 0.0 for _, sign in offs)
        or any(off is None for off, _ in offs)
    ):
        return finding
    most = max(abs(own.off - sign * off) for off, sign in offs if off is not None)
    return replace(finding, measured=own.off, limit=0.0, margin=own.off, uncertainty=most)


def _hangs_on(
    findings: Sequence[Finding], ruling: Ruling, turned: Sequence[Ruling], taken: AbstractSet[str]
) -> tuple[str, ...]:
    """Return the rules that decide on the settled table and not on another table within the accuracy, or the reverse,
    and those in `taken`.

    They are in the order of the findings.

    Parameters
    ----------
    findings, ruling
        The findings and the ruling on the settled table.
    turned
        Rulings on other tables that differ in outcome or rule.
    taken
        Rules whose procedure selects something else on another table.
    """
    decisive = (
        {rule for rule in (ruling.rule, *(other.rule for other in turned)) if rule is not None}
        if turned
        else set()
    )
    decisive |= taken
    order = [finding.rule for finding in findings]
    return tuple(
        sorted(
            decisive, key=lambda rule: (order.index(rule) if rule in order else len(order), rule)
        )
    )


def _open_words(what: Decides | None, outcomes: Sequence[str]) -> str:
    text = say(
        "Undecided at this accuracy: the outcome may also be {outcomes}.",
        outcomes=listed(dict.fromkeys(outcomes), ", "),
    )
    return text if what is None else say("{text} {decides}", text=text, decides=what.text)


def decides(
    case: Case, finding: Finding, tables: Tables, movers: Sequence[str], written: State
) -> Decides:
    """Return what to measure again to decide an open rule.

    For a finding that measures a gap between two units it is that gap. For any other it is the length, such as the gap
    of a mover, that best separates the tables on which the rule is broken from the others.

    Parameters
    ----------
    case
        The case.
    finding
        The finding of the open rule.
    tables
        The tables within the accuracy, each with its findings, the settled one first.
    movers
        Names of the units whose gaps are considered: charger and targets, or claimed units.
    written
        The table as measured, of which lengths are told.
    """
    if finding.taken is not None and finding.measured is not None and finding.limit is not None:
        return _at(
            finding,
            tuple(movers[:2]),
            finding.taken.between,
            float(finding.measured),
            float(finding.limit),
        )
    if not finding.between or finding.measured is None or finding.limit is None:
        broken = [
            [one for one in findings if one.rule == finding.rule and _is_turned(one, finding)]
            for _, findings in tables
        ]
        named = {name for some in broken for one in some for name in names_in(one.text)}
        found = _border(
            [state for state, _ in tables], [bool(some) for some in broken], movers, named
        )
        if found is not None:
            return _between(
                finding, found, dict(_lengths([written], *found.pair))[found.is_of_middles][0]
            )
        rule = for_judge(say(" is {rule}", rule=finding.rule))
        return Decides(
            finding.rule,
            say("What decides{rule}: {text}", rule=rule, text=finding.text),
            finding.between[:2],
        )
    pair = finding.between[:2]
    apart = gap_of(case.state, *finding.between[:2])
    border = max(
        (float(finding.limit), float(finding.measured)), key=lambda length: abs(length - apart)
    )
    measured = gap_of(written, *pair)
    return (
        _touch(finding, pair, measured)
        if border < LEGIBLE
        else _at(finding, pair, listed(pair, " and "), measured, border)
    )


def _is_turned(one: Finding, finding: Finding) -> bool:
    """Return whether a finding on another table differs in a way that matters: it is broken, or its procedure selects
    something else.
    """
    return not one.ok or (
        finding.taken is not None and one.taken is not None and one.taken.is_other(finding.taken)
    )


def _at(
    finding: Finding, pair: tuple[str, ...], names: str, measured: float, border: float
) -> Decides:
    parts = {"names": names, "measured": measured, "border": border}
    text = say(
        "Measure again between {names}: it was {measured:.2f} in, and {border:.2f} in decides.",
        **parts,
    )
    return Decides(finding.rule, text, pair, measured, border)


def _touch(finding: Finding, pair: tuple[str, ...], apart: float) -> Decides:
    """Return the advice to check whether two units touch, which decides; `apart` is their gap as measured, in
    inches.
    """
    text = say("Check whether {names} touch: that decides.", names=listed(pair, " and "))
    if apart >= LEGIBLE:
        text = say("{check} As measured, they are {apart:.2f} in apart.", check=text, apart=apart)
    return Decides(finding.rule, text, pair, apart, 0.0)


@dataclass(frozen=True, order=True)
class Border:
    """A length between two units that separates tables on which a rule is broken from the others.

    Attributes
    ----------
    order
        Key for the choice among several, the least first: whether many tables lie between `low` and `high`, whether it
        is a distance between middles of fronts, how many tables lie between, how many of the pair no finding names, and
        high - low.
    pair
        Names of the two units or pieces of terrain.
    apart
        The length on the first table, in inches.
    low, high
        Inches between which the separating length lies.
    is_of_middles
        Whether it is the distance between the middles of two fronts, rather than a gap.
    """

    order: tuple[bool, bool, int, int, float]
    pair: tuple[str, str]
    apart: float
    low: float
    high: float
    is_of_middles: bool


def _between(finding: Finding, found: Border, written: float) -> Decides:
    """Return what to measure again between the pair of a border, of which only a range may be known; `written` is the
    length as measured.

    A number of the rule (its limit) that lies in that range is reported as the separating length. If the range of a gap
    begins below 0.005 in, the advice is to check whether the two touch.
    """
    pair = found.pair
    apart = found.apart
    low = found.low
    high = found.high
    own, *others = sorted(
        (float(one) for one in (finding.measured, finding.limit) if one is not None),
        key=lambda one: abs(one - apart),
    ) or [0.0]
    numbers = [one for one in others if low <= one <= high and abs(own - apart) < LEGIBLE]
    names = listed(pair, " and ")
    if not found.is_of_middles and low < LEGIBLE and (high < LEGIBLE or not numbers):
        return _touch(finding, pair, written)
    names = (
        say("the middles of the fronts of {names}", names=names) if found.is_of_middles else names
    )
    if numbers or high - low < LEGIBLE:
        return _at(finding, pair, names, written, numbers[0] if numbers else (low + high) / 2.0)
    message = (
        "Measure again between {names}: it was {measured:.2f} in, and a length between {low:.2f} and "
        "{high:.2f} in decides."
    )
    text = say(message, names=names, measured=written, low=low, high=high)
    return Decides(finding.rule, text, pair, written, (low + high) / 2.0, (high - low) / 2.0)


def _border(
    tables: Sequence[State], flags: Sequence[bool], movers: Sequence[str], named: AbstractSet[str]
) -> Border | None:
    """Return the length that best separates tables by a flag: a gap, or the distance between the middles of two fronts;
    None if none does.

    Parameters
    ----------
    tables, flags
        The tables, and for each whether the rule is broken.
    movers
        Names of the units that move, which are considered first in a pair.
    named
        Names in the sentences of the broken findings; lengths between these are preferred. Of loose models only pairs
        with a mover or a named one are considered.
    """
    if len({*flags}) == 1:
        return None
    found = []
    told = {*movers, *named}
    first = _shapes(tables[0])
    for name, other in combinations(first, 2):
        if not told.isdisjoint((name, other)) or len(first[name]) == len(first[other]) == 1:
            pair = (other, name) if other in movers and name not in movers else (name, other)
            for is_of_middles, lengths in _lengths(tables, *pair):
                known = [
                    [one for one, flag in zip(lengths, flags, strict=True) if flag is kind]
                    for kind in (True, False)
                ]
                low, high, inside = _sides(known)
                if high - low < max(lengths) - min(lengths):
                    is_vague = any(
                        MIN_SEPARATION_SHARE * number > len(some)
                        for number, some in zip(inside, known, strict=True)
                    )
                    order = (is_vague, is_of_middles, sum(inside), len({*pair} - named), high - low)
                    found.append(Border(order, pair, lengths[0], low, high, is_of_middles))
    return min(found, default=None)


def _sides(known: Sequence[Sequence[float]]) -> tuple[float, float, list[int]]:
    """Return two lengths (low, high) in inches outside of which all tables agree, and how many tables of each kind lie
    between them.

    `known` are the lengths on tables on which the rule is broken, and those on the others.
    """
    below, above = sorted(known, key=lambda lengths: sum(lengths) / len(lengths))
    low = max(below)
    high = min(above)
    if low < high:
        return low, high, [0 for _ in known]
    return high, low, [sum(high <= one <= low for one in lengths) for lengths in known]


def _lengths(states: Sequence[State], name: str, other: str) -> Iterator[tuple[bool, list[float]]]:
    """Yield (False, gaps of two bodies on each table) and, for two regiments, (True, distances of their fronts'
    middles), in inches.
    """
    yield False, [gap_of(state, name, other) for state in states]
    pairs = [(state.units.get(name), state.units.get(other)) for state in states]
    fronts = [
        math.dist(one.pose.at, two.pose.at)
        for one, two in pairs
        if isinstance(one, Regiment) and isinstance(two, Regiment)
    ]
    if len(fronts) == len(states):
        yield True, fronts


def _shapes(state: State) -> dict[str, list[Shape]]:
    found: dict[str, list[Shape]] = {}
    for body in bodies_of(state, Measured()):
        found.setdefault(body.name, []).append(body.shape)
    return found


def _outcome(ruling: Ruling) -> str:
    if ruling.rule is None:
        return word(ruling.outcome.replace("_", " "))
    rule = for_judge(say(" by {rule}", rule=ruling.rule))
    return (
        say("failed{rule}", rule=rule)
        if ruling.outcome == "failed"
        else say("not allowed{rule}", rule=rule)
    )


def gap_of(state: State, name: str, other: str) -> float:
    """Return the smallest gap between two named units on a table, in inches."""
    shapes = _shapes(state)
    return min(
        (gap(one, two) for one in shapes.get(name, ()) for two in shapes.get(other, ())),
        default=0.0,
    )


def _settled_finding(case: Case, told: Alternatives[Resolution]) -> Finding:
    """Return the finding that says which bodies were moved by how many inches to settle the table, and how many tables
    were searched.
    """
    rule = f"{case.system.name}.table.settled"
    if case.settled is None:
        return Finding(
            rule,
            ok=True,
            text=say(
                "Hexes and facings are exact, however well they were measured: nothing was moved."
            ),
        )
    moved = _moved(case.settled.shifts)
    text = say("The table is possible as it was measured; nothing was moved.")
    if moved:
        lengths = listed(
            [
                say("{name} by {inches:.3f} in", name=name, inches=inches)
                for name, inches in moved.items()
            ],
            ", ",
        )
        text = say("Corrected to the nearest possible table: {lengths}.", lengths=lengths)
    if told.proven or not told.is_complete:
        text = say("{text} {searched}.", text=text, searched=told.words)
    return Finding(rule, ok=True, text=text, measured=max(moved.values(), default=0.0))


def _moved(shifts: Sequence[Shift]) -> dict[str, float]:
    """Return how far each unit or piece of terrain was shifted, in inches, by name; of loose models the largest shift
    of any.
    """
    moved: dict[str, float] = {}
    for shift in shifts:
        moved[shift.name] = max(moved.get(shift.name, 0.0), (shift.x**2 + shift.y**2) ** 0.5)
    return moved


@dataclass(frozen=True)
class Play:
    """How far the bodies of a table can be from where it was settled: upper bounds in inches.

    Attributes
    ----------
    bodies
        The bodies of each unit or piece of terrain, by name, each with how far settling has moved any of its points.
    """

    bodies: Mapping[str, Sequence[tuple[Body, float]]]

    @classmethod
    def of(cls, case: Case) -> "Play":
        """Return the bounds of a case; there are no bodies if its table is exact."""
        found: dict[str, list[tuple[Body, float]]] = {}
        if case.measured is not None and case.settled is not None:
            shifts = {(shift.name, shift.number): shift for shift in case.settled.shifts}
            for body in bodies_of(case.settled.measured, case.measured):
                shift = shifts.get((body.name, body.number))
                gone = (
                    0.0
                    if shift is None
                    else (shift.x**2 + shift.y**2) ** 0.5 + body.reach * abs(shift.turn)
                )
                found.setdefault(body.name, []).append((body, gone))
        return cls(found)

    def most(self, names: Iterable[str]) -> float:
        """Return how far any point of the named units or pieces of terrain can be from where it was settled."""
        return max(
            (body.play + gone for name in names for body, gone in self.bodies.get(name, ())),
            default=0.0,
        )

    def between(self, name: str, other: str) -> float:
        """Return by how much the gap of two units or pieces of terrain can differ from that on the settled table."""
        pairs = list(product(self.bodies.get(name, ()), self.bodies.get(other, ())))
        if all(one.carrier is None and two.carrier is None for (one, _), (two, _) in pairs):
            return self.most([name]) + self.most([other])
        return max(
            most + min(gone, most)
            for most, gone in (
                (most_between(one, two), far + off) for (one, far), (two, off) in pairs
            )
        )


def with_range(case: Case, odds: Odds, ask: Callable[[Case], Odds]) -> Odds:
    """Return odds with the ranges of the smallest roll and of the chance of success over the other tables within the
    accuracy.

    `ask` computes the odds of the case on another table.
    """
    others = _resolve_alternatives(case, ask)
    alike = zip(*(found.charges for found in (odds, *others.proven)), strict=True)
    return replace(odds, charges=tuple(replace(told[0], **others.spans(told)) for told in alike))


def _resolve_alternatives(case: Case, ask: Callable[[Case], Answer]) -> Alternatives[Answer]:
    """Return the answers of `ask` on the other possible tables of a case, as many as the time allows."""
    found = list[Answer]()
    states = list[State]()
    unknown = 0
    limit = ""
    try:
        for state in admissible(case):
            if deadline_passed():
                limit = limit_struck()
                break
            try:
                found.append(ask(replace(case, state=state)))
                states.append(state)
            # of a table on which it has no verdict, or that needs more faces, nothing is known
            except (NoVerdictError, ScenarioError):
                unknown += 1
    except NoVerdictError:  # there was no time to make the next one
        limit = limit_struck()
    return Alternatives(tuple(found), tuple(states), unknown, limit=limit)


def admissible(case: Case) -> Iterator[State]:
    """Yield possible tables within the accuracy, without the settled one: perturbations for each charge, then random
    ones.

    A table that is impossible is replaced by the nearest possible one.

    Raises
    ------
    NoVerdictError
        If the time is used up.
    """
    room = case.system.vocabulary.set_up_rules(
        case.state, list(enumerate(case.charges)), case.choices
    )
    if case.measured is None or case.settled is None or room is None:
        return
    settling = SettleProblem.of(case.settled.measured, case.measured, room)
    if not any(body.is_free for body in settling.bodies):
        return
    for units in _targets(settling.bodies, case.charges):
        found = settling.nearest(units)
        if found is not None:
            yield settling.table(found)


def _targets(bodies: Sequence[Body], charges: Sequence[Charge]) -> Iterator[FloatArray]:
    """Yield the wanted variables (n, 3) of each alternative table, in units of accuracy: the same for the same bodies
    in any order.
    """
    is_many = sum(isinstance(body.thing, Model) for body in bodies) > MANY
    for charge in charges:
        if (frame := _frame(bodies, charge)) is not None:
            yield from (
                _pulled(bodies, charge, frame, pull)
                for pull in PERTURBATIONS[: FEW if is_many else None]
            )
    random = np.random.default_rng(SAMPLING_SEED)
    by_name = sorted(range(len(bodies)), key=lambda number: bodies[number].called)
    for _ in range(FEW_AT_RANDOM if is_many else AT_RANDOM):
        angles = random.uniform(0.0, np.pi * 2, len(bodies))
        radii = np.sqrt(random.uniform(0.0, 1.0, len(bodies)))
        drawn = np.column_stack(
            [radii * np.cos(angles), radii * np.sin(angles), random.uniform(-1.0, 1.0, len(bodies))]
        )
        yield drawn[np.argsort(by_name)]


def _frame(bodies: Sequence[Body], charge: Charge) -> tuple[FloatArray, FloatArray] | None:
    """Return the centre (2,) of a charger and the unit vector (2,) to its first target; None if they are missing or
    coincide.
    """
    start = _centre(bodies, (charge.charger,))
    end = _centre(bodies, charge.targets[:1])
    if start is None or end is None or not (length := float(np.hypot(*(end - start)))):
        return None
    return start, (end - start) / length


def _centre(bodies: Sequence[Body], names: Sequence[str]) -> FloatArray | None:
    """Return the centre (2,) of the box around the bodies with the given names; None if there are none."""
    boxes = np.array([body.shape.bounds for body in bodies if body.name in names])
    return None if not len(boxes) else (boxes[:, :2].min(axis=0) + boxes[:, 2:].max(axis=0)) / 2.0


def _pulled(
    bodies: Sequence[Body], charge: Charge, frame: tuple[FloatArray, FloatArray], pull: Perturbation
) -> FloatArray:
    """Return the variables (n, 3), in units of accuracy, of one perturbation of the n bodies for a charge.

    `frame` is the charger's centre and the unit vector to its target.
    """
    start, ahead = frame
    left = np.array([-ahead[1], ahead[0]])
    units = np.zeros((len(bodies), 3))
    for row, body in zip(units, bodies, strict=True):
        if body.name == charge.charger or body.name in charge.targets:
            along, aside, turn = pull.charger if body.name == charge.charger else pull.target
            row[:] = body.wanted(along * ahead + aside * left, turn)
        else:
            side = 1.0 if float((body.middle - start) @ left) >= 0.0 else -1.0
            row[:] = body.wanted(pull.others * side * left, 0.0)
    return units
