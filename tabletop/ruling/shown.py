"""Values that show themselves in notebooks, and hand themselves over as plain tables: how is looked up only when one is asked."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


class Tabular:
    """Hands itself over to other programs."""

    def to_dict(self) -> dict[str, Any]:
        """Return what `--json` prints, as plain tables: inches, degrees, chances as fractions and as numbers.

        Raises
        ------
        UsageError
            If it does not know the case that was asked: it was not made by `tabletop`'s own functions.
        """
        from tabletop.show import dict_of

        return dict_of(self)

    def to_pandas(self) -> "pd.DataFrame":
        """Return a data frame, a row for each finding, total of a roll, or case; it needs pandas.

        Raises
        ------
        UsageError
            If pandas is not installed.
        """
        from tabletop.show import frame_of

        return frame_of(self)


class Pictured:
    """Shows itself as a figure in notebooks, where there is one; else as its text."""

    def _repr_svg_(self) -> str | None:
        from tabletop.show import picture_of

        data = picture_of(self, "svg")
        return None if data is None else data.decode()

    def _repr_png_(self) -> tuple[bytes, dict[str, int]] | None:
        from tabletop.show import picture_of, screen_size

        data = picture_of(self, "png")
        return None if data is None else (data, screen_size(data))


class Told:
    """Shows itself as words and a table in notebooks."""

    def _repr_html_(self) -> str:
        from tabletop.show import html_of

        return html_of(self)
