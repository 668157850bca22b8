"""Units and terrain are added, changed, copied, renamed and removed, by the tray and by the form."""

import re
from typing import Any

import pytest

from tests.page.browser.hands import GAMES, laid, middle, on_screen, scenario, settled, verdict
from tests.page.browser.steps import canonical, editing, expect, fault, field


def test_a_unit_is_added_where_there_is_room(page: Any) -> None:
    """A press in the tray puts a unit of the chosen side on the table, with a free name, and chooses it."""
    page.click("#tab-add")
    page.check('#tray input[value="red"]')
    page.click('[data-offer="Cavalry"]')
    settled(page)
    unit = scenario(page)["units"]["D"]
    assert (unit["side"], unit["base"], unit["files"]) == ("red", "25x50mm", 5)
    assert page.evaluate("tabletop.store.selection") == {"kind": "unit", "name": "D"}
    assert (
        page.evaluate(
            "[tabletop.store.table, tabletop.store.answer].flatMap((told) => told.refused ?? told.faults ?? [])"
        )
        == []
    )


def test_a_unit_is_dragged_from_the_tray(page: Any) -> None:
    """What is let go over the table stands there."""
    page.click("#tab-add")
    offer = page.locator('[data-offer="Character on foot"]')
    offer.hover()
    page.mouse.down()
    x, y = on_screen(page, (44, 30))
    page.mouse.move(x, y, steps=4)
    page.mouse.up()
    at = scenario(page)["units"]["D"]["at"]
    # the middle of its front: the base is 20 mm deep, and looks down as A does
    assert at == pytest.approx([44, 29.6], abs=0.15)
    settled(page)


@pytest.mark.parametrize(
    ("name", "offer", "keys"),
    [
        ("conquest/the-least-turn", "Brutes", {"stands", "files", "base"}),
        ("wh40k/ten-against-ten", "Cavalry or bikes", {"at", "base", "facing_deg"}),
        ("battletech/through-a-house", "Hovercraft", {"hex", "facing"}),
    ],
)
def test_the_tray_has_what_the_game_has(page: Any, name: str, offer: str, keys: set[str]) -> None:
    """Units of each game come with the keys of their game, at places where the table can be."""
    laid(page, name)
    before = set(scenario(page)["units"])
    page.click("#tab-add")
    page.click(f'[data-offer="{offer}"]')
    settled(page)
    added = next(unit for key, unit in scenario(page)["units"].items() if key not in before)
    assert keys <= set(added)
    assert not page.evaluate("Boolean(tabletop.store.table.refused)")


def test_everything_in_the_trays_can_stand(page: Any) -> None:
    """Every unit and every piece of terrain of every tray is read by the command line as it is put down."""
    for name in (
        "t9a/align-corner",
        "conquest/the-least-turn",
        "wh40k/onto-the-crate",
        "battletech/straight-run",
    ):
        laid(page, name)
        page.click("#tab-add")
        for offer in page.locator("#tray .offer").all():
            offer.click()
        made = scenario(page)
        made.pop("charges")
        made.pop("expect", None)
        assert canonical(made)["units"].keys() == made["units"].keys()


def test_terrain_is_added_named_and_removed(page: Any) -> None:
    """A piece is added, called what its kind implies, given a name, and taken away; undo brings it back."""
    page.click("#tab-add")
    page.click('[data-offer="Wood, opaque"]')
    page.click("#tab-edit")
    expect(page.locator("#form-name")).to_have_attribute("placeholder", "opaque 1")
    page.fill("#form-name", "Old wood")
    page.press("#form-name", "Enter")
    assert scenario(page)["terrain"][-1]["name"] == "Old wood"
    page.click("#forms button:text('Remove')")
    assert [piece["kind"] for piece in scenario(page)["terrain"]] == ["impassable"]
    page.evaluate("tabletop.store.undo()")
    assert scenario(page)["terrain"][-1]["name"] == "Old wood"


def test_a_unit_is_copied_beside_itself(page: Any) -> None:
    """A copy has all keys of the unit, a name of its own and a place that is free."""
    editing(page, "A")
    page.click("#forms button:text('Copy')")
    settled(page)
    units = scenario(page)["units"]
    assert {key: value for key, value in units["D"].items() if key != "at"} == {
        key: value for key, value in units["A"].items() if key != "at"
    }
    assert not page.evaluate("Boolean(tabletop.store.table.refused)")


