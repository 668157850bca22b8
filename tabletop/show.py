"""Representations of cases, answers and surveys for notebooks and documents: drawings, HTML, dicts, data frames.

The package `plots`, which draws figures, is imported only when one is needed.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from tabletop.distribution import install_line
from tabletop.errors import UsageError
from tabletop.figure_options import FigureOptions
from tabletop.ruling.presented import ImageRepr

if TYPE_CHECKING:
    import pandas as pd

    from plots import Setting
    from tabletop.api import CaseLike
    from tabletop.ruling.finding import Finding
    from tabletop.ruling.odds import ChargeOdds
    from tabletop.ruling.system import Case
    from tabletop.ruling.verdict import Judgement, Resolution

View = Literal["charge", "steps", "board"]

Kind = Literal["svg", "pdf", "png", "webp", "pgf", "gif", "mp4", "html"]

MOVING = (".gif", ".mp4", ".html")

_FINDING = ("rule", "ok", "measured", "limit", "margin", "text")
"""Columns of a data frame of findings."""

SCREEN_DPI = 96
"""Pixels of a screen per inch of a figure."""


@dataclass(frozen=True, repr=False)
class Drawing(ImageRepr):
    """A figure of a case to scale, drawn when a notebook displays it or `save` writes it.

    Attributes
    ----------
    case, resolution, judgement
        The case, how its charges were resolved, and the judgement on the places that it claims; None if it claims none.
    view
        "charge": before and after; "steps": a panel for each step; "board": the set-up alone.
    setting
        Theme, size, language and other options of the figure; None: the defaults.
    """

    case: "Case"
    resolution: "Resolution"
    judgement: "Judgement | None" = None
    view: View = "charge"
    setting: "Setting | None" = None

    @property
    def alt(self) -> str:
        """Text alternative: a description of the figure in words, in its language."""
        own = self._set()
        from plots.layout import text
        from plots.marks import alt_text
        from tabletop.language.language import speaking

        with speaking(own.language):
            words = alt_text.description(
                self.case, self.resolution, self.judgement, theme=own.theme
            )
        return text.clean(words)

    @property
    def caption(self) -> tuple[str, ...]:
        """Caption of the figure in its language, by paragraphs: what happened, the deciding rules with their margins,
        the case's note.
        """
        from plots.marks.captions import caption
        from tabletop.language.language import speaking
        from tabletop.language.spoken import in_language

        language = self._set().language
        told = in_language(language, self.case, self.resolution, self.judgement, "reader")
        with speaking(language):
            return caption(self.case, *told)

    def save(self, path: str | Path) -> None:
        """Write the figure to a file, in the format of its suffix: .svg, .pdf, .png, .webp, .pgf, or animated .gif,
        .mp4, .html.

        Raises
        ------
        UsageError
            If the suffix is unknown, an animation is asked of another view than "charge", or the file cannot be
            written.
        """
        import plots

        if Path(path).suffix.lower() not in MOVING:
            plots.draw(
                self.case,
                self.resolution,
                path,
                view=self.view,
                judgement=self.judgement,
                setting=self._set(),
            )
        elif self.view == "charge":
            plots.animate(
                self.case, self.resolution, path, judgement=self.judgement, setting=self._set()
            )
        else:
            message = 'an animation shows every step: leave the view at "charge" instead of {view}'
            raise UsageError(message, view=repr(self.view))

    def data(self, kind: Kind = "svg") -> bytes:
        """Return the content of a file of the figure in the given format, as bytes."""
        return written(self.save, kind)

    def _set(self) -> "Setting":
        import plots

        return self.setting or plots.Setting()

    def __repr__(self) -> str:
        return f"<Drawing of {self.case.title or 'a charge'}: {self.view}>"


def draw(  # noqa: PLR0913 - an option each
    asked: "CaseLike | Resolution",
    path: str | Path | None = None,
    *,
    view: View = "charge",
    theme: str | None = None,
    size: str | None = None,
    width: str | None = None,
    scale: str | None = None,
    language: str | None = None,
    audience: str | None = None,
    panel: str | None = None,
    bare: bool = False,
    text: str | None = None,
    dpi: int | None = None,
    sheet: str | None = None,
) -> Drawing:
    """Draw a scenario to scale, and write the figure if a path is given.

    Parameters
    ----------
    asked
        A case, any other way to give a scenario (`CaseLike`), or its resolution, which saves resolving it again.
    path
        File to write: .svg, .pdf, .png, .webp or .pgf, or animated .gif, .mp4 or .html. By default nothing is written.
    view
        "charge": before and after; "steps": a numbered panel for each step; "board": the set-up alone.
    theme, size, width, scale, language, audience, panel, bare, text, dpi, sheet
        As the options of `tabletop draw`, such as "dark" or "180x160mm", with the same defaults; `audience` is its
        `--for`.

    Returns
    -------
    Drawing
        The figure, which notebooks display and `Drawing.save` writes.

    Raises
    ------
    ScenarioError
        If a file cannot be used.
    UsageError
        If an option is invalid, or the file cannot be written.

    Examples
    --------
    >>> draw("t9a/wheel-and-align").caption[0]
    'A charges the front of B: 6 models of B and 5 models of A in contact.'
    """
    import plots
    from plots.layout.setting import refuse_other_views

    refuse_other_views(view)
    options = FigureOptions(
        theme=theme,
        size=size,
        width=width,
        scale=scale,
        language=language,
        audience=audience,
        panel=panel,
        bare=bare,
        text=text,
        dpi=dpi,
        sheet=sheet,
    )
    drawing = replace(_drawing(asked, view), setting=plots.setting(options))
    if path is not None:
        drawing.save(path)
    return drawing


def _drawing(asked: "CaseLike | Resolution", view: View) -> Drawing:
    """Return the drawing of a case or of a resolution; a case is resolved and judged, unless only its set-up is viewed.

    Raises
    ------
    UsageError
        If a resolution does not know its case.
    """
    from tabletop import api
    from tabletop.ruling.system import Case
    from tabletop.ruling.verdict import Resolution

    if not isinstance(asked, Resolution):
        case = api.as_case(asked)
        answer = api.unresolved(case) if view == "board" else api.answer(case)
        return Drawing(*answer, view)
    if not isinstance(asked.case, Case):
        raise UsageError(
            "this resolution was not made by tabletop.resolve, so its table is not known; pass the case instead"
        )
    judgement = (
        None if asked.case.proposal is None or view == "board" else api.judge(asked.case, asked)
    )
    return Drawing(asked.case, asked, judgement, view)


def picture_of(value: Any, kind: Kind) -> bytes | None:
    """Return the figure of a drawing, case, answer or survey as the content of a file in the given format; None if it
    has none.
    """
    save = _saver(value)
    try:
        return None if save is None else written(save, kind)
    except UsageError:
        return None


def _saver(value: Any) -> Callable[[Path], None] | None:
    from tabletop.ruling.odds import Odds
    from tabletop.ruling.system import Case
    from tabletop.ruling.verdict import Resolution

    if isinstance(value, Drawing):
        return value.save
    if isinstance(value, Case):
        return _drawing(value, "board").save
    case: Case | None = value.case
    if case is None:
        return None
    if isinstance(value, Resolution):
        return Drawing(case, value).save
    import plots

    if isinstance(value, Odds):
        return lambda path: plots.draw_odds(case, value, path)
    return lambda path: plots.draw_map(case, value, path, question=value.question)


def written(save: Callable[[Path], None], kind: Kind) -> bytes:
    """Return the content of the file that `save` writes when it is given a path with the suffix of this format, as
    bytes.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"figure.{kind}")
        save(path)
        return path.read_bytes()


