"""How a charger gets to the hex before its target: along a given path, by the best path, or as already moved.

A way costs MP for rising, turning and entering hexes, and for the hex of the target. All legal paths are counted exactly, and the best
of them is found.
"""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice

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
    """One hex entered: the movement sense, the facing, and the MP for turning before it and for entering."""

    sense: Sense
    hex: Hex
    facing: int
    turn_mp: int
    enter_mp: int

    @property
    def mp(self) -> int:
        """MP of the step."""
        return self.turn_mp + self.enter_mp


@dataclass(frozen=True)
class HexPath:
    """A path from the charger's start to the hex before its target, from neighbour to neighbour.

    Attributes
    ----------
    start, facing
        Where it begins, and looks.
    rise_mp
        MP for standing up first.
    end_facing, end_turn_mp
        Where it looks at the end, and the MP for turning there.
    target_mp
        MP for entering the target's hex; None if the way does not end next to it.
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
        """The hexes entered, in order."""
        return tuple(leg.hex for leg in self.legs)

    @property
    def mp_to_last(self) -> int:
        """MP up to the last hex, turning there included."""
        return self.rise_mp + sum(leg.mp for leg in self.legs) + self.end_turn_mp

    @property
    def mp(self) -> int | None:
        """MP in all; None if the way does not end next to the target."""
        return None if self.target_mp is None else self.mp_to_last + self.target_mp


@dataclass(frozen=True)
class Aim:
    """A charger and what it charges: a unit, or a building hex (`target` is None)."""

    number: int
    keys: Declarations
    table: Table
    charger: CombatUnit
    target: CombatUnit | None
    target_hex: Hex

    @property
    def name(self) -> str:
        """Name of what is charged, for a sentence."""
        return self.target.name if self.target else say("the building in hex {place}", place=hex_number(self.target_hex))

    @property
    def is_search(self) -> bool:
        """Whether the path is to be found rather than given by the file."""
        return self.keys.path is None and self.keys.hexes_moved is None

    @property
    def is_on_foot(self) -> bool:
        """Whether the charger walks or runs, if stated."""
        return self.keys.movement in ("auto", "walk", "run")

    @property
    def walk(self) -> int:
        """Walking MP."""
        return self.charger.profile.walk or 0

    @property
    def limit(self) -> int:
        """MP available in all."""
        return self.walk if self.keys.movement == "walk" else self.charger.profile.running

    @cached_property
    def entries(self) -> tuple[PathEntry, ...]:
        """The path as given."""
        return tuple(map(step_of, self.keys.path or ()))

    @property
    def end_facing(self) -> int | None:
        """The facing at the end, if declared."""
        return HEX_FACINGS.index(self.keys.end_facing) if self.keys.end_facing is not None else None


@dataclass(frozen=True)
class ChargePath:
    """A path to the hex before the target: its cost, the movement mode, and the hexes that count."""

    way: HexPath
    gait: Gait
    hexes_entered: int
    entries: tuple[PathEntry, ...] = ()


def given(aim: Aim) -> ChargePath | None:
    """Return the path that the file gives, or that of a charger already moved; None if its hexes do not all border each other."""
    if first_gap(aim.charger.hex, [place for _, place in aim.entries]) is not None:
        return None
    if aim.keys.hexes_moved is not None:
        way = walked(aim.table, aim.charger, (), target_hex=aim.target_hex, end_facing=aim.charger.facing)
        return ChargePath(way, "walk" if aim.keys.movement == "walk" else "run", aim.keys.hexes_moved)
    way = walked(aim.table, aim.charger, aim.entries, target_hex=aim.target_hex, end_facing=aim.end_facing)
    mp = way.mp_to_last if way.mp is None else way.mp
    is_since = aim.table.choices.backward == "since_reversal"
    counted = hexes_counted(aim.entries, since_reversal=is_since)
    return ChargePath(way, gait_of(aim.keys.movement, mp, aim.walk), counted, aim.entries)


def gait_of(movement: str, mp: int, walk: int) -> Gait:
    """Return how a unit moves that spends `mp`: as declared, else walking if that suffices, else running."""
    return "walk" if movement == "walk" or (movement != "run" and mp <= walk) else "run"


def hexes_counted(entries: Sequence[PathEntry], *, since_reversal: bool) -> int:
    """Return the number of hexes entered, by choice only since the last change between forward and backward."""
    if not since_reversal:
        return len(entries)
    return next((number for number, (sense, _) in enumerate(reversed(entries)) if sense != "forward"), len(entries))


def faces_target(aim: Aim, plan: ChargePath) -> bool:
    """Return whether the target is straight ahead of the charger at the end."""
    return direction(plan.way.last, aim.target_hex) == plan.way.end_facing


# What a way costs.


def walked(table: Table, unit: CombatUnit, entries: Sequence[PathEntry], *, target_hex: Hex, end_facing: int | None = None) -> HexPath:
    """Return a path over neighbouring hexes; without an `end_facing` the unit turns to the target at its end."""
    legs: list[HexStep] = []
    place, facing = unit.hex, unit.facing
    for sense, entered in entries:
        looks = _facing_for(sense, facing, direction(place, entered))
        legs.append(HexStep(sense, entered, looks, turn_mp(table, facing, looks), enter_mp(table, place, entered, unit)))
        place, facing = entered, looks
    ahead = direction(place, target_hex)
    end = end_facing if end_facing is not None else facing if ahead is None else ahead
    last_mp = None if ahead is None else enter_mp(table, place, target_hex, unit)
    return HexPath(unit.hex, unit.facing, rise_mp(table, unit), tuple(legs), end, turn_mp(table, facing, end), last_mp)


def _facing_for(sense: Sense, facing: int, towards: int | None) -> int:
    """Return a unit's facing while it moves to a hexside: towards it, away from it, or unchanged."""
    if towards is None or sense == "side":
        return facing
    return towards if sense == "forward" else (towards + HEXSIDES // 2) % HEXSIDES


def first_gap(start: Hex, hexes: Sequence[Hex]) -> int | None:
    """Return the index of the first hex that does not border the one before; None if all do."""
    before = (start, *hexes)
    return next((number for number, place in enumerate(hexes) if direction(before[number], place) is None), None)


def turn_mp(table: Table, facing: int, other: int) -> int:
    """Return the MP for turning from one facing to another, the shorter way."""
    sides = (other - facing) % HEXSIDES
    return table.book.turn_mp * min(sides, HEXSIDES - sides)


def enter_mp(table: Table, start: Hex, end: Hex, unit: CombatUnit) -> int:
    """Return the MP for entering a hex from its neighbour: base cost, terrain and level change."""
    book = table.book
    per_level = book.mech_level_mp if unit.is_mech else book.vehicle_level_mp
    return max(book.enter_mp + _terrain_mp(table, end, unit) + per_level * abs(table.rise(start, end, unit)), LEAST_MP)


def _terrain_mp(table: Table, place: Hex, unit: CombatUnit) -> int:
    ground, book = table.at(place), table.book
    if ground.cover == "water":
        return 0 if unit.is_hover or ground.depth == 0 else book.shallow_water_mp if ground.depth == 1 else book.deep_water_mp
    if ground.cover == "building":
        cost: int = getattr(book, f"{ground.building_class(book)}_building_mp") if ground.is_building else 0
        return cost
    costs = {"light_woods": book.light_woods_mp, "heavy_woods": book.heavy_woods_mp, "rough": book.rough_mp, "rubble": book.rubble_mp}
    return costs.get(ground.cover, 0)


def rise_mp(table: Table, unit: CombatUnit) -> int:
    """Return the MP for standing up before anything else."""
    return table.book.stand_up_mp if unit.is_prone else 0


# All legal paths.


@dataclass(frozen=True)
class Option:
    """Equally good paths: movement mode, MP in all, hexes entered, and their number."""

    gait: Gait
    mp: int
    hexes: int
    count: int


@dataclass(frozen=True)
class PathSearchResult:
    """The result of a path search: every kind of legal path with its number, best first, and the best path."""

    options: tuple[Option, ...]
    plan: ChargePath | None
    listed: tuple[tuple[Hex, ...], ...] = ()
    fewest: int | None = None

    @property
    def count(self) -> int:
        """Number of legal paths."""
        return sum(option.count for option in self.options)


@dataclass(frozen=True)
class PathQuery:
    """A path query: paths of a unit to hexes next to the target from which it may charge.

    `facings` are those in which it may end, `is_dry` forbids water of depth 1 and more on the way, as at a run.
    """

    table: Table
    unit: CombatUnit
    target_hex: Hex
    facings: tuple[int, ...]
    is_dry: bool

    @cached_property
    def finals(self) -> dict[Hex, tuple[int, int]]:
        """Possible last hexes, with the facing towards the target and the MP for its hex."""
        behind = ((facing, neighbour(self.target_hex, facing + HEXSIDES // 2)) for facing in self.facings)
        return {
            place: (facing, enter_mp(self.table, place, self.target_hex, self.unit)) for facing, place in behind if self._may_stop(place)
        }

    def _may_stop(self, place: Hex) -> bool:
        table, unit = self.table, self.unit
        is_level = abs(table.rise(place, self.target_hex, unit)) <= steepest(table, unit)
        return table.board.holds(place) and is_level and table.crowding(place, unit) is None

    def exits(self, place: Hex) -> tuple[tuple[int, Hex, int], ...]:
        """Return the steps out of a hex: direction, hex entered, MP."""
        around = ((facing, neighbour(place, facing)) for facing in range(HEXSIDES))
        return tuple(
            (facing, other, enter_mp(self.table, place, other, self.unit)) for facing, other in around if self._may_go(place, other)
        )

    def _may_go(self, start: Hex, place: Hex) -> bool:
        table, unit = self.table, self.unit
        if not table.board.holds(place) or place == self.target_hex or place in self._enemies:
            return False
        return is_passable(table, start, place, unit) and not (self.is_dry and is_wet(table, place, unit))

    @cached_property
    def _enemies(self) -> frozenset[Hex]:
        return enemy_hexes(self.table, self.unit)


def steepest(table: Table, unit: CombatUnit) -> int:
    """Return the largest level change allowed into the target's hex."""
    return 1 if table.choices.level_difference == "one" else table.climb(unit)


def is_wet(table: Table, place: Hex, unit: CombatUnit) -> bool:
    """Return whether a hex has water too deep to run through."""
    ground = table.at(place)
    return ground.cover == "water" and ground.depth > 0 and not unit.is_hover


def is_passable(table: Table, start: Hex, place: Hex, unit: CombatUnit) -> bool:
    """Return whether terrain lets a unit walk from a hex into its neighbour."""
    return not table.is_prohibited(place, unit) and abs(table.rise(start, place, unit)) <= table.climb(unit)


def enemy_hexes(table: Table, unit: CombatUnit) -> frozenset[Hex]:
    """Return the hexes with enemy units other than infantry."""
    return frozenset(other.hex for other in table.units.values() if other.side != unit.side and not other.is_infantry)


@dataclass(frozen=True)
class Counts:
    """Numbers of paths of one query by remaining MP: `arriving[hex][mp]` and `leaving[hex][mp]`, by direction.

    `arriving` is by the facing in which the unit stands, before it turns, `leaving` by the one in which it goes on.
    """

    query: PathQuery
    most: int
    arriving: dict[Hex, dict[int, Row]]

    def options(self, gait: Gait, least: int, most: int) -> Iterator[Option]:
        """Yield the kinds of paths that need between `least` and `most` MP in all."""
        unit = self.query.unit
        rise = rise_mp(self.query.table, unit)
        for mp in range(max(least, rise), most + 1):
            row = self._row(unit.hex, mp - rise)[unit.facing]
            for hexes, count in enumerate(_digits(row)):
                if count:
                    yield Option(gait, mp, hexes, count)

    def paths(self, option: Option) -> Iterator[tuple[Hex, ...]]:
        """Yield the paths of a kind, smallest hex numbers first."""
        unit = self.query.unit
        yield from self._onward(unit.hex, unit.facing, option.mp - rise_mp(self.query.table, unit), option.hexes)

    def _onward(self, place: Hex, facing: int, mp: int, hexes: int) -> Iterator[tuple[Hex, ...]]:
        if hexes == 0:
            yield ()
            return
        for towards, other, cost in sorted(self.query.exits(place), key=lambda way: way[1]):
            left = mp - turn_mp(self.query.table, facing, towards) - cost
            if left >= 0 and (self._row(other, left)[towards] >> (DIGIT * (hexes - 1))) & ((1 << DIGIT) - 1):
                yield from ((other, *rest) for rest in self._onward(other, towards, left, hexes - 1))

    def _row(self, place: Hex, mp: int) -> Row:
        return self.arriving.get(place, {}).get(mp, NO_PATHS)


def _digits(row: int) -> Iterator[int]:
    while row:
        yield row & ((1 << DIGIT) - 1)
        row >>= DIGIT


def found(aim: Aim, *, is_listed: bool = False) -> PathSearchResult:
    """Return all legal forward paths; with `is_listed` also one by one, best first."""
    kinds = sorted(_kinds(aim), key=lambda kind: _preference(aim.table, kind[1]))
    if not kinds:
        return PathSearchResult((), None, fewest=fewest_mp(query(aim, is_dry=aim.keys.movement == "run")))
    counts, best = kinds[0]
    path = next(counts.paths(best))
    way = walked(aim.table, aim.charger, [("forward", place) for place in path], target_hex=aim.target_hex)
    plan = ChargePath(way, best.gait, best.hexes, tuple(("forward", place) for place in path))
    paths = (path for counted, option in kinds for path in counted.paths(option)) if is_listed else ()
    return PathSearchResult(tuple(option for _, option in kinds), plan, tuple(islice(paths, MOST_LISTED)))


def _preference(table: Table, option: Option) -> tuple[int, int, int]:
    """Return the sort key of paths: most hexes, then lowest to-hit number, then least MP."""
    book = table.book
    return -option.hexes, book.walk_to_hit if option.gait == "walk" else book.run_to_hit, option.mp


def _kinds(aim: Aim) -> list[tuple[Counts, Option]]:
    """Return every kind of legal path: walking, and running for more MP or where a run is declared."""
    movement, rise = aim.keys.movement, rise_mp(aim.table, aim.charger)
    kinds: list[tuple[Counts, Option]] = []
    if movement != "run":
        counts = counted_paths(query(aim, is_dry=False), max(aim.walk - rise, 0))
        kinds += [(counts, option) for option in counts.options("walk", 0, aim.walk)]
    if movement != "walk":
        counts = counted_paths(query(aim, is_dry=True), max(aim.limit - rise, 0))
        kinds += [(counts, option) for option in counts.options("run", 0 if movement == "run" else aim.walk + 1, aim.limit)]
    return kinds


def query(aim: Aim, *, is_dry: bool) -> PathQuery:
    """Return the path query of this charge."""
    facings = tuple(range(len(HEX_FACINGS))) if aim.end_facing is None else (aim.end_facing,)
    return PathQuery(aim.table, aim.charger, aim.target_hex, facings, is_dry)


def counted_paths(query: PathQuery, most: int) -> Counts:
    """Return the numbers of all paths of at most `most` MP after standing up, by dynamic programming from the target's end.

    A hex is looked at only with MP left that reach the target, and that can be left on coming from the start: every hex
    entered costs one MP at least.
    """
    arriving: dict[Hex, dict[int, Row]] = {}
    leaving: dict[Hex, dict[int, Row]] = {}
    spans = _spans(query, most)
    exits = {place: query.exits(place) for place in spans}
    turns = [[turn_mp(query.table, facing, towards) for towards in range(HEXSIDES)] for facing in range(HEXSIDES)]
    for mp in range(most + 1):
        for place, (least, greatest) in spans.items():
            check_deadline()
            if least <= mp <= greatest:
                leaving.setdefault(place, {})[mp] = _leaving(query, place, mp, exits[place], arriving)
                arriving.setdefault(place, {})[mp] = _turned(leaving[place], mp, turns)
    return Counts(query, most, arriving)


def _spans(query: PathQuery, most: int) -> dict[Hex, tuple[int, int]]:
    """Return the hexes that a path may visit, each with the least and most MP that can be left there."""
    start, target = query.unit.hex, query.target_hex
    board = query.table.board
    columns = range(max(start[0] - most, 1), min(start[0] + most, board.columns) + 1)
    rows = range(max(start[1] - most, 1), min(start[1] + most, board.rows) + 1)
    spans = {
        place: (distance(place, target), most - distance(start, place)) for column in columns for row in rows for place in [(column, row)]
    }
    return {place: span for place, span in spans.items() if span[0] <= span[1] and (place != target or place == start)}


def _leaving(query: PathQuery, place: Hex, mp: int, exits: tuple[tuple[int, Hex, int], ...], arriving: dict[Hex, dict[int, Row]]) -> Row:
    """Return the numbers of continuations from a hex by the direction in which it is left."""
    row = [0] * HEXSIDES
    final = query.finals.get(place)
    if final is not None and final[1] == mp:
        row[final[0]] = 1
    for facing, other, cost in exits:
        row[facing] += arriving.get(other, {}).get(mp - cost, NO_PATHS)[facing] << DIGIT
    return tuple(row)


def _turned(leaving: dict[int, Row], mp: int, turns: list[list[int]]) -> Row:
    """Return the numbers of continuations by the unit's facing, turning first."""
    return tuple(sum(leaving[mp - cost][towards] for towards, cost in enumerate(costs) if mp - cost in leaving) for costs in turns)


def fewest_mp(query: PathQuery) -> int | None:
    """Return the fewest MP of any path to the target (Dijkstra), standing up included; None if there is no path."""
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
    """Return the fewest MP known, updated with those of charging from a hex."""
    final = query.finals.get(place)
    if final is None:
        return found
    total = mp + turn_mp(query.table, facing, final[0]) + final[1]
    return total if found is None else min(found, total)
