"""Several charges in one file: the order of declarations, rolls and moves, and what they leave behind."""

import pytest

from tabletop.errors import ScenarioError
from tabletop.table.state import State
from tests.scenes import (
    case,
    charge,
    charger,
    finding,
    has_finding,
    regiment,
    resolve,
    table,
    target,
)


def two_duels() -> State:
    """Set up A against T and B against S, far enough apart."""
    other = regiment("B", (450, 150), side="blue", heading=270)
    return table(target(), charger((50, 150)), other, regiment("S", (450, 0)))


def test_phase_order() -> None:
    """Declarations come first, then each charger rolls and moves in turn; rulings stand in file order."""
    resolution = resolve(
        case(two_duels(), charge("B", "S", dice=(1,)), charge("A", "T", dice=(6,)))
    )
    assert [ruling.charge.charger for ruling in resolution.rulings] == ["B", "A"]
    assert [ruling.outcome for ruling in resolution.rulings] == ["success", "success"]
    assert all(has_finding(ruling, "t9a.phase.order") for ruling in resolution.rulings)
    assert all(ruling.steps[0].kind == "declare" for ruling in resolution.rulings)


def test_phase_order_lets_earlier_moves_bar_later_ones() -> None:
    """Who moves first may take the room of who moves second, not the other way round."""
    friend = regiment("F", (50, 150), side="blue", heading=270, files=40, models=40, height=0)
    state = table(target(), charger((50, 250)), friend, regiment("S", (180, 60)))
    assert [
        ruling.outcome for ruling in resolve(case(state, charge("F", "S"), charge())).rulings
    ] == ["success", "failed"]


def test_phase_flat_dice_are_dealt_to_those_who_roll() -> None:
    """A flat list is dealt in file order to the charges that may be declared."""
    state = two_duels().with_unit(charger((50, 150), status=["shaken"]))
    resolution = resolve(
        case(state, charge("A", "T", dice=None), charge("B", "S", dice=None)), dice=(5,)
    )
    assert [ruling.outcome for ruling in resolution.rulings] == ["not_allowed", "success"]
    assert resolution.rulings[1].metrics["charge_range"] == 14


@pytest.mark.parametrize("dice", [(), (5,), (5, 5, 5)])
def test_phase_flat_dice_come_out_even(dice: tuple[int, ...]) -> None:
    """Too few or too many faces in a flat list are an error."""
    with pytest.raises(ScenarioError, match=rf"--dice: .*\b2 .* {len(dice)}$"):
        resolve(
            case(two_duels(), charge("A", "T", dice=None), charge("B", "S", dice=None)), dice=dice
        )


def test_phase_refused_entries_ignore_their_dice() -> None:
    """An entry that may not be declared may give any faces."""
    state = two_duels().with_unit(charger((50, 150), status=["shaken"]))
    assert (
        resolve(case(state, charge("A", "T", dice=(1, 2, 3)), charge("B", "S"))).rulings[0].outcome
        == "not_allowed"
    )


def test_phase_dice_from_the_seed_repeat() -> None:
    """Without faces the seed throws them, the same each time."""
    asked = case(two_duels(), charge("A", "T", dice=None), charge("B", "S", dice=None))
    assert resolve(asked) == resolve(asked)


def test_phase_status_afterwards() -> None:
    """Completed charges engage both units; `charging` is taken away."""
    after = resolve(case(two_duels(), charge("A", "T"), charge("B", "S"))).after.units
    assert {name: unit.status for name, unit in after.items()} == dict.fromkeys(
        "TABS", ("engaged",)
    )


def test_phase_status_of_a_refused_unit_stays() -> None:
    """A refusal changes nothing, not even a status."""
    state = table(target(), charger((50, 150), status=["charging"]))
    assert resolve(case(state)).after == state


def test_phase_second_charger_refused_is_no_combined_charge() -> None:
    """If only one of two may declare, its charge is an ordinary one."""
    second = regiment("B", (250, 150), side="blue", heading=225, status=["shaken"])
    rulings = resolve(
        case(table(target(), charger((50, 150)), second), charge("A", "T"), charge("B", "T"))
    ).rulings
    assert [ruling.outcome for ruling in rulings] == ["success", "not_allowed"]
    assert finding(rulings[0], "t9a.range").ok
