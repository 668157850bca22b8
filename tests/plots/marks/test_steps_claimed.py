"""Figures of a proposal tell what is claimed: its moves in its order, its end, what is wrong, and whether best is
proved.
"""

import re
from dataclasses import replace

import pytest

import tabletop
from plots.export.film import shots
from plots.marks import captions
from plots.marks.alt_text import description
from plots.marks.mark import Discs, DrawnMark, Rings
from plots.marks.panels import Panel, charge_panels, step_panels
from plots.render.figure import picture
from tabletop.budget import PROOFS
from tabletop.cli.report import judgement_line
from tabletop.ruling.claimed import PUT_DOWN, shown_resolution
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.scenario.reading import read_case

STORY = "wh40k/judged-in-six-moves"


def asked(name: str) -> tuple[Case, Resolution, Judgement]:
    """Resolve and judge a bundled scenario."""
    case = read_case(name)
    resolution = tabletop.resolve(case)
    return case, resolution, tabletop.judge(case, resolution)


def marks(panel: Panel) -> dict[str, DrawnMark]:
    """Return the marks of a panel by their ids."""
    return {mark.id: mark for mark in panel.marks}


@pytest.mark.parametrize(
    ("name", "panels", "fault"),
    [
        ("t9a/judged-one-short", 3, "proposed.fault.B"),
        ("conquest/judged-pushed-too-far", 3, "proposed.fault.length.1"),
        ("wh40k/one-contact-of-two", 3, "proposed.fault.place proposed.fault.A"),
        ("wh40k/held-back-by-coherency", 3, "proposed.fault.length.1"),
        ("battletech/judged-the-wrong-way", 3, "proposed.fault.B"),
        ("conquest/judged-another-wheel", 2, ""),
        ("battletech/judged-the-other-side", 2, ""),
    ],
)
def test_a_proposal_is_drawn_and_not_the_place_that_was_solved(
    name: str, panels: int, fault: str
) -> None:
    """Before and proposed; what is demanded if that is another.

    The judgement stands first, no success of the solved charge beside it.
    """
    case, resolution, judgement = asked(name)
    shown = picture(case, resolution, judgement=judgement)
    assert [panel.name for panel in shown.panels] == ["before", "proposed", "demanded"][:panels]
    faults = [
        one for one in marks(shown.panels[1]) if ".fault" in one and not one.endswith(".label")
    ]
    assert faults == fault.split()
    assert shown.badges[0].outcome == judgement.outcome
    assert all(badge.outcome != "success" for badge in shown.badges[1:])
    claimed = case.claimed(resolution) or {}
    after = shown_resolution(case, resolution, judgement).after
    assert all(
        after.units[unit].place == replace(place, order=None)
        if hasattr(place, "order")
        else after.units[unit].place == place
        for unit, place in claimed.items()
    )


def test_models_in_contact_are_those_of_the_proposal() -> None:
    """Six of the target are filled where seven could be."""
    case, resolution, judgement = asked("t9a/judged-one-short")
    _, proposed, demanded = charge_panels(
        resolution, proposal=case.claimed(resolution), judgement=judgement
    )
    filled = [marks(panel)[f"{panel.name}.unit.B.contact"] for panel in (proposed, demanded)]
    assert [len(one.rings) for one in filled if isinstance(one, Rings | Discs)] == [6, 7]


def test_a_proposal_moves_in_its_own_order() -> None:
    """One picture for each model, in the order that is claimed, with what it owes."""
    case, resolution, judgement = asked(STORY)
    panels = step_panels(shown_resolution(case, resolution, judgement), judgement=judgement)
    assert [panel.heading.partition(". ")[2] for panel in panels[1:7]] == [
        f"Move: model {number}" for number in range(1, 7)
    ]
    assert ["closer" in panel.text for panel in panels[1:7]] == [
        True,
        False,
        True,
        True,
        True,
        True,
    ]
    assert ["contact" in panel.text for panel in (panels[2], panels[6])] == [True, True]
    assert "reach" in panels[1].text
    changed = replace(
        case,
        proposal={"A": replace((case.claimed(resolution) or {})["A"], order=(1, 0, 2, 3, 4, 5))},
    )
    other = step_panels(shown_resolution(changed, resolution, tabletop.judge(changed, resolution)))
    assert [panel.heading.partition(". ")[2] for panel in other[1:3]] == [
        "Move: model 2",
        "Move: model 1",
    ]


