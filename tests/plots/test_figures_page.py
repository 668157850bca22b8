"""docs/figures.md says what is so: themes, sizes, languages, ids, and its Python runs."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from plots.layout.setting import SIZES
from plots.marks.theme import THEMES
from plots.render.figure import draw
from tabletop.api import resolve
from tabletop.language.language import BUNDLED
from tabletop.scenario.reading import read_case

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "figures.md").read_text("utf-8")
ABSENT = {
    "step2",
    "step3",
    "step1",
    "path-A",
    "after-start-A",
    "zone-target",
    "links",
    "dim-2",
    "side-1",
    "side-4",
    "after",
    "proposed",
    "demanded",
    "unit-Royal_Guard",
}
"""Ids on the page that figures of other charges have, and classes."""


@pytest.mark.parametrize("word", [*THEMES, *SIZES, *BUNDLED])
def test_every_word_of_the_options_is_told(word: str) -> None:
    """Each theme, size and language that there is stands on the page."""
    assert word in TEXT


def test_ids_that_are_told_are_there(tmp_path: Path) -> None:
    """The ids of the table are those of a figure of the bundled charge past a tower."""
    case = read_case("t9a/between-obstacles")
    draw(case, resolve(case), tmp_path / "a.svg")
    found = {element.get("id") for element in ET.parse(tmp_path / "a.svg").iter()}  # noqa: S314 - written by the test
    table = TEXT[TEXT.index("| id |") :].partition("\n\n")[0]
    told = {
        word
        for row in table.splitlines()
        for word in re.findall(r"`([a-z][\w-]*)`", row.split("|")[1] if "|" in row else "")
    }
    assert len(told) > 20
    assert told - found - ABSENT == set()


def test_the_python_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines of Python write the file that they name."""
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "figures.md", "exec"), {})  # noqa: S102 - the project's own page
    assert (tmp_path / "charge.pdf").read_bytes().startswith(b"%PDF")
