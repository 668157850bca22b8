"""Text alternative of a figure for screen readers: the ruling, then the relative positions of units, then
coordinates.
"""

import math
from typing import Any

from plots.marks.board import tone_of
from plots.marks.captions import badges, caption
from plots.marks.theme import SCREEN, Theme
from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import Shape
from tabletop.language.language import current_language, with_terms
from tabletop.language.spoken import in_language
from tabletop.ruling.charge import Charge
from tabletop.ruling.claimed import shown_resolution
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.table.hexes import HEX_FACINGS, HexBoard, distance, number, side_at
from tabletop.table.models import Squad
from tabletop.table.state import Board, HexTerrain, Regiment, State, Terrain
from tabletop.units import facing_degrees

MIDDLE_SHARE = 1 / 6
"""Share of a front's width, to each side of its midpoint, that counts as its middle."""

TOUCHING_GAP = 0.005
"""Gap in inches that is printed as 0.00; units this close are described as touching, whatever the ruling counts as
contact."""


@with_terms
def description(
    case: Case, resolution: Resolution, judgement: Judgement | None = None, *, theme: Theme = SCREEN
) -> str:
    """Return the text alternative of a figure: the ruling, where chargers are relative to targets before and after, all
    positions.

    Sides are named with the colours, or in print the patterns, in which the theme draws them.
    """
    language = current_language()
    resolution, judgement = in_language(language, case, resolution, judgement, "reader")
    before = resolution.before
    after = shown_resolution(case, resolution, judgement).after
    parts = [f"{badge.words}: {badge.about}." for badge in badges(resolution, judgement)]
    parts += caption(case, resolution, judgement)
    charges = [ruling.charge for ruling in resolution.rulings] or list(case.charges)
    parts += _related("describe.before", before, charges)
    if any(
        name not in after.units or after.units[name].place != unit.place
        for name, unit in before.units.items()
    ):
        parts += _related("describe.after", after, charges)
    looks = {
        name: language.words[
            f"describe.{'pattern' if theme.grounds == 'grey' else 'colour'}.{tone}"
        ]
        for name, tone in tone_of(before).items()
    }
    parts += [
        _board(before.board),
        *(_described(before, after, name, looks[name]) for name in before.units),
    ]
    terrain: list[Terrain | HexTerrain] = [*before.terrain, *before.hex_terrain]
    pieces = [f"{piece.name} ({language.known('key.terrain', piece.kind)})" for piece in terrain]
    return " ".join(
        [*parts, *([language.say("describe.terrain", pieces=", ".join(pieces))] if pieces else [])]
    )


def _related(key: str, state: State[Any], charges: list[Charge]) -> list[str]:
    """Return a sentence on where each charger is relative to each of its targets, in a list; empty if no such pair is
    on the table.
    """
    pairs = dict.fromkeys(
        (charge.charger, target) for charge in charges for target in charge.targets
    )
    told = [
        relation(state, one, other)
        for one, other in pairs
        if one in state.units and other in state.units
    ]
    return [current_language().say(key, relations="; ".join(told))] if told else []


def relation(state: State[Any], name: str, other: str) -> str:
    """Return in words where unit `name` is relative to unit `other`: the distance, and for a regiment the side and part
    of the side.

    Distances are gaps in inches, or on hexes numbers of hexes with a compass direction.
    """
    language = current_language()
    one = state.units[name]
    two = state.units[other]
    board = state.board
    if isinstance(board, HexBoard):
        return _between_hexes(board, (name, one), (other, two))
    far, near = _nearest(one, two)
    touches = far < TOUCHING_GAP
    written = language.plain(far)
    if not isinstance(two, Regiment):
        return language.say(
            "describe.touches" if touches else "describe.away", name=name, other=other, far=written
        )
    side, part = _seen_from(two, one.pose.at if isinstance(one, Regiment) else near)
    where = language.say(f"describe.{side}", other=other, part=language.words[f"describe.{part}"])
    return language.say(
        "describe.touches_at" if touches else "describe.stands", name=name, where=where, far=written
    )


def _between_hexes(board: HexBoard, one: tuple[str, Any], two: tuple[str, Any]) -> str:
    language = current_language()
    name, unit = one
    other, target = two
    here = board.hex_at(unit.pose.at)
    there = board.hex_at(target.pose.at)
    far = distance(here, there)
    if far == 0:
        return language.say("describe.same_hex", name=name, other=other)
    x, y = (end - start for start, end in zip(board.centre(there), board.centre(here), strict=True))
    bearing = language.known("compass", HEX_FACINGS[side_at(math.atan2(y, x))])
    key = "describe.next_hex" if far == 1 else "describe.hexes_away"
    return language.say(key, name=name, other=other, far=far, bearing=bearing)


