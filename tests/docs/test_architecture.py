"""The page of the house: every module has its line there, the first paragraph of its docstring.

`pytest tests/docs/test_architecture.py --update-golden` rewrites the lines.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "architecture.md"
HEAD = "## Modules\n\n"


def lines() -> Iterator[str]:
    """Return a heading for each room and a line for each of its modules."""
    rooms: dict[Path, list[Path]] = defaultdict(list)
    for package in ("tabletop", "systems", "plots"):
        for file in sorted((ROOT / package).rglob("*.py")):
            if file.stem not in ("__init__", "__main__"):
                rooms[file.parent].append(file)
    for room, files in rooms.items():
        about = subject(room / "__init__.py")
        yield f"### {room.relative_to(ROOT).as_posix()}\n\n{about}\n"
        yield "\n".join(f"- `{file.stem}`: {subject(file)}" for file in files) + "\n"


def subject(file: Path) -> str:
    """Return the first paragraph of a module's docstring, on one line."""
    told = ast.get_docstring(ast.parse(file.read_text("utf-8")))
    assert told, f"{file} has no docstring"
    return " ".join(told.partition("\n\n")[0].split()).replace("|", "\\|").replace("<", "&lt;")


def test_every_module_has_its_line(request: pytest.FixtureRequest) -> None:
    """The page lists the modules as they are."""
    text = PAGE.read_text("utf-8")
    head, found, _ = text.partition(HEAD)
    assert found
    expected = head + HEAD + "\n".join(lines())
    if request.config.getoption("--update-golden"):
        PAGE.write_text(expected, "utf-8")
    assert PAGE.read_text("utf-8") == expected, (
        "run: python -m pytest tests/docs/test_architecture.py --update-golden"
    )
