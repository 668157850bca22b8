"""Text on the page: measured, broken, cleaned."""

import pytest

from plots.layout import text


def test_width_grows_with_size_and_letters() -> None:
    """Twice the size is twice as wide; more letters are wider; nothing is nothing."""
    assert text.width("Charge", 16.0) == pytest.approx(2 * text.width("Charge", 8.0))
    assert text.width("Charges", 8.0) > text.width("Charge", 8.0) > text.width("", 8.0) == 0.0


@pytest.mark.parametrize("words", ["a b c", "Royal Guard of the Ancient Forest", "W" * 200, "ab " * 80, "Ünïcödé $x^2$ <b>"])
@pytest.mark.parametrize("limit", [0.4, 1.35, 6.8])
def test_no_line_is_wider_than_asked(words: str, limit: float) -> None:
    """Lines fit, words too long are broken, and no letter is lost."""
    lines = text.wrapped(words, limit, 8.0)
    assert max(text.width(line, 8.0) for line in lines) <= limit + 1e-9
    assert "".join(lines).replace(" ", "") == words.replace(" ", "")


@pytest.mark.parametrize("limit", [1.0, 1.2, 1.45, 1.8, 2.2])
def test_no_short_word_stands_alone_at_the_end(limit: float) -> None:
    """The last line of a sentence is long, or has company; all lines fit and no word is lost."""
    for words in ("A goes 6.84 in straight ahead until it touches B.", "A Charge Distance of 9 in reaches B at 8.25 in.", "It is to hit."):
        lines = text.wrapped(words, limit, 8.0)
        assert " " in lines[-1] or text.width(lines[-1], 8.0) > 0.3 * limit
        assert max(text.width(line, 8.0) for line in lines) <= limit + 1e-9
        assert " ".join(lines) == words


def test_too_many_lines_end_in_an_ellipsis() -> None:
    """What does not fit into the lines allowed is said to be missing."""
    lines = text.wrapped("one two three four five six seven", 0.5, 8.0, most=2)
    assert len(lines) == 2
    assert lines[-1].endswith("…")


@pytest.mark.parametrize(
    ("given", "cleaned"), [("a\nb\t c", "a b c"), ("\x00x\x1b[31m", "x [31m"), ("3\N{NO-BREAK SPACE}in", "3\N{NO-BREAK SPACE}in"), ("", "")]
)
def test_clean_text_is_one_printable_line(given: str, cleaned: str) -> None:
    """Line ends and control characters, which XML forbids, become spaces."""
    assert text.clean(given) == cleaned


def test_nothing_has_no_lines() -> None:
    """An empty text takes no line and no height."""
    assert text.wrapped("", 2.0, 8.0) == ()
    assert text.height(0, 8.0) == 0.0
