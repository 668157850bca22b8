"""Tests of plots.render."""
