"""The ways in which units stand, by the names that a system's vocabulary uses."""

from importlib import import_module

from tabletop.scenario.placing import Placing
from tabletop.scenario.vocabulary import Vocabulary

_HOMES = {
    "regiment": ("tabletop.scenario.blocks", "REGIMENT"),
    "stands": ("tabletop.scenario.blocks", "STANDS"),
    "loose": ("tabletop.scenario.loose", "LOOSE"),
    "hex": ("tabletop.scenario.hexed", "HEXED"),
}


def placing(words: Vocabulary) -> Placing:
    """Give the way in which a system's units stand; only that one is loaded."""
    module, name = _HOMES[words.placement]
    found: Placing = getattr(import_module(module), name)
    return found
