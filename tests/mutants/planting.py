"""Replace a module by a mutated one within this process; the files on disk stay unchanged."""

import gc
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from inspect import CO_OPTIMIZED
from types import CodeType, FunctionType, ModuleType

PROGRAM = ("tabletop", "systems", "plots", "tests")
"""Packages imported anew for a fault in what runs at import."""

Functions = dict[tuple[str, str, int], list[FunctionType]]
"""The living functions by file, qualified name and first line."""


def living_functions() -> Functions:
    """Find the functions that exist in this process."""
    found: Functions = {}
    for value in gc.get_objects():
        if isinstance(value, FunctionType):
            code = value.__code__
            found.setdefault((code.co_filename, code.co_qualname, code.co_firstlineno), []).append(
                value
            )
    return found


def swapped(file: str, source: str, mutated: str, functions: Functions) -> bool:
    """Replace the code of live functions of a file; return False if the changed code runs only at import."""
    pairs = list(_changed(compile(source, file, "exec"), compile(mutated, file, "exec")))
    living = [functions.get((file, old.co_qualname, old.co_firstlineno), []) for old, _ in pairs]
    if any(_runs_at_import(old) and _differs(old, new) for old, new in pairs):
        return False
    outer = [
        (new, found)
        for (old, new), found in zip(pairs, living, strict=True)
        if not _runs_at_import(old)
    ]
    if not any(found for _, found in outer) or any(
        new.co_freevars != one.__code__.co_freevars for new, found in outer for one in found
    ):
        return False
    for new, found in outer:
        for function in found:
            function.__code__ = new
    return True


def _changed(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Walk both modules side by side: pieces of code that differ, or hold one that does."""
    inner = [
        pair
        for pair in zip(_parts(old), _parts(new), strict=False)
        if any(True for _ in _changed(*pair))
    ]
    if inner or _differs(old, new):
        yield old, new
    for pair in inner:
        yield from _changed(*pair)


def _parts(code: CodeType) -> Sequence[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _differs(old: CodeType, new: CodeType) -> bool:
    def facts(code: CodeType) -> tuple[object, ...]:
        constants = [
            repr(constant) for constant in code.co_consts if not isinstance(constant, CodeType)
        ]
        return code.co_code, constants, code.co_names, code.co_varnames, len(_parts(code))

    return facts(old) != facts(new)


def _runs_at_import(code: CodeType) -> bool:
    return not code.co_flags & CO_OPTIMIZED


@dataclass(frozen=True)
class Planted(MetaPathFinder, Loader):
    """Finds one module, and runs other source for it."""

    name: str
    file: str
    source: str

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find the one module."""
        del path, target
        return (
            spec_from_file_location(fullname, self.file, loader=self)
            if fullname == self.name
            else None
        )

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source."""
        exec(compile(self.source, self.file, "exec"), module.__dict__)  # noqa: S102 - a module is run, as every loader does


def import_anew(planted: Planted) -> None:
    """Forget the program and its tests, and import the changed module.

    At once: pytest itself finds the modules that it is to collect, doctests among them, and would find the sound one.
    """
    sys.meta_path.insert(0, planted)
    for name in [
        name
        for name in sys.modules
        if name.partition(".")[0] in PROGRAM and not name.startswith("tests.mutants")
    ]:
        del sys.modules[name]
    import_module(planted.name)
