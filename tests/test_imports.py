"""The layout of the house: who may import whom, no circle, and modules of a size to be read."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FORBIDDEN = {"tabletop": {"systems", "plots"}, "systems": {"plots"}, "plots": {"systems"}}
SOLVERS = (
    "tabletop.optimise",
    "tabletop.fronts",
    "tabletop.routes",
    "tabletop.placement",
    "tabletop.settling",
)
HOMES = {"scipy": (*SOLVERS, "tabletop.table.touching"), "matplotlib": ("plots",)}
FRONT = ("tabletop.cli", "tabletop.page", "tabletop.show", "tabletop.testing")
"""The only parts of `tabletop` that import systems and figures, and late."""
PLAIN = {"units", "errors", "messages", "catalogue", "budget", "distribution"}
"""Modules without a room, which every room may import."""
ROOMS = {
    "tabletop.geometry": (),
    "tabletop.optimise": ("geometry",),
    "tabletop.table": ("geometry",),
    "tabletop.fronts": ("geometry", "optimise", "table"),
    "tabletop.routes": ("geometry", "table"),
    "tabletop.placement": ("geometry", "optimise", "table"),
    "tabletop.ruling": ("geometry", "table"),
    "tabletop.settling": ("geometry", "table", "ruling"),
    "tabletop.scenario": ("geometry", "table", "ruling", "settling", "registry"),
    "tabletop.kit": ("geometry", "optimise", "table", "ruling", "scenario"),
    "tabletop.language": ("ruling", "scenario"),
    "tabletop.testing": (
        "geometry",
        "table",
        "ruling",
        "scenario",
        "kit",
        "language",
        "registry",
        "api",
    ),
    "tabletop.exploring": (
        "geometry",
        "table",
        "ruling",
        "settling",
        "scenario",
        "registry",
        "api",
        "atomic",
    ),
    "tabletop.importing": ("table", "ruling", "scenario", "registry"),
    "plots.marks": (),
    "plots.layout": ("marks",),
    "plots.render": ("marks", "layout"),
    "plots.export": ("marks", "layout", "render"),
}
"""The rooms that each room may import beside PLAIN, late imports included."""
SHARED = {
    "book",
    "rules",
    "words",
    "setup",
    "scene",
    "declare",
    "roll",
    "conditions",
    "move",
    "resolve",
    "explain",
    "judge",
    "system",
}
"""The modules that every game has."""
LOADERS = {"tabletop", "plots", "tabletop.api"}
"""The modules that import others of ours by a string: public names on first use, and a game's solver."""
CHECKED = {
    "tabletop.placement.branch_and_bound",
    "tabletop.placement.candidates",
    "tabletop.placement.mandatory_contact",
    "tabletop.routes.configuration_space",
    "tabletop.routes.heights",
    "tabletop.routes.hindrances",
    "tabletop.routes.shortest_path",
}
"""What the oracles of claims and of routes ask for a bound or a route, to check it."""
MOST_STATEMENTS = 500
OVER = {"tabletop.placement.construct": 595, "systems.t9a.combined.search": 545}
"""Statements of the modules that are over the limit; they may only get smaller."""
OURS = ("tabletop", "systems", "plots")
OWN = {*OURS, *sys.stdlib_module_names}
IMPORTED_AS = {"typing-extensions": "typing_extensions", "fonttools": "fontTools"}
BROUGHT = {"pydantic": {"pydantic_core"}, "matplotlib": {"PIL"}, "sphinx": {"docutils"}}
"""Packages that come with a declared one in any of its versions."""


@dataclass(frozen=True)
class Import:
    """One name that a module imports: from which module, whether when it is loaded, and whether for types only."""

    importer: str
    imported: str
    is_late: bool
    is_for_types: bool

    @property
    def package(self) -> str:
        """The package that is imported."""
        return self.imported.partition(".")[0]

    def is_in(self, *rooms: str) -> bool:
        """Return whether the importer is one of some modules or rooms, or stands in one."""
        return any(self.importer == room or self.importer.startswith(f"{room}.") for room in rooms)


@cache
def modules() -> dict[str, Path]:
    """Return the product's modules by their dotted names."""
    files = (
        file.relative_to(ROOT)
        for package in OURS
        for file in sorted((ROOT / package).rglob("*.py"))
    )
    return {
        ".".join(file.with_suffix("").parts).removesuffix(".__init__"): ROOT / file
        for file in files
    }


@cache
def imports() -> tuple[Import, ...]:
    """Return all imports of the product; of a name that is a module, the module."""
    return tuple(one for name, file in modules().items() for one in imports_of(name, file))


