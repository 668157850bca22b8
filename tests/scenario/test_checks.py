"""What set-ups must keep, of units of every kind."""

from tabletop.kit import (
    HexBoard,
    HexUnit,
    Model,
    Pose,
    RoundBase,
    Squad,
    State,
    Table,
    Terrain,
    off_board,
    overlaps,
    rectangle,
)
from tabletop.table.state import Board
from tests.messages import untold


def _squad(name: str, *at: tuple[float, float]) -> Squad:
    return Squad(
        name,
        "red",
        tuple(Model(number, Pose(*point, 0.0), RoundBase(1.0)) for number, point in enumerate(at)),
    )


def test_loose_models_overlap_each_other_and_terrain() -> None:
    """Models of two units, of one, and a model and solid terrain may touch, not overlap; the depth is told."""
    units = {
        "A": _squad("A", (5, 5), (5, 5.9)),
        "B": _squad("B", (5.75, 5), (8, 8)),
        "C": _squad("C", (9, 8), (2, 2)),
    }
    terrain = tuple(
        Terrain(kind, kind, rectangle(Pose(2, 2.6, 0.0), 1, 1)) for kind in ("rock", "wood")
    )
    told = [
        (fault.between, fault.message)
        for fault in overlaps(State(Board(12, 12), units, terrain), ("rock",))
    ]
    assert [between for between, _ in told] == [("A", "A"), ("A", "B"), ("C", "rock")]
    for (_, message), parts in zip(
        told, ("models .. 'A' .. 0.1", "'A' .. 'B' .. 0.25", "'C' .. 'rock' .. 0.4"), strict=True
    ):
        assert untold(message, f"{parts} .. overlap") == [], message


def test_loose_models_stay_on_the_board() -> None:
    """Of a unit the model that reaches farthest beyond is told."""
    (fault,) = off_board(
        State(Board(12, 12), {"A": _squad("A", (0.4, 5), (0.2, 5)), "B": _squad("B", (0.5, 8))})
    )
    assert untold(fault.message, "12 x 12 in .. 0.3 in") == [], fault.message


def test_units_in_hexes_have_no_bodies() -> None:
    """They reach over no edge and overlap nobody, wherever they stand."""
    board = HexBoard.of(3, 3)
    table: Table = State(board, {name: HexUnit(name, "red", Pose(0, 0, 0.0)) for name in "AB"})
    assert [*off_board(table), *overlaps(table, ())] == []


def test_slips_of_sizes_have_a_remedy() -> None:
    """Overlaps as small as hands are off are told of `accuracy`, places a board's width beyond it of millimetres;
    others are not.
    """
    board = Board(60, 44)
    for depth, accuracy in ((0.04, True), (0.2, False)):
        (fault,) = overlaps(
            State(board, {"A": _squad("A", (5, 5)), "B": _squad("B", (6 - depth, 5))}), ()
        )
        assert ("accuracy = 0.1" in fault.message) == accuracy
    for place, asked in ((500.0, True), (61.0, False)):
        (fault,) = off_board(State(board, {"A": _squad("A", (place, 5))}))
        assert ("millimetres" in fault.message) == asked
