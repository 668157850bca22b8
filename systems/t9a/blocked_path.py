"""Blocked Path: which other facings may be charged when the target is straight ahead and its proper facing cannot be reached."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import shapely

from systems.t9a.scene import Scene
from tabletop.table.facing import FACINGS, FacingName, facing_of, touches
from tabletop.units import CONTACT

ADJACENT_FACINGS: dict[FacingName, tuple[FacingName, ...]] = {
    "front": ("left", "right"),
    "rear": ("left", "right"),
    "left": ("front", "rear"),
    "right": ("front", "rear"),
}


def other_facings(scene: Scene, denied: Sequence[FacingName]) -> tuple[FacingName, ...]:
    """Give the facings that Blocked Path opens where those denied cannot be charged, by the choice `blocked_facing`.

    "adjacent" leaves of the two beside a denied facing the one nearer to the charger, both if they are equally near.
    """
    others = tuple(name for name in FACINGS if name not in denied)
    if scene.choices.blocked_facing == "best":
        return others
    nearer = {name for facing in denied for name in _nearest(scene, ADJACENT_FACINGS[facing])}
    return tuple(name for name in others if name in nearer)


def _nearest(scene: Scene, names: Sequence[FacingName]) -> tuple[FacingName, ...]:
    """Keep of several facings those nearest to the charger's boundary."""
    charger = scene.charger.boundary.core
    distances = {name: float(charger.distance(shapely.LineString(facing_of(scene.target, name).ends))) for name in names}
    least = min(distances.values())
    return tuple(name for name in names if distances[name] <= least + CONTACT)


def is_unreachable(scene: Scene, is_reached: Callable[[Scene], bool]) -> bool:
    """Tell whether the proper facing counts as unreachable, which it is on the table as it stands.

    Unless friends may block, it must stay so when the charger's friends that touch the target are taken away; `is_reached`
    says of a table whether some legal charge move against the proper facing exists on it.
    """
    if scene.choices.blocked_by_friends:
        return True
    friends = {unit.name for unit in scene.bystanders if unit.side == scene.charger.side and touches(unit, scene.target)}
    return not friends or not is_reached(replace(scene, absent=scene.absent | friends))
