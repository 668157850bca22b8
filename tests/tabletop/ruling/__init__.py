"""Tests of what games return and people read."""
