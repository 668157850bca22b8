"""Where a model may stand: on the board, on a surface that holds it, in nothing solid."""

import math
from collections.abc import Iterator
from dataclasses import replace

from systems.wh40k.scene import Scene, top_of
from tabletop.geometry.containment import depth_inside
from tabletop.geometry.shape import disc, gap
from tabletop.ruling.evidence import Breach
from tabletop.ruling.finding import Finding
from tabletop.table.squad import Model
from tabletop.table.state import Board, Terrain
from tabletop.units import CONTACT

OVERLAP_RULES = {
    "block": "wh40k.terrain.through",
    "impassable": "wh40k.terrain.through",
    "wall": "wh40k.terrain.walls",
    "barricade": "wh40k.terrain.barricade",
}


def can_stand(scene: Scene, model: Model, *, slack: float = CONTACT) -> bool:
    """Tell whether a model may end where it is, as far as board and terrain are asked; `slack` in inches."""
    return beyond_board(scene.state.board, model) <= slack and next(_terrain_faults(scene, model, slack), None) is None


def surfaces(scene: Scene, model: Model, *, slack: float = CONTACT) -> tuple[float, ...]:
    """Give the heights in inches at which a model may end at its place in plan, lowest first."""
    heights = sorted({0.0, *(piece.height for piece in (*scene.blocks, *scene.floors))})
    return tuple(z for z in heights if can_stand(scene, model.at(model.pose, z), slack=slack))


def standing_faults(scene: Scene, model: Model, *, slack: float = CONTACT) -> list[Finding]:
    """List what forbids a model to end where it is; none where it may. `slack` in inches, with what every comparison allows."""
    beyond = beyond_board(scene.state.board, model)
    off = (
        []
        if beyond <= slack
        else [
            replace(
                _broken("wh40k.path.board", f"Model {model.number} ends {beyond:.4f} in beyond the edge", beyond, slack),
                breach=Breach(beyond=(model.footprint,)),
            )
        ]
    )
    return [*off, *_terrain_faults(scene, model, slack)]


def beyond_board(board: Board, model: Model) -> float:
    """Measure how far a model reaches beyond the board, in inches; negative: how far inside it stands."""
    west, south, east, north = model.footprint.bounds
    return max(-west, -south, east - board.width, north - board.depth)


def _terrain_faults(scene: Scene, model: Model, slack: float) -> Iterator[Finding]:
    """Find solid terrain that the model overlaps, and whether anything holds it at its height."""
    is_up = model.z > slack
    for piece in scene.solids:
        if top_of(piece) > model.z + slack and not is_apart(model, piece):
            depth = -gap(model.footprint, piece.shape)
            if depth > slack:
                text = f"Model {model.number} overlaps {piece.name} by {depth:.4f} in"
                breach = Breach(overlaps=((model.footprint, piece.shape),))
                yield replace(_broken(OVERLAP_RULES[piece.kind], text, depth, slack), breach=breach)
    if is_up:
        yield from _unheld(scene, model, slack)


def is_apart(model: Model, piece: Terrain) -> bool:
    """Tell whether even the boxes around a model and a piece are apart: so are most."""
    (west, south, east, north), (left, low, right, high) = model.footprint.bounds, piece.shape.bounds
    return east < left or right < west or north < low or high < south


def _unheld(scene: Scene, model: Model, slack: float) -> Iterator[Finding]:
    """Find that no top of a block and no floor holds a model that is not on the ground."""
    level = [piece for piece in (*scene.blocks, *scene.upper_floors) if abs(piece.height - model.z) <= slack]
    level = [piece for piece in level if gap(model.footprint, piece.shape) <= slack]
    barred = [] if scene.uses_floors else [piece.name for piece in level if piece.kind == "floor"]
    level = [piece for piece in level if piece.name not in barred]
    depths = {piece.name: support_depth(scene, model, piece) for piece in level}
    if depths and max(depths.values()) >= -slack:
        return
    if depths:
        name = max(depths, key=lambda one: depths[one])
        kind = next(piece.kind for piece in level if piece.name == name)
        rule = "wh40k.terrain.floors" if kind == "floor" else "wh40k.terrain.support"
        yield _broken(rule, f"Model {model.number} sticks out of the top of {name}", -depths[name], slack)
        return
    if barred:
        text = f"Model {model.number} ends on {barred[0]}, an upper floor: only infantry, beasts and flyers end there."
        yield Finding("wh40k.terrain.floors", ok=False, text=text)
        return
    is_climbing = any(abs(gap(model.footprint, piece.shape)) <= slack and piece.height > model.z for piece in scene.climbed)
    rule = "wh40k.terrain.mid-climb" if is_climbing else "wh40k.terrain.support"
    yield Finding(rule, ok=False, text=f"Model {model.number} ends {model.z:g} in up, where nothing holds it.")


def support_depth(scene: Scene, model: Model, piece: Terrain) -> float:
    """Measure how far inside a block's top or a floor a model's base lies, or its centre where that is enough; in inches."""
    if stands_by_centre(scene, piece):
        return depth_inside(disc(model.pose.at, 0.0), piece.shape)
    return depth_inside(model.footprint, piece.shape)


def stands_by_centre(scene: Scene, piece: Terrain) -> bool:
    """Tell whether only the centre must be over a piece's top."""
    return piece.kind == "block" and scene.choices.support == "centre"


def _broken(rule: str, text: str, measured: float, slack: float) -> Finding:
    """Tell a broken rule: of the slack, what every comparison allows is no part of the limit."""
    limit = slack - CONTACT
    if not math.isfinite(measured):
        return Finding(rule, ok=False, text=f"{text}.")
    return Finding(rule, ok=False, text=f"{text}.", measured=measured, limit=limit, margin=limit - measured)
