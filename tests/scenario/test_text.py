"""Hostile and broken text: refused in bounded time, with the place."""

import json
import time
from contextlib import suppress

import pytest

from tabletop.errors import ScenarioError
from tabletop.scenario.limits import FILE_BYTES, NESTING
from tabletop.scenario.parsing import parsed


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
        (b"\na = '\xff'", "expected UTF-8 text; byte 6 is not (0xff, on line 2): save the file as UTF-8"),
        ("a = " + "9" * 5000, "not valid TOML"),
        ('{"a": ' + "9" * 5000 + "}", "not valid JSON"),
        ("a = '\0'", "not valid TOML"),
    ],
)
def test_broken_text_is_refused_with_its_place(text: str | bytes, expected: str) -> None:
    """Syntax, keys given twice, numbers that are not finite, and bytes that are not UTF-8 are told with the place."""
    assert expected in _refusal(text)


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ('b = 1\nside = "blue\n', "line 2, column 13: not valid TOML: Illegal character '\\n'; is a quote missing on this line?"),
        ('side = blue"\n', "; is a quote missing on this line?"),
        ('{"side": "blue}', "; is a quote missing on this line?"),
        ("side = blue # ours\n", "; text stands in quotes: 'blue'"),
        ('{"side": blue}', "; text stands in quotes: 'blue'"),
        ('status = ["tired", keen]\n', "; text stands in quotes: 'keen'"),
        ("side = \N{LEFT DOUBLE QUOTATION MARK}blue\N{RIGHT DOUBLE QUOTATION MARK}\n", '; text stands in plain quotes: "'),
        ("reroll = True\n", "; write true, in small letters"),
        ("hex = 0507\n", '; hex numbers stand in quotes: "0507"'),
        ("width = 72,0\n", "; decimals have a point, not a comma: 10.5"),
        ("board = { width = 72,0 }\n", "; decimals have a point, not a comma: 10.5"),
        ('{"width": 72,0}', "; decimals have a point, not a comma: 10.5"),
        ('{"board": {"width": 72,5, "depth": 48}}', "; decimals have a point, not a comma: 10.5"),
        ("[charges]\na = 1\n[charges]\na = 2\n", "Cannot declare charges twice; each begins with [[charges]], in double brackets"),
        ("[units.A]\n[units.A]\n", "Cannot declare units.A twice; is a key or table given twice?"),
        ("width = .5\n", "not valid TOML: Invalid value"),
        ('note = """\n', "end of document: not valid TOML: Unterminated string"),
        ("a = 1 " + "," * 2000 + "\n", "after a statement"),
    ],
)
def test_frequent_slips_are_told_with_their_remedy(text: str, remedy: str) -> None:
    """Quotes left out, commas for points, single brackets for double ones: the message says what to write; else it says no more."""
    assert _refusal(text).endswith(remedy)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
def test_other_encodings_are_told_with_their_remedy(encoding: str) -> None:
    """A file that an editor saved as UTF-16 is told from one that is damaged."""
    assert _refusal("a = 1\n".encode(encoding)) == "expected UTF-8 text, this is UTF-16 or UTF-32: save the file as UTF-8"


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


@pytest.mark.parametrize(("text", "form"), [('system = "t9a"\nx = {}', "TOML"), ('{{"system": "t9a",\n"x": {}}}', "JSON")])
def test_a_number_without_end_is_told_with_its_line(text: str, form: str) -> None:
    """In words of the file, not of the machine that reads it."""
    with pytest.raises(ScenarioError) as refused:
        parsed(text.format("9" * 5000).encode())
    assert str(refused.value) == f"line 2: not valid {form}: a whole number has thousands of digits; give it in a few"


def test_json_and_toml_are_told_apart() -> None:
    """A file that starts with a brace is JSON, whatever its name; a name can demand JSON."""
    assert parsed(b'  {"a": 1}') == parsed(b"a = 1") == {"a": 1}
    assert parsed(json.dumps({"a": "ä"}).encode("utf-8-sig")) == {"a": "ä"}
    with pytest.raises(ScenarioError, match="expected a JSON object"):
        parsed(b"[]", is_json=True)
