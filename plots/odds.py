"""The figure of a case's odds: how often each roll counts, what comes of it, and the chances of all charges together."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from plots import captions, text
from plots.bars import AXIS, WIDE, Block, Row, columns, rows, scale_top, share, together
from plots.captions import OUTCOME_WORDS
from plots.files import format_of, save
from plots.marks import Line
from plots.page import MARGIN, SPACE, WIDTH, Page, Words, paragraph
from plots.paint import paint
from plots.theme import GREY, HEADING, INK, SMALL, TEXT, TITLE
from tabletop.pose import Point
from tabletop.ruling import OUTCOMES, Case, ChargeOdds, Odds, Outcome

MOST_JOINT = 12
"""Rows of joint outcomes that are drawn; the likeliest come first."""
GAP, ASIDE = 0.12, 0.3
"""Inches between the parts of the page, and between columns and rows."""
EXPLAINED = (
    "Exact chances over all dice. Left: how often each roll counts, and what comes of it. "
    "Right: how the charge comes out, with the rules that decide against success."
)


def draw_odds(case: Case, odds: Odds, path: str | Path) -> None:
    """Draw the odds of a case and write them as SVG, PDF or PNG, by the ending of the file's name.

    Parameters
    ----------
    case
        The question, for its title and its game.
    odds
        Its exact chances, of which everything drawn is taken.
    path
        File to write; it is complete or not there.

    Raises
    ------
    UsageError
        If the ending is none of the three, or the file cannot be written.
    """
    format_of(Path(path))
    title = text.clean(f"Odds: {captions.title(case)}")
    save(paint(odds_page(case, odds)), Path(path), title=title, description=text.clean(odds_description(odds)))


def odds_page(case: Case, odds: Odds) -> Page:
    """Put the odds on a page: a section per charge, then all of them together."""
    top = scale_top(total.chance for one in odds.charges for total in one.by_total)
    blocks = [_lines("title", captions.title(case), MARGIN, size=TITLE, bold=True)]
    for number, one in enumerate(odds.charges, 1):
        blocks.append(_charge(f"charge.{number}", one, blocks[-1].bottom + GAP, top=top))
    if len(odds.charges) > 1:
        blocks.append(_joint(odds, blocks[-1].bottom + GAP))
    blocks.append(_lines("caption.1", EXPLAINED if odds.charges else "No charges.", blocks[-1].bottom + GAP))
    blocks.append(_footer(case, blocks[-1].bottom + 0.06))
    whole = together(blocks)
    return Page(whole.bottom, (), whole.words, whole.marks, 1.0)


def odds_description(odds: Odds) -> str:
    """Say everything that the figure shows in words, for those who cannot see it."""
    parts = ["Bar charts of exact chances over all dice."]
    parts += [sentence for one in odds.charges for sentence in _spoken(one)]
    if len(odds.charges) > 1:
        parts += [f"{_row_words(odds, row)}, together {share(chance)}." for row, chance in list(odds.joint.items())[:MOST_JOINT]]
    return " ".join(parts)


def _spoken(one: ChargeOdds) -> Iterator[str]:
    outcomes = ", ".join(f"{OUTCOME_WORDS[outcome].lower()} {share(chance)}" for outcome, chance in one.outcomes.items() if chance)
    yield f"{_about(one)}: {outcomes}. {_against(one)}".strip()
    for total in one.by_total:
        shares = [(OUTCOME_WORDS[outcome].lower(), chance) for outcome, chance in total.outcomes.items() if chance]
        parted = ", ".join(word if len(shares) == 1 else f"{word} {share(chance)}" for word, chance in shares)
        yield f"Roll {total.total}, chance {share(total.chance)}: {parted}."


def _about(one: ChargeOdds) -> str:
    return f"{one.charge.charger} charges {' and '.join(one.charge.targets)}"


def _against(one: ChargeOdds) -> str:
    rules = "; ".join(f"{rule} {share(chance)}" for rule, chance in one.rules.items())
    return f"Against success: {rules}." if rules else ""


def _charge(name: str, one: ChargeOdds, at: float, *, top: Fraction) -> Block:
    """Set a charge's heading, its columns by roll on the left, its outcomes on the right."""
    head = _lines(f"{name}.heading", f"{_about(one)}: {_needed(one)}", at, size=HEADING, bold=True)
    below = head.bottom + 0.05
    right = MARGIN + AXIS + WIDE + ASIDE
    entries = [
        Row(f"{name}.{outcome}", OUTCOME_WORDS[outcome], f"odds.{outcome}", chance) for outcome, chance in one.outcomes.items() if chance
    ]
    room = WIDTH - MARGIN - right
    bars = rows(entries, (right, below + 0.1), width=room, most_label=room / 3)
    rules = _rules(f"{name}.rules", one, (right, bars.bottom + 0.08))
    chart = _lines(f"{name}.none", "Nothing is rolled.", below + 0.12, colour=GREY)
    if one.by_total:
        chart = columns(f"{name}.chart", one.by_total, (MARGIN, below), top=top)
    return together([head, bars, rules, chart])


