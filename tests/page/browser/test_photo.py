"""A photo of a table is set straight from four of its corners, and says how exact that is."""

import base64
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from tests.page.browser.hands import scenario, settled
from tests.page.browser.steps import expect

WIDTH = 72.0
DEPTH = 48.0
DOTS = 20
"""Pixels an inch of the table as it is drawn, before the camera sees it."""
SQUARE = (40.0, 20.0, 46.0, 26.0)
"""West, south, east and north of a dark square on the table, in inches."""
CORNERS = ((210, 890), (1350, 825), (1125, 190), (380, 150))
"""Where a camera sees the lower left corner of the table and then the others, counter-clockwise."""
SIZE = (1500, 1000)


def photographed(path: Path) -> Path:
    """Write a photo of a table with the square, taken from aslant."""
    table = Image.new("RGB", (int(WIDTH * DOTS), int(DEPTH * DOTS)), (90, 140, 90))
    west, south, east, north = SQUARE
    square = [west * DOTS, (DEPTH - north) * DOTS, east * DOTS - 1, (DEPTH - south) * DOTS - 1]
    ImageDraw.Draw(table).rectangle(square, fill=(0, 0, 0))
    drawn = ((0.0, DEPTH * DOTS), (WIDTH * DOTS, DEPTH * DOTS), (WIDTH * DOTS, 0.0), (0.0, 0.0))
    table.transform(
        SIZE,
        Image.Transform.PERSPECTIVE,
        _back(drawn),
        Image.Resampling.BICUBIC,
        fillcolor=(60, 50, 45),
    ).save(path, quality=95)
    return path


