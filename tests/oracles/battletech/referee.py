"""A file played by both: the second implementation throws the faces, the program is given the same, and all is
compared.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from tabletop.api import resolve as program
from tabletop.errors import ScenarioError
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.scenario import case_from_text
from tabletop.table.hexes import HexBoard, number, side_at
from tests.oracles.battletech import charging, ways
from tests.oracles.battletech.board import Hex, Table, Tables, read_hex, step, towards
from tests.oracles.battletech.play import Play

COMPARED = [
    "tn",
    "damage_target",
    "damage_charger",
    "groups_target",
    "side_target",
    "table_target",
    "locations_target",
    "locations_charger",
    "criticals_target",
    "criticals_charger",
    "motive_target",
    "motive_charger",
    "absorbed",
    "damage_through",
    "entry_psr",
    "entry_failed",
    "building_cf",
    "displacement",
    "blocked_reason",
    "blocked_by",
    "chain",
    "domino_psr",
    "miss_options",
    "fell",
    "fall_damage_charger",
    "fall_damage_target",
    "pilot_hits_charger",
    "pilot_hits_target",
    "skid_limit",
    "skid_hexes",
    "skid_damage",
    "unintentional",
    "psr_charger",
    "psr_target",
]


@dataclass(frozen=True)
class Answer:
    """What the second one says: the verdict, metrics, where all stand after, the faces thrown, and if the charger
    `is_steady`: a 'Mech.
    """

    outcome: str
    rule: str | None
    metrics: Tables
    after: dict[str, tuple[str, int, frozenset[str]]]
    faces: tuple[int, ...]
    is_steady: bool = False


def thrown(seed: int) -> Iterator[int]:
    """Throw dice without end, the same ones with every version of Python."""
    source = random.Random(seed)  # noqa: S311 - dice of tests, not secrets
    while True:
        yield int(source.random() * 6) + 1


def answer(tables: Tables, faces: Iterator[int]) -> Answer:
    """Declare and play the only charge of a file."""
    table = Table(tables).copied()
    charge = tables["charges"][0]
    play = Play(table, charge, faces)
    goal = goal_of(table, charge)
    way, rules, told = _way(table, charge, play)
    if rules or way is None:
        return Answer("not_allowed", rules[0], {**told, "refusals": rules}, play.after(), ())
    play.hexes = charge.get("hexes_moved", len(way.hexes))
    play.gait = way.gait
    if "hexes_moved" not in charge:
        play.charger.hex = (way.hexes or (play.charger.hex,))[-1]
        play.charger.facing = way.facing
        play.charger.status.discard("prone")
    outcome, rule = charging.resolve(play, way.hexes)
    ground = table.at(goal)
    told |= {"building_cf": ground.cf} if ground.cover == "building" else {}
    metrics = {**told, **{key: value for key, value in play.log.items() if key in COMPARED}}
    return Answer(
        outcome, rule, metrics, play.after(), tuple(play.taken), play.charger.kind == "mech"
    )


def goal_of(table: Table, charge: Tables) -> Hex:
    """Return the hex that is charged."""
    target = table.units.get(charge["targets"][0])
    named = charge.get("target_hex")
    return (
        target.hex if target else read_hex(named) if named else table.names[charge["targets"][0]][0]
    )


def around(table: Table, place: Hex) -> list[Hex]:
    """Return the neighbours on the board."""
    return [end for direction in range(6) if table.holds(end := step(place, direction))]


def _way(table: Table, charge: Tables, play: Play) -> tuple[ways.Way | None, list[str], Tables]:
    unit = play.charger
    goal = goal_of(table, charge)
    inside = any(table.others(goal, unit.name)) and charge["targets"][0] not in table.units
    refused = (
        ["declare.building"]
        if inside and table.rule("building_with_units", "allowed") == "refused"
        else []
    )
    barred = [*refused, *(["declare.prohibited-terrain"] if table.barred(goal, unit) else [])]
    if "hexes_moved" in charge:
        direction = towards(unit.hex, goal)
        broken = (
            ["declare.level-difference"]
            if direction is not None and not ways.is_level(table, unit, unit.hex, goal)
            else []
        )
        faces_it = [] if direction == unit.facing else ["declare.front-hex"]
        return ways.Way((), 0, charge["movement"], unit.facing), barred + broken + faces_it, {}
    if "path" in charge:
        way, broken = ways.given_way(table, unit, goal, charge)
        return way, barred + broken, {}
    if not any(ways.is_level(table, unit, one, goal) for one in around(table, goal)):
        return None, [*barred, "declare.level-difference"], {}
    found = list(ways.all_ways(table, unit, goal, charge))
    told = ways.search_metrics(found)
    return (
        (ways.best_of(found)[0], [], told)
        if found
        else (None, [*barred, "declare.enough-mp"], told)
    )


def compare(tables: Tables, seed: int) -> tuple[Answer, list[str]]:
    """Play a file twice with the same faces; give the answer and what differs."""
    expected = answer(tables, thrown(seed))
    charge = {**tables["charges"][0], "dice": list(expected.faces)}
    case = case_from_text(json.dumps({**tables, "charges": [charge]}))
    try:
        resolution = program(case)
    except ScenarioError as error:
        return expected, [
            f"{error} ({expected.outcome}, {expected.rule}, {expected.metrics}, faces {expected.faces})"
        ]
    return expected, list(_differences(expected, resolution))


def _differences(expected: Answer, resolution: Resolution) -> Iterator[str]:
    (ruling,) = resolution.rulings
    rule = (ruling.rule or "").removeprefix("battletech.") or None
    if ruling.outcome != expected.outcome or (rule != expected.rule and not _is_cut_off(expected)):
        yield f"verdict: expected {expected.outcome} {expected.rule}, found {ruling.outcome} {rule}"
        return
    if expected.outcome == "not_allowed":
        return
    for key, value in expected.metrics.items():
        if ruling.metrics.get(key, NOTHING) != value and not (
            not value and key not in ruling.metrics
        ):
            yield f"{key}: expected {value}, found {ruling.metrics.get(key, NOTHING)}"
    yield from _odds_of_the_last(expected, ruling)
    for name, (place, facing, status) in expected.after.items():
        unit = resolution.after.units[name]
        assert isinstance(resolution.after.board, HexBoard)
        found = (
            number(resolution.after.board.hex_at(unit.pose.at)),
            side_at(unit.pose.heading),
            frozenset(unit.status) & {"prone", "immobile"},
        )
        if found != (place, facing, status):
            yield f"{name}: expected {(place, facing, sorted(status))}, found {found}"


def _odds_of_the_last(expected: Answer, ruling: Ruling) -> Iterator[str]:
    """Hold the chances beside the number of the last collision; what is expected for 'Mechs, whose piloting nothing
    changes on the way.
    """
    events = ruling.charge.declarations.weapon_phase
    metrics = ruling.metrics
    if "tn" not in expected.metrics:
        return
    pairs = sum(
        first + second >= expected.metrics["tn"] for first in range(1, 7) for second in range(1, 7)
    )
    if Fraction(metrics["p_hit_fraction"]) != Fraction(pairs, 36):
        yield f"p_hit: expected {pairs} of 36, found {metrics['p_hit_fraction']}"
    if not expected.is_steady or "roll" in (events.charger_psr, events.target_psr):
        return
    if "groups_target" in expected.metrics and not metrics.get("unintentional"):
        points = Fraction(pairs, 36) * sum(expected.metrics["groups_target"])
        if Fraction(metrics["expected_damage_target_fraction"]) != points:
            yield f"expected_damage_target: expected {points}, found {metrics['expected_damage_target_fraction']}"


NOTHING = "nothing"


def _is_cut_off(expected: Answer) -> bool:
    """Return whether only the first broken rule was asked for here."""
    return expected.outcome == "not_allowed" and len(expected.metrics.get("refusals", ())) > 1
