"""Ablation of the search for loose models: what is lost where a heuristic or a bound is switched off, or a number
changed.

The search as it is and all variants resolve each table one after the other in one process, within the limit of work
alone. `python -m benchmarks.ablation [--sets B,R,S,C] [--every N] [--only NAME ...]` prints a row for each heuristic;
`--halved MODULE.NAME` and `--doubled MODULE.NAME` print one for a number at half or at double. What loses nothing in
any column is superfluous.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple
from unittest import mock

from tabletop.api import resolve
from tabletop.budget import PROOFS
from tabletop.errors import NoVerdictError
from tabletop.placement import bounds, branch_and_bound, construct, improve, search
from tabletop.registry import scenarios
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.scenario import read_case
from tests.oracles.wh40k.scenes import QUICK_THEMES, crowded_case, random_case, small_case

MANY = 7
"""Models of a unit on a crowded table, at least."""

SHOWN = 1e-4
"""Inches by which a total or a range must differ to count."""


def _nothing(*_: object, **__: object) -> Iterator[None]:
    return iter(())


def _none(*_: object, **__: object) -> None:
    return None


def _same(_: object, assignment: object, *__: object) -> object:
    return assignment


Patch = tuple[Any, str, object]
"""What is changed: its owner, its name there, and what stands in for it."""

HEURISTICS: dict[str, Patch] = {
    "around_engagers": (search, "_shared", _nothing),
    "together": (search, "together", _nothing),
    "chained": (search, "chained", _nothing),
    "confined_first": (search, "confined_first", _nothing),
    "joined_groups": (construct, "joined_groups", _same),
    "exchanged": (improve, "exchanged", _same),
    "moved": (improve, "_moved", _same),
    "shifted": (improve, "_shifted", _nothing),
    "beside": (improve, "_beside", _nothing),
    "anew": (improve, "_anew", _nothing),
    "freed": (improve, "_freed", _nothing),
    "polished": (search, "polished", _none),
    "SpanningTrees": (bounds.SpanningTrees, "applies", False),
    "CoherencyBound": (bounds.CoherencyBound, "applies", False),
    "PlaneSearch": (branch_and_bound.PlaneSearch, "applies", False),
    "TurningSearch": (branch_and_bound.TurningSearch, "applies", False),
    "come_closer": (branch_and_bound, "come_closer", lambda _: True),
}
"""What can be switched off, one at a time."""

BASE = "nothing"
COLUMNS = (
    "verdicts",
    "fewer",
    "more",
    "longer",
    "shorter",
    "weaker",
    "stronger",
    "wider",
    "narrower",
)


class Answer(NamedTuple):
    """What a ruling says of a charge: outcome, models that count, their total move, proof, and width of the needed
    distance.
    """

    outcome: str
    counts: tuple[float, ...]
    move: float
    proof: int
    width: float


@dataclass
class Losses:
    """Tables that a variant answers differently from the search as it is, and the seconds of processor time of all."""

    tables: dict[str, list[str]] = field(default_factory=lambda: {column: [] for column in COLUMNS})
    seconds: float = 0.0

    def compare(self, table: str, base: Sequence[Answer], other: Sequence[Answer]) -> None:
        """Add what another search answers differently on a table."""
        if [one.outcome for one in base] != [one.outcome for one in other]:
            self.tables["verdicts"].append(table)
            return
        for one, two in zip(base, other, strict=True):
            moved = two.move - one.move if one.counts == two.counts else 0.0
            changes = {
                "fewer": one.counts > two.counts,
                "more": one.counts < two.counts,
                "longer": moved > SHOWN,
                "shorter": moved < -SHOWN,
                "weaker": two.proof > one.proof,
                "stronger": two.proof < one.proof,
                "wider": two.width > one.width + SHOWN,
                "narrower": two.width < one.width - SHOWN,
            }
            for column, is_changed in changes.items():
                by = f" {moved:+.3f}" if column in {"longer", "shorter"} else ""
                self.tables[column] += [table + by] if is_changed else []

    def __str__(self) -> str:
        cells = "".join(f"{len(names):9}" for names in self.tables.values())
        named = [f"{column}: {', '.join(names)}" for column, names in self.tables.items() if names]
        return f"{cells}{self.seconds:9.1f}   {'; '.join(named)}"


def tables(letters: Iterable[str], every: int) -> Iterator[tuple[str, Case]]:
    """Yield every so many-th table of some sets, with its name."""
    large = [number for number in range(107) if _size(crowded_case(number)) >= MANY]
    makers: dict[str, tuple[Callable[[Any], Case], Sequence[Any]]] = {
        "B": (read_case, [name for name, _ in scenarios("wh40k")]),
        "R": (partial(random_case, themes=QUICK_THEMES), range(3000, 3060)),
        "S": (small_case, range(3000, 3040)),
        "C": (crowded_case, large[:30]),
        "D": (crowded_case, large[30:50]),
    }
    for letter in letters:
        make, names = makers[letter]
        for name in names[::every]:
            yield f"{letter}{name}", make(name)


def _size(case: Case) -> int:
    return len(case.state.units["A"].models)


def answers(case: Case) -> list[Answer]:
    """Return what the search answers about each charge of a table."""
    counted = ["models_in_base_contact"]
    if case.choices.spare_models == "engage":
        counted.append("models_engaged")
    try:
        rulings = resolve(case, contrast=False).rulings
    except NoVerdictError:
        return [Answer("no verdict", (), 0.0, 0, 0.0)]
    return [_answer(ruling, counted) for ruling in rulings]


def _answer(ruling: Ruling, counted: Sequence[str]) -> Answer:
    found = ruling.metrics
    low, high = found.get("needed_distance_range", (0.0, 0.0))
    return Answer(
        ruling.outcome,
        tuple(found.get(name, 0) for name in counted),
        found.get("total_move", 0.0),
        PROOFS.index(ruling.proof),
        0.0 if low == high else high - low,
    )


def scaled(name: str, factor: float) -> list[Patch]:
    """Return what replaces a number, `MODULE.NAME`, by its multiple wherever it is imported; whole ones stay whole."""
    module, own = name.split(".")
    value = vars(import_module(f"tabletop.placement.{module}"))[own]
    owners = [one for key, one in sys.modules.items() if key.startswith("tabletop.placement.")]
    holders = [one for one in owners if vars(one).get(own) is value]
    return [(holder, own, _times(value, factor)) for holder in holders]


def _times(value: Any, factor: float) -> Any:
    """Return a number, or all numbers of a tuple or a dictionary, multiplied."""
    if isinstance(value, tuple):
        return tuple(_times(one, factor) for one in value)
    if isinstance(value, dict):
        return {key: _times(one, factor) for key, one in value.items()}
    return max(1, int(value * factor)) if isinstance(value, int) else value * factor


def measure(
    variants: dict[str, list[Patch]], cases: Iterable[tuple[str, Case]]
) -> dict[str, Losses]:
    """Resolve each table by the search as it is, the first one, and by each variant."""
    losses = {name: Losses() for name in (BASE, *variants)}
    for number, (table, case) in enumerate(cases):
        found = dict[str, list[Answer]]()
        turn = number % len(losses)  # whoever is first fills the caches of the process
        for name in (*losses, *losses)[turn : turn + len(losses)]:
            with ExitStack() as changed:
                for patch in variants.get(name, ()):
                    changed.enter_context(mock.patch.object(*patch))
                started = time.process_time()
                found[name] = answers(case)
                losses[name].seconds += time.process_time() - started
        for name, lost in losses.items():
            lost.compare(table, found[BASE], found[name])
    return losses


def main() -> None:
    """Print a row for each variant asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", default="B,R,S,C", help="of B, R, S, C, D")
    parser.add_argument("--every", type=int, default=1, help="only every so many-th table")
    parser.add_argument("--only", nargs="*", choices=HEURISTICS, help="heuristics switched off")
    parser.add_argument("--halved", nargs="*", default=(), metavar="MODULE.NAME")
    parser.add_argument("--doubled", nargs="*", default=(), metavar="MODULE.NAME")
    given = parser.parse_args()
    is_about_numbers = given.halved or given.doubled
    only = (() if is_about_numbers else HEURISTICS) if given.only is None else given.only
    variants = {name: [HEURISTICS[name]] for name in only}
    variants |= {f"{name} / 2": scaled(name, 0.5) for name in given.halved}
    variants |= {f"{name} x 2": scaled(name, 2.0) for name in given.doubled}
    print(f"{'without':34}{''.join(f'{column:>9}' for column in COLUMNS)}{'CPU (s)':>9}")
    for name, lost in measure(variants, tables(given.sets.split(","), given.every)).items():
        print(f"{name:34}{lost}")


if __name__ == "__main__":
    main()
