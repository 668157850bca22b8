"""The metrics of a completed charge, and the counts of stands in contact."""

from typing import Any

import pytest

from tabletop.api import resolve
from tabletop.scenario.reading import case_from_tables
from tests.tables import box, charger, metric_keys, rule_on, unit

LEAST: dict[str, Any] = {"wheel_policy": "least-turn"}
WALLS = (box((15, 17), (4, 14), name="west"), box((23, 25), (4, 14), name="east"))
"""They bar any wheel."""
COMPLETED = {
    "distance",
    "roll",
    "charge_distance",
    "roll_needed",
    "chance_roll",
    "chance_roll_fraction",
    "area_front",
    "area_right",
    "area_rear",
    "area_left",
    "charged_facing",
    "charged_normal_deg",
    "stands_reaching",
    "wheel_deg",
    "advance",
    "align_deg",
    "contact_length",
    "charger_stands_in_contact",
    "target_stands_in_contact",
    "pushed",
    "broken",
    "inspired",
    "inspire_wasted",
}


def test_metrics_of_a_completed_charge() -> None:
    """Every metric that applies is there, and no other."""
    assert metric_keys(rule_on({"B": unit((20, 18), 270)})) - {"push_distance"} == COMPLETED


def test_metrics_with_others_around() -> None:
    """The nearest other is told where there is one; friends are not others."""
    ruling = rule_on(
        {"B": unit((20, 18), 270), "X": unit((30, 18), 270), "F": unit((30, 10), 90, side="blue")},
        **LEAST,
    )
    assert ruling.metrics["nearest_other"] == pytest.approx(4.0, abs=1e-6)


@pytest.mark.parametrize(
    ("x", "choice", "counts"),
    [
        (20.0, "counts", (3, 3)),
        (22.0, "counts", (3, 3)),
        (22.0, "ignored", (2, 2)),
        (22.5, "counts", (2, 2)),
        (24.0, "counts", (2, 2)),
        (24.0, "ignored", (1, 1)),
    ],
)
def test_corner_contact(x: float, choice: str, counts: tuple[int, int]) -> None:
    """Whether stands that touch at one point only are in contact is a choice."""
    ruling = rule_on({"B": unit((x, 18), 270)}, WALLS, corner_contact=choice, **LEAST)
    assert (
        ruling.metrics["charger_stands_in_contact"],
        ruling.metrics["target_stands_in_contact"],
    ) == counts


def test_target_stands_on_a_flank() -> None:
    """Along a flank the target's ranks are counted."""
    ruling = rule_on({"B": unit((23, 21), 0, 3, stands=6)}, **LEAST)
    assert ruling.metrics["charged_facing"] == "right"
    assert ruling.metrics["target_stands_in_contact"] == 2
    assert ruling.metrics["contact_length"] == pytest.approx(4.0, abs=1e-6)


def test_target_stands_behind_an_incomplete_rank() -> None:
    """The rear of an incomplete block is cut into files all the same: the full rectangle counts."""
    ruling = rule_on({"B": unit((20, 22), 90, 3, stands=4)}, **LEAST)
    assert ruling.metrics["charged_facing"] == "rear"
    assert (ruling.metrics["target_stands_in_contact"], ruling.metrics["advance"]) == (
        3,
        pytest.approx(8.0, abs=1e-6),
    )


def test_only_front_rank_stands_count() -> None:
    """A deep charger brings its front rank."""
    ruling = rule_on({"A": charger(stands=6), "B": unit((20, 18), 270, 5)}, **LEAST)
    assert (ruling.metrics["charger_stands_in_contact"], ruling.metrics["stands_reaching"]) == (
        3,
        3,
    )


def test_a_contact_is_told_without_a_sign() -> None:
    """A charger that ends against a piece of terrain is 0 in from it, whatever side of that the last digit falls on."""
    regiment = {"files": 3, "stands": 6, "base": "62x62mm", "profile": {"march": 6, "size": 1}}
    tables = {
        "system": "conquest",
        "board": {"width": 80, "depth": 80},
        "terrain": [
            {
                "kind": "impassable",
                "rectangle": {"centre": [35.0, 35.0], "width": 1.5, "depth": 1, "angle_deg": 30.0},
            }
        ],
        "units": {
            "A": {**regiment, "side": "blue", "at": [40.0, 31.0], "facing_deg": 90.0},
            "B": {**regiment, "side": "red", "at": [38.0, 39.0], "facing_deg": 240.0},
        },
        "charges": [{"charger": "A", "targets": ["B"], "dice": [3]}],
    }
    (ruling,) = resolve(case_from_tables(tables)).rulings
    told = next(finding for finding in ruling.findings if finding.rule == "conquest.near.inch")
    assert " 0.0000 in" in told.text
    assert "impassable 1" in told.text
    assert told.measured is not None
    assert told.measured < 0.0, "the table is such that the last digit falls on the wrong side"
