"""Tests of the scenario files."""
