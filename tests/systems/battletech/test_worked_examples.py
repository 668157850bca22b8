"""The worked examples of charges between hexes, each number reckoned by hand."""

from fractions import Fraction

import pytest

from tests.systems.battletech.tables import (
    Entry,
    after,
    charge,
    charger,
    odds,
    resolve,
    ruling,
    shown,
    table,
    terrain,
    unit,
)

RUN = charge(path=["0507", "0506", "0505", "0504"])
RUNNER = charger("0508", tons=65, piloting=4, walk=4)
STRUCK = unit("0503", "S", tons=55, hexes_moved=3)


def test_straight_run() -> None:
    """Four hexes at a run: number to hit, damage both ways, piloting rolls and every chance."""
    found = ruling(
        table({"A": RUNNER, "B": STRUCK}, {**RUN, "dice": [3, 3, *[3, 4] * 8, 6, 1, 6, 6, 6, 6]})
    )
    assert (found.outcome, found.chance_success, found.shortest_roll) == (
        "success",
        Fraction(13, 18),
        6,
    )
    assert shown(found, "mp_spent", "movement", "tn", "roll") == {
        "mp_spent": 5,
        "movement": "run",
        "tn": 6,
        "roll": 6,
    }
    items = (
        "piloting",
        "difference",
        "movement",
        "target_movement",
        "terrain",
        "prone",
        "immobile",
        "spotting",
        "unintentional",
        "other",
    )
    assert [found.metrics[f"to_hit_{item}"] for item in items] == [4, -1, 2, 1, 0, 0, 0, 0, 0, 0]
    assert (found.metrics["damage_target"], found.metrics["groups_target"]) == (
        26,
        [5, 5, 5, 5, 5, 1],
    )
    assert (found.metrics["damage_charger"], found.metrics["groups_charger"]) == (6, [5, 1])
    assert (found.metrics["psr_charger"], found.metrics["psr_target"]) == ([6], [8, 8])
    assert {name: found.metrics[f"{name}_fraction"] for name in FRACTIONS} == FRACTIONS


FRACTIONS = {
    "p_hit": "13/18",
    "p_success": "13/18",
    "p_charger_falls_if_hit": "5/18",
    "p_target_falls_if_hit": "119/144",
    "p_charger_falls": "65/324",
    "p_target_falls": "1547/2592",
    "p_head_if_hit": "338516711/2176782336",
    "expected_target_ct_if_hit": "91/18",
    "expected_target_hd_if_hit": "13/18",
    "expected_damage_target": "169/9",
    "expected_damage_charger": "13/3",
}


@pytest.mark.parametrize(
    ("tons", "hexes", "rounding", "groups"),
    [
        (35, 5, "product", [5, 5, 5, 3]),
        (35, 5, "per_ten", [5, 5, 5, 5]),
        (25, 3, "product", [5, 3]),
        (25, 3, "per_ten", [5, 4]),
        (100, 0, "product", []),
    ],
)
def test_damage_is_rounded_up_once(tons: int, hexes: int, rounding: str, groups: list[int]) -> None:
    """battletech.damage.target: of the product, or of the tons by choice; without a run-up there is none."""
    case = table(
        {"A": charger("0507", tons=tons), "B": unit("0506")},
        charge(hexes),
        rules={"damage_rounding": rounding},
    )
    found = ruling(case)
    assert (found.metrics["groups_target"], found.metrics["damage_target"]) == (groups, sum(groups))
    assert found.metrics["psr_charger"] == [7]
    assert after(case)["B"][0] == "0505"


def test_miss_goes_to_the_only_free_side() -> None:
    """battletech.miss.placement: 0606 is too high, so the charger goes left though right is declared, facing as
    before.
    """
    ground = [terrain("level", "0606", level=3)]
    case = table({"A": charger("0507"), "B": unit("0506")}, charge(2, dice=[1, 1]), ground=ground)
    found = ruling(case)
    assert (found.outcome, found.rule, found.choices) == ("failed", "battletech.tohit.roll", 1)
    assert shown(found, "tn", "miss_options") == {"tn": 7, "miss_options": ["0406"]}
    assert (found.metrics["charger_x"], found.metrics["charger_y"]) == pytest.approx(
        (3.96928, 14.375), abs=1e-5
    )
    assert after(case)["A"] == ("0406", "N", [])


