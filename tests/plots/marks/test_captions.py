"""What a reader is told: plain words, without ids of rules, signed margins or numbers finer than anybody measures."""

import re
from dataclasses import replace

from plots.marks.captions import caption, judgement_badge, ruling_badge
from plots.marks.mark import Label
from plots.marks.panels import charge_panels
from tabletop.catalogue import Catalogue, shortened
from tabletop.language.language import ENGLISH, language, speaking
from tabletop.language.spoken import in_language
from tabletop.messages import for_judge, say
from tabletop.ruling.finding import room_needed
from tabletop.testing.answers import judged, resolved
from tests.bundled import EACH

FINE = re.compile(r"\d\.\d{3,}")
NUMBER = re.compile(r"\b\d+(?:[.,]\d+)?\b")
IDLE = re.compile(r"\d\.\d*0\s*(?:in\b|°)")
"""A length or an angle with a zero that says nothing."""


@EACH
def test_no_id_in_a_readers_text(name: str) -> None:
    """Headlines and caption of every bundled scenario, but for the author's own words, name no rule; numbers are as
    fine as need be.
    """
    case, resolution = resolved(name)
    resolution, judgement = in_language(ENGLISH, case, resolution, judged(name), "reader")
    badges = [ruling_badge(ruling, number) for number, ruling in enumerate(resolution.rulings)]
    badges += [judgement_badge(judgement)] if judgement is not None else []
    said = " ".join(
        [
            *(f"{badge.words} {badge.about}" for badge in badges),
            *caption(replace(case, note="", source=""), resolution, judgement),
        ]
    )
    panels = charge_panels(resolution, is_keyed=True)
    said = " ".join(
        [said, *(mark.text for panel in panels for mark in panel.marks if isinstance(mark, Label))]
    )
    said = " ".join(
        [
            said,
            *(sentence for panel in panels for sentence in (panel.text, *panel.callouts.values())),
        ]
    )
    assert f"{case.system.name}." not in said
    assert IDLE.findall(said) == []
    assert "`" not in said
    assert all(abs(float(number) - round(float(number))) < 0.01 for number in FINE.findall(said))


@EACH
def test_readers_of_any_language_are_told_the_same_numbers(name: str) -> None:
    """What one language leaves to judges, such as where on the board a model could be, no other tells its readers."""
    case, resolution = resolved(name)
    told = []
    for speech in (ENGLISH, language("german")):
        own = speech.of(case.system.vocabulary.looks)
        ruled, judgement = in_language(own, case, resolution, judged(name), "reader")
        with speaking(own):
            said = " ".join(caption(replace(case, note="", source=""), ruled, judgement))
        told.append({float(number.replace(",", ".")) for number in NUMBER.findall(said)})
    assert told[0] == told[1]


def test_readers_are_not_told_of_a_tolerance() -> None:
    """Room of a thousandth of an inch, by which bases that touch and bases that do not are told apart, is for
    judges.
    """
    told = [
        say("The way leads 6 in into X{needed}.", needed=room_needed(length))
        for length in (0.0, 0.001, 1.0)
    ]
    said = [Catalogue({}, {}, audience="reader").render(one) for one in told]
    assert said[:2] == ["The way leads 6 in into X."] * 2
    assert " 1 in " in said[2]


def test_a_headline_tells_of_one_roll() -> None:
    """A charge that failed before its roll is told with what it failed by alone, one that rolled with what it had to
    roll.
    """
    told = {
        name: ruling_badge(resolved(f"battletech/{name}")[1].rulings[0], 0).about
        for name in ("shot-down-on-the-run", "past-the-cliff")
    }
    assert re.fullmatch(r"A\b.*\bB: falls\b\D*\b5\D+6", told["shot-down-on-the-run"])
    assert re.fullmatch(r"A\b.*\bB: \D*\b2\D+7\D+7\D+7/12", told["past-the-cliff"])


def test_the_last_digits_go_unless_they_decide() -> None:
    """Two decimals are enough, but not where they would make a number whole that is not."""
    told = say(
        "{length:.4f} in of {limit:.4f} in of {name}", length=11.9996, limit=12.0, name="1.2345"
    )
    assert Catalogue({}, {}, audience="reader").render(told) == "11.9996 in of 12 in of 1.2345"
    assert Catalogue({}, {}, audience="judge").render(told) == told
    written = {
        "7.0000": "7",
        "12.3456": "12.35",
        "0.0005": "0.0005",
        "8.0": "8.0",
        "10%": "10%",
        "12": "12",
    }
    assert {digits: shortened(digits) for digits in written} == written


def test_readers_are_not_shown_what_is_for_judges() -> None:
    """A rule, a coordinate or room of nothing is left out where a message marks it, with what stands around it."""
    rule = for_judge(say(" by {rule}", rule="t9a.range"))
    told = say("It may be failed{rule} at {length:.4f} in.", rule=rule, length=4.2)
    assert told == "It may be failed by t9a.range at 4.2000 in."
    assert Catalogue({}, {}, audience="reader").render(told) == "It may be failed at 4.2 in."
    assert Catalogue({}, {}, audience="judge").render(told) == told
