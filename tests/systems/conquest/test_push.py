"""The forced inch: who is pushed, where to, in which order, and what happens without room."""

import math
from typing import Any

import pytest

from tabletop.messages import names_in
from tests.systems.said import numbers
from tests.tables import Entry, box, case, charger, end, finding, kinds, resolve, rule_on, unit

LEAST: dict[str, Any] = {"wheel_policy": "least-turn"}
WEDGED: dict[str, Entry] = {
    "B": unit((21, 18), 270, 1),
    "L": unit((17, 18), 270),
    "R": unit((25, 18), 270),
}
"""B's front fills the two inches between L and R, all on one line."""
WALLS = (box((15, 17), (4, 14), name="west"), box((23, 25), (4, 14), name="east"))
"""They bar any wheel."""


def pushes(terrain: Any = (), **rest: Any) -> dict[str, tuple[float, float]]:
    """Return how far each regiment of the wedge is moved by A's charge."""
    question = case({**WEDGED, **rest.pop("units", {})}, terrain, **LEAST, **rest)
    after = resolve(question).after.units
    moved = {
        name: tuple(
            b - a
            for a, b in zip(question.state.units[name].pose.at, after[name].pose.at, strict=True)
        )
        for name in "LR"
    }
    return {name: (round(dx, 5), round(dy, 5)) for name, (dx, dy) in moved.items()}


def test_push() -> None:
    """Who stands beside the target is moved the shortest way to an inch from the charger."""
    ruling = rule_on(WEDGED, **LEAST)
    assert kinds(ruling) == ["advance", "push", "push"]
    assert pushes() == {"L": (0, 1), "R": (0, 1)}
    said = finding(ruling, "conquest.push")
    assert said.ok
    assert said.measured == pytest.approx(2.0, abs=1e-6)


def test_push_gap() -> None:
    """Who is pushed ends exactly an inch away."""
    question = case(WEDGED, **LEAST)
    units = resolve(question).after.units
    assert units["A"].boundary.core.distance(units["L"].boundary.core) == pytest.approx(
        1.0, abs=1e-6
    )


@pytest.mark.parametrize(
    ("overlap", "is_first"), [(-1e-5, True), (-1e-7, True), (0.0, True), (1e-5, False)]
)
def test_push_room(overlap: float, is_first: bool) -> None:
    """Behind L a rock: touched by the pushed regiment it leaves room, overlapped it does not, and L goes aside."""
    rock = box((14, 15), (21 - overlap, 22))
    assert pushes([rock])["L"] == ((0, 1) if is_first else (-4, 0))


def test_push_room_beside_others() -> None:
    """Another regiment behind takes the room too."""
    assert pushes(units={"Y": unit((15, 20.5), 90, 1, stands=1, side="blue", base="50.8x12.7mm")})[
        "L"
    ] == (-4, 0)


def test_push_room_on_the_board() -> None:
    """At the edge of the board L goes aside; R, in its turn, likewise."""
    assert pushes(board=(72, 20)) == {"L": (-4, 0), "R": (2, 0)}


HEMMED = [
    box((10, 13.9), (18, 20), name="one"),
    box((14, 16.9), (13, 15), name="two"),
    box((28.1, 30), (18, 20), name="three"),
]


def test_push_room_fails() -> None:
    """Where no way aside is free the charge fails for want of room."""
    ruling = rule_on(WEDGED, [*HEMMED, *WALLS], board=(72, 20), **LEAST)
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.push.room")
    assert not finding(ruling, "conquest.push.room").ok


@pytest.mark.parametrize(
    ("depth", "east", "named", "lacks", "pushed"),
    [
        (20.0, 13.9, "board", 1.0, 1.0),
        (20.4, 13.9, "board", 0.6, 1.0),
        (20.0, 10.3, "one", 0.3, 4.0),
    ],
)
def test_push_room_tells_what_lacks_least(
    depth: float, east: float, named: str, lacks: float, pushed: float
) -> None:
    """L ends 1 in behind A's front at y = 18, or from x = 10 to 16 beside it: beyond the edge, or in the rock up to
    `east`.
    """
    rocks = [box((10, east), (18, 20), name="one"), *HEMMED[1:]]
    found = finding(
        rule_on(WEDGED, [*rocks, *WALLS], board=(72, depth), **LEAST), "conquest.push.room"
    )
    assert (found.measured, found.limit, found.margin) == pytest.approx((-lacks, 0.0, -lacks))
    assert {"1", f"{pushed:.2f}", f"{lacks:.4f}"} <= set(numbers(found.text))
    assert names_in(found.text) >= {"L", "A"}
    assert named in found.text


