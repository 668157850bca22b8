"""Figures as files: those that the command `draw` writes, byte for byte."""

import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from tabletop import asking
from tabletop.errors import UsageError
from tabletop.page.options import Options
from tabletop.page.places import moved_places
from tabletop.page.reply import Reply
from tabletop.ruling.verdict import Resolution
from tabletop.scenario.reading import case_from_tables, read_case
from tabletop.scenario.sources import bundled_names
from tabletop.words import listed, nearest, shown

MEDIA = {
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "png": "image/png",
    "webp": "image/webp",
    "gif": "image/gif",
    "html": "text/html; charset=utf-8",
}
MOVING = ("gif", "html")
LONGEST_NAME = 60


def drawn(tables: dict[str, Any], options: Options) -> Reply:
    """Return the figure of a scenario as a file of the format that is asked for.

    Raises
    ------
    UsageError
        If an option means nothing, or the figure does not fit.
    ScenarioError, NoVerdictError
        As resolving does.
    """
    import plots

    kind = options.text("format") or "svg"
    if kind not in MEDIA:
        raise UsageError(f"options: format: expected {listed(MEDIA)}, given {shown(kind)}{nearest(kind, MEDIA)}")
    view = _view(options)
    words = {key: options.text(key) for key in ("theme", "size", "scale", "panel", "text", "sheet", "audience")}
    language, is_bare, dpi = options.text("language"), options.truth("bare", default=False), options.whole("dpi", None)
    dice, seed, overrides, seconds = options.faces("dice"), options.whole("seed", 0) or 0, options.texts("set"), options.seconds()
    options.close()
    _refuse_file(language)
    setting = plots.setting(**words, language=language, bare=is_bare, dpi=dpi)
    case = case_from_tables(tables, overrides=overrides)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"figure.{kind}")
        if kind in MOVING and view != "charge":
            raise UsageError("moving pictures show every step: steps and board are for still ones")
        if view == "board":
            plots.draw(case, Resolution(case.state, (), case.state), path, view=view, setting=setting)
        else:
            resolution = asking.resolve(case, dice=dice, seed=seed, max_seconds=seconds)
            judgement = None if case.proposal is None else asking.judge(case, resolution, max_seconds=seconds)
            if kind in MOVING:
                plots.animate(case, resolution, path, judgement=judgement, setting=setting)
            else:
                plots.draw(case, resolution, path, view=view, judgement=judgement, setting=setting)
        data = path.read_bytes()
    return Reply(data, media=MEDIA[kind], headers={"Content-Disposition": f'attachment; filename="{_file_name(case.title)}.{kind}"'})


def _view(options: Options) -> Literal["charge", "steps", "board"]:
    steps, board = (options.truth(key, default=False) for key in ("steps", "board"))
    if steps and board:
        raise UsageError("options: steps and board exclude each other")
    return "steps" if steps else "board" if board else "charge"


def _refuse_file(language: str | None) -> None:
    """Refuse a language that is a file: the page reads none of this machine's."""
    from plots.marks.language import BUNDLED, SHORT

    if language is not None and SHORT.get(language.lower(), language.lower()) not in BUNDLED:
        raise UsageError(f"options: language: expected {listed(BUNDLED)}, given {shown(language)}{nearest(language, BUNDLED)}")


def _file_name(title: str) -> str:
    """Return a name that every system takes, of letters, digits and hyphens."""
    words = re.findall(r"[a-z0-9]+", title.lower())
    return "-".join(words)[:LONGEST_NAME].strip("-") or "charge"


def small_picture(name: str) -> Reply:
    """Return the figure of a bundled scenario for a gallery: its last panel, nothing around it.

    Raises
    ------
    LookupError
        If there is none of that name.
    """
    import plots

    if name not in bundled_names():
        raise LookupError(f"there is no bundled scenario called {shown(name)}{nearest(name, bundled_names())}")
    case = read_case(name)
    resolution = asking.resolve(case)
    panel = "after" if moved_places(resolution.before, resolution.after) else "before"
    setting = plots.setting(size="single-column", bare=True, panel=panel, text="outlines")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "figure.svg")
        plots.draw(case, resolution, path, setting=setting)
        return Reply(path.read_bytes(), media=MEDIA["svg"])


def words() -> dict[str, Any]:
    """Return the choices of whoever has a figure drawn."""
    from plots.layout.setting import PAPERS, SIZES, TEXTS
    from plots.marks.captions import AUDIENCES
    from plots.marks.language import BUNDLED
    from plots.marks.theme import THEMES

    lists: dict[str, Iterable[str]] = {
        "theme": THEMES,
        "size": SIZES,
        "language": BUNDLED,
        "format": MEDIA,
        "sheet": PAPERS,
        "text": TEXTS,
        "audience": AUDIENCES,
    }
    return {"draw": {key: list(values) for key, values in lists.items()}}
