"""Relative placement: fronts and models placed by their relation to others instead of by coordinates.

A relation is a key such as `beside` or `touching` in the entry of a front or model. Relations are resolved in
topological order, each after the units it refers to. Relations in a proposal may refer to end positions, so they are
resolved only after the charges.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from itertools import islice, pairwise
from typing import Any, cast

from tabletop.errors import UNKNOWN_UNIT, Fault, ScenarioError
from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Point, Pose
from tabletop.messages import counted, key_path, listed, nearest, quoted, say, shown
from tabletop.ruling.system import System
from tabletop.ruling.verdict import Resolution
from tabletop.scenario.document import Scenario
from tabletop.scenario.fields import FRONTS, AheadOf, FlushOn, PlaceEntry
from tabletop.scenario.placements import placement_format
from tabletop.table.accuracy import Accuracy
from tabletop.table.models import Model
from tabletop.table.state import Board, HexUnit, Regiment, State
from tabletop.units import CONTACT, facing_degrees

MODEL_RELATIONS = ("touching", "near")
"""Keys that place a model relative to others."""

MOST_IN_CIRCLE = 6
"""Names listed when relations form a circle."""

SECOND_NUMBERS = ("offset", "shift", "bearing_deg")
"""Keys of the numbers of relations beside `gap`, of which each has at most one."""

_NUMBERED = re.compile(r"(.+)\.(0|[1-9]\d{0,3})", re.ASCII)

_NO_FRONT = dict.fromkeys(FRONTS)

_NO_MODEL = dict.fromkeys((*MODEL_RELATIONS, "gap", "bearing_deg", "side", "z"))

_ORIGIN = (0.0, 0.0)

Path = tuple[str | int, ...]

Counts = Mapping[str, int | None]
"""Numbers of loose models by unit; None for units in ranks and files."""

Body = Any
"""A regiment or a loose model; at an arbitrary place until its relation is resolved."""


class MisfitError(Exception):
    """Raised if a relation leads to no place.

    `why` is the reason, `keys` the path from the front's or model's entry to the key at fault.
    """

    def __init__(self, why: str, *keys: str | int) -> None:
        self.why = why
        self.keys = keys
        super().__init__(why)


@dataclass(frozen=True)
class _Thing:
    """A front or model of a file: its key path, its body, and the entry that may place it relative to others.

    The body is a regiment or loose model, at an arbitrary place if the entry has a relation.
    """

    path: Path
    body: Body
    entry: Any

    @property
    def others(self) -> dict[Path, str]:
        """Names of the units or models that it refers to, by the key paths at which they occur."""
        return {(*self.path, *keys): name for keys, name in _named(self.entry)}


def _named(entry: Any) -> Iterator[tuple[Path, str]]:
    """Yield (key path below the entry, name) for each unit or model to which the entry's relation refers."""
    key = relation_of(entry)
    told: Any = None if key is None else getattr(entry, key)
    if key in FRONTS:
        yield (key, "unit"), told.unit
    elif isinstance(told, tuple):
        yield from (((str(key), number), name) for number, name in enumerate(told))
    elif key is not None:
        yield (key,), told


def relation_of(entry: Any) -> str | None:
    """Return the key of an entry's relation, such as "beside", or None if the entry has coordinates."""
    # getattr for a missing attribute of a model is ten times slower
    told: Mapping[str, Any] = getattr(entry, "__dict__", {})
    return next((key for key in (*FRONTS, *MODEL_RELATIONS) if told.get(key) is not None), None)


def resolve_relations(scenario: Scenario, system: System) -> Scenario:
    """Return a scenario with coordinates in place of every relative placement of a unit; those in the proposal stay.

    Raises
    ------
    ScenarioError
        If relations refer to unknown units, form a circle, or lead to no place.
    """
    related = {name: entry for name, entry in scenario.units.items() if _stands_by(entry)}
    if not related:
        return scenario
    words = system.vocabulary
    board = Board(scenario.board.width, scenario.board.depth)
    things: dict[str, _Thing] = {}
    for name, entry in scenario.units.items():
        unit: Any = words.complete(placement_format(words).read(name, _anywhere(entry), board))
        things.update(_things(("units", name), entry, unit))
    bodies = _bodies(things, _counts(scenario, system), {})
    units = {
        **scenario.units,
        **{name: _written(name, entry, bodies) for name, entry in related.items()},
    }
    return scenario.model_copy(update={"units": units})


