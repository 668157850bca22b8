"""Promises of every game system, checked on its bundled scenarios.

Public functions whose only parameter is the name of a bundled scenario are contracts; they raise AssertionError if it
is not kept.
"""

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tabletop.api import judge, resolve
from tabletop.geometry.pose import Pose
from tabletop.messages import Message
from tabletop.registry import find
from tabletop.ruling.finding import Finding
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.scenario import case_from_text, read_case, result
from tabletop.scenario.expectations import differences
from tabletop.scenario.reading import case_from_tables, read_tables
from tabletop.table.models import Squad
from tabletop.table.state import State
from tabletop.testing.answers import chances, judged, last_places, resolved
from tabletop.testing.motions import bodies_of, cut, cuttable, near, near_points
from tabletop.units import CONTACT

TEXTS, KEPT = (
    ("text", "words", "label"),
    ("charge", "metrics", "second_opinion", "better", "meant", "arc_names", "assumed"),
)
"""Fields that hold words, and fields without words of a game."""


def sentences(resolution: Resolution, judgement: Judgement | None) -> tuple[str, ...]:
    """Return all texts of the rulings and a judgement, each once: summaries, findings, steps, notes and labels."""
    found = [text for ruling in resolution.rulings for text in (ruling.summary, *words_in(ruling))]
    return tuple(
        dict.fromkeys(
            [*found, *([] if judgement is None else [judgement.summary, *words_in(judgement)])]
        )
    )


def words_in(value: object) -> Iterator[str]:
    """Yield all texts for people inside an answer, at any depth."""
    if isinstance(value, dict):
        for one in value.values():
            yield from words_in(one)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from words_in(one)
    elif hasattr(value, "__dataclass_fields__") and type(value).__module__.startswith(
        "tabletop.ruling"
    ):
        for field in value.__dataclass_fields__:
            one = getattr(value, field)
            if field in TEXTS and isinstance(one, str):
                yield one
            elif field not in KEPT:
                yield from words_in(one)


def unread(case: Case, said: Iterable[str], code: str) -> list[str]:
    """Return the texts of an answer that a language cannot translate, sorted.

    These are the templates that neither the language nor the game translates, and plain texts with letters that are no
    names of the file or of a rule and no reading of the rules.

    Parameters
    ----------
    case
        The case.
    said
        The texts of its answer.
    code
        Code of the language, such as "de".
    """
    from tabletop.language.language import BUNDLED, ENGLISH, bundled

    known = next(
        (one for one in map(bundled, BUNDLED) if one.code == code),
        replace(ENGLISH, words={**ENGLISH.words, "code": code}),
    )
    speaker = known.catalogue(case.system.name, case.system.vocabulary.looks)
    names = {
        *_names_of(case),
        *(rule.name for rule in case.system.rules),
        *dict(case.choices).values(),
    }
    plain = {
        word
        for text in said
        for word in _plain(text)
        if word not in names and any(map(str.isalpha, word))
    }
    for text in said:
        speaker.render(text)
    return sorted(speaker.missing | plain)


def _names_of(case: Case) -> frozenset[str]:
    """Return the names in a case: those of units, models, sides and terrain."""
    units = case.state.units.values()
    state = case.state
    models = [model.name for unit in units if isinstance(unit, Squad) for model in unit.models]
    pieces = [
        *(piece.name for piece in state.terrain),
        *(piece.name for piece in state.hex_terrain),
    ]
    return frozenset(
        name
        for name in (*(name for unit in units for name in (unit.name, unit.side)), *models, *pieces)
        if name
    )


def _plain(text: str) -> Iterator[str]:
    """Yield the plain texts in a message at any depth, or a text itself if it is no message."""
    if not isinstance(text, Message):
        yield str(text)
        return
    for value in text.values.values():
        if isinstance(value, str):
            yield from _plain(value)


