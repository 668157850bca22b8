"""Module preloaded by the fork server: imports everything that workers need and resolves each system's example once."""

import tabletop.exploring.explore  # noqa: F401 - maps load it when one is asked for
from tabletop import registry
from tabletop.page import answers

for _name in registry.BUILT_IN:
    answers.warm(_name)
