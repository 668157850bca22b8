"""The bundled scenarios are what they say they are."""

from tabletop.registry import scenarios

NAMES = tuple(name for name, _ in scenarios("battletech"))


def test_there_are_enough() -> None:
    """Sixteen and more of them show the rules."""
    assert len(NAMES) >= 16
