"""Tests of The Ninth Age."""
