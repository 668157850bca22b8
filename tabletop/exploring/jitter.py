"""Tables placed by hand: every unit a little off, the same way every time it is asked."""

import copy
import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tabletop.exploring.keys import spots_of

JITTER_KEY = "jitter"
"""The key of an axis that counts the ways in which everything stands a little off; number 0 leaves it as it is."""


@dataclass(frozen=True)
class Jitter:
    """How far everything may stand off: inches in any direction, degrees to either side."""

    inches: float
    degrees: float


def jittered(tables: Mapping[str, Any], how: Jitter, number: int) -> dict[str, Any]:
    """Give the tables with every unit, or every loose model, somewhat off, evenly within what is allowed; number 0 as they are."""
    changed = copy.deepcopy(dict(tables))
    if number == 0:
        return changed
    for name, unit in changed.get("units", {}).items():
        dice = random.Random(f"{number}/{name}")  # noqa: S311 - sampling, not secrets
        models = unit.get("models")
        for place in models if isinstance(models, list) else [unit]:
            _displace(place, how, dice)
    return changed


def _displace(place: dict[str, Any], how: Jitter, dice: random.Random) -> None:
    for spot in spots_of(place):
        reach, bearing = how.inches * math.sqrt(dice.random()), math.tau * dice.random()
        spot[0] += reach * math.cos(bearing)
        spot[1] += reach * math.sin(bearing)
    facing = place.get("facing_deg")
    if isinstance(facing, list):
        place["facing_deg"] = [angle + how.degrees * dice.uniform(-1.0, 1.0) for angle in facing]
    elif facing is not None:
        place["facing_deg"] = facing + how.degrees * dice.uniform(-1.0, 1.0)
