"""Who is pushed where: advance, what blocks, dominoes, drops; and where a missed charger goes."""

from typing import Any

import pytest

from tabletop.messages import Message, names_in
from tests.systems.battletech.tables import (
    Entry,
    after,
    charge,
    charger,
    finding,
    findings,
    ruling,
    shown,
    table,
    terrain,
    unit,
)

A = charger("0507", tons=10)
B = unit("0506", "S", tons=10)
TANK: Entry = {"type": "vehicle", "tons": 10}
HIT = [6, 6, 3, 4, 3, 4]
"""A hit and its two locations, if both weigh 10 tons and five hexes were entered."""
FIRM = [6, 6, 6, 6]


def pushed(
    *ground: Entry,
    dice: list[int] | None = None,
    rules: Entry | None = None,
    keys: Entry | None = None,
    **units: Entry,
) -> Any:
    """Let A hit B; faces after those of the hit."""
    asked = charge(5, dice=[*HIT, *(FIRM if dice is None else dice)], **(keys or {}))
    return table({"A": A, "B": B, **units}, asked, ground=ground, rules=rules)


@pytest.mark.parametrize(
    ("start", "facing", "target", "end"),
    [
        ("0507", "N", "0506", "0505"),
        ("0507", "NE", "0606", "0706"),
        ("0507", "SE", "0607", "0708"),
        ("0507", "S", "0508", "0509"),
        ("0507", "SW", "0407", "0308"),
        ("0507", "NW", "0406", "0306"),
        ("0607", "NE", "0707", "0806"),
        ("0607", "SW", "0508", "0408"),
    ],
)
def test_displace_push(start: str, facing: str, target: str, end: str) -> None:
    """battletech.displace.push: one hex on along the charger's facing, in all six directions."""
    case = pushed(A=charger(start, facing, tons=10), B=unit(target, facing, tons=10))
    assert after(case) == {"A": (target, facing, []), "B": (end, facing, [])}
    assert finding(ruling(case), "battletech.displace.push").ok


def test_displace_advance() -> None:
    """battletech.displace.advance: the charger follows into the hex of the target."""
    case = pushed()
    assert after(case)["A"] == ("0506", "N", [])
    assert ruling(case).metrics["displacement"] == "moved"
    assert finding(ruling(case), "battletech.displace.advance").ok


@pytest.mark.parametrize(
    ("ground", "units", "reason", "who"),
    [
        ([terrain("prohibited", "0505")], {}, "prohibited", "B"),
        ([terrain("prohibited", "0505", **{"for": ["vehicle"]})], {}, None, None),
        ([terrain("level", "0505", level=3)], {}, "too_high", "B"),
        ([terrain("level", "0505", level=-9)], {}, None, None),
        (
            [terrain("water", "0506", depth=2), terrain("level", "0505", level=1)],
            {},
            "too_high",
            "B",
        ),
        ([], {"B": unit("0506", "S", tons=10, type="dropship")}, "not_displaceable", "B"),
        ([], {"C": unit("0505", tons=None, type="infantry")}, None, None),
        (
            [],
            {
                "C": unit("0505", tons=10),
                "D": unit("0504", tons=10, type="dropship"),
                "E": unit("0504", **TANK),
            },
            "not_displaceable",
            "D",
        ),
        ([terrain("prohibited", "0504")], {"C": unit("0505", tons=10)}, "prohibited", "C"),
        ([terrain("level", "0504", level=3)], {"C": unit("0505", tons=10)}, "too_high", "C"),
    ],
)
def test_displace_blocked(
    ground: list[Entry], units: Entry, reason: str | None, who: str | None
) -> None:
    """battletech.displace.blocked: every hex of the line must take who is pushed into it, or nobody moves."""
    everybody = {"A": charger("0507", tons=10), "B": B, **units}
    found = next(
        one
        for seed in range(99)
        if (
            one := ruling(table(everybody, charge(5, movement="walk"), ground=ground), seed=seed)
        ).outcome
        == "success"
    )
    expected = (
        {"displacement": "moved"}
        if reason is None
        else {"displacement": "blocked", "blocked_reason": reason, "blocked_by": who}
    )
    assert shown(found, "displacement", "blocked_reason", "blocked_by") == expected
    assert bool(findings(found, "battletech.displace.blocked")) is (reason is not None)


