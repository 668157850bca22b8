"""Tables for Conquest as its scenario files write them: inches and degrees, stands of 2 in, a board of 72 by 48."""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tabletop.budget import Budget
from tabletop.geometry.pose import Point, Pose
from tabletop.ruling.odds import Odds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.scenario import case_from_text
from tabletop.table.dice import DiceSource

Entry = dict[str, Any]
BASE = "50.8x50.8mm"


def unit(at: Point, facing: float, files: int = 3, *, side: str = "red", **rest: Any) -> Entry:
    """Write a regiment of one rank unless `stands` says otherwise; other keys are those of the file or of its
    profile.
    """
    placed: Entry = {key: rest.pop(key) for key in ("stands", "base", "status") if key in rest}
    profile = {"march": 5, "size": 1, **rest}
    return {
        "side": side,
        "at": list(at),
        "facing_deg": facing,
        "files": files,
        "stands": files,
        "base": BASE,
        **placed,
        "profile": profile,
    }


def charger(at: Point = (20, 10), facing: float = 90, files: int = 3, **rest: Any) -> Entry:
    """Write the charger of the worked examples unless told otherwise."""
    return unit(at, facing, files, **{"side": "blue", **rest})


def box(x: Point, y: Point, *, kind: str = "impassable", name: str = "rock", **rest: Any) -> Entry:
    """Write terrain over the spans x and y."""
    corners = [[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]]
    return {"name": name, "kind": kind, "polygon": corners, **rest}


def scenario(
    units: dict[str, Entry],
    terrain: Sequence[Entry] = (),
    *,
    target: str | Sequence[str] = "B",
    dice: Sequence[int] | None = (3,),
    board: Point = (72, 48),
    charge: Entry | None = None,
    proposal: dict[str, Pose] | None = None,
    **rules: Any,
) -> Entry:
    """Write a file in which A charges; `charge` adds keys to the entry, `rules` are the choices."""
    targets = [target] if isinstance(target, str) else list(target)
    asked = {
        "charger": "A",
        "targets": targets,
        **({} if dice is None else {"dice": list(dice)}),
        **(charge or {}),
    }
    places = {
        name: {"at": list(pose.at), "facing_deg": math.degrees(pose.heading)}
        for name, pose in (proposal or {}).items()
    }
    return {
        "system": "conquest",
        "board": {"width": board[0], "depth": board[1]},
        "rules": rules,
        "units": {"A": charger(), **units},
        "terrain": list(terrain),
        "charges": [asked],
        **({"proposal": {"units": places}} if places else {}),
    }


def case(units: dict[str, Entry], terrain: Sequence[Entry] = (), **rest: Any) -> Case:
    """Read what `scenario` writes."""
    return read(scenario(units, terrain, **rest))


def read(tables: Entry) -> Case:
    """Read a file given as tables."""
    return case_from_text(json.dumps(tables), file="t.json")


def resolve(question: Case, *, flat: Sequence[int] | None = None) -> Resolution:
    """Resolve a case, with a flat list of faces if given."""
    return question.system.resolve(
        question, throws=DiceSource(flat=None if flat is None else tuple(flat)), budget=Budget()
    )


def rule_on(units: dict[str, Entry], terrain: Sequence[Entry] = (), **rest: Any) -> Ruling:
    """Write, read and resolve a file with one charge."""
    return resolve(case(units, terrain, **rest)).rulings[0]


def judge(question: Case) -> Judgement:
    """Resolve a case and judge its proposal."""
    return question.system.judge(question, resolve(question), budget=Budget())


def odds(question: Case) -> Odds:
    """Ask for the odds of a case."""
    return question.system.odds(question, budget=Budget())


def end(question: Case, name: str = "A") -> Pose:
    """Return where a unit stands afterwards."""
    pose: Pose = resolve(question).after.units[name].pose
    return pose


def with_dice(question: Case, *faces: int) -> Case:
    """Return a case of one charge other faces."""
    return replace(question, charges=(replace(question.charges[0], dice=faces),))


def finding(ruling: Ruling | Judgement, rule: str) -> Any:
    """Return the one finding of a rule."""
    found = [item for item in ruling.findings if item.rule == rule]
    assert len(found) == 1, (
        f"{rule} occurs {len(found)} times among {[item.rule for item in ruling.findings]}"
    )
    return found[0]


def has_finding(ruling: Ruling | Judgement, rule: str) -> bool:
    """Return whether a rule is among the findings."""
    return any(item.rule == rule for item in ruling.findings)


def kinds(ruling: Ruling) -> list[str]:
    """Return the kinds of the steps that move something; the declaration is none of them."""
    return [step.kind for step in ruling.steps if step.kind not in ("declare", "roll")]


def metric_keys(ruling: Ruling) -> set[str]:
    """Return the names of a ruling's metrics."""
    return set(ruling.metrics)