@pytest.mark.parametrize(
    ("facing", "side"), [("N", "front"), ("S", "right"), ("NE", "left"), ("SE", "rear")]
)
def test_push_goes_on_along_the_charge(facing: str, side: str) -> None:
    """battletech.displace.push: one hex on, the charger behind, facings kept; the side attacked follows from the
    target's facing.
    """
    case = table(
        {"A": charger("0505", "SE"), "B": unit("0605", facing)},
        charge(3, dice=[6, 6, *[3, 4] * 6, 6, 6, 6, 6]),
    )
    found = ruling(case)
    assert found.metrics["side_target"] == side
    assert after(case) == {"A": ("0605", "SE", []), "B": ("0706", facing, [])}
    assert (found.metrics["target_x"], found.metrics["target_y"]) == pytest.approx(
        (7.21688, 15), abs=1e-5
    )
    assert (found.metrics["charger_x"], found.metrics["charger_y"]) == pytest.approx(
        (6.13435, 15.625), abs=1e-5
    )


def test_blocked_push_leaves_all_else() -> None:
    """battletech.displace.blocked: off the board neither moves; damage, rolls and falls happen, faces in their
    order.
    """
    dice = [5, 3, *[6, 1] * 4, 2, 2, 2, 6, 1, 6, 6, 3, 3, 3, 6, 1, 6, 1, 4, 4]
    units = {"A": charger("0502", tons=45, piloting=4), "B": unit("0501", "S", tons=55)}
    case = table(units, charge(2, movement="walk", dice=dice))
    found = ruling(case)
    assert found.outcome == "success"
    assert shown(found, "displacement", "blocked_reason", "blocked_by") == {
        "displacement": "blocked",
        "blocked_reason": "off_board",
        "blocked_by": "B",
    }
    assert (found.metrics["damage_target"], found.metrics["damage_charger"]) == (9, 6)
    assert (found.metrics["psr_charger"], found.metrics["psr_target"]) == ([6], [7])
    assert (found.metrics["fall_damage_charger"], found.metrics["fall_damage_target"]) == (5, 6)
    assert (found.metrics["pilot_hits_charger"], found.metrics["pilot_hits_target"]) == (0, 0)
    assert found.metrics["fell"] == ["A", "B"]
    assert after(case) == {"A": ("0502", "NE", ["prone"]), "B": ("0501", "NW", ["prone"])}


@pytest.mark.parametrize(
    ("facing", "roll", "end", "chain"),
    [
        ("NE", [4, 4], ("0604", "NE", []), []),
        ("N", [4, 4], ("0504", "N", []), ["C"]),
        ("S", [4, 4], ("0504", "S", []), ["C"]),
        ("NE", [1, 1, 1, 6, 1, 6, 1, 6, 6], ("0504", "NE", ["prone"]), ["C"]),
    ],
)
def test_domino_steps_out_or_is_pushed(
    facing: str, roll: list[int], end: tuple[str, str, list[str]], chain: list[str]
) -> None:
    """battletech.displace.domino: a pass lets C step aside unless the push comes along its facing; a failure makes it
    fall.
    """
    units = {
        "A": charger("0507", tons=40),
        "B": unit("0506", tons=50),
        "C": unit("0505", facing, unspent_mp=2),
    }
    dice = [6, 6, *[3, 4] * 3, *roll, 6, 6, 6, 6]
    case = table(units, charge(2, domino={"C": "forward"}, dice=dice))
    found = ruling(case)
    assert (found.metrics["domino_psr"], found.metrics["chain"]) == ([5], chain)
    assert after(case) == {"A": ("0506", "N", []), "B": ("0505", "N", []), "C": end}


def test_domino_at_the_edge_blocks_all() -> None:
    """battletech.displace.blocked: the last of a line cannot go, so nobody rolls as a domino, and all else happens."""
    units = {
        "A": charger("0503", tons=40),
        "B": unit("0502", tons=50),
        "C": unit("0501", "NE", unspent_mp=2),
    }
    case = table(units, charge(2, domino={"C": "forward"}, dice=[6, 6, *[3, 4] * 3, 6, 6, 6, 6]))
    found = ruling(case)
    assert (
        found.metrics["blocked_reason"],
        found.metrics["blocked_by"],
        found.metrics["domino_psr"],
    ) == ("off_board", "C", [])
    assert (found.metrics["psr_charger"], found.metrics["psr_target"]) == ([7], [7])
    assert after(case) == {"A": ("0503", "N", []), "B": ("0502", "N", []), "C": ("0501", "NE", [])}


