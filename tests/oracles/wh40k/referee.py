"""Holds what is resolved against a second measurement, and the judge against plans that were spoilt on purpose."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tabletop.asking import judge, resolve
from tabletop.pose import Pose
from tabletop.ruling import Case, Resolution, Ruling, Spot, Step
from tabletop.squads import Formation
from tests.oracles.wh40k import ways
from tests.oracles.wh40k.limits import contacts, engaged, margins, straight
from tests.oracles.wh40k.single import single_way
from tests.oracles.wh40k.table import Discs, Table, ends_of, table_of

ROUNDING = 2e-6
"""Inches of rounding that an answer may have: a limit kept to the tolerance of the rules page may come out at the tolerance."""
BROKEN = 0.01
"""Inches by which a limit must be broken for the judge to have to see it."""
SHIFTS = (0.03, 0.1, 0.4, 1.5)
TRIES = 60


@dataclass(frozen=True)
class Report:
    """What came of a scene in a word, what the second measurement has against it, and how many spoilt plans were judged."""

    outcome: str
    complaints: tuple[str, ...]
    spoilt: int = 0


@dataclass(frozen=True, eq=False)
class Planned:
    """A charge that succeeds, and where its models end."""

    case: Case
    resolution: Resolution
    table: Table
    place: Formation

    @property
    def ruling(self) -> Ruling:
        """The ruling on the charge."""
        return self.resolution.rulings[0]

    @property
    def ends(self) -> Discs:
        """Where the charger's models end."""
        return ends_of(self.table, self.place)

    @property
    def moves(self) -> tuple[Step, ...]:
        """The models' moves, in the order in which they are made."""
        return tuple(step for step in self.ruling.steps if step.kind == "move")


def planned(case: Case, resolution: Resolution) -> Planned:
    """Read the plan of a charge that succeeded."""
    ruling = resolution.rulings[0]
    moves = {step.model or 0: step for step in ruling.steps if step.kind == "move"}
    order, rows = tuple(moves), [moves[number] for number in sorted(moves)]
    place = Formation(tuple(step.end or Pose(0.0, 0.0, 0.0) for step in rows), tuple(step.path[-1][2] for step in rows), order)
    table = table_of(case.state, case.charges[0], float(ruling.metrics["charge_distance"]))
    return Planned(case, resolution, table, place)


def referee(case: Case) -> Report:
    """Resolve a case of one charge, measure its plan, and judge that plan and what is made of it."""
    resolution = resolve(case)
    ruling = resolution.rulings[0]
    wrong = [*_thresholds(ruling), *_with_more(case, ruling)]
    if ruling.outcome != "success":
        table = table_of(case.state, case.charges[0], float(ruling.metrics.get("charge_distance", 0.0)))
        way = single_way(table) if ruling.outcome == "failed" else None
        wrong += [] if way is None else [f"{ruling.rule}, but straight to {way} is a complete plan"]
        return Report(ruling.rule or ruling.outcome, tuple(wrong))
    plan = planned(case, resolution)
    wrong += [*plan_complaints(plan), *_miscounted(plan)]
    accepted = judge(replace(case, proposal={"A": plan.place}), resolution)
    wrong += [] if accepted.outcome == "success" else [f"the judge refuses the plan: {accepted.rule}"]
    spoilt = list(spoilt_plans(plan))
    return Report("success", (*wrong, *_misjudged(plan, spoilt)), len(spoilt))


def _thresholds(ruling: Ruling) -> Iterator[str]:
    needed, distance = ruling.metrics.get("needed", np.inf), ruling.metrics.get("charge_distance")
    if distance is not None and (distance >= needed) != (ruling.outcome == "success"):
        yield f"{ruling.outcome} at {distance}, but needed {needed}"


def _with_more(case: Case, ruling: Ruling) -> Iterator[str]:
    """Roll one more: a charge that succeeds still does, with no fewer models in contact where both numbers are proven."""
    dice = case.charges[0].dice or ()
    total = sum(dice) + 1
    if ruling.outcome == "not_allowed":
        return
    more = resolve(case, dice=[min(6, total - 1), total - min(6, total - 1)]).rulings[0]
    if ruling.outcome == "success" and more.outcome != "success":
        yield f"success, but with one more {more.outcome} by {more.rule}"
    elif ruling.outcome == "success" and more.proof != "best_found":
        first, second = (one.metrics["models_in_base_contact"] for one in (ruling, more))
        if second < first:
            yield f"{first} models in contact, with one more {second}"


def plan_complaints(plan: Planned) -> Iterator[str]:
    """Hold the ends against every limit, and each way against all that hinders it."""
    found = margins(plan.table, plan.ends)
    yield from (f"{name} is broken by {-margin:.7f}" for name, margin in found.items() if margin < -ROUNDING)
    if found["apart"] < ROUNDING / 2:
        yield f"only {found['apart']:.7f} out of the range of no target"
    least = straight(plan.table, plan.ends)
    rows = {number: row for row, number in enumerate(sorted(plan.place.order or ()))}
    for step in plan.moves:
        row, length = rows[step.model or 0], step.length or 0.0
        if not least[row] - ROUNDING <= length <= plan.table.distance + ROUNDING:
            yield f"model {step.model} moves {length:.6f}: straight {least[row]:.6f}, allowed {plan.table.distance}"
        yield from (f"model {step.model}: {text}" for text in _of_way(plan, row, step.path, length))


