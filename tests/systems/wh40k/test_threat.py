"""Chances on open ground at many places at once are those that `resolve` gives place by place."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop.exploring.explore import explore
from tabletop.exploring.questions import Question, asked
from tabletop.exploring.running import Execution
from tabletop.exploring.threats import threat_map
from tabletop.exploring.varied import VariedScenario
from tabletop.scenario.reading import case_from_tables

BLOCK = [[8.0, 8.0], [9.5, 8.0], [11.0, 8.0], [8.0, 9.5], [9.5, 9.5]]


def table(charger: dict[str, Any] | None = None, **rest: Any) -> dict[str, Any]:
    """Write a table of a few models and one model they charge."""
    units = {
        "A": {"side": "blue", "at": BLOCK, "base": "32mm round", **(charger or {})},
        "T": {"side": "red", "at": [[20.0, 16.0]], "base": "60mm round"},
    }
    return {
        "system": "wh40k",
        "board": {"width": 30.0, "depth": 24.0},
        "units": units,
        "charges": [{"charger": "A", "targets": ["T"]}],
        **rest,
    }


@pytest.mark.parametrize(
    "tables",
    [
        pytest.param(table(), id="five"),
        pytest.param(
            table({"at": BLOCK[:1], "profile": {"charge_bonus": 2}}), id="one, with a bonus"
        ),
        pytest.param(
            table(charges=[{"charger": "A", "targets": ["T"], "reroll": "if_failed"}]),
            id="rolling again",
            marks=pytest.mark.oracle,
        ),
        pytest.param(table({"status": ["advanced"]}), id="advanced"),
    ],
)
def test_a_map_is_what_resolving_gives(tmp_path: Path, tables: dict[str, Any]) -> None:
    """Every place has the same chance and shortest roll."""
    file = tmp_path / "open.json"
    file.write_text(json.dumps(tables), encoding="utf-8")
    fast, full = (
        explore(file, question=Question("threat", step=6.0), workers=1, full=full)
        for full in (False, True)
    )
    for column in ("chance", "shortest_roll"):
        np.testing.assert_array_equal(fast.column(column), full.column(column), err_msg=column)


def test_most_places_are_decided_at_once() -> None:
    """On open ground hardly any place is left to be resolved."""
    base, grid = asked(Question("threat", step=0.5), VariedScenario(table(), ()))
    case = case_from_tables(base.tables)
    poses = np.array([(*grid[number], 0.0) for number in range(len(grid))])
    assert case.system.chances(case, poses).is_decided.mean() > 0.9  # type: ignore[attr-defined]


def test_elsewhere_nothing_is_decided_at_once() -> None:
    """With terrain about, every place is left to be resolved."""
    wall = {"name": "w", "kind": "impassable", "circle": {"centre": [26.0, 4.0], "radius": 1.0}}
    case = case_from_tables(table(terrain=[wall]))
    assert not case.system.chances(case, np.array([[15.0, 12.0, 0.0]])).is_decided.any()  # type: ignore[attr-defined]
    base, grid = asked(Question("threat", step=12.0), VariedScenario(table(terrain=[wall]), ()))
    assert threat_map(base, grid, Execution(1)) is not None
