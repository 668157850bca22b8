"""What keeps the models of a unit together, and how far apart that lets them be."""

from dataclasses import dataclass

import numpy as np

from tabletop.geometry.pose import FloatArray


@dataclass(frozen=True)
class Coherency:
    """Each of `count` models has so many `neighbours`: others within ranges in inches across and up and down.

    A unit that must be a `single_group` hangs together as well.
    """

    count: int
    neighbours: int
    horizontal: float
    vertical: float
    single_group: bool

    def margins(self, between: FloatArray, up: FloatArray) -> FloatArray:
        """Measure how far models are within both ranges of others at gaps in inches across, and up and down; negative: outside."""
        return np.minimum(self.horizontal - between, self.vertical - up)

    @property
    def is_one_group(self) -> bool:
        """Whether the unit always hangs together: it is asked of it, or it is too small for two groups."""
        return self.single_group or self.count < 2 * (self.neighbours + 1)

    @property
    def most_links(self) -> float:
        """How many links at most lead from any model to any other; infinite if there may be several groups.

        Where each has a neighbour this is a chain of all. Where each has two, a way of three links or more has beside it a second
        neighbour of its first model and another of its last, so two models at least are not on it; a way of two takes four models.
        """
        if not self.is_one_group:
            return np.inf
        return self.count - 1 if self.neighbours < 2 else max(self.count - 3, self.count // 2)  # noqa: PLR2004

    def span(self, widths: FloatArray) -> float:
        """Return how far apart in inches two models may reach, their own widths (n,) included; infinite in several groups.

        A chain of links takes one model more than it has links, at most the widest.
        """
        if np.isinf(self.most_links):
            return np.inf
        return float(np.sort(widths)[::-1][: int(self.most_links) + 1].sum()) + self.most_links * self.horizontal