def _of_way(plan: Planned, row: int, path: tuple[Spot, ...], length: float) -> Iterator[str]:
    ends = [np.array([*one.centres[row], one.heights[row]]) for one in (plan.table.charger, plan.ends)]
    if any(np.abs(end - spot).max() > ROUNDING for end, spot in zip(ends, (path[0], path[-1]), strict=True)):
        yield "its way begins or ends elsewhere"
    yield from ways.complaints(plan.table, row, path, length)


def _miscounted(plan: Planned) -> Iterator[str]:
    metrics, touching = plan.ruling.metrics, contacts(plan.table, plan.ends, slack=ROUNDING)
    numbers = sorted(plan.place.order or ())
    told = sorted(step.model or 0 for step in plan.moves if "wh40k.move.contact" in step.rules)
    if told != [numbers[row] for row in touching] or len(touching) != metrics["models_in_base_contact"]:
        yield f"models {touching} in contact, told {told} and {metrics['models_in_base_contact']}"
    if engaged(plan.table, plan.ends) != metrics["models_engaged"]:
        yield f"{engaged(plan.table, plan.ends)} models engaged, told {metrics['models_engaged']}"


@dataclass(frozen=True)
class Spoilt:
    """A plan with one model moved: what that breaks, or nothing if it must be accepted."""

    place: Formation
    broken: str | None


def spoilt_plans(plan: Planned) -> Iterator[Spoilt]:
    """Move a model of the plan until each limit in reach is broken once; pull one out of contact; hold one back that owes nothing."""
    source = random.Random(1)  # noqa: S311 - scenes, not secrets
    seen: set[str] = set()
    touching = contacts(plan.table, plan.ends, slack=ROUNDING)
    for _ in range(TRIES):
        row, angle, size = source.randrange(len(plan.ends)), source.uniform(-np.pi, np.pi), source.choice(SHIFTS)
        place = _shifted(plan, row, size * np.array([np.cos(angle), np.sin(angle)]))
        broken = _broken(plan, place, row, is_owed=row in touching)
        if broken is not None and broken not in seen:
            seen.add(broken)
            yield Spoilt(place, broken)
    yield from _held_back(plan, touching)


def _shifted(plan: Planned, row: int, shift: np.ndarray) -> Formation:
    pose = plan.place.poses[row]
    return _with(plan, row, Pose(pose.x + float(shift[0]), pose.y + float(shift[1]), pose.heading), plan.place.heights[row])


def _with(plan: Planned, row: int, pose: Pose, height: float) -> Formation:
    poses, heights = list(plan.place.poses), list(plan.place.heights)
    poses[row], heights[row] = pose, height
    return replace(plan.place, poses=tuple(poses), heights=tuple(heights))


def _broken(plan: Planned, place: Formation, row: int, *, is_owed: bool) -> str | None:
    """Name the limit that a place breaks most, or the contact that a model owes: the plan itself shows that it can be had."""
    ends = ends_of(plan.table, place)
    worst, margin = min(margins(plan.table, ends).items(), key=lambda item: item[1])
    if margin <= -BROKEN:
        return worst
    is_off = row not in contacts(plan.table, ends, slack=BROKEN)
    return "contact" if is_owed and is_off else None


def _held_back(plan: Planned, touching: tuple[int, ...]) -> Iterator[Spoilt]:
    """Stop a model that is not in contact a little earlier on its way: harmless where everything still holds with room to spare."""
    if plan.ruling.proof == "best_found":
        return
    rows = {number: row for row, number in enumerate(sorted(plan.place.order or ()))}
    for step in plan.moves:
        row = rows[step.model or 0]
        if row in touching or (step.length or 0.0) < 1.0:
            continue
        (x, y, z), (last_x, last_y, last_z) = step.path[-2:]
        share = min(0.5, 0.05 / max(np.hypot(x - last_x, y - last_y), ROUNDING))
        pose = replace(plan.place.poses[row], x=last_x + share * (x - last_x), y=last_y + share * (y - last_y))
        place = _with(plan, row, pose, last_z)
        if z == last_z and min(margins(plan.table, ends_of(plan.table, place)).values()) >= BROKEN:
            yield Spoilt(place, None)
            return


def _misjudged(plan: Planned, spoilt: list[Spoilt]) -> Iterator[str]:
    for one in spoilt:
        verdict = judge(replace(plan.case, proposal={"A": one.place}), plan.resolution)
        if (verdict.outcome == "success") != (one.broken is None):
            where = [(round(pose.x, 4), round(pose.y, 4)) for pose in one.place.poses]
            yield f"the judge says {verdict.outcome} ({verdict.rule}) of {one.broken or 'a harmless change'}: {where}"
