"""The figure of odds: numbers on the page, looks told apart without colour, words for those who cannot see it."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from plots import draw_odds, setting
from plots.layout import text
from plots.layout.blocks import percent, scale_top, share
from plots.layout.page import Page
from plots.layout.setting import MARGIN
from plots.marks.mark import DrawnMark, Rings
from plots.marks.styles import styles_of
from plots.marks.theme import OUTCOME_NAMES, PAGE
from plots.render.odds import odds_description, odds_page
from tabletop.api import odds
from tabletop.errors import UsageError
from tabletop.ruling.charge import Charge, OddsOutcome
from tabletop.ruling.odds import ChargeOdds, Odds, TotalOdds
from tabletop.testing.answers import chances, resolved
from tests.plots.contrast import contrast
from tests.plots.scenes import case_of, table
from tests.systems.battletech import tables as battletech

SIXTH = Fraction(1, 6)
ZERO = Fraction(0)
CASE = case_of(table(), Charge("A", ("B",)), title="Odds & ends <of a charge>")


def one(
    chances: tuple[Fraction, ...], *, names: tuple[str, str] = ("A", "B"), needed: int = 4
) -> ChargeOdds:
    """Make odds by hand: a chance per face from 1 on; from the needed face on the charge succeeds."""
    totals = tuple(
        TotalOdds(face, chance, {"failed" if face < needed else "success": chance})
        for face, chance in enumerate(chances, 1)
    )
    failed = sum(chances[: needed - 1], ZERO)
    rules = {"t9a.range": failed} if failed else {}
    return ChargeOdds(
        Charge(names[0], (names[1],)),
        {"success": 1 - failed, "failed": failed, "not_allowed": ZERO},
        rules,
        totals,
    )


def alone(charge: ChargeOdds) -> Odds:
    """Make the odds of one charge alone."""
    return Odds(
        (charge,), {(outcome,): chance for outcome, chance in charge.outcomes.items() if chance}
    )


PLAIN = one((SIXTH,) * 6)
MAXIMISED = one(tuple(Fraction(2 * face - 1, 36) for face in range(1, 7)))
REFUSED = ChargeOdds(
    Charge("C", ("D",)),
    {"success": ZERO, "failed": ZERO, "not_allowed": Fraction(1)},
    {"t9a.declare.line-of-sight": Fraction(1)},
)
TWO = Odds(
    (PLAIN, REFUSED),
    {("success", "not_allowed"): Fraction(1, 2), ("failed", "not_allowed"): Fraction(1, 2)},
)


def mark(page: Page, name: str) -> Rings:
    """Return the outline of an id."""
    (found,) = [item for item in page.marks if item.id == name]
    assert isinstance(found, Rings)
    return found


def size(outline: Rings) -> tuple[float, float]:
    """Return width and height of a box, in inches of the page."""
    xs, ys = zip(*outline.rings[0], strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)


def said(page: Page) -> list[str]:
    """Return the texts of a page."""
    return [words.text for words in page.words]


def told(page: Page) -> dict[str, str]:
    """Return the texts of a page by their ids."""
    return {words.id: words.text for words in page.words}


def test_columns_are_as_high_as_their_chances() -> None:
    """Heights are to one another as the chances, and each column's base is the axis."""
    page = odds_page(CASE, alone(MAXIMISED))
    heights = [
        size(mark(page, f"charge.1.chart.roll.{face}.{'failed' if face < 4 else 'success'}"))[1]
        for face in range(1, 7)
    ]
    assert heights == pytest.approx([heights[0] * (2 * face - 1) for face in range(1, 7)])
    lows = {
        max(y for _, y in item.rings[0])
        for item in page.marks
        if isinstance(item, Rings) and re.search(r"roll\.\d\.\w+ed$", item.id)
    }
    assert max(lows) - min(lows) < 1e-9


def test_columns_of_mixed_outcomes_are_stacked() -> None:
    """A roll with which both can happen is one column of two parts, the second on the first."""
    mixed = TotalOdds(1, SIXTH, {"success": Fraction(1, 9), "failed": Fraction(1, 18)})
    page = odds_page(
        CASE,
        alone(ChargeOdds(PLAIN.charge, PLAIN.outcomes, PLAIN.rules, (mixed, *PLAIN.by_total[1:]))),
    )
    lower = mark(page, "charge.1.chart.roll.1.success")
    upper = mark(page, "charge.1.chart.roll.1.failed")
    assert size(lower)[1] == pytest.approx(2 * size(upper)[1])
    assert min(y for _, y in lower.rings[0]) == pytest.approx(max(y for _, y in upper.rings[0]))


