"""Values that show themselves in notebooks: how is looked up only when one is shown."""


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
