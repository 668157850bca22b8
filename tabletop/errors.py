"""What can be wrong with a question: mistakes of the caller and limits of the program, never verdicts."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol


class TabletopError(Exception):
    """Base of every error that the program raises on purpose."""


@dataclass(frozen=True)
class Fault:
    """One thing wrong in a scenario: the key path where it is, a sentence that says what to do, and the line where that is known.

    `between` names what stands where it must not: two that overlap, or one that reaches beyond the board.
    """

    key: str
    message: str
    line: int | None = None
    between: tuple[str, ...] = ()

    def __str__(self) -> str:
        line = "" if self.line is None else f"line {self.line}: "
        return f"{line}{self.key}: {self.message}" if self.key else f"{line}{self.message}"


class ScenarioError(TabletopError, ValueError):
    """A scenario that cannot be used; holds every problem found, not only the first.

    `case` is what could be made of it all the same, if its values are such that its table can be shown.
    """

    def __init__(self, problems: Fault | Iterable[Fault], file: str = "", case: Any = None) -> None:
        self.problems = (problems,) if isinstance(problems, Fault) else tuple(problems)
        self.file, self.case = file, case
        super().__init__("\n".join(f"{file}: {problem}" if file else str(problem) for problem in self.problems))

    def in_file(self, file: str) -> "ScenarioError":
        """Give the same problems with the name of the file in front."""
        return ScenarioError(self.problems, file, self.case)


class KeyLines(Protocol):
    """The lines of a file on which its keys stand."""

    def told(self, error: ScenarioError) -> ScenarioError:
        """Return the error with the line of each of its keys."""
        ...


class UsageError(TabletopError, ValueError):
    """An option or argument that cannot be used."""


class TableError(UsageError):
    """A table of results that was named and is damaged; the message names the file, and the line or row where that shows."""


class NoVerdictError(TabletopError, RuntimeError):
    """The program cannot decide this case: not modelled yet, or beyond a limit of time or search size."""
