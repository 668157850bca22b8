"""Gallery of the bundled scenarios of all games: an entry per scenario on one HTML page, and a contact sheet of the
final positions.

`make gallery` runs it; `PYTHONPATH=docs python -m made.gallery --help` lists what it can do.
"""

import argparse
import re
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from html import escape
from os import cpu_count
from pathlib import Path

from plots.export.animation import animate
from plots.layout import text
from plots.layout.backend import as_shipped
from plots.layout.blocks import Block, paragraph, together
from plots.layout.frame import Frame
from plots.layout.page import Page, PlacedPanel, shown_in
from plots.layout.setting import MARGIN
from plots.marks import alt_text, captions
from plots.marks.mark import Label, Magnifier, identifier
from plots.marks.panels import charge_panels
from plots.marks.section import Rect, fitted, whole_board
from plots.marks.theme import HEADING, SMALL
from plots.render.artists import paint
from plots.render.figure import draw
from plots.render.files import save, write_beside
from plots.render.svg import style_of_page
from tabletop import api, registry
from tabletop.cli.report import judgement_text, resolution_text, unstyled
from tabletop.errors import TabletopError, UsageError, cause_of
from tabletop.geometry.pose import Point
from tabletop.language.language import ENGLISH, speaking
from tabletop.language.spoken import in_language
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.scenario.reading import read_case
from tabletop.table.state import Board

VIEW_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')

GALLERY_WORDS = {
    "success": "success",
    "failed": "failed",
    "not_allowed": "not allowed",
    "undecided": "undecided",
}

WIDTH, COLUMNS, GAP, HIGH = 7.0, 4, 0.12, 1.25
"""Page width in inches; number of pictures per game, in one row; gap between pictures and height of a picture, in
inches."""

AIR = 0.15
"""Share of a section by which a thumbnail shows more on every side, for its words."""

PICTURE_WIDTH = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS

TITLED = text.height(2, SMALL) + 0.1
"""Space in inches for a picture's title below it."""


@dataclass(frozen=True)
class FigureFile:
    """A figure as a file: path relative to the gallery, and width and height in CSS pixels."""

    file: str
    width: int
    height: int


@dataclass(frozen=True)
class Exhibit:
    """Entry of a scenario in the gallery: outcomes, the verdict on its proposal if any, and texts.

    `caption` is the figure's caption, `words` its text alternative, `ruling` the full findings, and `film` a page that
    plays it.
    """

    name: str
    title: str
    outcomes: tuple[str, ...]
    judged: captions.Badge | None
    caption: tuple[str, ...]
    words: str
    ruling: str
    scenario: str
    drawing: FigureFile
    steps: FigureFile | None
    film: str | None = None

    @property
    def system(self) -> str:
        """Name of the scenario's system."""
        return self.name.partition("/")[0]

    @property
    def anchor(self) -> str:
        """Id of the entry in the HTML page."""
        return self.name.replace("/", "-")


def exhibit(name: str, source: Path, folder: Path, *, plays: bool = False) -> Exhibit:
    """Resolve a bundled scenario, write its figures and JSON into a folder, and return its gallery entry.

    With `plays`, also write a page that plays the charge.

    Raises
    ------
    UsageError
        If a file cannot be written.
    """
    case, resolution, judgement = api.answer(name)
    told = in_language(ENGLISH, case, resolution, judgement, "reader")
    scenario = source.read_text("utf-8")
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.toml").write_text(scenario, "utf-8")
    file = f"{name}.svg"
    draw(case, resolution, folder / file, judgement=judgement)
    parts = [
        resolution_text(case, resolution),
        *([] if judgement is None else [judgement_text(judgement, case)]),
    ]
    return Exhibit(
        name=name,
        title=text.clean(captions.title(case)),
        outcomes=tuple(
            "undecided" if ruling.open else ruling.outcome for ruling in resolution.rulings
        ),
        judged=None if judgement is None else captions.judgement_badge(judgement),
        caption=tuple(text.clean(paragraph) for paragraph in captions.caption(case, *told)),
        words=text.clean(alt_text.description(case, resolution, judgement)),
        ruling=unstyled("\n\n".join(parts)),
        scenario=scenario,
        drawing=_sized(folder, file),
        steps=_steps(case, resolution, judgement, folder, f"{name}-steps.svg"),
        film=_film(case, resolution, judgement, folder, f"{name}.html") if plays else None,
    )


