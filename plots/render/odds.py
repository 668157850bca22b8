"""Figures of a case's odds: chance and outcome of each roll per charge, and the outcomes of all charges together.

"Joint" outcomes are those of all charges on the same rolls.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from plots.layout import text
from plots.layout.backend import as_shipped
from plots.layout.blocks import (
    AXIS,
    WIDE,
    Block,
    Row,
    columns,
    footer,
    paragraph,
    rows,
    scale_top,
    share,
    stack,
    text_lines,
    together,
)
from plots.layout.page import Page, page_of
from plots.layout.setting import DEFAULT, MARGIN, Setting, Sheet, speaks
from plots.marks import captions
from plots.marks.theme import HEADING, SMALL, TITLE
from plots.render.artists import paint
from plots.render.files import format_of, save
from plots.render.svg import names_of
from tabletop.catalogue import Audience
from tabletop.language.language import current_language
from tabletop.ruling.charge import OUTCOMES, OddsOutcome
from tabletop.ruling.odds import ChargeOdds, Odds
from tabletop.ruling.system import Case
from tabletop.scenario.embedded import embedded_link

MOST_JOINT = 12
"""Greatest number of joint outcomes drawn, likeliest first."""

UNROLLED = {
    "success": "odds.sure_success",
    "failed": "odds.sure_failed",
    "not_allowed": "odds.refused",
    "uncertain": "odds.unrolled",
}
"""Texts, by outcome, for a charge without a roll."""

GAP, ASIDE, LEAST_ROWS = 0.12, 0.3, 2.2
"""Spacing of the page's parts, and of columns and rows, in inches, and the least width of rows beside columns."""


@dataclass(frozen=True)
class _Chart:
    """Settings shared by the parts of the page: sheet, figure settings, and the chance at the upper end of the
    scale.
    """

    sheet: Sheet
    setting: Setting
    top: Fraction

    @property
    def is_judge(self) -> bool:
        """Whether the figure is for a judge."""
        return self.setting.audience == "judge"

    @property
    def is_stacked(self) -> bool:
        """Whether the page is too narrow for rows of bars beside columns."""
        return self.sheet.space - AXIS - WIDE - ASIDE < LEAST_ROWS


@as_shipped()
@speaks
def draw_odds(case: Case, odds: Odds, path: str | Path, *, setting: Setting = DEFAULT) -> None:
    """Draw the odds of a case and write them as SVG, PDF, PNG, WebP or PGF, by the file's suffix.

    Parameters
    ----------
    case
        Case, for its title and system.
    odds
        Exact chances of the case, from which everything is drawn.
    path
        File to write, completely or not at all.
    setting
        Theme, size and language.

    Raises
    ------
    UsageError
        If the suffix is none of these, the figure does not fit the size, or the file cannot be written.
    """
    kind = format_of(Path(path))
    title = text.clean(current_language().say("odds.title", title=captions.title(case)))
    description = text.clean(odds_description(odds, setting.audience))
    page = odds_page(case, odds, setting=setting)
    names = names_of(page) if kind == "svg" else None
    scenario = embedded_link(case)
    save(
        paint(page),
        Path(path),
        title=title,
        description=description,
        setting=setting,
        names=names,
        scenario=scenario,
    )


@speaks
def odds_page(case: Case, odds: Odds, *, setting: Setting = DEFAULT) -> Page:
    """Return the page of a case's odds: a section per charge, then the joint outcomes of all charges.

    Raises
    ------
    UsageError
        If the odds do not fit the size.
    """
    top = scale_top(total.chance for one in odds.charges for total in one.by_total)
    return page_of(setting, lambda sheet: _whole(case, odds, _Chart(sheet, setting, top)))


def _whole(case: Case, odds: Odds, chart: _Chart) -> Block:
    language = current_language()
    space = chart.sheet.space
    is_bare = chart.setting.is_bare
    parts = [
        paragraph(
            "title",
            "" if is_bare else captions.title(case),
            space,
            size=TITLE,
            typeface="title",
        )
    ]
    parts += [_charge(f"charge.{number}", one, chart) for number, one in enumerate(odds.charges, 1)]
    parts += [_joint(odds, chart)] if len(odds.charges) > 1 else []
    if is_bare:
        return stack(parts, GAP).at(MARGIN, MARGIN)
    explained = (
        "odds.no_charges"
        if not odds.charges
        else "odds.stacked"
        if chart.is_stacked
        else "odds.explained"
    )
    said = language.words[explained]
    rules = _small_print(odds)
    if not all(one.is_proved for one in odds.charges):
        said = f"{said} {language.words['odds.open']}"
    if chart.is_judge and rules:
        said = f"{said} {language.words['odds.ruled']}"
    parts.append(paragraph("caption.1", said, space))
    small = (
        []
        if chart.is_judge
        else [paragraph("small-print", rules, space, size=SMALL, colour="grey")]
    )
    return stack((stack(parts, GAP), *small, footer(captions.footer(case), space)), 0.06).at(
        MARGIN, MARGIN
    )


def _small_print(odds: Odds) -> str:
    """Return the rules that decide against success with their chances; with the charger if there are several
    charges.
    """
    told = [(captions.about(one.charge), _against(one)) for one in odds.charges if one.rules]
    return " ".join(
        against if len(odds.charges) == 1 else f"{about}: {against}" for about, against in told
    )


def odds_description(odds: Odds, audience: Audience = "reader") -> str:
    """Return the text alternative of a figure of odds, for screen readers."""
    language = current_language()
    parts = [language.words["odds.described"]]
    parts += [sentence for one in odds.charges for sentence in _spoken(one, audience)]
    if len(odds.charges) > 1:
        joint = list(odds.joint.items())[:MOST_JOINT]
        parts += [
            language.say("odds.row", row=_row_words(odds, row), chance=share(chance))
            for row, chance in joint
        ]
    return " ".join(parts)


