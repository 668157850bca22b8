"""What is shown: panels, their marks and their words, all from the ruling."""

import math
import re
from dataclasses import replace

import pytest

from plots.marks.alt_text import description
from plots.marks.captions import caption, most_telling, rules_line, ruling_badge, signed, title
from plots.marks.mark import Discs, FacingMark, Rings, part_of
from plots.marks.panels import Panel, charge_panels, seen_in, step_panels
from plots.marks.section import LEAST, OFF_BOARD, Rect, around, fitted, window_of_action
from plots.render.figure import picture
from tabletop.geometry.pose import Pose
from tabletop.ruling.evidence import Evidence
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.table.state import Board, State
from tabletop.testing.answers import resolved
from tests.plots import hexed, loose
from tests.plots.scenes import (
    case_of,
    charge_resolution,
    failed_resolution,
    refused_resolution,
    regiment,
)


def ids(panel: Panel) -> set[str]:
    """Return the ids of a panel's marks."""
    return {mark.id for mark in panel.marks}


def test_charge_shows_before_and_after() -> None:
    """Before: path, pivot, arcs, facing, contact, length. After: start, facing, models in contact of both sides."""
    before, after = charge_panels(charge_resolution())
    assert ids(before) >= {
        *(
            "before.unit.A",
            "before.unit.B",
            "before.path.2",
            "before.path.3",
            "before.path.3.pivot",
            "before.path.4.stop",
        ),
        *(
            "before.arc.1",
            "before.arc.front",
            "before.target-facing",
            "before.contact.P",
            "before.dimension.1",
            "before.terrain.Tower",
        ),
    }
    assert ids(after) >= {
        "after.unit.A.contact",
        "after.unit.B.contact",
        "after.start.A",
        "after.target-facing",
        "after.contact.P",
    }
    assert not [name for name in ids(after) if ".path." in name or ".arc." in name]


def test_every_id_occurs_once() -> None:
    """Ids are distinct in the whole figure, even of units whose names differ only in what an id cannot hold."""
    panels = charge_panels(charge_resolution(names=("Spear Men", "Spear_Men")))
    names = [mark.id for panel in panels for mark in panel.marks]
    assert len(names) == len(set(names))


def test_contact_marks_as_many_models_as_the_ruling_says() -> None:
    """The group of bases in contact holds one ring per model that the evidence names."""
    resolution = charge_resolution()
    grids = {
        mark.id: mark
        for mark in charge_panels(resolution)[1].marks
        if isinstance(mark, Rings | Discs)
    }
    for name, models in resolution.rulings[0].evidence.models_in_contact.items():
        assert len(grids[f"after.unit.{name}.contact"].rings) == len(models)


def test_failed_charge_shows_where_it_ends() -> None:
    """A failed charge has its path, its start and its end, and nothing in contact."""
    resolution = failed_resolution()
    before, after = charge_panels(resolution)
    outline = next(mark for mark in after.marks if mark.id == "after.unit.A")
    assert isinstance(outline, Rings)
    assert outline.rings[0][0] == pytest.approx(
        tuple(resolution.after.units["A"].boundary.outline()[0])
    )
    assert "before.path.2" in ids(before)
    assert not [name for name in ids(after) if "contact" in name]


def test_refused_charge_shows_the_set_up_alone() -> None:
    """A charge that may not be declared has one panel, without a path."""
    (panel,) = charge_panels(refused_resolution())
    assert panel.heading == "Set-up"
    assert not [name for name in ids(panel) if ".path." in name]


def test_steps_are_numbered_and_named_after_their_rules() -> None:
    """One panel per step; the two forward moves are told apart; the text is the step's."""
    resolution = charge_resolution()
    panels = step_panels(resolution)
    assert [panel.heading for panel in panels] == [
        "1. Declare",
        "2. Initial forward",
        "3. Wheel",
        "4. Concluding forward",
        "5. Align",
    ]
    assert [panel.text for panel in panels] == [step.text for step in resolution.rulings[0].steps]