@pytest.mark.parametrize(
    ("kinds", "choice", "gone"),
    [
        (["mech"], "total_warfare", ["C"]),
        (["vehicle"], "total_warfare", []),
        (["vehicle", "vehicle"], "total_warfare", ["C"]),
        (["vehicle", "mech"], "total_warfare", ["D"]),
        (["vehicle"], "single", ["C"]),
    ],
)
def test_displace_domino(kinds: list[str], choice: str, gone: list[str]) -> None:
    """battletech.displace.domino: who breaks stacking goes: the 'Mech if a 'Mech comes, else the first in the file."""
    others = {
        name: unit("0505", "NE", tons=10, type=kind)
        for name, kind in zip("CD", kinds, strict=False)
    }
    dice = ([6, 6] if gone and kinds["CD".index(gone[0])] == "mech" else []) + FIRM
    case = pushed(dice=dice, rules={"stacking": choice}, **others)
    assert ruling(case).metrics["chain"] == gone
    places = {name: place for name, (place, _, _) in after(case).items()}
    assert places == {
        "A": "0506",
        "B": "0505",
        **{name: "0504" if name in gone else "0505" for name in others},
    }


C = unit("0505", "NE", tons=10, unspent_mp=4)


@pytest.mark.parametrize(
    ("unit_c", "ground", "say", "place"),
    [
        (C, [], "forward", "0604"),
        (C, [], "back", "0405"),
        (C, [], "stay", "0504"),
        (C, [], None, "0504"),
        ({**C, "facing": "N"}, [], "forward", "0504"),
        ({**C, "facing": "S"}, [], "back", "0504"),
        ({**C, "facing": "NW"}, [], "forward", "0404"),
        ({**C, "status": ["jumped"]}, [], "forward", "0504"),
        ({**C, "status": ["immobile"]}, [], "forward", "0504"),
        (unit("0505", "NE", tons=10, unspent_mp=0), [], "forward", "0504"),
        (unit("0505", "NE", tons=10, unspent_mp=1), [], "forward", "0604"),
        (unit("0505", "NE", tons=10, unspent_mp=4, ran=True), [], "forward", "0604"),
        (unit("0505", "NE", tons=10, unspent_mp=4, ran=True), [], "back", "0504"),
        (
            unit("0505", "NE", tons=10, unspent_mp=2),
            [terrain("heavy_woods", "0604")],
            "forward",
            "0504",
        ),
        (
            unit("0505", "NE", tons=10, unspent_mp=3),
            [terrain("heavy_woods", "0604")],
            "forward",
            "0604",
        ),
        (C, [terrain("prohibited", "0604")], "forward", "0504"),
        (C, [terrain("level", "0604", level=3)], "forward", "0504"),
    ],
)
def test_displace_domino_steps_out(
    unit_c: Entry, ground: list[Entry], say: str | None, place: str
) -> None:
    """battletech.displace.domino: after a pass one step forward or back, if declared, across the push, with the MP for
    it.
    """
    keys: Entry = {} if say is None else {"domino": {"C": say}}
    case = pushed(*ground, dice=[6, 6, *FIRM], keys=keys, C=unit_c)
    assert after(case)["C"] == (place, unit_c["facing"], unit_c["status"])
    assert ruling(case).metrics["chain"] == (["C"] if place == "0504" else [])


def test_displace_domino_does_not_step_onto_a_mech() -> None:
    """battletech.displace.domino: no stepping out into the hex of another 'Mech, but to a vehicle."""
    keys: Entry = {"domino": {"C": "forward"}}
    for kind, place in (("mech", "0504"), ("vehicle", "0604")):
        case = pushed(dice=[6, 6, *FIRM], keys=keys, C=C, D=unit("0604", tons=10, type=kind))
        assert after(case)["C"][0] == place


@pytest.mark.parametrize(
    ("rolls", "places", "numbers", "fell"),
    [
        ([6, 6], {"C": "0604", "D": "0504"}, [5], []),
        ([1, 1, 6, 6, 1, 3, 4, 6, 6], {"C": "0504", "D": "0503"}, [5, 5], ["C"]),
        (
            [1, 1, 1, 1, 1, 3, 4, 6, 6, 1, 3, 4, 6, 6],
            {"C": "0504", "D": "0503"},
            [5, 5],
            ["C", "D"],
        ),
    ],
)
def test_displace_domino_of_two(
    rolls: list[int], places: Entry, numbers: list[int], fell: list[str]
) -> None:
    """battletech.displace.domino: the nearest rolls first; if it steps out the rest stays, else the next rolls; then
    they fall.
    """
    case = pushed(
        dice=[*rolls, *FIRM], keys={"domino": {"C": "forward"}}, C=C, D=unit("0504", "NE", tons=10)
    )
    found = ruling(case)
    assert shown(found, "domino_psr", "fell", "chain") == {
        "domino_psr": numbers,
        "fell": fell,
        "chain": [
            name
            for name, place in places.items()
            if {"C": "0505", "D": "0504"}[name] != place and place != "0604"
        ],
    }
    assert {name: after(case)[name][0] for name in "CD"} == places
    assert {name: after(case)[name][2] for name in "CD"} == {
        name: ["prone"] if name in fell else [] for name in "CD"
    }