def _steps(
    case: Case, resolution: Resolution, judgement: Judgement | None, folder: Path, file: str
) -> FigureFile | None:
    """Write the figure by steps and return it; None if there are no steps.

    For a proposal the steps are those claimed.
    """
    if not any(ruling.steps for ruling in resolution.rulings):
        return None
    draw(case, resolution, folder / file, view="steps", judgement=judgement)
    return _sized(folder, file)


def _sized(folder: Path, file: str) -> FigureFile:
    """Return a written SVG as a `FigureFile`, with its size from its view box: 96 pixels for 72 points."""
    found = VIEW_BOX.search((folder / file).read_text("utf-8"))
    wide, high = (float(part) for part in found.groups()) if found else (0.0, 0.0)
    return FigureFile(file, round(wide * 96 / 72), round(high * 96 / 72))


def _film(
    case: Case, resolution: Resolution, judgement: Judgement | None, folder: Path, file: str
) -> str:
    animate(case, resolution, folder / file, judgement=judgement)
    return file


# HTML page.

STYLE = Path(__file__).with_suffix(".css")
"""Style sheet of the page."""


def gallery_page(exhibits: Sequence[Exhibit], systems: Mapping[str, str]) -> str:
    """Return the HTML page of the gallery; `systems` maps names of systems to titles, in order.

    Links are relative to the page.
    """
    shown = {name: [one for one in exhibits if one.system == name] for name in systems}
    links = "".join(
        f'<li><a href="#{name}">{escape(systems[name])}</a> ({len(every)})</li>\n'
        for name, every in shown.items()
        if every
    )
    parts = "".join(_section(name, systems[name], every) for name, every in shown.items() if every)
    body = (
        '<a class="skip" href="#charges">Skip to the charges</a>\n'
        f"<header>\n<h1>Gallery of charges</h1>\n<p>{len(exhibits)} charges, each resolved and drawn from the file "
        f"beside it, to scale. "
        "All words are the ruling's own; nothing was drawn by hand.</p>\n</header>\n"
        f'<nav class="systems" aria-label="Systems">\n<ul>\n{links}</ul>\n</nav>\n<main id="charges">\n{parts}</main>\n'
        "<footer>\n<p>The games' names belong to their owners, who have no part in this.</p>\n</footer>\n"
    )
    style = STYLE.read_text("utf-8") + style_of_page(body)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Gallery of charges</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


def _section(name: str, title: str, exhibits: Sequence[Exhibit]) -> str:
    links = "".join(
        f'<li><a href="#{one.anchor}">{escape(one.title)}</a></li>\n' for one in exhibits
    )
    articles = "".join(_article(one) for one in exhibits)
    return (
        f'<section aria-labelledby="{name}">\n<h2 id="{name}">{escape(title)}</h2>\n'
        f'<nav class="contents" aria-label="Charges of {escape(title)}">\n<ul>\n{links}</ul>\n</nav>\n'
        f'<div class="exhibits">\n{articles}</div>\n</section>\n'
    )


def _article(one: Exhibit) -> str:
    outcomes = " ".join(_badge(word, GALLERY_WORDS[word]) for word in one.outcomes)
    if one.judged is not None:
        outcomes += (
            f" {_badge(one.judged.outcome, f'proposal: {ENGLISH.within(one.judged.words)}')}"
        )
    caption = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in one.caption)
    film = "" if one.film is None else f', <a href="{escape(one.film)}">play it</a>'
    steps = (
        ""
        if one.steps is None
        else _folded("Step by step", _picture(one.steps, f"The steps of: {one.title}"))
    )
    return (
        f'<article id="{one.anchor}" aria-labelledby="{one.anchor}-title">\n<h3 '
        f'id="{one.anchor}-title">{escape(one.title)}</h3>\n'
        f'<p class="facts">{outcomes} <code>{escape(one.name)}</code>, <a href="{escape(one.name)}.toml">scenario '
        f"file</a>{film}</p>\n"
        f"<figure>\n{_picture(one.drawing, _alternative(one))}\n<figcaption>{caption}</figcaption>\n</figure>\n{steps}"
        f"{_folded('The ruling', _text(one.ruling))}{_folded('The figure in words', f'<p>{escape(one.words)}</p>')}"
        f"{_folded('The scenario file', _text(one.scenario))}</article>\n"
    )