def scenario_is_as_expected(name: str) -> None:
    """Check that resolving and judging a bundled scenario gives what its file expects."""
    case, resolution = resolved(name)
    found = [str(difference) for difference in differences(case, resolution, judged(name))]
    assert not found, f"correct the game or [[expect]]: {'; '.join(found)}"


def scenario_explains_itself(name: str) -> None:
    """Check that a bundled scenario has a title, a note, a source and an expectation for every charge."""
    case, _ = resolved(name)
    lacking = [key for key in ("title", "note", "source") if not getattr(case, key)]
    assert not lacking, f"the file has no {', '.join(lacking)}: add it"
    assert len(case.expect) == len(case.charges), (
        f"{len(case.charges)} [[charges]] and {len(case.expect)} [[expect]]: add one for each charge"
    )


def every_sentence_is_translated(name: str) -> None:
    """Check that every text of the answer is a message or a name, and is translated into each language that the game
    offers.
    """
    case, resolution = resolved(name)
    for code in case.system.vocabulary.looks.phrases:
        lacking = unread(case, sentences(resolution, judged(name)), code)
        assert not lacking, (
            f"write with `say` and translate into {code!r}: {'; '.join(map(repr, lacking))}"
        )


def order_in_the_file_decides_nothing(name: str) -> None:
    """Check that reversing the order of units and of keys in a file changes no verdict, no chance and no proof."""
    _, resolution = resolved(name)
    other = case_from_tables(_backwards(read_tables(name)))
    again = resolve(other)
    assert [decided(ruling) for ruling in again.rulings] == [
        decided(ruling) for ruling in resolution.rulings
    ]
    claimed = judged(name)
    if claimed is not None:
        told = judge(other, again)
        assert (told.outcome, told.rule, told.proof) == (
            claimed.outcome,
            claimed.rule,
            claimed.proof,
        )


def decided(ruling: Ruling) -> tuple[object, ...]:
    """Return what is quoted of a ruling: outcome, rule, open rules, smallest roll and chance with their ranges, and
    proof.
    """
    chance = (
        ruling.shortest_roll,
        ruling.shortest_roll_range,
        ruling.chance_success,
        ruling.chance_success_range,
    )
    return (ruling.outcome, ruling.rule, ruling.open, *chance, ruling.proof)


def _backwards(value: Any) -> Any:
    """Return tables with their keys in reverse order at any depth; lists keep their order."""
    if isinstance(value, dict):
        return {key: _backwards(one) for key, one in reversed(value.items())}
    return [_backwards(one) for one in value] if isinstance(value, list) else value


def table_before_is_unchanged(name: str) -> None:
    """Check that resolving does not change the case, and that the resolution holds the initial table."""
    case, resolution = resolved(name)
    again = read_case(name)
    assert {key: unit.place for key, unit in case.state.units.items()} == {
        key: unit.place for key, unit in again.state.units.items()
    }
    assert resolution.before == case.state


def there_is_a_ruling_for_every_charge(name: str) -> None:
    """Check that there is one ruling for each charge, in file order."""
    case, resolution = resolved(name)
    assert [ruling.charge for ruling in resolution.rulings] == list(case.charges)


def steps_chain(name: str) -> None:
    """Check that each step of a unit or model starts where its last one ended, from its first place to its last."""
    _, resolution = resolved(name)
    where = _poses(resolution.before)
    for step in (step for ruling in resolution.rulings for step in ruling.steps):
        if step.unit is None or step.start is None or step.end is None:
            continue
        before = where[step.unit, step.model]
        assert near_points(step.start.at, before.at)
        assert near(math.remainder(step.start.heading - before.heading, math.tau), 0.0)
        where[step.unit, step.model] = step.end
    after = _poses(resolution.after)
    assert {key: where[key] for key in after} == after


def _poses(state: State[Any]) -> dict[tuple[str, int | None], Pose]:
    """Return the pose of each unit or loose model, by (name of the unit, number of the model or None)."""
    poses: dict[tuple[str, int | None], Pose] = {}
    for unit in state.units.values():
        models = (
            [(model.number, model.pose) for model in unit.models]
            if isinstance(unit, Squad)
            else [(None, unit.pose)]
        )
        poses |= {(unit.name, number): pose for number, pose in models}
    return poses