def test_a_unit_is_removed_by_key_with_its_charge(page: Any) -> None:
    """Delete on the table takes the unit and the charge that it cannot make any more; a sentence says so."""
    page.evaluate("tabletop.store.select({kind: 'unit', name: 'A'})")
    page.focus("#table")
    page.keyboard.press("Delete")
    expect(page.locator("#notice")).to_contain_text(re.compile(r"\bcharge\b.*\bA\b.*\bB\b"))
    made = scenario(page)
    assert set(made["units"]) == {"B", "C"}
    assert "charges" not in made
    page.evaluate("tabletop.store.undo()")
    assert scenario(page)["charges"][0]["charger"] == "A"


def test_renaming_reaches_every_reference(page: Any) -> None:
    """Charges, claims, relations and expectations follow the new name; the table means the same."""
    laid(page, "t9a/judged-friend-straightened")
    editing(page, "A")
    page.fill("#form-name", "The Guard")
    page.press("#form-name", "Enter")
    made = scenario(page)
    assert made["charges"][0]["charger"] == "The Guard"
    assert "A" not in made["units"]
    assert '"A"' not in str(made).replace("'", '"')
    settled(page)
    assert not page.evaluate("Boolean(tabletop.store.table.refused)")


def test_names_are_unique(page: Any) -> None:
    """A name that another unit has is refused at its field, and nothing changes."""
    editing(page, "A")
    page.fill("#form-name", "B")
    page.press("#form-name", "Enter")
    expect(page.locator("#form-name-fault")).to_contain_text(re.compile(r"\bB\b.*\bname\b"))
    # an answer that comes later does not take it away
    page.evaluate("tabletop.store.tell('table', tabletop.store.table)")
    expect(page.locator("#form-name-fault")).to_contain_text(re.compile(r"\bB\b.*\bname\b"))
    assert set(scenario(page)["units"]) == {"A", "B", "C"}


def test_a_key_changes_the_verdict(page: Any) -> None:
    """The least charge speed leaves the charger too slow; the usual one is not written."""
    settled(page)
    assert page.evaluate("tabletop.store.answer.rulings[0].outcome") == "success"
    editing(page, "A")
    page.fill(field("units.A.profile.charge_speed"), "0")
    settled(page)
    assert page.evaluate("tabletop.store.answer.rulings[0].outcome") == "failed"
    assert "charge_speed" not in scenario(page)["units"]["A"]["profile"]


def test_only_what_differs_is_written(page: Any) -> None:
    """A word put back to what is meant anyway leaves the file, and with the last word the table around it."""
    editing(page, "How the rules are read")
    page.select_option(field("rules.tie"), "centre")
    assert scenario(page)["rules"] == {"tie": "centre"}
    page.select_option(field("rules.tie"), "longest-contact")
    assert "rules" not in scenario(page)


def test_a_wrong_value_is_told_at_its_field(page: Any) -> None:
    """The server's sentence stands at the field of its key until the value is right."""
    editing(page, "B")
    page.fill(field("units.B.files"), "0")
    expect(page.locator(fault("units.B.files"))).to_contain_text(re.compile(r"\b1\b.*\b0\b"))
    expect(page.locator(field("units.B.files"))).to_have_attribute("aria-invalid", "true")
    page.fill(field("units.B.files"), "7")
    expect(page.locator(fault("units.B.files"))).to_have_count(0)


def test_a_fault_of_something_else_leads_there(page: Any) -> None:
    """Above the form stands what is wrong elsewhere, with a way there."""
    editing(page, "B")
    page.fill(field("units.B.base"), "20 by 20")
    expect(page.locator(fault("units.B.base"))).to_be_visible()
    editing(page, "A")
    expect(page.locator("#form-elsewhere")).to_contain_text("units.B.base")
    page.click("#form-elsewhere button")
    expect(page.locator(fault("units.B.base"))).to_be_visible()