def test_steps_show_where_the_unit_stands_after_each() -> None:
    """On the panel of a step the unit stands at the step's end, and its start is dashed."""
    resolution = charge_resolution()
    for step, panel in list(zip(resolution.rulings[0].steps, step_panels(resolution), strict=True))[
        1:
    ]:
        outline = next(mark for mark in panel.marks if mark.id == f"{panel.name}.unit.A")
        assert isinstance(outline, Rings)
        assert step.end is not None
        assert outline.rings[0][0] == pytest.approx(
            tuple(resolution.before.units["A"].at(step.end).boundary.outline()[0])
        )
        assert f"{panel.name}.start.A" in ids(panel)


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("t9a/failed-wheel", ["step1"]),
        ("t9a/odds-in-the-way", ["step1", "step4"]),
        ("t9a/one-has-no-room", ["step5", "step8", "step10"]),
        ("wh40k/bystander-in-the-way", ["step1"]),
        ("wh40k/one-corridor-for-two", ["step4", "step5"]),
        ("conquest/a-friend-that-is-held", ["step2"]),
    ],
)
def test_why_a_charge_fails_is_shown_when_it_is_known(name: str, steps: list[str]) -> None:
    """A length beside the distance that is declared; what others leave no room for when the charger moves, or rolls and
    stays.

    What charges reach that complete is shown with their last step.
    """
    resolution = resolved(name)[1]
    shown = {panel.name: {mark.role for mark in panel.marks} for panel in step_panels(resolution)}
    assert [panel for panel, roles in shown.items() if roles & {"decided", "goal_decided"}] == steps


def test_declaration_shows_the_evidence_though_nothing_moves() -> None:
    """The declaration's panel has arcs, facing and distance, whether or not the step gives poses."""
    resolution = charge_resolution()
    pose = resolution.before.units["A"].pose
    ruling = resolution.rulings[0]
    still = replace(ruling.steps[0], start=pose, end=pose)
    for steps in (ruling.steps, (still, *ruling.steps[1:])):
        panel = step_panels(replace(resolution, rulings=(replace(ruling, steps=steps),)))[0]
        assert ids(panel) >= {"step1.arc.1", "step1.dimension.1", "step1.target-facing"}


def test_resolution_without_steps_still_draws() -> None:
    """Steps of nothing show the charge instead."""
    resolution = refused_resolution()
    bare = replace(resolution, rulings=(replace(resolution.rulings[0], steps=()),))
    assert [panel.name for panel in step_panels(bare)] == ["before"]


def test_section_holds_the_action_and_stays_on_the_board() -> None:
    """Charger, target and path are inside at both moments; the section leaves the board by a strip at most."""
    resolution = charge_resolution()
    section = charge_panels(resolution)[0].section
    for state in (resolution.before, resolution.after):
        for name in ("A", "B"):
            west, south, east, north = state.units[name].boundary.bounds
            assert section.joined(Rect(west, south, east, north)) == section
    assert min(section.west, section.south) >= -OFF_BOARD


def test_section_of_a_tiny_scene_is_not_a_magnifying_glass() -> None:
    """Two single models base to base are shown with the table around them."""
    units = {
        name: regiment(name, side, Pose(36.0, y, turn), files=1, models=1)
        for name, side, y, turn in TINY
    }
    resolution = charge_resolution()
    section = window_of_action((State(Board(72.0, 48.0), units),), resolution.rulings, ()).section
    assert min(section.width, section.height) >= LEAST


TINY = (("A", "blue", 24.0, math.pi / 2), ("B", "red", 24.5, -math.pi / 2))


def test_fitted_never_leaves_its_limits() -> None:
    """A stretch longer than the limits is cut to them."""
    assert fitted(2.0, 3.0, 50.0, (0.0, 10.0)) == (0.0, 10.0)


@pytest.mark.parametrize(
    ("margin", "written"),
    [(1.5, "+1.5"), (-0.031, "\N{MINUS SIGN}0.03"), (-0.0004, "\N{MINUS SIGN}0.0004"), (0.0, "0")],
)
def test_margins_are_signed(margin: float, written: str) -> None:
    """A margin never loses its sign, and a small one never reads as nothing."""
    assert signed(margin) == written


def test_badge_says_outcome_rule_and_margin_in_words() -> None:
    """A judge is told the rule and the margin where it is not success, a reader what falls short and no id."""
    badge = ruling_badge(failed_resolution().rulings[0], 0, audience="judge")
    assert re.fullmatch("Failed: t9a\\.range\\b.* \N{MINUS SIGN}1\\.1", badge.words)
    assert re.fullmatch(r"A\b.*\bB: \D*\b3\b\D*\b2/3", badge.about)
    plain = ruling_badge(failed_resolution().rulings[0], 0)
    assert plain.words == "Failed"
    assert re.search(r": \D*\b3\b\D*\b2/3$", plain.about)
    assert "t9a." not in plain.about


