"""The limits on where a charger's models may end: `Ends` with all that is measured of them, each limit's margin, and
its finding.

A margin is signed, in inches, positive where the limit holds with room to spare. `END_LIMITS` are the rules that ends
must keep, whether they come from the solver, from a proposal or from a second opinion; a finding states a margin in
words. The objective of the ends (`objective_of`), the engagement rule (`engagement_of`) and the coherency rule
(`coherency_of`) are defined here alone.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import shapely

from systems.wh40k.scene import Scene, top_of
from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.geometry.distance import are_boxes_apart, depth_inside, gap
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import Shape, disc
from tabletop.messages import counted, say
from tabletop.placement.objective import PlacementObjective
from tabletop.placement.problem import Coherency, Engagement, rises
from tabletop.ruling.evidence import Mark, too_near
from tabletop.ruling.finding import Finding
from tabletop.table.models import Formation, Model, ModelArray, Squad, crowd, from_one, gap_matrix
from tabletop.table.state import Terrain
from tabletop.units import CONTACT, MARGINAL, STRICTLY_BEYOND

RANGE_REPORT_MARGIN = 1.0
"""Inches beyond the longest range up to which a model's distance is reported."""

OVERLAP_RULES = {"wall": "wh40k.terrain.walls", "barricade": "wh40k.terrain.barricade"}
"""Rules by kind of terrain that no model may end in; others fall under the rule of moving through."""


def objective_of(scene: Scene) -> PlacementObjective:
    """Return what the ends are to reach: most models in contact, then most engaged (if wanted), then the least total
    movement.
    """
    wants_engaged = scene.choices.spare_models == "engage"
    return PlacementObjective(("contact", "engagement") if wants_engaged else ("contact",))


def engagement_of(scene: Scene) -> Engagement:
    """Return the engagement rule of a scene: the ranges in inches across and vertically, and the longer one across
    barricades, if any.
    """
    across = scene.book.engagement_horizontal
    up = scene.book.engagement_vertical
    if not scene.barricades:
        return Engagement(across, up)
    from systems.wh40k.barricades import BarricadeRange

    return Engagement(across, up, BarricadeRange(scene))


def coherency_of(scene: Scene, count: int) -> Coherency:
    """Return the coherency rule for `count` models: how many neighbours each needs (2 in large units, else 1; 0 for a
    single model).
    """
    book = scene.book
    neighbours = 0 if count < 2 else 2 if count >= book.coherency_large else 1  # noqa: PLR2004
    return Coherency(
        count,
        neighbours,
        book.coherency_horizontal,
        book.coherency_vertical,
        scene.choices.single_group,
    )


