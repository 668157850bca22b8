"""Sphinx directive `.. tabletop:: FILE`: draw a scenario in a document, and redraw it when the file or the program
changes.

Add "plots.sphinx" to the `extensions` in conf.py. FILE is relative to the document, or to the source folder if it
begins with a slash, or is the name of a bundled scenario.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, get_args

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.logging import getLogger

import plots
from plots.render.maps import map_words
from plots.render.odds import odds_description
from tabletop import registry
from tabletop.api import odds
from tabletop.distribution import version
from tabletop.errors import TabletopError
from tabletop.exploring.explore import explore
from tabletop.exploring.questions import Question
from tabletop.figure_options import FigureOptions
from tabletop.language.language import speaking
from tabletop.scenario.expectations import differences
from tabletop.scenario.reading import read_case
from tabletop.show import Drawing, Kind, draw

logger = getLogger(__name__)

BUILT_KINDS: tuple[Kind, ...] = ("svg", "pdf", "png")
"""Default formats, which `tabletop_formats` in conf.py overrides; each builder uses the first that it supports."""

FIGURE_OPTIONS = {
    "page-width" if one.name == "width" else one.name: one
    for one in fields(FigureOptions)
    if one.name != "sheet"
}
"""Options of figures by their names in the directive, whose `width` is that of the image in the document. Paper for
`sheet` is no image.
"""

VIEWS = ("steps", "board", "odds", "question", "vary")

MAPPED = ("unit", "step", "facings", "show")

FOLDER = "tabletop-figures"


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive `tabletop` and the setting `tabletop_formats` with Sphinx; return the extension's
    metadata.
    """
    app.add_directive("tabletop", TabletopDirective)
    app.add_config_value("tabletop_formats", BUILT_KINDS, "env", (list, tuple))
    return {"version": version(), "parallel_read_safe": True, "parallel_write_safe": True}


@dataclass(frozen=True)
class SurveyAnswer:
    """A figure of odds or of a map: its text alternative, the paragraphs of its caption, and the function that writes
    it to a path.
    """

    alt: str
    caption: tuple[str, ...]
    save: Callable[[Path], None]


def _flag(argument: str | None) -> bool:
    directives.flag(argument)
    return True


_READERS = {bool: _flag, int | None: directives.positive_int}
"""How the directive reads options of figures that are no text, by their types."""


def _align(argument: str | None) -> str:
    return str(directives.choice(argument, ("left", "center", "right")))


