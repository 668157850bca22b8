"""What a scenario must keep beyond the kinds of its values: names that exist, names used once, sizes within the limits."""

from collections.abc import Iterable, Iterator

from tabletop.errors import Problem
from tabletop.ruling import System
from tabletop.scenario.document import Scenario
from tabletop.scenario.limits import MODELS, MODELS_IN_CHARGE
from tabletop.words import key_path, listed, nearest, shown


def problems_of(scenario: Scenario, system: System) -> list[Problem]:
    """List everything wrong with a scenario's names and sizes, in the order of the file."""
    return [*_repeated(scenario), *_sizes(scenario), *_strangers(scenario), *_expected(scenario, system)]


def known_charges(scenario: Scenario) -> tuple[int, ...]:
    """Give the numbers of the charges whose charger and targets are all in the file."""
    return tuple(number for number, entry in enumerate(scenario.charges) if {entry.charger, *entry.targets} <= set(scenario.units))


def _repeated(scenario: Scenario) -> Iterator[Problem]:
    seen = set(scenario.units)
    for number, piece in enumerate(scenario.terrain):
        if piece.name in seen:
            yield Problem(f"terrain[{number}].name", f"{shown(piece.name)} is already the name of a unit or piece of terrain")
        seen.add(piece.name)


def _sizes(scenario: Scenario) -> Iterator[Problem]:
    models = sum(unit.models for unit in scenario.units.values())
    if models > MODELS:
        yield Problem("units", f"expected at most {MODELS} models in one file, given {models}")
    for number, charge in enumerate(scenario.charges):
        unit = scenario.units.get(charge.charger)
        if unit is not None and unit.models > MODELS_IN_CHARGE:
            message = f"expected at most {MODELS_IN_CHARGE} models in one charge; {shown(charge.charger)} has {unit.models}"
            yield Problem(f"charges[{number}].charger", message)


def _strangers(scenario: Scenario) -> Iterator[Problem]:
    for number, charge in enumerate(scenario.charges):
        named = [("charger", charge.charger), *((f"targets[{index}]", name) for index, name in enumerate(charge.targets))]
        yield from (_unknown(f"charges[{number}].{key}", name, scenario.units) for key, name in named if name not in scenario.units)
    for name in scenario.proposal.units if scenario.proposal else ():
        if name not in scenario.units:
            yield _unknown(key_path(["proposal", "units", name]), name, scenario.units)
    for number, expect in enumerate(scenario.expect):
        strangers = [name for name in expect.units if name not in scenario.units]
        yield from (_unknown(key_path(["expect", number, "units", name]), name, scenario.units) for name in strangers)


def _unknown(key: str, name: str, units: Iterable[str]) -> Problem:
    known = tuple(units)
    return Problem(key, f"no unit is called {shown(name)}{nearest(name, known)} (units: {listed(known) or 'none'})")


def _expected(scenario: Scenario, system: System) -> Iterator[Problem]:
    rules = [rule.name for rule in system.rules]
    for number, expect in enumerate(scenario.expect):
        named = [("rule", expect.rule), ("judged.rule", expect.judged.rule if expect.judged else None)]
        for key, rule in named:
            if rule is not None and rule not in rules:
                yield Problem(f"expect[{number}].{key}", f"no rule of {system.name} is called {shown(rule)}{nearest(rule, rules)}")
        if expect.judged and (number + 1 < len(scenario.expect) or scenario.proposal is None):
            yield Problem(f"expect[{number}].judged", "belongs in the last [[expect]] of a file with a [proposal]")
