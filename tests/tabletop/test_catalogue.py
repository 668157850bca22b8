"""Catalogues: a message is written in another language by its template, and what is filled in in turn; what is unknown
stays English.
"""

import pytest

from tabletop.catalogue import Catalogue, is_glue, translates
from tabletop.messages import (
    Digits,
    Message,
    capital,
    counted,
    for_judge,
    listed,
    quoted,
    say,
    word,
)


def catalogue(said: dict[str, str], *, forms: dict[str, dict[str, str]] | None = None) -> Catalogue:
    """Return a catalogue that writes numbers with a comma."""
    return Catalogue(said, forms or {}, ",")


def test_what_is_filled_in_is_rendered_as_well() -> None:
    """A sentence by its template, its parts by theirs; numbers have the language's decimal mark, names stay."""
    said = {"{unit} is {what}.": "{unit} ist {what}.", "{length} in away": "{length} Zoll entfernt"}
    away = say("{length:.2f} in away", length=3.25)
    assert (
        catalogue(said).render(say("{unit} is {what}.", unit="T1.5", what=away))
        == "T1.5 ist 3,25 Zoll entfernt."
    )


def test_a_template_that_is_not_known_stays_english_whole() -> None:
    """Rather than half of it be translated; it is missing, and others are not."""
    speaker = catalogue(
        {"{unit} moves.": "{unit} zieht.", "far": "weit", "{number} in": "{number} Zoll"}
    )
    sings = say("{unit} sings {how}, {number:.1f} in.", unit="A", how=say("far"), number=2.5)
    assert speaker.render(sings) == "A sings far, 2.5 in."
    assert speaker.missing == {"{unit} sings {how}, {number} in."}
    assert speaker.render(say("{unit} moves.", unit="A")) == "A zieht."


def test_of_several_sentences_those_that_are_known_are_translated() -> None:
    """A sum of sentences is glue: each is written for itself."""
    speaker = catalogue({"{unit} moves.": "{unit} zieht."})
    one = say("{unit} moves.", unit="A")
    other = say("It sings.")
    assert (
        speaker.render(one + " " + other + " " + say("{unit} moves.", unit="B"))
        == "A zieht. It sings. B zieht."
    )
    assert speaker.missing == {"It sings."}


def test_a_template_says_who_it_is() -> None:
    """Two sentences that read alike in English are told apart; plain text that looks like one is none."""
    speaker = catalogue({"{unit} moves.": "{unit} zieht.", "{piece} moves.": "{piece} rutscht."})
    assert speaker.render(say("{unit} moves.", unit="A")) == "A zieht."
    assert speaker.render(say("{piece} moves.", piece="A")) == "A rutscht."
    assert speaker.render("A moves.") == "A moves."


def test_a_sentence_may_stand_within_another() -> None:
    """In English small behind a colon; its translation has its own beginning."""
    speaker = catalogue(
        {
            "{unit} fails: {why}": "{unit} scheitert. {why}",
            "No way leads there.": "Kein Weg führt dorthin.",
        }
    )
    said = say("{unit} fails: {why:within}", unit="A", why=say("No way leads there."))
    assert said == "A fails: no way leads there."
    assert speaker.render(said) == "A scheitert. Kein Weg führt dorthin."


def test_a_text_may_begin_a_sentence() -> None:
    """In the other language as well."""
    speaker = catalogue(
        {"no part of {unit}": "kein Teil von {unit}", "{part} is seen.": "{part} ist zu sehen."}
    )
    seen = say("{part} is seen.", part=capital(say("no part of {unit}", unit="A")))
    assert seen == "No part of A is seen."
    assert speaker.render(seen) == "Kein Teil von A ist zu sehen."
    assert (
        catalogue({"{part} is seen.": "Man sieht {part}."}).render(
            say("{part:capital} is seen.", part="a")
        )
        == "Man sieht A."
    )