@dataclass(frozen=True, eq=False)
class Ends:
    """A charger's models at their ends, with everything that the rules measure of them, each computed once.

    Attributes
    ----------
    scene
        The charge, with the models where they begin.
    models
        The charger's models where they end, in any order; numbers identify them.
    distance
        The charge distance in inches.
    lengths
        Length (n,) of each model's move in inches; empty if the lengths are not judged.
    hand
        Tolerance in inches for models placed by hand.
    clearance
        Inches to keep beyond the engagement range of enemy units that are no targets.
    """

    scene: Scene
    models: tuple[Model, ...]
    distance: float = math.inf
    lengths: FloatArray = field(default_factory=lambda: np.zeros(0))
    hand: float = 0.0
    clearance: float = STRICTLY_BEYOND
    _units: dict[str, "UnitGaps"] = field(default_factory=dict, init=False, repr=False)

    @property
    def slack(self) -> float:
        """Tolerance in inches of comparisons of lengths: `hand`, for models placed by hand, plus `CONTACT` (1e-6)."""
        return self.hand + CONTACT

    @cached_property
    def array(self) -> ModelArray:
        """The models at their ends, in the order of `models`, with their positions and sizes as arrays."""
        return crowd(self.models)

    @cached_property
    def starts(self) -> "Ends":
        """The same models, in the same order, where they begin."""
        begun = {model.number: model for model in self.scene.charger.models}
        return Ends(self.scene, tuple(begun[model.number] for model in self.models))

    def formation(self, order: Iterable[int] | None = None) -> Formation:
        """Return the models' ends as a formation in file order, with the order of moving: by default the order of
        `models`.
        """
        models = sorted(self.models, key=lambda model: model.number)
        moving = (model.number for model in self.models)
        return Formation(
            tuple(model.pose for model in models),
            tuple(model.z for model in models),
            tuple(moving if order is None else order),
        )

    def to(self, unit: Squad) -> "UnitGaps":
        """Return the gaps between these models at their ends and the models of another unit."""
        if unit.name not in self._units:
            self._units[unit.name] = UnitGaps(self, unit)
        return self._units[unit.name]

    @cached_property
    def touching(self) -> BoolArray:
        """Whether each model is in base contact with a target, as booleans (n,)."""
        return np.asarray(
            np.any([self.to(target).contacts.any(axis=1) for target in self.scene.targets], axis=0)
        )

    @cached_property
    def engaging(self) -> BoolArray:
        """Whether each model is within engagement range of each target, as booleans (t, n) for t targets."""
        return np.array(
            [(self.to(target).margins >= -CONTACT).any(axis=1) for target in self.scene.targets],
            dtype=bool,
        )

    @cached_property
    def in_contact(self) -> tuple[int, ...]:
        """The numbers of the models that end in base contact with a target."""
        return self._numbers(self.touching)

    @cached_property
    def engaged(self) -> tuple[int, ...]:
        """The numbers of the models that end within engagement range of a target (engaged)."""
        return self._numbers(np.asarray(self.engaging.any(axis=0)))

    def _numbers(self, chosen: BoolArray) -> tuple[int, ...]:
        return tuple(
            model.number for model, is_chosen in zip(self.models, chosen, strict=True) if is_chosen
        )

    @cached_property
    def gains(self) -> FloatArray:
        """Inches (n,) by which each model ends closer to a target than it began, for the target to which it gains
        most.
        """
        nearer = [
            self.starts.to(target).distances - self.to(target).distances
            for target in self.scene.targets
        ]
        return np.asarray(np.max(nearer, axis=0))

    @cached_property
    def coherency(self) -> Coherency:
        """The coherency rule that applies to a unit of as many models."""
        return coherency_of(self.scene, len(self.models))

    @cached_property
    def neighbour_margins(self) -> FloatArray:
        """Signed inches (n, n) by which pairs of models are within coherency distance, negative if too far apart; -inf
        on the diagonal.
        """
        height = self.scene.body_height(self.scene.charger)
        vertical = rises(self.array.heights, height, self.array.heights, height)
        margins = self.coherency.margins(gap_matrix(self.array, self.array), vertical)
        np.fill_diagonal(margins, -np.inf)
        return margins

    @property
    def coherency_margin(self) -> float:
        """Signed margin in inches of the pair of models that is nearest to breaking coherency; inf for a single
        model.
        """
        return (
            float(self.neighbour_margins[self.weakest_link])
            if self.coherency.neighbours
            else np.inf
        )

    @cached_property
    def weakest_link(self) -> tuple[int, int]:
        """Indices of the two models that are nearest to breaking coherency.

        They are a model and the last of the neighbours that it needs or, if the unit must form one group, the two
        models at the weakest edge of the maximum spanning tree, if that is weaker.
        """
        margins = self.neighbour_margins
        asked = self.coherency.neighbours
        ranked = np.argsort(-margins, axis=1, kind="stable")
        row = int(np.take_along_axis(margins, ranked, axis=1)[:, asked - 1].argmin())
        pairs = [
            (row, int(ranked[row, asked - 1])),
            *([_bottleneck(margins)] if self.coherency.single_group else []),
        ]
        return min(pairs, key=lambda pair: float(margins[pair]))

    @property
    def link_lines(self) -> tuple[tuple[Point, Point], ...]:
        """The two positions, in table coordinates, of each pair of models within coherency distance."""
        at = [model.pose.at for model in self.models]
        return tuple(
            (at[row], at[column])
            for row, column in np.argwhere(np.triu(self.neighbour_margins >= -CONTACT)).tolist()
        )


