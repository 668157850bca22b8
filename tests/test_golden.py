"""The printed ruling of every bundled scenario, kept as text and rewritten only on purpose.

`pytest tests/test_golden.py --update-golden` rewrites those that differ by more than rounding.
"""

import hashlib
import re
from pathlib import Path

import pytest

from tabletop import api
from tabletop.cli.report import judgement_text, resolution_text, unstyled
from tabletop.testing.answers import judged, resolved
from tests.bundled import EACH_ALWAYS, KEPT, NAMES

SIGNATURE = KEPT / "SIGNATURE"
NUMBER = re.compile(r"[+-]?\d+\.\d+")
ROUNDING = 2e-6
"""By how much a printed number may differ where libraries round otherwise."""


def kept_at(name: str) -> Path:
    """Return the file in which the ruling of a bundled scenario is kept."""
    return KEPT / f"{name}.txt"


def printed(name: str) -> str:
    """Write the ruling of a bundled scenario as the command line does, and the judgement where something is
    proposed.
    """
    case, resolution = resolved(name)
    judgement = judged(name)
    if judgement is None:
        return unstyled(resolution_text(case, resolution)) + "\n"
    # alternatives may be to the places that are claimed
    resolution = api.answer(case).resolution
    parts = [resolution_text(case, resolution), judgement_text(judgement, case)]
    return unstyled("\n\n".join(parts)) + "\n"


def is_kept(found: str, kept: str) -> bool:
    """Return whether a printed ruling has the words of the one kept, and its numbers but for rounding."""
    if NUMBER.sub("#", found) != NUMBER.sub("#", kept):
        return False
    numbers = [[float(number) for number in NUMBER.findall(text)] for text in (found, kept)]
    return bool(numbers[0] == pytest.approx(numbers[1], abs=ROUNDING, rel=ROUNDING))


@EACH_ALWAYS
def test_ruling_is_the_one_kept(name: str, request: pytest.FixtureRequest) -> None:
    """The printed ruling has the words that are kept, and its numbers."""
    found = printed(name)
    file = kept_at(name)
    if request.config.getoption("--update-golden") and not (
        file.exists() and is_kept(found, file.read_text("utf-8"))
    ):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(found, "utf-8")
    kept = file.read_text("utf-8")
    assert is_kept(found, kept) or found == kept


def test_what_is_rounded_otherwise_is_kept() -> None:
    """Another last digit is no other ruling; another number, sign or word is one."""
    kept = "A stops 0.3333333 in short, +12.50 in."
    assert is_kept("A stops 0.3333340 in short, +12.50 in.", kept)
    assert not is_kept("A stops 0.3334 in short, +12.50 in.", kept)
    assert not is_kept("A stops 0.3333333 in short, -12.50 in.", kept)
    assert not is_kept("B stops 0.3333333 in short, +12.50 in.", kept)


def test_every_kept_ruling_has_its_scenario() -> None:
    """No ruling is kept of a scenario that is gone."""
    assert sorted(KEPT.glob("*/*.txt")) == sorted(map(kept_at, NAMES))


def test_signature(request: pytest.FixtureRequest) -> None:
    """One signature stands for all kept rulings, so that none changes unseen."""
    digest = hashlib.sha256()
    for file in sorted(KEPT.glob("*/*.txt")):
        digest.update(f"{file.parent.name}/{file.stem}\n".encode() + file.read_bytes())
    if request.config.getoption("--update-golden"):
        SIGNATURE.write_text(f"{digest.hexdigest()}\n", "utf-8")
    assert SIGNATURE.read_text("utf-8").strip() == digest.hexdigest()