def test_deciding_findings_are_the_broken_then_the_closest() -> None:
    """Broken rules come first, then those with the least room, each once."""
    findings = (
        Finding("a", ok=True, text="", margin=3.0),
        Finding("b", ok=True, text="", margin=0.1),
        Finding("c", ok=False, text="", margin=-9.0),
        Finding("d", ok=True, text=""),
        Finding("b", ok=True, text="", margin=0.5),
    )
    assert [finding.rule for finding in most_telling(findings)] == ["c", "b", "a"]


def test_caption_and_description_are_made_from_the_ruling() -> None:
    """The caption holds summary and note, for a judge rules between; the description also says where units stand before
    and after.
    """
    resolution = charge_resolution()
    case = case_of(resolution.before, resolution.rulings[0].charge, note="A note.", source="A page")
    first, second = caption(case, resolution)
    assert first == resolution.rulings[0].summary
    assert second == "A note."
    assert "t9a.range (+1.9)" in rules_line(resolution)
    paragraphs = caption(case, resolution, audience="judge")
    assert paragraphs[0] == resolution.rulings[0].summary
    assert "t9a.range (+1.9)" in paragraphs[1]
    assert paragraphs[2] == second
    spoken = description(case, resolution)
    assert re.search(
        r"A \(blue\D*\b13 models\D*\b5 files\D*\(30\.50, 10\.00\)\D*\b90°[^()]*\(", spoken
    )
    assert "Tower (rock)" in spoken


def test_title_falls_back_to_who_charges_whom() -> None:
    """A case without a title is called by its charges."""
    resolution = charge_resolution()
    assert title(case_of(resolution.before, resolution.rulings[0].charge)) == "A charges B"


def test_two_charges_share_a_figure() -> None:
    """Several rulings each get their path, their contact and their badge."""
    resolution = charge_resolution()
    second = replace(failed_resolution().rulings[0])
    both = Resolution(resolution.before, (resolution.rulings[0], second), resolution.after)
    shown = picture(case_of(both.before, both.rulings[0].charge), both)
    assert [badge.outcome for badge in shown.badges] == ["success", "failed"]
    assert ids(shown.panels[0]) >= {"before.path.2", "before.charge2.path.2"}


def test_charge_of_loose_models_shows_ways_zones_links_and_losses() -> None:
    """Before: ways, stops and the zones of that stage.

    After: bases in contact, starts, links, and the lost crossed out.
    """
    before, after = charge_panels(loose.charge_resolution())
    assert ids(before) >= {
        "before.path.A",
        "before.path.A.stop",
        "before.zone.target",
        "before.zone.forbidden",
    }
    assert ids(after) >= {
        "after.unit.A.contact",
        "after.start.A",
        "after.start.A.lost",
        "after.start.A.cross",
        "after.links",
    }


def test_losses_are_crossed_at_their_step() -> None:
    """On the picture of the step that takes a model away it is crossed; later it is gone."""
    first, second, *_ = step_panels(loose.charge_resolution())
    assert {"step1.start.A.lost", "step1.start.A.cross"} <= ids(first)
    assert "step2.start.cross" not in ids(second)


def test_charge_that_changes_nothing_shows_the_set_up_alone() -> None:
    """A charge that fails without a move needs no second picture, but one after which somebody is marked does."""
    whole = loose.charge_resolution()
    ruling = replace(
        whole.rulings[0], outcome="failed", rule="wh40k.roll.limit", steps=(), evidence=Evidence()
    )
    (panel,) = charge_panels(Resolution(whole.before, (ruling,), whole.before))
    assert panel.heading == "Set-up"
    broken = whole.before.with_unit(whole.before.units["A"].with_status("broken"))
    assert len(charge_panels(Resolution(whole.before, (ruling,), broken))) == 2