def _stands_by(entry: Any) -> bool:
    """Return whether a unit's entry, or one of its models', has a relation to others."""
    return any(relation_of(one) for one in _rows(entry))


def _rows(entry: Any) -> Sequence[Any]:
    """Return the parts of a unit's entry that have their own places: its models if they are listed one by one, else the
    entry itself.
    """
    models = getattr(entry, "models", None)
    return models if isinstance(models, tuple) else (entry,)


def _counts(scenario: Scenario, system: System) -> Counts:
    """Return the number of loose models of each unit by name; None for units in ranks and files."""
    count = placement_format(system.vocabulary).models
    entries = dict[str, Any](scenario.units)
    return {
        name: None if isinstance(entry, PlaceEntry) else count(entry)
        for name, entry in entries.items()
    }


def _anywhere(entry: Any) -> Any:
    """Return a unit's entry with arbitrary coordinates in place of relations, so that a unit can be made from it."""
    if isinstance(entry, PlaceEntry):
        return (
            entry
            if relation_of(entry) is None
            else entry.model_copy(update={"at": _ORIGIN, "facing_deg": 0.0})
        )
    if entry.models is None:
        return entry
    models = tuple(
        model.model_copy(update={"at": _ORIGIN}) if relation_of(model) else model
        for model in entry.models
    )
    return entry.model_copy(update={"models": models})


def _things(path: Path, entry: Any, unit: Any) -> Iterator[tuple[str, _Thing]]:
    """Yield (name, front or model) for each separately placed part of a unit, with its key path and entry.

    The name is that by which relations refer to it: the unit's, or UNIT.NUMBER for a loose model.
    """
    if isinstance(unit, Regiment):
        yield unit.name, _Thing(path, unit, entry)
        return
    rows = entry.models or (None,) * len(unit.models)
    for number, ((name, model), row) in enumerate(zip(_called(unit), rows, strict=True)):
        yield name, _Thing((*path, "models", number), model, row)


def _called(unit: Any) -> Iterator[tuple[str, Body]]:
    """Yield (name, body) of a regiment, or of each model of a loose unit, by the name with which relations refer to
    it.
    """
    if isinstance(unit, Regiment):
        yield unit.name, unit
    else:
        yield from ((f"{unit.name}.{model.number}", model) for model in unit.models)


def _bodies(
    things: Mapping[str, _Thing], counts: Counts, left: Mapping[str, Body]
) -> dict[str, Body]:
    """Return all bodies at their places, by the name with which relations refer to them.

    Parameters
    ----------
    things
        The fronts and models to place.
    counts
        Number of loose models of each unit; None for units in ranks and files.
    left
        Other bodies, which are in place already.

    Raises
    ------
    ScenarioError
        If a relation cannot be resolved.
    """
    faults = [
        fault for thing in things.values() for fault in unresolved_references(thing.others, counts)
    ]
    faults += [fault for name, thing in things.items() for fault in _itself(name, thing)]
    if faults:
        raise ScenarioError(faults)
    bodies = {name: body for name, body in left.items() if name not in things}
    found: dict[str, Fault] = {}
    for name in _in_order(things):
        thing = things[name]
        if any(other in things and other not in bodies for other in thing.others.values()):
            continue  # the fault of the unit it refers to is reported
        try:
            bodies[name] = _put(thing, bodies)
        except MisfitError as misfit:
            found[name] = Fault(key_path([*thing.path, *misfit.keys]), misfit.why)
    if found:
        raise ScenarioError(found[name] for name in things if name in found)
    return bodies


