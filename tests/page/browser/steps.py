"""What users do around the table, in one call each, and what the page knows then."""

import json
from pathlib import Path
from typing import Any

import pytest

from tabletop.scenario.reading import read_scenario
from tabletop.scenario.writing import content
from tests.page.browser.conftest import PATIENCE

expect: Any = pytest.importorskip(
    "playwright.sync_api", reason="flows in the browser need Playwright: pip install playwright"
).expect
"""Waits for what the page shows, as long as everything else does: the machine may be busy."""
expect.set_options(timeout=PATIENCE)

LONG = 120_000
"""Milliseconds that a figure may take on a busy machine."""


def editing(page: Any, label: str) -> None:
    """Open the form of something, by the words under which it is listed."""
    page.click("#tab-edit")
    page.select_option("#form-subject", label=label)


def field(key: str) -> str:
    """Return the selector of what is put in at a key."""
    return f'#forms [data-key="{key}"] :is(input, select, textarea)'


def fault(key: str) -> str:
    """Return the selector of the sentence at the field of a key."""
    return f'#forms .field[data-key="{key}"] > .fault:not([hidden])'


def saved(page: Any, selector: str, path: Path) -> Path:
    """Press what saves a file, and keep that file."""
    with page.expect_download(timeout=LONG) as download:
        page.click(selector)
    download.value.save_as(path)
    return path


def canonical(tables: dict[str, Any]) -> dict[str, Any]:
    """Return a scenario as the command line writes it: one that means the same is equal to it."""
    return content(read_scenario(json.dumps(tables, indent=1)))