def test_a_word_has_the_form_that_its_place_asks_for() -> None:
    """A translation asks for a case of what is filled in; what has no such form has its plain one."""
    said = {
        "{unit} charges the {side} of {other}.": "{unit} greift {side:accusative} von {other} an.",
        "rear": "Rücken",
        "top": "Dach",
    }
    speaker = catalogue(said, forms={"accusative": {"rear": "den Rücken"}})
    rear, top = (
        say("{unit} charges the {side} of {other}.", unit="A", side=word(side), other="B")
        for side in ("rear", "top")
    )
    assert speaker.render(rear) == "A greift den Rücken von B an."
    assert speaker.render(top) == "A greift Dach von B an."
    assert speaker.render(word("rear"), "accusative") == "den Rücken"
    assert speaker.render(word("rear"), "dative") == "Rücken"


def test_a_form_may_be_of_a_message_with_parts() -> None:
    """And ask for a form of these in turn; numbers and names have none."""
    said = {
        "meets {side}": "trifft {side:accusative}",
        "the {side} of {unit}": "{side} von {unit}",
        "rear": "Rücken",
    }
    forms = {
        "accusative": {
            "the {side} of {unit}": "{side:accusative} von {unit:accusative}",
            "rear": "den Rücken",
        }
    }
    meets = say("meets {side}", side=say("the {side} of {unit}", side=word("rear"), unit="A"))
    assert catalogue(said, forms=forms).render(meets) == "trifft den Rücken von A"
    assert (
        catalogue({"{x} in": "{x:dative} Zoll"}, forms={"dative": {}}).render(
            say("{x:.1f} in", x=1)
        )
        == "1,0 Zoll"
    )


@pytest.mark.parametrize(
    ("form", "value", "text"),
    [
        (".2f", 1234.5, "1234,50"),
        ("g", 0.25, "0,25"),
        ("", 3, "3"),
        ("+.1f", -1.0, "-1,0"),
        (".1%", 0.125, "12,5%"),
    ],
)
def test_numbers_are_written_as_the_english_template_has_them(
    form: str, value: float, text: str
) -> None:
    """With the decimal mark of the language."""
    english = f"{{length:{form}}} in"
    assert (
        catalogue({"{length} in": "{length} Zoll"}).render(say(english, length=value))
        == f"{text} Zoll"
    )


def test_a_translation_may_turn_its_parts_round_and_repeat_them() -> None:
    """What is filled in goes by its name."""
    speaker = catalogue({"{one} meets {other}.": "{other}, {other} wird von {one} getroffen."})
    assert (
        speaker.render(say("{one} meets {other}.", one="A", other="B"))
        == "B, B wird von A getroffen."
    )


def test_glue_is_the_same_in_every_language() -> None:
    """A template without words translates as itself, but for one that a language has in its own way."""
    listing = listed([say("far"), "B", say("near")], ", ")
    assert is_glue("{one}, {other}")
    assert not is_glue("{one} or {other}")
    speaker = catalogue({"far": "weit", "near": "nah"})
    assert speaker.render(listing) == "weit, B, nah"
    assert speaker.missing == set()
    assert (
        catalogue({"far": "weit", "{one}, {other}": "{one} / {other}"}).render(listing)
        == "weit / B / near"
    )


def test_quoted_names_have_the_marks_of_the_language() -> None:
    """Each pair of them is glue with signs of its own."""
    assert catalogue({"'{name}'": "„{name}“"}).render(quoted(["A", "B"])) == "„A“, „B“"


def test_a_name_that_is_a_word_of_the_catalogue_stays() -> None:
    """A unit may be called by any word, or a whole sentence."""
    said = {
        "{unit} charges {target}.": "{unit} greift {target} an.",
        "rear": "Rücken",
        "It sings.": "Es singt.",
    }
    speaker = catalogue(said)
    assert (
        speaker.render(say("{unit} charges {target}.", unit="rear", target="It sings."))
        == "rear greift It sings. an."
    )
    assert speaker.render("rear") == "rear"


def test_names_may_hold_words_and_braces_of_a_sentence() -> None:
    """What is filled in is not read."""
    said = {"{one} charges {many}, {far} in away.": "{one} greift {many} an, {far} Zoll."}
    many = listed(["B", "C, in away", "{one}"], ", ")
    sentence = say("{one} charges {many}, {far:g} in away.", one="He charges", many=many, far=2)
    assert catalogue(said).render(sentence) == "He charges greift B, C, in away, {one} an, 2 Zoll."


