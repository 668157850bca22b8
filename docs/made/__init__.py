"""Generate parts of the site from the program: a line `<!-- made: WHAT OF -->` of a page is replaced before the page is
read.

Generated text is not kept in the checkout, so it is never out of date.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from made import commands, rules
from plots.sphinx import program_files
from tabletop import registry

MARK = re.compile(r"^<!-- made: ([a-z-]+)(?: (\S+))? -->$", re.MULTILINE)
MADE: dict[str, Callable[..., str]] = {
    "commands": commands.commands,
    "rules": rules.rules,
    "choices": rules.choices,
    "numbers": rules.numbers,
}
ELSEWHERE = {"(../examples/skirmish)": "(skirmish.md)"}
"""Links to folders of the checkout, and the page of the site that shows their content."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the generators to Sphinx, and register the example game so that its charges can be drawn."""
    sys.path.append(str(Path(app.srcdir).parent / "examples" / "skirmish"))
    registry.BUILT_IN.setdefault("skirmish", "skirmish:SYSTEM")
    app.connect("env-before-read-docs", rules.find_witnesses)
    app.connect("source-read", _filled)
    app.connect("doctree-read", _linked)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _filled(app: Sphinx, _page: str, source: list[str]) -> None:
    text = source[0]
    for link, page in ELSEWHERE.items():
        text = text.replace(link, page)
    if MARK.search(text):
        for file in program_files():
            app.env.note_dependency(str(file))
        text = MARK.sub(lambda found: MADE[found[1]](*filter(None, found.groups()[1:])), text)
    source[0] = text


def _linked(_app: Sphinx, page: nodes.document) -> None:
    """Make each figure a link to its file, as Sphinx does for images of a given size, so that readers can enlarge
    it.
    """
    for figure in page.findall(nodes.figure):
        for image in figure.findall(nodes.image):
            image.setdefault("width", "100%")
