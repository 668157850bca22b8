"""What a shell completes: names of bundled scenarios and of systems, and files that may hold a scenario."""

import os

SCENARIOS = (".toml", ".json", ".svg", ".png", ".webp")
"""Endings of files that may hold a scenario."""


def questions(incomplete: str) -> list[str]:
    """Complete what may be asked: bundled scenarios by name, then files and folders of this machine."""
    from tabletop.registry import names, scenarios

    meant = [system for system in names() if f"{system}/".startswith(incomplete) or incomplete.startswith(f"{system}/")]
    bundled = [scenario for system in meant for scenario, _ in scenarios(system)]
    return [*(name for name in bundled if name.startswith(incomplete)), *_files(incomplete)]


def systems(incomplete: str) -> list[str]:
    """Complete the names of systems."""
    from tabletop.registry import names

    return [name for name in names() if name.startswith(incomplete)]


def _files(incomplete: str) -> list[str]:
    folder, _, begun = incomplete.rpartition("/")
    inside = f"{folder}/" if "/" in incomplete else ""
    try:
        with os.scandir(inside or ".") as entries:
            found = sorted((entry.name, entry.is_dir()) for entry in entries if entry.name.startswith(begun))
    except (OSError, ValueError):
        return []
    seen = [(name, is_folder) for name, is_folder in found if begun or not name.startswith(".")]
    return [f"{inside}{name}{'/' * is_folder}" for name, is_folder in seen if is_folder or name.endswith(SCENARIOS)]