def unresolved_references(named: Mapping[Path, str], counts: Counts) -> Iterator[Fault]:
    """Yield a fault for every name, by key path, that a relation cannot refer to.

    A front must refer to a regiment, a loose model to UNIT.NUMBER. `counts` is the number of loose models of each unit.
    """
    for path, name in named.items():
        is_front = path[-2] in FRONTS
        match = None if is_front else _NUMBERED.fullmatch(name)
        unit = match.group(1) if match else name
        models = counts.get(unit)
        if not is_front and match is None:
            loose = [other for other, count in counts.items() if count is not None]
            example = shown(f"{name if name in loose else next(iter(loose), 'A')}.0")
            sentence = (
                "expected a model, unit and number counted from 0, such as {example}, given {name}"
            )
            yield Fault.of(key_path(path), sentence, example=example, name=shown(name))
        elif unit not in counts:
            yield Fault.of(
                key_path(path),
                UNKNOWN_UNIT,
                name=shown(unit),
                hint=nearest(unit, counts),
                units=quoted(counts),
            )
        elif is_front and models is not None:
            yield Fault.of(
                key_path(path),
                "{unit} has loose models; a front can only be placed relative to a unit in ranks and files",
                unit=shown(unit),
            )
        elif match and models is None:
            yield Fault.of(
                key_path(path),
                "{unit} stands in ranks and files; a loose model can only be placed relative to another loose model",
                unit=shown(unit),
            )
        elif match and models is not None and int(match.group(2)) >= models:
            sentence = "there is no {name}: {unit} has {count}, counted from 0 to {last}"
            yield Fault.of(
                key_path(path),
                sentence,
                name=shown(name),
                unit=shown(unit),
                count=counted(models, "models"),
                last=models - 1,
            )


def _itself(name: str, thing: _Thing) -> Iterator[Fault]:
    """Yield a fault for each reference of a front or model to itself, and one if it refers twice to the same other."""
    others = list(thing.others.items())
    yield from (
        Fault.of(
            key_path(path),
            "{name} cannot be placed relative to itself; name another unit or model",
            name=shown(name),
        )
        for path, other in others
        if other == name
    )
    if len(others) > len({other for _, other in others}):
        path, other = others[-1]
        yield Fault.of(
            key_path(path),
            "{other} is named twice; name two models, or one with bearing_deg",
            other=shown(other),
        )


def _in_order(things: Mapping[str, _Thing]) -> tuple[str, ...]:
    """Return the names in topological order, each after those it refers to.

    Raises
    ------
    ScenarioError
        If references form a circle.
    """
    graph = {
        name: [other for other in thing.others.values() if other in things]
        for name, thing in things.items()
    }
    try:
        return tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        circle = error.args[1][:0:-1]
    places = {name: number for number, name in enumerate(things)}
    start = min(range(len(circle)), key=lambda place: places[circle[place]])
    around = [*circle[start:], *circle[:start]]
    first = things[around[0]]
    more = ", ..." if len(around) > MOST_IN_CIRCLE else ""
    pairs = islice(pairwise([*around, around[0]]), MOST_IN_CIRCLE)
    told = listed(
        (say("{name} by {other}", name=shown(name), other=shown(other)) for name, other in pairs),
        ", ",
    )
    message = say(
        "these are placed relative to each other in a circle: {told}{more}; give one of them a place of "
        "its own, with at",
        told=told,
        more=more,
    )
    raise ScenarioError(Fault(key_path([*first.path, str(relation_of(first.entry))]), message))


def _put(thing: _Thing, bodies: Mapping[str, Body]) -> Body:
    """Return a body at its place, which may be relative to other `bodies`.

    Raises
    ------
    MisfitError
        If the relation leads to no place.
    """
    key = relation_of(thing.entry)
    if key is None:
        return thing.body
    for keys, name in _named(thing.entry):
        if name not in bodies:
            gone = say(
                "{name} is no longer on the table after the charges; give the place directly, with at",
                name=shown(name),
            )
            raise MisfitError(gone, *keys)
    others = [bodies[name] for name in thing.others.values()]
    return (
        model_by(thing.body, thing.entry, others)
        if key in MODEL_RELATIONS
        else thing.body.at(front_by(thing.body, thing.entry, *others))
    )


def _written(name: str, entry: Any, bodies: Mapping[str, Body]) -> Any:
    """Return the entry of the named unit with coordinates in place of relations; `bodies` has its bodies at their
    places.
    """
    if isinstance(entry, PlaceEntry):
        pose = bodies[name].pose
        return entry.model_copy(
            update={**_NO_FRONT, "at": pose.at, "facing_deg": facing_degrees(pose.heading)}
        )
    models = []
    for number, model in enumerate(entry.models):
        body: Model = bodies[f"{name}.{number}"]
        at = (*body.pose.at, body.z) if body.z else body.pose.at
        models.append(
            model.model_copy(update={**_NO_MODEL, "at": at}) if relation_of(model) else model
        )
    return entry.model_copy(update={"models": tuple(models)})


