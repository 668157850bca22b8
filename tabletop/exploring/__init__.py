"""Many cases of one scenario: what is varied, the results on disk, and the answers as labelled arrays."""
