"""The figure of the page: the marks of figures, whole and as plain data."""

import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

from plots.marks import entries
from plots.marks.board import body_marks, ground_marks
from plots.marks.deciding import CROSS
from plots.marks.mark import under
from plots.marks.section import whole_board
from plots.marks.steps import named_models
from tabletop import api
from tabletop.language.language import ENGLISH, speaking
from tabletop.page import figure_data
from tabletop.page.figure_data import table_entries
from tabletop.scenario.reading import read_case
from tabletop.table.models import Squad
from tabletop.testing.answers import judged, resolved
from tests.bundled import EACH

THEME = entries.theme_roles()


def _roles(figure: dict[str, Any]) -> set[str]:
    inner = [mark["instead"] for mark in figure["marks"] if mark.get("instead") is not None]
    return {mark["role"] for mark in (*figure["marks"], *inner)}


def _checked(figure: dict[str, Any], state: Any) -> dict[str, Any]:
    """Return a figure as the browser has it, once every mark has an id of its own and a look, and every owner is
    there.
    """
    told: dict[str, Any] = json.loads(json.dumps(figure, allow_nan=False))
    ids = [mark["id"] for mark in told["marks"]]
    assert len(set(ids)) == len(ids)
    for name, looks in THEME.items():
        assert _roles(told) <= looks.keys() | told["roles"].get(name, {}).keys()
    for kind, owner in (mark["of"] for mark in told["marks"] if "of" in mark):
        assert owner < len(state.terrain) if kind == "terrain" else owner in state.units
    return told


def _stands_elsewhere(unit: Any, then: Any) -> bool:
    """Return whether any of a unit that is left stands where it did not: one that only lost models does not."""
    if not isinstance(unit, Squad):
        return bool(unit.place != then.place)
    stood = {model.number: model for model in unit.models}
    return any(not model.stands_like(stood[model.number]) for model in then.models)


@EACH
def test_every_mark_becomes_data(name: str) -> None:
    """The page paints what figures paint: every mark of every scenario, on the whole board, with whose it is."""
    case, resolution = resolved(name)
    figure = _checked(figure_data.answer_figure(case, resolution), case.state)
    targets = frozenset(target for ruling in resolution.rulings for target in ruling.charge.targets)
    with speaking(ENGLISH.of(case.system.vocabulary.looks)):
        scene = (
            *ground_marks(case.state, whole_board(case.state.board), named=targets),
            *body_marks(case.state, numbered=named_models(resolution.rulings)),
        )
    shown = json.loads(
        json.dumps([entries.entry(mark) for mark in under(figure_data.SET_UP, scene)])
    )
    assert [
        {key: value for key, value in mark.items() if key not in ("of", "id")}
        for mark in figure["marks"][: len(shown)]
    ] == [{key: value for key, value in mark.items() if key != "id"} for mark in shown]
    assert (
        set(figure["alt"].split()) >= set(resolution.rulings[0].charge.charger.split())
        if resolution.rulings
        else figure["alt"]
    )
    ids = {mark["id"] for mark in figure["marks"]}
    shown_by = figure_data.marks_of(resolution, figure)
    for ruling in resolution.rulings:
        lines = {finding.line for finding in ruling.findings} - {None}
        assert lines <= {*ruling.evidence.dimensions}
    assert {"deciding", "decided"} & {mark["role"] for mark in figure["marks"]} == set() or shown_by
    assert all(set(marks) <= ids for marks in shown_by.values())
    moved = {
        unit
        for unit, then in resolution.after.units.items()
        if _stands_elsewhere(case.state.units[unit], then)
    }
    assert {
        mark["of"][1] for mark in figure["marks"] if mark.get("of", [""])[0] == "ghost"
    } == moved
    table = _checked(figure_data.table_figure(case), case.state)
    assert {mark["id"] for mark in table["marks"] if mark.get("of")} <= ids | {
        mark["id"] for mark in table["marks"] if "number" in mark["role"]
    }
    json.dumps(table_entries(case.state), allow_nan=False)


def test_a_line_is_linked_to_what_measures_it() -> None:
    """Not to a roll of 1 and one stand, where it is 1 in long, but to the range that it must not exceed."""
    case, resolution = resolved("conquest/the-front-is-past")
    shown_by = figure_data.marks_of(resolution, figure_data.answer_figure(case, resolution))
    lines = {
        rule for rule, marks in shown_by.items() if any(".dimension." in mark for mark in marks)
    }
    assert lines == {"conquest.declare.not-in-contact", "conquest.range"}


@EACH
def test_proposals_become_data(name: str) -> None:
    """Of a judged scenario the page has the figure of the proposal, and where it is wrong what the rules demand."""
    case, resolution = resolved(name)
    judgement = judged(name)
    if judgement is None:
        return
    _checked(figure_data.answer_figure(case, resolution, judgement), case.state)
    demanded = figure_data.demanded_figure(resolution, judgement)
    assert (demanded is None) == (judgement.outcome == "success" or not judgement.better)
    assert demanded is None or _checked(demanded, case.state)["marks"]
    assert figure_data.demanded_figure(resolution, replace(judgement, outcome="success")) is None


@EACH
def test_alternatives_become_data(name: str) -> None:
    """What a figure draws of an alternative the page has as marks of their own, none of which is in the figure of the
    ruling.
    """
    case = read_case(name)
    resolution = api.resolve(case)
    for ruling in resolution.rulings:
        shown = ruling.drawn_contrast
        figure = figure_data.contrast_figure(resolution, ruling)
        assert (figure is None) == (shown is None)
        if figure is None or shown is None or shown.finding.mark is None:
            continue
        marks = _checked(figure, case.state)["marks"]
        moved = {
            unit for unit, place in shown.units.items() if place != case.state.units[unit].place
        }
        assert {mark["of"][1] for mark in marks if "of" in mark} == moved
        assert [mark["text"] for mark in marks if mark["role"] == "decided"] == [
            f"{CROSS}{shown.finding.mark.words}"
        ]
        ways = [mark for mark in marks if mark["type"] == "Arrows"]
        assert ways or not shown.steps
    plain = replace(
        resolution, rulings=tuple(replace(ruling, contrast=None) for ruling in resolution.rulings)
    )
    assert figure_data.answer_figure(case, resolution) == figure_data.answer_figure(case, plain)


def test_the_figure_of_the_page_needs_no_library_that_draws() -> None:
    """What loads Matplotlib makes the first picture wait for half a second that nobody sees."""
    program = (
        "import sys; from tabletop.page import answers; from plots.marks import entries; from tabletop.page.options "
        "import ResolveOptions; entries.theme_roles(); "
        "answers.resolve(answers.scenario('t9a/wheel-and-align')['scenario'], ResolveOptions()); "
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
