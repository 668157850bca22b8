"""Effects of collisions on units and buildings: damage groups, motive damage, piloting rolls, falls, and entering
buildings.

Most functions here are tasks, as in `collision`: they take the state of the charge and a roller, and return the new
state.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from systems.battletech.damage import (
    DRIVING,
    FALL_SIDES,
    Hit,
    Motive,
    Side,
    TableName,
    charge_numbers,
    column_of,
    divided_up,
    entry_number,
    grouped,
    motive_modifier,
    motive_table,
    piloting,
    table_of,
    tons_points,
)
from systems.battletech.play import ChargeState, Task, rolled
from systems.battletech.roll import FACE, ChargeReport, Check, Roller, RollTable, check
from systems.battletech.scene import CombatUnit
from tabletop.messages import counted, listed, say, word
from tabletop.ruling.evidence import Mark
from tabletop.ruling.finding import assumed
from tabletop.table.hexes import neighbour
from tabletop.table.hexes import number as hex_number
from tabletop.table.state import Hex


def hurt(
    state: ChargeState,
    roller: Roller,
    name: str,
    groups: tuple[int, ...],
    side: Side,
    table: TableName | None,
    metric: str = "",
    calls_motive: bool = True,  # noqa: FBT001, FBT002 - given by position on the agenda
) -> ChargeState:
    """Return the state after rolling the locations of damage groups on a unit, one by one, with the motive damage that
    they cause.

    `metric` ("charger" or "target") names the metrics that record the locations, empty for none. With `calls_motive`
    false locations cause no motive rolls, since the damage has its own.
    """
    if not groups:
        return state
    unit = state.table.units[name]
    motive_state = MotiveState.of(unit)
    if table is not None:
        column = column_of(unit, table, side=side, choices=state.table.choices)
        locating = Locating(
            column, motive_table(side, unit.profile.motion) if calls_motive else None, name
        )
        # motive damage alone may matter later: to the charger, or to charges that ask for the unit
        is_asked = unit.is_vehicle and (name == state.declared.charger or name in state.keep)
        motive_state = roller.repeat(
            locating, motive_state, times=len(groups), is_reported=not is_asked
        )
    if roller.report:
        _report_damage(state, roller.report, name, groups, side, motive_state.hits, metric)
        for result in motive_state.motives:
            _report_motive(roller.report, state, name, result)
    return state.with_unit(motive_state.fitted(unit)) if motive_state.motives else state


@dataclass(frozen=True)
class MotiveState:
    """A vehicle's ability to move while groups of damage land on it, with the locations and motive rolls so far.

    `kinds` are the kinds of motive damage that made its driving worse.
    """

    kinds: tuple[str, ...]
    is_immobile: bool
    walk: int | None
    hits: tuple[Hit, ...] = field(default=(), compare=False)
    motives: tuple[Motive, ...] = field(default=(), compare=False)

    @classmethod
    def of(cls, unit: CombatUnit) -> "MotiveState":
        """Return a unit's ability to move before it is damaged."""
        return cls(unit.motive, unit.is_immobile, unit.profile.walk)

    def slowed(self, result: Motive) -> "MotiveState":
        """Return the ability to move after one more result of a roll for motive damage."""
        told = replace(self, motives=(*self.motives, result))
        if result in ("none", "immobile"):
            return replace(told, is_immobile=self.is_immobile or result == "immobile")
        return replace(
            told, kinds=tuple(sorted({*self.kinds, result})), walk=_slower(self.walk, result)
        )

    def fitted(self, unit: CombatUnit) -> CombatUnit:
        """Return the unit with this ability to move; each new kind of motive damage makes its driving rolls harder
        once.
        """
        worse = sum(
            points
            for kind, points in DRIVING.items()
            if kind in self.kinds and kind not in unit.motive
        )
        profile = unit.profile
        if worse or self.walk != profile.walk:
            profile = profile.model_copy(
                update={"piloting": profile.piloting + worse, "walk": self.walk}
            )
        status = ("immobile",) if self.is_immobile else ()
        return replace(unit.with_status(*status), profile=profile, motive=self.kinds)


