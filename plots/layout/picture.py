"""What a page is made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from plots.layout.setting import DEFAULT, Setting
from plots.marks.captions import Badge
from plots.marks.panel import Panel
from tabletop.table.state import Board


@dataclass(frozen=True)
class Picture:
    """What a page is made of; `meanings` are the words of roles that mean something else in each figure.

    The small print stands above the footer: rules and margins, for who wants to look them up. The `inset` is a panel of a section of
    its own, set below the others at their scale; panels `is_abreast` are to be compared and stand beside each other. The `callouts` are
    sentences by the numbers that stand in the panels.
    """

    board: Board
    title: str
    badges: tuple[Badge, ...]
    panels: tuple[Panel, ...]
    caption: tuple[str, ...]
    footer: str
    small_print: str = ""
    most_height: float = 5.6
    meanings: Mapping[str, str] = field(default_factory=dict)
    setting: Setting = DEFAULT
    inset: Panel | None = None
    is_abreast: bool = False
    callouts: Mapping[int, str] = field(default_factory=dict)

    @property
    def everything(self) -> tuple[Panel, ...]:
        """All panels, the inset last."""
        return self.panels if self.inset is None else (*self.panels, self.inset)