@pytest.mark.parametrize("count", [1, 2, 300])
def test_long_lists_are_written_one_by_one(count: int) -> None:
    """Hundreds of items, numbers or messages."""
    said = {"models {numbers} are lost": "Modelle {numbers} verloren", "no way": "kein Weg"}
    many = ", ".join(map(str, range(count)))
    assert (
        catalogue(said).render(
            say("models {numbers} are lost", numbers=listed(map(str, range(count)), ", "))
        )
        == f"Modelle {many} verloren"
    )
    assert catalogue(said).render(listed([say("no way")] * count, " ")) == " ".join(
        ["kein Weg"] * count
    )


def test_messages_may_be_nested() -> None:
    """A hundred deep, each in its language."""
    deep = say("way")
    for _ in range(100):
        deep = say("no {one}", one=deep)
    assert catalogue({"no {one}": "kein {one}", "way": "Weg"}).render(deep) == "kein " * 100 + "Weg"


def test_one_and_several_have_templates_of_their_own() -> None:
    """So a language may have other plurals."""
    speaker = catalogue(
        {
            "1 model of {unit}": "ein Modell von {unit}",
            "{count} models of {unit}": "{count} Modelle von {unit}",
        }
    )
    assert [speaker.render(counted(number, "models of {unit}", unit="A")) for number in (1, 2)] == [
        "ein Modell von A",
        "2 Modelle von A",
    ]


def test_braces_of_a_translation_are_doubled() -> None:
    """As those of its key."""
    assert catalogue({"{{x}}": "{{y}}"}).render(word("{x}")) == "{y}"


@pytest.mark.parametrize(
    ("told", "is_one"),
    [
        ("{unit} rennt.", True),
        ("Es rennt.", True),
        ("{unit:dative} rennt.", True),
        ("{unit:genitive} rennt.", False),
        ("{other} rennt.", False),
        ("{unit!r} rennt.", False),
        ("{unit rennt.", False),
        ("{unit.__class__} rennt.", False),
        (3, False),
        (None, False),
    ],
)
def test_what_may_be_a_translation(told: object, is_one: bool) -> None:
    """A text that fills in nothing else, in forms that there are."""
    assert translates(told, "{unit} runs.", {"dative": {}}) is is_one


def test_readers_are_not_told_what_is_for_judges() -> None:
    """In any language; numbers have two decimals at most, but for one that would seem whole and is not."""
    said = say(
        "{gap:.4f} in are left of {most:.4f}{by}.",
        gap=0.12345,
        most=4.0039,
        by=for_judge(say(" by {rule}", rule="t9a.range")),
    )
    german = {
        "{gap} in are left of {most}{by}.": "Es bleiben {gap} von {most} Zoll{by}.",
        " by {rule}": " nach {rule}",
    }
    english = dict[str, str]()
    rendered = [
        Catalogue(words, {}, ",", audience=who).render(said)
        for words in (german, english)
        for who in ("reader", "judge")
    ]
    assert rendered[:2] == [
        "Es bleiben 0,12 von 4,0039 Zoll.",
        "Es bleiben 0,1235 von 4,0039 Zoll nach t9a.range.",
    ]
    assert [text.replace(",", ".") for text in rendered[2:]] == [
        "0.12 in are left of 4.0039.",
        "0.1235 in are left of 4.0039 by t9a.range.",
    ]


def test_numbers_that_are_filled_in_as_text_are_numbers() -> None:
    """They get the decimal mark; a name that looks like one stays."""
    speaker = catalogue({"{length} in": "{length} Zoll"})
    assert speaker.render(say("{length} in", length=Digits("0.5"))) == "0,5 Zoll"
    assert speaker.render(say("{length} in", length="0.5")) == "0.5 Zoll"
    for who in ("reader", "judge"):
        percents = Catalogue({"{chance} of all": "{chance} von allen"}, {}, ",", audience=who)
        assert [
            percents.render(say("{chance} of all", chance=Digits(one)))
            for one in ("33.33%", "<0.01%")
        ] == [
            "33,33% von allen",
            "<0,01% von allen",
        ]


def test_what_is_rendered_is_a_message_again() -> None:
    """Of what was filled in, so that it can be told whom it names."""
    told = catalogue({"{unit} moves.": "{unit} zieht."}).render(say("{unit} moves.", unit="A"))
    assert isinstance(told, Message)
    assert dict(told.values) == {"unit": "A"}
