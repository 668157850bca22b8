"""Speed as ratios measured side by side in one run, each void if its correctness gate fails."""
