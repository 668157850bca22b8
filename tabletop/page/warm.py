"""Loaded once, in the process from which the others are forked: all that they would load, and each game asked once."""

from tabletop import registry
from tabletop.page import answers, drawing, mapping
from tabletop.page.options import Options

_ALSO_LOADED = (drawing, mapping)

for _name in registry.BUILT_IN:
    answers.resolve({"system": _name, **registry.find(_name).vocabulary.example}, Options({}))
