"""What can be wrong with a question: mistakes of the caller and limits of the program, never verdicts."""

from collections.abc import Iterable
from dataclasses import dataclass


class TabletopError(Exception):
    """Base of every error that the program raises on purpose."""


@dataclass(frozen=True)
class Fault:
    """One thing wrong in a scenario: the key path where it is, a sentence that says what to do, and the line where that is known."""

    key: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        line = "" if self.line is None else f"line {self.line}: "
        return f"{line}{self.key}: {self.message}" if self.key else f"{line}{self.message}"


class ScenarioError(TabletopError, ValueError):
    """A scenario that cannot be used; holds every problem found, not only the first."""

    def __init__(self, problems: Fault | Iterable[Fault], file: str = "") -> None:
        self.problems = (problems,) if isinstance(problems, Fault) else tuple(problems)
        self.file = file
        super().__init__("\n".join(f"{file}: {problem}" if file else str(problem) for problem in self.problems))

    def in_file(self, file: str) -> "ScenarioError":
        """Give the same problems with the name of the file in front."""
        return ScenarioError(self.problems, file)


class UsageError(TabletopError, ValueError):
    """An option or argument that cannot be used."""


class NoVerdictError(TabletopError, RuntimeError):
    """The program cannot decide this case: not modelled yet, or beyond a limit of time or search size."""
