"""Films as files: GIF to the byte, MP4 where ffmpeg is, clear errors else."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from plots import animate
from plots.export import animation
from plots.export.film import cues, film
from tabletop.errors import UsageError
from tests.plots import scenes

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import sys
from plots.export import animation
from tests.plots import scenes
animation.GIF_RATE, animation.GIF_DPI = 2.0, 30.0
for path in sys.argv[1:]:
    resolution = scenes.failed_resolution()
    animation.animate(scenes.case_of(resolution.before, resolution.rulings[0].charge, title="T"), resolution, path)
"""
RESOLUTION = scenes.failed_resolution()
CASE = scenes.case_of(RESOLUTION.before, RESOLUTION.rulings[0].charge, title="Out of range")


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make small films of few frames."""
    for name, value in {"GIF_RATE": 4.0, "GIF_DPI": 30.0, "MP4_RATE": 2.0, "MP4_DPI": 30.0}.items():
        monkeypatch.setattr(animation, name, value)


def test_a_gif_has_every_frame_for_its_time(tmp_path: Path) -> None:
    """It lasts as long as planned, has one palette, is played once, and says what it shows."""
    out = tmp_path / "a.gif"
    shares = list[float]()
    animate(CASE, RESOLUTION, out, told=shares.append)
    planned = cues(film(CASE, RESOLUTION), rate=4.0)
    with Image.open(out) as picture:
        lasting = []
        for number in range(picture.n_frames):  # type: ignore[attr-defined]
            picture.seek(number)
            lasting.append(picture.info["duration"])
        assert sum(lasting) == pytest.approx(
            1000 * sum(cue.seconds for cue in planned), abs=10 * len(planned)
        )
        assert lasting[0] == 2000
        assert lasting[-1] == 5000
        assert "loop" not in picture.info
        assert picture.convert("RGB").getpixel((0, 0)) == (255, 255, 255)
        assert b"Out of range" in picture.info["comment"]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert [file.name for file in tmp_path.iterdir()] == ["a.gif"]


def test_bytes_do_not_depend_on_the_process(tmp_path: Path) -> None:
    """Two processes with different hash seeds write the same GIF and the same page."""
    written = []
    for seed in ("1", "77"):
        folder = tmp_path / seed
        folder.mkdir()
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        names = [str(folder / "a.gif"), str(folder / "a.html")]
        subprocess.run(
            [sys.executable, "-c", PROGRAM, *names], check=True, env=environment, cwd=folder
        )
        written.append([Path(name).read_bytes() for name in names])
    assert written[0] == written[1]


def test_without_ffmpeg_the_other_formats_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MP4 is refused before anything is painted."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match=r"\bffmpeg\b.*\.gif .*\.html\b"):
        animate(CASE, RESOLUTION, tmp_path / "a.mp4")
    assert not list(tmp_path.iterdir())


def fake_ffmpeg(folder: Path, deed: str) -> str:
    """Create a program named ffmpeg on a path of its own."""
    program = folder / "bin" / "ffmpeg"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nimport sys\n{deed}\n")
    program.chmod(0o755)
    return str(program.parent)


def test_ffmpeg_is_given_every_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many pictures of the size that is announced as the film has seconds times the rate."""
    deed = (
        "data = sys.stdin.buffer.read(); open(sys.argv[-1], 'w').write(f'{len(data)} ' + "
        "sys.argv[sys.argv.index('-s') + 1])"
    )
    monkeypatch.setenv("PATH", fake_ffmpeg(tmp_path, deed))
    animate(CASE, RESOLUTION, tmp_path / "a.mp4")
    count, size = (tmp_path / "a.mp4").read_text().split()
    wide, high = (int(part) for part in size.split("x"))
    planned = cues(film(CASE, RESOLUTION), rate=2.0)
    assert int(count) == 3 * wide * high * sum(max(1, round(2.0 * cue.seconds)) for cue in planned)


@pytest.mark.parametrize(
    "deed",
    [
        "sys.exit('no encoder called libx264')",
        "sys.stdin.buffer.read(); sys.exit('no encoder called libx264')",
    ],
)
def test_what_ffmpeg_says_is_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deed: str
) -> None:
    """Where the encoder fails, at once or at the end, its last words are the error, and no file is left."""
    monkeypatch.setenv("PATH", fake_ffmpeg(tmp_path, deed))
    with pytest.raises(UsageError, match="no encoder called libx264"):
        animate(CASE, RESOLUTION, tmp_path / "a.mp4")
    assert not (tmp_path / "a.mp4").exists()


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="needs ffmpeg")
def test_an_mp4_can_be_written(tmp_path: Path) -> None:
    """A true encoder takes what it is given."""
    animate(CASE, RESOLUTION, tmp_path / "a.mp4")
    assert b"ftyp" in (tmp_path / "a.mp4").read_bytes()[:16]


def test_other_endings_are_refused(tmp_path: Path) -> None:
    """What cannot be written is said before anything is painted."""
    with pytest.raises(UsageError, match=r"a\.webm: .*\.gif, \.mp4 .*\.html\b"):
        animate(CASE, RESOLUTION, tmp_path / "a.webm")
