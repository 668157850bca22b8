"""What a ruling says is written for readers: the program does not read its metrics and names of rules back.

What happened is asked of the attempt (`Ruling.attempt`), and a finding is looked up by `Ruling.finding`. The tables
name the modules that may do otherwise, with how often: they only get shorter.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from tests.test_imports import trees

METRICS_READ = {
    # Dice are counted in the report of one charge while it is made.
    "systems.battletech.roll": 1,
    # Texts for people, columns of surveys, and promises that hold what is written.
    "tabletop.cli.first_screen": 1,
    "tabletop.exploring.export": 1,
    "tabletop.testing.invariances": 2,
    "tabletop.testing.promises": 2,
}
RULES_COMPARED = {
    # Findings sorted by a table of rules that the module itself measures.
    "systems.t9a.judge": 1,
    "systems.wh40k.explain": 1,
    "systems.wh40k.judge": 2,
    "systems.wh40k.threat": 1,
}
PARTS = {"endswith", "startswith", "partition", "rpartition", "split", "removeprefix"}


def metrics_read(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield where metrics are read by name: `metrics[...]`, `metrics.get(...)`, `... in metrics`."""
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=value, ctx=ast.Load()) if is_metrics(value):
                yield node
            case ast.Call(func=ast.Attribute(value=value, attr="get")) if is_metrics(value):
                yield node
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[value]) if is_metrics(
                value
            ):
                yield node


def is_metrics(node: ast.AST) -> bool:
    """Return whether an expression is called metrics, alone or of something."""
    return "metrics" in (getattr(node, "id", ""), getattr(node, "attr", ""))


def rules_compared(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield where the name of a rule is compared with a literal or a constant, or taken apart."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=others):
                sides = [left, *others]
                if any(map(is_rule, sides)) and any(map(is_constant, sides)):
                    yield node
            case ast.Call(func=ast.Attribute(value=value, attr=part)) if part in PARTS:
                if is_rule(value):
                    yield node
            case ast.Match(subject=subject) if is_rule(subject):
                yield node


def is_rule(node: ast.AST) -> bool:
    """Return whether an expression is the rule of something, such as `ruling.rule`."""
    return isinstance(node, ast.Attribute) and node.attr == "rule"


def is_constant(node: ast.AST) -> bool:
    """Return whether an expression is a text, a constant by its name, or a collection that has one."""
    match node:
        case ast.Constant(value=value):
            return isinstance(value, str)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.isupper()
        case ast.Set(elts=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            return any(map(is_constant, parts))
    return False


@pytest.mark.parametrize(
    ("search", "allowed"), [(metrics_read, METRICS_READ), (rules_compared, RULES_COMPARED)]
)
def test_what_is_written_for_readers_is_not_read_back(
    search: Callable[[ast.AST], Iterator[ast.AST]], allowed: dict[str, int]
) -> None:
    """Each module does so as often as its table says; one that does so less often gets a smaller number there."""
    places: dict[str, list[int]] = {}
    for name, tree in trees().items():
        for node in search(tree):
            places.setdefault(name, []).append(getattr(node, "lineno", 0))
    counts = {name: len(lines) for name, lines in places.items()}
    unlike = {name for name in {*counts, *allowed} if counts.get(name) != allowed.get(name)}
    assert {name: places.get(name, []) for name in unlike} == {}


def test_the_searches_find_what_they_are_for() -> None:
    """Each way to read back is found once; lookups by the name of a rule that is at hand are not."""
    read = """
one = ruling.metrics["roll"]
two = metrics.get("roll")
three = "roll" not in ruling.metrics
metrics["roll"] = 3
"""
    compared = """
one = ruling.rule == "t9a.range"
two = finding.rule not in ("t9a.range", OTHER)
three = finding.rule.endswith("range")
four = finding.rule == TOTALS_RULE
none = finding.rule == rule or ruling.finding("t9a.range")
"""
    lines = Counter(node.lineno for node in metrics_read(ast.parse(read)))  # type: ignore[attr-defined]
    assert lines == {2: 1, 3: 1, 4: 1}
    lines = Counter(node.lineno for node in rules_compared(ast.parse(compared)))  # type: ignore[attr-defined]
    assert lines == {2: 1, 3: 1, 4: 1, 5: 1}
