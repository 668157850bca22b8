"""Hold plans and judgements against a second measurement on random tables: `python -m tests.oracles.wh40k [COUNT [FIRST]]`."""

import sys
import time
from collections import Counter

from tests.oracles.wh40k.referee import referee
from tests.oracles.wh40k.scenes import random_case


def main(arguments: list[str]) -> int:
    """Run scenes FIRST to FIRST + COUNT - 1; print complaints as they come and a summary; give 1 if there were any."""
    count, first = int(arguments[0]) if arguments else 200, int(arguments[1]) if len(arguments) > 1 else 0
    outcomes: Counter[str] = Counter()
    started, bad, spoilt = time.perf_counter(), 0, 0
    for number in range(first, first + count):
        report = referee(random_case(number))
        outcomes[report.outcome] += 1
        bad, spoilt = bad + bool(report.complaints), spoilt + report.spoilt
        for complaint in report.complaints:
            print(f"scene {number} ({report.outcome}): {complaint}", flush=True)
    took = time.perf_counter() - started
    print(f"{count} scenes in {took:.0f} s, {bad} with complaints, {spoilt} changed plans judged; {dict(outcomes.most_common())}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
