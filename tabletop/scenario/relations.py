"""How fronts and models stand to each other, where a file says that in place of coordinates: relations become places, and are written so.

A relation is followed once what it refers to stands: first whatever has a place, then what stands by that, and so on. Those of a
proposal may refer to where the charges leave a unit, so they wait for the resolution.
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
from tabletop.table.models import Model
from tabletop.table.state import Board, Regiment
from tabletop.units import CONTACT, facing_degrees

MODELS = ("touching", "near")
"""Keys that say how a model stands to others."""

MOST_IN_CIRCLE = 6
"""Names told of a circle."""

_NUMBERED = re.compile(r"(.+)\.(0|[1-9]\d{0,3})", re.ASCII)

_NO_FRONT = dict.fromkeys(FRONTS)

_NO_MODEL = dict.fromkeys((*MODELS, "gap", "bearing_deg", "side", "z"))

_ORIGIN = (0.0, 0.0)

Path = tuple[str | int, ...]

Counts = Mapping[str, int | None]
"""The loose models of units, by name; None of units in ranks and files."""

Body = Any
"""A regiment or a loose model; one that stands by others is anywhere until its relation is followed."""


class MisfitError(Exception):
    """A relation that leads to no place: the keys, below its front or model, that are at fault, and why."""

    def __init__(self, why: str, *keys: str | int) -> None:
        self.why, self.keys = why, keys
        super().__init__(why)


@dataclass(frozen=True)
class _Thing:
    """A front or a model in a file: its key path, its body, and the entry that may say how it stands to others."""

    path: Path
    body: Body
    entry: Any

    @property
    def others(self) -> dict[Path, str]:
        """Names of those it stands by, by the key paths where they are named."""
        return {(*self.path, *keys): name for keys, name in _named(self.entry)}


def _named(entry: Any) -> Iterator[tuple[Path, str]]:
    """Yield the names in the relation of an entry, if it has one, with the keys below it where they stand."""
    key = relation_of(entry)
    told: Any = None if key is None else getattr(entry, key)
    if key in FRONTS:
        yield (key, "unit"), told.unit
    elif isinstance(told, tuple):
        yield from (((str(key), number), name) for number, name in enumerate(told))
    elif key is not None:
        yield (key,), told


def relation_of(entry: Any) -> str | None:
    """Return the key by which an entry says how something stands to others; None if it tells a place."""
    told: Mapping[str, Any] = getattr(entry, "__dict__", {})  # to miss attributes of models takes ten times as long
    return next((key for key in (*FRONTS, *MODELS) if told.get(key) is not None), None)


def placed(scenario: Scenario, system: System) -> Scenario:
    """Return a scenario whose units all stand at places: those that stood by others, too. Relations in its proposal are left as they are.

    Raises
    ------
    ScenarioError
        If relations name nobody, go round in a circle, or lead to no place.
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
    units = {**scenario.units, **{name: _written(name, entry, bodies) for name, entry in related.items()}}
    return scenario.model_copy(update={"units": units})


def _stands_by(entry: Any) -> bool:
    """Return whether the entry of a unit, or one of its models, stands by others."""
    return any(relation_of(one) for one in _rows(entry))


def _rows(entry: Any) -> Sequence[Any]:
    """Return the parts of a unit's entry that stand each by itself: its models if they are told one by one, else itself."""
    models = getattr(entry, "models", None)
    return models if isinstance(models, tuple) else (entry,)


def _counts(scenario: Scenario, system: System) -> Counts:
    """Count the loose models of each unit."""
    count, entries = placement_format(system.vocabulary).models, dict[str, Any](scenario.units)
    return {name: None if isinstance(entry, PlaceEntry) else count(entry) for name, entry in entries.items()}


def _anywhere(entry: Any) -> Any:
    """Return the entry of a unit that can be read: what stands by others is anywhere."""
    if isinstance(entry, PlaceEntry):
        return entry if relation_of(entry) is None else entry.model_copy(update={"at": _ORIGIN, "facing_deg": 0.0})
    if entry.models is None:
        return entry
    models = tuple(model.model_copy(update={"at": _ORIGIN}) if relation_of(model) else model for model in entry.models)
    return entry.model_copy(update={"models": models})


