"""Ends spoilt on purpose, one unit put into another hex or turned: the judge must refuse what the second implementation
rules out.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tabletop.api import judge, resolve
from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution
from tabletop.scenario import case_from_text
from tabletop.table.hexes import HexBoard, heading
from tests.oracles.battletech.board import Hex, Tables, read_hex, step
from tests.oracles.battletech.referee import Answer, compare

Place = tuple[Hex, int]
"""A hex and a facing."""


@dataclass(frozen=True)
class Report:
    """How many spoilt ends were judged, and which ends were judged wrongly."""

    spoilt: int
    complaints: tuple[str, ...]


def misjudged(tables: Tables, seed: int) -> Report:
    """Move each unit elsewhere; return which wrong ends are accepted, and which ends as good as the ruling's are
    refused.
    """
    expected, differences = compare(tables, seed)
    if differences:
        return Report(0, ())
    charge = {**tables["charges"][0], "dice": list(expected.faces)}
    case = case_from_text(json.dumps({**tables, "charges": [charge]}))
    resolution = resolve(case)
    right = dict(rights(expected, charge["charger"]))
    wrong = [
        (name, place)
        for name in right
        for place in _around(case, right[name])
        if place not in right[name]
    ]
    complaints = [
        *(
            f"{name} at {place} is accepted"
            for name, place in wrong
            if _is_accepted(case, resolution, {name: place})
        ),
        *(
            f"{name} at {place} is refused"
            for name, places in right.items()
            for place in places
            if not _is_accepted(case, resolution, {name: place})
        ),
    ]
    return Report(len(wrong), tuple(complaints))


def rights(expected: Answer, charger: str) -> Iterator[tuple[str, tuple[Place, ...]]]:
    """Yield where each unit may end: in one place, or after a miss in any hex that was open to the charger."""
    missed = tuple(read_hex(text) for text in expected.metrics.get("miss_options", ()))
    for name, (text, facing, _) in expected.after.items():
        here = read_hex(text)
        yield (
            name,
            tuple(
                (place, facing)
                for place in (missed if name == charger and here in missed else (here,))
            ),
        )


def _around(case: Case, places: tuple[Place, ...]) -> Iterator[Place]:
    """Yield the hexes about a unit's ends, each as it faces there, and the ends with every facing."""
    board = case.state.board
    assert isinstance(board, HexBoard)
    for place, facing in places:
        yield from (
            (end, facing) for direction in range(6) if board.holds(end := step(place, direction))
        )
        yield from ((place, other) for other in range(6))


def _is_accepted(case: Case, resolution: Resolution, claimed: Mapping[str, Place]) -> bool:
    board = case.state.board
    assert isinstance(board, HexBoard)
    proposal = {
        name: Pose(*board.centre(place), heading(facing))
        for name, (place, facing) in claimed.items()
    }
    judged = judge(replace(case, proposal=proposal), resolution)
    assert (judged.rule is None) is (judged.outcome == "success")
    return judged.outcome == "success"
