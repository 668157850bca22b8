"""Every way that a charge may go: the same course as with faces, at each roll in all directions, ways that come to the same joined."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial

from systems.battletech.play import Play
from systems.battletech.roll import Draw, Roller, Step, T
from systems.battletech.scene import Combatant, Table
from tabletop.errors import NoVerdictError

MOST_WAYS = 20_000
"""Ways of one charge that are followed at a time."""


@dataclass
class Branch:
    """Rolls that go the ways `given`, by their numbers, and the first way from there on; remembers where others lead off."""

    given: tuple[int, ...]
    chance: Fraction = Fraction(1)
    widths: list[int] = field(default_factory=list)

    def pick(self, draw: Draw[T], what: str, *, is_told: bool = False) -> T:  # noqa: ARG002 - nobody is asked for faces
        """Go one way; of what is only to be told any will do."""
        if is_told or len(draw.ways) == 1:
            return draw.ways[0][0]
        number = len(self.widths)
        result, chance = draw.ways[self.given[number] if number < len(self.given) else 0]
        self.widths.append(len(draw.ways))
        self.chance *= chance
        return result

    def others(self) -> Iterator[tuple[int, ...]]:
        """Give the ways that lead off from this one where it was not told where to go."""
        for number in range(len(self.given), len(self.widths)):
            before = (*self.given, *(0,) * (number - len(self.given)))
            yield from ((*before, way) for way in range(1, self.widths[number]))

    def repeat(self, step: Step[T], state: T, *, times: int, is_told: bool = False) -> T:
        """Go to one of the states that the steps may lead to in the end."""
        return state if is_told else self.pick(_spread(step, state, times), "the state in the end")


@lru_cache(maxsize=4096)
def _spread(step: Step[T], state: T, times: int) -> Draw[T]:
    """Draw from all states that so many steps may lead to."""
    worlds = {state: Fraction(1)}
    for _ in range(times):
        found: dict[T, Fraction] = {}
        for world, chance in worlds.items():
            for way, share in _next(step, world):
                found[way] = found.get(way, Fraction(0)) + chance * share
        worlds = found
    return Draw((), tuple(worlds.items()))


@lru_cache(maxsize=4096)
def _next(step: Step[T], state: T) -> tuple[tuple[T, Fraction], ...]:
    """Give the states that one step may lead to, each once."""
    found: dict[T, Fraction] = {}
    for way, share in ways_of(partial(step, state)):
        found[way] = found.get(way, Fraction(0)) + share
    return tuple(found.items())


def ways_of(step: Callable[[Roller], T]) -> Iterator[tuple[T, Fraction]]:
    """Give all that may come of one step, with the chances."""
    pending: list[tuple[int, ...]] = [()]
    while pending:
        branch = Branch(pending.pop())
        result = step(branch)
        yield result, branch.chance
        pending.extend(branch.others())


def _onward(play: Play) -> list[tuple[Play, Fraction]]:
    """Go on to the next roll that matters, or to the end, and give all that may come of it."""
    ways = [(play, Fraction(1))]
    while len(ways) == 1 and ways[0][0].agenda:
        ways = list(ways_of(ways[0][0].stepped))
    return ways


def ends_of(start: Play) -> list[tuple[Play, Fraction]]:
    """Give all ends of a charge with their chances.

    Ways that have most to do go first, so that those that come to the same meet.

    Raises
    ------
    NoVerdictError
        If they are too many.
    """
    worlds: dict[int, dict[Hashable, tuple[Play, Fraction]]] = {len(start.agenda): {start.key: (start, Fraction(1))}}
    while most := max(worlds):
        for play, chance in worlds.pop(most).values():
            for way, share in _onward(play):
                kept = forgotten(way, start.table)
                found, key = worlds.setdefault(len(kept.agenda), {}), kept.key
                if len(found) > MOST_WAYS:
                    raise NoVerdictError(_too_many(start, len(found)))
                found[key] = (kept, chance * share + (found[key][1] if key in found else 0))
    return list(worlds[0].values())


def _too_many(start: Play, count: int) -> str:
    charge = f"charges[{start.declared.number}] ({start.declared.charger})"
    return f"{charge} may go {count} ways that later charges tell apart; at most {MOST_WAYS} are followed"


def forgotten(play: Play, before: Table) -> Play:
    """Forget what nothing that is still to come asks for: so more ways come to the same."""
    named = {play.declared.charger, play.declared.target, *play.keep, *(strike.target for strike in play.strikes)}
    changed = [unit for name, unit in play.table.units.items() if unit is not before.units[name] and name not in play.keep]
    units = {unit.name: _plain(play, unit, before.units[unit.name]) for unit in changed}
    table = replace(play.table, units={**play.table.units, **units}) if units else play.table
    return play.but(
        table=table,
        tale=(),
        fell=tuple(sorted(named.intersection(play.fell))),
        toppled=tuple((name, number) for name, number in play.toppled if name in named),
    )


def _plain(play: Play, unit: Combatant, before: Combatant) -> Combatant:
    """Give a unit as it was, but where it stands now and with what its own charge goes on with."""
    if unit.name == play.declared.charger:
        return _plain_charger(play, unit, before)
    is_met = any(strike.is_hit and strike.target == unit.name for strike in play.strikes)
    if unit.name == play.declared.target and not is_met:
        return unit
    is_down = unit.is_prone and unit.name == play.declared.target
    return before.at(unit.hex).with_status(*(["prone"] if is_down else []))


def _plain_charger(play: Play, unit: Combatant, before: Combatant) -> Combatant:
    """Give the charger without the facing that it fell to, and without its pace once nothing asks for that."""
    asks_walk = play.table.choices.immobile_charger == "cancelled" and not play.strikes
    is_slower = unit.profile.walk != before.profile.walk and not asks_walk
    if unit.facing == before.facing and not is_slower:
        return unit
    profile = unit.profile.model_copy(update={"walk": before.profile.walk}) if is_slower else unit.profile
    return replace(unit, facing=before.facing, profile=profile)
