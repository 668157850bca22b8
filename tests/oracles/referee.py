"""Compares a resolved charge with the brute force and says what is wrong, if anything."""

import math
from dataclasses import dataclass

import numpy as np

from tabletop.errors import NoVerdictError
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tests.oracles.confirm import beaten, confirm
from tests.oracles.failed import failed_move
from tests.oracles.plane import Readings, Scene
from tests.oracles.sight import are_clear, sees
from tests.oracles.t9a import best_counts, is_first_ahead, search
from tests.oracles.unaligned import ALLOWED, least_angle
from tests.scenes import resolve

NEAR = 0.02
"""Inches: how far a failed charge move made in small steps may end from the exact one."""


@dataclass(frozen=True)
class Report:
    """What came of a scene, in a word or a rule's name, and what the brute force has against it."""

    outcome: str
    complaints: tuple[str, ...]


def scene_of(case: Case) -> Scene:
    """See the first charge of a case as the brute force does."""
    units = case.state.units
    charge = case.charges[0]
    return Scene(case.state, units[charge.charger], units[charge.targets[0]], readings_of(case))


def readings_of(case: Case) -> Readings:
    """Take from a case the choices that the brute force knows."""
    known = (
        "clearance",
        "corners",
        "friend_touch",
        "impassable_touch",
        "gap_graze",
        "contact_slack",
    )
    return Readings(**{key: getattr(case.choices, key) for key in known})


def referee(case: Case) -> Report:
    """Resolve a case of one charge and check the ruling."""
    scene = scene_of(case)
    try:
        resolution = resolve(case)
    except NoVerdictError:
        return Report("no verdict", tuple(_no_verdict(scene)))
    ruling = resolution.rulings[0]
    checks = {"success": _success, "failed": _failed, "not_allowed": _not_allowed}
    return Report(
        ruling.rule or ruling.outcome, tuple(checks[ruling.outcome](scene, ruling, resolution))
    )


def _no_verdict(scene: Scene) -> list[str]:
    """Only a search that ends at its limit gives no verdict, which these scenes are too small for."""
    return [f"no verdict, brute force {best_counts(search(scene))}"]


def _success(scene: Scene, ruling: Ruling, resolution: Resolution) -> list[str]:
    if (
        "unaligned_angle_deg" in ruling.metrics
        or ruling.metrics["target_facing"] not in scene.facings
    ):
        return _without_aligned_place(scene, ruling)
    sight = ruling.evidence.sight
    unseen = (
        sight is not None and not are_clear(scene, np.array([sight[0]]), np.array([sight[1]]))[0]
    )
    complaints = ["line of sight shown is not clear"] if unseen else []
    return [
        *complaints,
        *confirm(scene, ruling, resolution.after),
        *beaten(scene, ruling, search(scene)),
    ]


def _without_aligned_place(scene: Scene, ruling: Ruling) -> list[str]:
    """Check that an unaligned charge has no aligned position and no smaller angle, and that Blocked Path has no
    position at all.
    """
    best = best_counts(search(scene))
    wrong = [f"no aligned place, brute force {best}"] if best else []
    facing = ruling.metrics["target_facing"]
    if facing in scene.facings:
        least = least_angle(scene, facing)
        beaten = (
            least is not None
            and least.angle < math.radians(ruling.metrics["unaligned_angle_deg"]) - ALLOWED
        )
        return [
            *wrong,
            *(
                [f"{ruling.metrics['unaligned_angle_deg']} degrees, brute force {least}"]
                if beaten
                else []
            ),
        ]
    tilted = [least for name in scene.facings if (least := least_angle(scene, name)) is not None]
    ahead = (
        []
        if is_first_ahead(scene)
        else ["charged by Blocked Path, but the target is not first ahead"]
    )
    return [*wrong, *ahead, *(f"charged by Blocked Path, brute force {least}" for least in tilted)]


def _not_allowed(scene: Scene, ruling: Ruling, resolution: Resolution) -> list[str]:
    wrong = [] if resolution.after == resolution.before else ["a refused charge changes the table"]
    broken = {finding.rule for finding in ruling.findings if not finding.ok}
    if "t9a.declare.line-of-sight" in broken and sees(scene):
        wrong.append("refused for want of sight, but a line is clear")
    if "t9a.declare.room" in broken:
        found = search(scene)
        wrong += (
            [f"refused for want of room, brute force {best_counts(found)}"]
            if best_counts(found)
            else []
        )
        wrong += [
            f"refused for want of room, brute force {least}"
            for item in found
            if (least := least_angle(scene, item.facing))
        ]
        asked = any(finding.rule == "t9a.blocked.any-facing" for finding in ruling.findings)
        wrong += (
            ["refused for want of room, Blocked Path not asked"]
            if is_first_ahead(scene) and not asked
            else []
        )
    return wrong


def _failed(scene: Scene, ruling: Ruling, resolution: Resolution) -> list[str]:
    expected = failed_move(scene, ruling.metrics["target_facing"])
    pose = resolution.after.units[scene.charger.name].pose
    apart = math.dist(pose.at, expected.pose.at)
    turned = abs(math.remainder(pose.heading - expected.pose.heading, math.tau))
    wrong = (
        [f"failed charge ends at {pose}, in small steps at {expected.pose}"]
        if apart > NEAR or turned > NEAR
        else []
    )
    moved = float(ruling.metrics["moved"])
    wheel = float(ruling.metrics["wheel_angle_deg"])
    wrong += (
        [f"moved {moved}, in small steps {expected.moved}"]
        if abs(moved - expected.moved) > NEAR
        else []
    )
    return wrong + (
        [f"wheel {wheel}, in small steps {expected.wheel}"]
        if abs(abs(wheel) - abs(math.degrees(expected.wheel))) > 1
        else []
    )
