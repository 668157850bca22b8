"""The options of figures, the same wherever one is drawn: each place that names them names all."""

import inspect
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

import tabletop
from plots.sphinx import TabletopDirective
from tabletop.figure_options import FigureOptions
from tabletop.page.options import FigureSettings

ROOT = Path(__file__).parents[1]
NAMES = {one.name for one in fields(FigureOptions)}
FLAGS = {one.type.__metadata__[0].flag for one in fields(FigureOptions)}  # type: ignore[union-attr]
EXPORTED = (ROOT / "tabletop" / "page" / "static" / "exports.js").read_text("utf-8")
DOCUMENTS = (ROOT / "docs" / "documents.md").read_text("utf-8")
FIGURES = (ROOT / "docs" / "figures.md").read_text("utf-8")


def of_draw() -> set[str]:
    """Return the options of `tabletop.draw` beside what is drawn, where to and from which view."""
    return {*inspect.signature(tabletop.draw).parameters} - {"asked", "path", "view"}


def of_the_page() -> set[str]:
    """Return the options that the page sends for a figure as a file, with the one that its sizes replace."""
    body = EXPORTED.partition("function optionsOf")[2].partition("return options")[0]
    listed = re.findall(r'"(\w+)"', body.partition("]")[0])
    alone = re.findall(r"options\.(\w+) = ", body)
    return {*listed, *alone, "width"}


def of_the_directive() -> set[str]:
    """Return the options of figures of the directive, where `width` is the image's; a sheet of paper is no image."""
    spec = TabletopDirective.option_spec
    renamed = {"page-width": "width"}
    return {renamed.get(name, name) for name in spec if renamed.get(name, name) in NAMES} | {
        "sheet"
    }


def of_documents() -> set[str]:
    """Return the options of the directive that are documented."""
    rows = re.findall(
        r"^\|(.*)\| like (?:the options of the command|`--width`|`--for`)", DOCUMENTS, re.MULTILINE
    )
    renamed = {"page-width": "width"}
    found = re.findall(r"`([\w-]+)`", " ".join(rows))
    return {*(renamed.get(name, name) for name in found), "sheet"}


@pytest.mark.parametrize(
    "names",
    [of_draw, of_the_page, of_the_directive, of_documents, lambda: {*FigureSettings.model_fields}],
)
def test_every_place_names_all_options(names: Callable[[], set[str]]) -> None:
    """Python, the page with its server, and documents have the options of the command line."""
    assert names() == NAMES


def test_every_option_is_documented() -> None:
    """The page about figures shows each flag."""
    assert {flag for flag in FLAGS if flag not in FIGURES} == set()
