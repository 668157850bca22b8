"""Hold the program against the second implementation on random tables: `python -m tests.oracles.battletech [COUNT [FIRST]]`."""

import sys
import time
from collections import Counter

from tests.oracles.battletech.referee import compare
from tests.oracles.battletech.scenes import random_scene


def main(arguments: list[str]) -> int:
    """Run scenes FIRST to FIRST + COUNT - 1; print differences as they come and a summary; give 1 if there were any."""
    count, first = int(arguments[0]) if arguments else 1000, int(arguments[1]) if len(arguments) > 1 else 0
    outcomes: Counter[str] = Counter()
    started, bad = time.perf_counter(), 0
    for number in range(first, first + count):
        expected, differences = compare(random_scene(number), number)
        outcomes[f"{expected.outcome} {expected.rule or ''}".strip()] += 1
        bad += bool(differences)
        for difference in differences:
            print(f"scene {number} ({expected.outcome}): {difference}", flush=True)
    print(f"{count} scenes in {time.perf_counter() - started:.0f} s, {bad} with differences; {dict(outcomes.most_common())}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
