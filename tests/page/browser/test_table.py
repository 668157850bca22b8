"""What is done with the hands: drag, turn, wheel, nudge, type, and go back."""

import math
import re
from typing import Any

import pytest

from tests.page.browser.hands import (
    GAMES,
    depth,
    drag,
    drag_by,
    laid,
    middle,
    on_screen,
    scenario,
    settled,
    verdict,
)
from tests.page.browser.steps import expect

APART = 0.06
"""Inches by which a drag may miss: less than a pixel or two."""


def test_a_table_lies_there_resolved_at_first_look(page: Any) -> None:
    """Nothing is empty: a title, units, a verdict with its roll and chance, what decided."""
    assert (
        page.locator("#title").inner_text() == "Past the tower, a wheel, and shoulder to shoulder"
    )
    assert verdict(page) == "Success"
    assert page.locator("#verdict-more .facts dd").all_inner_texts() == ["2+", "83 %"]
    assert page.locator(".thing.unit").count() == 3
    assert page.locator("#findings li").count() >= 5


@pytest.mark.parametrize("system", GAMES)
def test_each_game_is_a_click_away_and_resolved(page: Any, system: str) -> None:
    """The button of a game lays a table of that game, with its verdict; undo brings the first one back."""
    before = scenario(page)
    page.click(f'#games [data-system="{system}"]')
    page.wait_for_function("(system) => tabletop.store.scenario.system === system", arg=system)
    settled(page)
    assert verdict(page) in {"Success", "Failed", "Not allowed"}
    assert page.locator(".thing.unit").count() >= 2
    assert page.locator(f'#games [data-system="{system}"]').get_attribute("aria-pressed") == "true"
    if system != before["system"]:
        page.click("text=↶")
        assert scenario(page) == before


def test_a_regiment_dragged_away_is_ruled_while_it_moves(page: Any) -> None:
    """Before the button is let go the verdict is that of the new place; afterwards one undo takes all of the drag
    back.
    """
    before = scenario(page)
    x, y = middle(page, "unit A")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y - 40, steps=6)
    settled(page)
    assert page.evaluate("document.getElementById('table').classList.contains('is-dragging')")
    page.mouse.move(x + 90, y - 90, steps=6)
    settled(page)
    while_held = verdict(page)
    page.mouse.up()
    settled(page)
    assert verdict(page) == while_held
    assert scenario(page)["units"]["A"]["at"] != before["units"]["A"]["at"]
    assert depth(page) == 1
    page.keyboard.press("Control+z")
    settled(page)
    assert scenario(page) == before
    assert verdict(page) == "Success"


def test_a_drag_lands_where_it_was_let_go(page: Any) -> None:
    """Inches on the table are inches dragged."""
    before = scenario(page)["units"]["A"]["at"]
    drag_by(page, "unit A", (-2.0, 1.5))
    after = scenario(page)["units"]["A"]["at"]
    assert after == pytest.approx([before[0] - 2.0, before[1] + 1.5], abs=APART)


def test_a_regiment_turns_by_its_handle(page: Any) -> None:
    """The handle before the front turns the unit about its middle."""
    page.locator('.thing[data-key="unit A"] .hit').click()
    settled(page)
    before = scenario(page)["units"]["A"]
    knob = page.locator(".knob.turn .dot").bounding_box()
    x = knob["x"] + knob["width"] / 2
    y = knob["y"] + knob["height"] / 2
    drag(page, (x, y), (x - 40, y + 60))
    after = scenario(page)["units"]["A"]
    assert abs(after["facing_deg"] - before["facing_deg"]) > 5
    assert depth(page) == 1


def test_a_regiment_wheels_about_a_front_corner(page: Any) -> None:
    """The knob on a front corner swings the unit about the other corner, which stays."""
    page.locator('.thing[data-key="unit A"] .hit').click()
    settled(page)
    knobs = page.locator(".knob.wheel .dot")
    first, second = (knobs.nth(number).bounding_box() for number in range(2))
    x = first["x"] + first["width"] / 2
    y = first["y"] + first["height"] / 2
    page.keyboard.down("Alt")
    drag(page, (x, y), (x + 33, y + 23))
    page.keyboard.up("Alt")
    moved = page.locator(".knob.wheel .dot")
    after = [moved.nth(number).bounding_box() for number in range(2)]
    assert math.dist((after[1]["x"], after[1]["y"]), (second["x"], second["y"])) < 1.5
    assert math.dist((after[0]["x"], after[0]["y"]), (first["x"], first["y"])) > 10


