"""Messages: English text that is equal to itself, and remembers its template and what is filled in."""

import json
import pickle
import re
from copy import copy, deepcopy
from dataclasses import replace
from typing import Any

import pytest

from tabletop.messages import (
    ForJudge,
    Message,
    capital,
    counted,
    for_judge,
    holes,
    key_of,
    key_path,
    listed,
    nearest,
    printable,
    quoted,
    say,
    shown,
    word,
)
from tabletop.ruling.finding import Finding


def message(text: str) -> Message:
    """Return a text as the message that it is."""
    assert isinstance(text, Message)
    return text


def remembered(text: str) -> tuple[str, dict[str, Any]]:
    """Return the template and the values of a message, those of messages within it too."""
    made = message(text)
    values = {
        name: remembered(one) if isinstance(one, Message) else one
        for name, one in made.values.items()
    }
    return made.template, values


def test_a_message_is_its_text() -> None:
    """Equal, of one hash, found in a dictionary, and taken for the text wherever a text is asked for."""
    said = say("{distance:.2f} in to {target}", distance=3.456, target="B")
    assert said == "3.46 in to B"
    assert hash(said) == hash("3.46 in to B")
    assert {"3.46 in to B": 1}[said] == 1
    assert said.startswith("3.46")
    assert f"{said}!" == "3.46 in to B!"
    assert said != say("{distance:.2f} in to {target}", distance=3.456, target="C")


def test_a_message_remembers_what_it_was_made_of() -> None:
    """The template, and values as they were given: numbers unrounded, messages within as messages."""
    said = say("{charger} is {words}engaged.", charger="A", words=say("not "))
    assert said == "A is not engaged."
    assert remembered(said) == (
        "{charger} is {words}engaged.",
        {"charger": "A", "words": ("not ", {})},
    )
    assert message(say("{x:.1f}", x=1 / 3)).values == {"x": 1 / 3}


def test_messages_of_one_text_are_equal_whatever_they_were_made_of() -> None:
    """Rulings that say the same are the same."""
    assert say("{one} stands.", one="A") == say("A stands.") == "A stands."
    assert len({say("{one} stands.", one="A"), say("A stands."), "A stands."}) == 1


def test_braces_of_a_template_are_doubled_as_in_format() -> None:
    """So they stand once in the text."""
    assert say("{{{name}}}", name="A") == "{A}"
    assert word("{A}") == "{A}"
    assert listed(["A", "B"], "{}") == "A{}B"
    assert counted(2, "{}s of A") == "2 {}s of A"


def test_names_that_look_like_templates_stay() -> None:
    """What is filled in is no template."""
    assert say("{name} stands.", name="{charger} {0}") == "{charger} {0} stands."


def test_what_is_not_given_is_an_error() -> None:
    """A template fills in nothing by itself."""
    with pytest.raises(KeyError, match="target"):
        say("{charger} charges {target}.", charger="A")


COPIES = {
    "pickle": lambda said: pickle.loads(pickle.dumps(said)),  # noqa: S301 -- made here
    "old pickle": lambda said: pickle.loads(pickle.dumps(said, protocol=2)),  # noqa: S301
    "copy": copy,
    "deepcopy": deepcopy,
}


@pytest.mark.parametrize("how", COPIES)
def test_copies_remember_as_well(how: str) -> None:
    """Of a message with messages within it, so that workers of other processes give what one process gives."""
    said = say(
        "{charger} fails: {why:within}",
        charger="A",
        why=listed([counted(2, "models"), "B"], " and "),
    )
    again = COPIES[how](said)
    assert again == said == "A fails: 2 models and B"
    assert remembered(again) == remembered(said)


def test_json_has_the_text() -> None:
    """As of any text, as a key too."""
    said = say("{distance:.2f} in to {target}", distance=3.0, target='"B"')
    assert json.dumps({"text": said, said: 1}) == json.dumps(
        {"text": '3.00 in to "B"', '3.00 in to "B"': 1}
    )


