"""Animations as files: GIF with one palette, MP4 by ffmpeg, or an HTML page that plays the steps.

Files are written completely or not at all.
"""

import io
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from plots.export.film import Cue, Film, Pixels, cues, film, frames, page_of, still
from plots.export.player import player
from plots.layout.backend import as_shipped
from plots.layout.setting import DEFAULT, Setting, speaks
from plots.render.files import write_beside
from tabletop.errors import UsageError
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution

GIF_RATE = 12.5
GIF_DPI = 110.0

MP4_RATE, MP4_DPI = 25.0, 160.0
"""Frames per second during motion, and pixels per inch of the page."""

COLOURS, TRUE, SAMPLED = 255, 63, 16
"""Number of colours in a GIF; how many of them are the most frequent ones, kept exactly so that paper stays white;
number of frames they are chosen from."""

LIKE_COLOUR = 6
"""Difference per colour channel below which a rarer colour is replaced by a more frequent one."""

Told = Callable[[float], None]
"""Callback for progress, called with the share of work done, from 0 to 1."""


@as_shipped()
@speaks
def animate(
    case: Case,
    resolution: Resolution,
    path: str | Path,
    *,
    judgement: Judgement | None = None,
    setting: Setting = DEFAULT,
    told: Told = lambda _: None,
) -> None:
    """Animate the charges of a case and write them as GIF, MP4 or HTML, by the file's suffix.

    Each group of steps takes three seconds, less if there are more than twenty; the set-up is held at the start, the
    outcome at the end. Units move as each step describes: about a pivot, along a path, or facing by facing. The film
    stays on its last frame.

    Parameters
    ----------
    case, resolution, judgement, setting
        As for `plots.draw`.
    path
        File to write, completely or not at all.
    told
        Function called with the share of the work done, from 0 to 1.

    Raises
    ------
    UsageError
        If the suffix is none of the three, there are no charges, a panel or sheets are requested, ffmpeg is needed but
        missing, or the file cannot be written.
    """
    path = Path(path)
    write = {".gif": _gif, ".mp4": _mp4, ".html": _html}.get(path.suffix.lower())
    if write is None:
        raise UsageError(
            "{path}: moving pictures can only be written as .gif, .mp4 or .html", path=path
        )
    if setting.panel is not None or setting.paper is not None:
        raise UsageError("moving pictures show every step: --panel and --sheet are for still ones")
    if not resolution.rulings:
        raise UsageError(
            "{path}: nobody charges, so nothing moves; a still picture shows the table", path=path
        )
    if path.suffix.lower() == ".mp4":
        _ffmpeg()
    plain = replace(setting, size=replace(setting.size, zoom=1.0)) if write is _html else setting
    write_beside(path, write(film(case, resolution, judgement=judgement, setting=plain), told))


def _html(made: Film, told: Told) -> bytes:
    return player(made, told=told).encode()


def _gif(made: Film, told: Told) -> bytes:
    """Return a film as the bytes of a GIF with one palette and a duration per frame, not looped, so that the last frame
    stays.
    """
    planned = cues(made, rate=GIF_RATE)
    palette = _palette(made)
    pictures = (
        Image.fromarray(pixels).quantize(palette=palette, dither=Image.Dither.NONE)
        for pixels in _shown(made, planned, GIF_DPI, told)
    )
    buffer = io.BytesIO()
    durations = [10 * round(100 * cue.seconds) for cue in planned]
    first = next(pictures)
    words = f"{made.title}\n{made.description}".encode()
    first.save(
        buffer,
        format="gif",
        save_all=True,
        append_images=pictures,
        duration=durations,
        disposal=1,
        optimize=False,
        comment=words,
    )
    return buffer.getvalue()


def _palette(made: Film) -> Image.Image:
    """Return the palette of all frames as an image of mode P, chosen from still frames."""
    places = sorted({round(place) for place in np.linspace(0, len(made.shots) - 1, SAMPLED)})
    whole = Image.fromarray(
        np.concatenate([still(page_of(made, place), dpi=GIF_DPI / 2) for place in places])
    )
    counted: Any = whole.getcolors(whole.width * whole.height)
    true = [colour for _, colour in sorted(counted, reverse=True)[:TRUE]]
    others = (whole.quantize(COLOURS - TRUE, method=Image.Quantize.MEDIANCUT).getpalette() or [])[
        : 3 * (COLOURS - TRUE)
    ]
    kept: list[tuple[int, ...]] = []
    for colour in (*true, *zip(*[iter(others)] * 3, strict=True)):
        if all(
            max(abs(one - other) for one, other in zip(colour, chosen, strict=True)) > LIKE_COLOUR
            for chosen in kept
        ):
            kept.append(colour)
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in kept for part in colour])
    return palette


def _mp4(made: Film, told: Told) -> bytes:
    """Return a film as the bytes of an MP4, encoded by ffmpeg; still frames are repeated for their duration."""
    planned = cues(made, rate=MP4_RATE)
    shown = _shown(made, planned, MP4_DPI, told)
    first = next(shown)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "film.mp4")
        encoder: Any = subprocess.Popen(  # noqa: S603 - its own list
            _command(first, out, made.title),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        try:
            for pixels, cue in zip(chain([first], shown), planned, strict=True):
                for _ in range(max(1, round(cue.seconds * MP4_RATE))):
                    encoder.stdin.write(pixels.tobytes())
        except BrokenPipeError:
            pass  # ffmpeg reports why it stopped
        except BaseException:
            encoder.kill()
            raise
        finally:
            _, said = encoder.communicate()
        if encoder.returncode or not out.exists():
            lines = said.decode(errors="replace").strip().splitlines() or [
                f"exit code {encoder.returncode}"
            ]
            raise UsageError(
                "ffmpeg could not write the film: {reason}; .gif and .html need no ffmpeg",
                reason=lines[-1],
            )
        return out.read_bytes()


def _ffmpeg() -> str:
    found = shutil.which("ffmpeg")
    if found is None:
        raise UsageError(
            "a film as .mp4 needs ffmpeg on the path, which is not there; .gif and .html need nothing more"
        )
    return found


def _command(first: Pixels, out: Path, title: str) -> list[str]:
    high, wide, _ = first.shape
    size = f"{wide}x{high}"
    rate = f"{MP4_RATE:g}"
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", rate, "-i", "-"]
    even = ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white"]
    coded = [
        "-an",
        "-c:v",
        "libx264",
        "-preset",
        "medium",
        "-crf",
        "20",
        "-pix_fmt",
        "yuv420p",
        "-threads",
        "1",
    ]
    words = [
        "-metadata",
        f"title={title}",
        "-fflags",
        "+bitexact",
        "-flags:v",
        "+bitexact",
        "-movflags",
        "+faststart",
    ]
    return [
        _ffmpeg(),
        "-nostdin",
        "-hide_banner",
        "-loglevel",
        "error",
        "-y",
        *source,
        *even,
        *coded,
        *words,
        os.fspath(out),
    ]


def _shown(made: Film, planned: Sequence[Cue], dpi: float, told: Told) -> Iterator[Pixels]:
    for number, pixels in enumerate(frames(made, planned, dpi=dpi), start=1):
        told(number / len(planned))
        yield pixels
