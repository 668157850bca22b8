"""Compare the solver with the brute force over many random scenes: `python -m tests.oracles.run COUNT [FIRST] [single|combined]`."""

import sys
import time
from collections import Counter
from collections.abc import Callable

from tests.oracles.combined_referee import referee_combined
from tests.oracles.groups import random_group
from tests.oracles.referee import Report, referee
from tests.oracles.scenes import random_case

JUDGED: dict[str, Callable[[int], Report]] = {
    "single": lambda number: referee(random_case(number)),
    "combined": lambda number: referee_combined(random_group(number)),
}


def main(arguments: list[str]) -> int:
    """Run scenes FIRST to FIRST + COUNT - 1; print complaints as they come and a summary; give 1 if there were any."""
    count, first = int(arguments[0]) if arguments else 1000, int(arguments[1]) if len(arguments) > 1 else 0
    judged = JUDGED[arguments[2] if len(arguments) > len(("COUNT", "FIRST")) else "single"]
    outcomes: Counter[str] = Counter()
    started, bad = time.perf_counter(), 0
    for number in range(first, first + count):
        report = judged(number)
        outcomes[report.outcome] += 1
        bad += bool(report.complaints)
        for complaint in report.complaints:
            print(f"scene {number} ({report.outcome}): {complaint}", flush=True)
    print(f"{count} scenes in {time.perf_counter() - started:.0f} s, {bad} with complaints; {dict(outcomes.most_common())}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
