"""The paper that a page is laid out on."""

from collections.abc import Iterator
from dataclasses import dataclass

from plots.layout.setting import Size

MARGIN, STEP = 0.1, 0.2
"""Inches around everything, and the step by which less is enlarged."""


@dataclass(frozen=True)
class Sheet:
    """Paper in inches, before all is enlarged `zoom` times; without a height it is as high as it needs to be."""

    width: float
    height: float | None = None
    zoom: float = 1.0

    @property
    def space(self) -> float:
        """The width between the margins."""
        return self.width - 2 * MARGIN

    @property
    def right(self) -> float:
        """Where the right margin begins."""
        return self.width - MARGIN


def sheets(size: Size) -> Iterator[Sheet]:
    """Give the sheets of a size, from the one that is enlarged most."""
    for number in range(round((size.zoom - 1.0) / STEP), -1, -1):
        zoom = 1.0 + number * STEP
        yield Sheet(size.width / zoom, None if size.height is None else size.height / zoom, zoom)
