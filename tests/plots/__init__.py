"""Tests of figures: marks, artists, pages and files."""