def _back(drawn: tuple[tuple[float, float], ...]) -> tuple[float, ...]:
    """Return the eight numbers that take a pixel of the photo to one of the drawing."""
    rows = []
    right = []
    for (x, y), (u, v) in zip(CORNERS, drawn, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    return tuple(np.linalg.solve(np.array(rows, float), np.array(right, float)).tolist())


def placed(page: Any, corners: tuple[tuple[int, int], ...]) -> None:
    """Click the four corners on the photo, in their order."""
    page.wait_for_selector("#corners[open] .corner")
    box = page.locator(".photo-sheet").bounding_box()
    assert box is not None
    for x, y in corners:
        page.mouse.click(
            box["x"] + x * box["width"] / SIZE[0], box["y"] + y * box["height"] / SIZE[1]
        )


def shown(page: Any) -> NDArray[np.int64]:
    """Return the picture behind the table, rows from the top."""
    script = """async () => {
        const image = new Image();
        image.src = document.querySelector("#layer-photo image").getAttribute("href");
        await image.decode();
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
        canvas.getContext("2d").drawImage(image, 0, 0);
        return canvas.toDataURL("image/png").split(",")[1];
    }"""
    page.wait_for_selector("#layer-photo image", state="attached")
    made = Image.open(io.BytesIO(base64.b64decode(page.evaluate(script)))).convert("RGBA")
    # nothing is seen where the photo does not reach
    paper = Image.new("RGBA", made.size, (255, 255, 255, 255))
    return np.asarray(Image.alpha_composite(paper, made).convert("L")).astype(np.int64)


def test_a_known_square_comes_out_square(page: Any, tmp_path: Path) -> None:
    """The edges of the square lie where they are, within the accuracy that is written into the file."""
    page.click("#tab-layers")
    page.set_input_files("#photo-file", photographed(tmp_path / "photo.jpg"))
    placed(page, CORNERS)
    page.click("#photo-straighten")
    rows, columns = np.nonzero(shown(page) < 40)
    assert page.locator("#layer-photo image").get_attribute("width") == "72"
    scale = shown(page).shape[1] / WIDTH
    edges = (
        columns.min() / scale,
        DEPTH - (rows.max() + 1) / scale,
        (columns.max() + 1) / scale,
        DEPTH - rows.min() / scale,
    )
    accuracy = scenario(page)["accuracy"]
    assert 0.0 < accuracy < 0.6
    assert edges == pytest.approx(SQUARE, abs=accuracy)


def test_the_photo_never_leaves_the_browser(page: Any, tmp_path: Path) -> None:
    """Nothing that is sent while it is set straight is as large as a photo."""
    sent: list[int] = []
    page.on("request", lambda request: sent.append(len(request.post_data_buffer or b"")))
    page.click("#tab-layers")
    page.set_input_files("#photo-file", photographed(tmp_path / "photo.jpg"))
    placed(page, CORNERS)
    page.click("#photo-straighten")
    shown(page)
    assert max(sent, default=0) < 5_000


def test_a_mat_of_another_size(page: Any, tmp_path: Path) -> None:
    """The same photo of a mat half as large, one foot into the board: its square is half as large, too."""
    page.click("#tab-layers")
    page.set_input_files("#photo-file", photographed(tmp_path / "photo.jpg"))
    placed(page, CORNERS)
    page.select_option("#corners-of", "mat")
    for key, value in {"width": 36, "depth": 24, "x": 12, "y": 6}.items():
        page.fill(f"#mat-{key}", str(value))
    page.uncheck("#keep-accuracy")
    page.click("#photo-straighten")
    rows, columns = np.nonzero(shown(page) < 40)
    scale = shown(page).shape[1] / WIDTH
    found = (
        columns.min() / scale,
        DEPTH - (rows.max() + 1) / scale,
        (columns.max() + 1) / scale,
        DEPTH - rows.min() / scale,
    )
    half = [edge / 2 + shift for edge, shift in zip(SQUARE, (12, 6, 12, 6), strict=True)]
    assert found == pytest.approx(half, abs=0.3)
    assert "accuracy" not in scenario(page)


def test_corners_by_keys_are_more_exact(page: Any, tmp_path: Path) -> None:
    """A corner moved by arrow keys is right to a pixel of the photo; corners that do not go round are told."""
    page.click("#tab-layers")
    page.set_input_files("#photo-file", photographed(tmp_path / "photo.jpg"))
    placed(page, CORNERS)
    before = page.text_content("#corners-told") or ""
    for handle in page.locator(".corner").all():
        handle.press("ArrowRight")
        handle.press("ArrowLeft")
    expect(page.locator("#corners-told")).to_contain_text("1.0 pixels")
    assert before != page.text_content("#corners-told")
    first = page.locator(".corner").nth(0)
    second = page.locator(".corner").nth(1)
    for handle, x in ((first, CORNERS[1][0]), (second, CORNERS[0][0])):
        box = handle.bounding_box()
        sheet = page.locator(".photo-sheet").bounding_box()
        assert box is not None
        assert sheet is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(sheet["x"] + x * sheet["width"] / SIZE[0], box["y"], steps=3)
        page.mouse.up()
    expect(page.locator("#corners-told")).to_contain_text(re.compile(r"\b1 .*\b2 .*\b3 .*\b4 "))
    expect(page.locator("#photo-straighten")).to_be_disabled()


def test_a_photo_of_fifty_megapixels_is_scaled_down(page: Any, tmp_path: Path) -> None:
    """It is told, and used."""
    path = tmp_path / "large.jpg"
    Image.new("RGB", (8660, 5774), (80, 120, 80)).save(path, quality=30)
    page.click("#tab-layers")
    page.set_input_files("#photo-file", path)
    expect(page.locator("#corners")).to_contain_text(
        re.compile(r"large\.jpg .*\b50 .*\b4000 x 2667\b")
    )


@pytest.mark.parametrize(
    ("name", "size", "told"),
    [
        ("vast.png", (16_000, 8_000), r"vast\.png .*\b100\b"),
        ("dot.png", (20, 20), r"dot\.png .*\b20 x 20\b"),
    ],
)
def test_a_photo_that_cannot_be_used_has_its_sentence(
    page: Any, tmp_path: Path, name: str, size: tuple[int, int], told: str
) -> None:
    """One too large to hold, one too small to see anything, and the table stays."""
    Image.new("L", size).save(tmp_path / name)
    page.click("#tab-layers")
    page.set_input_files("#photo-file", tmp_path / name)
    expect(page.locator("#photo-fault")).to_contain_text(re.compile(told))
    expect(page.locator("#layer-photo image")).to_have_count(0)


def test_a_file_that_is_no_photo_has_its_sentence(page: Any, tmp_path: Path) -> None:
    """A text that is called a picture."""
    path = tmp_path / "text.jpg"
    path.write_text("no picture")
    page.click("#tab-layers")
    page.set_input_files("#photo-file", path)
    expect(page.locator("#photo-fault")).to_contain_text(re.compile(r"text\.jpg .*\bJPEG\b"))


def test_a_photo_is_seen_through_hexes_and_behind_its_own_board_alone(
    page: Any, tmp_path: Path
) -> None:
    """Of the hexes only their lines stay; another board has no photo until it is laid there, and back on its own it is
    there again.
    """
    page.click('#games [data-system="battletech"]')
    settled(page)
    page.click("#tab-layers")
    page.set_input_files("#photo-file", photographed(tmp_path / "table.jpg"))
    placed(page, CORNERS)
    page.click("#photo-straighten")
    expect(page.locator("#table")).to_have_class("has-photo")
    fill = "getComputedStyle(document.querySelector('#layer-terrain .rest [data-mark$=\\'.board\\'] .c')).fill"
    assert page.evaluate(fill) == "none"
    page.click('#games [data-system="t9a"]')
    settled(page)
    expect(page.locator("#photo-told")).to_contain_text(re.compile(r"table\.jpg .*\bboard\b"))
    assert not page.locator("#layer-photo image").is_visible()
    page.click('[aria-label="Undo"]')
    settled(page)
    assert page.locator("#layer-photo image").is_visible()
    page.locator("#photo-clear").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "photo-choose"