@dataclass(frozen=True, eq=False)
class UnitGaps:
    """Gaps in inches between a charger's n models at their ends and the m models of another unit, each array computed
    once.
    """

    ends: Ends
    unit: Squad

    @cached_property
    def array(self) -> ModelArray:
        """The other unit's models with their positions and sizes as arrays."""
        return crowd(self.unit.models)

    @cached_property
    def across(self) -> FloatArray:
        """Signed gaps (n, m) in inches between footprints seen from above, negative where they overlap."""
        return gap_matrix(self.ends.array, self.array)

    @cached_property
    def up(self) -> FloatArray:
        """Vertical gaps (n, m) in inches; 0 where models overlap in height."""
        scene = self.ends.scene
        return rises(
            self.ends.array.heights,
            scene.body_height(scene.charger),
            self.array.heights,
            scene.body_height(self.unit),
        )

    @cached_property
    def apart(self) -> FloatArray:
        """Distances (n, m) in inches between models: the hypotenuse of the gap seen from above, at least 0, and the
        vertical gap.
        """
        return np.asarray(np.hypot(np.maximum(self.across, 0.0), self.up))

    @property
    def distances(self) -> FloatArray:
        """Distance (n,) in inches from each of the charger's models to the nearest model of the unit."""
        return np.asarray(self.apart.min(axis=1))

    @cached_property
    def range_margins(self) -> tuple[FloatArray, FloatArray]:
        """Signed inches by which models are within engagement range, horizontally (n, m) and vertically (n, m);
        negative outside.
        """

        def bodies(model: int, enemy: int) -> tuple[Shape, Shape]:
            """Return the footprints of the charger's model and of the enemy model with these indices."""
            return self.ends.models[model].footprint, self.unit.models[enemy].footprint

        return engagement_of(self.ends.scene).margins(
            self.across, self.up, bodies, beyond=RANGE_REPORT_MARGIN
        )

    @cached_property
    def margins(self) -> FloatArray:
        """Signed inches (n, m) by which models are within engagement range: the smaller of the horizontal and the
        vertical margin.
        """
        return np.minimum(*self.range_margins)

    @cached_property
    def contacts(self) -> BoolArray:
        """Whether the charger's models are in base contact with the unit's, as booleans (n, m)."""
        level = (
            np.abs(self.ends.array.heights[:, None] - self.array.heights[None, :])
            <= self.ends.slack
        )
        return np.asarray((np.abs(self.across) <= self.ends.slack) & level)

    @property
    def touched(self) -> tuple[int, ...]:
        """The numbers of the unit's models that are in base contact with the charger."""
        return tuple(
            self.unit.models[column].number for column in np.flatnonzero(self.contacts.any(axis=0))
        )

    @property
    def nearest(self) -> tuple[tuple[Model, Model], float, float, float]:
        """The pair (own model, enemy model) with the largest engagement margin, its gap, the range, and that margin, in
        inches.

        Gap and range are the horizontal or the vertical ones, whichever decides.
        """
        across, up = self.range_margins
        row, column = first_least(-self.margins)
        engagement = engagement_of(self.ends.scene)
        margin = float(self.margins[row, column])
        limit = engagement.vertical
        if across[row, column] <= up[row, column] + CONTACT:
            pair = float(self.across[row, column])
            limit = min(engagement.ranges, key=lambda reach: abs(reach - pair - margin))
        return (self.ends.models[row], self.unit.models[column]), limit - margin, limit, margin


def engaged_findings(ends: Ends) -> Iterator[Finding]:
    """Yield for each target the finding of wh40k.possible.engage-all: whether a model ends within engagement range of
    it.
    """
    for target in ends.scene.targets:
        (own, enemy), measured, limit, margin = ends.to(target).nearest
        is_engaged = margin + ends.hand >= -CONTACT
        parts = {
            "charger": ends.scene.charger.name,
            "number": from_one(own.number),
            "target": target.name,
            "enemy": from_one(enemy.number),
        }
        text = say(
            "{charger}'s model {number} is not within engagement range of {target}'s model {enemy}; a model must be "
            "within range of every target.",
            **parts,
        )
        if is_engaged:
            text = say(
                "{charger}'s model {number} is within engagement range of {target}'s model {enemy}.",
                **parts,
            )
        mark = None if is_engaged else too_near(own.footprint, enemy.footprint)
        found = Finding(
            "wh40k.possible.engage-all",
            is_engaged,
            text,
            measured,
            limit,
            margin,
            allowance=ends.hand,
            mark=mark,
        )
        yield found.using(*ends.scene.heights_assumed(ends.scene.charger, target))


