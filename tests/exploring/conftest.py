"""Registers the drill beside the project's own systems."""

import pytest

from tabletop import registry


@pytest.fixture(autouse=True)
def _with_drill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "BUILT_IN", {**registry.BUILT_IN, "drill": "tests.drill:SYSTEM"})
