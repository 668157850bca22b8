"""The scenario that is varied, and who its cases are: a case's identity is a hash of exactly what matters to its answer."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any

from tabletop.distribution import version
from tabletop.exploring.jitter import JITTER_KEY, Columns, Jitter, placed
from tabletop.exploring.keys import book_numbers, has_relations, with_values
from tabletop.ruling.system import Case
from tabletop.scenario.reading import case_from_tables

_WORDS_ONLY = ("title", "note", "source", "expect", "format")
"""Keys of a file that change no answer."""


@dataclass(frozen=True)
class BaseScenario:
    """A scenario file's tables with what the command line replaces in them, and the faces or the seed of its dice.

    `jitter` says how far off everything stands in the cases of an axis that is called so, `only` which columns are asked for if not
    all.
    """

    tables: Mapping[str, Any]
    keys: tuple[str, ...]
    overrides: tuple[str, ...] = ()
    dice: tuple[int, ...] | None = None
    seed: int = 0
    jitter: Jitter | None = None
    only: tuple[str, ...] = ()

    def case(self, values: Sequence[Any]) -> Case:
        """Give the case in which the varied keys have these values.

        Raises
        ------
        ScenarioError
            If they make a scenario that cannot be.
        """
        told = dict(zip(self.keys, values, strict=True))
        tables = self.tables if self.jitter is None else placed(self.tables, self.jitter, told.pop(JITTER_KEY, 0))[0]
        tables = with_values(tables, tuple(told), tuple(told.values()))
        return case_from_tables(tables, overrides=self.overrides, numbers=book_numbers(self.keys, values))

    @property
    def has_relations(self) -> bool:
        """Whether some unit stands by others, and so moves with them."""
        units = self.tables.get("units", {})
        return any(has_relations(unit) for unit in units.values() if isinstance(unit, Mapping))

    def places(self, values: Sequence[Any]) -> Columns:
        """Give where everything stands in a case in which it stands a little off; nothing where it stands as told."""
        if self.jitter is None:
            return {}
        return placed(self.tables, self.jitter, dict(zip(self.keys, values, strict=True)).get(JITTER_KEY, 0))[1]

    @cached_property
    def _identity(self) -> bytes:
        kept = {key: value for key, value in self.tables.items() if key not in _WORDS_ONLY}
        jitter = None if self.jitter is None else self.jitter.told
        told = [version(), kept, self.keys, self.overrides, self.dice, self.seed, jitter, *self.only]
        return blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=16).digest()

    def key(self, values: Sequence[Any]) -> str:
        """Give the identity of one case: 32 hexadecimal digits."""
        told = json.dumps(list(values)).encode()
        return blake2b(told, digest_size=16, key=self._identity).hexdigest()
