"""The wheel holds the three packages and nothing else, and works outside the checkout."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("tabletop", "systems", "plots")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--disable-pip-version-check",
        "-w",
        str(folder),
        str(ROOT),
    ]
    subprocess.run(command, check=True, timeout=300)
    (built,) = folder.glob("*.whl")
    return built


def _sources() -> set[str]:
    modules = [file for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    data = [
        *(ROOT / "systems").glob("*/scenarios/*.toml"),
        *(ROOT / "tabletop" / "language").glob("*.toml"),
        *(ROOT / "plots/fonts").iterdir(),
        *(ROOT / "plots/painter").iterdir(),
        ROOT / "tabletop/py.typed",
        *(ROOT / "tabletop/page/static").iterdir(),
    ]
    return {file.relative_to(ROOT).as_posix() for file in [*modules, *data]}


def test_the_wheel_holds_the_packages_and_the_scenarios(wheel: Path) -> None:
    """Every module, scenario catalogue of words and font and the typing marker are in the wheel, and nothing else but
    its own metadata.
    """
    names = set(zipfile.ZipFile(wheel).namelist())
    metadata = {name for name in names if ".dist-info/" in name}
    assert names - metadata == _sources()
    assert any(name.endswith("licenses/LICENSE") for name in metadata)
    assert any(name.endswith("licenses/plots/fonts/LICENSE.txt") for name in metadata), (
        "of the typeface"
    )
    assert any(name.endswith("licenses/plots/fonts/LICENSE_DEJAVU.txt") for name in metadata), (
        "of its signs"
    )


def test_the_wheel_works_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """Unpacked elsewhere, the program lists its scenarios and resolves one."""
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import tabletop; assert "
        f"tabletop.__file__.startswith({str(tmp_path)!r}); "
    )
    code += (
        "from tabletop.cli import main; sys.exit(main(['scenarios']) or main(['resolve', "
        "'t9a/align-corner', '--json']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "t9a/align-corner" in done.stdout
