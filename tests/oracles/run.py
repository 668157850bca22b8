"""Compare the solver with the brute force over many random scenes: `python -m tests.oracles.run COUNT [FIRST]`."""

import sys
import time
from collections import Counter

from tests.oracles.referee import referee
from tests.oracles.scenes import random_case


def main(arguments: list[str]) -> int:
    """Run scenes FIRST to FIRST + COUNT - 1; print complaints as they come and a summary; give 1 if there were any."""
    count, first = int(arguments[0]) if arguments else 1000, int(arguments[1]) if len(arguments) > 1 else 0
    outcomes: Counter[str] = Counter()
    started, bad = time.perf_counter(), 0
    for number in range(first, first + count):
        report = referee(random_case(number))
        outcomes[report.outcome] += 1
        bad += bool(report.complaints)
        for complaint in report.complaints:
            print(f"scene {number} ({report.outcome}): {complaint}", flush=True)
    print(f"{count} scenes in {time.perf_counter() - started:.0f} s, {bad} with complaints; {dict(outcomes.most_common())}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
