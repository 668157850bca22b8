"""How figures are to look, in the words of the command line."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plots import Setting


@dataclass(frozen=True)
class FigureWords:
    """The words of --theme, --size, --scale, --language and so on; None where one is left out."""

    theme: str | None = None
    size: str | None = None
    scale: str | None = None
    language: str | None = None
    panel: str | None = None
    bare: bool = False
    text: str | None = None
    dpi: int | None = None
    sheet: str | None = None
    audience: str | None = None

    def checked(self) -> None:
        """Refuse words that mean nothing before anything is resolved; without any, figures need not be loaded yet."""
        if self != PLAIN_WORDS:
            self.setting()

    def setting(self) -> "Setting":
        """Give the setting that the words name.

        Raises
        ------
        UsageError
            If one of them names none.
        """
        import plots

        return plots.setting(**asdict(self))


PLAIN_WORDS = FigureWords()
