"""Who may import whom."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted(file.relative_to(ROOT) for package in ("tabletop", "systems", "plots") for file in (ROOT / package).rglob("*.py"))
FORBIDDEN = {"tabletop": {"systems", "plots"}, "systems": {"plots"}, "plots": {"systems"}}
SOLVERS = tuple(Path("tabletop", room) for room in ("optimise", "fronts", "routes", "placement", "settling"))
HOMES = {"scipy": SOLVERS, "matplotlib": (Path("plots"),)}
OWN = {"tabletop", "systems", "plots", *sys.stdlib_module_names}
IMPORTED_AS = {"typing-extensions": "typing_extensions", "fonttools": "fontTools"}
BROUGHT = {"pydantic": {"pydantic_core"}, "matplotlib": {"PIL"}, "sphinx": {"docutils"}}
"""Packages that one that is declared cannot do without."""
FRONTS = (Path("tabletop/cli"), Path("tabletop/page"), Path("tabletop/show.py"), Path("tabletop/testing"))
ROOMS = {
    "tabletop/geometry": (),
    "tabletop/optimise": ("geometry",),
    "tabletop/table": ("geometry",),
    "tabletop/fronts": ("geometry", "optimise", "table"),
    "tabletop/routes": ("geometry", "table"),
    "tabletop/placement": ("geometry", "optimise", "table"),
    "tabletop/ruling": ("geometry", "table"),
    "tabletop/settling": ("geometry", "table", "ruling"),
    "tabletop/kit": ("geometry", "optimise", "table", "ruling", "scenario"),
    "tabletop/testing": ("geometry", "table", "ruling", "scenario", "kit", "registry", "asking"),
    "tabletop/scenario": ("geometry", "table", "ruling", "settling", "registry"),
    "tabletop/exploring": ("geometry", "table", "ruling", "settling", "scenario", "registry", "asking", "atomic"),
    "tabletop/importing": ("table", "ruling", "scenario", "registry"),
    "plots/marks": (),
    "plots/layout": ("marks",),
    "plots/render": ("marks", "layout"),
    "plots/export": ("marks", "layout", "render"),
}
"""What each room may touch of its own house, beside what has no room: units, errors, words, budget and what it is installed as."""
SHARED = {
    "book",
    "rules",
    "words",
    "looks",
    "setup",
    "scene",
    "declare",
    "roll",
    "conditions",
    "move",
    "resolve",
    "explain",
    "deciding",
    "judge",
    "odds",
    "system",
}
"""The rooms that every game has."""
PLAIN = {"units", "errors", "words", "budget", "distribution"}
SEARCHES = ("tabletop.optimise", "tabletop.fronts", "tabletop.placement")


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." if node.level else str(node.module)


def _packages(file: Path, *, at_top: bool = False) -> set[str]:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    nodes = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))] if at_top else [tree]
    return {name.partition(".")[0] for node in nodes for name in _imports(node)}


@pytest.mark.parametrize("file", MODULES, ids=str)
def test_packages_are_imported_in_one_direction(file: Path) -> None:
    """Systems and plots build on tabletop and never on each other; in tabletop only the front may import them, and late."""
    is_front = any(file.is_relative_to(front) for front in FRONTS)
    assert not _packages(file, at_top=is_front) & FORBIDDEN[file.parts[0]]


@pytest.mark.parametrize("file", MODULES, ids=str)
def test_heavy_libraries_stay_in_their_rooms(file: Path) -> None:
    """SciPy is imported only to solve and to route, matplotlib only to draw."""
    for library, homes in HOMES.items():
        assert library not in _packages(file) or any(file.is_relative_to(home) for home in homes)


@pytest.mark.parametrize("file", [file for file in MODULES if file.parts[0] == "tabletop"], ids=str)
def test_the_engine_knows_no_game(file: Path) -> None:
    """Nothing in the engine speaks of one game, except the line that registers it and the examples of the help."""
    text = (ROOT / file).read_text("utf-8").lower()
    assert "ninth" not in text


def test_other_systems_are_not_imported_by_a_system() -> None:
    """Each system stands alone."""
    for file in (file for file in MODULES if file.parts[0] == "systems" and len(file.parts) > 2):
        names = set(_imports(ast.parse((ROOT / file).read_text("utf-8"))))
        assert all(name.startswith(f"systems.{file.parts[1]}") for name in names if name.startswith("systems"))


def _modules_at_top(file: Path) -> set[str]:
    """Name the modules of this project that a module imports when it is itself imported."""
    names = {".".join(module.with_suffix("").parts).removesuffix(".__init__") for module in MODULES}
    found = set()
    for node in ast.parse((ROOT / file).read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            inner = {f"{node.module}.{alias.name}" for alias in node.names} & names
            found |= inner or ({node.module} & names)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & names
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_touch_only_those_below(room: str) -> None:
    """Each room of the house is built on the ones that its line names, and on no other."""
    house, own = room.split("/")
    for file in (file for file in MODULES if file.is_relative_to(room)):
        touched = {name.split(".")[1] for name in _modules_at_top(file) if name.split(".")[0] == house and "." in name}
        assert touched <= {own, *ROOMS[room], *PLAIN}, file


@pytest.mark.parametrize("system", ["battletech", "conquest", "t9a", "wh40k"])
def test_systems_share_the_names_of_their_rooms(system: str) -> None:
    """Who knows one game finds his way in the others."""
    assert {file.stem for file in MODULES if file.parent == Path("systems", system)} >= SHARED


def test_no_circle_is_imported() -> None:
    """Modules can be put in an order in which each imports only earlier ones."""
    graph = {".".join(file.with_suffix("").parts).removesuffix(".__init__"): _modules_at_top(file) for file in MODULES}
    assert len(list(TopologicalSorter(graph).static_order())) == len(graph)


def test_modules_are_of_a_size_to_be_read() -> None:
    """No module has 400 lines."""
    assert all(len((ROOT / file).read_text("utf-8").splitlines()) < 400 for file in MODULES)


def test_brute_force_shares_no_code_with_the_solvers() -> None:
    """What is held against the solvers takes nothing from them but the budget with which they are asked."""
    for file in (ROOT / "tests" / "oracles").rglob("*.py"):
        names = set(_imports(ast.parse(file.read_text("utf-8"))))
        assert {name for name in names if name.startswith("tabletop.solve")} <= {"tabletop.budget"}


def test_what_is_imported_is_declared() -> None:
    """Every package that the program imports is one that it asks for, or that comes with one in any of its versions."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["explore"], *extras["docs"], *extras["page"]]
    names = {re.split(r"[^\w-]", one)[0] for one in wanted}
    declared = {IMPORTED_AS.get(name, name) for name in names}.union(*(BROUGHT.get(name, ()) for name in names))
    assert {package for file in MODULES for package in _packages(file)} - OWN <= declared
