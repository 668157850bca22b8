"""How a charger gets to the hex before its target: along a given path, by the best path, or as already moved.

A path costs movement points (MP) for standing up, turning and entering hexes, and for the target's hex. All legal paths
are counted exactly by dynamic programming, and the best of them is found.
"""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice, pairwise

from systems.battletech.scene import CombatUnit, Gait, Table
from systems.battletech.words import Declarations, Sense, step_of
from tabletop.budget import check_deadline
from tabletop.messages import say
from tabletop.table.hexes import HEX_FACINGS, direction, distance, neighbour
from tabletop.table.hexes import number as hex_number
from tabletop.table.state import Hex

HEXSIDES = 6

LEAST_MP = 1
"""Minimum MP per hex whatever the book's numbers, so that every path is finite."""

MOST_LISTED = 10_000
"""Number of paths listed per charge; all are counted."""

DIGIT = 128
"""Bits of one count: 6 directions at each of at most 40 steps stay below 2 ** 104."""

PathEntry = tuple[Sense, Hex]

Row = tuple[int, ...]
"""Path counts for the six directions, packed as digits of one integer."""

NO_PATHS: Row = (0,) * HEXSIDES


@dataclass(frozen=True)
class HexStep:
    """One step into a hex: its sense (forward, back or side), the hex, the facing on it, the MP for turning before and
    for entering.
    """

    sense: Sense
    hex: Hex
    facing: int
    turn_mp: int
    enter_mp: int

    @property
    def mp(self) -> int:
        """MP (movement points) of the step, turning included."""
        return self.turn_mp + self.enter_mp


@dataclass(frozen=True)
class HexPath:
    """A path from the charger's start to the hex before its target, through neighbouring hexes.

    Attributes
    ----------
    start, facing
        The hex and the facing at its start; facings count hexsides clockwise from N.
    rise_mp
        MP (movement points) for standing up first.
    legs
        The steps, one for each hex entered.
    end_facing, end_turn_mp
        The facing at the end, and the MP for turning there.
    target_mp
        MP for entering the target's hex; None if the path does not end next to it.
    """

    start: Hex
    facing: int
    rise_mp: int
    legs: tuple[HexStep, ...]
    end_facing: int
    end_turn_mp: int
    target_mp: int | None

    @property
    def last(self) -> Hex:
        """The hex in which the charger stops."""
        return self.legs[-1].hex if self.legs else self.start

    @property
    def hexes(self) -> tuple[Hex, ...]:
        """The hexes entered, in order, without the start."""
        return tuple(leg.hex for leg in self.legs)

    @property
    def mp_to_last(self) -> int:
        """MP from the start to the last hex, turning there included."""
        return self.rise_mp + sum(leg.mp for leg in self.legs) + self.end_turn_mp

    @property
    def mp(self) -> int | None:
        """MP in all, the target's hex included; None if the path does not end next to the target."""
        return None if self.target_mp is None else self.mp_to_last + self.target_mp


@dataclass(frozen=True)
class Aim:
    """A charger and what it charges: a unit, or a building hex (then `target` is None)."""

    number: int
    keys: Declarations
    table: Table
    charger: CombatUnit
    target: CombatUnit | None
    target_hex: Hex

    @property
    def name(self) -> str:
        """Name of what is charged, for a sentence: the unit, or the building in its hex."""
        return (
            self.target.name
            if self.target
            else say("the building in hex {place}", place=hex_number(self.target_hex))
        )

    @property
    def is_search(self) -> bool:
        """Whether the path is to be found, since the file gives neither a path nor a number of hexes."""
        return self.keys.path is None and self.keys.hexes_moved is None

    @property
    def is_on_foot(self) -> bool:
        """Whether the charger walks or runs as far as the file says, rather than jumping, sprinting or evading."""
        return self.keys.movement in ("auto", "walk", "run")

    @property
    def walk(self) -> int:
        """MP (movement points) of the charger at a walk."""
        return self.charger.profile.walk or 0

    @property
    def limit(self) -> int:
        """MP available in all: those at a walk if a walk is declared, else those at a run."""
        return self.walk if self.keys.movement == "walk" else self.charger.profile.running

    @cached_property
    def entries(self) -> tuple[PathEntry, ...]:
        """The steps of the path that the file gives, as (sense, hex) pairs; empty without one."""
        return tuple(map(step_of, self.keys.path or ()))

    @property
    def end_facing(self) -> int | None:
        """The facing at the end that the file declares, as a hexside from N; None without one."""
        return HEX_FACINGS.index(self.keys.end_facing) if self.keys.end_facing is not None else None