def test_what_cannot_be_read_stays_in_the_field(page: Any) -> None:
    """Letters for a number are not written; a sentence says what is expected, and leaving the field keeps both."""
    editing(page, "A")
    page.fill(field("units.A.files"), "five")
    expect(page.locator(fault("units.A.files"))).to_contain_text("whole")
    page.press(field("units.A.files"), "Tab")
    expect(page.locator(field("units.A.files"))).to_have_value("five")
    assert scenario(page)["units"]["A"]["files"] == 5


def test_what_a_key_means_is_told(page: Any) -> None:
    """The description of the schema stands at the foot, and is read with the field."""
    editing(page, "A")
    page.focus(field("units.A.profile.charge_speed"))
    expect(page.locator("#form-meaning")).to_contain_text(
        re.compile(r"\binches\b.*\broll\b", re.IGNORECASE)
    )
    told = (
        page.locator(field("units.A.profile.charge_speed")).get_attribute("aria-describedby") or ""
    )
    expect(page.locator(f"#{told.split()[0]}")).to_contain_text(
        re.compile(r"\binches\b.*\broll\b", re.IGNORECASE)
    )


def test_a_charge_gets_its_charger_and_targets_by_picking(page: Any) -> None:
    """A new charge of C: its target is the unit that is chosen on the table next."""
    editing(page, "Charges (1)")
    page.click("button:text('Add charge')")
    assert len(scenario(page)["charges"]) == 2
    page.locator("#forms .item").nth(1).locator("button:text('Pick the charger')").click()
    page.evaluate("tabletop.store.select({kind: 'unit', name: 'C'})")
    charge = scenario(page)["charges"][1]
    assert (charge["charger"], charge["targets"]) == ("C", ["B"])
    page.locator(field("charges[1].dice")).fill("4, 5")
    assert scenario(page)["charges"][1]["dice"] == [4, 5]


@pytest.mark.parametrize("name", [*list(GAMES.values())[:3], "battletech/straight-run"])
def test_a_charge_is_declared_where_there_is_none(page: Any, name: str) -> None:
    """One press lets the chosen unit charge the enemy that is nearest; its form is open, and it is ruled on."""
    laid(page, name)
    page.evaluate(
        "tabletop.store.change((draft) => { delete draft.charges; delete draft.expect; }, 'no charge')"
    )
    settled(page)
    page.locator('.thing[data-key="unit A"]').focus()
    page.click("#verdict-more button:text('Declare a charge')")
    settled(page)
    assert [charge["charger"] for charge in scenario(page)["charges"]] == ["A"]
    expect(page.locator("#forms summary", has_text="A charges").first).to_be_visible()
    assert verdict(page) in {"Success", "Failed", "Not allowed"}


def test_a_shape_keeps_its_middle(page: Any) -> None:
    """A circle becomes the rectangle around it, and a polygon of its corners."""
    editing(page, "Tower")
    page.select_option('#forms [aria-label="Shape"] > .field.choice select', label="rectangle")
    piece = scenario(page)["terrain"][0]
    assert piece["rectangle"] == {"centre": [31.6, 26.4], "width": 2, "depth": 2}
    page.select_option('#forms [aria-label="Shape"] > .field.choice select', label="polygon")
    assert scenario(page)["terrain"][0]["polygon"] == [
        [30.6, 25.4],
        [32.6, 25.4],
        [32.6, 27.4],
        [30.6, 27.4],
    ]
    assert set(scenario(page)["terrain"][0]) == {"name", "kind", "height", "polygon"}


def test_a_unit_stands_by_another_and_by_numbers_again(page: Any) -> None:
    """Beside another in place of numbers, then at the numbers that this gives."""
    editing(page, "C")
    place = '#forms [aria-label="Stands"] > .field.choice select'
    page.select_option(place, label="beside another")
    page.select_option(field("units.C.beside.unit"), "B")
    page.fill(field("units.C.beside.gap"), "2")
    settled(page)
    entry = scenario(page)["units"]["C"]
    assert entry["beside"] == {"unit": "B", "side": "left", "gap": 2}
    assert "at" not in entry
    page.select_option(place, label="at a place")
    entry = scenario(page)["units"]["C"]
    assert "beside" not in entry
    assert entry["at"] == pytest.approx([35.5 - 7 * 10 / 25.4 - 2 - 3 * 10 / 25.4, 24.0])