def _slower(walk: int | None, result: Motive) -> int | None:
    if walk is None or result == "minor":
        return walk
    return max(walk - 1, 0) if result == "moderate" else divided_up(walk, 2)


@dataclass(frozen=True)
class Locating:
    """A step that rolls the location of one group of damage on a unit and, where that causes it, motive damage."""

    column: RollTable[Hit]
    motive: RollTable[Motive] | None
    name: str

    def __call__(self, state: MotiveState, roller: Roller) -> MotiveState:
        """Return the state after one more group of damage."""
        hit = roller.pick(self.column, say("location of a group on {name}", name=self.name))
        told = replace(state, hits=(*state.hits, hit))
        if self.motive is None or not hit.is_motive:
            return told
        return told.slowed(roller.pick(self.motive, _motive_roll(self.name)))


def _report_damage(
    state: ChargeState,
    report: ChargeReport,
    name: str,
    groups: tuple[int, ...],
    side: Side,
    hits: tuple[Hit, ...],
    metric: str,
) -> None:
    """Report, as a step, a finding and metrics, where groups of damage landed; `metric` names the metrics, empty for
    none.
    """
    parts = {"name": name, "points": counted(sum(groups), "points"), "side": word(side)}
    text = say("{name} takes {points} of damage on its {side} side.", **parts)
    if hits:
        places = listed(
            (
                say("{points} {place}", points=group, place=hit.text)
                for group, hit in zip(groups, hits, strict=True)
            ),
            ", ",
        )
        text = say(
            "{name} takes {points} of damage on its {side} side: {places}.", places=places, **parts
        )
        report.finding(
            "damage.location",
            text,
            mark=_at_side(state, name, side, [places]) if metric == "target" else None,
        )
    report.step("damage", name, "damage.groups", "damage.location", text=text)
    if metric and hits:
        report.extend(f"locations_{metric}", *(hit.code for hit in hits))
        report.add(f"criticals_{metric}", sum(hit.is_critical for hit in hits))


def role(state: ChargeState, name: str) -> str | None:
    """Return a unit's part in the metrics: "charger", "target" (the unit that the charger ran into last, else its
    target), or None.
    """
    return {state.declared.charger: "charger", state.struck: "target"}.get(name)


def roll_motive_at_once(state: ChargeState, roller: Roller, name: str, side: Side) -> ChargeState:
    """Return the state after the motive roll that a charge itself causes; only vehicles make it."""
    unit = state.table.units[name]
    if not unit.is_vehicle:
        return state
    after = roll_motive(state, roller, name, side)
    if roller.report:
        report = roller.report
        motion = unit.profile.motion
        faces = report.faces[_motive_roll(name)]
        more = motive_modifier(side, motion)
        result = motive_table(side, motion).shown(faces)
        total = sum(faces)
        told = {"name": name, "total": total, "more": more, "kind": word(result)}
        report.motive.append(
            say("{name} {total}+{more}, {kind}", **told)
            if more
            else say("{name} {total}, {kind}", **told)
        )
        text = say(
            "{name} is a vehicle in a charge that hit, so it rolls for motive damage at once.",
            name=name,
        )
        mark = (
            None if name == state.declared.charger else _at_side(state, name, side, report.motive)
        )
        report.finding("motive.immediate", text, mark=mark)
    return after


def _at_side(state: ChargeState, name: str, side: Side, told: Sequence[str]) -> Mark:
    """Return a mark with some words, for figures about its rule, at the side of a target's hex from which it is hit."""
    unit = state.table.units[name]
    words = say("{side} side: {places}", side=word(side), places=listed(told, "; "))
    line = state.table.hexside(unit.hex, neighbour(unit.hex, state.forward + 3))
    return replace(state.table.mark(words, unit.hex, (line,)), is_for_point=True)


def _motive_roll(name: str) -> str:
    return say("motive damage of {name}", name=name)