def _bodies(unit: Any) -> dict[Point, Shape]:
    """Return the outlines of a unit's bodies, keyed by their centres."""
    return (
        {unit.centre: unit.boundary}
        if isinstance(unit, Regiment)
        else {model.pose.at: model.footprint for model in unit.models}
    )


def _nearest(unit: Any, target: Any) -> tuple[float, Point]:
    """Return the gap between two units in inches, and the centre of the first unit's body nearest to the second."""
    others = _bodies(target).values()
    return min(
        ((gap(body, other), middle) for middle, body in _bodies(unit).items() for other in others),
        default=(0.0, (0.0, 0.0)),
    )


def _seen_from(unit: Regiment, point: Point) -> tuple[str, str]:
    """Return the side of a regiment on which a point lies, and the part of that side, as the regiment sees it.

    The side is "ahead", "behind", "left" or "right"; the part is "middle" or a half, such as "right_half" or
    "front_half".
    """
    right, ahead = unit.pose.local(point)
    wide = unit.width / 2
    deep = unit.depth
    beyond = {"ahead": ahead, "behind": -ahead - deep, "right": right - wide, "left": -right - wide}
    side = max(beyond, key=lambda word: beyond[word])
    if side in ("ahead", "behind"):
        share = right / (2 * wide)
        return side, "middle" if abs(
            share
        ) <= MIDDLE_SHARE else "right_half" if share > 0 else "left_half"
    share = -ahead / deep - 0.5
    return side, "middle" if abs(
        share
    ) <= MIDDLE_SHARE else "rear_half" if share > 0 else "front_half"


def _described(before: State[Any], after: State[Any], name: str, look: str) -> str:
    """Return a sentence on a unit's side, look, size and position, and on where it ends if it moves or is removed."""
    language = current_language()
    unit = before.units[name]
    place = _place(unit, before.board)
    count = _counted(unit)
    if name not in after.units:
        place = language.say("describe.removed", place=place)
    elif after.units[name].place != unit.place:
        place = language.say(
            "describe.moved", place=place, end=_place(after.units[name], after.board)
        )
    side = (
        unit.side
        if unit.side.lower() == look
        else language.say("describe.drawn", side=unit.side, look=look)
    )
    side = language.say("describe.counted", side=side, count=count) if count else side
    return language.say("describe.unit", name=name, side=side, place=place)


def _counted(unit: Any) -> str:
    """Return in words the number of a unit's models and, for a regiment, of its files; "" for a unit in a hex."""
    language = current_language()
    if isinstance(unit, Squad):
        return (
            language.say("describe.models", count=len(unit.models))
            if len(unit.models) > 1
            else language.words["describe.model"]
        )
    return (
        language.say("describe.files", count=unit.models, files=unit.files)
        if isinstance(unit, Regiment)
        else ""
    )


def _place(unit: Any, board: Board) -> str:
    """Return a unit's position in words: inches and degrees, hex and facing, or the mean of its loose models'
    centres.
    """
    language = current_language()
    if isinstance(unit, Squad):
        x, y = unit.centres.mean(axis=0).tolist() if unit.models else (0.0, 0.0)
        return language.say(
            "describe.around", x=language.number(x, ".2f"), y=language.number(y, ".2f")
        )
    if isinstance(board, HexBoard):
        facing = language.known("compass", HEX_FACINGS[side_at(unit.pose.heading)])
        return language.say("describe.hex", hex=number(board.hex_at(unit.pose.at)), facing=facing)
    facing = language.number(facing_degrees(unit.pose.heading), ".4g")
    x = language.number(unit.pose.x, ".2f")
    y = language.number(unit.pose.y, ".2f")
    return language.say("describe.at", x=x, y=y, facing=facing)


def _board(board: Board) -> str:
    language = current_language()
    if isinstance(board, HexBoard):
        return language.say(
            "describe.hexes",
            columns=board.columns,
            rows=board.rows,
            size=language.number(board.hex_inches, "g"),
        )
    return language.say(
        "describe.board",
        width=language.number(board.width, "g"),
        depth=language.number(board.depth, "g"),
    )
