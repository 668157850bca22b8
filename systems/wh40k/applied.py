"""What the rules about ways, terrain and flying come to in a charge move; those that did not apply are left out."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from systems.wh40k.conditions import is_large
from systems.wh40k.measures import clear_finding
from systems.wh40k.move import ChargeMove, Moved
from systems.wh40k.standing import beyond_board, support_depth
from tabletop.geometry.shape import gap
from tabletop.ruling.finding import Finding
from tabletop.table.crowd import crowd
from tabletop.table.state import Terrain
from tabletop.units import CONTACT
from tabletop.words import counted, listed


def move_findings(move: ChargeMove) -> list[Finding]:
    """Name the rules that the ends and ways of all models keep, with the least margin of each."""
    return [*_ends(move), *_pivots(move), *_bodies(move), *_terrain(move), *_flight(move)]


def _ends(move: ChargeMove) -> Iterator[Finding]:
    scene = move.scene
    clear = clear_finding(scene, move.ends)
    if clear is not None:
        yield replace(clear, text="No model ends on another model.")
    inside = -max(beyond_board(scene.state.board, model) for model in move.ends.models)
    yield Finding("wh40k.path.board", inside >= -CONTACT, "All models stay on the board.", inside, 0.0, inside)


def _pivots(move: ChargeMove) -> Iterator[Finding]:
    turned = [one for one in move.moves if not one.start.pose.faces_like(one.end.pose)]
    if turned:
        cost = max(move.scene.pivot_value(one.start) for one in turned)
        text = f"{counted(len(turned), 'models')} turned, at a cost of {cost:g} in each."
        yield Finding("wh40k.move.pivot", ok=True, text=text, measured=cost)


def _bodies(move: ChargeMove) -> Iterator[Finding]:
    scene = move.scene
    if scene.is_flyer:
        return
    yield Finding("wh40k.path.enemies", ok=True, text="No way leads through an enemy model.")
    passed = [unit.name for unit in scene.friends if any(one.passes(model.footprint) for one in move.moves for model in unit.models)]
    if passed:
        yield Finding("wh40k.path.friends", ok=True, text=f"Friendly models are moved through: {listed(passed)}.")
    if is_large(scene.charger) and any(map(is_large, scene.friends)):
        yield Finding("wh40k.path.vehicles", ok=True, text="No way leads through a friendly Monster or Vehicle.")


def _terrain(move: ChargeMove) -> Iterator[Finding]:
    yield from _crossed(move)
    yield from _climbs(move)
    yield from _standing(move)


def _crossed(move: ChargeMove) -> Iterator[Finding]:
    scene = move.scene
    pieces = [piece for piece in scene.state.terrain if piece.kind in ("block", "barricade", "wall", "floor")]
    crossed = [piece for piece in pieces if any(one.passes(piece.shape) for one in move.moves if not one.has_stayed)]
    low = [piece.name for piece in crossed if not scene.is_tall(piece)]
    if low:
        text = f"Up to {scene.book.free_height:g} in high and moved over freely: {listed(low)}."
        yield Finding("wh40k.terrain.low", ok=True, text=text)
    walls = [piece.name for piece in crossed if piece.kind == "wall" and scene.is_tall(piece)]
    if walls and scene.walks_through_walls:
        yield Finding("wh40k.terrain.walls", ok=True, text=f"Walls are moved through: {listed(walls)}.")


def _climbs(move: ChargeMove) -> Iterator[Finding]:
    scene = move.scene
    solid = [piece.name for piece in (*scene.climbed, *scene.forbidden)]
    if solid:
        yield Finding("wh40k.terrain.through", ok=True, text=f"No way leads through {listed(solid)}.")
    climbs = [climb for one in move.moves if (climb := one.climbed(scene.lowest_climb)) > CONTACT]
    if climbs:
        most = max(climbs)
        text = f"Up and down counts: {counted(len(climbs), 'models')} with a climb, of at most {most:g} in."
        yield Finding("wh40k.terrain.climb", ok=True, text=text, measured=most)
    if scene.climbed:
        yield Finding("wh40k.terrain.mid-climb", ok=True, text="No model ends part-way up.")


def _standing(move: ChargeMove) -> Iterator[Finding]:
    scene = move.scene
    for rule, what, pieces in (("support", "the top of a block", scene.blocks), ("floors", "an upper floor", scene.floors)):
        depths = [_depth(move, one, pieces) for one in move.moves if not one.has_stayed]
        held = [depth for depth in depths if depth is not None]
        if held:
            text = f"{counted(len(held), 'models')} on {what}, wholly held by it."
            yield Finding(f"wh40k.terrain.{rule}", min(held) >= -CONTACT, text, min(held), 0.0, min(held))
    if scene.barricades:
        low = [model.footprint for model in move.ends.models if model.z <= CONTACT]
        least = min((gap(body, piece.shape) for body in low for piece in scene.barricades), default=None)
        text = f"Across a barricade engagement range is {scene.book.barricade_engagement:g} in; no model ends on one."
        is_clear = least is None or least >= -CONTACT
        yield Finding("wh40k.terrain.barricade", is_clear, text, least, None if least is None else 0.0, least)


def _depth(move: ChargeMove, one: Moved, pieces: tuple[Terrain, ...]) -> float | None:
    """Give how far inside the surface that holds it a model ends, or None if it ends on none of these."""
    if one.end.z <= CONTACT:
        return None
    depths = [support_depth(move.scene, one.end, piece) for piece in pieces if abs(piece.height - one.end.z) <= CONTACT]
    return max((depth for depth in depths if np.isfinite(depth)), default=None)


def _flight(move: ChargeMove) -> Iterator[Finding]:
    scene = move.scene
    if not scene.is_flyer:
        return
    over = crowd([model for model in scene.bodies.models if any(one.passes(model.footprint) for one in move.moves)])
    yield Finding("wh40k.fly.over", ok=True, text=f"Models do not hinder a flyer; it moves over {len(over.models)} of them.")
    if scene.choices.fly_ground_to_ground == "air" or any(max(one.start.z, one.end.z) > CONTACT for one in move.moves):
        how = "" if scene.choices.fly_path == "taut" else " along the straight line"
        yield Finding("wh40k.fly.air", ok=True, text=f"Moves from or to terrain are measured through the air{how}.")
