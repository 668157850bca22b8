"""Tables of loose models for tests: units on inch-wide bases by name, everything shifted well onto the board."""

from typing import Any

from tabletop.api import judge, odds, resolve
from tabletop.ruling.odds import ChargeOdds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.scenario.reading import case_from_tables

SHIFT = 20.0
INCH = "25.4mm round"
Spots = list[tuple[float, ...]]


def unit(candidates: Spots, *, side: str = "red", base: str = INCH, **more: Any) -> dict[str, Any]:
    """Make a unit of models at places relative to (20, 20); `keywords`, `movement` and the like go into its profile."""
    profile = {
        key: more.pop(key)
        for key in ("keywords", "movement", "charge_bonus", "pivot", "height")
        if key in more
    }
    return {
        "side": side,
        "base": base,
        "at": placed(candidates),
        **({"profile": profile} if profile else {}),
        **more,
    }


def placed(candidates: Spots) -> list[list[float]]:
    """Shift places onto the board."""
    return [[spot[0] + SHIFT, spot[1] + SHIFT, *spot[2:]] for spot in candidates]


def piece(
    kind: str, west: float, south: float, east: float, north: float, **more: Any
) -> dict[str, Any]:
    """Make a rectangular piece of terrain, its corners relative to (20, 20)."""
    corners = [(west, south), (east, south), (east, north), (west, north)]
    return {
        "name": more.pop("name", kind.capitalize()),
        "kind": kind,
        "polygon": placed([*corners]),
        **more,
    }


def table(
    a: dict[str, Any],
    others: dict[str, dict[str, Any]],
    *,
    total: int = 7,
    targets: tuple[str, ...] = ("T",),
    terrain: tuple[dict[str, Any], ...] = (),
    proposal: dict[str, Any] | None = None,
    rules: dict[str, Any] | None = None,
    **charge: Any,
) -> dict[str, Any]:
    """Make the tables of a file in which A charges; faces that sum to `total`, unless `dice` are given."""
    first = min(6, total - 1)
    charge = {"charger": "A", "targets": list(targets), "dice": [first, total - first], **charge}
    return {
        "system": "wh40k",
        "rules": {"spare_models": "stay", **(rules or {})},
        "board": {"width": 60, "depth": 60},
        "terrain": list(terrain),
        "units": {"A": {**a, "side": "blue"}, **others},
        "charges": [charge],
        **({} if proposal is None else {"proposal": {"units": {"A": proposal}}}),
    }


def case(*args: Any, **more: Any) -> Case:
    """Read the case of a table."""
    return case_from_tables(table(*args, **more))


def resolution(*args: Any, **more: Any) -> Resolution:
    """Resolve the case of a table."""
    return resolve(case(*args, **more))


def ruling(*args: Any, **more: Any) -> Ruling:
    """Return the ruling on A's charge."""
    return resolution(*args, **more).rulings[0]


def ends(*args: Any, **more: Any) -> list[tuple[float, ...]]:
    """Return where A's models end, relative to (20, 20), with their height."""
    squad = resolution(*args, **more).after.units["A"]
    return [(model.pose.x - SHIFT, model.pose.y - SHIFT, model.z) for model in squad.models]


def verdict(
    candidates: Spots,
    *args: Any,
    order: list[int] | None = None,
    facing: float | None = None,
    **more: Any,
) -> Judgement:
    """Judge ends that are claimed for A's models, relative to (20, 20), all looking `facing` degrees from +x if that is
    claimed too.
    """
    claimed = {
        "at": placed(candidates),
        **({} if order is None else {"order": order}),
        **({} if facing is None else {"facing_deg": facing}),
    }
    return judge(case(*args, proposal=claimed, **more))


def chances(*args: Any, **more: Any) -> ChargeOdds:
    """Return the odds of A's charge."""
    return odds(case(*args, **more)).charges[0]