def front_dragged(page: Any, target: tuple[float, float], *, key: str = "unit A") -> dict[str, Any]:
    """Drag a unit or its ghost so that the middle of A's front is let go at a place, and return where the file has it
    then.
    """
    kind, name = key.split()
    at = page.evaluate(
        "([kind, name]) => tabletop.store.answer[kind === 'ghost' ? 'claimed' : 'places'][name].at",
        [kind, name],
    )
    grab = middle(page, key)
    front = on_screen(page, tuple(at))
    goal = on_screen(page, target)
    drag(page, grab, (grab[0] + goal[0] - front[0], grab[1] + goal[1] - front[1]))
    units: dict[str, Any] = (scenario(page)["proposal"] if kind == "ghost" else scenario(page))[
        "units"
    ]
    return dict(units[name])


def test_a_front_snaps_flush_on_the_enemy_and_is_free_with_alt(page: Any) -> None:
    """Let go a tenth of an inch off and a few degrees askew, a front lies exactly on the facing, and how far it went is
    said.

    With Alt, or with the switch off, it stays where it is put.
    """
    laid(page, "t9a/align-corner")
    page.evaluate(
        "tabletop.store.change((draft) => { delete draft.charges; delete draft.expect; }, 'no charge')"
    )
    settled(page)
    before = depth(page)
    page.keyboard.down("Alt")
    assert front_dragged(page, (36.0, 24.12))["facing_deg"] == 265
    page.keyboard.up("Alt")
    page.keyboard.press("Control+z")
    settled(page)
    page.click("#toolbar button:text-is('Snap')")
    assert front_dragged(page, (36.0, 24.12))["facing_deg"] == 265
    page.keyboard.press("Control+z")
    settled(page)
    page.click("#toolbar button:text-is('Snap')")
    unit = front_dragged(page, (36.0, 24.12))
    assert unit["facing_deg"] == pytest.approx(270, abs=1e-6)
    assert unit["at"] == pytest.approx([36.0, 24.0], abs=APART)
    assert unit["at"][1] == pytest.approx(24.0, abs=1e-4)
    assert re.search(r"\b0\.1\d in, 5\.0°$", page.locator("#hint").inner_text())
    assert page.locator("#layer-guides .guide").count() == 1
    assert depth(page) == before + 1


def test_snapping_turns_no_verdict(page: Any) -> None:
    """A charger is not put into contact, which it may not charge from; nor is a claim, nor anything farther than it was
    measured.
    """
    laid(page, "t9a/align-corner")
    held = verdict(page)
    unit = front_dragged(page, (36.0, 24.12))
    assert unit["at"] == pytest.approx([36.0, 24.12], abs=APART)
    assert unit["facing_deg"] == 265
    assert verdict(page) == held
    assert "verdict" in page.locator("#hint").inner_text()
    page.keyboard.press("Control+z")
    page.evaluate(
        "tabletop.store.change((draft) => { draft.accuracy = 0.2; draft.units.A.facing_deg = 270; }, 'measured')"
    )
    settled(page)
    assert front_dragged(page, (36.0, 24.35))["at"][1] == pytest.approx(24.35, abs=APART)
    page.keyboard.press("Control+z")
    settled(page)
    assert front_dragged(page, (36.0, 24.12))["at"][1] == pytest.approx(24.0, abs=1e-4)
    assert verdict(page) == "Undecided"
    laid(page, "t9a/judged-one-short")
    claim = scenario(page)["proposal"]["units"]["A"]
    settled(page)
    at = page.evaluate("tabletop.store.answer.claimed.A.at")
    assert front_dragged(page, (at[0], at[1] + 0.15), key="ghost A")["at"][1] == pytest.approx(
        at[1] + 0.15, abs=APART
    )
    assert claim != scenario(page)["proposal"]["units"]["A"]


