"""Loaded once, in the process from which the others are forked: all that they would load, and each game asked once."""

from tabletop import registry
from tabletop.page import answers
from tabletop.page import answers as page_answers

_ALSO_LOADED = (page_answers, page_answers)

for _name in registry.BUILT_IN:
    answers.warmed(_name)