def refused_charges_move_nothing(name: str) -> None:
    """Check that a charge that is not allowed has no step that moves a unit."""
    _, resolution = resolved(name)
    refused = [ruling for ruling in resolution.rulings if ruling.outcome == "not_allowed"]
    assert all(
        step.end is None or step.start == step.end for ruling in refused for step in ruling.steps
    )


def rules_named_are_rules_of_the_system(name: str) -> None:
    """Check that findings, steps and verdicts name only rules of the game system."""
    case, resolution = resolved(name)
    known = {rule.name for rule in case.system.rules}
    unknown = set().union(*map(_named, resolution.rulings)) - known
    assert not unknown, f"add to the rules of the system: {', '.join(sorted(unknown))}"


def _named(ruling: Ruling) -> set[str]:
    steps = {rule for step in ruling.steps for rule in step.rules}
    return (
        {finding.rule for finding in ruling.findings}
        | steps
        | ({ruling.rule} if ruling.rule else set())
    )


def the_deciding_rule_is_a_broken_finding(name: str) -> None:
    """Check that a charge without success names a rule of its broken findings, and that a success has no broken
    finding.
    """
    _, resolution = resolved(name)
    for ruling in resolution.rulings:
        broken = [finding.rule for finding in ruling.findings if not finding.ok]
        assert (ruling.rule in broken) if ruling.outcome != "success" else broken == []
        assert (ruling.rule is None) is (ruling.outcome == "success")


def findings_say_what_was_measured(name: str) -> None:
    """Check that every finding has a sentence, and that margin and allowance are negative, beyond `CONTACT`, exactly if
    it is broken.
    """
    _, resolution = resolved(name)
    judgement = judged(name)
    for finding in (
        *(one for ruling in resolution.rulings for one in ruling.findings),
        *(judgement.findings if judgement else ()),
    ):
        assert finding.text
        assert finding.text[-1] not in " ,;"
        assert finding.margin is None or finding.ok is (
            finding.margin + finding.allowance >= -CONTACT
        )
        assert_of_one_kind(finding)


def assert_of_one_kind(finding: Finding) -> None:
    """Assert that measured value, limit and margin are all integers or all floats, and that the margin is their
    difference.
    """
    numbers = [
        number for number in (finding.measured, finding.limit, finding.margin) if number is not None
    ]
    assert all(map(math.isfinite, numbers)), finding
    assert len({isinstance(number, int) for number in numbers}) <= 1, finding
    if finding.margin is None:
        return
    assert (finding.measured is None) is (finding.limit is None), finding
    if finding.measured is not None and finding.limit is not None:
        assert near(abs(finding.margin), abs(finding.measured - finding.limit)), finding


def rulings_say_their_outcome(name: str) -> None:
    """Check that every ruling has a summary, a proof, and a chance from 0 to 1, or a range of chances if it is not
    proved.
    """
    _, resolution = resolved(name)
    for ruling in resolution.rulings:
        assert ruling.summary
        assert ruling.proof in ("exact", "tolerance", "best_found")
        least, most = ruling.chances
        assert isinstance(least, Fraction)
        assert 0 <= least <= most <= 1
        assert [roll is None for roll in ruling.shortest_rolls] == [most == 0, least == 0]
        assert ruling.is_proved is (least == most)
        assert ruling.is_proved or ruling.proof == "best_found"


def a_ruling_has_one_chance(name: str) -> None:
    """Check that metrics called chance equal the ruling's chance, and that each `_fraction` equals the number beside
    it.
    """
    _, resolution = resolved(name)
    for ruling in resolution.rulings:
        for key in ("chance", "success_chance"):
            told = ruling.metrics.get(key)
            assert told is None or (
                ruling.chance_success is not None and told == float(ruling.chance_success)
            )
        for key, fraction in ruling.metrics.items():
            assert (
                not key.endswith("_fraction")
                or float(Fraction(fraction)) == ruling.metrics[key.removesuffix("_fraction")]
            ), key


