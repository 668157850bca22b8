"""What charges leave of the ground: buildings with the construction factor that is left, everything else as it was."""

from tabletop.ruling.verdict import Resolution
from tests.systems.battletech.tables import charge, charger, resolve, table, terrain, unit

PIECES = (
    terrain("building", "0506", "0406", cf=40),
    terrain("building", "0101", cf=15),
    terrain("water", "0303", depth=1),
)


def hit() -> Resolution:
    """Let A hit B, who stands in a hex of a building."""
    units = {"A": charger("0507", tons=50, piloting=4), "B": unit("0506", "S", tons=50)}
    case = table(units, charge(3), ground=PIECES)
    return next(
        found
        for seed in range(99)
        if (found := resolve(case, seed=seed)).rulings[-1].outcome == "success"
    )


def test_a_building_that_was_hit_is_parted_from_what_was_not() -> None:
    """Hex by hex: the one hit has what the ruling says is left of it, the others what they had; it was hit at all."""
    found = hit()
    left = {
        place: piece.data.cf
        for piece in found.after.hex_terrain
        if piece.kind == "building"
        for place in piece.hexes
    }
    assert left == {(5, 6): found.rulings[-1].metrics["building_cf"], (4, 6): 40, (1, 1): 15}
    assert left[5, 6] < 40


def test_other_terrain_stays_as_it_was() -> None:
    """Water is water, and a building that nobody hit is the same piece."""
    found = hit()
    before, after = (
        {piece.name: piece for piece in state.hex_terrain} for state in (found.before, found.after)
    )
    assert all(after[name] == before[name] for name in ("water 0303", "building 0101"))
    assert {piece.name for piece in found.after.hex_terrain} >= {
        "building 0506",
        "building 0506 0506",
    }


def test_a_building_that_is_worn_down_is_gone() -> None:
    """One of a single point does not outlast a charge on who stands in it: there is no building left, nor a hex of
    one.
    """
    units = {"A": charger("0507", tons=50, piloting=4), "B": unit("0506", "S", tons=50)}
    case = table(units, charge(3), ground=[terrain("building", "0506", "0406", cf=1)])
    found = next(
        found
        for seed in range(99)
        if (found := resolve(case, seed=seed)).rulings[-1].outcome == "success"
    )
    assert {place for piece in found.after.hex_terrain for place in piece.hexes} == {(4, 6)}
