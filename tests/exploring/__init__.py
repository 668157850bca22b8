"""Tests of exploring."""
