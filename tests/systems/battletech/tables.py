"""Tables of BattleTech as files would write them: units, terrain, charges, and their rulings."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.api import odds as odds_of
from tabletop.api import resolve as resolved
from tabletop.ruling.finding import Finding
from tabletop.ruling.odds import ChargeOdds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.scenario import case_from_text, result

Entry = dict[str, Any]


def unit(
    place: str,
    facing: str = "N",
    *,
    side: str = "red",
    tons: int | None = 60,
    status: Sequence[str] = (),
    **profile: Any,
) -> Entry:
    """Write a unit; a 'Mech of 60 tons unless said."""
    weight = {} if tons is None else {"tons": tons}
    return {
        "side": side,
        "hex": place,
        "facing": facing,
        "status": list(status),
        "profile": {"type": "mech", **weight, **profile},
    }


def charger(place: str, facing: str = "N", **keys: Any) -> Entry:
    """Write a unit of the charger's side."""
    return unit(place, facing, **{"side": "blue", **keys})


def terrain(kind: str, *hexes: str, **keys: Any) -> Entry:
    """Write a piece of terrain, named after its kind and first hex."""
    return {"name": f"{kind} {hexes[0]}", "kind": kind, "hexes": list(hexes), **keys}


def charge(
    hexes_moved: int | None = None,
    *,
    movement: str | None = None,
    who: str = "A",
    whom: str = "B",
    **keys: Any,
) -> Entry:
    """Write a charge; with `hexes_moved` the charger stands before its target already, after a run unless said."""
    moved = {} if hexes_moved is None else {"hexes_moved": hexes_moved, "movement": "run"}
    how = {} if movement is None else {"movement": movement}
    return {"charger": who, "targets": [whom], **moved, **how, **keys}


def table(
    units: Mapping[str, Entry],
    *charges: Entry,
    ground: Sequence[Entry] = (),
    rules: Mapping[str, Any] | None = None,
    **board: Any,
) -> Case:
    """Read a table of 15 by 17 hexes as a file would be."""
    text = {
        "system": "battletech",
        "board": {"columns": 15, "rows": 17, **board},
        "units": dict(units),
        "terrain": list(ground),
        "rules": dict(rules or {}),
        "charges": list(charges),
    }
    return case_from_text(json.dumps(text))


def resolve(case: Case, *, seed: int = 0) -> Resolution:
    """Resolve a case."""
    return resolved(case, seed=seed)


def ruling(case: Case, *, seed: int = 0) -> Ruling:
    """Resolve a case and give its last ruling."""
    return resolve(case, seed=seed).rulings[-1]


def after(case: Case, *, seed: int = 0) -> dict[str, tuple[str, str, list[str]]]:
    """Resolve a case and give hex, facing and status of its units afterwards."""
    units = result(case, resolve(case, seed=seed))["after"]["units"]
    return {
        name: (entry["hex"], entry["facing"], entry.get("status", []))
        for name, entry in units.items()
    }


def odds(case: Case) -> ChargeOdds:
    """Return the odds of the last charge of a case."""
    return odds_of(case).charges[-1]


def shown(ruling_: Ruling, *names: str) -> dict[str, Any]:
    """Return some metrics of a ruling; those left out are not there."""
    return {name: ruling_.metrics[name] for name in names if name in ruling_.metrics}


def refusals(case: Case) -> list[str]:
    """Return the rules that refuse the last charge of a case, without the system's name; none if it may be declared."""
    return [name.removeprefix("battletech.") for name in ruling(case).metrics.get("refusals", ())]


def findings(ruling_: Ruling, rule: str) -> list[Finding]:
    """Return what a ruling found of one rule."""
    return [finding for finding in ruling_.findings if finding.rule == rule]


def finding(ruling_: Ruling, rule: str) -> Finding:
    """Return the one thing that a ruling found of a rule."""
    (only,) = findings(ruling_, rule)
    return only
