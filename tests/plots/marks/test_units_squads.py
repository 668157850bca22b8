"""Units of loose models as marks: every ring and point is one of the engine's."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import tabletop
from plots.marks.mark import Discs, DrawnMark, Label, Lines, Printed, Rings
from plots.marks.panels import charge_panels
from plots.marks.units import squad_marks, squad_start, squad_stop
from tabletop.geometry.pose import Pose
from tabletop.table.models import BaseShape, Formation, Model, RoundBase, Squad
from tabletop.table.state import Base
from tests.plots.loose import OVAL, ROUND, WALKER, rows, squad

RIDERS = SimpleNamespace(silhouette="mounted")
UNIT = squad("A", "blue", rows(6, 3, (10.0, 10.0)))


def by_id(marks: tuple[DrawnMark, ...]) -> dict[str, DrawnMark]:
    """Return marks by their ids."""
    return {mark.id: mark for mark in marks}


def words_of(mark: DrawnMark) -> list[str]:
    """Return the words of a printed mark."""
    assert isinstance(mark, Printed)
    return [word for _, word, _ in mark.words]


@pytest.mark.parametrize(
    "base", [ROUND, OVAL, WALKER, Base(1.5, 1.0)], ids=["round", "oval", "hull", "rectangle"]
)
def test_bases_are_the_engines_footprints(base: BaseShape) -> None:
    """Each ring is the outline of the model's footprint, in the order of the unit."""
    unit = squad("A", "blue", ((5.0, 6.0), (9.0, 6.0)), base=base, heading=0.7)
    grid = by_id(squad_marks(unit, tone=0))["models"]
    assert isinstance(grid, Rings | Discs)
    for ring, model in zip(grid.rings, unit.models, strict=True):
        assert np.allclose(np.array(ring), model.footprint.outline(40))


def test_models_are_numbered_from_one() -> None:
    """Files count from 0. Numbers stay with their models when others are gone; those in contact are printed apart."""
    marks = by_id(squad_marks(UNIT.without({1}), tone=0, contact=(3, 5)))
    assert words_of(marks["numbers"]) == ["1", "3", "5"]
    assert words_of(marks["numbers.contact"]) == ["4", "6"]
    contact = marks["contact"]
    assert isinstance(contact, Rings | Discs)
    assert len(contact.rings) == 2


def test_large_units_are_numbered_only_where_single_models_matter() -> None:
    """Twenty models have no numbers unless the ruling names single ones; one model alone has none."""
    crowd = squad("A", "blue", rows(20, 5, (10.0, 10.0)))
    assert "numbers" not in by_id(squad_marks(crowd, tone=0))
    assert len(words_of(by_id(squad_marks(crowd, tone=0, is_numbered=True))["numbers"])) == 20
    assert "numbers" not in by_id(squad_marks(squad("A", "blue", ((1.0, 1.0),)), tone=0))


@pytest.mark.parametrize("base", [OVAL, WALKER, Base(1.5, 1.0)], ids=["oval", "hull", "rectangle"])
def test_facing_marks_stand_on_the_outline_ahead(base: BaseShape) -> None:
    """The tip of a facing mark lies on the edge of the base, straight ahead of the model."""
    unit = squad("A", "blue", ((5.0, 6.0),), base=base, heading=2.1)
    grid = by_id(squad_marks(unit, tone=0))["facing"]
    assert isinstance(grid, Rings | Discs)
    ((tip, left, right),) = grid.rings
    model = unit.models[0]
    assert model.pose.local(tip)[0] == pytest.approx(0.0, abs=1e-9)
    assert model.footprint.holds(model.pose.point(0.0, model.pose.local(tip)[1] - 0.02))
    assert not model.footprint.holds(model.pose.point(0.0, model.pose.local(tip)[1] + 0.02))
    assert max(model.pose.local(left)[1], model.pose.local(right)[1]) < model.pose.local(tip)[1]


def test_round_bases_have_no_facing_mark() -> None:
    """What looks alike from every side has no front."""
    assert "facing" not in by_id(squad_marks(UNIT, tone=0))


def test_raised_models_have_a_ring_and_each_height_is_said_once() -> None:
    """Two models on one level and one on another make three inner rings and two labels."""
    places = ((1.0, 1.0, 3.0), (3.0, 1.0, 3.0), (5.0, 1.0, 5.5), (7.0, 1.0, 0.0))
    models = tuple(
        Model(number, Pose(x, y, 0.0), RoundBase(1.0), z) for number, (x, y, z) in enumerate(places)
    )
    marks = by_id(squad_marks(Squad("A", "blue", models), tone=0))
    rings = marks["raised"]
    assert isinstance(rings, Rings | Discs)
    assert len(rings.rings) == 3
    touching = by_id(squad_marks(Squad("A", "blue", models), tone=0, contact=(1,)))
    assert [
        len(mark.rings)
        for name in ("raised", "raised_contact")
        if isinstance(mark := touching[name], Rings | Discs)
    ] == [
        2,
        1,
    ]
    said = [
        mark.text
        for name, mark in marks.items()
        if name.startswith("height.") and isinstance(mark, Label)
    ]
    assert said == ["\N{UPWARDS ARROW}3", "\N{UPWARDS ARROW}5.5"]