@pytest.mark.parametrize("lost_after", [(), (4,)])
def test_proposal_of_loose_models_places_those_that_moved(lost_after: tuple[int, ...]) -> None:
    """A proposal gives places for the models alive when the move begins: neither the lost before, nor without the lost
    after.
    """
    whole = loose.charge_resolution()
    moved = whole.after.units["A"]
    zones = tuple(replace(zone, stage="after") for zone in whole.rulings[0].evidence.zones)
    ruling = replace(whole.rulings[0], evidence=replace(whole.rulings[0].evidence, zones=zones))
    resolution = Resolution(
        whole.before, (ruling,), whole.after.with_unit(moved.without(lost_after))
    )
    judgement = Judgement(
        "not_allowed", "wh40k.possible.coherency", (), "Too far.", {"A": moved.place}
    )
    panels = charge_panels(resolution, proposal={"A": moved.place}, judgement=judgement)
    assert [panel.name for panel in panels] == ["before", "proposed", "demanded"]
    assert "proposed.zone.target" in ids(panels[1])
    for panel in panels[1:]:
        bases = next(mark for mark in panel.marks if mark.id == f"{panel.name}.unit.A.models")
        assert isinstance(bases, Rings | Discs)
        assert len(bases.rings) == 9


def test_charge_through_hexes_shows_its_way_costs_and_pushes() -> None:
    """Before: the way with its costs and the pushes. After: who lies, and where all stood."""
    before, after = charge_panels(hexed.charge_resolution())
    assert ids(before) >= {
        "before.path.A",
        "before.path.B",
        "before.path.C",
        "before.note.1",
        "before.note.3",
        "before.hexes",
    }
    assert ids(after) >= {
        "after.unit.B.lying",
        "after.unit.B.status",
        "after.start.A",
        "after.start.B",
        "after.start.C",
    }


def test_costs_are_written_on_the_picture_of_the_way() -> None:
    """The notes of the way stand on its picture, and on no later one."""
    panels = step_panels(hexed.charge_resolution())
    noted = [panel.heading for panel in panels if any(".note." in name for name in ids(panel))]
    assert noted == ["2. Approach"]


def test_section_of_hexes_holds_whole_hexes_of_all_it_shows() -> None:
    """Whoever is seen in part is seen whole; hexes of a target that is terrain are inside."""
    resolution = hexed.charge_resolution()
    section = charge_panels(resolution)[0].section
    for unit in resolution.before.units.values():
        hexagon = around(hexed.BOARD.outline(hexed.BOARD.hex_at(unit.pose.at)).tolist())
        assert section.joined(hexagon) == section or not section.overlaps(hexagon)
    ruling = replace(
        resolution.rulings[0], charge=replace(resolution.rulings[0].charge, targets=("Depot",))
    )
    depot = around(hexed.BOARD.outline((4, 3)).tolist())
    shown = window_of_action((resolution.before,), (ruling,), ()).section
    assert shown.joined(depot) == shown


def test_descriptions_say_how_units_stand() -> None:
    """Loose models are counted and placed by their middle, models in hexes by hex and facing; who is gone is said to
    be.
    """
    resolution = hexed.charge_resolution()
    spoken = description(case_of(resolution.before, resolution.rulings[0].charge), resolution)
    assert re.search(r"\b15\D+17 hexes\D+1\.25 inches\b", spoken)
    assert re.search(r"A \(blue\) [^.]*\bhex 0508 [^.]*\bN\b[^.]*\bhex 0504 [^.]*\bN\.", spoken)
    assert "Birches (wood)" in spoken
    table = loose.charge_resolution()
    gone = replace(table, after=table.after.without_unit("Walker"))
    spoken = description(case_of(table.before, table.rulings[0].charge), gone)
    assert re.search(r"A \(blue\D*\b10 models\) \D*\(19\.92, 8\.98\)\D*\(", spoken)
    assert re.search(r"Walker \(red\D*\b1 model\) \D*\(11\.00, 20\.00\)[^.(]*\bremoved\b", spoken)


def test_slivers_of_regiments_are_left_out() -> None:
    """Of where a regiment stood nothing is shown if most of it is cut off; a single model or a unit in a hex is shown
    all the same.
    """
    ring = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
    marks = part_of(
        "start.A",
        [
            Rings("", "start.0", (ring,)),
            FacingMark("facing", "hollow.0", (2.0, 4.0), 0.0, 2.0, 1.0),
        ],
    )
    marks += part_of("start.B", [Rings("", "start.1", (ring,))])
    panel = Panel("after", "", "", marks, Rect(0.0, 0.0, 10.0, 10.0))
    assert [mark.id for mark in seen_in(panel, Rect(3.0, 0.0, 10.0, 10.0)).marks] == ["start.B"]
    assert seen_in(panel, panel.section) == panel