def every_success_is_judged_right(name: str) -> None:
    """Check that the places of a resolution, claimed as a proposal, are judged right."""
    case, resolution = resolved(name)
    whole = last_places(case, resolution)
    if not whole:
        return  # only units that lost models moved
    judgement = judge(replace(case, proposal=whole, measured=None), resolution)
    assert (judgement.is_right, judgement.rule) == (True, None)
    assert judgement.better == {}


def more_roll_never_hurts(name: str) -> None:
    """Check that a larger total never makes success less likely, and that the chances of outcomes add up to 1."""
    for charge in chances(name).charges:
        assert sum(charge.outcomes.values()) == 1
        shares = [one.outcomes.get("success", Fraction(0)) / one.chance for one in charge.by_total]
        assert shares == sorted(shares)


def chance_of_a_ruling_is_that_of_the_odds(name: str) -> None:
    """Check that the chance in the ruling equals the chance in the odds, for scenarios with a single charge."""
    case, resolution = resolved(name)
    if len(case.charges) > 1:
        return  # with several charges the ruling's chance depends on what came before
    assert chances(name).charges[0].chances == resolution.rulings[0].chances


def same_question_same_bytes(name: str) -> None:
    """Check that reading and resolving a scenario again gives the same JSON text."""
    case, resolution = resolved(name)
    again = read_case(name)
    assert json.dumps(result(case, resolution)) == json.dumps(result(again, resolve(again)))


def the_table_after_is_a_scenario(name: str) -> None:
    """Check that the table after all charges can be written and read again as a scenario, with equal status and
    poses.
    """
    case, resolution = resolved(name)
    after = result(case, resolution)["after"]
    again = case_from_text(json.dumps(after))
    assert {key: unit.status for key, unit in again.state.units.items()} == {
        key: unit.status for key, unit in resolution.after.units.items()
    }
    written, kept = (list(_poses(state).values()) for state in (again.state, resolution.after))
    assert all(near_points(one.at, other.at) for one, other in zip(written, kept, strict=True))


def the_system_names_itself(name: str) -> None:
    """Check that a system is registered under its own name, and that its rules are named after it and complete."""
    system = find(name.partition("/")[0])
    assert system.name == name.partition("/")[0]
    assert all(rule.name.startswith(f"{system.name}.") for rule in system.rules)
    assert len({rule.name for rule in system.rules}) == len(system.rules)
    lacking = [
        f"{rule.name} has no {part}"
        for rule in system.rules
        for part in ("demand", "source", "nature")
        if not getattr(rule, part)
    ]
    assert not lacking, f"complete the rules: {'; '.join(lacking)}"


def terrain_may_be_cut_in_parts(name: str) -> None:
    """Check that terrain cut in adjacent parts gives the same answer; terrain that a unit touches or charges is left
    whole.
    """
    case, whole = resolved(name)
    charged = {target for charge in case.charges for target in charge.targets}
    names = set(cuttable(case.state, [*bodies_of(case.state), *bodies_of(whole.after)])) - charged
    if not names:
        return  # no terrain that nobody stands in or charges
    parted = resolve(replace(case, state=cut(case.state, names), proposal=None))
    for one, other in zip(whole.rulings, parted.rulings, strict=True):
        assert [one.outcome, one.rule, one.shortest_roll, one.chance_success] == [
            other.outcome,
            other.rule,
            other.shortest_roll,
            other.chance_success,
        ]
        assert {(found.rule, found.ok) for found in one.findings} == {
            (found.rule, found.ok) for found in other.findings
        }
    where = _poses(parted.after)
    there = _poses(whole.after)
    assert where.keys() == there.keys()
    assert all(near_points(where[key].at, there[key].at) for key in there)