def roll_motive(state: ChargeState, roller: Roller, name: str, side: Side) -> ChargeState:
    """Return the state after a roll for motive damage to a vehicle that was hit on one side."""
    unit = state.table.units[name]
    result = roller.pick(motive_table(side, unit.profile.motion), _motive_roll(name))
    if roller.report:
        _report_motive(roller.report, state, name, result)
    return state.with_unit(MotiveState.of(unit).slowed(result).fitted(unit))


def _report_motive(report: ChargeReport, state: ChargeState, name: str, result: Motive) -> None:
    text = say("{name} takes {kind} motive damage.", name=name, kind=word(result))
    if result == "none":
        text = say("{name} takes no motive damage.", name=name)
    report.step("motive", name, "motive.immediate", text=text)
    if part := role(state, name):
        report.extend(f"motive_{part}", result)


# Rolls not to fall, falls, and what they do to pilots.


def keep_feet(state: ChargeState, roller: Roller, name: str) -> ChargeState:
    """Return the state after the rolls of a standing 'Mech to keep its feet after a hit; at the first failed one it
    falls.
    """
    unit = state.table.units[name]
    if not unit.is_mech or unit.is_prone:
        if roller.report:
            roller.report.extend(f"psr_{role(state, name)}")
        return state
    numbers = charge_numbers(state.table, unit, points=state.points(name))
    checks: list[Check] = []
    for number in numbers:
        checks.append(roller.pick(check(number), say("{name} keeping its feet", name=name)))
        if not checks[-1].is_passed:
            break
    if roller.report:
        _report_rolls(state, roller.report, unit, numbers, checks)
    return state if checks[-1].is_passed else state.then((fall, (name, checks[-1].number, 0)))


def _report_rolls(
    state: ChargeState,
    report: ChargeReport,
    unit: CombatUnit,
    numbers: tuple[int, ...],
    checks: Sequence[Check],
) -> None:
    """Report the rolls made to keep a 'Mech's feet, and the numbers of all rolls that it had to make."""
    name = unit.name
    texts = [
        say("{name} makes a piloting roll: {rolled}.", name=unit.name, rolled=rolled(one))
        for one in checks
    ]
    for text in texts:
        report.step("psr", name, "psr.charge", text=text)
    report.extend(f"psr_{role(state, name)}", *numbers)
    report.finding(
        "psr.charge",
        texts[0],
        measured=checks[0].total,
        limit=checks[0].number,
        using=assumed(unit, "piloting"),
    )
    if len(numbers) > 1:
        rolls = say("it must roll twice; having fallen after the first roll, it makes no second")
        if len(checks) > 1:
            rolls = say("it must roll twice; the second roll {rolled}", rolled=rolled(checks[1]))
        points = state.points(name)
        text = say(
            "{name} took {points} points of damage in this charge, so {rolls}.",
            name=name,
            points=points,
            rolls=rolls,
        )
        report.finding("psr.heavy-damage", text, measured=points)


def fall(
    state: ChargeState, roller: Roller, name: str, number: int | None, levels: int
) -> ChargeState:
    """Return the state after a unit falls: prone if a 'Mech, on a random side, with damage by its weight and `levels`.

    `number` is what the roll not to fall needed, None if there was no such roll; the pilot's roll needs it.
    """
    unit = state.table.units[name]
    face = roller.pick(FACE, say("the side that {name} falls on", name=name))
    side = FALL_SIDES[face - 1]
    points = tons_points(state.table, unit) * (levels + 1)
    down = unit.at(unit.hex, unit.facing + face - 1).with_status("prone") if unit.is_mech else unit
    if roller.report:
        parts = {"name": name, "side": word(side), "points": counted(points, "points")}
        text = say("{name} falls on its {side} side and takes {points} of damage.", **parts)
        if levels:
            text = say(
                "{name} falls {levels} down, on its {side} side, and takes {points} of damage.",
                levels=counted(levels, "levels"),
                **parts,
            )
        roller.report.step(
            "fall", name, "fall", poses=(state.table.pose(unit), state.table.pose(down)), text=text
        )
        roller.report.finding("fall", text, measured=points)
        if part := role(state, name):
            roller.report.add(f"fall_damage_{part}", points)
    pilot = (
        ((_pilot, (name, piloting(state.table, unit) if number is None else number, levels)),)
        if unit.is_mech
        else ()
    )
    return (
        state.with_unit(down)
        .with_fall(name)
        .then((hurt, (name, grouped(state.table, points), side, table_of(unit))), *pilot)
    )


