"""The bundled scenarios of all systems, each read and resolved once in a process."""

from functools import cache

from tabletop.asking import resolve
from tabletop.registry import names, scenarios
from tabletop.ruling import Case, Resolution
from tabletop.scenario import read_case

NAMES = tuple(name for system in names() for name, _ in scenarios(system))


@cache
def resolved(name: str) -> tuple[Case, Resolution]:
    """Read and resolve a bundled scenario."""
    case = read_case(name)
    return case, resolve(case)
