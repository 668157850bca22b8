"""The bundled scenarios of all systems: each is read, resolved, judged and asked for its odds once in a process."""

from collections.abc import Sequence
from functools import cache

import pytest

from tabletop.asking import judge, odds, resolve
from tabletop.registry import names, scenarios
from tabletop.ruling.odds import Odds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.scenario import read_case

NAMES = tuple(name for system in names() for name, _ in scenarios(system))


def each_of(some: Sequence[str]) -> pytest.MarkDecorator:
    """Ask a test of some scenarios; all that is asked of one runs in the same process, which then keeps the answers."""
    return pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in some])


EACH = each_of(NAMES)


@cache
def resolved(name: str) -> tuple[Case, Resolution]:
    """Read and resolve a bundled scenario."""
    case = read_case(name)
    return case, resolve(case)


@cache
def judged(name: str) -> Judgement | None:
    """Judge what a bundled scenario proposes, if anything."""
    case, resolution = resolved(name)
    return judge(case, resolution) if case.proposal is not None else None


@cache
def chances(name: str) -> Odds:
    """Give the odds of a bundled scenario."""
    return odds(resolved(name)[0])
