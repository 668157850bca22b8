"""How steady a verdict is: of tables on which everything stands a little off, the share of each verdict as a bar."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

from plots.layout.bars import Block, Row, rows, together
from plots.layout.page import Page, Words, paragraph
from plots.layout.sheet import MARGIN, Sheet, sheets
from plots.marks import captions, text
from plots.marks.language import Language
from plots.marks.mark import LineMark
from plots.marks.spots import spot_words
from plots.marks.theme import OUTCOME_NAMES, SMALL, TEXT, TITLE, Tone
from plots.render.charts import SurveyLike, Topic
from tabletop.errors import UsageError

JITTER_KEY = "jitter"
"""The axis that counts tables on which everything stands a little off, the first of them as it is."""
BY_RULE = ("failed", "not_allowed")
"""Outcomes of which the rule belongs to the verdict."""
NO_RULE = ("", "None", "nan")
"""What a table has for the rule of a case that none decides."""
GAP, LABEL_SHARE = 0.1, 0.5

Verdict = tuple[str, str]
"""An outcome, and the rule where it decides."""


def is_steady(survey: SurveyLike) -> bool:
    """Tell whether a survey asked how often the verdict holds."""
    return JITTER_KEY in survey.axes and {"outcome", "rule"} <= survey.values.keys()


def verdicts(survey: SurveyLike) -> tuple[Verdict, list[Verdict]]:
    """Give the verdict of the table as it is, and those of the tables a little off that can be."""
    outcomes, rules = survey.column("outcome").astype(str).tolist(), survey.column("rule").astype(str).tolist()
    first, *others = ((outcome, rule if outcome in BY_RULE else "") for outcome, rule in zip(outcomes, rules, strict=True))
    return first, [verdict for verdict in others if verdict[0] != "invalid"]


def steady_words(survey: SurveyLike, language: Language) -> str:
    """Say of how many tables a little off the verdict, with its rule, is that of the first, which stands as it is."""
    first, others = verdicts(survey)
    if not others:
        return language.words["map.no_number"]
    held = Fraction(others.count(first), len(others))
    verdict = language.within(spot_words(first[0], language))
    return language.say("map.steady", verdict=verdict, share=f"{100 * float(held):.3g}%", count=f"{len(others):,}")


def steady_page(topic: Topic) -> Page:
    """Put the shares of the verdicts on a page; to a judge with the rules that decide.

    Raises
    ------
    UsageError
        If they do not fit into the size that is asked for.
    """
    least = 0.0
    for sheet in sheets(topic.setting.size):
        whole = _whole(topic, sheet)
        least = whole.bottom
        if sheet.height is None or whole.bottom <= sheet.height + 1e-9:
            theme = replace(topic.setting.theme, zoom=sheet.zoom)
            return Page(sheet.width, max(whole.bottom, sheet.height or 0.0), (), whole.words, whole.marks, theme=theme)
    raise UsageError(f"--size: the figure does not fit; at this width it is {least:.1f} in high")


def rules_told(topic: Topic) -> str:
    """Tell the rules that decide against success, each with in how many cases it does; nothing where the table has no rules."""
    language, survey = topic.setting.language, topic.survey
    found = Counter(survey.column("rule").astype(str).ravel().tolist()) if "rule" in survey.values else Counter[str]()
    told = ", ".join(f"{rule} {count:,}" for rule, count in found.most_common() if rule not in NO_RULE)
    return language.say("map.by_rules", rules=told) if told else ""


def _whole(topic: Topic, sheet: Sheet) -> Block:
    language, (first, others) = topic.setting.language, verdicts(topic.survey)
    told = language.say("map.as_it_stands", verdict=_named(first, topic), count=f"{len(others):,}")
    counts = Counter(verdict if topic.setting.audience == "judge" else (verdict[0], "") for verdict in others)
    entries = [
        Row(f"verdict.{number}", _named(verdict, topic), _role(verdict[0]), Fraction(count, len(others)))
        for number, (verdict, count) in enumerate(counts.most_common(), start=1)
    ]
    blocks = [] if topic.setting.is_bare else [_lines("title", topic.title, MARGIN, sheet, size=TITLE, bold=True)]
    blocks.append(_lines("caption.1", told, _end(blocks), sheet))
    if entries:
        blocks.append(rows(entries, (MARGIN, _end(blocks)), width=sheet.space, most_label=LABEL_SHARE * sheet.space))
    if not topic.setting.is_bare:
        small = rules_told(topic) if topic.setting.audience == "reader" else ""
        blocks.append(_lines("small-print", small, _end(blocks), sheet, size=SMALL, colour="grey"))
        blocks.append(_footer(topic, _end(blocks), sheet))
    whole = together(blocks)
    words = (
        one if one.id.startswith(("title", "small-print", "footer")) else replace(one, text=language.written(one.text))
        for one in whole.words
    )
    return replace(whole, words=tuple(words))


def _end(blocks: list[Block]) -> float:
    return blocks[-1].bottom + GAP if blocks else MARGIN


def _named(verdict: Verdict, topic: Topic) -> str:
    words = spot_words(verdict[0], topic.setting.language)
    return f"{words}: {verdict[1]}" if verdict[1] and topic.setting.audience == "judge" else words


def _role(outcome: str) -> str:
    return f"odds.{outcome}" if outcome in OUTCOME_NAMES else "odds.together"


def _lines(name: str, said: str, at: float, sheet: Sheet, *, size: float = TEXT, bold: bool = False, colour: Tone = "ink") -> Block:
    lines = text.wrapped(said, sheet.space, size, bold=bold, most=6)
    return Block(at + text.height(len(lines), size), paragraph(name, lines, at, size=size, bold=bold, colour=colour))


def _footer(topic: Topic, at: float, sheet: Sheet) -> Block:
    rule = LineMark("footer.rule", "rule", ((MARGIN, at), (sheet.right, at)))
    base = at + 0.03 + text.ASCENT * SMALL * text.POINT_SIZE
    line = text.wrapped(captions.footer(topic.case, topic.setting.language), sheet.space, SMALL, most=1)[0]
    words = Words("footer.game", line, (MARGIN, base), SMALL, colour="grey")
    return Block(base + text.DESCENT * SMALL * text.POINT_SIZE + 0.06, (words,), (rule,))
