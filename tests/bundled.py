"""The bundled scenarios of the four systems of this project, whatever else is installed."""

from collections.abc import Sequence

import pytest

from tabletop.registry import BUILT_IN, scenarios

NAMES = tuple(name for system in BUILT_IN for name, _ in scenarios(system))


def each_of(some: Sequence[str]) -> pytest.MarkDecorator:
    """Ask a test of some scenarios; all that is asked of one runs in the same process, which then keeps the answers."""
    return pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in some])


EACH = each_of(NAMES)