def _badge(outcome: str, words: str) -> str:
    return f'<span class="outcome {outcome}">{words}</span>'


def _alternative(one: Exhibit) -> str:
    """Return a short text alternative of an entry's figure; the full description is below the figure."""
    return f"{one.title}. {one.caption[0] if one.caption else ''} The figure in words stands below."


def _picture(drawing: FigureFile, alternative: str) -> str:
    size = f'width="{drawing.width}" height="{drawing.height}"'
    return (
        f'<a href="{escape(drawing.file)}"><img src="{escape(drawing.file)}" alt="{escape(alternative)}" {size} '
        'loading="lazy" decoding="async"></a>'
    )


def _folded(summary: str, body: str) -> str:
    return f"<details>\n<summary>{summary}</summary>\n{body}\n</details>\n"


def _text(words: str) -> str:
    """Return HTML of preformatted text, in a box that can be scrolled by keyboard."""
    return f"<pre>{escape(words, quote=False)}</pre>"


# Contact sheet: thumbnails, one row per game.


@as_shipped()
def contact_sheet(path: Path, exhibits: Sequence[Exhibit], systems: dict[str, str]) -> None:
    """Draw an even selection of each system's successful charges and write it as SVG, PDF or PNG.

    Raises
    ------
    UsageError
        If the file cannot be written.
    """
    chosen = {name: _chosen([one for one in exhibits if one.system == name]) for name in systems}
    top = MARGIN
    shown = list[PlacedPanel]()
    told = list[Block]()
    for name, some in chosen.items():
        if some:
            told.append(
                paragraph(
                    f"{name}.heading",
                    systems[name],
                    WIDTH - 2 * MARGIN,
                    size=HEADING,
                    typeface="title",
                    most=1,
                ).at(MARGIN, top)
            )
            top = told[-1].height + 0.06
        for number, one in enumerate(some):
            left = MARGIN + number * (PICTURE_WIDTH + GAP)
            shown.append(_thumbnail(one, (left, top)))
            title = paragraph(f"{one.anchor}.title", one.title, PICTURE_WIDTH, size=SMALL, most=2)
            told.append(title.at(left, top + HIGH + 0.03))
        top += HIGH + TITLED + 0.08 if some else 0.0
    titles = "; ".join(one.title for some in chosen.values() for one in some)
    page = Page(WIDTH, top, tuple(shown), together(*told).words, ())
    save(paint(page), path, title="Contact sheet", description=f"How charges end: {titles}.")


