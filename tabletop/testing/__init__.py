"""Contracts that every game keeps, for the tests of packages that bring one.

>>> import pytest
>>> from tabletop.testing import contracts
>>> @pytest.mark.parametrize("contract", contracts("t9a"), ids=str)
... def test_contract(contract):
...     contract()
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

from tabletop.registry import find, scenarios
from tabletop.testing import invariances, laws, promises


@dataclass(frozen=True)
class Contract:
    """A property that every game system must have, checked on one of its bundled scenarios when called.

    `scenario` is the name of the scenario, `promise` the function that checks it by assertions.
    """

    scenario: str
    promise: Callable[[str], None]

    def __call__(self) -> None:
        """Check the property on the scenario.

        Raises
        ------
        AssertionError
            If it does not hold; a note names the scenario and what was asked of it.
        """
        try:
            self.promise(self.scenario)
        except AssertionError as error:
            error.add_note(f"{self.scenario}: {str(self.promise.__doc__).partition(chr(10))[0]}")
            raise

    def __str__(self) -> str:
        return f"{self.promise.__name__}-{self.scenario}"


def contracts(system: str) -> tuple[Contract, ...]:
    """Return all contracts of a game system, one for each property and each of its bundled scenarios.

    Raises
    ------
    UsageError
        If there is no such system, its package is broken, or it bundles no scenario, so that nothing could be checked.
    """
    from tabletop.errors import UsageError

    found = find(system)
    names = [name for name, _ in scenarios(system)]
    if not names:
        message = (
            "the system {system} bundles no scenario, and the contracts are checked on its scenarios: "
            "add one to the folder scenarios of its package"
        )
        raise UsageError(message, system=repr(system))
    asked = [
        *_of(promises),
        *_of(laws),
        *(_of(invariances) if "hex" not in found.vocabulary.placements else ()),
    ]
    return tuple(Contract(name, promise) for name in names for promise in asked)


def _of(module: ModuleType) -> list[Callable[[str], None]]:
    """Return the contracts in a module: its public functions whose only parameter is `name`, that of a scenario."""
    own = [
        one
        for _, one in inspect.getmembers(module, inspect.isfunction)
        if one.__module__ == module.__name__
    ]
    return [
        one
        for one in own
        if not one.__name__.startswith("_") and list(inspect.signature(one).parameters) == ["name"]
    ]