def front_by(unit: Regiment, entry: PlaceEntry, other: Regiment) -> Pose:
    """Return the pose of the middle of a regiment's front, placed by its entry's relation to another regiment.

    Its heading is rounded so that writing it in degrees and reading it again gives the same value.
    """
    if entry.flush_on is not None:
        return _flush(unit, entry.flush_on, other)
    if entry.beside is not None:
        aside = other.width / 2 + entry.beside.gap + unit.width / 2
        right = aside if entry.beside.side == "right" else -aside
        ahead = entry.beside.shift
        turn = 0.0
    else:
        relation = cast("AheadOf", entry.ahead_of)
        is_same = relation.facing == "same"
        right = relation.shift
        ahead = relation.gap + (unit.depth if is_same else 0.0)
        turn = 0.0 if is_same else math.pi
    return Pose(*other.pose.point(right, ahead), _writable(other.pose.heading + turn))


def _flush(unit: Regiment, relation: FlushOn, other: Regiment) -> Pose:
    from tabletop.table.facing import facing_of

    facing = facing_of(other, relation.facing)
    most = (facing.length + unit.width) / 2
    if abs(relation.offset) > most + CONTACT:
        message = "the front would be beside the {facing} of {unit}; expected at most {most:.6g} in to either side"
        why = say(message, facing=relation.facing, unit=shown(relation.unit), most=most)
        raise MisfitError(
            say("{why}, given {offset:g}", why=why, offset=relation.offset), "flush_on", "offset"
        )
    pose = facing.flush_pose(facing.length / 2 + relation.offset - unit.width / 2, unit.width)
    return replace(pose, heading=_writable(pose.heading))


def _writable(heading: float) -> float:
    """Return a heading in radians, rounded as if written in degrees and read again."""
    return math.radians(facing_degrees(heading))


def model_by(model: Model, entry: Any, others: Sequence[Model]) -> Model:
    """Return a loose model placed by its entry's relation to one or two others, at their height unless the entry gives
    one.

    Raises
    ------
    MisfitError
        If the relation leads to no place.
    """
    from tabletop.table.touching import are_simple

    if not all(are_simple(model, other) for other in others):
        key = str(relation_of(entry))
        raise MisfitError(
            say(
                "the outlines have too many corners to find a place in contact; give the place directly, with at"
            ),
            key,
        )
    if len({other.z for other in others}) > 1 and entry.z is None:
        first, second = map(shown, entry.touching)
        raise MisfitError(
            say(
                "is missing: {first} and {second} stand at different heights, so the height must be given",
                first=first,
                second=second,
            ),
            "z",
        )
    x, y = _by_one(model, entry, others[0]) if len(others) == 1 else _by_two(model, entry, *others)
    return model.at(replace(model.pose, x=x, y=y), others[0].z if entry.z is None else entry.z)


def _by_one(model: Model, entry: Any, other: Model) -> Point:
    from tabletop.table.touching import place_on_ray

    at = place_on_ray(model, other, math.radians(entry.bearing_deg), needed=entry.gap or 0.0)
    if at is None:
        name = shown(entry.touching or entry.near)
        message = "coming from {bearing_deg:g} degrees the model does not meet {name}; choose another direction"
        raise MisfitError(say(message, bearing_deg=entry.bearing_deg, name=name), "bearing_deg")
    return at


def _by_two(model: Model, entry: Any, first: Model, second: Model) -> Point:
    from tabletop.table.touching import place_against_both

    names = listed(map(shown, entry.touching), " and ")
    if first.pose.at == second.pose.at:
        message = "{names} stand at the same place, so no line between them has a {side}; touch only one of them"
        raise MisfitError(say(message, names=names, side=entry.side), "touching")
    at = place_against_both(model, first, second, entry.side)
    if at is None:
        apart = say(
            "{names}, which are {gap:.6g} in apart",
            names=names,
            gap=gap(first.footprint, second.footprint),
        )
        message = "no place on the {side} touches both {apart}; touch one of them, with bearing_deg"
        raise MisfitError(say(message, side=entry.side, apart=apart), "touching")
    return at


