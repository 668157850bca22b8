"""Where all models of a charging unit end: some plan, the best plan, and the least distance for which there is one."""

from systems.wh40k.arena import Arena
from systems.wh40k.bounds import most_contacts
from systems.wh40k.growing import grown, manners
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
    start = yard.start
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
    most = most_contacts(yard)
    contacts = found.counts[0]
    return Answer(_plan(yard, found, most, "exact" if contacts == most else "best_found"), "exact" if contacts == most else "best_found")


def _plan(yard: Yard, layout: Layout, most: int, proof: Proof) -> Plan:
    models = [yard.arena.model_at(row, layout.spots, row) for row in range(len(layout.placed))]
    numbers = [model.number for model in models]
    ends = {model.number: End(model.pose, model.z) for model in models}
    contacts = tuple(number for number, is_touching in zip(numbers, layout.spots.touching, strict=True) if is_touching)
    engaged = tuple(number for number, is_near in zip(numbers, layout.spots.is_engaged, strict=True) if is_near)
    lengths = dict(zip(numbers, layout.lengths.tolist(), strict=True))
    return Plan(ends, lengths, contacts, engaged, most, len(engaged), proof)