def test_the_unit_is_named_once_and_single_models_by_their_own_names() -> None:
    """A unit has one name on the table; a model with a name of its own has that beside it."""
    unit = Squad(
        "Guard", "blue", (*UNIT.models, Model(6, Pose(2.0, 2.0, 0.0), ROUND, 0.0, "Sergeant"))
    )
    labels = [mark.text for mark in squad_marks(unit, tone=0) if isinstance(mark, Label)]
    assert labels == ["Guard", "Sergeant"]


def test_a_single_model_is_named_beside_its_base() -> None:
    """No word covers the base, and no number stands in it."""
    marks = by_id(squad_marks(squad("Hero", "blue", ((1.0, 1.0),)), tone=0))
    label = marks["label"]
    assert isinstance(label, Label)
    assert (label.text, label.home) == ("Hero", ())
    assert not any(isinstance(mark, Printed) for mark in marks.values())


def test_only_what_moved_is_dashed_and_what_is_gone_is_crossed() -> None:
    """Of six models one moves and one is lost: one dashed base, and one crossed."""
    poses = [model.pose for model in UNIT.models]
    moved = UNIT.at(Formation((Pose(1.0, 1.0, math.pi), *poses[1:]), (0.0,) * 6)).without({5})
    marks = by_id(squad_start(UNIT, moved, tone=0))
    start, lost, cross = (marks[name] for name in ("", "lost", "cross"))
    assert isinstance(start, Rings | Discs)
    assert isinstance(lost, Rings | Discs)
    assert isinstance(cross, Lines)
    assert np.allclose(np.array(start.rings[0]), UNIT.models[0].footprint.outline(40))
    assert (len(start.rings), len(lost.rings), len(cross.lines)) == (1, 1, 2)
    assert squad_start(UNIT, UNIT, tone=0) == ()
    assert len(squad_start(UNIT, None, tone=0)) == 2


def test_stops_are_the_bases_of_those_that_moved() -> None:
    """A stop is dashed for each model that ends elsewhere, also one that only climbs."""
    heights = (0.0, 0.0, 3.0, 0.0, 0.0, 0.0)
    (stop,) = squad_stop(UNIT, UNIT.at(Formation(UNIT.place.poses, heights)), tone=0)
    assert isinstance(stop, Rings | Discs)
    assert np.allclose(np.array(stop.rings), [UNIT.models[2].footprint.outline(40)])
    assert squad_stop(UNIT, UNIT, tone=0) == ()


def test_a_unit_without_models_draws_nothing() -> None:
    """Nothing is left to draw of a unit that lost all its models."""
    assert squad_marks(UNIT.without(range(6)), tone=0) == ()


def test_a_lost_model_is_crossed_where_it_was_lost() -> None:
    """A model that moves and then is lost leaves dashes where it stood, and its cross where the move brought it."""
    resolution = tabletop.resolve(tabletop.read_case("wh40k/killed-on-arrival"))
    (end,) = [
        step.end for step in resolution.rulings[0].steps if step.model == 0 and step.end is not None
    ]
    marks = by_id(charge_panels(resolution)[1].marks)
    cross = marks["after.start.A.cross"]
    start = marks["after.start.A"]
    assert isinstance(cross, Lines)
    assert isinstance(start, Rings | Discs)
    assert np.allclose(np.mean(cross.lines, axis=(0, 1)), end.at)
    assert len(start.rings) == 2


@pytest.mark.parametrize(("base", "heading"), [(OVAL, 0.7), (WALKER, 2.0), (ROUND, math.pi / 2)])
def test_models_are_shown_as_what_they_are(base: BaseShape, heading: float) -> None:
    """On a base that looks somewhere the silhouette looks there, on a round one up; models in contact have theirs
    apart.
    """
    unit = replace(
        squad(
            "A",
            "blue",
            ((5.0, 6.0), (9.0, 6.0)),
            base=base,
            heading=0.0 if base is ROUND else heading,
        ),
        profile=RIDERS,
    )
    marks = by_id(squad_marks(unit, tone=0, contact=(1,)))
    for model, part in zip(unit.models, ("seen", "seen_contact"), strict=True):
        grid = marks[f"{part}"]
        assert isinstance(grid, Rings | Discs)
        ahead = max(
            (point for ring in grid.rings for point in ring),
            key=lambda point: point[0] * math.cos(heading) + point[1] * math.sin(heading),
        )
        middle = np.mean(np.array(model.footprint.bounds).reshape(2, 2), axis=0)
        assert (
            abs(
                math.remainder(
                    math.atan2(ahead[1] - middle[1], ahead[0] - middle[0]) - heading, math.tau
                )
            )
            < 0.35
        )


def test_who_is_on_foot_is_shown_by_the_base() -> None:
    """Infantry, and models of which nothing is said, have nothing on their bases but numbers."""
    for profile in (None, SimpleNamespace(silhouette="foot")):
        assert not [
            name
            for name in by_id(squad_marks(replace(UNIT, profile=profile), tone=0))
            if "seen" in name
        ]
