"""Mixins by which answers display themselves in notebooks and convert to tables, with a presenter set from above."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import pandas as pd


class Presenter:
    """The module that presents answers: `load` returns it, and `tabletop/__init__.py`, which always runs first, sets
    `load`.
    """

    load: ClassVar[Callable[[], Any]]


class TableRepr:
    """Mixin for answers, and those to single charges, that convert to dicts and data frames."""

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as a dict of plain values, as `--json` prints it: inches, degrees, chances as fractions and
        as numbers.

        Raises
        ------
        UsageError
            If the answer does not know its case, since none of `tabletop`'s own functions made it.
        """
        tables: dict[str, Any] = Presenter.load().dict_of(self)
        return tables

    def to_pandas(self) -> "pd.DataFrame":
        """Return the answer as a pandas data frame, with a row for each finding, total of a roll, or case of a survey.

        Raises
        ------
        UsageError
            If pandas is not installed.
        """
        return Presenter.load().frame_of(self)


class ImageRepr:
    """Mixin that displays an answer in notebooks as a figure, if it has one; else as text."""

    def _repr_svg_(self) -> str | None:
        data = Presenter.load().picture_of(self, "svg")
        return None if data is None else str(data, "utf-8")

    def _repr_png_(self) -> tuple[bytes, dict[str, int]] | None:
        data = Presenter.load().picture_of(self, "png")
        return None if data is None else (data, Presenter.load().screen_size(data))


class HtmlRepr:
    """Mixin that displays an answer in notebooks as text and a table."""

    def _repr_html_(self) -> str:
        return str(Presenter.load().html_of(self))