def test_what_is_wrong_is_marked_where_it_happens() -> None:
    """The model that owes contact is ringed on the picture of its move; a charge that is not right gains nothing."""
    case, resolution, judgement = asked("wh40k/one-contact-of-two")
    panels = step_panels(shown_resolution(case, resolution, judgement), judgement=judgement)
    assert [panel.name for panel in panels if f"{panel.name}.fault.A" in marks(panel)] == ["step2"]
    assert panels[1].text == judgement.findings[-1].text
    assert "Fights first" not in panels[-1].heading


def test_a_place_without_a_known_way_is_put_down() -> None:
    """A front that is claimed elsewhere has no moves of its own: the declaration stays, then it is put down."""
    case, resolution, judgement = asked("t9a/judged-one-short")
    (ruling,) = shown_resolution(case, resolution, judgement).rulings
    assert [step.kind for step in ruling.steps] == ["declare", PUT_DOWN]
    assert ruling.evidence.contacts == ()


def test_films_show_the_claimed_moves() -> None:
    """The shots are the pictures by steps of what is claimed, then what is said of it."""
    case, resolution, judgement = asked("t9a/judged-one-short")
    made = shots(case, resolution, judgement)
    assert [shot.panel.name for shot in made] == ["setup", "step1", "step2", "proposed", "demanded"]
    end = made[2].moves[-1].end
    assert end == (case.claimed(resolution) or {})["A"]


def test_best_is_only_what_is_proved() -> None:
    """A search that ended at a limit is no proof."""
    right = Judgement("success", None, (), "")
    assert re.fullmatch(r"Legal\b.*\bbest", captions.judgement_badge(right).words)
    assert re.fullmatch(
        r"Legal\b.*\bbetter\b.*", captions.judgement_badge(replace(right, proof="best_found")).words
    )
    for proof in PROOFS:
        merely = replace(right, outcome="legal", proof=proof)
        assert re.fullmatch(r"Legal\b.*\bbetter\b.*", captions.judgement_badge(merely).words)
        assert judgement_line(merely).endswith(": legal")
    *_, judgement = asked(STORY)
    assert judgement.proof == "exact"
    # one of six in base contact, where two could be in another order
    *_, merely = asked("wh40k/judged-in-six-moves")
    assert (merely.outcome, captions.judgement_badge(merely).words) == ("success", "Legal")


def test_a_measured_proposal_is_drawn_where_it_was_meant() -> None:
    """The exact place is drawn, and where it was measured thinly."""
    case, resolution, judgement = asked("t9a/measured-with-a-tape")
    assert (
        shown_resolution(case, resolution, judgement).after.units["Knights"].pose
        == judgement.meant["Knights"]
    )
    far = replace(judgement, moved={"Knights": 0.1})
    _, proposed = charge_panels(resolution, proposal=case.claimed(resolution), judgement=far)
    assert "proposed.measured" in marks(proposed)


def test_the_description_says_what_is_claimed() -> None:
    """For those who cannot see: the claimed end, and first of all the judgement."""
    case, resolution, judgement = asked("t9a/judged-one-short")
    spoken = description(case, resolution, judgement)
    assert re.match(r"Not allowed: [^.]*\b6\b[^.]*\b7\b", spoken)
    assert "Success" not in spoken
    assert re.search(r"\bends\b[^()]*\(36\.40, 24\.00\)", spoken)


def test_the_place_that_the_rules_demand_comes_last() -> None:
    """Behind the moves of a wrong proposal stands the right place, which alone has what it gains; a right one has no
    such picture.
    """
    case, resolution, judgement = asked("t9a/judged-one-short")
    *_, proposed, demanded = step_panels(
        shown_resolution(case, resolution, judgement), judgement=judgement, ruled=resolution
    )
    assert demanded.name == "demanded"
    gained = [
        [mark.id for mark in panel.marks if ".deciding." in mark.id]
        for panel in (proposed, demanded)
    ]
    assert not gained[0]
    assert gained[1]
    case, resolution, judgement = asked(STORY)
    panels = step_panels(
        shown_resolution(case, resolution, judgement), judgement=judgement, ruled=resolution
    )
    assert "demanded" not in {panel.name for panel in panels}


def test_what_was_reached_does_not_stand_where_the_target_is_not() -> None:
    """Words of a goal stand at the target: not beside an empty hex where the proposal has it elsewhere, but where the
    rules demand it.
    """
    case, resolution, judgement = asked("battletech/judged-the-wrong-way")
    panels = charge_panels(resolution, proposal=case.proposal, judgement=judgement)
    assert [any(".deciding." in name for name in marks(panel)) for panel in panels] == [
        False,
        False,
        True,
    ]