@pytest.mark.parametrize(
    ("what", "key"), [("Title, board, notes", "accuracy"), ("A", "units.A.accuracy")]
)
def test_an_accuracy_is_typed_as_a_number(page: Any, what: str, key: str) -> None:
    """What may be a number, a fraction or a table is written as what it is."""
    editing(page, what)
    page.fill(field(key), "0.3")
    settled(page)
    page.fill(field(key), "0.01")
    settled(page)
    where = scenario(page) if what != "A" else scenario(page)["units"]["A"]
    assert where["accuracy"] == 0.01
    page.fill(field(key), "1/16")
    settled(page)
    assert page.evaluate("tabletop.store.answer.refused ?? null") is None


@pytest.mark.parametrize(
    "name",
    [
        "t9a/judged-angle-too-wide",
        "conquest/judged-another-wheel",
        "wh40k/judged-a-bystander-nudged",
        "battletech/judged-the-wrong-way",
        "battletech/judged-a-bystander-turned",
    ],
)
@pytest.mark.parametrize("how", ["all", "one by one"])
def test_a_claim_goes_with_what_was_expected_of_it(page: Any, name: str, how: str) -> None:
    """Taken away as a whole, or with the last ghost: the ruling without it is there."""
    laid(page, name)
    if how == "all":
        page.click("#tab-judge")
        page.click('[data-act="stop"]')
    for claimed in scenario(page).get("proposal", {}).get("units", {}):
        page.evaluate("(name) => tabletop.store.select({kind: 'ghost', name})", claimed)
        page.click("#tab-add")
        page.locator("#tray .acts button", has_text="Remove").click()
    settled(page)
    assert "proposal" not in scenario(page)
    assert page.evaluate("tabletop.store.answer.refused ?? null") is None


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("wh40k/judged-in-six-moves", "B"),
        ("wh40k/judged-in-six-moves", "C"),
        ("wh40k/judged-a-bystander-nudged", "T"),
    ],
)
def test_what_was_claimed_by_a_unit_that_goes_stays_where_it_is(
    page: Any, name: str, unit: str
) -> None:
    """A claimed place that was told by a unit is told by coordinates once that unit is removed."""
    laid(page, name)
    page.locator(f'.thing[data-key="unit {unit}"]').focus()
    before = page.evaluate("structuredClone(tabletop.store.answer.claimed)")
    page.keyboard.press("Delete")
    settled(page)
    assert unit not in scenario(page)["units"]
    assert page.evaluate("tabletop.store.answer.refused ?? null") is None
    for one, entry in scenario(page)["proposal"]["units"].items():
        for model, place in zip(entry.get("models", []), before[one]["models"], strict=False):
            assert not {"touching", "near"} & set(model)
            assert model["at"] == pytest.approx(place["at"][: len(model["at"])])
    assert page.evaluate("document.activeElement.closest('#table') !== null"), (
        "the keys stay with the table"
    )


def test_each_number_of_a_place_is_undone_for_itself(page: Any) -> None:
    """Three numbers are three steps; a field left empty shows what holds; an arrow in an empty one goes on from
    there.
    """
    page.evaluate("tabletop.store.select({kind: 'unit', name: 'A'})")
    before = scenario(page)["units"]["A"]["at"]
    fields = page.locator("#place input")
    for place, value in enumerate(("20", "30", "10")):
        fields.nth(place).fill(value)
        fields.nth(place).press("Tab")
    page.click('[aria-label="Undo"]')
    page.click('[aria-label="Undo"]')
    settled(page)
    assert scenario(page)["units"]["A"]["at"] == [20, before[1]]
    first = fields.nth(0)
    first.fill("")
    first.press("Tab")
    expect(first).to_have_value("20")
    first.fill("")
    first.press("ArrowUp")
    expect(first).to_have_value("20.1")
    assert scenario(page)["units"]["A"]["at"] == [20.1, before[1]]


