"""Constrained optimisation for placements: enumerate what is finite, search what is not, polish and re-check."""
