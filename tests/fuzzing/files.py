"""Scenario files bent in every way: bytes cut and joined, values replaced, tables moved, numbers pushed to where they
hurt.
"""

import copy
import json
import math
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.resources import files
from typing import Any

from tabletop.api import judge, resolve
from tabletop.errors import TabletopError
from tabletop.registry import names, scenarios
from tabletop.ruling.system import Case
from tabletop.scenario import case_from_text

Choose = Callable[[int], int]
"""Gives a number from 0 to below the one it is given: from a random source, or from bytes that a fuzzer steers."""
Room = tuple[Any, Any]
"""A table or list, and the key or index of something in it."""

SEEDS = tuple(
    files(f"systems.{system}").joinpath("scenarios", f"{name.partition('/')[2]}.toml").read_bytes()
    for system in names()
    for name, _ in scenarios(system)
)
MOST_EDITS = 5
MARKS = (
    b"[",
    b"]",
    b"[[",
    b"{",
    b"}",
    b'"',
    b'"""',
    b"'''",
    b"=",
    b".",
    b",",
    b"\n",
    b"#",
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\\u0000",
)
WORDS = tuple(b"nan inf -0 1e400 1e-320 0x true 1979-05-27T07:32:00Z".split())
TOKENS = (*MARKS, *WORDS, b"9" * 400, b"[" * 40, b"a." * 40, b"a.b.c.d = 1\n")
TEXTS: tuple[Any, ...] = ("", " ", "A", "x" * 5000, "\u202e", "\x07", "\ud800")
ROOMS: tuple[Any, ...] = ([], [[]], {}, {"": 0}, {"at": {}}, [0] * 600)
COUNTS = (0, -1, 1, 2, 6, 7, 13, 100, 2**31, 2**63, -(2**64), 10**400)
LENGTHS = (
    0.5,
    -0.5,
    1e-9,
    -1e-9,
    1e-300,
    1e9,
    1e300,
    math.nan,
    math.inf,
    -math.inf,
    360.0,
    9999.0,
    10000.0,
)
ODD: tuple[Any, ...] = (None, True, False, *TEXTS, *ROOMS, *COUNTS, *LENGTHS)
LARGEST = sys.float_info.max
FACTORS = (0.0, -1.0, 0.5, 2.0, 1e-6, 1e-3, 1e3, 1.0 + 1e-9, 1.0 - 1e-6)


def bent_bytes(choose: Choose) -> bytes:
    """Cut, repeat and fill up the bytes of a bundled file."""
    data = SEEDS[choose(len(SEEDS))]
    for _ in range(1 + choose(MOST_EDITS)):
        start = choose(len(data) + 1)
        end = min(len(data), start + choose(40))
        put = (b"", TOKENS[choose(len(TOKENS))], bytes([choose(256)]), data[start:end] * 2)[
            choose(4)
        ]
        data = data[:start] + put + data[end:]
    return data


def bent_tables(choose: Choose) -> str:
    """Replace, take away, scale and move entries of a bundled file, and write it as JSON."""
    tables = tomllib.loads(SEEDS[choose(len(SEEDS))].decode())
    for _ in range(1 + choose(MOST_EDITS)):
        rooms = list(_rooms(tables))
        if rooms:
            _bend(rooms, choose)
    return json.dumps(tables)


def _rooms(value: Any) -> Iterator[Room]:
    entries = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in list(entries):
        yield value, key
        yield from _rooms(item)


def _bend(rooms: list[Room], choose: Choose) -> None:
    room, key = rooms[choose(len(rooms))]
    other, name = rooms[choose(len(rooms))]
    kind = choose(6)
    value = room[key]
    if kind == 0:
        del room[key]
    elif kind == 1:
        room[key] = copy.deepcopy(ODD[choose(len(ODD))])
    elif kind == 2 and isinstance(value, (int, float)) and not abs(value) > LARGEST:
        room[key] = value * FACTORS[choose(len(FACTORS))]
    elif kind == 3:
        room[key] = copy.deepcopy(other[name])
    elif kind == 4 and isinstance(room, dict):
        room[f"{key}{choose(10)}"] = copy.deepcopy(value)
    elif isinstance(value, list):
        value.extend(copy.deepcopy(value))


def read(text: str | bytes) -> Case | None:
    """Read a file; None if it is refused as a file may be. Whatever else goes wrong is a bug."""
    with suppress(TabletopError):
        return case_from_text(
            text if isinstance(text, str) else text.decode("utf-8", "surrogateescape")
        )
    return None


def settle(case: Case, *, seconds: float) -> None:
    """Resolve a case and judge its proposal, within a time; a refusal is an answer too."""
    with suppress(TabletopError):
        resolution = resolve(case, max_seconds=seconds)
        if case.proposal is not None:
            judge(case, resolution, max_seconds=seconds)