def test_what_is_wrong_is_named_beside_the_verdict(page: Any) -> None:
    """Key and sentence, and a way to the field."""
    page.evaluate("tabletop.store.change((draft) => { draft.units.A.at[0] = -5; }, 'off')")
    settled(page)
    expect(page.locator("#verdict .fault")).to_contain_text(
        re.compile(r"units\.A\.at: .*\bboard\b")
    )
    page.locator("#verdict .fault button", has_text="Show").click()
    expect(page.locator(fault("units.A.at"))).to_be_visible()


def test_a_number_beyond_all_tables_is_refused_as_any_other(page: Any) -> None:
    """The page stays awake."""
    page.evaluate("tabletop.store.select({kind: 'unit', name: 'A'})")
    first = page.locator("#place input").first
    first.fill("1e20")
    first.press("Enter")
    settled(page)
    expect(page.locator("#verdict .fault")).to_contain_text(
        re.compile(r"units\.A\.at\[0\]: .*\b10,?000\b")
    )


def test_a_drag_ends_when_what_is_dragged_is_taken_back(page: Any) -> None:
    """Undone until the unit is not there; what was just added is told to be chosen before."""
    page.click("#tab-add")
    page.click('[data-offer="Cavalry"]')
    settled(page)
    thing = page.locator('.thing[data-key="unit D"]')
    expect(thing).to_have_attribute("aria-pressed", "true")
    x, y = middle(page, "unit D")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 10, steps=4)
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    page.mouse.move(x + 80, y + 30, steps=5)
    page.mouse.up()
    settled(page)
    assert "D" not in scenario(page)["units"]


def test_the_focus_goes_on_where_something_goes(page: Any) -> None:
    """What was pressed may vanish: the focus is then at what came in its place, never nowhere."""

    def words() -> str:
        return str(page.evaluate("document.activeElement.textContent.trim()"))

    def act() -> str:
        return str(page.evaluate("document.activeElement.dataset.act"))

    def press(selector: str) -> None:
        page.locator(selector).first.focus()
        page.keyboard.press("Enter")
        settled(page)

    page.click("#readings summary")
    press(".second button")
    assert "Compare" in words()
    page.click("#tab-judge")
    press('[data-act="claim A"]')
    assert act() == "hold A"
    press('[data-act="stop"]')
    assert act() == "claim A"
    page.click("#tab-add")
    page.check('#tray input[value="red"]')
    press('[data-offer="Cavalry"]')
    assert words().startswith("Cavalry")
    editing(page, "Charges (1)")
    press('#forms button[aria-label="Remove charge 0"]')
    assert words() == "Add charge"


def test_a_reading_is_not_held_against_itself(page: Any) -> None:
    """Once the other reading is taken there is nothing to compare."""
    page.click("#readings summary")
    page.click("#reading-corners-neither")
    expect(page.locator("#second-reading .reading")).to_have_count(2)
    page.select_option("#reading-corners", label="neither")
    settled(page)
    expect(page.locator("#second-reading")).to_have_count(0)


def test_a_roll_that_is_known_though_the_table_was_measured_is_told_as_such(page: Any) -> None:
    """No range from a number to itself."""
    laid(page, "battletech/struck-from-the-side")
    before = page.locator("#verdict .facts dd").first.inner_text()
    page.evaluate("tabletop.store.change((draft) => { draft.accuracy = 0.1; }, 'measured')")
    settled(page)
    expect(page.locator("#verdict .facts dd").first).to_have_text(before)


def test_what_cannot_be_told_stands_beside_no_certain_chance(page: Any) -> None:
    """The headline is what to measure; roll and chance are ranges, and what is open is neither kept nor broken."""
    laid(page, "t9a/measured-with-a-tape")
    page.evaluate(
        "tabletop.store.change((draft) => { delete draft.proposal; delete draft.expect; }, 'no claim')"
    )
    settled(page)
    assert verdict(page) == "Undecided"
    expect(page.locator("#verdict .headline")).to_contain_text(
        re.compile("Knights and Orcs.*9.95 in.*10 in")
    )
    expect(page.locator("#verdict .facts dd")).to_have_text(
        [re.compile(r"^1\b.*\b2$"), re.compile(r"^83 %.+")]
    )
    first = page.locator("#findings li").first
    expect(first).to_have_attribute("data-rule", "t9a.range")
    expect(first.locator(".sign")).to_have_text("?")
    assert "100" not in page.locator("#verdict").inner_text()
