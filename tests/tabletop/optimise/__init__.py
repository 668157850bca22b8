"""Tests of what placements are solved with, each beside sampling or enumeration."""