def screen_size(png: bytes) -> dict[str, int]:
    """Return the width and height in pixels at which a page should display a PNG image of the default resolution."""
    from plots.layout.setting import DEFAULT

    width, height = (int.from_bytes(png[start : start + 4], "big") for start in (16, 20))
    return {
        "width": round(width * SCREEN_DPI / DEFAULT.dpi),
        "height": round(height * SCREEN_DPI / DEFAULT.dpi),
    }


def html_of(value: Any) -> str:
    """Return a ruling or judgement as HTML: a paragraph with the verdict and its summary, and a table of findings."""
    charge = getattr(value, "charge", None)
    about = (
        "The proposal"
        if charge is None
        else f"{charge.charger} charges {', '.join(charge.targets)}"
    )
    decided = f", {value.rule}" if value.rule else ""
    head = (
        f"<p><strong>{escape(about)}: {escape(value.outcome.replace('_', ' '))}{escape(decided)}.</strong> "
        f"{escape(value.summary)}</p>"
    )
    rows = "".join(_row("td", _cells(finding)) for finding in value.findings)
    headings = _row("th", ("rule", "", "measured", "limit", "margin", "finding"))
    return head + (f"<table><thead>{headings}</thead><tbody>{rows}</tbody></table>" if rows else "")


def _cells(finding: "Finding") -> Sequence[str]:
    numbers = (
        "" if number is None else f"{number:.6g}"
        for number in (finding.measured, finding.limit, finding.margin)
    )
    return (finding.rule, "ok" if finding.ok else "broken", *numbers, finding.text)


