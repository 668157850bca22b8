"""Every length that a figure writes is the length that it draws, over all bundled scenarios."""

import math
import re
from itertools import pairwise

from plots.marks.mark import DimensionLine, DrawnMark, Label
from plots.marks.panels import Panel, charge_panels
from plots.marks.side_view import side_panel
from tabletop.table.hexes import HexBoard
from tabletop.testing.answers import resolved
from tests.bundled import EACH

LENGTH = re.compile(r"(?:^|, |:\s)(\d+(?:\.\d+)?)\s*in\b(?! up| down| ahead)")
LAST_DIGIT = 0.0051


@EACH
def test_a_length_beside_a_line_is_the_lines(name: str) -> None:
    """The number beside a dimension line, a leg or a way is how long that is drawn.

    Limits are named by their radius, wheels of which the way ahead counts by that.
    """
    resolution = resolved(name)[1]
    side = side_panel(resolution)
    panels = [
        *charge_panels(resolution),
        *([side] if side and not isinstance(resolution.before.board, HexBoard) else []),
    ]
    told = [
        (label, length, drawn(owner))
        for panel in panels
        for label, owner in measured(panel)
        for length in lengths(label)
    ]
    assert [
        f"{label.id}: {label.text}"
        for label, length, lines in told
        if not any(abs(line - length) < LAST_DIGIT for line in lines)
    ] == []


@EACH
def test_every_line_of_dimensions_has_its_length(name: str) -> None:
    """No dimension line is without a number."""
    for panel in charge_panels(resolved(name)[1]):
        labelled = {owner.id for label, owner in measured(panel) if lengths(label)}
        assert [
            mark.id
            for mark in panel.marks
            if isinstance(mark, DimensionLine) and mark.id not in labelled
        ] == []


def measured(panel: Panel) -> list[tuple[Label, DrawnMark]]:
    """Return the labels of a panel that name what is drawn, each with that; of several ways of a unit with all of
    them.
    """
    marks = {mark.id: mark for mark in panel.marks}
    labels = [
        mark
        for mark in panel.marks
        if isinstance(mark, Label) and mark.id.endswith(".label") and ".limit" not in mark.id
    ]
    names = {label: label.id.removesuffix(".label") for label in labels}
    pairs = [
        (label, marks.get(name, marks.get(name.rpartition(".")[0])))
        for label, name in names.items()
    ]
    return [(label, owner) for label, owner in pairs if owner is not None]


def lengths(label: Label) -> list[float]:
    """Return the inches that a label writes, without heights; of what decides the first, which others explain."""
    found = [float(length) for length in LENGTH.findall(label.text)]
    return found[:1] if ".deciding" in label.id else found


def drawn(mark: DrawnMark) -> list[float]:
    """Return how long the lines of a mark are."""
    return [sum(math.dist(*leg) for leg in pairwise(line)) for line in mark.polylines()]