def apart_findings(ends: Ends) -> Iterator[Finding]:
    """Yield for each enemy unit that is no target the finding of wh40k.possible.avoid-others: whether no model ends in
    its range.

    A gap must exceed the engagement range by `Ends.clearance`; no tolerance for models placed by hand is granted.
    """
    for unit in ends.scene.non_targets:
        (own, enemy), measured, limit, margin = ends.to(unit).nearest
        is_apart = -margin - ends.clearance >= -CONTACT
        parts = {
            "charger": ends.scene.charger.name,
            "number": from_one(own.number),
            "enemy": from_one(enemy.number),
            "unit": unit.name,
        }
        text = say(
            "{charger}'s model {number} ends within engagement range of model {enemy} of {unit}, which is not a "
            "target; no model may.",
            **parts,
        )
        if is_apart:
            text = say(
                "No model of {charger} ends within engagement range of {unit}, which is not a target; its model "
                "{number} is closest, to model {enemy} of {unit}.",
                **parts,
            )
        mark = (
            None
            if is_apart
            else replace(
                too_near(own.footprint, enemy.footprint),
                models={ends.scene.charger.name: (own.number,)},
            )
        )
        found = Finding(
            "wh40k.possible.avoid-others",
            is_apart,
            text,
            measured,
            limit,
            -margin,
            allowance=-ends.clearance,
            mark=mark,
        )
        yield found.using(*ends.scene.heights_assumed(ends.scene.charger, unit))


def coherency_finding(ends: Ends) -> Finding:
    """Return the finding of wh40k.possible.coherency: whether every model has the neighbours it needs and the unit
    holds together.
    """
    coherency = ends.coherency
    count = len(ends.models)
    if coherency.neighbours == 0:
        return Finding(
            "wh40k.possible.coherency", ok=True, text=say("A single model is always in coherency.")
        )
    first, second = (ends.models[place] for place in ends.weakest_link)
    margin = ends.coherency_margin
    group = say(" and all form one group") if coherency.single_group else ""
    is_kept = margin + ends.hand >= -CONTACT
    parts = {
        "count": count,
        "limit": coherency.horizontal,
        "others": counted(coherency.neighbours, "others"),
    }
    parts |= {"charger": ends.scene.charger.name, "group": group}
    text = say(
        "Not all {count} models of {charger} are within {limit:g} in of {others} of the unit{group}, as they must be.",
        **parts,
    )
    if is_kept:
        text = say(
            "Each of the {count} models of {charger} is within {limit:g} in of {others} of the unit{group}.",
            **parts,
        )
    mark = None if is_kept else too_near(first.footprint, second.footprint)
    if not np.isfinite(margin):
        return Finding("wh40k.possible.coherency", is_kept, text, mark=mark)
    is_across = coherency.horizontal - gap(first.footprint, second.footprint) <= margin + CONTACT
    limit = coherency.horizontal if is_across else coherency.vertical
    return Finding(
        "wh40k.possible.coherency",
        is_kept,
        text,
        limit - margin,
        limit,
        margin,
        allowance=ends.hand,
        mark=mark,
    )


def _bottleneck(margins: FloatArray) -> tuple[int, int]:
    """Return the edge (i, j) with the smallest margin in the maximum spanning tree of the models, for margins (n,
    n).
    """
    tail = np.zeros(len(margins), dtype=np.intp)
    is_out = np.arange(len(margins)) > 0
    tree = []
    while is_out.any():
        best = margins[tail, np.arange(len(margins))]
        head = int(np.argmax(np.where(is_out, best, -np.inf)))
        tree.append((int(tail[head]), head))
        is_out[head] = False
        tail = np.where(margins[head] > best, head, tail)
    return min(tree, key=lambda pair: float(margins[pair]))


