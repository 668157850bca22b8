"""Resolve many cases of one scenario: grids of varied values, tables of results on disk, answers as labelled arrays."""
