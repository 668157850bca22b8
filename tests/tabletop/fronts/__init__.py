"""Tests of the moves and places of fronts, each beside plain sampling or enumeration."""
