"""A fixture that registers the drill, for each `conftest.py` that asks for it."""

import pytest

from tabletop import registry


@pytest.fixture(autouse=True)
def with_drill(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the drill beside the project's own systems."""
    monkeypatch.setattr(registry, "BUILT_IN", {**registry.BUILT_IN, "drill": "tests.drill:SYSTEM"})
