"""Deliberate faults: where the program could be wrong by one sign, comparison, number, word or loop, and a fixed sample
of such places.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.provider import OperatorProvider

GEOMETRY = "units geometry/* routes/* table/facing table/hexes table/models table/sight"
LIMITS = {
    "t9a": "aligned book conditions declare judge move resolve roll rules setup solution words",
    "conquest": "alignment book corner declare judge move rules scene search setup words",
    "wh40k": "barricades book conditions declare judge move rules setup statement words",
    "battletech": "book collision conditions declare displacement effects judge move odds rules scene words",
}
EXACT = "contact_packing least_displacement legality line_packing loci problem touching"
"""What in the search for places of loose models is right or wrong; where any plan found is as good as another, nothing
is."""
GROUPS = {
    "geometry": tuple(f"tabletop/{name}.py" for name in GEOMETRY.split()),
    "solvers": (
        "tabletop/fronts/*.py",
        "tabletop/optimise/*.py",
        *(f"tabletop/placement/{name}.py" for name in EXACT.split()),
    ),
    "limits": tuple(
        f"systems/{system}/{name}.py" for system, names in LIMITS.items() for name in names.split()
    ),
}
"""What is tried, by group: patterns of files."""

ARITHMETIC = (
    "Add_Sub Sub_Add Mul_Div Div_Mul FloorDiv_Mul Mod_Add Pow_Mul BitOr_BitAnd BitAnd_BitOr"
)
COMPARISONS = (
    "Lt_LtE LtE_Lt Gt_GtE GtE_Gt Lt_GtE LtE_Gt Gt_LtE GtE_Lt Eq_NotEq NotEq_Eq Is_IsNot IsNot_Is"
)
OPERATORS = (
    *(f"ReplaceBinaryOperator_{swap}" for swap in ARITHMETIC.split()),
    *(f"ReplaceComparisonOperator_{swap}" for swap in COMPARISONS.split()),
    *("ReplaceUnaryOperator_Delete_USub", "ReplaceUnaryOperator_Delete_Not"),
    *(
        "AddNot",
        "ReplaceTrueWithFalse",
        "ReplaceFalseWithTrue",
        "ReplaceAndWithOr",
        "ReplaceOrWithAnd",
    ),
    *(
        "ReplaceBreakWithContinue",
        "ReplaceContinueWithBreak",
        "NumberReplacer",
        "ZeroIterationForLoop",
    ),
)
"""The changes made. Swaps that no number can bear (a float shifted, say) are left out: any test dies of them, which
says nothing."""

EDGES = frozenset(
    f"ReplaceComparisonOperator_{swap}" for swap in ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt")
)
TOLERANCES = re.compile(
    r"\b(CONTACT|FLUSH|HAND|\w+_ROUNDING|REFLEX_AREA|STICKING_OUT|FLAT|LEAST_SQUARE)\b"
)
"""A comparison with a tolerance keeps its edge: only a float that is just the tolerance would tell, and nothing is
promised of that one."""

NOT_RUN = frozenset({"tfpdef", "annassign", "decorator", "import_from", "import_name"})
"""Parts of a module that decide nothing: declared types, decorators, imports."""


@dataclass(frozen=True, order=True)
class Fault:
    """One change of one place: the file within the project, the operator, and which of its occurrences in the file;
    lines count from 1.
    """

    file: str
    operator: str
    occurrence: int
    first: int
    """The line on which the statement begins, or for a compound one its head."""
    line: int
    """The line of the change."""
    name: str
    """What the statement defines if it runs at import, else nothing."""
    key: str
    """What stays the same when other places of the file change."""


@dataclass(frozen=True)
class Change:
    """A fault's effect: the whole source with it, and the first line that differs, without and with it."""

    source: str
    before: str
    after: str


def faults_in(file: str, source: str) -> Iterator[Fault]:
    """Enumerate the faults that a module can have."""
    nodes = list(ast_nodes(get_ast(source)))
    lines = source.splitlines()
    for name in OPERATORS:
        operator = operator_of(name)
        places = ((node, start) for node in nodes for start, _ in operator.mutation_positions(node))
        seen: dict[str, int] = {}
        for occurrence, (node, (line, _)) in enumerate(places):
            key = f"{file} {name} {lines[line - 1].strip()}"
            seen[key] = seen.get(key, 0) + 1
            if _is_run(node) and not (name in EDGES and TOLERANCES.search(node.get_code())):
                first = _first_line(node)
                defined = (
                    re.match(r"\s*(?:def )?(\w+)", lines[first - 1])
                    if _runs_at_import(node)
                    else None
                )
                yield Fault(
                    file,
                    name,
                    occurrence,
                    first,
                    line,
                    defined[1] if defined else "",
                    f"{key} {seen[key]}",
                )


def operator_of(name: str) -> Any:
    """Return the operator of a name."""
    return _provider()[name]()


@cache
def _provider() -> Any:
    return OperatorProvider()


def change_of(fault: Fault, source: str) -> Change:
    """Make the change in the text of the module."""
    mutated = str(mutate_code(source, operator_of(fault.operator), fault.occurrence))
    pairs = zip(source.splitlines(), mutated.splitlines(), strict=False)
    before, after = next(pair for pair in pairs if pair[0] != pair[1])
    return Change(mutated, before.strip(), " ".join(after.split()))


def _is_run(node: Any) -> bool:
    """Return whether a place is computed with: no declared type, no decorator, no check that two sequences are equally
    long.
    """
    above = list(_up(node))
    checks_lengths = any(
        part.type == "argument" and part.children[0].get_code().strip() == "strict"
        for part in above
    )
    return (
        not checks_lengths
        and above[1].type != "parameters"
        and not any(_declares(part, inner) for inner, part in pairwise(above))
    )


def _declares(part: Any, inner: Any) -> bool:
    if part.type == "annassign":
        return inner is part.children[1]
    return part.type in NOT_RUN or (
        part.type == "funcdef" and inner is getattr(part, "annotation", None)
    )


def _runs_at_import(node: Any) -> bool:
    """Return whether a place is outside all bodies of functions: the default of a parameter is."""
    above = list(_up(node))
    pairs = pairwise(above)
    return not any(
        part.type in ("funcdef", "lambdef") and inner is part.children[-1] for inner, part in pairs
    )


def _up(node: Any) -> Iterator[Any]:
    while node is not None:
        yield node
        node = node.parent


def _first_line(node: Any) -> int:
    """Find where the statement, or the head of the compound statement, that holds a place begins."""
    for part in _up(node):
        if part.type in (
            "simple_stmt",
            "if_stmt",
            "for_stmt",
            "while_stmt",
            "funcdef",
            "classdef",
            "with_stmt",
            "try_stmt",
            "match_stmt",
        ):
            return int(part.start_pos[0]) if part.type == "simple_stmt" else int(node.start_pos[0])
    return int(node.start_pos[0])


def files_of(root: Path, group: str) -> tuple[str, ...]:
    """List the files of a group, within the project."""
    found = (
        path
        for pattern in GROUPS[group]
        for path in root.glob(pattern)
        if path.name != "__init__.py"
    )
    return tuple(sorted(path.relative_to(root).as_posix() for path in found))


def sample(faults: Iterable[Fault], count: int, *, skipped: int = 0) -> Sequence[Fault]:
    """Draw so many faults after those skipped: always the same ones, also when other places change."""
    drawn = sorted(faults, key=lambda fault: hashlib.sha256(fault.key.encode()).digest())
    return sorted(drawn[skipped : skipped + count])
