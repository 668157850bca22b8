"""Tests of the searches, each beside plain sampling or enumeration."""
