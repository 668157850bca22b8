"""What a reader is told: plain words, without ids of rules, signed margins or numbers finer than anybody measures."""

import re
from dataclasses import replace

from plots.marks.captions import caption, judgement_badge, plain, ruling_badge
from plots.marks.language import ENGLISH
from plots.marks.mark import Label
from plots.marks.panels import charge_panels, written
from tabletop.testing.answers import judged, resolved
from tests.bundled import EACH

FINE = re.compile(r"\d\.\d{3,}")
IDLE = re.compile(r"\d\.\d*0\s*(?:in\b|°)")
"""A length or an angle with a zero that says nothing."""


@EACH
def test_no_id_in_a_readers_text(name: str) -> None:
    """Headlines and caption of every bundled scenario, but for the author's own words, name no rule; numbers are as fine as need be."""
    case, resolution = resolved(name)
    judgement = judged(name)
    badges = [ruling_badge(ruling, number) for number, ruling in enumerate(resolution.rulings)]
    badges += [judgement_badge(judgement)] if judgement is not None else []
    said = " ".join(
        [*(f"{badge.words} {badge.about}" for badge in badges), *caption(replace(case, note="", source=""), resolution, judgement)]
    )
    panels = [written(ENGLISH, case, panel) for panel in charge_panels(resolution, is_keyed=True)]
    said = " ".join([said, *(mark.text for panel in panels for mark in panel.marks if isinstance(mark, Label))])
    said = " ".join([said, *(sentence for panel in panels for sentence in (panel.text, *panel.callouts.values()))])
    assert f"{case.system.name}." not in said
    assert IDLE.findall(said) == []
    assert "`" not in said
    assert all(abs(float(number) - round(float(number))) < 0.01 for number in FINE.findall(said))


def test_the_last_digits_go_unless_they_decide() -> None:
    """Two decimals are enough, but not where they would make a number whole that is not."""
    assert plain("11.9996 in of 12.0000 in") == "11.9996 in of 12 in"
    assert plain("1.2.3456 and v0.12345 are no lengths") == "1.2.3456 and v0.12345 are no lengths"
