"""All charges of a file are declared first; then all roll, and the chargers of each target move, one alone or several together."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from systems.t9a.barring import bar_of, without_room
from systems.t9a.combined.group import Combination, Group, Looks
from systems.t9a.declare import Attempt, Declaration, declare
from systems.t9a.explain import complete_aligned, complete_unaligned, completed, failed, refused
from systems.t9a.odds import Patterns, RangeRoll
from systems.t9a.scene import declared_scene, profile_of
from systems.t9a.solution import Solution, solve
from systems.t9a.unaligned import UnalignedPlace
from tabletop.budget import Budget
from tabletop.messages import counted, listed, say
from tabletop.ruling.charge import Charge
from tabletop.ruling.finding import Finding
from tabletop.ruling.odds import Odds
from tabletop.ruling.phase import ChargePhase
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.dice import SIDES, DiceSource
from tabletop.table.state import State

Roll = tuple[Charge, Declaration, tuple[int, ...]]

NOT_OF_COMBINED = ("leeway",)


class Phase(ChargePhase[State]):
    """The charges of a file: all are declared first, then all roll, then the chargers of each target have their turn together."""

    case: Case

    def __init__(self, case: Case, budget: Budget) -> None:
        super().__init__(case, budget, case.state)
        self.declarations = declare_all(case, budget)
        self.faces: Mapping[int, tuple[int, ...]] = {}
        self.looks: Looks | None = None

    @property
    def turns(self) -> Sequence[Sequence[int]]:
        """Those that may not be declared, then the others by their target, in the order in which the targets are first named."""
        by_target: dict[str, list[int]] = {}
        for number in self._allowed:
            by_target.setdefault(self.charges[number].targets[0], []).append(number)
        return [*([number] for number in range(len(self.charges)) if number not in self._allowed), *by_target.values()]

    @property
    def _allowed(self) -> list[int]:
        return [number for number, declaration in enumerate(self.declarations) if declaration.refused_by is None]

    def resolve(self, throws: DiceSource) -> Resolution:
        """Roll for all that may be declared, then let all charges have their turns; raises as that of any phase does."""
        wanted = [(number, self.declarations[number].measured.dice, self.charges[number].dice) for number in self._allowed]
        self.faces = dict(zip(self._allowed, throws.deal(wanted), strict=True))
        return super().resolve(throws)

    def rule(
        self, turn: Sequence[int], table: State, dice: DiceSource, earlier: Mapping[int, Ruling]
    ) -> tuple[Mapping[int, Ruling], State]:
        """Refuse a charge, or move all chargers of a target."""
        del dice, earlier
        if turn[0] not in self._allowed:
            return {turn[0]: refused(self.charges[turn[0]], self.declarations[turn[0]])}, table
        rolls = [(self.charges[number], self.declarations[number], self.faces[number]) for number in turn]
        found, after = move_all(rolls, table, budget=self.budget, looks=self.looks, known=self.case.known)
        numbers = {self.charges[number].charger: number for number in turn}
        return {numbers[name]: ruling for name, ruling in found.items()}, after

    def odds(self) -> Odds:
        """Return the exact chances of all charges; what may be declared does not hang on the dice.

        Raises
        ------
        NoVerdictError
            If a pattern of reaching leads to what is not modelled, too many charges are undecided, a limit strikes, or nothing is proved.
        """
        rolls = tuple(
            RangeRoll(one.measured.needed_roll, profile_of(one.scene.charger).extra_dice, one.refused_by is None)
            for one in self.declarations
        )
        self.looks = Looks()
        return Patterns(self.charges, rolls, self.budget, self.looks, self._settled).odds()

    def _settled(self, pattern: Sequence[bool]) -> Sequence[Ruling]:
        """Resolve a pattern of reaching, with sixes for those who reach and ones for those who do not."""
        self.faces = {number: (SIDES if pattern[number] else 1,) * self.declarations[number].measured.dice for number in self._allowed}
        return super().resolve(DiceSource()).rulings


def declare_all(case: Case, budget: Budget) -> list[Declaration]:
    """Declare all charges in file order; each knows which were declared before it."""
    declarations: list[Declaration] = []
    for charge in case.charges:
        earlier = {other.scene.charger.name for other in declarations if other.refused_by is None}
        is_shared = any(other.scene.target.name == charge.targets[0] for other in declarations if other.refused_by is None)
        declaration = declare(
            declared_scene(case, charge, earlier),
            has_declared=charge.charger in earlier,
            may_take_blocked_path=case.choices.combined_blocked_path or not is_shared,
            budget=budget,
        )
        declarations.append(declaration)
    return declarations


def move_all(
    rolls: Sequence[Roll], state: State, *, budget: Budget, looks: Looks | None = None, known: Mapping[str, Any] = MappingProxyType({})
) -> tuple[dict[str, Ruling], State]:
    """Move all chargers of one target, given with their declarations and faces in file order; give their rulings as they move.

    `looks` counts what the search for several takes where all throws are gone through, so that no ruling need tell chances or what bars it;
    `known` is where they may end, as somebody says.
    """
    attempts = tuple(_attempt(roll, state) for roll in rolls)
    if len(attempts) == 1:
        ruling, state = _alone(attempts[0], budget)
        return {ruling.charge.charger: ruling}, state
    from systems.t9a.combined.search import Search

    group = Group(state, attempts, budget, Looks() if looks is None else looks, known)
    return _combined(group, Search(group).best(), is_told=looks is None)


def _attempt(roll: Roll, state: State) -> Attempt:
    charge, declaration, faces = roll
    units = state.units
    target = units[charge.targets[0]]
    scene = replace(declaration.scene, state=state, charger=units[charge.charger], target=target, absent=frozenset())
    return Attempt(charge, declaration, faces, scene)


def _alone(attempt: Attempt, budget: Budget) -> tuple[Ruling, State]:
    """Roll for and move a charger that has the target to itself."""
    solution = _solution_now(attempt, budget)
    place = None if solution is None else solution.place
    if not attempt.declaration.measured.reaches(attempt.faces):
        return failed(attempt, "t9a.range", _short(attempt), has_room=place is not None)
    if solution is None or place is None:
        reason = say("The range is enough, but no legal charge move exists any more.")
        return failed(attempt, "t9a.move.room", reason, solution, has_room=False)
    done = complete_unaligned(place, budget=budget) if isinstance(place, UnalignedPlace) else complete_aligned(place, budget=budget)
    return completed(attempt, replace(done, findings=(*solution.findings, *done.findings)))


def _solution_now(attempt: Attempt, budget: Budget) -> Solution | None:
    """Solve the charge on the table as it is now, unless nothing has changed since it was declared."""
    start, known = attempt.declaration.scene, attempt.declaration.solution
    if attempt.scene.state == start.state and not start.absent:
        return known
    return solve(attempt.scene, budget=budget, facings=known.facings if known else None)


def _short(attempt: Attempt) -> str:
    reached, distance = attempt.declaration.measured.reached(attempt.faces), attempt.declaration.measured.distance
    return say("A charge range of {reached:g} in falls short of {distance:.2f} in.", reached=reached, distance=distance)


def _combined(group: Group, found: Combination, *, is_told: bool) -> tuple[dict[str, Ruling], State]:
    """Let all chargers move in the order found, and say of each what the combined charge came to; why is looked for if it `is_told`."""
    state, rulings = group.state, dict[str, Ruling]()
    for name in found.order:
        attempt = replace(group.attempt(name), scene=group.scene(name, state))
        if name in found.places:
            done = complete_aligned(found.places[name], budget=group.budget, is_alone=len(found.places) == 1)
            ruling, state = completed(attempt, done)
            ruling = _of_completed(ruling, found)
        elif name in group.in_range:
            reason = say("There is no room for {name} beside the others.", name=name)
            if found.is_open:
                reason = say("No room for {name} beside the others was found.", name=name)
            ruling, state = failed(attempt, "t9a.combined.room", reason, has_room=None if found.is_open else False)
            ruling = replace(ruling, proof=found.proof)
        else:
            has_room = _room_if_reached(group, attempt) if is_told else None
            ruling, state = failed(attempt, "t9a.range", _short(attempt), has_room=has_room)
        rulings[name] = replace(ruling, findings=(*ruling.findings, *_combined_findings(group, found, attempt, is_told=is_told)))
    last = max(found.places, key=group.names.index, default=None)
    if last is not None and len(found.places) > 1:
        summary = say("{summary} {in_all}.", summary=rulings[last].summary, in_all=_in_all(group, found))
        rulings[last] = replace(rulings[last], summary=summary)
    return rulings, state


def _room_if_reached(group: Group, attempt: Attempt) -> bool | None:
    """Tell whether a charger whose range is too short would complete, had it rolled enough; None if that was not found out."""
    from systems.t9a.combined.search import Search

    name, measured = attempt.charge.charger, attempt.declaration.measured
    if measured.needed_roll > SIDES:
        return False
    enough = tuple(replace(one, faces=(SIDES,) * measured.dice) if one.charge.charger == name else one for one in group.attempts)
    found = Search(replace(group, attempts=enough, looks=Looks())).best()
    return name in found.places or (None if found.is_open else False)


def _in_all(group: Group, found: Combination) -> str:
    theirs, own = counted(found.totals[0], "models"), found.totals[1]
    target = group.attempts[0].charge.targets[0]
    return say("In all {theirs} of {target} and {own} of its chargers are in contact", theirs=theirs, target=target, own=own)


def _of_completed(ruling: Ruling, found: Combination) -> Ruling:
    """Add the totals and leave out what is asked only of a charger alone."""
    totals: Mapping[str, int] = dict(zip(("total_target_models_in_contact", "total_charger_models_in_contact"), found.totals, strict=True))
    metrics = {key: value for key, value in ruling.metrics.items() if key not in NOT_OF_COMBINED}
    return replace(ruling, metrics={**metrics, **totals}, choices=None, proof=found.proof)


def _combined_findings(group: Group, found: Combination, attempt: Attempt, *, is_told: bool) -> list[Finding]:
    name, target = attempt.charge.charger, attempt.charge.targets[0]
    order = listed(found.order, ", ")
    done = len(found.places)
    rolled = say("{names} all charge {target}: all ranges were rolled first.", names=listed(group.names, ", "), target=target)
    moved = say("They move in the order {order}; {done} complete, {proven}.", order=order, done=done, proven=_proven(found))
    findings = [
        Finding("t9a.combined.roll-first", ok=True, text=rolled),
        Finding("t9a.combined.order", ok=True, text=moved, measured=float(done)),
    ]
    if name in found.places:
        more = say("whether other places give more is open") if found.is_open else say("no places give more")
        more += "" if found.is_settled else say("; not all that give as much were compared by the tie")
        totals = say("{in_all}; {more}.", in_all=_in_all(group, found), more=more)
        findings += [
            Finding("t9a.combined.aligned-only", ok=True, text=say("It stands aligned, as every unit of a combined charge must.")),
            Finding("t9a.combined.totals", ok=True, text=totals, measured=float(found.totals[0])),
        ]
    if name in group.in_range:
        has_room = name in found.places
        none = say("No order and no places leave it room to complete")
        none = say("None of the orders and places looked at leaves it room") if found.is_open else none
        bar = bar_of(attempt.scene, [attempt.facing], budget=group.budget) if is_told and not has_room else None
        room = Finding("t9a.combined.room", ok=True, text=say("There is room for it beside the others."))
        short = say("no room beside the others")
        findings.append(room if has_room else without_room("t9a.combined.room", none, bar, attempt.declared_front, short))
    return findings


def _proven(found: Combination) -> str:
    if found.is_open:
        return say("the best found {limit}", limit=found.limit)
    return say("and no order lets more")
