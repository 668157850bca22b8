"""Registers the drill beside the project's own systems, and writes its march."""

from pathlib import Path

import pytest

from tests.drill.files import march_json
from tests.drill.registered import with_drill  # noqa: F401 - a fixture


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Write the march with a face."""
    path = tmp_path / "march.json"
    path.write_text(march_json({"charges/0/dice": [3]}), encoding="utf-8")
    return path
