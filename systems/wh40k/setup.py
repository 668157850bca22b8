"""Checks of a set-up: models on the board and clear of each other, enemy targets, existing casualties, support and
coherency.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from systems.wh40k.book import Book
from systems.wh40k.conditions import Ends, body_gaps
from systems.wh40k.scene import Scene, scene_of, top_of
from systems.wh40k.words import (
    LOOKS,
    STATUS,
    TALL_KINDS,
    TERRAIN_KINDS,
    Choices,
    Declarations,
    Profile,
)
from tabletop.errors import Fault
from tabletop.geometry.distance import are_boxes_apart, gap
from tabletop.messages import counted, key_path, quoted, say, shown
from tabletop.ruling.charge import Charge
from tabletop.scenario.checks import first_of, if_by_hand, if_in_millimetres
from tabletop.scenario.vocabulary import Vocabulary
from tabletop.table.models import Model, Squad, crowd, from_one
from tabletop.table.state import State, Terrain
from tabletop.units import CONTACT

if TYPE_CHECKING:
    from tabletop.settling.bodies import Body
    from tabletop.settling.constraints import SetUpRules

Charges = Sequence[tuple[int, Charge]]


def problems(state: State[Squad], charges: Charges) -> list[Fault]:
    """Return the faults of a set-up and of its charges, which are given with their numbers in the file."""
    return [
        *_off_board(state),
        *first_of(_overlaps(state)),
        *_targets(state, charges),
        *_casualties(state, charges),
    ]


def misplaced(state: State[Squad], charges: Charges, choices: Choices) -> list[Fault]:
    """Return a fault for each model that stands inside solid terrain or at a height where nothing supports it."""
    del charges
    return [
        fault
        for scene in _scenes(state, choices)
        for model in scene.charger.models
        for fault in _misplaced(scene, model)
    ]


def doubts(state: State[Squad], charges: Charges, choices: Choices) -> list[Fault]:
    """Return warnings about units that are out of coherency at the start."""
    del charges
    return [doubt for scene in _scenes(state, choices) for doubt in _out_of_coherency(scene)]


def _scenes(state: State[Squad], choices: Choices) -> Iterator[Scene]:
    """Yield for each unit a scene with that unit as the charger, without targets."""
    return (scene_of(state, name, (), choices=choices, book=Book()) for name in state.units)


def _out_of_coherency(scene: Scene) -> Iterator[Fault]:
    """Yield a warning that names the two models between which a unit is out of coherency, if it is."""
    ends = Ends(scene, scene.charger.models)
    if ends.coherency_margin >= -CONTACT:
        return
    row, column = ends.weakest_link
    margins = ends.neighbour_margins
    own = np.sort(margins, axis=1)[:, -ends.coherency.neighbours]
    if row < column and own[column] <= margins[row, column] + CONTACT:
        row, column = column, row
    first = ends.models[row]
    second = ends.models[column]
    apart = math.hypot(max(0.0, gap(first.footprint, second.footprint)), abs(first.z - second.z))
    parts: dict[str, Any] = {"number": from_one(first.number), "apart": apart}
    key = key_path(["units", scene.charger.name])
    if own[row] >= -CONTACT:
        message = "models {number} and {other} stand {apart:.4g} in apart, the nearest of two groups: `at` mistyped?"
        yield Fault.of(key, message, other=from_one(second.number), **parts)
    elif ends.coherency.neighbours > 1:
        yield Fault.of(
            key,
            "model {number} stands {apart:.4g} in from the second next: `at` mistyped?",
            **parts,
        )
    else:
        yield Fault.of(
            key, "model {number} stands {apart:.4g} in from the next: `at` mistyped?", **parts
        )


def _key(unit: Squad, number: int) -> str:
    """Return the key path of a model's place in the file, such as `units.A.at[2]`."""
    is_plain = len({model.base for model in unit.models}) == 1 and not any(
        model.name for model in unit.models
    )
    return key_path(["units", unit.name, "at" if is_plain else "models", number])


def _off_board(state: State[Squad]) -> Iterator[Fault]:
    size = say("{width:g} x {depth:g} in", width=state.board.width, depth=state.board.depth)
    for unit in state.units.values():
        for model in unit.models:
            beyond = -state.board.room(model.footprint)
            if beyond > CONTACT:
                key = _key(unit, model.number)
                hint = if_in_millimetres(state.board, beyond)
                message = (
                    "expected the whole base on the board ({size}); "
                    "it reaches {beyond:.6g} in beyond the edge{hint}"
                )
                yield Fault.of(
                    key, message, size=size, beyond=beyond, hint=hint, between=(unit.name,)
                )


def _overlaps(state: State[Squad]) -> Iterator[Fault]:
    rows = [(unit, model) for unit in state.units.values() for model in unit.models]
    everybody = crowd([model for _, model in rows])
    depths = -body_gaps(everybody, everybody)
    for first, second in np.argwhere(np.triu(depths > CONTACT, k=1)).tolist():
        unit, model = rows[first]
        other, touched = rows[second]
        message = (
            "overlaps {other}[{number}] by {depth:.6g} in; models may touch, not overlap{hint}"
        )
        key = _key(unit, model.number)
        names = (unit.name, other.name)
        depth = depths[first, second]
        hint = if_by_hand(depth)
        yield Fault.of(
            key,
            message,
            other=shown(other.name),
            number=touched.number,
            depth=depth,
            hint=hint,
            between=names,
        )