def _things(path: Path, entry: Any, unit: Any) -> Iterator[tuple[str, _Thing]]:
    """Yield what stands somewhere of a unit and of its entry."""
    if isinstance(unit, Regiment):
        yield unit.name, _Thing(path, unit, entry)
        return
    rows = entry.models or (None,) * len(unit.models)
    for number, ((name, model), row) in enumerate(zip(_called(unit), rows, strict=True)):
        yield name, _Thing((*path, "models", number), model, row)


def _called(unit: Any) -> Iterator[tuple[str, Body]]:
    """Yield a unit in ranks and files, or each model of a loose one, with the name by which relations refer to it."""
    if isinstance(unit, Regiment):
        yield unit.name, unit
    else:
        yield from ((f"{unit.name}.{model.number}", model) for model in unit.models)


def _bodies(things: Mapping[str, _Thing], counts: Counts, left: Mapping[str, Body]) -> dict[str, Body]:
    """Return all bodies at their places; `left` stand already, `counts` are the loose models of each unit of the file.

    Raises
    ------
    ScenarioError
        If some cannot be.
    """
    faults = [fault for thing in things.values() for fault in strangers(thing.others, counts)]
    faults += [fault for name, thing in things.items() for fault in _itself(name, thing)]
    if faults:
        raise ScenarioError(faults)
    bodies = {name: body for name, body in left.items() if name not in things}
    found: dict[str, Fault] = {}
    for name in _in_order(things):
        thing = things[name]
        if any(other in things and other not in bodies for other in thing.others.values()):
            continue  # what it stands by has no place, which is told of that
        try:
            bodies[name] = _put(thing, bodies)
        except MisfitError as misfit:
            found[name] = Fault(key_path([*thing.path, *misfit.keys]), misfit.why)
    if found:
        raise ScenarioError(found[name] for name in things if name in found)
    return bodies


def strangers(named: Mapping[Path, str], counts: Counts) -> Iterator[Fault]:
    """List the names, by their key paths, that are not what fronts stand by, a unit, or models: a unit of such, and a number."""
    for path, name in named.items():
        is_front = path[-2] in FRONTS
        match = None if is_front else _NUMBERED.fullmatch(name)
        unit = match.group(1) if match else name
        models = counts.get(unit)
        if not is_front and match is None:
            loose = [other for other, count in counts.items() if count is not None]
            example = shown(f"{name if name in loose else next(iter(loose), 'A')}.0")
            sentence = "expected a model, unit and number counted from 0, such as {example}, given {name}"
            yield Fault.of(key_path(path), sentence, example=example, name=shown(name))
        elif unit not in counts:
            yield Fault.of(key_path(path), UNKNOWN_UNIT, name=shown(unit), hint=nearest(unit, counts), units=quoted(counts))
        elif is_front and models is not None:
            yield Fault.of(key_path(path), "{unit} is of loose models; a front stands by a unit in ranks and files", unit=shown(unit))
        elif match and models is None:
            yield Fault.of(key_path(path), "{unit} stands in ranks and files; a model stands by a loose one", unit=shown(unit))
        elif match and models is not None and int(match.group(2)) >= models:
            sentence = "there is no {name}: {unit} has {count}, counted from 0 to {last}"
            yield Fault.of(key_path(path), sentence, name=shown(name), unit=shown(unit), count=counted(models, "models"), last=models - 1)


def _itself(name: str, thing: _Thing) -> Iterator[Fault]:
    """Find what stands by itself, or by one other twice."""
    others = list(thing.others.items())
    yield from (
        Fault.of(key_path(path), "{name} cannot stand by itself; name another", name=shown(name)) for path, other in others if other == name
    )
    if len(others) > len({other for _, other in others}):
        path, other = others[-1]
        yield Fault.of(key_path(path), "{other} is named twice; name two models, or one with bearing_deg", other=shown(other))