def imports_of(name: str, file: Path) -> Iterator[Import]:
    """Return the imports of one module, wherever in its text they stand."""
    tree = ast.parse(file.read_text("utf-8"))
    at_load = set(map(id, tree.body))
    guarded = [
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    for_types = {id(one) for node in guarded for one in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: a relative import"
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            found = [one if one in modules() else str(node.module) for one in whole]
        else:
            continue
        for one in found:
            yield Import(name, one, id(node) not in at_load, id(node) in for_types)


@cache
def trees() -> dict[str, ast.Module]:
    """Return the product's modules as trees, by their dotted names."""
    return {name: ast.parse(file.read_text("utf-8")) for name, file in modules().items()}


def shown(wrong: list[Import]) -> list[str]:
    """Return imports as a failing test is to show them."""
    return sorted({f"{one.importer} imports {one.imported}" for one in wrong})


def test_packages_are_imported_in_one_direction() -> None:
    """Systems and plots build on tabletop and never on each other; in tabletop only the front imports them, and
    late.
    """
    wrong = [one for one in imports() if one.package in FORBIDDEN[one.importer.partition(".")[0]]]
    assert not shown([one for one in wrong if not (one.is_in(*FRONT) and one.is_late)])


def test_heavy_libraries_stay_in_their_rooms() -> None:
    """SciPy is imported only to solve, to route and to place bases in contact, Matplotlib only to draw."""
    assert not shown(
        [one for one in imports() if one.package in HOMES and not one.is_in(*HOMES[one.package])]
    )


def test_the_engine_knows_no_game() -> None:
    """No text in the engine names a game, except the line that registers it and the examples of the help."""
    assert not [
        name
        for name, file in modules().items()
        if name.startswith("tabletop") and "ninth" in file.read_text("utf-8").lower()
    ]


def test_systems_do_not_import_each_other() -> None:
    """Each system stands alone."""
    inner = [
        one
        for one in imports()
        if one.is_in("systems") and one.package == "systems" and one.importer.count(".") >= 2
    ]
    assert inner
    assert not shown(
        [one for one in inner if one.imported.split(".")[1] != one.importer.split(".")[1]]
    )


@pytest.mark.parametrize("system", ["battletech", "conquest", "t9a", "wh40k"])
def test_systems_share_the_names_of_their_modules(system: str) -> None:
    """The same subject stands in a module of the same name in every game."""
    assert {
        name.rpartition(".")[2] for name in modules() if name.startswith(f"systems.{system}.")
    } >= SHARED


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_only_those_below(room: str) -> None:
    """A room imports only the rooms that its line in ROOMS names; values that only types name may stand above."""
    house, own = room.split(".")
    allowed = {own, *ROOMS[room], *PLAIN}
    inner = [
        one
        for one in imports()
        if one.is_in(room) and one.package == house and "." in one.imported and not one.is_for_types
    ]
    assert not shown([one for one in inner if one.imported.split(".")[1] not in allowed])


def test_no_circle_is_imported() -> None:
    """Modules have an order in which each imports only earlier ones, late imports and those for types included."""
    graph: dict[str, set[str]] = {name: set() for name in modules()}
    for one in imports():
        if one.imported in graph and one.imported != one.importer:
            graph[one.importer].add(one.imported)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"imported in a circle: {' <- '.join(error.args[1])}")


def test_no_import_hides_in_a_string() -> None:
    """Only LOADERS import modules of ours by their names as strings, which the other tests do not see."""
    hidden = set()
    for name in trees().keys() - LOADERS:
        for call in ast.walk(trees()[name]):
            if isinstance(call, ast.Call) and "import" in ast.unparse(call.func):
                imported = " ".join(map(ast.unparse, call.args))
                hidden |= {f"{name} imports {imported}" for house in OURS if house in imported}
    assert not hidden


def test_modules_are_of_a_size_to_be_read() -> None:
    """No module has more than 500 statements, a size that does not depend on layout."""
    for name, tree in trees().items():
        statements = sum(isinstance(node, ast.stmt) for node in ast.walk(tree))
        assert statements <= OVER.get(name, MOST_STATEMENTS), name


def test_summaries_fit_on_two_lines() -> None:
    """The first paragraph of a docstring, its summary, has at most two lines."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    too_long = []
    for name, tree in trees().items():
        for node in ast.walk(tree):
            docstring = ast.get_docstring(node) if isinstance(node, documented) else None
            summary = (docstring or "").partition("\n\n")[0]
            if summary.count("\n") > 1:
                too_long.append(f"{name}: {summary.splitlines()[0]}")
    assert not too_long


def test_brute_force_shares_no_code_with_the_solvers() -> None:
    """The oracles import nothing of the solvers, but for what one of them asks and checks."""
    files = (ROOT / "tests" / "oracles").rglob("*.py")
    found = [one for file in files for one in imports_of(f"tests.oracles.{file.stem}", file)]
    assert {one.imported for one in found if one.imported.startswith(SOLVERS)} == CHECKED


def test_what_is_imported_is_declared() -> None:
    """Every package that the product imports is declared, or comes with a declared one in any of its versions."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["explore"], *extras["docs"], *extras["page"]]
    names = {re.split(r"[^\w-]", one)[0] for one in wanted}
    declared = {IMPORTED_AS.get(name, name) for name in names}.union(
        *(BROUGHT.get(name, ()) for name in names)
    )
    assert {one.package for one in imports()} - OWN <= declared