def test_models_are_dragged_as_a_unit_and_singly(page: Any) -> None:
    """A drag takes the whole unit; with shift, or one model chosen, only the model under the pointer."""
    laid(page, "wh40k/held-back-by-coherency")
    before = scenario(page)["units"]["A"]["at"]
    drag_by(page, "unit A", (-1.0, 0.5))
    after = scenario(page)["units"]["A"]["at"]
    assert all(
        math.dist((x - 1.0, y + 0.5), at[:2]) < APART
        for (x, y), at in zip(before, after, strict=True)
    )
    page.click("text=One model")
    drag_by(page, "unit A", (0.0, 1.0), model=1)
    single = scenario(page)["units"]["A"]["at"]
    assert [
        number
        for number, (one, other) in enumerate(zip(after, single, strict=True))
        if one != other
    ] == [1]


def test_a_mech_snaps_from_hex_to_hex_and_turns_by_sixty_degrees(page: Any) -> None:
    """A model in a hex goes to the nearest hex; its handle and the brackets turn it a side at a time."""
    laid(page, GAMES["battletech"])
    flat = 1.25
    drag_by(page, "unit A", (0.0, flat))
    assert scenario(page)["units"]["A"]["hex"] == "0504"
    page.keyboard.press("]")
    settled(page)
    assert scenario(page)["units"]["A"]["facing"] == "S"
    page.keyboard.press("[")
    page.keyboard.press("[")
    settled(page)
    assert scenario(page)["units"]["A"]["facing"] == "NE"


def test_terrain_on_hexes_is_dragged_as_it_lies(page: Any) -> None:
    """All hexes of a piece go together, by hand and by key, and the form of the piece stays; none leaves the board."""
    laid(page, "battletech/off-the-plateau")
    start, end = (
        on_screen(page, tuple(page.evaluate("tabletop.store.table.board.centres")[hex_]))
        for hex_ in ("0508", "0708")
    )
    drag(page, start, end)
    assert scenario(page)["terrain"][0]["hexes"] == ["0706", "0707", "0708"]
    page.keyboard.press("ArrowLeft")
    settled(page)
    assert scenario(page)["terrain"][0]["hexes"] in (
        ["0606", "0607", "0608"],
        ["0605", "0606", "0607"],
    )
    for _ in range(9):
        page.keyboard.press("ArrowUp")
    settled(page)
    assert scenario(page)["terrain"][0]["hexes"] == ["0601", "0602", "0603"]


def test_terrain_is_dragged_and_ruled_again(page: Any) -> None:
    """A tower moved out of the way changes what stands in the way."""
    before = scenario(page)["terrain"][0]
    drag_by(page, "terrain 0", (-6.0, 3.0))
    after = scenario(page)["terrain"][0]
    assert after["circle"]["centre"] == pytest.approx(
        [before["circle"]["centre"][0] - 6.0, before["circle"]["centre"][1] + 3.0], abs=APART
    )


def test_units_that_overlap_are_told_and_hatched(page: Any) -> None:
    """A table that cannot be is said to be none, in the words of the command line, and what overlaps is seen."""
    target, unit = (scenario(page)["units"][name]["at"] for name in "BA")
    drag_by(page, "unit A", (target[0] - unit[0], target[1] - unit[1]))
    expect(page.locator("#verdict .outcome")).to_have_attribute("data-outcome", "refused")
    assert "overlap" in page.locator("#verdict-more").inner_text().lower()
    assert page.locator('#table [data-role="overlap"]').count() > 0
    page.keyboard.press("Control+z")
    settled(page)
    assert verdict(page) == "Success"


def test_distances_to_all_that_is_near_show_while_a_unit_is_dragged(page: Any) -> None:
    """From edge to edge, to units and terrain alike."""
    x, y = middle(page, "unit A")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y + 10, steps=4)
    settled(page)
    page.wait_for_selector("#layer-gaps .mark", state="attached")
    assert page.locator("#layer-labels .label[data-mark^='gap.']").count() >= 1
    page.mouse.up()


def test_escape_takes_a_drag_back(page: Any) -> None:
    """Whoever thinks better of it leaves nothing behind."""
    before = scenario(page)
    x, y = middle(page, "unit A")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 80, y, steps=4)
    page.keyboard.press("Escape")
    page.mouse.up()
    settled(page)
    assert scenario(page) == before