def _in_order(things: Mapping[str, _Thing]) -> tuple[str, ...]:
    """Return the names in an order in which each stands by those before it.

    Raises
    ------
    ScenarioError
        If some go round in a circle.
    """
    graph = {name: [other for other in thing.others.values() if other in things] for name, thing in things.items()}
    try:
        return tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        circle = error.args[1][:0:-1]
    places = {name: number for number, name in enumerate(things)}
    start = min(range(len(circle)), key=lambda place: places[circle[place]])
    around = [*circle[start:], *circle[:start]]
    first, more = things[around[0]], ", ..." if len(around) > MOST_IN_CIRCLE else ""
    pairs = islice(pairwise([*around, around[0]]), MOST_IN_CIRCLE)
    told = listed((say("{name} by {other}", name=shown(name), other=shown(other)) for name, other in pairs), ", ")
    message = say("stands in a circle: {told}{more}; one of them needs a place of its own, at", told=told, more=more)
    raise ScenarioError(Fault(key_path([*first.path, str(relation_of(first.entry))]), message))


def _put(thing: _Thing, bodies: Mapping[str, Body]) -> Body:
    """Return a body where it stands: as it is, or by others of the `bodies`.

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
            gone = say("{name} is no longer on the table when the charges are over; give the place itself, at", name=shown(name))
            raise MisfitError(gone, *keys)
    others = [bodies[name] for name in thing.others.values()]
    return model_by(thing.body, thing.entry, others) if key in MODELS else thing.body.at(front_by(thing.body, thing.entry, *others))


def _written(name: str, entry: Any, bodies: Mapping[str, Body]) -> Any:
    """Return the entry of a unit with places for relations."""
    if isinstance(entry, PlaceEntry):
        pose = bodies[name].pose
        return entry.model_copy(update={**_NO_FRONT, "at": pose.at, "facing_deg": facing_degrees(pose.heading)})
    models = []
    for number, model in enumerate(entry.models):
        body: Model = bodies[f"{name}.{number}"]
        at = (*body.pose.at, body.z) if body.z else body.pose.at
        models.append(model.model_copy(update={**_NO_MODEL, "at": at}) if relation_of(model) else model)
    return entry.model_copy(update={"models": tuple(models)})


def front_by(unit: Regiment, entry: PlaceEntry, other: Regiment) -> Pose:
    """Return the pose of a front that stands by another; its facing is one that can be written in degrees."""
    if entry.flush_on is not None:
        return _flush(unit, entry.flush_on, other)
    if entry.beside is not None:
        aside = other.width / 2 + entry.beside.gap + unit.width / 2
        right, ahead, turn = aside if entry.beside.side == "right" else -aside, entry.beside.shift, 0.0
    else:
        relation = cast("AheadOf", entry.ahead_of)
        is_same = relation.facing == "same"
        right, ahead, turn = relation.shift, relation.gap + (unit.depth if is_same else 0.0), 0.0 if is_same else math.pi
    return Pose(*other.pose.point(right, ahead), _writable(other.pose.heading + turn))


def _flush(unit: Regiment, relation: FlushOn, other: Regiment) -> Pose:
    from tabletop.table.facing import facing_of

    facing = facing_of(other, relation.facing)
    most = (facing.length + unit.width) / 2
    if abs(relation.offset) > most + CONTACT:
        message = "the front misses the {facing} of {unit}; expected at most {most:.6g} in to either side"
        why = say(message, facing=relation.facing, unit=shown(relation.unit), most=most)
        raise MisfitError(say("{why}, given {offset:g}", why=why, offset=relation.offset), "flush_on", "offset")
    pose = facing.flush_pose(facing.length / 2 + relation.offset - unit.width / 2, unit.width)
    return replace(pose, heading=_writable(pose.heading))


def _writable(heading: float) -> float:
    """Return a heading as it is read again once it is written in degrees."""
    return math.radians(facing_degrees(heading))


def model_by(model: Model, entry: Any, others: Sequence[Model]) -> Model:
    """Return a model where it stands by one other or two, as high as they stand if its own height is not told."""
    from tabletop.placement.touching import are_simple

    if not all(are_simple(model, other) for other in others):
        key = str(relation_of(entry))
        raise MisfitError(say("the outlines have too many corners for a place in contact to be found; give the place itself, at"), key)
    if len({other.z for other in others}) > 1 and entry.z is None:
        first, second = map(shown, entry.touching)
        raise MisfitError(say("is missing: {first} and {second} stand at different heights", first=first, second=second), "z")
    x, y = _by_one(model, entry, others[0]) if len(others) == 1 else _by_two(model, entry, *others)
    return model.at(replace(model.pose, x=x, y=y), others[0].z if entry.z is None else entry.z)


def _by_one(model: Model, entry: Any, other: Model) -> Point:
    from tabletop.placement.touching import place_on_ray

    at = place_on_ray(model, other, math.radians(entry.bearing_deg), needed=entry.gap or 0.0)
    if at is None:
        name = shown(entry.touching or entry.near)
        message = "on its way in from {bearing_deg:g} degrees the model passes {name} by; choose another"
        raise MisfitError(say(message, bearing_deg=entry.bearing_deg, name=name), "bearing_deg")
    return at


def _by_two(model: Model, entry: Any, first: Model, second: Model) -> Point:
    from tabletop.placement.touching import place_against_both

    names = listed(map(shown, entry.touching), " and ")
    if first.pose.at == second.pose.at:
        message = "{names} stand at one place, so there is no {side} of a line between them; touch one of them"
        raise MisfitError(say(message, names=names, side=entry.side), "touching")
    at = place_against_both(model, first, second, entry.side)
    if at is None:
        apart = say("{names}, which are {gap:.6g} in apart", names=names, gap=gap(first.footprint, second.footprint))
        message = "no place on the {side} touches both {apart}; touch one of them, with bearing_deg"
        raise MisfitError(say(message, side=entry.side, apart=apart), "touching")
    return at


@dataclass(frozen=True)
class Claims:
    """A proposal in which units stand by others: a function that returns the claimed place of each unit, once the charges are resolved.

    A relation refers to the place that the proposal has for the other unit, else to where the charges leave it. `entries` are those of
    the proposal by unit, `counts` the loose models of all units of the file.
    """

    entries: Mapping[str, Any]
    counts: Counts
    system: System

    def __call__(self, resolution: Resolution) -> dict[str, Any]:
        """Return the places by the names of their units.

        Raises
        ------
        ScenarioError
            If relations lead to no place, or there is not one for each model.
        """
        entries = self.entries.items()
        units = {name: self._claimant(name, entry, resolution) for name, entry in entries}
        things = {one: thing for name, entry in entries for one, thing in _things(("proposal", "units", name), entry, units[name])}
        left = {one: body for unit in resolution.after.units.values() for one, body in _called(unit)}
        bodies = _bodies(things, self.counts, left)
        return {name: _claimed(entry, units[name], bodies) for name, entry in entries}

    def _claimant(self, name: str, entry: Any, resolution: Resolution) -> Any:
        """Return a unit with whatever is to be placed, at its claimed place as far as that is told as one."""
        read = placement_format(self.system.vocabulary).read_place
        unit = resolution.before.units[name]
        if isinstance(unit, Regiment):
            return unit.at(read(entry, unit, resolution.before.board)) if relation_of(entry) is None else unit
        moved = {step.model for ruling in resolution.rulings for step in ruling.steps if step.unit == unit.name and step.model is not None}
        after = resolution.after.units.get(unit.name)
        left = moved or ({model.number for model in after.models} if after else set())
        alive = replace(unit, models=tuple(model for model in unit.models if model.number in left))
        key, given = ("models", entry.models) if entry.models else ("at", entry.at)
        if len(given) != len(alive.models):
            places = counted(len(alive.models), "places")
            message = say("expected {places}, one per model alive when the move begins, given {count}", places=places, count=len(given))
            raise ScenarioError(Fault(key_path(["proposal", "units", name, key]), message))
        if not entry.models:
            return alive.at(read(entry, alive, resolution.before.board))
        return replace(alive, models=tuple(map(_claimed_model, alive.models, entry.models)))


def _claimed_model(model: Model, row: Any) -> Model:
    """Return a model where a row of a proposal has it stand and look, as far as it tells that."""
    heading = model.pose.heading if row.facing_deg is None else math.radians(row.facing_deg)
    x, y, z = (*row.at, 0.0)[:3] if row.at else (*model.pose.at, model.z)
    return model.at(Pose(x, y, heading), z)


def _claimed(entry: Any, unit: Any, bodies: Mapping[str, Body]) -> Any:
    """Return the claimed place of a unit."""
    placed_bodies = [bodies[name] for name, _ in _called(unit)]
    if isinstance(unit, Regiment):
        return placed_bodies[0].pose
    return replace(replace(unit, models=tuple(placed_bodies)).place, order=entry.order)


def claims(scenario: Scenario, system: System) -> Claims | None:
    """Return the function that gives the claimed places of a scenario once it is resolved; None where places alone tell them."""
    entries = scenario.proposal.units if scenario.proposal else {}
    is_related = any(_stands_by(entry) or _rows(entry) != (entry,) for entry in entries.values())
    return Claims(entries, _counts(scenario, system), system) if is_related else None


def unknown_claim_references(scenario: Scenario, system: System) -> Iterator[Fault]:
    """List the names in relations of a proposal that are of nobody in the file."""
    counts = _counts(scenario, system)
    for unit, entry in scenario.proposal.units.items() if scenario.proposal else ():
        for number, row in enumerate(_rows(entry)):
            path = ("proposal", "units", unit, *(() if row is entry else ("models", number)))
            named = {(*path, *keys): name for keys, name in _named(row)}
            yield from strangers(named, counts)


def anchors(scenario: Scenario) -> dict[str, str]:
    """Return for units, and models as `unit.number`, placed relative to another which one; they move with it when a table is settled.

    Of two that a model touches the second goes with the first, too, unless it stands by another itself.
    """
    found: dict[str, str] = {}
    pairs: dict[str, str] = {}
    entries: Mapping[str, Any] = scenario.units
    for name, entry in entries.items():
        if isinstance(entry, PlaceEntry):
            if (key := relation_of(entry)) is not None:
                found[name] = getattr(entry, key).unit
            continue
        for number, model in enumerate(getattr(entry, "models", None) or ()):
            if (key := relation_of(model)) is not None:
                other = getattr(model, key)
                first, *more = (other,) if isinstance(other, str) else other
                found[f"{name}.{number}"] = first
                pairs |= dict.fromkeys(more, first)
    return {**pairs, **found}


def is_claim_exact(scenario: Scenario) -> bool:
    """Return whether all fronts in the proposal stand by others: nothing of them was measured."""
    claimed = () if scenario.proposal is None else tuple(scenario.proposal.units.values())
    return bool(claimed) and all(isinstance(entry, PlaceEntry) and relation_of(entry) is not None for entry in claimed)


def redundant_accuracy(scenario: Scenario) -> Iterator[Fault]:
    """Find units that say how well they were measured, and stand by others whole: they go with these, however well those were."""
    for name, entry in scenario.units.items():
        is_said = entry.accuracy is not None and (entry.accuracy.at or entry.accuracy.facing_deg)
        if is_said and all(relation_of(row) for row in _rows(entry)):
            others = [other for row in _rows(entry) for _, other in islice(_named(row), 1)]
            sentence = "nothing of {name} was measured: it goes with {other}, by which it stands; leave this out"
            yield Fault.of(key_path(["units", name, "accuracy"]), sentence, name=shown(name), other=shown(others[0]))


def with_written_keys(faults: Sequence[Fault], scenario: Scenario) -> list[Fault]:
    """Return faults of places with the keys by which the file tells these: a unit that stands by others, or of models, has no `at`."""
    keys: dict[str, str] = {}
    for name, entry in scenario.units.items() if faults else ():
        for number, row in enumerate(_rows(entry)):
            at, models = key_path(["units", name, "at"]), key_path(["units", name, "models", number])
            if row is not entry:
                keys[f"{at}[{number}]"] = f"{models}.{relation_of(row) or 'at'}"
                keys |= {models: f"{models}.{relation_of(row) or 'at'}"} if _stands_by(entry) else {}
            elif relation_of(row):
                keys[at] = key_path(["units", name, str(relation_of(row))])
    return [replace(fault, key=keys.get(fault.key, fault.key)) for fault in faults]
