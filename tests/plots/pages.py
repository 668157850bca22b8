"""The pages of bundled scenarios, each laid out once in a process for all tests that look at it."""

from functools import lru_cache

from plots.layout.page import Page, lay_out
from plots.layout.setting import setting
from plots.marks.panels import View
from plots.render.figure import picture
from tabletop.testing.answers import judged, resolved


@lru_cache(maxsize=64)
def page_of(name: str, view: View = "charge", size: str | None = None) -> Page:
    """Return the page of a figure of a bundled scenario, with the judgement of its proposal if it has one."""
    case, resolution = resolved(name)
    return lay_out(
        picture(case, resolution, view=view, judgement=judged(name), setting=setting(size=size))
    )