def test_undo_and_redo_without_end(page: Any) -> None:
    """A dozen moves go back to the first table and forward to the last."""
    first = scenario(page)
    page.locator('.thing[data-key="unit A"]').focus()
    states = []
    for number in range(12):
        page.evaluate("tabletop.store.seal()")
        page.keyboard.press("ArrowLeft" if number % 2 else "ArrowUp")
        states.append(scenario(page))
        page.evaluate("tabletop.store.seal()")
    count = depth(page)
    assert count == 12
    for _ in range(count):
        page.keyboard.press("Control+z")
    settled(page)
    assert scenario(page) == first
    assert page.get_by_role("button", name="Undo").is_disabled()
    for _ in range(count):
        page.keyboard.press("Control+Shift+z")
    settled(page)
    assert scenario(page) == states[-1]


def test_exact_numbers_are_typed(page: Any) -> None:
    """The fields under the table take inches and degrees."""
    page.locator('.thing[data-key="unit A"] .hit').click()
    for label, value in (("x, inches", "29.25"), ("y, inches", "31.5"), ("facing, degrees", "310")):
        page.get_by_label(label, exact=True).fill(value)
        page.get_by_label(label, exact=True).press("Enter")
    settled(page)
    unit = scenario(page)["units"]["A"]
    assert (unit["at"], unit["facing_deg"]) == ([29.25, 31.5], 310)


def test_the_view_is_panned_and_zoomed(page: Any) -> None:
    """The wheel zooms about the pointer, a drag on the bare table pans, Fit goes back; the table itself stays as it
    is.
    """
    before = scenario(page)
    box = page.locator("#table").bounding_box()
    x = box["x"] + box["width"] * 0.9
    y = box["y"] + box["height"] * 0.9
    scale = page.evaluate("tabletop.table.scale")
    page.mouse.move(x, y)
    page.mouse.wheel(0, -200)
    page.wait_for_function("(scale) => tabletop.table.scale > scale * 1.2", arg=scale)
    start = page.evaluate("tabletop.table.toScreen([0, 0])")
    drag(page, (x, y), (x - 100, y - 50))
    end = page.evaluate("tabletop.table.toScreen([0, 0])")
    assert (end[0] - start[0], end[1] - start[1]) == pytest.approx((-100, -50), abs=1)
    page.click("text=Fit")
    page.wait_for_function("(scale) => Math.abs(tabletop.table.scale - scale) < 1e-6", arg=scale)
    assert scenario(page) == before


@pytest.mark.parametrize(
    "name",
    [
        "battletech/struck-from-the-side",
        "battletech/a-dropship-does-not-budge",
        "t9a/wheel-and-align",
    ],
)
def test_no_knob_lies_over_a_word(phone: Any, name: str) -> None:
    """What a unit is turned by stands before it, where another may be: the words there make room."""
    laid(phone, name)
    phone.evaluate(
        "tabletop.store.select({ kind: 'unit', name: tabletop.store.scenario.charges[0].charger })"
    )
    settled(phone)
    boxes = (
        "(found) => found.map((one) => one.getBoundingClientRect()).map(({ left, top, right, bottom }) => [left, "
        "top, right, bottom])"
    )
    knobs, words = (
        phone.locator(f"#table {kind}").evaluate_all(boxes)
        for kind in (".knob .dot", ".label text")
    )
    assert knobs
    assert words
    over = [
        (one, two)
        for one in knobs
        for two in words
        if one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]
    ]
    assert not over


def test_how_a_value_is_given_is_read_whole_on_a_phone(phone: Any) -> None:
    """Beside a field that may be given in several ways the choice of them is as wide as its words."""
    laid(phone, GAMES["wh40k"])
    phone.evaluate("tabletop.store.select({ kind: 'unit', name: 'A' })")
    phone.click("#tab-edit")
    pick = phone.locator("#forms .put select.kind").first
    pick.wait_for()
    needed = """(pick) => {
        const free = pick.cloneNode(true);
        free.style.cssText = "position: absolute; width: auto; max-width: none";
        document.body.append(free);
        return free.getBoundingClientRect().width - pick.getBoundingClientRect().width;
    }"""
    assert pick.evaluate(needed) < 1