def test_a_finding_keeps_its_message() -> None:
    """Where other fields of it are replaced; one with a plain text is equal."""
    found = Finding("game.rule", ok=True, text=say("{unit} stands.", unit="A"))
    other = replace(found, ok=False)
    assert message(other.text).values == {"unit": "A"}
    assert found == Finding("game.rule", ok=True, text="A stands.")
    assert "text='A stands.'" in repr(found)


def test_a_sum_is_a_message_of_both() -> None:
    """With a plain text as well, on either side; nothing adds nothing."""
    first = say("{unit} stands.", unit="A")
    second = say(" It waits.")
    glue = "{first}{second}"
    assert first + second == "A stands. It waits."
    assert remembered(first + second) == (
        glue,
        {"first": remembered(first), "second": remembered(second)},
    )
    assert remembered(first + " (B)") == (glue, {"first": remembered(first), "second": " (B)"})
    assert remembered("B: " + first) == (glue, {"first": "B: ", "second": remembered(first)})
    assert [first + "", "" + first] == [first, first]
    assert [remembered(first + ""), remembered("" + first)] == [remembered(first)] * 2


@pytest.mark.parametrize(
    ("text", "within", "begins"),
    [
        ("No way leads there.", "no way leads there.", "No way leads there."),
        ("no way", "no way", "No way"),
        ("A stands.", "A stands.", "A stands."),
        ("VTOLs fly.", "VTOLs fly.", "VTOLs fly."),
        ("4 in", "4 in", "4 in"),
        ("a", "a", "A"),
        ("", "", ""),
    ],
)
def test_text_is_filled_in_as_its_place_asks(text: str, within: str, begins: str) -> None:
    """Behind a colon small, but for names of one letter and shorts; at the start of a sentence great."""
    assert say("{text:within}", text=text) == within
    assert say("{text:capital}", text=text) == begins
    assert capital(text) == begins
    assert say("{text}", text=text) == text


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("", "0.1"),
        (".2f", "0.10"),
        ("g", "0.1"),
        ("+.1f", "+0.1"),
        (".1%", "10.0%"),
        (">5", "  0.1"),
    ],
)
def test_numbers_are_written_by_their_formats(form: str, text: str) -> None:
    """As `format` writes them."""
    assert say(f"{{number:{form}}}", number=0.1) == text


def test_a_word_is_a_message_once() -> None:
    """A term of a game becomes one; what is one stays."""
    assert remembered(word("rear")) == ("rear", {})
    said = say("{unit} stands.", unit="A")
    assert word(said) is said


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5, 300])
def test_lists_are_joined_as_text_is(count: int) -> None:
    """However long: of none nothing, of one the same, and of many in their order."""
    names = [f"N{number}" for number in range(count)]
    assert listed(names, ", ") == ", ".join(names)
    assert listed(iter(names), " and ") == " and ".join(names)


def test_lists_are_not_deep() -> None:
    """Of 300 items halves are joined, so that nothing goes deeper than nine."""

    def depth(text: object) -> int:
        return 1 + max(map(depth, text.values.values())) if isinstance(text, Message) else 0

    assert depth(listed(map(str, range(300)), ", ")) == 9


def test_one_item_stays_what_it_is() -> None:
    """A message, or a name."""
    said = say("{unit} stands.", unit="A")
    assert listed([said], ", ") is said
    assert not isinstance(listed(["A"], ", "), Message)


@pytest.mark.parametrize(
    ("number", "things", "text"),
    [
        (1, "models", "1 model"),
        (2, "models", "2 models"),
        (0, "models", "0 models"),
        (1, "models of the target", "1 model of the target"),
        (1.0, "places", "1 place"),
        (2.0, "places", "2 places"),
    ],
)
def test_things_are_counted(number: float, things: str, text: str) -> None:
    """One of them has no s."""
    assert counted(number, things) == text


def test_what_is_counted_may_be_of_something() -> None:
    """Then the things are a template: one and several are two, so that languages with other plurals have both."""
    assert remembered(counted(1, "models of {unit}", unit="A")) == (
        "1 model of {unit}",
        {"unit": "A"},
    )
    assert remembered(counted(3, "models of {unit}", unit="A")) == (
        "{count:.0f} models of {unit}",
        {"count": 3, "unit": "A"},
    )


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], ""),
        (["A"], "'A'"),
        (["A", "B's"], "'A', \"B's\""),
        (["A\n"], r"'A\n'"),
        (
            [str(number) for number in range(31)],
            ", ".join(f"'{number}'" for number in range(30)) + ", ...",
        ),
    ],
)
def test_names_are_quoted(names: list[str], text: str) -> None:
    """With marks that fit, in one line, and not too many."""
    assert quoted(names) == text