def _misplaced(scene: Scene, model: Model) -> Iterator[Fault]:
    key = _key(scene.charger, model.number)
    near = [
        piece for piece in scene.state.terrain if not are_boxes_apart(model.footprint, piece.shape)
    ]
    for piece in (piece for piece in scene.solids if piece in near):
        depth = (
            -gap(model.footprint, piece.shape)
            if _holds_inside(piece) and model.z < top_of(piece) - CONTACT
            else 0.0
        )
        if depth > CONTACT:
            message = "stands {depth:.6g} in inside {name} ({kind}); it may touch it, or stand on top of a block"
            yield Fault.of(
                key,
                message,
                depth=depth,
                name=shown(piece.name),
                kind=piece.kind,
                between=(scene.charger.name, piece.name),
            )
    heights = [
        0.0,
        *sorted(
            {piece.height for piece in _surfaces(scene, near) if piece.shape.holds(model.pose.at)}
        ),
    ]
    if all(abs(model.z - height) > CONTACT for height in heights):
        sentence = "nothing supports a model at z = {z:g}; heights of surfaces there: {heights}"
        yield Fault.of(
            key, sentence, z=model.z, heights=", ".join(f"{height:g}" for height in heights)
        )


def room(state: State[Squad], charges: Charges, choices: Choices) -> "SetUpRules":
    """Return the set-up rules: which bodies must keep apart, which must be on the board, and what supports raised
    models.
    """
    from tabletop.settling.constraints import SetUpRules

    del charges
    scene = next(_scenes(state, choices), None)
    solids = (
        set() if scene is None else {piece.name for piece in scene.solids if _holds_inside(piece)}
    )
    tops = [] if scene is None else _surfaces(scene, state.terrain)

    def binds(one: "Body", other: "Body") -> bool:
        """Return whether two bodies must not overlap: models at the same height, and models and solid terrain around
        them.
        """
        if isinstance(one.thing, Model) and isinstance(other.thing, Model):
            return abs(one.thing.z - other.thing.z) <= CONTACT
        if isinstance(one.thing, Model) and isinstance(other.thing, Terrain):
            return other.name in solids and one.thing.z < top_of(other.thing) - CONTACT
        return False

    def holders(body: "Body") -> tuple[str, ...]:
        """Return the names of the pieces of terrain that may support a model at its height; empty on the table."""
        z = body.thing.z if isinstance(body.thing, Model) else 0.0
        return (
            tuple(piece.name for piece in tops if abs(piece.height - z) <= CONTACT)
            if z > CONTACT
            else ()
        )

    return SetUpRules(binds, lambda body: isinstance(body.thing, Model), holders)


def _holds_inside(piece: Terrain) -> bool:
    """Return whether no model may stand inside a piece of terrain at the start."""
    return piece.kind in ("block", "wall", "impassable")


def _surfaces(scene: Scene, pieces: Sequence[Terrain]) -> list[Terrain]:
    """Return those pieces on whose tops or floors models may stand at the start."""
    return [
        piece
        for piece in pieces
        if piece.kind == "block" or (piece.kind == "floor" and scene.is_tall(piece))
    ]


def _targets(state: State[Squad], charges: Charges) -> Iterator[Fault]:
    for number, charge in charges:
        key = f"charges[{number}].targets"
        for index, target in enumerate(charge.targets):
            if target in charge.targets[:index]:
                yield Fault.of(
                    f"{key}[{index}]",
                    "{target} is named twice; name each target once",
                    target=shown(target),
                )
            elif state.units[target].side == state.units[charge.charger].side:
                side = shown(state.units[charge.charger].side)
                message = "{target} is on the charger's own side, {side}; name enemy units"
                yield Fault.of(f"{key}[{index}]", message, target=shown(target), side=side)


def _casualties(state: State[Squad], charges: Charges) -> Iterator[Fault]:
    for number, charge in charges:
        told: Declarations = charge.declarations
        count = len(state.units[charge.charger].models)
        for when, lost in (("before", told.overwatch.before), ("after", told.overwatch.after)):
            key = f"charges[{number}].overwatch.{when}"
            strangers = [model for model in lost if model >= count]
            if strangers:
                models = counted(count, "models")
                name = shown(charge.charger)
                known = say(
                    "{charger} has {count}, numbered from 0 to {last}",
                    charger=name,
                    count=models,
                    last=count - 1,
                )
                yield Fault.of(
                    key,
                    "no model has the number {numbers}: {known}",
                    numbers=quoted(map(str, strangers)),
                    known=known,
                )
        twice = [
            model
            for model, times in Counter((*told.overwatch.before, *told.overwatch.after)).items()
            if times > 1
        ]
        if twice:
            message = "model {model} is lost more than once; name each model once"
            yield Fault.of(
                f"charges[{number}].overwatch", message, model=", ".join(map(str, twice))
            )


EXAMPLE = {
    "title": "A charge",
    "board": {"width": 60.0, "depth": 44.0},
    "units": {
        "A": {
            "side": "blue",
            "at": [[20.0, 20.0], [21.5, 20.0], [23.0, 20.0]],
            "base": "32mm round",
        },
        "B": {
            "side": "red",
            "at": [[20.0, 27.0], [21.5, 27.0], [23.0, 27.0]],
            "base": "32mm round",
        },
    },
    "charges": [{"charger": "A", "targets": ["B"], "dice": [4, 3]}],
}
"""A small file that can be resolved."""

VOCABULARY = Vocabulary(
    profile=Profile,
    choices=Choices,
    declarations=Declarations,
    terrain_kinds=TERRAIN_KINDS,
    solid=("impassable",),
    status=STATUS,
    problems=problems,
    tolerated=misplaced,
    doubts=doubts,
    room=room,
    placement="loose",
    tall=TALL_KINDS,
    looks=LOOKS,
    example=EXAMPLE,
)
