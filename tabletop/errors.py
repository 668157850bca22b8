"""What can be wrong with a question: mistakes of the caller and limits of the program, never verdicts."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from tabletop.messages import Message, listed, say, word

UNKNOWN_KEY = "unknown key{hint} (known here: {known})"
UNKNOWN_UNIT = "no unit is called {name}{hint} (units: {units})"
UNKNOWN_NAME = "no {things} is called {name}{hint} (units: {units})"
"""What is wrong where a key, a unit, or one of several kinds of things is named that there is not."""


class TabletopError(Exception):
    """Base of every error that the program raises on purpose."""


@dataclass(frozen=True)
class Fault:
    """One thing wrong in a scenario: the key path where it is, a sentence that says what to do, and the line where that is known.

    `between` names what stands where it must not: two that overlap, or one that reaches beyond the board. `kind` is that of pydantic, which
    found it, of none other.
    """

    key: str
    message: str
    line: int | None = None
    between: tuple[str, ...] = ()
    kind: str = field(default="", compare=False)

    @classmethod
    def of(cls, key: str, template: str, /, *, between: tuple[str, ...] = (), **values: Any) -> "Fault":
        """Return what is wrong at a key, in the words of a template with values filled in."""
        return cls(key, say(template, **values), between=between)

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def sentence(self) -> str:
        """What is wrong and where, as a message."""
        told = say("{key}: {fault}", key=self.key, fault=self.message) if self.key else self.message
        return told if self.line is None else say("line {line}: {fault}", line=self.line, fault=told)


class ScenarioError(TabletopError, ValueError):
    """A scenario that cannot be used; holds every problem found, not only the first.

    `case` is what could be made of it all the same, if its values are such that its table can be shown.
    """

    def __init__(self, problems: Fault | Iterable[Fault], file: str = "", case: Any = None) -> None:
        self.problems = (problems,) if isinstance(problems, Fault) else tuple(problems)
        self.file, self.case = file, case
        told = (problem.sentence for problem in self.problems)
        super().__init__(listed((say("{file}: {fault}", file=file, fault=one) for one in told) if file else told, "\n"))

    def __reduce__(self) -> tuple[type["ScenarioError"], tuple[Any, ...]]:
        return type(self), (self.problems, self.file, self.case)

    def in_file(self, file: str) -> "ScenarioError":
        """Return the same problems with the name of the file in front."""
        return ScenarioError(self.problems, file, self.case)


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Prefix errors raised inside the context with the name of a file, unless they have one."""
    try:
        yield
    except ScenarioError as error:
        raise (error if error.file else error.in_file(file)) from None


class KeyLines(Protocol):
    """The lines of a file on which its keys stand."""

    def told(self, error: ScenarioError) -> ScenarioError:
        """Return the error with the line of each of its keys."""
        ...


class ToldError(TabletopError):
    """An error that says what is wrong in the words of a template with values filled in; without values, in those that are given."""

    def __init__(self, template: str = "", /, **values: Any) -> None:
        super().__init__(say(template, **values) if values else word(template))


class UsageError(ToldError, ValueError):
    """An option or argument that cannot be used."""


class TableError(UsageError):
    """A table of results that was named and is damaged; the message names the file, and the line or row where that shows."""


class NoVerdictError(ToldError, RuntimeError):
    """The program cannot decide this case: not modelled yet, or beyond a limit of time or search size."""


def message_of(error: BaseException) -> str:
    """Return what an error says, as the message that it was raised with."""
    return error.args[0] if error.args and isinstance(error.args[0], Message) else str(error)


OUT_OF_MEMORY = say("there is not enough memory for this")
"""What is said of a `MemoryError`."""


def cause_of(error: Exception) -> str:
    """Return what the machine says is wrong, without its number, or what another error says."""
    told = getattr(error, "strerror", None)
    return word(told) if told else message_of(error)