def _pilot(state: ChargeState, roller: Roller, name: str, number: int, levels: int) -> ChargeState:
    """Return the state, unchanged, after the roll whether the pilot of a fallen 'Mech is hurt, which is only
    reported.
    """
    harder = levels if state.table.choices.pilot_levels == "levels" else max(levels - 1, 0)
    roll = roller.pick(
        check(number + harder), say("the pilot of {name}", name=name), is_reported=True
    )
    if roller.report:
        text = say("The pilot of {unit} {rolled}.", unit=name, rolled=rolled(roll))
        if not roll.is_passed:
            text = say("The pilot of {unit} {rolled}, and is hurt.", unit=name, rolled=rolled(roll))
        roller.report.step("pilot", name, "fall", text=text)
        using = assumed(state.table.units[name], "piloting")
        roller.report.finding("fall", text, measured=roll.total, limit=roll.number, using=using)
        if part := role(state, name):
            roller.report.add(f"pilot_hits_{part}", int(not roll.is_passed))
    return state


# Entering building hexes, on the way and in the place of the target.


def path_tasks(state: ChargeState) -> tuple[Task, ...]:
    """Return the tasks of entry rolls, one for every building hex of the charger's path."""
    hexes = enumerate(state.declared.path, 1)
    return tuple(
        (enter, (place, entered, False))
        for entered, place in hexes
        if state.table.at(place).is_building
    )


def enter(
    state: ChargeState,
    roller: Roller,
    place: Hex,
    entered: int,
    is_target: bool,  # noqa: FBT001 - by position on the agenda
) -> ChargeState:
    """Return the state after the charger enters a building hex: the building loses CF by the charger's weight.

    If the charger's piloting roll fails, it takes damage by the building's CF, as tasks. The state is unchanged if the
    building has collapsed. `entered` is the number of hexes entered so far, this one included.
    """
    table = state.table
    unit = state.charger
    if state.cf(place) <= 0:
        return state
    what = say("{unit} entering the building in {place}", unit=unit.name, place=hex_number(place))
    number = entry_number(table, unit, place=place, entered=entered, is_target=is_target)
    roll = roller.pick(check(number), what)
    points = (
        0 if roll.is_passed else divided_up(table.at(place).cf, table.book.cf_per_absorbed_point)
    )
    if roller.report:
        rule = "building.entry-roll" if is_target else "building.path-rolls"
        parts = {"name": unit.name, "place": hex_number(place), "rolled": rolled(roll)}
        text = say("For entering the building in hex {place}, {name} {rolled}.", **parts)
        if points:
            text = say(
                "For entering the building in hex {place}, {name} {rolled}; it takes {points} of damage.",
                points=counted(points, "points"),
                **parts,
            )
        roller.report.step("building_roll", unit.name, rule, text=text)
        roller.report.finding(
            rule, text, measured=roll.total, limit=roll.number, using=assumed(unit, "piloting")
        )
        if is_target:
            roller.report.metrics |= {"entry_psr": roll.number, "entry_failed": not roll.is_passed}
    entered_it = state.with_cf_loss(place, tons_points(table, unit))
    if roll.is_passed:
        return entered_it
    motive: tuple[Task, ...] = ((roll_motive, (unit.name, "front")),) if unit.is_vehicle else ()
    hurting: Task = (hurt, (unit.name, grouped(table, points), "front", table_of(unit), "", False))
    return (entered_it.with_points(unit.name, points) if is_target else entered_it).then(
        hurting, *motive
    )


def enter_behind(state: ChargeState, roller: Roller) -> ChargeState:
    """Return the state after a charger that took its target's place enters the building there, if there is one."""
    if state.push != "moved" or not state.table.at(state.charger.hex).is_building:
        return state
    return enter(state, roller, state.charger.hex, state.declared.hexes_entered + 1, is_target=True)
