"""Messages: key paths, near misses and untrusted text."""

import pytest

from tabletop.messages import nearest, quoted
from tabletop.words import key_path, printable, shown


@pytest.mark.parametrize(
    ("parts", "path"),
    [([], ""), (["a"], "a"), ([0], "[0]"), (["a", 0, 1, "b"], "a[0][1].b"), (["a.b"], "'a.b'"), (["ä"], "'ä'"), ([""], "''")],
)
def test_key_paths_quote_what_toml_quotes(parts: list[str | int], path: str) -> None:
    """Bare keys stay bare, every other key is quoted."""
    assert key_path(parts) == path


@pytest.mark.parametrize(
    ("word", "suggestion"),
    [("fles", "files"), ("FILES", "files"), ("side_", "side"), ("zzz", ""), ("", ""), ("f" * 10**6, "")],
)
def test_the_nearest_word_is_suggested(word: str, suggestion: str) -> None:
    """A near miss is suggested, in any case of letters; a far one, however long, is not."""
    assert nearest(word, ["files", "side"]) == (f"; did you mean '{suggestion}'?" if suggestion else "")


def test_long_values_are_cut() -> None:
    """A value of any size fits in a message."""
    assert len(shown("x" * 10**6)) == 60
    assert shown(10**5000) == "a number too long to print"
    assert quoted(map(str, range(99))).endswith("'29', ...")


def test_text_is_made_printable() -> None:
    """Control characters and lone surrogates are escaped, letters of any language stay."""
    assert printable("a\x1b\x9b\ud800Ж\n") == "a\\x1b\\x9b\\ud800Ж\n"