def test_rows_are_as_long_as_their_chances() -> None:
    """A bar fills the share of its track that its chance is of one."""
    page = odds_page(CASE, alone(MAXIMISED))
    for outcome, chance in (("success", 3 / 4), ("failed", 1 / 4)):
        track = size(mark(page, f"charge.1.{outcome}.track"))
        bar = size(mark(page, f"charge.1.{outcome}.bar"))
        assert bar[0] / track[0] == pytest.approx(chance)


def test_numbers_are_written_out() -> None:
    """Every column has its roll and its fraction, every row fraction and percentage, for a judge every rule its
    share.
    """
    page = odds_page(CASE, alone(MAXIMISED), setting=setting(audience="judge"))
    words = said(page)
    assert {"1/36", "1/12", "5/36", "7/36", "1/4", "11/36", *"123456"} <= set(words)
    assert {"Success", "3/4 = 75%", "Failed", "1/4 = 25%", "t9a.range: 1/4 = 25%"} <= set(words)
    assert re.fullmatch(r"A\b.*\bB: \D*\b4\b\D*", told(page)["charge.1.heading.1"])
    assert "Not allowed" not in words


def test_a_reader_is_told_rules_in_the_small_print_alone() -> None:
    """No name of a rule stands in a reader's figure, but in its small print; a judge has them beside the bars."""
    page = odds_page(CASE, alone(MAXIMISED))
    assert {line.id for line in page.words if "t9a." in line.text} == {"small-print.1"}
    assert "t9a." not in odds_description(alone(MAXIMISED))
    judged = odds_page(CASE, alone(MAXIMISED), setting=setting(audience="judge"))
    assert {line.id for line in judged.words if "t9a." in line.text} == {"charge.1.rules.2"}
    assert "t9a.range" in odds_description(alone(MAXIMISED), audience="judge")


def test_long_fractions_give_way_to_percentages() -> None:
    """Where one fraction is wider than its column all columns have percentages."""
    words = said(
        odds_page(
            CASE,
            alone(one(tuple(Fraction(face**5 - (face - 1) ** 5, 6**5) for face in range(1, 7)))),
        )
    )
    assert {"<0.1%", "0.4%", "2.7%", "10%", "27%", "59.8%"} <= set(words)
    assert not any("/7776" in line for line in words)


def test_a_refused_charge_has_no_columns() -> None:
    """Nothing is rolled, and the rule is named."""
    page = odds_page(CASE, alone(REFUSED), setting=setting(audience="judge"))
    assert {"Not allowed", "100%", "t9a.declare.line-of-sight: 100%"} <= set(said(page))
    assert re.fullmatch(r"C\b.*\bD: not allowed", told(page)["charge.1.heading.1"])
    assert "charge.1.none.1" in told(page)
    assert not any(".chart." in item.id for item in page.marks)


@pytest.mark.parametrize(
    ("outcomes", "said_of_it"),
    [
        ({"success": Fraction(1)}, "succeeds"),
        ({"success": ZERO, "failed": Fraction(1), "not_allowed": ZERO}, "fails"),
        ({"success": ZERO, "failed": SIXTH, "not_allowed": 5 * SIXTH}, "decides"),
    ],
)
def test_only_a_refused_charge_is_headed_not_allowed(
    outcomes: dict[OddsOutcome, Fraction], said_of_it: str
) -> None:
    """A charge that is certain without any roll is not one that may not be declared."""
    words = told(odds_page(CASE, alone(ChargeOdds(Charge("C", ("D",)), outcomes))))
    assert re.match(rf"C\b.*\bD: .*\b{said_of_it}\b", words["charge.1.heading.1"])
    assert "charge.1.none.1" in words


def test_a_charge_that_fell_to_weapons_is_headed_as_failed() -> None:
    """BattleTech: a charger that fell before its charge rolls nothing, and its charge was allowed."""
    fallen = battletech.charge(2, weapon_phase={"charger_psr": "failed"})
    case = battletech.table({"A": battletech.charger("0508"), "B": battletech.unit("0507")}, fallen)
    assert re.match(r"A\b.*\bB: fails\b", told(odds_page(case, odds(case)))["charge.1.heading.1"])