def closer_findings(ends: Ends) -> Mapping[int, Finding]:
    """Return by model number the findings of wh40k.move.closer: whether a model ends closer to a target than it began.

    Models in base contact are left out, and those that stayed in place if only moved models must end closer.
    """
    found = dict[int, Finding]()
    for model, start, gain, is_touching in zip(
        ends.models, ends.starts.models, ends.gains.tolist(), ends.touching, strict=True
    ):
        has_stayed = model.stands_like(start)
        if is_touching or (has_stayed and ends.scene.choices.closer_scope == "moved"):
            continue
        is_closer = gain >= STRICTLY_BEYOND - CONTACT
        parts = {"charger": ends.scene.charger.name, "number": from_one(model.number)}
        text = say(
            "{charger}'s model {number} ends {gain:.4f} in closer to a target than it began.",
            gain=gain,
            **parts,
        )
        if has_stayed:
            text = say(
                "{charger}'s model {number} ends where it began; it must end closer to a target.",
                **parts,
            )
        elif gain <= -MARGINAL:
            text = say(
                "{charger}'s model {number} ends {loss:.4f} in farther from every target than it began; it must "
                "end closer to one.",
                loss=-gain,
                **parts,
            )
        elif not is_closer:
            text = say(
                "{charger}'s model {number} ends no closer to any target than it began; it must end closer to one.",
                **parts,
            )
        words = (
            say("{loss:.2f} in farther away", loss=-gain) if gain <= -MARGINAL else say("no closer")
        )
        mark = None if is_closer else Mark(words, models={ends.scene.charger.name: (model.number,)})
        margin = gain - STRICTLY_BEYOND
        found[model.number] = Finding(
            "wh40k.move.closer", is_closer, text, gain, STRICTLY_BEYOND, margin, mark=mark
        )
    return found


def tightest(findings: Iterable[Finding]) -> list[Finding]:
    """Return the broken ones of some findings or, if none is broken, a list with the first finding of least margin;
    empty for none.
    """
    found = list(findings)
    broken = [finding for finding in found if not finding.ok]
    if broken or not found:
        return broken
    margins = np.array([np.inf if finding.margin is None else finding.margin for finding in found])
    return [found[first_least(margins)[0]]]


def first_least(values: FloatArray) -> tuple[int, ...]:
    """Return the index of the smallest value of an array, one number for each axis; of values within CONTACT of it the
    first.
    """
    return tuple(np.argwhere(values <= values.min() + CONTACT)[0].tolist())


def clear_findings(ends: Ends) -> Iterator[Finding]:
    """Yield one finding of wh40k.move.end-clear (for flyers wh40k.fly.not-on-models): whether no model ends on another
    one.

    It reports the model with the smallest gap to another, or the deepest overlap. Nothing is yielded if no two models
    are at the same height, so that none can overlap.
    """
    scene = ends.scene
    everybody = (*ends.models, *scene.bodies.models)
    rows = _clearances(ends, beyond=0.0)
    row, column = first_least(rows)
    if not np.isfinite(rows[row, column]):
        return
    # what looked nearest by its outer radius may not be
    near = gap(ends.models[row].footprint, everybody[column].footprint)
    rows = _clearances(ends, beyond=max(near, 0.0))
    row, column = first_least(rows)
    least = float(rows[row, column])
    rule = "wh40k.fly.not-on-models" if scene.is_flyer else "wh40k.move.end-clear"
    number = from_one(ends.models[row].number)
    if least >= -ends.hand - CONTACT:
        text = say(
            "{charger}'s model {number} ends clear of all other models.",
            charger=scene.charger.name,
            number=number,
        )
        yield Finding(rule, True, text, least, 0.0, least, allowance=ends.hand)  # noqa: FBT003
        return
    names = [scene.charger.name] * len(ends.models) + [
        unit.name for unit in scene.others for _ in unit.models
    ]
    text = say(
        "{charger}'s model {number} overlaps model {other} of {unit}.",
        charger=scene.charger.name,
        number=number,
        other=from_one(everybody[column].number),
        unit=names[column],
    )
    mark = Mark(overlaps=((ends.models[row].footprint, everybody[column].footprint),))
    yield Finding(rule, False, text, least, 0.0, least, allowance=ends.hand, mark=mark)  # noqa: FBT003


def _clearances(ends: Ends, *, beyond: float) -> FloatArray:
    """Return signed gaps (n, n + m) in inches from the charger's n models to each other and to the m other models on
    the table.

    inf where models cannot overlap, being at different heights, and on the diagonal. Gaps beyond `beyond` inches may be
    lower bounds.
    """
    own = body_gaps(ends.array, ends.array, beyond=beyond)
    np.fill_diagonal(own, np.inf)
    return np.hstack([own, body_gaps(ends.array, ends.scene.bodies, beyond=beyond)])