def _row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"


def dict_of(value: Any) -> dict[str, Any]:
    """Return an answer, that to a single charge, or a survey as a dict of plain values, as `--json` prints it.

    Raises
    ------
    UsageError
        If the answer does not know the case that was asked.
    """
    from tabletop.ruling.odds import ChargeOdds, Odds
    from tabletop.ruling.system import Case
    from tabletop.ruling.verdict import Judgement, Resolution, Ruling
    from tabletop.scenario import results
    from tabletop.scenario.writing import tidy

    if isinstance(value, Odds):
        return results.odds_result(value)
    if isinstance(value, ChargeOdds):
        return results.charge_odds_entry(value)
    if not isinstance(value, Resolution | Judgement | Ruling):
        return {
            part: {name: _plain(values) for name, values in vars(value)[part].items()}
            for part in ("axes", "values")
        }
    if not isinstance(value.case, Case):
        raise UsageError(
            "this answer was not made by tabletop.resolve or tabletop.judge, so its table is not known; make it "
            "with one of them"
        )
    if isinstance(value, Resolution):
        return results.result(value.case, value)
    entry = (
        results.ruling_entry(value, value.case)
        if isinstance(value, Ruling)
        else results.judged_entry(value, value.case)
    )
    tables: dict[str, Any] = tidy(entry)
    return tables


def frame_of(value: Any) -> "pd.DataFrame":
    """Return a data frame with a row for each finding of an answer or a ruling, each total of odds, or each case of a
    survey.

    Raises
    ------
    UsageError
        If pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        raise UsageError(
            "a data frame needs pandas: {command}", command=install_line("explore")
        ) from None
    from tabletop.ruling.odds import ChargeOdds, Odds
    from tabletop.ruling.verdict import Judgement, Resolution, Ruling

    if isinstance(value, Odds | ChargeOdds):
        charges = value.charges if isinstance(value, Odds) else (value,)
        return pd.DataFrame(
            [row for number, one in enumerate(charges) for row in _totals(number, one)]
        )
    if isinstance(value, Judgement | Ruling):
        return pd.DataFrame(map(vars, value.findings), columns=_FINDING)
    if isinstance(value, Resolution):
        told = (
            (number, ruling.charge.charger, finding)
            for number, ruling in enumerate(value.rulings)
            for finding in ruling.findings
        )
        rows = (
            {"charge": number, "charger": charger, **vars(finding)}
            for number, charger, finding in told
        )
        return pd.DataFrame(rows, columns=("charge", "charger", *_FINDING))
    spread = np.meshgrid(*value.axes.values(), indexing="ij")
    keys = {key: values.ravel() for key, values in zip(value.axes, spread, strict=True)}
    found = {name: value.column(name).ravel() for name in vars(value)["values"]}
    return pd.DataFrame({**keys, **found})


def _plain(values: NDArray[Any]) -> list[Any]:
    """Return an array as nested lists of Python values, with None for nan."""
    told = values.astype(object)
    if values.dtype.kind == "f":
        told[np.isnan(values)] = None
    plain: list[Any] = told.tolist()
    return plain


def _totals(number: int, one: "ChargeOdds") -> Iterator[dict[str, Any]]:
    """Yield a row for each total of a charge's roll: its chance, and the chances of each outcome with it; one row if
    nothing is rolled.

    `number` is the index of the charge in the file.
    """
    charge = {
        "charge": number,
        "charger": one.charge.charger,
        "targets": ", ".join(one.charge.targets),
    }
    rows: list[tuple[int | None, Fraction, Mapping[Any, Fraction]]] = [
        (row.total, row.chance, row.outcomes) for row in one.by_total
    ]
    for total, chance, outcomes in rows or [(None, Fraction(1), one.outcomes)]:
        shares: dict[str, float] = {
            outcome: float(outcomes.get(outcome, 0)) for outcome in one.outcomes
        }
        yield {**charge, "total": total, "chance": float(chance), **shares}