def test_branches_in_which_a_charge_is_not_allowed_are_stacked_on_its_rolls() -> None:
    """Each column has a part for them, and the outcomes have their row."""
    mixed = TotalOdds(
        6, SIXTH, {"success": Fraction(1, 18), "failed": ZERO, "not_allowed": Fraction(1, 9)}
    )
    outcomes: dict[OddsOutcome, Fraction] = {
        "success": Fraction(1, 18),
        "failed": 5 * SIXTH,
        "not_allowed": Fraction(1, 9),
    }
    charge = ChargeOdds(PLAIN.charge, outcomes, {}, (*PLAIN.by_total[:3], mixed))
    page = odds_page(CASE, alone(charge))
    lower = mark(page, "charge.1.chart.roll.6.success")
    upper = mark(page, "charge.1.chart.roll.6.not_allowed")
    assert size(upper)[1] == pytest.approx(2 * size(lower)[1])
    assert {"Not allowed", "1/9 = 11.1%"} <= set(said(page))
    assert re.fullmatch(r"A\b.*\bB: \D*\b6\b\D*", told(page)["charge.1.heading.1"])
    shares = r"\b6\D+1/6 = 16\.7%: success 1/18 = 5\.6%, not allowed 1/9 = 11\.1%"
    assert re.search(shares, odds_description(alone(charge)))


def test_a_charge_without_hope_says_so() -> None:
    """A charge that rolls and never succeeds has no needed roll."""
    heading = told(odds_page(CASE, alone(one((SIXTH,) * 6, needed=7))))["charge.1.heading.1"]
    assert re.fullmatch(r"A\b.*\bB: no roll\b\D*", heading)


def test_several_charges_have_their_chances_together() -> None:
    """Rows of outcomes name every charge; a single charge has none."""
    words = told(odds_page(CASE, TWO))
    assert {"Success: A; not allowed: C", "Failed: A; not allowed: C", "1/2 = 50%"} <= set(
        words.values()
    )
    assert "together.heading.1" in words
    assert not any(name.startswith("together.") for name in told(odds_page(CASE, alone(PLAIN))))


def test_unlikely_rows_are_counted() -> None:
    """Beyond twelve rows the page says how many there are."""
    rows = {
        tuple("success" if number >> place & 1 else "failed" for place in range(4)): Fraction(1, 16)
        for number in range(16)
    }
    page = odds_page(CASE, Odds((PLAIN,) * 4, rows))  # type: ignore[arg-type]
    assert re.search(r"\b4\b", told(page)["together.more.1"])
    assert (
        len(
            [
                item
                for item in page.marks
                if item.id.endswith(".track") and item.id.startswith("together.")
            ]
        )
        == 12
    )


def test_nothing_leaves_the_page_or_covers_a_text() -> None:
    """With long names and long fractions all words stay inside the margins, and none stands on another."""
    long = one(
        tuple(Fraction(face**5 - (face - 1) ** 5, 6**5) for face in range(1, 7)),
        names=("W" * 60, "The Ancient Guard of the North"),
    )
    page = odds_page(
        CASE,
        Odds(
            (long, REFUSED),
            {
                ("success", "not_allowed"): 1 - long.outcomes["failed"],
                ("failed", "not_allowed"): long.outcomes["failed"],
            },
        ),
    )
    boxes = []
    for words in page.words:
        wide = text.width(words.text, words.size, typeface=words.typeface)
        left = words.at[0] - {"left": 0.0, "center": wide / 2, "right": wide}[words.align]
        assert left >= MARGIN - 0.01
        assert left + wide <= page.width - MARGIN + 0.01
        assert 0 < words.at[1] < page.height
        boxes.append(
            (left, left + wide, words.at[1] - 0.7 * words.size * text.POINT_SIZE, words.at[1])
        )
    clashes = [
        (a, b)
        for number, a in enumerate(boxes)
        for b in boxes[:number]
        if a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]
    ]
    assert clashes == []


def test_outcomes_are_told_apart_without_colour() -> None:
    """Each outcome has a pattern of its own, and outlines keep their contrast."""
    looks = [styles_of()[f"odds.{outcome}"] for outcome in OUTCOME_NAMES]
    assert len({look.pattern for look in looks}) == len(looks)
    edges = [
        look.edge for role, look in styles_of().items() if role.startswith("odds.") and look.edge
    ]
    assert min(contrast(edge, PAGE) for edge in edges) >= 3.0