def _spoken(one: ChargeOdds, audience: Audience) -> Iterator[str]:
    language = current_language()
    named = _possible(one.outcomes)
    outcomes = ", ".join(f"{word} {share(chance)}" for word, chance in named)
    about = captions.about(one.charge)
    yield language.say(
        "odds.charge",
        about=about,
        outcomes=outcomes,
        against=_against(one) if audience == "judge" else "",
    ).strip()
    for total in one.by_total:
        shares = _possible(total.outcomes)
        parted = ", ".join(
            word if len(shares) == 1 else f"{word} {share(chance)}" for word, chance in shares
        )
        yield language.say(
            "odds.total", total=total.total, chance=share(total.chance), outcomes=parted
        )


def _possible(chances: Mapping[OddsOutcome, Fraction]) -> list[tuple[str, Fraction]]:
    """Return the outcomes that are possible, in words within a sentence, with their chances."""
    language = current_language()
    return [
        (language.within(_outcome_words(outcome)), chance)
        for outcome, chance in chances.items()
        if chance
    ]


def _outcome_words(outcome: OddsOutcome) -> str:
    """Return the word for an outcome in a language; "undecided" means not proved here, not a matter of measurement."""
    return (
        current_language().words["odds.undecided"]
        if outcome == "undecided"
        else captions.outcome_words(outcome)
    )


def _against(one: ChargeOdds) -> str:
    rules = "; ".join(f"{rule} {share(chance)}" for rule, chance in one.rules.items())
    return current_language().say("odds.rules", rules=rules) if rules else ""


def _charge(name: str, one: ChargeOdds, chart: _Chart) -> Block:
    """Return a charge's section as a block: heading, columns by roll, and outcomes beside them, or below on a narrow
    page.
    """
    language = current_language()
    space = chart.sheet.space
    heading = language.say("odds.heading", about=captions.about(one.charge), needed=_needed(one))
    if one.by_total:
        rolls = columns(f"{name}.chart", one.by_total, top=chart.top, wide=min(WIDE, space - AXIS))
    else:
        rolls = paragraph(f"{name}.none", language.words["odds.nothing"], space, colour="grey").at(
            0.0, 0.12
        )
    left, top = (0.0, rolls.height + 0.04) if chart.is_stacked else (AXIS + WIDE + ASIDE, 0.1)
    room = space - left
    entries = [
        Row(f"{name}.{outcome}", _outcome_words(outcome), f"odds.{outcome}", chance)
        for outcome, chance in one.outcomes.items()
        if chance
    ]
    bars = rows(entries, width=room, most_label=room / 3)
    outcomes = stack((bars, _rules(f"{name}.rules", one, room, chart)), 0.08).at(left, top)
    return stack(
        (
            paragraph(f"{name}.heading", heading, space, size=HEADING, typeface="title"),
            together(outcomes, rolls),
        ),
        0.05,
    )


def _rules(name: str, one: ChargeOdds, room: float, chart: _Chart) -> Block:
    """Return the rules that decide against success as a block, one per line; empty for readers."""
    said = (
        [f"{rule}: {share(chance)}" for rule, chance in one.rules.items()] if chart.is_judge else []
    )
    shown = [current_language().words["odds.against"], *said] if said else []
    return text_lines(
        name,
        [text.wrapped(line, room, SMALL, most=1)[0] for line in shown],
        size=SMALL,
        colour="grey",
    )


def _needed(one: ChargeOdds) -> str:
    language = current_language()
    if not one.by_total:
        sure = next(
            (outcome for outcome, chance in one.outcomes.items() if chance == 1), "uncertain"
        )
        return language.words[UNROLLED[sure]]
    if one.outcomes.get("success") == 1:
        return language.words["badge.every_roll"]
    least = one.shortest_roll
    if not one.is_proved and one.shortest_rolls[0] != one.shortest_rolls[1]:
        return language.say("odds.not_proved", rolls=captions.rolls_words(one.shortest_rolls))
    return (
        language.words["odds.no_roll"] if least is None else language.say("odds.needs", roll=least)
    )


def _joint(odds: Odds, chart: _Chart) -> Block:
    language = current_language()
    space = chart.sheet.space
    entries = [
        Row(f"together.{number}", _row_words(odds, row), "odds.together", chance)
        for number, (row, chance) in enumerate(list(odds.joint.items())[:MOST_JOINT], 1)
    ]
    head = paragraph(
        "together.heading", language.words["odds.together"], space, size=HEADING, typeface="title"
    )
    bars = rows(entries, width=space, most_label=0.55 * space)
    rest = len(odds.joint) - MOST_JOINT
    more = language.say("odds.more", count=rest) if rest > 0 else ""
    return stack(
        (
            stack((head, bars), 0.05),
            paragraph("together.more", more, space, size=SMALL, colour="grey"),
        ),
        0.04,
    )


def _row_words(odds: Odds, row: tuple[OddsOutcome, ...]) -> str:
    """Return the joint outcome of a row in words, with the chargers grouped by outcome."""
    possible: tuple[OddsOutcome, ...] = (*OUTCOMES, "undecided")
    names = {
        outcome: [
            one.charge.charger
            for one, come in zip(odds.charges, row, strict=True)
            if come == outcome
        ]
        for outcome in possible
    }
    said = {outcome: current_language().within(_outcome_words(outcome)) for outcome in possible}
    words = "; ".join(
        f"{said[outcome]}: {', '.join(chargers)}" for outcome, chargers in names.items() if chargers
    )
    return words[:1].upper() + words[1:]
