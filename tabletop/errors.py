"""Exceptions for invalid input and for limits of the program; a broken rule is a verdict, not an exception."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from tabletop.messages import Message, listed, say, word

UNKNOWN_KEY = "unknown key{hint} (known here: {known})"
UNKNOWN_UNIT = "no unit is called {name}{hint} (units: {units})"
UNKNOWN_NAME = "no {things} is called {name}{hint} (units: {units})"
"""Templates for an unknown key, an unknown unit, and an unknown name of another kind of thing."""


class TabletopError(Exception):
    """Base of all exceptions that the program raises on purpose."""


@dataclass(frozen=True)
class Fault:
    """A fault in a scenario: the path of its key, a sentence on what to do, and the line of the file if known.

    `between` names the objects involved: two that overlap, or one that reaches beyond the board. `kind` is pydantic's
    error type, empty for faults found elsewhere.
    """

    key: str
    message: str
    line: int | None = None
    between: tuple[str, ...] = ()
    kind: str = field(default="", compare=False)

    @classmethod
    def of(
        cls, key: str, template: str, /, *, between: tuple[str, ...] = (), **values: Any
    ) -> "Fault":
        """Return a fault at the path of a key, its message made from a template and its values."""
        return cls(key, say(template, **values), between=between)

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def sentence(self) -> str:
        """The fault as a message for the user: "line 3: units.A.files: ...", without the line or the key if there is
        none.
        """
        told = say("{key}: {fault}", key=self.key, fault=self.message) if self.key else self.message
        return (
            told if self.line is None else say("line {line}: {fault}", line=self.line, fault=told)
        )


class ScenarioError(TabletopError, ValueError):
    """An invalid scenario, with all its faults.

    `problems` are the faults, `file` is the name of the file, empty if unknown, and `case` the case as far as it could
    be built, if its table can be drawn; else None.
    """

    def __init__(self, problems: Fault | Iterable[Fault], file: str = "", case: Any = None) -> None:
        self.problems = (problems,) if isinstance(problems, Fault) else tuple(problems)
        self.file = file
        self.case = case
        told = (problem.sentence for problem in self.problems)
        super().__init__(
            listed(
                (say("{file}: {fault}", file=file, fault=one) for one in told) if file else told,
                "\n",
            )
        )

    def __reduce__(self) -> tuple[type["ScenarioError"], tuple[Any, ...]]:
        return type(self), (self.problems, self.file, self.case)

    def in_file(self, file: str) -> "ScenarioError":
        """Return the same error with a file name in front of each fault."""
        return ScenarioError(self.problems, file, self.case)


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Add the name of a file to scenario errors raised in a `with` block, unless they have one."""
    try:
        yield
    except ScenarioError as error:
        raise (error if error.file else error.in_file(file)) from None


class KeyLines(Protocol):
    """Protocol of objects that know on which line of a file each key stands."""

    def with_lines(self, error: ScenarioError) -> ScenarioError:
        """Return a scenario error with the line of the file added to each of its faults."""
        ...


class MessageError(TabletopError):
    """Base of exceptions whose message is made from a template and its values, or is a plain text if no values are
    given.
    """

    def __init__(self, template: str = "", /, **values: Any) -> None:
        super().__init__(say(template, **values) if values else word(template))


class UsageError(MessageError, ValueError):
    """An invalid option or argument."""


class TableError(UsageError):
    """A damaged table of results; the message names the file and the line or row."""


class NoVerdictError(MessageError, RuntimeError):
    """A case that the program cannot decide: it is not modelled yet, or a limit of time or search size was reached.

    `report` is the `tabletop.api.Report` of the charges, if they are resolved and only the claim has no verdict.
    """

    report: Any = None


def message_of(error: BaseException) -> str:
    """Return the message of an exception, as a translatable `Message` if it was raised with one, else as plain text."""
    return error.args[0] if error.args and isinstance(error.args[0], Message) else str(error)


OUT_OF_MEMORY = say("there is not enough memory for this")
"""Text for a `MemoryError`."""


def cause_of(error: Exception) -> str:
    """Return why an operation failed: for an operating system's error its text without the number, else the exception's
    message.
    """
    told = getattr(error, "strerror", None)
    return word(told) if told else message_of(error)
