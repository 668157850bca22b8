"""What a figure may show of a charge: distances, engagement ranges, the links that hold the unit together, who is in contact."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from systems.wh40k.barricade_figure import lee
from systems.wh40k.conditions import contacts, distances, links
from systems.wh40k.declare import Declaration
from systems.wh40k.move import ChargeMove
from systems.wh40k.roll import told
from systems.wh40k.scene import Scene
from tabletop.budget import is_late
from tabletop.geometry.shape import Shape
from tabletop.ruling.evidence import Dimension, Evidence, Stage, Zone
from tabletop.table.crowd import Crowd, crowd
from tabletop.table.squad import Squad


def evidence_before(declaration: Declaration, *, reach: float = 0.0, stage: Stage = "before") -> Evidence:
    """Show the distance to the nearest target, and the engagement ranges that a move of `reach` inches may come to."""
    start, end = declaration.closest()
    dimension = Dimension(start, end, f"{declaration.distance:.2f} in")
    return Evidence(dimensions=(dimension,), zones=tuple(_zones(declaration.scene, reach, stage)))


def evidence_after(declaration: Declaration, move: ChargeMove) -> Evidence:
    """Show also where the models end: who is in contact, and which models hold the unit together; those lost after the move are gone."""
    lost = told(declaration.charge).overwatch.after
    ends = crowd([model for model in move.ends.models if model.number not in lost])
    joined = [(ends.models[first].pose.at, ends.models[second].pose.at) for first, second in links(move.scene, ends)]
    touched = {target.name: models_touched(ends, target) for target in move.scene.targets}
    touching = {move.scene.charger.name: tuple(number for number in move.contacts if number not in lost), **touched}
    return replace(
        evidence_before(declaration, reach=move.longest, stage="after"),
        models_in_contact={name: numbers for name, numbers in touching.items() if numbers},
        links=tuple(joined),
    )


def models_touched(ends: Crowd, target: Squad) -> tuple[int, ...]:
    """Give the numbers of the target's models that are in base contact."""
    touching = contacts(ends, target)
    return tuple(model.number for column, model in enumerate(target.models) if touching[:, column].any())


def _zones(scene: Scene, reach: float, stage: Stage) -> Iterator[Zone]:
    models = crowd(scene.charger.models)
    farthest = reach + max(scene.book.engagement_horizontal, scene.book.barricade_engagement if scene.barricades else 0.0)
    near = [unit for unit in scene.non_targets if float(distances(scene, models, unit).min()) <= farthest]
    for shape in _footprints(scene.targets):
        yield from (Zone(part, "target", stage) for part in _ranges(scene, shape))
    for shape in _footprints(near):
        yield from (Zone(part, "forbidden", stage) for part in _ranges(scene, shape))


def _ranges(scene: Scene, shape: Shape) -> Iterator[Shape]:
    """Give the engagement range about a footprint, and what a barricade adds to it as long as there is time: shading decides nothing."""
    yield _grown(shape, scene.book.engagement_horizontal)
    if scene.book.barricade_engagement > scene.book.engagement_horizontal:
        for piece in (piece for piece in scene.barricades if not is_late()):
            yield from lee(shape, piece.shape, scene.book.barricade_engagement)


def _footprints(units: Iterable[Squad]) -> Iterator[Shape]:
    return (model.footprint for unit in units for model in unit.models)


def _grown(shape: Shape, radius: float) -> Shape:
    return replace(shape, radius=shape.radius + radius)