def body_gaps(first: ModelArray, second: ModelArray, *, beyond: float = 0.0) -> FloatArray:
    """Return signed gaps (n, m) in inches between two groups of models, inf between models at different heights.

    Gaps above `beyond` inches may be lower bounds.
    """
    level = np.abs(first.heights[:, None] - second.heights[None, :]) <= CONTACT
    return np.where(level, gap_matrix(first, second, beyond=beyond), np.inf)


def standing_faults(scene: Scene, model: Model, *, slack: float = CONTACT) -> Iterator[Finding]:
    """Yield a broken finding for each rule of board and terrain by which a model may not end at its place; `slack` in
    inches.
    """
    beyond = -scene.state.board.room(model.footprint)
    if beyond > slack:
        text = say(
            "{charger}'s model {number} ends {beyond:.4f} in beyond the board's edge.",
            charger=scene.charger.name,
            number=from_one(model.number),
            beyond=beyond,
        )
        yield _broken("wh40k.path.board", text, beyond, slack, mark=Mark(beyond=(model.footprint,)))
    for piece in scene.solids:
        if top_of(piece) > model.z + slack and not are_boxes_apart(model.footprint, piece.shape):
            depth = -gap(model.footprint, piece.shape)
            if depth > slack:
                text = say(
                    "{charger}'s model {number} overlaps {piece} by {depth:.4f} in.",
                    charger=scene.charger.name,
                    number=from_one(model.number),
                    piece=piece.name,
                    depth=depth,
                )
                yield _broken(
                    OVERLAP_RULES.get(piece.kind, "wh40k.terrain.through"),
                    text,
                    depth,
                    slack,
                    mark=Mark(overlaps=((model.footprint, piece.shape),)),
                )
    if model.z > slack:
        yield from _unheld(scene, model, slack)


def _unheld(scene: Scene, model: Model, slack: float) -> Iterator[Finding]:
    """Yield a broken finding if neither the top of a block nor an upper floor supports a model above the ground."""
    level = [
        piece
        for piece in (*scene.blocks, *scene.upper_floors)
        if abs(piece.height - model.z) <= slack
    ]
    level = [piece for piece in level if gap(model.footprint, piece.shape) <= slack]
    depth, name, kind = max(
        (
            (support_depth(scene, model, piece), piece.name, piece.kind)
            for piece in level
            if piece.kind == "block" or scene.uses_floors
        ),
        key=lambda one: one[0],
        default=(-math.inf, "", ""),
    )
    if depth >= -slack:
        return
    if name:
        rule = "wh40k.terrain.floors" if kind == "floor" else "wh40k.terrain.support"
        yield _broken(
            rule,
            say(
                "{charger}'s model {number} extends beyond the top of {name}, which must support all of it.",
                charger=scene.charger.name,
                number=from_one(model.number),
                name=name,
            ),
            -depth,
            slack,
            mark=Mark(
                say("{depth:.2f} in beyond the top", depth=-depth), areas=_overhang(model, level)
            ),
        )
    elif level:
        text = say(
            "{charger}'s model {number} ends on the upper floor {floor}, where only infantry, beasts and models "
            "that fly may end.",
            charger=scene.charger.name,
            number=from_one(model.number),
            floor=level[0].name,
        )
        yield Finding(
            "wh40k.terrain.floors",
            ok=False,
            text=text,
            mark=Mark(say("may not end on {floor}", floor=level[0].name)),
        )
    else:
        is_climbing = any(
            abs(gap(model.footprint, piece.shape)) <= slack and piece.height > model.z
            for piece in scene.climbed
        )
        rule = "wh40k.terrain.mid-climb" if is_climbing else "wh40k.terrain.support"
        yield Finding(
            rule,
            ok=False,
            text=say(
                "{charger}'s model {number} ends {z:g} in above the ground, where nothing supports it.",
                charger=scene.charger.name,
                number=from_one(model.number),
                z=model.z,
            ),
            mark=Mark(say("nothing below it at {z:g} in", z=model.z)),
        )


def _overhang(model: Model, level: Sequence[Terrain]) -> tuple[Shape, ...]:
    """Return the part of a model's base that none of the pieces at its height supports."""
    top = shapely.union_all([piece.shape.core for piece in level])
    return tuple(
        Shape(part)
        for part in shapely.get_parts(
            shapely.difference(shapely.Polygon(model.footprint.outline()), top)
        )
    )