def test_keys_have_no_formats() -> None:
    """So that a format may change without a change of catalogues; doubled braces stay doubled."""
    assert key_of("{distance:.2f} in to {target:within}") == "{distance} in to {target}"
    assert key_of("{{{name}}}") == "{{{name}}}"
    assert key_of(message(word("{A}")).template) == "{{A}}"


def test_holes_of_a_text() -> None:
    """Names, forms, and conversions; braces that do not match are an error."""
    assert holes("{side:dative} of {unit!r}") == {("side", "dative", None), ("unit", "", "r")}
    with pytest.raises(ValueError, match="}"):
        holes("{unit")


@pytest.mark.parametrize("how", COPIES)
def test_what_only_judges_read_stays_so(how: str) -> None:
    """A name, or a message with what is filled in; it is its text, and copies are marked as well."""
    part = for_judge(say(" by {rule}", rule="t9a.range"))
    assert isinstance(COPIES[how](part), ForJudge)
    assert part == " by t9a.range"
    assert remembered(part) == (" by {rule}", {"rule": "t9a.range"})
    assert for_judge("t9a.range") == "t9a.range"


@pytest.mark.parametrize(
    ("parts", "path"),
    [
        ([], ""),
        (["a"], "a"),
        ([0], "[0]"),
        (["a", 0, 1, "b"], "a[0][1].b"),
        (["a.b"], "'a.b'"),
        (["ä"], "'ä'"),
        ([""], "''"),
    ],
)
def test_key_paths_quote_what_toml_quotes(parts: list[str | int], path: str) -> None:
    """Bare keys stay bare, every other key is quoted."""
    assert key_path(parts) == path


@pytest.mark.parametrize(
    ("word", "suggestion"),
    [
        ("fles", "files"),
        ("FILES", "files"),
        ("side_", "side"),
        ("zzz", ""),
        ("", ""),
        ("f" * 10**6, ""),
    ],
)
def test_the_nearest_word_is_suggested(word: str, suggestion: str) -> None:
    """A near miss is suggested, in any case of letters; a far one, however long, is not."""
    assert re.findall(r"'(.*)'", nearest(word, ["files", "side"])) == (
        [suggestion] if suggestion else []
    )


def test_long_values_are_cut() -> None:
    """A value of any size fits in a message."""
    assert len(shown("x" * 10**6)) == 60
    assert "number" in shown(10**5000)
    assert quoted(map(str, range(99))).endswith("'29', ...")


def test_text_is_made_printable() -> None:
    """Control characters and lone surrogates are escaped, letters of any language stay."""
    assert printable("a\x1b\x9b\ud800Ж\n") == "a\\x1b\\x9b\\ud800Ж\n"


@pytest.mark.parametrize(
    ("name", "owner"), [("Orks", "Orks'"), ("ORKS", "ORKS'"), ("Ork", "Ork's"), ("Ork's", "Ork's'")]
)
def test_names_in_s_take_an_apostrophe_alone(name: str, owner: str) -> None:
    """The possessive of a name that is filled in, nested or at the end of a sentence; what a name itself holds stays as
    it is.
    """
    assert say("{unit}'s model {number}", unit=name, number=1) == f"{owner} model 1"
    assert (
        say("Ahead of {unit}'s front", unit=say("the {name}", name=name))
        == f"Ahead of the {owner} front"
    )
    assert say("This is {unit}'s.", unit=name) == f"This is {owner}."
    assert say("near {unit}", unit="Boss's men") == "near Boss's men"


def test_a_possessive_is_translated_by_its_template() -> None:
    """The template keeps its letters, by which catalogues find it."""
    told = say("{unit}'s model {number}", unit="Orks", number=1)
    assert isinstance(told, Message)
    assert told.template == "{unit}'s model {number}"
