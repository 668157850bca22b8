"""Tests of plots.marks."""
