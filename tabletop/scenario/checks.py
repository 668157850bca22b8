"""Checks of a scenario beyond the types of its values.

`problems_of` checks the file: unknown and repeated names, sizes. `off_board` and `overlaps` check the table: units must
be on the board and not overlap each other or solid terrain.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Any

from tabletop.errors import UNKNOWN_NAME, UNKNOWN_UNIT, Fault
from tabletop.geometry.distance import are_boxes_apart, gap
from tabletop.geometry.shape import Shape
from tabletop.messages import key_path, listed, nearest, quoted, say, shown
from tabletop.ruling.system import Case, System
from tabletop.scenario.bases import WrittenBase, base_of
from tabletop.scenario.document import Scenario
from tabletop.scenario.fields import PieceEntry, PlaceEntry, names_of
from tabletop.scenario.limits import MAX_MODELS, MODELS_IN_CHARGE
from tabletop.scenario.placements import placement_format
from tabletop.scenario.relations import unknown_claim_references
from tabletop.table.models import Squad
from tabletop.table.state import Board, Regiment, State, Unit
from tabletop.units import CONTACT

MOST_OVERLAPS = 10
"""Overlaps reported per file; measuring their depth is slow for shapes with thousands of vertices."""

BY_HAND = 0.1
"""Usual error in inches of a table measured by hand."""

Names = frozenset[str]


def problems_of(scenario: Scenario, system: System) -> list[Fault]:
    """Return the faults of a scenario file that need no geometry, one kind after another: names, sizes, references,
    expected rules.
    """
    return [
        *_repeated(scenario),
        *_off_hexes(scenario),
        *_flat(scenario, system),
        *_sizes(scenario, system),
        *_strangers(scenario, system),
        *_otherwise(scenario),
        *unknown_claim_references(scenario, system),
        *_expected(scenario, system),
    ]


def _repeated(scenario: Scenario) -> Iterator[Fault]:
    pieces = list(enumerate(zip(scenario.terrain, names_of(scenario.terrain), strict=True)))
    implied = {name: number for number, (piece, name) in pieces if piece.name is None}
    given = [(key_path(["units", name]), name) for name in scenario.units]
    given += [
        (f"terrain[{number}].name", name)
        for number, (piece, name) in pieces
        if piece.name is not None
    ]
    seen: set[str] = set()
    for key, name in given:
        if name in seen:
            yield Fault.of(
                key, "{name} is already the name of a unit or piece of terrain", name=shown(name)
            )
        elif name in implied:
            message = "{name} is the default name of terrain[{number}]; choose another name"
            yield Fault.of(key, message, name=shown(name), number=implied[name])
        seen.add(name)


def _off_hexes(scenario: Scenario) -> Iterator[Fault]:
    """Yield a fault for each hex of a unit, piece of terrain or claim that is not on the board."""
    columns = getattr(scenario.board, "columns", 0)
    rows = getattr(scenario.board, "rows", 0)
    named = [
        *(
            (key_path(["units", name, "hex"]), getattr(unit, "hex", None))
            for name, unit in scenario.units.items()
        ),
        *(
            (f"terrain[{n}].hexes[{m}]", number)
            for n, piece in enumerate(scenario.terrain)
            for m, number in enumerate(_hexes(piece))
        ),
        *(
            (key_path(["proposal", "units", name, "hex"]), getattr(place, "hex", None))
            for name, place in _proposed(scenario)
        ),
    ]
    for key, number in named:
        if number is not None and not (int(number[:2]) <= columns and int(number[2:]) <= rows):
            message = "hex {number} is not on the board: its columns are 01 to {columns:02d}, its rows 01 to {rows:02d}"
            yield Fault.of(key, message, number=number, columns=columns, rows=rows)


def _hexes(piece: PieceEntry) -> tuple[str, ...]:
    return getattr(piece, "hexes", ())


def _flat(scenario: Scenario, system: System) -> Iterator[Fault]:
    for number, piece in enumerate(scenario.terrain):
        if piece.kind in system.vocabulary.tall and getattr(piece, "height", None) is None:
            yield Fault.of(
                f"terrain[{number}].height",
                "is missing: a piece of kind {kind} needs its height in inches",
                kind=piece.kind,
            )


def _sizes(scenario: Scenario, system: System) -> Iterator[Fault]:
    count = placement_format(system.vocabulary).models
    models = sum(count(unit) for unit in scenario.units.values())
    if models > MAX_MODELS:
        yield Fault.of(
            "units",
            "expected at most {most} models in one file, given {models}",
            most=MAX_MODELS,
            models=models,
        )
    for number, charge in enumerate(scenario.charges):
        unit = scenario.units.get(charge.charger)
        if unit is not None and count(unit) > MODELS_IN_CHARGE:
            sentence = "expected at most {most} models in one charge; {charger} has {count}"
            yield Fault.of(
                f"charges[{number}].charger",
                sentence,
                most=MODELS_IN_CHARGE,
                charger=shown(charge.charger),
                count=count(unit),
            )


def _strangers(scenario: Scenario, system: System) -> Iterator[Fault]:
    targets = (*scenario.units, *_chargeable(scenario, system))
    for number, charge in enumerate(scenario.charges):
        key = f"charges[{number}]"
        if charge.charger not in scenario.units:
            yield _unknown(f"{key}.charger", charge.charger, scenario.units)
        kinds = (say("unit"), *system.vocabulary.chargeable)
        aims = enumerate(charge.targets)
        yield from (
            _unknown(f"{key}.targets[{n}]", name, targets, *kinds)
            for n, name in aims
            if name not in targets
        )
    for name, _ in _proposed(scenario):
        if name not in scenario.units:
            yield _unknown(key_path(["proposal", "units", name]), name, scenario.units)
    for number, expect in enumerate(scenario.expect):
        strangers = [name for name in expect.units if name not in scenario.units]
        yield from (
            _unknown(key_path(["expect", number, "units", name]), name, scenario.units)
            for name in strangers
        )


def _unknown(key: str, name: str, units: Iterable[str], *kinds: str) -> Fault:
    known = tuple(units)
    hint = nearest(name, known)
    there = quoted(known) or say("none")
    if not kinds or kinds == ("unit",):
        return Fault.of(key, UNKNOWN_UNIT, name=shown(name), hint=hint, units=there)
    things = listed(kinds, " or ")
    return Fault.of(key, UNKNOWN_NAME, things=things, name=shown(name), hint=hint, units=there)


def _otherwise(scenario: Scenario) -> Iterator[Fault]:
    """Yield a fault for each claimed or expected place of the wrong form: one of a front for loose models, or the
    reverse.
    """
    given: list[tuple[list[str | int], str, object]] = []
    given += [(["proposal", "units", name], name, place) for name, place in _proposed(scenario)]
    given += [
        (["expect", number, "units", name], name, place)
        for number, expect in enumerate(scenario.expect)
        for name, place in expect.units.items()
        if getattr(place, "at", None) is not None
    ]
    entries: Mapping[str, object] = scenario.units
    for path, name, place in given:
        unit = entries.get(name)
        is_in_ranks = isinstance(unit, PlaceEntry)
        if unit is None or is_in_ranks == _is_of_front(place):
            continue
        where = key_path(path)
        if is_in_ranks:
            message = "{name} stands in ranks and files; expected one place, at = [20, 10.5], and one facing_deg"
            yield Fault.of(where, message, name=shown(name))
        else:
            message = (
                "{name} has loose models; expected a list of places, such as at = [[20, 10.5]]"
            )
            yield Fault.of(where, message, name=shown(name))


def _is_of_front(place: object) -> bool:
    at: Any = getattr(place, "at", None)
    return isinstance(place, PlaceEntry) or (bool(at) and not isinstance(at[0], tuple))


def _proposed(scenario: Scenario) -> Iterable[tuple[str, object]]:
    return scenario.proposal.units.items() if scenario.proposal else ()


def _expected(scenario: Scenario, system: System) -> Iterator[Fault]:
    rules = [rule.name for rule in system.rules]
    for number, expect in enumerate(scenario.expect):
        named = [
            ("rule", expect.rule),
            ("judged.rule", expect.judged.rule if expect.judged else None),
        ]
        for key, rule in named:
            if rule is not None and rule not in rules:
                message = "no rule of {name} is called {rule}{hint}"
                yield Fault.of(
                    f"expect[{number}].{key}",
                    message,
                    name=system.name,
                    rule=shown(rule),
                    hint=nearest(rule, rules),
                )
        if expect.judged and (number + 1 < len(scenario.expect) or scenario.proposal is None):
            yield Fault.of(
                f"expect[{number}].judged",
                "belongs in the last [[expect]] of a file with a [proposal]",
            )


def known_charges(scenario: Scenario, system: System) -> tuple[int, ...]:
    """Return the numbers, in the file, of the charges whose charger and targets all exist."""
    known = set(scenario.units)
    targets = known | set(_chargeable(scenario, system))
    return tuple(
        n
        for n, entry in enumerate(scenario.charges)
        if entry.charger in known and set(entry.targets) <= targets
    )


def _chargeable(scenario: Scenario, system: System) -> tuple[str, ...]:
    """Return the names of the pieces of terrain that may be charged."""
    pieces = zip(names_of(scenario.terrain), scenario.terrain, strict=True)
    return tuple(name for name, piece in pieces if piece.kind in system.vocabulary.chargeable)


def unnamed_ovals(case: Case) -> Iterator[Fault]:
    """Yield a warning for each base of loose models that the file gives by two lengths without a word for its form."""
    tables: Mapping[str, Any] = (case.tables or {}).get("units", {})
    squads = [
        (name, unit) for name, unit in tables.items() if isinstance(case.state.units[name], Squad)
    ]
    for name, unit in squads:
        models = enumerate(unit["models"] if isinstance(unit.get("models"), list) else ())
        entries = [
            (("units", name), unit),
            *((("units", name, "models", number), model) for number, model in models),
        ]
        for path, entry in entries:
            base = base_of(entry["base"]) if "base" in entry else WrittenBase(())
            if base.form is None and len(base.lengths) > 1:
                message = (
                    "{base} is an oval now, and was a rectangle in earlier versions: "
                    "write oval or rectangle after it"
                )
                yield Fault.of(key_path([*path, "base"]), message, base=shown(entry["base"]))


def off_board(state: State[Any], *, slack: float = CONTACT) -> Iterator[Fault]:
    """Yield a fault for each unit that reaches more than `slack` inches beyond the edge of the board."""
    for unit in state.units.values():
        beyond = -min((state.board.room(shape) for shape in _bodies(unit)), default=0.0)
        if beyond > slack:
            size = say("{width:g} x {depth:g} in", width=state.board.width, depth=state.board.depth)
            message = "expected the whole unit on the board ({size}); it reaches {beyond:.6g} in beyond the edge{hint}"
            hint = if_in_millimetres(state.board, beyond)
            yield Fault.of(
                key_path(["units", unit.name, "at"]),
                message,
                size=size,
                beyond=beyond,
                hint=hint,
                between=(unit.name,),
            )


def if_in_millimetres(board: Board, beyond: float) -> str:
    """Return the hint that places may be given in millimetres, if `beyond` inches off the board are more than its
    shorter side.

    Empty otherwise.
    """
    return (
        say("; places are in inches: are these millimetres?")
        if beyond > min(board.width, board.depth)
        else ""
    )


def if_by_hand(depth: float) -> str:
    """Return the hint to give an `accuracy`, if an overlap of `depth` inches is small enough for a table measured by
    hand.

    Empty otherwise.
    """
    hint = say(
        "; for a table measured by hand, accuracy = {accuracy} allows that", accuracy=str(BY_HAND)
    )
    return hint if depth <= BY_HAND else ""


def overlaps(
    state: State[Any],
    solid: Sequence[str],
    *,
    slack: float = CONTACT,
    allowed: frozenset[Names] = frozenset(),
) -> Iterator[Fault]:
    """Yield a fault for each overlap deeper than `slack` inches: of units, of a unit's models, of units with terrain of
    a solid kind.

    Pairs of names in `allowed` may overlap. Only the first `MOST_OVERLAPS` are reported.
    """
    return first_of(_overlaps(state, solid, slack, allowed))


def _overlaps(
    state: State[Any], solid: Sequence[str], slack: float, allowed: frozenset[Names]
) -> Iterator[Fault]:
    units = [(unit.name, shape) for unit in state.units.values() for shape in _bodies(unit)]
    walls = [(piece.name, piece.shape) for piece in state.terrain if piece.kind in solid]
    pairs = [*combinations(units, 2), *((unit, wall) for unit in units for wall in walls)]
    for (name, body), (other, obstacle) in pairs:
        # most pairs are far apart
        if frozenset((name, other)) in allowed or are_boxes_apart(body, obstacle):
            continue
        if (depth := -gap(body, obstacle)) > slack:
            pair = say("{name} and {other}", name=shown(name), other=shown(other))
            pair = say("models of {name}", name=shown(name)) if name == other else pair
            message = "{pair} overlap by {depth:.6g} in; they may touch, not overlap{hint}"
            hint = if_by_hand(depth)
            yield Fault.of(
                key_path(["units", name, "at"]),
                message,
                pair=pair,
                depth=depth,
                hint=hint,
                between=(name, other),
            )


def _bodies(unit: Unit) -> tuple[Shape, ...]:
    """Return the shapes that no other unit may enter: a regiment's boundary or the bases of loose models; empty on
    hexes.
    """
    if isinstance(unit, Squad):
        return tuple(model.footprint for model in unit.models)
    return (unit.boundary,) if isinstance(unit, Regiment) else ()


def first_of(found: Iterable[Fault]) -> Iterator[Fault]:
    """Yield the first `MOST_OVERLAPS` faults and, if there are more, one that says so."""
    rest = iter(found)
    yield from islice(rest, MOST_OVERLAPS)
    if next(rest, None) is not None:
        yield Fault.of(
            "units",
            "there are more overlaps than these {most}; correct these to see the others",
            most=MOST_OVERLAPS,
        )