@dataclass(frozen=True)
class ChargePath:
    """A path to the hex before the target, the movement mode, and the number of hexes entered that count for damage."""

    way: HexPath
    gait: Gait
    hexes_entered: int
    entries: tuple[PathEntry, ...] = ()


def given(aim: Aim) -> ChargePath | None:
    """Return the path that the file gives, or that of a charger already moved; None if two hexes in succession are not
    neighbours.
    """
    if first_gap(aim.charger.hex, [place for _, place in aim.entries]) is not None:
        return None
    if aim.keys.hexes_moved is not None:
        way = walked(
            aim.table, aim.charger, (), target_hex=aim.target_hex, end_facing=aim.charger.facing
        )
        return ChargePath(
            way, "walk" if aim.keys.movement == "walk" else "run", aim.keys.hexes_moved
        )
    way = walked(
        aim.table, aim.charger, aim.entries, target_hex=aim.target_hex, end_facing=aim.end_facing
    )
    mp = way.mp_to_last if way.mp is None else way.mp
    is_since = aim.table.choices.backward == "since_reversal"
    counted = hexes_counted(aim.entries, since_reversal=is_since)
    return ChargePath(way, gait_of(aim.keys.movement, mp, aim.walk), counted, aim.entries)


def gait_of(movement: str, mp: int, walk: int) -> Gait:
    """Return the movement mode of a unit that spends `mp`: as declared, else "walk" if `walk` MP suffice, else
    "run".
    """
    return "walk" if movement == "walk" or (movement != "run" and mp <= walk) else "run"


def hexes_counted(entries: Sequence[PathEntry], *, since_reversal: bool) -> int:
    """Return the number of hexes entered; with `since_reversal` only those after the last step that is not forward."""
    if not since_reversal:
        return len(entries)
    return next(
        (number for number, (sense, _) in enumerate(reversed(entries)) if sense != "forward"),
        len(entries),
    )


def faces_target(aim: Aim, plan: ChargePath) -> bool:
    """Return whether the path ends next to the target and facing it."""
    return direction(plan.way.last, aim.target_hex) == plan.way.end_facing


# What a way costs.


def walked(
    table: Table,
    unit: CombatUnit,
    entries: Sequence[PathEntry],
    *,
    target_hex: Hex,
    end_facing: int | None = None,
) -> HexPath:
    """Return the path of a unit along given steps, with its costs in MP.

    Without an `end_facing` the unit turns towards the target at its end, if it is next to it.
    """
    legs: list[HexStep] = []
    place = unit.hex
    facing = unit.facing
    for sense, entered in entries:
        looks = _facing_for(sense, facing, direction(place, entered))
        legs.append(
            HexStep(
                sense,
                entered,
                looks,
                turn_mp(table, facing, looks),
                enter_mp(table, place, entered, unit),
            )
        )
        place = entered
        facing = looks
    ahead = direction(place, target_hex)
    end = end_facing if end_facing is not None else facing if ahead is None else ahead
    last_mp = None if ahead is None else enter_mp(table, place, target_hex, unit)
    return HexPath(
        unit.hex,
        unit.facing,
        rise_mp(table, unit),
        tuple(legs),
        end,
        turn_mp(table, facing, end),
        last_mp,
    )


def straight_line(aim: Aim) -> tuple[int, tuple[Hex, ...]] | None:
    """Return the hexside towards the target and the hexes before it in a straight line; None if it lies in no such
    line.
    """
    away = distance(aim.charger.hex, aim.target_hex)
    for towards in range(HEXSIDES):
        hexes = [aim.charger.hex]
        for _ in range(away):
            hexes.append(neighbour(hexes[-1], towards))
        if hexes[-1] == aim.target_hex:
            return towards, tuple(hexes[1:-1])
    return None


