"""Tests of plots.export."""
