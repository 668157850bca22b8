"""What each key of a scenario file means: the strings below the fields of the models, read only when somebody asks."""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise


@cache
def descriptions_of(model: type) -> Mapping[str, str]:
    """Return the descriptions of a model's keys, those that it inherits among them."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        found |= dict(_own(base))
    return found


def _own(model: type) -> Iterator[tuple[str, str]]:
    """Give the keys that a class describes itself; one that was put together at run time has no source, and describes none."""
    try:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(model))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return
    body = tree.body if isinstance(tree, ast.ClassDef) and tree.name == model.__name__ else []
    for field, text in pairwise(body):
        if not (isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr)):
            continue
        if isinstance(text.value, ast.Constant) and isinstance(text.value.value, str):
            yield field.target.id, " ".join(text.value.value.split())
