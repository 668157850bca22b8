"""Hostile and broken text: refused in bounded time, with the place."""

import json
import time
from contextlib import suppress

import pytest

from tabletop.errors import ScenarioError
from tabletop.scenario.limits import FILE_BYTES, NESTING
from tabletop.scenario.text import parsed


def _refusal(text: str | bytes) -> str:
    with pytest.raises(ScenarioError) as raised:
        parsed(text if isinstance(text, bytes) else text.encode())
    return str(raised.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 1\nb = \n", "line 2, column 5: not valid TOML: Invalid value"),
        ("a = 1\na = 2\n", "line 2, column 6: not valid TOML: Cannot overwrite a value; is a key or table given twice?"),
        ("[a]\n[a]\n", "given twice?"),
        ('{"a": 1,}', "line 1, column"),
        ('{"a": {"b": 1, "b": 2}}', "a.b: given twice in one table"),
        ('{"a": [1, {"b": NaN}]}', "a[1].b: expected a finite number, given nan"),
        ('{"a": 1e999}', "a: expected a finite number, given inf"),
        ("a = nan", "a: expected a finite number, given nan"),
        ("a = [1.0, -inf]", "a[1]: expected a finite number, given -inf"),
        (b"a = '\xff'", "expected UTF-8 text; byte 5 is not"),
        ("a = " + "9" * 5000, "not valid TOML"),
        ('{"a": ' + "9" * 5000 + "}", "not valid JSON"),
        ("a = '\0'", "not valid TOML"),
    ],
)
def test_broken_text_is_refused_with_its_place(text: str | bytes, expected: str) -> None:
    """Syntax, keys given twice, numbers that are not finite, and bytes that are not UTF-8 are told with the place."""
    assert expected in _refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 100_000,
        "a = " + "{a=" * 100_000,
        '{"a":' * 100_000,
        "[" + "a." * 100_000 + "a]",
        "a" + ".a" * 100_000 + " = 1",
        'a = """' + '"' * 3 + "[" * 100_000,
        "# '''\n" + "[" * 100_000,
    ],
)
def test_deep_nesting_is_refused_before_parsing(text: str) -> None:
    """Nesting of 100,000 levels, by brackets or by dotted keys, is refused at once."""
    assert "nested more than 32 deep" in _refusal(text)


def test_nesting_may_be_as_deep_as_the_limit() -> None:
    """Tables and lists inside each other are counted with the file itself: 32 are read, 33 are not."""
    lists = NESTING - 1
    assert parsed(("a = " + "[" * lists + "]" * lists).encode())
    assert parsed(('{"a": ' + "[" * lists + "]" * lists + "}").encode())
    assert "nested" in _refusal("a = " + "[" * NESTING + "]" * NESTING)
    assert "nested" in _refusal('{"a": ' + "[" * NESTING + "]" * NESTING + "}")
    assert "nested" in _refusal("[" + ".".join("a" * 20) + "]\n" + ".".join("b" * 20) + " = 1")


@pytest.mark.parametrize("text", ['a = "' + "[" * 99 + '"', "a = '" + "{" * 99 + "'", 'a = """\n' + "[\n" * 99 + '"""', "# " + "[" * 99])
def test_brackets_in_strings_and_comments_do_not_nest(text: str) -> None:
    """Only brackets that build something count."""
    assert isinstance(parsed(text.encode()), dict)


def test_a_file_may_be_as_large_as_the_limit() -> None:
    """A file of exactly 1 MiB is read, one byte more is not."""
    exact = b"# " + b"x" * (FILE_BYTES - 2)
    assert parsed(exact) == {}
    assert "larger than 1,048,576 bytes" in _refusal(exact + b"x")


@pytest.mark.parametrize(
    "text",
    [
        '"""\\' * 300_000,
        "a = '''" + "'" * 1_000_000,
        "[[a]]\n" * 150_000,
        '{"a":0,' + '"b":0,' * 150_000 + '"c":0}',
        '{"a":0,"a":0,' + ",".join(f'"{number}":0' for number in range(80_000)) + "}",
        "a = [" + "nan," * 250_000 + "]",
    ],
)
def test_a_megabyte_of_malice_takes_linear_time(text: str) -> None:
    """Nothing in a file makes reading four times as much of it take much more than four times as long."""
    whole = text.encode()[:FILE_BYTES]
    assert _cost(whole) <= 10 * _cost(whole[: len(whole) // 4]) + 0.1


def _cost(text: bytes) -> float:
    began = time.process_time()
    with suppress(ScenarioError):
        parsed(text)
    return time.process_time() - began


def test_json_and_toml_are_told_apart() -> None:
    """A file that starts with a brace is JSON, whatever its name; a name can demand JSON."""
    assert parsed(b'  {"a": 1}') == parsed(b"a = 1") == {"a": 1}
    assert parsed(json.dumps({"a": "ä"}).encode("utf-8-sig")) == {"a": "ä"}
    with pytest.raises(ScenarioError, match="expected a JSON object"):
        parsed(b"[]", is_json=True)
