"""How a charger gets to the hex before its target: along the path given, by the best path, or as already moved."""

from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from systems.battletech.move import HexPath, PathEntry, first_gap, gait_of, hexes_counted, rise_mp, walked
from systems.battletech.scene import Combatant, Gait, Table
from systems.battletech.search import Counts, Option, Quest, counted_paths, fewest_mp
from systems.battletech.words import Declarations, step_of
from tabletop.table.hexes import FACINGS, direction
from tabletop.table.state import Hex

MOST_LISTED = 10_000
"""Paths listed of one charge; all are counted."""


@dataclass(frozen=True)
class Encounter:
    """A charger and what it would charge: a unit, or a building hex (`target` is None)."""

    number: int
    keys: Declarations
    table: Table
    charger: Combatant
    target: Combatant | None
    target_hex: Hex

    @property
    def name(self) -> str:
        """What is charged, for a sentence."""
        return self.target.name if self.target else f"the building in {self.target_hex[0]:02d}{self.target_hex[1]:02d}"

    @property
    def is_search(self) -> bool:
        """Whether the file leaves the path to be found."""
        return self.keys.path is None and self.keys.hexes_moved is None

    @property
    def is_on_foot(self) -> bool:
        """Whether the charger walks or runs, as far as it says."""
        return self.keys.movement in ("auto", "walk", "run")

    @property
    def walk(self) -> int:
        """MP at a walk."""
        return self.charger.profile.walk or 0

    @property
    def limit(self) -> int:
        """MP that may be spent in all."""
        return self.walk if self.keys.movement == "walk" else self.charger.profile.running

    @cached_property
    def entries(self) -> tuple[PathEntry, ...]:
        """The path as given."""
        return tuple(map(step_of, self.keys.path or ()))

    @property
    def end_facing(self) -> int | None:
        """The facing at the end, if one is declared."""
        return FACINGS.index(self.keys.end_facing) if self.keys.end_facing is not None else None


@dataclass(frozen=True)
class ChargePath:
    """A way to the hex before the target: what it costs, how the charger moves on it, and the hexes that count."""

    way: HexPath
    gait: Gait
    hexes_entered: int
    entries: tuple[PathEntry, ...] = ()


@dataclass(frozen=True)
class Found:
    """What a search found: every kind of legal path with its number, the best first, and the best path of all."""

    options: tuple[Option, ...]
    plan: ChargePath | None
    listed: tuple[tuple[Hex, ...], ...] = ()
    fewest: int | None = None

    @property
    def count(self) -> int:
        """Number of legal paths."""
        return sum(option.count for option in self.options)


def given(aim: Encounter) -> ChargePath | None:
    """Follow the path that the file gives, or take the charger as moved; None if the path's hexes do not all border each other."""
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


def quest(aim: Encounter, *, is_dry: bool) -> Quest:
    """Say what a search for this charge looks for."""
    facings = tuple(range(len(FACINGS))) if aim.end_facing is None else (aim.end_facing,)
    return Quest(aim.table, aim.charger, aim.target_hex, facings, is_dry)


def found(aim: Encounter, *, is_listed: bool = False) -> Found:
    """Search all legal paths forward; `is_listed` asks for them one by one, the best first."""
    kinds = sorted(_kinds(aim), key=lambda kind: _preference(aim.table, kind[1]))
    if not kinds:
        return Found((), None, fewest=fewest_mp(quest(aim, is_dry=aim.keys.movement == "run")))
    counts, best = kinds[0]
    path = next(counts.paths(best))
    way = walked(aim.table, aim.charger, [("forward", place) for place in path], target_hex=aim.target_hex)
    plan = ChargePath(way, best.gait, best.hexes, tuple(("forward", place) for place in path))
    paths = (path for counted, option in kinds for path in counted.paths(option)) if is_listed else ()
    return Found(tuple(option for _, option in kinds), plan, tuple(islice(paths, MOST_LISTED)))


def _preference(table: Table, option: Option) -> tuple[int, int, int]:
    """Rank paths: most hexes, then the lowest to-hit number, then the least MP."""
    book = table.book
    return -option.hexes, book.walk_to_hit if option.gait == "walk" else book.run_to_hit, option.mp


def _kinds(aim: Encounter) -> list[tuple[Counts, Option]]:
    """Find every kind of legal path: at a walk, and beyond that (or from the first MP, where a run is declared) at a run."""
    movement, rise = aim.keys.movement, rise_mp(aim.table, aim.charger)
    kinds: list[tuple[Counts, Option]] = []
    if movement != "run":
        counts = counted_paths(quest(aim, is_dry=False), max(aim.walk - rise, 0))
        kinds += [(counts, option) for option in counts.options("walk", 0, aim.walk)]
    if movement != "walk":
        counts = counted_paths(quest(aim, is_dry=True), max(aim.limit - rise, 0))
        kinds += [(counts, option) for option in counts.options("run", 0 if movement == "run" else aim.walk + 1, aim.limit)]
    return kinds


def faces_target(aim: Encounter, plan: ChargePath) -> bool:
    """Tell whether the target is straight before the charger at the end."""
    return direction(plan.way.last, aim.target_hex) == plan.way.end_facing