def _chosen(exhibits: Sequence[Exhibit]) -> list[Exhibit]:
    """Return an even selection of the entries whose charges all succeed and that have no proposal, at most `COLUMNS`.

    Those that name the rule that their figure is about come before all others.
    """
    whole = [one for one in exhibits if set(one.outcomes) == {"success"} and one.judged is None]
    told = [one for one in whole if read_case(one.name).point]
    whole = told if len(told) >= COLUMNS else whole
    count = min(COLUMNS, len(whole))
    return [whole[number * len(whole) // count] for number in range(count)]


def _thumbnail(one: Exhibit, corner: Point) -> PlacedPanel:
    """Return the end of a scenario's charges as a thumbnail at a corner on the page, with units' names and what was
    reached.
    """
    case = read_case(one.name)
    language = ENGLISH.of(case.system.vocabulary.looks)
    told, _ = in_language(language, case, api.resolve(case), None, "reader")
    with speaking(language):
        panel = charge_panels(told)[-1]
    section = panel.own or panel.section
    frame = _frame(
        section.grown(AIR * max(section.width, section.height)).within(panel.section),
        case.state.board,
        corner,
    )
    words = [mark for mark in panel.marks if isinstance(mark, Label)]
    reached = [mark for mark in words if mark.role == "goal_decided"][:1]
    names = [mark for mark in words if mark.role.startswith("name.")]
    kept = (
        *(mark for mark in panel.marks if not isinstance(mark, Label | Magnifier)),
        *names,
        *reached,
    )
    marks = tuple(replace(mark, id=identifier(one.anchor, mark.id)) for mark in kept)
    return shown_in(replace(panel, name=one.anchor, marks=marks), frame)


def _frame(section: Rect, board: Board, corner: Point) -> Frame:
    """Return the frame of a section at a corner on the page, widened to the thumbnail's shape where there is more
    table, and centred.
    """
    scale = min(PICTURE_WIDTH / section.width, HIGH / section.height)
    whole = whole_board(board).joined(section)
    west, east = fitted(section.west, section.east, PICTURE_WIDTH / scale, (whole.west, whole.east))
    south, north = fitted(section.south, section.north, HIGH / scale, (whole.south, whole.north))
    wide = (east - west) * scale
    high = (north - south) * scale
    return Frame(
        Rect(west, south, east, north),
        scale,
        corner[0] + (PICTURE_WIDTH - wide) / 2,
        corner[1] + (HIGH - high) / 2,
    )


# All of it, from the command line.

Job = tuple[str, Path, Path, bool]


def build(
    folder: Path,
    *,
    systems: Sequence[str] = (),
    sheet: Path | None = None,
    plays: bool = False,
    workers: int | None = None,
) -> tuple[Exhibit, ...]:
    """Draw the bundled scenarios of some or all systems into a folder with an `index.html`, and return what was drawn.

    With `sheet`, also write a contact sheet, a PNG; with `plays`, also a page per scenario that plays it. The output
    does not depend on the number of `workers`. Other files in the folder are left alone.

    Raises
    ------
    UsageError
        If a system is unknown, or something cannot be written.
    """
    names = systems or registry.usable_names(lambda why: sys.stderr.write(f"warning: {why}\n"))
    titles = {name: registry.find(name).title for name in names}
    jobs = [
        (name, file, folder, plays) for system in names for name, file in registry.scenarios(system)
    ]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with ProcessPoolExecutor(max_workers=workers or cpu_count() or 1) as pool:
            exhibits = tuple(pool.map(_exhibit, jobs, chunksize=2))
    except OSError as error:
        raise UsageError(
            "{path}: cannot be written: {reason}", path=folder, reason=cause_of(error)
        ) from error
    write_beside(folder / "index.html", gallery_page(exhibits, titles).encode())
    if sheet is not None:
        contact_sheet(sheet, exhibits, titles)
    return exhibits


def _exhibit(job: Job) -> Exhibit:
    name, file, folder, plays = job
    return exhibit(name, file, folder, plays=plays)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the gallery as the command-line arguments say, with a contact sheet if requested; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m made.gallery", description="Draw every bundled scenario onto one page."
    )
    parser.add_argument(
        "-o", "--out", type=Path, default=Path("gallery"), help="the folder (default: gallery)"
    )
    parser.add_argument("--sheet", type=Path, help="also write a contact sheet: a PNG")
    parser.add_argument(
        "--play",
        action="store_true",
        help="also write a page for each that plays it (takes three times as long)",
    )
    parser.add_argument("--workers", type=int, help="processes; one for each core if left out")
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help="only these systems")
    asked = parser.parse_args(arguments)
    begun = time.monotonic()
    try:
        exhibits = build(
            asked.out,
            systems=asked.systems,
            sheet=asked.sheet,
            plays=asked.play,
            workers=asked.workers,
        )
    except TabletopError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    sys.stdout.write(
        f"{asked.out / 'index.html'}: {len(exhibits)} charges in {time.monotonic() - begun:.0f} s\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
