"""What a file must not say: each refusal names the key, the value and the remedy."""

from typing import Any

import pytest

from tabletop.asking import judge, resolve
from tabletop.errors import ScenarioError
from tabletop.scenario.reading import case_from_tables
from tests.systems.wh40k.tables import piece, table, unit

T6 = {"T": unit([(6, 0)])}
ONE = unit([(0, 0)])


def refused(tables: dict[str, Any]) -> str:
    """Give what is told of a file that is refused, on reading, resolving or judging."""
    with pytest.raises(ScenarioError) as error:
        _judged(tables)
    return str(error.value)


def _judged(tables: dict[str, Any]) -> None:
    case = case_from_tables(tables)
    judge(case, resolve(case))


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        (table(unit([(0, 0)], keywords=["infantrie"]), T6), "units.A.profile.keywords[0]: expected 'infantry', 'beasts'"),
        (table(unit([(0, 0)], status=["advancd"]), T6), "did you mean 'advanced'?"),
        (table(ONE, T6, terrain=(piece("wal", 10, 10, 11, 11, height=3),)), "did you mean 'wall'?"),
        (table(ONE, T6, rules={"suport": "full"}), "did you mean 'support'?"),
        (table(ONE, T6, overwatch={"before": [1]}), "charges[0].overwatch.before: no model has the number '1'"),
        (table(ONE, T6, overwatch={"before": [0], "after": [0]}), "charges[0].overwatch: model 0 is lost more than once"),
        (table(ONE, T6, overwatch={"before": [0, 0]}), "lost more than once"),
        (table(ONE, T6, targets=()), "charges[0].targets: expected at least 1 entry"),
        (table(ONE, T6, targets=("T", "T")), "charges[0].targets[1]: 'T' is named twice"),
        (table(ONE, {**T6, "B": unit([(0, 5)], side="blue")}, targets=("B",)), "'B' is on the charger's own side"),
        (table({**ONE, "hull": [[1, 0], [0, 1], [0, 0]]}, T6), "both are given"),
        (table(unit([(0, 0), (0.5, 0)]), T6), "models may touch, not overlap"),
        (table(unit([(-19.8, 0)]), T6), "expected the whole base on the board"),
        (table(ONE, T6, terrain=(piece("block", -1, -1, 1, 1, height=3),)), "inside 'Block' (block)"),
        (table(ONE, T6, terrain=(piece("impassable", -1, -1, 1, 1),)), "inside 'Impassable' (impassable)"),
        (table(unit([(0, 0, 2.5)]), T6), "nothing holds it at z = 2.5; heights there: 0"),
        (table(unit([(0, 0, 2.5)]), T6, terrain=(piece("floor", -3, -3, 3, 3, height=4),)), "heights there: 0, 4"),
        (table(ONE, T6, dice=[3]), "charges[0].dice: 2 faces are rolled, 1 given: [3]"),
        (table(ONE, T6, dice=[3, 3, 3]), "charges[0].dice: 2 faces are rolled, 3 given"),
        (table(ONE, T6, dice=[3, 7]), "charges[0].dice[1]"),
        (table(ONE, T6, dice=[1, 1], reroll="always"), 'charges[0].dice: 4 faces are rolled with reroll = "always", 2 given'),
        (table(ONE, T6, proposal={"at": [[25, 20], [30, 20]]}), "expected 1 place, one per model alive"),
        (table(ONE, T6, proposal={"at": [[24, 20]], "order": [1]}), "expected each of the living models' numbers once (0)"),
        (table(unit([(0, 0)], movement=-1), T6), "expected inches from 0 to 40"),
        (table(ONE, T6, terrain=(piece("wall", 10, 10, 11, 11),)), "terrain[0].height: is missing"),
        (table(unit([(x * 1.1, y * 1.1) for x in range(11) for y in range(10)]), {"T": unit([(14, 0)])}), "has 110"),
    ],
)
def test_refusals(tables: dict[str, Any], message: str) -> None:
    """Each mistake is told where it is, and nothing is resolved."""
    assert message in refused(tables)


@pytest.mark.parametrize("dice", [[1, 1, 2], [1]])
def test_reroll_needs_its_faces(dice: list[int]) -> None:
    """A re-roll that may be needed takes two more faces or none."""
    assert "face" in refused(table(ONE, T6, dice=dice, reroll="if_failed"))


def test_impassable_and_areas_need_no_height() -> None:
    """Kinds without a top may leave their height out."""
    case_from_tables(table(ONE, T6, terrain=(piece("impassable", 10, 10, 11, 11), piece("area", -3, -3, 3, 3))))
