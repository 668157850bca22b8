"""Numbers of relations are measured as coordinates are: the same table, written either way, is as open."""

import math
from typing import Any

import numpy as np
import pytest

from tabletop import judge, resolve
from tabletop.geometry.distance import gap
from tabletop.registry import BUILT_IN
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.scenario.cases import place_entry
from tabletop.scenario.reading import case_from_tables
from tabletop.settling.bodies import bodies_of, most_between
from tabletop.settling.constraints import SetUpRules
from tabletop.settling.settle import SettleProblem
from tabletop.settling.uncertainty import Play, admissible
from tabletop.table.models import Squad

Tables = dict[str, Any]

RANKS = {"files": 5, "models": 10, "base": "25x25mm"}

STANDS = {"files": 3, "stands": 6, "base": "50.8x50.8mm", "profile": {"march": 5}}

ROUND = {"base": "32mm round"}


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Know the game of tests that is made with `tabletop.kit`."""
    monkeypatch.setitem(BUILT_IN, "warband", "tests.warband:SYSTEM")


def game(system: str, units: Tables, dice: list[int], **more: Any) -> Tables:
    """Let A charge B on a table measured to a tenth."""
    charges = [{"charger": "A", "targets": ["B"], "dice": dice}]
    return {
        "system": system,
        "accuracy": 0.1,
        "board": {"width": 60, "depth": 60},
        "units": units,
        "charges": charges,
        **more,
    }


def front(
    side: str, shape: Tables, at: tuple[float, float] = (30, 50), facing: float = 270
) -> Tables:
    """Return a regiment by its coordinates."""
    return {"side": side, "at": list(at), "facing_deg": facing, **shape}


def ahead(shape: Tables, apart: float, **more: Any) -> Tables:
    """Return a regiment of red ahead of A."""
    return {"side": "red", "ahead_of": {"unit": "A", "gap": apart, **more}, **shape}


FAST = {**RANKS, "profile": {"charge_speed": 5}}

TABLES = {
    "t9a": lambda apart: game("t9a", {"A": front("blue", FAST), "B": ahead(RANKS, apart)}, [1]),
    "conquest": lambda apart: game(
        "conquest", {"A": front("blue", STANDS), "B": ahead(STANDS, apart - 1.0)}, [4]
    ),
    "wh40k": lambda apart: game(
        "wh40k",
        {
            "A": {"side": "blue", "at": [[20, 20]], **ROUND},
            "B": {"side": "red", "models": [near("A.0", apart + 2.0)], **ROUND},
        },
        [6, 6],
    ),
    "warband": lambda apart: game(
        "warband",
        {
            "A": {"side": "blue", "at": [[20, 20]], "profile": {"march": 5}, **ROUND},
            "B": {"side": "red", "models": [near("A.0", apart)], **ROUND},
        },
        [2, 3],
    ),
}
"""Tables of each game, by the gap of charger and target: at 10 in the charge is made."""


def near(other: str, apart: float, bearing: float = 0.0) -> Tables:
    """Return a model by another."""
    return {"near": other, "gap": apart, "bearing_deg": bearing}


def with_coordinates(tables: Tables) -> Case:
    """Return the case of the same table with coordinates in place of relations."""
    case = case_from_tables({**tables, "accuracy": 0})
    entries = {}
    for name, entry in tables["units"].items():
        kept = {
            key: value
            for key, value in entry.items()
            if key != "ahead_of" and not isinstance(value, list)
        }
        place = place_entry(case.state.units[name].place, case)
        if isinstance(case.state.units[name], Squad):
            place = {"at": place["at"]}
        entries[name] = {**kept, **place}
    return case_from_tables({**tables, "units": entries})


def told(ruling: Ruling) -> tuple[Any, ...]:
    """Return what a ruling says of its certainty."""
    return ruling.outcome, ruling.rule, ruling.open, ruling.shortest_roll_range


@pytest.mark.parametrize(
    ("apart", "is_open"), [(10.05, True), (9.95, True), (11.3, False), (8.7, False)]
)
@pytest.mark.parametrize("name", TABLES)
def test_a_gap_by_the_tape_is_as_open_as_coordinates(
    name: str, apart: float, is_open: bool
) -> None:
    """The deciding rule is open where the measurement can turn it, however the place is written, and says what to
    measure.
    """
    tables = TABLES[name](apart)
    (related,) = resolve(case_from_tables(tables)).rulings
    assert related.open is not None
    (written,) = resolve(with_coordinates(tables)).rulings
    assert told(related) == told(written)
    assert bool(related.open) is is_open
    if not is_open:
        return
    deciding = related.open[0]
    assert any(one.rule == deciding and one.is_open for one in related.findings)
    assert related.decides is not None
    assert related.decides.rule == deciding
    assert related.decides.text in related.summary
    assert set(related.decides.between) == {"A", "B"}
    assert related.decides.border == pytest.approx(
        {"conquest": 9.0, "wh40k": 12.0}.get(name, 10.0), abs=0.1
    )


@pytest.mark.parametrize("name", TABLES)
def test_what_is_exact_by_its_unit_stays_so(name: str) -> None:
    """`accuracy = 0` on the unit that is placed leaves nothing of its relation open."""
    tables = TABLES[name](10.05)
    tables["units"]["B"]["accuracy"] = 0
    (ruling,) = resolve(case_from_tables(tables)).rulings
    assert ruling.open == ()


def offs(tables: Tables) -> list[tuple[float, ...]]:
    """Return how B lies as seen from A, on the tables within the accuracy: right, ahead, and how it is turned."""
    poses = (
        [state.units[name].place for name in "AB"] for state in admissible(case_from_tables(tables))
    )
    return [(*own(a, b), math.remainder(b.heading - a.heading, math.tau)) for a, b in poses]


def own(pose: Any, other: Any) -> tuple[float, float]:
    """Return the place of another pose as seen from a pose: right and ahead."""
    x = other.x - pose.x
    y = other.y - pose.y
    cos = math.cos(pose.heading)
    sin = math.sin(pose.heading)
    return x * sin - y * cos, x * cos + y * sin


def span(values: list[float]) -> float:
    """Return the length of the range of some values."""
    return max(values) - min(values)


@pytest.mark.parametrize(
    ("relation", "right", "forward"),
    [
        ({"ahead_of": {"unit": "A", "gap": 8.0, "shift": 1.0}}, True, True),
        ({"ahead_of": {"unit": "A", "gap": 0.0, "shift": 1.0}}, True, False),
        ({"beside": {"unit": "A", "side": "left", "gap": 2.0}}, True, True),
        ({"beside": {"unit": "A", "side": "right"}}, False, True),
        ({"flush_on": {"unit": "A", "facing": "front", "offset": 1.0}}, True, False),
        ({"flush_on": {"unit": "A", "facing": "left", "offset": 0.2}}, False, True),
    ],
)
def test_what_a_relation_says_by_its_meaning_is_exact(
    relation: Tables, right: bool, forward: bool
) -> None:
    """Fronts stay parallel, flush and in contact; only the numbers that were measured move, and by no more than the
    accuracy.
    """
    b = {"side": "blue", **RANKS, **relation}
    units = {"A": front("blue", FAST), "B": b, "C": front("red", RANKS, (30, 30), 90)}
    tables = {
        **game("t9a", units, [5]),
        "charges": [{"charger": "A", "targets": ["C"], "dice": [5]}],
    }
    found = offs(tables)
    assert len(found) > 10
    for is_measured, values in (
        (right, [one[0] for one in found]),
        (forward, [one[1] for one in found]),
    ):
        assert (0.05 < span(values) <= 0.2 + 1e-9) if is_measured else span(values) < 1e-9
    assert span([abs(one[2]) for one in found]) < 1e-9


@pytest.mark.parametrize("base", ["32mm round", "75x42mm oval", "25x50mm rectangle"])
def test_models_that_touch_touch_on_every_table(base: str) -> None:
    """A direction may be off as far as the accuracy goes; contact is exact, whatever the bases."""
    models = [{"at": [20, 20]}, {"touching": "A.0", "bearing_deg": 100}, near("A.1", 0.5, 80.0)]
    units = {
        "A": {"side": "blue", "base": base, "models": models},
        "B": {"side": "red", "at": [[30, 20]], **ROUND},
    }
    bearings = []
    gaps = []
    for state in admissible(case_from_tables(game("wh40k", units, [6, 4]))):
        unit: Any = state.units["A"]
        shapes = [model.footprint for model in unit.models]
        first, second, *_ = (model.pose for model in unit.models)
        bearings.append(math.atan2(second.y - first.y, second.x - first.x))
        assert gap(shapes[0], shapes[1]) == pytest.approx(0.0, abs=1e-6)
        gaps.append(gap(shapes[1], shapes[2]))
    assert span(bearings) > 0.01
    assert 0.05 < span(gaps) <= 0.2 + 1e-6
    assert all(0.4 - 1e-6 <= one <= 0.6 + 1e-6 for one in gaps)


@pytest.mark.parametrize("name", ["t9a", "wh40k"])
def test_bounds_of_gaps_hold_on_every_table(name: str) -> None:
    """No gap of two that are placed by each other changes by more than is called certain, and that is tight for one
    tape.
    """
    case = case_from_tables(TABLES[name](9.0))
    assert case.settled is not None
    assert case.measured is not None
    bodies = bodies_of(case.settled.measured, case.measured)
    bound = most_between(bodies[0], bodies[1])
    before = gap(bodies[0].shape, bodies[1].shape)
    for state in admissible(case):
        one, two = bodies_of(state, case.measured)
        assert abs(gap(one.shape, two.shape) - before) <= bound + 1e-9
    assert 0.1 - 1e-9 <= bound <= 0.15 if name == "t9a" else bound < 0.35
    assert Play.of(case).between("A", "B") == pytest.approx(bound)


def test_bounds_of_gaps_do_not_depend_on_the_order_of_units() -> None:
    """A unit may stand in the file before the one by which it is placed."""
    tables = TABLES["t9a"](9.0)
    bounds = []
    for names in ("AB", "BA"):
        case = case_from_tables(
            {**tables, "units": {name: tables["units"][name] for name in names}}
        )
        bounds.append(Play.of(case).between("A", "B"))
    assert bounds[0] == pytest.approx(bounds[1])


def test_rates_of_what_stands_by_others_are_those_that_moving_shows() -> None:
    """The derivatives that settling uses, along a chain of three, by differences."""
    units = {
        "A": front("blue", FAST, facing=253),
        "B": {
            "side": "blue",
            **RANKS,
            "beside": {"unit": "A", "side": "left", "gap": 0.3, "shift": 0.4},
        },
        "C": {"side": "blue", **RANKS, "ahead_of": {"unit": "B", "gap": 0.2, "facing": "same"}},
        "D": front("blue", RANKS, (40, 48), 200),
    }
    case = case_from_tables(
        {"system": "t9a", "accuracy": 0.5, "board": {"width": 72, "depth": 72}, "units": units}
    )
    assert case.settled is not None
    assert case.measured is not None
    settling = SettleProblem.of(
        case.settled.measured, case.measured, SetUpRules(lambda *_: True, lambda _: False)
    )
    random = np.random.default_rng(1)
    at = random.uniform(-0.5, 0.5, settling.scale.shape)
    rate = random.normal(size=3)
    asides = settling.asides(at)
    found = dict(settling._by_variables(2, rate, asides, at * settling.scale))
    assert set(found) == {0, 1, 2}
    for body, by in found.items():
        for axis in range(3):
            up = at.copy()
            down = at.copy()
            if not settling.scale[body, axis]:
                continue
            up[body, axis] += 1e-5 / settling.scale[body, axis]
            down[body, axis] -= 1e-5 / settling.scale[body, axis]
            tried = (settling.asides(up)[2] - settling.asides(down)[2]) @ rate / 2e-5
            assert by[axis] == pytest.approx(tried, abs=1e-4)


def test_a_claim_by_its_relation_is_as_measured_as_one_by_coordinates() -> None:
    """At one offset one more model is in contact than a hair beside it: a tape cannot tell."""
    width = 25 / 25.4
    units = {"A": front("blue", FAST), "B": ahead(RANKS, 9.0)}
    for offset, outcome in ((0.0, "success"), (width, "undecided"), (2.5, "not_allowed")):
        claim = {"units": {"A": {"flush_on": {"unit": "B", "offset": offset}}}}
        assert (
            judge(case_from_tables(game("t9a", units, [5], proposal=claim))).outcome == outcome
        ), offset
        exact = {**claim, "accuracy": 0}
        judgement = judge(case_from_tables(game("t9a", units, [5], proposal=exact)))
        assert judgement.outcome == ("not_allowed" if outcome == "not_allowed" else "success")
