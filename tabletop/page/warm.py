"""Loaded once, in the process from which the others are forked: all that they would load, and each game asked once."""

import tabletop.exploring.explore  # noqa: F401 - maps load it when one is asked for
from tabletop import registry
from tabletop.page import answers

for _name in registry.BUILT_IN:
    answers.warm(_name)
