"""What a gallery shows of one scenario: its figures as files, and all that is said of it as text."""

import re
from dataclasses import dataclass
from pathlib import Path

from plots.export.animation import animate
from plots.marks import alternative, captions, text
from plots.render.figure import draw
from tabletop import asking
from tabletop.cli.readable import judgement_text, resolution_text, unstyled
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.scenario.reading import read_case

VIEW_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


@dataclass(frozen=True)
class FigureFile:
    """A figure as a file, relative to the gallery, and its size in pixels of a screen."""

    file: str
    width: int
    height: int


@dataclass(frozen=True)
class Exhibit:
    """A scenario in a gallery: its outcomes, what was said of its proposal if it has one, and all that is known in words.

    `caption` is the figure's, `words` describe what is seen, `ruling` is all that was found, `film` is a page that plays it.
    """

    name: str
    title: str
    outcomes: tuple[str, ...]
    judged: str | None
    caption: tuple[str, ...]
    words: str
    ruling: str
    scenario: str
    drawing: FigureFile
    steps: FigureFile | None
    film: str | None = None

    @property
    def system(self) -> str:
        """The name of its system."""
        return self.name.partition("/")[0]

    @property
    def anchor(self) -> str:
        """Its id on the page."""
        return self.name.replace("/", "-")


def exhibit(name: str, source: Path, folder: Path, *, plays: bool = False) -> Exhibit:
    """Resolve a bundled scenario, write its figures and its file below a folder, and tell all that is to be said.

    With `plays` a page that plays the charge is written too.

    Raises
    ------
    UsageError
        If a file cannot be written.
    """
    case = read_case(name)
    resolution = asking.resolve(case)
    judgement = None if case.proposal is None else asking.judge(case, resolution)
    scenario = source.read_text("utf-8")
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.toml").write_text(scenario, "utf-8")
    return Exhibit(
        name=name,
        title=text.clean(captions.title(case)),
        outcomes=tuple(ruling.outcome for ruling in resolution.rulings),
        judged=None if judgement is None else judgement.outcome,
        caption=tuple(text.clean(paragraph) for paragraph in captions.caption(case, resolution, judgement)),
        words=text.clean(alternative.description(case, resolution, judgement)),
        ruling=_ruling(case, resolution, judgement),
        scenario=scenario,
        drawing=_drawn(case, resolution, judgement, folder, f"{name}.svg"),
        steps=_steps(case, resolution, judgement, folder, f"{name}-steps.svg"),
        film=_film(case, resolution, judgement, folder, f"{name}.html") if plays else None,
    )


def _film(case: Case, resolution: Resolution, judgement: Judgement | None, folder: Path, file: str) -> str:
    animate(case, resolution, folder / file, judgement=judgement)
    return file


def _ruling(case: Case, resolution: Resolution, judgement: Judgement | None) -> str:
    parts = [resolution_text(case, resolution), *([] if judgement is None else [judgement_text(judgement, case)])]
    return unstyled("\n\n".join(parts))


def _steps(case: Case, resolution: Resolution, judgement: Judgement | None, folder: Path, file: str) -> FigureFile | None:
    """Draw the steps where there are any to draw, of a proposal those that are claimed."""
    if not any(ruling.steps for ruling in resolution.rulings):
        return None
    draw(case, resolution, folder / file, view="steps", judgement=judgement)
    return _sized(folder, file)


def _drawn(case: Case, resolution: Resolution, judgement: Judgement | None, folder: Path, file: str) -> FigureFile:
    draw(case, resolution, folder / file, judgement=judgement)
    return _sized(folder, file)


def _sized(folder: Path, file: str) -> FigureFile:
    """Give a drawing with the size that its file has: 96 pixels for 72 points."""
    found = VIEW_BOX.search((folder / file).read_text("utf-8"))
    wide, high = (float(part) for part in found.groups()) if found else (0.0, 0.0)
    return FigureFile(file, round(wide * 96 / 72), round(high * 96 / 72))