def test_hovercraft_kicks() -> None:
    """battletech.damage.kick: 40 points in eight groups on the legs; the hovercraft is hurt, rolls motive damage and
    never falls.
    """
    units = {
        "A": charger("0507", tons=40, type="vehicle", motion="hover"),
        "B": unit("0506", "S", tons=20),
    }
    found = ruling(table(units, charge(10)))
    assert shown(found, "damage_target", "table_target", "groups_charger") == {
        "damage_target": 40,
        "table_target": "kick",
        "groups_charger": [2],
    }
    chances = odds(table(units, charge(10))).metrics
    assert chances["p_one_leg_if_hit_fraction"] == "1/128"
    assert chances["expected_target_rl_if_hit_fraction"] == "20/1"
    assert (chances["p_charger_falls_fraction"], chances["p_target_falls_if_hit_fraction"]) == (
        "0/1",
        "119/144",
    )
    motives = [
        chances[f"p_motive_charger_{result}"] * 36
        for result in ("none", "minor", "moderate", "heavy", "immobile")
    ]
    assert motives == pytest.approx([1, 5, 9, 11, 10])


def test_building_shields_and_shakes() -> None:
    """battletech.building.absorbs: 4 off every group; the charger enters at 8, the building keeps 12 CF."""
    ground = [terrain("building", "0503", cf=40)]
    case = table(
        {"A": charger("0508", tons=65, piloting=4, walk=5), "B": STRUCK}, RUN, ground=ground
    )
    found = next(
        one
        for one in (ruling(case, seed=seed) for seed in range(30))
        if one.metrics.get("entry_failed")
    )
    assert shown(
        found, "mp_spent", "mp_available", "absorbed", "damage_through", "groups_target"
    ) == {
        "mp_spent": 7,
        "mp_available": 8,
        "absorbed": 21,
        "damage_through": 5,
        "groups_target": [1, 1, 1, 1, 1],
    }
    assert (found.metrics["psr_charger"], found.metrics["psr_target"]) == ([6], [7])
    assert (found.metrics["entry_psr"], found.metrics["building_cf"]) == (8, 12)
    assert any("4 points" in step.text for step in found.steps if step.kind == "building_roll")


SKID = {"A": charger("0507", tons=50, piloting=4), "B": unit("0506", "S", piloting=4)}
SLIPPED: Entry = {"weapon_phase": {"charger_psr": "failed"}}
ROAD = [terrain("pavement", "0507")]


def test_skid_past_the_target() -> None:
    """battletech.weapon.skid: a missed charge slides on to the end of the skid, and fails by the fall."""
    case = table(SKID, charge(7, **SLIPPED, dice=[1, 1, *[3, 4] * 3]), ground=ROAD)
    found = ruling(case)
    assert (found.outcome, found.rule) == ("failed", "battletech.weapon.charger-fell")
    assert shown(
        found, "tn", "skid_limit", "skid_hexes", "skid_damage", "unintentional", "p_hit_fraction"
    ) == {
        "tn": 9,
        "skid_limit": 4,
        "skid_hexes": 4,
        "skid_damage": 12,
        "unintentional": True,
        "p_hit_fraction": "5/18",
    }
    assert after(case) == {"A": ("0503", "N", ["prone"]), "B": ("0506", "S", [])}


def test_skid_into_the_target() -> None:
    """battletech.weapon.unintentional-charge: a hit ends the skid; the target is pushed and rolls, the charger lies in
    its hex.
    """
    case = table(
        SKID, charge(7, **SLIPPED, dice=[6, 6, *[3, 4] * 9, 6, 6, 6, 6, 3, 4]), ground=ROAD
    )
    found = ruling(case)
    assert found.outcome == "success"
    assert shown(found, "damage_target", "damage_charger", "skid_damage", "psr_target") == {
        "damage_target": 35,
        "damage_charger": 6,
        "skid_damage": 3,
        "psr_target": [7, 7],
    }
    assert after(case) == {"A": ("0506", "N", ["prone"]), "B": ("0505", "S", [])}
    assert resolve(case).rulings[0].steps[0].kind == "weapon_roll"
