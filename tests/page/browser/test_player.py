"""An exported player in Chromium: painted by the painter of the page, at three widths, moving, printed, and without
scripts.
"""

from pathlib import Path
from typing import Any

import pytest

import plots
from tabletop import api
from tests.bundled import FOUR
from tests.page.browser.conftest import PHONE, TABLET, WIDE, NewPage

AXE = Path(__file__).with_name("axe.min.js")


@pytest.fixture(scope="session")
def players(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Write a player of a charge of each game."""
    folder = tmp_path_factory.mktemp("players")
    for name in FOUR:
        case = api.as_case(name)
        resolution = api.resolve(case)
        judgement = None if case.proposal is None else api.judge(case, resolution)
        plots.animate(
            case, resolution, folder / f"{name.replace('/', '-')}.html", judgement=judgement
        )
    return {name: (folder / f"{name.replace('/', '-')}.html").as_uri() for name in FOUR}


@pytest.mark.parametrize("viewport", [WIDE, TABLET, PHONE], ids=["wide", "tablet", "phone"])
@pytest.mark.parametrize("name", FOUR)
def test_every_step_is_painted(
    new_page: NewPage, players: dict[str, str], name: str, viewport: dict[str, int]
) -> None:
    """Step by step all marks are there, the picture and its words fit, and nobody sees more than one step."""
    page = new_page(address=players[name], wait=False, viewport=viewport)
    count = page.locator(".step").count()
    for number in range(count):
        shown = page.locator(".step.current")
        assert shown.count() == page.locator(".step:visible").count() == 1
        wanted = page.evaluate(
            "(number) => { const film = JSON.parse(document.getElementById('film').textContent); return "
            "film.shots[number].marks.filter((one) => !['Label', 'Printed', "
            "'Magnifier'].includes(film.marks[one].type)).length; }",
            number,
        )
        assert shown.locator(".marks > g").count() == wanted > 0
        assert shown.locator(".labels .label").count() > 0
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
        assert page.locator("output").text_content() == f"Step {number + 1} of {count}"
        page.keyboard.press("ArrowRight")
    assert page.locator(".step.current .outcome").count() > 0


def test_what_moves_is_carried(new_page: NewPage, players: dict[str, str]) -> None:
    """While a shot plays its unit is somewhere between, and where it ends the picture has it again."""
    page = new_page(address=players["t9a/front-and-flank-at-a-corner"], wait=False)
    moving = page.evaluate(
        "JSON.parse(document.getElementById('film').textContent).shots.findIndex((shot) => shot.bodies.some((body) => "
        "body.moves.length))"
    )
    for _ in range(moving):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('.step.current svg.moving')")
    hidden = page.locator(".step.current .marks [data-owner]")
    assert hidden.count() > 0
    assert (
        page.evaluate(
            "getComputedStyle(document.querySelector('.step.current .marks [data-owner]')).visibility"
        )
        == "hidden"
    )
    first = page.locator(".step.current .movers > g").first.get_attribute("transform")
    page.wait_for_function(
        "(first) => document.querySelector('.step.current .movers > g').getAttribute('transform') !== first",
        arg=first,
    )
    page.wait_for_function("() => !document.querySelector('svg.moving')")
    assert page.locator(".step.current .movers").is_hidden()


def test_it_plays_to_the_end_and_stops(new_page: NewPage, players: dict[str, str]) -> None:
    """From the last step but one to the last, the button says what it does."""
    page = new_page(address=players["conquest/judged-pushed-too-far"], wait=False)
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Pause").wait_for()
    page.get_by_role("button", name="Play").wait_for()
    assert page.get_by_role("button", name="Last step").is_disabled()


def test_calm_steps_change_without_moving(new_page: NewPage, players: dict[str, str]) -> None:
    """Where the system asks for reduced motion nothing moves, on no step."""
    page = new_page(address=players["wh40k/onto-the-crate"], wait=False, reduced_motion="reduce")
    for _ in range(page.locator(".step").count()):
        page.keyboard.press("ArrowRight")
        assert page.locator("svg.moving").count() == 0


def test_paper_and_readers_without_scripts_have_every_step(
    new_page: NewPage, players: dict[str, str]
) -> None:
    """Printed, all pictures are painted; without scripts all words are there, and the last picture."""
    page = new_page(address=players["battletech/second-in-the-queue"], wait=False)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    count = page.locator(".step").count()
    assert page.locator(".step:visible").count() == count
    assert (
        page.evaluate(
            "[...document.querySelectorAll('.marks')].filter((one) => one.childElementCount).length"
        )
        == count
    )
    bare = new_page(
        address=players["battletech/second-in-the-queue"], wait=False, java_script_enabled=False
    )
    assert bare.locator(".step:visible").count() == count
    assert bare.locator("noscript img").bounding_box()["width"] > WIDE["width"] / 2


@pytest.mark.parametrize("name", FOUR)
def test_nothing_serious_for_axe(new_page: NewPage, players: dict[str, str], name: str) -> None:
    """Contrast, names and roles hold on the first and the last step."""
    page: Any = new_page(address=players[name], wait=False)
    page.add_script_tag(path=str(AXE))
    for key in ("Home", "End"):
        page.keyboard.press(key)
        found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []


def test_numbers_are_read_on_dark_bases(new_page: NewPage, players: dict[str, str]) -> None:
    """Numbers of models in contact have the colour that figures print them in, not that of labels."""
    page = new_page(address=players["wh40k/onto-the-crate"], wait=False)
    page.keyboard.press("End")
    colour = "(role) => getComputedStyle(document.querySelector(`.step.current .labels [data-role=${role}]`)).fill"
    assert page.evaluate(colour, "number_light") == "rgb(255, 255, 255)"
    assert page.evaluate(colour, "goal_decided") != "rgb(255, 255, 255)"
