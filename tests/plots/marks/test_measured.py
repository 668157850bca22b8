"""Measured tables in figures: the band in which a rule turns, and where things were measured."""

import math
import re

import numpy as np
import pytest

import plots
from plots.marks.captions import ruling_badge
from plots.marks.deciding import open_marks
from plots.marks.faults import measured_marks
from plots.marks.mark import Label, Lines, Rings
from tabletop import judge, resolve
from tabletop.testing.answers import resolved
from tests.tabletop.settling.test_uncertainty import fronts


def test_the_band_lies_about_the_border_along_the_length() -> None:
    """All corners of the band are as far from where the length is measured from as border and uncertainty say."""
    (ruling,) = resolve(fronts(9.95)).rulings
    found = next(one for one in ruling.findings if one.rule == "t9a.range")
    band, _, label = open_marks(ruling)
    assert isinstance(band, Rings)
    assert isinstance(label, Label)
    start = next(one.start for one in ruling.evidence.dimensions if one.stage == "before")
    lengths = [math.dist(start, corner) for corner in band.rings[0]]
    assert found.uncertainty is not None
    assert {round(length, 6) for length in lengths} == {
        round(10 + side * found.uncertainty, 6) for side in (-1, 1)
    }
    assert "10\N{NO-BREAK SPACE}in" in label.text


def test_the_band_lies_where_the_text_says_that_it_turns() -> None:
    """Seven inches rolled, 8.04 from base to base: the band reaches from the one length of the sentence to the
    other.
    """
    (ruling,) = resolved("wh40k/seven-inches-by-the-tape")[1].rulings
    band, _, label = open_marks(ruling)
    assert isinstance(band, Rings)
    assert isinstance(label, Label)
    (start,) = [one.start for one in ruling.evidence.dimensions]
    assert ruling.decides is not None
    told = re.findall(r"\d\.\d\d", ruling.decides.text)
    assert {f"{math.dist(start, corner):.2f}" for corner in band.rings[0]} == {*told[1:]}
    assert re.findall(r"\d\.\d\d", label.text) == told[1:]


@pytest.mark.parametrize("distance", [9.0, 11.5])
def test_what_is_certain_has_no_band(distance: float) -> None:
    """Where the measurement cannot turn the rule there is none, and the badge says what it ever did."""
    (ruling,) = resolve(fronts(distance)).rulings
    assert open_marks(ruling) == ()
    assert "open" not in ruling_badge(ruling, 0).about


def test_the_badge_says_what_is_open() -> None:
    """An outcome that may as well be another is not told as if it were certain."""
    (ruling,) = resolve(fronts(9.95)).rulings
    badge = ruling_badge(ruling, 0)
    assert (badge.outcome, badge.words) == ("undecided", "Undecided")
    assert re.match(r"A\b.*\bB: undecided\b", badge.about)
    assert re.search(r"\bopen\b.*: t9a\.range\b", ruling_badge(ruling, 0, audience="judge").about)


def test_where_it_was_measured_is_drawn_thinly() -> None:
    """What was moved by what can be seen has its measured outline; what was not, or was not measured, has none."""
    friend = {
        "side": "blue",
        "at": [34.85, 30],
        "facing_deg": 270,
        "files": 5,
        "models": 10,
        "base": "25x25mm",
    }
    case = fronts(9.0, units={**_units(), "C": friend})
    (mark,) = measured_marks(case)
    assert isinstance(mark, Lines)
    assert len(mark.lines) == 2
    assert np.array(mark.lines).min(axis=(0, 1)).tolist() == pytest.approx(
        [30 - 2.46063, 30.0], abs=1e-4
    )
    assert measured_marks(fronts(9.0)) == ()
    assert measured_marks(None) == ()


def _units() -> dict[str, object]:
    from tabletop.scenario.cases import unit_entry

    case = fronts(9.0)
    return {name: unit_entry(unit, case) for name, unit in case.state.units.items()}


def test_a_figure_of_a_claim_that_cannot_be_told(tmp_path: object) -> None:
    """The figure of an undecided claim says so."""
    case = fronts(9.95, proposal={"units": {"A": {"at": [30, 20.0], "facing_deg": 270}}})
    resolution = resolve(case)
    path = f"{tmp_path}/figure.svg"
    plots.draw(
        case,
        resolution,
        path,
        judgement=judge(case, resolution),
        setting=plots.setting(audience="judge"),
    )
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - a fixture of pytest
        text = file.read()
    assert "Undecided: t9a.range" in text


@pytest.mark.parametrize(
    ("overlap", "why"), [(0.3, r"^5 models of B\b"), (1.0, r"^\D*\baccuracy\b")]
)
def test_a_headline_holds_on_every_table_within_the_accuracy(overlap: float, why: str) -> None:
    """A tower stands before so many inches of B's front, on which a model is 0.98 in wide: how many are met is told
    where it is sure.
    """
    corner = 30 + 2.5 * 25 / 25.4 - overlap
    tower = {
        "kind": "impassable",
        "rectangle": {"centre": [corner + 1.0, 22.2], "width": 2.0, "depth": 2.0},
    }
    (ruling,) = resolve(fronts(9.0, terrain=[tower])).rulings
    assert (ruling.outcome, ruling.open) == ("success", ())
    assert re.search(why, ruling_badge(ruling, 0).why)


def test_what_a_measured_charge_needs_is_said_where_it_is_known() -> None:
    """A roll that another table within the accuracy does not need is none of the badge."""
    near, far = (
        ruling_badge(resolve(fronts(9.95, face=6, accuracy=accuracy)).rulings[0], 0).about
        for accuracy in (None, 0.1)
    )
    assert "any roll" in near
    assert "roll" not in far


def test_a_headline_of_a_failure_has_no_length_of_one_table_alone() -> None:
    """How much is missing differs from table to table, and is told of the nearest one; where nothing was measured it is
    what it is.
    """
    short, exact = (resolve(fronts(11.5, accuracy=accuracy)).rulings[0] for accuracy in (0.1, None))
    assert (short.outcome, short.open) == ("failed", ())
    assert re.fullmatch(r"\D*\baccuracy\b\D*", ruling_badge(short, 0).why)
    assert ruling_badge(exact, 0).why.startswith("1.5\N{NO-BREAK SPACE}in ")


@pytest.mark.parametrize(("distance", "nearest"), [(9.0, False), (9.95, True), (11.5, True)])
def test_what_a_ruling_comes_to_begins_with_what_is_sure(distance: float, *, nearest: bool) -> None:
    """What another table tells otherwise is told as that of the nearest one, and after what cannot be told."""
    (ruling,) = resolve(fronts(distance)).rulings
    assert ("nearest" in ruling.summary) is nearest
    first = {
        9.0: r"A\b[^.]*\bB: 5 models\b",
        9.95: r"Undecided\b",
        11.5: r"[^.:]*\bnearest\b[^.:]*:",
    }[distance]
    assert re.match(first, ruling.summary)
