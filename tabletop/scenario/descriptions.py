"""What each key of a scenario file means: the strings below the fields of the models, read only when somebody asks."""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

from tabletop.scenario.vocabulary import Entry


@cache
def descriptions_of(model: type[Entry]) -> Mapping[str, str]:
    """Return the descriptions of a model's keys, those that it inherits among them."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__[: model.__mro__.index(Entry)]):
        found |= dict(_own(base))
    return found


def _own(model: type) -> Iterator[tuple[str, str]]:
    """Give the keys that a class describes itself; one that was put together at run time has no source, and describes none."""
    try:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(model))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return
    body = tree.body if isinstance(tree, ast.ClassDef) and tree.name == model.__name__ else []
    for field, following in pairwise(body):
        text = _string(following)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and text is not None:
            yield field.target.id, " ".join(text.split())


def _string(node: ast.stmt) -> str | None:
    is_string = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    return ast.literal_eval(node.value) if is_string else None  # type: ignore[attr-defined]