def test_push_room_names_another_regiment() -> None:
    """A friend 0.25 in behind L leaves it least room; the next to be pushed does not count."""
    units = {**WEDGED, "Y": unit((17, 20.25), 270, side="blue")}
    found = finding(rule_on(units, [*HEMMED, *WALLS], **LEAST), "conquest.push.room")
    assert found.margin == pytest.approx(-0.75)
    assert "Y" in names_in(found.text)


def test_push_in_the_order_of_the_file() -> None:
    """Offenders still to be pushed are ignored: L may go where R stands, which then makes way."""
    west_south = HEMMED[:2]
    found = pushes(west_south, board=(72, 20))
    assert found == {"L": (10, 0), "R": (0, -5)}


@pytest.mark.parametrize(
    ("ahead", "outcome"), [(0.0, "success"), (0.005, "success"), (0.02, "failed")]
)
def test_push_only_who_is_met_with_the_target(ahead: float, outcome: str) -> None:
    """Who stands before the target's line by more than ten clearances is met first, and is in the way."""
    units = {
        "B": unit((21, 18), 270, 1),
        "L": unit((17, 18 - ahead), 270, 3),
        "R": unit((25, 18 - ahead), 270, 3),
    }
    ruling = rule_on(units, WALLS, **LEAST)
    assert ruling.outcome == outcome
    assert ruling.rule == (None if outcome == "success" else "conquest.path.enemy")


def test_push_never_a_garrison() -> None:
    """Buildings are not pushed: one beside the target's line is in the way."""
    huts = [
        box((14, 20), (18, 20), kind="garrison", name="one"),
        box((22, 28), (18, 20), kind="garrison", name="two"),
    ]
    ruling = rule_on({"B": WEDGED["B"]}, huts, **LEAST)
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.path.garrison")


def test_push_comes_last() -> None:
    """Past a corner by a wheel, rather than with a push straight ahead."""
    units = {"A": charger((21, 10)), "B": unit((20, 18), 270), "X": unit((26.5, 18), 270)}
    ruling = rule_on(units, dice=(4,), **LEAST)
    assert ruling.metrics["pushed"] == 0
    assert ruling.metrics["wheel_deg"] == pytest.approx(3.6715, abs=6e-5)


ONE_OR_MORE = {"A": charger(), "B": unit((21, 18), 270, 1), "L": unit((17, 18), 270)}
"""Straight ahead two stands reach B, and meet L with it; past L's corner only one reaches."""


@pytest.mark.parametrize(
    ("choice", "stands", "pushed"), [("last-resort", 1, 0), ("most-stands", 2, 1)]
)
def test_push_for_most_stands(choice: str, stands: int, pushed: int) -> None:
    """Whether a push may bring more stands than any wheel without one is a choice."""
    ruling = rule_on(ONE_OR_MORE, push=choice, **LEAST)
    assert (ruling.metrics["stands_reaching"], ruling.metrics["pushed"]) == (stands, pushed)


def test_push_turns_nobody() -> None:
    """A pushed regiment keeps its facing, and the charger stands where it would have anyway."""
    question = case(WEDGED, **LEAST)
    assert end(question).at == pytest.approx((20, 18), abs=1e-6)
    after = resolve(question).after.units
    assert [math.degrees(after[name].pose.heading) for name in "LR"] == pytest.approx([270, 270])


def test_push_leaves_who_is_passed() -> None:
    """An enemy that the turn sweeps over, and leaves more than an inch behind, is in the way, but not drawn nearer."""
    units = {
        "A": charger(stands=6),
        "B": unit((17 + 3 * math.cos(math.pi / 6), 19.5), 300),
        "X": unit((23.55, 15.7), 90, 1, base="7.62x7.62mm"),
    }
    question = case(units, [*WALLS, box((22.3, 22.45), (21.25, 21.4))], **LEAST)
    ruling = resolve(question).rulings[0]
    assert (ruling.outcome, kinds(ruling)[-1]) == ("success", "align")
    assert (ruling.metrics["pushed"], ruling.metrics["push_distance"]) == (1, 0)
    assert end(question, "X") == question.state.units["X"].pose
