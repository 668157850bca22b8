"""Loaded once, in the process from which the others are forked: all that they would load, and each game asked once."""

from tabletop import registry
from tabletop.page import answers, drawing, mapping

_ALSO_LOADED = (drawing, mapping)

for _name in registry.BUILT_IN:
    answers.warmed(_name)