@dataclass(frozen=True)
class Claims:
    """A function that returns the claimed places of a proposal with relations, once the charges are resolved.

    A relation refers to the claimed place of the other unit, or if it has none to where the charges leave it.

    Attributes
    ----------
    entries
        Entries of the proposal by unit name.
    counts
        Number of loose models of each unit; None for units in ranks and files.
    system
        The game system.
    """

    entries: Mapping[str, Any]
    counts: Counts
    system: System

    def __call__(self, resolution: Resolution) -> dict[str, Any]:
        """Return the claimed places, by unit name, on the table that a resolution leaves.

        Raises
        ------
        ScenarioError
            If a relation leads to no place, or the number of places differs from that of the models.
        """
        entries = self.entries.items()
        units = {name: self._claimant(name, entry, resolution) for name, entry in entries}
        things = {
            one: thing
            for name, entry in entries
            for one, thing in _things(("proposal", "units", name), entry, units[name])
        }
        left = {
            one: body for unit in resolution.after.units.values() for one, body in _called(unit)
        }
        bodies = _bodies(things, self.counts, left)
        return {name: _claimed(entry, units[name], bodies) for name, entry in entries}

    def _claimant(self, name: str, entry: Any, resolution: Resolution) -> Any:
        """Return the unit that a proposal places: with the models alive when it moves, at its claimed place where that
        has coordinates.

        Raises
        ------
        ScenarioError
            If there are not as many claimed places as such models.
        """
        read = placement_format(self.system.vocabulary).read_place
        unit = resolution.before.units[name]
        if isinstance(unit, Regiment):
            return (
                unit.at(read(entry, unit, resolution.before.board))
                if relation_of(entry) is None
                else unit
            )
        moved = {
            step.model
            for ruling in resolution.rulings
            for step in ruling.steps
            if step.unit == unit.name and step.model is not None
        }
        after = resolution.after.units.get(unit.name)
        left = moved or ({model.number for model in after.models} if after else set())
        alive = replace(unit, models=tuple(model for model in unit.models if model.number in left))
        key, given = ("models", entry.models) if entry.models else ("at", entry.at)
        if len(given) != len(alive.models):
            places = counted(len(alive.models), "places")
            message = say(
                "expected {places}, one per model alive when the move begins, given {count}",
                places=places,
                count=len(given),
            )
            raise ScenarioError(Fault(key_path(["proposal", "units", name, key]), message))
        if not entry.models:
            return alive.at(read(entry, alive, resolution.before.board))
        return replace(alive, models=tuple(map(_claimed_model, alive.models, entry.models)))


def _claimed_model(model: Model, row: Any) -> Model:
    """Return a model at the coordinates and heading that a proposal's entry gives for it; its own where none are
    given.
    """
    heading = model.pose.heading if row.facing_deg is None else math.radians(row.facing_deg)
    x, y, z = (*row.at, 0.0)[:3] if row.at else (*model.pose.at, model.z)
    return model.at(Pose(x, y, heading), z)


def _claimed(entry: Any, unit: Any, bodies: Mapping[str, Body]) -> Any:
    """Return the claimed place of a unit, with the order of moves of its entry: a pose, or a formation of loose
    models.
    """
    placed_bodies = [bodies[name] for name, _ in _called(unit)]
    if isinstance(unit, Regiment):
        return placed_bodies[0].pose
    return replace(replace(unit, models=tuple(placed_bodies)).place, order=entry.order)


def claims(scenario: Scenario, system: System) -> Claims | None:
    """Return the function that gives the claimed places of a scenario; None if all claims have coordinates."""
    entries = scenario.proposal.units if scenario.proposal else {}
    is_related = any(_stands_by(entry) or _rows(entry) != (entry,) for entry in entries.values())
    return Claims(entries, _counts(scenario, system), system) if is_related else None


def unknown_claim_references(scenario: Scenario, system: System) -> Iterator[Fault]:
    """Yield a fault for each name in the proposal that a relation cannot refer to."""
    counts = _counts(scenario, system)
    for unit, entry in scenario.proposal.units.items() if scenario.proposal else ():
        for number, row in enumerate(_rows(entry)):
            path = ("proposal", "units", unit, *(() if row is entry else ("models", number)))
            named = {(*path, *keys): name for keys, name in _named(row)}
            yield from unresolved_references(named, counts)