class TabletopDirective(SphinxDirective):
    """Directive that draws a scenario as a figure.

    The view is before and after, or one of: `steps`, `board`, `odds` (chances of all rolls), `question` (with `unit`,
    `step` and `facings`) or `vary` (keys with values, separated by spaces). The last two draw maps, of which `show`
    selects the column. The options of figures, such as `theme`, are as on the command line, with `audience` for `--for`
    and `page-width` for `--width`. `alt` replaces the generated text alternative. `width`, `align`, `class` and `name`
    are as for every figure. The caption is the directive's body, or by default the text of the ruling; `nocaption`
    omits it.
    """

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = {
        "steps": _flag,
        "board": _flag,
        "odds": _flag,
        "nocaption": _flag,
        **{
            name: _READERS.get(get_args(one.type)[0], directives.unchanged_required)
            for name, one in FIGURE_OPTIONS.items()
        },
        **dict.fromkeys(("alt", "question", "vary", "unit", "show"), directives.unchanged_required),
        "step": float,
        "facings": directives.positive_int,
        "width": directives.length_or_percentage_or_unitless,
        "align": _align,
        "class": directives.class_option,
        "name": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """Draw the figure and return its node; scenario and program become dependencies of the document."""
        if len(views := [view for view in VIEWS if view in self.options]) > 1:
            raise self.error(f"{' and '.join(views)} exclude each other")
        try:
            source = self._source()
            drawing = self._shown(source, views[0] if views else "charge")
            stem = self._written(source, drawing)
        except TabletopError as error:
            raise self.error(f"{self.arguments[0]}: {error}") from error
        image = nodes.image(uri=f"{stem}.*", alt=self.options.get("alt", drawing.alt))
        if "width" in self.options:
            image["width"] = self.options["width"]
        figure = nodes.figure("", image)
        figure["align"] = self.options.get("align", "default")
        figure["classes"] += ["tabletop", *self.options.get("class", [])]
        self.set_source_info(figure)
        self.add_name(figure)
        if "nocaption" not in self.options:
            self._add_caption(figure, drawing)
        return [figure]

    def _source(self) -> Path:
        """Return the path of the scenario's file, and register it and the program as dependencies of the document."""
        name = self.arguments[0].strip()
        local = Path(self.env.relfn2path(name)[1])
        bundled = (
            dict(registry.scenarios(name.partition("/")[0]))
            if name.partition("/")[0] in registry.names()
            else {}
        )
        source = local if local.is_file() or name not in bundled else bundled[name]
        for file in (source, *program_files()):
            self.env.note_dependency(str(file))
        return source

    def _shown(self, source: Path, view: str) -> Drawing | SurveyAnswer:
        """Return the drawing of a scenario in a view; warn if its answers differ from those the file expects."""
        look = {
            one.name: self.options[word]
            for word, one in FIGURE_OPTIONS.items()
            if word in self.options
        }
        if view in ("odds", "question", "vary"):
            setting = plots.setting(**look)
            return odds_shown(source, setting) if view == "odds" else self._map(source, setting)
        drawing = draw(source, view=view, **look)  # type: ignore[arg-type]
        if drawing.case.expect and drawing.resolution.rulings:
            for one in differences(drawing.case, drawing.resolution, drawing.judgement):
                logger.warning(
                    "%s: %s",
                    self.arguments[0],
                    one,
                    location=self.get_location(),
                    type="tabletop",
                    subtype="expect",
                )
        return drawing

    def _map(self, source: Path, setting: plots.Setting) -> SurveyAnswer:
        """Return the map of the question, or of the varied keys, that the options name."""
        given = {
            word: self.options[word] for word in ("unit", "step", "facings") if word in self.options
        }
        question = (
            Question(self.options["question"], **given) if "question" in self.options else None
        )
        survey = explore(
            source,
            self.options.get("vary", "").split(),
            question=question,
            step=given.get("step", 1.0),
            workers=1,
        )
        asked = {
            "show": self.options.get("show"),
            "question": None if question is None else question.name,
            "setting": setting,
        }
        assert survey.case is not None  # noqa: S101 - `explore` knows of which case its answers are
        title, words = map_words(survey.case, survey, **asked)
        return SurveyAnswer(
            words, (f"{title}.",), partial(plots.draw_map, survey.case, survey, **asked)
        )

    def _written(self, source: Path, drawing: Drawing | SurveyAnswer) -> str:
        """Write the missing formats of a figure beside the doctrees; return its path without suffix, relative to the
        document.
        """
        looks = (*FIGURE_OPTIONS, *VIEWS, *MAPPED)
        told = repr(
            [
                sorted((key, str(value)) for key, value in self.options.items() if key in looks),
                program_digest(),
            ]
        )
        digest = hashlib.blake2b(told.encode() + source.read_bytes(), digest_size=8).hexdigest()
        folder = Path(self.env.doctreedir) / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        stem = folder / f"{source.stem}-{digest}"
        missing = [
            file
            for kind in self.config.tabletop_formats
            if not (file := stem.with_name(f"{stem.name}.{kind}")).exists()
        ]
        for file in missing:
            logger.info("drawing %s", file.name)
            drawing.save(file)
        here = Path(self.env.doc2path(self.env.docname)).parent
        return Path(os.path.relpath(stem, here)).as_posix()

    def _add_caption(self, figure: nodes.figure, drawing: Drawing | SurveyAnswer) -> None:
        """Add caption and legend to a figure: the first paragraph of the body, or of the ruling's text, and the
        rest.
        """
        told = (
            self.parse_content_to_nodes()
            if self.content
            else [nodes.paragraph("", words) for words in drawing.caption]
        )
        if not told:
            return
        first, *rest = told
        if not isinstance(first, nodes.paragraph):
            raise self.error("the body must begin with a paragraph: it is the caption")
        figure += nodes.caption(first.rawsource, "", *first.children)
        if rest:
            figure += nodes.legend("", *rest)


def odds_shown(source: Path, setting: plots.Setting) -> SurveyAnswer:
    """Return the figure of a scenario's odds over all dice."""
    case = read_case(source)
    chances = odds(case)
    with speaking(setting.language):
        words = odds_description(chances)
    return SurveyAnswer(words, (), partial(plots.draw_odds, case, chances, setting=setting))


@cache
def program_files() -> tuple[Path, ...]:
    """Return the paths of the program's files, on which figures depend."""
    return tuple(
        sorted(
            file
            for folder in _packages()
            for file in folder.rglob("*")
            if file.suffix in (".py", ".toml", ".json")
        )
    )


def _packages() -> Iterator[Path]:
    for name in ("tabletop", "systems", "plots"):
        found = find_spec(name)
        yield from (
            Path(place) for place in (found.submodule_search_locations if found else None) or ()
        )


@cache
def program_digest() -> str:
    """Return a hash, 16 hexadecimal digits, of the contents of the program's files."""
    digest = hashlib.blake2b(digest_size=8)
    for file in program_files():
        digest.update(file.read_bytes())
    return digest.hexdigest()
