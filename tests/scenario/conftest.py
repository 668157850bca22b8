"""Registers the drill beside the project's own systems."""

from tests.drill.registered import with_drill  # noqa: F401 - a fixture