@pytest.mark.parametrize(
    ("other", "rolls"),
    [
        (unit("0505", tons=10, status=["prone"]), []),
        (unit("0505", tons=10, piloting=4, psr_modifier=3), [3, 4]),
        (unit("0505", tons=10, piloting=2), []),
    ],
)
def test_displace_domino_rolls(other: Entry, rolls: list[int]) -> None:
    """battletech.displace.domino: who lies does not roll; piloting and its modifiers are the number; two always
    passes.
    """
    case = pushed(dice=[*rolls, *FIRM], C=other)
    found = ruling(case)
    assert found.metrics["fell"] == []
    assert after(case)["C"][0] == "0504"


@pytest.mark.parametrize(("level", "is_dropped"), [(0, False), (1, False), (2, True), (5, True)])
def test_displace_drop(level: int, *, is_dropped: bool) -> None:
    """battletech.displace.drop: two levels down and more are a fall without a roll; it does not roll to keep its feet
    afterwards.
    """
    heights = [terrain("level", "0506", "0507", level=level)] if level else []
    groups = [3, 4] * -(-(level + 1) // 5)
    fall = [2, *groups, *([6, 6])]
    case = pushed(*heights, dice=[*fall, 6, 6] if is_dropped else FIRM)
    found = ruling(case)
    assert after(case)["B"] == (
        "0505",
        "SW" if is_dropped else "S",
        ["prone"] if is_dropped else [],
    )
    assert found.metrics.get("fall_damage_target", 0) == (level + 1 if is_dropped else 0)
    assert bool(findings(found, "battletech.displace.drop")) is is_dropped
    assert found.metrics["p_target_falls_if_hit_fraction"] == ("1/1" if is_dropped else "5/12")


def test_displace_drop_of_a_vehicle() -> None:
    """battletech.displace.drop: a vehicle takes the damage, keeps its facing, and nobody rolls for its crew."""
    units = {"A": charger("0507", **TANK), "B": unit("0506", "S", **TANK)}
    dice = [6, 6, 1, 1, 3, 4, 1, 1, 3, 4, 2, 3, 4]
    case = table(units, charge(5, dice=dice), ground=[terrain("level", "0506", "0507", level=2)])
    assert after(case)["B"] == ("0505", "S", [])
    assert ruling(case).metrics["fall_damage_target"] == 3


MISSED = [1, 1]


def missed(
    *ground: Entry,
    rules: Entry | None = None,
    keys: Entry | None = None,
    dice: list[int] | None = None,
    **units: Entry,
) -> Any:
    """Let A miss B."""
    return table(
        {"A": A, "B": B, **units},
        charge(5, dice=[*MISSED, *(dice or [])], **(keys or {})),
        ground=ground,
        rules=rules,
    )


@pytest.mark.parametrize(
    ("ground", "units", "options"),
    [
        ([], {}, ["0606", "0406"]),
        ([terrain("prohibited", "0606")], {}, ["0406"]),
        ([], {"C": unit("0606", tons=10)}, ["0406"]),
        ([], {"C": unit("0606", **TANK)}, ["0606", "0406"]),
        ([], {"C": unit("0606", **TANK), "D": unit("0606", **TANK)}, ["0406"]),
        ([], {"C": unit("0606", tons=None, type="infantry")}, ["0606", "0406"]),
        ([terrain("prohibited", "0606", "0406")], {}, []),
    ],
)
def test_miss_placement(ground: list[Entry], units: Entry, options: list[str]) -> None:
    """battletech.miss.placement: right or left of the front, if it may be entered, is within the climb and has room;
    facing kept.
    """
    case = missed(*ground, **units)
    found = ruling(case)
    assert (found.metrics["miss_options"], found.choices) == (options, len(options))
    assert after(case)["A"] == (options[0] if options else "0507", "N", [])
    assert findings(found, "battletech.miss.placement") != []


@pytest.mark.parametrize(("side", "place"), [("right", "0606"), ("left", "0406")])
def test_miss_placement_by_the_side_declared(side: str, place: str) -> None:
    """battletech.miss.placement: the player's side if it can be had, else the other."""
    assert after(missed(keys={"miss": side}))["A"][0] == place
    other = {"0606": "0406", "0406": "0606"}[place]
    assert after(missed(terrain("prohibited", place), keys={"miss": side}))["A"][0] == other


@pytest.mark.parametrize(
    ("start", "facing", "target", "options"),
    [("0101", "S", "0102", ["0201"]), ("1507", "N", "1506", ["1406"])],
)
def test_miss_placement_on_the_board(
    start: str, facing: str, target: str, options: list[str]
) -> None:
    """battletech.miss.placement: off the board is no option."""
    assert (
        ruling(missed(A=charger(start, facing, tons=10), B=unit(target, "N", tons=10))).metrics[
            "miss_options"
        ]
        == options
    )


def test_miss_placement_to_the_rear_by_choice() -> None:
    """battletech.miss.placement: by choice the hexes right and left behind."""
    assert ruling(missed(rules={"miss_hexes": "rear_sides"})).metrics["miss_options"] == [
        "0607",
        "0407",
    ]


def test_miss_placement_into_others_by_choice() -> None:
    """battletech.miss.placement: by choice whoever stands there is pushed on like a domino, where that can be."""
    case = missed(rules={"miss_into_occupied": "domino"}, dice=[6, 6], C=unit("0606", "N", tons=10))
    assert ruling(case).metrics["miss_options"] == ["0606", "0406"]
    assert {name: place for name, (place, _, _) in after(case).items()} == {
        "A": "0606",
        "B": "0506",
        "C": "0706",
    }
    stuck = missed(
        terrain("prohibited", "0706"),
        rules={"miss_into_occupied": "domino"},
        C=unit("0606", "N", tons=10),
    )
    assert ruling(stuck).metrics["miss_options"] == ["0406"]


@pytest.mark.parametrize(
    ("unit_c", "ground", "dice", "why"),
    [
        ({"facing": "NE", "unspent_mp": 0}, [], [3, 4], "it needs {needed} MP and has {left} left"),
        ({"facing": "NE", "unspent_mp": 2}, [], [1, 1, 1, 3, 4, 6, 6], "it failed its roll"),
        ({"facing": "N", "unspent_mp": 2}, [], [3, 4], "hex {place} lies in the line of the push"),
        (
            {"facing": "NE", "unspent_mp": 2, "status": ["jumped"]},
            [],
            [3, 4],
            "it jumped this turn",
        ),
        ({"facing": "NE", "unspent_mp": 2, "status": ["immobile"]}, [], [6, 6], "it is immobile"),
        (
            {"facing": "NE", "unspent_mp": 2},
            [terrain("prohibited", "0604")],
            [3, 4],
            "it cannot enter hex {place}",
        ),
        (
            {"facing": "NE", "unspent_mp": 2, "ran": True},
            [terrain("water", "0604", depth=1)],
            [3, 4],
            "it ran this turn",
        ),
        (
            {"facing": "SW", "unspent_mp": 2},
            [terrain("level", "0604", level=1)],
            [3, 4],
            "hex {place} is on another level",
        ),
    ],
)
def test_a_declared_step_that_is_not_taken_has_its_reason(
    unit_c: Entry, ground: list[Entry], dice: list[int], why: str
) -> None:
    """battletech.displace.domino: what bars the step out of a push, whether the roll was passed or not."""
    way = "back" if unit_c["facing"] == "SW" else "forward"
    c = unit(
        "0505",
        unit_c["facing"],
        tons=10,
        piloting=5,
        **{key: value for key, value in unit_c.items() if key != "facing"},
    )
    told = finding(
        ruling(pushed(*ground, C=c, dice=[*dice, *FIRM], keys={"domino": {"C": way}})),
        "battletech.displace.domino",
    )
    assert isinstance(told.text, Message)
    assert told.text.values["bar"].template.startswith(why)


def test_a_step_declared_for_what_makes_no_roll_is_told() -> None:
    """battletech.displace.domino: a unit that is prone is pushed without a roll."""
    prone = pushed(
        C=unit("0505", "NE", tons=10, unspent_mp=2, status=["prone"]),
        keys={"domino": {"C": "forward"}},
    )
    assert names_in(finding(ruling(prone), "battletech.displace.domino").text) == {"C"}
    assert not findings(
        ruling(pushed(C=unit("0505", "NE", tons=10, unspent_mp=2, status=["prone"]))),
        "battletech.displace.domino",
    )
