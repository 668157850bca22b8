"""Several charges: what they need not remember of each other changes no chance."""

import random
from typing import Any

import pytest

from systems.battletech import odds as battletech_odds
from systems.battletech import resolve as battletech_resolve
from systems.battletech.play import unit_key
from tabletop.api import odds
from tabletop.errors import NoVerdictError
from tabletop.ruling.odds import ChargeOdds
from tabletop.ruling.system import Case
from tabletop.table.hexes import HEX_FACINGS, neighbour, number
from tests.systems.battletech.tables import Entry, charge, charger, table, terrain, unit

HEXES = [(column, row) for column in range(4, 8) for row in range(4, 9)]
SMALL = (7, 13, 14, 15, 18, 19, 20, 23, 28, 29)
"""Tables on which remembering everything takes no long time."""


def crowd(seed: int) -> Case:
    """Put two or three charges, often with a skid, and perhaps a bystander, where they can hardly miss each other."""
    dice = random.Random(seed)  # noqa: S311 - scenes, not secrets
    units: dict[str, Entry] = {}
    asked: list[Entry] = []
    free = set(HEXES)
    for who, whom in (("A", "B"), ("C", "D"), ("E", "F"))[: dice.choice((2, 2, 2, 3))]:
        fits = [
            (place, facing)
            for place in sorted(free)
            for facing in range(6)
            if neighbour(place, facing) in free
        ]
        if not fits:
            break
        place, facing = dice.choice(fits)
        before = neighbour(place, facing)
        free -= {place, before}
        units[who] = charger(
            number(place),
            HEX_FACINGS[facing],
            tons=dice.choice((20, 50, 80)),
            piloting=dice.randint(3, 6),
            walk=5,
        )
        units[whom] = unit(
            number(before), dice.choice(HEX_FACINGS), tons=dice.choice((20, 50, 80)), walk=5
        )
        phase = {
            "charger_psr": dice.choice(("none", "failed", "failed", "roll")),
            "target_psr": dice.choice(("none", "none", "roll")),
        }
        asked.append(charge(dice.randint(1, 8), who=who, whom=whom, weapon_phase=phase))
    if dice.random() < 0.4:
        units["X"] = unit(number(dice.choice(sorted(free))), dice.choice(HEX_FACINGS), tons=50)
    dice.shuffle(asked)
    paved = [number(place) for place in HEXES if dice.random() < 0.6]
    rules = {
        "skid_damage": dice.choice(("per_hex", "per_hex_and_fall")),
        "miss_into_occupied": dice.choice(("not_allowed", "domino")),
    }
    return table(units, *asked, ground=[terrain("pavement", *paved)] if paved else [], rules=rules)


def told(case: Case) -> list[tuple[Any, ...]]:
    """Return all chances of all charges."""

    def of(one: ChargeOdds) -> tuple[Any, ...]:
        return one.outcomes, one.rules, one.by_total, one.metrics

    found = odds(case)
    return [*map(of, found.charges), tuple(found.joint.items())]


def remembering_all(case: Case, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Return the same with every unit remembered as it lies; too many ways are given up soon."""
    with monkeypatch.context() as patch:
        patch.setattr(
            battletech_resolve, "asked_by", lambda _charges, before, **_: frozenset(before.units)
        )
        patch.setattr(
            battletech_resolve,
            "seen_by",
            lambda charges, before: (bool(charges), *map(unit_key, before.units.values())),
        )
        patch.setattr(battletech_resolve.Phase, "most_worlds", 1000)
        patch.setattr(battletech_odds, "MOST_WAYS", 400)
        return told(case)


def hold(seed: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Compare the two; tell whether there was anything to compare."""
    case = crowd(seed)
    try:
        expected = remembering_all(case, monkeypatch)
    except NoVerdictError:
        return False
    assert told(case) == expected, seed
    return True


def test_what_is_forgotten_changes_no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """All chances of crowded tables are those of remembering everything."""
    assert all(hold(seed, monkeypatch) for seed in SMALL)


def test_too_many_tables_name_the_charge(monkeypatch: pytest.MonkeyPatch) -> None:
    """The charge that finds too many tables is named with their count."""
    monkeypatch.setattr(battletech_resolve.Phase, "most_worlds", 1)
    with pytest.raises(NoVerdictError, match=r"charges\[1\] \(.* \d+ .* 1\b"):
        odds(crowd(SMALL[0]))


def test_too_many_ways_name_the_charge(monkeypatch: pytest.MonkeyPatch) -> None:
    """A charge that goes too many ways by itself is named with their count."""
    monkeypatch.setattr(battletech_odds, "MOST_WAYS", 1)
    with pytest.raises(NoVerdictError, match=r"charges\[\d\] \(.\) .*\b2 .* 1\b"):
        odds(crowd(SMALL[0]))


@pytest.mark.oracle
@pytest.mark.parametrize("first", range(1000, 1400, 50))
def test_what_is_forgotten_changes_no_chance_of_many(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four hundred more."""
    assert sum(hold(seed, monkeypatch) for seed in range(first, first + 50)) >= 10