def _rules(name: str, one: ChargeOdds, at: Point) -> Block:
    """List the rules that decide against success, one a line."""
    said = [f"{rule}: {share(chance)}" for rule, chance in one.rules.items()]
    lines = [text.wrapped(line, WIDTH - MARGIN - at[0], SMALL, most=1)[0] for line in (["Against success:", *said] if said else [])]
    return Block(at[1] + text.height(len(lines), SMALL), paragraph(name, lines, at[1], left=at[0], size=SMALL, colour=GREY))


def _needed(one: ChargeOdds) -> str:
    if not one.by_total:
        return "not allowed"
    least = one.shortest_roll
    return "no roll succeeds" if least is None else f"needs a roll of {least} or more"


def _joint(odds: Odds, at: float) -> Block:
    head = _lines("together.heading", "All charges together", at, size=HEADING, bold=True)
    shown = list(odds.joint.items())[:MOST_JOINT]
    entries = [Row(f"together.{number}", _row_words(odds, row), "odds.together", chance) for number, (row, chance) in enumerate(shown, 1)]
    bars = rows(entries, (MARGIN, head.bottom + 0.05), width=SPACE, most_label=0.55 * SPACE)
    rest = len(odds.joint) - MOST_JOINT
    more = f"And {rest} more, less likely." if rest > 0 else ""
    return together([head, bars, _lines("together.more", more, bars.bottom + 0.04, size=SMALL, colour=GREY)])


def _row_words(odds: Odds, row: tuple[Outcome, ...]) -> str:
    """Name the chargers by outcome: shorter than an outcome for each of many charges."""
    names = {outcome: [one.charge.charger for one, come in zip(odds.charges, row, strict=True) if come == outcome] for outcome in OUTCOMES}
    words = "; ".join(f"{OUTCOME_WORDS[outcome].lower()}: {', '.join(chargers)}" for outcome, chargers in names.items() if chargers)
    return words[:1].upper() + words[1:]


def _lines(name: str, said: str, at: float, *, size: float = TEXT, bold: bool = False, colour: str = INK, left: float = MARGIN) -> Block:
    """Set a paragraph from a height of the page on, as wide as there is room to the right."""
    lines = text.wrapped(said, WIDTH - MARGIN - left, size, bold=bold, most=4)
    return Block(at + text.height(len(lines), size), paragraph(name, lines, at, left=left, size=size, bold=bold, colour=colour))


def _footer(case: Case, at: float) -> Block:
    rule = Line("footer.rule", "rule", ((MARGIN, at), (WIDTH - MARGIN, at)))
    base = at + 0.03 + text.ASCENT * SMALL * text.POINT
    words = Words("footer.game", text.wrapped(captions.footer(case), SPACE, SMALL, most=1)[0], (MARGIN, base), SMALL, colour=GREY)
    return Block(base + text.DESCENT * SMALL * text.POINT + 0.06, (words,), (rule,))