@dataclass(frozen=True)
class WrittenRelation:
    """The relation that places a front or model, as a function of its numbers: where it stands if they are not quite
    what is written.

    Attributes
    ----------
    body
        The front or model at its written place.
    entry
        Its entry.
    others
        The bodies to which it refers, at their written places.
    """

    body: Body
    entry: Any
    others: tuple[Body, ...]

    @property
    def _numbers(self) -> Any:
        """The part of the entry that holds the numbers."""
        return (
            getattr(self.entry, str(relation_of(self.entry)))
            if isinstance(self.entry, PlaceEntry)
            else self.entry
        )

    @property
    def _second(self) -> str | None:
        """Key of the number beside `gap`; None if there is none."""
        return next(
            (key for key in SECOND_NUMBERS if getattr(self._numbers, key, None) is not None), None
        )

    def scale(self, accuracy: Accuracy, longer_side: float) -> tuple[float, float, float]:
        """Return by how much its numbers may be off, gap first, and its heading if that is written: in inches and
        radians.

        A gap of 0 means contact, which is exact. A direction may be off by the accuracy of headings or, if that is not
        given, by the angle that moves the body as far as its place may be off.
        """
        gap = accuracy.at if getattr(self._numbers, "gap", None) else 0.0
        if self._second != "bearing_deg":
            second = accuracy.at if self._second else 0.0
        else:
            second = accuracy.turning(math.dist(self.body.pose.at, self.others[0].pose.at))
        return (
            gap,
            second,
            0.0 if isinstance(self.entry, PlaceEntry) else accuracy.turning(longer_side),
        )

    def __call__(self, first: float, second: float, turn: float) -> Point:
        """Return where the body stands if gap, the other number and heading differ by so much; as written if they lead
        to no place.
        """
        told = self._numbers
        key = self._second
        off = {"gap": max(told.gap + first, 0.0)} if first else {}
        off |= (
            {key: getattr(told, key) + (math.degrees(second) if key == "bearing_deg" else second)}
            if key
            else {}
        )
        told = told.model_copy(update=off)
        try:
            if isinstance(self.entry, PlaceEntry):
                entry = self.entry.model_copy(update={str(relation_of(self.entry)): told})
                return front_by(self.body, entry, *self.others).at
            pose = replace(self.body.pose, heading=self.body.pose.heading + turn)
            return model_by(replace(self.body, pose=pose), told, self.others).pose.at
        except MisfitError:
            return cast("Point", self.body.pose.at)


def relations_of(
    scenario: Scenario, state: State[Any]
) -> tuple[dict[str, str], dict[str, WrittenRelation]]:
    """Return, for each relatively placed unit or model, the name of the one with which it moves on a measured table,
    and its relation.

    Models are named UNIT.NUMBER. Of two models that a third touches, the second moves with the first unless it is
    itself placed relative to another; it has no relation. `state` is the table as written.
    """
    bodies = {
        name: body
        for unit in state.units.values()
        if not isinstance(unit, HexUnit)
        for name, body in _called(unit)
    }
    found: dict[str, str] = {}
    pairs: dict[str, str] = {}
    relations: dict[str, WrittenRelation] = {}
    entries: Mapping[str, Any] = scenario.units
    for name, entry in entries.items():
        for number, row in enumerate(_rows(entry)):
            others = [other for _, other in _named(row)]
            if others:
                called = name if row is entry else f"{name}.{number}"
                found[called] = others[0]
                pairs |= dict.fromkeys(others[1:], others[0])
                relations[called] = WrittenRelation(
                    bodies[called], row, tuple(bodies[other] for other in others)
                )
    return {**pairs, **found}, relations


def parallel_claims(scenario: Scenario) -> frozenset[str]:
    """Return the names of the claimed fronts that are placed relative to others, so that their headings are exact."""
    claimed = {} if scenario.proposal is None else scenario.proposal.units
    return frozenset(
        name
        for name, entry in claimed.items()
        if isinstance(entry, PlaceEntry) and relation_of(entry) is not None
    )


def with_written_keys(faults: Sequence[Fault], scenario: Scenario) -> list[Fault]:
    """Return faults with the key paths that the file uses: for a unit or model with a relation, that key instead of
    `at`.
    """
    keys: dict[str, str] = {}
    for name, entry in scenario.units.items() if faults else ():
        for number, row in enumerate(_rows(entry)):
            at = key_path(["units", name, "at"])
            models = key_path(["units", name, "models", number])
            if row is not entry:
                keys[f"{at}[{number}]"] = f"{models}.{relation_of(row) or 'at'}"
                keys |= (
                    {models: f"{models}.{relation_of(row) or 'at'}"} if _stands_by(entry) else {}
                )
            elif relation_of(row):
                keys[at] = key_path(["units", name, str(relation_of(row))])
    return [replace(fault, key=keys.get(fault.key, fault.key)) for fault in faults]
