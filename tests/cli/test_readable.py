"""Answers in words: what is said of places so that whoever reads it can put the models there."""

from typing import Any

import pytest

from tabletop.cli.report import judgement_text
from tabletop.geometry.pose import Pose
from tabletop.ruling.verdict import Judgement
from tabletop.scenario.reading import case_from_tables
from tabletop.table.models import Formation

ROUND = {"base": "32mm round"}
OVAL = {"base": "75x42mm oval"}


@pytest.mark.parametrize(
    ("body", "order", "headings", "words"),
    [
        (ROUND, (), (0.0, 1.0), "(10, 11), (12, 13)"),
        (ROUND, (0, 1), (0.0, 1.0), "(10, 11), (12, 13)"),
        (ROUND, (1, 0), (0.0, 1.0), "(10, 11), (12, 13), moved in the order 1, 0"),
        (OVAL, (0, 1), (0.5, 0.5), "(10, 11), (12, 13), facing 28.64789 degrees"),
        (OVAL, (1, 0), (0.0, 1.0), "(10, 11), (12, 13), facing 0, 57.29578 degrees, moved in the order 1, 0"),
    ],
)
def test_places_of_loose_models_are_told_whole(
    body: dict[str, Any], order: tuple[int, ...], headings: tuple[float, float], words: str
) -> None:
    """The right places alone may be those that were proposed: facings of what is not round and the order of moving make the difference."""
    units = {"A": {"side": "blue", "at": [[5, 5], [8.5, 5]], **body}, "T": {"side": "red", "at": [[20, 20]], **ROUND}}
    case = case_from_tables({"system": "wh40k", "board": {"width": 60, "depth": 44}, "units": units, "charges": []})
    poses = tuple(Pose(x, x + 1.0, heading) for x, heading in zip((10.0, 12.0), headings, strict=True))
    better = {"A": Formation(poses, (0.0, 0.0), order or None)}
    told = judgement_text(Judgement("not_allowed", "wh40k.move.contact", (), "", better=better), case)
    assert told.splitlines()[-1] == f"    A at {words}"
