"""Tests of plots.layout."""
