"""Where all models of a charging unit end: some plan, the best plan, and the least distance for which there is one."""

import numpy as np

from systems.wh40k.arena import Arena, Spots
from systems.wh40k.growing import empty, grown, manners
from systems.wh40k.improving import improved, is_better
from systems.wh40k.layout import Layout
from systems.wh40k.questions import Answer, End, Plan, Task
from systems.wh40k.yard import Yard
from tabletop.ruling import Proof
from tabletop.solve.budget import Budget

STARTS = 12
"""Plans that are made from scratch before the best is improved."""


def find(task: Task, *, budget: Budget) -> Answer:
    """Find some plan that keeps the task's conditions, or tell that there is none."""
    return best(task, budget=budget)


def best(task: Task, *, budget: Budget) -> Answer:
    """Find the plan with most contacts, then most models engaged, then least movement."""
    yard = Yard(Arena(task))
    start = _start(yard)
    movable = [mover for mover in range(len(start.placed)) if not start.placed[mover]]
    found: Layout | None = None
    for work, manner in enumerate(manners(STARTS)):
        if budget.is_spent(work):
            break
        layout = grown(yard, start, manner)
        if layout is not None and (found is None or is_better(layout.counts, found.counts)):
            found = layout
    if found is None:
        return Answer(None, "best_found")
    found = improved(yard, found, movable)
    most = _most_contacts(yard)
    contacts = found.counts[0]
    return Answer(_plan(yard, found, most, "exact" if contacts == most else "best_found"), "exact" if contacts == most else "best_found")


def _start(yard: Yard) -> Layout:
    placed: dict[int, tuple[Spots, float]] = {}
    for row, model in enumerate(yard.arena.movers.models):
        end = yard.arena.task.placed.get(model.number)
        if end is not None:
            spot = yard.arena.measured(int(yard.arena.kind_numbers[row]), np.array([end.pose.at]), np.array([end.z]))
            placed[row] = (spot, 0.0)
    return empty(yard, placed)


def _most_contacts(yard: Yard) -> int:
    """Count the models that reach base contact, each looked at alone."""
    return int(np.isfinite(yard.nearest_contact).sum())


def _plan(yard: Yard, layout: Layout, most: int, proof: Proof) -> Plan:
    models = [yard.arena.model_at(row, layout.spots, row) for row in range(len(layout.placed))]
    numbers = [model.number for model in models]
    ends = {model.number: End(model.pose, model.z) for model in models}
    contacts = tuple(number for number, is_touching in zip(numbers, layout.spots.touching, strict=True) if is_touching)
    engaged = tuple(number for number, is_near in zip(numbers, layout.spots.is_engaged, strict=True) if is_near)
    lengths = dict(zip(numbers, layout.lengths.tolist(), strict=True))
    return Plan(ends, lengths, contacts, engaged, most, len(engaged), proof)
