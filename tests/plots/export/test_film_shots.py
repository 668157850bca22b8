"""Shots: what is seen of a charge as it happens, and who moves in each."""

from dataclasses import replace

import pytest

from plots.export.film import Shot, bodies, is_of_actors, shots, staying, underway
from plots.marks.mark import Label, identifier, under
from plots.marks.panels import charge_panels
from plots.marks.steps import MOST_PICTURES, step_groups
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.table.models import Squad
from tests.plots import hexed, loose, scenes


def told(
    resolution: Resolution, *, judgement: Judgement | None = None, **words: object
) -> tuple[Shot, ...]:
    """Return the shots of a resolution made by hand."""
    return shots(case_of(resolution, **words), resolution, judgement)


def case_of(resolution: Resolution, **words: object) -> Case:
    """Make the case of a resolution made by hand."""
    return scenes.case_of(resolution.before, resolution.rulings[0].charge, **words)


EVERY = (scenes.charge_resolution(), loose.charge_resolution(), hexed.charge_resolution())


@pytest.mark.parametrize("resolution", EVERY)
def test_a_film_is_the_set_up_the_steps_and_the_end(resolution: Resolution) -> None:
    """There is a shot for every panel of the figure by steps, one before them and one after, all of one section."""
    made = told(resolution)
    assert len(made) == len(step_groups(resolution)) + 2
    assert len({shot.panel.section for shot in made}) == 1
    assert [shot.is_end for shot in made] == [False] * (len(made) - 1) + [True]
    assert made[0].panel.heading == "Set-up"
    assert made[-1].panel.text.endswith(resolution.rulings[-1].summary)


@pytest.mark.parametrize("resolution", EVERY)
def test_everything_moves_from_where_it_stood_to_where_it_ends(resolution: Resolution) -> None:
    """In each shot the moving units begin where the one before has left them, and the last leaves them where the answer
    does.
    """
    places = {name: unit.place for name, unit in resolution.before.units.items()}
    for shot in told(resolution):
        if not shot.moves:
            continue
        begun = underway(shot, 0.0)
        ended = underway(shot, 1.0)
        gone = {
            name
            for name, unit in begun.items()
            if isinstance(unit, Squad) and len(unit.models) < len(places[name].poses)
        }
        assert {name: unit.place for name, unit in begun.items() if name not in gone} == {
            name: places[name] for name in begun if name not in gone
        }
        places |= {name: unit.place for name, unit in ended.items()}
    assert places == {name: unit.place for name, unit in resolution.after.units.items()}


def test_models_move_one_after_the_other() -> None:
    """While the second of two models moves the first has ended its move; never are two under way."""
    shot = next(shot for shot in told(loose.charge_resolution()) if len(shot.moves) > 1)
    name = shot.actors[0]
    count = len(shot.moves)
    ends = dict(
        zip(
            (m.number for m in underway(shot, 1.0)[name].models),
            underway(shot, 1.0)[name].models,
            strict=True,
        )
    )
    starts = {model.number: model for model in underway(shot, 0.0)[name].models}
    for number in range(1, 24):
        now = underway(shot, number / 24)[name].models
        on_the_way = [m.number for m in now if m not in (ends[m.number], starts[m.number])]
        assert len(on_the_way) <= 1
        done = {move.model for move in shot.moves[: int(count * number / 24)]}
        assert all(model == ends[model.number] for model in now if model.number in done)


@pytest.mark.parametrize("count", [1, 20, 40])
def test_many_models_share_few_shots(count: int) -> None:
    """However many models move one after the other, the shots stay few."""
    assert len(told(loose.charge_resolution(count))) <= MOST_PICTURES + 2


def test_what_stays_is_all_but_the_actors() -> None:
    """Of what stays no mark is of a moving unit, and with their bodies nothing is missing of the last picture but the
    contact.
    """
    for shot in told(scenes.charge_resolution()):
        stay = staying(shot)
        assert not [mark for mark in stay if is_of_actors(mark, shot)]
        actors = bodies(shot, {name: shot.first.units[name] for name in shot.actors})
        shown = {mark.id for mark in (*stay, *under(shot.panel.name, actors))}
        missing = {mark.id for mark in shot.panel.marks} - shown
        assert all(".contact" in name or ".touching" in name for name in missing)


def test_a_unit_whose_name_begins_another_is_not_mistaken_for_it() -> None:
    """Marks of a unit A are not marks of a unit AB."""
    resolution = scenes.charge_resolution(names=("A", "AB"))
    shot = next(shot for shot in told(resolution) if shot.moves)
    names = {
        is_of_actors(mark, shot)
        for mark in shot.panel.marks
        if mark.id.startswith(identifier(shot.panel.name, "unit", "AB"))
    }
    assert names == {None}
    assert shot.actors == ("A",)


def test_where_all_began_is_dashed_until_the_end() -> None:
    """In every shot after the first move the charger's first place is dashed."""
    made = [shot for shot in told(scenes.charge_resolution()) if shot.moves]
    assert not [mark for mark in made[0].panel.marks if ".first." in mark.id]
    assert all(
        [mark for mark in shot.panel.marks if ".first.start.A" in mark.id] for shot in made[1:]
    )


def test_a_refused_charge_is_still_told() -> None:
    """Nothing moves; the set-up and what is said of it are shown."""
    made = told(scenes.refused_resolution())
    assert not any(shot.moves for shot in made)
    assert made[-1].is_end
    assert made[-1].panel.text


def test_rules_stand_behind_the_words() -> None:
    """A judge's caption of each step ends with the names of the rules it follows, a reader's has none."""
    resolution = scenes.charge_resolution()
    made = shots(case_of(resolution), resolution, audience="judge")
    assert made[3].panel.text == "A wheels about its right front corner. (t9a.move.wheel)"
    assert told(resolution)[3].panel.text == "A wheels about its right front corner."


def test_a_judged_proposal_is_shown_at_the_end() -> None:
    """The last shots are the panels of the figure after the moves: what is claimed, and what the rules demand."""
    resolution = scenes.charge_resolution()
    end = resolution.after.units["A"].place
    proposal = {"A": replace(end, x=end.x + 0.5)}
    judgement = Judgement("not_allowed", "t9a.align.flush", (), "Not flush.", {"A": end})
    made = told(resolution, judgement=judgement, proposal=proposal)
    panels = charge_panels(resolution, proposal=proposal, judgement=judgement)
    assert [shot.panel.heading for shot in made if shot.is_end] == [
        panel.heading for panel in panels[1:]
    ]
    assert "Not flush." in made[-1].panel.text
    assert any(isinstance(mark, Label) for mark in made[-1].panel.marks)