def test_every_mark_has_an_id_of_its_own() -> None:
    """Ids are stable names, each used once."""
    page = odds_page(CASE, TWO)
    names = [item.id for item in page.marks] + [words.id for words in page.words]
    assert len(set(names)) == len(names)
    assert all(isinstance(item, DrawnMark) for item in page.marks)


def test_the_description_says_what_the_figure_shows() -> None:
    """Chances by outcome, by roll and together are all in the alternative text."""
    spoken = odds_description(TWO, audience="judge")
    assert re.search(
        r"\bA\b[^.]*\bB: success 1/2 = 50%, failed 1/2 = 50%\.\D*\bt9a\.range 1/2 = 50%", spoken
    )
    assert re.search(r"\b1\D+1/6 = 16\.7%: failed\b", spoken)
    assert re.search(r"\bC\b[^.]*\bD: not allowed 100%", spoken)
    assert re.search(r"\bSuccess: A; not allowed: C\b\D*\b1/2 = 50%", spoken)


def test_the_description_parts_a_roll_that_may_go_either_way() -> None:
    """A roll with two outcomes names the chance of each."""
    mixed = TotalOdds(
        6, SIXTH, {"success": Fraction(1, 9), "failed": Fraction(1, 18), "not_allowed": ZERO}
    )
    spoken = odds_description(alone(ChargeOdds(PLAIN.charge, PLAIN.outcomes, {}, (mixed,))))
    assert re.search(r"\b6\D+1/6 = 16\.7%: success 1/9 = 11\.1%, failed 1/18 = 5\.6%", spoken)


@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_files_have_the_same_bytes_each_time(tmp_path: Path, ending: str) -> None:
    """The same odds give the same file."""
    files = [tmp_path / f"{name}.{ending}" for name in ("first", "second")]
    for file in files:
        draw_odds(CASE, TWO, file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_the_svg_speaks(tmp_path: Path) -> None:
    """Title and description are in the file, escaped, with the role of a picture."""
    draw_odds(CASE, TWO, tmp_path / "odds.svg")
    svg = (tmp_path / "odds.svg").read_text("utf-8")
    assert 'role="img"' in svg
    assert "Odds &amp; ends &lt;of a charge&gt;</title>" in svg
    assert 'id="charge-1-chart-roll-6-success"' in svg


def test_other_endings_are_refused(tmp_path: Path) -> None:
    """A figure is written as SVG, PDF or PNG only."""
    with pytest.raises(UsageError, match="gif"):
        draw_odds(CASE, TWO, tmp_path / "odds.gif")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("chance", "written"),
    [
        (ZERO, "0%"),
        (Fraction(1), "100%"),
        (Fraction(5, 6), "5/6 = 83.3%"),
        (Fraction(1, 7776), "1/7776 < 0.1%"),
        (Fraction(1, 6**7), "1/279936 < 0.1%"),
        (Fraction(5**9, 6**9), "19.4%"),
    ],
)
def test_chances_are_written_as_people_read_them(chance: Fraction, written: str) -> None:
    """Fractions as long as anybody reads them, percentages that keep 0 and 100 for the certain."""
    assert share(chance) == written
    assert percent(1 - chance) in {"0%", "100%", "16.7%", ">99.9%", "80.6%"}


@pytest.mark.parametrize(
    ("greatest", "top"),
    [(SIXTH, "1/5"), (Fraction(11, 36), "2/5"), (Fraction(3, 5), "3/5"), (Fraction(1), "1")],
)
def test_scales_end_at_round_numbers(greatest: Fraction, top: str) -> None:
    """The scale holds the greatest chance."""
    assert scale_top([ZERO, greatest]) == Fraction(top)
    assert scale_top([]) == Fraction(1, 5)


def test_a_certain_charge_says_that_every_roll_is_enough() -> None:
    """What is certain is neither refused nor in need of a roll."""
    case = resolved("battletech/into-the-depot")[0]
    found = chances("battletech/into-the-depot")
    (heading,) = (
        words.text
        for words in odds_page(case, found).words
        if words.id.startswith("charge.1.heading")
    )
    assert re.fullmatch(r"A\b.*\bDepot: any roll\b\D*", heading)
