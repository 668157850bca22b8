"""The tale of a charge: findings, steps and metrics, added up event by event once it is over."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from systems.battletech.roll import Check
from systems.battletech.rules import PREFIX
from tabletop.ruling.assumption import Assumed
from tabletop.ruling.charge import Metric, Step
from tabletop.ruling.finding import Finding


@dataclass(frozen=True)
class Tale:
    """What has been told."""

    findings: tuple[Finding, ...] = ()
    steps: tuple[Step, ...] = ()
    metrics: Mapping[str, Metric] = field(default_factory=dict)

    def finding(
        self,
        rule: str,
        text: str,
        *,
        ok: bool = True,
        measured: float | None = None,
        limit: float | None = None,
        has_margin: bool = False,
        using: tuple[Assumed, ...] = (),
    ) -> "Tale":
        """Add what a rule says; `has_margin` where the measure decides whether it is kept, `using` numbers that no profile gives."""
        margin = measured - limit if has_margin and measured is not None and limit is not None else None
        return replace(self, findings=(*self.findings, Finding(PREFIX + rule, ok, text, measured, limit, margin).using(*using)))

    def step(self, *steps: Step) -> "Tale":
        """Add steps."""
        return replace(self, steps=(*self.steps, *steps))

    def with_metrics(self, **metrics: Metric) -> "Tale":
        """Set metrics."""
        return replace(self, metrics={**self.metrics, **metrics})

    def unaimed(self, *, at_another: bool) -> "Tale":
        """Drop the numbers of an earlier roll to hit, and what became of whom it was aimed at: metrics tell of the last collision."""
        past = ("tn", "roll", *(("psr_target", "fall_damage_target", "pilot_hits_target") if at_another else ()))
        return replace(self, metrics={k: v for k, v in self.metrics.items() if k not in past and not k.startswith("to_hit_")})

    def listed(self, name: str, *values: Metric) -> "Tale":
        """Add values to the end of a metric that is a list."""
        return self.with_metrics(**{name: [*self.metrics.get(name, []), *values]})

    def fallen(self, name: str) -> "Tale":
        """Tell that a unit fell; one that falls more than once is named once."""
        return self if name in self.metrics.get("fell", ()) else self.listed("fell", name)

    def counted(self, name: str, amount: int) -> "Tale":
        """Add to a metric that is a sum."""
        return self.with_metrics(**{name: self.metrics.get(name, 0) + amount})


Event = Callable[[Tale], Tale]
"""Adds to a journal what happened."""


def rules(*names: str) -> tuple[str, ...]:
    """Give the names of rules in full."""
    return tuple(PREFIX + name for name in names)


def rolled(check: Check) -> str:
    """Say what a roll showed against its number."""
    if check.total is None:
        return f"needs {check.number}, {'passed' if check.is_passed else 'failed'} without a roll"
    return f"rolls {check.total}, needs {check.number}: {'passed' if check.is_passed else 'failed'}"


def in_hexes(count: int) -> str:
    """Say how many hexes."""
    return f"{count} {'hex' if count == 1 else 'hexes'}"