def support_depth(scene: Scene, model: Model, piece: Terrain) -> float:
    """Return how far, in inches, a model's base lies inside the top of a block or a floor; negative if it extends
    beyond.

    Where the rules ask for support of the centre only, the depth of the base's centre is returned.
    """
    if stands_by_centre(scene, piece):
        return depth_inside(disc(model.pose.at, 0.0), piece.shape)
    return depth_inside(model.footprint, piece.shape)


def stands_by_centre(scene: Scene, piece: Terrain) -> bool:
    """Return whether only the centre of a base must be over the top of this piece of terrain, rather than the whole
    base.
    """
    return piece.kind == "block" and scene.choices.support == "centre"


def _broken(
    rule: str, text: str, measured: float, slack: float, *, mark: Mark | None = None
) -> Finding:
    """Return the finding of a broken rule for an excess of `measured` inches; `slack`, tolerance `CONTACT` included, is
    allowed.
    """
    if not math.isfinite(measured):
        return Finding(rule, ok=False, text=text, mark=mark)
    return Finding(
        rule,
        False,  # noqa: FBT003
        text,
        measured,
        0.0,
        -measured,
        allowance=slack - CONTACT,
        mark=mark,
    )


def can_stand(scene: Scene, model: Model, *, slack: float = CONTACT) -> bool:
    """Return whether board and terrain allow a model to end at its place, with a tolerance of `slack` inches."""
    return next(standing_faults(scene, model, slack=slack), None) is None


def surfaces(scene: Scene, model: Model, *, slack: float = CONTACT) -> tuple[float, ...]:
    """Return the heights in inches, lowest first, at which a model may end at its position seen from above."""
    heights = sorted({0.0, *(piece.height for piece in (*scene.blocks, *scene.floors))})
    return tuple(z for z in heights if can_stand(scene, model.at(model.pose, z), slack=slack))


def limit_finding(ends: Ends) -> Finding:
    """Return the finding of wh40k.roll.limit: whether no model moves farther than the charge distance."""
    longest = float(ends.lengths.max(initial=0.0))
    margin = ends.distance - longest
    text = say(
        "The longest move of a model of {charger} is {longest:.4f} in; the charge distance is {distance:g} in.",
        charger=ends.scene.charger.name,
        longest=longest,
        distance=ends.distance,
    )
    return Finding(
        "wh40k.roll.limit",
        margin >= -CONTACT,
        text,
        *((longest, ends.distance, margin) if math.isfinite(longest) else ()),
    )


def _standing_findings(ends: Ends) -> Iterator[Finding]:
    for model, start in zip(ends.models, ends.starts.models, strict=True):
        if not model.stands_like(start):
            yield from standing_faults(ends.scene, model, slack=ends.slack)


@dataclass(frozen=True)
class EndLimit:
    """A rule about ends; `findings` returns its findings, one for each model or unit concerned."""

    rule: str
    findings: Callable[[Ends], Iterable[Finding]]

    def slack(self, ends: Ends) -> float:
        """Return the least margin of the rule's findings, negative if the rule is broken; 0 without findings."""
        return min((finding.slack for finding in self.findings(ends)), default=0.0)


CONDITIONS = (
    EndLimit("wh40k.possible.engage-all", engaged_findings),
    EndLimit("wh40k.possible.avoid-others", apart_findings),
    EndLimit("wh40k.possible.coherency", lambda ends: [coherency_finding(ends)]),
)
"""The three conditions: every target engaged, no other enemy unit engaged, the unit coherent."""

END_LIMITS = (
    EndLimit("wh40k.roll.limit", lambda ends: [limit_finding(ends)]),
    EndLimit("wh40k.move.end-clear", clear_findings),
    EndLimit("wh40k.terrain.support", _standing_findings),
    *CONDITIONS,
    EndLimit("wh40k.move.closer", lambda ends: closer_findings(ends).values()),
)
"""All rules about ends."""


def condition_findings(ends: Ends) -> list[Finding]:
    """Return the findings of the three conditions: every target engaged, no other enemy engaged, the unit in
    coherency.
    """
    return [finding for limit in CONDITIONS for finding in limit.findings(ends)]