def straight_way(aim: Aim) -> HexPath | None:
    """Return the path straight ahead to the target, however many MP it costs; None if there is none or a hex on it
    cannot be entered.
    """
    line = straight_line(aim)
    table = aim.table
    unit = aim.charger
    if line is None:
        return None
    steps = pairwise((unit.hex, *line[1]))
    enemies = enemy_hexes(table, unit)
    if not all(
        is_passable(table, start, place, unit) and place not in enemies for start, place in steps
    ):
        return None
    entries: list[PathEntry] = [("forward", place) for place in line[1]]
    return walked(table, unit, entries, target_hex=aim.target_hex, end_facing=line[0])


def _facing_for(sense: Sense, facing: int, towards: int | None) -> int:
    """Return a unit's facing while it moves to the hexside `towards`: that side, the opposite one (back), or unchanged
    (side).
    """
    if towards is None or sense == "side":
        return facing
    return towards if sense == "forward" else (towards + HEXSIDES // 2) % HEXSIDES


def first_gap(start: Hex, hexes: Sequence[Hex]) -> int | None:
    """Return the index of the first hex that is no neighbour of the one before it; None if there is none."""
    before = (start, *hexes)
    return next(
        (number for number, place in enumerate(hexes) if direction(before[number], place) is None),
        None,
    )


def turn_mp(table: Table, facing: int, other: int) -> int:
    """Return the MP (movement points) for turning from one facing to another, the shorter way round."""
    sides = (other - facing) % HEXSIDES
    return table.book.turn_mp * min(sides, HEXSIDES - sides)


def enter_mp(table: Table, start: Hex, end: Hex, unit: CombatUnit) -> int:
    """Return the MP (movement points) for entering a hex from its neighbour: base cost, terrain and level change."""
    book = table.book
    per_level = book.mech_level_mp if unit.is_mech else book.vehicle_level_mp
    return max(
        book.enter_mp
        + _terrain_mp(table, end, unit)
        + per_level * abs(table.rise(start, end, unit)),
        LEAST_MP,
    )


def _terrain_mp(table: Table, place: Hex, unit: CombatUnit) -> int:
    ground = table.at(place)
    book = table.book
    if ground.cover == "water":
        return (
            0
            if unit.is_hover or ground.depth == 0
            else book.shallow_water_mp
            if ground.depth == 1
            else book.deep_water_mp
        )
    if ground.cover == "building":
        cost: int = (
            getattr(book, f"{ground.building_class(book)}_building_mp") if ground.is_building else 0
        )
        return cost
    costs = {
        "light_woods": book.light_woods_mp,
        "heavy_woods": book.heavy_woods_mp,
        "rough": book.rough_mp,
        "rubble": book.rubble_mp,
    }
    return costs.get(ground.cover, 0)


def rise_mp(table: Table, unit: CombatUnit) -> int:
    """Return the MP (movement points) for standing up before anything else; 0 for a unit that is not prone."""
    return table.book.stand_up_mp if unit.is_prone else 0


# All legal paths.


@dataclass(frozen=True)
class Option:
    """A kind of equally good paths: movement mode, MP in all, number of hexes entered, and the number of such paths."""

    gait: Gait
    mp: int
    hexes: int
    count: int


@dataclass(frozen=True)
class PathSearchResult:
    """The result of a path search: every kind of legal path, the best first, and one path of the best kind.

    `listed` holds single paths if they were asked for; `fewest` the least MP of any path if none is legal.
    """

    options: tuple[Option, ...]
    plan: ChargePath | None
    listed: tuple[tuple[Hex, ...], ...] = ()
    fewest: int | None = None

    @property
    def count(self) -> int:
        """Number of all legal paths."""
        return sum(option.count for option in self.options)


@dataclass(frozen=True)
class PathQuery:
    """What a path search asks: paths of a unit to hexes next to the target from which it may charge.

    `facings` are those in which it may end; `is_dry` forbids water of depth 1 and more on the way, as for a run.
    """

    table: Table
    unit: CombatUnit
    target_hex: Hex
    facings: tuple[int, ...]
    is_dry: bool

    @cached_property
    def finals(self) -> dict[Hex, tuple[int, int]]:
        """Possible last hexes, each with the facing towards the target and the MP for entering the target's hex."""
        behind = (
            (facing, neighbour(self.target_hex, facing + HEXSIDES // 2)) for facing in self.facings
        )
        return {
            place: (facing, enter_mp(self.table, place, self.target_hex, self.unit))
            for facing, place in behind
            if self._may_stop(place)
        }

    def _may_stop(self, place: Hex) -> bool:
        table = self.table
        unit = self.unit
        is_level = abs(table.rise(place, self.target_hex, unit)) <= steepest(table, unit)
        return table.board.holds(place) and is_level and table.crowding(place, unit) is None

    def exits(self, place: Hex) -> tuple[tuple[int, Hex, int], ...]:
        """Return the possible steps out of a hex as (direction, hex entered, MP without turning)."""
        around = ((facing, neighbour(place, facing)) for facing in range(HEXSIDES))
        return tuple(
            (facing, other, enter_mp(self.table, place, other, self.unit))
            for facing, other in around
            if self._may_go(place, other)
        )

    def _may_go(self, start: Hex, place: Hex) -> bool:
        table = self.table
        unit = self.unit
        if not table.board.holds(place) or place == self.target_hex or place in self._enemies:
            return False
        return is_passable(table, start, place, unit) and not (
            self.is_dry and is_wet(table, place, unit)
        )

    @cached_property
    def _enemies(self) -> frozenset[Hex]:
        return enemy_hexes(self.table, self.unit)


def steepest(table: Table, unit: CombatUnit) -> int:
    """Return the largest level change, up or down, with which a unit may enter the target's hex."""
    return 1 if table.choices.level_difference == "one" else table.climb(unit)


def is_wet(table: Table, place: Hex, unit: CombatUnit) -> bool:
    """Return whether a hex has water that a unit may not run through."""
    ground = table.at(place)
    return ground.cover == "water" and ground.depth > 0 and not unit.is_hover


def is_passable(table: Table, start: Hex, place: Hex, unit: CombatUnit) -> bool:
    """Return whether terrain and level let a unit walk from a hex into its neighbour."""
    return not table.is_prohibited(place, unit) and abs(
        table.rise(start, place, unit)
    ) <= table.climb(unit)


def enemy_hexes(table: Table, unit: CombatUnit) -> frozenset[Hex]:
    """Return the hexes with enemy units other than infantry."""
    return frozenset(
        other.hex
        for other in table.units.values()
        if other.side != unit.side and not other.is_infantry
    )


@dataclass(frozen=True)
class Counts:
    """Numbers of paths of one query: `arriving[hex][mp]` counts those from a hex to the target that spend exactly `mp`
    from there.

    Each entry is a row with an integer for each facing of the unit on arrival in the hex, before it turns; the integer
    packs the numbers of paths by hexes still to enter, `DIGIT` bits each.
    """

    query: PathQuery
    most: int
    arriving: dict[Hex, dict[int, Row]]

    def options(self, gait: Gait, least: int, most: int) -> Iterator[Option]:
        """Yield each kind of path that needs between `least` and `most` MP in all, with the number of such paths."""
        unit = self.query.unit
        rise = rise_mp(self.query.table, unit)
        for mp in range(max(least, rise), most + 1):
            row = self._row(unit.hex, mp - rise)[unit.facing]
            for hexes, count in enumerate(_digits(row)):
                if count:
                    yield Option(gait, mp, hexes, count)

    def paths(self, option: Option) -> Iterator[tuple[Hex, ...]]:
        """Yield the paths of a kind as hexes entered, in ascending order of hex numbers."""
        unit = self.query.unit
        yield from self._onward(
            unit.hex, unit.facing, option.mp - rise_mp(self.query.table, unit), option.hexes
        )

    def _onward(self, place: Hex, facing: int, mp: int, hexes: int) -> Iterator[tuple[Hex, ...]]:
        if hexes == 0:
            yield ()
            return
        for towards, other, cost in sorted(self.query.exits(place), key=lambda way: way[1]):
            left = mp - turn_mp(self.query.table, facing, towards) - cost
            if left >= 0 and (self._row(other, left)[towards] >> (DIGIT * (hexes - 1))) & (
                (1 << DIGIT) - 1
            ):
                yield from (
                    (other, *rest) for rest in self._onward(other, towards, left, hexes - 1)
                )

    def _row(self, place: Hex, mp: int) -> Row:
        return self.arriving.get(place, {}).get(mp, NO_PATHS)


def _digits(row: int) -> Iterator[int]:
    while row:
        yield row & ((1 << DIGIT) - 1)
        row >>= DIGIT


def found(aim: Aim, *, is_listed: bool = False) -> PathSearchResult:
    """Return the result of the search for all legal forward paths; with `is_listed` also single ones, at most
    `MOST_LISTED`, best first.
    """
    kinds = _ranked(aim)
    if not kinds:
        return PathSearchResult(
            (), None, fewest=fewest_mp(query(aim, is_dry=aim.keys.movement == "run"))
        )
    paths = (path for path, _ in _paths(kinds)) if is_listed else ()
    return PathSearchResult(
        tuple(option for _, option in kinds),
        _plan(aim, *next(_paths(kinds))),
        tuple(islice(paths, MOST_LISTED)),
    )


def best_two(aim: Aim) -> tuple[tuple[ChargePath, Option], ...]:
    """Return the best and the next best path of a charge, each with its kind; fewer if there are no more."""
    return tuple(
        (_plan(aim, path, option), option) for path, option in islice(_paths(_ranked(aim)), 2)
    )


def _ranked(aim: Aim) -> list[tuple[Counts, Option]]:
    """Return every kind of legal path with the counts it comes from, the best first."""
    return sorted(_kinds(aim), key=lambda kind: _preference(aim.table, kind[1]))


def _paths(kinds: list[tuple[Counts, Option]]) -> Iterator[tuple[tuple[Hex, ...], Option]]:
    """Yield all paths of some kinds as hexes entered, each with its kind."""
    return ((path, option) for counts, option in kinds for path in counts.paths(option))


def _plan(aim: Aim, path: tuple[Hex, ...], option: Option) -> ChargePath:
    """Return a forward path of a kind, given as hexes entered, with its costs."""
    entries: tuple[PathEntry, ...] = tuple(("forward", place) for place in path)
    return ChargePath(
        walked(aim.table, aim.charger, entries, target_hex=aim.target_hex),
        option.gait,
        option.hexes,
        entries,
    )


def _preference(table: Table, option: Option) -> tuple[int, int, int]:
    """Return the sort key of a kind of paths: most hexes first, then the lower to-hit number, then fewest MP."""
    book = table.book
    return -option.hexes, book.walk_to_hit if option.gait == "walk" else book.run_to_hit, option.mp


def _kinds(aim: Aim) -> list[tuple[Counts, Option]]:
    """Return every kind of legal path with the counts it comes from: walks, and runs that need more MP or were
    declared.
    """
    movement = aim.keys.movement
    rise = rise_mp(aim.table, aim.charger)
    kinds: list[tuple[Counts, Option]] = []
    if movement != "run":
        counts = counted_paths(query(aim, is_dry=False), max(aim.walk - rise, 0))
        kinds += [(counts, option) for option in counts.options("walk", 0, aim.walk)]
    if movement != "walk":
        counts = counted_paths(query(aim, is_dry=True), max(aim.limit - rise, 0))
        kinds += [
            (counts, option)
            for option in counts.options("run", 0 if movement == "run" else aim.walk + 1, aim.limit)
        ]
    return kinds


def query(aim: Aim, *, is_dry: bool) -> PathQuery:
    """Return the query for all paths of a charge, ending in the declared facing if there is one."""
    facings = tuple(range(len(HEX_FACINGS))) if aim.end_facing is None else (aim.end_facing,)
    return PathQuery(aim.table, aim.charger, aim.target_hex, facings, is_dry)


def counted_paths(query: PathQuery, most: int) -> Counts:
    """Return the numbers of all paths of at most `most` MP after standing up, by dynamic programming from the target
    backwards.

    A hex is only looked at with an amount of MP left that can suffice from there and can be left on coming from the
    start, since every hex entered costs at least one MP.
    """
    arriving: dict[Hex, dict[int, Row]] = {}
    leaving: dict[Hex, dict[int, Row]] = {}
    spans = _spans(query, most)
    exits = {place: query.exits(place) for place in spans}
    turns = [
        [turn_mp(query.table, facing, towards) for towards in range(HEXSIDES)]
        for facing in range(HEXSIDES)
    ]
    for mp in range(most + 1):
        for place, (least, greatest) in spans.items():
            check_deadline()
            if least <= mp <= greatest:
                leaving.setdefault(place, {})[mp] = _leaving(
                    query, place, mp, exits[place], arriving
                )
                arriving.setdefault(place, {})[mp] = _turned(leaving[place], mp, turns)
    return Counts(query, most, arriving)


def _spans(query: PathQuery, most: int) -> dict[Hex, tuple[int, int]]:
    """Return the hexes that a path of `most` MP may visit, each with the least and the greatest MP that may be left
    there.
    """
    start = query.unit.hex
    target = query.target_hex
    board = query.table.board
    columns = range(max(start[0] - most, 1), min(start[0] + most, board.columns) + 1)
    rows = range(max(start[1] - most, 1), min(start[1] + most, board.rows) + 1)
    spans = {
        place: (distance(place, target), most - distance(start, place))
        for column in columns
        for row in rows
        for place in [(column, row)]
    }
    return {
        place: span
        for place, span in spans.items()
        if span[0] <= span[1] and (place != target or place == start)
    }


def _leaving(
    query: PathQuery,
    place: Hex,
    mp: int,
    exits: tuple[tuple[int, Hex, int], ...],
    arriving: dict[Hex, dict[int, Row]],
) -> Row:
    """Return the numbers of paths that go on from a hex with exactly `mp` left to spend, by the direction in which they
    leave it.
    """
    row = [0] * HEXSIDES
    final = query.finals.get(place)
    if final is not None and final[1] == mp:
        row[final[0]] = 1
    for facing, other, cost in exits:
        row[facing] += arriving.get(other, {}).get(mp - cost, NO_PATHS)[facing] << DIGIT
    return tuple(row)


def _turned(leaving: dict[int, Row], mp: int, turns: list[list[int]]) -> Row:
    """Return the numbers of paths that go on from a hex, by the unit's facing before it turns to the direction in which
    it leaves.
    """
    return tuple(
        sum(
            leaving[mp - cost][towards]
            for towards, cost in enumerate(costs)
            if mp - cost in leaving
        )
        for costs in turns
    )


def fewest_mp(query: PathQuery) -> int | None:
    """Return the fewest MP of any path to the target, standing up included, by Dijkstra's algorithm; None if there is
    no path.
    """
    unit = query.unit
    rise = rise_mp(query.table, unit)
    queue = [(rise, unit.hex, unit.facing)]
    exits = cache(query.exits)
    best = {(unit.hex, unit.facing): rise}
    found: int | None = None
    while queue and (found is None or queue[0][0] < found):
        check_deadline()
        mp, place, facing = heapq.heappop(queue)
        if mp > best[place, facing]:
            continue
        found = _nearer(query, place, facing, mp, found)
        for towards, other, cost in exits(place):
            spent = mp + turn_mp(query.table, facing, towards) + cost
            if spent < best.get((other, towards), spent + 1):
                best[other, towards] = spent
                heapq.heappush(queue, (spent, other, towards))
    return found


def _nearer(query: PathQuery, place: Hex, facing: int, mp: int, found: int | None) -> int | None:
    """Return the smaller of `found` and the MP of charging from this hex, at which the unit has spent `mp`; None if
    neither exists.
    """
    final = query.finals.get(place)
    if final is None:
        return found
    total = mp + turn_mp(query.table, facing, final[0]) + final[1]
    return total if found is None else min(found, total)
